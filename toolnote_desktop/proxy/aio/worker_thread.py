"""A thread for what may take a moment, and must be done to the end."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from typing import TypeVar

from toolnote_desktop.system.threads import set_outcome

_T = TypeVar("_T")


class WorkerThread:
    """Does one thing after the other in a thread of its own.

    An executor takes no work any more once the interpreter has begun to end, and no thread can be started then. That is
    just when the last processes of servers are ended, if it took them longer than anybody could wait for.
    """

    def __init__(self, name: str) -> None:
        self._work: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def submit(self, work: Callable[[], _T]) -> Future[_T]:
        """Have something done; its result or its exception is in the future.

        Raises:
            RuntimeError: the worker is closed.
        """
        if self._closed:
            raise RuntimeError("this worker has ended")
        future: Future[_T] = Future()

        def do() -> None:
            if future.set_running_or_notify_cancel():
                set_outcome(future, work)

        self._work.put(do)
        return future

    async def do(self, work: Callable[[], _T]) -> _T:
        """Have something done, and wait for it."""
        return await asyncio.wrap_future(self.submit(work))

    def close(self) -> None:
        """Nothing more comes. Returns when everything that came has been done."""
        self._closed = True
        self._work.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (work := self._work.get()) is not None:
            work()
