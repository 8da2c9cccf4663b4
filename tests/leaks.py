"""Leak detection: snapshots of threads, processes and Qt objects, and the difference to one."""

from __future__ import annotations

import gc
import os
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil

if TYPE_CHECKING:
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QWidget

# Set in each test's environment to a value of its own, so that an orphaned grandchild is still known as the test's.
# Named like a category of the locale, because servers get only a part of our environment, with all of those.
MARK = "LC_TOOLNOTE_TEST_MARK"

# Name of the thread, and argument of the process, of the search's model.
SEARCH_MODEL = "search-model"

# Seconds that stopped threads and processes have to end before they count as left behind.
GRACE = 5.0

_CHILDREN = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children")


class Snapshot:
    """Threads, processes and Qt objects that existed before a test and its own fixtures."""

    def __init__(self, mark: str, *, timers: bool) -> None:
        self.mark = mark
        self.watch_timers = timers
        self.threads = set(threading.enumerate())
        self.processes = set(_descendants())
        self.reaped = _reaped()
        self.widgets = set(map(id, _top_level_widgets()))
        self.timers = set(map(id, _active_timers())) if timers else set()

    def left(self, grace: float = GRACE) -> list[str]:
        """Return a line for each new thread, process or Qt object that does not end within ``grace`` seconds."""
        deadline = time.monotonic() + grace
        return [*self._threads(deadline), *self._processes(deadline), *self._qt_objects()]

    def _threads(self, deadline: float) -> Iterator[str]:
        has_watcher = any(thread.name == "toolnote-watch" and thread.is_alive() for thread in self.threads)
        for thread in set(threading.enumerate()) - self.threads:
            if isinstance(thread, threading._DummyThread):  # made by Qt or a C library: cannot be joined
                continue
            if has_watcher and type(thread).__module__.startswith("watchdog."):
                continue  # a watcher of the module's begins to watch, or watches anew; it ends them with itself
            if thread.name == SEARCH_MODEL and self._has_proxy():
                continue  # a proxy of the module's ends it with itself
            vars(thread)["_started"].wait(max(0.0, deadline - time.monotonic()))  # it may just be starting
            thread.join(max(0.0, deadline - time.monotonic()))
            if thread.is_alive():
                yield f"thread {thread.name!r} is alive{_stack(thread)}"

    def _processes(self, deadline: float) -> Iterator[str]:
        if _has_no_children() and _reaped() == self.reaped:
            return  # no process was started since, so that none is left: reading all of the machine's takes 20 ms
        new = {*_descendants(), *marked_processes(self.mark)} - self.processes
        new = {one for one in new if not self._is_model_of_module(one)}
        _, alive = psutil.wait_procs(new, timeout=max(0.0, deadline - time.monotonic()))
        for process in alive:
            try:
                if process.status() != psutil.STATUS_ZOMBIE:
                    yield f"process {process.pid} is alive: {' '.join(process.cmdline())}"
            except psutil.NoSuchProcess:
                continue  # it has ended meanwhile

    def _has_proxy(self) -> bool:
        return any(thread.name == "toolnote-proxy" and thread.is_alive() for thread in self.threads)

    def _is_model_of_module(self, process: psutil.Process) -> bool:
        """Return True for the search's model of a proxy that was there before the test: it ends it with itself."""
        try:
            parent = process.parent()
            is_older = parent in self.processes or (parent == psutil.Process() and self._has_proxy())
            return is_older and SEARCH_MODEL in process.cmdline()
        except psutil.NoSuchProcess:
            return False

    def _qt_objects(self) -> Iterator[str]:
        for _ in range(2):  # what is deleted may have asked for another deletion
            if not self._new_widgets() and not self._new_timers():
                return
            _finish_deletions()
        for widget in self._new_widgets():
            yield f"top-level widget {type(widget).__name__} {widget.objectName()!r} {widget.windowTitle()!r} is alive"
        for timer in self._new_timers():
            yield f"timer {timer.objectName()!r} of {timer.parent()} is running, every {timer.interval()} ms"

    def _new_widgets(self) -> list[QWidget]:
        return [widget for widget in _top_level_widgets() if id(widget) not in self.widgets]

    def _new_timers(self) -> list[QTimer]:
        if not self.watch_timers:
            return []
        return [timer for timer in _active_timers() if id(timer) not in self.timers]


def _stack(thread: threading.Thread) -> str:
    frame = sys._current_frames().get(thread.ident or 0)
    return ":\n" + "".join(traceback.format_stack(frame, 6)) if frame else ""


def _descendants() -> list[psutil.Process]:
    return [] if _has_no_children() else psutil.Process().children(recursive=True)


def _has_no_children() -> bool:
    """Return True if this process certainly has no child, adopted or not; False where ``/proc`` does not tell."""
    try:
        return not any(path.read_bytes() for path in [_CHILDREN, *Path("/proc/self/task").glob("*/children")])
    except OSError:
        return False


def _reaped() -> object:
    """Return a value that another child which has ended changes: each one had page faults."""
    if sys.platform == "win32":
        return object()  # unlike any other
    import resource

    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt


def marked_processes(mark: str) -> Iterator[psutil.Process]:
    """Yield the machine's processes that were started with this test's environment (on systems with ``/proc``)."""
    wanted = f"{MARK}={mark}\0".encode()
    for entry in Path("/proc").glob("[0-9]*"):
        if int(entry.name) == os.getpid():
            continue
        try:
            if wanted in (entry / "environ").read_bytes():
                yield psutil.Process(int(entry.name))
        except (OSError, psutil.NoSuchProcess):
            continue  # ended, or another user's


def _application() -> Any:
    """Return the QApplication of this test run, if there is one, without importing Qt."""
    widgets = sys.modules.get("PySide6.QtWidgets")
    instance = widgets.QApplication.instance() if widgets else None
    return instance if widgets and isinstance(instance, widgets.QApplication) else None


def _top_level_widgets() -> list[QWidget]:
    application = _application()
    return list(application.topLevelWidgets()) if application else []


def _active_timers() -> list[QTimer]:
    if _application() is None:
        return []
    from PySide6.QtCore import QTimer
    from shiboken6 import isValid

    # type() and not isinstance(): the latter asks proxies of other libraries for their __class__.
    return [one for one in gc.get_objects() if issubclass(type(one), QTimer) and isValid(one) and one.isActive()]


def _finish_deletions() -> None:
    """Finish what Python's reference cycles and Qt's ``deleteLater`` put off, before calling it a leak."""
    from PySide6.QtCore import QCoreApplication, QEvent

    gc.collect()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
