"""The direct path: every request that is answered here, without the SDK in between (DESIGN 1), in both eras.

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

from mcp.types.version import HANDSHAKE_PROTOCOL_VERSIONS

from toolnote_desktop.model import jsontext
from toolnote_desktop.model.jsontext import JsonObject
from toolnote_desktop.proxy.access import Headers
from toolnote_desktop.proxy.asgi import Receive, Scope, Send, read_body, replaying, respond
from toolnote_desktop.proxy.callers import HandshakeCaller, ModernCaller
from toolnote_desktop.proxy.exposure import View
from toolnote_desktop.proxy.in_flight import INTERNAL_ERROR, Caller, refusal
from toolnote_desktop.proxy.modern_requests import header_problem, is_sound
from toolnote_desktop.proxy.peer import Reply
from toolnote_desktop.proxy.questions import Questions
from toolnote_desktop.proxy.sdk_server import BODY_LIMIT, SdkServer
from toolnote_desktop.proxy.service import METHODS
from toolnote_desktop.proxy.sessions import Session
from toolnote_desktop.proxy.streams import Streams
from toolnote_desktop.proxy.tools.context import Principal

CANCELLED = Reply(None, b'{"code":0,"message":"Request cancelled"}')
"""What the SDK answers to a request that its client cancelled."""

MODERN_METHODS = METHODS - {"resources/subscribe", "resources/unsubscribe", "logging/setLevel"}
QUICK = frozenset({"tools/list", "prompts/list", "resources/list", "resources/templates/list"})
"""Answered before their client could go."""

_PARSE_ERROR = b'{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}'

logger = logging.getLogger(__name__)

Answer = Callable[[str, JsonObject, Caller], Awaitable[Reply]]


class Cancellable(Protocol):
    """A request on its way that its client can take back."""

    def cancel(self) -> None:
        """Its client does not want it any more."""


class _Call:
    """A request on its way, in the task that its HTTP request has."""

    __slots__ = ("_cancelled", "_task")

    def __init__(self, task: asyncio.Task[Any] | None) -> None:
        self._task = task
        self._cancelled = False

    def cancel(self) -> None:
        """Its client does not want it any more."""
        if self._task is not None and not self._cancelled:
            self._cancelled = True
            self._task.cancel()

    def taken_back(self) -> bool:
        """Whether the cancellation was the client's and nobody else's; then the task goes on, with an answer."""
        return self._cancelled and self._task is not None and self._task.uncancel() == 0


class DirectPath:
    """Takes what it can of the requests to the endpoint.

    Args:
        introduced: told what a client of the modern era says of itself.
        roots_changed: told that a session's client has other roots now.
    """

    def __init__(
        self,
        sdk: SdkServer,
        answer: Answer,
        view: Callable[[Principal], View],
        introduced: Callable[[Principal, JsonObject], None],
        roots_changed: Callable[[Session], None],
    ) -> None:
        self.streams: Streams = sdk.streams
        self.questions = Questions()
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
        if version and version not in HANDSHAKE_PROTOCOL_VERSIONS:
            return await self._take_modern(scope, receive, send, headers, principal)
        session = self._sdk.find_session(headers.get(b"mcp-session-id"), principal)
        if session is None:
            return receive
        if scope["method"] == "GET" and b"text/event-stream" in headers.get(b"accept", b""):
            session.touch()
            await self.streams.serve(session, receive, send)
            return None
        if scope["method"] != "POST" or not takes_both(headers):
            return receive
        body, message = await _read(receive, send)
        if body is None:
            return None
        if message is not None and await self._handle(message, session, receive, send):
            return None
        return replaying(body, receive)

    # -- the handshake era --------------------------------------------------------------------------------------------

    async def _handle(self, message: JsonObject, session: Session, receive: Receive, send: Send) -> bool:
        method, request_id = message.get("method"), message.get("id")
        params = message.get("params")
        params = {} if params is None else params
        if method is None:
            return await self._take_answer(message, session, send)
        if method == "notifications/cancelled" and isinstance(params, dict):
            return await self._cancel(params, session, send)
        if method == "notifications/roots/list_changed":
            self._roots_changed(session)
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

    async def _reply(self, method: str, params: JsonObject, caller: Caller) -> Reply:
        # The boundary of a request: whatever goes wrong in it, its client is owed an answer.
        try:
            return await self._answer(method, params, caller)
        except Exception:
            logger.exception("%s could not be answered", method)
            return refusal(INTERNAL_ERROR, "Toolnote could not answer this")

    def enter(self, session: Session, request_id: Any, call: Cancellable) -> None:
        """A request is on its way."""
        self._in_flight.setdefault((session.session_id, repr(request_id)), []).append(call)

    def leave(self, session: Session, request_id: Any, call: Cancellable) -> None:
        """It is answered."""
        key = (session.session_id, repr(request_id))
        calls = self._in_flight[key]
        calls.remove(call)
        if not calls:
            del self._in_flight[key]
        session.touch()

    async def _cancel(self, params: JsonObject, session: Session, send: Send) -> bool:
        calls = self._in_flight.get((session.session_id, repr(params.get("requestId"))))
        if not calls:
            return False
        for call in list(calls):
            call.cancel()
        await respond(send, 202, b"")
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
        if message is None or message.get("method") not in MODERN_METHODS or not _is_id(message.get("id")):
            return replaying(body, receive)
        if not is_sound(message, scope):
            return replaying(body, receive)
        params: JsonObject = message["params"]
        caller = ModernCaller(principal, message["id"], params["_meta"], send)
        if caller.client_info:
            self._introduced(principal, caller.client_info)
        method: str = message["method"]
        problem = header_problem(params, scope, self._view(principal)) if method == "tools/call" else None
        with caller.answer:
            reply = problem or await self._until_left(method, params, caller, receive)
            if reply is not None:
                await caller.answer.finish(reply)
        return None

    async def _until_left(
        self, method: str, params: JsonObject, caller: ModernCaller, receive: Receive
    ) -> Reply | None:
        """The reply; None if the client has closed the request, which is how it cancels one."""
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


async def _read(receive: Receive, send: Send) -> tuple[bytes | None, JsonObject | None]:
    """The body and the message in it; the body is None where the answer has been given already."""
    body = await read_body(receive, BODY_LIMIT)
    if body is None:
        await respond(send, 413, b"{}")
        return None, None
    try:
        message = jsontext.loads(body)
    except ValueError:
        await respond(send, 400, _PARSE_ERROR)
        return None, None
    is_message = isinstance(message, dict) and message.get("jsonrpc") == "2.0"
    return body, message if is_message else None  # the SDK says what is wrong with it


def _is_id(request_id: object) -> bool:
    return isinstance(request_id, str | int) and not isinstance(request_id, bool)


def takes_both(headers: Headers) -> bool:
    """The specification's Accept, and JSON sent: anything else is the SDK's to refuse."""
    accept, sent = headers.get(b"accept", b""), headers.get(b"content-type", b"")
    return b"application/json" in accept and b"text/event-stream" in accept and sent.startswith(b"application/json")
