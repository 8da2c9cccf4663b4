"""Servers with ``"toolnote": {"perClient": true}``: each client has a connection of its own (CONTRACT 5).

It is started when the client first needs it, with what that client can do, and ended when the client has gone.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Protocol

from toolnote_desktop.model.servers import Server, ServerStatus
from toolnote_desktop.proxy.handshake import Era
from toolnote_desktop.proxy.in_flight import Caller, Connection
from toolnote_desktop.proxy.peer import PeerClosed, Reply
from toolnote_desktop.proxy.tools.context import Principal
from toolnote_desktop.proxy.upstream import Listed, Upstream, UpstreamNotReady
from toolnote_desktop.proxy.upstreams import Upstreams


class SaidListener(Protocol):
    """Who hears what is said on a connection (``relay.Relay``)."""

    def notification(self, connection: Connection, method: str, params: bytes | None) -> None:
        """A notification of a server's."""

    async def question(self, connection: Connection, method: str, params: bytes | None) -> Reply:
        """A request of a server's."""


class PerClient:
    """Which connection a caller's requests take.

    Args:
        entry: a server's entry as it is now.
        ended: told of each connection that is ended.
    """

    def __init__(
        self,
        upstreams: Upstreams,
        entry: Callable[[str], Server | None],
        listener: Callable[[], SaidListener],
        ended: Callable[[Connection], None],
    ) -> None:
        self._upstreams = upstreams
        self._entry = entry
        self._listener = listener
        self._ended = ended

    def connection(self, server: str, principal: Principal) -> Connection:
        """The connection over which a client's requests reach a server."""
        entry = self._entry(server)
        own = entry is not None and entry.toolnote.per_client
        return Connection(server, principal if own else None)

    def connect(self, server: str, caller: Caller) -> tuple[Connection, Upstream | None]:
        """The same, started if it has to be."""
        connection = self.connection(server, caller.principal)
        if connection.principal is None:
            return connection, self._upstreams.get(server)
        heard = _Heard(connection, self._listener)
        return connection, self._upstreams.of_client(server, caller.principal, heard, caller.capabilities)

    def ready(self) -> Iterator[tuple[Connection, Upstream]]:
        """Every client's own connection that is ready."""
        for server, owner, upstream in self._upstreams.of_clients():
            if upstream.ready and isinstance(owner, Principal):
                yield Connection(server, owner), upstream

    def end_absent(self, present: Collection[Principal]) -> None:
        """End the connections of those who have gone."""
        for server, owner, _ in self._upstreams.of_clients():
            if isinstance(owner, Principal) and owner not in present:
                self._upstreams.end_of_client(server, owner)
                self._ended(Connection(server, owner))

    async def tell(self, principal: Principal, method: str) -> None:
        """Tell all servers that have a connection for this client."""
        for connection, upstream in list(self.ready()):
            if connection.principal == principal and upstream.speaks(Era.HANDSHAKE):
                try:
                    await upstream.notify(method, None)
                except (UpstreamNotReady, PeerClosed):
                    continue  # the next connection begins with what is true then


class _Heard:
    """The listener of one client's connection. How it is and what it lists is told by the shared one."""

    def __init__(self, connection: Connection, listener: Callable[[], SaidListener]) -> None:
        self._connection = connection
        self._listener = listener

    def status_changed(self, server: str, status: ServerStatus) -> None:
        """See ``UpstreamListener``."""

    def listed(self, server: str, listed: Listed) -> None:
        """See ``UpstreamListener``."""

    def notification(self, server: str, method: str, params: bytes | None) -> None:
        """See ``UpstreamListener``."""
        self._listener().notification(self._connection, method, params)

    async def server_request(self, server: str, method: str, params: bytes | None) -> Reply:
        """See ``UpstreamListener``."""
        return await self._listener().question(self._connection, method, params)
