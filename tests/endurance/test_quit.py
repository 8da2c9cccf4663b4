"""Quit at any moment: status 0, no traceback, no child, nothing half written (docs/contract.md 4; case C67)."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.endurance import load
from tests.servers.launch import raw_server_entry
from tests.waiting import wait_until
from toolnote_desktop.desktop.proxy_link import STOP_SECONDS
from toolnote_desktop.paths import Home
from toolnote_desktop.serve import SAVE_SECONDS
from toolnote_desktop.serve import STOP_SECONDS as SERVE_STOP_SECONDS

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="signals, and /proc to see when they are heard")

TO_END = 5.0 if "TOOLNOTE_TEST_ALONE" in os.environ else 20.0
"""Seconds: five, which a machine that does many things at once need not keep."""

MOMENTS = int(os.environ.get("TOOLNOTE_TEST_MOMENTS", "3"))
"""How many moments of each program's life are tried."""

PROGRAMS = [("serve",), ("gui",), ("gui", "--background")]
HANG = {"initialize": "hang", "server/discover": "hang"}


@pytest.fixture
def busy_home(home: Home, tmp_path: Path) -> Home:
    """A home whose servers are of every kind: one works, one never answers, one does not end, one cannot be had."""
    deaf = {"pidFile": str(tmp_path / "grandchild"), "ignoreSigterm": True}
    servers: dict[str, dict[str, Any]] = {
        load.STEADY: {**raw_server_entry(), "toolnote": {"toolset": load.TOOLSET}},
        "silent": raw_server_entry(on=HANG, ignoreSigterm=True, ignoreEof=True, grandchild=deaf),
        "crashing": {"command": sys.executable, "args": ["-c", "raise SystemExit(1)"]},
        "absent": {"url": "http://127.0.0.1:9/mcp"},
    }
    home.toolsets.mkdir(parents=True, exist_ok=True)
    home.servers.write_text(json.dumps({"mcpServers": servers}), encoding="utf-8")
    home.settings.write_text(json.dumps({"equippedToolset": load.TOOLSET, "port": 0}), encoding="utf-8")
    tools = [{"namespacedName": f"{load.STEADY}.{tool}"} for tool in ("echo", "hang", "structured")]
    home.toolset(load.TOOLSET).write_text(json.dumps({"name": load.TOOLSET, "title": "Work", "tools": tools}))
    return home


@contextlib.contextmanager
def started(*words: str) -> Iterator[subprocess.Popen[str]]:
    """A program of ours from the moment on in which it hears signals: before that the interpreter is only loaded."""
    with subprocess.Popen(
        [sys.executable, "-m", "toolnote_desktop", *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, load.TOKEN_VARIABLE: "the token"},
    ) as process:
        try:
            wait_until(lambda: hears(process.pid, signal.SIGTERM))
            yield process
        finally:
            if process.poll() is None:
                process.kill()


def hears(pid: int, number: int) -> bool:
    """Whether a process has a handler of its own for a signal."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    caught = next(line.split()[1] for line in lines if line.startswith("SigCgt"))
    return bool(int(caught, 16) & (1 << (number - 1)))


class Work(threading.Thread):
    """A client that calls, and edits notes, for as long as anybody answers."""

    def __init__(self, home: Home) -> None:
        super().__init__(name="work")
        self._home = home
        self.over = threading.Event()

    def run(self) -> None:
        """From when the program answers until it does not any more."""
        while not self.over.is_set():
            try:
                url = json.loads(self._home.endpoint.read_text("utf-8"))["url"]
                secret = json.loads(self._home.endpoint.read_text("utf-8"))["bridgeSecret"]
                target = load.Target(self._home, url, secret)
                with load.Client(target) as client:
                    client.open()
                    self._work(client)
            except (OSError, ValueError, KeyError, AssertionError, load.HTTPException):
                self.over.wait(0.02)  # not yet, or not any more

    def _work(self, client: load.Client) -> None:
        reference = {"namespacedName": f"{load.STEADY}.structured"}
        while not self.over.is_set():
            client.call(f"{load.STEADY}_echo")
            note = {"name": f"note-{random.randrange(10**9)}", "note": "text " * 100}
            client.call("add-tool-annotation", toolRef=reference, notes=[note])


def end(process: subprocess.Popen[str], *numbers: signal.Signals) -> str:
    """Send signals and wait for the end; gives what was written to stderr."""
    for number in numbers:
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(number)
        time.sleep(0.05)
    _, errors = process.communicate(timeout=60)
    assert "Traceback" not in errors, errors
    assert process.returncode == 0, (process.returncode, errors)
    return errors


def is_whole(home: Home, errors: str) -> None:
    """Every document is one, and nothing half written is left."""
    for path in home.root.rglob("*.json"):
        if path.is_file():
            json.loads(path.read_text("utf-8"))
    assert not [path for path in home.root.rglob(".*") if path.name.endswith("-new")]
    assert not list(home.root.rglob("*.bad-*"))
    assert not home.endpoint.exists()
    if "its servers are killed" not in errors:  # else the machine was so slow that no time was left for the record
        assert not list(home.children.glob("*"))


@pytest.mark.once
@pytest.mark.timeout(max(120, 15 * MOMENTS))
@pytest.mark.parametrize("words", PROGRAMS, ids=" ".join)
def test_quit_at_any_moment_of_start_and_work(words: tuple[str, ...], busy_home: Home) -> None:
    chance = random.Random(67)
    said = ""  # a record that one end had no time for is there until a start comes far enough to see to it
    for _ in range(MOMENTS):
        moment = chance.choice([chance.uniform(0, 0.4), chance.uniform(0, 3.0)])
        numbers = chance.choice([[signal.SIGTERM], [signal.SIGINT], [signal.SIGINT, signal.SIGINT]])
        work = Work(busy_home)
        work.start()
        try:
            with started(*words) as process:
                time.sleep(moment)
                print(f"{words} after {moment:.3f} s: {[number.name for number in numbers]}")
                said += end(process, *numbers)
        finally:
            work.over.set()
            work.join()
        is_whole(busy_home, said)


@pytest.mark.once
@pytest.mark.parametrize("words", PROGRAMS, ids=" ".join)
def test_quit_during_a_call_a_save_and_open_streams(words: tuple[str, ...], busy_home: Home) -> None:
    work = Work(busy_home)  # notes are saved all the while
    with started(*words) as process:
        wait_until(busy_home.endpoint.exists)
        endpoint = json.loads(busy_home.endpoint.read_text("utf-8"))
        target = load.Target(busy_home, endpoint["url"], endpoint["bridgeSecret"])
        with load.Client(target) as client, load.Client(target) as hearing:
            client.open()
            hearing.open()
            wait_until(lambda: "steady_hang" in str(client.request("tools/list")))
            hearing.open_stream()
            client.start("tools/call", {"name": f"{load.STEADY}_hang", "arguments": {}})
            work.start()
            try:
                wait_until(lambda: "note-" in busy_home.toolset(load.TOOLSET).read_text("utf-8"))
                children = psutil.Process(process.pid).children(recursive=True)
                assert children
                errors = end(process, signal.SIGTERM)
            finally:
                work.over.set()
                work.join()
            answer = client.answer()
            assert answer is None or load.STEADY in str(answer)
    assert not [child for child in children if child.is_running() and child.status() != psutil.STATUS_ZOMBIE]
    is_whole(busy_home, errors)


def test_the_parts_of_the_end_take_less_than_five_seconds_together() -> None:
    assert SERVE_STOP_SECONDS + SAVE_SECONDS < 5.0
    assert STOP_SECONDS + SAVE_SECONDS < 5.0
