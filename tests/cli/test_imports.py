"""What each program imports: nothing that it does not need, so that it starts at once."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from toolnote_desktop.paths import Home

# The words given to the program; after its end it says which modules are loaded.
CHILD = """
import atexit, json, os, sys
def tell():
    with open(os.environ["LOADED"], "w") as file:
        json.dump(sorted(sys.modules), file)
atexit.register(tell)
sys.argv = ["toolnote", *sys.argv[1:]]
from toolnote_desktop.__main__ import main
sys.exit(main())
"""


def loaded(home: Home, monkeypatch: pytest.MonkeyPatch, *words: str, status: int = 0) -> set[str]:
    file = home.root / "loaded.json"
    monkeypatch.setenv("LOADED", str(file))
    done = subprocess.run([sys.executable, "-c", CHILD, *words], capture_output=True, timeout=60, check=False)
    assert done.returncode == status, done.stderr
    return set(json.loads(file.read_text(encoding="utf-8")))


HEAVY = ("PySide6", "mcp", "uvicorn", "starlette", "httpx2")


def test_the_bridge_imports_itself_and_paths(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    modules = loaded(home, monkeypatch, "bridge", "--toolset", "../no", status=2)
    assert not {name for name in modules if name.startswith("toolnote_desktop")} - {
        "toolnote_desktop",
        "toolnote_desktop.__main__",
        "toolnote_desktop.cli",
        "toolnote_desktop.cli.early_arguments",
    }
    assert not modules & {*HEAVY, "pydantic", "argparse", "logging", "asyncio"}


@pytest.mark.parametrize("words", [("--help",), ("--version",), ("servers", "add", "--help")])
def test_help_imports_no_models(home: Home, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]) -> None:
    assert not loaded(home, monkeypatch, *words) & {*HEAVY, "pydantic", "logging"}


@pytest.mark.parametrize(
    "words",
    [
        ("toolset", "list"),
        ("servers", "list"),
        ("servers", "add", "x", "--command", "y"),
        ("note", "list", "--everywhere"),
        ("tools", "--json"),
        ("clients", "list"),
    ],
)
def test_commands_import_no_qt_and_no_mcp(home: Home, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]) -> None:
    assert not loaded(home, monkeypatch, *words) & set(HEAVY)
