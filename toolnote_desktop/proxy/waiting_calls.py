"""Limits of what waits for an answer, for each client and each server (docs/contract.md 5, docs/security.md).

A request waits from its arrival until its answer or its cancellation; its bytes are those of its message. Requests over
a limit are answered at once, so that neither a client nor a server that hangs can fill the memory.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.proxy.protocol import BODY_LIMIT

MAX_WAITING: Final = 256
"""Maximum number of waiting requests of a client, and of a server."""

MAX_WAITING_BYTES: Final = BODY_LIMIT
"""Maximum bytes of them. One request within the limit of a body always fits while no other one waits."""


class LimitReached(Exception):  # noqa: N818  # names what happened, like UpstreamNotReady
    """A request was not sent, because too much is waiting for an answer.

    Attributes:
        problem: limit, and the client or server that has reached it.
    """

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem.code))
        self.problem = problem


class _Waiting:
    """Number and bytes of the waiting requests of one client or server."""

    __slots__ = ("number", "size")

    def __init__(self) -> None:
        self.number = 0
        self.size = 0

    def is_full(self, size: int) -> bool:
        """Return True if one more request of ``size`` bytes would exceed a limit."""
        return self.number >= MAX_WAITING or self.size + size > MAX_WAITING_BYTES

    def limit(self) -> str:
        """Return the limit that is reached."""
        if self.number >= MAX_WAITING:
            return f"{MAX_WAITING} calls"
        return f"{MAX_WAITING_BYTES // (1024 * 1024)} MB of arguments"


class Admission:
    """Request that waits. It counts until each of its holders has released it."""

    __slots__ = ("_calls", "_client", "_holders", "_server", "_size")

    def __init__(self, calls: WaitingCalls, client: str | None, server: str, size: int) -> None:
        self._calls = calls
        self._client = client
        self._server = server
        self._size = size
        self._holders = 1

    def hold(self) -> None:
        """Add a holder, such as a call that goes on at its server while its client has an interim result."""
        self._holders += 1

    def release(self, _: object = None) -> None:
        """Release the request for one holder."""
        self._holders -= 1
        if self._holders == 0:
            self._calls.remove(self._client, self._server, self._size)


class IncomingBodies:
    """Bytes of the bodies that are being received, by client. A body alone may have the size of the limit."""

    def __init__(self) -> None:
        self._sizes: dict[str | None, int] = {}

    def add(self, principal: Principal, size: int) -> bool:
        """Count bytes that were received; return False if they are too many, and count nothing."""
        before = self._sizes.get(principal.client, 0)
        if before and before + size > MAX_WAITING_BYTES:
            return False
        self._sizes[principal.client] = before + size
        return True

    def remove(self, principal: Principal, size: int) -> None:
        """Forget bytes whose body is complete or given up."""
        left = self._sizes.get(principal.client, 0) - size
        if left > 0:
            self._sizes[principal.client] = left
        else:
            self._sizes.pop(principal.client, None)


class WaitingCalls:
    """Waiting requests by client and by server.

    Args:
        changed: called when a request begins or ceases to wait.
    """

    def __init__(self, changed: Callable[[], None] = lambda: None) -> None:
        self._changed = changed
        self._clients: dict[str | None, _Waiting] = {}
        self._servers: dict[str, _Waiting] = {}

    def admit(self, principal: Principal, server: str, size: int) -> Admission:
        """Count a request of ``size`` bytes until it is released.

        Raises:
            LimitReached: the client or the server has reached a limit; nothing is counted.
        """
        client = principal.client
        of_client = self._clients.get(client) or _Waiting()
        of_server = self._servers.get(server) or _Waiting()
        if of_client.is_full(size):
            raise LimitReached(Problem(Code.CLIENT_LIMIT_REACHED, {"limit": of_client.limit()}))
        if of_server.is_full(size):
            raise LimitReached(Problem(Code.SERVER_LIMIT_REACHED, {"limit": of_server.limit(), "server": server}))
        self._clients[client], self._servers[server] = of_client, of_server
        of_client.number += 1
        of_client.size += size
        of_server.number += 1
        of_server.size += size
        self._changed()
        return Admission(self, client, server, size)

    def remove(self, client: str | None, server: str, size: int) -> None:
        """Forget a request that was released."""
        self._changed()
        of_client, of_server = self._clients[client], self._servers[server]
        of_client.number -= 1
        of_client.size -= size
        of_server.number -= 1
        of_server.size -= size
        if not of_client.number:
            del self._clients[client]
        if not of_server.number:
            del self._servers[server]
