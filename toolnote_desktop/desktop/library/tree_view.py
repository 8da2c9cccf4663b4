"""Tree view of the library: fully painted rows, groups that expand on a press, and a search that restores what was
expanded.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager

from PySide6.QtCore import QEvent, QMimeData, QModelIndex, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QDragMoveEvent,
    QDropEvent,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
)
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyleOptionViewItem, QToolTip, QTreeView, QWidget

from toolnote_desktop.desktop.models.drag_data import TOOL_KINDS, Dragged, dragged_in, rows_data
from toolnote_desktop.desktop.models.library_filter import LibraryFilter
from toolnote_desktop.desktop.models.library_rows import NEEDS_A_LOOK, SOURCES, TOOLSETS, Facet, Kind, RowKey
from toolnote_desktop.desktop.models.library_tree import AnyIndex, Role
from toolnote_desktop.desktop.widgets.basics import KEYBOARD_REASONS, tooltip_text
from toolnote_desktop.desktop.widgets.row_delegate import INSET, RowDelegate, is_hint, is_on_chevron
from toolnote_desktop.desktop.widgets.row_view import RowView

SHOWN_OPEN = 300
"""Number of results above which sources stay collapsed, because expanding thousands of rows is slow."""


_STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


class LibraryView(RowView, QTreeView):
    """Tree view of a :class:`LibraryFilter`.

    Signals:
        chosen: the ``RowKey`` that the user made current.
        activated_key: the row was activated with Enter or a double click.
        escaped: Escape.
        menu_requested: the context menu was opened, at a screen position.
        toggled, removal_requested: Space or Delete was pressed for the selected rows.
        stepped: Alt and an arrow was pressed: -1 or 1.
        hint_pressed: the ``RowKey`` of a hint in an empty group that was pressed.
        dropped: the dragged data, the ``RowKey`` below it, and True for a move.
    """

    chosen = Signal(object)
    activated_key = Signal(object)
    escaped = Signal()
    menu_requested = Signal(QPoint)
    toggled = Signal()
    removal_requested = Signal()
    stepped = Signal(int)
    hint_pressed = Signal(object)
    dropped = Signal(object, object, bool)

    def __init__(self, search: LibraryFilter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._search = search
        self._delegate = RowDelegate(self)
        self._open_before: set[RowKey] | None = None
        self._moving = False
        self._searching = False
        self.may_drop: Callable[[Dragged, RowKey | None], bool] = lambda _dragged, _target: False
        self._ring = False  # shown to who moves by keyboard
        self.setModel(search)
        self.setItemDelegate(self._delegate)
        self.setHeaderHidden(True)
        self.setIndentation(0)
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.set_up_rows()
        self.setAutoExpandDelay(500)
        self.setExpandsOnDoubleClick(False)
        self.setAccessibleName(self.tr("Library: toolsets and tool sources"))
        search.rowsInserted.connect(self._open_new_groups)
        self.clicked.connect(self._press_hint)
        self._open({TOOLSETS, SOURCES, NEEDS_A_LOOK})

    def current_key(self) -> RowKey | None:
        """Return the current row's key."""
        return self._search.key_at(self.currentIndex())

    def selected_keys(self) -> list[RowKey]:
        """Return the selected rows' keys from top to bottom."""
        shown = sorted(self.selectionModel().selectedIndexes(), key=lambda one: self.visualRect(one).top())
        keys = [self._search.key_at(index) for index in shown]
        return [key for key in keys if key is not None]

    @contextmanager
    def selection_kept(self) -> Iterator[None]:
        """Suspend ``chosen`` while rows change, since removals change the current row without the user."""
        before, self._moving = self._moving, True
        try:
            yield
        finally:
            self._moving = before

    def choose(self, key: RowKey | None) -> bool:
        """Make a row current and visible without emitting ``chosen``. Return False if it is not shown."""
        index = self._search.find(key) if key is not None else QModelIndex()
        self._moving = True
        try:
            self.setCurrentIndex(index)
            if index.isValid():
                self.scrollTo(index)
            else:
                self.clearSelection()
        finally:
            self._moving = False
        return index.isValid()

    def search(self, text: str, keep: RowKey | None, facets: Collection[Facet] = ()) -> None:
        """Show what ``text`` and ``facets`` find. ``keep`` stays current if it is found.

        What was open is open again afterwards.
        """
        if not self._search.is_searching:
            self._open_before = self._open_rows()
        self._moving = self._searching = True
        self.setUpdatesEnabled(False)
        try:
            self.collapseAll()  # removing rows that are not laid out is cheap
            self._search.search(text, facets)
            self._open_after_search()
        finally:
            self.setUpdatesEnabled(True)
            self._moving = self._searching = False
        if keep is not None:
            self.choose(keep)

    def _open_after_search(self) -> None:
        if not self._search.is_searching:
            self._open({TOOLSETS, SOURCES, NEEDS_A_LOOK} if self._open_before is None else self._open_before)
        elif self._search.found_count <= SHOWN_OPEN:
            self._open(self._search.keys_to_open())
        else:
            self._open({TOOLSETS, SOURCES, NEEDS_A_LOOK})

    def open_keys(self, keys: set[RowKey]) -> None:
        """Expand these rows too, after the search if one is active."""
        if self._search.is_searching and self._open_before is not None:
            self._open_before |= keys
        else:
            self._open(keys)

    def open_rows(self) -> set[RowKey]:
        """Return the expanded rows, those before the search if one is active."""
        searching = self._search.is_searching and self._open_before is not None
        return set(self._open_before or ()) if searching else self._open_rows()

    def _open_rows(self) -> set[RowKey]:
        opened = set()
        for place in range(self._search.rowCount()):
            group = self._search.index(place, 0)
            for index in (group, *(self._search.index(row, 0, group) for row in range(self._search.rowCount(group)))):
                key = self._search.key_at(index)
                if key is not None and self.isExpanded(index):
                    opened.add(key)
        return opened

    def _open(self, keys: set[RowKey]) -> None:
        for key in keys:
            index = self._search.find(key)
            if index.isValid():
                self.setExpanded(index, True)

    def _open_new_groups(self, parent: QModelIndex, first: int, last: int) -> None:
        """Expand new groups, but not those that a search brings back."""
        if not parent.isValid() and not self._searching:
            for row in range(first, last + 1):
                self.setExpanded(self._search.index(row, 0), True)

    # --- Qt's side

    def currentChanged(self, current: AnyIndex, previous: AnyIndex) -> None:
        super().currentChanged(current, previous)
        key = self._search.key_at(current)
        if key is not None and key.is_page and not self._moving:
            self.chosen.emit(key)

    def drawBranches(self, painter: QPainter, rect: QRect, index: AnyIndex) -> None:
        """Draw nothing: the delegate paints the triangle with the row."""

    def drawRow(self, painter: QPainter, options: QStyleOptionViewItem, index: AnyIndex) -> None:
        option = QStyleOptionViewItem(options)
        self.initViewItemOption(option)
        row = self.visualRect(index)
        option.rect = QRect(0, row.top(), self.viewport().width(), row.height())
        flag = QStyle.StateFlag
        state = flag.State_Enabled
        if self.selectionModel().isSelected(index):
            state |= flag.State_Selected
        if self.isExpanded(index):
            state |= flag.State_Open
        if self._ring and self.hasFocus() and index == self.currentIndex():
            state |= flag.State_HasFocus
        if self.drop_mark is not None and self._search.key_at(index) == self.drop_mark:
            state |= flag.State_HasFocus
        if self.viewport().underMouse() and index == self.indexAt(self.viewport().mapFromGlobal(self.cursor().pos())):
            state |= flag.State_MouseOver
        option.state = state
        self._delegate.paint(painter, option, index)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._ring = event.reason() in KEYBOARD_REASONS

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._ring = False
        index = self.indexAt(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and self._toggles(event, index):
            self.setExpanded(index, not self.isExpanded(index))
            event.accept()
            return
        super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        if self._toggles(event, index):
            self.mousePressEvent(event)
            return
        super().mouseDoubleClickEvent(event)
        if index.isValid() and self._search.hasChildren(index):
            self.setExpanded(index, not self.isExpanded(index))
        elif index.isValid() and not is_hint(index):
            self.activated_key.emit(self._search.key_at(index))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self._ring = True
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            index = self.currentIndex()
            if self._search.hasChildren(index):
                self.setExpanded(index, not self.isExpanded(index))
            elif is_hint(index):
                self._press_hint(index)
            elif index.isValid():
                self.activated_key.emit(self._search.key_at(index))
            event.accept()
            return
        if event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
            return
        if self._does(event):
            return
        super().keyPressEvent(event)

    def _does(self, event: QKeyEvent) -> bool:
        """Handle the shortcuts shown in the menu."""
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if event.key() == Qt.Key.Key_Space and plain and is_hint(self.currentIndex()):
            self._press_hint(self.currentIndex())
        elif event.key() == Qt.Key.Key_Space and plain:
            self.toggled.emit()
        elif event.key() == Qt.Key.Key_Delete and plain:
            self.removal_requested.emit()
        elif event.key() in _STEPS and event.modifiers() & Qt.KeyboardModifier.AltModifier:
            self.stepped.emit(_STEPS[Qt.Key(event.key())])
        else:
            return False
        event.accept()
        return True

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        over_hint = is_hint(self.indexAt(event.position().toPoint()))
        shape = Qt.CursorShape.PointingHandCursor if over_hint else Qt.CursorShape.ArrowCursor
        if self.viewport().cursor().shape() is not shape:
            self.viewport().setCursor(shape)

    def _press_hint(self, index: QModelIndex) -> None:
        if is_hint(index):
            self.hint_pressed.emit(self._search.key_at(index))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if event.reason() == QContextMenuEvent.Reason.Mouse:
            if self.indexAt(event.pos()).isValid():
                self.menu_requested.emit(event.globalPos())
            return
        below = self.visualRect(self.currentIndex()).bottomLeft() + QPoint(INSET, 0)
        self.menu_requested.emit(self.viewport().mapToGlobal(below))

    # --- drags

    def drag_data(self) -> tuple[QMimeData, int] | None:
        keys = [key for key in self.selected_keys() if key.kind in TOOL_KINDS]
        return (rows_data(keys), len(keys)) if keys else None

    def accepts(self, data: QMimeData) -> bool:
        return bool(dragged_in(data))

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        super().dragMoveEvent(event)  # scrolls, and opens what the mouse rests on
        target = self._target(event)
        fits = self.may_drop(dragged_in(event.mimeData()), target)
        self.show_drop(target if fits else None)
        if fits:
            event.acceptProposedAction()
        else:
            event.ignore()

    def dropEvent(self, event: QDropEvent) -> None:
        self.show_drop(None)
        self.setState(QAbstractItemView.State.NoState)
        dragged = dragged_in(event.mimeData())
        target = self._target(event)
        if target is not None and self.may_drop(dragged, target):
            event.acceptProposedAction()
            self.dropped.emit(dragged, target, event.dropAction() is Qt.DropAction.MoveAction)
        else:
            event.ignore()

    def _target(self, event: QDropEvent) -> RowKey | None:
        """Return the row below the pointer; for a hint in an empty group, that group."""
        index = self.indexAt(event.position().toPoint())
        return self._search.key_at(index.parent() if is_hint(index) else index)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            index = self.indexAt(event.pos())
            text = str(index.data(Qt.ItemDataRole.DisplayRole) or "") if index.isValid() else ""
            QToolTip.showText(event.globalPos(), tooltip_text(text), self)
            return True
        return super().viewportEvent(event)

    def sizeHint(self) -> QSize:
        return QSize(300, 400)

    def _toggles(self, event: QMouseEvent, index: QModelIndex) -> bool:
        """Return True if a press expands or collapses: anywhere on a group, on other rows at their triangle."""
        key = self._search.key_at(index)
        if key is None or not self._search.hasChildren(index):
            return False
        if key.kind is Kind.GROUP:
            return True
        level = int(index.data(Role.LEVEL))
        return is_on_chevron(int(event.position().x()), self.viewport().width(), level, self.layoutDirection())
