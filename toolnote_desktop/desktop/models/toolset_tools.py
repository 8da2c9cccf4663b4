"""Model of a toolset's tools in order: name, source and state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QMimeData, QModelIndex, QObject, QPersistentModelIndex, Qt

from toolnote_desktop.desktop.models.drag_data import rows_data
from toolnote_desktop.desktop.models.library_rows import Mark, RowKey, entry_key
from toolnote_desktop.desktop.models.library_tree import Role
from toolnote_desktop.guidance.served_tools import ResolvedEntry, resolve_toolset
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.toolsets.toolset import Toolset

AnyIndex = QModelIndex | QPersistentModelIndex
_Item = Qt.ItemDataRole


class ToolsetTools(QAbstractListModel):
    """Model of a toolset's entries. The check box switches a tool on and off."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._toolset = ""
        self._entries: list[ResolvedEntry] = []

    def show_toolset(self, snapshot: Snapshot, toolset: Toolset) -> None:
        """Show a toolset, or update it; unchanged rows stay if the order is the same."""
        entries = list(resolve_toolset(snapshot, toolset))
        before = [entry_key(self._toolset, one.entry) for one in self._entries]
        after = [entry_key(toolset.name, one.entry) for one in entries]
        self._toolset = toolset.name
        if before == after:
            changed = [row for row, pair in enumerate(zip(self._entries, entries, strict=True)) if _differ(*pair)]
            self._entries = entries
            for row in changed:
                self.dataChanged.emit(self.index(row), self.index(row))
            return
        self.beginResetModel()
        self._entries = entries
        self.endResetModel()

    def key_at(self, index: AnyIndex) -> RowKey | None:
        """Return the library row of a row here."""
        entry = self.entry_at(index)
        return entry_key(self._toolset, entry.entry) if entry is not None else None

    def entry_at(self, index: AnyIndex) -> ResolvedEntry | None:
        """Return the data of a row."""
        return self._entries[index.row()] if index.isValid() and index.row() < len(self._entries) else None

    def entries_at(self, rows: Sequence[int]) -> list[ResolvedEntry]:
        """Return the data of several rows."""
        return [self._entries[row] for row in rows if row < len(self._entries)]

    # --- Qt's side

    def rowCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._entries)

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
        return flags | Qt.ItemFlag.ItemIsDragEnabled

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        keys = [self.key_at(index) for index in sorted(indexes, key=lambda one: one.row())]
        return rows_data(key for key in keys if key is not None)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        found = self.entry_at(index)
        if found is None:
            return None
        match role:
            case _Item.DisplayRole:
                return _title(found)
            case _Item.AccessibleTextRole:
                return ", ".join(part for part in (_title(found), _source(found), self._word(found)) if part)
            case Role.SECOND:
                return _source(found)
            case Role.RIGHT:
                return self._word(found)
            case Role.MARK:
                return Mark.NONE if _is_there(found) else Mark.ATTENTION
            case Role.DIM:
                return not found.entry.enabled or not _is_there(found)
            case Role.LEVEL:
                return 1
            case Role.KEY:
                return entry_key(self._toolset, found.entry)
        return None

    def _word(self, found: ResolvedEntry) -> str:
        if not _is_there(found):
            return self.tr("Tool not found")
        return "" if found.entry.enabled else self.tr("off")


def _is_there(found: ResolvedEntry) -> bool:
    return found.known is not None and found.known.listed


def _title(found: ResolvedEntry) -> str:
    return found.known.tool.title if found.known else found.entry.namespaced_name or found.entry.ref_id or ""


def _source(found: ResolvedEntry) -> str:
    return found.known.tool.server if found.known else ""


def _differ(first: ResolvedEntry, second: ResolvedEntry) -> bool:
    def said(one: ResolvedEntry) -> tuple[object, ...]:
        return (_title(one), _source(one), _is_there(one), one.entry.enabled)

    return said(first) != said(second)
