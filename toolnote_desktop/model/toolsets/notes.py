"""Notes: named text attached to a tool (docs/contract.md 1 and 3, docs/requirements.md 0)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, Final

from msgspec import Meta, Struct, field

from toolnote_desktop.model.document import Document, Report, parse_list, without_nulls
from toolnote_desktop.model.hidden_characters import is_blank
from toolnote_desktop.model.names import NOTE_NAME, NOTE_TEXT_LIMIT, VALID_UNICODE

USER = "user"
"""Author of notes written in the window or with a command."""

ASSISTANT = "assistant"
"""Author of notes written with the run's own token, which belongs to no single client."""


class Note(Document, frozen=True):
    """Note. ``author`` is ``user`` or the id of the client that wrote it; the time is ISO 8601 in UTC."""

    name: Annotated[str, Meta(pattern=NOTE_NAME)]
    note: Annotated[str, Meta(pattern=VALID_UNICODE, min_length=1, max_length=NOTE_TEXT_LIMIT)]
    enabled: bool = True
    author: str = USER
    created_at: str | None = None
    kept: bool = False
    """Confirmed by the user, if another author wrote it."""
    extra: dict[str, Any] = field(default_factory=dict)
    """Other keys, such as ``category`` (docs/contract.md 3), which are kept with the note."""

    @property
    def confirmed(self) -> bool:
        """True for the user's words: written or kept by the user."""
        return self.author == USER or self.kept

    @classmethod
    def normalize(cls, raw: Any) -> Any:
        return super().normalize(without_nulls(raw))


class ToolReference(Document, frozen=True):
    """Reference to a tool in a document: by namespacedName or refId, and by server if the name alone is ambiguous."""

    namespaced_name: str | None = None
    ref_id: str | None = None
    server: str | None = None


class Scope(StrEnum):
    """Scopes of notes, in their order in a description (docs/contract.md 6)."""

    GLOBAL = "global"
    SERVER = "server"
    TOOL = "tool"
    TOOLSET = "toolset"


class AppliedNote(Struct, frozen=True):
    """Note in effect for a tool, with the scope that it comes from."""

    scope: Scope
    note: Note


class EverywhereNotes(Struct, frozen=True):
    """``notes.json``: notes for everything, for one server, for one tool in all toolsets."""

    everything: tuple[Note, ...] = ()
    servers: Mapping[str, tuple[Note, ...]] = field(default_factory=dict)
    tools: Mapping[str, tuple[Note, ...]] = field(default_factory=dict)


def parse_notes(raw: Any, place: str, report: Report) -> tuple[Note, ...]:
    """Parse the usable notes of a list. Invalid author or time is dropped, the note is kept.

    A note that shows nothing is not served, and reported.
    """
    if isinstance(raw, list):
        raw = [_described(item, f"{place} {number}", report) for number, item in enumerate(raw, start=1)]
    found = []
    for note in parse_list(Note, raw, place, report):
        if is_blank(note.note):
            report(f"{place}, note {note.name}", "it has no text")
        else:
            found.append(note)
    return tuple(found)


_LENIENT: Final[Mapping[str, type]] = {"author": str, "createdAt": str, "kept": bool}
"""Keys of a note whose unusable value does not cost the note, and their types."""


def _described(raw: Any, place: str, report: Report) -> Any:
    if not isinstance(raw, dict):
        return raw
    wrong = [key for key, kind in _LENIENT.items() if not isinstance(raw.get(key), kind | None)]
    for key in wrong:
        report(f"{key} of {place}", "not a text" if _LENIENT[key] is str else "neither true nor false")
    return {key: value for key, value in raw.items() if key not in wrong}


def parse_everywhere(raw: Mapping[str, Any], report: Report) -> EverywhereNotes:
    """Parse ``notes.json``."""
    return EverywhereNotes(
        everything=parse_notes(raw.get("global"), "global", report),
        servers=_parse_groups(raw.get("servers"), "servers", report),
        tools=_parse_groups(raw.get("tools"), "tools", report),
    )


def _parse_groups(raw: Any, place: str, report: Report) -> dict[str, tuple[Note, ...]]:
    if raw is None:
        return {}
    if not isinstance(raw, dict):
        report(place, "not an object")
        return {}
    return {key: parse_notes(value, f"{place} {key}", report) for key, value in raw.items()}
