"""Minimal HTTP/1.1 client for one local endpoint, quick to import.

`http.client` imports `email` and its parsers, which takes longer than the rest of the bridge; the bridge is to start
in 50 ms. For the same reason bodies are read here and not by ``toolnote_desktop.http_body``, which serves httpx2. No
asyncio: its loop cannot read stdin pipes on Windows.
"""

from __future__ import annotations

import json
import re
import select
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Protocol

CONNECT_SECONDS = 5.0
# Servers close idle connections (uvicorn: after 5 s). A request written at that moment is lost, and it is unknown
# whether it was carried out, so no connection is reused after this time.
IDLE_SECONDS = 3.0
_PIECE = 65536
_NO_WAIT: int = getattr(socket, "MSG_DONTWAIT", 0)  # not on Windows
_epoll: Any = getattr(select, "epoll", None)  # on Linux
_READABLE: int = getattr(select, "EPOLLIN", 0)
_MAX_HEAD = 65536
# Longer requests are sent by a thread of their own, so that a slow reader does not delay the others.
LONG_REQUEST = 131072

# Beginning of a message as nearly every encoder writes it: tells a response from a notification without decoding.
_BEGINNING = re.compile(
    rb'\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?'
    rb'(?:"id"\s*:\s*(?:"(?:[^"\\]|\\.)*"|-?[0-9]+|null)\s*,\s*)?"(method|result|error)"\s*:'
)


class DroppedError(ConnectionError):
    """The connection closed before the response was complete."""


def is_response(message: bytes) -> bool:
    """Return True if a JSON-RPC message is a response (result or error), not a notification or a request."""
    if found := _BEGINNING.match(message):
        return found[1] != b"method"
    try:
        decoded = json.loads(message)
    except (ValueError, RecursionError):
        return False
    return isinstance(decoded, dict) and "method" not in decoded and ("result" in decoded or "error" in decoded)


class ResponseHead:
    """Status and headers of a response."""

    __slots__ = ("_lower", "_raw", "status")

    def __init__(self, raw: bytes) -> None:
        self._raw = raw
        self._lower = raw.lower()
        try:
            self.status = int(raw[9:12])
        except ValueError as error:
            raise DroppedError("not an HTTP response") from error

    def get(self, name: bytes) -> bytes | None:
        """Return a header's value (name in lower case); None if it is missing."""
        at = self._lower.find(b"\r\n" + name + b":")
        if at < 0:
            return None
        start = at + len(name) + 3
        end = self._raw.find(b"\r\n", start)
        return self._raw[start : end if end >= 0 else None].strip()

    @property
    def is_stream(self) -> bool:
        """True if the body is an event stream."""
        return (self.get(b"content-type") or b"").lower().startswith(b"text/event-stream")

    @property
    def closes(self) -> bool:
        """True if the connection closes after this response."""
        return self._raw.startswith(b"HTTP/1.0") or (self.get(b"connection") or b"").lower() == b"close"


class HttpSocket:
    """Connected socket with the bytes that were received but not parsed yet."""

    def __init__(self, host: str, port: int) -> None:
        """Connect.

        Raises:
            OSError: the connection is refused.
        """
        self.socket = socket.create_connection((host, port), CONNECT_SECONDS)
        self.socket.settimeout(None)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._rest = b""

    def send(self, data: bytes) -> None:
        """Send all bytes."""
        self.socket.sendall(data)

    def is_quiet(self) -> bool:
        """Return True if neither data nor the end of the connection is waiting to be read."""
        if _NO_WAIT:
            try:
                self.socket.recv(1, socket.MSG_PEEK | _NO_WAIT)
            except BlockingIOError:
                return True
            except OSError:
                return False
            return False
        return not select.select([self.socket], [], [], 0)[0]

    def shutdown(self) -> None:
        """Shut the connection down, from any thread: a thread that waits for a response wakes up."""
        try:
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            return  # closed by the server already

    def close(self) -> None:
        """Release the socket. Only for the thread that reads from it."""
        self.socket.close()

    def _receive(self) -> bytes:
        try:
            piece = self.socket.recv(_PIECE)
        except OSError as error:
            raise DroppedError(str(error)) from error
        if not piece:
            raise DroppedError("closed")
        return piece

    def wait_readable(self) -> None:
        """Wait for incoming data.

        Raises:
            DroppedError: the connection closed.
        """
        if not self._rest:
            self._rest = self._receive()

    @property
    def has_rest(self) -> bool:
        """True if bytes were received that nothing has read."""
        return bool(self._rest)

    def short_response(self) -> ResponseHead | None:
        """Return the head of a response that has arrived whole, with its body still to be read.

        None if there is more to wait for, which ``read_head`` does: also an event stream, or the end of the connection.
        """
        try:
            piece = self.socket.recv(_PIECE, _NO_WAIT)
        except OSError:
            return None
        data = self._rest = self._rest + piece
        end = data.find(b"\r\n\r\n")
        if end < 0 or not piece:
            return None
        try:
            head = ResponseHead(data[:end])
        except DroppedError:
            return None
        length = head.get(b"content-length")
        if head.status < 200 or length is None or not length.isdigit() or len(data) < end + 4 + int(length):
            return None
        self._rest = data[end + 4 :]
        return head

    def read_head(self) -> ResponseHead:
        """Read the head of the next response, skipping interim responses (1xx).

        Raises:
            DroppedError: the connection closed, or the data is not HTTP.
        """
        while True:
            data = self._rest
            while (end := data.find(b"\r\n\r\n")) < 0:
                if len(data) > _MAX_HEAD:
                    raise DroppedError("the response head never ends")
                data += self._receive()
            self._rest = data[end + 4 :]
            head = ResponseHead(data[:end])
            if head.status >= 200:
                return head

    def read_body(self, head: ResponseHead) -> bytes | bytearray:
        """Read the whole body.

        Raises:
            DroppedError: the body ended early.
        """
        length = head.get(b"content-length")
        if length is None:
            return b"".join(self.iter_body(head))
        if not length.isdigit():
            raise DroppedError("not a length")
        size = int(length)
        if len(self._rest) >= size:
            body, self._rest = self._rest[:size], self._rest[size:]
            return body
        whole = bytearray(size)
        at = len(self._rest)
        whole[:at] = self._rest
        self._rest = b""
        view = memoryview(whole)
        while at < size:
            try:
                count = self.socket.recv_into(view[at:])
            except OSError as error:
                raise DroppedError(str(error)) from error
            if not count:
                raise DroppedError("closed")
            at += count
        return whole

    def iter_body(self, head: ResponseHead) -> Iterator[bytes]:
        """Yield the body as it arrives.

        Raises:
            DroppedError: the body ended early.
        """
        if (head.get(b"transfer-encoding") or b"").lower() == b"chunked":
            yield from self._chunks()
        elif head.get(b"content-length") is not None:
            yield bytes(self.read_body(head))
        elif head.status not in (202, 204, 304):
            while True:  # until the connection ends
                try:
                    self.wait_readable()
                except DroppedError:
                    return
                piece, self._rest = self._rest, b""
                yield piece

    def _chunks(self) -> Iterator[bytes]:
        while True:
            line = self._line()
            try:
                size = int(line.partition(b";")[0], 16)
            except ValueError as error:
                raise DroppedError("not a chunk") from error
            if size == 0:
                while self._line():
                    pass
                return
            while size:
                self.wait_readable()
                piece, self._rest = self._rest[:size], self._rest[size:]
                size -= len(piece)
                yield piece
            self._line()

    def _line(self) -> bytes:
        while (end := self._rest.find(b"\r\n")) < 0:
            self._rest += self._receive()
        line, self._rest = self._rest[:end], self._rest[end + 2 :]
        return line


class EventStream:
    """Parser of an event stream that yields the data of `message` events of any size."""

    def __init__(self) -> None:
        self._line = bytearray()
        self._data: list[bytes] = []
        self._kind = b"message"

    def feed(self, piece: bytes) -> list[bytes]:
        """Return the messages that this piece completes."""
        messages: list[bytes] = []
        first, *more = piece.split(b"\n")
        if not more:
            self._line += first
            return messages
        if self._line:
            self._line += first
            first = bytes(self._line)
            self._line.clear()
        self._feed_line(first, messages)
        for line in more[:-1]:
            self._feed_line(line, messages)
        self._line += more[-1]
        return messages

    def _feed_line(self, line: bytes, messages: list[bytes]) -> None:
        line = line.removesuffix(b"\r")
        if line.startswith(b"data:"):
            self._data.append(line[6:] if line[5:6] == b" " else line[5:])
        elif line.startswith(b"event:"):
            self._kind = line[6:].strip()
        elif not line:
            data = b" ".join(self._data)  # a line break in JSON is white space
            if data and self._kind in (b"message", b""):
                messages.append(data)
            self._data.clear()
            self._kind = b"message"


class ResponseListener(Protocol):
    """Receiver of what happens to an exchange; called from the connection's thread, or from the one that sends."""

    def response_received(self, connection: EndpointConnection, exchange: Any, head: ResponseHead) -> None:
        """Handle a response whose head has arrived; the body is in ``connection.wire``.

        Raises:
            DroppedError: the body ended early.
        """

    def exchange_dropped(self, connection: EndpointConnection, exchange: Any, begun: bool) -> None:
        """Handle a connection that ended before the response was complete; ``begun``: after a part of it."""


class _ShortResponses:
    """Thread that handles the responses of all connections but the first that have arrived whole.

    Threads that wake up for one response each would wait for one another, 32 times for 32 responses. The first
    connection has a thread of its own and is used before the others: it wakes up sooner than through `epoll`, which a
    client that makes one call at a time would feel.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.first: EndpointConnection | None = None
        self._connections: dict[int, EndpointConnection] = {}
        self._poll: Any = None  # a select.epoll, while the thread runs

    def add(self, connection: EndpointConnection) -> None:
        """Wait for the responses of a connection, in a thread of its own if it is the first."""
        with self._lock:
            if self.first is None:
                self.first = connection
        if self.first is connection:
            connection.start_thread()
            return
        descriptor = connection.wire.socket.fileno()
        with self._lock:
            self._connections[descriptor] = connection
            if self._poll is None:
                self._poll = _epoll()
                threading.Thread(target=self._run, args=(self._poll,), name="toolnote-responses", daemon=True).start()
            self._poll.register(descriptor, _READABLE)

    def _run(self, poll: Any) -> None:
        with poll:
            while True:
                for descriptor, _ in poll.poll():
                    self._handle(descriptor, poll)
                with self._lock:
                    if not self._connections:
                        self._poll = None
                        return

    def _handle(self, descriptor: int, poll: Any) -> None:
        connection = self._connections[descriptor]
        head = connection.wire.short_response()
        try:
            if head is not None and connection.handle(head):
                return
        except Exception:  # noqa: BLE001 - only this connection ends, as it would in a thread of its own
            sys.excepthook(*sys.exc_info())
        with self._lock:
            del self._connections[descriptor]
        poll.unregister(descriptor)
        connection.start_thread(is_finished=head is not None)


# Elsewhere one cannot wait for sockets that others add meanwhile: each connection has a thread of its own there.
_short_responses: _ShortResponses | None = _ShortResponses() if _epoll is not None else None


class EndpointConnection:
    """Kept connection. Any thread writes a request; another waits for the responses of all connections.

    So a call hands nothing over between threads: one wakes on stdin and sends, another wakes on the socket and prints.
    A response that takes longer to arrive, such as an event stream, has a thread of its own. A free connection is in
    ``idle``, the one to take next at the end.
    """

    def __init__(self, listener: ResponseListener, host: str, port: int, idle: list[EndpointConnection]) -> None:
        """Connect, and start to wait for responses.

        Raises:
            OSError: the connection is refused.
        """
        self.listener = listener
        self.idle = idle
        self.wire = HttpSocket(host, port)
        self.used = self.turned_away = False
        self.idle_since = time.monotonic()
        self._lock = threading.Lock()
        self._exchange: Any = None
        self._sending = False
        self._begun = False
        self._closed = threading.Event()
        if _short_responses is not None:
            _short_responses.add(self)
        else:
            self.start_thread()

    def start_thread(self, *, is_finished: bool = False) -> None:
        """Wait for responses in a thread of its own, or finish the connection there."""
        work = self._finish if is_finished else self._run
        threading.Thread(target=work, name="toolnote-connection", daemon=True).start()

    def send(self, exchange: Any, request: bytes) -> bool:
        """Send a request; False if it certainly was not delivered, so the caller may send it again."""
        with self._lock:
            if self._closed.is_set() or (self.used and not self.wire.is_quiet()):
                return False
            self._exchange, self._sending = exchange, True
        try:
            self.wire.send(request)
            failed = False
        except OSError:
            failed = True
            self.wire.shutdown()
        with self._lock:
            self._sending = False
            if self._closed.is_set():
                self.wire.close()
            if self._exchange is not exchange or not (failed or self._closed.is_set()):
                return True  # in flight, or completed by the connection's thread
            self._exchange = None
        if not failed:  # the app may have read it before it closed the connection
            self.listener.exchange_dropped(self, exchange, False)
        return not failed

    def close(self) -> None:
        """Close the connection; an exchange on it is dropped."""
        self.wire.shutdown()

    def close_for(self, exchange: object) -> None:
        """Close the connection if it still serves this exchange."""
        with self._lock:
            if self._exchange is exchange:
                self.wire.shutdown()

    def release(self, head: ResponseHead) -> None:
        """Make the connection available again after a complete response, which may still be being forwarded.

        Not if more was received than that: the app has said that it closes the connection.
        """
        with self._lock:
            self._exchange = None
        self.used = True
        self.idle_since = time.monotonic()
        if not head.closes and not self.wire.has_rest:
            self.idle.insert(len(self.idle) if self._is_first else 0, self)

    @property
    def _is_first(self) -> bool:
        """True if the connection is the one that has a thread of its own, and is taken before the others."""
        return _short_responses is not None and _short_responses.first is self

    def _yield_first(self) -> None:
        if self._is_first and _short_responses is not None:
            _short_responses.first = None

    def _run(self) -> None:
        others: _ShortResponses | None = None
        try:
            while others is None and self._serve():
                others = None if self._is_first else _short_responses
        except DroppedError:
            return  # the listener is notified below
        finally:
            if others is None:
                self._finish()
        if others is not None:
            others.add(self)

    def _serve(self) -> bool:
        """Wait for a response and handle it.

        Raises:
            DroppedError: the connection closed.
        """
        self.wire.wait_readable()
        self._begun = True
        return self.handle(self.wire.read_head())

    def handle(self, head: ResponseHead) -> bool:
        """Pass a response on; return False if the connection is at its end."""
        self._begun = True
        with self._lock:
            exchange = self._exchange
            if exchange is None:  # an unsolicited response, such as 503 to a connection that is one too many
                self.turned_away = True
                self._closed.set()  # nothing is sent from here on, so that nothing may have been carried out
                return False
        if head.is_stream:
            self._yield_first()  # it may be open as long as the client
        self.listener.response_received(self, exchange, head)
        self._begun = head.closes
        return not head.closes and not self.wire.has_rest  # which would be an unsolicited response

    def _finish(self) -> None:
        self.wire.shutdown()
        self._yield_first()
        with suppress(ValueError):  # in use, or acquired just now: then `send` sees that it is closed
            self.idle.remove(self)
        with self._lock:
            self._closed.set()
            exchange = None
            if not self._sending:
                self.wire.close()
            if self._begun or not self._sending:  # else `send` reports the failed delivery
                exchange, self._exchange = self._exchange, None
        if exchange is not None:
            self.listener.exchange_dropped(self, exchange, self._begun)
