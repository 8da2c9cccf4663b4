"""A call that certainly never reached its server is repeated; no call ever runs twice (docs/contract.md 5)."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.proxy.running import TOOLSET, Running, raw_server, running
from tests.servers.launch import Record, http_server
from toolnote_desktop.paths import Home

SSE_SERVER = Path(__file__).parent.parent / "transports" / "sse_server.py"


@pytest.fixture
def record(user_folder: Path) -> Record:
    return Record(user_folder / "record.jsonl")


@contextmanager
def sse_server(**scenario: Any) -> Iterator[str]:
    command = [sys.executable, "-I", "-S", str(SSE_SERVER), json.dumps(scenario)]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        try:
            yield json.loads(process.stdout.readline())["url"]
        finally:
            process.kill()


def at(url: str, kind: str = "http") -> dict[str, Any]:
    return {"type": kind, "url": url, "toolnote": {"toolset": TOOLSET}}


def call(proxy: Running, tool: str = "raw_fail") -> Any:
    """The result of a tool call."""
    client = proxy.client()
    client.initialize()
    return client.call(tool, {"text": "it ran"}).result


def text_of(result: Any) -> str:
    return str(result["content"][0]["text"])


def test_a_call_that_the_server_did_not_take_is_made_again(home: Home, record: Record) -> None:
    with (
        sse_server(record=str(record.path), sse={"refuseCalls": [404]}) as url,
        running(home, {"raw": at(url, "sse")}) as proxy,
    ):
        assert text_of(call(proxy)) == "it ran"
        assert len(record.received("tools/call")) == 1


def test_a_call_that_a_failing_server_may_have_begun_is_not(home: Home, record: Record) -> None:
    with (
        sse_server(record=str(record.path), sse={"refuseCalls": [500]}) as url,
        running(home, {"raw": at(url, "sse")}) as proxy,
    ):
        result = call(proxy)
        assert result["isError"] is True
        assert '"raw"' in text_of(result)
        assert text_of(call(proxy)) == "it ran"  # the server is back, and this is the only one it got
        assert len(record.received("tools/call")) == 1


def test_a_call_in_a_session_that_the_server_forgot(home: Home, user_folder: Path, record: Record) -> None:
    scenario: dict[str, Any] = {"era": "handshake", "record": str(record.path), "control": str(user_folder / "control")}
    with http_server(**scenario) as server, running(home, {"raw": at(server.url)}) as proxy:
        server.control("forget")
        assert text_of(call(proxy)) == "it ran"
        assert len(record.events("call")) == 1


def test_a_call_whose_connection_broke_off_is_not_made_again(home: Home, record: Record) -> None:
    with (
        http_server(record=str(record.path), http={"dropAfterRead": {"tools/call": 1}}) as server,
        running(home, {"raw": at(server.url)}) as proxy,
    ):
        result = call(proxy)
        assert result["isError"] is True
        assert '"raw"' in text_of(result)
        assert text_of(call(proxy)) == "it ran"
        assert len(record.events("call")) == 1


@contextmanager
def polled_server(status: int, refusal: dict[str, Any] | None = None) -> Iterator[tuple[str, list[str]]]:
    """A server that ends each call's stream after an event with an id; who comes back to it gets this HTTP status.

    With a ``refusal`` it answers calls with HTTP 400 and this error instead. Gives its url, and the methods that were
    asked for.
    """
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            """Nothing: the test's own output counts."""

        def do_GET(self) -> None:
            result = {"content": [{"type": "text", "text": "it ran"}]}
            event = f"data: {json.dumps({'jsonrpc': '2.0', 'id': self.headers['Last-Event-ID'], 'result': result})}\n\n"
            if self.headers["Last-Event-ID"] is None:
                self.answer(405)
            else:
                self.answer(status, event, "text/event-stream")

        def do_POST(self) -> None:
            message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.append(message["method"])
            known = {
                "initialize": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {}},
                "tools/list": {"tools": [{"name": "fail", "inputSchema": {"type": "object"}}]},
            }
            if "id" not in message:
                self.answer(202)
            elif message["method"] == "tools/call" and refusal is not None:
                reply = {"jsonrpc": "2.0", "id": message["id"], "error": refusal}
                self.answer(400, json.dumps(reply), "application/json")
            elif message["method"] == "tools/call":
                self.answer(200, f"id: {message['id']}\nretry: 10\ndata:\n\n", "text/event-stream")
            else:
                reply = {"result": known[message["method"]]} if message["method"] in known else {"error": UNKNOWN}
                self.answer(200, json.dumps({"jsonrpc": "2.0", "id": message["id"], **reply}), "application/json")

        def answer(self, status: int, text: str = "", kind: str = "text/plain") -> None:
            self.send_response(status)
            for name, value in {"Content-Type": kind, "Content-Length": len(text), "Mcp-Session-Id": "s"}.items():
                self.send_header(name, str(value))
            self.end_headers()
            self.wfile.write(text.encode())

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        serving = threading.Thread(target=server.serve_forever, args=(0.01,))
        serving.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/mcp", asked
        finally:
            server.shutdown()
            serving.join()


UNKNOWN = {"code": -32601, "message": "Method not found"}


def test_a_call_whose_stream_is_taken_up_again(home: Home) -> None:
    with polled_server(200) as (url, asked), running(home, {"raw": at(url)}) as proxy:
        assert text_of(call(proxy)) == "it ran"
        assert asked.count("tools/call") == 1


def test_a_call_whose_stream_is_known_no_more_is_not_made_again(home: Home) -> None:
    with polled_server(404) as (url, asked), running(home, {"raw": at(url)}) as proxy:
        result = call(proxy)
        assert result["isError"] is True
        assert '"raw"' in text_of(result)
        assert asked.count("tools/call") == 1


def test_an_answer_that_speaks_of_some_session_is_an_answer(home: Home) -> None:
    error = {"code": -32602, "message": "unknown terminal session", "data": 1.0}
    with polled_server(200, error) as (url, asked), running(home, {"raw": at(url)}) as proxy:
        client = proxy.client()
        client.initialize()
        assert client.call("raw_fail").last["error"] == error
        assert asked.count("tools/call") == 1


def test_a_call_that_crashed_its_server_is_not_made_again(home: Home, record: Record) -> None:
    with running(home, {"raw": raw_server(record=str(record.path))}) as proxy:
        result = call(proxy, "raw_crash")
        assert result["isError"] is True
        assert '"raw"' in text_of(result)
        assert text_of(call(proxy)) == "it ran"  # it waited for the new one
        assert [event["tool"] for event in record.events("call")] == ["crash", "fail"]
