"""Choice of the connection to a server for a client's requests: the shared one, or another.

With ``"toolnote": {"perClient": true}`` each client has a connection of its own (docs/contract.md 5). It is opened when
the client first needs it, with that client's capabilities, and closed when the client has gone. A server that speaks
both eras, but only one in a process, has a process for each while clients of both use it (``era_choice.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Protocol

from toolnote_desktop.model.servers import Server, ServerState, ServerStatus
from toolnote_desktop.proxy.in_flight import Caller, ConnectionKey
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.proxy.protocol import Era
from toolnote_desktop.proxy.transports.base import Reply, TransportClosed
from toolnote_desktop.proxy.upstream.server import Listed, Upstream, UpstreamNotReady
from toolnote_desktop.proxy.upstream.servers import Upstreams

_USABLE = frozenset({ServerState.STARTING, ServerState.DOWNLOADING, ServerState.READY, ServerState.RECONNECTING})
"""States of a second process that is ready or may soon be."""


class MessageListener(Protocol):
    """Receiver of the messages of servers on any connection."""

    def connection_notification(self, connection: ConnectionKey, method: str, params: bytes | None) -> None:
        """Handle a notification of a server."""

    async def connection_request(self, connection: ConnectionKey, method: str, params: bytes | None) -> Reply:
        """Respond to a request of a server."""


class ClientConnections:
    """Which connection a caller's requests take.

    Args:
        entry: a server's entry as it is now.
    """

    def __init__(
        self,
        upstreams: Upstreams,
        entry: Callable[[str], Server | None],
        listener: MessageListener,
    ) -> None:
        self._upstreams = upstreams
        self._entry = entry
        self._listener = listener
        self._on_end: list[Callable[[ConnectionKey], None]] = []

    def on_end(self, callback: Callable[[ConnectionKey], None]) -> None:
        """Call ``callback`` with each connection that is ended."""
        self._on_end.append(callback)

    def _end(self, connection: ConnectionKey) -> None:
        self._upstreams.close_extra(connection)
        for callback in self._on_end:
            callback(connection)

    def connection(self, server: str, caller: Caller) -> ConnectionKey:
        """Return the connection over which a client's requests reach a server at present."""
        return self._connection(server, caller, self._upstreams.get(server))

    def _connection(self, server: str, caller: Caller, shared: Upstream | None) -> ConnectionKey:
        entry = self._entry(server)
        if entry is not None and entry.toolnote.per_client:
            either = shared is not None and shared.eras.speaks_both
            return ConnectionKey(server, caller.principal, _era_of(caller) if either else None)
        if shared is not None and shared.eras.speaks_both:
            second = ConnectionKey(server, era=_era_of(caller))
            if self._is_usable(second):
                return second
        return ConnectionKey(server)

    def connect(self, server: str, caller: Caller, *, will_send: bool = True) -> tuple[ConnectionKey, Upstream | None]:
        """Return the connection and its upstream, which is started or restarted in the client's era if necessary.

        Args:
            will_send: the caller is about to send a request if the server is ready; else the era is left open.
        """
        shared = self._upstreams.get(server)
        connection = self._connection(server, caller, shared)
        if connection.principal is not None:
            listener = PerClientListener(connection, self._listener)
            return connection, self._upstreams.open_extra(connection, listener, caller.capabilities)
        if connection.era is not None:
            return connection, self._upstreams.find_extra(connection)
        if will_send and shared is not None and shared.ready:
            era = _era_of(caller)
            if shared.eras.speaks_both and not shared.speaks(era):
                return self._connect_era(era, shared)
            shared.eras.used_by.add(era)
        return connection, shared

    def _connect_era(self, era: Era, shared: Upstream) -> tuple[ConnectionKey, Upstream]:
        """Serve a client of the era that a server's process does not speak: restart it, or start a second one.

        If that fails, the first process is used through the era bridge.
        """
        first, second = ConnectionKey(shared.server), ConnectionKey(shared.server, era=era)
        if self._upstreams.find_extra(second) is None:
            if shared.can_change_era(era):
                shared.change_era(era)
                return first, shared
            listener = SecondaryListener(second, self._listener, self._upstreams, shared)
            self._upstreams.open_extra(second, listener)
        upstream = self._upstreams.find_extra(second)
        if upstream is not None and self._is_usable(second):
            return second, upstream
        if upstream is not None and upstream.ready:  # in the same era as the first, after all
            self._end(second)
            shared.eras.mark_single()
        shared.eras.used_by.add(era)
        return first, shared

    def _is_usable(self, second: ConnectionKey) -> bool:
        upstream = self._upstreams.find_extra(second)
        if upstream is None or second.era is None or upstream.status.state not in _USABLE:
            return False
        return upstream.speaks(second.era) or not upstream.ready

    def extra_connections(self) -> Iterator[tuple[ConnectionKey, Upstream]]:
        """Return all ready connections besides the shared ones."""
        for connection, upstream in self._upstreams.extra_connections():
            if upstream.ready:
                yield connection, upstream

    def close_absent(self, present: Collection[Principal]) -> None:
        """Close the connections of clients that have gone."""
        for connection, _ in self._upstreams.extra_connections():
            if connection.principal is not None and connection.principal not in present:
                self._end(connection)

    async def notify(self, principal: Principal, method: str) -> None:
        """Send a notification to all servers that have a connection for this client."""
        for connection, upstream in list(self.extra_connections()):
            if connection.principal == principal and upstream.speaks(Era.HANDSHAKE):
                try:
                    await upstream.notify(method, None)
                except (UpstreamNotReady, TransportClosed):
                    continue  # the next connection starts with the present state


def _era_of(caller: Caller) -> Era:
    return Era.MODERN if caller.modern else Era.HANDSHAKE


class PerClientListener:
    """Listener of one client's connection. The shared connection reports status and lists."""

    def __init__(self, connection: ConnectionKey, listener: MessageListener) -> None:
        self._connection = connection
        self._listener = listener

    def status_changed(self, server: str, status: ServerStatus) -> None:
        """See ``UpstreamListener``."""

    async def listed(self, server: str, listed: Listed) -> None:
        """See ``UpstreamListener``."""

    def notification(self, server: str, method: str, params: bytes | None) -> None:
        """See ``UpstreamListener``."""
        self._listener.connection_notification(self._connection, method, params)

    async def server_request(self, server: str, method: str, params: bytes | None) -> Reply:
        """See ``UpstreamListener``."""
        return await self._listener.connection_request(self._connection, method, params)


class SecondaryListener(PerClientListener):
    """Listener of a server's second process: changes of its lists and its problems are those of the server."""

    def __init__(
        self,
        connection: ConnectionKey,
        listener: MessageListener,
        upstreams: Upstreams,
        shared: Upstream,
    ) -> None:
        super().__init__(connection, listener)
        self._upstreams = upstreams
        self._shared = shared
        self._starting = True

    def status_changed(self, server: str, status: ServerStatus) -> None:
        """See ``UpstreamListener``."""
        self._starting = status.state is not ServerState.READY
        if not self._starting and self._connection.era is not None:
            self._shared.eras.mark_used(self._connection.era)
        self._upstreams.notify_status(server)

    async def listed(self, server: str, listed: Listed) -> None:
        """See ``UpstreamListener``. The lists at its start are not a change."""
        if self._starting:
            await self._shared.merge_eras(listed)
        else:
            await self._shared.merge_lists(listed)
