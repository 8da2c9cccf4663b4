"""Section of a page that is collapsed to one line: its name and a summary of its content."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QStyle, QVBoxLayout, QWidget

from toolnote_desktop.desktop.theme.colours import colours
from toolnote_desktop.desktop.theme.fonts import text_font
from toolnote_desktop.desktop.theme.motion import unfold
from toolnote_desktop.desktop.widgets.basics import column
from toolnote_desktop.desktop.widgets.controls import PaintedButton

_SIDE = 16
_SIGN = 14


class CollapsibleHeader(PaintedButton):
    """Header line: a triangle, a name, and a summary on the right. Screen readers read all three."""

    def __init__(self, name: str, side: int) -> None:
        super().__init__(name)
        self._name = name
        self._side = side
        self._summary = ""
        self.setCheckable(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.toggled.connect(self._say)
        self._say()

    def rename(self, name: str) -> None:
        """Change the name."""
        self._name = name
        self._say()
        self.update()

    def summarise(self, text: str) -> None:
        """Set the summary on the right."""
        self._summary = text
        self._say()
        self.update()

    def _say(self) -> None:
        self.setAccessibleName(f"{self._name}: {self._summary}" if self._summary else self._name)
        self.setAccessibleDescription(self.tr("open") if self.isChecked() else self.tr("closed"))

    def sizeHint(self) -> QSize:
        return QSize(240, max(38, QFontMetrics(text_font()).height() + 20))

    def paintEvent(self, event: QPaintEvent) -> None:
        scheme = colours(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        whole = self.rect()
        if self.underMouse():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(scheme.hover))
            painter.drawRoundedRect(whole.adjusted(2, 2, -2, -2), 8, 8)
        direction = self.layoutDirection()
        sign = QStyle.visualRect(direction, whole, QRect(self._side - 4, 0, _SIGN, whole.height()))
        pen = QPen(QColor(scheme.dim), 1.5)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        middle = QPointF(sign.center()) + QPointF(0.5, 0.5)
        if self.isChecked():
            points = [QPointF(-3.5, -1.8), QPointF(0, 1.8), QPointF(3.5, -1.8)]
        else:
            turn = -1 if direction is Qt.LayoutDirection.RightToLeft else 1
            points = [QPointF(-1.8 * turn, -3.5), QPointF(1.8 * turn, 0), QPointF(-1.8 * turn, 3.5)]
        painter.drawPolyline([middle + point for point in points])
        font = text_font()
        font.setWeight(QFont.Weight.Medium)
        painter.setFont(font)
        painter.setPen(QColor(scheme.text))
        metrics = QFontMetrics(font)
        left = self._side + _SIGN + 4
        name_width = metrics.horizontalAdvance(self._name) + 2
        alignment = QStyle.visualAlignment(direction, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        name = QRect(left, 0, name_width, whole.height())
        painter.drawText(QStyle.visualRect(direction, whole, name), alignment, self._name)
        room = whole.width() - left - name_width - 20 - self._side
        if room > 30 and self._summary:
            small = text_font(change=-1)
            painter.setFont(small)
            painter.setPen(QColor(scheme.dim))
            text = QFontMetrics(small).elidedText(self._summary, Qt.TextElideMode.ElideRight, room)
            place = QRect(whole.width() - self._side - room, 0, room, whole.height())
            far = QStyle.visualAlignment(direction, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            painter.drawText(QStyle.visualRect(direction, whole, place), far, text)
        if self._ring:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(scheme.accent), 2))
            painter.drawRoundedRect(whole.adjusted(2, 2, -2, -2), 7, 7)


class Collapsible(QWidget):
    """Header and the content that it expands.

    Signals:
        opened: it was expanded, for content that is created only then.
    """

    opened = Signal()

    def __init__(self, name: str, *, flat: bool = False) -> None:
        """``flat``: in line with what is above it, for an inspector."""
        super().__init__()
        side = 4 if flat else _SIDE
        self.header = CollapsibleHeader(name, side)
        self.inside = QWidget()
        margins = (0, 4, 0, 16) if flat else (_SIDE + _SIGN + 4, 4, _SIDE, 16)
        self.body: QVBoxLayout = column(self.inside, margins, 14)
        self.inside.hide()
        whole = column(self, spacing=0)
        whole.addWidget(self.header)
        whole.addWidget(self.inside)
        self.header.toggled.connect(self._toggle)

    @property
    def is_open(self) -> bool:
        """True if the content is visible."""
        return self.header.isChecked()

    def open(self) -> None:
        """Expand the section."""
        self.header.setChecked(True)

    def _toggle(self, on: bool) -> None:
        if on:
            self.opened.emit()
            unfold(self.inside)
        else:
            self.inside.hide()
