"""Bounded reading of response bodies."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator

import httpx2
import pytest

from tests.proxy.upstream.harness import run
from toolnote_desktop.http_body import DISCARD_LIMIT, BodyTooLong, discard_body, read_body, read_body_sync
from toolnote_desktop.proxy.transports.http_client import ServerHttpClient


class Endless(httpx2.AsyncByteStream, httpx2.SyncByteStream):
    """A body without an end; ``pause`` seconds lie between its chunks."""

    def __init__(self, pause: float = 0.0) -> None:
        self.sent = 0
        self._pause = pause

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while True:
            self.sent += 1024
            yield b"x" * 1024
            await asyncio.sleep(self._pause)

    def __iter__(self) -> Iterator[bytes]:
        while True:
            self.sent += 1024
            yield b"x" * 1024


def test_read_body_stops_at_its_limit() -> None:
    body = Endless()
    with pytest.raises(BodyTooLong):
        run(read_body(httpx2.Response(200, stream=body), 4096))
    assert body.sent == 5 * 1024


def test_read_body_returns_a_body_of_exactly_the_limit() -> None:
    assert run(read_body(httpx2.Response(200, content=b"x" * 4096), 4096)) == b"x" * 4096


def test_discard_body_reads_no_more_than_its_limit() -> None:
    body = Endless()
    run(discard_body(httpx2.Response(200, stream=body)))
    assert body.sent == DISCARD_LIMIT + 1024


def test_discard_body_gives_up_a_body_that_does_not_end() -> None:
    body = Endless(pause=3600.0)
    run(discard_body(httpx2.Response(200, stream=body)))
    assert body.sent == 1024


def test_read_body_sync_stops_at_its_limit() -> None:
    with pytest.raises(BodyTooLong):
        read_body_sync(httpx2.Response(200, stream=Endless()), 4096)


def test_redirect_with_an_endless_body_is_followed() -> None:
    """The body of a redirect is not needed, and never read to its end."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        with contextlib.suppress(ConnectionError):
            if b" /final " in head:
                writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}")
                await writer.drain()
            else:
                writer.write(b"HTTP/1.1 307 Moved\r\nlocation: /final\r\ntransfer-encoding: chunked\r\n\r\n")
                while True:
                    writer.write(b"400\r\n" + b"x" * 1024 + b"\r\n")
                    await writer.drain()
        writer.close()

    async def work() -> None:
        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        async with server:
            client = await ServerHttpClient.open("a", f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/", {})
            try:
                async with asyncio.timeout(20), client.send("POST", {}, b"") as response:
                    assert await read_body(response, 4096) == b"{}"
            finally:
                await client.close()

    run(work())
