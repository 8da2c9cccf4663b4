"""Periodic checks: which servers are in use or shown, and whether the computer has slept.

A server is in use during a request and for a minute afterwards (``server.py``), and while a client that has its tools
is active; it is shown while the window shows its state. Other servers are probed about once a minute.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import time
from collections.abc import Callable, Collection, Iterable, Mapping

from toolnote_desktop.model.servers import Server
from toolnote_desktop.proxy.aio.aligned_timer import delay_to_next_tick
from toolnote_desktop.proxy.upstream.servers import Upstreams
from toolnote_desktop.proxy.urls import is_loopback_url

CHECK_INTERVAL = 2.0
"""Seconds."""

CLIENT_ACTIVE = 60.0
"""Seconds that a client counts as active after its last request."""

IDLE_PROCESS = 300.0
"""Seconds without a request after which the second process of a server (``era_choice.py``) is closed: it outlasts a
pause in a conversation, but not its end."""

SLEEP_THRESHOLD = 10.0
"""Seconds that must be missing from a clock for the computer to have slept, or this process to have been stopped."""

log = logging.getLogger(__name__)


class HealthMonitor:
    """Periodic checks of all upstreams.

    Args:
        at_work: returns the servers of clients that sent a request within the given seconds.
        entries: returns the configured servers.
    """

    def __init__(
        self,
        upstreams: Upstreams,
        at_work: Callable[[float], Iterable[str]],
        entries: Callable[[], Mapping[str, Server]],
    ) -> None:
        self._upstreams = upstreams
        self._at_work = at_work
        self._entries = entries
        self._page: str | None = None
        self._window = False

    def set_visible(self, window: bool, page: str | None) -> None:
        """Set what is visible: the window, with the states of all servers, and the page of one server.

        Of remote servers only the one whose page is visible is probed often: they belong to others.
        """
        self._window, self._page = window, page
        self._update_priorities()

    async def run(self) -> None:
        """Run the checks until cancelled."""
        before = _clocks()
        while True:
            await asyncio.sleep(delay_to_next_tick(CHECK_INTERVAL))
            now = _clocks()
            if has_slept(before, now):
                log.info("the computer has slept: all connections are probed")
                self._upstreams.recheck()
            before = now
            self._update_priorities()
            self._upstreams.close_idle(IDLE_PROCESS)

    def _update_priorities(self) -> None:
        self._upstreams.set_in_use(self._needed())

    def _needed(self) -> Collection[str]:
        needed = set(self._at_work(CLIENT_ACTIVE))
        if self._window:
            needed.update(server for server, entry in self._entries().items() if _is_local(entry))
            if self._page is not None:
                needed.add(self._page)
        return needed


Clocks = tuple[float, float]
"""Loop clock, and a clock that advances while the computer sleeps."""


def _clocks() -> Clocks:
    if sys.platform == "linux":  # unlike the wall clock, this one cannot be set
        since_boot = time.clock_gettime(time.CLOCK_BOOTTIME)
    else:
        since_boot = time.time()
    return time.monotonic(), since_boot


def has_slept(before: Clocks, now: Clocks) -> bool:
    """Return True if one of the clocks has advanced by far more than the interval."""
    return max(now[0] - before[0], now[1] - before[1]) > CHECK_INTERVAL + SLEEP_THRESHOLD


def _is_local(entry: Server) -> bool:
    return entry.type == "stdio" or is_loopback_url(entry.url or "")
