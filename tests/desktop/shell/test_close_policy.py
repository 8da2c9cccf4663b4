"""Closing the window hides it where there is a tray, else quits or minimises, as the user said once (case C66)."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from toolnote_desktop.desktop.shell.close_policy import SETTING, ClosePolicy
from toolnote_desktop.desktop.widgets.question import QuestionDialog
from toolnote_desktop.model.edits import SETTINGS, SetFields
from toolnote_desktop.store.library import Library


@pytest.fixture
def library(empty_library: Library) -> Library:
    return empty_library


@pytest.fixture
def window(plain_window: QWidget) -> QWidget:
    plain_window.show()
    return plain_window


def question_of(window: QWidget) -> QuestionDialog:
    found = [one for one in window.findChildren(QuestionDialog) if one.isVisible()]
    assert len(found) == 1
    return found[0]


def press(question: QuestionDialog, text: str) -> None:
    button = next(button for button in question.findChildren(QPushButton) if button.text() == text)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_with_a_tray_the_window_hides(qtbot: QtBot, window: QWidget, library: Library) -> None:
    closing = ClosePolicy(window, library, lambda: True)
    with qtbot.assertNotEmitted(closing.quit_requested), qtbot.waitSignal(closing.first_hidden):
        window.close()
    assert not window.isVisible()
    assert not window.isMinimized()
    window.show()
    with qtbot.assertNotEmitted(closing.first_hidden):  # said once
        window.close()


def test_without_one_it_asks_and_stays(qtbot: QtBot, window: QWidget, library: Library) -> None:
    closing = ClosePolicy(window, library, lambda: False)
    with qtbot.assertNotEmitted(closing.quit_requested):
        window.close()
        window.close()  # impatient
    assert window.isVisible()
    press(question_of(window), "Cancel")
    assert window.isVisible()
    assert SETTING not in library.snapshot.settings.extra


def test_quit_is_asked_for_once(qtbot: QtBot, window: QWidget, library: Library) -> None:
    closing = ClosePolicy(window, library, lambda: False)
    window.close()
    with qtbot.waitSignal(closing.quit_requested, timeout=1000):
        press(question_of(window), "Quit")
    window.show()
    with qtbot.waitSignal(closing.quit_requested, timeout=1000):
        window.close()
    assert library.snapshot.settings.extra[SETTING] == "quit"


def test_minimise_is_asked_for_once_and_the_window_can_be_reached(
    qtbot: QtBot, window: QWidget, library: Library
) -> None:
    closing = ClosePolicy(window, library, lambda: False)
    with qtbot.assertNotEmitted(closing.quit_requested):
        window.close()
        press(question_of(window), "Keep running minimized")
        assert window.isMinimized()
        window.showNormal()
        window.close()
    assert window.isMinimized()
    assert window.isVisible()  # in the task bar, not hidden


def test_a_setting_that_nobody_knows_asks_again(qtbot: QtBot, window: QWidget, library: Library) -> None:
    library.submit(SetFields(SETTINGS, {SETTING: 7}))
    ClosePolicy(window, library, lambda: False)
    window.close()
    press(question_of(window), "Cancel")


def test_when_the_app_ends_the_window_closes(qtbot: QtBot, window: QWidget, library: Library) -> None:
    closing = ClosePolicy(window, library, lambda: False)
    closing.allow_close()
    assert window.close()
    assert not window.isVisible()
