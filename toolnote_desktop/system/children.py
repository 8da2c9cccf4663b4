"""The server processes that run, on record in ``run/children/``, so that the next start ends what a killed app left.

Each process of ours that starts servers (the app, ``toolnote servers test`` beside it) has a file of its own there and
writes no other: none waits for another, and each record ends what a dead owner left and nothing else.
"""

from __future__ import annotations

import json
import logging
import os
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import psutil

from toolnote_desktop.paths import Home, make_folder
from toolnote_desktop.system.atomic_file import remove_leftovers, write_file
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

Known = tuple[int, float]
"""A process id and when that process was started."""


class ChildRecord:
    """The children of this process. Not safe for several threads: use it from one."""

    def __init__(self, home: Home) -> None:
        pid = os.getpid()
        started = start_time(pid)
        # An earlier process of the same id may have left a record that nobody has looked at yet.
        self._path = home.children / f"{pid}-{round((started or 0.0) * 1000)}.json"
        self._owner = {"pid": pid, "startTime": started}
        self._children: dict[int, dict[str, Any]] = {}

    def add(self, pid: int, server: str) -> None:
        """A child was started."""
        started = start_time(pid)
        if started is not None:
            self._children[pid] = {"pid": pid, "startTime": started, "server": server, "strays": []}
            self._write()

    def strays(self, pid: int, strays: Iterable[Known]) -> None:
        """What a child has started and is not in its process group, as it is now."""
        child = self._children.get(pid)
        found = [{"pid": stray, "startTime": started} for stray, started in strays]
        if child is not None and child["strays"] != found:
            child["strays"] = found
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
        write_file(self._path, json.dumps(content, indent=2).encode(), durable=False)


def end_leftovers(home: Home) -> tuple[int, ...]:
    """End the children that killed processes of ours left running in this home, groups and descendants too.

    Processes are told by id and start time (on POSIX also survivors of a group whose leader is gone: its id cannot be
    anybody else's while the group lives). What a living owner has on record is left alone. Blocks up to two seconds.

    Returns:
        The ids of the recorded children that were still there.
    """
    trees: list[ProcessTree] = []
    left: list[int] = []
    for path in _records(home):
        recorded = _left_by_a_dead_owner(path)
        if recorded is None:
            continue
        for child, strays in recorded:
            if _find(child, strays, trees):
                left.append(child[0])
        _put_away(path)
    remove_leftovers(home.children)
    _end(trees)
    if left:
        log.info("ended %d server processes that an earlier run had left", len(left))
    return tuple(left)


def _records(home: Home) -> list[Path]:
    try:
        return sorted(home.children.glob("*.json"))
    except OSError as error:
        log.warning("%s is of no use: %s", home.children, error)
        return []


def _left_by_a_dead_owner(path: Path) -> list[tuple[Known, list[Known]]] | None:
    """What a record says was running, each child with its strays; None where that is not to be touched."""
    try:
        content = json.loads(path.read_text("utf-8"))
        owner = content["owner"]
        recorded = [(_known(child), [_known(stray) for stray in child["strays"]]) for child in content["children"]]
        if owner["startTime"] is not None and is_running(int(owner["pid"]), float(owner["startTime"])):
            return None
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        log.warning("%s is of no use: %s", path, error)
        _put_away(path)
        return None
    return recorded


def _known(entry: Any) -> Known:
    return int(entry["pid"]), float(entry["startTime"])


def _put_away(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        log.warning("%s could not be taken away: %s", path, error)


def _find(child: Known, strays: list[Known], trees: list[ProcessTree]) -> bool:
    """Put what is still there of a child onto ``trees``, and end what only its group tells; whether there was any."""
    alive = [one for one in (child, *strays) if is_running(*one)]
    for pid, _ in alive:
        tree = ProcessTree(pid)
        tree.look()
        trees.append(tree)
    survived = child not in alive and _end_survivors(*child)
    return bool(alive) or survived


def _end(trees: list[ProcessTree]) -> None:
    """Ask all of them, wait for all together, end what is left."""
    for tree in trees:
        tree.terminate()
    deadline = time.monotonic() + _PATIENCE
    while any(tree.alive() for tree in trees) and time.monotonic() < deadline:
        time.sleep(0.02)
    for tree in trees:
        tree.kill()


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
