"""Streamable HTTP transport."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psutil
import pytest
from msgspec.structs import replace

from tests.proxy.upstream.harness import PATIENCE, QUICK, Running, result, run, running
from tests.servers.launch import Record, http_server, raw_server_entry
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.servers import ServerState
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.transports.base import Reply, ReplyUnreadable, TransportClosed
from toolnote_desktop.proxy.upstream.liveness import ConnectionTimeouts
from toolnote_desktop.proxy.upstream.retry_policy import Timeouts, UpstreamNotReady
from toolnote_desktop.proxy.upstream.server import Upstream


@pytest.fixture
def record(tmp_path: Path) -> Record:
    """Where the server under test writes down what it sees."""
    return Record(tmp_path / "record")


def entry(url: str, **more: Any) -> dict[str, Any]:
    return {"type": "http", "url": url, **more}


ANSWERS: list[dict[str, Any]] = [
    {"answer": "json"},
    {"answer": "sse"},
    {"answer": "sse", "crlf": True, "comments": True},
    {"answer": "sse", "split": 3},
    {"answer": "auto", "sessions": False, "get": False},
    {"answer": "auto", "closeEach": True},
    {"answer": "sse", "redirect": True},
]


def test_a_connection_that_the_server_closed_meanwhile_is_not_used(home: Home) -> None:
    """A request that meets the closing itself is not sent again: it may have been carried out."""

    async def closed_by_server(port: int) -> None:
        while any(c.raddr and c.raddr.port == port and c.status == psutil.CONN_ESTABLISHED for c in _connections()):
            await asyncio.sleep(0.01)

    async def work() -> None:
        with http_server(era="handshake", http={"answer": "auto", "closeIdle": True, "get": False}) as server:
            port = urlsplit(server.url).port
            assert port is not None
            async with running(home, {"a": entry(server.url)}) as servers:
                await servers.ready("a")
                for number in range(3):
                    await closed_by_server(port)
                    assert await servers.text("a", "fail", text=f"number {number}") == f"number {number}"

    run(work())


def _connections() -> list[Any]:
    return list(psutil.Process().net_connections("tcp"))


@pytest.mark.parametrize("http", ANSWERS, ids=str)
def test_response_forms_are_read(home: Home, http: dict[str, Any]) -> None:
    async def work() -> None:
        with http_server(http=http) as server:
            async with running(home, {"a": entry(server.url)}) as servers:
                await servers.ready("a")
                ((_, listed),) = servers.events.lists
                assert len(listed.tools) == 24
                for text, expected in (
                    ('{"content":[],"text":"\\ud800"}', '{"content":[],"text":"\ufffd"}'),
                    ('{ "content" : [],"n":123456789012345678901234567890,"n":1}',) * 2,
                ):
                    assert await servers.raw_call("a", "raw_result", text=text) == Reply(expected.encode())
                reply = await servers.raw_call("a", "error", code=-32042, message="no", data=[1])
                assert reply == Reply(None, b'{"code":-32042,"message":"no","data":[1]}')
                calls = [servers.text("a", "fail", text=f"number {n}") for n in range(30)]
                assert await asyncio.gather(*calls) == [f"number {n}" for n in range(30)]

    run(work())


@pytest.mark.parametrize("answer", ["json", "sse"])
def test_big_answers(home: Home, answer: str) -> None:
    async def work() -> None:
        with http_server(http={"answer": answer}) as server:
            async with running(home, {"a": entry(server.url)}) as servers:
                await servers.ready("a")
                assert len(await servers.text("a", "big", kb=5 * 1024)) == 5 * 1024 * 1024

    run(work())


def test_progress_and_questions_on_the_way(home: Home) -> None:
    async def answer(method: str, params: Any) -> Reply:
        return Reply(b'{"roots":[]}')

    async def work() -> None:
        with http_server() as server:
            async with running(home, {"a": entry(server.url, timeout=2)}) as servers:
                await servers.ready("a")
                servers.events.answer = answer
                params = {"name": "progress", "arguments": {"steps": 6, "ms": 450}, "_meta": {"progressToken": "x"}}
                reply = await servers["a"].request("tools/call", params, progress_token="x")
                assert result(reply)["content"][0]["text"] == "done"
                assert [p["progress"] for _, _, p in servers.events.notifications] == [1, 2, 3, 4, 5, 6]
                assert json.loads(await servers.text("a", "ask", method="roots/list"))["result"] == {"roots": []}

    run(work())


def test_notices_come_on_the_stream(home: Home, tmp_path: Path) -> None:
    path, record = tmp_path / "control", Record(tmp_path / "record")
    later = [[{"name": "one"}, {"name": "two"}], [{"name": "three"}]]

    def names(servers: Running) -> list[str]:
        return [tool["name"] for tool in servers.events.lists[-1][1].tools]

    async def work() -> None:
        with http_server(later=later, control=str(path), record=str(record.path)) as server:
            async with running(home, {"a": entry(server.url)}) as servers:
                await servers.ready("a")
                await asyncio.to_thread(record.wait_for, "GET")
                server.control("change")
                await servers.events.until(lambda: names(servers) == ["one", "two"])
                server.control("drop")  # the stream ends; it is opened again, and what was missed is read
                await asyncio.to_thread(record.wait_for, "GET", 2)
                server.control("change")
                await servers.events.until(lambda: names(servers) == ["three"])

    run(work())


def test_a_cancelled_request_is_cancelled_at_the_server(home: Home, record: Record) -> None:
    async def work() -> None:
        with http_server(record=str(record.path)) as server:
            async with running(home, {"a": entry(server.url)}) as servers:
                await servers.ready("a")
                call = asyncio.ensure_future(servers.raw_call("a", "hang"))
                (started,) = await asyncio.to_thread(record.wait_for, "call", tool="hang")
                call.cancel()
                await asyncio.to_thread(record.wait_for, "cancelled", id=started["id"])
                with pytest.raises(TimeoutError):
                    await servers["a"].request("tools/call", {"name": "hang"}, timeout=0.1)
                await asyncio.to_thread(record.wait_for, "cancelled", 2)
                assert await servers.text("a", "fail", text="alive") == "alive"

    run(work())


def test_headers_of_the_entry_and_the_session(home: Home, record: Record) -> None:
    async def work() -> None:
        with http_server(record=str(record.path), http={"token": "secret-token"}) as server:
            headers = {"Authorization": "Bearer ${TOKEN:-secret-token}", "X-Mine": "1"}
            async with running(home, {"a": entry(server.url, headers=headers)}) as servers:
                await servers.ready("a")
                sent = json.loads(await servers.text("a", "headers"))
                assert sent["authorization"] == "Bearer secret-token"
                assert sent["x-mine"] == "1"
                assert sent["mcp-protocol-version"] == "2025-11-25"
                session = sent["mcp-session-id"]
        first = record.events("in")[0]["headers"]
        assert "mcp-session-id" not in first
        assert "mcp-protocol-version" not in first
        assert [event["session"] for event in record.events("DELETE")] == [session]

    run(work())


def test_trap_5_a_forgotten_session_is_made_anew_at_once(home: Home) -> None:
    async def work() -> None:
        with http_server(http={"get": False, "forgetAt": {"tools/call": 1}}) as server:
            async with running(home, {"a": entry(server.url)}, timeouts=Timeouts()) as servers:
                await servers.ready("a")
                with pytest.raises(TransportClosed) as closed:
                    await servers.raw_call("a", "fail")
                assert closed.value.retry
                assert await servers["a"].wait_ready(20)
                assert await servers.text("a", "fail", text="again") == "again"

    run(work())


async def calls_until_refused(servers: Running) -> Problem | None:
    """What the server was told to do has happened when a call says so, or a ping that came before it."""
    while True:
        try:
            await servers.raw_call("a", "fail")
        except TransportClosed as closed:
            return closed.problem
        except UpstreamNotReady as not_ready:
            return not_ready.status.problem


def test_c32_a_header_of_the_entrys_own_that_is_refused_is_not_sent_over_and_over(home: Home, tmp_path: Path) -> None:
    path, record = tmp_path / "control", Record(tmp_path / "record")
    timeouts = Timeouts(sign_in_delay=0.05, max_sign_in_tries=3)

    async def work() -> None:
        with http_server(
            control=str(path), record=str(record.path), http={"token": "old-token", "get": False}
        ) as server:
            servers_entries = {
                "a": entry(server.url, headers={"authorization": "Bearer old-token"}),
                "b": raw_server_entry(),
            }
            async with running(home, servers_entries, timeouts=timeouts) as servers:
                await servers.ready("a", "b")
                server.control("token new-token")
                problem = await calls_until_refused(servers)
                assert problem is not None
                assert problem.code is Code.AUTHORIZATION_REFUSED
                await servers.until_state("a", ServerState.FAILED)
                await tries_end(servers["a"])  # three tries and no more
                assert 4 <= len(record.events("refused")) <= 6
                assert servers["a"].status.state is ServerState.FAILED
                assert await servers.text("b", "fail", text="fine") == "fine"
                servers.upstreams.apply(
                    {"a": _server(entry(server.url, headers={"authorization": "Bearer new-token"}))}
                )
                await servers.ready("a")

    run(work())


async def tries_end(upstream: Upstream) -> None:
    """Wait until a server is not tried any more: the one task that does so has ended."""
    for task in asyncio.all_tasks():
        if task.get_name() == f"connect {upstream.server}":
            async with asyncio.timeout(PATIENCE):
                await asyncio.wait((task,))


def _server(raw: dict[str, Any]) -> Any:
    from tests.proxy.upstream.harness import entry as parsed

    return parsed(raw)


def test_c28_c29_the_server_is_killed_in_a_call_and_comes_back(home: Home, record: Record) -> None:
    async def work() -> None:
        with http_server(record=str(record.path)) as server:
            port = int(server.url.split(":")[2].split("/")[0])
            async with running(home, {"a": entry(server.url)}) as servers:
                await servers.ready("a")
                calls = [asyncio.ensure_future(servers.raw_call("a", "hang")) for _ in range(3)]
                await asyncio.to_thread(record.wait_for, "call", 3)
                server.process.kill()
                for error in await asyncio.gather(*calls, return_exceptions=True):
                    assert isinstance(error, TransportClosed)
                    assert error.problem is not None
                    assert error.problem.code is Code.SERVER_UNREACHABLE
                await servers.until_state("a", ServerState.RECONNECTING, ServerState.FAILED)
                status = await servers.until_state("a", ServerState.FAILED)
                assert status.problem is not None
                assert "refused" in status.problem.parameters["reason"].lower()
                with http_server(port):
                    assert await servers["a"].wait_ready(20)
                    assert await servers.text("a", "fail", text="back") == "back"

    run(work())


def test_a_request_that_broke_off_ends_alone(home: Home) -> None:
    async def work() -> None:
        with http_server(http={"dropAfterRead": {"tools/call": 1}}) as server:
            async with running(home, {"a": entry(server.url)}) as servers:
                await servers.ready("a")
                with pytest.raises(TransportClosed) as closed:
                    await servers.raw_call("a", "fail")
                assert not closed.value.retry  # it may have been worked on
                assert await servers.text("a", "fail", text="alive") == "alive"
                assert servers.events.states("a") == [ServerState.STARTING, ServerState.READY]

    run(work())


def test_refused_connection_is_reported(home: Home) -> None:
    async def work() -> None:
        servers_entries = {
            "gone": entry("http://127.0.0.1:9/mcp"),
            "odd": entry("ftp://x/mcp"),
            "b": raw_server_entry(),
        }
        async with running(home, servers_entries) as servers:
            await servers.ready("b")
            status = await servers.until_state("gone", ServerState.RECONNECTING, ServerState.FAILED)
            assert status.problem is not None
            assert status.problem.code is Code.SERVER_UNREACHABLE
            status = await servers.until_state("odd", ServerState.FAILED)
            assert status.problem is not None
            assert status.problem.code is Code.SERVER_ENTRY_INVALID

    run(work())


def test_a_header_that_cannot_be_sent(home: Home) -> None:
    async def work() -> None:
        servers_entries = {"a": entry("http://127.0.0.1:9/mcp", headers={"x": "a\nb"}), "b": raw_server_entry()}
        async with running(home, servers_entries) as servers:
            await servers.ready("b")
            status = await servers.until_state("a", ServerState.FAILED)
            assert status.problem is not None
            assert status.problem.parameters == {
                "server": "a",
                "field": "headers.x",
                "reason": "its value has a line break",
            }

    run(work())


class Answering:
    """A plain HTTP server that answers everything with one status, body and headers."""

    def __init__(self, status: str, body: bytes = b"", *headers: str) -> None:
        self.answer = (
            "\r\n".join([f"HTTP/1.1 {status}", f"content-length: {len(body)}", *headers, "", ""]).encode() + body
        )
        self.seen: list[bytes] = []

    async def __aenter__(self) -> str:
        self.server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return f"http://127.0.0.1:{self.server.sockets[0].getsockname()[1]}/mcp"

    async def __aexit__(self, *_: object) -> None:
        self.server.close()
        await self.server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                self.seen.append(head)
                length = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
                await reader.readexactly(int(length[0].split(b":")[1]) if length else 0)
                writer.write(self.answer)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


@pytest.mark.parametrize(
    ("answering", "state", "text"),
    [
        (Answering("404 Not Found"), ServerState.FAILED, "HTTP 404 Not Found"),
        (Answering("200 OK", b"<html>", "content-type: text/html"), ServerState.FAILED, "text/html"),
        (Answering("503 Busy"), ServerState.RECONNECTING, "HTTP 503 Busy"),
        (Answering("429 Slow", b"", "retry-after: 9"), ServerState.RECONNECTING, "HTTP 429 Slow; try again after 9 s"),
        (Answering("202 Accepted"), ServerState.FAILED, "202"),
        (Answering("200 OK", b"{}", "content-type: application/json"), ServerState.FAILED, "does not belong"),
        (
            Answering("307 Elsewhere", b"", "location: http://localhost:1/mcp?token=secret"),
            ServerState.FAILED,
            "HTTP 307 Elsewhere, to http://localhost:1/mcp, which was not followed",
        ),
    ],
    ids=["404", "html", "503", "429", "202", "nonsense", "redirect to another host"],
)
def test_non_mcp_server_is_reported(home: Home, answering: Answering, state: ServerState, text: str) -> None:
    async def work() -> None:
        async with answering as url, running(home, {"a": entry(url)}) as servers:
            status = await servers.until_state("a", state)
            assert status.problem is not None
            assert text in status.problem.parameters["reason"]
            assert "secret" not in str(servers.events.statuses)

    run(work())


def test_an_http_error_in_a_call_is_that_calls(home: Home) -> None:
    on = {"prompts/get": {"raw": "no json"}}

    async def work() -> None:
        with http_server(on=on, http={"answer": "json"}) as server:
            async with running(home, {"a": entry(server.url)}) as servers:
                await servers.ready("a")
                with pytest.raises(ReplyUnreadable):
                    await servers["a"].request("prompts/get", {"name": "greet"})
                assert await servers.text("a", "fail", text="alive") == "alive"

    run(work())


def test_c30_an_http_server_that_falls_silent(home: Home, tmp_path: Path) -> None:
    path = tmp_path / "control"
    timeouts = replace(QUICK, connection=ConnectionTimeouts(idle_interval=0.1, idle_timeout=0.15))

    async def work() -> None:
        with http_server(control=str(path)) as server:
            async with running(home, {"a": entry(server.url)}, timeouts=timeouts) as servers:
                await servers.ready("a")
                async with asyncio.timeout(20):
                    while not (connection := servers["a"]._connection) or not connection.liveness._verified:
                        await asyncio.sleep(0.01)
                server.control("freeze")
                status = await servers.until_state("a", ServerState.RECONNECTING)
                assert status.problem is not None
                assert status.problem.code is Code.SERVER_SILENT
                server.control("thaw")
                await servers.ready("a")

    run(work())
