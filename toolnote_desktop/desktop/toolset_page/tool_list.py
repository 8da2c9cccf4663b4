"""Table of a toolset's tools: ticked, turned on and off, moved, opened and removed by mouse, keys and drags."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from PySide6.QtCore import QEvent, QItemSelectionModel, QMimeData, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QColor,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QListView,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.models.drag_data import keys_in
from toolnote_desktop.desktop.models.library_rows import RowKey
from toolnote_desktop.desktop.models.toolset_tools import AnyIndex, ToolRole, ToolsetTools
from toolnote_desktop.desktop.theme.colours import colours
from toolnote_desktop.desktop.theme.fonts import text_scale
from toolnote_desktop.desktop.widgets.basics import KEYBOARD_REASONS
from toolnote_desktop.desktop.widgets.controls import PaintedButton, paint_focus, paint_switch
from toolnote_desktop.desktop.widgets.row_view import RowView
from toolnote_desktop.desktop.widgets.table_cells import Cells, Column, columns_at, paint_check

BLEED: Final = 8
"""Pixels that the ground of a row goes beyond the page's text on both sides."""
_TICK, _ON, _TOOL, _SOURCE, _NOTES, _ASKS, _TOKENS = "tick", "on", "tool", "source", "notes", "asks", "tokens"
_WIDE: Final = (
    *(Column(_TICK, 32), Column(_ON, 56), Column(_TOOL), Column(_SOURCE, 140), Column(_NOTES, 112)),
    *(Column(_ASKS, 148), Column(_TOKENS, 72, at_end=True)),
)
_MEDIUM: Final = (
    *(Column(_TICK, 32), Column(_ON, 56), Column(_TOOL), Column(_SOURCE, 120), Column(_NOTES, 80)),
    *(Column(_ASKS, 32), Column(_TOKENS, 56, at_end=True)),
)
_SMALL: Final = (Column(_TICK, 32), Column(_ON, 56), Column(_TOOL))
_WIDE_FROM: Final = 760
_MEDIUM_FROM: Final = 600
_SWITCH: Final = (28, 16)


def columns_for(width: int) -> tuple[Column, ...]:
    """Return the columns of a table of this width: rows of a narrow one have two lines."""
    scale = text_scale()
    return _WIDE if width >= _WIDE_FROM * scale else _MEDIUM if width >= _MEDIUM_FROM * scale else _SMALL


def row_height(width: int) -> int:
    """Return the height of a row in a table of this width."""
    return round((52 if columns_for(width) is _SMALL else 36) * text_scale())


class ToolRowDelegate(QStyledItemDelegate):
    """Paint whole rows."""

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        view = self.parent()
        width = view.viewport().width() - 2 * BLEED if isinstance(view, QListView) else 0
        return QSize(120, row_height(width))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        option_: Any = option  # PySide's stubs leave out the fields of style options
        scheme = colours(option_.palette)
        state: QStyle.StateFlag = option_.state
        direction: Qt.LayoutDirection = option_.direction
        whole: QRect = option_.rect
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ticked = bool(state & QStyle.StateFlag.State_Selected)
        if ticked or state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(whole, QColor(scheme.accent_ground if ticked else scheme.hover))
        if ticked and scheme.is_high_contrast:
            painter.setPen(QPen(QColor(scheme.accent), 2))
            painter.drawRect(whole.adjusted(1, 1, -1, -1))
        rect = whole.adjusted(BLEED, 0, -BLEED, 0)
        columns = columns_for(rect.width())
        cells = Cells(painter, rect, direction, scheme, columns)
        cells.hairline()
        cells.check(_TICK, Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked)
        on = bool(index.data(ToolRole.ON))
        track = QRect(columns_at(columns, rect.width())[_ON][0], (rect.height() - _SWITCH[1]) // 2, *_SWITCH)
        paint_switch(painter, track.translated(rect.topLeft()), rect, scheme, direction, on=on)
        missing = bool(index.data(ToolRole.MISSING))
        colour = scheme.text if on and not missing else scheme.dim
        if columns is _SMALL:
            self._paint_two_lines(cells, rect, index, colour, scheme.dim)
        else:
            width = cells.text(_TOOL, str(index.data()), colour)
            if missing or index.data(ToolRole.CHANGED):
                cells.sign(_TOOL, "attention", width + 12)
                words = self.tr("Tool not found") if missing else self.tr("Changed")
                cells.text(_TOOL, words, scheme.attention_text, "second", inset=width + 27)
            cells.text(_SOURCE, str(index.data(ToolRole.SOURCE)), scheme.dim)
            notes = int(index.data(ToolRole.NOTES) or 0)
            cells.text(_NOTES, messages.count_notes(notes) if notes else "", colour)
            if index.data(ToolRole.ASKS):
                cells.icon(_ASKS, "shield", scheme.dim)
                cells.text(_ASKS, self.tr("Yes"), scheme.dim, inset=22)
            tokens = index.data(ToolRole.TOKENS)
            cells.text(_TOKENS, messages.number(tokens) if tokens is not None else "", scheme.dim)
        view = self.parent()
        if isinstance(view, ToolList) and view.shows_focus(index):
            paint_focus(painter, whole.toRectF(), scheme, 6)
        painter.restore()

    def _paint_two_lines(self, cells: Cells, rect: QRect, index: AnyIndex, colour: str, dim: str) -> None:
        middle = rect.height() // 2
        cells.text(_TOOL, str(index.data()), colour, part=rect.adjusted(0, 6, 0, -middle))
        notes = int(index.data(ToolRole.NOTES) or 0)
        parts = [
            self.tr("Tool not found") if index.data(ToolRole.MISSING) else "",
            str(index.data(ToolRole.SOURCE)),
            messages.count_notes(notes) if notes else "",
            self.tr("Ask me first") if index.data(ToolRole.ASKS) else "",
        ]
        text = " · ".join(part for part in parts if part)
        cells.text(_TOOL, text, dim, "second", part=rect.adjusted(0, middle, 0, -6))


class ToolList(RowView, QListView):
    """List view of :class:`ToolsetTools`. A ticked row is a selected one; keys without ticks act on the current row.

    Signals:
        opened: the index of the row whose page is to be shown.
        switched, removed: rows of the model.
        stepped: the ``RowKey``s to move, and -1 or 1.
        dropped: the dropped ``RowKey``s, and the position in the toolset before which they go.
        ticks_changed: other rows are ticked.
        row_reached: the rectangle of the row that the keyboard has reached.
    """

    opened = Signal(object)
    switched = Signal(object)
    removed = Signal(object)
    stepped = Signal(object, int)
    dropped = Signal(object, int)
    ticks_changed = Signal()
    row_reached = Signal(object)

    def __init__(self, model: ToolsetTools) -> None:
        super().__init__()
        self._tools = model
        self._kept: tuple[list[RowKey], RowKey | None, int] = ([], None, 0)
        self._pressed = -1
        self._pressed_at = QPoint()
        self._ring = False
        self._anchor = 0
        self._row_height = 0
        model.modelAboutToBeReset.connect(self._keep)
        self.setModel(model)
        model.modelReset.connect(self._restore)
        self.setItemDelegate(ToolRowDelegate(self))
        self.setUniformItemSizes(True)
        self.set_up_rows()
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self._add(self.tr("Open"), "Return", self._open)
        self._add(self.tr("Turn on or off"), "", lambda: self._emit_targets(self.switched.emit))
        self._add(self.tr("Move up"), "Alt+Up", lambda: self._step(-1))
        self._add(self.tr("Move down"), "Alt+Down", lambda: self._step(1))
        self._add(self.tr("Remove from this toolset"), "Delete", lambda: self._emit_targets(self.removed.emit))
        self.selectionModel().selectionChanged.connect(lambda _on, _off: self.ticks_changed.emit())

    # --- ticks

    def ticked_rows(self) -> list[int]:
        """Return the ticked rows in order."""
        ranges = self.selectionModel().selection()
        spans = ((ranges.at(place).top(), ranges.at(place).bottom()) for place in range(ranges.count()))
        return sorted(row for top, bottom in spans for row in range(top, bottom + 1))

    def target_rows(self) -> list[int]:
        """Return the ticked rows; without one, the current row."""
        current = self.currentIndex()
        return self.ticked_rows() or ([current.row()] if current.isValid() else [])

    def keys_of(self, rows: list[int]) -> list[RowKey]:
        """Return rows' library keys."""
        keys = (self._tools.key_at(self._tools.index(row)) for row in rows)
        return [key for key in keys if key is not None]

    def tick_all(self, ticked: bool) -> None:
        """Tick all rows, or none."""
        if ticked:
            self.selectAll()
        else:
            self.clearSelection()

    def _tick(self, first: int, last: int, command: QItemSelectionModel.SelectionFlag) -> None:
        model = self.selectionModel()
        for row in range(min(first, last), max(first, last) + 1):
            model.select(self._tools.index(row), command)

    def _keep(self) -> None:
        self._kept = (
            self.keys_of(self.ticked_rows()),
            self._tools.key_at(self.currentIndex()),
            self.currentIndex().row(),
        )

    def _restore(self) -> None:
        ticked, current, place = self._kept
        for key in ticked:
            row = self._tools.row_of(key)
            if row >= 0:
                self._tick(row, row, QItemSelectionModel.SelectionFlag.Select)
        row = self._tools.row_of(current) if current is not None else -1
        self.go_to(row if row >= 0 else max(0, min(place, self._tools.rowCount() - 1)))
        self._fit()
        self.ticks_changed.emit()

    # --- actions

    def _add(self, text: str, keys: str, perform: Callable[[], None]) -> None:
        action = QAction(text, self)
        if keys:
            action.setShortcut(keys)
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        action.triggered.connect(perform)
        self.addAction(action)

    def _open(self) -> None:
        if self.currentIndex().isValid():
            self.opened.emit(self.currentIndex())

    def _emit_targets(self, emit: Callable[[list[int]], None]) -> None:
        if self.target_rows():
            emit(self.target_rows())

    def _step(self, step: int) -> None:
        if self.target_rows():
            self.stepped.emit(self.keys_of(self.target_rows()), step)

    # --- mouse and keys

    def selectionCommand(self, index: AnyIndex, event: QEvent | None = None) -> QItemSelectionModel.SelectionFlag:
        """Tick nothing by moving: Space, a press on a box and Shift do."""
        return QItemSelectionModel.SelectionFlag.NoUpdate

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._ring = False
        index = self.indexAt(event.position().toPoint())
        if event.button() is not Qt.MouseButton.LeftButton or not index.isValid():
            if index.isValid():
                self.go_to(index.row())
            return
        self._pressed, self._pressed_at = index.row(), event.position().toPoint()
        self.go_to(index.row())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed < 0 or not event.buttons() & Qt.MouseButton.LeftButton:
            super().mouseMoveEvent(event)
            return
        moved = event.position().toPoint() - self._pressed_at
        if moved.manhattanLength() >= QApplication.startDragDistance():
            self.startDrag(Qt.DropAction.CopyAction)
            self._pressed = -1

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, self._pressed = self._pressed, -1
        index = self.indexAt(event.position().toPoint())
        if pressed < 0 or index.row() != pressed:
            return
        flag = QItemSelectionModel.SelectionFlag
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._tick(self._anchor, pressed, flag.Select)
            return
        column = self._column_at(event.position().toPoint())
        self._anchor = pressed
        if column == _TICK or event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._tick(pressed, pressed, flag.Toggle)
        elif column == _ON:
            self.switched.emit([pressed])
        else:
            self.opened.emit(index)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.mousePressEvent(event)

    def _column_at(self, place: QPoint) -> str:
        whole = self.viewport().width()
        x = whole - place.x() if self.isRightToLeft() else place.x()
        places = columns_at(columns_for(whole - 2 * BLEED), whole - 2 * BLEED)
        return next((name for name, (left, width) in places.items() if x - BLEED < left + width), _TOOL)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self._ring = True
        flag = QItemSelectionModel.SelectionFlag
        row = self.currentIndex().row()
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.key() == Qt.Key.Key_Space and row >= 0:
            self._anchor = row
            self._tick(row, row, flag.Toggle)
        elif event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down) and shift and row >= 0:
            new = max(0, min(self._tools.rowCount() - 1, row + (1 if event.key() == Qt.Key.Key_Down else -1)))
            self._tick(row, new, flag.Select)
            self.go_to(new)
        elif event.key() == Qt.Key.Key_Escape and self.ticked_rows():
            self.clearSelection()
        else:
            super().keyPressEvent(event)
            return
        event.accept()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._ring = event.reason() in KEYBOARD_REASONS
        if not self.currentIndex().isValid():
            self.go_to(0)

    def currentChanged(self, current: AnyIndex, previous: AnyIndex) -> None:
        super().currentChanged(current, previous)
        if self.hasFocus() and self._ring and current.isValid():
            self.row_reached.emit(self.visualRect(current))

    def go_to(self, row: int) -> None:
        """Make a row the current one."""
        self.selectionModel().setCurrentIndex(self._tools.index(row), QItemSelectionModel.SelectionFlag.NoUpdate)

    def shows_focus(self, index: AnyIndex) -> bool:
        """Return True if a row shows the keyboard focus."""
        return self._ring and self.hasFocus() and index == self.currentIndex()

    # --- size: as high as its rows, since the page scrolls

    def _fit(self) -> None:
        of_one = row_height(self.width() - 2 * BLEED)
        if of_one != self._row_height:
            self._row_height = of_one
            self.doItemsLayout()
        height = self._tools.rowCount() * of_one
        if height != self.height():
            self.setFixedHeight(max(height, 1))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    # --- drags

    def drag_data(self) -> tuple[QMimeData, int] | None:
        rows = self.ticked_rows()
        if self._pressed >= 0 and self._pressed not in rows:
            rows = [self._pressed]
        rows = rows or self.target_rows()
        return (self._tools.mimeData([self._tools.index(row) for row in rows]), len(rows)) if rows else None

    def accepts(self, data: QMimeData) -> bool:
        return bool(keys_in(data))

    def place_for(self, data: QMimeData, point: QPoint) -> int | None:
        """Return the row before which a drop goes: before a row in its upper half, else after it."""
        if not keys_in(data):
            return None
        index = self.indexAt(point)
        if not index.isValid():
            return self._tools.rowCount()
        return index.row() + (point.y() > self.visualRect(index).center().y())

    def drop(self, data: QMimeData, place: int, *, moves: bool) -> None:
        self.dropped.emit(keys_in(data), self._tools.place_at(place))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.drop_mark is None:
            return
        count = self._tools.rowCount()
        row = self.visualRect(self._tools.index(min(self.drop_mark, count - 1)))
        height = row.bottom() if self.drop_mark >= count else max(row.top(), 1)
        painter = QPainter(self.viewport())
        painter.setPen(QPen(QColor(colours(self.palette()).accent), 2))
        painter.drawLine(BLEED, height, self.viewport().width() - BLEED, height)


class ToolListHead(QWidget):
    """Heads of the table's columns, and the box that ticks all rows."""

    def __init__(self, view: ToolList) -> None:
        super().__init__()
        self._view = view
        self.box = _AllBox(self.tr("Select all tools"))
        self.box.setParent(self)
        self.box.clicked.connect(lambda _on: view.tick_all(self.box.state is not Qt.CheckState.Checked))
        self.setFixedHeight(round(40 * text_scale()))
        view.ticks_changed.connect(self._show_state)

    def _show_state(self) -> None:
        count, ticked = self._view.model().rowCount(), len(self._view.ticked_rows())
        state = Qt.CheckState
        self.box.show_state(
            state.Unchecked if not ticked else state.Checked if ticked == count else state.PartiallyChecked
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        side = self.box.width()
        left = self.width() - BLEED - side + 4 if self.isRightToLeft() else BLEED - 4
        self.box.move(left, (self.height() - side) // 2)

    def paintEvent(self, event: QPaintEvent) -> None:
        scheme = colours(self.palette())
        rect = self.rect().adjusted(BLEED, 0, -BLEED, 0)
        columns = columns_for(rect.width())
        cells = Cells(QPainter(self), rect, self.layoutDirection(), scheme, columns)
        heads = {
            _ON: self.tr("On"),
            _TOOL: self.tr("Tool"),
            _SOURCE: self.tr("Source"),
            _NOTES: self.tr("Notes"),
            _ASKS: self.tr("Ask me first") if columns is _WIDE else "",
            _TOKENS: self.tr("Tokens"),
        }
        for name, text in heads.items():
            if cells.has(name):
                cells.text(name, text, scheme.dim, "group")
        cells.hairline()


class _AllBox(PaintedButton):
    """Check box with a third state, for all rows of the table."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.state = Qt.CheckState.Unchecked
        side = round(16 * text_scale()) + 8
        self.setFixedSize(side, side)
        self.setToolTip(name)

    def show_state(self, state: Qt.CheckState) -> None:
        """Show how many rows are ticked: none, some or all."""
        self.state = state
        texts = {
            Qt.CheckState.Unchecked: self.tr("none selected"),
            Qt.CheckState.PartiallyChecked: self.tr("some selected"),
            Qt.CheckState.Checked: self.tr("all selected"),
        }
        self.setAccessibleDescription(texts[state])
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = self.rect().toRectF().adjusted(4.5, 4.5, -4.5, -4.5)
        paint_check(painter, box, self.state, colours(self.palette()), focused=self._ring)
