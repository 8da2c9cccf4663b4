"""Chart of the calls of each day, as buttons that open the activity of their day."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Final

from PySide6.QtCore import QLocale, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.theme.colours import colours
from toolnote_desktop.desktop.theme.fonts import line_height, style_font, text_scale
from toolnote_desktop.desktop.widgets.controls import PaintedButton, paint_focus
from toolnote_desktop.store.activity_queries import Day

_BAR_WIDTH: Final = 32
_BAR_HEIGHT: Final = 104


class _DayButton(PaintedButton):
    """Bar of one day."""

    def __init__(self, day: Day, most: int, today: date) -> None:
        super().__init__("")
        self.day = day
        self._most = most
        is_today = day.date == today
        name = QLocale().dayName(day.date.isoweekday(), QLocale.FormatType.ShortFormat)
        self._name = self.tr("Today") if is_today else name
        self._failed = self.tr("{count} failed").format(count=messages.number(day.failed)) if day.failed else ""
        calls = self.tr("1 call") if day.calls == 1 else self.tr("%n calls", "", day.calls)
        self.setAccessibleName(", ".join(part for part in (self._name, calls, self._failed) if part))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(44)

    def sizeHint(self) -> QSize:
        return QSize(80, round((20 + _BAR_HEIGHT) * text_scale()) + 2 * line_height("second") + 10)

    def paintEvent(self, event: QPaintEvent) -> None:
        scheme = colours(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        below = 2 * line_height("second") + 8
        ground = self.height() - below
        whole = self.rect()
        middle = whole.width() / 2
        high = round(_BAR_HEIGHT * text_scale())
        bar = round(high * self.day.calls / self._most) if self._most else 0
        bar = max(bar, 4) if self.day.calls else 0
        failed = max(3, round(bar * self.day.failed / self.day.calls)) if self.day.failed else 0
        left = middle - _BAR_WIDTH / 2
        top = ground - bar
        if self.underMouse() and self.isEnabled():
            painter.setBrush(QColor(scheme.hover))
            painter.drawRoundedRect(QRectF(whole).adjusted(2, 0, -2, 0), 6, 6)
        if bar:
            painter.setBrush(QColor(scheme.bar))
            gap = failed + 2 if failed else 0
            painter.drawRoundedRect(QRectF(left, top, _BAR_WIDTH, max(2, bar - gap)), 2, 2)
        if failed:
            painter.setBrush(QColor(scheme.wrong))
            painter.drawRect(QRectF(left, ground - failed, _BAR_WIDTH, failed))
        painter.fillRect(0, ground, whole.width(), 1, QColor(scheme.edge))
        centred = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignVCenter
        painter.setFont(style_font("second", figures=True))
        painter.setPen(QColor(scheme.text))
        line = line_height("second")
        painter.drawText(QRect(0, top - line - 3, whole.width(), line), centred, messages.number(self.day.calls))
        painter.setPen(QColor(scheme.dim))
        painter.drawText(QRect(0, ground + 6, whole.width(), line), centred, self._name)
        painter.setPen(QColor(scheme.wrong))
        shown = QFontMetrics(style_font("second", figures=True)).elidedText(
            self._failed, Qt.TextElideMode.ElideRight, whole.width()
        )
        painter.drawText(QRect(0, ground + 8 + line, whole.width(), line), centred, shown)
        if self._ring:
            paint_focus(painter, QRectF(whole), scheme, 6)


class CallsChart(QWidget):
    """Bars of some days.

    Signals:
        day_pressed: the ``date`` of a bar that was pressed.
    """

    day_pressed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Calls of each day"))
        self._days: tuple[Day, ...] | None = None
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(0)

    @property
    def days(self) -> tuple[Day, ...]:
        """Days that are shown."""
        return self._days or ()

    def show_days(self, days: Sequence[Day], today: date) -> None:
        """Show these days."""
        if tuple(days) == self._days:
            return
        self._days = tuple(days)
        while (item := self._row.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        most = max((day.calls for day in days), default=0)
        for day in days:
            button = _DayButton(day, most, today)
            button.clicked.connect(lambda _on, day=day: self.day_pressed.emit(day.date))
            self._row.addWidget(button)
