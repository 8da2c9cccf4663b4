"""Asyncio tasks that are awaited to their end or whose failures are logged."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

log = logging.getLogger(__name__)

Spawn = Callable[[Coroutine[Any, Any, None]], None]
"""Starts a coroutine that is not awaited (``BackgroundTasks.spawn``)."""


def watched(work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
    """Return a task for a coroutine that is not awaited; its failure is logged at once."""
    task = asyncio.ensure_future(work)
    task.add_done_callback(_log_failure)
    return task


def _log_failure(task: asyncio.Task[None]) -> None:
    error = None if task.cancelled() else task.exception()
    if error is not None:
        log.error("a task failed", exc_info=error)


class BackgroundTasks:
    """Tasks that are not awaited: their failures are logged, and ``close`` cancels those that are left."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Start a coroutine."""
        task = watched(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Cancel all tasks and wait for them."""
        await cancel_all(list(self._tasks))


async def cancel_all(tasks: Sequence[asyncio.Future[Any]]) -> None:
    """Cancel tasks and wait until all have ended, even if the caller is cancelled meanwhile.

    Exceptions of the tasks are not raised (see ``watched``).
    """
    for task in tasks:
        task.cancel()
    await outlast(tasks)
    for task in tasks:
        if not task.cancelled():
            task.exception()  # retrieved, so that asyncio does not log it


async def outlast(tasks: Sequence[asyncio.Future[Any]]) -> None:
    """Wait until all tasks have ended, and only then let a cancellation through.

    Raises:
        asyncio.CancelledError: the caller was cancelled meanwhile.
    """
    cancelled = False
    while pending := [task for task in tasks if not task.done()]:
        try:
            await asyncio.wait(pending)
        except asyncio.CancelledError:
            cancelled = True
    if cancelled:
        raise asyncio.CancelledError
