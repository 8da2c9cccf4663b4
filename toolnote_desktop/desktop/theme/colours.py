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

AA_GRAPHICS: Final = 3.0
"""WCAG 2.2 contrast of what is no text but must be seen: signs, borders of fields, knobs."""


class Colours(Struct, frozen=True):
    """Colours by purpose. ``faint`` is too weak for text that must be read; ``line`` and ``edge`` are decoration.

    ``field`` bounds fields, checks, menus, toasts and a switch that is off. ``note_…`` are the user's words,
    ``added_…`` and ``removed_…`` differences of texts, ``tile…`` initials, ``bar`` and ``track`` charts and meters.
    """

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
    field: str
    switch_on: str
    note_ground: str
    note_bar: str
    added_ground: str
    added_text: str
    removed_ground: str
    removed_text: str
    good: str
    bar: str
    track: str
    attention: str
    attention_text: str
    attention_ground: str
    attention_line: str
    wrong: str
    wrong_ground: str
    wrong_line: str
    tile: str
    tile_text: str
    is_high_contrast: bool = False


LIGHT: Final = Colours(
    ground="#ffffff",
    side="#f6f7f9",
    card="#ffffff",
    hover="#eceef2",
    pressed="#e3e6eb",
    line="#e3e6eb",
    edge="#cfd5dd",
    text="#1c2026",
    dim="#59626f",
    faint="#868e9c",
    accent="#2f5fe0",
    accent_ground="#e8eeff",
    on_accent="#ffffff",
    field="#848c9a",
    switch_on="#2f5fe0",
    note_ground="#f1f9f4",
    note_bar="#1f9d61",
    added_ground="#d8f1e1",
    added_text="#14532d",
    removed_ground="#fde4e4",
    removed_text="#8f1d1d",
    good="#1f9d61",
    bar="#8b95a6",
    track="#e3e6eb",
    attention="#c27803",
    attention_text="#8f5a0a",
    attention_ground="#fdf6e7",
    attention_line="#e8cf9a",
    wrong="#c53030",
    wrong_ground="#fdf0f0",
    wrong_line="#efc0c0",
    tile="#e6e9ef",
    tile_text="#414a58",
)
DARK: Final = Colours(
    ground="#16181d",
    side="#1b1e24",
    card="#20242b",
    hover="#262b33",
    pressed="#2e333c",
    line="#2e333c",
    edge="#414956",
    text="#e7e9ee",
    dim="#a0a7b3",
    faint="#6b7280",
    accent="#7aa2ff",
    accent_ground="#26324d",
    on_accent="#16181d",
    field="#727b8a",
    switch_on="#4a79ee",
    note_ground="#1a2420",
    note_bar="#3fae7a",
    added_ground="#20402f",
    added_text="#a7e3c2",
    removed_ground="#472529",
    removed_text="#f7b4b6",
    good="#4cc38a",
    bar="#6d7888",
    track="#2e333c",
    attention="#e5b567",
    attention_text="#e5b567",
    attention_ground="#2a2519",
    attention_line="#5a4a26",
    wrong="#f2777a",
    wrong_ground="#2d1f22",
    wrong_line="#5e3236",
    tile="#2e343e",
    tile_text="#c6ccd6",
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
    field="#000000",
    switch_on="#0037b3",
    note_ground="#e9faee",
    note_bar="#00592d",
    added_ground="#d7f5df",
    added_text="#003d1a",
    removed_ground="#ffe1e1",
    removed_text="#6b0000",
    good="#00592d",
    bar="#595959",
    track="#d4d4d4",
    attention="#6b4400",
    attention_text="#5c3a00",
    attention_ground="#ffffff",
    attention_line="#6b4400",
    wrong="#9b0000",
    wrong_ground="#ffffff",
    wrong_line="#9b0000",
    tile="#e6e6e6",
    tile_text="#000000",
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
    field="#ffffff",
    switch_on="#4a79ee",
    note_ground="#06180f",
    note_bar="#5ee08f",
    added_ground="#0d2e1c",
    added_text="#c8ffdf",
    removed_ground="#3d0f0f",
    removed_text="#ffd0d0",
    good="#5ee08f",
    bar="#b3b3b3",
    track="#333333",
    attention="#ffc766",
    attention_text="#ffc766",
    attention_ground="#000000",
    attention_line="#ffc766",
    wrong="#ffa8a8",
    wrong_ground="#000000",
    wrong_line="#ffa8a8",
    tile="#333333",
    tile_text="#ffffff",
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
    switch_on = readable
    while contrast(switch_on, QColor("#ffffff")) < AA_GRAPHICS:  # the knob is white in each scheme
        switch_on = mixed(switch_on, QColor("#000000"), 0.9)
    return replace(
        base,
        accent=readable.name(),
        switch_on=switch_on.name(),
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
