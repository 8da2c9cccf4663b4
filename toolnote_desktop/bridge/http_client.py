"""The bridge's own HTTP/1.1 client: just enough for one local endpoint, and quick to import.

`http.client` pulls in `email` and its parsers and costs more than all of the bridge, which is to start in a twentieth
of a second. Here are sockets, the heads and bodies of answers, event streams, and a kept connection whose own thread
waits for the answer. No asyncio: its loop cannot read stdin pipes on Windows.
"""

from __future__ import annotations

import json
import re
import select
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Protocol

CONNECT_SECONDS = 5.0
# Servers close a connection that has been idle for a while (uvicorn: 5 s). A request written at that very moment is
# lost without a sign whether it was carried out, so we never use one that has been idle for longer than this.
IDLE_SECONDS = 3.0
_PIECE = 65536
_NO_WAIT: int = getattr(socket, "MSG_DONTWAIT", 0)  # not on Windows
_MOST_HEAD = 65536
# A request longer than this is sent by a thread of its own, so that a slow reader does not hold up the others.
LONG_REQUEST = 131072

# How nearly every encoder begins a message: enough to know an answer from a notification without decoding it.
_BEGINNING = re.compile(
    rb'\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?'
    rb'(?:"id"\s*:\s*(?:"(?:[^"\\]|\\.)*"|-?[0-9]+|null)\s*,\s*)?"(method|result|error)"\s*:'
)


class DroppedError(ConnectionError):
    """The other side closed the connection before the answer was whole."""


def is_response(message: bytes) -> bool:
    """Whether a JSON-RPC message is an answer (result or error), not a notification or a request."""
    if found := _BEGINNING.match(message):
        return found[1] != b"method"
    try:
        decoded = json.loads(message)
    except (ValueError, RecursionError):
        return False
    return isinstance(decoded, dict) and "method" not in decoded and ("result" in decoded or "error" in decoded)


class Head:
    """Status and headers of an answer."""

    __slots__ = ("_lower", "_raw", "status")

    def __init__(self, raw: bytes) -> None:
        self._raw = raw
        self._lower = raw.lower()
        try:
            self.status = int(raw[9:12])
        except ValueError as error:
            raise DroppedError("not an HTTP answer") from error

    def get(self, name: bytes) -> bytes | None:
        """The value of a header (name in lower case), None where there is none."""
        at = self._lower.find(b"\r\n" + name + b":")
        if at < 0:
            return None
        start = at + len(name) + 3
        end = self._raw.find(b"\r\n", start)
        return self._raw[start : end if end >= 0 else None].strip()

    @property
    def is_stream(self) -> bool:
        """Whether the body is an event stream."""
        return (self.get(b"content-type") or b"").lower().startswith(b"text/event-stream")

    @property
    def closes(self) -> bool:
        """Whether the connection ends with this answer."""
        return self._raw.startswith(b"HTTP/1.0") or (self.get(b"connection") or b"").lower() == b"close"


class Wire:
    """A connected socket and what was read from it but not used yet."""

    def __init__(self, host: str, port: int) -> None:
        """Connect.

        Raises:
            OSError: nobody listens there.
        """
        self.socket = socket.create_connection((host, port), CONNECT_SECONDS)
        self.socket.settimeout(None)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._rest = b""

    def send(self, data: bytes) -> None:
        """Send everything."""
        self.socket.sendall(data)

    def quiet(self) -> bool:
        """Whether nothing has come in: neither bytes that nobody asked for nor the other side's end."""
        if _NO_WAIT:
            try:
                self.socket.recv(1, socket.MSG_PEEK | _NO_WAIT)
            except BlockingIOError:
                return True
            except OSError:
                return False
            return False
        return not select.select([self.socket], [], [], 0)[0]

    def end(self) -> None:
        """Close from any thread: a thread that waits for an answer wakes and sees the end."""
        try:
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            return  # the other side was faster

    def close(self) -> None:
        """Give the socket back. Only the thread that reads from it may do so."""
        self.socket.close()

    def _more(self) -> bytes:
        try:
            piece = self.socket.recv(_PIECE)
        except OSError as error:
            raise DroppedError(str(error)) from error
        if not piece:
            raise DroppedError("closed")
        return piece

    def wait(self) -> None:
        """Wait until anything comes in.

        Raises:
            DroppedError: the other side closed instead.
        """
        if not self._rest:
            self._rest = self._more()

    def head(self) -> Head:
        """The next answer's head; interim answers (1xx) are skipped.

        Raises:
            DroppedError: closed, or no HTTP.
        """
        while True:
            data = self._rest
            while (end := data.find(b"\r\n\r\n")) < 0:
                if len(data) > _MOST_HEAD:
                    raise DroppedError("the head of the answer never ends")
                data += self._more()
            self._rest = data[end + 4 :]
            head = Head(data[:end])
            if head.status >= 200:
                return head

    def body(self, head: Head) -> bytes | bytearray:
        """The whole body.

        Raises:
            DroppedError: it ended too early.
        """
        length = head.get(b"content-length")
        if length is None:
            return b"".join(self.pieces(head))
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

    def pieces(self, head: Head) -> Iterator[bytes]:
        """The body as it comes.

        Raises:
            DroppedError: it ended too early.
        """
        if (head.get(b"transfer-encoding") or b"").lower() == b"chunked":
            yield from self._chunks()
        elif head.get(b"content-length") is not None:
            yield bytes(self.body(head))
        elif head.status not in (202, 204, 304):
            while True:  # until the connection ends
                try:
                    self.wait()
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
                self.wait()
                piece, self._rest = self._rest[:size], self._rest[size:]
                size -= len(piece)
                yield piece
            self._line()

    def _line(self) -> bytes:
        while (end := self._rest.find(b"\r\n")) < 0:
            self._rest += self._more()
        line, self._rest = self._rest[:end], self._rest[end + 2 :]
        return line


class Events:
    """Takes an event stream's bytes apart; the data of `message` events comes out, whatever its size."""

    def __init__(self) -> None:
        self._line = bytearray()
        self._data: list[bytes] = []
        self._kind = b"message"

    def feed(self, piece: bytes) -> list[bytes]:
        """The messages that this piece completes."""
        messages: list[bytes] = []
        first, *more = piece.split(b"\n")
        if not more:
            self._line += first
            return messages
        if self._line:
            self._line += first
            first = bytes(self._line)
            self._line.clear()
        self._take(first, messages)
        for line in more[:-1]:
            self._take(line, messages)
        self._line += more[-1]
        return messages

    def _take(self, line: bytes, messages: list[bytes]) -> None:
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


class Owner(Protocol):
    """Who is told what comes of an exchange on a connection (all from the connection's thread)."""

    def answered(self, connection: EndpointConnection, exchange: Any, head: Head) -> None:
        """The head of the answer is there; read the body from ``connection.wire``. May raise DroppedError."""

    def dropped(self, connection: EndpointConnection, exchange: Any, begun: bool) -> None:
        """The connection ended before the answer was whole; ``begun``: some of it had come."""


class EndpointConnection:
    """One kept connection. Whoever has a request writes it; a thread of the connection's own waits for the answer.

    So a call costs no hand-over between threads: one wakes on stdin and sends, another wakes on the socket and prints.
    While it has nothing to do it stands in ``idle``.
    """

    def __init__(self, owner: Owner, host: str, port: int, idle: list[EndpointConnection]) -> None:
        """Connect, and start waiting.

        Raises:
            OSError: nobody listens there.
        """
        self.owner = owner
        self.idle = idle
        self.wire = Wire(host, port)
        self.used = False
        self.free_since = time.monotonic()
        self._lock = threading.Lock()
        self._exchange: Any = None
        self._sending = False
        self._begun = False
        self._dead = threading.Event()
        threading.Thread(target=self._run, name="toolnote-connection", daemon=True).start()

    def start(self, exchange: Any, request: bytes) -> bool:
        """Send a request; False: it surely did not get through whole, and the exchange is the caller's again."""
        with self._lock:
            if self._dead.is_set() or (self.used and not self.wire.quiet()):
                return False
            self._exchange, self._sending = exchange, True
        try:
            self.wire.send(request)
            failed = False
        except OSError:
            failed = True
            self.wire.end()
        with self._lock:
            self._sending = False
            if self._dead.is_set():
                self.wire.close()
            if self._exchange is not exchange or not (failed or self._dead.is_set()):
                return True  # on its way, or answered or dropped already
            self._exchange = None
            return False

    def end(self) -> None:
        """Close the connection; an exchange on it is dropped."""
        self.wire.end()

    def end_exchange(self, exchange: object) -> None:
        """Close the connection if it is still this exchange's."""
        with self._lock:
            if self._exchange is exchange:
                self.wire.end()

    def release(self, head: Head) -> None:
        """The answer is whole: the connection is free, though its thread may still be passing the answer on."""
        with self._lock:
            self._exchange = None
        self.used = True
        self.free_since = time.monotonic()
        if not head.closes:
            self.idle.append(self)

    def _run(self) -> None:
        try:
            while True:
                self.wire.wait()
                self._begun = True
                head = self.wire.head()
                with self._lock:
                    exchange = self._exchange
                if exchange is None:
                    break  # an answer that nobody asked for
                self.owner.answered(self, exchange, head)
                if head.closes:
                    break
                self._begun = False
        except DroppedError:
            return  # the owner is told below
        finally:
            self._end_of_life()

    def _end_of_life(self) -> None:
        self.wire.end()
        with suppress(ValueError):  # in use, or taken just now: then `start` sees that it is dead
            self.idle.remove(self)
        with self._lock:
            self._dead.set()
            exchange = None
            if not self._sending:
                self.wire.close()
            if self._begun or not self._sending:  # else `start` finds out that it did not get through
                exchange, self._exchange = self._exchange, None
        if exchange is not None:
            self.owner.dropped(self, exchange, self._begun)
