"""Toolsets: a named choice of tools with their notes (docs/contract.md 3, a superset of hypertool-mcp's)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct, field

from toolnote_desktop.model.document import Document, MisfitError, RememberedList, Report, parse_entry, without_nulls
from toolnote_desktop.model.tools.consent import Consent
from toolnote_desktop.model.tools.hints import read_hints
from toolnote_desktop.model.toolsets.notes import Note, ToolReference, parse_notes


class ToolEntry(ToolReference, frozen=True):
    """One tool in a toolset, and what the user set for it there. Unknown keys stay in the file.

    Attributes:
        alias: the name that clients see instead of the usual one; brought into shape as ``guidance.served`` says.
        hints: sparse: only what the user set (``model.hints``).
        consent: what has to be said before the tool may be used (``model.consent``).
        instructions: the user's own for this tool, below its own words and before the notes (docs/requirements.md 1.3).
        argument_defaults: argument (see ``model.shaping``) -> the value it has where the assistant gives none.
        hidden_arguments: arguments that the assistant does not see; what it sends for one is refused.
    """

    enabled: bool = True
    category: str | None = None
    alias: str | None = None
    optionality: Literal["required", "optional"] = "required"
    hints: dict[str, Any] = field(default_factory=dict)
    consent: Consent | None = None
    when_to_use: str = ""
    instructions: str = ""
    argument_defaults: dict[str, Any] = field(default_factory=dict)
    hidden_arguments: tuple[str, ...] = ()

    @classmethod
    def prepared(cls, raw: Any) -> Any:
        if isinstance(raw, dict) and "consent" in raw:
            consent = raw["consent"]
            if not isinstance(consent, dict | bool | None):
                raise MisfitError("consent: expected an object or true")
            raw = {**raw, "consent": None if consent is False else Consent.prepared(consent)}
        return super().prepared(without_nulls(raw))


class ToolNotes(Document, frozen=True):
    """The notes that one toolset has for one tool."""

    tool_ref: ToolReference
    notes: list[Any] = field(default_factory=list)


class NoteGroup(Struct, frozen=True):
    """One entry of ``toolNotes``, its unusable notes left out."""

    reference: ToolReference
    notes: tuple[Note, ...]


class Toolset(Struct, frozen=True):
    """One toolset file, read. ``title`` falls back to the name."""

    name: str
    title: str
    description: str = ""
    tools: tuple[ToolEntry, ...] = ()
    notes: tuple[NoteGroup, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def guidelines(self) -> str:
        """What the user tells assistants of the toolset as a whole."""
        text = self.extra.get("guidelines")
        return text.strip() if isinstance(text, str) else ""

    @property
    def task_types(self) -> Any:
        """What the toolset changes in the task types, raw (``model.task_types``)."""
        return self.extra.get("taskTypes")


_READ = frozenset({"name", "title", "description", "tools", "toolNotes"})


class RememberedToolset:
    """What the last reading of one toolset document found, so that an edit of one entry reads one entry again."""

    def __init__(self) -> None:
        self.tools: RememberedList[ToolEntry] = RememberedList()
        self.notes: RememberedList[NoteGroup] = RememberedList()


def parse_toolset(
    name: str, raw: Mapping[str, Any], report: Report, remembered: RememberedToolset | None = None
) -> Toolset:
    """Read a toolset document. The file's name counts, not the ``name`` in it (it may have been copied)."""
    remembered = remembered or RememberedToolset()
    title, description = raw.get("title"), raw.get("description")
    return Toolset(
        name=name,
        title=title if isinstance(title, str) and title.strip() else name,
        description=description if isinstance(description, str) else "",
        tools=remembered.tools.read(raw.get("tools"), "tools", report, _read_entry),
        notes=remembered.notes.read(raw.get("toolNotes"), "toolNotes", report, _read_group),
        extra={key: value for key, value in raw.items() if key not in _READ},
    )


_TEXTS = ("alias", "category", "whenToUse", "instructions")


def _read_entry(place: str, raw: Any, report: Report) -> ToolEntry | None:
    """An entry; what only describes and cannot be used is reported and left out.

    Consent, defaults and hidden arguments restrict what assistants do: an entry that holds something else in their
    place is not served at all.
    """
    usable = raw
    if isinstance(raw, dict):
        usable = dict(raw)
        if "hints" in raw:
            usable["hints"] = read_hints(raw["hints"], f"a hint of {place}", report)
        for key in _TEXTS:
            if not isinstance(raw.get(key), str | None):
                report(f"{key} of {place}", "not a text")
                del usable[key]
        if raw.get("optionality") not in (None, "required", "optional"):
            report(f"optionality of {place}", 'neither "required" nor "optional"')
            del usable["optionality"]
    entry = parse_entry(ToolEntry, usable, place, report)
    if entry is not None and entry.namespaced_name is None and entry.ref_id is None:
        report(place, "neither namespacedName nor refId")
        return None
    return entry


def _read_group(place: str, raw: Any, report: Report) -> NoteGroup | None:
    group = parse_entry(ToolNotes, raw, place, report)
    if group is None:
        return None
    label = group.tool_ref.namespaced_name or group.tool_ref.ref_id
    if label is None:
        report(place, "a toolRef with neither namespacedName nor refId")
        return None
    return NoteGroup(group.tool_ref, parse_notes(group.notes, f"toolNotes {label}", report))
