"""Buttons painted without the style, crisp at each scale: icons drawn in lines, and a switch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFocusEvent, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QMenu, QSizePolicy, QStyle

from toolnote_desktop.desktop.theme.colours import colours
from toolnote_desktop.desktop.theme.fonts import text_font
from toolnote_desktop.desktop.widgets.basics import KEYBOARD_REASONS

IconKind = Literal["more", "close", "menu", "plus"]

_LINES: Final[dict[str, tuple[tuple[float, float, float, float], ...]]] = {
    "close": ((-3.5, -3.5, 3.5, 3.5), (-3.5, 3.5, 3.5, -3.5)),
    "menu": ((-6, -4, 6, -4), (-6, 0, 6, 0), (-6, 4, 6, 4)),
    "plus": ((-4.5, 0, 4.5, 0), (0, -4.5, 0, 4.5)),
}


class PaintedButton(QAbstractButton):
    """Base of painted buttons: accessible name and keyboard focus frame."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self._ring = False

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._ring = event.reason() in KEYBOARD_REASONS

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._ring = False


class IconButton(PaintedButton):
    """Small square button with an icon."""

    def __init__(self, icon: IconKind, name: str, *, pressed: Callable[[], object] | None = None) -> None:
        super().__init__(name)
        self._icon = icon
        self.setToolTip(name)
        self.setFixedSize(26, 24)
        if pressed is not None:
            self.clicked.connect(lambda _checked: pressed())

    def open_menu(self, menu: QMenu) -> None:
        """Show a menu below this button, the far edges of both in line."""
        if self.isRightToLeft():
            menu.popup(self.mapToGlobal(self.rect().bottomLeft() + QPoint(0, 2)))
        else:
            menu.popup(self.mapToGlobal(self.rect().bottomRight() + QPoint(1 - menu.sizeHint().width(), 2)))

    def paintEvent(self, event: QPaintEvent) -> None:
        scheme = colours(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        hovered = self.isEnabled() and self.underMouse()
        if hovered or self.isDown():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(scheme.pressed if self.isDown() else scheme.hover))
            painter.drawRoundedRect(self.rect(), 6, 6)
        if self._ring:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(scheme.accent), 2))
            painter.drawRoundedRect(self.rect().adjusted(1, 1, -1, -1), 5, 5)
        colour = QColor(scheme.text if hovered else scheme.dim if self.isEnabled() else scheme.faint)
        draw_icon(painter, self._icon, self.rect(), colour)


def draw_icon(painter: QPainter, icon: IconKind, rect: QRect, colour: QColor) -> None:
    """Draw an icon in the middle of ``rect``."""
    middle = QRectF(rect).center()
    if icon == "more":
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        for offset in (-5.0, 0.0, 5.0):
            painter.drawEllipse(middle + QPointF(offset, 0), 1.4, 1.4)
        return
    pen = QPen(colour, 1.5)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    painter.setPen(pen)
    for left, top, right, bottom in _LINES[icon]:
        painter.drawLine(middle + QPointF(left, top), middle + QPointF(right, bottom))


class Switch(PaintedButton):
    """Switch with its word beside it; a check box to screen readers."""

    def __init__(self, on_text: str, off_text: str, name: str) -> None:
        super().__init__(name)
        self._texts = (off_text, on_text)
        self.setCheckable(True)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.toggled.connect(self._say)
        self._say()

    def _say(self) -> None:
        self.setText(self._texts[self.isChecked()])
        self.setAccessibleDescription(self.text())

    def show_state(self, on: bool) -> None:
        """Set the state without emitting a signal."""
        if self.isChecked() != on:
            before = self.blockSignals(True)
            self.setChecked(on)
            self.blockSignals(before)
            self._say()
            self.update()

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(text_font())
        widest = max(metrics.horizontalAdvance(text) for text in self._texts)
        return QSize(36 + 8 + widest + 1, max(26, metrics.height() + 6))

    def hitButton(self, pos: QPoint) -> bool:
        return self.rect().contains(pos)

    def paintEvent(self, event: QPaintEvent) -> None:
        scheme = colours(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        whole = self.rect()
        track_left = QRect(4, (whole.height() - 18) // 2, 32, 18)
        track = QStyle.visualRect(self.layoutDirection(), whole, track_left)
        on = self.isChecked()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(scheme.accent if on else scheme.faint))
        painter.drawRoundedRect(track, 9, 9)
        knob_left = QRect(track_left.left() + (16 if on else 2), track_left.top() + 2, 14, 14)
        painter.setBrush(QColor(scheme.on_accent if on else scheme.card))
        painter.drawEllipse(QStyle.visualRect(self.layoutDirection(), whole, knob_left))
        painter.setPen(QColor(scheme.text if on else scheme.dim))
        text = QStyle.visualRect(self.layoutDirection(), whole, whole.adjusted(44, 0, 0, 0))
        aligned = QStyle.visualAlignment(
            self.layoutDirection(), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        )
        painter.drawText(text, aligned, self.text())
        if self._ring:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(scheme.accent), 2))
            painter.drawRoundedRect(QRectF(track).adjusted(-2.5, -2.5, 2.5, 2.5), 11, 11)
