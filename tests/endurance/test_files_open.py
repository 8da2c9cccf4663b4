"""Exhausted file descriptors (EMFILE; case C40): connections stay, and new failures are reported."""

from __future__ import annotations

import json
import sys
import time
from functools import partial
from pathlib import Path

import psutil
import pytest

from tests.endurance import load
from tests.endurance.test_quit import started
from tests.servers.launch import raw_server_entry
from tests.waiting import PAUSE, wait_until
from toolnote_desktop.paths import Home

ROOMS = (2, 4, 6)
"""Files: enough for a client's request and a document, too few for the start of a server, which takes eight."""


@pytest.mark.once
@pytest.mark.skipif(sys.platform != "linux", reason="a limit that is put on a running process")
@pytest.mark.parametrize("room", ROOMS)
def test_no_file_can_be_opened_for_a_new_server(home: Home, room: int) -> None:
    import resource

    one = {**raw_server_entry(), "toolnote": {"toolset": load.TOOLSET}}
    home.toolsets.mkdir(mode=0o700, parents=True)
    home.toolset(load.TOOLSET).write_text(json.dumps({"name": load.TOOLSET, "title": "Work", "tools": []}))
    home.settings.write_text(json.dumps({"equippedToolset": load.TOOLSET, "port": 0}))
    home.servers.write_text(json.dumps({"mcpServers": {load.STEADY: one}}))
    with started("serve") as process:
        assert process.stdout is not None
        target = load.Target(home, json.loads(process.stdout.readline())["url"], "the token")
        with load.Client(target) as client:
            client.open()
            wait_until(lambda: f"{load.STEADY}_echo" in str(client.request("tools/list")))
            # Opened later, they would take of the room, or the server would start before them and leave them none.
            assert not client.call(f"{load.STEADY}_echo").get("isError")
            for database in (home.activity, home.audit):
                wait_until(partial(_has_opened, process.pid, database))
            usual = resource.prlimit(process.pid, resource.RLIMIT_NOFILE)
            few = _lasting_files(process.pid) + room
            resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (few, usual[1]))
            home.servers.write_text(json.dumps({"mcpServers": {load.STEADY: one, "late": one}}))
            log = home.logs / "toolnote.log"
            wait_until(lambda: log.exists() and "server 'late' is not connected" in log.read_text(encoding="utf-8"))
            for _ in range(20):
                assert not client.call(f"{load.STEADY}_echo").get("isError")
            assert "late_echo" not in str(client.request("tools/list"))
            resource.prlimit(process.pid, resource.RLIMIT_NOFILE, usual)
            wait_until(lambda: "late_echo" in str(client.request("tools/list")))
        process.terminate()
        _, errors = process.communicate(timeout=60)
        assert process.returncode == 0
        assert "Traceback" not in errors


def _has_opened(pid: int, database: Path) -> bool:
    """Whether a process has a database and both files beside it open."""
    names = {file.path for file in psutil.Process(pid).open_files()}
    return {f"{database}{end}" for end in ("", "-wal", "-shm")} <= names


def _lasting_files(pid: int) -> int:
    """The least number of open files within a moment: a document that is being written is not one of them."""
    process = psutil.Process(pid)
    counts = []
    for _ in range(20):
        counts.append(process.num_fds())
        time.sleep(PAUSE)
    return min(counts)
