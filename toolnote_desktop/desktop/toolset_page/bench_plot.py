"""Plot of a run of the bench: both shares as points and the interval of their difference, one row a figure."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from toolnote_desktop.bench.run import SHARES, Report
from toolnote_desktop.bench.statistics import Difference
from toolnote_desktop.desktop.theme.colours import Colours, colours
from toolnote_desktop.desktop.theme.fonts import line_height, style_font, text_scale

_ROW: Final = 44
_NAME_WIDTH: Final = 160
_POINT: Final = 5


class BenchPlot(QWidget):
    """Rows from -100 to +100 points: a line at zero, the interval as a bar, the difference as a disc."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: list[tuple[str, Difference]] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_report(self, report: Report, names: dict[str, str], text: str) -> None:
        """Show the shares of a report. ``names``: figure -> its words; ``text`` says all of it, for screen readers."""
        self._rows = [(names[name], found) for name, found in report.figures.items() if name in SHARES]
        self.setAccessibleName(text)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(320, round(_ROW * text_scale()) * len(self._rows) + line_height("second") + 8)

    def minimumSizeHint(self) -> QSize:
        return QSize(240, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        scheme = colours(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        row = round(_ROW * text_scale())
        names = min(round(_NAME_WIDTH * text_scale()), self.width() // 2)
        left, right = names + 12, self.width() - 12
        middle, high = (left + right) / 2, row * len(self._rows)
        painter.setPen(QPen(QColor(scheme.edge), 1))
        painter.drawLine(QPointF(middle, 4), QPointF(middle, high))
        for number, (name, found) in enumerate(self._rows):
            self._paint_row(painter, scheme, QRectF(0, number * row, self.width(), row), (name, found), (left, right))
        painter.setFont(style_font("second", figures=True))
        painter.setPen(QColor(scheme.dim))
        line = line_height("second")
        for share, align in (
            (-1, Qt.AlignmentFlag.AlignLeft),
            (0, Qt.AlignmentFlag.AlignHCenter),
            (1, Qt.AlignmentFlag.AlignRight),
        ):
            painter.drawText(QRectF(left, high + 4, right - left, line), align, f"{100 * share:+d} %" if share else "0")

    def _paint_row(
        self,
        painter: QPainter,
        scheme: Colours,
        area: QRectF,
        figure: tuple[str, Difference],
        ends: tuple[float, float],
    ) -> None:
        name, found = figure
        left, right = ends

        def at(share: float) -> float:
            return left + (right - left) * (min(max(share, -1.0), 1.0) + 1) / 2

        painter.setFont(style_font("text"))
        painter.setPen(QColor(scheme.text))
        words = QRectF(0, area.top(), left - 12, area.height())
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, name)
        claimed = found.low > 0 or found.high < 0
        colour = QColor(scheme.dim if not claimed else scheme.accent if found.value > 0 else scheme.wrong)
        middle = area.center().y()
        painter.setPen(QPen(colour, 3, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawLine(QPointF(at(found.low), middle), QPointF(at(found.high), middle))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawEllipse(QPointF(at(found.value), middle), _POINT, _POINT)
