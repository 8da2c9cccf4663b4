"""What is dragged in the window: rows of the library and tools of a toolset, as data of a type of our own."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import QMimeData

from toolnote_desktop.desktop.models.library_rows import Kind, RowKey

ROWS_TYPE: Final = "application/x-toolnote-rows"
TOOL_KINDS: Final = frozenset({Kind.TOOL, Kind.CHANGED, Kind.ENTRY})
"""Rows that stand for a tool: what can be dragged."""


def rows_data(keys: Iterable[RowKey]) -> QMimeData:
    """These rows, as they are dragged."""
    data = QMimeData()
    rows = [[key.kind.value, key.owner, key.name] for key in keys if key.kind in TOOL_KINDS]
    data.setData(ROWS_TYPE, json.dumps(rows).encode())
    return data


def keys_in(data: QMimeData) -> list[RowKey]:
    """The rows that are dragged; none where something else is."""
    if not data.hasFormat(ROWS_TYPE):
        return []
    return [RowKey(Kind(kind), owner, name) for kind, owner, name in json.loads(bytes(data.data(ROWS_TYPE).data()))]
