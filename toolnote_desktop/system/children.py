"""The children that run, on record in ``run/children.json``, so that the next start ends what a killed app left."""

from __future__ import annotations

import json
import logging
import os
import tempfile
import time
from pathlib import Path
from typing import Any

import psutil

from toolnote_desktop.paths import Home, make_folder
from toolnote_desktop.system.process_tree import (
    KILL,
    START_TIME_TOLERANCE,
    ProcessTree,
    is_running,
    members_of_group,
    signal_all,
    start_time,
)

log = logging.getLogger(__name__)

_PATIENCE = 2.0
"""Seconds that leftovers are given between being asked to end and being ended."""


class ChildRecord:
    """The children of this process. Not safe for several threads: use it from one."""

    def __init__(self, home: Home) -> None:
        self._path = home.children
        self._owner = {"pid": os.getpid(), "startTime": start_time(os.getpid())}
        self._children: dict[int, dict[str, Any]] = {}

    def add(self, pid: int, server: str) -> None:
        """A child was started."""
        started = start_time(pid)
        if started is not None:
            self._children[pid] = {"pid": pid, "startTime": started, "server": server}
            self._write()

    def remove(self, pid: int) -> None:
        """A child and its group are gone."""
        if self._children.pop(pid, None) is not None:
            self._write()

    def _write(self) -> None:
        # No fsync: what this is for is a process that was killed, and a machine that lost power has no leftovers.
        if not self._children:
            self._path.unlink(missing_ok=True)
            return
        content = {"owner": self._owner, "children": list(self._children.values())}
        make_folder(self._path.parent)
        descriptor, temporary = tempfile.mkstemp(prefix=".children-", dir=self._path.parent)
        try:
            with open(descriptor, "w", encoding="utf-8") as file:
                json.dump(content, file, indent=2)
            os.replace(temporary, self._path)
        except OSError:
            Path(temporary).unlink(missing_ok=True)
            raise


def end_leftovers(home: Home) -> tuple[int, ...]:
    """End the children that a killed app left running in this home, groups and descendants too.

    Processes are told by id and start time (on POSIX also survivors of a group whose leader is gone: its id cannot be
    anybody else's while the group lives). Nothing is done while the recorded owner runs. Blocks up to two seconds.

    Returns:
        The ids of the recorded children that were still there.
    """
    try:
        content = json.loads(home.children.read_text("utf-8"))
        owner = content["owner"]
        recorded = [(int(child["pid"]), float(child["startTime"])) for child in content["children"]]
        if owner["startTime"] is not None and is_running(int(owner["pid"]), float(owner["startTime"])):
            return ()
    except FileNotFoundError:
        return ()
    except (OSError, ValueError, KeyError, TypeError) as error:
        log.warning("%s is of no use: %s", home.children, error)
        _put_away(home.children)
        return ()
    left = [pid for pid, started in recorded if _end(pid, started)]
    _put_away(home.children)
    if left:
        log.info("ended %d server processes that an earlier run had left", len(left))
    return tuple(left)


def _put_away(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        log.warning("%s could not be taken away: %s", path, error)


def _end(pid: int, started: float) -> bool:
    if not is_running(pid, started):
        return _end_survivors(pid, started)
    tree = ProcessTree(pid)
    tree.look()
    tree.terminate()
    deadline = time.monotonic() + _PATIENCE
    while tree.alive() and time.monotonic() < deadline:
        time.sleep(0.02)
    tree.kill()
    return True


def _end_survivors(pid: int, started: float) -> bool:
    if psutil.pid_exists(pid):
        return False  # another process by now
    survivors = [process for process in members_of_group(pid) if _began_after(process, started)]
    signal_all(survivors, KILL)
    return bool(survivors)


def _began_after(process: psutil.Process, started: float) -> bool:
    try:
        return bool(process.create_time() >= started - START_TIME_TOLERANCE)
    except psutil.Error:
        return False
