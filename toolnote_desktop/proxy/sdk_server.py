"""The SDK's server behind our own endpoint: sessions, introductions, ``subscriptions/listen``, and what nobody knows.

All private names of the SDK that we need are in this module; a test fails when one of them goes (SDK notes, trap 13).
"""

from __future__ import annotations

import asyncio
import logging
import time
import warnings
import weakref
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.lowlevel.server import NotificationOptions
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    ListenHandler,
    PromptsListChanged,
    ResourcesListChanged,
    ResourceUpdated,
    ServerEvent,
    ToolsListChanged,
)
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.exceptions import MCPDeprecationWarning, MCPError

from toolnote_desktop import __version__
from toolnote_desktop.model.jsontext import JsonObject
from toolnote_desktop.proxy.sessions import Session
from toolnote_desktop.proxy.streams import Streams
from toolnote_desktop.proxy.tools.context import Principal

PRINCIPAL_KEY = "toolnote.principal"
"""Where the endpoint puts the caller into the ASGI scope."""

BODY_LIMIT = 64 * 1024 * 1024
"""Bytes of one request's body."""

SESSION_IDLE = 60 * 60.0
"""Seconds after which a session with no request and no open stream ends."""

TOOLS, PROMPTS, RESOURCES = "tools", "prompts", "resources"

_EVENTS: dict[str, Callable[[], ServerEvent]] = {
    TOOLS: ToolsListChanged,
    PROMPTS: PromptsListChanged,
    RESOURCES: ResourcesListChanged,
}

Watching = Callable[[Principal, JsonObject, list[str]], AbstractAsyncContextManager[list[str]]]
"""``watching(principal, meta, uris)``: while inside, updates of those resources are published; gives those that are."""

logger = logging.getLogger(__name__)


class _AnnouncingServer(Server[Any]):
    """Advertises ``listChanged``: without it some clients never listen."""

    def create_initialization_options(
        self, notification_options: NotificationOptions | None = None, *args: Any, **kwargs: Any
    ) -> Any:
        return super().create_initialization_options(
            notification_options or NotificationOptions(True, True, True), *args, **kwargs
        )


class SdkServer:
    """Sessions and streams of all clients.

    Args:
        watching: makes ``subscriptions/listen`` hear of resources.
        sessions_changed: a session or a stream has come or gone.
        session_ended: this session has gone.
        instructions: what a caller is told of the server as a whole.
    """

    def __init__(
        self,
        watching: Watching,
        sessions_changed: Callable[[], None],
        session_ended: Callable[[Session], None],
        instructions: Callable[[Principal], str | None],
    ) -> None:
        self._instructions = instructions
        self.streams = Streams(sessions_changed)
        self._watching = watching
        self._sessions_changed = sessions_changed
        self._session_ended = session_ended
        self._listeners: dict[Principal, ListenHandler] = {}
        self._buses: dict[Principal, InMemorySubscriptionBus] = {}
        self._by_id: dict[bytes, Session] = {}
        self.sessions: weakref.WeakKeyDictionary[Any, Session] = weakref.WeakKeyDictionary()
        self._server = self._make_server()
        self._server.middleware[:] = [self._follow]
        self.manager = StreamableHTTPSessionManager(
            self._server,
            # Host and Origin are checked in front of this.
            security_settings=TransportSecuritySettings(enable_dns_rebinding_protection=False),
            session_idle_timeout=None,  # its clock does not see the direct path: idle sessions end by ours
            max_request_body_size=BODY_LIMIT,
        )

    def _make_server(self) -> Server[Any]:
        unreachable = self._unreachable
        with warnings.catch_warnings():
            # Logging is deprecated since 2026-07-28; clients of the revisions before still use it.
            warnings.simplefilter("ignore", MCPDeprecationWarning)
            return self._announcing_server(unreachable)

    def _announcing_server(self, unreachable: Any) -> Server[Any]:
        return _AnnouncingServer(
            "toolnote",
            version=__version__,
            title="Toolnote",
            on_list_tools=unreachable,
            on_call_tool=unreachable,
            on_list_resources=unreachable,
            on_list_resource_templates=unreachable,
            on_read_resource=unreachable,
            on_subscribe_resource=unreachable,
            on_unsubscribe_resource=unreachable,
            on_list_prompts=unreachable,
            on_get_prompt=unreachable,
            on_completion=unreachable,
            on_set_logging_level=unreachable,
            on_subscriptions_listen=self._listen,
            get_tool_input_schema=lambda name: None,  # without it each modern call would list all tools (trap 4)
        )

    async def _unreachable(self, context: Any, params: Any) -> Any:
        raise MCPError(code=types.METHOD_NOT_FOUND, message="Method not found")

    async def _listen(self, context: Any, params: Any) -> Any:
        principal = _principal(context)
        if principal not in self._listeners:
            self._buses[principal] = InMemorySubscriptionBus()
            self._listeners[principal] = ListenHandler(self._buses[principal])
        self._sessions_changed()
        wanted = list(params.notifications.resource_subscriptions or ())
        async with self._watching(principal, dict((context.params or {}).get("_meta") or {}), wanted) as heard:
            params.notifications.resource_subscriptions = heard
            return await self._listeners[principal](context, params)

    def listening(self) -> list[Principal]:
        """Who has an open ``subscriptions/listen`` stream."""
        return [principal for principal, listener in self._listeners.items() if listener._streams]

    async def _follow(self, ctx: Any, call_next: Any) -> Any:
        session = self.sessions.get(ctx.session._connection)
        if session is not None:
            session.touch()
        result = await call_next(ctx)
        if ctx.method == "initialize" and ctx.request_id is not None:
            self._remember(ctx)
        if ctx.method in _INTRODUCTIONS and ctx.request_id is not None:
            return _with_instructions(result, self._instructions(_principal(ctx)))
        return result

    def _remember(self, context: Any) -> None:
        params = context.params or {}
        connection = context.session._connection
        session = self.sessions[connection] = Session(
            principal=_principal(context),
            client_info=dict(params.get("clientInfo") or {}),
            capabilities=dict(params.get("capabilities") or {}),
            connection=connection,
            session_id=connection.session_id,
        )
        self._by_id[session.session_id.encode("ascii")] = session
        connection.exit_stack.callback(self._forget, connection)
        self._sessions_changed()

    def _forget(self, connection: Any) -> None:
        session = self.sessions.pop(connection, None)
        if session is not None:
            session.ended = True
            del self._by_id[session.session_id.encode("ascii")]
            self._session_ended(session)
            self._sessions_changed()

    def find_session(self, session_id: bytes | None, principal: Principal) -> Session | None:
        """An initialized session by the id in a header, if it belongs to ``principal``."""
        if session_id is None:
            return None
        session = self._by_id.get(session_id)
        return session if session is not None and session.principal == principal else None

    async def end_idle_sessions(self, is_busy: Callable[[Session], bool]) -> None:
        """End every session that nobody has used for ``SESSION_IDLE`` seconds and that has no stream open."""
        horizon = time.monotonic() - SESSION_IDLE
        for session in list(self.sessions.values()):
            if session.last_use > horizon or is_busy(session) or self.streams.is_open(session):
                continue
            transport = self.manager._server_instances.get(session.session_id)
            if transport is not None:
                await self.manager._discard_session(session.session_id, transport)

    async def announce(self, principal: Principal, kind: str) -> None:
        """Tell every connection of a caller that one of its lists changed; none waits for another."""
        bus = self._buses.get(principal)
        if bus is not None:
            await bus.publish(_EVENTS[kind]())
        for session in self.sessions_of(principal):
            self.streams.tell(session, f"notifications/{kind}/list_changed", None)

    def sessions_of(self, principal: Principal) -> list[Session]:
        """The sessions of a caller."""
        return [session for session in self.sessions.values() if session.principal == principal]

    async def resource_updated(self, principal: Principal, uri: str) -> None:
        """Tell the streams of a caller that named this URI that the resource has changed."""
        bus = self._buses.get(principal)
        if bus is not None:
            await bus.publish(ResourceUpdated(uri))

    async def end_streams(self) -> None:
        """End every open stream, so that the web server has nothing to wait for (SDK trap 3)."""
        self.streams.end_all()
        for listener in self._listeners.values():
            listener.close()
        transports = list(self.manager._server_instances.values())
        await asyncio.gather(*(transport.terminate() for transport in transports))


_INTRODUCTIONS = frozenset({"initialize", "server/discover"})


def _with_instructions(result: Any, instructions: str | None) -> Any:
    if instructions is None:
        return result
    if isinstance(result, dict):
        return {**result, "instructions": instructions}
    return result.model_copy(update={"instructions": instructions})


def _principal(context: Any) -> Principal:
    principal = context.request.scope[PRINCIPAL_KEY]
    assert isinstance(principal, Principal)
    return principal
