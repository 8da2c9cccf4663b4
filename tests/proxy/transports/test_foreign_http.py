"""Odd HTTP of servers: named codings, refusals, headers, proxies and endless streams (issue 15, items 1 and 12)."""

from __future__ import annotations

import asyncio
import base64
import socket
import struct
from collections.abc import AsyncIterator
from pathlib import Path
from typing import cast

import httpx2
import pytest

from toolnote_desktop.model.problem import Code, Problem, ToolnoteError
from toolnote_desktop.model.secrets.url_checks import header_problem
from toolnote_desktop.proxy.oauth.token_source import TokenSource
from toolnote_desktop.proxy.routing.errors import failed_call
from toolnote_desktop.proxy.transports.base import ReplyUnreadable, TransportClosed
from toolnote_desktop.proxy.transports.http_client import ServerHttpClient, refusal_text, status_text, unknown_coding
from toolnote_desktop.proxy.transports.sse_decoder import EventReader
from toolnote_desktop.public_registry.client import RegistryClient
from toolnote_desktop.system.network_proxy import environment_proxy, proxy_problem
from toolnote_desktop.updates.build import Build
from toolnote_desktop.updates.feed import FeedError
from toolnote_desktop.updates.fetching import find_update

FAR = "https://mcp.example.com/mcp"


@pytest.mark.parametrize(
    "stream",
    [
        b"data: {}\r\r",
        b"event: message\rdata: {}\r\r",
        b"data: {}\r\n\r\n",
        b"data: {}\n\n",
        b"\xef\xbb\xbfdata: {}\r\rdata: x",
    ],
)
@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_event_is_whole_at_its_last_line_end(stream: bytes, size: int) -> None:
    """Case U20; seen red while a trailing CR was held back for the LF that might follow."""
    reader = EventReader(1000)
    events = [event for at in range(0, len(stream), size) for event in reader.feed(stream[at : at + size])]
    assert [event.data for event in events] == [b"{}"]


def test_line_end_of_two_bytes_is_one_though_split() -> None:
    reader = EventReader(1000)
    assert list(reader.feed(b"data: a\r")) == []
    assert list(reader.feed(b"\ndata: b\r")) == []
    (event,) = [*reader.feed(b"\n"), *reader.feed(b"\r"), *reader.feed(b"\n")]
    assert event.data == b"a\nb"


def test_endless_comments_are_read_slowly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Red team L9: the stream cost a whole core."""
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    monkeypatch.setattr("asyncio.sleep", sleep)

    async def work() -> None:
        reader = EventReader(10**8)
        for _ in range(100):
            list(reader.feed(b":comment\n" * 7000))
            await reader.slow_down()
        assert len(pauses) > 90
        list(reader.feed(b"data: x\n\n"))
        pauses.clear()
        for _ in range(100):
            list(reader.feed(b"data: " + b"x" * 60_000))  # one long event is not slowed down
            await reader.slow_down()
        assert not pauses

    asyncio.run(work())


def _response(status: int = 200, content: bytes = b"", **headers: str) -> httpx2.Response:
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx2.Response(status, headers=names, stream=httpx2.ByteStream(content))


@pytest.mark.parametrize(
    ("coding", "unknown"),
    [("gzip", None), ("gzip, deflate", None), ("identity", None), ("br7", "br7"), ("gzip, snappy", "snappy")],
)
def test_coding_that_was_not_requested_is_named(coding: str, unknown: str | None) -> None:
    assert unknown_coding(_response(content_encoding=coding)) == unknown


def test_refusal_keeps_retry_after_and_its_text() -> None:
    response = _response(429, retry_after="30", content_type="text/plain")
    text = refusal_text(response, b"quota of the\nday is used up" + b"!" * 5000)
    assert text.startswith("HTTP 429 Too Many Requests; try again after 30 seconds: quota of the day is used up!")
    assert len(text) < 400
    assert "after Wed" in refusal_text(_response(503, retry_after="Wed, 21 Oct 2026 07:28:00 GMT"), b"")


def test_refused_call_is_worded_as_one() -> None:
    refused = ReplyUnreadable("HTTP 429 Too Many Requests")
    refused.refused = True
    reply = failed_call("s", "t", refused, None)
    assert reply.result is not None
    assert b"refused the request: HTTP 429" in reply.result
    assert b"protocol" not in reply.result


def test_result_over_the_limit_says_the_limit() -> None:
    """Case U40."""
    closed = TransportClosed(Problem(Code.SERVER_LINE_TOO_LONG, {"server": "s", "limit": "64"}))
    reply = failed_call("s", "t", closed, None)
    assert reply.result is not None
    assert b"64 MiB" in reply.result


def test_long_status_line_is_cut() -> None:
    response = httpx2.Response(500, extensions={"reason_phrase": b"a." * 30_000})
    assert len(status_text(response)) < 150


@pytest.mark.parametrize("value", ["Bearer ", " x", "x\t"])
def test_header_with_a_space_at_its_end_is_named(value: str) -> None:
    """Case U36: ``Bearer ${EMPTY}``."""
    assert "begins or ends with a space" in (header_problem("Authorization", value) or "")


@pytest.fixture
def no_proxies(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    return monkeypatch


@pytest.mark.parametrize(
    "address", ["socks5://127.0.0.1:7890", "socks5h://u:secret@h:1", "socks://h:1", "http://:0", "ftp://h"]
)
def test_proxy_that_cannot_be_used_is_named_by_its_variable(no_proxies: pytest.MonkeyPatch, address: str) -> None:
    """Case U23; seen red: the message was ``ImportError``."""
    no_proxies.setenv("ALL_PROXY", address)
    reason = proxy_problem(FAR) or ""
    assert reason.startswith("ALL_PROXY ")
    assert "secret" not in reason
    with pytest.raises(ToolnoteError) as refused:
        asyncio.run(ServerHttpClient.open("s", FAR, {}))
    assert refused.value.problem.code is Code.SERVER_UNREACHABLE
    assert refused.value.problem.parameters["reason"] == reason


def test_feed_and_registry_name_a_proxy_that_cannot_be_used(no_proxies: pytest.MonkeyPatch) -> None:
    """Seen red with the proxies of ``httpx2``: ``ImportError`` left both."""
    no_proxies.setenv("ALL_PROXY", "socks5://u:secret@127.0.0.1:7890")
    build = Build("tar", "https://example.com/feed.json", base64.b64encode(bytes(32)).decode())
    with pytest.raises(FeedError, match=r"ALL_PROXY names a SOCKS proxy.*socksio") as feed:
        find_update(build)
    with pytest.raises(ToolnoteError) as registry:
        asyncio.run(RegistryClient("https://example.com").page())
    assert registry.value.problem.code is Code.REGISTRY_UNREACHABLE
    assert registry.value.problem.parameters["reason"].startswith("ALL_PROXY names a SOCKS proxy")
    assert "secret" not in f"{feed.value} {registry.value.problem}"
    no_proxies.setenv("HTTPS_PROXY", "http://127.0.0.1:9")  # it is used, and not there
    with pytest.raises(FeedError, match="cannot be reached: no connection"):
        find_update(build)
    with pytest.raises(ToolnoteError) as registry:
        asyncio.run(RegistryClient("https://example.com").page())
    assert "connection" in registry.value.problem.parameters["reason"]


def test_http_proxy_is_used_beside_a_socks_one(no_proxies: pytest.MonkeyPatch) -> None:
    no_proxies.setenv("ALL_PROXY", "socks5://127.0.0.1:7890")
    no_proxies.setenv("HTTPS_PROXY", "127.0.0.1:7890")
    assert proxy_problem(FAR) is None
    assert environment_proxy(FAR) == ("http://127.0.0.1:7890", "HTTPS_PROXY")
    no_proxies.setenv("NO_PROXY", "example.com")
    assert environment_proxy(FAR) is None


def test_body_of_a_401_before_the_second_try_is_left_unread() -> None:
    """Red team H4; seen red with ``httpx2.Auth``, which reads it whole."""
    sent: list[str | None] = []
    chunks = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal chunks
        while True:
            chunks += 1
            yield b"x" * 65536

    def answer(request: httpx2.Request) -> httpx2.Response:
        sent.append(request.headers.get("authorization"))
        if len(sent) == 1:
            return httpx2.Response(401, stream=_Stream(endless()))
        return httpx2.Response(200, content=b"{}")

    class Tokens:
        record = "signed in"
        challenge = None

        async def token(self) -> str:
            return "old"

        async def refresh_after_401(self, token: str | None) -> str:
            assert token == "old"
            return "new"

    async def work() -> None:
        client = httpx2.AsyncClient(transport=httpx2.MockTransport(answer), auth=httpx2.Auth())
        http = ServerHttpClient("s", FAR, client, None, cast(TokenSource, Tokens()))
        async with asyncio.timeout(10), http.send("POST", {}, b"{}") as response:
            assert response.status_code == 200
        await http.close()

    asyncio.run(work())
    assert sent == ["Bearer old", "Bearer new"]
    assert chunks < 10


class _Stream(httpx2.AsyncByteStream):
    def __init__(self, chunks: AsyncIterator[bytes]) -> None:
        self._chunks = chunks

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self._chunks

    async def aclose(self) -> None:
        return


@pytest.mark.parametrize("url", ["https://localhost:1/mcp", "https://127.0.0.1:1/mcp", FAR])
def test_certificates_of_the_user_are_used_for_each_host(
    url: str, tmp_path: Path, no_proxies: pytest.MonkeyPatch
) -> None:
    """Case U21; seen red for this computer's hosts while their client ignored the environment."""
    bundle = tmp_path / "ca.pem"
    bundle.write_text("no certificate", encoding="utf-8")
    no_proxies.setenv("SSL_CERT_FILE", str(bundle))
    with pytest.raises(ToolnoteError) as refused:
        asyncio.run(ServerHttpClient.open("s", url, {}))
    assert "SSL_CERT_FILE" in refused.value.problem.parameters["reason"]


async def _answers(answer: bytes | None, *, scheme: str = "http", requests: int = 1) -> tuple[list[bytes], str]:
    """Send requests to a server that answers each with these bytes, None being a reset; return the heads that it got,
    and the reason of a failure in a user's words.
    """
    heads: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heads.append(await reader.read(65536))
        if answer is None:
            linger = struct.pack("ii", 1, 0)
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        else:
            writer.write(answer)
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        http = await ServerHttpClient.open("s", f"{scheme}://127.0.0.1:{port}/mcp", {})
        reason = ""
        try:
            for _ in range(requests):
                async with http.send("POST", {}, b"{}") as response:
                    await response.aread()
        except httpx2.TransportError as error:
            reason = str(http.transport_problem(error).parameters["reason"])
        await http.close()
    return heads, reason


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (None, "Connection reset by peer"),
        (b"HTTP/1.1 abc OK\r\n\r\n", "its response is not HTTP: illegal status line"),
        (b"HTTP/1.1 200 OK\r\nFoo Bar\r\n\r\n", "its response is not HTTP: illegal header line"),
        (
            b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
            "its response is not HTTP: illegal chunk header",
        ),
        (b"HTTP/1.1 101 Switching\r\nupgrade: x\r\n\r\n", "the response is not HTTP, or broke off"),
        (
            b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 4\r\n\r\nabcd",
            "the response is not encoded as gzip, as its head says",
        ),
    ],
    ids=["reset", "status", "header", "chunk", "upgrade", "gzip"],
)
def test_failure_is_worded_without_those_of_python(answer: bytes | None, words: str) -> None:
    """Seen red: ``[Errno 104] …``, ``illegal status line: bytearray(b'…')``, ``Error -3 while decompressing data``."""
    assert asyncio.run(_answers(answer))[1] == words


def test_plain_http_on_https_is_worded_without_those_of_python() -> None:
    _, reason = asyncio.run(_answers(b"HTTP/1.1 400 Bad Request\r\n\r\n", scheme="https"))
    assert reason == "no secure connection: wrong version number"


@pytest.mark.parametrize("cookie", [b"a=\xff", b"\xff=a", b"a=b\x01"])
def test_cookie_that_no_request_can_carry_is_not_kept(cookie: bytes) -> None:
    """Seen red: from the second request on the server could not be reached, by "an unexpected error"."""
    answer = (
        b"HTTP/1.1 200 OK\r\nset-cookie: %s\r\nset-cookie: kept=1\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}"
        % cookie
    )
    heads, reason = asyncio.run(_answers(answer, requests=2))
    assert (len(heads), reason) == (2, "")
    assert b"cookie: kept=1\r\n" in heads[1].lower()


def test_redirects_without_an_end_are_not_followed_to_it() -> None:
    """Seen red: the last response was read after it had been thrown away, which was "an unexpected error"."""
    answer = b"HTTP/1.1 307 Again\r\nlocation: /mcp\r\nconnection: close\r\ncontent-length: 3\r\n\r\nabc"
    heads, reason = asyncio.run(_answers(answer))
    assert reason == "it redirects more than 5 times"
    assert len(heads) <= 7
