"""Tree view of the sidebar: painted rows that are selected on release, so that they can be dragged."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from PySide6.QtCore import QEvent, QItemSelectionModel, QMimeData, QModelIndex, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
)
from PySide6.QtWidgets import QAbstractItemView, QApplication, QStyle, QStyleOptionViewItem, QToolTip, QTreeView

from toolnote_desktop.desktop.models.drag_data import TOOL_KINDS, Dragged, dragged_in, rows_data
from toolnote_desktop.desktop.models.library_rows import ASSISTANTS, SOURCES, TOOLSETS, Kind, RowKey
from toolnote_desktop.desktop.models.library_tree import AnyIndex, LibraryTree
from toolnote_desktop.desktop.sidebar.row_painting import INSET, SidebarDelegate, is_on_chevron, is_on_plus
from toolnote_desktop.desktop.widgets.basics import KEYBOARD_REASONS, tooltip_text
from toolnote_desktop.desktop.widgets.row_view import RowView

_GROUPS: Final = (ASSISTANTS, TOOLSETS, SOURCES)
_STEPS: Final = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
_CHOICE: Final = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows


class SidebarView(RowView, QTreeView):
    """Tree view of a :class:`LibraryTree`.

    Signals:
        chosen: the ``RowKey`` that the user selected.
        activated_key: the row was activated with Enter or a double click.
        added: the ``RowKey`` of a group whose + was pressed, or of a hint in an empty group.
        menu_requested: the context menu was opened, at a screen position.
        toggled, removal_requested: Space or Delete was pressed for the selected rows.
        dropped: the dragged data, the ``RowKey`` below it, and True for a move.
    """

    chosen = Signal(object)
    activated_key = Signal(object)
    added = Signal(object)
    menu_requested = Signal(QPoint)
    toggled = Signal()
    removal_requested = Signal()
    dropped = Signal(object, object, bool)

    def __init__(self, tree: LibraryTree) -> None:
        super().__init__()
        self._tree = tree
        self._delegate = SidebarDelegate(self)
        self._moving = False
        self._pressed: RowKey | None = None
        self._pressed_at = QPoint()
        self._ring = False
        self.may_drop: Callable[[Dragged, RowKey | None], bool] = lambda _dragged, _target: False
        self.setModel(tree)
        self.setItemDelegate(self._delegate)
        self.setHeaderHidden(True)
        self.setIndentation(0)
        self.setRootIsDecorated(False)
        self.set_up_rows()
        self.setAutoExpandDelay(500)
        self.setExpandsOnDoubleClick(False)
        self.setAccessibleName(self.tr("Sidebar: assistants, toolsets and tool sources"))
        tree.updated.connect(self._open_groups)
        tree.modelReset.connect(self._open_groups)

    def current_key(self) -> RowKey | None:
        """Return the current row's key."""
        return self._tree.key_at(self.currentIndex())

    def selected_keys(self) -> list[RowKey]:
        """Return the selected rows' keys from top to bottom."""
        shown = sorted(self.selectionModel().selectedIndexes(), key=lambda one: self.visualRect(one).top())
        keys = [self._tree.key_at(index) for index in shown]
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
        """Make a row current, alone selected and visible, without ``chosen``. Return False if it is not shown."""
        index = self._tree.find(key) if key is not None else QModelIndex()
        with self.selection_kept():
            if index.isValid():
                if index.parent().isValid() and self._tree.key_at(index.parent()) not in _GROUPS:
                    self.setExpanded(index.parent(), True)
                # never `setCurrentIndex`: it obeys a held Ctrl or Shift, and would leave other rows selected
                self.selectionModel().setCurrentIndex(index, _CHOICE)
                self.scrollTo(index)
            else:
                self.selectionModel().clear()
        return index.isValid()

    def open_keys(self, keys: set[RowKey]) -> None:
        """Open these sources."""
        for key in keys:
            index = self._tree.find(key)
            if index.isValid():
                self.setExpanded(index, True)

    def open_rows(self) -> set[RowKey]:
        """Return the open sources."""
        group = self._tree.find(SOURCES)
        rows = (self._tree.index(place, 0, group) for place in range(self._tree.rowCount(group)))
        return {key for row in rows if self.isExpanded(row) and (key := self._tree.key_at(row)) is not None}

    def _open_groups(self) -> None:
        self.open_keys(set(_GROUPS))

    # --- Qt's side

    def currentChanged(self, current: AnyIndex, previous: AnyIndex) -> None:
        super().currentChanged(current, previous)
        if not self._moving and self._pressed is None:
            self._choose(current)

    def _choose(self, index: AnyIndex) -> None:
        key = self._tree.key_at(index)
        if key is not None and key.is_page:
            self.chosen.emit(key)

    def selectionCommand(self, index: AnyIndex, event: QEvent | None = None) -> QItemSelectionModel.SelectionFlag:
        """Select nothing on press, so that a row can be dragged without opening its page."""
        plain = not QApplication.keyboardModifiers() & (
            Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
        )
        if self._pressed is not None and plain:
            return QItemSelectionModel.SelectionFlag.NoUpdate
        return super().selectionCommand(index, event)

    def drawBranches(self, painter: QPainter, rect: QRect, index: AnyIndex) -> None:
        """Draw nothing: the delegate paints the chevron with the row."""

    def drawRow(self, painter: QPainter, options: QStyleOptionViewItem, index: AnyIndex) -> None:
        option = QStyleOptionViewItem(options)
        self.initViewItemOption(option)
        row = self.visualRect(index)
        # a scroll bar takes room that is kept free beside the rows, and moves nothing
        option.rect = QRect(self._left(), row.top(), self.width(), row.height())
        flag = QStyle.StateFlag
        state = flag.State_Enabled
        if self.selectionModel().isSelected(index):
            state |= flag.State_Selected
        if self.isExpanded(index):
            state |= flag.State_Open
        if self._ring and self.hasFocus() and index == self.currentIndex():
            state |= flag.State_HasFocus
        if self.drop_mark is not None and self._tree.key_at(index) == self.drop_mark:
            state |= flag.State_HasFocus
        if self.viewport().underMouse() and index == self.indexAt(self.viewport().mapFromGlobal(self.cursor().pos())):
            state |= flag.State_MouseOver
        option.state = state
        self._delegate.paint(painter, option, index)

    def _left(self) -> int:
        """Return where the rows begin in the viewport."""
        return self.viewport().width() - self.width() if self.isRightToLeft() else 0

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Take the focus; where the page has no row, Qt would make the first one current, and so open it."""
        with self.selection_kept():
            super().focusInEvent(event)
        self._ring = event.reason() in KEYBOARD_REASONS

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._ring = False
        index = self.indexAt(event.position().toPoint())
        key = self._tree.key_at(index)
        if event.button() is not Qt.MouseButton.LeftButton or key is None:
            super().mousePressEvent(event)
            return
        x, width = int(event.position().x()) - self._left(), self.width()
        if key.kind in (Kind.GROUP, Kind.WAY):
            if key.kind is Kind.WAY or is_on_plus(x, width, self.layoutDirection()):
                self.added.emit(key)
            event.accept()
            return
        if self._tree.hasChildren(index) and is_on_chevron(x, width, self.layoutDirection()):
            self.setExpanded(index, not self.isExpanded(index))
            event.accept()
            return
        self._pressed = key
        self._pressed_at = event.position().toPoint()
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Start a drag of the pressed row, which Qt would do for a selected one only."""
        if self._pressed is None or not event.buttons() & Qt.MouseButton.LeftButton:
            super().mouseMoveEvent(event)
            return
        moved = event.position().toPoint() - self._pressed_at
        if moved.manhattanLength() >= QApplication.startDragDistance():
            self.startDrag(Qt.DropAction.CopyAction)
            self._pressed = None
            self.setState(QAbstractItemView.State.NoState)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, self._pressed = self._pressed, None
        index = self.indexAt(event.position().toPoint())
        plain = not event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
        if pressed is not None and plain:
            self.setState(QAbstractItemView.State.NoState)
            if self._tree.key_at(index) == pressed:
                with self.selection_kept():
                    self.selectionModel().setCurrentIndex(index, _CHOICE)
                self._choose(index)
            event.accept()
            return
        super().mouseReleaseEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        key = self._tree.key_at(index)
        if key is None or key.kind in (Kind.GROUP, Kind.WAY):
            self.mousePressEvent(event)
        elif self._tree.hasChildren(index):
            self.setExpanded(index, not self.isExpanded(index))
        else:
            self.activated_key.emit(key)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self._ring = True
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        key = self.current_key()
        is_adding = key is not None and key.kind in (Kind.GROUP, Kind.WAY)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            (self.added if is_adding else self.activated_key).emit(key)
        elif event.key() == Qt.Key.Key_Space and plain and is_adding:
            self.added.emit(key)
        elif event.key() == Qt.Key.Key_Space and plain:
            self.toggled.emit()
        elif event.key() == Qt.Key.Key_Delete and plain:
            self.removal_requested.emit()
        elif event.key() == Qt.Key.Key_Left and key is not None and key.kind in (Kind.TOOL, Kind.ALL_TOOLS):
            self.selectionModel().setCurrentIndex(self.currentIndex().parent(), _CHOICE)
        elif event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right) and key is not None and key.kind is not Kind.SERVER:
            pass  # groups stay open
        else:
            super().keyPressEvent(event)
            return
        event.accept()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if event.reason() == QContextMenuEvent.Reason.Mouse:
            index = self.indexAt(event.pos())
            if index.isValid():
                if not self.selectionModel().isSelected(index):
                    with self.selection_kept():
                        self.selectionModel().setCurrentIndex(index, _CHOICE)
                self.menu_requested.emit(event.globalPos())
            return
        below = self.visualRect(self.currentIndex()).bottomLeft() + QPoint(INSET, 0)
        self.menu_requested.emit(self.viewport().mapToGlobal(below))

    # --- drags

    def drag_data(self) -> tuple[QMimeData, int] | None:
        keys = self.selected_keys()
        if self._pressed is not None and self._pressed not in keys:
            keys = [self._pressed]
        self._pressed = None
        keys = [key for key in keys if key.kind in TOOL_KINDS]
        return (rows_data(keys), len(keys)) if keys else None

    def accepts(self, data: QMimeData) -> bool:
        return bool(dragged_in(data))

    def place_for(self, data: QMimeData, point: QPoint) -> RowKey | None:
        target = self._tree.key_at(self.indexAt(point))
        return target if self.may_drop(dragged_in(data), target) else None

    def drop(self, data: QMimeData, place: RowKey, *, moves: bool) -> None:
        self.dropped.emit(dragged_in(data), place, moves)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            index = self.indexAt(event.pos())
            text = str(index.data(Qt.ItemDataRole.DisplayRole) or "") if index.isValid() else ""
            QToolTip.showText(event.globalPos(), tooltip_text(text), self)
            return True
        return super().viewportEvent(event)

    def sizeHint(self) -> QSize:
        return QSize(260, 400)
