"""Whatever a server says: its calls end, it is never taken for well when it is not, and nothing of it is a crash."""

from __future__ import annotations

import json
import logging
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases.test_lists import initialized
from tests.fuzz.inputs import VALUES, json_texts, mutated, spoilt
from tests.fuzz.profiles import examples
from tests.proxy.running import raw_server
from tests.proxy.running import running as proxy_running
from tests.proxy.upstream.harness import QUICK, run, running
from tests.servers.launch import raw_server_entry
from toolnote_desktop.model.servers import ServerState
from toolnote_desktop.paths import Home

UNDECIDED = (ServerState.STARTING, ServerState.DOWNLOADING)
ANY_TOOL = {
    "name": "t",
    "title": "T",
    "description": "d",
    "inputSchema": {"type": "object"},
    "annotations": {"title": 1},
}
RESULTS: dict[str, Any] = {
    "initialize": {
        "protocolVersion": "2025-06-18",
        "capabilities": {"tools": {"listChanged": True}, "prompts": {}, "resources": {"subscribe": True}},
        "serverInfo": {"name": "s", "version": "1", "title": "S"},
        "instructions": "Do.",
    },
    "tools/list": {"tools": [ANY_TOOL, {**ANY_TOOL, "name": "u", "outputSchema": {"type": "object"}}]},
    "prompts/list": {"prompts": [{"name": "p", "arguments": [{"name": "a", "required": True}]}]},
    "resources/list": {"resources": [{"uri": "test://r", "name": "r", "size": 1}], "nextCursor": None},
    "resources/templates/list": {"resourceTemplates": [{"uriTemplate": "test://{x}", "name": "x"}]},
}
SAID: list[Any] = [
    {"jsonrpc": "2.0", "id": 1, "result": {"content": []}},
    {"jsonrpc": "2.0", "id": 99999, "error": {"code": 1, "message": "m"}},
    {"jsonrpc": "2.0", "id": "q", "method": "roots/list"},
    {"jsonrpc": "2.0", "id": 5, "method": "sampling/createMessage", "params": {"messages": [], "maxTokens": 1}},
    {"jsonrpc": "2.0", "id": 6, "method": "elicitation/create", "params": {"message": "m", "requestedSchema": {}}},
    {"jsonrpc": "2.0", "id": 7, "method": "ping"},
    {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "d"}},
    {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": "toolnote-1", "progress": 1}},
    {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"},
    {"jsonrpc": "2.0", "method": "notifications/resources/updated", "params": {"uri": "test://one"}},
    {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}},
    [{"jsonrpc": "2.0", "id": 8, "method": "ping"}],
]
CONTENT = {"content": [{"type": "text", "text": "t", "annotations": {}}], "structuredContent": {"a": 1}, "_meta": {}}


@pytest.fixture(autouse=True)
def nothing_surprised_us(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """No traceback in the log of a test that ends well."""
    caplog.set_level(logging.WARNING)
    yield
    worse = [record for record in caplog.get_records("call") if record.exc_info or record.levelno >= logging.ERROR]
    assert not worse, "\n".join(record.getMessage() for record in worse)


def test_server_messages_beside_answers(home: Home) -> None:
    with proxy_running(home, {"a": raw_server()}) as proxy:
        client = initialized(proxy)

        @examples(40)
        @given(json_texts(st.sampled_from(SAID).flatmap(mutated) | VALUES) | st.binary(max_size=100))
        def check(line: bytes) -> None:
            answer = client.call("a_garbage", {"hex": line.hex()})
            assert answer.status == 200  # it may even have said the answer itself
            assert client.call("a_fail", {"text": "fine"}).status == 200
            assert client.call("a_counter").result["content"]

        check()


def test_results_of_calls(home: Home) -> None:
    """A call whose answer cannot be read is an error; one that can is handed on."""
    with proxy_running(home, {"a": {**raw_server(), "timeout": 5}}) as proxy:
        client = initialized(proxy)

        @examples(30)
        @given(json_texts(mutated(CONTENT)))
        def check(text: bytes) -> None:
            line = b'{"jsonrpc":"2.0","id":$ID,"result":' + text.replace(b"\n", b" ").replace(b"\r", b" ") + b"}"
            answer = client.call("a_raw_line", {"text": line.decode("utf-8", "replace")})
            assert answer.status == 200
            assert client.call("a_fail", {"text": "fine"}).result["isError"] is True

        check()


def test_introductions_and_lists(home: Home) -> None:
    """Six servers at once, each with one answer that is not quite right: each is ready or says what is wrong."""
    odd = st.sampled_from(sorted(RESULTS)).flatmap(
        lambda method: st.tuples(st.just(method), json_texts(mutated(RESULTS[method])))
    )

    @examples(3)
    @given(st.lists(odd, min_size=6, max_size=6))
    def check(answers: list[tuple[str, bytes]]) -> None:
        servers = {}
        for number, (method, result) in enumerate(answers):
            raw = '{"jsonrpc":"2.0","id":$ID,"result":' + result.decode("utf-8", "replace").replace("\n", " ") + "}"
            entry = raw_server_entry(era="handshake", on={method: {"raw": raw}})
            servers[f"s{number}"] = {**entry, "toolnote": {"startTimeout": 2}}

        async def work() -> None:
            async with running(home, servers, timeouts=QUICK) as all_of_them:
                for server in servers:
                    states = [state for state in ServerState if state not in UNDECIDED]
                    status = await all_of_them.until_state(server, *states)
                    assert status.state is ServerState.READY or status.problem is not None

        run(work())

    check()


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
INTRODUCTION = json.dumps({"jsonrpc": "2.0", "id": 1, "result": RESULTS["initialize"]}).encode()
EVENTS = b"event: message\r\ndata: " + INTRODUCTION + b"\r\n\r\n"
ANSWERS = [
    HEAD + b"Content-Length: %d\r\nMcp-Session-Id: s\r\n\r\n" % len(INTRODUCTION) + INTRODUCTION,
    HEAD + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n" % (len(INTRODUCTION), INTRODUCTION),
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nid: 1\r\nretry: 5\r\n" + EVENTS,
    b"HTTP/1.1 307 Temporary Redirect\r\nLocation: /mcp/\r\nContent-Length: 0\r\n\r\n",
    b"HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Bearer\r\nContent-Length: 0\r\n\r\n",
    b"HTTP/1.1 404 Not Found\r\nContent-Length: 3\r\n\r\nno\n",
    b"HTTP/1.1 202 Accepted\r\n\r\n",
    HEAD + b"Content-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc",
]


@contextmanager
def answering(answer: bytes) -> Iterator[str]:
    """A server that answers whatever is asked with the same bytes; its url."""
    ending = threading.Event()

    def serve(listening: socket.socket) -> None:
        while not ending.is_set():
            try:
                asked, _ = listening.accept()
            except OSError:
                return
            with asked:
                asked.settimeout(5)
                try:
                    asked.recv(65536)
                    asked.sendall(answer)
                except OSError:
                    continue

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=serve, args=(listening,), name="answering")
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
        finally:
            ending.set()
            listening.shutdown(socket.SHUT_RDWR)
            thread.join(10)


def test_answers_over_http(home: Home) -> None:
    @examples(60)
    @given(spoilt(spoilt(st.sampled_from(ANSWERS))), st.sampled_from(["http", "sse"]))
    def check(answer: bytes, kind: str) -> None:
        async def work(url: str) -> None:
            entry = {"type": kind, "url": url, "toolnote": {"startTimeout": 2}}
            async with running(home, {"far": entry}, timeouts=QUICK) as servers:
                status = await servers.until_state("far", *(state for state in ServerState if state not in UNDECIDED))
                assert status.state is ServerState.READY or status.problem is not None

        with answering(answer) as url:
            run(work(url))

    check()
