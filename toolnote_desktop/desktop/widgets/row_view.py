"""Set-up and drags that the views of library rows share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QMimeData, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QDrag,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QFontMetrics,
    QPainter,
    QPen,
    QPixmap,
)
from PySide6.QtWidgets import QAbstractItemView, QWidget

from toolnote_desktop.desktop.theme.colours import colours
from toolnote_desktop.desktop.theme.fonts import text_font, text_scale

ROW_HEIGHT: Final = 28
"""Pixels of a dragged row, before scaling by the text size."""

if TYPE_CHECKING:
    _View = QAbstractItemView
else:
    _View = object  # PySide allows one Qt class among a widget's bases


class RowView(_View):
    """Mixin of views whose rows are selected together, dragged, and dropped on; list it before the view's Qt class.

    ``drop_mark`` is the place that a drop would go to, in the subclass's own terms; None while nothing fits.
    """

    drop_mark: Any = None

    def drag_data(self) -> tuple[QMimeData, int] | None:
        """Return the data of the selected rows and their count; None if they cannot be dragged."""
        raise NotImplementedError

    def accepts(self, data: QMimeData) -> bool:
        """Return True if dragged data may fit somewhere in the view."""
        raise NotImplementedError

    def place_for(self, data: QMimeData, point: QPoint) -> Any:
        """Return the place that a drop at a point would go to; None where it does not fit."""
        raise NotImplementedError

    def drop(self, data: QMimeData, place: Any, *, moves: bool) -> None:
        """Apply a drop."""
        raise NotImplementedError

    def set_up_rows(self) -> None:
        """Configure selection, scrolling and drags."""
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setMouseTracking(True)
        self.setDragEnabled(True)
        self.setAcceptDrops(True)
        self.setDropIndicatorShown(False)
        self.viewport().setAutoFillBackground(False)

    def show_drop(self, mark: object) -> None:
        """Mark the place of a drop, or remove the mark."""
        if mark != self.drop_mark:
            self.drop_mark = mark
            self.viewport().update()

    def startDrag(self, supportedActions: Qt.DropAction) -> None:  # noqa: N803 - Qt's own name
        dragged = self.drag_data()
        if dragged is not None:
            data, count = dragged
            drag = QDrag(self)
            drag.setMimeData(data)
            drag.setPixmap(drag_pixmap(self, str(self.currentIndex().data() or ""), count))
            drag.exec(Qt.DropAction.CopyAction)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if self.accepts(event.mimeData()):
            event.acceptProposedAction()
        else:
            event.ignore()  # it may be a file, which the window takes

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        super().dragLeaveEvent(event)
        self.show_drop(None)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        super().dragMoveEvent(event)  # scrolls, and opens what the mouse rests on
        place = self.place_for(event.mimeData(), event.position().toPoint())
        self.show_drop(place)
        if place is not None:
            event.acceptProposedAction()
        else:
            event.ignore()

    def dropEvent(self, event: QDropEvent) -> None:
        self.show_drop(None)
        self.setState(QAbstractItemView.State.NoState)
        place = self.place_for(event.mimeData(), event.position().toPoint())
        if place is not None:
            event.acceptProposedAction()
            self.drop(event.mimeData(), place, moves=event.dropAction() is Qt.DropAction.MoveAction)
        else:
            event.ignore()


def drag_pixmap(widget: QWidget, text: str, count: int) -> QPixmap:
    """Return the drag image of rows: the name of the first and their count."""
    scheme = colours(widget.palette())
    font = text_font()
    metrics = QFontMetrics(font)
    shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, 220)
    if count > 1:
        shown = f"{shown}  +{count - 1}"
    size = QSize(metrics.horizontalAdvance(shown) + 24, round(ROW_HEIGHT * text_scale()))
    ratio = widget.devicePixelRatioF()
    picture = QPixmap(size * ratio)
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(QColor(scheme.accent_ground))
    painter.setPen(QPen(QColor(scheme.accent), 1))
    painter.drawRoundedRect(QRectF(0.5, 0.5, size.width() - 1, size.height() - 1), 6, 6)
    painter.setFont(font)
    painter.setPen(QColor(scheme.text))
    painter.drawText(QRect(0, 0, size.width(), size.height()), Qt.AlignmentFlag.AlignCenter, shown)
    painter.end()
    return picture
