"""State of a connection that is restored on the next one: subscriptions and the log level."""

from __future__ import annotations

from toolnote_desktop.model import json_text
from toolnote_desktop.proxy.protocol import Era
from toolnote_desktop.proxy.transports.base import ReplyUnreadable
from toolnote_desktop.proxy.transports.server_log import ServerLog
from toolnote_desktop.proxy.upstream.connection import Connection

_METHODS = frozenset({"resources/subscribe", "resources/unsubscribe", "logging/setLevel"})


class SessionState:
    """Successful requests of a server's clients that are still in effect."""

    def __init__(self) -> None:
        self._subscribed: dict[tuple[str, Era | None], bytes] = {}
        self._log_level: bytes | None = None

    def record(self, method: str, params: bytes | None, era: Era | None) -> None:
        """Record a successful request of an era (None: that of the connection)."""
        if method not in _METHODS or params is None:
            return
        if method == "logging/setLevel":
            self._log_level = params
            return
        uri = str(json_text.loads(params).get("uri"))
        if method == "resources/subscribe":
            self._subscribed[uri, era] = params
        else:
            self._subscribed.pop((uri, era), None)

    def subscribed(self, era: Era) -> bool:
        """Return True if a resource is subscribed to in this era."""
        return any(of is era for _, of in self._subscribed)

    async def restore(self, connection: Connection, timeout: float, log: ServerLog) -> None:
        """Repeat the requests on a new connection.

        Raises:
            TransportClosed: the connection was closed.
        """
        wanted = [("resources/subscribe", params, era) for (_, era), params in self._subscribed.items()]
        if (
            self._log_level is not None
            and connection.speaks(Era.HANDSHAKE)
            and connection.handshake_result.can("logging")
        ):
            wanted.append(("logging/setLevel", self._log_level, Era.HANDSHAKE))
        for method, params, era in wanted:
            try:
                await connection.request(method, params, timeout=timeout, era=era)
            except (TimeoutError, ReplyUnreadable):
                log.note(f"{method} was repeated on the new connection without a response")
