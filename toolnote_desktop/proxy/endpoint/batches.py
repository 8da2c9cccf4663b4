"""Several messages in one POST: revision 2025-03-26 has them, and only that one.

Each is handled as if it had come alone; what each is answered goes to one event stream as it comes, the messages of a
JSON answer as events. A batch without a request has no answer at all (2025-03-26, transports).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from typing import Any

from toolnote_desktop.model import json_text
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.proxy.endpoint.asgi import Receive, Send, respond
from toolnote_desktop.proxy.endpoint.response import EVENT_STREAM, HeaderLines, event

REVISION = "2025-03-26"

MOST = 256
"""Messages of one batch."""

_INVALID = -32600
_METHOD_NOT_FOUND = -32601

Handle = Callable[[JsonObject, Receive, Send], Awaitable[bool]]
"""``handle(message, receive, send)``: answers one message as if it stood alone; False where it has no answer to it."""


async def refuse_batch(send: Send, reason: str) -> None:
    """The answer to a batch that cannot be taken as a whole."""
    await respond(send, 400, _error(None, _INVALID, f"Invalid Request: {reason}"))


async def answer_batch(
    messages: Sequence[Any], handle: Handle, receive: Receive, send: Send, headers: HeaderLines
) -> None:
    """Answer all of them; the answer ends with that to the last."""
    if not messages or len(messages) > MOST:
        await refuse_batch(send, "a batch has 1 to 256 messages")
        return
    stream = _Stream(send, headers)
    async with asyncio.TaskGroup() as group:
        for message in messages:
            group.create_task(_answer_one(message, handle, receive, stream))
    await stream.end()


async def _answer_one(message: Any, handle: Handle, receive: Receive, stream: _Stream) -> None:
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        await stream.say(event(_error(None, _INVALID, "Invalid Request")))
    elif message.get("method") == "initialize":
        await stream.say(event(_error(message.get("id"), _INVALID, "initialize cannot be part of a batch")))
    elif not await handle(message, receive, stream.part) and "id" in message and "method" in message:
        await stream.say(event(_error(message["id"], _METHOD_NOT_FOUND, "Method not found")))


def _error(request_id: Any, code: int, message: str) -> bytes:
    return json_text.dumps({"jsonrpc": "2.0", "id": request_id, "error": {"code": code, "message": message}})


class _Stream:
    """The one answer."""

    def __init__(self, send: Send, headers: HeaderLines) -> None:
        self._send = send
        self._headers = headers
        self._begun = False
        self._saying = asyncio.Lock()

    @property
    def part(self) -> Send:
        """Takes the answer to one message; what it holds goes to the stream."""
        as_events = False

        async def take(message: MutableMapping[str, Any]) -> None:
            nonlocal as_events
            if message["type"] == "http.response.start":
                as_events = EVENT_STREAM[0] in [tuple(line) for line in message["headers"]]
            elif body := message.get("body", b""):
                await self.say(body if as_events else event(body))

        return take

    async def say(self, text: bytes) -> None:
        """Say one or more whole events."""
        async with self._saying:
            if not self._begun:
                self._begun = True
                start = {"type": "http.response.start", "status": 200, "headers": [*EVENT_STREAM, *self._headers]}
                await self._send(start)
            await self._send({"type": "http.response.body", "body": text, "more_body": True})

    async def end(self) -> None:
        """All is said."""
        if self._begun:
            await self._send({"type": "http.response.body", "body": b""})
        else:
            await respond(self._send, 202, b"", *self._headers)
