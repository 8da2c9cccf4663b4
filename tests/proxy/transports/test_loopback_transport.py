"""HTTP on this machine: connections that are reused, end, fill and break, and requests through the client."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest

from toolnote_desktop.http_body import read_body
from toolnote_desktop.proxy.transports.http_client import BODY_LIMIT, ServerHttpClient, was_never_sent
from toolnote_desktop.proxy.transports.loopback_transport import LoopbackTransport, _Network

OK = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"
MUCH = 3 * 1024 * 1024

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


async def request_of(reader: asyncio.StreamReader) -> tuple[bytes, bytes]:
    """The head and the body of the next request; raises where the connection ends instead."""
    head = await reader.readuntil(b"\r\n\r\n")
    (length,) = [int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    return head, await reader.readexactly(length)


class Site:
    """A server whose connections all do the same."""

    def __init__(self, serve: Serve | None) -> None:
        self.connections = 0
        self.heads: list[bytes] = []
        self.url = ""
        self._serve: Serve = serve or self.answer_all

    async def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """A client is there."""
        self.connections += 1
        try:
            await self._serve(reader, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            return  # the client has gone
        finally:
            writer.close()

    async def answer_all(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, answer: bytes = OK) -> None:
        """The same answer to each request, for as long as the client stays."""
        while True:
            self.heads.append((await request_of(reader))[0])
            writer.write(answer)


@asynccontextmanager
async def site(serve: Serve | None = None) -> AsyncIterator[tuple[Site, ServerHttpClient]]:
    """A server and a link to it; ``serve`` None answers everything."""
    own = Site(serve)
    server = await asyncio.start_server(own.connected, "127.0.0.1", 0)
    own.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/mcp"
    link = await ServerHttpClient.open("a", own.url, {"X-Key": "value"})
    assert isinstance(link._transport, LoopbackTransport)
    try:
        yield own, link
    finally:
        await link.close()
        server.close()


async def post(link: ServerHttpClient, content: bytes = b"{}") -> bytes:
    async with link.send("POST", {"accept": "text/plain"}, content) as response:
        assert response.status_code == 200
        return await read_body(response, BODY_LIMIT)


def run(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    async def in_time() -> None:
        async with asyncio.timeout(20):
            await work()

    asyncio.run(in_time())


def test_a_connection_is_used_again_and_headers_are_the_entrys_and_the_requests() -> None:
    async def work() -> None:
        async with site() as (server, link):
            assert [await post(link) for _ in range(3)] == [b"ok"] * 3
            assert server.connections == 1
            head = server.heads[2].lower()
            assert b"x-key: value" in head
            assert head.count(b"accept:") == 1
            assert b"accept: text/plain" in head

    run(work)


def test_at_once_each_has_its_own() -> None:
    async def work() -> None:
        async with site() as (server, link):
            assert await asyncio.gather(*(post(link) for _ in range(8))) == [b"ok"] * 8
            assert 1 < server.connections <= 8

    run(work)


@pytest.mark.parametrize("last_words", [b"", b"HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\n\r\n"])
def test_connection_ended_by_the_server_while_idle_is_not_used_again(last_words: bytes) -> None:
    ended = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await request_of(reader)
        writer.write(OK)
        await ended.wait()
        writer.write(last_words)

    async def work() -> None:
        async with site(serve) as (server, link):
            assert await post(link) == b"ok"
            assert isinstance(link._transport, LoopbackTransport)
            (kept,) = link._transport._pool.connections
            ended.set()
            while not kept.has_expired():
                await asyncio.sleep(0)
            assert await post(link) == b"ok"
            assert server.connections == 2

    run(work)


def test_much_goes_both_ways() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        _, body = await request_of(reader)
        writer.write(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n" % (len(body), body))
        await writer.drain()

    async def work() -> None:
        async with site(serve) as (_, link):
            body = bytes(range(256)) * (MUCH // 256)
            assert await post(link, body) == body

    run(work)


def test_slow_reader_gets_backpressure() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readexactly(5)
        for _ in range(40):
            writer.write(bytes(MUCH))
            await writer.drain()

    async def work() -> None:
        async with site(serve) as (_, link):
            port = httpx2.URL(link.url).port
            assert port is not None
            stream = await _Network().connect_tcp("127.0.0.1", port)
            await stream.write(b"begin")
            while not stream._held:
                await asyncio.sleep(0)
            assert stream.get_extra_info("is_readable")
            size = 0
            while part := await stream.read(64 * 1024):
                assert len(part) <= 64 * 1024
                assert len(stream._unread) < MUCH
                size += len(part)
            assert size == 40 * MUCH

    run(work)


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf", b"no HTTP\r\n\r\n"])
def test_an_answer_that_breaks_off_is_a_failure_of_what_was_sent(answer: bytes) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await request_of(reader)
        writer.write(answer)

    async def work() -> None:
        async with site(serve) as (_, link):
            with pytest.raises(httpx2.TransportError) as caught:
                await post(link)
            assert not was_never_sent(caught.value)

    run(work)


def test_refused_connection_is_known_to_have_sent_nothing() -> None:
    async def work() -> None:
        async with site() as (_, link):
            closed = await ServerHttpClient.open("a", "http://127.0.0.1:9/mcp", {})
            with pytest.raises(httpx2.ConnectError) as caught:
                await post(closed)
            assert was_never_sent(caught.value)
            assert closed.transport_problem(caught.value).parameters["reason"] == "Connection refused"
            await closed.close()
            assert await post(link) == b"ok"

    run(work)


def test_addresses_of_a_name_are_tried_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    async def two_addresses(host: str, port: int, **options: Any) -> list[Any]:
        assert host == "localhost"
        return [(0, 0, 0, "", (address, port)) for address in ("127.0.0.9", "127.0.0.1")]

    async def work() -> None:
        async with site() as (server, _):
            port = httpx2.URL(server.url).port
            monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", two_addresses)
            found = await ServerHttpClient.open("a", f"http://localhost:{port}/mcp", {})
            assert await post(found) == b"ok"
            nobody = await ServerHttpClient.open("a", "http://localhost:9/mcp", {})
            with pytest.raises(httpx2.ConnectError) as caught:
                await post(nobody)
            assert nobody.transport_problem(caught.value).parameters["reason"] == "Connection refused"
            await found.close()
            await nobody.close()

    run(work)


def test_cancelled_request_leaves_the_client_usable() -> None:
    first = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await request_of(reader)
        if not first.is_set():
            first.set()
            await reader.read()
        writer.write(OK)

    async def work() -> None:
        async with site(serve) as (_, link):
            waiting = asyncio.ensure_future(post(link))
            await first.wait()
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
            assert await post(link) == b"ok"

    run(work)


def test_a_cookie_comes_back() -> None:
    async def work() -> None:
        async with site() as (server, link):
            answer = OK.replace(b"\r\n\r\n", b"\r\nset-cookie: node=7\r\n\r\n")
            server._serve = lambda reader, writer: server.answer_all(reader, writer, answer)
            assert [await post(link) for _ in range(3)] == [b"ok"] * 3
            assert [b"cookie: node=7" in head.lower() for head in server.heads] == [False, True, True]

    run(work)


def test_a_redirect_within_the_origin_is_followed() -> None:
    async def work() -> None:
        async with site() as (server, link):

            async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                while True:
                    head, body = await request_of(reader)
                    server.heads.append(head)
                    moved = b"HTTP/1.1 307 Moved\r\nlocation: /there\r\ncontent-length: 0\r\n\r\n"
                    there = head.startswith(b"POST /there ")
                    writer.write(OK if there and body == b"{}" else moved)

            server._serve = serve
            assert [await post(link) for _ in range(2)] == [b"ok"] * 2
            assert sum(head.startswith(b"POST /there ") for head in server.heads) == 2

    run(work)
