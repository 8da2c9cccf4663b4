"""Coroutines of the window: asyncio on Qt's event loop (qasync), cancelled with the widget that started them.

Import this module after the first paint only: asyncio and qasync would delay it (docs/architecture.md, decision 4).
No coroutine may run a nested event loop (``exec()``, ``processEvents()``): asyncio does not enter a task twice.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from typing import Any, Final, ParamSpec, TypeVar

import qasync
from PySide6.QtCore import QCoreApplication, QObject, QTimer
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from toolnote_desktop.system import threads

P = ParamSpec("P")
T = TypeVar("T")

EARLY_MS: Final = 20
"""Milliseconds between two looks whether the loop runs, for tasks that are started before it."""

_running: Final[set[asyncio.Task[None]]] = set()


class DaemonThreads(Executor):
    """Executor with a daemon thread for each call, so that quitting waits for none of them."""

    def submit(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Call ``function`` in a new thread and return its future."""
        return threads.run_in_thread(lambda: function(*args, **kwargs), name="toolnote-call")


def new_event_loop(application: QCoreApplication, *, already_running: bool = False) -> asyncio.AbstractEventLoop:
    """Return an event loop on ``application``.

    Args:
        already_running: tests run the application themselves; the loop then counts as running at once.
    """
    loop: asyncio.AbstractEventLoop = qasync.QEventLoop(application, already_running=already_running)
    # qasync's own executor has QThreads that are waited for at the end (case C67)
    loop.set_default_executor(DaemonThreads())
    return loop


def spawn(owner: QObject, coroutine: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
    """Run a coroutine that is cancelled when ``owner`` is destroyed. An exception goes to the loop's handler."""
    loop = asyncio.get_running_loop()
    task = loop.create_task(coroutine, name=f"{type(owner).__name__}: {coroutine!r}")
    connection = owner.destroyed.connect(lambda: task.cancel())  # noqa: PLW0108 - the signal has an argument
    _running.add(task)

    def finish(_task: asyncio.Task[None]) -> None:
        _running.discard(task)
        if isValid(owner):
            QObject.disconnect(connection)
        if not task.cancelled() and (error := task.exception()) is not None:
            loop.call_exception_handler({"message": f"in {task.get_name()}", "exception": error, "task": task})

    task.add_done_callback(finish)
    return task


def running_tasks() -> tuple[asyncio.Task[None], ...]:
    """Return the tasks that have not finished."""
    return tuple(_running)


async def cancel_all() -> None:
    """Cancel each running task of the window and wait until all have finished."""
    tasks = running_tasks()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


class LatestTask:
    """At most one task of an owner: starting another one cancels it, so that an outdated result is never shown."""

    def __init__(self, owner: QObject) -> None:
        self._owner = owner
        self._task: asyncio.Task[None] | None = None
        self._early: Coroutine[Any, Any, None] | None = None

    @property
    def is_running(self) -> bool:
        """True while the task has not finished."""
        return self._early is not None or (self._task is not None and not self._task.done())

    def start(self, coroutine: Coroutine[Any, Any, None]) -> None:
        """Cancel the running task, if any, and start this one: at once, or when the loop runs after the first paint."""
        self.cancel()
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            self._early = coroutine
            QTimer.singleShot(EARLY_MS, self._owner, self._start_early)
        else:
            self._task = spawn(self._owner, coroutine)

    def _start_early(self) -> None:
        coroutine, self._early = self._early, None
        if coroutine is not None:
            self.start(coroutine)

    def cancel(self) -> None:
        """Cancel the running task, if any."""
        if self._early is not None:
            self._early.close()
            self._early = None
        if self._task is not None:
            self._task.cancel()
            self._task = None


async def in_thread(function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """Return what a blocking function returns, which must not touch Qt. Cancelling does not stop its thread."""
    return await threads.in_thread(function, *args, **kwargs)


async def wait_for(future: Future[T]) -> T:
    """Return the result of another thread's future, which is left running when the waiting task is cancelled."""
    return await asyncio.shield(asyncio.wrap_future(future))


@contextmanager
def disabled(widget: QWidget) -> Iterator[None]:
    """Let a widget take no input meanwhile; the focus that it loses by that comes back to it."""
    had_focus = widget.window().focusWidget() is widget
    widget.setEnabled(False)
    try:
        yield
    finally:
        if isValid(widget):
            widget.setEnabled(True)
            if had_focus:
                widget.setFocus()
