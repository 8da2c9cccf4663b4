"""Several messages in one POST, which only revision 2025-03-26 allows (transports).

Messages are handled as if they came alone. Their responses go to one event stream in the order in which they are ready;
a batch without requests gets no response.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from typing import Any

from toolnote_desktop.model import json_text
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.proxy.endpoint.asgi import Receive, Send, respond
from toolnote_desktop.proxy.endpoint.response import EVENT_STREAM, HeaderLines, event
from toolnote_desktop.proxy.protocol import INVALID_REQUEST, METHOD_NOT_FOUND

REVISION = "2025-03-26"

MAX_MESSAGES = 256

Handle = Callable[[JsonObject, Receive, Send], Awaitable[bool]]
"""``handle(message, receive, send)`` answers one message; returns False if it cannot."""


async def refuse_batch(send: Send, reason: str) -> None:
    """Send the response to a batch that is refused as a whole."""
    await respond(send, 400, _error(None, INVALID_REQUEST, f"Invalid Request: {reason}"))


async def answer_batch(
    messages: Sequence[Any], handle: Handle, receive: Receive, send: Send, headers: HeaderLines
) -> None:
    """Answer all messages; the response ends with the last answer."""
    if not messages or len(messages) > MAX_MESSAGES:
        await refuse_batch(send, "a batch has 1 to 256 messages")
        return
    stream = _BatchStream(send, headers)
    async with asyncio.TaskGroup() as group:
        for message in messages:
            group.create_task(_answer_one(message, handle, receive, stream))
    await stream.end()


async def _answer_one(message: Any, handle: Handle, receive: Receive, stream: _BatchStream) -> None:
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        await stream.write(event(_error(None, INVALID_REQUEST, "Invalid Request")))
    elif message.get("method") == "initialize":
        await stream.write(event(_error(message.get("id"), INVALID_REQUEST, "initialize cannot be part of a batch")))
    elif not await handle(message, receive, stream.new_send()) and "id" in message and "method" in message:
        await stream.write(event(_error(message["id"], METHOD_NOT_FOUND, "Method not found")))


def _error(request_id: Any, code: int, message: str) -> bytes:
    return json_text.dumps({"jsonrpc": "2.0", "id": request_id, "error": {"code": code, "message": message}})


class _BatchStream:
    """Event stream with the responses to all messages of a batch."""

    def __init__(self, send: Send, headers: HeaderLines) -> None:
        self._send = send
        self._headers = headers
        self._started = False
        self._writing = asyncio.Lock()

    def new_send(self) -> Send:
        """Return a ``send`` for the response to one message, whose body goes to the stream."""
        is_stream = False

        async def send(message: MutableMapping[str, Any]) -> None:
            nonlocal is_stream
            if message["type"] == "http.response.start":
                is_stream = EVENT_STREAM[0] in [tuple(line) for line in message["headers"]]
            elif body := message.get("body", b""):
                await self.write(body if is_stream else event(body))

        return send

    async def write(self, text: bytes) -> None:
        """Write one or more complete events."""
        async with self._writing:
            if not self._started:
                self._started = True
                start = {"type": "http.response.start", "status": 200, "headers": [*EVENT_STREAM, *self._headers]}
                await self._send(start)
            await self._send({"type": "http.response.body", "body": text, "more_body": True})

    async def end(self) -> None:
        """End the stream, or the response if there was nothing to write."""
        if self._started:
            await self._send({"type": "http.response.body", "body": b""})
        else:
            await respond(self._send, 202, b"", *self._headers)
