"""Every state that a connection can be in, how it gets there and out of it again."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import stat
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.servers.launch import Record, control, raw_server_entry
from tests.upstream.harness import PATIENCE, QUICK, Running, entry, run, running
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.servers import ServerState
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.child import may_download
from toolnote_desktop.proxy.liveness import ConnectionPace
from toolnote_desktop.proxy.peer import PeerClosed
from toolnote_desktop.proxy.supervision import Pace, delay_of, state_of
from toolnote_desktop.store.secrets import Place, SecretStore


def real_path(path: Path) -> str:
    """As a process sees its own folder."""
    return os.path.realpath(path)


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


@pytest.mark.skipif(sys.platform == "win32", reason="no execute bit")
def test_c40_what_cannot_be_started(home: Home, tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.write_text("#!/bin/sh\n")
    broken = tmp_path / "broken"
    broken.write_bytes(b"\x00\x01 not a program")
    broken.chmod(0o755)
    servers = {
        "not-executable": {"command": str(plain)},
        "no-format": {"command": str(broken)},
        "folder": {"command": str(tmp_path)},
        "no-folder": {**raw_server_entry(), "cwd": str(tmp_path / "nowhere")},
        "good": {**raw_server_entry(), "cwd": str(tmp_path)},
    }

    async def work() -> None:
        async with running(home, servers) as all_of_them:
            await all_of_them.ready("good")
            for server in ("not-executable", "no-format", "folder"):
                status = await all_of_them.until_state(server, ServerState.FAILED)
                assert problem_of(status.problem).code is Code.PROGRAM_NOT_STARTED
            status = await all_of_them.until_state("no-folder", ServerState.FAILED)
            assert problem_of(status.problem).code is Code.FOLDER_MISSING
            assert problem_of(status.problem).parameters["folder"] == str(tmp_path / "nowhere")
            assert json.loads(await all_of_them.text("good", "process"))["cwd"] == real_path(tmp_path)

    run(work())


def test_what_clients_asked_for_is_asked_again_after_a_crash(home: Home, tmp_path: Path) -> None:
    record = Record(tmp_path / "record")

    async def work() -> None:
        async with running(home, {"a": raw_server_entry(record=str(record.path))}) as servers:
            await servers.ready("a")
            for uri in ("test://one", "test://two"):
                await servers["a"].request("resources/subscribe", {"uri": uri})
            await servers["a"].request("resources/unsubscribe", {"uri": "test://two"})
            await servers["a"].request("logging/setLevel", {"level": "debug"})
            with pytest.raises(PeerClosed):
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
    pace = Pace(first_delay=0.05, most_delay=0.4, failures=3)

    async def work() -> None:
        bad = {"command": sys.executable, "args": ["-c", script]}
        async with running(home, {"bad": bad}, pace=pace) as servers:
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


def test_c31_a_server_that_only_computes_is_one_child_at_most(home: Home, tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    script = f"import time\nopen({str(starts)!r}, 'a').write(f'{{time.time()}}\\n')\nwhile True: pass  # computes\n"
    busy = {"command": sys.executable, "args": ["-c", script], "toolnote": {"startTimeout": 0.5}}
    pace = Pace(first_delay=0.05, most_delay=0.2, failures=2)

    def at_work() -> int:
        found = 0
        for child in psutil.Process().children(recursive=True):
            with contextlib.suppress(psutil.Error):
                found += child.status() != psutil.STATUS_ZOMBIE and "# computes" in " ".join(child.cmdline())
        return found

    async def work() -> None:
        most = 0
        async with running(home, {"busy": busy, "good": raw_server_entry()}, pace=pace) as servers:
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
    pace = Pace()
    exited = Problem(Code.SERVER_EXITED)
    for failures, middle in [(1, 0.5), (2, 1.0), (3, 2.0), (8, 60.0), (5000, 60.0)]:
        delays = {delay_of(exited, failures, pace) for _ in range(20)}
        assert len(delays) > 1
        assert all(delay is not None and middle * 0.75 <= delay <= middle * 1.25 for delay in delays)
    assert delay_of(Problem(Code.VALUE_MISSING), 1, pace) is None
    sign_in = [delay_of(Problem(Code.SERVER_SIGN_IN), n, pace) for n in range(1, 8)]
    assert sign_in == [60, 120, 240, 480, 960, None, None]
    assert [state_of(exited, n, pace) for n in (1, 2, 3)] == [
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


def test_a_missing_value_needs_the_user(home: Home) -> None:
    broken = {**raw_server_entry(), "env": {"TOKEN": "${TOOLNOTE_TEST_NO_SUCH_VARIABLE}"}}

    async def work() -> None:
        async with running(home, {"a": broken, "good": raw_server_entry()}) as servers:
            status = await servers.until_state("a", ServerState.NEEDS_VALUE)
            assert problem_of(status.problem) == Problem(
                Code.VALUE_MISSING,
                {"server": "a", "field": "env.TOKEN", "variable": "TOOLNOTE_TEST_NO_SUCH_VARIABLE"},
            )
            assert not await servers["a"].wait_ready(10)
            await servers.ready("good")
            servers.upstreams.apply({"a": entry(raw_server_entry()), "good": entry(raw_server_entry())})
            await servers.ready("a")

    run(work())


def test_c45_values_are_filled_in_at_launch(home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOLNOTE_TEST_FOLDER", str(tmp_path))
    raw = raw_server_entry()
    raw["args"] = [*raw["args"], "${TOOLNOTE_TEST_FOLDER}/x", "${env:NOT_THERE:-default}"]
    raw |= {"cwd": "${TOOLNOTE_TEST_FOLDER}", "env": {"KEY": "${secret:KEY}"}}

    store = SecretStore(home)
    store.write("a", "KEY", "a/KEY", place=Place.RUN)

    async def work() -> None:
        async with running(home, {"a": raw}, secrets=store) as servers:
            await servers.ready("a")
            process = json.loads(await servers.text("a", "process"))
            assert process["argv"][-2:] == [f"{tmp_path}/x", "default"]
            assert process["env"]["KEY"] == "a/KEY"
            assert process["cwd"] == real_path(tmp_path)

    run(work())


def test_the_childs_environment_is_chosen(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "a secret of the shell")
    monkeypatch.setenv("TOOLNOTE_TOKEN", "ours")
    monkeypatch.setenv("QT_PLUGIN_PATH", "/ours")
    monkeypatch.setenv("_PYI_ARCHIVE_FILE", "/ours")
    monkeypatch.setenv("PYTHONPATH", "/ours")

    async def work() -> None:
        async with running(home, {"a": {**raw_server_entry(), "env": {"MINE": "1"}}}) as servers:
            await servers.ready("a")
            environment = json.loads(await servers.text("a", "process"))["env"]
            assert environment["MINE"] == "1"
            assert environment["HOME"] == os.environ["HOME"]
            assert not {"GITHUB_TOKEN", "TOOLNOTE_TOKEN", "QT_PLUGIN_PATH", "_PYI_ARCHIVE_FILE"} & set(environment)
            assert environment.get("PYTHONPATH") is None

    run(work())


@pytest.mark.skipif(sys.platform == "win32", reason="a shebang")
def test_c43_a_programs_own_folder_is_on_its_path(home: Home, tmp_path: Path) -> None:
    server = raw_server_entry()
    interpreter = tmp_path / "fake-node"
    interpreter.write_text(f'#!/bin/sh\nshift\nexec "{server["command"]}" "$@"\n')
    launcher = tmp_path / "fake-npx"
    launcher.write_text("#!/usr/bin/env fake-node\n")
    for path in (interpreter, launcher):
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    async def work() -> None:
        async with running(home, {"a": {"command": str(launcher), "args": server["args"]}}) as servers:
            await servers.ready("a")
            path = json.loads(await servers.text("a", "process"))["env"]["PATH"]
            assert path.split(os.pathsep)[0] == str(tmp_path)

    run(work())


def test_c51_toolnote_is_no_server_of_its_own(home: Home) -> None:
    servers: dict[str, dict[str, Any]] = {
        "bridge": {"command": "toolnote", "args": ["bridge", "--client", "cursor"]},
        "module": {"command": sys.executable, "args": ["-m", "toolnote_desktop", "serve"]},
        "url": {"url": "http://localhost:8377/mcp/"},
        "ipv6": {"url": "http://[::1]:8377/mcp"},
    }

    async def work() -> None:
        async with running(home, servers, own_urls=("http://127.0.0.1:8377/mcp",)) as all_of_them:
            for server in servers:
                status = await all_of_them.until_state(server, ServerState.FAILED)
                assert problem_of(status.problem) == Problem(Code.SERVER_IS_TOOLNOTE, {"server": server})

    run(work())


@pytest.mark.parametrize(
    ("command", "downloads"), [("npx", True), ("/opt/bin/uvx", True), ("NPX.CMD", True), ("x", False)]
)
def test_what_may_have_to_be_fetched(command: str, downloads: bool) -> None:
    assert may_download(entry({"command": command})) is downloads


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script as npx")
def test_c69_a_download_has_time_and_is_not_started_over(home: Home, tmp_path: Path) -> None:
    """The slow one is late by every measure; it is shown as such, left to go on, and joins in the end."""
    record = Record(tmp_path / "record")
    server = raw_server_entry(on={"initialize": {"sleepMs": 800}}, record=str(record.path))
    npx = tmp_path / "npx"
    npx.write_text(f'#!/bin/sh\nexec "{server["command"]}" "$@"\n')
    npx.chmod(0o755)
    pace = Pace(start=0.1, download=0.2, patience=100.0)

    async def work() -> None:
        servers = {
            "npx": {"command": str(npx), "args": server["args"]},
            "plain": raw_server_entry(on={"initialize": {"sleepMs": 800}}),
            "fast": {**raw_server_entry(), "toolnote": {"startTimeout": 30}},
        }
        async with running(home, servers, pace=pace) as all_of_them:
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
            with pytest.raises(PeerClosed):
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
    pace = Pace(first_delay=3600.0, most_delay=3600.0, hurry_after=0.0)

    async def work() -> None:
        async with running(home, {"a": bad}, pace=pace) as servers:
            await servers.until_state("a", ServerState.RECONNECTING)
            flag.touch()
            assert await servers["a"].wait_ready(20)

    run(work())


def test_wait_ready_ends_with_its_time(home: Home) -> None:
    async def work() -> None:
        async with running(home, {"a": raw_server_entry(on={"initialize": "hang"})}) as servers:
            began = time.monotonic()
            assert not await servers["a"].wait_ready(0.05)
            assert time.monotonic() - began < 10

    run(work())


async def until_pinged(servers: Running, server: str) -> None:
    """Only a server that is known to answer pings is judged by one."""
    async with asyncio.timeout(PATIENCE):
        while not (connection := servers[server]._connection) or not connection.liveness._proven:
            await asyncio.sleep(0.01)


@pytest.mark.skipif(sys.platform == "win32", reason="SIGSTOP")
def test_c30_a_stopped_server_is_noticed_and_comes_back(home: Home) -> None:
    pace = Pace(first_delay=0.05, connection=ConnectionPace(ping_every=0.2, ping_answer=1.0))

    async def work() -> None:
        async with running(home, {"a": raw_server_entry(), "b": raw_server_entry()}, pace=pace) as servers:
            await servers.ready("a", "b")
            process = psutil.Process(servers["a"].status.pid)
            await until_pinged(servers, "a")
            process.suspend()
            status = await servers.until_state("a", ServerState.RECONNECTING)
            assert problem_of(status.problem).code is Code.SERVER_SILENT
            process.resume()
            await servers.ready("a")
            assert servers["a"].status.pid == process.pid
            assert servers.events.states("b") == [ServerState.STARTING, ServerState.READY]

    run(work())


@pytest.mark.skipif(sys.platform == "win32", reason="SIGSTOP")
def test_c30_a_server_that_stays_stopped_is_started_anew_unless_it_is_busy(home: Home) -> None:
    quick = ConnectionPace(ping_every=0.1, ping_answer=0.1, give_up=0.2, used_every=0.1, used_answer=0.1)
    pace = Pace(first_delay=0.05, connection=quick)

    async def work() -> None:
        async with running(home, {"idle": raw_server_entry(), "busy": raw_server_entry()}, pace=pace) as servers:
            await servers.ready("idle", "busy")
            pids = {name: servers[name].status.pid for name in ("idle", "busy")}
            for name in ("idle", "busy"):
                await until_pinged(servers, name)
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
    pace = Pace(**{**QUICK.__dict__, "connection": ConnectionPace(ping_every=0.05, ping_answer=0.05)})

    async def work() -> None:
        silent = raw_server_entry(on={"ping": "hang"}, record=str(record.path))
        async with running(home, {"a": silent}, pace=pace) as servers:
            await servers.ready("a")
            async with asyncio.timeout(PATIENCE):
                while len(record.received("tools/list")) < 4:  # once to be ready, and then instead of a ping
                    await asyncio.sleep(0.01)
            assert len(record.received("ping")) == 1
            assert servers.events.states("a") == [ServerState.STARTING, ServerState.READY]

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
        assert isinstance((await asyncio.gather(call, return_exceptions=True))[0], PeerClosed)
        return time.monotonic() - began

    assert run(work()) < 5
