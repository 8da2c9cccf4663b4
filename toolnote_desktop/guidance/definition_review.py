"""Review of a changed tool: its changes, the notes on it, and whether a note names something that changed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from toolnote_desktop.guidance.notes_section import NoteIndex
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.catalogue import IN_REVIEW, KnownTool, ReviewState
from toolnote_desktop.model.tools.definition_changes import ChangeKind, DefinitionChange, definition_changes
from toolnote_desktop.model.toolsets.notes import EverywhereNotes, Note, Scope

_WORD: Final = re.compile(r"\w+")


class ReviewedNote(Struct, frozen=True):
    """Note on a changed tool.

    Attributes:
        toolset: name of its toolset; None for a note of a wider scope.
        names: changed parameters and values that its text names.
    """

    scope: Scope
    note: Note
    toolset: str | None = None
    names: tuple[str, ...] = ()


class ToolReview(Struct, frozen=True):
    """Changed tool with everything that the user decides by."""

    known: KnownTool
    changes: tuple[DefinitionChange, ...]
    notes: tuple[ReviewedNote, ...]


def tool_review(snapshot: Snapshot, known: KnownTool) -> ToolReview:
    """Return the review of a tool; without changes if its definition is the accepted one."""
    changes = definition_changes(known.accepted.definition, known.newest.definition)
    if known.renamed_from:
        changes = (DefinitionChange(ChangeKind.NAME, "", known.renamed_from, known.tool.name), *changes)
    return ToolReview(known, changes, tuple(_notes(snapshot, known, changes)))


def tools_to_review(snapshot: Snapshot) -> tuple[KnownTool, ...]:
    """Return the listed tools whose changed definition is not accepted, those without a decision first."""
    found = [known for known in snapshot.catalogue.tools.values() if known.listed and known.review in IN_REVIEW]
    return tuple(sorted(found, key=lambda known: known.review is ReviewState.KEPT))


def prompts_to_review(snapshot: Snapshot) -> tuple[KnownTool, ...]:
    """Return the listed prompts whose changed definition is not accepted, those without a decision first."""
    found = [known for known in snapshot.catalogue.prompts.values() if known.listed and known.review in IN_REVIEW]
    return tuple(sorted(found, key=lambda known: known.review is ReviewState.KEPT))


def prompt_review(known: KnownTool) -> ToolReview:
    """Return the review of a prompt, on which there are no notes."""
    return ToolReview(known, definition_changes(known.accepted.definition, known.newest.definition), ())


def _notes(snapshot: Snapshot, known: KnownTool, changes: tuple[DefinitionChange, ...]) -> Iterator[ReviewedNote]:
    subjects = {change.subject for change in changes if change.subject} | set(_changed_values(changes))
    for applied in NoteIndex(None, snapshot.notes, snapshot.catalogue).applied(known.tool):
        yield ReviewedNote(applied.scope, applied.note, None, _named(applied.note, subjects))
    for toolset in snapshot.toolsets.values():
        for applied in NoteIndex(toolset, EverywhereNotes(), snapshot.catalogue).applied(known.tool):
            yield ReviewedNote(applied.scope, applied.note, toolset.name, _named(applied.note, subjects))


def _changed_values(changes: tuple[DefinitionChange, ...]) -> Iterator[str]:
    for change in changes:
        if str(change.kind).startswith("values"):
            yield from _WORD.findall(f"{change.before} {change.after}"[:2000])


def _named(note: Note, subjects: set[str]) -> tuple[str, ...]:
    words = {word.casefold() for word in _WORD.findall(note.note)}
    return tuple(sorted(subject for subject in subjects if subject.casefold() in words))
