"""Sidebar: search field, library, and buttons that add tools and assistants."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from toolnote_desktop.desktop.library.search_field import SearchChips, SearchField
from toolnote_desktop.desktop.library.tree_view import LibraryView
from toolnote_desktop.desktop.models.library_filter import LibraryFilter
from toolnote_desktop.desktop.models.library_rows import NEW_SOURCE, NEW_TOOLSET, Kind, RowKey
from toolnote_desktop.desktop.models.library_tree import LibraryTree
from toolnote_desktop.desktop.widgets.announce import announce
from toolnote_desktop.desktop.widgets.basics import Button, column, label, side_ground
from toolnote_desktop.desktop.widgets.controls import IconButton
from toolnote_desktop.desktop.widgets.debouncer import Debouncer
from toolnote_desktop.desktop.widgets.flow_layout import FlowLayout
from toolnote_desktop.model.snapshot import Snapshot

ANNOUNCE_MS = 600
NARROWEST = 220
"""Pixels; more where its buttons need more."""


class LibraryPane(QWidget):
    """Search field, tree and buttons.

    Signals:
        chosen: the ``RowKey`` that the user selected.
        selected_changed: another row is selected, by the user or the program: a ``RowKey`` or None.
        opened: the ``RowKey`` activated with Enter or a double click.
        add_tools_requested, connect_requested, menu_requested: a button was pressed.
        new_toolset_requested: where none is yet, the row that says so.
    """

    chosen = Signal(object)
    selected_changed = Signal(object)
    opened = Signal(object)
    add_tools_requested = Signal()
    connect_requested = Signal()
    menu_requested = Signal()
    new_toolset_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("libraryPane")
        side_ground(self)
        self._tree = LibraryTree(self)
        self._filter = LibraryFilter(self._tree, self)
        self._selected: RowKey | None = None
        self._found = True
        self._announcement = Debouncer(self, ANNOUNCE_MS, self._announce_found)
        self.field = SearchField(self.tr("Search tools and notes"), self.tr("Search"), self.tr("Ctrl+F"))
        self.chips = SearchChips(self.field)
        self.menu_button = IconButton("menu", self.tr("Menu"), pressed=self.menu_requested.emit)
        self.view = LibraryView(self._filter)
        self.nothing = label("", "second", wraps=True)
        self.clear_button = Button(self.tr("Show everything"), "link", pressed=self._clear)
        self.add_button = Button(
            self.tr("+  Add tools"), name=self.tr("Add tools"), pressed=self.add_tools_requested.emit
        )
        self.connect_button = Button(self.tr("Connect an assistant"), pressed=self.connect_requested.emit)
        self._lay_out()
        self.field.textChanged.connect(self._search)
        self.chips.changed.connect(self._search)
        self.field.left_downwards.connect(self._to_the_tree)
        self.field.escaped.connect(self._escape_from_field)
        self.chips.escaped.connect(self._clear)
        self.view.escaped.connect(self._clear_from_tree)
        self.view.chosen.connect(self._choose)
        self.view.activated_key.connect(self.opened)
        self.view.hint_pressed.connect(self._press_hint)
        self._tree.updated.connect(self._after_update)

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setContentsMargins(14, 14, 10, 4)
        top.setSpacing(6)
        top.addWidget(self.field)
        top.addWidget(self.menu_button)
        self._nothing_found = QWidget()
        nothing = column(self._nothing_found, (22, 12, 14, 12), 4)
        nothing.addWidget(self.nothing)
        nothing.addWidget(self.clear_button)
        nothing.addStretch()
        self._nothing_found.hide()
        bottom = FlowLayout(spacing=8, fills=True)
        bottom.setContentsMargins(14, 8, 14, 12)
        bottom.addWidget(self.add_button)
        bottom.addWidget(self.connect_button)
        whole = column(self, spacing=4)
        whole.addLayout(top)
        whole.addWidget(self.chips)
        whole.addWidget(self.view, 1)
        whole.addWidget(self._nothing_found, 1)
        whole.addLayout(bottom)
        order = [self.field, *self.chips.chips.values(), self.menu_button, self.view]
        for first, second in pairwise(order):  # the chips are there only while the keyboard is at them or the field
            self.setTabOrder(first, second)

    def minimumSizeHint(self) -> QSize:
        return super().minimumSizeHint().expandedTo(QSize(NARROWEST, 0))

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show another state of the library; what is chosen stays chosen."""
        with self.view.selection_kept():
            self._tree.show(snapshot)

    @property
    def selected(self) -> RowKey | None:
        """Return the row that the other panes show; a search may hide it here."""
        return self._selected

    def holds(self, key: RowKey) -> bool:
        """Return True if the row exists, found by the search or not."""
        return self._tree.find(key).isValid()

    def has_notes(self, key: RowKey) -> bool:
        """Return True if the row marks its tool as having notes."""
        row = self._tree.row_at(self._tree.find(key))
        return row is not None and row.has_notes

    def select(self, key: RowKey | None) -> None:
        """Select a row and expand its ancestors."""
        self._selected = key
        self.view.choose(key)
        self.selected_changed.emit(key)

    def focus_search(self) -> None:
        """Focus the search field."""
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def _choose(self, key: RowKey) -> None:
        self._selected = key
        self.selected_changed.emit(key)
        self.chosen.emit(key)

    def _press_hint(self, key: RowKey) -> None:
        """To what could stand where nothing is yet."""
        if key == NEW_TOOLSET:
            self.new_toolset_requested.emit()
        elif key == NEW_SOURCE:
            self.add_tools_requested.emit()
        else:
            page = RowKey(Kind(key.owner), key.name)
            self.view.choose(page)
            self._choose(page)

    def _search(self) -> None:
        self.view.search(self.field.text(), self._selected, self.chips.facets)
        self._show_whether_found()
        if self._filter.is_searching:
            self._announcement.trigger()

    def _announce_found(self) -> None:
        """Announce the number of results after a pause in typing, instead of after each letter."""
        if self._filter.is_searching:
            announce(self.field, self.tr("%n found", "", self._filter.matches_count) if self._found else self._why())

    def _why(self) -> str:
        if self.chips.facets:
            return self.tr("Nothing here is like that.")
        return self.tr("Nothing here holds these words.")

    def _after_update(self) -> None:
        if self.view.current_key() != self._selected and self._was_on_a_page():
            self.view.choose(self._selected)
        self._show_whether_found()

    def _was_on_a_page(self) -> bool:
        """True if the current row has a page; a group's row may keep the focus."""
        current = self.view.current_key()
        return current is None or current.is_page

    def _show_whether_found(self) -> None:
        self._found = self._filter.rowCount() > 0
        if not self._found:
            self.nothing.setText(self._why())
        self._nothing_found.setVisible(not self._found)
        self.view.setVisible(self._found)

    def _clear(self) -> None:
        """Rebuild the rows and keep the selection."""
        self.field.setFocus()
        before = self.field.blockSignals(True)
        self.field.clear()
        self.field.blockSignals(before)
        self.chips.clear()
        self._search()
        self.chips.update_visibility()

    def _clear_from_tree(self) -> None:
        if self._filter.is_searching:
            self._clear()
            self.view.setFocus(Qt.FocusReason.TabFocusReason)

    def _escape_from_field(self) -> None:
        if self._filter.is_searching:
            self._clear()
        else:
            self._to_the_tree()

    def _to_the_tree(self) -> None:
        if self.view.current_key() is None:
            self.view.setCurrentIndex(self._filter.index(0, 0))
        self.view.setFocus(Qt.FocusReason.TabFocusReason)
