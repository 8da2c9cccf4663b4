"""Palette, fonts and style sheet of the application, kept in step with the system's and the user's choice.

The style sheet holds only what a palette cannot express.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QFont, QFontInfo, QPalette
from PySide6.QtWidgets import QApplication

from toolnote_desktop.desktop.theme.colours import (
    DARK,
    HIGH_DARK,
    HIGH_LIGHT,
    LIGHT,
    Colours,
    make_palette,
    with_accent,
)
from toolnote_desktop.desktop.theme.fonts import TEXT_SIZE, fixed_family
from toolnote_desktop.desktop.theme.motion import set_still
from toolnote_desktop.desktop.theme.style_sheet import style_sheet


class Theme(QObject):
    """Apply palette, font and style sheet to the application, and again when the system or the user's choice changes.

    The system reports its colour scheme, contrast preference and, from Qt 6.12, motion preference. The user may
    override each of them for Toolnote alone.

    Signals:
        changed: the new ``Colours``.
    """

    changed = Signal(object)

    def __init__(self, application: QApplication, preference: str = "system", hints: Any = None) -> None:
        """Apply the theme at once. ``hints`` is a ``QAccessibilityHints``; None takes the application's."""
        super().__init__(application)
        self._application = application
        self._preference = preference
        self._contrast = self._motion = "system"
        self._system = application.styleHints()  # kept: PySide frees the accessibility hints together with it
        self.hints = hints or self._system.accessibility()
        self.has_effects = application.isEffectEnabled(Qt.UIEffect.UI_General)
        self.base_font = application.font()
        self._applying = False
        application.setStyle("Fusion")
        self._system.colorSchemeChanged.connect(self.apply)
        self.hints.contrastPreferenceChanged.connect(self.apply)
        if hasattr(self.hints, "motionPreferenceChanged"):
            self.hints.motionPreferenceChanged.connect(self.apply)
        self.apply()

    def choose(self, preference: str, contrast: str = "system", motion: str = "system") -> None:
        """Apply the user's preferences (``settings.json``: ``theme``, ``contrast`` and ``motion``)."""
        chosen = (preference, contrast, motion)
        if chosen != (self._preference, self._contrast, self._motion):
            self._preference, self._contrast, self._motion = chosen
            self.apply()

    @property
    def wants_contrast(self) -> bool:
        """True if the user wants more contrast."""
        return self._contrast == "more" or self.hints.contrastPreference() == Qt.ContrastPreference.HighContrast

    @property
    def wants_no_motion(self) -> bool:
        """True if nothing is to fade, slide or blink."""
        if self._motion == "none" or not hasattr(self.hints, "motionPreference"):
            return self._motion == "none"
        return bool(self.hints.motionPreference() == Qt.MotionPreference.ReducedMotion)

    @contextmanager
    def style_sheet_suspended(self) -> Iterator[None]:
        """Suspend the style sheet while a window is built, and apply it once at the end.

        Qt evaluates the sheet's rules anew for a widget and its children each time it gets a parent: 105 of the 190 ms
        that building the window took.
        """
        sheet = self._application.styleSheet()
        self._application.setStyleSheet("")
        try:
            yield
        finally:
            self._application.setStyleSheet(sheet)

    def apply(self) -> None:
        """Set colours, font and style sheet of the whole application, and emit :attr:`changed`."""
        if self._applying:  # setting a palette may report a change of scheme
            return
        self._applying = True
        try:
            scheme = self._scheme()
            size = self._text_size()
            font = QFont(self.base_font)
            font.setPixelSize(size)
            self._application.setFont(font)
            self._application.setPalette(make_palette(scheme))
            still = self.wants_no_motion
            set_still(self._application, still=still)
            self._application.setStyleSheet(style_sheet(scheme, size, fixed_family(), still=still))
            self._application.setEffectEnabled(Qt.UIEffect.UI_General, self.has_effects and not still)
        finally:
            self._applying = False
        self.changed.emit(scheme)

    def _scheme(self) -> Colours:
        self._application.setPalette(QPalette())  # the system's own again, to read its colours
        system = self._application.palette()
        hinted = self._system.colorScheme()
        dark = {
            "dark": True,
            "light": False,
        }.get(
            self._preference,
            hinted is Qt.ColorScheme.Dark
            or (hinted is Qt.ColorScheme.Unknown and system.color(QPalette.ColorRole.Window).lightness() < 128),
        )
        if self.wants_contrast:
            return HIGH_DARK if dark else HIGH_LIGHT
        base = DARK if dark else LIGHT
        if system.isBrushSet(QPalette.ColorGroup.Active, QPalette.ColorRole.Accent):
            return with_accent(base, system.color(QPalette.ColorRole.Accent))
        return base

    def _text_size(self) -> int:
        """Return the text height in pixels: the drawings' or the user's own, whichever is larger, at most doubled."""
        return max(TEXT_SIZE, min(QFontInfo(self.base_font).pixelSize(), 2 * TEXT_SIZE))
