"""Common part of the transports: requests and their responses, dispatch of incoming messages, closing once."""

from __future__ import annotations

import asyncio
import json
from abc import ABC, abstractmethod
from collections.abc import Callable

from toolnote_desktop.model.problem import Problem
from toolnote_desktop.proxy.aio.tasks import outlast
from toolnote_desktop.proxy.transports import jsonrpc
from toolnote_desktop.proxy.transports.base import Reply, ReplyUnreadable, TransportClosed, TransportListener
from toolnote_desktop.proxy.transports.jsonrpc import Message, NotAMessage
from toolnote_desktop.proxy.transports.strict_json import REPAIR_LIMIT

_PROGRESS = "notifications/progress"
_TOO_LONG = f"its error has more than {jsonrpc.MAX_VALUES} values"


class PendingRequest:
    """Request whose response is awaited."""

    __slots__ = ("future", "id", "progress_token", "timeout", "timer")

    def __init__(self, request_id: int, timeout: float | None, progress_token: str | None) -> None:
        self.id = request_id
        self.timeout = timeout
        self.progress_token = progress_token
        loop = asyncio.get_running_loop()
        self.future: asyncio.Future[Reply] = loop.create_future()
        self.timer = None if timeout is None else loop.call_later(timeout, self._expire)

    def restart_timer(self) -> None:
        """Start the timeout anew."""
        if self.timer is not None and self.timeout is not None:
            self.timer.cancel()
            self.timer = asyncio.get_running_loop().call_later(self.timeout, self._expire)

    def _expire(self) -> None:
        self.fail(TimeoutError())

    def settle(self, reply: Reply) -> None:
        """Resolve the request with its response."""
        if not self.future.done():
            self.future.set_result(reply)

    def fail(self, error: Exception) -> None:
        """Fail the request."""
        if not self.future.done():
            self.future.set_exception(error)
            self.future.exception()  # retrieved: the waiting task may have been cancelled


class PendingCall:
    """Request whose outcome is passed to ``done`` while the response is read, without a task in between."""

    __slots__ = ("_done", "id", "progress_token", "timeout", "timer")

    def __init__(self, request_id: int, timeout: float | None, done: Callable[[Reply | Exception], None]) -> None:
        self.id = request_id
        self.timeout = timeout
        self.progress_token: str | None = None
        self._done: Callable[[Reply | Exception], None] | None = done
        self.timer = None if timeout is None else asyncio.get_running_loop().call_later(timeout, self._expire)

    def restart_timer(self) -> None:
        """Do nothing: such a request has no progress."""

    def _expire(self) -> None:
        self.fail(TimeoutError())

    def settle(self, outcome: Reply | Exception) -> None:
        """Resolve the request with its response, or fail it."""
        done, self._done = self._done, None
        if done is not None:
            done(outcome)

    fail = settle


class PendingRequests:
    """Pending requests of one connection, and the dispatch of incoming messages.

    Attributes:
        messages_received: number of messages received.
    """

    def __init__(self, listener: TransportListener) -> None:
        self._listener = listener
        self._last_id = 0
        self._waiting: dict[int, PendingRequest | PendingCall] = {}
        self._tokens: dict[str, PendingRequest] = {}
        self.messages_received = 0

    def __len__(self) -> int:
        return len(self._waiting)

    def open(self, timeout: float | None, progress_token: str | None) -> PendingRequest:
        """Register a new request with a new id; always followed by ``close``."""
        self._last_id += 1
        waiting = PendingRequest(self._last_id, timeout, progress_token)
        self._waiting[waiting.id] = waiting
        if progress_token is not None and timeout is not None:
            self._tokens[progress_token] = waiting
        return waiting

    def open_callback(self, timeout: float | None, done: Callable[[Reply | Exception], None]) -> PendingCall:
        """Register a request with a callback; ``done`` closes it."""
        self._last_id += 1
        waiting = PendingCall(self._last_id, timeout, done)
        self._waiting[waiting.id] = waiting
        return waiting

    def close(self, waiting: PendingRequest | PendingCall) -> None:
        """Forget a request. A later response to it is dropped."""
        self._waiting.pop(waiting.id, None)
        if waiting.progress_token is not None and self._tokens.get(waiting.progress_token) is waiting:
            del self._tokens[waiting.progress_token]
        if waiting.timer is not None:
            waiting.timer.cancel()

    def end(self, closed: TransportClosed) -> None:
        """Report the end of the connection and fail all requests."""
        self.notify_closed(closed.problem)
        self.fail_all(closed)

    def notify_closed(self, problem: Problem | None) -> None:
        """Report an unexpected end (with a problem) to the listener; pending requests stay."""
        if problem is not None:
            self._listener.on_closed(problem)

    def notifications_opened(self) -> None:
        """Report that the separate stream of notifications is open."""
        self._listener.notifications_opened()

    def fail_all(self, closed: TransportClosed) -> None:
        """Fail all pending requests, each with an exception of its own."""
        for waiting in list(self._waiting.values()):
            waiting.fail(TransportClosed(closed.problem, retry=closed.retry))

    def receive(self, line: bytes) -> None:
        """Dispatch one line, or the data of one event."""
        # A long line is scanned once, also if it is invalid: each scan of 20 MB of objects takes 25 ms.
        quick = jsonrpc.quick_result(line) if len(line) <= REPAIR_LIMIT else None
        if quick is not None:
            self.messages_received += 1
            self._resolve(quick[0], Reply(quick[1]), line)
            return
        try:
            messages = jsonrpc.read_messages(line)
        except NotAMessage:
            self._listener.on_invalid_message(line)
            return
        self.messages_received += 1
        for message in messages:
            self._message(message, line)

    def _message(self, message: Message, line: bytes) -> None:
        if message.repaired:
            self._listener.on_repaired_message(line)
        if message.method is not None and (message.unreadable or jsonrpc.is_bulky(message.params or b"")):
            self._listener.on_invalid_message(line)
        elif message.method is None:
            self._response(message, line)
        elif message.id is not None:
            self._listener.on_request(message.id, message.method, message.params)
        else:
            if message.method == _PROGRESS and self._tokens and message.params is not None:
                self._progress(message.params)
            self._listener.on_notification(message.method, message.params)

    def _response(self, message: Message, line: bytes) -> None:
        request_id = jsonrpc.integer_id(message.id) if message.id is not None else None
        if request_id is None:
            self._listener.on_invalid_message(line)
        elif reason := message.unreadable or (_TOO_LONG if jsonrpc.is_bulky(message.error or b"") else ""):
            if waiting := self._waiting.get(request_id):
                unreadable = ReplyUnreadable(reason)
                unreadable.result = message.result
                waiting.fail(unreadable)
        else:
            self._resolve(request_id, Reply(message.result, message.error), line)

    def _resolve(self, request_id: int, reply: Reply, line: bytes) -> None:
        waiting = self._waiting.get(request_id)
        if waiting is not None:
            waiting.settle(reply)
        elif not 0 < request_id <= self._last_id:
            self._listener.on_invalid_message(line)  # a response to a request that was never sent

    def _progress(self, params: bytes) -> None:
        try:
            token = json.loads(jsonrpc.members(params).get("progressToken", b"null"))
        except ValueError:
            return
        if isinstance(token, str) and (waiting := self._tokens.get(token)):
            waiting.restart_timer()


class OpenTransport(ABC):
    """Common part of the transports. See ``Transport``."""

    def __init__(self, listener: TransportListener) -> None:
        self.closed = asyncio.Event()
        self.problem: Problem | None = None
        self.pending = PendingRequests(listener)
        self._closing: asyncio.Task[None] | None = None

    @property
    def messages_received(self) -> int:
        """See ``Transport``."""
        return self.pending.messages_received

    @property
    def requests_in_flight(self) -> int:
        """See ``Transport``."""
        return len(self.pending)

    async def close(self) -> None:
        """Close the connection; returns when it is closed, also for a caller that is cancelled meanwhile."""
        if self._closing is None:
            self._closing = asyncio.ensure_future(self._close())
        await outlast((self._closing,))
        self._closing.result()

    @abstractmethod
    async def _close(self) -> None:
        """Close the connection. Called once."""
