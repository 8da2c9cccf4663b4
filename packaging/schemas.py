"""Write the JSON Schemas in docs/schemas/: `python packaging/schemas.py`, or `--check` that they are up to date.

Schemas are those of files that Toolnote reads or writes, of the release feed, and of the built-in tools' arguments and
result.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel

CLONE = Path(__file__).resolve().parent.parent
FOLDER: Final = CLONE / "docs" / "schemas"

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


def schemas() -> dict[str, dict[str, Any]]:
    """Return file name -> schema."""
    sys.path.insert(0, str(CLONE))
    from toolnote_desktop.bench import bench_file
    from toolnote_desktop.model.toolsets import import_formats
    from toolnote_desktop.proxy.tools import built_in_tools
    from toolnote_desktop.updates.feed import Feed

    models: dict[str, type[BaseModel]] = {
        "toolset": import_formats.ToolsetFormat,
        "bench": bench_file.BenchFormat,
        "notes": import_formats.NotesFormat,
        "hypertool-config": import_formats.HypertoolConfigFormat,
        "hypertool-persona": import_formats.PersonaFormat,
        "release-feed": Feed,
    }
    found = {name: {"$schema": DIALECT, **model.model_json_schema()} for name, model in models.items()}
    found["result"] = RESULT
    for name, tool in built_in_tools().items():
        found[f"tools/{name}"] = {"$schema": DIALECT, "title": name, **tool.arguments.input_schema}
    return {f"{name}.schema.json": schema for name, schema in found.items()}


RESULT: Final[dict[str, Any]] = {
    "$schema": DIALECT,
    "title": "Result",
    "description": "Result of a built-in tool on the wire (docs/contract.md 7).",
    "type": "object",
    "properties": {
        "success": {"type": "boolean"},
        "value": {},
        **{
            key: {"type": "string"}
            for key in ("error", "error_type", "message", "instruction", "exception_type", "exception_message")
        },
    },
    "required": ["success"],
    "if": {"properties": {"success": {"const": False}}},
    "then": {"required": ["error", "error_type"]},
    "else": {"required": ["value"]},
    "additionalProperties": False,
}


def texts() -> dict[Path, str]:
    """Return path -> content of each file in docs/schemas/."""
    return {
        FOLDER / name: json.dumps(schema, indent=2, ensure_ascii=False) + "\n" for name, schema in schemas().items()
    }


def outdated() -> list[Path]:
    """Return the files that are missing, differ, or belong to no schema."""
    wanted = texts()
    present = {path: path.read_text(encoding="utf-8") for path in FOLDER.rglob("*.json")}
    return sorted(path for path in {*wanted, *present} if wanted.get(path) != present.get(path))


def main() -> int:
    """Write the files; with ``--check`` only list outdated ones and return 1 if there are any."""
    found = outdated()
    if "--check" in sys.argv[1:]:
        for path in found:
            print(f"{path.relative_to(CLONE)} is outdated: run python packaging/schemas.py", file=sys.stderr)
        return 1 if found else 0
    wanted = texts()
    for path in found:
        if path in wanted:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(wanted[path], encoding="utf-8")
        else:
            path.unlink()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
