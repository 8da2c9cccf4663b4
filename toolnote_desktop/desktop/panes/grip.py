"""The part of a card that it is dragged by: the room beside its name."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QEnterEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QSizePolicy, QWidget

from toolnote_desktop.desktop.theme import colours


class Grip(QWidget):
    """Shows dots while the mouse is over it. The keys for the same are in the card's menu.

    Signals:
        dragged: where the mouse is on the screen, while it drags.
        dropped: where it was let go.
        given_up: the drag ended without a place.
    """

    dragged = Signal(QPoint)
    dropped = Signal(QPoint)
    given_up = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._start: QPoint | None = None
        self._drags = False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setCursor(Qt.CursorShape.OpenHandCursor)
        self.setToolTip(self.tr("Drag to another place"))

    def sizeHint(self) -> QSize:
        return QSize(24, 20)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._start = event.globalPosition().toPoint()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._start is None:
            return
        here = event.globalPosition().toPoint()
        if not self._drags and (here - self._start).manhattanLength() < QApplication.startDragDistance():
            return
        self._drags = True
        self.setCursor(Qt.CursorShape.ClosedHandCursor)
        self.dragged.emit(here)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        drags, self._drags, self._start = self._drags, False, None
        self.setCursor(Qt.CursorShape.OpenHandCursor)
        if drags and event.button() is Qt.MouseButton.LeftButton:
            self.dropped.emit(event.globalPosition().toPoint())
        elif drags:
            self.given_up.emit()

    def enterEvent(self, event: QEnterEvent) -> None:
        self.update()

    def leaveEvent(self, event: object) -> None:
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.underMouse() and not self._drags:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours(self.palette()).faint))
        middle = QPointF(self.rect().center())
        for row in (-2.5, 2.5):
            for step in (-5.0, 0.0, 5.0):
                painter.drawEllipse(middle + QPointF(step, row), 1.2, 1.2)
