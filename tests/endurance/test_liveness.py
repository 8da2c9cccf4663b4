"""Liveness: servers that stop, fall silent, vanish from the net, or sleep with the computer (case C30)."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psutil
import pytest
from msgspec.structs import replace

from tests.proxy.running import raw_server
from tests.proxy.running import running as proxy_running
from tests.proxy.upstream.harness import QUICK, Running, run, running
from tests.servers.launch import Record, control, http_server, raw_server_entry
from toolnote_desktop.model.problem import Code
from toolnote_desktop.model.servers import ServerState
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.upstream import health_checks
from toolnote_desktop.proxy.upstream.health_checks import has_slept
from toolnote_desktop.proxy.upstream.liveness import ConnectionTimeouts
from toolnote_desktop.proxy.upstream.retry_policy import Timeouts

pytestmark = pytest.mark.once

posix = pytest.mark.skipif(sys.platform == "win32", reason="SIGSTOP")

NEVER = 3600.0


def paced(**seconds: float) -> Timeouts:
    """Everything quick, but for what is asked of a server that nobody needs: that is never asked."""
    quick = {"idle_interval": NEVER, "active_interval": 0.1, "active_timeout": 0.8, "reopen_delay": 0.05}
    return replace(QUICK, connection=ConnectionTimeouts(**{**quick, **seconds}))


async def silent(servers: Running, server: str) -> None:
    """Until a server is shown as silent."""
    status = await servers.until_state(server, ServerState.RECONNECTING)
    assert status.problem is not None
    assert status.problem.code is Code.SERVER_SILENT


def test_the_promise_is_kept_by_what_is_set() -> None:
    """Five seconds while a server is in use or shown, else a minute."""
    timeouts = ConnectionTimeouts()
    assert timeouts.active_interval + timeouts.active_timeout < 5.0
    assert timeouts.idle_interval + timeouts.idle_timeout < 60.0
    assert timeouts.restart_after + timeouts.active_interval + timeouts.active_timeout < 30.0, (
        "a call that waits for it must see it come back"
    )


@posix
def test_server_without_users_is_probed_only_when_it_gets_one(home: Home, tmp_path: Path) -> None:
    record = Record(tmp_path / "record")

    async def work() -> None:
        async with running(home, {"a": raw_server_entry(record=str(record.path))}, timeouts=paced()) as servers:
            await servers.ready("a")
            await asyncio.sleep(0.5)
            assert record.received("ping") == []
            servers.upstreams.set_in_use({"a"})
            await asyncio.to_thread(record.wait_for, "in", 4)
            process = psutil.Process(servers["a"].status.pid)
            process.suspend()
            await silent(servers, "a")
            process.resume()
            await servers.ready("a")
            assert servers.events.states("a")[-3:] == [
                ServerState.READY,
                ServerState.RECONNECTING,
                ServerState.READY,
            ]

    run(work())


@posix
def test_a_server_that_was_stopped_before_a_call_is_noticed_by_it_and_the_call_is_answered(home: Home) -> None:
    """It is told as silent, and never ended while it has work; other calls wait in its queue."""

    async def work() -> None:
        async with running(home, {"a": raw_server_entry()}, timeouts=paced(restart_after=0.2)) as servers:
            await servers.ready("a")
            process = psutil.Process(servers["a"].status.pid)
            process.suspend()
            calls = [asyncio.ensure_future(servers.text("a", "fail", text="fine")) for _ in range(2)]
            await silent(servers, "a")
            assert servers["a"].ready, "whoever asks now waits as without us"
            await asyncio.sleep(0.6)
            calls.append(asyncio.ensure_future(servers.text("a", "fail", text="fine")))
            assert process.status() == psutil.STATUS_STOPPED, "far past the time after which an idle one is ended"
            process.resume()
            assert await asyncio.gather(*calls) == ["fine"] * 3
            await servers.ready("a")
            assert servers["a"].status.pid == process.pid

    run(work())


@posix
@pytest.mark.parametrize("era", ["handshake", "modern"])
def test_a_stopped_server_of_either_era_is_started_anew(home: Home, era: str) -> None:
    """The modern era has no ping, and its open stream of notices is no work."""
    entry = raw_server_entry(era=era, listChanged=True)

    async def work() -> None:
        async with running(
            home, {"a": entry, "b": entry}, timeouts=paced(restart_after=0.3, active_timeout=0.5)
        ) as servers:
            await servers.ready("a", "b")
            servers.upstreams.set_in_use({"a", "b"})
            pid = servers["a"].status.pid
            psutil.Process(pid).suspend()
            await silent(servers, "a")
            await servers.ready("a")
            assert servers["a"].status.pid != pid
            assert not psutil.pid_exists(pid or 0)
            assert servers.events.states("b") == [ServerState.STARTING, ServerState.READY]

    run(work())


def test_a_server_that_knows_no_ping_is_asked_for_a_list(home: Home, tmp_path: Path) -> None:
    path = tmp_path / "control"
    entry = raw_server_entry(on={"ping": "hang"}, control=str(path))

    async def work() -> None:
        async with running(home, {"a": entry}, timeouts=paced(restart_after=NEVER)) as servers:
            await servers.ready("a")
            servers.upstreams.set_in_use({"a"})
            await asyncio.sleep(1.0)
            assert servers.events.states("a") == [ServerState.STARTING, ServerState.READY]
            control(path, "freeze")
            await silent(servers, "a")
            control(path, "thaw")
            await servers.ready("a")

    run(work())


class Net:
    """A way to a server that can be cut as a net is: nothing arrives any more, and nobody is told."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._alive = asyncio.Event()
        self._alive.set()
        self._tasks: set[asyncio.Task[None]] = set()
        self.server: asyncio.Server

    def cut(self) -> None:
        """From now on what is sent is lost."""
        self._alive = asyncio.Event()

    def mend(self) -> None:
        """New connections work again; those of before stay dead."""
        self._alive = asyncio.Event()
        self._alive.set()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        alive = self._alive
        await alive.wait()
        there, there_writer = await asyncio.open_connection("127.0.0.1", self._port)
        pumps = (self._pump(reader, there_writer, alive), self._pump(there, writer, alive))
        try:
            await asyncio.gather(*pumps)
        finally:
            writer.close()
            there_writer.close()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, alive: asyncio.Event) -> None:
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(65536):
                if self._alive is alive:
                    writer.write(data)
                    await writer.drain()
        if self._alive is alive:
            writer.close()


@contextlib.asynccontextmanager
async def net(url: str) -> AsyncIterator[tuple[Net, str]]:
    """A net between us and a server, and the server's address in it."""
    found = Net(urlsplit(url).port or 0)
    tasks: set[asyncio.Task[None]] = set()

    def accepted(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        tasks.add(asyncio.ensure_future(found._accept(reader, writer)))

    found.server = await asyncio.start_server(accepted, "127.0.0.1", 0)
    try:
        yield found, f"http://127.0.0.1:{found.server.sockets[0].getsockname()[1]}/mcp"
    finally:
        found.server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await found.server.wait_closed()


@pytest.mark.parametrize("era", ["handshake", "modern"])
def test_a_connection_that_was_dropped_without_a_word_is_noticed_and_replaced(
    home: Home, tmp_path: Path, era: str
) -> None:
    """The same session goes on over new connections, and the stream of notices is opened anew: changes are heard."""
    path = tmp_path / "control"
    scenario: dict[str, Any] = {"control": str(path), "era": era, "later": [[]], "listChanged": True}

    async def work() -> None:
        with http_server(**scenario) as server:
            async with net(server.url) as (way, url), running(home, {"a": {"url": url}}, timeouts=paced()) as servers:
                await servers.ready("a")
                servers.upstreams.set_in_use({"a"})
                await asyncio.sleep(0.3)
                way.cut()
                await silent(servers, "a")
                read = len(servers.events.lists)
                way.mend()
                await servers.ready("a")
                await servers.events.until(lambda: len(servers.events.lists) > read)  # so that only a notice can tell
                count = len(servers.events.lists[-1][1].tools)
                assert count
                server.control("change")
                await servers.events.until(lambda: len(servers.events.lists[-1][1].tools) != count)

    run(work())


def test_a_gateway_that_answers_for_a_server_that_is_not_there_is_no_sign_of_life(home: Home) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0] or 0)
                body = json.loads(await reader.readexactly(length) or b"null") or {}
                status, said = b"202 Accepted", b""
                if body.get("method") == "initialize":
                    result = {
                        "protocolVersion": "2025-11-25",
                        "capabilities": {},
                        "serverInfo": {"name": "x", "version": "1"},
                    }
                    status, said = (
                        b"200 OK",
                        json.dumps({"jsonrpc": "2.0", "id": body["id"], "result": result}).encode(),
                    )
                elif body.get("method") == "ping" and there:
                    status, said = b"200 OK", json.dumps({"jsonrpc": "2.0", "id": body["id"], "result": {}}).encode()
                elif "id" in body:
                    status, said = b"503 Service Unavailable", b"upstream is down"
                elif head.startswith(b"GET"):
                    status = b"405 Method Not Allowed"
                writer.write(
                    b"HTTP/1.1 %s\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%s"
                    % (status, len(said), said)
                )
                await writer.drain()
        writer.close()

    there = True

    async def work() -> None:
        nonlocal there
        gateway = await asyncio.start_server(answer, "127.0.0.1", 0)
        async with gateway:
            url = f"http://127.0.0.1:{gateway.sockets[0].getsockname()[1]}/mcp"
            async with running(home, {"a": {"url": url}}, timeouts=paced(restart_after=NEVER)) as servers:
                await servers.ready("a")
                servers.upstreams.set_in_use({"a"})
                await asyncio.sleep(0.3)
                there = False
                await silent(servers, "a")
                there = True
                await servers.ready("a")

    run(work())


@posix
def test_after_the_computer_has_slept_every_connection_is_looked_at(home: Home, tmp_path: Path) -> None:
    """Who is quiet is asked at once, and who waits for a next try is tried at once."""
    flag = tmp_path / "flag"
    server = raw_server_entry()
    script = f"import os, sys\nif not os.path.exists({str(flag)!r}): sys.exit(1)\nos.execv(sys.argv[1], sys.argv[1:])\n"
    waits = {"command": sys.executable, "args": ["-c", script, server["command"], *server["args"]]}
    timeouts = Timeouts(
        first_delay=NEVER,
        max_delay=NEVER,
        connection=ConnectionTimeouts(idle_interval=NEVER, idle_timeout=0.5, restart_after=NEVER),
    )

    async def work() -> None:
        # Asked for no other era in the background: an answer to that, still on its way, would be a sign of life.
        quiet = {**server, "toolnote": {"era": "handshake"}}
        async with running(home, {"a": quiet, "waits": waits}, timeouts=timeouts) as servers:
            await servers.ready("a")
            await servers.until_state("waits", ServerState.RECONNECTING)
            flag.touch()
            process = psutil.Process(servers["a"].status.pid)
            process.suspend()
            servers.upstreams.recheck()
            await silent(servers, "a")
            process.resume()
            await servers.ready("a", "waits")

    run(work())


def test_sleep_is_told_by_either_clock() -> None:
    beat = health_checks.CHECK_INTERVAL
    assert not has_slept((100.0, 500.0), (100.0 + beat, 500.0 + beat + 3.0)), "a busy machine"
    assert has_slept((100.0, 500.0), (100.0 + beat, 500.0 + beat + 60.0)), "the loop's clock stood still"
    assert has_slept((100.0, 500.0), (100.0 + beat + 60.0, 500.0 + beat + 60.0)), "it goes on, as on Windows"
    assert not has_slept((100.0, 500.0), (100.0 + beat, 500.0 - 3600.0)), "the wall clock was set back"


@posix
def test_lists_of_a_working_client_and_of_the_window_stay_current(home: Home) -> None:
    """Through the whole proxy: by who is connected, and by what the window shows."""
    servers = {"used": raw_server(), "other": raw_server(toolnote={})}
    with proxy_running(home, servers) as proxy:

        def pid(server: str) -> int:
            return proxy.library.snapshot.catalogue.servers[server].status.pid or 0

        def state(server: str) -> ServerState:
            return proxy.library.snapshot.catalogue.servers[server].status.state

        stopped = {name: psutil.Process(pid(name)) for name in servers}
        client = proxy.client()
        client.initialize()
        for process in stopped.values():
            process.suspend()
        try:
            proxy.wait(lambda _: state("used") is ServerState.RECONNECTING)
            assert state("other") is ServerState.READY, "nobody has its tools, and nobody looks at it"
            proxy.thread.shown(True, "other")
            proxy.wait(lambda _: state("other") is ServerState.RECONNECTING)
        finally:
            for process in stopped.values():
                process.resume()
        proxy.wait_ready(*servers)
