"""Child process with all its descendants: termination, killing, and detection.

On Linux this process adopts the orphans among them (``process_marks.set_subreaper``); elsewhere the orphans of
living servers are recognised by their mark alone.
"""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import sys
import time
from collections.abc import Iterable, Mapping

import psutil

from toolnote_desktop.system.process_marks import ProcessMark, mark_of

log = logging.getLogger(__name__)

# Kills without notice; psutil turns SIGTERM into TerminateProcess.
if sys.platform == "win32":
    KILL = signal.SIGTERM
else:
    KILL = signal.SIGKILL

START_TIME_TOLERANCE = 2.0
"""Seconds by which a recorded start time may differ: the clock from which it is computed may have been set since."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_BROWSERS = _words(
    """
    arc brave brave-browser chrome chromium chromium-browser epiphany epiphany-browser falkon firefox firefox-bin
    firefox-esr google-chrome google-chrome-stable iexplore konqueror librewolf microsoft-edge msedge opera safari
    sensible-browser vivaldi vivaldi-bin waterfox www-browser x-www-browser zen zen-bin
    """
)
_OPENERS = _words("exo-open gio gnome-open gvfs-open kde-open kde-open5 open wslview xdg-open")
_AUTOMATION = (
    *("--headless", "--remote-debugging", "--enable-automation", "--user-data-dir"),
    *("-marionette", "--marionette"),
)
"""Beginnings of options with which a program starts a browser for its own use, and ends it itself."""


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

    A browser that the server opened for the user is not part of it. ``refresh`` reads the system's process table
    (milliseconds): call it in a thread that may block.
    """

    def __init__(self, pid: int, mark: ProcessMark | None = None) -> None:
        self.pid = pid
        self.mark = mark
        self._leader = _process(pid)
        self._strays: list[psutil.Process] = []
        self._spared: set[psutil.Process] = set()
        self._group_gone = False

    def refresh(self) -> None:
        """Record the current descendants: once their parents have ended they may not be identifiable any more."""
        refresh_all((self,))

    def outside(self) -> list[psutil.Process]:
        """Return the running known descendants outside the child's process group (POSIX)."""
        if sys.platform == "win32":
            return []
        self._strays = [process for process in self._strays if _alive(process)]
        return [process for process in self._strays if _group_of(process) not in (None, self.pid)]

    def note(self, children: Mapping[int, list[psutil.Process]], orphans: Iterable[psutil.Process] = ()) -> None:
        """Record the descendants.

        Args:
            children: the processes by their parents' ids.
            orphans: processes with this tree's mark that lost their parents.
        """
        before = [process for process in self._strays if _alive(process)]
        known: dict[psutil.Process, None] = {}
        pending = [*before, *orphans, *children.get(self.pid, ())]
        while pending:
            process = pending.pop()
            if process.pid == self.pid or process in known or process in self._spared:
                continue
            if _is_users_browser(process):
                self._spared.add(process)
                continue
            known[process] = None
            pending += children.get(process.pid, ())
        self._strays = list(known)

    def terminate(self) -> None:
        """Terminate all processes (SIGTERM; on Windows this kills them)."""
        self._signal(signal.SIGTERM)

    def kill(self) -> None:
        """Kill all processes."""
        self._signal(KILL)

    def alive(self) -> bool:
        """Return True if any process is left, including zombies."""
        for process in self._strays:
            if _is_zombie(process):  # adopted, so that its group would not end
                _wait(process)
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
        if any(_group_of(process) == self.pid for process in self._spared):
            return self._signal_leader(number)  # the others of the group are among the strays
        if self._group_gone or self.pid <= 1:  # killpg(1) reaches all processes of the user, killpg(0) our own group
            return False
        try:
            os.killpg(self.pid, number)
        except ProcessLookupError:
            if self._signal_leader(number):  # it is in another group
                return True
            self._group_gone = True
        except PermissionError:
            # owned by another user (a set-uid server): running, but not ours to signal. macOS: a group of zombies.
            return sys.platform != "darwin"
        return not self._group_gone

    def _signal_leader(self, number: int) -> bool:
        if self._leader is None:
            return False
        if number:
            signal_all((self._leader,), number)
        return _alive(self._leader)

    def is_browser(self) -> bool:
        """Return True if the process itself is a browser that was opened for the user."""
        return self._leader is not None and _is_users_browser(self._leader)


def _is_users_browser(process: psutil.Process) -> bool:
    """Return True for a browser, or a program that opens one, that is not controlled by the program that started it."""
    try:
        name = process.name().lower().removesuffix(".exe")
        if name in _OPENERS:
            return True
        return name in _BROWSERS and not any(word.startswith(_AUTOMATION) for word in process.cmdline()[1:])
    except (psutil.Error, OSError):
        return False


_REAP_AFTER = 5.0
"""Seconds for which an ended child of this process is left to its starter, if it has one, to be reaped."""

_finished: dict[psutil.Process, float] = {}
"""Ended children of this process that were not reaped yet, and when this was first seen."""


def refresh_all(trees: Iterable[ProcessTree]) -> frozenset[int]:
    """Record the descendants of all trees by one reading of the system's process table (milliseconds).

    If the table cannot be read because no file handle is left, the known descendants stay.

    Returns:
        Ids of the children of this process.
    """
    children: dict[int, list[psutil.Process]] = {}
    try:
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error):  # it has just ended
                children.setdefault(process.ppid(), []).append(process)
    except OSError as error:
        log.warning("the process table cannot be read: %s", error)
    orphans = _orphans(children)
    for tree in trees:
        tree.note(children, orphans.get(tree.mark, ()) if tree.mark is not None else ())
    return frozenset(process.pid for process in children.get(os.getpid(), ()))


def _orphans(children: Mapping[int, list[psutil.Process]]) -> dict[ProcessMark, list[psutil.Process]]:
    """Return the marked processes without a parent by their marks: adopted by this process, or by init."""
    own = os.getpid()
    found: dict[ProcessMark, list[psutil.Process]] = {}
    if sys.platform == "win32":
        return found
    for process in (*children.get(own, ()), *(children.get(1, ()) if own != 1 else ())):
        mark = mark_of(process.pid)
        if mark is not None and mark.owner == own:
            found.setdefault(mark, []).append(process)
    _reap(children.get(own, ()))
    return found


def _reap(children: Iterable[psutil.Process]) -> None:
    """Reap adopted processes that have ended: those that no part of this process has reaped for a while."""
    now = time.monotonic()
    since = {process: _finished.get(process, now) for process in children if _is_zombie(process)}
    _finished.clear()
    _finished.update(since)
    for process, first in since.items():
        if now - first > _REAP_AFTER:
            _wait(process)


def _wait(process: psutil.Process) -> None:
    if sys.platform != "win32":
        with contextlib.suppress(ChildProcessError):  # not our child
            os.waitpid(process.pid, os.WNOHANG)


def _is_zombie(process: psutil.Process) -> bool:
    try:
        return bool(process.status() == psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return False


def _process(pid: int) -> psutil.Process | None:
    try:
        return psutil.Process(pid)
    except (psutil.Error, OSError):
        return None


def _group_of(process: psutil.Process) -> int | None:
    if sys.platform == "win32":
        return None
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
