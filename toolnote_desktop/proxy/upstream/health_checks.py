"""Every other second: which servers somebody needs to know the state of, and whether the computer has slept meanwhile.

A server is in use while a request is on its way to it and a minute after (``server.py`` knows that), and while a
client that has its tools is at work; it is shown while the window shows its state. What is neither is left alone for
most of a minute.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Collection, Iterable, Mapping

from toolnote_desktop.model.servers import Server
from toolnote_desktop.proxy.aio.aligned_timer import delay_to_next_tick
from toolnote_desktop.proxy.upstream.servers import Upstreams
from toolnote_desktop.proxy.urls import is_loopback_url

CHECK_INTERVAL = 2.0
"""Seconds."""

CLIENT_ACTIVE = 60.0
"""Seconds that a client counts as at work after its last request."""

IDLE_PROCESS = 300.0
"""Seconds after which the second process of a server (``era_choice.py``) ends that nobody has asked for anything: a
conversation that pauses finds it as it was, and one that is over keeps no process."""

SLEEP_THRESHOLD = 10.0
"""Seconds that must be missing from the clocks for the computer to have slept, or this process to have been stopped."""

log = logging.getLogger(__name__)


class HealthMonitor:
    """See the module.

    Args:
        at_work: the servers whose tools a client has that asked for something within so many seconds.
        entries: the servers as they are configured now.
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

    def shown(self, window: bool, page: str | None) -> None:
        """What is on the screen: the window, with the states of all servers, and the page about one of them.

        Of servers elsewhere on the net only the one with its page is asked every other second: they are other people's.
        """
        self._window, self._page = window, page
        self._update_priorities()

    async def keep(self) -> None:
        """Until cancelled."""
        before = _clocks()
        while True:
            await asyncio.sleep(delay_to_next_tick(CHECK_INTERVAL))
            now = _clocks()
            if has_slept(before, now):
                log.info("the computer has slept: every connection is looked at")
                self._upstreams.recheck()
            before = now
            self._update_priorities()
            self._upstreams.close_idle(IDLE_PROCESS)

    def _update_priorities(self) -> None:
        self._upstreams.set_in_use(self._needed())

    def _needed(self) -> Collection[str]:
        needed = set(self._at_work(CLIENT_ACTIVE))
        if self._window:
            needed.update(server for server, entry in self._entries().items() if _is_here(entry))
            if self._page is not None:
                needed.add(self._page)
        return needed


Clocks = tuple[float, float]
"""The loop's clock, and one that goes on while the computer sleeps."""


def _clocks() -> Clocks:
    boot = getattr(time, "CLOCK_BOOTTIME", None)  # Linux: the wall clock can be set, this one cannot
    return time.monotonic(), time.time() if boot is None else time.clock_gettime(boot)


def has_slept(before: Clocks, now: Clocks) -> bool:
    """Whether far more time than a beat has gone by between two looks at the clocks, by either of them."""
    return max(now[0] - before[0], now[1] - before[1]) > CHECK_INTERVAL + SLEEP_THRESHOLD


def _is_here(entry: Server) -> bool:
    return entry.type == "stdio" or is_loopback_url(entry.url or "")
