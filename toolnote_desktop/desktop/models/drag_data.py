"""MIME data of drags within the window: library rows, tools of a toolset, a note."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct
from PySide6.QtCore import QMimeData

from toolnote_desktop.desktop.models.library_rows import Kind, RowKey
from toolnote_desktop.model.toolsets.notes import Scope

ROWS_TYPE: Final = "application/x-toolnote-rows"
NOTE_TYPE: Final = "application/x-toolnote-note"
TOOL_KINDS: Final = frozenset({Kind.TOOL, Kind.CHANGED, Kind.ENTRY})
"""Kinds of rows that represent a tool and can be dragged."""


class DraggedNote(Struct, frozen=True):
    """Dragged note of the tool of ``row``, by its scope and name."""

    row: RowKey
    scope: Scope
    name: str


Dragged = Sequence[RowKey] | DraggedNote


def rows_data(keys: Iterable[RowKey]) -> QMimeData:
    """Encode rows as MIME data."""
    data = QMimeData()
    rows = [_row_words(key) for key in keys if key.kind in TOOL_KINDS]
    data.setData(ROWS_TYPE, json.dumps(rows).encode())
    return data


def note_data(note: DraggedNote) -> QMimeData:
    """Encode a note as MIME data."""
    data = QMimeData()
    data.setData(NOTE_TYPE, json.dumps([_row_words(note.row), note.scope.value, note.name]).encode())
    return data


def keys_in(data: QMimeData) -> list[RowKey]:
    """Decode the dragged rows; empty for other data."""
    if not data.hasFormat(ROWS_TYPE):
        return []
    return [RowKey(Kind(kind), owner, name) for kind, owner, name in json.loads(bytes(data.data(ROWS_TYPE).data()))]


def note_in(data: QMimeData) -> DraggedNote | None:
    """Decode the dragged note; None for other data."""
    if not data.hasFormat(NOTE_TYPE):
        return None
    (kind, owner, tool), scope, name = json.loads(bytes(data.data(NOTE_TYPE).data()))
    return DraggedNote(RowKey(Kind(kind), owner, tool), Scope(scope), name)


def dragged_in(data: QMimeData) -> Dragged:
    """Return the dragged rows or note; an empty list for foreign data."""
    note = note_in(data)
    return note if note is not None else keys_in(data)


def _row_words(key: RowKey) -> list[str]:
    return [key.kind.value, key.owner, key.name]
