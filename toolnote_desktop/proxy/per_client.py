"""Servers with ``"toolnote": {"perClient": true}``: each client has a connection of its own (CONTRACT 5).

It is started when the client first needs it, with what that client can do, and ended when the client has gone.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Protocol

from toolnote_desktop.model.servers import Server, ServerState, ServerStatus
from toolnote_desktop.proxy.era_choice import wanted_era
from toolnote_desktop.proxy.handshake import Era
from toolnote_desktop.proxy.in_flight import Caller, Connection
from toolnote_desktop.proxy.peer import PeerClosed, Reply
from toolnote_desktop.proxy.tools.context import Principal
from toolnote_desktop.proxy.upstream import Listed, Upstream, UpstreamNotReady
from toolnote_desktop.proxy.upstreams import Upstreams

_KEPT_TOGETHER = frozenset({"resources/subscribe", "resources/unsubscribe"})
"""What is asked of a server once for all clients, of either era, and so on the connection that they share."""

_IN_VAIN = frozenset({ServerState.FAILED, ServerState.DISABLED, ServerState.NEEDS_PROGRAM, ServerState.NEEDS_VALUE})


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

    def connect(self, server: str, caller: Caller, method: str) -> tuple[Connection, Upstream | None]:
        """The same, started if it has to be."""
        connection = self.connection(server, caller.principal)
        if connection.principal is None:
            shared = self._upstreams.get(server)
            if caller.modern and shared is not None and method not in _KEPT_TOGETHER and shared.speaks_modern_elsewhere:
                return self._of_modern_clients(server, shared)
            return connection, shared
        heard = _Heard(connection, self._listener)
        era = Era.MODERN if caller.modern else Era.HANDSHAKE
        return connection, self._upstreams.of_client(server, caller.principal, heard, caller.capabilities, era)

    def _of_modern_clients(self, server: str, shared: Upstream) -> tuple[Connection, Upstream]:
        """The second process of a server whose first one speaks to clients of the handshake era only.

        Where that cannot be had, the first one answers, bridged.
        """
        entry = self._entry(server)
        if entry is not None and wanted_era(entry) is None:
            connection = Connection(server, modern=True)
            heard = _HeardForAll(connection, self._listener, shared.lists_changed_elsewhere)
            upstream = self._upstreams.of_modern_clients(server, heard)
            if upstream is not None and upstream.status.state not in _IN_VAIN:
                return connection, upstream
        return Connection(server), shared

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


class _HeardForAll(_Heard):
    """The listener of a server's second process: what changes in its lists has changed in the server's."""

    def __init__(
        self, connection: Connection, listener: Callable[[], SaidListener], changed: Callable[[Listed], None]
    ) -> None:
        super().__init__(connection, listener)
        self._changed = changed
        self._first: Listed | None = None

    def listed(self, server: str, listed: Listed) -> None:
        """See ``UpstreamListener``."""
        if self._first is None:
            self._first = listed
        else:
            self._changed(listed)
