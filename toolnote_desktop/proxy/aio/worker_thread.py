"""Threads beside the loop: for imports, and for blocking work that must be finished while the interpreter exits."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from importlib import import_module
from queue import SimpleQueue
from typing import TypeVar

from toolnote_desktop.system.threads import set_outcome

_T = TypeVar("_T")


_imported: set[str] = set()


async def import_in_thread(*names: str) -> None:
    """Import modules whose import takes long, so that an import statement finds them: it would stop the loop."""
    for name in names:
        if name not in _imported:
            await asyncio.to_thread(import_module, name)
            _imported.add(name)


class WorkerThread:
    """Runs functions one after the other in a thread of its own.

    Executors refuse work once the interpreter has begun to exit, and no thread can be started then. The last processes
    of servers may be ended just then, if they took too long.
    """

    def __init__(self, name: str) -> None:
        self._work: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._closed = False
        self._thread = threading.Thread(target=self._run_all, name=name, daemon=True)
        self._thread.start()

    def submit(self, work: Callable[[], _T]) -> Future[_T]:
        """Run a function; the future gets its result or its exception.

        Raises:
            RuntimeError: the worker is closed.
        """
        if self._closed:
            raise RuntimeError("this worker has ended")
        future: Future[_T] = Future()

        def run() -> None:
            if future.set_running_or_notify_cancel():
                set_outcome(future, work)

        self._work.put(run)
        return future

    async def run(self, work: Callable[[], _T]) -> _T:
        """Run a function and return its result."""
        return await asyncio.wrap_future(self.submit(work))

    def close(self) -> None:
        """Refuse further work, and return when the submitted work is done."""
        self._closed = True
        self._work.put(None)
        self._thread.join()

    def _run_all(self) -> None:
        while (work := self._work.get()) is not None:
            work()
