"""Coroutines of the window: results in its thread, errors reported, cancelled with their widget."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import Future

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QThread
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from toolnote_desktop.desktop.async_tasks import (
    LatestTask,
    cancel_all,
    disabled,
    in_thread,
    running_tasks,
    spawn,
    wait_for,
)


def delete(owner: QObject) -> None:
    owner.deleteLater()
    QCoreApplication.sendPostedEvents(owner, QEvent.Type.DeferredDelete.value)


def test_in_thread_returns_its_result_to_the_windows_thread(qtbot: QtBot) -> None:
    owner = QObject()
    here = QThread.currentThread()
    results: list[tuple[bool, bool]] = []

    async def work() -> None:
        thread = await in_thread(threading.current_thread)
        results.append((thread.daemon and thread is not threading.main_thread(), QThread.currentThread() is here))

    spawn(owner, work())
    qtbot.waitUntil(lambda: bool(results), timeout=5000)
    assert results == [(True, True)]
    qtbot.waitUntil(lambda: not running_tasks(), timeout=5000)


def test_default_executor_uses_daemon_threads(qtbot: QtBot) -> None:
    owner = QObject()
    threads: list[threading.Thread] = []

    async def work() -> None:
        threads.append(await asyncio.to_thread(threading.current_thread))

    spawn(owner, work())
    qtbot.waitUntil(lambda: bool(threads), timeout=5000)
    assert threads[0].daemon
    assert threads[0] is not threading.main_thread()


def test_in_thread_raises_the_functions_error(qtbot: QtBot) -> None:
    owner = QObject()
    errors: list[str] = []

    def fail() -> int:
        raise OSError("no")

    async def work() -> None:
        try:
            await in_thread(fail)
        except OSError as error:
            errors.append(str(error))

    spawn(owner, work())
    qtbot.waitUntil(lambda: errors == ["no"], timeout=5000)


def test_spawn_reports_an_uncaught_error(qtbot: QtBot) -> None:
    owner = QObject()

    async def fail() -> None:
        raise OSError("no")

    with qtbot.captureExceptions() as caught:
        spawn(owner, fail())
        qtbot.waitUntil(lambda: len(caught) == 1, timeout=5000)
    assert str(caught[0][1]) == "no"


def test_spawn_cancels_with_its_owner_and_leaves_the_thread(qtbot: QtBot) -> None:
    owner = QWidget()
    go, finished = threading.Event(), threading.Event()
    outcomes: list[str] = []

    def block() -> None:
        go.wait()
        finished.set()

    async def work() -> None:
        try:
            with disabled(owner):
                await in_thread(block)
        except asyncio.CancelledError:
            outcomes.append("cancelled")
            raise
        outcomes.append("done")

    spawn(owner, work())
    qtbot.waitUntil(lambda: not owner.isEnabled(), timeout=5000)
    delete(owner)
    qtbot.waitUntil(lambda: outcomes == ["cancelled"], timeout=5000)
    go.set()
    assert finished.wait(5)
    qtbot.waitUntil(lambda: not running_tasks(), timeout=5000)
    assert outcomes == ["cancelled"]


def test_latest_task_cancels_the_one_before(qtbot: QtBot) -> None:
    owner = QObject()
    latest = LatestTask(owner)
    answers: list[Future[str]] = [Future(), Future()]
    shown: list[str] = []

    async def show(answer: Future[str]) -> None:
        shown.append(await wait_for(answer))

    latest.start(show(answers[0]))
    latest.start(show(answers[1]))
    assert latest.is_running
    answers[0].set_result("old")
    answers[1].set_result("new")
    qtbot.waitUntil(lambda: not latest.is_running, timeout=5000)
    assert shown == ["new"]


def test_wait_for_leaves_a_future_of_another_thread_alone(qtbot: QtBot) -> None:
    owner = QObject()
    future: Future[str] = Future()
    task = LatestTask(owner)

    async def show() -> None:
        await wait_for(future)

    task.start(show())
    qtbot.wait(1)
    task.cancel()
    qtbot.waitUntil(lambda: not running_tasks(), timeout=5000)
    assert not future.cancelled()
    future.set_result("written")


def test_cancel_all_waits_for_each(qtbot: QtBot, qt_event_loop: asyncio.AbstractEventLoop) -> None:
    owner = QObject()
    ends: list[int] = []

    async def work(number: int) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ends.append(number)

    for number in range(3):
        spawn(owner, work(number))
    qtbot.wait(1)
    ending = qt_event_loop.create_task(cancel_all())
    qtbot.waitUntil(ending.done, timeout=5000)
    assert sorted(ends) == [0, 1, 2]


@pytest.mark.parametrize("fails", [False, True])
def test_disabled_enables_again(qtbot: QtBot, fails: bool) -> None:
    widget = QWidget()
    qtbot.addWidget(widget)
    try:
        with disabled(widget):
            assert not widget.isEnabled()
            if fails:
                raise OSError
    except OSError:
        assert fails
    assert widget.isEnabled()


def test_a_task_that_is_started_before_the_event_loop_runs_with_it(qtbot: QtBot) -> None:
    owner = QObject()
    done: list[str] = []

    async def work(name: str) -> None:
        done.append(name)

    loop = asyncio.get_running_loop()
    task, cancelled = LatestTask(owner), LatestTask(owner)
    asyncio._set_running_loop(None)
    try:
        task.start(work("outdated"))
        task.start(work("latest"))
        cancelled.start(work("cancelled"))
        assert task.is_running
        cancelled.cancel()
        assert not cancelled.is_running
        qtbot.wait(50)
        assert done == []
    finally:
        asyncio._set_running_loop(loop)
    qtbot.waitUntil(lambda: done == ["latest"], timeout=5000)
    qtbot.waitUntil(lambda: not task.is_running, timeout=5000)
