"""A toolset's notes alone, as one file to hand on: no server and so no secret in it (docs/requirements.md 0.17).

``{"kind": "toolnote-notes", "version": 1, "toolset": NAME, "toolNotes": [...]}``, the entries as in a toolset. A whole
toolset's file has ``toolNotes`` too, and is taken as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct

from toolnote_desktop.model.edits import Edit
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.toolsets.note_edits import AddNote, NotePlace
from toolnote_desktop.model.toolsets.notes import Note, ToolReference
from toolnote_desktop.model.toolsets.tool_edits import reference_fields, same_tool
from toolnote_desktop.model.toolsets.toolset import Toolset, parse_toolset

KIND: Final = "toolnote-notes"


def notes_document(toolset: Toolset) -> JsonObject:
    """The file for a toolset's notes: name, text and whether each is on; who wrote it when stays here."""
    groups = []
    for group in toolset.notes:
        notes = [_handed_on(note) for note in group.notes]
        if notes:
            groups.append({"toolRef": reference_fields(group.reference), "notes": notes})
    return {"kind": KIND, "version": 1, "toolset": toolset.name, "toolNotes": groups}


def _handed_on(note: Note) -> JsonObject:
    handed: JsonObject = {"name": note.name, "note": note.note}
    if not note.enabled:
        handed["enabled"] = False
    category = note.extra.get("category")
    if isinstance(category, str):
        handed["category"] = category
    return handed


def has_notes(raw: object) -> bool:
    """Whether a file's JSON has notes to take over: one of these, or a whole toolset's."""
    return isinstance(raw, dict) and isinstance(raw.get("toolNotes"), list)


class ImportedNotes(Struct, frozen=True):
    """What taking over a file's notes would do.

    Attributes:
        edits: what to submit.
        added: (tool, note name) of each note that would be added.
        same: those that are there word for word already.
        problems: entries that cannot be used, and notes whose name another text has here: those stay out.
    """

    edits: tuple[Edit, ...]
    added: tuple[tuple[str, str], ...]
    same: tuple[tuple[str, str], ...]
    problems: tuple[Problem, ...]


def notes_to_import(
    raw: Mapping[str, Any], toolset: Toolset, *, file: str, now: str, author: str = "user"
) -> ImportedNotes:
    """How the notes in a file come into a toolset. Nothing here is replaced.

    Args:
        file: its path, for messages.
        now: the time in ISO 8601, when they are taken over.
    """
    problems: list[Problem] = []

    def report(entry: str, reason: str) -> None:
        problems.append(Problem(Code.FILE_ENTRY_INVALID, {"file": file, "entry": entry, "reason": reason}))

    taken = _Taken(toolset)
    edits: list[Edit] = []
    added, same = [], []
    for group in parse_toolset("import", {"toolNotes": raw.get("toolNotes")}, report).notes:
        label = group.reference.namespaced_name or group.reference.ref_id or "?"
        for note in group.notes:
            before = taken.text(group.reference, note.name)
            if before is None:
                document = {**_handed_on(note), "enabled": note.enabled, "author": author, "createdAt": now}
                edits.append(AddNote(NotePlace.in_toolset(toolset.name, group.reference), document))
                taken.add(group.reference, note)
                added.append((label, note.name))
            elif before == note.note:
                same.append((label, note.name))
            else:
                problems.append(Problem(Code.NOTE_EXISTS, {"name": note.name}))
    return ImportedNotes(tuple(edits), tuple(added), tuple(same), tuple(problems))


class _Taken:
    """The notes that are there, and those that were added on the way."""

    def __init__(self, toolset: Toolset) -> None:
        self._groups: list[tuple[JsonObject, dict[str, str]]] = [
            (reference_fields(group.reference), {note.name: note.note for note in group.notes})
            for group in toolset.notes
        ]

    def text(self, reference: ToolReference, name: str) -> str | None:
        found = (notes[name] for fields, notes in self._groups if name in notes and same_tool(fields, reference))
        return next(found, None)

    def add(self, reference: ToolReference, note: Note) -> None:
        self._groups.append((reference_fields(reference), {note.name: note.note}))
