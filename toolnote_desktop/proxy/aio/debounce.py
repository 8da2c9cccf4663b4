"""Debouncer: one action for a burst of triggers."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

logger = logging.getLogger(__name__)


class Debouncer:
    """Runs an action after each burst of triggers. Triggers during the action cause another run after it.

    Args:
        quiet: seconds without a trigger that end a burst.
        max_delay: seconds after which the action runs even if triggers keep coming.
        action: its exceptions are logged, and the next burst runs it again.
    """

    def __init__(self, quiet: float, max_delay: float, action: Callable[[], Awaitable[None]]) -> None:
        self._quiet = quiet
        self._max_delay = max_delay
        self._action = action
        self._triggered = asyncio.Event()

    def trigger(self) -> None:
        """Run the action soon. Triggers before ``run`` count for its first burst."""
        self._triggered.set()

    async def run(self) -> None:
        """Wait for bursts and run the action until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            await self._triggered.wait()
            latest = loop.time() + self._max_delay
            while self._triggered.is_set() and (left := latest - loop.time()) > 0:
                self._triggered.clear()
                await asyncio.sleep(min(self._quiet, left))
            self._triggered.clear()
            try:
                await self._action()
            except Exception:  # the boundary of an action: the next burst must not be lost with this one
                logger.exception("a debounced action failed")
