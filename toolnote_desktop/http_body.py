"""Bounded reading of HTTP response bodies: a remote server never decides how much memory is used."""

from __future__ import annotations

import asyncio
import io
import time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import httpx2

DISCARD_LIMIT: Final = 64 * 1024
DISCARD_SECONDS: Final = 1.0

TURN, TURN_PAUSE = 0.003, 0.006
"""Seconds that a server with a backlog may use, and must leave to others."""

SMALL_CHUNK: Final = 1024
"""Bytes of a chunk below which a body costs more than its size."""


class BodyTooLong(Exception):  # noqa: N818
    """A body exceeds its limit."""


async def read_body(response: httpx2.Response, limit: int) -> bytes:
    """Return the whole decoded body.

    Raises:
        BodyTooLong: it has more than ``limit`` bytes.
        httpx2.TransportError, httpx2.DecodingError: it ended early or is encoded wrongly.
    """
    body = io.BytesIO()  # chunks may have one byte each
    size = 0
    turn_began = time.monotonic()
    async for chunk in response.aiter_bytes():
        size += len(chunk)
        if size > limit:
            raise BodyTooLong
        body.write(chunk)
        if time.monotonic() - turn_began > TURN:
            await asyncio.sleep(TURN_PAUSE if len(chunk) < SMALL_CHUNK else 0)
            turn_began = time.monotonic()
    return body.getvalue()


async def discard_body(response: httpx2.Response) -> None:
    """Read a body that is not needed, so that its connection can be reused.

    A body that is longer than ``DISCARD_LIMIT`` bytes or takes longer than ``DISCARD_SECONDS`` is left unread: closing
    the response then closes the connection.
    """
    size = 0
    try:
        async with asyncio.timeout(DISCARD_SECONDS):
            async for chunk in response.aiter_raw():
                size += len(chunk)
                if size > DISCARD_LIMIT:
                    return
    except TimeoutError:
        return


def read_body_sync(response: httpx2.Response, limit: int) -> bytes:
    """Return the whole decoded body of a synchronous response.

    Raises:
        BodyTooLong: it has more than ``limit`` bytes.
    """
    chunks: list[bytes] = []
    size = 0
    for chunk in response.iter_bytes():
        size += len(chunk)
        if size > limit:
            raise BodyTooLong
        chunks.append(chunk)
    return b"".join(chunks)


def failure_text(error: BaseException) -> str:
    """Return words for a failure of HTTP whose own message is missing or says too much."""
    return _FAILURES.get(type(error).__name__, "the connection failed")


_FAILURES: Final = {
    "ConnectError": "no connection",
    "ConnectTimeout": "no answer",
    "InvalidURL": "its address cannot be used",
    "ReadError": "the connection broke off",
    "ReadTimeout": "no answer",
    "RemoteProtocolError": "the response is not HTTP, or broke off",
    "TimeoutError": "no answer",
    "TooManyRedirects": "it redirects too often",
    "WriteError": "the connection broke off",
    "WriteTimeout": "no answer",
}
"""Names of exceptions of httpx2 -> words."""
