"""Files of the bench (docs/bench.md): prompts with the calls that they should lead to, and what is compared."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, Literal

from msgspec import Struct
from pydantic import Field

from toolnote_desktop.model.json_text import JsonObject, dumps
from toolnote_desktop.model.names import NOTE_TEXT_LIMIT, free_note_name, slug
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.model.tools.tool import Tool
from toolnote_desktop.model.toolsets.import_formats import FileFormat, PromptFormat, ToolsetFormat, field_errors

PROMPTS: Final = "prompts"
MAX_PROMPTS: Final = 1_000
"""Prompts of one run."""


class VersionFormat(FileFormat):
    """Version of one note, which is compared with the toolset as it is."""

    tool: str = Field(description="Tool of the note, by namespacedName.")
    note: str = Field(pattern=r"^[a-z0-9-]{1,50}$", description="Name of the note; a new one is added.")
    text: str = Field(min_length=1, max_length=NOTE_TEXT_LIMIT)


class BenchFormat(FileFormat):
    """File of the bench."""

    kind: Literal["toolnote-bench"]
    version: Literal[1]
    toolset: str | None = Field(None, description="Toolset whose tools are offered; absent: the shared one.")
    compare: VersionFormat | None = Field(None, description="Version of a note; absent: with notes against without.")
    prompts: list[PromptFormat] = Field(min_length=1, max_length=MAX_PROMPTS)


class Prompt(Struct, frozen=True):
    """Prompt with the call that it should lead to.

    Attributes:
        tool: namespacedName; None: no tool should be called.
        arguments: those that the call should have; others may follow.
        forbidden: tools that must not be called.
    """

    id: str
    text: str
    tool: str | None = None
    arguments: JsonObject | None = None
    forbidden: tuple[str, ...] = ()


class NoteVersion(Struct, frozen=True):
    """Other text of one note."""

    tool: str
    note: str
    text: str


class Bench(Struct, frozen=True):
    """Run to make. ``toolset`` None: the shared one; ``version`` None: with notes against without."""

    prompts: tuple[Prompt, ...]
    toolset: str | None = None
    version: NoteVersion | None = None


def read_bench(raw: object, file: str) -> Bench:
    """Return the bench of a file: its own kind, a pack, or a toolset's document with prompts.

    Raises:
        ToolnoteError: ``import-file-unreadable``, with the fields at fault.
    """
    is_bench = isinstance(raw, dict) and ("kind" in raw or "name" not in raw)
    errors = list(field_errors(BenchFormat if is_bench else ToolsetFormat, raw))
    faults = [f"{entry}: {reason}" for entry, reason in errors if is_bench or entry.startswith(PROMPTS)]
    if not isinstance(raw, dict) or not raw.get(PROMPTS):
        faults = faults or ["it has no prompts"]
    if faults:
        raise ToolnoteError(Code.IMPORT_FILE_UNREADABLE, file=file, reason="; ".join(faults[:5]))
    assert isinstance(raw, dict)
    prompts = tuple(read_prompt(one) for one in raw[PROMPTS])
    if len({one.id for one in prompts}) < len(prompts):
        raise ToolnoteError(Code.IMPORT_FILE_UNREADABLE, file=file, reason="two prompts have the same id")
    if len(prompts) > MAX_PROMPTS:
        raise ToolnoteError(Code.IMPORT_FILE_UNREADABLE, file=file, reason=f"more than {MAX_PROMPTS} prompts")
    impossible = [one.id for one in prompts if one.tool in one.forbidden]
    if impossible:
        reason = f"prompt {impossible[0]}: the tool that should be called must not be called"
        raise ToolnoteError(Code.IMPORT_FILE_UNREADABLE, file=file, reason=reason)
    compare = raw.get("compare") if is_bench else None
    version = NoteVersion(compare["tool"], compare["note"], compare["text"]) if compare else None
    return Bench(prompts, raw.get("toolset") if is_bench else raw.get("name"), version)


def unknown_keys(raw: JsonObject) -> list[str]:
    """Return the keys of a bench's own file that mean nothing, such as misspelled ones; of others none."""
    if raw.get("kind") != "toolnote-bench":
        return []
    read = BenchFormat.model_validate(raw)
    parts: list[tuple[str, FileFormat]] = [("", read)]
    parts += [("compare: ", read.compare)] if read.compare is not None else []
    parts += [(f"prompts {number}: ", prompt) for number, prompt in enumerate(read.prompts, start=1)]
    return [f"{place}{key}" for place, part in parts for key in part.model_extra or () if not key.startswith("$")]


def read_prompt(raw: dict[str, Any]) -> Prompt:
    """Return a prompt that its format accepts."""
    forbidden = tuple(raw.get("mustNotCall") or ())
    return Prompt(raw["id"], raw["prompt"], raw.get("tool"), raw.get("arguments"), forbidden)


def usable_prompts(raw: JsonObject | None) -> tuple[Prompt, ...]:
    """Return the usable prompts of a toolset's document."""
    listed = (raw or {}).get(PROMPTS)
    found = []
    for one in listed if isinstance(listed, list) else ():
        if not list(field_errors(PromptFormat, one)):
            found.append(read_prompt(one))
    return tuple(found)


def prompt_of_failure(tool: Tool, worked: JsonObject | None, taken: Iterable[str]) -> JsonObject:
    """Return a prompt for a call that failed, to be put into the user's words.

    Args:
        worked: arguments that worked afterwards, if they are known.
        taken: ids of the prompts that are there.
    """
    request = " ".join(tool.description.split()).partition(". ")[0].rstrip(".") or tool.title
    shown = {name: one if isinstance(one, str) else dumps(one).decode() for name, one in (worked or {}).items()}
    values = "; ".join(f"{name}: {_beginning(one, 300)}" for name, one in shown.items())
    made: JsonObject = {
        "id": free_note_name(slug(tool.name, fallback="prompt", limit=40), taken),
        "prompt": _beginning(f"{request} ({values})" if values else request, 4_000),
        "tool": tool.namespaced_name,
    }
    return {**made, "arguments": worked} if worked else made


def _beginning(text: str, most: int) -> str:
    """Return as many characters of a text as a person reads: a longer prompt is none (``PromptFormat``)."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"
