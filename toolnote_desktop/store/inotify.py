"""Linux tells of a change in a folder the moment that it happens, and wakes nobody while nothing does.

watchfiles uses the same system calls, but looks only every fifth of a second for what was told: a change is seen late,
and a program that rests wakes up all the time.
"""

from __future__ import annotations

import ctypes
import os
import select
import struct
import sys
import time
from collections.abc import Iterable, Iterator
from typing import Final

assert sys.platform == "linux"

_MODIFY, _ATTRIB, _CLOSE_WRITE, _MOVED, _CREATE, _DELETE = 0x2, 0x4, 0x8, 0xC0, 0x100, 0x200
_DELETE_SELF, _MOVE_SELF, _OVERFLOW, _ONLY_FOLDERS, _IS_FOLDER = 0x400, 0x800, 0x4000, 0x01000000, 0x40000000
_SELF: Final = _DELETE_SELF | _MOVE_SELF
_WATCHED: Final = _MODIFY | _ATTRIB | _CLOSE_WRITE | _MOVED | _CREATE | _DELETE | _SELF | _ONLY_FOLDERS

_HEAD: Final = struct.Struct("iIII")
"""``struct inotify_event`` of inotify(7): watch, mask, cookie, length of the name that follows."""

_QUIET_MS: Final = 10
_AT_MOST: Final = 0.1
"""A burst of changes is told once: after so many milliseconds without another, and after so many seconds at most."""

_UNCONCERNED_MS: Final = 50
"""How long changes of other files are let be, such as those of the diary, which is written all the time."""

_ROOM: Final = 64 * 1024


class FolderWatch:
    """Watches the files that are directly in some folders. A context manager.

    Raises:
        OSError: the system has no handle or watch left, or a folder is not there.
    """

    def __init__(self, folders: Iterable[str], ending: str) -> None:
        """``ending`` is that of the names that matter."""
        self._ending = os.fsencode(ending)
        self._descriptor = _checked(_libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC))
        try:
            self._ended = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        except OSError:
            os.close(self._descriptor)
            raise
        try:
            for folder in folders:
                _checked(_libc.inotify_add_watch(self._descriptor, os.fsencode(folder), _WATCHED))
        except OSError:
            self.__exit__()
            raise

    def end(self) -> None:
        """``changes`` ends. From any thread, while the watch is open."""
        os.eventfd_write(self._ended, 1)

    def __enter__(self) -> FolderWatch:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._descriptor)
        os.close(self._ended)

    def changes(self, most_ms: int) -> Iterator[None]:
        """One at the beginning, for what happened before; one for each burst of changes, and one where ``most_ms``
        went by without any.

        Over after ``end``. What changed is not said: whoever asks looks at all of it.
        """
        ended, anything = select.poll(), select.poll()
        ended.register(self._ended, select.POLLIN)
        anything.register(self._ended, select.POLLIN)
        anything.register(self._descriptor, select.POLLIN)
        yield
        while True:
            ready = anything.poll(most_ms)
            if ended.poll(0):
                return
            if not ready:
                yield
            elif self._concerns(os.read(self._descriptor, _ROOM)):
                self._wait_for_quiet()
                yield
            else:
                ended.poll(_UNCONCERNED_MS)

    def _wait_for_quiet(self) -> None:
        poll = select.poll()
        poll.register(self._descriptor, select.POLLIN)
        latest = time.monotonic() + _AT_MOST
        while time.monotonic() < latest and poll.poll(_QUIET_MS):
            os.read(self._descriptor, _ROOM)

    def _concerns(self, events: bytes) -> bool:
        at = 0
        while at < len(events):
            _, mask, _, length = _HEAD.unpack_from(events, at)
            at += _HEAD.size + length
            name = events[at - length : at].rstrip(b"\0")
            if mask & (_SELF | _OVERFLOW | _IS_FOLDER) or name.endswith(self._ending):
                return True
        return False


def _checked(outcome: int) -> int:
    if outcome < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return outcome


_libc = ctypes.CDLL(None, use_errno=True)
