"""Model of a toolset's tools in order: name, source, notes, safeguard, tokens and state."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Any
from weakref import WeakKeyDictionary

from PySide6.QtCore import QAbstractListModel, QMimeData, QModelIndex, QObject, QPersistentModelIndex, Qt

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.models.drag_data import rows_data
from toolnote_desktop.desktop.models.library_rows import RowKey, entry_key
from toolnote_desktop.guidance.description import added_text
from toolnote_desktop.guidance.notes_section import NoteIndex
from toolnote_desktop.guidance.served_tools import ResolvedEntry, resolve_toolset
from toolnote_desktop.guidance.tokens import estimate_definition_tokens, estimate_tokens
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.catalogue import KnownTool
from toolnote_desktop.model.toolsets.notes import Scope
from toolnote_desktop.model.toolsets.toolset import Toolset

AnyIndex = QModelIndex | QPersistentModelIndex
_Item = Qt.ItemDataRole


class ToolRole(IntEnum):
    """Data roles of the table, beside Qt's own."""

    SOURCE = Qt.ItemDataRole.UserRole + 1
    NOTES = Qt.ItemDataRole.UserRole + 2
    ASKS = Qt.ItemDataRole.UserRole + 3
    TOKENS = Qt.ItemDataRole.UserRole + 4
    ON = Qt.ItemDataRole.UserRole + 5
    MISSING = Qt.ItemDataRole.UserRole + 6
    CHANGED = Qt.ItemDataRole.UserRole + 7


class ToolsetTools(QAbstractListModel):
    """Model of a toolset's entries, all of them or those that hold the words of a filter."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._toolset = ""
        self._all: list[ResolvedEntry] = []
        self._entries: list[ResolvedEntry] = []
        self._places: list[int] = []
        self._words: list[str] = []
        self._snapshot: Snapshot | None = None
        self._index: NoteIndex | None = None
        self._basis: tuple[object, ...] = ()
        self._shown: list[tuple[object, ...]] | None = None
        self._tokens: WeakKeyDictionary[KnownTool, int] = WeakKeyDictionary()

    def show_toolset(self, snapshot: Snapshot, toolset: Toolset) -> None:
        """Show a toolset, or update it; unchanged rows stay if the order is the same."""
        basis = (toolset, snapshot.notes, snapshot.catalogue, snapshot.tool_settings)
        if len(basis) == len(self._basis) and all(a is b for a, b in zip(basis, self._basis, strict=True)):
            self._snapshot = snapshot
            return
        old = self._shown
        if old is None and toolset.name == self._toolset:
            old = self._state()
        before = [entry_key(self._toolset, one.entry) for one in self._entries]
        self._basis, self._toolset, self._snapshot = basis, toolset.name, snapshot
        self._index = NoteIndex(toolset, snapshot.notes, snapshot.catalogue)
        self._all = list(resolve_toolset(snapshot, toolset))
        entries, places = self._filtered()
        if before == [entry_key(toolset.name, one.entry) for one in entries]:
            self._entries, self._places = entries, places
            self._shown = self._state()
            for row, pair in enumerate(zip(old or (), self._shown, strict=True)):
                if pair[0] != pair[1]:
                    self.dataChanged.emit(self.index(row), self.index(row))
            return
        self._reset(entries, places)

    def _reset(self, entries: list[ResolvedEntry], places: list[int]) -> None:
        self.beginResetModel()
        self._entries, self._places = entries, places
        self._shown = None
        self.endResetModel()

    def filter(self, text: str) -> None:
        """Show the tools whose name or source holds all words of a text."""
        words = text.casefold().split()
        if words != self._words:
            self._words = words
            self._reset(*self._filtered())

    def _filtered(self) -> tuple[list[ResolvedEntry], list[int]]:
        found = [
            (one, place)
            for place, one in enumerate(self._all)
            if all(word in f"{_title(one)} {_source(one)}".casefold() for word in self._words)
        ]
        return [one for one, _ in found], [place for _, place in found]

    def _state(self) -> list[tuple[object, ...]]:
        """Return what the rows show."""
        return [
            (_title(one), _source(one), _is_there(one), one.enabled, self._notes(one), self._asks(one), _changed(one))
            for one in self._entries
        ]

    def place_at(self, row: int) -> int:
        """Return the position in the toolset before which a drop before a row goes."""
        return self._places[row] if row < len(self._places) else len(self._all)

    def key_at(self, index: AnyIndex) -> RowKey | None:
        """Return the library row of a row here."""
        entry = self.entry_at(index)
        return entry_key(self._toolset, entry.entry) if entry is not None else None

    def row_of(self, key: RowKey) -> int:
        """Return the row of a library row's key; -1 if it is not shown."""
        return next((row for row, one in enumerate(self._entries) if entry_key(self._toolset, one.entry) == key), -1)

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
                return ", ".join(part for part in self._spoken(found) if part)
            case ToolRole.SOURCE:
                return _source(found)
            case ToolRole.NOTES:
                return self._notes(found)
            case ToolRole.ASKS:
                return self._asks(found)
            case ToolRole.TOKENS:
                return self._tokens_of(found)
            case ToolRole.ON:
                return found.enabled
            case ToolRole.MISSING:
                return not _is_there(found)
            case ToolRole.CHANGED:
                return _changed(found)
        return None

    def _spoken(self, found: ResolvedEntry) -> tuple[str, ...]:
        notes = self._notes(found)
        return (
            _title(found),
            _source(found),
            "" if _is_there(found) else self.tr("Tool not found"),
            self.tr("On") if found.enabled else self.tr("Off"),
            messages.count_notes(notes) if notes else "",
            self.tr("Ask me first") if self._asks(found) else "",
            self.tr("Changed") if _changed(found) else "",
        )

    def _notes(self, found: ResolvedEntry) -> int:
        """Return the number of a tool's own notes, without those on all tools of its source or on every tool."""
        if found.known is None or self._index is None:
            return 0
        return sum(one.scope in (Scope.TOOL, Scope.TOOLSET) for one in self._index.applied(found.known.tool))

    def _asks(self, found: ResolvedEntry) -> bool:
        if found.known is None or self._snapshot is None:
            return False
        return self._snapshot.effective_entry(found.known, found.entry).approval == "ask"

    def _tokens_of(self, found: ResolvedEntry) -> int | None:
        known = found.known
        if known is None or self._index is None or self._snapshot is None:
            return None
        own = self._tokens.get(known)
        if own is None:
            own = self._tokens[known] = estimate_definition_tokens(known.tool.definition)
        notes = [one.note for one in self._index.applied(known.tool)]
        effective = self._snapshot.effective_entry(known, found.entry)
        return own + estimate_tokens(added_text(known.tool.definition, effective, notes))


def _is_there(found: ResolvedEntry) -> bool:
    return found.known is not None and found.known.listed


def _changed(found: ResolvedEntry) -> bool:
    return found.known is not None and found.known.listed and found.known.changed


def _title(found: ResolvedEntry) -> str:
    return found.known.tool.title if found.known else found.entry.namespaced_name or found.entry.ref_id or ""


def _source(found: ResolvedEntry) -> str:
    return messages.source_name(found.known.tool.server) if found.known else ""
