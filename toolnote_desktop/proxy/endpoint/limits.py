"""The bounds of a client's connection: what it may send beside a body, for how long, and how many there may be.

The endpoint is for programs on this computer, and not all of them mean well: none may fill the memory, take every
connection or keep one for nothing. Each bound is far above what a client needs. One connection has one request under
way, and what comes behind it is left in the socket: so the number of connections bounds the number of calls as well,
and a client that sends faster than it is answered waits. A body has its own bound (``sdk_server.BODY_LIMIT``).
"""

from __future__ import annotations

import asyncio
import sys
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_LIMIT = 64 * 1024
"""Bytes of a request beside its body: its line, its headers, what is between chunks and behind them."""

CHUNK_OVERHEAD = 8
"""Bytes beside a body for each byte of it: the smallest chunk has six around one."""

REQUEST_SECONDS = 60.0
"""For a request to be whole from its first byte on; time in which we do not read does not count."""

FIRST_LOOK = 30.0
"""Seconds after which a new connection is looked at for the first time."""

MOST_CONNECTIONS = 1000

_TOO_MANY = b"503 Service Unavailable"
_TOO_LARGE = b"431 Request Header Fields Too Large"
_TOO_SLOW = b"408 Request Timeout"


def most_connections() -> int:
    """How many clients' connections there may be: half of what this process may open leaves room for servers."""
    if sys.platform == "win32":
        return MOST_CONNECTIONS
    import resource

    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST_CONNECTIONS if files == resource.RLIM_INFINITY else min(MOST_CONNECTIONS, max(16, files // 2))


class BoundedProtocol(HttpToolsProtocol):
    """One connection of a client that keeps within its bounds, or ends.

    A class that takes requests itself says ``request_begins`` and ``request_is_whole``, and ``has_body`` of each part.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._requests = 0
        self._reading = 0
        self._began = 0.0
        self._size = 0
        self._body_size = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A client has connected."""
        super().connection_made(transport)
        if len(self.connections) > most_connections():
            self._refuse(_TOO_MANY)

    def data_received(self, data: bytes) -> None:
        """Bytes of a client. Those that a request begins in may belong to the one before it: they are not counted."""
        reading = self._reading
        super().data_received(data)
        if reading and self._reading == reading:
            self._size += len(data)
            if self._size - self._body_size > HEAD_LIMIT + CHUNK_OVERHEAD * self._body_size:
                self._refuse(_TOO_LARGE)

    def request_begins(self) -> None:
        """The first byte of a request has come."""
        self._requests += 1
        self._reading = self._requests
        self._began = self.loop.time()
        self._size = self._body_size = 0

    def request_is_whole(self) -> None:
        """Its last byte has come."""
        self._reading = 0

    def has_body(self, part: bytes) -> None:
        """A part of its body has come."""
        self._body_size += len(part)

    def time_to_read(self) -> float | None:
        """Seconds in which the request that is being read must be whole; None if there is none."""
        if not self._reading:
            return None
        if self.flow.read_paused:  # it is we who are slow
            self._began = self.loop.time()
        return REQUEST_SECONDS - (self.loop.time() - self._began)

    def give_up_reading(self) -> None:
        """A request takes too long to come."""
        self._refuse(_TOO_SLOW)

    def _refuse(self, status: bytes) -> None:
        if not self.transport.is_closing():
            if self.cycle is None or self.cycle.response_complete:
                self.transport.write(b"HTTP/1.1 %s\r\ncontent-length: 0\r\nconnection: close\r\n\r\n" % status)
            self.transport.close()
        self._reading = 0
