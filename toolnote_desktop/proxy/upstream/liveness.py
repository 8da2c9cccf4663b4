"""Whether a ready server is still there: one that is quiet is asked, sooner while somebody needs to know (docs/architecture.md).

The handshake era has ``ping``. The modern era has none; there ``server/discover`` is asked, which every server must
answer and which costs it nothing. A server that never answers a ping, against the specification, is asked for one of
its lists, which it answered before.
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
        at_most: … or that long after the first.
        ping_every: how long nothing may be heard before we ask; ping_answer: how long the answer may take. Together
            they are less than a minute.
        used_every, used_answer: the same for a server that is in use or shown; together less than five seconds.
        in_use: a server counts as in use for that long after a request.
        give_up: a silent server that works on nothing is ended and started again after that long.
        relist: a list that is read again may take that long; then what was read before stays.
        listen_again: before a stream of notifications that has ended is opened again, doubled up to half a minute.
        stream_open: to wait for the first stream of notifications before the lists are read.
    """

    quiet: float = 0.03
    at_most: float = 0.5
    ping_every: float = 48.0
    ping_answer: float = 8.0
    used_every: float = 2.0
    used_answer: float = 2.5
    in_use: float = 60.0
    give_up: float = 20.0
    relist: float = 60.0
    listen_again: float = 1.0
    stream_open: float = 0.25


class LivenessOwner(Protocol):
    """Who knows whether anybody needs the server, and hears how it is."""

    def is_needed(self) -> bool:
        """Whether it is in use or shown."""

    def silent(self, silent: bool, *, busy: bool) -> None:
        """The server does not answer, or does so again. ``busy``: it has work of a client's, and may be deep in it."""


Ask = Callable[[str, float], Awaitable[object]]
"""``ask(method, seconds)``: a request of our own; raises as ``Transport.request`` does."""

_DEAR = 5.0
"""How many times less often a server is asked where the question is a list and no ping."""


class Liveness:
    """Watches one connection.

    Attributes:
        silent_for: seconds since the first question that was not answered; 0 while it answers.
    """

    def __init__(self, pace: ConnectionTimeouts, owner: LivenessOwner, busy: Callable[[], bool]) -> None:
        self.silent_for = 0.0
        self._pace = pace
        self._owner = owner
        self._busy = busy
        self._wake = asyncio.Event()
        self._at_once = False
        self._peer: Transport
        self._ask: Ask
        self._method: str
        self._instead: str | None = None
        self._proven = False

    def look(self, *, at_once: bool = False) -> None:
        """Somebody needs the server from now on. ``at_once``: ask now, as after the computer has slept."""
        self._at_once |= at_once
        self._wake.set()

    async def watch(self, peer: Transport, introduction: HandshakeResult, ask: Ask) -> None:
        """Until the server is taken for dead. One that is working on a client's request never is."""
        self._peer, self._ask = peer, ask
        self._method, self._instead = _questions(introduction)
        self._proven = introduction.era is Era.MODERN  # it was known by its answer to that very question
        while await self._rest_and_ask():
            if self.silent_for:
                self.silent_for = 0.0
                self._owner.silent(False, busy=False)

    async def _rest_and_ask(self) -> bool:
        """Wait until it has been quiet for long, ask, and see the silence through; False: it is dead."""
        loop = asyncio.get_running_loop()
        before = self._peer.heard
        woken = await self._rest()
        at_once, self._at_once = self._at_once, False
        if not at_once and (woken or self._peer.heard != before):
            return True
        since: float | None = None
        while not await self._answers():
            if not self._proven and self._instead is None:
                await loop.create_future()  # it answers nothing that we could ask: it is not judged
            now = loop.time()
            since = now - self._answer() if since is None else since
            self.silent_for = now - since
            busy = self._busy()
            self._owner.silent(True, busy=busy)
            if not busy and self.silent_for >= self._pace.give_up:
                return False
            await asyncio.sleep(min(1.0, self._answer() / 4))
        return True

    async def _rest(self) -> bool:
        """As long as a server may be quiet; whether that was cut short."""
        self._wake.clear()
        if self._at_once:
            return True
        pace = self._pace
        seconds = pace.used_every if self._owner.is_needed() else pace.ping_every
        if self._proven and self._method not in _CHEAP:
            seconds = max(seconds, min(pace.ping_every, _DEAR * pace.used_every))
        try:
            async with asyncio.timeout(delay_to_next_tick(seconds)):
                await self._wake.wait()
        except TimeoutError:
            return False
        return True

    def _answer(self) -> float:
        return self._pace.used_answer if self._owner.is_needed() else self._pace.ping_answer

    async def _answers(self) -> bool:
        seconds = self._answer()
        if self._proven:
            return await self._is_answered(self._method, seconds)
        # The first time: whether it knows this question is found out together with whether it is there.
        for method in (self._method, self._instead):
            if method is not None and await self._is_answered(method, seconds / 2):
                self._method, self._proven = method, True
                return True
        return False

    async def _is_answered(self, method: str, seconds: float) -> bool:
        before = self._peer.heard
        try:
            await self._ask(method, seconds)
        except TimeoutError:
            return self._peer.heard != before
        except TransportClosed:
            return False
        except ReplyUnreadable as error:
            return not error.absent  # else nonsense is a sign of life too
        return True


_CHEAP = frozenset({"ping", "server/discover"})

_LISTS = {"tools": "tools/list", "prompts": "prompts/list", "resources": "resources/list"}


def _questions(introduction: HandshakeResult) -> tuple[str, str | None]:
    """What a server is asked, and what instead where it does not answer that."""
    if introduction.era is Era.MODERN:
        return "server/discover", None
    return "ping", next((method for name, method in _LISTS.items() if introduction.can(name)), None)
