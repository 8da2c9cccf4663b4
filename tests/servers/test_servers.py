"""The test servers do what their description says: a test that trusts them must be able to."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.servers.launch import HttpServer, Record, control, http_server, raw_server_command

Message = dict[str, Any]


class Peer:
    """A raw client over a server's pipes."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process

    def send(self, message: Message | str) -> None:
        assert self.process.stdin is not None
        text = message if isinstance(message, str) else json.dumps(message)
        self.process.stdin.write(text.encode() + b"\n")
        self.process.stdin.flush()

    def line(self) -> bytes:
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def message(self) -> Message:
        found: Message = json.loads(self.line())
        return found

    def call(self, tool: str, **arguments: Any) -> Message:
        self.send({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})
        return self.message()


@contextmanager
def peer(**scenario: Any) -> Iterator[Peer]:
    with subprocess.Popen(
        raw_server_command(**scenario), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        try:
            yield Peer(process)
        finally:
            process.kill()


def request(method: str, **params: Any) -> Message:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


def test_definitions_are_sent_byte_for_byte() -> None:
    raw = '{"name" : "x", "n": 123456789012345678901234567890, "s": "\\ud800", "name":"y", broken'
    with peer(tools=[raw]) as server:
        server.send(request("tools/list"))
        assert server.line() == b'{"jsonrpc":"2.0","id":1,"result":{"tools":[' + raw.encode() + b"]}}\n"


def test_the_echo_is_the_raw_text_of_the_params() -> None:
    params = '{"name":"echo" , "arguments":{"n":1.0, "big":123456789012345678901234567890}}'
    with peer() as server:
        server.send('{"method":"tools/call","params":' + params + ',"id":"ä","jsonrpc":"2.0"}')
        answer = server.message()
    assert answer["id"] == "ä"
    assert answer["result"]["content"][0]["text"] == params


@pytest.mark.parametrize(("paging", "cursors"), [("normal", ["2", None]), ("loop", ["2", "0"]), ("same", ["0", "0"])])
def test_pages(paging: str, cursors: list[str | None]) -> None:
    with peer(tools=[{"name": "a"}, {"name": "b"}, {"name": "c"}], pageSize=2, paging=paging) as server:
        seen = []
        cursor = None
        for _ in range(2):
            server.send(request("tools/list", **({"cursor": cursor} if cursor else {})))
            cursor = server.message()["result"].get("nextCursor")
            seen.append(cursor)
    assert seen == cursors


def test_change_moves_on_and_announces(tmp_path: Path) -> None:
    path = tmp_path / "control"
    with peer(tools=[{"name": "a"}], later=[[{"name": "b"}], [{"name": "c"}]], control=str(path)) as server:
        server.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        server.send(request("ping"))
        assert server.message()["result"] == {}  # by then it has read that we are initialized, and tells us of changes
        control(path, "change")
        assert server.message()["method"] == "notifications/tools/list_changed"
        server.send(request("tools/list"))
        assert server.message()["result"]["tools"] == [{"name": "b"}]
        if hasattr(signal, "SIGUSR1"):
            server.process.send_signal(signal.SIGUSR1)
            assert server.message()["method"] == "notifications/tools/list_changed"
            server.send(request("tools/list"))
            assert server.message()["result"]["tools"] == [{"name": "c"}]


def test_on_takes_turns_and_noise_surrounds_an_answer() -> None:
    on = {"ping": [{"error": {"code": -1, "message": "no"}}, {"raw": '{"id":$ID,"half":'}, None]}
    with peer(on=on, noise={"start": ["banner"], "before": ["", "{}"]}) as server:
        assert server.line() == b"banner\n"
        answers = []
        for _ in range(3):
            server.send(request("ping"))
            assert [server.line(), server.line()] == [b"\n", b"{}\n"]
            answers.append(server.line())
    assert b'"code":-1' in answers[0]
    assert answers[1] == b'{"id":1,"half":\n'
    assert json.loads(answers[2])["result"] == {}


def test_a_cancelled_call_is_recorded_and_not_answered(tmp_path: Path) -> None:
    record = Record(tmp_path / "record")
    with peer(record=str(record.path)) as server:
        server.send(request("tools/call", name="hang"))
        record.wait_for("call", tool="hang")
        server.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})
        record.wait_for("answered", id="1")
        server.send({"jsonrpc": "2.0", "id": 2, "method": "ping"})
        assert server.message()["id"] == 2
    assert record.events("cancelled")[0]["id"] == "1"
    assert [m["id"] for m in record.received("tools/call")] == [1]


def test_a_question_in_mid_call() -> None:
    with peer() as server:
        question = server.call("ask", method="roots/list")
        assert question["method"] == "roots/list"
        server.send({"jsonrpc": "2.0", "id": question["id"], "result": {"roots": []}})
        assert json.loads(server.message()["result"]["content"][0]["text"])["result"] == {"roots": []}


def test_progress_has_the_callers_token_and_comes_first() -> None:
    with peer() as server:
        server.send(request("tools/call", name="progress", arguments={"steps": 2}, _meta={"progressToken": "t"}))
        seen = [server.message() for _ in range(3)]
    assert [m.get("params", {}).get("progressToken") for m in seen] == ["t", "t", None]


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_sigterm_may_be_ignored_and_a_grandchild_left(tmp_path: Path) -> None:
    record, pid_file = Record(tmp_path / "record"), tmp_path / "pid"
    grandchild = {"pidFile": str(pid_file), "ignoreSigterm": True}
    with peer(ignoreSigterm=True, record=str(record.path), grandchild=grandchild) as server:
        assert server.call("fail")["result"]["isError"] is True
        server.process.terminate()
        record.wait_for("signal", name="SIGTERM")
        assert server.call("fail")["result"]["isError"] is True
        while not pid_file.exists():
            assert server.call("fail")["result"]["isError"] is True
    os.kill(int(pid_file.read_text()), signal.SIGKILL)  # raises if it had gone with its parent


def test_scenario_server_exits_where_told() -> None:
    with peer(on={"initialize": {"exit": 3}}) as server:
        server.send(request("initialize", protocolVersion="2025-06-18"))
        assert server.line() == b""
        assert server.process.wait(10) == 3


def post(server: HttpServer, message: Message, **headers: str) -> tuple[int, dict[str, str], bytes]:
    data = json.dumps(message).encode()
    wanted = {"content-type": "application/json", **headers}
    try:
        with urllib.request.urlopen(urllib.request.Request(server.url, data, wanted)) as answer:
            return answer.status, {k.lower(): v for k, v in answer.headers.items()}, answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, {}, error.read()


def test_http_sessions_tokens_and_both_kinds_of_answer(tmp_path: Path) -> None:
    record = Record(tmp_path / "record")
    scenario: dict[str, Any] = {
        "http": {"token": "t"},
        "record": str(record.path),
        "control": str(tmp_path / "control"),
    }
    with http_server(**scenario) as server:
        assert post(server, request("ping"))[0] == 401
        token = {"authorization": "Bearer t"}
        assert post(server, request("ping"), **token)[0] == 400
        _, headers, body = post(server, request("initialize", protocolVersion="2025-06-18"), **token)
        assert json.loads(body)["result"]["protocolVersion"] == "2025-06-18"
        session = {**token, "mcp-session-id": headers["mcp-session-id"]}
        _, headers, body = post(server, request("tools/call", name="progress", _meta={"progressToken": 5}), **session)
        assert headers["content-type"] == "text/event-stream"
        assert body.count(b"event: message") == 4
        server.control("forget", "token u")
        while post(server, request("ping"), **session)[0] != 401:
            pass
        assert post(server, request("ping"), **{**session, "authorization": "Bearer u"})[0] == 404


def test_http_modern_headers_must_fit() -> None:
    meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}
    with http_server(http={"checkHeaders": True}) as server:
        message = request("tools/call", name="echo", arguments={}, _meta=meta)
        version = {"mcp-protocol-version": "2026-07-28"}
        assert post(server, message, **version)[0] == 400
        fitting = {**version, "mcp-method": "tools/call", "mcp-name": "echo"}
        status, _, body = post(server, message, **fitting)
    assert (status, json.loads(body)["result"]["resultType"]) == (200, "complete")
