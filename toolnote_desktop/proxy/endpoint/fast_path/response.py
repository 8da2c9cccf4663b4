"""The answers of the express path: written at once into the connection, JSON or an event stream (``fast_path/protocol.py``)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from toolnote_desktop.model import json_text
from toolnote_desktop.proxy.endpoint import response as http_answer
from toolnote_desktop.proxy.endpoint.handler import CANCELLED
from toolnote_desktop.proxy.endpoint.response import PING, event, notification
from toolnote_desktop.proxy.endpoint.session import Session
from toolnote_desktop.proxy.transports.base import Reply

if TYPE_CHECKING:
    from toolnote_desktop.proxy.endpoint.fast_path.protocol import FastPathProtocol

_JSON = b"content-type: application/json\r\ncontent-length: "
_STREAM = (
    b"content-type: text/event-stream\r\ncache-control: no-cache, no-transform\r\ntransfer-encoding: chunked\r\n\r\n"
)


@lru_cache(maxsize=1024)
def _head(session_id: str, keep_alive: bool) -> bytes:
    closing = b"" if keep_alive else b"connection: close\r\n"
    return b"HTTP/1.1 200 OK\r\n%smcp-session-id: %s\r\n" % (closing, session_id.encode("ascii"))


class FastPathResponse:
    """The HTTP answer to one request: JSON, or an event stream if something has to be said before it.

    It stands in the place of uvicorn's own cycle while it is not complete, so that a request that comes behind it on
    the same connection waits, and a shutdown ends the connection after it.
    """

    def __init__(self, protocol: FastPathProtocol, session: Session, request_id: int | str) -> None:
        self._protocol = protocol
        self._session = session
        self._request_id = request_id
        self._streaming = False
        self.response_complete = False
        self.disconnected = False
        self.keep_alive = True
        self.body = b""
        self.more_body = False

    @property
    def message_event(self) -> FastPathResponse:
        """What uvicorn sets when the connection is lost. No attribute: an answer that holds itself is a ring."""
        return self

    def set(self) -> None:
        """The connection is lost."""

    def event(self, message: bytes) -> None:
        """Say something before the result."""
        if not self.response_complete:
            self._write(event(message))

    def _write(self, text: bytes) -> None:
        transport = self._protocol.transport
        head = b""
        if not self._streaming:
            self._streaming = True
            head = _head(self._session.session_id, self.keep_alive) + _STREAM
        if not transport.is_closing():
            transport.write(b"%s%x\r\n%s\r\n" % (head, len(text), text))

    def finish(self, reply: Reply) -> None:
        """Send the result or the error."""
        identity = b"%d" % self._request_id if isinstance(self._request_id, int) else json_text.dumps(self._request_id)
        if reply.error is None:
            message = b'{"jsonrpc":"2.0","id":%s,"result":%s}' % (identity, reply.result or b"{}")
        else:
            message = b'{"jsonrpc":"2.0","id":%s,"error":%s}' % (identity, reply.error)
        transport = self._protocol.transport
        if self._streaming:
            self._write(event(message))
            if not transport.is_closing():
                transport.write(b"0\r\n\r\n")
        elif not transport.is_closing():
            head = _head(self._session.session_id, self.keep_alive)
            transport.write(b"%s%s%d\r\n\r\n%s" % (head, _JSON, len(message), message))
        self.response_complete = True
        if not self.keep_alive:
            transport.close()
        self._protocol.on_response_complete()


class FastPathCall(FastPathResponse):
    """One call on its way: the caller that its server may talk to, and its place in the tables."""

    modern = False

    def __init__(
        self, protocol: FastPathProtocol, session: Session, request_id: int | str, server: str, tool: str
    ) -> None:
        super().__init__(protocol, session, request_id)
        self.principal = session.principal
        self.client = session.principal.client
        self.conversation: object = session
        self.capabilities = session.capabilities
        self.log_level = session.log_level
        self._server = server
        self._tool = tool
        self._started = time.monotonic()
        self._cancel: Callable[[bytes | None], None] | None = None
        self._gone: asyncio.Future[None] | None = None
        self._said_at = self._started

    def start(self, params: bytes) -> bool:
        """Send it up; False where it cannot be sent at once."""
        express = self._protocol.express
        self._cancel = express.forwarder.start_call(self._server, params, self, self._done)
        if self._cancel is None:
            return False
        self._protocol.cycle = self  # type: ignore[assignment]
        express.direct.enter(self._session, self._request_id, self)
        express.enter(self)
        return True

    def say_alive(self) -> None:
        """Say that somebody is there, where nothing was said for long."""
        now = time.monotonic()
        if now - self._said_at >= http_answer.KEEP_ALIVE:
            self._said_at = now
            self._write(PING)

    def _done(self, outcome: Reply | Exception) -> None:
        forwarder = self._protocol.express.forwarder
        if isinstance(outcome, Exception):
            outcome = forwarder.failed_call(self._server, self._tool, outcome)
        self._end(outcome, outcome)

    def _end(self, answer: Reply, reply: Reply | None) -> None:
        express = self._protocol.express
        self._cancel = None  # it holds this call: as a ring, each call would wait for the search for garbage
        express.leave(self)
        express.direct.leave(self._session, self._request_id, self)
        express.forwarder.call_ended(self, self._server, self._tool, self._started, reply)
        self.finish(answer)

    def cancel(self, why: bytes | None = None) -> None:
        """See ``direct.Cancellable``."""
        if self._cancel is not None:
            self._cancel(why)
            self.set()
            self._end(CANCELLED, None)

    def set(self) -> None:
        """The connection is lost, or the call taken back: nobody will answer a question."""
        if self._gone is not None and not self._gone.done():
            self._gone.set_result(None)

    def tell(self, method: str, params: bytes | None) -> None:
        """Tell the client something before the result."""
        self.event(notification(method, params))

    async def ask(self, method: str, params: bytes | None) -> Reply:
        """Ask the client something on this call's stream."""
        if self._gone is None:
            self._gone = asyncio.get_running_loop().create_future()
        if self.disconnected or self.response_complete:
            self.set()
        questions = self._protocol.express.direct.questions
        return await questions.ask(self._session, method, params, self.event, self._gone)
