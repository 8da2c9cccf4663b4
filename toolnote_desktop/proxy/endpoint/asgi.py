"""ASGI types and helpers of the endpoint."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

VERIFY = "toolnote.verify"
"""Key of a scope: function to call with the client of a valid token (``limits.BoundedProtocol.verify``)."""


def declared_size(scope: Scope) -> int:
    """Return the size of a body by its ``Content-Length``; 0 if the request has none."""
    return next((int(value) for name, value in scope["headers"] if name == b"content-length" and value.isdigit()), 0)


async def read_body(receive: Receive, limit: int, count: Callable[[int], bool]) -> bytes | None:
    """Return the body, or what arrived of it until the client disconnected; None if it exceeds ``limit`` bytes.

    Args:
        count: called with the bytes of each part; returns False if the body must not go on.
    """
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            break
        part: bytes = message.get("body", b"")
        size += len(part)
        if size > limit or not count(len(part)):
            return None
        parts.append(part)
        if not message.get("more_body"):
            break
    return parts[0] if len(parts) == 1 else b"".join(parts)


def replay_body(body: bytes, receive: Receive) -> Receive:
    """Return a ``receive`` that yields ``body`` once more and continues with the original one."""
    replayed = False

    async def replay() -> MutableMapping[str, Any]:
        nonlocal replayed
        if replayed:
            return await receive()
        replayed = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay


async def wait_disconnected(receive: Receive) -> None:
    """Return when the client has disconnected or the response is complete; what it sends until then is dropped."""
    while (await receive())["type"] != "http.disconnect":
        continue


async def respond(send: Send, status: int, body: bytes, *headers: tuple[bytes, bytes]) -> None:
    """Send a complete response with a JSON body or an empty one."""
    length = str(len(body)).encode("ascii")
    all_headers = [(b"content-type", b"application/json"), (b"content-length", length), *headers]
    await send({"type": "http.response.start", "status": status, "headers": all_headers})
    await send({"type": "http.response.body", "body": body})
