"""Drag handle of a card, at the start of its first line."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QSizePolicy, QWidget

from toolnote_desktop.desktop.theme.colours import colours
from toolnote_desktop.desktop.theme.fonts import text_scale
from toolnote_desktop.desktop.theme.icons import draw_icon


class DragHandle(QWidget):
    """Handle of dots. The card's menu has the drag's actions too.

    Signals:
        lifted: a drag begins.
    """

    lifted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._start: QPoint | None = None
        self._is_shown = False
        self.setFixedWidth(round(12 * text_scale()))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.setCursor(Qt.CursorShape.OpenHandCursor)
        self.setToolTip(self.tr("Drag to another place, or onto a toolset, a tool source or a tool in the library"))

    def set_shown(self, shown: bool) -> None:
        """Show the dots while the pointer is over the card; their room stays."""
        if shown is not self._is_shown:
            self._is_shown = shown
            self.update()

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

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._is_shown:
            colour = QColor(colours(self.palette()).dim)
            draw_icon(QPainter(self), "grip", QRectF(self.rect()), colour, self.width())
