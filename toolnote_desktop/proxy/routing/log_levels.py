"""Log messages of servers: their level, and the clients that receive them, in both eras.

A server of the handshake era has one level for all clients: the most verbose one requested. Each client receives the
messages of its own level. In the modern era each request names its level.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.proxy.in_flight import Caller, CallsInFlight, ConnectionKey
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.proxy.protocol import Era
from toolnote_desktop.proxy.transports import jsonrpc
from toolnote_desktop.proxy.transports.base import ReplyUnreadable, TransportClosed
from toolnote_desktop.proxy.transports.jsonrpc import NotAMessage
from toolnote_desktop.proxy.upstream.handshake import loads_lenient
from toolnote_desktop.proxy.upstream.server import Upstream, UpstreamNotReady

LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
LEVEL_KEY = "io.modelcontextprotocol/logLevel"

DEFAULT_LEVEL = "info"
"""Level of a client that never requested one, if another client did; else it receives all messages."""

_ACCEPT_SECONDS = 1.0
"""Seconds that a client waits for its servers to accept a level, so that a hanging server does not block it."""

logger = logging.getLogger(__name__)


def is_level(level: object) -> bool:
    """Return True if the specification has this level."""
    return level in LEVELS


def wants(level: str | None, message_level: object) -> bool:
    """Return True if a client with ``level`` receives a message of this level; one of an unknown level passes."""
    if level is None:
        return False
    return message_level not in LEVELS or LEVELS.index(str(message_level)) >= LEVELS.index(level)


class LogLevels:
    """Log level of each connection.

    Args:
        ready: returns all ready connections.
        capabilities: returns the capabilities of a server.
    """

    def __init__(
        self,
        ready: Callable[[], Iterable[tuple[ConnectionKey, Upstream]]],
        capabilities: Callable[[str], Mapping[str, Any]],
    ) -> None:
        self._ready = ready
        self._capabilities = capabilities
        self._requested: dict[object, tuple[Principal, str]] = {}
        self._set: dict[ConnectionKey, tuple[Upstream, str]] = {}

    async def request_level(self, session: object, principal: Principal, level: str) -> None:
        """Set the level of a client session."""
        self._requested[session] = (principal, level)
        await self._set_levels()

    def forget(self, session: object) -> None:
        """Forget a session that has ended; servers keep their level until the next request."""
        self._requested.pop(session, None)

    def connection_ended(self, connection: ConnectionKey) -> None:
        """Forget a connection that was closed."""
        self._set.pop(connection, None)

    async def prepare(self, connection: ConnectionKey, upstream: Upstream, level: str) -> None:
        """Set at least ``level`` at a server of the handshake era, before a request of the modern era."""
        known = self._level_of(connection, upstream)
        if known is None or LEVELS.index(level) < LEVELS.index(known):
            await self._send_level(connection, upstream, level)

    async def apply_to_new_connection(self, connection: ConnectionKey, upstream: Upstream) -> None:
        """Set the requested level on a new connection, before its first request."""
        if upstream.speaks(Era.HANDSHAKE) and self._level_of(connection, upstream) is None:
            await self._send_level(connection, upstream, self._lowest_level(connection))

    def default_level(self, connection: ConnectionKey) -> str:
        """Return the level of a client of the handshake era that never requested one."""
        return DEFAULT_LEVEL if connection in self._set else LEVELS[0]

    def _level_of(self, connection: ConnectionKey, upstream: Upstream) -> str | None:
        holder, level = self._set.get(connection, (None, None))
        return level if holder is upstream else None

    def with_log_level(self, params: JsonObject, connection: ConnectionKey, level: str | None) -> JsonObject:
        """Return the params of a handshake-era request for a server of the modern era, which only logs on request."""
        if "logging" not in self._capabilities(connection.server):
            return params
        meta = params.get("_meta")
        meta = meta if isinstance(meta, dict) else {}
        return {**params, "_meta": {LEVEL_KEY: level or DEFAULT_LEVEL, **meta}}

    async def _set_levels(self) -> None:
        tasks = [
            asyncio.ensure_future(self._send_level(connection, upstream, level))
            for connection, upstream in self._ready()
            if upstream.speaks(Era.HANDSHAKE)
            and (level := self._lowest_level(connection)) not in (None, self._level_of(connection, upstream))
        ]
        if tasks:
            await asyncio.wait(tasks, timeout=_ACCEPT_SECONDS)

    def _lowest_level(self, connection: ConnectionKey) -> str | None:
        levels = [one for principal, one in self._requested.values() if connection.principal in (None, principal)]
        return min(levels, key=LEVELS.index, default=None)

    async def _send_level(self, connection: ConnectionKey, upstream: Upstream, level: str | None) -> None:
        if level is None or "logging" not in self._capabilities(connection.server):
            return
        self._set[connection] = (upstream, level)  # server.py restores it on the next connection
        try:
            reply = await upstream.request("logging/setLevel", {"level": level}, era=Era.HANDSHAKE)
        except (UpstreamNotReady, TransportClosed, ReplyUnreadable, TimeoutError) as error:
            logger.info("the log level of server %r could not be set: %s", connection.server, type(error).__name__)
            return
        if reply.error is not None:
            logger.info("server %r refuses the log level %s", connection.server, level)


class LogRelay:
    """Relay of servers' log messages.

    Args:
        listeners: returns the sessions of the handshake era that see a connection's server, with their levels.
        send: sends a notification on a session's own stream.
    """

    def __init__(
        self,
        calls: CallsInFlight,
        levels: LogLevels,
        listeners: Callable[[ConnectionKey], Iterable[tuple[Any, str | None]]],
        send: Callable[[Any, str, bytes], None],
    ) -> None:
        self._calls = calls
        self._levels = levels
        self._listeners = listeners
        self._send = send

    def message(self, connection: ConnectionKey, params: bytes | None) -> None:
        """Relay ``notifications/message`` to the call it belongs to, else to all sessions that see the server."""
        raw = params or b"{}"
        level = _level(raw)
        call = self._calls.for_server_message(connection)
        if call is not None:
            if call.caller is not None and wants(self._level_for(call.caller, connection), level):
                call.caller.notify("notifications/message", raw)
            return
        for session, requested in self._listeners(connection):
            if wants(requested or self._levels.default_level(connection), level):
                self._send(session, "notifications/message", raw)

    def _level_for(self, caller: Caller, connection: ConnectionKey) -> str | None:
        if caller.modern or caller.log_level is not None:
            return caller.log_level
        return self._levels.default_level(connection)


def _level(raw: bytes) -> object:
    try:
        return loads_lenient(jsonrpc.members(raw).get("level", b"null"))
    except NotAMessage:
        return None
