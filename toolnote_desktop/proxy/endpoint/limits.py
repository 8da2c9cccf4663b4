"""Limits of a client's connection: size of a request beside its body, its duration, and the number of connections.

Any program on this computer can connect: none may fill the memory, use up the connections or keep one without need. The
limits are far above what clients need. Connections that have not shown a valid token belong to unknown programs: they
have a small share, and the oldest of them makes room, so that they cannot shut out clients. A client with a token has
half of all connections. A connection has one request in flight, and further ones stay in the socket. Calls that wait
for an answer have limits of their own (``waiting_calls.py``), as bodies have (``protocol.BODY_LIMIT``).
"""

from __future__ import annotations

import asyncio
import sys
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from toolnote_desktop.proxy.protocol import BODY_LIMIT

HEAD_LIMIT = 64 * 1024
"""Maximum bytes of a request beside its body: request line, headers, chunk sizes and trailers."""

CHUNK_OVERHEAD = 8
"""Additional bytes for each byte of a body: the smallest chunk has six bytes around one."""

REQUEST_SECONDS = 60.0
"""Seconds from the first to the last byte of a request, without the time in which reading is paused."""

HEAD_SECONDS = 5.0
"""Seconds in which a new connection has to send a whole head."""

MAX_CONNECTIONS = 1000

MAX_UNVERIFIED = 64
"""Number of connections without a verified token from which on the oldest of them is closed for a new one."""

UNVERIFIED_SECONDS = 0.25
"""Seconds that each of them has at least: a client that connects during a flood has time to send its token."""

MAX_PER_CLIENT = 500
"""Connections of one token; half of all of them where the system allows fewer."""

MAX_PIPELINED = 64
"""Requests of a connection that wait behind the one in flight."""

MAX_PIPELINED_UNVERIFIED = 4
"""Those of them that have no known token: on 200 connections, 64 each were half a million objects."""

HEAD_SLICE = 4 * 1024
BODY_SLICE = 64 * 1024
"""Bytes of what was read at once that are parsed before a look whether the connection was closed for its requests.

256 KB of requests are 6,000, of which 5 are served: the others would take 10 ms.
"""

LINGER_SECONDS = 2.0
LINGER_BYTES = BODY_LIMIT
"""Time for which, and bytes of a refused body that, are read and dropped before its connection is closed.

A connection that is closed with bytes unread is reset, and its client may lose the response (RFC 9112 9.6).
"""

_TOO_MANY = b"503 Service Unavailable"
_TOO_LARGE = b"431 Request Header Fields Too Large"
_TOO_SLOW = b"408 Request Timeout"


def max_connections() -> int:
    """Return the maximum number of clients' connections: half of the file limit, which leaves room for servers."""
    if sys.platform == "win32":
        return MAX_CONNECTIONS
    import resource

    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MAX_CONNECTIONS if files == resource.RLIM_INFINITY else min(MAX_CONNECTIONS, max(16, files // 2))


class ClosingTransport:
    """Transport of the last response on a connection, whose end is the connection's (``finish_connection``)."""

    def __init__(self, protocol: BoundedProtocol) -> None:
        self._protocol = protocol
        self.write = protocol.transport.write

    def is_closing(self) -> bool:
        """Return True once the connection is being closed; httptools' ``100 Continue`` asks for it."""
        return bool(self._protocol.transport.is_closing())

    def close(self) -> None:
        """Close the connection when the client has got the response."""
        self._protocol.finish_connection()


class BoundedProtocol(HttpToolsProtocol):
    """Connection of a client that is closed when it exceeds its limits.

    Subclasses that read requests call ``begin_request``, ``add_body`` and ``end_request``, set ``_head_read``, and call
    ``verify`` once a request has a valid token.

    Attributes:
        is_idle: True between two requests.
    """

    _unverified: dict[BoundedProtocol, float]
    _of_client: dict[str | None, dict[BoundedProtocol, None]]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._requests = 0
        self._reading = 0
        self._began = 0.0
        self._size = 0
        self._body_size = 0
        self._head_read = False
        self._peers: dict[BoundedProtocol, None] | None = None
        self._lingering: asyncio.TimerHandle | None = None
        self._dropped = 0
        self._turned_away = False

    @property
    def is_idle(self) -> bool:
        return not self._reading and (self.cycle is None or self.cycle.response_complete)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection, and close one if there are too many."""
        super().connection_made(transport)
        self._unverified = self.config.app.unverified  # type: ignore[union-attr]
        self._of_client = self.config.app.of_client  # type: ignore[union-attr]
        self._unverified[self] = self.loop.time()
        self._make_room()

    def _make_room(self) -> None:
        """Close the oldest connections without a verified token; refuse this one if all others have one."""
        limit, now = max_connections(), self.loop.time()
        for oldest in list(self._unverified):
            full = len(self.connections) > limit
            old = now - self._unverified[oldest] >= UNVERIFIED_SECONDS
            if oldest is self or not (full or (old and len(self._unverified) > MAX_UNVERIFIED)):
                break
            oldest.close_for_room()
        if len(self.connections) > limit:
            self.close_for_room()

    def close_for_room(self) -> None:
        """Close this connection to make room, and count it no longer; its request is not carried out (``verify``)."""
        self._turned_away = True
        cycle = self.cycle
        if self in self._unverified and cycle is not None and not cycle.response_started:
            cycle.disconnected = cycle.response_complete = True  # no other response than this
        self._refuse(_TOO_MANY)
        self._unverified.pop(self, None)
        self.connections.discard(self)

    def close_idle(self) -> None:
        """Close this connection, which has no request, and say so: one that is on its way is read and not carried out.

        It counts until its client has closed it too, or the time for that is over.
        """
        self._turned_away = True
        self._refuse(_TOO_MANY, lingers=True)

    def verify(self, client: str | None) -> bool:
        """Record that a request on this connection has a valid token; return False if its client has too many.

        The oldest connection of the client without a request makes room. False also if it was closed meanwhile.
        """
        if self._turned_away:
            return False
        self._unverified.pop(self, None)
        peers = self._of_client.setdefault(client, {})
        if self._peers is not peers:
            self._leave_peers()
            if len(peers) >= min(MAX_PER_CLIENT, max_connections() // 2):
                idle = next((one for one in peers if one.is_idle), None)
                if idle is None:
                    return False
                idle._leave_peers()
                idle.close_idle()
            peers[self] = None
            self._peers = peers
        return True

    def _leave_peers(self) -> None:
        if self._peers is not None:
            self._peers.pop(self, None)
            self._peers = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Count the connection no longer."""
        self._unverified.pop(self, None)
        self._leave_peers()
        if self._lingering is not None:
            self._lingering.cancel()
            self._lingering = None
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse data and count it, unless a request begins in it: then it may belong to the one before."""
        if self._lingering is not None:
            self.drop_body(data)
            return
        if len(data) <= HEAD_SLICE and self._size + len(data) <= HEAD_LIMIT:
            self._parse(data)
            return
        at = 0
        while at < len(data) and not self.transport.is_closing():
            end = at + self._next_slice()
            self._parse(data[at:end])
            at = end

    def _next_slice(self) -> int:
        """Return the bytes to parse next: of a head no more than its limit leaves."""
        if not self._reading:
            return HEAD_SLICE
        if self._head_read:
            return BODY_SLICE if self._body_size else HEAD_SLICE
        return min(HEAD_SLICE, max(1, HEAD_LIMIT - self._size))

    def _parse(self, data: bytes) -> None:
        reading, requests = self._reading, self._requests
        super().data_received(data)
        if self._reading and (self._reading == reading or (not reading and self._requests == requests + 1)):
            self._size += len(data)
            beside = self._size - self._body_size - CHUNK_OVERHEAD * self._body_size
            if beside > HEAD_LIMIT or (beside == HEAD_LIMIT and not self._head_read):
                self._refuse(_TOO_LARGE)

    def begin_request(self) -> None:
        """Record the first byte of a request."""
        self._requests += 1
        self._reading = self._requests
        self._began = self.loop.time()
        self._size = self._body_size = 0
        self._head_read = False
        self._dropped = 0

    def end_request(self) -> None:
        """Record the last byte of a request."""
        self._reading = self._size = self._body_size = 0

    def add_body(self, part: bytes) -> None:
        """Record a part of a request's body."""
        self._body_size += len(part)

    def drop_body(self, part: bytes) -> None:
        """Count a part of a body that was refused; after ``LINGER_BYTES`` of it the connection is closed."""
        self._dropped += len(part)
        if self._dropped > LINGER_BYTES:
            self.transport.close()

    def time_to_read(self) -> float | None:
        """Return the seconds that are left for the request that is being read; None if there is none."""
        if not self._reading:
            return None
        if self.flow.read_paused:
            self._began = self.loop.time()
        return REQUEST_SECONDS - (self.loop.time() - self._began)

    def finish_connection(self) -> None:
        """Close the connection after its last response; of a request that is still being sent, the rest is dropped."""
        if not self._reading or self._lingering is not None:
            self.transport.close()
            return
        self._reading = 0
        self.pipeline.clear()
        self._linger()
        self.flow.resume_reading()

    def _linger(self) -> None:
        """Send nothing more, and close the connection once its client has, or after some time."""
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self._lingering = self.loop.call_later(LINGER_SECONDS, self.transport.close)

    def abort_request(self) -> None:
        """Refuse a request that takes too long to arrive."""
        self._refuse(_TOO_SLOW)

    def _refuse(self, status: bytes, *, lingers: bool = False) -> None:
        if not self.transport.is_closing():
            if self.cycle is None or self.cycle.response_complete:
                self.transport.write(b"HTTP/1.1 %s\r\ncontent-length: 0\r\nconnection: close\r\n\r\n" % status)
            if lingers:
                self._linger()
            else:
                self.transport.close()
        self._reading = 0
