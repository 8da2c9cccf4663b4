"""The threads that must work to the end, also while the interpreter ends."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from pathlib import Path

import psutil
import pytest

from toolnote_desktop.proxy.aio.worker_thread import WorkerThread

AT_THE_END = """
import asyncio, concurrent.futures.thread, sys, threading
from pathlib import Path
from tests.servers.launch import raw_server_entry
from tests.proxy.upstream.harness import run, running
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.transports.child_process import ProcessTimeouts

async def work():
    entry = raw_server_entry(ignoreEof=True, ignoreSigterm=True, stderr={"start": "hello\\n"}, pidFile=sys.argv[2])
    timeouts = ProcessTimeouts(0.1, 0.1, 5.0)
    async with running(Home(Path(sys.argv[1])), {"a": entry}, process_timeouts=timeouts) as servers:
        await servers.ready("a")
        ready.set()
        while not concurrent.futures.thread._shutdown:  # the interpreter has begun to end
            await asyncio.sleep(0.005)

ready = threading.Event()
threading.Thread(target=lambda: run(work())).start()
assert ready.wait(60)
"""


def test_the_last_server_is_ended_while_the_interpreter_ends(tmp_path: Path) -> None:
    command = [sys.executable, "-c", AT_THE_END, str(tmp_path / "home"), str(tmp_path / "pid")]
    clone = Path(__file__).parents[3]
    ended = subprocess.run(command, check=False, capture_output=True, text=True, timeout=120, cwd=clone)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert not psutil.pid_exists(int((tmp_path / "pid").read_text()))
    assert not list((tmp_path / "home").glob("run/children/*"))


def test_work_submitted_before_stop_is_done_in_order() -> None:
    worker, may_go, done = WorkerThread("test"), threading.Event(), list[int]()
    worker.submit(may_go.wait)
    futures = [worker.submit(lambda number=number: done.append(number)) for number in range(3)]  # type: ignore[misc]
    futures[1].cancel()
    may_go.set()
    worker.close()
    assert done == [0, 2]
    with pytest.raises(RuntimeError):
        worker.submit(may_go.wait)


def test_a_failure_is_told_to_whoever_waits_and_ends_nothing() -> None:
    async def work() -> None:
        with pytest.raises(ZeroDivisionError):
            await worker.run(lambda: 1 // 0)
        assert await worker.run(lambda: "goes on") == "goes on"

    worker = WorkerThread("test")
    asyncio.run(work())
    worker.close()
