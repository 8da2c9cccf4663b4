"""Turns of clients: of what many requests need at once, each pass of the loop does a little, client by client.

One program can have hundreds of requests ready in the same pass. Done there and then, they would delay each other
client by the time of all of them.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Hashable
from functools import partial
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


class _Queue:
    """Work of a client: what is received already is done before more is read, which would only fill the memory."""

    __slots__ = ("received", "to_read")

    def __init__(self) -> None:
        self.received: deque[tuple[int, Callable[[], None]]] = deque()
        self.to_read: deque[tuple[int, Callable[[], None]]] = deque()

    def __bool__(self) -> bool:
        return bool(self.received or self.to_read)

    def pop(self) -> tuple[int, Callable[[], None]]:
        """Return the next work and the bytes for which it counts."""
        return (self.received or self.to_read).popleft()


class ClientTurns:
    """Work of clients that waits for its turn. Used on the proxy's loop only."""

    def __init__(self) -> None:
        self._waiting: dict[Hashable, _Queue] = {}
        self._spent = 0
        self._is_scheduled = False

    def spend(self, size: int) -> None:
        """Record work that was done at once: less of what waits is done in this pass."""
        self._spent += size
        self._schedule()

    def begin(self, client: Hashable, size: int, work: Callable[[], None]) -> None:
        """Call ``work`` on a request now if this pass has room for it, else in a later one."""
        if self._waiting or self._spent >= TURN_BYTES:
            self._waiting.setdefault(client, _Queue()).received.append((size, work))
            self._schedule()
        else:
            self.spend(size)
            work()

    def read(self, client: Hashable, work: Callable[[], None]) -> None:
        """Call ``work``, which reads more of a request, in a later pass."""
        self._waiting.setdefault(client, _Queue()).to_read.append((READ_BYTES, work))
        self._schedule()

    async def wait_to_read(self, client: Hashable) -> None:
        """Return when the client may send more of a request."""
        turn = _turn()
        self.read(client, partial(_set, turn))
        await turn

    async def wait(self, client: Hashable, size: int) -> None:
        """Return when it is the client's turn."""
        turn = _turn()
        self.begin(client, size, partial(_set, turn))
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
            queue = self._waiting.pop(client)
            size, work = queue.pop()
            if queue:
                self._waiting[client] = queue  # behind the others
            spent += size
            work()
        if self._waiting:
            self._schedule()


def _turn() -> asyncio.Future[None]:
    return asyncio.get_running_loop().create_future()


def _set(turn: asyncio.Future[None]) -> None:
    if not turn.done():
        turn.set_result(None)
