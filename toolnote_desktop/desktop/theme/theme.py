"""How the window looks: every colour and size, light and dark, and both with high contrast (the drawings' rules).

The palette comes first; the style sheet says only what a palette cannot. Whoever paints by hand asks
:func:`colours` with its own palette, so that nothing here is global state and everything follows the system live.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontInfo, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from toolnote_desktop.desktop.theme.style_sheet import style_sheet

ROW: Final = 28
"""Height of a row of the library in pixels."""
RADIUS: Final = 8
TEXT_SIZE: Final = 13
"""Pixels; larger where the system's own text is."""

AA_TEXT: Final = 4.5
"""WCAG 2.2 contrast for text. High contrast has that of AAA, 7."""


class Colours(Struct, frozen=True):
    """The colours by what they are for. ``faint`` never carries anything that must be read."""

    ground: str
    side: str
    card: str
    hover: str
    pressed: str
    line: str
    edge: str
    text: str
    dim: str
    faint: str
    accent: str
    accent_ground: str
    on_accent: str
    added_ground: str
    added_text: str
    good: str
    attention: str
    wrong: str
    is_high_contrast: bool = False


LIGHT: Final = Colours(
    ground="#ffffff",
    side="#f6f7f9",
    card="#ffffff",
    hover="#eceef2",
    pressed="#e3e6eb",
    line="#e3e6eb",
    edge="#d3d8df",
    text="#1c2026",
    dim="#5b6472",
    faint="#868e9c",
    accent="#2f5fe0",
    accent_ground="#e8eeff",
    on_accent="#ffffff",
    added_ground="#e7f6ec",
    added_text="#14532d",
    good="#1f9d61",
    attention="#b7791f",
    wrong="#c53030",
)
DARK: Final = Colours(
    ground="#16181d",
    side="#1b1e24",
    card="#20242b",
    hover="#262b33",
    pressed="#2e333c",
    line="#2e333c",
    edge="#3b424d",
    text="#e7e9ee",
    dim="#9aa1ad",
    faint="#6b7280",
    accent="#7aa2ff",
    accent_ground="#26324d",
    on_accent="#16181d",
    added_ground="#20392b",
    added_text="#a7e3c2",
    good="#4cc38a",
    attention="#e5b567",
    wrong="#f2777a",
)
HIGH_LIGHT: Final = Colours(
    ground="#ffffff",
    side="#ffffff",
    card="#ffffff",
    hover="#e6e6e6",
    pressed="#d4d4d4",
    line="#595959",
    edge="#000000",
    text="#000000",
    dim="#262626",
    faint="#595959",
    accent="#0037b3",
    accent_ground="#dbe6ff",
    on_accent="#ffffff",
    added_ground="#d7f5df",
    added_text="#003d1a",
    good="#00592d",
    attention="#6b4400",
    wrong="#9b0000",
    is_high_contrast=True,
)
HIGH_DARK: Final = Colours(
    ground="#000000",
    side="#000000",
    card="#000000",
    hover="#262626",
    pressed="#333333",
    line="#b3b3b3",
    edge="#ffffff",
    text="#ffffff",
    dim="#e6e6e6",
    faint="#b3b3b3",
    accent="#a8c7ff",
    accent_ground="#14264d",
    on_accent="#000000",
    added_ground="#0d2e1c",
    added_text="#c8ffdf",
    good="#5ee08f",
    attention="#ffc766",
    wrong="#ffa8a8",
    is_high_contrast=True,
)
_BASES: Final = {one.edge: one for one in (LIGHT, DARK, HIGH_LIGHT, HIGH_DARK)}


def colours(palette: QPalette) -> Colours:
    """The colours that belong to a palette made by :func:`make_palette`, its accent included."""
    # `Dark` is the one role that no style sheet rule of ours touches: a transparent background makes `Window` black
    edge = palette.color(QPalette.ColorRole.Dark)
    base = _BASES.get(edge.name()) or (DARK if edge.lightness() < 128 else LIGHT)
    return with_accent(base, palette.color(QPalette.ColorRole.Accent))


def with_accent(base: Colours, accent: QColor) -> Colours:
    """``base`` with another accent, moved towards the text's colour until it can be read on every ground.

    High contrast keeps its own: the colour that somebody likes is not the one that they see best.
    """
    if accent.name() == base.accent or base.is_high_contrast:
        return base
    readable = accent
    for _ in range(20):
        if min(contrast(readable, QColor(ground)) for ground in (base.ground, base.side)) >= AA_TEXT:
            break
        readable = mixed(readable, QColor(base.text), 0.9)
    grounds = [mixed(readable, QColor(base.ground), share) for share in (0.12, 0.2)]
    on_accent = max((QColor(base.ground), QColor(base.text)), key=lambda colour: contrast(colour, readable))
    return replace(
        base,
        accent=readable.name(),
        accent_ground=grounds[0 if base is LIGHT else 1].name(),
        on_accent=on_accent.name(),
    )


def mixed(first: QColor, second: QColor, share: float) -> QColor:
    """``share`` of the first colour and the rest of the second."""
    parts = (
        (first.red(), second.red()),
        (first.green(), second.green()),
        (first.blue(), second.blue()),
    )
    return QColor(*(round(a * share + b * (1 - share)) for a, b in parts))


def contrast(first: QColor, second: QColor) -> float:
    """The contrast ratio of WCAG 2.2, 1 to 21."""
    lighter, darker = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: QColor) -> float:
    def linear(part: float) -> float:
        return float(part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4)

    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF())


def make_palette(scheme: Colours) -> QPalette:
    """Everything that a palette can say."""
    palette = QPalette()
    roles = {
        QPalette.ColorRole.Window: scheme.ground,
        QPalette.ColorRole.WindowText: scheme.text,
        QPalette.ColorRole.Base: scheme.card,
        QPalette.ColorRole.AlternateBase: scheme.side,
        QPalette.ColorRole.Text: scheme.text,
        QPalette.ColorRole.Button: scheme.card,
        QPalette.ColorRole.ButtonText: scheme.text,
        QPalette.ColorRole.BrightText: scheme.wrong,
        QPalette.ColorRole.PlaceholderText: scheme.dim,
        QPalette.ColorRole.Highlight: scheme.accent,
        QPalette.ColorRole.HighlightedText: scheme.on_accent,
        QPalette.ColorRole.Accent: scheme.accent,
        QPalette.ColorRole.Link: scheme.accent,
        QPalette.ColorRole.LinkVisited: scheme.accent,
        QPalette.ColorRole.ToolTipBase: scheme.card,
        QPalette.ColorRole.ToolTipText: scheme.text,
        QPalette.ColorRole.Light: scheme.card,
        QPalette.ColorRole.Midlight: scheme.side,
        QPalette.ColorRole.Mid: scheme.line,
        QPalette.ColorRole.Dark: scheme.edge,
        QPalette.ColorRole.Shadow: scheme.edge,
    }
    for role, colour in roles.items():
        palette.setColor(role, QColor(colour))
    for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(scheme.faint))
    return palette


class Theme(QObject):
    """Dresses the whole application and does it again when the system, or the user's choice, changes.

    The system says whether it is dark, whether its user wants more contrast, and, from Qt 6.12, whether nothing
    is to move. The user may say each of it for Toolnote alone.

    Signals:
        changed: the new ``Colours``.
    """

    changed = Signal(object)

    def __init__(self, application: QApplication, preference: str = "system", hints: Any = None) -> None:
        """``hints``: a ``QAccessibilityHints``; None: the application's."""
        super().__init__(application)
        self._application = application
        self._preference = preference
        self._contrast = self._motion = "system"
        self._system = application.styleHints()  # PySide lets go of its hints together with it
        self._hints = hints or self._system.accessibility()
        self._has_effects = application.isEffectEnabled(Qt.UIEffect.UI_General)
        self._own_font = application.font()
        self._applying = False
        application.setStyle("Fusion")
        self._system.colorSchemeChanged.connect(self.apply)
        self._hints.contrastPreferenceChanged.connect(self.apply)
        if hasattr(self._hints, "motionPreferenceChanged"):
            self._hints.motionPreferenceChanged.connect(self.apply)
        self.apply()

    def choose(self, preference: str, contrast: str = "system", motion: str = "system") -> None:
        """Take what the user prefers (``settings.json``: ``theme``, ``contrast`` and ``motion``)."""
        chosen = (preference, contrast, motion)
        if chosen != (self._preference, self._contrast, self._motion):
            self._preference, self._contrast, self._motion = chosen
            self.apply()

    @property
    def wants_contrast(self) -> bool:
        """Whether the user wants more contrast."""
        return self._contrast == "more" or self._hints.contrastPreference() == Qt.ContrastPreference.HighContrast

    @property
    def wants_no_motion(self) -> bool:
        """Whether nothing is to fade, slide or blink for show."""
        if self._motion == "none" or not hasattr(self._hints, "motionPreference"):
            return self._motion == "none"
        return bool(self._hints.motionPreference() == Qt.MotionPreference.ReducedMotion)

    @contextmanager
    def without_style_sheet(self) -> Iterator[None]:
        """Put a whole window together undressed, before it is shown, and dress it once.

        Each widget that gets a parent has the sheet's rules worked out anew for it and all in it: 105 of the 190 ms in
        which the window was made.
        """
        sheet = self._application.styleSheet()
        self._application.setStyleSheet("")
        try:
            yield
        finally:
            self._application.setStyleSheet(sheet)

    def apply(self) -> None:
        """Colours, font and style sheet for the whole application."""
        if self._applying:  # setting a palette may report a change of scheme
            return
        self._applying = True
        try:
            scheme = self._scheme()
            size = self._text_size()
            font = QFont(self._own_font)
            font.setPixelSize(size)
            self._application.setFont(font)
            self._application.setPalette(make_palette(scheme))
            still = self.wants_no_motion
            self._application.setStyleSheet(style_sheet(scheme, size, fixed_family(), still=still))
            self._application.setEffectEnabled(Qt.UIEffect.UI_General, self._has_effects and not still)
        finally:
            self._applying = False
        self.changed.emit(scheme)

    def _scheme(self) -> Colours:
        self._application.setPalette(QPalette())  # the system's own again, to ask it
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
        """Never smaller than the drawings', never smaller than the user's own."""
        return max(TEXT_SIZE, min(QFontInfo(self._own_font).pixelSize(), 2 * TEXT_SIZE))


def fixed_family() -> str:
    """The system's font of fixed width."""
    return QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).family()


def fixed_font(size: int) -> QFont:
    """The system's font of fixed width, ``size`` pixels high."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPixelSize(size)
    return font


def text_font(*, change: int = 0, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    """The window's font, ``change`` pixels larger or smaller."""
    font = QFont(QGuiApplication.font())
    size = font.pixelSize() if font.pixelSize() > 0 else QFontInfo(font).pixelSize()
    font.setPixelSize(size + change)
    font.setWeight(weight)
    return font


def text_scale() -> float:
    """How much larger than in the drawings the window's text is."""
    return max(1.0, QFontInfo(QGuiApplication.font()).pixelSize() / TEXT_SIZE)
