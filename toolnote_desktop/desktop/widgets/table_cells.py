"""Cells of painted tables: texts, check boxes and hairlines, placed by columns and mirrored from right to left."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QStyle

from toolnote_desktop.desktop.theme.colours import Colours
from toolnote_desktop.desktop.theme.fonts import TextStyle, style_font, text_scale
from toolnote_desktop.desktop.theme.icons import IconName, Sign, draw_icon, draw_sign

CHECK_SIDE = 16
GAP = 12
"""Pixels between a column's text and the next column."""


class Column(Struct, frozen=True):
    """Column of a table; a width of 0 takes the rest. ``at_end``: its text is at its far edge."""

    name: str
    width: int = 0
    at_end: bool = False


def columns_at(columns: Sequence[Column], whole: int) -> dict[str, tuple[int, int]]:
    """Return each column's offset and width in a row of ``whole`` pixels, before mirroring."""
    scale = min(text_scale(), 1.4)
    fixed = sum(round(one.width * scale) for one in columns)
    stretching = sum(not one.width for one in columns)
    rest = max(0, whole - fixed) // max(stretching, 1)
    places, left = {}, 0
    for one in columns:
        width = round(one.width * scale) if one.width else rest
        places[one.name] = (left, width)
        left += width
    return places


class Cells:
    """Painter of one row or head of a table."""

    def __init__(
        self,
        painter: QPainter,
        rect: QRect,
        direction: Qt.LayoutDirection,
        scheme: Colours,
        columns: Sequence[Column],
    ) -> None:
        self._painter, self._rect, self._direction, self._scheme = painter, rect, direction, scheme
        self._columns = {one.name: one for one in columns}
        self._places = columns_at(columns, rect.width())

    def has(self, column: str) -> bool:
        """Return True if the table shows a column."""
        return column in self._columns

    def place(self, column: str) -> QRect:
        """Return the rectangle of a column's cell."""
        left, width = self._places[column]
        return self._visual(left, width)

    def text(
        self,
        column: str,
        text: str,
        colour: str,
        style: TextStyle = "text",
        *,
        inset: int = 0,
        part: QRect | None = None,
    ) -> int:
        """Paint a text, elided where it is too long, and return its width.

        Args:
            inset: pixels from the column's start.
            part: the rows' part that it is painted in, where a cell has two lines.
        """
        left, width = self._places[column]
        at_end = self._columns[column].at_end
        is_last = left + width >= self._rect.width()
        room = width - inset - (0 if is_last else GAP)
        if not text or room <= 0:
            return 0
        font: QFont = style_font(style, figures=at_end)
        self._painter.setFont(font)
        self._painter.setPen(QColor(colour))
        metrics = QFontMetrics(font)
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
        side = Qt.AlignmentFlag.AlignRight if at_end else Qt.AlignmentFlag.AlignLeft
        aligned = QStyle.visualAlignment(self._direction, side) | Qt.AlignmentFlag.AlignVCenter
        cell = self._visual(left + inset, room)
        if part is not None:
            cell.setTop(part.top())
            cell.setBottom(part.bottom())
        self._painter.drawText(cell, aligned, shown)
        return min(room, metrics.horizontalAdvance(shown))

    def icon(self, column: str, icon: IconName, colour: str) -> None:
        """Paint an icon at the start of a column."""
        left, _ = self._places[column]
        draw_icon(self._painter, icon, self._visual(left, 16), QColor(colour), 16)

    def sign(self, column: str, sign: Sign, inset: int) -> None:
        """Paint the sign of a state ``inset`` pixels from a column's start."""
        left, _ = self._places[column]
        draw_sign(self._painter, sign, QRectF(self._visual(left + inset, 10)).center(), self._scheme)

    def check(self, column: str, state: Qt.CheckState, *, focused: bool = False) -> None:
        """Paint a check box at the start of a column."""
        left, _ = self._places[column]
        side = round(CHECK_SIDE * text_scale())
        place = self._visual(left, side)
        box = QRectF(place.left() + 0.5, place.center().y() - side // 2 + 0.5, side - 1, side - 1)
        paint_check(self._painter, box, state, self._scheme, focused=focused)

    def hairline(self) -> None:
        """Paint the line below the row."""
        rect = self._rect
        self._painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, QColor(self._scheme.line))

    def _visual(self, left: int, width: int) -> QRect:
        place = QRect(self._rect.left() + left, self._rect.top(), width, self._rect.height())
        return QStyle.visualRect(self._direction, self._rect, place)


def paint_check(
    painter: QPainter, box: QRectF, state: Qt.CheckState, scheme: Colours, *, focused: bool = False
) -> None:
    """Paint a check box: empty, ticked, or with a bar where only some of what it is for is ticked."""
    on = state is not Qt.CheckState.Unchecked
    painter.setBrush(QColor(scheme.accent if on else scheme.card))
    painter.setPen(QPen(QColor(scheme.accent if on else scheme.field), 1))
    painter.drawRoundedRect(box, 4, 4)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if on:
        painter.setPen(QPen(QColor(scheme.on_accent), 1.8))
        points = [(0.22, 0.52), (0.42, 0.71), (0.78, 0.31)]
        if state is Qt.CheckState.PartiallyChecked:
            points = [(0.27, 0.5), (0.73, 0.5)]
        painter.drawPolyline([QPointF(box.x() + x * box.width(), box.y() + y * box.height()) for x, y in points])
    if focused:
        painter.setPen(QPen(QColor(scheme.accent), 2))
        painter.drawRoundedRect(box.adjusted(-3, -3, 3, 3), 6, 6)
