"""The few ASGI pieces that the endpoint needs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


async def read_body(receive: Receive, limit: int) -> bytes | None:
    """The whole body; None where it is longer than ``limit`` bytes. What came until the client left, if it left."""
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            break
        part: bytes = message.get("body", b"")
        size += len(part)
        if size > limit:
            return None
        parts.append(part)
        if not message.get("more_body"):
            break
    return parts[0] if len(parts) == 1 else b"".join(parts)


def replaying(body: bytes, receive: Receive) -> Receive:
    """A ``receive`` that gives ``body`` again and then goes on with the real one."""
    given = False

    async def replay() -> MutableMapping[str, Any]:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay


async def respond(send: Send, status: int, body: bytes, *headers: tuple[bytes, bytes]) -> None:
    """A whole answer with a JSON body (or none)."""
    length = str(len(body)).encode("ascii")
    all_headers = [(b"content-type", b"application/json"), (b"content-length", length), *headers]
    await send({"type": "http.response.start", "status": status, "headers": all_headers})
    await send({"type": "http.response.body", "body": body})
