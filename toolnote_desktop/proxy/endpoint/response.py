"""HTTP response to one request: JSON, or an event stream if there are messages before the result."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Mapping, Sequence

from toolnote_desktop.model import json_text
from toolnote_desktop.proxy.endpoint.asgi import Send, respond
from toolnote_desktop.proxy.transports import jsonrpc
from toolnote_desktop.proxy.transports.base import Reply

KEEP_ALIVE = 15.0
"""Seconds without a message after which a comment is sent: clients time out after some minutes (case C21)."""

MAX_QUEUED = 4096
"""Maximum number of messages queued for a client that reads slowly; further ones are dropped."""

EVENT_STREAM = ((b"content-type", b"text/event-stream"), (b"cache-control", b"no-cache, no-transform"))
PING = b": ping\r\n\r\n"

logger = logging.getLogger(__name__)

HeaderLines = Sequence[tuple[bytes, bytes]]


def event(message: bytes) -> bytes:
    """Return a message as a server-sent event. Line ends, white space in JSON, are removed: they would end the data."""
    return b"event: message\r\ndata: " + jsonrpc.one_line(message) + b"\r\n\r\n"


def notification(method: str, params: bytes | None) -> bytes:
    """Return a JSON-RPC notification for a client."""
    return jsonrpc.notification_line(method, params)


class HttpResponse:
    """Response that begins as JSON and becomes an event stream with the first message before the result.

    Use as a context manager: nothing is sent after it is left.

    Args:
        request_id: id of the client's request.
        headers: headers beside those of the content.
        statuses: HTTP status by JSON-RPC error code, if the revision defines any; else 200.

    Attributes:
        finished: True if nothing can be sent any more.
    """

    def __init__(
        self, send: Send, request_id: object, *, headers: HeaderLines = (), statuses: Mapping[int, int] | None = None
    ) -> None:
        self._send = send
        self._id = json_text.dumps(request_id)
        self._headers = headers
        self._statuses = statuses or {}
        self._queue: deque[bytes] = deque()
        self._flushing: asyncio.Task[None] | None = None
        self._streaming = False
        self.finished = False
        self._timer = asyncio.get_running_loop().call_later(KEEP_ALIVE, self._keep_alive)

    def __enter__(self) -> None:
        """Allow sending."""

    def __exit__(self, *error: object) -> None:
        self.finished = True
        self._queue.clear()
        self._timer.cancel()

    def send(self, message: bytes) -> None:
        """Send a message before the result, in the order of calls; ignored after the result."""
        if not self.finished and len(self._queue) < MAX_QUEUED:
            self._enqueue(event(message))

    def _enqueue(self, text: bytes) -> None:
        self._queue.append(text)
        if self._flushing is None:
            self._flushing = asyncio.ensure_future(self._flush())

    async def _flush(self) -> None:
        try:
            while self._queue:
                text = self._queue.popleft()
                if not self._streaming:
                    self._streaming = True
                    headers = [*EVENT_STREAM, *self._headers]
                    await self._send({"type": "http.response.start", "status": 200, "headers": headers})
                await self._send({"type": "http.response.body", "body": text, "more_body": True})
        finally:
            self._flushing = None

    def _keep_alive(self) -> None:
        if not self.finished:
            self._timer = asyncio.get_running_loop().call_later(KEEP_ALIVE, self._keep_alive)
            if not self._queue:
                self._enqueue(PING)

    async def finish(self, reply: Reply) -> None:
        """Send the result or the error, and end the response."""
        while self._flushing is not None:
            await self._flushing
        self.finished = True
        member, text = (b"result", reply.result) if reply.error is None else (b"error", reply.error)
        message = b'{"jsonrpc":"2.0","id":%s,"%s":%s}' % (self._id, member, text or b"{}")
        if self._streaming:
            await self._send({"type": "http.response.body", "body": event(message), "more_body": True})
            await self._send({"type": "http.response.body", "body": b""})
        else:
            await respond(self._send, self._status(reply), message, *self._headers)

    def _status(self, reply: Reply) -> int:
        if reply.error is None or not self._statuses:
            return 200
        error = json_text.loads(reply.error)
        code = error.get("code") if isinstance(error, dict) else None
        return self._statuses.get(code, 200) if isinstance(code, int) else 200
