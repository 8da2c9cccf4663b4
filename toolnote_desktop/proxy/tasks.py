"""Ending tasks for certain: whatever happens to whoever waits for that."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Any

from toolnote_desktop.proxy.peer import PeerClosed, ReplyUnreadable

log = logging.getLogger(__name__)


async def cancel_all(tasks: Sequence[asyncio.Future[Any]]) -> None:
    """Cancel tasks and wait until each has ended, also if we are cancelled meanwhile. A task that failed is logged."""
    for task in tasks:
        task.cancel()
    await outlast(tasks)
    for task in tasks:
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, (PeerClosed, ReplyUnreadable)):
            log.error("a task failed", exc_info=error)


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
