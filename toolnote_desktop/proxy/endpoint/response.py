"""One HTTP answer to one request: JSON, or an event stream if something is said before the result."""

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
"""Seconds of silence after which a comment is sent: clients end a request that is silent for minutes (case C21)."""

MOST_WAITING = 4096
"""Messages that may wait for a client that reads more slowly than its server speaks; what comes then is dropped."""

EVENT_STREAM = ((b"content-type", b"text/event-stream"), (b"cache-control", b"no-cache, no-transform"))
PING = b": ping\r\n\r\n"

logger = logging.getLogger(__name__)

HeaderLines = Sequence[tuple[bytes, bytes]]


def event(message: bytes) -> bytes:
    """A message as an event. A line end in JSON can only be white space, but here it would end the line."""
    return b"event: message\r\ndata: " + jsonrpc.one_line(message) + b"\r\n\r\n"


def notification(method: str, params: bytes | None) -> bytes:
    """A notification as it goes to a client."""
    return jsonrpc.notification_line(method, params)


class HttpResponse:
    """See the module.

    Args:
        request_id: the client's own.
        headers: beside those that say what is in the answer.
        statuses: HTTP status by the code of a JSON-RPC error, where the revision names some; else it is 200.
    """

    def __init__(
        self, send: Send, request_id: object, *, headers: HeaderLines = (), statuses: Mapping[int, int] | None = None
    ) -> None:
        self._send = send
        self._id = json_text.dumps(request_id)
        self._headers = headers
        self._statuses = statuses or {}
        self._waiting: deque[bytes] = deque()
        self._flushing: asyncio.Task[None] | None = None
        self._streaming = False
        self._finished = False
        self._timer = asyncio.get_running_loop().call_later(KEEP_ALIVE, self._keep_alive)

    def __enter__(self) -> None:
        """While inside, the answer may be given; afterwards nothing of it is left."""

    def __exit__(self, *error: object) -> None:
        self._finished = True
        self._waiting.clear()
        self._timer.cancel()

    @property
    def over(self) -> bool:
        """Whether nothing can be said any more."""
        return self._finished

    def say(self, message: bytes) -> None:
        """Say something before the result. Messages arrive in this order; after the result nothing is said."""
        if not self._finished and len(self._waiting) < MOST_WAITING:
            self._queue(event(message))

    def _queue(self, text: bytes) -> None:
        self._waiting.append(text)
        if self._flushing is None:
            self._flushing = asyncio.ensure_future(self._flush())

    async def _flush(self) -> None:
        try:
            while self._waiting:
                text = self._waiting.popleft()
                if not self._streaming:
                    self._streaming = True
                    headers = [*EVENT_STREAM, *self._headers]
                    await self._send({"type": "http.response.start", "status": 200, "headers": headers})
                await self._send({"type": "http.response.body", "body": text, "more_body": True})
        finally:
            self._flushing = None

    def _keep_alive(self) -> None:
        if not self._finished:
            self._timer = asyncio.get_running_loop().call_later(KEEP_ALIVE, self._keep_alive)
            if not self._waiting:
                self._queue(PING)

    async def finish(self, reply: Reply) -> None:
        """Send the result or the error."""
        while self._flushing is not None:
            await self._flushing
        self._finished = True
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
