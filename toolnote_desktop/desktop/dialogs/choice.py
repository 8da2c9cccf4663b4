"""A combo box that looks like the other fields."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QComboBox, QWidget

from toolnote_desktop.desktop.theme import colours

CHOICE_SHEET = """
QComboBox {{
    background: {card}; border: 1px solid {edge}; border-radius: 8px; padding: 5px 28px 5px 10px;
}}
QComboBox:hover {{ background: {hover}; }}
QComboBox:focus {{ border: 2px solid {accent}; padding: 4px 27px 4px 9px; }}
QComboBox::drop-down {{ border: none; width: 0px; }}
QComboBox QAbstractItemView {{
    background: {card}; color: {text}; border: 1px solid {edge}; padding: 4px; outline: none;
    selection-background-color: {accent_ground}; selection-color: {text};
}}
QComboBox QAbstractItemView::item {{ padding: 5px 8px; border-radius: 4px; }}
"""


class Choice(QComboBox):
    """One of a few values.

    Signals:
        chosen: the value that the user has chosen.
    """

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.activated.connect(lambda _row: self.chosen.emit(self.currentData()))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Qt's hook: a style sheet has no arrow of its own."""
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(colours(QGuiApplication.palette()).dim), 1.6))
        mirrored = self.layoutDirection() is Qt.LayoutDirection.RightToLeft
        x = 16.0 if mirrored else self.width() - 16.0
        y = self.height() / 2
        painter.drawPolyline([QPointF(x - 4, y - 2), QPointF(x, y + 2), QPointF(x + 4, y - 2)])
        painter.end()
