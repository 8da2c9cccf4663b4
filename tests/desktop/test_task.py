"""Work off the window's thread comes back into it, or is forgotten with its owner."""

from __future__ import annotations

import threading

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QThread
from pytestqt.qtbot import QtBot

from toolnote_desktop.desktop import background_task
from toolnote_desktop.desktop.background_task import run_task


def test_the_outcome_comes_in_the_windows_thread(qtbot: QtBot) -> None:
    owner = QObject()
    here = QThread.currentThread()
    came: list[tuple[str, bool]] = []
    run_task(
        owner,
        lambda: threading.current_thread().name,
        lambda name: came.append((name, QThread.currentThread() is here)),
        _never,
    )
    qtbot.waitUntil(lambda: bool(came), timeout=5000)
    assert came == [("task of QObject", True)]
    assert not background_task._running


def test_an_error_is_told(qtbot: QtBot) -> None:
    owner = QObject()
    errors: list[Exception] = []

    def fail() -> int:
        raise OSError("no")

    run_task(owner, fail, _never, errors.append)
    qtbot.waitUntil(lambda: bool(errors), timeout=5000)
    assert str(errors[0]) == "no"


def test_an_owner_that_is_gone_is_not_told(qtbot: QtBot) -> None:
    owner = QObject()
    go = threading.Event()
    run_task(owner, go.wait, _never, _never)
    owner.deleteLater()
    QCoreApplication.sendPostedEvents(owner, QEvent.Type.DeferredDelete.value)
    go.set()
    qtbot.waitUntil(lambda: not background_task._running, timeout=5000)


def _never(_outcome: object) -> None:
    raise AssertionError("must not be called")
