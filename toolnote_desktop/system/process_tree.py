"""A child process and everything it started: asked to end, ended, looked for."""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import sys
from collections.abc import Iterable, Mapping

import psutil

log = logging.getLogger(__name__)

# What ends a process without asking; psutil makes TerminateProcess of SIGTERM.
if sys.platform == "win32":
    KILL = signal.SIGTERM
else:
    KILL = signal.SIGKILL

START_TIME_TOLERANCE = 2.0
"""Seconds by which a recorded start time may differ: the clock that it is reckoned from may have been set since."""


def start_time(pid: int) -> float | None:
    """When the process was started (seconds since the epoch); None if there is none with this id."""
    try:
        return psutil.Process(pid).create_time()
    except (psutil.Error, OSError):  # the second: no file is left to look with
        return None


def is_running(pid: int, started: float) -> bool:
    """Whether that very process is alive: the same id and the same start time, and no zombie."""
    try:
        process = psutil.Process(pid)
        same = abs(process.create_time() - started) < START_TIME_TOLERANCE
        return same and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


class ProcessTree:
    """A child that leads its own process group (POSIX), its group, and its descendants that have left the group.

    ``look`` reads the system's process table (milliseconds): call it in a thread that may block.
    """

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._strays: list[psutil.Process] = []
        self._group_gone = False

    def look(self) -> None:
        """Note the descendants now: when their parents are gone they can no longer be told."""
        look_at((self,))

    def outside(self) -> list[psutil.Process]:
        """The known descendants that live and are in another process group than the child's (POSIX)."""
        if sys.platform == "win32":
            return []
        self._strays = [process for process in self._strays if _alive(process)]
        return [process for process in self._strays if _group_of(process) not in (None, self.pid)]

    def note(self, children: Mapping[int, list[psutil.Process]]) -> None:
        """Note the descendants by who is whose child."""
        known = set(self._strays)
        parents = [self.pid, *(process.pid for process in self._strays if _alive(process))]
        while parents:
            found = [process for process in children.get(parents.pop(), ()) if process not in known]
            known.update(found)
            self._strays += found
            parents += [process.pid for process in found]

    def terminate(self) -> None:
        """Ask all of it to end (SIGTERM; on Windows this ends it)."""
        self._signal(signal.SIGTERM)

    def kill(self) -> None:
        """End all of it."""
        self._signal(KILL)

    def alive(self) -> bool:
        """Whether any of it is left, zombies too."""
        return self._signal_group(0) or any(_alive(process) for process in self._strays)

    def is_dead(self) -> bool:
        """Whether only zombies are left of it. Reads the process table, as ``look`` does."""
        try:
            return not any(_alive(process) for process in (*members_of_group(self.pid), *self._strays))
        except OSError:  # no file is left to look with: nothing says that it is
            return False

    def _signal(self, number: int) -> None:
        self._signal_group(number)
        signal_all(self._strays, number)

    def _signal_group(self, number: int) -> bool:
        """Whether there was anybody to signal. A group that was gone once is never signalled again: its id is free."""
        if sys.platform == "win32":
            return _signal_windows(self.pid, number)
        if self._group_gone:
            return False
        try:
            os.killpg(self.pid, number)
        except ProcessLookupError:
            self._group_gone = True
        except PermissionError:
            # another user's (a server that is set-uid): there, but not ours to end. macOS: a group of zombies.
            return sys.platform != "darwin"
        return not self._group_gone


def look_at(trees: Iterable[ProcessTree]) -> None:
    """Note the descendants of all of them, by one reading of the system's process table (milliseconds).

    Where the table cannot be read, because no file is left to open, what is known already stays.
    """
    children: dict[int, list[psutil.Process]] = {}
    try:
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error):  # it has just ended
                children.setdefault(process.ppid(), []).append(process)
    except OSError as error:
        log.warning("what servers have started cannot be looked at: %s", error)
    for tree in trees:
        tree.note(children)


def _group_of(process: psutil.Process) -> int | None:
    try:
        return os.getpgid(process.pid)
    except OSError:
        return None


def _signal_windows(pid: int, number: int) -> bool:
    try:
        process = psutil.Process(pid)
        if number:
            process.kill()
        return _alive(process)
    except psutil.Error:
        return False


def signal_all(processes: Iterable[psutil.Process], number: int) -> None:
    """A signal to each; those that are gone (or whose id is another's by now) are left out."""
    for process in processes:
        try:
            process.send_signal(number)
        except psutil.Error:
            continue


def _alive(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False
    except OSError:  # no file is left to look with: nothing says that it has ended
        return True


def members_of_group(group: int) -> list[psutil.Process]:
    """The processes of a process group whose leader may be gone (POSIX)."""
    if sys.platform == "win32":
        return []
    found = []
    for process in psutil.process_iter():
        try:
            if os.getpgid(process.pid) == group:
                found.append(process)
        except OSError:
            continue
    return found
