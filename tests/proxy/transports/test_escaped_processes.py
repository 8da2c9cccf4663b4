"""Processes of servers that became daemons, and those that are none of a server's: issue 15 item 6, M6, U13, U16.

Seen red: without ``set_subreaper``, without either mark (`inherited_limit` for the cleared environment), without the
search for marks in ``stop_leftovers``, without ``_is_users_browser``, and with uvloop's ``subprocess_exec``.
"""

from __future__ import annotations

import asyncio
import ctypes
import json
import os
import signal
import subprocess
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import psutil
import pytest
from msgspec.structs import replace

from tests.proxy.transports.test_process_cleanup import start_app
from tests.proxy.upstream.harness import QUICK, run, running
from tests.proxy.upstream.harness import entry as parsed
from tests.servers.launch import control, raw_server_entry
from tests.waiting import is_gone, wait_until
from toolnote_desktop.error_messages import english
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.servers import ServerState
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.thread import _new_loop
from toolnote_desktop.proxy.transports.child_process import ProcessTimeouts
from toolnote_desktop.system.children import stop_leftovers
from toolnote_desktop.system.process_marks import VARIABLE

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="child subreaper, /proc")

BRIEF = ProcessTimeouts(after_eof=0.3, after_terminate=0.3, after_kill=5.0)

DAEMON = """
import os, sys
if os.fork() == 0:
    os.setsid()
    if os.fork() > 0:
        os._exit(0)
    os.closerange(0, 64)
    fd = os.open(sys.argv[1] + ".new", os.O_CREAT | os.O_WRONLY)
    os.write(fd, str(os.getpid()).encode())
    os.close(fd)
    os.rename(sys.argv[1] + ".new", sys.argv[1])
    os.execve("/bin/sleep", ["sleep", "600"], {} if sys.argv[2] == "cleared" else dict(os.environ))
os.wait()
"""


def with_daemon(pid_file: Path, environment: str, server: dict[str, Any]) -> dict[str, Any]:
    """Return an entry that starts a daemon (two forks, ``setsid``, all files closed) and then the server."""
    wrapper = (
        "import os, subprocess, sys\n"
        f"subprocess.call([sys.executable, '-c', {DAEMON!r}, {str(pid_file)!r}, {environment!r}])\n"
        "os.execv(sys.argv[1], sys.argv[1:])\n"
    )
    return {"command": sys.executable, "args": ["-c", wrapper, server["command"], *server["args"]]}


def run_as_the_app_does(work: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine on the loop of the app, uvloop's where there is one."""
    with asyncio.Runner(loop_factory=_new_loop) as runner:
        runner.run(work)


def pid_in(path: Path) -> int:
    """Return the process id in a file, once it is there."""
    return int(wait_until(lambda: path.exists() and path.read_text()))


@pytest.mark.parametrize("environment", ["kept", "cleared"])
@pytest.mark.parametrize("how", ["stop", "disable", "crash"])
def test_daemon_of_a_server_is_ended_with_it(home: Home, tmp_path: Path, environment: str, how: str) -> None:
    pid_file, path = tmp_path / "pid", tmp_path / "control"
    entry = with_daemon(pid_file, environment, raw_server_entry(control=str(path)))

    async def work() -> int:
        async with running(home, {"a": entry}, process_timeouts=BRIEF) as servers:
            await servers.ready("a")
            daemon = await asyncio.to_thread(pid_in, pid_file)
            assert psutil.Process(daemon).ppid() == os.getpid()
            if how == "crash":
                entry["args"] = raw_server_entry()["args"]
                control(path, "exit 7")
                await servers.until_state("a", ServerState.RECONNECTING)
                assert await asyncio.to_thread(is_gone, daemon)
            if how == "disable":
                servers.upstreams.apply({"a": parsed({**entry, "disabled": True})})
                assert await asyncio.to_thread(is_gone, daemon)
            return daemon

    assert is_gone(run(work()), 0.5)


@pytest.mark.parametrize("environment", ["kept", "cleared"])
@pytest.mark.parametrize("recorded", [True, False])
def test_next_start_ends_daemons_that_a_killed_app_left(
    home: Home, tmp_path: Path, environment: str, recorded: bool
) -> None:
    """The guardian is killed too: without it, and without a record, the mark alone is enough."""
    pid_file = tmp_path / "pid"
    app, pids = start_app({"a": with_daemon(pid_file, environment, raw_server_entry())})
    daemon = pid_in(pid_file)
    wait_until(lambda: list(home.children.glob("*.json")))
    stop_leftovers(home)
    assert psutil.pid_exists(daemon)  # its owner lives
    for child in psutil.Process(app.pid).children():
        if child.pid not in (pids["a"], daemon):
            child.kill()
    app.kill()
    app.wait()
    assert is_gone(pids["a"])  # its input has ended
    assert psutil.pid_exists(daemon)
    if not recorded:
        for record in home.children.glob("*.json"):
            record.unlink()
    stop_leftovers(home)
    assert is_gone(daemon)


def fake_program(folder: Path, name: str, pid_file: Path) -> Path:
    """Return a program of this name that writes its process id and runs on."""
    program = folder / name
    program.write_text(
        f"#!/bin/sh\necho $$ > {pid_file}.new\nmv {pid_file}.new {pid_file}\nwhile :; do sleep 1; done\n"
    )
    program.chmod(0o755)
    return program


@pytest.mark.parametrize("new_session", [True, False])
@pytest.mark.parametrize(
    ("name", "option", "spared"),
    [
        ("firefox", "https://example.org/", True),
        ("xdg-open", "https://example.org/", True),
        ("chromium", "--remote-debugging-port=0", False),
        ("helper", "https://example.org/", False),
    ],
)
def test_browser_that_a_server_opened_is_let_go(
    home: Home, tmp_path: Path, name: str, option: str, spared: bool, new_session: bool
) -> None:
    """One that it started to control it is its own, as any other program."""
    pid_file = tmp_path / "pid"
    program = fake_program(tmp_path, name, pid_file)
    server = raw_server_entry()
    wrapper = (
        "import os, subprocess, sys\n"
        f"subprocess.Popen([{str(program)!r}, {option!r}], start_new_session={new_session}, stdin=subprocess.DEVNULL,\n"
        "                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)\n"
        "os.execv(sys.argv[1], sys.argv[1:])\n"
    )
    entry = {"command": sys.executable, "args": ["-c", wrapper, server["command"], *server["args"]]}

    async def work() -> tuple[int, int]:
        async with running(home, {"a": entry}, process_timeouts=BRIEF) as servers:
            await servers.ready("a")
            server_pid = servers["a"].status.pid
            assert server_pid is not None
            return await asyncio.to_thread(pid_in, pid_file), server_pid

    opened, server_pid = run(work())
    assert is_gone(server_pid, 0.5)
    if spared:
        process = psutil.Process(opened)
        assert process.is_running()
        process.kill()
        assert is_gone(opened)
    else:
        assert is_gone(opened, 0.5)


def test_process_that_toolnote_opened_is_let_go(home: Home, tmp_path: Path) -> None:
    """A program that was opened for the user and became a daemon is adopted as well, and ended by nothing."""
    pid_file = tmp_path / "pid"

    async def work() -> int:
        async with running(home, {"a": raw_server_entry()}, process_timeouts=BRIEF) as servers:
            await servers.ready("a")
            subprocess.run([sys.executable, "-c", DAEMON, str(pid_file), "kept"], check=True)  # noqa: ASYNC221
            daemon = await asyncio.to_thread(pid_in, pid_file)
            assert psutil.Process(daemon).ppid() == os.getpid()
            return daemon

    daemon = psutil.Process(run(work()))
    assert daemon.is_running()
    stop_leftovers(home)
    assert daemon.is_running()
    daemon.kill()
    assert is_gone(daemon.pid)


def subreaper() -> bool:
    found = ctypes.c_int()
    assert ctypes.CDLL(None).prctl(37, ctypes.byref(found), 0, 0, 0) == 0  # PR_GET_CHILD_SUBREAPER
    return bool(found.value)


def test_process_that_toolnote_opened_is_reaped_when_it_has_ended(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also when no server is left. Seen red without ``_has_orphans``: it stayed a zombie."""
    monkeypatch.setattr("toolnote_desktop.proxy.transports.child_process.SCAN_AFTER_START", 0.05)
    monkeypatch.setattr("toolnote_desktop.proxy.transports.child_process.SCAN_INTERVAL", 0.1)
    monkeypatch.setattr("toolnote_desktop.system.process_tree._REAP_AFTER", 0.2)
    pid_file = tmp_path / "pid"
    entry = raw_server_entry()

    async def work() -> None:
        async with running(home, {"a": entry}, process_timeouts=BRIEF) as servers:
            await servers.ready("a")
            assert subreaper()
            subprocess.run([sys.executable, "-c", DAEMON, str(pid_file), "kept"], check=True)  # noqa: ASYNC221
            daemon = await asyncio.to_thread(pid_in, pid_file)
            servers.upstreams.apply({"a": parsed({**entry, "disabled": True})})
            await servers.until_state("a", ServerState.DISABLED)
            await asyncio.to_thread(wait_until, lambda: not subreaper())
            os.kill(daemon, signal.SIGKILL)
            await asyncio.to_thread(wait_until, lambda: not psutil.pid_exists(daemon))

    run(work())


def test_orphans_are_inits_where_no_server_runs(home: Home) -> None:
    """An app with HTTP servers alone adopts nothing. Seen red with the subreaper for the whole process."""

    async def work() -> None:
        async with running(home, {"a": {"url": "http://127.0.0.1:9/mcp"}}) as servers:
            await servers.until_state("a", ServerState.RECONNECTING, ServerState.FAILED)
            assert not subreaper()

    run(work())


def test_child_has_three_open_files_and_no_variable_named_after_toolnote(home: Home, tmp_path: Path) -> None:
    """On the loop of the app: uvloop's own ``subprocess_exec`` gave a child its sockets twice (U13)."""
    found = tmp_path / "found"
    server = raw_server_entry()
    wrapper = (
        "import json, os, sys\n"
        "files = [int(fd) for fd in os.listdir('/proc/self/fd') if os.path.exists('/proc/self/fd/' + fd)]\n"
        f"json.dump([sorted(files), dict(os.environ)], open({str(found)!r}, 'w'))\n"
        "os.execv(sys.argv[1], sys.argv[1:])\n"
    )

    async def work() -> None:
        entry = {"command": sys.executable, "args": ["-c", wrapper, server["command"], *server["args"]]}
        async with running(home, {"a": entry}) as servers:
            await servers.ready("a")

    run_as_the_app_does(work())
    files, environment = json.loads(found.read_text())
    assert files == [0, 1, 2]
    assert not [name for name in environment if name.upper().startswith("TOOLNOTE")]
    assert VARIABLE in environment


def test_server_that_closes_its_output_and_runs_on_is_started_again(home: Home, tmp_path: Path) -> None:
    """Its call ends: with a second copy of the pipe its end was never noticed."""
    flag = tmp_path / "flag"
    script = (
        "import json, os, sys, time\n"
        "def answer(message):\n"
        "    method = message['method']\n"
        "    if method == 'initialize':\n"
        "        return {'protocolVersion': '2025-06-18', 'capabilities': {'tools': {}},\n"
        "                'serverInfo': {'name': 'x', 'version': '1'}}\n"
        "    return {'tools': [{'name': 't', 'inputSchema': {'type': 'object'}}]} if method == 'tools/list' else {}\n"
        "for line in sys.stdin:\n"
        "    message = json.loads(line)\n"
        "    if message.get('method') == 'tools/list' and not os.path.exists(sys.argv[1]):\n"
        "        open(sys.argv[1], 'w').close()\n"
        "        os.close(1)\n"
        "        time.sleep(600)\n"
        "    if 'id' in message:\n"
        "        print(json.dumps({'jsonrpc': '2.0', 'id': message['id'], 'result': answer(message)}), flush=True)\n"
    )

    async def work() -> None:
        entry = {"command": sys.executable, "args": ["-c", script, str(flag)]}
        async with running(home, {"a": entry}, process_timeouts=BRIEF) as servers:
            await servers.ready("a")
            assert flag.exists()

    run_as_the_app_does(work())


def test_withheld_variables_are_offered_when_a_server_stays_silent(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server may wait for an agent or a bus for ever."""
    monkeypatch.setenv("SSH_AUTH_SOCK", "/agent")
    entry = {"command": sys.executable, "args": ["-c", "import time; time.sleep(600)"], "toolnote": {"inherit": []}}

    async def work() -> Problem:
        timeouts = replace(QUICK, start=0.5)
        async with running(home, {"a": entry}, timeouts=timeouts, process_timeouts=BRIEF) as servers:
            status = await servers.until_state("a", ServerState.FAILED)
            assert status.problem is not None
            return status.problem

    problem = run(work())
    assert problem.code is Code.SERVER_SILENT
    assert "SSH_AUTH_SOCK" in problem.parameters["withheld"].split(", ")
    assert "(started without" in english(problem)


def test_withheld_variables_are_offered_when_a_start_fails(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Issue 15 item 6: the reason names them, and the key that passes them on; with it the server gets them."""
    monkeypatch.setenv("SSH_AUTH_SOCK", "/agent")
    script = "import os, sys; sys.exit('no agent') if 'SSH_AUTH_SOCK' not in os.environ else sys.exit('agent')"
    entry = {"command": sys.executable, "args": ["-c", script]}

    async def problem(inherit: list[str] | None) -> Problem:
        own = {} if inherit is None else {"toolnote": {"inherit": inherit}}
        async with running(home, {"a": {**entry, **own}}, process_timeouts=BRIEF) as servers:
            status = await servers.until_state("a", ServerState.RECONNECTING, ServerState.FAILED)
            assert status.problem is not None
            return status.problem

    withheld = run(problem([]))
    assert withheld.parameters["stderr"] == "no agent"
    assert "SSH_AUTH_SOCK" in withheld.parameters["withheld"].split(", ")
    assert "no agent (started without" in english(withheld)
    assert '"inherit": [NAME, …]' in english(withheld)
    named = run(problem(["SSH_AUTH_SOCK"])).parameters
    assert named["stderr"] == "agent"
    assert "SSH_AUTH_SOCK" not in named.get("withheld", "")
    assert "withheld" not in run(problem(None)).parameters
