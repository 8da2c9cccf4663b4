"""Combo box styled like the other fields."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QComboBox, QStyledItemDelegate, QWidget

from toolnote_desktop.desktop.theme.colours import colours


class ComboBox(QComboBox):
    """Choice of one of a few values.

    Signals:
        chosen: the value that the user selected.
    """

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("mirrored", self.isRightToLeft())
        self.setItemDelegate(QStyledItemDelegate(self))  # follows the style sheet; a combo box's own does not
        self.activated.connect(lambda _row: self.chosen.emit(self.currentData()))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the arrow, since a style sheet has none of its own."""
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(colours(QGuiApplication.palette()).dim), 1.6))
        mirrored = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        x = 16.0 if mirrored else self.width() - 16.0
        y = self.height() / 2
        painter.drawPolyline([QPointF(x - 4, y - 2), QPointF(x, y + 2), QPointF(x + 4, y - 2)])
        painter.end()
