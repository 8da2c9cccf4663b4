"""The window's fonts and its text size relative to the drawings."""

from __future__ import annotations

from typing import Final, Literal

from PySide6.QtGui import QFont, QFontDatabase, QFontInfo, QGuiApplication

TEXT_SIZE: Final = 13
"""Text height in pixels where the system's own text is not larger."""

_TABULAR: Final = QFont.Tag("tnum")
TextStyle = Literal["title", "window-head", "read", "text", "head", "second", "group", "mono"]
"""The styles of all text: *read* is text that an assistant reads, *group* a table head or group in the second size."""

_STYLES: Final[dict[TextStyle, tuple[int, bool, int]]] = {
    "title": (9, True, 32),
    "window-head": (3, True, 24),
    "read": (1, False, 22),
    "text": (0, False, 20),
    "head": (0, True, 20),
    "second": (-1, False, 16),
    "group": (-1, True, 16),
    "mono": (-1, False, 20),
}
"""Pixels more or less than ``TEXT_SIZE``, semi-bold, line height in pixels before scaling."""


def style_font(style: TextStyle, *, figures: bool = False) -> QFont:
    """Return the font of a text style; ``figures``: digits of one width, for numbers below each other."""
    change, bold, _ = _STYLES[style]
    if style == "mono":
        return fixed_font(text_font(change=change).pixelSize())
    font = text_font(change=change, weight=QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
    if figures:
        font.setFeature(_TABULAR, 1)
    return font


def line_height(style: TextStyle) -> int:
    """Return the line height of a text style in pixels."""
    return round(_STYLES[style][2] * text_scale())


def fixed_family() -> str:
    """Return the family of the system's fixed-width font."""
    return QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).family()


def fixed_font(size: int) -> QFont:
    """Return the system's fixed-width font, ``size`` pixels high."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPixelSize(size)
    return font


def text_font(*, change: int = 0, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    """Return the window's font, ``change`` pixels larger or smaller."""
    font = QFont(QGuiApplication.font())
    size = font.pixelSize() if font.pixelSize() > 0 else QFontInfo(font).pixelSize()
    font.setPixelSize(size + change)
    font.setWeight(weight)
    return font


def text_scale() -> float:
    """Return the ratio of the window's text size to the drawings', at least 1."""
    return max(1.0, QFontInfo(QGuiApplication.font()).pixelSize() / TEXT_SIZE)
