"""The search over the library: rows that hold every word, what is above them, and all of a source that matches."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QSortFilterProxyModel

from toolnote_desktop.desktop.models.library_rows import Kind, Mark, RowKey
from toolnote_desktop.desktop.models.library_tree import LibraryTree, Node


class LibraryFilter(QSortFilterProxyModel):
    """Which rows of a :class:`LibraryTree` are shown.

    What matches is found in one pass over the rows and kept until they change: asked row by row, ten thousand tools
    would take seconds.
    """

    def __init__(self, tree: LibraryTree, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tree = tree
        self._words: tuple[str, ...] = ()
        self._shown: set[int] = set()
        self._to_open: set[RowKey] = set()
        self._generation = -1
        self.setSourceModel(tree)
        tree.updated.connect(self._search_again)

    @property
    def is_searching(self) -> bool:
        """Whether a search narrows the library now."""
        return bool(self._words)

    @property
    def found_count(self) -> int:
        """How many rows the search shows, those above and below what it found included."""
        if self._generation != self._tree.generation:
            self._find_matches()
        return len(self._shown)

    def keys_to_open(self) -> set[RowKey]:
        """The rows that must be open for what was found to be seen, and the sources that were found."""
        if self._generation != self._tree.generation:
            self._find_matches()
        return set(self._to_open)

    def search(self, text: str) -> None:
        """Show only what holds every word of ``text``; everything for an empty one."""
        words = tuple(text.casefold().split())
        if words != self._words:
            self.beginFilterChange()
            self._words = words
            self._generation = -1
            self.endFilterChange(QSortFilterProxyModel.Direction.Rows)

    def _search_again(self) -> None:
        """A row that matches now may stand below one that did not match before: Qt asks about its own row only."""
        if self._words:
            self.beginFilterChange()
            self.endFilterChange(QSortFilterProxyModel.Direction.Rows)

    def find(self, key: RowKey) -> QModelIndex:
        """Where a row is now; an invalid index where it is not or the search leaves it out."""
        return self.mapFromSource(self._tree.find(key))

    def key_at(self, index: QModelIndex | QPersistentModelIndex) -> RowKey | None:
        """The key of the row at an index of this model."""
        row = self._tree.row_at(self.mapToSource(index))
        return row.key if row is not None else None

    def filterAcceptsRow(self, source_row: int, source_parent: QModelIndex | QPersistentModelIndex) -> bool:
        if not self._words:
            return True
        if self._generation != self._tree.generation:
            self._find_matches()
        return self._tree.number_at(source_row, source_parent) in self._shown

    def _find_matches(self) -> None:
        shown: set[int] = set()
        to_open: set[RowKey] = set()
        whole: set[int] = set()  # nodes that match themselves: all that is below is shown
        for node in self._tree.nodes():
            below_match = node.parent is not None and node.parent.number in whole
            if below_match:
                shown.add(node.number)
            elif self._matches(node):
                if node.row.key.kind in (Kind.SERVER, Kind.TOOLSET):
                    whole.add(node.number)
                if node.row.key.kind is Kind.SERVER:
                    to_open.add(node.row.key)
                shown.add(node.number)
                above = node.parent
                while above is not None and above.row.key not in to_open:
                    shown.add(above.number)
                    to_open.add(above.row.key)
                    above = above.parent
        self._shown = shown
        self._to_open = to_open
        self._generation = self._tree.generation

    def _matches(self, node: Node) -> bool:
        kind = node.row.key.kind
        if kind is Kind.GROUP or (kind is Kind.ENTRY and node.row.mark is Mark.NONE):
            return False  # a tool in a toolset is found once, at its source
        text = node.row.search_text
        return all(word in text for word in self._words)
