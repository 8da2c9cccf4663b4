"""A call that certainly never reached its server is made once more; no call ever runs twice (CONTRACT 5)."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.proxy.running import TOOLSET, Running, raw_server, running
from tests.servers.launch import Record, http_server
from toolnote_desktop.paths import Home

SSE_SERVER = Path(__file__).parent.parent / "upstream" / "sse_server.py"


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


def test_a_call_that_crashed_its_server_is_not_made_again(home: Home, record: Record) -> None:
    with running(home, {"raw": raw_server(record=str(record.path))}) as proxy:
        result = call(proxy, "raw_crash")
        assert result["isError"] is True
        assert '"raw"' in text_of(result)
        assert text_of(call(proxy)) == "it ran"  # it waited for the new one
        assert [event["tool"] for event in record.events("call")] == ["crash", "fail"]
