"""The stream of a session (GET) for what belongs to no request: change notices, log lines, updates of resources.

Written here and not by the SDK, whose models refuse what some servers say (lone surrogates) and lose what is said while
the client has no stream open.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from toolnote_desktop.proxy.endpoint import response as http_answer
from toolnote_desktop.proxy.endpoint.asgi import Receive, Send
from toolnote_desktop.proxy.endpoint.response import EVENT_STREAM, PING, event, notification
from toolnote_desktop.proxy.endpoint.session import Session

MOST_WAITING = 1024
"""Messages for a client that does not read; its stream is ended then, and it comes again."""

MOST_KEPT = 128
"""Notices for a client that has no stream open yet."""


class Streams:
    """The open streams, and what is kept for those who are about to open one."""

    def __init__(self, changed: Callable[[], None]) -> None:
        """``changed`` is told when a stream was opened or has ended."""
        self._changed = changed
        self._open: dict[Session, _Stream] = {}
        self._kept: dict[Session, deque[bytes]] = {}

    def is_open(self, session: Session) -> bool:
        """Whether the session has its stream open."""
        return session in self._open

    def tell(self, session: Session, method: str, params: bytes | None, *, keep: bool = True) -> None:
        """Say something to a session. Without a stream it is kept until there is one, each notice once."""
        self.say(session, notification(method, params), keep=keep)

    def say(self, session: Session, message: bytes, *, keep: bool = True) -> None:
        """The same with a whole message."""
        stream = self._open.get(session)
        if stream is not None:
            stream.put(message)
        elif keep and not session.ended:
            kept = self._kept.setdefault(session, deque(maxlen=MOST_KEPT))
            if message not in kept:
                kept.append(message)

    async def serve(self, session: Session, receive: Receive, send: Send) -> None:
        """Answer a GET until the client, the session or a newer stream of the same session ends it."""
        stream = _Stream()
        before = self._open.get(session)
        if before is not None:
            before.end()
        self._open[session] = stream
        for message in self._kept.pop(session, ()):
            stream.put(message)
        self._changed()
        leaving = asyncio.ensure_future(_disconnected(receive, stream))
        try:
            await stream.write(send, session)
        finally:
            leaving.cancel()
            if self._open.get(session) is stream:
                del self._open[session]
                self._changed()

    def end(self, session: Session) -> None:
        """The session has ended."""
        self._kept.pop(session, None)
        if (stream := self._open.get(session)) is not None:
            stream.end()

    def end_all(self) -> None:
        """End every stream, so that the web server has nothing to wait for (docs/dependencies.md)."""
        for stream in list(self._open.values()):
            stream.end()


class _Stream:
    def __init__(self) -> None:
        self._waiting: deque[bytes] = deque()
        self._changed = asyncio.Event()
        self._ended = False

    def put(self, message: bytes) -> None:
        if len(self._waiting) >= MOST_WAITING:
            self.end()
        else:
            self._waiting.append(event(message))
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
            while self._waiting:
                await send({"type": "http.response.body", "body": self._waiting.popleft(), "more_body": True})
            if self._ended or self._changed.is_set():
                continue
            try:
                async with asyncio.timeout(http_answer.KEEP_ALIVE):
                    await self._changed.wait()
            except TimeoutError:
                self._waiting.append(PING)
        await send({"type": "http.response.body", "body": b""})


async def _disconnected(receive: Receive, stream: _Stream) -> None:
    while (await receive())["type"] != "http.disconnect":
        continue
    stream.end()
