"""The window's fonts and its text size relative to the drawings."""

from __future__ import annotations

from typing import Final

from PySide6.QtGui import QFont, QFontDatabase, QFontInfo, QGuiApplication

TEXT_SIZE: Final = 13
"""Text height in pixels where the system's own text is not larger."""


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
