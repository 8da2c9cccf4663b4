"""Child process with all its descendants: termination, killing, and detection."""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import sys
from collections.abc import Iterable, Mapping

import psutil

log = logging.getLogger(__name__)

# Kills without notice; psutil turns SIGTERM into TerminateProcess.
if sys.platform == "win32":
    KILL = signal.SIGTERM
else:
    KILL = signal.SIGKILL

START_TIME_TOLERANCE = 2.0
"""Seconds by which a recorded start time may differ: the clock from which it is computed may have been set since."""


def start_time(pid: int) -> float | None:
    """Return the start time of a process (seconds since the epoch); None if it does not exist."""
    try:
        return psutil.Process(pid).create_time()
    except (psutil.Error, OSError):  # the second: no file handle left
        return None


def is_running(pid: int, started: float) -> bool:
    """Return True if this very process is running: same id and start time, and not a zombie."""
    try:
        process = psutil.Process(pid)
        same = abs(process.create_time() - started) < START_TIME_TOLERANCE
        return same and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


class ProcessTree:
    """Child that leads its own process group (POSIX), with its group and the descendants that left the group.

    ``refresh`` reads the system's process table (milliseconds): call it in a thread that may block.
    """

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._strays: list[psutil.Process] = []
        self._group_gone = False

    def refresh(self) -> None:
        """Record the current descendants: once their parents have ended they cannot be identified any more."""
        refresh_all((self,))

    def outside(self) -> list[psutil.Process]:
        """Return the running known descendants outside the child's process group (POSIX)."""
        if sys.platform == "win32":
            return []
        self._strays = [process for process in self._strays if _alive(process)]
        return [process for process in self._strays if _group_of(process) not in (None, self.pid)]

    def note(self, children: Mapping[int, list[psutil.Process]]) -> None:
        """Record the descendants according to a map of parents to children."""
        known = set(self._strays)
        parents = [self.pid, *(process.pid for process in self._strays if _alive(process))]
        while parents:
            found = [process for process in children.get(parents.pop(), ()) if process not in known]
            known.update(found)
            self._strays += found
            parents += [process.pid for process in found]

    def terminate(self) -> None:
        """Terminate all processes (SIGTERM; on Windows this kills them)."""
        self._signal(signal.SIGTERM)

    def kill(self) -> None:
        """Kill all processes."""
        self._signal(KILL)

    def alive(self) -> bool:
        """Return True if any process is left, including zombies."""
        return self._signal_group(0) or any(_alive(process) for process in self._strays)

    def is_dead(self) -> bool:
        """Return True if only zombies are left. Reads the process table, as ``refresh`` does."""
        try:
            return not any(_alive(process) for process in (*members_of_group(self.pid), *self._strays))
        except OSError:  # no file handle left: unknown
            return False

    def _signal(self, number: int) -> None:
        self._signal_group(number)
        signal_all(self._strays, number)

    def _signal_group(self, number: int) -> bool:
        """Signal the group; return False if it has ended. It is never signalled again then: its id may be reused."""
        if sys.platform == "win32":
            return _signal_windows(self.pid, number)
        if self._group_gone:
            return False
        try:
            os.killpg(self.pid, number)
        except ProcessLookupError:
            self._group_gone = True
        except PermissionError:
            # owned by another user (a set-uid server): running, but not ours to signal. macOS: a group of zombies.
            return sys.platform != "darwin"
        return not self._group_gone


def refresh_all(trees: Iterable[ProcessTree]) -> None:
    """Record the descendants of all trees by one reading of the system's process table (milliseconds).

    If the table cannot be read because no file handle is left, the known descendants stay.
    """
    children: dict[int, list[psutil.Process]] = {}
    try:
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error):  # it has just ended
                children.setdefault(process.ppid(), []).append(process)
    except OSError as error:
        log.warning("the process table cannot be read: %s", error)
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
    """Send a signal to each; processes that have ended (or whose ids were reused) are left out."""
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
    except OSError:  # no file handle left: not known to have ended
        return True


def members_of_group(group: int) -> list[psutil.Process]:
    """Return the processes of a process group whose leader may have ended (POSIX)."""
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
