"""What servers log: at which level they do, and who hears it (both eras).

A server of the handshake era logs for everybody at one level, the most verbose that anybody asked for; each client
then hears what it asked for itself. In the modern era each request says what its client wants to hear.
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
"""What a client hears that never named a level, where another one did. Where nobody did: all that the server says."""

_PATIENCE = 1.0
"""Seconds that a client waits for its servers to take a level: one that hangs does not hold it up."""

logger = logging.getLogger(__name__)


def is_level(level: object) -> bool:
    """Whether the specification has this level."""
    return level in LEVELS


def wants(level: str | None, said: object) -> bool:
    """Whether a client that asked for ``level`` hears something of the level ``said``. An unknown level is heard."""
    if level is None:
        return False
    return said not in LEVELS or LEVELS.index(str(said)) >= LEVELS.index(level)


class LogLevels:
    """The level that each connection logs at.

    Args:
        ready: every connection of a server that is ready.
        capabilities: what a server can do.
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

    async def ask(self, session: object, principal: Principal, level: str) -> None:
        """A client session wants to hear this level and above."""
        self._requested[session] = (principal, level)
        await self._set_levels()

    def forget(self, session: object) -> None:
        """The session has ended; what servers log at is left alone until somebody asks again."""
        self._requested.pop(session, None)

    def connection_ended(self, connection: ConnectionKey) -> None:
        """There is no such connection any more."""
        self._set.pop(connection, None)

    async def prepare(self, connection: ConnectionKey, upstream: Upstream, level: str) -> None:
        """Before a request of the modern era that wants to hear ``level``, of a server of the handshake era."""
        known = self._known(connection, upstream)
        if known is None or LEVELS.index(level) < LEVELS.index(known):
            await self._tell(connection, upstream, level)

    async def apply_to_new_connection(self, connection: ConnectionKey, upstream: Upstream) -> None:
        """A connection was made after clients had named their levels: it hears of them before it is asked anything."""
        if upstream.speaks(Era.HANDSHAKE) and self._known(connection, upstream) is None:
            await self._tell(connection, upstream, self._lowest_level(connection))

    def default_level(self, connection: ConnectionKey) -> str:
        """What a client of the handshake era hears of a server if it never named a level."""
        return DEFAULT_LEVEL if connection in self._set else LEVELS[0]

    def _known(self, connection: ConnectionKey, upstream: Upstream) -> str | None:
        told, level = self._set.get(connection, (None, None))
        return level if told is upstream else None

    def with_log_level(self, params: JsonObject, connection: ConnectionKey, level: str | None) -> JsonObject:
        """The params of a handshake-era request for a server of the modern era, which logs only where it is asked."""
        if "logging" not in self._capabilities(connection.server):
            return params
        meta = params.get("_meta")
        meta = meta if isinstance(meta, dict) else {}
        return {**params, "_meta": {LEVEL_KEY: level or DEFAULT_LEVEL, **meta}}

    async def _set_levels(self) -> None:
        tasks = [
            asyncio.ensure_future(self._tell(connection, upstream, level))
            for connection, upstream in self._ready()
            if upstream.speaks(Era.HANDSHAKE)
            and (level := self._lowest_level(connection)) not in (None, self._known(connection, upstream))
        ]
        if tasks:
            await asyncio.wait(tasks, timeout=_PATIENCE)

    def _lowest_level(self, connection: ConnectionKey) -> str | None:
        levels = [lvl for who, lvl in self._requested.values() if connection.principal in (None, who)]
        return min(levels, key=LEVELS.index, default=None)

    async def _tell(self, connection: ConnectionKey, upstream: Upstream, level: str | None) -> None:
        if level is None or "logging" not in self._capabilities(connection.server):
            return
        self._set[connection] = (upstream, level)  # after a new start, server.py tells it anew
        try:
            reply = await upstream.request("logging/setLevel", {"level": level}, era=Era.HANDSHAKE)
        except (UpstreamNotReady, TransportClosed, ReplyUnreadable, TimeoutError) as error:
            logger.info("server %r was not told the log level: %s", connection.server, type(error).__name__)
            return
        if reply.error is not None:
            logger.info("server %r does not take the log level %s", connection.server, level)


class LogRelay:
    """Hands on what servers log.

    Args:
        listeners: the sessions of the handshake era that see a connection's server, and the level each asked for.
        say: tells a session something on its own stream.
    """

    def __init__(
        self,
        calls: CallsInFlight,
        levels: LogLevels,
        listeners: Callable[[ConnectionKey], Iterable[tuple[Any, str | None]]],
        say: Callable[[Any, str, bytes], None],
    ) -> None:
        self._calls = calls
        self._levels = levels
        self._listeners = listeners
        self._say = say

    def message(self, connection: ConnectionKey, params: bytes | None) -> None:
        """``notifications/message``: to the call it belongs to; else to every session that sees the server."""
        raw = params or b"{}"
        level = _level(raw)
        call = self._calls.for_server_message(connection)
        if call is not None:
            if call.caller is not None and wants(self._level_for(call.caller, connection), level):
                call.caller.notify("notifications/message", raw)
            return
        for session, asked in self._listeners(connection):
            if wants(asked or self._levels.default_level(connection), level):
                self._say(session, "notifications/message", raw)

    def _level_for(self, caller: Caller, connection: ConnectionKey) -> str | None:
        if caller.modern or caller.log_level is not None:
            return caller.log_level
        return self._levels.default_level(connection)


def _level(raw: bytes) -> object:
    try:
        return loads_lenient(jsonrpc.members(raw).get("level", b"null"))
    except NotAMessage:
        return None
