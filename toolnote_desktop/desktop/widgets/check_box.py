"""Check box that is visible in both themes and at each text size."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QGuiApplication, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QCheckBox

from toolnote_desktop.desktop.theme.colours import colours

_GAP = 9


class CheckBox(QCheckBox):
    """Check box with a painted box."""

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        text = metrics.size(Qt.TextFlag.TextShowMnemonic, self.text())
        width = self.text_indent + text.width() + 2 if self.text() else self._side() + 4
        return QSize(width, max(text.height(), self._side()) + 6)

    @property
    def text_indent(self) -> int:
        """Pixels between the start of the check box and its text."""
        return self._side() + _GAP + 2

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def hitButton(self, pos: QPoint) -> bool:
        """Accept clicks on the box and its text only, not beside them."""
        reach = self.sizeHint().width()
        return pos.x() >= self.width() - reach if self._is_mirrored() else pos.x() <= reach

    def paintEvent(self, event: QPaintEvent) -> None:
        scheme = colours(QGuiApplication.palette())
        side = self._side()
        mirrored = self._is_mirrored()
        left = self.width() - side - 2 if mirrored else 2
        box = QRectF(left + 0.5, (self.height() - side) // 2 + 0.5, side - 1, side - 1)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        on, enabled = self.isChecked(), self.isEnabled()
        fill = scheme.accent if on and enabled else scheme.line if on else scheme.card
        edge = scheme.accent if on and enabled else scheme.dim if enabled else scheme.line
        painter.setBrush(QColor(fill))
        painter.setPen(QPen(QColor(edge), 1))
        painter.drawRoundedRect(box, 4, 4)
        if on:
            painter.setPen(QPen(QColor(scheme.on_accent if enabled else scheme.dim), 2))
            points = [(0.24, 0.52), (0.43, 0.71), (0.77, 0.31)]
            painter.drawPolyline([QPointF(box.x() + x * box.width(), box.y() + y * box.height()) for x, y in points])
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(scheme.text if on else scheme.accent), 2))
            painter.drawRoundedRect(box.adjusted(-1, -1, 1, 1), 5, 5)
        painter.setPen(QColor(scheme.text if enabled else scheme.dim))
        beside = (
            self.rect().adjusted(0, 0, -side - _GAP - 2, 0)
            if mirrored
            else self.rect().adjusted(side + _GAP + 2, 0, 0, 0)
        )
        alignment = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeading
        painter.drawText(beside, alignment | Qt.TextFlag.TextShowMnemonic, self.text())
        painter.end()

    def _side(self) -> int:
        return round(self.fontMetrics().height() * 1.05)

    def _is_mirrored(self) -> bool:
        return self.layoutDirection() is Qt.LayoutDirection.RightToLeft
