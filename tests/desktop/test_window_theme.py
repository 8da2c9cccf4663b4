"""Colours that can be read, in both themes, and that follow the system while the app runs."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

from toolnote_desktop.desktop.style_sheet import style_sheet
from toolnote_desktop.desktop.theme import (
    AA_TEXT,
    DARK,
    LIGHT,
    Colours,
    Theme,
    colours,
    contrast,
    make_palette,
    with_accent,
)

BOTH = pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=["light", "dark"])


@BOTH
def test_what_must_be_read_has_the_contrast_of_aa(scheme: Colours) -> None:
    pairs = [(text, ground) for text in ("text", "dim", "accent") for ground in ("ground", "side", "card")]
    pairs += [
        ("text", "hover"),
        ("text", "accent_ground"),
        ("accent", "accent_ground"),
        ("on_accent", "accent"),
        ("added_text", "added_ground"),
    ]
    for text, ground in pairs:
        ratio = contrast(QColor(getattr(scheme, text)), QColor(getattr(scheme, ground)))
        assert ratio >= AA_TEXT, f"{text} on {ground}: {ratio:.2f}"


@BOTH
def test_dots_can_be_told_from_the_ground(scheme: Colours) -> None:
    for dot in ("good", "attention", "wrong", "accent", "faint"):
        ratio = contrast(QColor(getattr(scheme, dot)), QColor(scheme.side))
        assert ratio >= 3, f"{dot}: {ratio:.2f}"  # WCAG for graphics; a word stands beside each dot


@BOTH
@pytest.mark.parametrize("accent", ["#ffcc00", "#e01b24", "#3584e4", "#000000", "#ffffff", "#9141ac"])
def test_the_systems_accent_is_taken_and_made_readable(scheme: Colours, accent: str) -> None:
    taken = with_accent(scheme, QColor(accent))
    for ground in (taken.ground, taken.side):
        assert contrast(QColor(taken.accent), QColor(ground)) >= AA_TEXT
    assert contrast(QColor(taken.on_accent), QColor(taken.accent)) >= AA_TEXT
    assert taken.good == scheme.good


@BOTH
def test_a_palette_tells_its_colours(scheme: Colours) -> None:
    assert colours(make_palette(scheme)) == scheme


@BOTH
def test_a_widget_with_a_transparent_ground_has_the_same_colours(scheme: Colours) -> None:
    palette = make_palette(scheme)
    palette.setColor(QPalette.ColorRole.Window, QColor(0, 0, 0, 0))
    assert colours(palette) == scheme


def test_the_theme_changes_while_the_app_runs(qapp: QApplication, dressed: Theme) -> None:
    heard: list[Colours] = []
    dressed.changed.connect(heard.append)
    assert qapp.palette().color(QPalette.ColorRole.Window).name() == LIGHT.ground
    dressed.choose("dark")
    assert qapp.palette().color(QPalette.ColorRole.Window).name() == DARK.ground
    assert DARK.card in qapp.styleSheet()
    dressed.choose("light")
    assert [one.ground for one in heard] == [DARK.ground, LIGHT.ground]


def test_the_systems_larger_text_stays_larger(qapp: QApplication, dressed: Theme) -> None:
    assert qapp.font().pixelSize() >= 13
    assert "font-size: 27px" in style_sheet(LIGHT, 20, "Mono")
