"""Connections heal (issue 15 item 9): side exchanges end none, streams come back, lists are read in measure.

Seen red before the change: U03 (a GET answered 404 never let the server become usable), U39 (31 lists a second), U42
(-32020 for ever) and U43 (a modern stream that ended with an error was never opened again).
"""

from __future__ import annotations

import asyncio
import json
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from tests.proxy.upstream.harness import run, running
from toolnote_desktop.model.problem import Code
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.protocol import Era
from toolnote_desktop.proxy.transports.base import Reply, TransportClosed
from toolnote_desktop.proxy.upstream.change_stream import ChangeStream
from toolnote_desktop.proxy.upstream.handshake import HandshakeResult

PAGE = (404, "text/html", b"<html><body>404 Not Found</body></html>")
TOOLS = {"tools": [{"name": "t", "inputSchema": {"type": "object"}}]}
MODERN = "2026-07-28"


class Scripted(ThreadingHTTPServer):
    """MCP server over HTTP whose odd answers a test decides.

    Attributes:
        odd: method or "GET" -> answer (status, content type, body) instead of the usual one, or a function of the
            request's number that returns it or None.
        received: methods in their order, and "GET".
        regions: header ``Mcp-Param-Region`` of each call.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.odd: dict[str, Any] = {}
        self.received: list[str] = []
        self.tools: Any = TOOLS
        self.capabilities: dict[str, Any] = {"tools": {"listChanged": True}}
        self.sessions = 0
        self.regions: list[str | None] = []
        self.forgotten: set[str] = set()

    @property
    def url(self) -> str:
        """Address of the endpoint."""
        return f"http://127.0.0.1:{self.server_port}/mcp"

    def odd_answer(self, kind: str) -> Any:
        self.received.append(kind)
        odd = self.odd.get(kind)
        return odd(self.received.count(kind)) if callable(odd) else odd


class _Handler(BaseHTTPRequestHandler):
    server: Scripted
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:
        return

    def answer(self, status: int, kind: str, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"content-type": kind, "content-length": str(len(body)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self) -> None:
        odd = self.server.odd_answer("GET")
        self.answer(*(odd or (405, "text/plain", b"")))

    def do_DELETE(self) -> None:
        self.answer(200, "text/plain", b"")

    def do_POST(self) -> None:
        message = json.loads(self.rfile.read(int(self.headers["content-length"])))
        method = message.get("method", "")
        if method == "tools/call":
            self.server.regions.append(self.headers.get("mcp-param-region"))
        odd = self.server.odd_answer(method)
        if method != "initialize" and self.headers.get("mcp-session-id") in self.server.forgotten:
            odd = PAGE
        if odd is not None:
            self.answer(*(part(message) if callable(part) else part for part in odd))
            return
        if "id" not in message:
            self.answer(202, "text/plain", b"")
            return
        headers = {}
        result: Any = {}
        if method == "initialize":
            self.server.sessions += 1
            headers = {"mcp_session_id": f"session-{self.server.sessions}"}
            result = {
                "protocolVersion": "2025-06-18",
                "capabilities": self.server.capabilities,
                "serverInfo": {"name": "x", "version": "1"},
            }
        elif method == "tools/list":
            result = self.server.tools
        elif method == "tools/call":
            result = {"content": [{"type": "text", "text": "done"}]}
        elif method == "server/discover":
            self.answer(400, "application/json", _error(message, -32601))
            return
        body = {"jsonrpc": "2.0", "id": message["id"], "result": result}
        self.answer(200, "application/json", json.dumps(body).encode(), **headers)


def _error(message: Any, code: int) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": message["id"], "error": {"code": code, "message": "no"}}).encode()


@pytest.fixture
def scripted() -> Iterator[Scripted]:
    with _served(Scripted()) as server:
        yield server


@contextmanager
def _served(server: Scripted) -> Iterator[Scripted]:
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize(
    "answer",
    [PAGE, (400, "text/plain", b"no"), (401, "text/plain", b""), (403, "text/html", b""), (500, "text/html", b"")],
    ids=lambda answer: str(answer[0]),
)
@pytest.mark.parametrize("kind", ["GET", "notifications/initialized", "notifications/roots/list_changed"])
def test_odd_answer_to_a_side_exchange_leaves_the_connection_alone(
    home: Home, scripted: Scripted, kind: str, answer: Any
) -> None:
    scripted.odd[kind] = answer

    async def work() -> None:
        async with running(home, {"a": {"url": scripted.url}}) as servers:
            await servers.ready("a")
            await servers["a"].notify("notifications/roots/list_changed", None)
            assert await servers.text("a", "t") == "done"
            await asyncio.sleep(0.5)  # a connection that was lost would be opened again by now
            assert await servers.text("a", "t") == "done"

    run(work())
    assert scripted.sessions == 1
    assert scripted.received.count("GET") <= 2


@pytest.mark.parametrize("method", ["prompts/list", "resources/list", "tools/call"])
def test_page_of_html_for_an_optional_list_leaves_the_connection_alone(
    home: Home, scripted: Scripted, method: str
) -> None:
    scripted.capabilities |= {"prompts": {}, "resources": {}}
    scripted.odd[method] = PAGE if method != "tools/call" else lambda number: PAGE if number == 1 else None

    async def work() -> None:
        async with running(home, {"a": {"url": scripted.url}}) as servers:
            await servers.ready("a")
            if method == "tools/call":
                with pytest.raises(Exception, match="404"):
                    await servers.text("a", "t")
            assert await servers.text("a", "t") == "done"
            # The scripted server's usual results have no lists of these.
            assert method not in {one.parameters["method"] for one in servers["a"].status.problems}

    run(work())
    assert scripted.sessions == 1


def test_page_of_html_for_the_list_of_tools_is_said(home: Home, scripted: Scripted) -> None:
    scripted.odd["tools/list"] = PAGE

    async def work() -> None:
        async with running(home, {"a": {"url": scripted.url}}) as servers:
            await servers.ready("a")
            (problem,) = servers["a"].status.problems
            assert (problem.code, problem.parameters["method"]) == (Code.SERVER_PAGES, "tools/list")
            assert "404" in problem.parameters["reason"]

    run(work())


def test_session_that_is_lost_with_a_page_of_html_is_opened_again_and_the_call_repeated(
    home: Home, scripted: Scripted
) -> None:
    async def work() -> None:
        async with running(home, {"a": {"url": scripted.url}}) as servers:
            await servers.ready("a")
            scripted.forgotten.add("session-1")
            with pytest.raises(TransportClosed) as lost:
                await servers.text("a", "t")
            assert lost.value.retry
            await servers.ready("a")
            assert await servers.text("a", "t") == "done"

    run(work())
    assert scripted.sessions == 2


def sse(*lines: str) -> tuple[int, str, bytes]:
    """Return a stream that ends after these lines."""
    return 200, "text/event-stream", "".join(f"{line}\n" for line in lines).encode()


@pytest.mark.parametrize(
    "end",
    [
        [sse(": open"), None],
        [sse("id: 1", "data:", "", "id: 2", 'data: {"jsonrpc":"2.0","method":"x"}', ""), None],
        [sse(": open"), (500, "text/html", b""), None],
        [sse(": open"), PAGE, None],
        [sse(": open"), (200, "text/html", b"<html>"), None],
    ],
    ids=["ends", "ends with an id", "500", "404", "html"],
)
def test_stream_is_opened_again_however_it_ends_and_lists_are_read(
    home: Home, scripted: Scripted, end: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toolnote_desktop.proxy.transports.streamable_http._RETRY_DELAY", 0.05)
    opened = threading.Event()

    def stream(number: int) -> Any:
        if number > len(end) - 1:
            opened.set()
            return sse(": open again")
        return end[number - 1]

    scripted.odd["GET"] = stream

    async def work() -> None:
        async with running(home, {"a": {"url": scripted.url}}) as servers:
            await servers.ready("a")
            scripted.tools = {"tools": []}
            await asyncio.to_thread(opened.wait, 20)
            await servers.events.until(lambda: not servers.events.lists[-1][1].tools)

    run(work())
    assert scripted.sessions == 1


@pytest.mark.parametrize(
    "end",
    [Reply(b"{}"), Reply(None, b'{"code":-32603,"message":"full"}'), TransportClosed(None), ConnectionError()],
    ids=["result", "error", "broken off", "failure"],
)
def test_modern_stream_is_opened_again_however_it_ends(end: Reply | Exception) -> None:
    async def work() -> None:
        requests: list[bytes] = []
        again = asyncio.Event()

        async def listen(params: bytes) -> Reply:
            requests.append(params)
            if len(requests) == 3:
                again.set()
                await asyncio.get_running_loop().create_future()
            if isinstance(end, Exception):
                raise end
            return end

        stream = ChangeStream(0.01, listen, lambda: None)
        stream.start(HandshakeResult(Era.MODERN, MODERN, capabilities={"tools": {"listChanged": True}}))
        reading = asyncio.ensure_future(stream.run())
        await asyncio.wait_for(again.wait(), 10)
        reading.cancel()
        await asyncio.wait((reading,))

    run(work())


NOISY = """
import json, sys, time
lists = 0
for line in sys.stdin:
    message = json.loads(line)
    method = message.get("method")
    if "id" not in message:
        continue
    result = {}
    if method == "initialize":
        result = {"protocolVersion": "2025-06-18", "serverInfo": {"name": "x", "version": "1"},
                  "capabilities": {name: {"listChanged": True} for name in ("tools", "prompts", "resources")}}
    elif method.endswith("/list"):
        kind = method.split("/")[0]
        print(json.dumps({"jsonrpc": "2.0", "method": f"notifications/{kind}/list_changed"}), flush=True)
        lists += method == "tools/list"
        result = {kind: [], "resourceTemplates": []}
        if kind == "tools":
            names = ["t", "late"] if time.time() > float(sys.argv[2]) else ["t"]
            result = {kind: [{"name": name, "inputSchema": {"type": "object"}} for name in names]}
            open(sys.argv[1], "w").write(str(lists))
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"""


def test_server_that_announces_a_change_with_each_list_is_read_ever_more_seldom(home: Home, tmp_path: Any) -> None:
    """And its real change is still seen."""
    import time

    counted = tmp_path / "lists"
    entry = {"command": sys.executable, "args": ["-c", NOISY, str(counted), str(time.time() + 3)]}

    async def work() -> None:
        async with running(home, {"a": entry}) as servers:
            await servers.ready("a")
            await servers.events.until(lambda: len(servers.events.lists[-1][1].tools) == 2)

    run(work())
    assert int(counted.read_text()) <= 8


CHANGING = """
import json, sys, time
began, lists = time.time(), 0
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    result = {}
    if message["method"] == "initialize":
        result = {"protocolVersion": "2025-06-18", "serverInfo": {"name": "x", "version": "1"},
                  "capabilities": {"tools": {"listChanged": True}}}
    elif message["method"] == "tools/list":
        lists += 1
        names = [f"t{number}" for number in range(500)] + ["done"] * (time.time() > began + 2)
        more = {"description": str(lists), "inputSchema": {"type": "object"}}
        result = {"tools": [{"name": name, **more} for name in names]}
        open(sys.argv[1], "w").write(str(lists))
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
    if message["method"] == "tools/list":
        print('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}', flush=True)
"""


def test_long_lists_that_always_change_are_read_the_more_seldom_the_longer_they_are(home: Home, tmp_path: Any) -> None:
    """Red team L8: 1,000 descriptions that changed with each list took a processor, and 48 MB for good."""
    counted = tmp_path / "lists"
    entry = {"command": sys.executable, "args": ["-c", CHANGING, str(counted)]}

    async def work() -> None:
        async with running(home, {"a": entry}) as servers:
            await servers.ready("a")
            await servers.events.until(lambda: len(servers.events.lists[-1][1].tools) == 501)

    run(work())
    assert int(counted.read_text()) <= 8


def test_call_with_headers_that_do_not_fit_is_made_again_after_a_new_list(home: Home, scripted: Scripted) -> None:
    """The tool demands a header since it was listed, and the server has not announced that (2026-07-28, -32020)."""

    def respond(result: Callable[[Any], Any]) -> Any:
        def body(message: Any) -> bytes:
            return json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result(message)}).encode()

        return 200, "application/json", body

    def call(number: int) -> Any:
        if number == 1:
            region = {"type": "string", "x-mcp-header": "Region"}
            schema = {"type": "object", "properties": {"region": region}}
            scripted.tools = {"tools": [{"name": "t", "inputSchema": schema}]}
            return 400, "application/json", lambda message: _error(message, -32020)
        return respond(lambda _: {"resultType": "complete", "content": [{"type": "text", "text": "done"}]})

    discovered = {"supportedVersions": [MODERN], "capabilities": {"tools": {}}, "resultType": "complete"}
    scripted.odd["initialize"] = (400, "application/json", lambda message: _error(message, -32601))
    scripted.odd["server/discover"] = respond(lambda _: discovered)
    scripted.odd["tools/list"] = respond(lambda _: {**scripted.tools, "resultType": "complete"})
    scripted.odd["tools/call"] = call

    async def work() -> None:
        async with running(home, {"a": {"url": scripted.url}}) as servers:
            await servers.ready("a")
            assert await servers.text("a", "t", region="eu") == "done"

    run(work())
    assert scripted.regions == [None, "eu"]
