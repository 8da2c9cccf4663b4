"""File permissions that bind root: tests are run as root in CI, which may otherwise read and write all files."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")

VERSION_3 = 0x20080522
DAC_OVERRIDE, DAC_READ_SEARCH = 1, 2
"""Numbers of Linux capabilities: see ``capabilities(7)``."""

BINDING = os.name == "posix" and (os.geteuid() != 0 or sys.platform == "linux")
"""True if this module can make permissions bind this user."""


class _Header(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _Sets(ctypes.Structure):
    _fields_ = (("effective", ctypes.c_uint32), ("permitted", ctypes.c_uint32), ("inheritable", ctypes.c_uint32))


@contextmanager
def binding() -> Iterator[None]:
    """Let permissions bind this thread, and the threads that it starts meanwhile."""
    before = _drop(for_good=False)
    try:
        yield
    finally:
        if before is not None:
            _capabilities("capset", before)


def run_bound(function: Callable[[], T]) -> T:
    """Return the function's result, from a thread that permissions bind for ``access(2)`` too."""

    def work() -> T:
        _drop(for_good=True)
        return function()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result()


def _drop(*, for_good: bool) -> ctypes.Array[_Sets] | None:
    """Drop root's right to pass over permissions from this thread; return the sets from before, None if not root."""
    if os.geteuid() != 0:
        return None
    before, after = (_Sets * 2)(), (_Sets * 2)()
    for sets in (before, after):
        _capabilities("capget", sets)
    kept = ~(1 << DAC_OVERRIDE | 1 << DAC_READ_SEARCH)
    after[0].effective &= kept
    if for_good:
        after[0].permitted &= kept
    _capabilities("capset", after)
    return before


def _capabilities(name: str, sets: ctypes.Array[_Sets]) -> None:
    function = getattr(ctypes.CDLL(None, use_errno=True), name)
    if function(ctypes.byref(_Header(VERSION_3, 0)), sets) != 0:
        raise OSError(ctypes.get_errno(), name)
