"""The direct path: ``tools/list`` and ``tools/call`` of the handshake era, without the SDK in between (DESIGN 1).

The result of a server goes into the answer as the bytes it came as: the client's id is put beside it and nothing is
decoded and encoded again, so that numbers of any size and lone surrogates arrive. The answer begins as JSON, and as an
event stream only if the server says something before its result. Sessions are the SDK's; every request that this path
does not take goes on to the SDK with its body.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from mcp.types.version import HANDSHAKE_PROTOCOL_VERSIONS

from toolnote_desktop.model import jsontext
from toolnote_desktop.model.jsontext import JsonObject
from toolnote_desktop.proxy.access import Headers
from toolnote_desktop.proxy.asgi import Receive, Scope, Send, read_body, replaying, respond
from toolnote_desktop.proxy.peer import Reply
from toolnote_desktop.proxy.sdk_server import BODY_LIMIT, SdkServer, Session
from toolnote_desktop.proxy.tools.context import Principal

METHODS = frozenset({"tools/list", "tools/call"})

CANCELLED = Reply(None, b'{"code":0,"message":"Request cancelled"}')
"""What the SDK answers to a request that its client cancelled."""

_EVENT_STREAM = [(b"content-type", b"text/event-stream"), (b"cache-control", b"no-cache, no-transform")]

logger = logging.getLogger(__name__)

Answer = Callable[[str, JsonObject, "DirectCaller"], Awaitable[Reply | None]]


class DirectCaller:
    """A client within one request of the direct path, and the HTTP answer that it gets."""

    can_be_asked = True

    def __init__(self, path: DirectPath, session: Session, request_id: Any, send: Send) -> None:
        self.principal = session.principal
        self.client = session.principal.client
        self.capabilities = session.capabilities
        self._path = path
        self._session = session
        self._id = jsontext.dumps(request_id)
        self._send = send
        self._streaming = False

    async def notify(self, method: str, params: JsonObject) -> None:
        """Tell the client something before the result: the answer becomes an event stream."""
        await self._event(jsontext.dumps({"jsonrpc": "2.0", "method": method, "params": params}))

    async def ask(self, method: str, params: JsonObject) -> Reply:
        """Ask the client something on this request's stream; its answer comes as a request of its own."""
        ask_id, answer = self._path.expect_answer(self._session)
        try:
            await self._event(jsontext.dumps({"jsonrpc": "2.0", "id": ask_id, "method": method, "params": params}))
            return await answer
        finally:
            self._path.forget_answer(self._session, ask_id)

    async def _event(self, message: bytes) -> None:
        if not self._streaming:
            self._streaming = True
            await self._send({"type": "http.response.start", "status": 200, "headers": self._headers(_EVENT_STREAM)})
        text = b"event: message\r\ndata: " + message + b"\r\n\r\n"
        await self._send({"type": "http.response.body", "body": text, "more_body": True})

    async def finish(self, reply: Reply) -> None:
        """Send the answer."""
        member, text = (b"result", reply.result) if reply.error is None else (b"error", reply.error)
        message = b'{"jsonrpc":"2.0","id":%s,"%s":%s}' % (self._id, member, text or b"{}")
        if self._streaming:
            # A line end inside a JSON text can only be white space, but in an event it would end the line.
            await self._event(message.replace(b"\r", b" ").replace(b"\n", b" "))
            await self._send({"type": "http.response.body", "body": b""})
        else:
            await respond(self._send, 200, message, *self._headers([]))

    def _headers(self, headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
        return [*headers, (b"mcp-session-id", (self._session.session_id or "").encode("ascii"))]


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
    """Takes what it can of the requests to the endpoint."""

    def __init__(self, sdk: SdkServer, answer: Answer) -> None:
        self._sdk = sdk
        self._answer = answer
        self._in_flight: dict[tuple[str, str], list[Cancellable]] = {}
        self._asked: dict[tuple[str, str], asyncio.Future[Reply]] = {}
        self._ask_numbers = itertools.count(1)

    async def take(
        self, scope: Scope, receive: Receive, send: Send, headers: Headers, principal: Principal
    ) -> Receive | None:
        """Answer the request and return None, or return the ``receive`` with which the SDK is to answer it."""
        session = self._sdk.find_session(headers.get(b"mcp-session-id"), principal)
        version = headers.get(b"mcp-protocol-version", b"").decode("latin-1")
        is_ours = session is not None and (not version or version in HANDSHAKE_PROTOCOL_VERSIONS)
        if scope["method"] != "POST" or session is None or not is_ours or not takes_both(headers):
            return receive
        body = await read_body(receive, BODY_LIMIT)
        if body is None:
            await respond(send, 413, b"{}")
            return None
        message = _request(body)
        if message is not None and await self._handle(message, session, send):
            return None
        return replaying(body, receive)

    async def _handle(self, message: JsonObject, session: Session, send: Send) -> bool:
        method, request_id = message.get("method"), message.get("id")
        if method is None:
            return await self._take_answer(message, session, send)
        params = message.get("params", {})
        if method == "notifications/cancelled" and isinstance(params, dict):
            return await self._cancel(params, session, send)
        is_id = isinstance(request_id, str | int) and not isinstance(request_id, bool)
        if method not in METHODS or not is_id or not isinstance(params, dict):
            return False
        session.touch()
        caller = DirectCaller(self, session, request_id, send)
        call = _Call(asyncio.current_task())
        self.enter(session, request_id, call)
        try:
            reply = await self._answer(method, params, caller)
        except asyncio.CancelledError:
            if not call.taken_back():
                raise
            reply = CANCELLED
        finally:
            self.leave(session, request_id, call)
        assert reply is not None
        await caller.finish(reply)
        return True

    def enter(self, session: Session, request_id: Any, call: Cancellable) -> None:
        """A request is on its way."""
        self._in_flight.setdefault((session.session_id or "", repr(request_id)), []).append(call)

    def leave(self, session: Session, request_id: Any, call: Cancellable) -> None:
        """It is answered."""
        key = (session.session_id or "", repr(request_id))
        calls = self._in_flight[key]
        calls.remove(call)
        if not calls:
            del self._in_flight[key]
        session.touch()

    async def _cancel(self, params: JsonObject, session: Session, send: Send) -> bool:
        calls = self._in_flight.get((session.session_id or "", repr(params.get("requestId"))))
        if not calls:
            return False
        for call in list(calls):
            call.cancel()
        await respond(send, 202, b"")
        return True

    async def _take_answer(self, message: JsonObject, session: Session, send: Send) -> bool:
        answer = self._asked.get((session.session_id or "", str(message.get("id"))))
        if answer is None:
            return False
        if not answer.done():
            error = message.get("error")
            result = jsontext.dumps(message.get("result"))
            answer.set_result(Reply(result) if error is None else Reply(None, jsontext.dumps(error)))
        await respond(send, 202, b"")
        return True

    def expect_answer(self, session: Session) -> tuple[str, asyncio.Future[Reply]]:
        """An id for a question to a client, and what becomes its answer."""
        ask_id = f"toolnote-{next(self._ask_numbers)}"
        answer: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._asked[(session.session_id or "", ask_id)] = answer
        return ask_id, answer

    def forget_answer(self, session: Session, ask_id: str) -> None:
        """Nobody waits for that answer any more."""
        del self._asked[(session.session_id or "", ask_id)]

    def is_busy(self, session: Session) -> bool:
        """Whether a request of this session is on its way."""
        return any(session_id == session.session_id for session_id, _ in self._in_flight)


def _request(body: bytes) -> JsonObject | None:
    try:
        message = jsontext.loads(body)
    except ValueError:
        return None  # the SDK says what is wrong with it
    return message if isinstance(message, dict) and message.get("jsonrpc") == "2.0" else None


def takes_both(headers: Headers) -> bool:
    """The specification's Accept, and JSON sent: anything else is the SDK's to refuse."""
    accept, sent = headers.get(b"accept", b""), headers.get(b"content-type", b"")
    return b"application/json" in accept and b"text/event-stream" in accept and sent.startswith(b"application/json")
