"""Outcomes of recorded calls, and the notes that an assistant had read when it made one (docs/contract.md 2 and 4)."""

from __future__ import annotations

import hashlib
from enum import IntEnum

from msgspec import Struct

from toolnote_desktop.model.toolsets.notes import AppliedNote, Note


class Outcome(IntEnum):
    """Outcome of a call. The numbers are those of ``activity.db``."""

    WORKED = 0
    FAILED = 1
    REFUSED = 2
    CANCELLED = 3
    TIMED_OUT = 4

    @property
    def word(self) -> str:
        """Name in commands and their JSON (docs/contract.md 4)."""
        return self.name.lower().replace("_", "-")


FAILURES = (Outcome.FAILED, Outcome.TIMED_OUT)
"""Outcomes of calls that did not work although they were allowed."""

OWN_CLASS = "toolnote:"
"""Beginning of the classes of errors that Toolnote itself reports, such as a server that is not ready."""


class ReadNote(Struct, frozen=True, array_like=True):
    """Note in a list that an assistant fetched. Its text is not recorded, only a digest of it."""

    scope: str
    name: str
    digest: str
    author: str = "user"
    created_at: str | None = None


def note_digest(note: Note) -> str:
    """Return a short digest of a note's text: another text is another note for statistics."""
    return hashlib.sha256(note.note.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def read_note(applied: AppliedNote) -> ReadNote:
    """Return the record of a note that is in effect."""
    note = applied.note
    return ReadNote(applied.scope.value, note.name, note_digest(note), note.author, note.created_at)
