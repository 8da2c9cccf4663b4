"""Cleanup of server processes: after a stop, after a kill of the app, and against uncooperative processes."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.proxy.upstream.harness import run, running
from tests.servers.launch import Record, control, raw_server_entry
from tests.waiting import is_gone, wait_until
from toolnote_desktop.model.servers import ServerState
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.transports.child_process import ProcessTimeouts
from toolnote_desktop.system.children import ChildRecord, stop_leftovers

posix = pytest.mark.skipif(sys.platform == "win32", reason="signals and process groups")

BRIEF = ProcessTimeouts(after_eof=0.3, after_terminate=0.3, after_kill=5.0)


def wait_for_file(path: Path) -> int:
    """Return the process id in a file, once it is there."""
    return int(wait_until(lambda: path.exists() and path.read_text()))


@posix
def test_a_polite_server_gets_the_end_of_its_input_and_no_signal(home: Home, tmp_path: Path) -> None:
    record = Record(tmp_path / "record")

    async def work() -> None:
        async with running(home, {"a": raw_server_entry(record=str(record.path))}) as servers:
            await servers.ready("a")

    run(work())
    assert record.events("eof")
    assert not record.events("signal")


@posix
def test_a_server_that_ignores_the_end_of_its_input_is_asked(home: Home, tmp_path: Path) -> None:
    record = Record(tmp_path / "record")

    async def work() -> None:
        entry = raw_server_entry(record=str(record.path), ignoreEof=True)
        async with running(home, {"a": entry}, process_timeouts=ProcessTimeouts(after_eof=0.2)) as servers:
            await servers.ready("a")

    run(work())
    assert record.events("signal")


@posix
@pytest.mark.parametrize("deaf", [True, False])
def test_the_last_grandchild_is_ended(home: Home, tmp_path: Path, deaf: bool) -> None:
    pid_file = tmp_path / "pid"
    entry = raw_server_entry(
        grandchild={"pidFile": str(pid_file), "ignoreSigterm": deaf}, ignoreSigterm=deaf, ignoreEof=deaf
    )

    async def work() -> int:
        async with running(home, {"a": entry}, process_timeouts=BRIEF) as servers:
            await servers.ready("a")
            grandchild = await asyncio.to_thread(wait_for_file, pid_file)
            assert psutil.pid_exists(grandchild)
            return grandchild

    assert is_gone(run(work()), 0.5)


@posix
def test_a_grandchild_that_left_the_group_is_ended(home: Home, tmp_path: Path) -> None:
    """Told by its parent while that lived; it leads a session of its own and ignores being asked."""
    pid_file, server = tmp_path / "pid", raw_server_entry()
    stray = (
        "import os, signal, time\n"
        "os.setsid()\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        f"open({str(pid_file)!r}, 'w').write(str(os.getpid()))\n"
        "time.sleep(600)\n"
    )
    wrapper = (
        "import subprocess, sys\n"
        f"subprocess.Popen([sys.executable, '-c', {stray!r}], stdin=subprocess.DEVNULL)\n"
        "sys.exit(subprocess.call(sys.argv[1:]))\n"
    )
    entry = {"command": sys.executable, "args": ["-c", wrapper, server["command"], *server["args"]]}

    async def work() -> int:
        async with running(home, {"a": entry}, process_timeouts=BRIEF) as servers:
            await servers.ready("a")
            return await asyncio.to_thread(wait_for_file, pid_file)

    assert is_gone(run(work()), 0.5)


def with_a_stray(pid_file: Path, server: dict[str, Any]) -> dict[str, Any]:
    """A server whose launcher starts a process in a session of its own, which ignores being asked to end."""
    stray = (
        "import os, signal, time\n"
        "os.setsid()\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        f"open({str(pid_file)!r}, 'w').write(str(os.getpid()))\n"
        "time.sleep(600)\n"
    )
    wrapper = (
        "import os, subprocess, sys\n"
        f"subprocess.Popen([sys.executable, '-c', {stray!r}], stdin=subprocess.DEVNULL)\n"
        "os.execv(sys.argv[1], sys.argv[1:])\n"
    )
    return {"command": sys.executable, "args": ["-c", wrapper, server["command"], *server["args"]]}


@posix
def test_process_outside_the_group_of_a_crashed_server_is_ended(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was looked at while the server lived, once soon after the start and now and then."""
    monkeypatch.setattr("toolnote_desktop.proxy.transports.child_process.SCAN_AFTER_START", 0.05)
    monkeypatch.setattr("toolnote_desktop.proxy.transports.child_process.SCAN_INTERVAL", 0.2)
    pid_file, path = tmp_path / "pid", tmp_path / "control"

    async def work() -> None:
        entry = with_a_stray(pid_file, raw_server_entry(control=str(path)))
        async with running(home, {"a": entry}, process_timeouts=BRIEF) as servers:
            await servers.ready("a")
            stray = await asyncio.to_thread(wait_for_file, pid_file)
            await asyncio.to_thread(wait_until, lambda: any(child["strays"] for child in children_on_record(home)))
            assert [one["pid"] for one in record_of(home)["children"][0]["strays"]] == [stray]
            control(path, "exit 7")
            await servers.until_state("a", ServerState.RECONNECTING)
            assert await asyncio.to_thread(is_gone, stray)

    run(work())
    assert no_record(home)


@posix
@pytest.mark.parametrize("guard_lives", [True, False])
def test_after_kill_9_of_the_app_strays_are_ended_too(home: Home, tmp_path: Path, guard_lives: bool) -> None:
    pid_file = tmp_path / "pid"
    app, pids = start_app({"a": with_a_stray(pid_file, raw_server_entry())})
    stray = wait_for_file(pid_file)
    wait_until(lambda: any(child["strays"] for child in children_on_record(home)))
    if not guard_lives:
        for child in psutil.Process(app.pid).children():
            if child.pid not in pids.values():
                child.kill()
    app.kill()
    app.wait()
    if not guard_lives:
        assert is_gone(pids["a"])  # its input has ended
        assert psutil.pid_exists(stray)
        assert stop_leftovers(home) == (pids["a"],)
    assert is_gone(stray)
    stop_leftovers(home)
    assert no_record(home)


@posix
def test_several_owners_each_end_only_what_a_dead_one_left(home: Home, tmp_path: Path) -> None:
    """``toolnote servers test`` beside a running app, say: it is killed, and the app's servers live on."""
    stubborn = raw_server_entry(ignoreEof=True, ignoreSigterm=True)
    app, pids = start_app({"app": raw_server_entry()})
    beside, theirs = start_app({"beside": stubborn})
    wait_until(lambda: len(list(home.children.glob("*.json"))) == 2)
    assert stop_leftovers(home) == ()
    for guard in psutil.Process(beside.pid).children():
        if guard.pid not in theirs.values():
            guard.kill()
    beside.kill()
    beside.wait()
    assert psutil.pid_exists(theirs["beside"])
    assert stop_leftovers(home) == (theirs["beside"],)
    assert is_gone(theirs["beside"])
    assert psutil.pid_exists(pids["app"])
    assert [child["pid"] for child in record_of(home)["children"]] == [pids["app"]]
    app.kill()
    app.wait()
    assert is_gone(pids["app"])


@posix
def test_a_grandchild_that_holds_the_pipes_does_not_hold_us(home: Home, tmp_path: Path) -> None:
    """The server dies, its grandchild keeps stdout open: that is noticed, the grandchild ended, the server started."""
    pid_file = tmp_path / "pid"
    holder = f"import os, time; open({str(pid_file)!r}, 'w').write(str(os.getpid())); time.sleep(600)"
    server = raw_server_entry()
    script = (
        "import os, subprocess, sys\n"
        f"flag = {str(tmp_path / 'flag')!r}\n"
        "if not os.path.exists(flag):\n"
        "    open(flag, 'w').close()\n"
        f"    subprocess.Popen([sys.executable, '-c', {holder!r}])\n"
        f"    while not os.path.exists({str(pid_file)!r}): pass\n"
        "    sys.exit(3)\n"
        "os.execv(sys.argv[1], sys.argv[1:])\n"
    )
    entry = {"command": sys.executable, "args": ["-c", script, server["command"], *server["args"]]}

    async def work() -> None:
        async with running(home, {"a": entry}, process_timeouts=BRIEF) as servers:
            await servers.ready("a")
            assert is_gone(wait_for_file(pid_file), 1.0)

    run(work())


APP = """
import asyncio, json, sys
from tests.proxy.upstream.harness import running
from toolnote_desktop.paths import home_folder

async def main():
    async with running(home_folder(), json.loads(sys.argv[1])) as servers:
        await servers.ready(*json.loads(sys.argv[1]))
        pids = {name: servers[name].status.pid for name in json.loads(sys.argv[1])}
        print(json.dumps(pids), flush=True)
        await asyncio.get_running_loop().create_future()

asyncio.run(main())
"""


def start_app(entries: dict[str, Any]) -> tuple[subprocess.Popen[bytes], dict[str, int]]:
    """Another process with its own supervision, to be killed."""
    app = subprocess.Popen(
        [sys.executable, "-c", APP, json.dumps(entries)], stdout=subprocess.PIPE, cwd=Path(__file__).parents[3]
    )
    assert app.stdout is not None
    line = app.stdout.readline()
    app.stdout.close()
    assert line, app.wait()
    return app, json.loads(line)


@posix
def test_after_kill_9_of_the_app_nothing_runs_on(home: Home, tmp_path: Path) -> None:
    """Not even what ignores the end of its input and being asked, nor what it started."""
    pid_file = tmp_path / "pid"
    stubborn = raw_server_entry(
        ignoreEof=True, ignoreSigterm=True, grandchild={"pidFile": str(pid_file), "ignoreSigterm": True}
    )
    app, pids = start_app({"stubborn": stubborn, "polite": raw_server_entry()})
    grandchild = wait_for_file(pid_file)
    wait_for_record(home, len(pids))
    app.kill()
    app.wait()
    for pid in (*pids.values(), grandchild):
        assert is_gone(pid, 10)
    assert stop_leftovers(home) == ()
    assert no_record(home)


def record_of(home: Home) -> dict[str, Any]:
    """The only record."""
    (path,) = home.children.glob("*.json")
    content: dict[str, Any] = json.loads(path.read_text())
    return content


def put_record(home: Home, content: dict[str, Any]) -> None:
    """Change the only record."""
    (path,) = home.children.glob("*.json")
    path.write_text(json.dumps(content))


def no_record(home: Home) -> bool:
    """Whether nothing is on record."""
    return not list(home.children.glob("*"))


def wait_for_record(home: Home, count: int) -> None:
    """Wait until a number of children are on record."""
    wait_until(lambda: len(children_on_record(home)) >= count)


def children_on_record(home: Home) -> list[dict[str, Any]]:
    """Return the only record's children; empty while there is none, or it cannot be read."""
    try:
        return list(record_of(home)["children"])
    except (OSError, ValueError):  # also a record that is not the only one
        return []


@posix
def test_the_next_start_ends_what_is_left_all_the_same(home: Home, tmp_path: Path) -> None:
    """The guard was killed too (as by a cgroup's memory limit): what is on record is ended, by id and start time."""
    pid_file = tmp_path / "pid"
    stubborn = raw_server_entry(
        ignoreEof=True, ignoreSigterm=True, grandchild={"pidFile": str(pid_file), "ignoreSigterm": True}
    )
    app, pids = start_app({"stubborn": stubborn})
    grandchild = wait_for_file(pid_file)
    wait_for_record(home, 1)
    assert stop_leftovers(home) == ()  # its owner lives: hands off
    assert psutil.pid_exists(pids["stubborn"])
    guard = [child for child in psutil.Process(app.pid).children() if child.pid not in pids.values()]
    for process in (*guard, psutil.Process(app.pid)):
        process.kill()
    app.wait()
    assert psutil.pid_exists(pids["stubborn"])

    async def work() -> None:
        async with running(home, {"b": raw_server_entry()}) as servers:
            await servers.ready("b")
            assert is_gone(pids["stubborn"], 0.5)
            assert is_gone(grandchild, 0.5)

    run(work())
    assert no_record(home)


@posix
def test_survivors_of_a_group_whose_leader_is_gone_are_ended(home: Home) -> None:
    script = (
        "import subprocess, sys; p = subprocess.Popen(['sleep', '600']); print(p.pid, flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
    ) as leader:
        assert leader.stdout is not None
        survivor = int(leader.stdout.readline())
        ChildRecord(home).add(leader.pid, "a")
        record = record_of(home)
        leader.kill()
        leader.wait()
    record["owner"]["startTime"] -= 1000  # the app that wrote this is no more
    put_record(home, record)
    assert stop_leftovers(home) == (leader.pid,)
    assert is_gone(survivor)


def test_a_process_that_only_has_the_same_id_is_left_alone(home: Home) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, start_new_session=True) as other:
        ChildRecord(home).add(other.pid, "a")
        record = record_of(home)
        record["owner"]["startTime"] -= 1000
        record["children"][0]["startTime"] -= 1000
        put_record(home, record)
        assert stop_leftovers(home) == ()
        assert other.poll() is None
        assert no_record(home)
        other.kill()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"owner":{},"children":[]}', '{"owner":{"pid":1},"children":7}'])
def test_a_record_that_cannot_be_read_is_put_away(home: Home, text: str) -> None:
    home.children.mkdir(parents=True)
    (home.children / "1-1.json").write_text(text)
    assert stop_leftovers(home) == ()
    assert no_record(home)


@posix
def test_the_record_is_private_and_says_what_runs(home: Home) -> None:
    async def work() -> None:
        async with running(home, {"a": raw_server_entry(), "b": raw_server_entry()}) as servers:
            await servers.ready("a", "b")
            await asyncio.to_thread(wait_for_record, home, 2)
            content = record_of(home)
            assert {child["server"]: child["pid"] for child in content["children"]} == {
                name: servers[name].status.pid for name in "ab"
            }
            assert content["owner"]["pid"] == os.getpid()
            (path,) = home.children.glob("*.json")
            assert path.stat().st_mode & 0o777 == 0o600

    run(work())
    assert no_record(home)


@posix
def test_ctrl_c_in_the_terminal_reaches_no_server(home: Home) -> None:
    async def work() -> None:
        async with running(home, {"a": raw_server_entry()}) as servers:
            await servers.ready("a")
            pid = servers["a"].status.pid
            assert pid is not None
            assert os.getpgid(pid) == pid != os.getpgid(0)
            assert os.getsid(pid) == pid
            assert signal.getsignal(signal.SIGCHLD) in (signal.SIG_DFL, None)

    run(work())
