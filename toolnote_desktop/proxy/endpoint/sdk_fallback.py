"""The SDK's server: answers unusual ``initialize`` requests and unknown methods.

Imported on first use (``sdk_loader.py``). All uses of the SDK's private names are in this module;
``tests/proxy/endpoint/test_private_names.py`` fails if one of them changes (docs/dependencies.md).
"""

from __future__ import annotations

import asyncio
import warnings
import weakref
from collections.abc import Callable, MutableMapping
from typing import Any

from mcp import types
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.lowlevel import Server
from mcp.server.lowlevel.server import NotificationOptions
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.exceptions import MCPDeprecationWarning, MCPError

from toolnote_desktop import __version__
from toolnote_desktop.model import json_text
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.paths import ENDPOINT_PATH
from toolnote_desktop.proxy.endpoint.asgi import Receive, Scope, Send
from toolnote_desktop.proxy.endpoint.initialize import with_introduction
from toolnote_desktop.proxy.endpoint.session import Session
from toolnote_desktop.proxy.endpoint.sessions import ClientSessions
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.proxy.protocol import BODY_LIMIT, Era

_PRINCIPAL, _SESSION = "toolnote.principal", "toolnote.session"
"""Keys of the ASGI scope: the caller, and the session that is opened here for it."""

_SESSION_HEADER = b"mcp-session-id"
_WITH_INSTRUCTIONS = frozenset({"initialize", "server/discover"})


class _AnnouncingServer(Server[Any]):
    """Server that advertises ``listChanged``, without which some clients never open a stream."""

    def create_initialization_options(
        self, notification_options: NotificationOptions | None = None, *args: Any, **kwargs: Any
    ) -> Any:
        return super().create_initialization_options(
            notification_options or NotificationOptions(True, True, True), *args, **kwargs
        )


class SdkFallback:
    """Server of the SDK, with sessions that stand in for ours.

    Attributes:
        manager: runs the server while its ``run()`` context is open.
    """

    def __init__(
        self,
        sessions: ClientSessions,
        introduction: Callable[[Principal, Era, JsonObject], JsonObject],
    ) -> None:
        self._client_sessions = sessions
        self._introduction = introduction
        self._sessions: weakref.WeakKeyDictionary[Any, Session] = weakref.WeakKeyDictionary()
        self._opened: weakref.WeakKeyDictionary[Session, asyncio.Task[str]] = weakref.WeakKeyDictionary()
        self._server = self._make_server()
        self._server.middleware[:] = [self._track_session]
        self.manager = StreamableHTTPSessionManager(
            self._server,
            # Host and Origin were checked before.
            security_settings=TransportSecuritySettings(enable_dns_rebinding_protection=False),
            session_idle_timeout=None,  # SdkLoader ends idle sessions: the handler's requests count as well
            max_request_body_size=BODY_LIMIT,
        )

    def _make_server(self) -> Server[Any]:
        with warnings.catch_warnings():
            # Logging is deprecated since 2026-07-28; clients of the revisions before still use it.
            warnings.simplefilter("ignore", MCPDeprecationWarning)
            return self._announcing_server(self._refuse)

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
            on_subscriptions_listen=unreachable,
            get_tool_input_schema=lambda name: None,  # without it each modern call would list all tools
        )

    async def _refuse(self, context: Any, params: Any) -> Any:
        raise MCPError(code=types.METHOD_NOT_FOUND, message="Method not found")

    # -- requests -----------------------------------------------------------------------------------------------------

    async def handle(
        self, scope: Scope, receive: Receive, send: Send, principal: Principal, session: Session | None
    ) -> None:
        """Answer a request, in the counterpart of its session if it has one."""
        scope["path"] = ENDPOINT_PATH
        scope[_PRINCIPAL] = principal
        scope["user"] = _user(principal)
        if session is not None and session.opening:
            own = (await self._counterpart(session)).encode("ascii")
            known = session.session_id.encode("ascii")
            scope["headers"] = _with_session(scope["headers"], own)
            send = _renaming_session(send, known)
        opened: list[bytes] = []
        try:
            await self.manager.handle_request(scope, receive, _recording_session(send, opened))
        finally:
            if session is None:
                await self._discard_uninitialized(opened)

    async def _discard_uninitialized(self, opened: list[bytes]) -> None:
        """End sessions that the SDK opened for requests other than ``initialize``: no client would ever end them."""
        for session_id in opened:
            transport = self.manager._server_instances.get(session_id.decode("latin-1"))
            if transport is not None and session_id not in self._client_sessions:
                await self.manager._discard_session(session_id.decode("latin-1"), transport)

    def knows(self, session_id: bytes) -> bool:
        """Return True if the SDK has a session with this id."""
        return session_id.decode("latin-1") in self.manager._server_instances

    def has(self, session: Session) -> bool:
        """Return True if the SDK has this session, by its own id or as a counterpart."""
        return not session.opening or session in self._opened

    async def discard(self, session: Session) -> None:
        """End the counterpart of a session that has ended."""
        opening = self._opened.get(session)
        if opening is not None and not opening.done():
            opening.cancel()
            return
        own = opening.result() if opening is not None and not opening.exception() else session.session_id
        transport = self.manager._server_instances.get(own)
        if transport is not None:
            await self.manager._discard_session(own, transport)

    async def _counterpart(self, session: Session) -> str:
        """Return the id of the SDK's session that is the counterpart of one that was opened without it."""
        opening = self._opened.get(session)
        if opening is None or (opening.done() and (opening.cancelled() or opening.exception() is not None)):
            opening = self._opened[session] = asyncio.ensure_future(self._open(session))
        return await asyncio.shield(opening)

    async def _open(self, session: Session) -> str:
        """Replay the ``initialize`` request of a session, and return the id of the SDK's session that it opens."""
        headers = [(b"accept", b"application/json, text/event-stream"), (b"content-type", b"application/json")]
        scope: Scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": "POST",
            "scheme": "http",
            "path": ENDPOINT_PATH,
            "raw_path": ENDPOINT_PATH.encode("ascii"),
            "query_string": b"",
            "root_path": "",
            "headers": headers,
            "client": None,
            "server": None,
            "user": _user(session.principal),
            _PRINCIPAL: session.principal,
            _SESSION: session,
        }
        given = False
        answered: dict[bytes, bytes] = {}

        async def receive() -> MutableMapping[str, Any]:
            nonlocal given
            if given:
                await asyncio.get_running_loop().create_future()  # stay connected until the response is complete
            given = True
            return {"type": "http.request", "body": session.opening, "more_body": False}

        async def send(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                answered.update(message["headers"])

        await self.manager.handle_request(scope, receive, send)
        return answered[_SESSION_HEADER].decode("ascii")

    async def _track_session(self, ctx: Any, call_next: Any) -> Any:
        session = self._sessions.get(ctx.session._connection)
        if session is not None:
            session.touch()
        result = await call_next(ctx)
        if ctx.method == "initialize" and ctx.request_id is not None:
            self._connect_session(ctx)
        if ctx.method in _WITH_INSTRUCTIONS and ctx.request_id is not None:
            era = Era.HANDSHAKE if ctx.method == "initialize" else Era.MODERN
            declared = dict((ctx.params or {}).get("capabilities") or {})
            return _introduced(result, self._introduction(_principal(ctx), era, declared))
        return result

    def _connect_session(self, context: Any) -> None:
        params = context.params or {}
        connection = context.session._connection
        if connection in self._sessions:
            return  # a second initialize does not change the client
        session = context.request.scope.get(_SESSION)
        if session is None:
            session = self._client_sessions.open(
                _principal(context),
                dict(params.get("clientInfo") or {}),
                dict(params.get("capabilities") or {}),
                session_id=connection.session_id,
            )
        self._sessions[connection] = session
        connection.exit_stack.callback(self._disconnect_session, connection)

    def _disconnect_session(self, connection: Any) -> None:
        session = self._sessions.pop(connection, None)
        if session is not None:
            self._client_sessions.remove(session)

    async def end_streams(self) -> None:
        """End all open streams of its sessions."""
        transports = list(self.manager._server_instances.values())
        await asyncio.gather(*(transport.terminate() for transport in transports))


def _introduced(result: Any, introduction: JsonObject) -> Any:
    if not introduction:
        return result
    raw = result if isinstance(result, dict) else result.model_dump(by_alias=True, mode="json", exclude_none=True)
    return with_introduction(raw, introduction)


def _principal(context: Any) -> Principal:
    principal = context.request.scope[_PRINCIPAL]
    assert isinstance(principal, Principal)
    return principal


def _user(principal: Principal) -> AuthenticatedUser:
    """Return the identity that a session is bound to: the SDK answers 404 if another one uses it."""
    identity = json_text.dumps([principal.client, principal.bridge_toolset]).decode("utf-8")
    return AuthenticatedUser(AccessToken(token="", client_id=identity, scopes=[]))


def _recording_session(send: Send, opened: list[bytes]) -> Send:
    """Return a ``send`` that adds the session's id in a response to ``opened``."""

    async def sending(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            opened.extend(value for name, value in message["headers"] if name == _SESSION_HEADER)
        await send(message)

    return sending


def _with_session(headers: list[tuple[bytes, bytes]], session_id: bytes) -> list[tuple[bytes, bytes]]:
    return [(name, session_id if name == _SESSION_HEADER else value) for name, value in headers]


def _renaming_session(send: Send, session_id: bytes) -> Send:
    """Return a ``send`` that replaces the session's id by the one that the client knows."""

    async def sending(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": _with_session(message["headers"], session_id)}
        await send(message)

    return sending
