"""Liveness of a ready server: a quiet one is probed, more often while it is needed (docs/architecture.md).

The handshake era has ``ping``. The modern era has none, so ``server/discover`` is sent, which every server must support
and which is cheap. A server that never responds to a ping, against the specification, is asked for one of its lists.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol

from msgspec import Struct

from toolnote_desktop.proxy.aio.aligned_timer import delay_to_next_tick
from toolnote_desktop.proxy.protocol import Era
from toolnote_desktop.proxy.transports.base import ReplyUnreadable, Transport, TransportClosed
from toolnote_desktop.proxy.upstream.handshake import HandshakeResult


class ConnectionTimeouts(Struct, frozen=True):
    """Seconds.

    Attributes:
        quiet: a list is read again when no further change was announced for that long …
        max_quiet: … or that long after the first.
        idle_interval, idle_timeout: quiet time before a probe of an idle server, and time for its response; together
            less than a minute.
        active_interval, active_timeout: the same for a server that is in use or shown; together less than five.
        active_for: a server counts as in use for that long after a request.
        restart_after: a silent server that works on nothing is ended and started again after that long.
        relist: a list that is read again may take that long; then what was read before stays.
        reopen_delay: before a stream of notifications that has ended is opened again, doubled up to half a minute.
        stream_open: to wait for the first stream of notifications before the lists are read.
    """

    quiet: float = 0.03
    max_quiet: float = 0.5
    idle_interval: float = 48.0
    idle_timeout: float = 8.0
    active_interval: float = 2.0
    active_timeout: float = 2.5
    active_for: float = 60.0
    restart_after: float = 20.0
    relist: float = 60.0
    reopen_delay: float = 1.0
    stream_open: float = 0.25


class LivenessOwner(Protocol):
    """Owner of a connection whose liveness is watched."""

    def is_needed(self) -> bool:
        """Return True if the server is in use or shown."""

    def silence_changed(self, silent: bool, *, busy: bool) -> None:
        """Handle that the server stopped responding, or responds again. ``busy``: it has requests of clients."""


SendRequest = Callable[[str, float], Awaitable[object]]
"""``ask(method, seconds)`` sends a request of our own; raises as ``Transport.request`` does."""

_LIST_FACTOR = 5.0
"""Factor by which the interval is longer if a list is requested instead of a ping."""


class Liveness:
    """Liveness of one connection.

    Attributes:
        silent_seconds: seconds since the first probe without a response; 0 while the server responds.
    """

    def __init__(self, timeouts: ConnectionTimeouts, owner: LivenessOwner, busy: Callable[[], bool]) -> None:
        self.silent_seconds = 0.0
        self._timeouts = timeouts
        self._owner = owner
        self._busy = busy
        self._wake = asyncio.Event()
        self._at_once = False
        self._transport: Transport
        self._send_request: SendRequest
        self._method: str
        self._fallback: str | None = None
        self._verified = False

    def wake(self, *, at_once: bool = False) -> None:
        """Shorten the interval: the server is needed. ``at_once``: probe now, as after the computer slept."""
        self._at_once |= at_once
        self._wake.set()

    async def run(self, transport: Transport, handshake_result: HandshakeResult, send_request: SendRequest) -> None:
        """Probe the server until it counts as dead, which it never does while it has requests of clients."""
        self._transport, self._send_request = transport, send_request
        self._method, self._fallback = _probe_methods(handshake_result)
        self._verified = handshake_result.era is Era.MODERN  # the handshake was a response to this request
        while await self._wait_and_probe():
            if self.silent_seconds:
                self.silent_seconds = 0.0
                self._owner.silence_changed(False, busy=False)

    async def _wait_and_probe(self) -> bool:
        """Wait for a quiet interval and probe until the server responds; False if it is dead."""
        loop = asyncio.get_running_loop()
        before = self._transport.messages_received
        was_woken = await self._wait()
        at_once, self._at_once = self._at_once, False
        if not at_once and (was_woken or self._transport.messages_received != before):
            return True
        since: float | None = None
        while not await self._responds():
            if not self._verified and self._fallback is None:
                await loop.create_future()  # it responds to no probe, so that its silence means nothing
            now = loop.time()
            since = now - self._answer() if since is None else since
            self.silent_seconds = now - since
            busy = self._busy()
            self._owner.silence_changed(True, busy=busy)
            if not busy and self.silent_seconds >= self._timeouts.restart_after:
                return False
            await asyncio.sleep(min(1.0, self._answer() / 4))
        return True

    async def _wait(self) -> bool:
        """Wait for the interval; return True if that was cut short."""
        self._wake.clear()
        if self._at_once:
            return True
        timeouts = self._timeouts
        seconds = timeouts.active_interval if self._owner.is_needed() else timeouts.idle_interval
        if self._verified and self._method not in _CHEAP:
            seconds = max(seconds, min(timeouts.idle_interval, _LIST_FACTOR * timeouts.active_interval))
        try:
            async with asyncio.timeout(delay_to_next_tick(seconds)):
                await self._wake.wait()
        except TimeoutError:
            return False
        return True

    def _answer(self) -> float:
        return self._timeouts.active_timeout if self._owner.is_needed() else self._timeouts.idle_timeout

    async def _responds(self) -> bool:
        seconds = self._answer()
        if self._verified:
            return await self._is_responsive(self._method, seconds)
        # The first probe also determines which request the server responds to.
        for method in (self._method, self._fallback):
            if method is not None and await self._is_responsive(method, seconds / 2):
                self._method, self._verified = method, True
                return True
        return False

    async def _is_responsive(self, method: str, seconds: float) -> bool:
        before = self._transport.messages_received
        try:
            await self._send_request(method, seconds)
        except TimeoutError:
            return self._transport.messages_received != before
        except TransportClosed:
            return False
        except ReplyUnreadable as error:
            return not error.server_absent  # an invalid response is a sign of life too
        return True


_CHEAP = frozenset({"ping", "server/discover"})

_LISTS = {"tools": "tools/list", "prompts": "prompts/list", "resources": "resources/list"}


def _probe_methods(handshake_result: HandshakeResult) -> tuple[str, str | None]:
    """Return the probe's method, and the alternative if the server does not respond to it."""
    if handshake_result.era is Era.MODERN:
        return "server/discover", None
    return "ping", next((method for name, method in _LISTS.items() if handshake_result.can(name)), None)
