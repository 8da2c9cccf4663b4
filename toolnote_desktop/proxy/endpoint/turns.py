"""Turns of clients: of what many requests need at once, each pass of the loop does a little, client by client.

One program can have hundreds of requests ready in the same pass. Done there and then, they would delay each other
client by the time of all of them.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Hashable
from typing import Final

TURN_BYTES: Final = 1024 * 1024
"""Bytes whose work is begun in a pass of the loop; the last piece of work may have more."""

READ_BYTES: Final = TURN_BYTES // 4
"""Bytes that a connection gives at once, about, when it is read."""

CONNECTION_BYTES: Final = TURN_BYTES // 8
"""Bytes for which a new connection counts."""

REQUEST_BYTES: Final = TURN_BYTES // 4
"""Bytes for which a request counts that is answered in a task."""

LARGE_BODY: Final = 64 * 1024
"""Bytes of a body from which on it is received and read in turns, and counts among those that its client is sending."""


class Turns:
    """Work of clients that waits for its turn. Used on the proxy's loop only."""

    def __init__(self) -> None:
        self._waiting: dict[Hashable, deque[tuple[int, Callable[[], None]]]] = {}
        self._spent = 0
        self._is_scheduled = False

    def spend(self, size: int) -> None:
        """Record work that was done at once: less of what waits is done in this pass."""
        self._spent += size
        self._schedule()

    def begin(self, client: Hashable, size: int, work: Callable[[], None]) -> None:
        """Call ``work`` now if this pass has room for it, else in a later one."""
        if self._waiting or self._spent >= TURN_BYTES:
            self.defer(client, size, work)
        else:
            self.spend(size)
            work()

    def defer(self, client: Hashable, size: int, work: Callable[[], None]) -> None:
        """Call ``work`` in a later pass."""
        self._waiting.setdefault(client, deque()).append((size, work))
        self._schedule()

    async def wait(self, client: Hashable, size: int) -> None:
        """Return when it is the client's turn."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.defer(client, size, lambda: None if turn.done() else turn.set_result(None))
        await turn

    def _schedule(self) -> None:
        if not self._is_scheduled:
            self._is_scheduled = True
            asyncio.get_running_loop().call_soon(self._run)

    def _run(self) -> None:
        self._is_scheduled = False
        spent, self._spent = min(self._spent, TURN_BYTES - 1), 0
        while self._waiting and spent < TURN_BYTES:
            client = next(iter(self._waiting))
            waiting = self._waiting.pop(client)
            size, work = waiting.popleft()
            if waiting:
                self._waiting[client] = waiting  # behind the others
            spent += size
            work()
        if self._waiting:
            self._schedule()
