"""What others ask of a server: requests and notices on the connection that is ready, and that it is in use."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

from toolnote_desktop.model import json_text
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.servers import Server, ServerState, ServerStatus
from toolnote_desktop.proxy.transports.base import Reply
from toolnote_desktop.proxy.transports.stdio import StdioTransport
from toolnote_desktop.proxy.upstream.connection import Connection
from toolnote_desktop.proxy.upstream.era_choice import EraChoice, other_era
from toolnote_desktop.proxy.upstream.handshake import Era
from toolnote_desktop.proxy.upstream.restored_state import RestoredState
from toolnote_desktop.proxy.upstream.retry_policy import Timeouts, UpstreamNotReady


class Asked:
    """The part of ``upstream.Upstream`` that needs nothing but the connection.

    Attributes:
        server: its id.
        status: how it is, and why.
        eras: what is known of its eras, and who uses it.
    """

    status: ServerStatus

    def __init__(self, server: str, entry: Server, pace: Timeouts, eras: EraChoice) -> None:
        self.server = server
        self.eras = eras
        self._entry = entry
        self._pace = pace
        self._ready: Connection | None = None
        self._remembered = RestoredState()
        self._attended = False
        self._used_at = asyncio.get_running_loop().time()
        self._used_until = 0.0
        self._was_asked = False  # in this life of the connection

    def speaks(self, era: Era) -> bool:
        """Whether the server answers requests of this era now."""
        return self._ready is not None and self._ready.speaks(era)

    def is_free_for(self, era: Era) -> bool:
        """Whether the process may be started again for clients of this era: it works on nothing, and nobody of the
        other one has asked it for anything, or wants to hear of something."""
        other = other_era(era)
        used = other in self.eras.users or self._remembered.subscribed(other)
        return self._ready is not None and not used and not self._ready.busy()

    def idle_for(self) -> float:
        """Seconds since somebody asked for something; 0 while it starts, works, or is to tell of something."""
        works = self._ready is not None and self._ready.busy()
        starts = self.status.state in (ServerState.STARTING, ServerState.DOWNLOADING)
        if works or starts or any(self._remembered.subscribed(era) for era in Era):
            return 0.0
        return asyncio.get_running_loop().time() - self._used_at

    @property
    def ready(self) -> bool:
        """Whether requests reach the server now."""
        return self._ready is not None

    async def request(
        self,
        method: str,
        params: JsonObject | bytes | None,
        *,
        timeout: float | None = None,
        progress_token: str | None = None,
        client_capabilities: Mapping[str, object] | None = None,
        era: Era | None = None,
    ) -> Reply:
        """Ask the server.

        Args:
            params: raw JSON text (travels as it is) or an object.
            timeout: seconds; None takes the entry's own ``timeout`` (default: no limit). Progress with
                ``progress_token`` starts them anew.
            progress_token: the value that stands in ``params._meta.progressToken``; choose one that no other call has.
            client_capabilities: what the asking client can do, told to a server of the modern era. Members of ``_meta``
                that the client sent itself stay as they are.
            era: in which to ask, if the server speaks it; else the one that it was introduced in.

        Raises:
            UpstreamNotReady: nothing was sent.
            PeerClosed: the connection ended during the request.
            ReplyUnreadable: the answer cannot be handed on.
            TimeoutError: no answer in time.
        """
        connection = self._ready
        if connection is None or connection.peer.closed.is_set():
            raise UpstreamNotReady(self.server, self.status)
        self._use(connection)
        raw = json_text.dumps(params) if isinstance(params, dict) else params
        reply = await connection.request(
            method,
            raw,
            timeout=self._entry.timeout if timeout is None else timeout,
            progress_token=progress_token,
            client_capabilities=client_capabilities,
            era=era,
        )
        if reply.error is None:
            self._remembered.granted(method, raw, era)
        return reply

    def start(
        self, method: str, params: bytes, done: Callable[[Reply | Exception], None]
    ) -> Callable[[bytes | None], None] | None:
        """Ask without waiting, where that can be done at once: a ready server of the handshake era over pipes.

        See ``StdioTransport.start_request``; None: nothing was sent, use ``request``.
        """
        connection = self._ready
        if (
            connection is None
            or not connection.speaks(Era.HANDSHAKE)
            or not isinstance(connection.peer, StdioTransport)
        ):
            return None
        self._use(connection)
        return connection.peer.start_request(method, params, self._entry.timeout, done)

    async def notify(self, method: str, params: JsonObject | bytes | None) -> None:
        """Tell the server something.

        Raises:
            UpstreamNotReady: nothing was sent.
            PeerClosed: the connection ended.
        """
        connection = self._ready
        if connection is None or connection.peer.closed.is_set():
            raise UpstreamNotReady(self.server, self.status)
        await connection.peer.notify(method, json_text.dumps(params) if isinstance(params, dict) else params)

    def _use(self, connection: Connection) -> None:
        now = asyncio.get_running_loop().time()
        if now >= self._used_until and not self._attended:
            connection.liveness.look()
        self._used_at = now
        self._was_asked = True
        self._used_until = now + self._pace.connection.in_use
