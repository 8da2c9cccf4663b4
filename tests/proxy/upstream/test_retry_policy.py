"""States of a connection, and the transitions between them."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import sys
from pathlib import Path
from typing import Any

import psutil
import pytest
from msgspec.structs import replace

from tests.proxy.upstream.harness import QUICK, entry, run, running
from tests.servers.launch import Record, control, raw_server_entry
from tests.waiting import until
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.servers import ServerState
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.transports.base import TransportClosed
from toolnote_desktop.proxy.upstream.liveness import ConnectionTimeouts
from toolnote_desktop.proxy.upstream.retry_policy import Timeouts, failure_state, retry_delay


def problem_of(status_problem: Problem | None) -> Problem:
    assert status_problem is not None
    return status_problem


def test_c26_one_bad_server_stops_nobody(home: Home) -> None:
    servers: dict[str, dict[str, Any]] = {
        "absent": {"command": "no-such-program-anywhere"},
        "exits": {"command": sys.executable, "args": ["-c", "import sys; sys.exit('no luck')"]},
        "silent": raw_server_entry(on={"initialize": "hang"}),
        "good": raw_server_entry(),
    }

    async def work() -> None:
        async with running(home, servers) as running_servers:
            await running_servers.ready("good")
            absent = await running_servers.until_state("absent", ServerState.NEEDS_PROGRAM)
            found = problem_of(absent.problem)
            assert found.code is Code.PROGRAM_MISSING
            assert found.parameters["program"] == "no-such-program-anywhere"
            assert os.environ["PATH"].split(os.pathsep)[-1] in found.parameters["path"]
            exits = await running_servers.until_state("exits", ServerState.RECONNECTING, ServerState.FAILED)
            assert problem_of(exits.problem).parameters["stderr"] == "no luck"
            assert running_servers["silent"].status.state is ServerState.STARTING
            assert await running_servers.text("good", "fail", text="fine") == "fine"

    run(work())


def test_c25_one_start_a_server_and_the_slow_one_delays_nobody(home: Home, tmp_path: Path) -> None:
    record = Record(tmp_path / "record")

    async def work() -> None:
        servers = {
            "slow": raw_server_entry(on={"initialize": {"sleepMs": 1000}}),
            "fast": raw_server_entry(record=str(record.path)),
        }
        async with running(home, servers) as both:
            await both.ready("fast")
            for _ in range(20):
                await both.raw_call("fast", "fail")
            assert both["slow"].status.state is ServerState.STARTING
            await both.ready("slow")
        assert len(record.received("initialize")) == 1

    run(work())


def test_client_subscriptions_are_renewed_after_a_crash(home: Home, tmp_path: Path) -> None:
    record = Record(tmp_path / "record")

    async def work() -> None:
        async with running(home, {"a": raw_server_entry(record=str(record.path))}) as servers:
            await servers.ready("a")
            for uri in ("test://one", "test://two"):
                await servers["a"].request("resources/subscribe", {"uri": uri})
            await servers["a"].request("resources/unsubscribe", {"uri": "test://two"})
            await servers["a"].request("logging/setLevel", {"level": "debug"})
            with pytest.raises(TransportClosed):
                await servers.raw_call("a", "crash")
            await servers.ready("a")
            await servers.raw_call("a", "fail")
        subscribed = [message["params"]["uri"] for message in record.received("resources/subscribe")]
        assert subscribed == ["test://one", "test://two", "test://one"]
        assert [m["params"]["level"] for m in record.received("logging/setLevel")] == ["debug", "debug"]

    run(work())


def test_c31_a_crash_loop_is_slow_and_never_two_at_once(home: Home, tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    script = (
        "import os, sys, time\n"
        "import psutil\n"
        f"mine = [p for p in psutil.Process(os.getppid()).children() if 'this very script' in ' '.join(p.cmdline())]\n"
        f"open({str(starts)!r}, 'a').write(f'{{time.time()}} {{len(mine)}}\\n')\n"
        "sys.exit(1)  # this very script\n"
    )
    timeouts = Timeouts(first_delay=0.05, max_delay=0.4, failures=3)

    async def work() -> None:
        bad = {"command": sys.executable, "args": ["-c", script]}
        async with running(home, {"bad": bad}, timeouts=timeouts) as servers:
            seen = servers.events.states
            await servers.events.until(lambda: ServerState.FAILED in seen("bad"))
            while len(starts.read_text().splitlines()) < 7:
                assert servers["bad"].status.state is ServerState.FAILED
                await asyncio.sleep(0.01)
        lines = [line.split() for line in starts.read_text().splitlines()]
        assert {count for _, count in lines} == {"1"}
        gaps = [float(b[0]) - float(a[0]) for a, b in itertools.pairwise(lines)]
        assert all(gap > 0.03 for gap in gaps)
        assert sum(gaps[:6]) > 0.8, "six delays, doubled from 0.05 up to 0.4, are 1.16 at least"
        assert servers.events.states("bad")[:3] == [
            ServerState.STARTING,
            ServerState.RECONNECTING,
            ServerState.FAILED,
        ]

    run(work())


def test_c15_a_server_that_calls_crash_comes_back_for_each(home: Home) -> None:
    timeouts = Timeouts(first_delay=0.05, max_delay=0.4, failures=2)

    async def work() -> None:
        async with running(home, {"a": raw_server_entry()}, timeouts=timeouts) as servers:
            for _ in range(4):
                assert await servers["a"].wait_ready(20)
                with pytest.raises(TransportClosed):
                    await servers.call("a", "crash")
            assert ServerState.FAILED not in servers.events.states("a")

    run(work())


def test_c31_a_server_that_only_computes_is_one_child_at_most(home: Home, tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    script = f"import time\nopen({str(starts)!r}, 'a').write(f'{{time.time()}}\\n')\nwhile True: pass  # computes\n"
    busy = {"command": sys.executable, "args": ["-c", script], "toolnote": {"startTimeout": 0.5}}
    timeouts = Timeouts(first_delay=0.05, max_delay=0.2, failures=2)

    def at_work() -> int:
        found = 0
        for child in psutil.Process().children(recursive=True):
            with contextlib.suppress(psutil.Error):
                found += child.status() != psutil.STATUS_ZOMBIE and "# computes" in " ".join(child.cmdline())
        return found

    async def work() -> None:
        most = 0
        async with running(home, {"busy": busy, "good": raw_server_entry()}, timeouts=timeouts) as servers:
            await servers.ready("good")
            while not starts.exists() or len(starts.read_text().splitlines()) < 3:
                most = max(most, at_work())
                await asyncio.sleep(0.02)
            assert ServerState.FAILED in servers.events.states("busy")
            assert await servers.text("good", "fail", text="fine") == "fine"
        assert most == 1
        assert at_work() == 0

    run(work())


def test_delays_grow_to_a_minute_with_jitter_and_hopeless_ones_are_not_tried() -> None:
    timeouts = Timeouts()
    exited = Problem(Code.SERVER_EXITED)
    for failures, middle in [(1, 0.5), (2, 1.0), (3, 2.0), (8, 60.0), (5000, 60.0)]:
        delays = {retry_delay(exited, failures, timeouts) for _ in range(20)}
        assert len(delays) > 1
        assert all(delay is not None and middle * 0.75 <= delay <= middle * 1.25 for delay in delays)
    assert retry_delay(Problem(Code.VALUE_MISSING), 1, timeouts) is None
    sign_in = [retry_delay(Problem(Code.SERVER_SIGN_IN), n, timeouts) for n in range(1, 8)]
    assert sign_in == [60, 120, 240, 480, 960, None, None]
    assert [failure_state(exited, n, timeouts) for n in (1, 2, 3)] == [
        ServerState.RECONNECTING,
        ServerState.RECONNECTING,
        ServerState.FAILED,
    ]


def test_c29_a_server_that_dies_comes_back(home: Home, tmp_path: Path) -> None:
    path = tmp_path / "control"

    async def work() -> None:
        async with running(home, {"a": raw_server_entry(control=str(path))}) as servers:
            await servers.ready("a")
            control(path, "exit 7")
            status = await servers.until_state("a", ServerState.RECONNECTING)
            assert problem_of(status.problem).parameters["status"] == "exit status 7"
            assert servers.events.lists[-1][1].tools  # what was known stays known
            path.unlink()
            await servers.ready("a")
            assert await servers.text("a", "fail", text="back") == "back"

    run(work())


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script as npx")
def test_c69_a_download_has_time_and_is_not_started_over(home: Home, tmp_path: Path) -> None:
    """The slow one is late by every measure; it is shown as such, left to go on, and joins in the end."""
    record = Record(tmp_path / "record")
    server = raw_server_entry(on={"initialize": {"sleepMs": 800}}, record=str(record.path))
    npx = tmp_path / "npx"
    npx.write_text(f'#!/bin/sh\nexec "{server["command"]}" "$@"\n')
    npx.chmod(0o755)
    timeouts = Timeouts(start=0.1, download=0.2, patience=100.0)

    async def work() -> None:
        servers = {
            "npx": {"command": str(npx), "args": server["args"]},
            "plain": raw_server_entry(on={"initialize": {"sleepMs": 800}}),
            "fast": {**raw_server_entry(), "toolnote": {"startTimeout": 30}},
        }
        async with running(home, servers, timeouts=timeouts) as all_of_them:
            await all_of_them.ready("fast", "npx", "plain")
            late = {name: [s.problem for n, s in all_of_them.events.statuses if n == name] for name in servers}
            assert all_of_them.events.states("npx") == [
                ServerState.DOWNLOADING,
                ServerState.FAILED,
                ServerState.READY,
            ]
            assert late["npx"][1] == Problem(Code.SERVER_SILENT, {"server": "npx", "seconds": "0.2"})
            assert all_of_them.events.states("plain") == [ServerState.STARTING, ServerState.FAILED, ServerState.READY]
            assert all_of_them.events.states("fast") == [ServerState.STARTING, ServerState.READY]
        assert len(record.received("initialize")) == 1

    run(work())


def test_a_server_that_is_silent_for_too_long_is_started_anew(home: Home, tmp_path: Path) -> None:
    silent = {**raw_server_entry(on={"initialize": "hang"}), "toolnote": {"startTimeout": 0.3}}

    async def work() -> None:
        async with running(home, {"a": silent}) as servers:
            status = await servers.until_state("a", ServerState.RECONNECTING)
            assert problem_of(status.problem) == Problem(Code.SERVER_SILENT, {"server": "a", "seconds": "0.3"})
            await servers.until_state("a", ServerState.FAILED)
            servers.upstreams.apply({"a": entry(raw_server_entry())})
            await servers.ready("a")

    run(work())


def test_a_server_that_speaks_something_else_has_failed(home: Home) -> None:
    on = {
        "initialize": {"error": {"code": -32601, "message": "What is initialize?"}},
        "server/discover": {"error": {"code": -32601, "message": "Nor that"}},
    }

    async def work() -> None:
        async with running(home, {"a": raw_server_entry(on=on)}) as servers:
            status = await servers.until_state("a", ServerState.FAILED)
            assert problem_of(status.problem).code is Code.SERVER_PROTOCOL
            assert "What is initialize?" in problem_of(status.problem).parameters["reason"]

    run(work())


async def until_pinged(record: Record) -> None:
    """Wait for a second ping, which follows the response to the first: only then is a server judged by one."""
    await until(lambda: len(record.received("ping")) >= 2)


@pytest.mark.skipif(sys.platform == "win32", reason="SIGSTOP")
def test_c30_a_stopped_server_is_noticed_and_comes_back(home: Home, tmp_path: Path) -> None:
    record = Record(tmp_path / "record")
    timeouts = Timeouts(first_delay=0.05, connection=ConnectionTimeouts(idle_interval=0.2, idle_timeout=1.0))

    async def work() -> None:
        both = {"a": raw_server_entry(record=str(record.path)), "b": raw_server_entry()}
        async with running(home, both, timeouts=timeouts) as servers:
            await servers.ready("a", "b")
            process = psutil.Process(servers["a"].status.pid)
            await until_pinged(record)
            process.suspend()
            status = await servers.until_state("a", ServerState.RECONNECTING)
            assert problem_of(status.problem).code is Code.SERVER_SILENT
            process.resume()
            await servers.ready("a")
            assert servers["a"].status.pid == process.pid
            assert servers.events.states("b") == [ServerState.STARTING, ServerState.READY]

    run(work())


@pytest.mark.skipif(sys.platform == "win32", reason="SIGSTOP")
def test_c30_a_server_that_stays_stopped_is_started_anew_unless_it_is_busy(home: Home, tmp_path: Path) -> None:
    records = {name: Record(tmp_path / name) for name in ("idle", "busy")}
    quick = ConnectionTimeouts(
        idle_interval=0.1, idle_timeout=0.1, restart_after=0.2, active_interval=0.1, active_timeout=0.1
    )
    timeouts = Timeouts(first_delay=0.05, connection=quick)

    async def work() -> None:
        entries = {name: raw_server_entry(record=str(record.path)) for name, record in records.items()}
        async with running(home, entries, timeouts=timeouts) as servers:
            await servers.ready("idle", "busy")
            pids = {name: servers[name].status.pid for name in records}
            for record in records.values():
                await until_pinged(record)
            call = asyncio.ensure_future(servers.raw_call("busy", "hang"))
            await asyncio.sleep(0)
            for pid in pids.values():
                psutil.Process(pid).suspend()
            await servers.until_state("idle", ServerState.RECONNECTING)
            await servers.ready("idle")
            assert servers["idle"].status.pid != pids["idle"]
            assert psutil.Process(pids["busy"]).status() == psutil.STATUS_STOPPED
            assert not call.done()
            psutil.Process(pids["busy"]).resume()
            call.cancel()
            await asyncio.gather(call, return_exceptions=True)

    run(work())


def test_a_server_that_ignores_pings_is_left_alone(home: Home, tmp_path: Path) -> None:
    record = Record(tmp_path / "record")
    timeouts = replace(QUICK, connection=ConnectionTimeouts(idle_interval=0.05, idle_timeout=0.05))

    async def work() -> None:
        silent = raw_server_entry(on={"ping": "hang"}, record=str(record.path))
        async with running(home, {"a": silent}, timeouts=timeouts) as servers:
            await servers.ready("a")
            await until(lambda: len(record.received("tools/list")) >= 4)  # once to be ready, then instead of a ping
            assert len(record.received("ping")) == 1
            assert servers.events.states("a") == [ServerState.STARTING, ServerState.READY]

    run(work())
