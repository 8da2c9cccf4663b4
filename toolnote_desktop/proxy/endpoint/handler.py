"""The direct path: every request that is answered here, without the SDK in between (docs/architecture.md), in both eras.

The result of a server goes into the answer as the bytes it came as: the client's id is put beside it and nothing is
decoded and encoded again, so that numbers of any size and lone surrogates arrive. The answer begins as JSON, and as an
event stream only if the server says something before its result. Sessions are the SDK's, and every request that this
path does not take goes on to the SDK with its body.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from toolnote_desktop.model import json_text
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.proxy.endpoint import batches
from toolnote_desktop.proxy.endpoint.asgi import Receive, Scope, Send, read_body, replaying, respond
from toolnote_desktop.proxy.endpoint.auth import Headers
from toolnote_desktop.proxy.endpoint.batches import answer_batch, refuse_batch
from toolnote_desktop.proxy.endpoint.callers import HandshakeCaller, ModernCaller
from toolnote_desktop.proxy.endpoint.client_requests import ClientRequests
from toolnote_desktop.proxy.endpoint.event_streams import Streams
from toolnote_desktop.proxy.endpoint.initialize import (
    discover_result,
    initialize_result,
    is_plain_capabilities,
    is_plain_client,
    is_plain_initialize,
    is_plain_meta,
    is_strict_json,
)
from toolnote_desktop.proxy.endpoint.media_types import takes_both, takes_events
from toolnote_desktop.proxy.endpoint.modern_requests import header_problem, is_sound, wants_headers
from toolnote_desktop.proxy.endpoint.session import Session
from toolnote_desktop.proxy.endpoint.sessions import ClientSessions
from toolnote_desktop.proxy.in_flight import Caller, refusal
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.proxy.protocol import BODY_LIMIT, HANDSHAKE_VERSIONS, INTERNAL_ERROR
from toolnote_desktop.proxy.routing.requests import METHODS
from toolnote_desktop.proxy.routing.served_lists import ClientView
from toolnote_desktop.proxy.transports.base import Reply
from toolnote_desktop.proxy.transports.modern_headers import CLIENT_CAPABILITIES_KEY, CLIENT_INFO_KEY

CANCELLED = Reply(None, b'{"code":0,"message":"Request cancelled"}')
"""What the SDK answers to a request that its client cancelled."""

DISCOVER = "server/discover"
MODERN_METHODS = (METHODS - {"resources/subscribe", "resources/unsubscribe", "logging/setLevel"}) | {DISCOVER}
_INTRODUCING = frozenset({"initialize", "ping", DISCOVER})
QUICK = frozenset({"tools/list", "prompts/list", "resources/list", "resources/templates/list", DISCOVER})
"""Answered before their client could go."""

_NO_SESSION = b'{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Session not found"}}'
_ODD_ID = b'{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid Request: an id is text or a number"}}'
_PARSE_ERROR = b'{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}'

logger = logging.getLogger(__name__)

Answer = Callable[[str, JsonObject, Caller], Awaitable[Reply]]


class Cancellable(Protocol):
    """A request on its way that its client can take back."""

    def cancel(self, why: bytes | None = None) -> None:
        """Its client does not want it any more; ``why`` is what it said beside the id, an object as raw JSON."""


class _Call:
    """A request on its way, in the task that its HTTP request has."""

    __slots__ = ("_cancelled", "_task")

    def __init__(self, task: asyncio.Task[Any] | None) -> None:
        self._task = task
        self._cancelled = False

    def cancel(self, why: bytes | None = None) -> None:
        """See ``Cancellable``."""
        if self._task is not None and not self._cancelled:
            self._cancelled = True
            self._task.cancel(why)

    def taken_back(self) -> bool:
        """Whether the cancellation was the client's and nobody else's; then the task goes on, with an answer."""
        return self._cancelled and self._task is not None and self._task.uncancel() == 0


class RequestHandler:
    """Takes what it can of the requests to the endpoint.

    Args:
        introduced: told what a client of the modern era says of itself.
        roots_changed: told that a session's client has other roots now.
    """

    def __init__(
        self,
        sdk: ClientSessions,
        answer: Answer,
        view: Callable[[Principal], ClientView],
        introduced: Callable[[Principal, JsonObject], None],
        roots_changed: Callable[[Session], None],
    ) -> None:
        self.streams: Streams = sdk.streams
        self.questions = ClientRequests()
        self._sdk = sdk
        self._answer = answer
        self._view = view
        self._introduced = introduced
        self._roots_changed = roots_changed
        self._in_flight: dict[tuple[str, str], list[Cancellable]] = {}

    async def take(
        self, scope: Scope, receive: Receive, send: Send, headers: Headers, principal: Principal
    ) -> Receive | None:
        """Answer the request and return None, or return the ``receive`` with which the SDK is to answer it."""
        version = headers.get(b"mcp-protocol-version", b"").decode("latin-1")
        if version and version not in HANDSHAKE_VERSIONS:
            return await self._take_modern(scope, receive, send, headers, principal)
        session_id = headers.get(b"mcp-session-id")
        session = self._sdk.find_session(session_id, principal)
        if session is None and session_id is not None and not self._sdk.is_opening(session_id):
            await respond(send, 404, _NO_SESSION)
            return None
        method = scope["method"]
        if session is not None and method == "GET" and takes_events(headers):
            session.touch()
            await self.streams.serve(session, receive, send)
            return None
        if session is not None and method == "DELETE":
            await self._sdk.end_session(session)
            await respond(send, 200, b"", *session.headers)
            return None
        if method != "POST" or not takes_both(headers):
            return receive
        body, message = await _read(receive, send)
        if body is None:
            return None
        if isinstance(message, list):
            await self._take_batch(message, session, receive, send)
            return None
        if message is not None and _has_no_id_of_its_kind(message):
            await respond(send, 400, _ODD_ID)
            return None
        if message is not None and session_id is None and await self._open(body, message, principal, send):
            return None
        if message is not None and session is not None and await self._handle(message, session, receive, send):
            return None
        return replaying(body, receive)

    # -- the handshake era --------------------------------------------------------------------------------------------

    async def _open(self, body: bytes, message: JsonObject, principal: Principal, send: Send) -> bool:
        request_id, params = message.get("id"), message.get("params")
        if message.get("method") != "initialize" or not _is_id(request_id) or not is_plain_initialize(body, params):
            return False
        assert isinstance(params, dict)
        await self._sdk.make_room(principal, self.is_busy)
        session = self._sdk.open_session(principal, params["clientInfo"], params["capabilities"], opening=body)
        result = initialize_result(params, self._sdk.instructions(principal))
        session.batches = params["protocolVersion"] == batches.REVISION
        answer = b'{"jsonrpc":"2.0","id":%s,"result":%s}' % (json_text.dumps(request_id), result)
        await respond(send, 200, answer, *session.headers)
        return True

    async def _handle(self, message: JsonObject, session: Session, receive: Receive, send: Send) -> bool:
        method, request_id = message.get("method"), message.get("id")
        params = message.get("params")
        params = {} if params is None else params
        if method is None:
            return await self._take_answer(message, session, send)
        if not isinstance(method, str):
            return False
        if "id" not in message and isinstance(params, dict):
            return await self._note(method, params, session, send)
        if method == "ping" and _is_id(request_id) and isinstance(params, dict) and is_plain_meta(params):
            session.touch()
            answer = b'{"jsonrpc":"2.0","id":%s,"result":{}}' % json_text.dumps(request_id)
            await respond(send, 200, answer, *session.headers)
            return True
        if method not in METHODS or not _is_id(request_id) or not isinstance(params, dict):
            return False
        session.touch()
        caller = HandshakeCaller(self.questions, session, request_id, receive, send)
        call = _Call(asyncio.current_task())
        self.enter(session, request_id, call)
        reply = CANCELLED
        with caller.answer:
            try:
                reply = await self._reply(method, params, caller)
            except asyncio.CancelledError:
                if not call.taken_back():
                    raise
            finally:
                self.leave(session, request_id, call)
                caller.leave(taken_back=reply is CANCELLED)
            await caller.answer.finish(reply)
        return True

    async def _take_batch(self, messages: list[Any], session: Session | None, receive: Receive, send: Send) -> None:
        if session is None or not session.batches:
            await refuse_batch(send, f"a batch of messages, which only revision {batches.REVISION} has")
            return

        async def handle(message: JsonObject, receive: Receive, send: Send) -> bool:
            return await self._handle(message, session, receive, send)

        await answer_batch(messages, handle, receive, send, session.headers)

    async def _reply(self, method: str, params: JsonObject, caller: Caller) -> Reply:
        # The boundary of a request: whatever goes wrong in it, its client is owed an answer.
        try:
            return await self._answer(method, params, caller)
        except Exception:
            logger.exception("%s could not be answered", method)
            return refusal(INTERNAL_ERROR, "Toolnote could not answer this")

    def enter(self, session: Session, request_id: Any, call: Cancellable) -> None:
        """A request is on its way."""
        self._in_flight.setdefault(_key(session, request_id), []).append(call)

    def leave(self, session: Session, request_id: Any, call: Cancellable) -> None:
        """It is answered."""
        key = _key(session, request_id)
        calls = self._in_flight[key]
        calls.remove(call)
        if not calls:
            del self._in_flight[key]
        session.touch()

    async def _note(self, method: str, params: JsonObject, session: Session, send: Send) -> bool:
        """A notification: nothing but cancelling and roots means anything to us."""
        session.touch()
        if method == "notifications/cancelled":
            calls = self._in_flight.get(_key(session, params.get("requestId")), ())
            if not calls and self._sdk.has_counterpart(session):
                return False  # perhaps a request that the SDK's server is at
            said = {key: value for key, value in params.items() if key != "requestId"}
            for call in list(calls):
                call.cancel(json_text.dumps(said) if said else None)
        if method == "notifications/roots/list_changed":
            self._roots_changed(session)
        await respond(send, 202, b"", *session.headers)
        return True

    async def _take_answer(self, message: JsonObject, session: Session, send: Send) -> bool:
        if not self.questions.answered(session, message):
            return False
        await respond(send, 202, b"")
        return True

    def is_busy(self, session: Session) -> bool:
        """Whether a request of this session is on its way."""
        return any(session_id == session.session_id for session_id, _ in self._in_flight)

    def session_ended(self, session: Session) -> None:
        """A session is over, and with it everything that its client wanted to know."""
        self.questions.end(session)
        self.streams.end(session)
        for (session_id, _), calls in list(self._in_flight.items()):
            if session_id == session.session_id:
                for call in list(calls):
                    call.cancel()

    # -- the modern era -----------------------------------------------------------------------------------------------

    async def _take_modern(
        self, scope: Scope, receive: Receive, send: Send, headers: Headers, principal: Principal
    ) -> Receive | None:
        if scope["method"] != "POST" or not takes_both(headers):
            return receive
        body, message = await _read(receive, send)
        if body is None:
            return None
        if isinstance(message, dict) and _has_no_id_of_its_kind(message):
            await respond(send, 400, _ODD_ID)
            return None
        if (
            not isinstance(message, dict)
            or message.get("method") not in MODERN_METHODS
            or not _is_id(message.get("id"))
        ):
            return replaying(body, receive)
        if not is_sound(message, scope):
            return replaying(body, receive)
        params: JsonObject = message["params"]
        if message["method"] == DISCOVER and not _is_plain_envelope(body, params):
            return replaying(body, receive)
        caller = ModernCaller(principal, message["id"], params["_meta"], send)
        if caller.client_info:
            self._introduced(principal, caller.client_info)
        method: str = message["method"]
        problem = None
        if method == "tools/call" and wants_headers(params, self._view(principal)):
            await self._sdk.load()  # the judge of such headers
            problem = header_problem(params, scope, self._view(principal))
        with caller.answer:
            reply = problem or await self._until_left(method, params, caller, receive)
            if reply is not None:
                await caller.answer.finish(reply)
        return None

    async def _until_left(
        self, method: str, params: JsonObject, caller: ModernCaller, receive: Receive
    ) -> Reply | None:
        """The reply; None if the client has closed the request, which is how it cancels one."""
        if method == DISCOVER:
            return Reply(discover_result(self._sdk.instructions(caller.principal)))
        if method in QUICK:
            return await self._reply(method, params, caller)
        call = _Call(asyncio.current_task())
        watching = asyncio.ensure_future(_cancel_when_left(receive, call))
        try:
            return await self._reply(method, params, caller)
        except asyncio.CancelledError:
            if not call.taken_back():
                raise
            return None
        finally:
            watching.cancel()


async def _cancel_when_left(receive: Receive, call: _Call) -> None:
    while (await receive())["type"] != "http.disconnect":
        continue
    call.cancel()


async def _read(receive: Receive, send: Send) -> tuple[bytes | None, JsonObject | list[Any] | None]:
    """The body and the message or the batch in it; the body is None where the answer has been given already."""
    body = await read_body(receive, BODY_LIMIT)
    if body is None:
        await respond(send, 413, b"{}")
        return None, None
    try:
        message = json_text.loads(body)
    except ValueError:
        await respond(send, 400, _PARSE_ERROR)
        return None, None
    is_message = isinstance(message, list) or (isinstance(message, dict) and message.get("jsonrpc") == "2.0")
    return body, message if is_message else None  # the SDK says what is wrong with it


def _is_id(request_id: object) -> bool:
    return isinstance(request_id, str | int | float) and not isinstance(request_id, bool)


def _has_no_id_of_its_kind(message: JsonObject) -> bool:
    """Whether it is a request whose id is none (JSON-RPC 2.0, 4): for the SDK it would be a notification.

    Its client would wait for an answer for ever. So would one with a fraction for an id, where the SDK is to answer.
    """
    if "method" not in message or "id" not in message:
        return False
    request_id, method = message["id"], message["method"]
    own = isinstance(method, str) and (method in METHODS or method in _INTRODUCING)
    return not _is_id(request_id) or (isinstance(request_id, float) and not own)


def _key(session: Session, request_id: object) -> tuple[str, str]:
    """Where a request stands in the table of those on their way; 1.0 is the same number as 1."""
    whole = isinstance(request_id, float) and request_id.is_integer()
    return session.session_id, repr(int(request_id) if whole else request_id)  # type: ignore[call-overload]


def _is_plain_envelope(body: bytes, params: JsonObject) -> bool:
    meta = params["_meta"]
    info = meta.get(CLIENT_INFO_KEY)
    return (
        is_plain_meta(params)
        and (info is None or is_plain_client(info))
        and is_plain_capabilities(meta[CLIENT_CAPABILITIES_KEY])
        and is_strict_json(body)
    )
