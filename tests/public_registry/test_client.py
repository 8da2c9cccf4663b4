"""Client of a registry: pages, the cache, cancelling, and responses that are late, broken or huge."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler

import pytest

from tests.public_registry.registry_server import Registry, running, send, wait_until_closed
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.public_registry.client import MAX_BYTES, RegistryClient
from toolnote_desktop.public_registry.records import RegistryResults

SERVERS = [
    {"name": f"io.example/{name}", "remotes": [{"type": "streamable-http", "url": f"https://{name}.example/mcp"}]}
    for name in ("alpha", "beta", "gamma", "delta", "alphabet")
]


@pytest.fixture
def registry() -> Iterator[Registry]:
    with running(SERVERS) as registry:
        yield registry


def names(client: RegistryClient, search: str = "", cursor: str = "") -> list[str]:
    return [server.title for server in page(client, search, cursor).servers]


def page(client: RegistryClient, search: str = "", cursor: str = "") -> RegistryResults:
    return asyncio.run(client.page(search, cursor))


def test_pages_follow_each_other_to_the_end(registry: Registry) -> None:
    client = RegistryClient(registry.url)
    first = page(client)
    assert [server.title for server in first.servers] == ["alpha", "beta", "gamma"]
    second = page(client, cursor=first.next_cursor)
    assert [server.title for server in second.servers] == ["delta", "alphabet"]
    assert second.next_cursor == ""
    assert registry.asked[0] == {"version": "latest", "limit": "30"}


def test_a_search_is_sent_as_it_was_typed(registry: Registry) -> None:
    assert names(RegistryClient(registry.url + "/"), " alpha ") == ["alpha", "alphabet"]
    names(RegistryClient(registry.url), "ü&cursor=1")
    assert [asked["search"] for asked in registry.asked] == ["alpha", "ü&cursor=1"]


def test_the_same_is_asked_once(registry: Registry) -> None:
    client = RegistryClient(registry.url)
    assert names(client, "beta") == names(client, "beta") == ["beta"]
    assert len(registry.asked) == 1


def with_status(handler: BaseHTTPRequestHandler) -> bool:
    send(handler, b'{"error": "no"}', 503)
    return True


def with_no_json(handler: BaseHTTPRequestHandler) -> bool:
    send(handler, b"<html>sign in to this hotel's network</html>")
    return True


def with_other_json(handler: BaseHTTPRequestHandler) -> bool:
    send(handler, b'{"servers": {"a": 1}}')
    return True


def with_deep_json(handler: BaseHTTPRequestHandler) -> bool:
    send(handler, b"[" * 200_000)
    return True


def with_no_end(handler: BaseHTTPRequestHandler) -> bool:
    handler.send_response(200)
    handler.end_headers()
    with contextlib.suppress(OSError):  # the other side goes
        for _ in range(MAX_BYTES // 65_536 + 200):
            handler.wfile.write(b" " * 65_536)
    return True


def with_a_redirect(handler: BaseHTTPRequestHandler) -> bool:
    handler.send_response(302)
    handler.send_header("Location", "http://127.0.0.1:1/")
    handler.end_headers()
    return True


@pytest.mark.parametrize(
    "answer", [with_status, with_no_json, with_other_json, with_deep_json, with_no_end, with_a_redirect]
)
def test_an_answer_that_cannot_be_used_is_an_error(
    registry: Registry, answer: Callable[[BaseHTTPRequestHandler], bool]
) -> None:
    registry.answer = answer
    with pytest.raises(ToolnoteError) as raised:
        page(RegistryClient(registry.url))
    assert raised.value.problem.code is Code.REGISTRY_ODD


def test_failed_page_is_not_cached(registry: Registry) -> None:
    client = RegistryClient(registry.url)
    registry.answer = with_status
    with pytest.raises(ToolnoteError):
        page(client, "beta")
    registry.answer = None
    assert names(client, "beta") == ["beta"]


@pytest.mark.parametrize("trickles", [False, True])
def test_slow_registry_is_given_up(registry: Registry, trickles: bool) -> None:
    def answer(handler: BaseHTTPRequestHandler) -> bool:
        with contextlib.suppress(OSError):
            if trickles:
                handler.send_response(200)
                handler.end_headers()
            while not registry.end.wait(0.05):
                if trickles:
                    handler.wfile.write(b" ")
        return True

    registry.answer = answer
    with pytest.raises(ToolnoteError) as raised:
        page(RegistryClient(registry.url, seconds=0.4))
    assert raised.value.problem.code is Code.REGISTRY_UNREACHABLE


def test_registry_without_network() -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{held.getsockname()[1]}"
        for address in (url, "http://no-such-host.invalid"):
            with pytest.raises(ToolnoteError) as raised:
                page(RegistryClient(address, seconds=5.0))
            assert raised.value.problem.code is Code.REGISTRY_UNREACHABLE


def test_a_half_answer_is_no_network(registry: Registry) -> None:
    def answer(handler: BaseHTTPRequestHandler) -> bool:
        data = json.dumps(registry.page({})).encode()
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(data) + 10))
        handler.end_headers()
        handler.wfile.write(data)
        handler.close_connection = True
        return True

    registry.answer = answer
    with pytest.raises(ToolnoteError):
        page(RegistryClient(registry.url))


def test_cancelled_request_is_closed(registry: Registry) -> None:
    """Red when the request runs in a thread, which cancelling leaves running."""
    asked, closed = threading.Event(), threading.Event()

    def answer(handler: BaseHTTPRequestHandler) -> bool:
        asked.set()
        wait_until_closed(handler, closed)
        return True

    async def ask_and_cancel() -> None:
        task = asyncio.create_task(RegistryClient(registry.url, seconds=60.0).page())
        assert await asyncio.to_thread(asked.wait, 20.0)
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        assert task.cancelled()
        assert await asyncio.to_thread(closed.wait, 20.0)

    registry.answer = answer
    asyncio.run(ask_and_cancel())
