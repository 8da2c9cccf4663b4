"""Search filter of the library: rows that contain each word, their ancestors, and the content of matching sources."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QSortFilterProxyModel

from toolnote_desktop.desktop.models.library_rows import Facet, Kind, Mark, Row, RowKey
from toolnote_desktop.desktop.models.library_tree import LibraryTree, Node


class LibraryFilter(QSortFilterProxyModel):
    """Which rows of a :class:`LibraryTree` are shown.

    What matches is found in one pass over the rows and kept until they change: asked row by row, ten thousand tools
    would take seconds. Another letter looks only at what was found without it.
    """

    def __init__(self, tree: LibraryTree, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tree = tree
        self._words: tuple[str, ...] = ()
        self._facets: frozenset[Facet] = frozenset()
        self._narrows = False
        self._shown: set[int] = set()
        self._shown_nodes: list[Node] = []
        self._candidates: list[Node] | None = None
        self._asked: int | None = None
        self._answers: list[bool] = []
        self._to_open: set[RowKey] = set()
        self._matched = 0
        self._generation = -1
        self.setSourceModel(tree)
        tree.updated.connect(self._search_again)

    @property
    def is_searching(self) -> bool:
        """True while a search narrows the library."""
        return self._narrows

    @property
    def matches_count(self) -> int:
        """Number of rows found, without groups and rows that only lead to one."""
        if self._generation != self._tree.generation:
            self._find_matches()
        return self._matched

    @property
    def found_count(self) -> int:
        """Number of rows shown, with those above and below the found ones."""
        if self._generation != self._tree.generation:
            self._find_matches()
        return len(self._shown)

    def keys_to_open(self) -> set[RowKey]:
        """Return the rows to expand so that the found ones are visible, and the sources that were found."""
        if self._generation != self._tree.generation:
            self._find_matches()
        return set(self._to_open)

    def search(self, text: str, facets: Collection[Facet] = ()) -> None:
        """Show only rows that contain each word of ``text`` and match ``facets``; all rows where both are empty.

        *Has notes* restricts the other facets' results; of those a row needs to match only one.
        """
        words, wanted = tuple(text.casefold().split()), frozenset(facets)
        if (words, wanted) != (self._words, self._facets):
            self.beginFilterChange()
            self._candidates = self._shown_nodes if self._is_narrower(words, wanted) else None
            self._words, self._facets = words, wanted
            self._narrows = bool(words or wanted)  # read for each row
            self._generation = -1
            self.endFilterChange(QSortFilterProxyModel.Direction.Rows)

    def _is_narrower(self, words: Collection[str], facets: Collection[Facet]) -> bool:
        """Return True if the results of this search are a subset of the last one's."""
        is_known = self._narrows and self._generation == self._tree.generation and self._facets == facets
        return is_known and all(any(old in new for new in words) for old in self._words)

    def _search_again(self) -> None:
        """Filter again: Qt checks only a changed row itself, but its match may hang below one that did not match."""
        if self.is_searching:
            self.beginFilterChange()
            self.endFilterChange(QSortFilterProxyModel.Direction.Rows)

    def find(self, key: RowKey) -> QModelIndex:
        """Return a row's index; an invalid one if the row is absent or filtered out."""
        return self.mapFromSource(self._tree.find(key))

    def key_at(self, index: QModelIndex | QPersistentModelIndex) -> RowKey | None:
        """Return the key of the row at an index of this model."""
        row = self._tree.row_at(self.mapToSource(index))
        return row.key if row is not None else None

    def filterAcceptsRow(self, source_row: int, source_parent: QModelIndex | QPersistentModelIndex) -> bool:
        if not self._narrows:
            return True
        if self._generation != self._tree.generation:
            self._find_matches()
        above = source_parent.internalId() if source_parent.isValid() else 0
        if above != self._asked:  # Qt asks for all rows below one, then for the next's
            self._asked = above
            self._answers = [number in self._shown for number in self._tree.numbers_below(source_parent)]
        return self._answers[source_row]

    def _find_matches(self) -> None:
        candidates = self._candidates
        nodes = list(self._tree.nodes()) if candidates is None else candidates
        shown: set[int] = set()
        to_open: set[RowKey] = set()
        matched = 0
        whole: set[int] = set()  # nodes that match themselves: all that is below is shown
        for node in nodes:
            if node.row.key.kind is Kind.WAY:
                continue  # nothing that could be found
            below_match = node.parent is not None and node.parent.number in whole
            if not below_match:
                if not self._matches(node):
                    continue
                if self._words and node.row.key.kind in (Kind.SERVER, Kind.TOOLSET):
                    whole.add(node.number)
            if self._facets and not self._is_wanted(node.row):
                continue
            if node.row.key.kind is Kind.SERVER and self._words:
                to_open.add(node.row.key)
            shown.add(node.number)
            matched += 1
            above = node.parent
            while above is not None and (above.number not in shown or above.row.key not in to_open):
                shown.add(above.number)
                to_open.add(above.row.key)
                above = above.parent
        self._shown = shown
        self._shown_nodes = [node for node in nodes if node.number in shown]
        self._candidates = self._asked = None
        self._matched = matched
        self._to_open = to_open
        self._generation = self._tree.generation

    def _matches(self, node: Node) -> bool:
        kind = node.row.key.kind
        if kind is Kind.GROUP or (kind is Kind.ENTRY and node.row.mark is Mark.NONE):
            return False  # a tool in a toolset is found once, at its source
        text = node.row.search_text
        for word in self._words:  # noqa: SIM110 - a generator for each row takes longer than the rest
            if word not in text:
                return False
        return True

    def _is_wanted(self, row: Row) -> bool:
        states = self._facets - {Facet.HAS_NOTES}
        has_notes = Facet.HAS_NOTES not in self._facets or Facet.HAS_NOTES in row.facets
        return has_notes and (not states or not states.isdisjoint(row.facets))
