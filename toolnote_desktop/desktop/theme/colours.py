"""Colour schemes (light, dark, high contrast), WCAG contrast, and the palette of a scheme.

Widgets that paint by hand call :func:`colours` with their own palette, so that they follow the system without global
state.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtGui import QColor, QPalette

AA_TEXT: Final = 4.5
"""WCAG 2.2 contrast for text at level AA. The high-contrast schemes meet level AAA, 7."""


class Colours(Struct, frozen=True):
    """Colours by purpose. ``faint`` is too weak for text that must be read."""

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
    """Return the scheme of a palette made by :func:`make_palette`, its accent included."""
    # `Dark` is the one role that no style sheet rule of ours touches: a transparent background makes `Window` black
    edge = palette.color(QPalette.ColorRole.Dark)
    base = _BASES.get(edge.name()) or (DARK if edge.lightness() < 128 else LIGHT)
    return with_accent(base, palette.color(QPalette.ColorRole.Accent))


def with_accent(base: Colours, accent: QColor) -> Colours:
    """Return ``base`` with another accent, moved towards the text's colour until it is readable on each ground.

    A high-contrast scheme keeps its own accent: the user's favourite colour may not be readable enough.
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
    """Mix two colours: ``share`` (0 to 1) of the first, the rest of the second."""
    parts = (
        (first.red(), second.red()),
        (first.green(), second.green()),
        (first.blue(), second.blue()),
    )
    return QColor(*(round(a * share + b * (1 - share)) for a, b in parts))


def contrast(first: QColor, second: QColor) -> float:
    """Return the contrast ratio of WCAG 2.2, 1 to 21."""
    lighter, darker = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: QColor) -> float:
    def linear(part: float) -> float:
        return float(part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4)

    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF())


def make_palette(scheme: Colours) -> QPalette:
    """Build the Qt palette of a scheme."""
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
