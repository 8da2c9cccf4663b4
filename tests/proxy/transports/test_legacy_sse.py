"""Legacy HTTP with SSE transport."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.proxy.transports.test_streamable_http import record
from tests.proxy.upstream.harness import run, running
from tests.servers.launch import Record, control
from toolnote_desktop.model.servers import ServerState
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.transports.base import Reply, TransportClosed

__all__ = ["record"]


@contextmanager
def sse_server(**scenario: Any) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    script = Path(__file__).with_name("sse_server.py")
    command = [sys.executable, "-I", "-S", str(script), json.dumps(scenario)]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    assert process.stdout is not None
    try:
        yield json.loads(process.stdout.readline())["url"], process
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def test_sse_servers(home: Home, tmp_path: Path) -> None:
    path, record = tmp_path / "control", Record(tmp_path / "record")
    scenario: dict[str, Any] = {"record": str(record.path), "control": str(path), "later": [[{"name": "new"}]]}

    async def answer(method: str, params: Any) -> Reply:
        return Reply(b'{"roots":[]}')

    async def work() -> None:
        with sse_server(sse={"token": "secret"}, **scenario) as (url, process):
            sse = {"type": "sse", "url": url, "headers": {"Authorization": "Bearer secret"}}
            async with running(home, {"a": sse}) as servers:
                await servers.ready("a")
                servers.events.answer = answer
                text = '{"content":[],"text":"\\ud800","n":123456789012345678901234567890}'
                mended = text.replace("\\ud800", "\ufffd")
                assert await servers.raw_call("a", "raw_result", text=text) == Reply(mended.encode())
                assert json.loads(await servers.text("a", "ask", method="roots/list"))["result"] == {"roots": []}
                call = asyncio.ensure_future(servers.raw_call("a", "hang"))
                await asyncio.to_thread(record.wait_for, "call", tool="hang")
                call.cancel()
                await asyncio.to_thread(record.wait_for, "cancelled")
                control(path, "change")
                await servers.events.until(lambda: len(servers.events.lists) == 2)
                call = asyncio.ensure_future(servers.raw_call("a", "hang"))
                await asyncio.sleep(0)
                process.kill()
                with pytest.raises(TransportClosed):
                    await call
                await servers.until_state("a", ServerState.RECONNECTING)

    run(work())


def test_an_older_server_is_found_behind_a_bare_url(home: Home) -> None:
    async def work() -> None:
        with sse_server() as (url, process):
            async with running(home, {"a": {"url": url}}) as servers:
                await servers.ready("a")
                assert servers.events.states("a") == [ServerState.STARTING, ServerState.READY]
                assert await servers.text("a", "fail", text="older") == "older"
                servers.upstreams.restart("a")
                await servers.until_state("a", ServerState.STARTING)
                await servers.ready("a")
                process.kill()
                await servers.until_state("a", ServerState.RECONNECTING, ServerState.FAILED)

    run(work())


@pytest.mark.parametrize(
    ("scenario", "state"),
    [
        ({"sse": {"token": "other"}}, ServerState.NEEDS_SIGN_IN),
        ({"sse": {"endpoint": "http://localhost:9/elsewhere"}}, ServerState.RECONNECTING),
        ({"sse": {"endpoint": "/messages?session=unknown"}}, ServerState.RECONNECTING),
    ],
)
def test_sse_servers_that_refuse(home: Home, scenario: dict[str, Any], state: ServerState) -> None:
    async def work() -> None:
        with sse_server(**scenario) as (url, _):
            async with running(home, {"a": {"type": "sse", "url": url}}) as servers:
                await servers.until_state("a", state)

    run(work())
