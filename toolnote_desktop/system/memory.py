"""Memory of this process, and giving back what the allocator keeps (docs/security.md)."""

from __future__ import annotations

import ctypes
import gc
import os
import sys
from functools import cache
from typing import Any, Final

LARGE_BLOCK: Final = 512 * 1024
"""Bytes of a block from which on it is returned to the system when it is free."""

KEPT_BYTES: Final = 4 * 1024 * 1024
"""Bytes that are kept at the end of a heap."""

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3  # malloc.h


def resident_bytes() -> int | None:
    """Return the resident memory in bytes; None where it is not known cheaply (other systems than Linux)."""
    if sys.platform != "linux":
        return None
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return None


def release() -> None:
    """Give free memory back to the system, where the C library is glibc. Call it in a thread: it takes up to 0.3 s.

    Of 600 MB of cancelled calls, half is garbage in reference cycles, which the collector finds late, and half blocks
    that glibc keeps between others in use.
    """
    gc.collect()
    trim = _glibc("malloc_trim")
    if trim is not None:
        trim(0)


def keep_little() -> None:
    """Let glibc return large blocks as soon as they are free.

    By itself it raises both limits with each large block that is freed, up to 32 and 64 MB, and ``malloc_trim`` does
    not reach the end of a thread's heap: a few lines of 7 MB left 60 MB for good.
    """
    if _glibc("malloc_trim") is not None and (mallopt := _glibc("mallopt")) is not None:
        mallopt(_M_MMAP_THRESHOLD, LARGE_BLOCK)
        mallopt(_M_TRIM_THRESHOLD, KEPT_BYTES)


@cache
def _glibc(function: str) -> Any:
    if sys.platform != "linux":
        return None
    try:
        return getattr(ctypes.CDLL(None), function)
    except (OSError, AttributeError):  # musl has none
        return None
