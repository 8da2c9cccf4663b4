"""Qt model of the library that applies snapshots row by row, so that selection and expansion persist."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import IntEnum
from itertools import count
from typing import Any, Final

from PySide6.QtCore import QAbstractItemModel, QMimeData, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from toolnote_desktop.desktop.models.drag_data import TOOL_KINDS, rows_data
from toolnote_desktop.desktop.models.library_builder import LibraryRows
from toolnote_desktop.desktop.models.library_rows import Kind, Mark, Row, RowKey
from toolnote_desktop.desktop.models.needs_you import Assistant
from toolnote_desktop.model.names import ToolKey
from toolnote_desktop.model.snapshot import Snapshot

AnyIndex = QModelIndex | QPersistentModelIndex
_Item = Qt.ItemDataRole
_LEAVES: Final = frozenset(Kind) - {Kind.GROUP, Kind.SERVER}


class Role(IntEnum):
    """Data roles of the row delegate, beside Qt's own."""

    KEY = Qt.ItemDataRole.UserRole + 1
    RIGHT = Qt.ItemDataRole.UserRole + 2
    MARK = Qt.ItemDataRole.UserRole + 3
    DIM = Qt.ItemDataRole.UserRole + 4
    LEVEL = Qt.ItemDataRole.UserRole + 5
    SECOND = Qt.ItemDataRole.UserRole + 6
    ICON = Qt.ItemDataRole.UserRole + 7
    RIGHT_MARK = Qt.ItemDataRole.UserRole + 8


class TreeNode:
    """Node of the tree. Indexes carry its number instead of a pointer, so that a stale index finds nothing."""

    __slots__ = ("children", "number", "parent", "position", "row")

    def __init__(self, number: int, row: Row, parent: TreeNode | None) -> None:
        self.number = number
        self.row = row
        self.parent = parent
        self.position = 0
        self.children: list[TreeNode] = []


class LibraryTree(QAbstractItemModel):
    """Home, Activity and the groups: assistants, toolsets, and tool sources with some of their tools. One column."""

    updated = Signal()
    """Signal that all changes of a snapshot were applied."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows = LibraryRows()
        self._numbers = count(1)
        self._nodes: dict[int, TreeNode] = {}
        self._by_key: dict[RowKey, TreeNode] = {}
        self._root = TreeNode(0, Row(RowKey(Kind.GROUP), ""), None)
        self.generation = 0
        """Generation counter, incremented before each change, to invalidate derived data."""

    def show(
        self,
        snapshot: Snapshot,
        assistants: Sequence[Assistant] = (),
        needs: int = 0,
        shown: RowKey | None = None,
        *,
        recent: Sequence[ToolKey] = (),
        is_running: bool = True,
    ) -> None:
        """Show another state (see ``LibraryRows.build``)."""
        self.show_rows(self._rows.build(snapshot, assistants, needs, shown, recent=recent, is_running=is_running))

    def show_rows(self, groups: Sequence[Row]) -> None:
        """Replace rows with the fewest insertions, removals and changes."""
        before = self.generation
        self._change_children(self._root, groups)
        if self.generation != before:
            self.updated.emit()

    def find(self, key: RowKey) -> QModelIndex:
        """Return a row's index; an invalid one if it is absent."""
        node = self._by_key.get(key)
        return self._index_of(node) if node is not None else QModelIndex()

    def row_at(self, index: AnyIndex) -> Row | None:
        """Return the row at an index of this model."""
        node = self._node(index)
        return node.row if node is not None and node is not self._root else None

    def key_at(self, index: AnyIndex) -> RowKey | None:
        """Return the key of the row at an index of this model."""
        row = self.row_at(index)
        return row.key if row is not None else None

    def nodes(self) -> Iterator[TreeNode]:
        """Iterate over the nodes, parents before their children."""
        waiting = list(reversed(self._root.children))
        while waiting:
            node = waiting.pop()
            yield node
            if node.children:
                waiting.extend(reversed(node.children))

    # --- Qt's side

    def columnCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 1

    def rowCount(self, parent: AnyIndex = QModelIndex()) -> int:  # noqa: B008
        node = self._node(parent)
        return len(node.children) if node is not None and parent.column() <= 0 else 0

    def hasChildren(self, parent: AnyIndex = QModelIndex()) -> bool:  # noqa: B008
        return self.rowCount(parent) > 0

    def index(self, row: int, column: int, parent: AnyIndex = QModelIndex()) -> QModelIndex:  # noqa: B008
        node = self._node(parent)
        if node is None or column != 0 or not 0 <= row < len(node.children):
            return QModelIndex()
        return self.createIndex(row, 0, node.children[row].number)

    def parent(self, child: AnyIndex | None = None) -> Any:
        if child is None:
            return super().parent()
        node = self._node(child)
        if node is None or node.parent is None or node.parent is self._root:
            return QModelIndex()
        return self._index_of(node.parent)

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        node = self._node(index)
        if node is None or node is self._root:
            return Qt.ItemFlag.NoItemFlags
        return _FLAGS[node.row.key.kind]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        return rows_data(row.key for index in indexes if (row := self.row_at(index)) is not None)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        node = self._node(index)
        if node is None or node is self._root:
            return None
        row = node.row
        match role:
            case _Item.DisplayRole:
                return row.text
            case _Item.AccessibleTextRole:
                return ", ".join(part for part in (row.text, row.second, row.right, row.state) if part)
            case Role.KEY:
                return row.key
            case Role.RIGHT:
                return row.right
            case Role.MARK:
                return row.mark
            case Role.DIM:
                return row.dim
            case Role.LEVEL:
                return _level(node)
            case Role.SECOND:
                return row.second
            case Role.ICON:
                return row.icon
            case Role.RIGHT_MARK:
                return row.right_mark
        return None

    # --- changes

    def _change_children(self, parent: TreeNode, rows: Sequence[Row]) -> None:
        if not _same_keys(parent.children, rows):
            self._remove_gone(parent, {row.key for row in rows})
            self._reorder(parent, rows)
            self._insert_new(parent, rows)
        changed: list[int] = []
        for position, (node, row) in enumerate(zip(parent.children, rows, strict=True)):
            before = node.row
            node.row = row
            if not before.says_the_same(row):
                changed.append(position)
        if changed:
            self.generation += 1
        for first, last in _runs(changed):
            self.dataChanged.emit(self._index_of(parent.children[first]), self._index_of(parent.children[last]))
        for node, row in zip(parent.children, rows, strict=True):
            if [child.row for child in node.children] != list(row.children):  # rows compare by identity
                self._change_children(node, row.children)

    def _remove_gone(self, parent: TreeNode, kept: set[RowKey]) -> None:
        gone = [position for position, node in enumerate(parent.children) if node.row.key not in kept]
        for first, last in reversed(_runs(gone)):
            self.generation += 1
            self.beginRemoveRows(self._index_of(parent), first, last)
            removed = parent.children[first : last + 1]
            del parent.children[first : last + 1]
            _number(parent, first)
            for node in removed:
                self._forget(node)
            self.endRemoveRows()

    def _reorder(self, parent: TreeNode, rows: Sequence[Row]) -> None:
        order = {row.key: position for position, row in enumerate(rows)}
        wanted = sorted(parent.children, key=lambda node: order[node.row.key])
        if wanted == parent.children:
            return
        self.generation += 1
        self.layoutAboutToBeChanged.emit()
        before = [index for index in self.persistentIndexList() if self._is_child(index, parent)]
        nodes = [self._nodes[index.internalId()] for index in before]
        parent.children = wanted
        _number(parent, 0)
        self.changePersistentIndexList(before, [self._index_of(node) for node in nodes])
        self.layoutChanged.emit()

    def _insert_new(self, parent: TreeNode, rows: Sequence[Row]) -> None:
        present = {node.row.key for node in parent.children}
        for first, last in _runs([place for place, row in enumerate(rows) if row.key not in present]):
            self.generation += 1
            self.beginInsertRows(self._index_of(parent), first, last)
            parent.children[first:first] = [self._make(row, parent) for row in rows[first : last + 1]]
            _number(parent, first)
            self.endInsertRows()

    def _make(self, row: Row, parent: TreeNode) -> TreeNode:
        node = TreeNode(next(self._numbers), row, parent)
        self._nodes[node.number] = node
        self._by_key[row.key] = node
        node.children = [self._make(child, node) for child in row.children]
        _number(node, 0)
        return node

    def _forget(self, node: TreeNode) -> None:
        del self._nodes[node.number]
        del self._by_key[node.row.key]
        for child in node.children:
            self._forget(child)

    def _is_child(self, index: QModelIndex, parent: TreeNode) -> bool:
        node = self._nodes.get(index.internalId())
        return node is not None and node.parent is parent

    def _index_of(self, node: TreeNode) -> QModelIndex:
        return QModelIndex() if node is self._root else self.createIndex(node.position, 0, node.number)

    def _node(self, index: AnyIndex) -> TreeNode | None:
        if not index.isValid():
            return self._root
        return self._nodes.get(index.internalId())


def _flags(kind: Kind) -> Qt.ItemFlag:
    flags = Qt.ItemFlag.ItemIsEnabled
    if RowKey(kind).is_page:
        flags |= Qt.ItemFlag.ItemIsSelectable
    if kind in _LEAVES:
        flags |= Qt.ItemFlag.ItemNeverHasChildren
    if kind in TOOL_KINDS:
        flags |= Qt.ItemFlag.ItemIsDragEnabled
    return flags


_FLAGS: Final = {kind: _flags(kind) for kind in Kind}


def _same_keys(nodes: Sequence[TreeNode], rows: Sequence[Row]) -> bool:
    if len(nodes) != len(rows):
        return False
    return all(node.row.key is row.key or node.row.key == row.key for node, row in zip(nodes, rows, strict=True))


def _level(node: TreeNode) -> int:
    level = 0
    above = node.parent
    while above is not None and above.parent is not None:
        level, above = level + 1, above.parent
    return level


def _number(parent: TreeNode, first: int) -> None:
    for position in range(first, len(parent.children)):
        parent.children[position].position = position


def _runs(positions: Sequence[int]) -> list[tuple[int, int]]:
    """Group ascending positions into runs: 1 2 3 7 becomes (1, 3), (7, 7)."""
    runs: list[tuple[int, int]] = []
    for position in positions:
        if runs and position == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], position)
        else:
            runs.append((position, position))
    return runs


def mark_of(index: AnyIndex) -> Mark:
    """Return the dot of a row."""
    return Mark(index.data(Role.MARK) or "")
