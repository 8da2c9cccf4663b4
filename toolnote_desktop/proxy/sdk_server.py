"""The SDK's server behind our own endpoint: sessions, both eras, change notices, and every request that is not ours.

All private names of the SDK that we need are in this module; a test fails when one of them goes (SDK notes, trap 13).
Requests are answered in a middleware, before the SDK's typed models would take anything away from them.
"""

from __future__ import annotations

import asyncio
import logging
import time
import warnings
import weakref
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
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
from mcp.types.methods import CLIENT_REQUESTS
from mcp.types.version import MODERN_PROTOCOL_VERSIONS

from toolnote_desktop import __version__
from toolnote_desktop.model import jsontext
from toolnote_desktop.model.jsontext import JsonObject
from toolnote_desktop.proxy.peer import Reply
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

_LISTS = frozenset({"tools/list", "prompts/list", "resources/list", "resources/templates/list", "resources/read"})

logger = logging.getLogger(__name__)


@dataclass(eq=False)
class Session:
    """One client connection of the handshake era, from ``initialize`` on."""

    principal: Principal
    client_info: JsonObject
    capabilities: JsonObject
    connection: Any
    session_id: str | None
    last_use: float = field(default_factory=time.monotonic)
    log_level: str | None = None
    subscribed: set[str] = field(default_factory=set)
    ended: bool = False

    def touch(self) -> None:
        """It was used just now."""
        self.last_use = time.monotonic()


class SdkCaller:
    """A client within one request that the SDK serves."""

    def __init__(self, context: Any, principal: Principal, modern: bool) -> None:
        self._context = context
        self.principal = principal
        self.client = principal.client
        self.modern = modern
        self.can_be_asked = not modern
        self.client_info = _client_info(context, modern)
        self.capabilities = _capabilities(context, modern)

    async def notify(self, method: str, params: JsonObject) -> None:
        """On the request's own stream, raw."""
        await self._context.session._request_outbound.notify(method, params)

    async def ask(self, method: str, params: JsonObject) -> Reply:
        """On the request's own stream; the client's answer or error as it came."""
        try:
            answer = await self._context.session._request_outbound.send_raw_request(method, params)
        except MCPError as error:
            wire = error.error.model_dump(mode="json", by_alias=True, exclude_none=True)
            return Reply(None, jsontext.dumps(wire))
        return Reply(jsontext.dumps(answer))


Answer = Callable[[str, JsonObject, SdkCaller], Awaitable[Reply | None]]
"""``answer(method, params, caller)``: the raw reply, or None where the method is the SDK's own."""


class _AnnouncingServer(Server[Any]):
    """Advertises ``listChanged``: without it some clients never listen."""

    def create_initialization_options(
        self, notification_options: NotificationOptions | None = None, *args: Any, **kwargs: Any
    ) -> Any:
        return super().create_initialization_options(
            notification_options or NotificationOptions(True, True, True), *args, **kwargs
        )


class SdkServer:
    """Sessions and streams of all clients; ``answer`` gives the content."""

    def __init__(self, answer: Answer, sessions_changed: Callable[[], None]) -> None:
        self._answer = answer
        self._sessions_changed = sessions_changed
        self._listeners: dict[Principal, ListenHandler] = {}
        self._buses: dict[Principal, InMemorySubscriptionBus] = {}
        self._by_id: dict[bytes, Session] = {}
        self.sessions: weakref.WeakKeyDictionary[Any, Session] = weakref.WeakKeyDictionary()
        self._server = self._make_server()
        self._server.middleware[:] = [self._answer_raw]
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
        return await self._listeners[principal](context, params)

    def listening(self) -> list[Principal]:
        """Who has an open ``subscriptions/listen`` stream."""
        return [principal for principal, listener in self._listeners.items() if listener._streams]

    async def _answer_raw(self, ctx: Any, call_next: Any) -> Any:
        context = ctx
        method = context.method
        modern = context.protocol_version in MODERN_PROTOCOL_VERSIONS
        if context.request_id is None:
            return await call_next(context)
        session = self.sessions.get(context.session._connection)
        if session is not None:
            session.touch()
        if method == "initialize":
            result = await call_next(context)
            self._remember(context)
            return result
        known = (method, context.protocol_version) in CLIENT_REQUESTS
        if not known or (not modern and context.session.client_params is None):
            return await call_next(context)
        caller = SdkCaller(context, _principal(context), modern)
        if method == "logging/setLevel":
            self._set_level(context)
        reply = await self._answer(method, dict(context.params or {}), caller)
        if reply is None:
            return await call_next(context)
        return self._result(method, reply, modern)

    def _result(self, method: str, reply: Reply, modern: bool) -> JsonObject:
        if reply.error is not None:
            error = jsontext.loads(reply.error)
            raise MCPError(
                code=error.get("code", types.INTERNAL_ERROR), message=error.get("message", ""), data=error.get("data")
            )
        result: JsonObject = jsontext.loads(reply.result or b"{}")
        if not modern:
            for key in ("resultType", "ttlMs", "cacheScope"):
                result.pop(key, None)
            return result
        result.setdefault("resultType", "complete")
        if method in _LISTS:
            result.setdefault("ttlMs", 0)
            result.setdefault("cacheScope", "private")
        result["_meta"] = {**(result.get("_meta") or {}), types.SERVER_INFO_META_KEY: self._server.server_info_stamp}
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
        if session.session_id is not None:
            self._by_id[session.session_id.encode("ascii")] = session
        connection.exit_stack.callback(self._forget, connection)
        self._sessions_changed()

    def _forget(self, connection: Any) -> None:
        session = self.sessions.pop(connection, None)
        if session is not None:
            session.ended = True
            self._by_id.pop((session.session_id or "").encode("ascii"), None)
            self._sessions_changed()

    def _set_level(self, context: Any) -> None:
        session = self.sessions.get(context.session._connection)
        if session is not None:
            session.log_level = (context.params or {}).get("level")

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
            if session.last_use > horizon or is_busy(session) or self.is_streaming(session.session_id):
                continue
            transport = self.manager._server_instances.get(session.session_id or "")
            if transport is not None and session.session_id is not None:
                await self.manager._discard_session(session.session_id, transport)

    def session_of(self, caller: SdkCaller) -> Session | None:
        """The session that a request belongs to."""
        return self.sessions.get(caller._context.session._connection)

    async def announce(self, principal: Principal, kind: str) -> None:
        """Tell every connection of a caller that one of its lists changed; none waits for another."""
        bus = self._buses.get(principal)
        if bus is not None:
            await bus.publish(_EVENTS[kind]())
        connections = [s.connection for s in list(self.sessions.values()) if s.principal == principal]
        await asyncio.gather(*(c.notify(f"notifications/{kind}/list_changed", None) for c in connections))

    async def resource_updated(self, principals: set[Principal], params: JsonObject) -> None:
        """A resource that somebody subscribed to has changed."""
        uri = str(params.get("uri"))
        for principal in principals:
            if (bus := self._buses.get(principal)) is not None:
                await bus.publish(ResourceUpdated(uri))
        for session in list(self.sessions.values()):
            if session.principal in principals and uri in session.subscribed:
                await session.connection.notify("notifications/resources/updated", params)

    async def end_streams(self) -> None:
        """End every open stream, so that the web server has nothing to wait for (trap 3)."""
        for listener in self._listeners.values():
            listener.close()
        for transport in list(self.manager._server_instances.values()):
            await transport.terminate()

    def is_streaming(self, session_id: str | None) -> bool:
        """Whether a session has its stream for notices open."""
        transport = self.manager._server_instances.get(session_id or "")
        return transport is not None and _STANDALONE_STREAM in transport._request_streams


_STANDALONE_STREAM = "_GET_stream"


def _principal(context: Any) -> Principal:
    principal = context.request.scope[PRINCIPAL_KEY]
    assert isinstance(principal, Principal)
    return principal


def _client_info(context: Any, modern: bool) -> JsonObject:
    if not modern:
        return {}
    meta = (context.params or {}).get("_meta")
    stated = meta.get(types.CLIENT_INFO_META_KEY) if isinstance(meta, dict) else None
    return dict(stated) if isinstance(stated, dict) else {}


def _capabilities(context: Any, modern: bool) -> JsonObject:
    if modern:
        meta = (context.params or {}).get("_meta")
        stated = meta.get(types.CLIENT_CAPABILITIES_META_KEY) if isinstance(meta, dict) else None
        return dict(stated) if isinstance(stated, dict) else {}
    capabilities = context.session.client_capabilities
    return capabilities.model_dump(by_alias=True, mode="json", exclude_none=True) if capabilities is not None else {}
