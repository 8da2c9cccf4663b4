"""Dialogs on small screens (issue 17, item 5): inside the free area, with a body that scrolls and pinned buttons."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from tests.timing import compare
from toolnote_desktop.desktop.theme.theme import Theme
from toolnote_desktop.desktop.widgets import dialog as dialogs
from toolnote_desktop.desktop.widgets.basics import Button, label
from toolnote_desktop.desktop.widgets.dialog import SCREEN_MARGIN, Dialog
from toolnote_desktop.desktop.widgets.full_text_label import LONGEST_SHOWN, FullTextLabel, WholeText, blocks

SMALL = QRect(0, 24, 720, 425)
"""Free area of a 1440 x 900 screen at 200 %, in logical pixels."""


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Callable[[QRect], None]:
    """Sets the free area of the screen."""

    def use(free: QRect) -> None:
        monkeypatch.setattr(dialogs, "free_area", lambda _widget: free)

    return use


def make_dialog(qtbot: QtBot, lines: int, parent: QWidget | None = None) -> Dialog:
    made = Dialog(parent)
    qtbot.addWidget(made)
    made.introduce("A title", "A lead sentence.")
    for number in range(lines):
        made.body.addWidget(label(f"Line {number}", wraps=True))
    made.buttons.addStretch(1)
    made.buttons.addWidget(Button("Cancel"))
    made.buttons.addWidget(Button("Connect", "primary"))
    made.setMinimumWidth(860)
    return made


def settle() -> None:
    for _ in range(6):
        QApplication.processEvents()


def test_dialog_is_never_larger_than_the_free_area(
    qtbot: QtBot, light_theme: Theme, screen: Callable[[QRect], None]
) -> None:
    screen(SMALL)
    made = make_dialog(qtbot, 80)
    made.open()
    settle()
    assert made.height() <= SMALL.height() - SCREEN_MARGIN
    assert made.width() <= SMALL.width() - SCREEN_MARGIN
    assert SMALL.contains(made.frameGeometry())
    for button in made.findChildren(Button):
        assert made.rect().contains(QRect(button.mapTo(made, button.rect().topLeft()), button.size()))
    assert made.area.verticalScrollBar().maximum() > 0


def test_dialog_is_centered_again_when_it_grows(
    qtbot: QtBot, light_theme: Theme, screen: Callable[[QRect], None]
) -> None:
    free = QRect(0, 0, 1366, 768)
    screen(free)
    made = make_dialog(qtbot, 2)
    made.open()
    settle()
    before = made.frameGeometry()
    for number in range(10):
        made.body.addWidget(label(f"More {number}", wraps=True))
    qtbot.waitUntil(lambda: made.height() > before.height())
    settle()
    assert free.contains(made.frameGeometry())
    assert abs(made.frameGeometry().center().y() - free.center().y()) <= 1
    assert made.area.verticalScrollBar().maximum() == 0


def test_dialog_shrinks_with_its_content(qtbot: QtBot, light_theme: Theme, screen: Callable[[QRect], None]) -> None:
    screen(QRect(0, 0, 1366, 768))
    made = make_dialog(qtbot, 2)
    extra = label("\n".join(["more"] * 12), wraps=True)
    made.body.addWidget(extra)
    made.open()
    settle()
    before = made.height()
    extra.hide()
    qtbot.waitUntil(lambda: made.height() < before)


def test_a_row_of_buttons_wider_than_the_screen_is_stacked(
    qtbot: QtBot, light_theme: Theme, screen: Callable[[QRect], None]
) -> None:
    screen(QRect(0, 0, 360, 700))
    made = make_dialog(qtbot, 2)
    for number in range(4):
        made.buttons.addWidget(Button(f"A button with words {number}"))
    made.open()
    settle()
    for button in made.findChildren(Button):
        assert button.width() >= button.minimumSizeHint().width()
        assert made.rect().contains(QRect(button.mapTo(made, button.rect().topLeft()), button.size()))


HOSTILE = {
    "word": ("x", 1_000_000),
    "ideographs": ("工", 1_000_000),
    "hidden": ("\u202e", 46_000),
    "words": ("a ", 500_000),
    "argument": ("x", 46_000),
}


@pytest.mark.parametrize(("unit", "count"), HOSTILE.values(), ids=list(HOSTILE))
def test_a_hostile_text_does_not_hold_the_interface(qtbot: QtBot, light_theme: Theme, unit: str, count: int) -> None:
    """It costs about as much as a text of the length that is shown. Red before: 69 s for a word of 46,000 letters."""

    def shown(text: str) -> FullTextLabel:
        made = FullTextLabel(text, "name")
        qtbot.addWidget(made)
        for width in (200, 600):
            made.resize(width, made.heightForWidth(width))
            made.grab()
        return made

    long, short = compare(lambda: shown(unit * count), lambda: shown(unit * (LONGEST_SHOWN // len(unit))), 8)
    assert long <= 8 * short
    made = shown(unit * count)
    assert len(made.text()) <= 6 * LONGEST_SHOWN + 1
    assert made.all_button.isVisibleTo(made)


def test_a_text_is_laid_out_once_for_each_width(qtbot: QtBot, light_theme: Theme) -> None:
    made = FullTextLabel("x" * 3_000)
    qtbot.addWidget(made)
    first = made.laid_out(300)
    assert made.laid_out(300) is first
    other = made.laid_out(301)
    assert other is not first
    assert (made.laid_out(300), made.laid_out(301)) == (
        first,
        other,
    )  # Qt tries widths in turn; seen red: anew each time
    for width in range(400, 500):
        made.laid_out(width)
    assert made.laid_out(300) is not first
    made.show_text("y" * 3_000)
    assert made.laid_out(301).text() == "y" * 3_000


def test_show_all_opens_the_whole_text(qtbot: QtBot, light_theme: Theme, plain_window: QWidget) -> None:
    text = "z" * 50_000 + "END"
    made = FullTextLabel(text, parent=plain_window)
    assert "END" not in made.text()
    made.all_button.click()
    opened = plain_window.findChild(WholeText)
    assert opened is not None
    assert opened.text.toPlainText().replace("\n", "") == text
    assert max(map(len, blocks(text))) <= 500
    qtbot.keyClick(opened, Qt.Key.Key_Escape)  # type: ignore[no-untyped-call]
