"""Records of running server processes in ``run/children/``, so that the next start ends those of a killed app.

Each of our processes that starts servers (the app, ``toolnote servers test`` beside it) has its own file: no process
waits for another, and the children of dead owners only are ended.
"""

from __future__ import annotations

import json
import logging
import math
import os
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import psutil

from toolnote_desktop.paths import Home, make_folder, read_json
from toolnote_desktop.system.atomic_file import remove_leftovers, write_file
from toolnote_desktop.system.process_marks import ProcessMark, marked_processes
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

_TERMINATION_SECONDS = 2.0
"""Seconds between the termination and the killing of leftovers."""

Known = tuple[int, float]
"""Process id and start time of a process."""


class ChildRecord:
    """Children of this process. Not thread-safe."""

    def __init__(self, home: Home) -> None:
        pid = os.getpid()
        started = start_time(pid)
        # An earlier process of the same id may have left a record that was not processed yet.
        self._path = home.children / f"{pid}-{round((started or 0.0) * 1000)}.json"
        self._owner = {"pid": pid, "startTime": started}
        self._children: dict[int, dict[str, Any]] = {}

    def add(self, pid: int, server: str) -> None:
        """Record a started child."""
        started = start_time(pid)
        if started is not None:
            self._children[pid] = {"pid": pid, "startTime": started, "server": server, "strays": []}
            self._write()

    def set_strays(self, pid: int, strays: Iterable[Known]) -> None:
        """Record the current descendants of a child that are outside its process group."""
        child = self._children.get(pid)
        found = [{"pid": stray, "startTime": started} for stray, started in strays]
        if child is not None and child["strays"] != found:
            child["strays"] = found
            self._write()

    def remove(self, pid: int) -> None:
        """Record the end of a child and its group."""
        if self._children.pop(pid, None) is not None:
            self._write()

    def _write(self) -> None:
        # Without fsync: records serve after kills; after a power cut there are no leftovers.
        if not self._children:
            self._path.unlink(missing_ok=True)
            return
        content = {"owner": self._owner, "children": list(self._children.values())}
        make_folder(self._path.parent)
        write_file(self._path, json.dumps(content, indent=2).encode(), durable=False, follow_links=False)


def stop_leftovers(home: Home) -> tuple[int, ...]:
    """Stop the children that killed processes of ours left running in this home, with groups and descendants.

    Also without a record: those that carry the mark of an owner that has ended. Processes are identified by id and
    start time (on POSIX also survivors of a group whose leader has ended: its id is not reused while the group exists).
    Children of living owners are left alone. Blocks up to two seconds.

    Returns:
        Ids of the recorded children that were still running.
    """
    trees: list[ProcessTree] = []
    left: list[int] = []
    for path in _records(home):
        recorded = _leftovers_of_dead_owner(path)
        if recorded is None:
            continue
        for child, strays in recorded:
            if _find(child, strays, trees):
                left.append(child[0])
        _remove(path)
    remove_leftovers(home.children)
    trees += _marked_leftovers(home, {tree.pid for tree in trees})
    _stop(trees)
    if left:
        log.info("ended %d server processes that an earlier run had left", len(left))
    return tuple(left)


def _records(home: Home) -> list[Path]:
    try:
        return sorted(home.children.glob("*.json"))
    except OSError as error:
        log.warning("%s cannot be used: %s", home.children, error)
        return []


def _leftovers_of_dead_owner(path: Path) -> list[tuple[Known, list[Known]]] | None:
    """Return the recorded children, each with its strays; None if the owner is alive or the record unusable."""
    try:
        content = read_json(path)
        owner = content["owner"]
        recorded = [(_known(child), [_known(stray) for stray in child["strays"]]) for child in content["children"]]
        if owner["startTime"] is not None and is_running(int(owner["pid"]), float(owner["startTime"])):
            return None
    except FileNotFoundError:
        return None
    except (OSError, ValueError, ArithmeticError, LookupError, TypeError) as error:
        log.warning("%s cannot be used: %s", path, error)
        _remove(path)
        return None
    return recorded


def _known(entry: Any) -> Known:
    """Return a recorded process.

    Raises:
        ValueError: there cannot be such a child. Signals to the ids 1, 0 and -1 reach groups of others, or all.
    """
    pid, started = entry["pid"], entry["startTime"]
    if type(pid) is not int or not 1 < pid < 2**32 or not math.isfinite(started):
        raise ValueError(f"{pid} is no process id of a child")
    return pid, float(started)


def _remove(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        log.warning("%s could not be removed: %s", path, error)


def _find(child: Known, strays: list[Known], trees: list[ProcessTree]) -> bool:
    """Add the running processes of a child to ``trees``, and kill survivors of its group; return True if there were
    any.
    """
    alive = [one for one in (child, *strays) if is_running(*one)]
    for pid, _ in alive:
        tree = ProcessTree(pid)
        tree.refresh()
        trees.append(tree)
    survived = child not in alive and _kill_survivors(*child)
    return bool(alive) or survived


def _marked_leftovers(home: Home, known: set[int]) -> list[ProcessTree]:
    """Return the processes with a mark of this home whose owner has ended, each as a tree of its own."""
    found: list[ProcessTree] = []
    for pid, mark in marked_processes(home):
        if pid not in known and pid != os.getpid() and not _owner_lives(pid, mark):
            tree = ProcessTree(pid)
            tree.refresh()
            if not tree.is_browser():
                found.append(tree)
    if found:
        log.info("ended %d processes that servers of an earlier run had left", len(found))
    return found


def _owner_lives(pid: int, mark: ProcessMark) -> bool:
    """Return True if the process that a mark names is running, and was when the marked one was started."""
    owner, started = start_time(mark.owner), start_time(pid)
    return owner is not None and (started is None or owner <= started)


def _stop(trees: list[ProcessTree]) -> None:
    """Terminate all of them, wait for all together, and kill the rest."""
    for tree in trees:
        tree.terminate()
    deadline = time.monotonic() + _TERMINATION_SECONDS
    while any(tree.alive() for tree in trees) and time.monotonic() < deadline:
        time.sleep(0.02)
    for tree in trees:
        tree.kill()


def _kill_survivors(pid: int, started: float) -> bool:
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
