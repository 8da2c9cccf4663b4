"""Nothing of a server is left: after a stop, after a kill of the app, after whatever its processes do against it."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.servers.launch import Record, raw_server_entry
from tests.upstream.harness import run, running
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.child import Pace as ChildPace
from toolnote_desktop.system.children import ChildRecord, end_leftovers

posix = pytest.mark.skipif(sys.platform == "win32", reason="signals and process groups")

BRIEF = ChildPace(after_eof=0.3, after_terminate=0.3, after_kill=5.0)


def wait_for_file(path: Path) -> int:
    """The process id in a file, once it is there."""
    deadline = time.monotonic() + 20
    while not path.exists() or not path.read_text():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return int(path.read_text())


def is_gone(pid: int, timeout: float = 10.0) -> bool:
    """Whether a process ends within ``timeout`` seconds (or is a zombie that nobody waits for)."""
    deadline = time.monotonic() + timeout
    while time.monotonic() < deadline:
        try:
            if psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        time.sleep(0.01)
    return False


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
        async with running(home, {"a": entry}, child_pace=ChildPace(after_eof=0.2)) as servers:
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
        async with running(home, {"a": entry}, child_pace=BRIEF) as servers:
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
        async with running(home, {"a": entry}, child_pace=BRIEF) as servers:
            await servers.ready("a")
            return await asyncio.to_thread(wait_for_file, pid_file)

    assert is_gone(run(work()), 0.5)


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
        async with running(home, {"a": entry}, child_pace=BRIEF) as servers:
            await servers.ready("a")
            assert is_gone(wait_for_file(pid_file), 1.0)

    run(work())


APP = """
import asyncio, json, sys
from tests.upstream.harness import running
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
        [sys.executable, "-c", APP, json.dumps(entries)], stdout=subprocess.PIPE, cwd=Path(__file__).parents[2]
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
    wait_for_file_content(home.children, len(pids))
    app.kill()
    app.wait()
    for pid in (*pids.values(), grandchild):
        assert is_gone(pid, 10)
    assert end_leftovers(home) == ()
    assert not home.children.exists()


def wait_for_file_content(path: Path, count: int) -> None:
    deadline = time.monotonic() + 20
    while not path.exists() or len(json.loads(path.read_text())["children"]) < count:
        assert time.monotonic() < deadline
        time.sleep(0.01)


@posix
def test_the_next_start_ends_what_is_left_all_the_same(home: Home, tmp_path: Path) -> None:
    """The guard was killed too (as by a cgroup's memory limit): what is on record is ended, by id and start time."""
    pid_file = tmp_path / "pid"
    stubborn = raw_server_entry(
        ignoreEof=True, ignoreSigterm=True, grandchild={"pidFile": str(pid_file), "ignoreSigterm": True}
    )
    app, pids = start_app({"stubborn": stubborn})
    grandchild = wait_for_file(pid_file)
    wait_for_file_content(home.children, 1)
    assert end_leftovers(home) == ()  # its owner lives: hands off
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
    assert not home.children.exists()


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
        record = json.loads(home.children.read_text())
        leader.kill()
        leader.wait()
    record["owner"]["startTime"] -= 1000  # the app that wrote this is no more
    home.children.write_text(json.dumps(record))
    assert end_leftovers(home) == (leader.pid,)
    assert is_gone(survivor)


def test_a_process_that_only_has_the_same_id_is_left_alone(home: Home) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, start_new_session=True) as other:
        ChildRecord(home).add(other.pid, "a")
        record = json.loads(home.children.read_text())
        record["owner"]["startTime"] -= 1000
        record["children"][0]["startTime"] -= 1000
        home.children.write_text(json.dumps(record))
        assert end_leftovers(home) == ()
        assert other.poll() is None
        assert not home.children.exists()
        other.kill()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"owner":{},"children":[]}', '{"owner":{"pid":1},"children":7}'])
def test_a_record_that_cannot_be_read_is_put_away(home: Home, text: str) -> None:
    home.run.mkdir()
    home.children.write_text(text)
    assert end_leftovers(home) == ()
    assert not home.children.exists()


@posix
def test_the_record_is_private_and_says_what_runs(home: Home) -> None:
    async def work() -> None:
        async with running(home, {"a": raw_server_entry(), "b": raw_server_entry()}) as servers:
            await servers.ready("a", "b")
            await asyncio.to_thread(wait_for_file_content, home.children, 2)
            content = json.loads(home.children.read_text())
            assert {child["server"]: child["pid"] for child in content["children"]} == {
                name: servers[name].status.pid for name in "ab"
            }
            assert content["owner"]["pid"] == os.getpid()
            assert home.children.stat().st_mode & 0o777 == 0o600

    run(work())
    assert not home.children.exists()


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
