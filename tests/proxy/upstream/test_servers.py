"""Servers that are added, changed, awaited and removed while others work."""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path

import psutil
import pytest

from tests.proxy.upstream.harness import entry, run, running
from tests.servers.launch import Record, raw_server_entry
from toolnote_desktop.model.servers import ServerState
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.transports.base import TransportClosed
from toolnote_desktop.proxy.upstream.retry_policy import Timeouts


def test_apply_touches_only_what_changed(home: Home) -> None:
    first, second = raw_server_entry(), raw_server_entry(name="second")

    async def work() -> None:
        async with running(home, {"a": first, "b": first, "c": first}) as servers:
            await servers.ready("a", "b", "c")
            pids = {name: servers[name].status.pid for name in "abc"}
            changed = {
                "b": entry({**first, "timeout": 5, "toolnote": {"prefix": "x"}}),
                "c": entry({**first, "disabled": True}),
                "d": entry(second),
            }
            servers.upstreams.apply(changed)
            await servers.ready("d")
            await servers.until_state("c", ServerState.DISABLED)
            assert servers.upstreams.get("a") is None
            assert servers["b"].status.pid == pids["b"]
            assert servers["d"].status.server_info["name"] == "second"
            servers.upstreams.apply({**changed, "c": entry(first), "a": entry(first)})
            await servers.ready("a", "c")
            assert servers["a"].status.pid != pids["a"]
            assert not [pid for pid in (pids["a"], pids["c"]) if psutil.pid_exists(pid or 0)]

    run(work())


def test_restart_is_at_once_and_leaves_nothing(home: Home) -> None:
    async def work() -> None:
        async with running(home, {"a": raw_server_entry()}) as servers:
            await servers.ready("a")
            pid = servers["a"].status.pid
            call = asyncio.ensure_future(servers.raw_call("a", "hang"))
            await asyncio.sleep(0)
            servers.upstreams.restart("a")
            with pytest.raises(TransportClosed):
                await call
            await servers.until_state("a", ServerState.STARTING)
            await servers.ready("a")
            assert servers["a"].status.pid != pid

    run(work())


def test_removing_and_adding_a_server_waits_for_the_old_process(home: Home, tmp_path: Path) -> None:
    record = Record(tmp_path / "record")
    stubborn = raw_server_entry(ignoreEof=True, record=str(record.path))

    async def work() -> None:
        async with running(home, {"a": stubborn}) as servers:
            await servers.ready("a")
            old = servers["a"].status.pid
            servers.upstreams.apply({})
            servers.upstreams.apply({"a": entry(stubborn)})
            await servers.ready("a")
            assert not psutil.pid_exists(old or 0)

    run(work())


def test_c24_servers_come_and_go_in_any_order_during_calls(home: Home) -> None:
    async def work() -> None:
        both = {name: entry(raw_server_entry()) for name in "abc"}
        async with running(home, {name: raw_server_entry() for name in "abc"}) as servers:
            await servers.ready("a", "b", "c")
            calls = [servers.text("bc"[n % 2], "sleep_ms", ms=20) for n in range(20)]
            gathered = asyncio.gather(*calls)
            servers.upstreams.apply({name: both[name] for name in "bc"})
            assert await gathered == ["slept"] * 20

    run(work())


def test_wait_ready_hurries_a_server_that_waits_for_its_next_try(home: Home, tmp_path: Path) -> None:
    flag = tmp_path / "flag"
    server = raw_server_entry()
    script = f"import os, sys\nif not os.path.exists({str(flag)!r}): sys.exit(1)\nos.execv(sys.argv[1], sys.argv[1:])\n"
    bad = {"command": sys.executable, "args": ["-c", script, server["command"], *server["args"]]}
    timeouts = Timeouts(first_delay=3600.0, max_delay=3600.0, retry_on_demand_after=0.0)

    async def work() -> None:
        async with running(home, {"a": bad}, timeouts=timeouts) as servers:
            await servers.until_state("a", ServerState.RECONNECTING)
            flag.touch()
            assert await servers["a"].wait_ready(20)

    run(work())


def test_wait_ready_ends_with_its_time(home: Home) -> None:
    async def work() -> None:
        async with running(home, {"a": raw_server_entry(on={"initialize": "hang"})}) as servers:
            assert not await servers["a"].wait_ready(0.05)

    run(work())


def test_c67_quitting_while_a_server_hangs_and_a_call_runs(home: Home) -> None:
    async def work() -> float:
        servers = {
            "hangs": raw_server_entry(on={"initialize": "hang"}, ignoreSigterm=True, ignoreEof=True),
            "runs": raw_server_entry(),
        }
        async with running(home, servers) as both:
            await both.ready("runs")
            call = asyncio.ensure_future(both.raw_call("runs", "hang"))
            await asyncio.sleep(0)
            began = time.monotonic()
        assert isinstance((await asyncio.gather(call, return_exceptions=True))[0], TransportClosed)
        return time.monotonic() - began

    assert run(work()) < 5
