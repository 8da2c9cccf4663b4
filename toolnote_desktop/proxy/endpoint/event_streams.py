"""Event streams (GET) of sessions, for messages that belong to no request: list changes, log lines, resource updates.

The SDK's streams are not used: its models reject messages that some servers send (lone surrogates), and it drops what
is sent while a client has no stream open.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from toolnote_desktop.proxy.endpoint import response as http_response
from toolnote_desktop.proxy.endpoint.asgi import Receive, Send, wait_disconnected
from toolnote_desktop.proxy.endpoint.response import EVENT_STREAM, PING, event, notification
from toolnote_desktop.proxy.endpoint.session import Session

MAX_QUEUED = 1024
"""Maximum number of messages queued for a client that does not read; its stream is ended then and may be reopened."""

MAX_PENDING = 128
"""Maximum number of messages kept for a client without a stream."""


class EventStreams:
    """Open streams, and the messages of sessions that have none yet.

    Args:
        changed: called when a stream was opened or has ended.
    """

    def __init__(self, changed: Callable[[], None]) -> None:
        self._changed = changed
        self._open: dict[Session, _Stream] = {}
        self._pending: dict[Session, deque[bytes]] = {}

    def is_open(self, session: Session) -> bool:
        """Return True if the session has its stream open."""
        return session in self._open

    def notify(self, session: Session, method: str, params: bytes | None, *, keep: bool = True) -> None:
        """Send a notification (see ``send``)."""
        self.send(session, notification(method, params), keep=keep)

    def send(self, session: Session, message: bytes, *, keep: bool = True) -> None:
        """Send a message. Without an open stream, ``keep`` holds it back until there is one, equal messages once."""
        stream = self._open.get(session)
        if stream is not None:
            stream.put(message)
        elif keep and not session.ended:
            pending = self._pending.setdefault(session, deque(maxlen=MAX_PENDING))
            if message not in pending:
                pending.append(message)

    async def serve(self, session: Session, receive: Receive, send: Send) -> None:
        """Answer a GET until the client, the session or a newer stream of the same session ends it."""
        stream = _Stream()
        before = self._open.get(session)
        if before is not None:
            before.end()
        self._open[session] = stream
        for message in self._pending.pop(session, ()):
            stream.put(message)
        self._changed()
        disconnecting = asyncio.ensure_future(_end_when_disconnected(receive, stream))
        try:
            await stream.write(send, session)
        finally:
            disconnecting.cancel()
            if self._open.get(session) is stream:
                del self._open[session]
                self._changed()

    def end(self, session: Session) -> None:
        """End the stream of a session that has ended, and drop its pending messages."""
        self._pending.pop(session, None)
        if (stream := self._open.get(session)) is not None:
            stream.end()

    def end_all(self) -> None:
        """End all streams: the web server waits for them when it shuts down (docs/dependencies.md)."""
        for stream in list(self._open.values()):
            stream.end()


class _Stream:
    def __init__(self) -> None:
        self._queue: deque[bytes] = deque()
        self._changed = asyncio.Event()
        self._ended = False

    def put(self, message: bytes) -> None:
        if len(self._queue) >= MAX_QUEUED:
            self.end()
        else:
            self._queue.append(event(message))
            self._changed.set()

    def end(self) -> None:
        self._ended = True
        self._changed.set()

    async def write(self, send: Send, session: Session) -> None:
        headers = [*EVENT_STREAM, *session.headers]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"", "more_body": True})
        while not self._ended:
            self._changed.clear()
            while self._queue:
                await send({"type": "http.response.body", "body": self._queue.popleft(), "more_body": True})
            if self._ended or self._changed.is_set():
                continue
            try:
                async with asyncio.timeout(http_response.KEEP_ALIVE):
                    await self._changed.wait()
            except TimeoutError:
                self._queue.append(PING)
        await send({"type": "http.response.body", "body": b""})


async def _end_when_disconnected(receive: Receive, stream: _Stream) -> None:
    await wait_disconnected(receive)
    stream.end()
