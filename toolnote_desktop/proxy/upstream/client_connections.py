"""Which connection to a server a client's requests take: the one that all share, or another.

With ``"toolnote": {"perClient": true}`` each client has a connection of its own (docs/contract.md 5). It is started when the
client first needs it, with what that client can do, and ended when the client has gone. A server whose process speaks
one era only, though it knows both, has a process for each, as far as clients of both use it (``era_choice.py``).
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

_HAD = frozenset({ServerState.STARTING, ServerState.DOWNLOADING, ServerState.READY, ServerState.RECONNECTING})
"""The states of a second process that answers, or may soon."""


class MessageListener(Protocol):
    """Receiver of the messages of servers on any connection."""

    def connection_notification(self, connection: ConnectionKey, method: str, params: bytes | None) -> None:
        """A notification of a server's."""

    async def connection_request(self, connection: ConnectionKey, method: str, params: bytes | None) -> Reply:
        """A request of a server's."""


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
        """The connection over which a client's requests reach a server, as things are."""
        entry, shared = self._entry(server), self._upstreams.get(server)
        if entry is not None and entry.toolnote.per_client:
            either = shared is not None and shared.eras.speaks_both
            return ConnectionKey(server, caller.principal, _era_of(caller) if either else None)
        if shared is not None and shared.eras.speaks_both:
            second = ConnectionKey(server, era=_era_of(caller))
            if self._is_usable(second):
                return second
        return ConnectionKey(server)

    def connect(self, server: str, caller: Caller, *, asking: bool = True) -> tuple[ConnectionKey, Upstream | None]:
        """The same with its upstream, started, or started again in the client's era, if it has to be.

        ``asking``: the caller is about to ask the server for something, if it is ready; else nothing is decided.
        """
        connection = self.connection(server, caller)
        if connection.principal is not None:
            listener = PerClientListener(connection, self._listener)
            return connection, self._upstreams.open_extra(connection, listener, caller.capabilities)
        shared = self._upstreams.get(server)
        if connection.era is not None:
            return connection, self._upstreams.find_extra(connection)
        if asking and shared is not None and shared.ready:
            era = _era_of(caller)
            if shared.eras.speaks_both and not shared.speaks(era):
                return self._connect_era(era, shared)
            shared.eras.used_by.add(era)
        return connection, shared

    def _connect_era(self, era: Era, shared: Upstream) -> tuple[ConnectionKey, Upstream]:
        """For clients of the era that the one process of a server does not speak: that is changed, or a second had.

        Where that fails, the first answers, bridged.
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
        if upstream is None or second.era is None or upstream.status.state not in _HAD:
            return False
        return upstream.speaks(second.era) or not upstream.ready

    def extra_connections(self) -> Iterator[tuple[ConnectionKey, Upstream]]:
        """Every connection that is ready, beside the shared ones."""
        for connection, upstream in self._upstreams.extra_connections():
            if upstream.ready:
                yield connection, upstream

    def close_absent(self, present: Collection[Principal]) -> None:
        """End the connections of those who have gone."""
        for connection, _ in self._upstreams.extra_connections():
            if connection.principal is not None and connection.principal not in present:
                self._end(connection)

    async def tell(self, principal: Principal, method: str) -> None:
        """Tell all servers that have a connection for this client."""
        for connection, upstream in list(self.extra_connections()):
            if connection.principal == principal and upstream.speaks(Era.HANDSHAKE):
                try:
                    await upstream.notify(method, None)
                except (UpstreamNotReady, TransportClosed):
                    continue  # the next connection begins with what is true then


def _era_of(caller: Caller) -> Era:
    return Era.MODERN if caller.modern else Era.HANDSHAKE


class PerClientListener:
    """The listener of one client's connection. How it is and what it lists is told by the shared one."""

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
    """The listener of a server's second process: what changes in its lists has changed in the server's, and its trouble
    is the server's too."""

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
        """See ``UpstreamListener``. What it lists when it has started is no change."""
        if not self._starting:
            await self._shared.merge_lists(listed)
