"""The real ``toolnote gui``, with a hand on its windows: each line on stdin says what a person does, or looks for.

A person finds things by the words on them, and so does this: buttons, fields and rows by what they show or are called
for screen readers. Each request is tried until it succeeds or its time is over, and answered with a line on stdout.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QTabBar,
    QTextEdit,
    QWidget,
)

from toolnote_desktop.__main__ import main
from toolnote_desktop.desktop.widgets.controls import MenuButton

EVERY_MS = 30
SIGN_AT_END = 26
"""Pixels from the end of the sidebar to the middle of a group's plus."""


class NotYetError(Exception):
    """Missing item that may still appear."""


class Hand(QObject):
    """Does one request after the other in the window's thread."""

    came = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.came.connect(self._begin, Qt.ConnectionType.QueuedConnection)
        self._ticks: list[float] = []
        self._ticker = QTimer(self)
        self._ticker.setTimerType(Qt.TimerType.PreciseTimer)
        self._ticker.timeout.connect(lambda: self._ticks.append(time.monotonic()))

    def _begin(self, line: str) -> None:
        request = json.loads(line)
        deadline = time.monotonic() + request.pop("patience")
        action: Callable[..., Any] = getattr(self, request.pop("do"))
        self._attempt(lambda: action(**request), deadline)

    def _attempt(self, action: Callable[[], Any], deadline: float) -> None:
        try:
            answer = {"value": action()}
        except NotYetError as missing:
            if time.monotonic() < deadline:
                QTimer.singleShot(EVERY_MS, self, lambda: self._attempt(action, deadline))
                return
            answer = {"missing": str(missing), "there": self.texts()}
        print(json.dumps(answer), flush=True)

    def press(self, text: str) -> None:
        """Press a button, or a tab."""
        _come_to_the_front()
        for button in _reachable(QAbstractButton):
            if text in (_shown(button.text()), button.accessibleName()) and button.isEnabled():
                place = QPoint(8, button.height() // 2) if isinstance(button, QCheckBox) else button.rect().center()
                QTest.mouseClick(button, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
                return
        for tabs in _reachable(QTabBar):
            for tab in range(tabs.count()):
                if text == _shown(tabs.tabText(tab)) and tabs.isTabVisible(tab):
                    place = tabs.tabRect(tab).center()
                    QTest.mouseClick(tabs, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
                    return
        raise NotYetError(f"no button {text!r}")

    def write(self, text: str, field: str = "") -> None:
        """Type into a field, or wherever the cursor is."""
        _come_to_the_front()
        target = _where_the_cursor_is()
        if field:
            found = (one for kind in (QLineEdit, QPlainTextEdit, QTextEdit) for one in _reachable(kind))
            target = next((one for one in found if field in (one.accessibleName(), one.placeholderText())), None)
        if target is None or not target.isVisible():
            raise NotYetError(f"no field {field!r}" if field else "no cursor anywhere")
        if field:
            QTest.mouseClick(
                target.viewport() if isinstance(target, QPlainTextEdit | QTextEdit) else target,
                Qt.MouseButton.LeftButton,
            )
        QTest.keyClicks(target, text)

    def key(self, name: str) -> None:
        """Press one key, such as ``End``."""
        target = _where_the_cursor_is()
        if target is None:
            raise NotYetError("no cursor anywhere")
        QTest.keyClick(target, Qt.Key[f"Key_{name}"])

    def choose(self, row: str, among: str, *, at_end: bool = False) -> None:
        """Click a row of the list or tree that is called ``among``; ``at_end``: the sign at the row's end."""
        for view in _reachable(QAbstractItemView):
            if among not in view.accessibleName():
                continue
            for index in _rows(view.model(), QModelIndex()):
                if index.data() != row:
                    continue
                view.scrollTo(index)
                place = view.visualRect(index)
                if place.isEmpty():
                    continue
                point = QPoint(view.width() - SIGN_AT_END, place.bottom() - 8) if at_end else place.center()
                QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, point)
                return
        raise NotYetError(f"no row {row!r} among {among!r}")

    def pick(self, text: str, field: str) -> None:
        """Choose from the menu that a button opens."""
        _come_to_the_front()
        for button in _reachable(QAbstractButton):
            name = button.accessibleName()
            if name != field and not (isinstance(button, MenuButton) and field in name):
                continue
            if not isinstance(QApplication.activePopupWidget(), QMenu):
                QTest.mouseClick(button, Qt.MouseButton.LeftButton)
            menu = QApplication.activePopupWidget()
            for action in menu.actions() if isinstance(menu, QMenu) else ():
                if _shown(action.text()) == text and isinstance(menu, QMenu):
                    place = menu.actionGeometry(action).center()
                    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
                    return
        raise NotYetError(f"no menu {field!r} with {text!r}")

    def see(self, text: str, among: str = "") -> str:
        """Wait until some words can be read; in the text that is called ``among``, if that is given."""
        for name, words in _texts():
            if text in words and among in name:
                return words
        raise NotYetError(f"{text!r} is nowhere to be read")

    def not_see(self, text: str) -> None:
        """Wait until some words can be read nowhere."""
        for _, words in _texts():
            if text in words:
                raise NotYetError(f"{words!r} is there")

    def texts(self) -> list[str]:
        """Return all visible text."""
        return [words for _, words in _texts()]

    def picture(self, path: str) -> None:
        """Save a screenshot in a file."""
        if QGuiApplication.platformName() == "xcb":
            QGuiApplication.primaryScreen().grabWindow(0).save(path)
            return
        windows = [one for one in QApplication.topLevelWidgets() if one.isVisible()]
        windows.sort(key=lambda one: isinstance(one, QDialog))
        for number, one in enumerate(windows):
            one.grab().save(path.replace(".png", f"-{number}.png") if number else path)

    def lateness(self, seconds: float) -> float:
        """The most seconds that a timer of 50 ms was late, looked at for so long."""
        if not self._ticker.isActive():
            self._ticks = [time.monotonic()]
            self._ticker.start(50)
        if self._ticks[-1] - self._ticks[0] < seconds:
            raise NotYetError("still looking")
        self._ticker.stop()
        return max(after - before for before, after in pairwise(self._ticks)) - 0.05

    def close_window(self) -> None:
        """Close the main window, as its title bar does."""
        _main_window().close()

    def is_minimised(self) -> None:
        """Wait until the main window is."""
        if not _main_window().isMinimized():
            raise NotYetError("the window is not minimised")

    def is_hidden(self) -> None:
        """Wait until the main window is not there to be seen."""
        if _main_window().isVisible():
            raise NotYetError("the window is shown")

    def is_up(self) -> None:
        """Wait until the main window is shown and not minimised."""
        window = _main_window()
        if window.isMinimized() or not window.isVisible():
            raise NotYetError("the window is not shown")

    def is_dark(self) -> None:
        """Wait until the main window has light words on a dark ground."""
        palette = _main_window().palette()
        if palette.color(palette.ColorRole.Window).lightness() > palette.color(palette.ColorRole.Text).lightness():
            raise NotYetError("the window is light")


def _main_window() -> QWidget:
    for one in QApplication.topLevelWidgets():
        if not isinstance(one, QDialog) and one.windowTitle() and one.isWindow() and one.parent() is None:
            return one
    raise NotYetError("no window")


def _come_to_the_front() -> None:
    """Have the window that can be used be the active one, as a window manager sees to it; there may be none here."""
    window = QApplication.activeModalWidget() or _main_window()
    if not window.isActiveWindow():
        window.activateWindow()


def _where_the_cursor_is() -> QWidget | None:
    """The focus; with no window manager the window itself may not be the active one."""
    return QApplication.focusWidget() or (QApplication.activeModalWidget() or _main_window()).focusWidget()


def _reachable(kind: type[Any]) -> Iterator[Any]:
    """Visible widgets that a click would reach: those of the dialog that is open, else of the window."""
    modal = QApplication.activeModalWidget()
    for one in QApplication.allWidgets():
        if isinstance(one, kind) and one.isVisible() and (modal is None or one.window() is modal):
            yield one


def _rows(model: QAbstractItemModel, parent: QModelIndex) -> Iterator[QModelIndex]:
    for row in range(model.rowCount(parent)):
        index = model.index(row, 0, parent)
        yield index
        yield from _rows(model, index)


def _texts() -> Iterator[tuple[str, str]]:
    """Return the names of the visible widgets and the text in them."""
    for one in QApplication.allWidgets():
        if not one.isVisible():
            continue
        name = one.accessibleName()
        if isinstance(one, QLabel | QLineEdit):
            yield name, one.text()
        elif isinstance(one, QAbstractButton):
            yield name, _shown(one.text()) or name
        elif isinstance(one, QPlainTextEdit | QTextEdit):
            yield name, one.toPlainText()
        elif isinstance(one, QComboBox):
            yield name, one.currentText()
        elif isinstance(one, QAbstractItemView) and one.model() is not None:
            for index in _rows(one.model(), QModelIndex()):
                said = index.data(Qt.ItemDataRole.AccessibleTextRole)
                yield name, f"{index.data()} {said}" if said else str(index.data())


def _shown(text: str) -> str:
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&").strip()


def _listen(hand: Hand) -> None:
    for line in sys.stdin:
        hand.came.emit(line)


if __name__ == "__main__":
    hand = Hand()
    threading.Thread(target=_listen, args=[hand], daemon=True).start()
    sys.exit(main())
