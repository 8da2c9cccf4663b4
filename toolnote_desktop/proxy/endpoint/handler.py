"""Handler of requests in both eras (docs/architecture.md).

Results of servers are copied into the response as raw bytes, so that numbers of any size arrive.
Responses are JSON, or an event stream if the server sends messages before its result. Requests that the handler does
not answer go on to the SDK with their body.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Protocol

from toolnote_desktop.model import json_text
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.proxy.aio.time_slices import in_slices, rest_after_copy
from toolnote_desktop.proxy.endpoint import batches
from toolnote_desktop.proxy.endpoint.asgi import (
    Receive,
    Scope,
    Send,
    declared_size,
    read_body,
    replay_body,
    respond,
    wait_disconnected,
)
from toolnote_desktop.proxy.endpoint.batches import answer_batch, refuse_batch
from toolnote_desktop.proxy.endpoint.callers import HandshakeCaller, ModernCaller, SessionCaller
from toolnote_desktop.proxy.endpoint.client_requests import ClientRequests
from toolnote_desktop.proxy.endpoint.fast_path.parser import LONG_CALL, READ, long_call_steps
from toolnote_desktop.proxy.endpoint.headers import Headers, accepts_events, is_json_accepting_both
from toolnote_desktop.proxy.endpoint.initialize import (
    discover_result,
    handshake_era_error,
    initialize_result,
    is_plain_capabilities,
    is_plain_client,
    is_plain_initialize,
    is_plain_meta,
    is_strict_json,
)
from toolnote_desktop.proxy.endpoint.listen_streams import LISTEN, ListenStreams
from toolnote_desktop.proxy.endpoint.modern_requests import (
    is_valid_envelope,
    needs_parameter_headers,
    parameter_header_error,
    task_header_error,
)
from toolnote_desktop.proxy.endpoint.sdk_loader import SdkLoader
from toolnote_desktop.proxy.endpoint.session import Session
from toolnote_desktop.proxy.endpoint.sessions import ClientSessions
from toolnote_desktop.proxy.endpoint.turns import LARGE_BODY, ClientTurns
from toolnote_desktop.proxy.in_flight import Caller, error_reply
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.proxy.protocol import BODY_LIMIT, HANDSHAKE_VERSIONS, INTERNAL_ERROR, Era
from toolnote_desktop.proxy.routing.requests import METHODS
from toolnote_desktop.proxy.routing.served_lists import ClientView
from toolnote_desktop.proxy.transports.base import Reply
from toolnote_desktop.proxy.transports.jsonrpc import MAX_VALUES, RawJson, bulky_steps
from toolnote_desktop.proxy.transports.modern_headers import CLIENT_CAPABILITIES_KEY, CLIENT_INFO_KEY
from toolnote_desktop.proxy.waiting_calls import MAX_WAITING_BYTES, IncomingBodies

CANCELLED = Reply(None, b'{"code":0,"message":"Request cancelled"}')
"""Reply to a request that its client cancelled, equal to the SDK's."""

DISCOVER = "server/discover"
MODERN_METHODS = (METHODS - {"resources/subscribe", "resources/unsubscribe", "logging/setLevel"}) | {DISCOVER}
_INTRODUCTORY = frozenset({"initialize", "ping", DISCOVER})
_QUICK = frozenset({"tools/list", "prompts/list", "resources/list", "resources/templates/list", DISCOVER})
"""Methods answered too quickly for their client to disconnect."""

MAX_INTRODUCTION = 64 * 1024
"""Maximum bytes of an ``initialize`` request, which a session holds as long as it lasts."""

MAX_SDK_BODY = 1024 * 1024
"""Maximum bytes of a body that the SDK's server answers: of 63 MB it makes seconds of work on the loop."""

_LARGE_INTRODUCTION = b'{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"initialize is limited to 64 KB"}}'
_TOO_LARGE = b'{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"A request is limited to %d MB"}}' % (
    BODY_LIMIT // (1024 * 1024)
)
_LARGE_BODY = b'{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"This request is limited to 1 MB"}}'
_BULKY_BODY = (
    b'{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"A message of over 1 MB is limited to %d values, '
    b'unless it is a call with the usual members"}}' % MAX_VALUES
)
_TOO_MUCH_AT_ONCE = (
    b'{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Not received: requests of this client of '
    b'%d MB are being received already, which is the limit"}}' % (MAX_WAITING_BYTES // (1024 * 1024))
)
_NO_SESSION = b'{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Session not found"}}'
_ODD_ID = b'{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid Request: an id is text or a number"}}'
_PARSE_ERROR = b'{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}'

logger = logging.getLogger(__name__)

Answer = Callable[[str, JsonObject, Caller], Awaitable[Reply]]


class Cancellable(Protocol):
    """Request in flight that its client can cancel."""

    def cancel(self, params: bytes | None = None) -> None:
        """Cancel it; ``params`` are those of the client's notification without the id, as raw JSON."""


class _Call:
    """Request in flight in the task of its HTTP request."""

    __slots__ = ("_cancelled", "_task")

    def __init__(self, task: asyncio.Task[Any] | None) -> None:
        self._task = task
        self._cancelled = False

    def cancel(self, params: bytes | None = None) -> None:
        """Cancel the task (see ``Cancellable``)."""
        if self._task is not None and not self._cancelled:
            self._cancelled = True
            self._task.cancel(params)

    def clear_client_cancel(self) -> bool:
        """Undo the cancellation so that the task can respond; return False if the client was not the only source."""
        return self._cancelled and self._task is not None and self._task.uncancel() == 0


class RequestHandler:
    """Answers requests to the endpoint.

    Args:
        answer: returns the reply to a request of ``METHODS``.
        introduced: called with the ``clientInfo`` and the capabilities of clients of the modern era.
        notified: forwards a notification of an extension; returns False if no server has it.
        roots_changed: called with a session whose client has changed its roots.
        introduction: returns the instructions for a caller of an era and the capabilities that its servers add;
            given the client's own capabilities.
        handles: returns True if ``answer`` has a reply to a caller's request with a method.
        handshake_only: returns True for a caller that the user keeps in the handshake era.

    Attributes:
        incoming: bodies that are being received, also by the fast path.
        turns: turns of the clients whose requests are ready together, also on the fast path.
    """

    def __init__(
        self,
        sessions: ClientSessions,
        client_requests: ClientRequests,
        sdk: SdkLoader,
        listen_streams: ListenStreams,
        answer: Answer,
        view: Callable[[Principal], ClientView],
        introduced: Callable[[Principal, JsonObject, JsonObject], None],
        notified: Callable[[str, JsonObject, Caller], Awaitable[bool]],
        roots_changed: Callable[[Session], None],
        introduction: Callable[[Principal, Era, JsonObject], JsonObject],
        handles: Callable[[object, Principal], bool],
        handshake_only: Callable[[Principal], bool],
    ) -> None:
        self._handshake_only = handshake_only
        self._sessions = sessions
        self._client_requests = client_requests
        self._sdk = sdk
        self._listen_streams = listen_streams
        self._answer = answer
        self._view = view
        self._introduced = introduced
        self._notified = notified
        self._roots_changed = roots_changed
        self._introduction = introduction
        self._handles = handles
        self.incoming = IncomingBodies()
        self.turns = ClientTurns()
        self._in_flight: dict[tuple[str, type, object], list[Cancellable]] = {}
        sessions.on_end(self._session_ended)

    async def handle(
        self, scope: Scope, receive: Receive, send: Send, headers: Headers, principal: Principal
    ) -> Receive | None:
        """Answer a request and return None, or return the ``receive`` with which the SDK has to answer it."""
        version = headers.get(b"mcp-protocol-version", b"").decode("latin-1")
        if version and version not in HANDSHAKE_VERSIONS:
            return await self._handle_modern(scope, receive, send, headers, principal)
        session_id = headers.get(b"mcp-session-id")
        session = self._sessions.find(session_id, principal)
        if session is None and session_id is not None and not self._sdk.is_opening(session_id):
            await respond(send, 404, _NO_SESSION)
            return None
        method = scope["method"]
        if session is not None and method == "GET" and accepts_events(headers):
            session.touch()
            await self._sessions.streams.serve(session, receive, send)
            return None
        if session is not None and method == "DELETE":
            await self._sdk.end_session(session)
            await respond(send, 200, b"", *session.headers)
            return None
        if method != "POST" or not is_json_accepting_both(headers):
            return receive
        body, message = await self._read(scope, receive, send, principal)
        if body is None:
            return None
        if isinstance(message, list):
            await self._handle_batch(message, session, receive, send, len(body))
            return None
        if message is not None and _has_invalid_id(message):
            await respond(send, 400, _ODD_ID)
            return None
        introduces = message is not None and session_id is None and message.get("method") == "initialize"
        if introduces and len(body) > MAX_INTRODUCTION:
            await respond(send, 413, _LARGE_INTRODUCTION)
            return None
        if message is not None and session_id is None and await self._open(body, message, principal, send):
            return None
        size = len(body)
        if message is not None and session is not None:
            body = _needed(body, message)
            if await self._handle_message(message, session, receive, send, size):
                return None
        return await _replay_small(body, receive, send)

    async def _read(
        self, scope: Scope, receive: Receive, send: Send, principal: Principal
    ) -> tuple[bytes | None, JsonObject | list[Any] | None]:
        """Return the body and the message or batch in it; the body is None if an error was sent."""
        received, full = 0, False

        def count(size: int) -> bool:
            nonlocal received, full
            full = not self.incoming.add(principal, size)
            received += 0 if full else size
            return not full

        async def receive_in_turn() -> MutableMapping[str, Any]:
            if received > LARGE_BODY:
                await self.turns.wait_to_read(principal.client)
            return await receive()

        if declared_size(scope) > BODY_LIMIT:
            await respond(send, 413, _TOO_LARGE)
            return None, None
        try:
            body = await read_body(receive_in_turn, BODY_LIMIT, count)
        finally:
            self.incoming.remove(principal, received)
        if body is None:
            await respond(send, 429 if full else 413, _TOO_MUCH_AT_ONCE if full else _TOO_LARGE)
            return None, None
        await rest_after_copy(len(body))
        if len(body) > LARGE_BODY:
            await self.turns.wait(principal.client, len(body))
        parsed = (body, scope[READ]) if READ in scope else await _parse(body, send)
        if len(body) > MAX_SDK_BODY:  # both took long: others are served in between
            await asyncio.sleep(0)
            await rest_after_copy(len(body))
        return parsed

    # -- the handshake era --------------------------------------------------------------------------------------------

    async def _open(self, body: bytes, message: JsonObject, principal: Principal, send: Send) -> bool:
        request_id, params = message.get("id"), message.get("params")
        if message.get("method") != "initialize" or not _is_id(request_id) or not is_plain_initialize(body, params):
            return False
        assert isinstance(params, dict)
        await self._sdk.make_room(principal, self.is_busy)
        session = self._sessions.open(principal, params["clientInfo"], params["capabilities"], opening=body)
        result = initialize_result(params, self._introduction(principal, Era.HANDSHAKE, params["capabilities"]))
        session.batches = params["protocolVersion"] == batches.REVISION
        answer = b'{"jsonrpc":"2.0","id":%s,"result":%s}' % (json_text.dumps(request_id), result)
        await respond(send, 200, answer, *session.headers)
        return True

    async def _handle_message(
        self, message: JsonObject, session: Session, receive: Receive, send: Send, size: int
    ) -> bool:
        method, request_id = message.get("method"), message.get("id")
        params = message.get("params")
        params = {} if params is None else params
        if method is None:
            return await self._handle_reply(message, session, send)
        if not isinstance(method, str):
            return False
        if "id" not in message and isinstance(params, dict):
            return await self._handle_notification(method, params, session, send)
        if method == "ping" and _is_id(request_id) and isinstance(params, dict) and is_plain_meta(params):
            session.touch()
            answer = b'{"jsonrpc":"2.0","id":%s,"result":{}}' % json_text.dumps(request_id)
            await respond(send, 200, answer, *session.headers)
            return True
        if not self._handles(method, session.principal) or not _is_id(request_id) or not isinstance(params, dict):
            return False
        session.touch()
        caller = HandshakeCaller(self._client_requests, session, request_id, receive, send, size=size)
        call = _Call(asyncio.current_task())
        if method not in _QUICK:
            caller.on_disconnect(call.cancel)
        self.add(session, request_id, call)
        reply = CANCELLED
        with caller.response:
            try:
                reply = await self._reply(method, params, caller)
            except asyncio.CancelledError:
                if not call.clear_client_cancel():
                    raise
            finally:
                self.remove(session, request_id, call)
                caller.finish(cancelled=reply is CANCELLED)
            await caller.response.finish(reply)
        return True

    async def _handle_batch(
        self, messages: list[Any], session: Session | None, receive: Receive, send: Send, size: int
    ) -> None:
        if session is None or not session.batches:
            await refuse_batch(send, f"a batch of messages, which only revision {batches.REVISION} has")
            return

        async def handle(message: JsonObject, receive: Receive, send: Send) -> bool:
            return await self._handle_message(message, session, receive, send, size // len(messages))

        await answer_batch(messages, handle, receive, send, session.headers)

    async def _reply(self, method: str, params: JsonObject, caller: Caller) -> Reply:
        # The boundary of a request: its client gets an answer in any case.
        try:
            return await self._answer(method, params, caller)
        except Exception:
            logger.exception("%s could not be answered", method)
            return error_reply(INTERNAL_ERROR, "Toolnote could not answer this")

    def add(self, session: Session, request_id: Any, call: Cancellable) -> None:
        """Add a request in flight, so that its client can cancel it."""
        self._in_flight.setdefault(_key(session, request_id), []).append(call)

    def remove(self, session: Session, request_id: Any, call: Cancellable) -> None:
        """Remove a request that is answered."""
        key = _key(session, request_id)
        calls = self._in_flight[key]
        calls.remove(call)
        if not calls:
            del self._in_flight[key]
        session.touch()

    async def _handle_notification(self, method: str, params: JsonObject, session: Session, send: Send) -> bool:
        """Handle a notification; all but those about cancellation, roots and extensions are ignored."""
        session.touch()
        if method == "notifications/cancelled":
            calls = self._in_flight.get(_key(session, params.get("requestId")), ())
            if not calls and self._sdk.has_counterpart(session):
                return False  # the request may be in flight in the SDK's server
            rest = {key: value for key, value in params.items() if key != "requestId"}
            for call in list(calls):
                call.cancel(json_text.dumps(rest) if rest else None)
        if method == "notifications/roots/list_changed":
            self._roots_changed(session)
        await self._notified(method, params, SessionCaller(session))
        await respond(send, 202, b"", *session.headers)
        return True

    async def _handle_reply(self, message: JsonObject, session: Session, send: Send) -> bool:
        if not self._client_requests.receive(session, message):
            return False
        await respond(send, 202, b"")
        return True

    def is_busy(self, session: Session) -> bool:
        """Return True if a request of this session is in flight."""
        return any(session_id == session.session_id for session_id, *_ in self._in_flight)

    def _session_ended(self, session: Session) -> None:
        for (session_id, *_), calls in list(self._in_flight.items()):
            if session_id == session.session_id:
                for call in list(calls):
                    call.cancel()

    # -- the modern era -----------------------------------------------------------------------------------------------

    async def _handle_modern(
        self, scope: Scope, receive: Receive, send: Send, headers: Headers, principal: Principal
    ) -> Receive | None:
        if scope["method"] != "POST" or not is_json_accepting_both(headers):
            return receive
        body, message = await self._read(scope, receive, send, principal)
        if body is None:
            return None
        if isinstance(message, dict) and _has_invalid_id(message):
            await respond(send, 400, _ODD_ID)
            return None
        if isinstance(message, dict) and "id" in message and self._handshake_only(principal):
            await respond(send, 400, handshake_era_error(message["id"]))
            return None
        if isinstance(message, dict) and await self._handle_modern_notification(message, principal, send):
            return None
        if (
            not isinstance(message, dict)
            or not self._handles_modern(message.get("method"), principal)
            or not _is_id(message.get("id"))
        ):
            return await _replay_small(body, receive, send)
        if not is_valid_envelope(message, scope):
            return await _replay_small(body, receive, send)
        params: JsonObject = message["params"]
        if message["method"] == DISCOVER and not _is_plain_envelope(body, params):
            return await _replay_small(body, receive, send)
        caller = ModernCaller(principal, message["id"], params["_meta"], send, size=len(body))
        body = _needed(body, message)
        if caller.client_info:
            self._introduced(principal, caller.client_info, caller.capabilities)
        method: str = message["method"]
        error = task_header_error(message, scope)
        if method == "tools/call" and needs_parameter_headers(params, self._view(principal)):
            await self._sdk.load()  # it validates such headers
            error = await parameter_header_error(params, scope, self._view(principal))
        with caller.response:
            reply = error or await self._reply_until_disconnected(method, params, caller, receive)
            if reply is not None:
                await caller.response.finish(reply)
        return None

    async def _handle_modern_notification(self, message: JsonObject, principal: Principal, send: Send) -> bool:
        """Forward a notification of an extension; return False if it is none."""
        method, params = message.get("method"), message.get("params", {})
        if "id" in message or not isinstance(method, str) or not isinstance(params, dict):
            return False
        meta = params.get("_meta")
        caller = ModernCaller(principal, None, meta if isinstance(meta, dict) else {}, send, size=0)
        if not await self._notified(method, params, caller):
            return False
        await respond(send, 202, b"")
        return True

    def _handles_modern(self, method: object, principal: Principal) -> bool:
        if not isinstance(method, str):
            return False  # the SDK answers with the reason
        known = method in MODERN_METHODS or method == LISTEN
        return known or (method not in METHODS and self._handles(method, principal))

    async def _reply_until_disconnected(
        self, method: str, params: JsonObject, caller: ModernCaller, receive: Receive
    ) -> Reply | None:
        """Return the reply; None if the client has disconnected, which cancels its request."""
        if method == DISCOVER:
            return Reply(discover_result(self._introduction(caller.principal, Era.MODERN, caller.capabilities)))
        if method in _QUICK:
            return await self._reply(method, params, caller)
        call = _Call(asyncio.current_task())
        disconnecting = asyncio.ensure_future(_cancel_when_disconnected(receive, call))
        try:
            if method == LISTEN:
                return await self._listen_streams.serve(params, caller)
            return await self._reply(method, params, caller)
        except asyncio.CancelledError:
            if not call.clear_client_cancel():
                raise
            return None
        finally:
            disconnecting.cancel()


async def _cancel_when_disconnected(receive: Receive, call: _Call) -> None:
    await wait_disconnected(receive)
    call.cancel()


async def _parse(body: bytes, send: Send) -> tuple[bytes | None, JsonObject | list[Any] | None]:
    """Return the body and the message or batch in it; the body is None if an error was sent."""
    if body.find(b"\0", 0, 4) >= 0:  # UTF-16 or UTF-32, which Python's json reads, in which values take long to count
        await respond(send, 400, _PARSE_ERROR)
        return None, None
    if len(body) > LONG_CALL and (call := await in_slices(long_call_steps(body))) is not None:
        return body, call
    if await in_slices(bulky_steps(body)):
        await respond(send, 413, _BULKY_BODY)
        return None, None
    try:
        message = json_text.loads(body)
    except ValueError:
        await respond(send, 400, _PARSE_ERROR)
        return None, None
    is_message = isinstance(message, list) or (isinstance(message, dict) and message.get("jsonrpc") == "2.0")
    return body, message if is_message else None  # the SDK answers with the reason


def _needed(body: bytes, message: JsonObject) -> bytes:
    """Return a body for the SDK's server, which never gets a long call: that may wait, and has its arguments twice."""
    params = message.get("params")
    is_long = isinstance(params, dict) and isinstance(params.get("arguments"), RawJson)
    return b"" if is_long else body


async def _replay_small(body: bytes, receive: Receive, send: Send) -> Receive | None:
    """Return a ``receive`` with the body for the SDK's server; None if the body was refused as too large for it."""
    if len(body) <= MAX_SDK_BODY:
        return replay_body(body, receive)
    await respond(send, 413, _LARGE_BODY)
    return None


def _is_id(request_id: object) -> bool:
    return isinstance(request_id, str | int | float) and not isinstance(request_id, bool)


def _has_invalid_id(message: JsonObject) -> bool:
    """Return True if a request's id has a wrong type (JSON-RPC 2.0, 4): the SDK would take it for a notification.

    The client would wait for ever. The SDK drops requests with a fraction for an id, too.
    """
    if "method" not in message or "id" not in message:
        return False
    request_id, method = message["id"], message["method"]
    is_known = isinstance(method, str) and (method in METHODS or method in _INTRODUCTORY)
    return not _is_id(request_id) or (isinstance(request_id, float) and not is_known)


def _key(session: Session, request_id: object) -> tuple[str, type, object]:
    """Return the key of a request in the table of those in flight; 1.0 is the same id as 1."""
    if isinstance(request_id, float) and request_id.is_integer():
        request_id = int(request_id)
    kind = type(request_id)
    return session.session_id, kind, request_id if kind is int or kind is str else repr(request_id)


def _is_plain_envelope(body: bytes, params: JsonObject) -> bool:
    meta = params["_meta"]
    info = meta.get(CLIENT_INFO_KEY)
    return (
        is_plain_meta(params)
        and (info is None or is_plain_client(info))
        and is_plain_capabilities(meta[CLIENT_CAPABILITIES_KEY])
        and is_strict_json(body)
    )
