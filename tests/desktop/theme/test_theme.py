"""Colours that can be read, in both themes, and that follow the system while the app runs."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QImage, QPalette
from PySide6.QtWidgets import QApplication, QStyle, QWidget
from pytestqt.qtbot import QtBot

from toolnote_desktop.desktop.theme.colours import (
    AA_GRAPHICS,
    AA_TEXT,
    DARK,
    HIGH_DARK,
    HIGH_LIGHT,
    LIGHT,
    Colours,
    colours,
    contrast,
    make_palette,
    with_accent,
)
from toolnote_desktop.desktop.theme.style_sheet import style_sheet
from toolnote_desktop.desktop.theme.theme import Theme
from toolnote_desktop.desktop.tool_page.note_card import NoteCard
from toolnote_desktop.desktop.widgets.basics import Button, column, label
from toolnote_desktop.desktop.widgets.controls import Tabs
from toolnote_desktop.desktop.window.window import MainWindow

BOTH = pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=["light", "dark"])
ALL = pytest.mark.parametrize("scheme", [LIGHT, DARK, HIGH_LIGHT, HIGH_DARK])


@BOTH
def test_text_colours_have_the_contrast_of_aa(scheme: Colours) -> None:
    pairs = [(text, ground) for text in ("text", "dim", "accent") for ground in ("ground", "side", "card")]
    pairs += [
        ("text", "hover"),
        ("text", "accent_ground"),
        ("accent", "accent_ground"),
        ("on_accent", "accent"),
        ("added_text", "added_ground"),
        ("added_text", "note_ground"),
        ("text", "note_ground"),
        ("dim", "note_ground"),
        ("removed_text", "removed_ground"),
        ("attention_text", "ground"),
        ("attention_text", "side"),
        ("attention_text", "attention_ground"),
        ("wrong", "ground"),
        ("wrong", "wrong_ground"),
        ("tile_text", "tile"),
    ]
    for text, ground in pairs:
        ratio = contrast(QColor(getattr(scheme, text)), QColor(getattr(scheme, ground)))
        assert ratio >= AA_TEXT, f"{text} on {ground}: {ratio:.2f}"


@ALL
def test_dots_can_be_told_from_the_ground(scheme: Colours) -> None:
    for dot in ("good", "attention", "wrong", "accent", "faint"):
        ratio = contrast(QColor(getattr(scheme, dot)), QColor(scheme.side))
        assert ratio >= AA_GRAPHICS, f"{dot}: {ratio:.2f}"  # a word stands beside each dot
    for seen, ground in (("field", "card"), ("field", "ground"), ("note_bar", "note_ground"), ("switch_on", "ground")):
        ratio = contrast(QColor(getattr(scheme, seen)), QColor(getattr(scheme, ground)))
        assert ratio >= AA_GRAPHICS, f"{seen} on {ground}: {ratio:.2f}"
    assert contrast(QColor(scheme.switch_on), QColor("#ffffff")) >= AA_GRAPHICS, "the knob"


@BOTH
@pytest.mark.parametrize("accent", ["#ffcc00", "#e01b24", "#3584e4", "#000000", "#ffffff", "#9141ac"])
def test_the_systems_accent_is_taken_and_made_readable(scheme: Colours, accent: str) -> None:
    taken = with_accent(scheme, QColor(accent))
    for ground in (taken.ground, taken.side):
        assert contrast(QColor(taken.accent), QColor(ground)) >= AA_TEXT
    assert contrast(QColor(taken.on_accent), QColor(taken.accent)) >= AA_TEXT
    assert contrast(QColor(taken.switch_on), QColor("#ffffff")) >= AA_GRAPHICS
    assert taken.good == scheme.good


@ALL
def test_a_palette_tells_its_colours(scheme: Colours) -> None:
    assert colours(make_palette(scheme)) == scheme


@ALL
def test_a_widget_with_a_transparent_ground_has_the_same_colours(scheme: Colours) -> None:
    palette = make_palette(scheme)
    palette.setColor(QPalette.ColorRole.Window, QColor(0, 0, 0, 0))
    assert colours(palette) == scheme


def test_the_theme_changes_while_the_app_runs(qapp: QApplication, light_theme: Theme) -> None:
    heard: list[Colours] = []
    light_theme.changed.connect(heard.append)
    assert qapp.palette().color(QPalette.ColorRole.Window).name() == LIGHT.ground
    light_theme.choose("dark")
    assert qapp.palette().color(QPalette.ColorRole.Window).name() == DARK.ground
    assert DARK.card in qapp.styleSheet()
    light_theme.choose("light")
    assert [one.ground for one in heard] == [DARK.ground, LIGHT.ground]


def test_the_systems_larger_text_stays_larger(qapp: QApplication, light_theme: Theme) -> None:
    assert qapp.font().pixelSize() >= 13
    assert "font-size: 29px" in style_sheet(LIGHT, 20, "Mono")


def test_exact_data_changes_its_colours_while_it_is_shown(
    window: MainWindow, cards: tuple[NoteCard, ...], light_theme: Theme
) -> None:
    page = window.pages.tool_page
    page.tabs.setCurrentIndex(1)
    for chosen, scheme in (("dark", DARK), ("light", LIGHT)):
        light_theme.choose(chosen)
        shown = {one.format.foreground().color().name() for one in page.exact.text.extraSelections()}
        assert shown == {scheme.added_text}


class SystemHints(QObject):
    """What a system says of its user's needs, as ``QAccessibilityHints`` has it."""

    contrastPreferenceChanged = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.contrast = Qt.ContrastPreference.NoPreference

    def contrastPreference(self) -> Qt.ContrastPreference:
        return self.contrast

    def turn_up(self, contrast: Qt.ContrastPreference) -> None:
        self.contrast = contrast
        self.contrastPreferenceChanged.emit(contrast)


class NewerSystemHints(SystemHints):
    """The same of Qt 6.12 and newer."""

    motionPreferenceChanged = Signal(object)
    still = False

    def motionPreference(self) -> object:
        return Qt.MotionPreference.ReducedMotion if self.still else Qt.MotionPreference.NoPreference

    def calm(self, still: bool) -> None:
        self.still = still
        self.motionPreferenceChanged.emit(self.motionPreference())


@pytest.fixture
def hints(light_theme: Theme) -> SystemHints:
    """The system of a theme that is already there."""
    found = NewerSystemHints() if hasattr(Qt, "MotionPreference") else SystemHints()
    light_theme.hints = found
    found.contrastPreferenceChanged.connect(light_theme.apply)
    if isinstance(found, NewerSystemHints):
        found.motionPreferenceChanged.connect(light_theme.apply)
    return found


def is_still(theme: Theme) -> bool:
    return theme.wants_no_motion


def test_a_user_who_wants_more_contrast_gets_it_while_the_app_runs(
    qapp: QApplication, window: MainWindow, light_theme: Theme, hints: SystemHints
) -> None:
    heard: list[Colours] = []
    light_theme.changed.connect(heard.append)
    hints.turn_up(Qt.ContrastPreference.HighContrast)
    light_theme.choose("dark")
    light_theme.choose("light")
    assert heard == [HIGH_LIGHT, HIGH_DARK, HIGH_LIGHT]
    assert colours(window.sidebar.view.palette()) == HIGH_LIGHT
    picture: QImage = window.grab().toImage()
    assert picture.pixelColor(4, window.height() - 60) == QColor(HIGH_LIGHT.side)
    assert HIGH_LIGHT.line in qapp.styleSheet()
    hints.turn_up(Qt.ContrastPreference.NoPreference)
    assert colours(window.sidebar.view.palette()) == LIGHT


def test_high_contrast_can_be_had_where_the_system_does_not_tell(light_theme: Theme) -> None:
    heard: list[Colours] = []
    light_theme.changed.connect(heard.append)
    light_theme.choose("dark", "more")
    light_theme.choose("dark")
    assert heard == [HIGH_DARK, DARK]


@pytest.mark.skipif(not hasattr(Qt, "MotionPreference"), reason="this Qt does not tell")
def test_a_user_who_wants_no_motion_gets_none_while_the_app_runs(
    qapp: QApplication, light_theme: Theme, hints: SystemHints
) -> None:
    assert isinstance(hints, NewerSystemHints)
    assert not is_still(light_theme)
    hints.calm(True)
    assert is_still(light_theme)
    assert "widget-animation-duration: 0" in qapp.styleSheet()
    assert not qapp.isEffectEnabled(Qt.UIEffect.UI_General)
    hints.calm(False)
    assert "widget-animation-duration" not in qapp.styleSheet()
    assert qapp.isEffectEnabled(Qt.UIEffect.UI_General) == light_theme.has_effects


def test_motion_can_be_switched_off_where_the_system_does_not_tell(
    qapp: QApplication, window: MainWindow, light_theme: Theme
) -> None:
    bar = window.pages.tool_page.verticalScrollBar()
    duration = QStyle.StyleHint.SH_Widget_Animation_Duration
    assert bar.style().styleHint(duration, None, bar) > 0
    light_theme.choose("light", motion="none")
    assert is_still(light_theme)
    assert bar.style().styleHint(duration, None, bar) == 0


def test_a_qt_that_does_not_tell_of_motion_is_no_obstacle(qapp: QApplication) -> None:
    theme = Theme(qapp, "light", SystemHints())
    assert not is_still(theme)
    theme.choose("light", motion="none")
    assert is_still(theme)
    qapp.styleHints().colorSchemeChanged.disconnect(theme.apply)
    theme.deleteLater()


def test_last_tab_needs_no_room_after_it(qtbot: QtBot, light_theme: Theme) -> None:
    """Seen red: on a small screen at 200 %, “General” was cut for the sake of empty room at the end."""
    tabs = Tabs("Views", ("General", "Assistants", "Tools"))
    qtbot.addWidget(tabs)
    whole = [tabs.tabSizeHint(index).width() for index in range(3)]
    words = [whole[0] - Tabs.GAP, whole[1] - Tabs.GAP, whole[2]]
    assert tabs.sizeHint().width() == sum(words) + 2 * Tabs.GAP
    tabs.setTabVisible(2, False)
    assert tabs.tabSizeHint(1).width() == words[1]
    tabs.setTabVisible(2, True)
    alone = Tabs("View", ("Tools",))
    qtbot.addWidget(alone)
    assert alone.tabSizeHint(0).width() == words[2]


@pytest.mark.parametrize("direction", [Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft])
def test_link_is_in_line_with_the_text_above_it(
    qtbot: QtBot, light_theme: Theme, direction: Qt.LayoutDirection
) -> None:
    """Seen red: the border for its focus frame moved it by a pixel."""
    whole = QWidget()
    qtbot.addWidget(whole)
    whole.setLayoutDirection(direction)
    rows = column(whole, (20, 0, 20, 0))
    texts = (label("HHHHH"), Button("HHHHH", "link"))
    for widget in texts:
        rows.addWidget(widget, 0, Qt.AlignmentFlag.AlignLeading)
    whole.resize(200, 80)
    whole.show()
    qtbot.waitExposed(whole)
    picture = whole.grab().toImage()

    def edges(widget: QWidget) -> tuple[int, int]:
        ground = picture.pixelColor(0, 0).lightness()
        lines = range(widget.y() + 2, widget.y() + widget.height() - 2)
        columns = range(picture.width())
        inked = [x for x in columns if any(abs(picture.pixelColor(x, y).lightness() - ground) > 20 for y in lines)]
        return inked[0], inked[-1]

    text, link = map(edges, texts)
    assert link == text
