"""Notes of a toolset as a file of their own: without servers and so without secrets (docs/requirements.md 0.17).

``{"kind": "toolnote-notes", "version": 1, "toolset": NAME, "toolNotes": [...]}``, with entries as in a toolset. A whole
toolset's file has ``toolNotes`` too and is accepted as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct

from toolnote_desktop.model.edits import Edit
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.toolsets.note_edits import AddNote, NoteTarget
from toolnote_desktop.model.toolsets.notes import Note, ToolReference
from toolnote_desktop.model.toolsets.tool_edits import matches_reference, reference_fields
from toolnote_desktop.model.toolsets.toolset import Toolset, parse_toolset

KIND: Final = "toolnote-notes"


def notes_document(toolset: Toolset) -> JsonObject:
    """Return the file for a toolset's notes: name, text and enabled state; author and time are left out."""
    groups = []
    for group in toolset.notes:
        notes = [handed_on(note) for note in group.notes]
        if notes:
            groups.append({"toolRef": reference_fields(group.reference), "notes": notes})
    return {"kind": KIND, "version": 1, "toolset": toolset.name, "toolNotes": groups}


def handed_on(note: Note) -> JsonObject:
    """Return a note for other people: its name, text, category and enabled state."""
    handed: JsonObject = {"name": note.name, "note": note.note}
    if not note.enabled:
        handed["enabled"] = False
    category = note.extra.get("category")
    if isinstance(category, str):
        handed["category"] = category
    return handed


def contains_notes(raw: object) -> bool:
    """Return True if a file's JSON contains notes to import: such a file, or a whole toolset's."""
    return isinstance(raw, dict) and isinstance(raw.get("toolNotes"), list)


class NotesImport(Struct, frozen=True):
    """Preview of importing a file's notes.

    Attributes:
        edits: edits to submit.
        added: (tool, note name) of each note to add.
        same: those that exist with the same text.
        problems: unusable entries, and notes whose name exists with another text: these are left out.
    """

    edits: tuple[Edit, ...]
    added: tuple[tuple[str, str], ...]
    same: tuple[tuple[str, str], ...]
    problems: tuple[Problem, ...]


def plan_notes_import(
    raw: Mapping[str, Any], toolset: Toolset, *, file: str, now: str, author: str = "user"
) -> NotesImport:
    """Plan the import of a file's notes into a toolset. Existing notes are not replaced.

    Args:
        file: its path, for messages.
        now: time of the import in ISO 8601.
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
                document = {**handed_on(note), "enabled": note.enabled, "author": author, "createdAt": now}
                edits.append(AddNote(NoteTarget.in_toolset(toolset.name, group.reference), document))
                taken.add(group.reference, note)
                added.append((label, note.name))
            elif before == note.note:
                same.append((label, note.name))
            else:
                problems.append(Problem(Code.NOTE_EXISTS, {"name": note.name}))
    if not problems:
        from toolnote_desktop.model.toolsets.import_formats import NotesFormat, field_errors

        for entry, reason in field_errors(NotesFormat, raw):
            report(entry, reason)
    return NotesImport(tuple(edits), tuple(added), tuple(same), tuple(problems))


class _Taken:
    """Existing notes and those added so far."""

    def __init__(self, toolset: Toolset) -> None:
        self._groups: list[tuple[JsonObject, dict[str, str]]] = [
            (reference_fields(group.reference), {note.name: note.note for note in group.notes})
            for group in toolset.notes
        ]

    def text(self, reference: ToolReference, name: str) -> str | None:
        found = (
            notes[name] for fields, notes in self._groups if name in notes and matches_reference(fields, reference)
        )
        return next(found, None)

    def add(self, reference: ToolReference, note: Note) -> None:
        self._groups.append((reference_fields(reference), {note.name: note.note}))
