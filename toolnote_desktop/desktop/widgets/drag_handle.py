"""Drag handle of a card: the room beside its name."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QEnterEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QSizePolicy, QWidget

from toolnote_desktop.desktop.theme.colours import colours


class DragHandle(QWidget):
    """Handle that shows dots on hover. The card's menu has the drag's actions too.

    Signals:
        lifted: a drag begins.
    """

    lifted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._start: QPoint | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setCursor(Qt.CursorShape.OpenHandCursor)
        self.setToolTip(self.tr("Drag to another place, or onto a toolset, a tool source or a tool in the library"))

    def sizeHint(self) -> QSize:
        return QSize(24, 20)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._start = event.globalPosition().toPoint()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._start is None:
            return
        way = event.globalPosition().toPoint() - self._start
        if way.manhattanLength() >= QApplication.startDragDistance():
            self._start = None  # the drag takes the mouse: its release never comes here
            self.lifted.emit()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._start = None

    def enterEvent(self, event: QEnterEvent) -> None:
        self.update()

    def leaveEvent(self, event: object) -> None:
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.underMouse():
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours(self.palette()).faint))
        middle = QPointF(self.rect().center())
        for row in (-2.5, 2.5):
            for step in (-5.0, 0.0, 5.0):
                painter.drawEllipse(middle + QPointF(step, row), 1.2, 1.2)
