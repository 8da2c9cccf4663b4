"""Marks by which the processes of a server are recognised after they left its process group and lost their parent.

A daemon (two forks and ``setsid``) keeps neither group, session nor parent. Two marks stay with it: a variable in its
environment, and, on Linux, an odd value of ``RLIMIT_RTTIME``, which also survives a cleared environment. The limit
applies to real-time scheduling only and is longer than two hundred thousand years, so that it has no effect.

A mark names the home, the process of ours that started the server, and the start's number. So the next start finds
what a killed app left, even if no record of it was written.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import itertools
import logging
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
from msgspec import Struct

from toolnote_desktop.paths import Home

log = logging.getLogger(__name__)

VARIABLE = "MCP_HOST_RUN"
"""Variable of the children's environment that holds the mark in hexadecimal digits."""

_BASE = 1 << 62  # with more bits the value would be close to "unlimited"
_HOME_BITS, _OWNER_BITS, _NUMBER_BITS = 20, 22, 20  # process ids of Linux have at most 22 bits
_PR_SET_CHILD_SUBREAPER = 36

_numbers = itertools.count(1)


class ProcessMark(Struct, frozen=True):
    """Mark of a server's process and its descendants.

    Attributes:
        home: hash of the home folder.
        owner: id of our process that started the server.
        number: number of the start within the owner.
    """

    home: int
    owner: int
    number: int

    @property
    def value(self) -> int:
        """The mark as a number of 63 bits."""
        return _BASE | self.home << _OWNER_BITS + _NUMBER_BITS | self.owner << _NUMBER_BITS | self.number


def new_mark(home: Home) -> ProcessMark:
    """Return the mark for the next child of this process."""
    owner = os.getpid() % (1 << _OWNER_BITS)
    return ProcessMark(home_hash(home), owner, next(_numbers) % (1 << _NUMBER_BITS))


def home_hash(home: Home) -> int:
    """Return the part of a mark that belongs to a home folder."""
    digest = hashlib.sha256(os.fsencode(os.path.realpath(home.root))).digest()
    return int.from_bytes(digest[:4], "big") % (1 << _HOME_BITS)


@contextlib.contextmanager
def inherited_limit(mark: ProcessMark) -> Iterator[None]:
    """Mark a child that is started meanwhile by a resource limit (Linux; elsewhere its environment has to do).

    The child inherits the limit, so it has the mark before it can fork itself.
    """
    if sys.platform != "linux":
        yield
        return
    import resource

    before = resource.getrlimit(resource.RLIMIT_RTTIME)
    with contextlib.suppress(OSError, ValueError):  # the hard limit is lower
        resource.setrlimit(resource.RLIMIT_RTTIME, (mark.value, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_RTTIME, before)


def mark_of(pid: int) -> ProcessMark | None:
    """Return the mark of a process; None if it has none or belongs to another user."""
    if sys.platform != "linux":
        try:
            return _parse(psutil.Process(pid).environ().get(VARIABLE, ""), 16)
        except (psutil.Error, OSError):
            return None
    return _mark_by_limit(pid) or _mark_by_variable(pid)


def _mark_by_limit(pid: int) -> ProcessMark | None:
    for line in _read(pid, "limits").splitlines():
        if line.startswith(b"Max realtime timeout"):
            return _parse(line.split()[3].decode(), 10)
    return None


def _mark_by_variable(pid: int) -> ProcessMark | None:
    for entry in _read(pid, "environ").split(b"\0"):
        name, _, value = entry.partition(b"=")
        if name == VARIABLE.encode():
            return _parse(value.decode("ascii", "replace"), 16)
    return None


def _read(pid: int, name: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/{name}").read_bytes()
    except OSError:
        return b""


def _parse(text: str, base: int) -> ProcessMark | None:
    try:
        value = int(text, base)
    except ValueError:  # "unlimited"
        return None
    if value >> 62 != 1:
        return None
    home = value >> _OWNER_BITS + _NUMBER_BITS & (1 << _HOME_BITS) - 1
    owner = value >> _NUMBER_BITS & (1 << _OWNER_BITS) - 1
    return ProcessMark(home, owner, value & (1 << _NUMBER_BITS) - 1)


def marked_processes(home: Home) -> Iterator[tuple[int, ProcessMark]]:
    """Yield the processes that descend from servers of this home, with their marks. Reads the process table."""
    wanted = home_hash(home)
    for pid in psutil.pids():
        mark = mark_of(pid)
        if mark is not None and mark.home == wanted:
            yield pid, mark


def set_subreaper(on: bool) -> None:
    """Make this process the parent of its descendants' orphans (Linux) or not; otherwise init is. Those that it has
    already stay.
    """
    if sys.platform == "linux":
        try:
            failed = ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, int(on), 0, 0, 0)
        except (OSError, AttributeError) as error:
            log.warning("orphaned processes of servers cannot be adopted: %s", error)
            return
        if failed:
            log.warning("orphaned processes of servers cannot be adopted: %s", os.strerror(ctypes.get_errno()))
