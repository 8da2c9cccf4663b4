"""Responses of the fast path: written into the connection at once, as JSON or an event stream."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Protocol

from toolnote_desktop.model import json_text
from toolnote_desktop.proxy.endpoint.response import event
from toolnote_desktop.proxy.endpoint.session import Session
from toolnote_desktop.proxy.transports.base import Reply

_JSON = b"content-type: application/json\r\ncontent-length: "
_STREAM = (
    b"content-type: text/event-stream\r\ncache-control: no-cache, no-transform\r\ntransfer-encoding: chunked\r\n\r\n"
)


class ResponseTransport(Protocol):
    """Writing side of an asyncio transport."""

    def is_closing(self) -> bool:
        """Return True if the transport is closing."""

    def write(self, data: bytes) -> None:
        """Write data."""

    def writelines(self, data: Iterable[bytes]) -> None:
        """Write pieces of data at once, without a copy of them."""

    def close(self) -> None:
        """Close the transport."""


class ResponseConnection(Protocol):
    """Connection of a client, as far as a response uses it."""

    @property
    def transport(self) -> ResponseTransport:
        """ResponseTransport of the connection."""

    def on_response_complete(self) -> None:
        """Continue with the next request."""


@lru_cache(maxsize=1024)
def _head(session_id: str, keep_alive: bool) -> bytes:
    closing = b"" if keep_alive else b"connection: close\r\n"
    return b"HTTP/1.1 200 OK\r\n%smcp-session-id: %s\r\n" % (closing, session_id.encode("ascii"))


class FastPathResponse:
    """Response to one request: JSON, or an event stream if there are messages before the result.

    Takes the place of uvicorn's ``RequestResponseCycle`` until it is complete, so that pipelined requests on the same
    connection wait, and a shutdown closes the connection after it.
    """

    _streaming = False
    response_complete = False
    disconnected = False
    keep_alive = True
    body = b""
    more_body = False

    def __init__(self, connection: ResponseConnection, session: Session, request_id: int | str) -> None:
        self._connection = connection
        self._session = session
        self._request_id = request_id

    @property
    def message_event(self) -> FastPathResponse:
        """Event that uvicorn sets when the connection is lost. As an attribute it would be a reference cycle."""
        return self

    def set(self) -> None:
        """Handle the loss of the connection."""

    def send(self, message: bytes) -> None:
        """Send a message before the result."""
        if not self.response_complete:
            self._write(event(message))

    def _write(self, text: bytes) -> None:
        transport = self._connection.transport
        head = b""
        if not self._streaming:
            self._streaming = True
            head = _head(self._session.session_id, self.keep_alive) + _STREAM
        if not transport.is_closing():
            transport.write(b"%s%x\r\n%s\r\n" % (head, len(text), text))

    def finish_large(self, before: bytes, text: bytes, after: bytes) -> None:
        """Send a large result whose ``text`` is there already, and end the response.

        A copy of some megabytes costs a millisecond; written one by one, each piece would wake the client.
        """
        transport = self._connection.transport
        if not transport.is_closing():
            begin = b'{"jsonrpc":"2.0","id":%s,"result":%s' % (self._identity(), before)
            end = after + b"}"
            head = _head(self._session.session_id, self.keep_alive)
            first = b"%s%s%d\r\n\r\n%s" % (head, _JSON, len(begin) + len(text) + len(end), begin)
            transport.writelines((first, text, end))
        self._complete()

    def _identity(self) -> bytes:
        return b"%d" % self._request_id if isinstance(self._request_id, int) else json_text.dumps(self._request_id)

    def finish(self, reply: Reply) -> None:
        """Send the result or the error, and end the response."""
        begin = b'{"jsonrpc":"2.0","id":%s,"%s":' % (self._identity(), b"result" if reply.error is None else b"error")
        text = reply.error or reply.result or b"{}"
        transport = self._connection.transport
        if self._streaming:
            self._write(event(b"%s%s}" % (begin, text)))
            if not transport.is_closing():
                transport.write(b"0\r\n\r\n")
        elif not transport.is_closing():
            head = _head(self._session.session_id, self.keep_alive)
            transport.write(b"%s%s%d\r\n\r\n%s%s}" % (head, _JSON, len(begin) + len(text) + 1, begin, text))
        self._complete()

    def _complete(self) -> None:
        transport = self._connection.transport
        self.response_complete = True
        if not self.keep_alive:
            transport.close()
        self._connection.on_response_complete()
