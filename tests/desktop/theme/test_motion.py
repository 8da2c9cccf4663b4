"""Motion is short and shows where something went; there is none where the system or the user wants none."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QFont, QFontMetricsF
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from tests.desktop.helpers import click
from toolnote_desktop.desktop.theme.fonts import style_font
from toolnote_desktop.desktop.theme.motion import MOTION_MS, motion_ms
from toolnote_desktop.desktop.theme.theme import Theme
from toolnote_desktop.desktop.widgets.collapsible import Collapsible
from toolnote_desktop.desktop.widgets.controls import Switch
from toolnote_desktop.desktop.window.toast import Toast


@pytest.fixture
def switch(qtbot: QtBot, light_theme: Theme) -> Iterator[Switch]:
    switch = Switch("On", "Off", "A switch")
    qtbot.addWidget(switch)
    switch.show()
    yield switch
    light_theme.choose("light")


def test_a_knob_slides_in_at_most_120_ms(qtbot: QtBot, switch: Switch) -> None:
    click(switch)
    assert switch.isChecked()  # at once: only the knob takes time
    assert switch.knob.at < 1.0
    assert switch.knob.duration() <= MOTION_MS == 120
    qtbot.waitUntil(lambda: switch.knob.at == 1.0)


def test_a_block_opens_to_its_height(qtbot: QtBot, light_theme: Theme) -> None:
    block = Collapsible("Settings file")
    block.body.addWidget(QLabel("One line\n" * 6))
    qtbot.addWidget(block)
    block.show()
    click(block.header)
    inside = block.inside
    assert inside.isVisible()
    assert inside.maximumHeight() < inside.sizeHint().height(), "it grows"
    qtbot.waitUntil(lambda: inside.maximumHeight() > 10_000)
    qtbot.waitUntil(lambda: inside.height() >= inside.sizeHint().height())
    light_theme.choose("light", motion="none")
    block.header.setChecked(False)
    assert not inside.isVisible()
    click(block.header)
    assert inside.maximumHeight() > 10_000, "at once"
    light_theme.choose("light")


def test_what_the_program_sets_does_not_move(switch: Switch) -> None:
    switch.show_state(True)
    assert switch.knob.at == 1.0


def test_nothing_moves_where_no_motion_is_wanted(qtbot: QtBot, light_theme: Theme, switch: Switch) -> None:
    light_theme.choose("light", motion="none")
    assert motion_ms() == 0
    click(switch)
    assert switch.knob.at == 1.0
    toast = Toast()
    qtbot.addWidget(toast)
    toast.show_message("Saved")
    assert toast.graphicsEffect() is None
    light_theme.choose("light")
    assert motion_ms() == MOTION_MS


def test_a_toast_fades_in_and_is_then_as_it_was(qtbot: QtBot, light_theme: Theme) -> None:
    toast = Toast()
    qtbot.addWidget(toast)
    toast.show_message("Saved")
    assert toast.graphicsEffect() is not None
    qtbot.waitUntil(lambda: toast.graphicsEffect() is None)
    assert toast.isVisible()


def test_digits_of_tables_have_one_width(qapp: QApplication) -> None:
    font = style_font("second", figures=True)
    assert QFont.Tag("tnum") in font.featureTags()
    metrics = QFontMetricsF(font)
    assert len({round(metrics.horizontalAdvance(digit), 2) for digit in "0123456789"}) == 1
