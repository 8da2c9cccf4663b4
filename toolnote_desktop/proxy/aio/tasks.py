"""Ending tasks for certain: whatever happens to whoever waits for that."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Sequence
from typing import Any

log = logging.getLogger(__name__)


def watched(work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
    """A task of its own; if it fails, that is logged at once: nobody awaits it."""
    task = asyncio.ensure_future(work)
    task.add_done_callback(_log_failure)
    return task


def _log_failure(task: asyncio.Task[None]) -> None:
    error = None if task.cancelled() else task.exception()
    if error is not None:
        log.error("a task failed", exc_info=error)


async def cancel_all(tasks: Sequence[asyncio.Future[Any]]) -> None:
    """Cancel tasks and wait until each has ended, also if we are cancelled meanwhile.

    How they ended is for whoever made them (``watched``).
    """
    for task in tasks:
        task.cancel()
    await outlast(tasks)
    for task in tasks:
        if not task.cancelled():
            task.exception()  # seen


async def outlast(tasks: Sequence[asyncio.Future[Any]]) -> None:
    """Wait until each has ended; a cancellation of ours comes through after that.

    Raises:
        asyncio.CancelledError: we were cancelled meanwhile.
    """
    cancelled = False
    while pending := [task for task in tasks if not task.done()]:
        try:
            await asyncio.wait(pending)
        except asyncio.CancelledError:
            cancelled = True
    if cancelled:
        raise asyncio.CancelledError
