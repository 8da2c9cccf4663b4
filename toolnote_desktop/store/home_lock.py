"""Ownership of a home by one window or one ``serve`` (docs/contract.md 2, ``run/``; docs/architecture.md,
decision 5).
"""

from __future__ import annotations

import logging
import os
import threading
import time
from pathlib import Path
from typing import Any, Final, Literal

from filelock import FileLock, Timeout

from toolnote_desktop import __version__
from toolnote_desktop.model import json_text
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.paths import (
    ENDPOINT_BRIDGE_SECRET,
    ENDPOINT_PID,
    ENDPOINT_START_TICKS,
    ENDPOINT_START_TIME,
    ENDPOINT_URL,
    ENDPOINT_VERSION,
    Home,
    belongs_to_user,
    make_folder,
    read_json,
    read_regular,
    start_ticks,
)
from toolnote_desktop.store.documents import reason_of
from toolnote_desktop.system.atomic_file import FILE_MODE, write_file

OwnerKind = Literal["window", "serve"]

_OWNER_FILE: Final = "owner.json"
_OWNER_KIND: Final = "kind"
_ATTEMPTS: Final = 20  # a twentieth of a second each: an owner with the lock announces itself at once
_SAME_START: Final = 1.0  # seconds

log = logging.getLogger(__name__)


class HomeOwner:
    """Ownership of a home, until :meth:`release` or the end of the process, however it ends."""

    def __init__(self, home: Home, kind: OwnerKind, lock: FileLock) -> None:
        self.home = home
        self.kind = kind
        self._lock = lock
        self._lock_file = _identity(home)
        self._endpoint: bytes | None = None
        self._changing = threading.Lock()
        self._lost = False

    @classmethod
    def acquire(cls, home: Home, kind: OwnerKind, *, announced: bool = True) -> HomeOwner:
        """Become the owner; files of an earlier owner in ``run/`` are removed.

        Args:
            announced: publish the owner's identity at once; otherwise call :meth:`announce` soon.

        Raises:
            ToolnoteError: ``home-owned`` with the owner (``window``, ``serve`` or ``?``) and its process id;
                ``file-not-written`` if ``run/`` cannot be created.
        """
        lock = FileLock(home.app_lock, timeout=0, mode=FILE_MODE, thread_local=False)
        try:
            make_folder(home.run)
            if not belongs_to_user(home.run):
                raise ToolnoteError(Code.FILE_NOT_WRITTEN, file=str(home.run), reason="it belongs to another user")
            lock.acquire()
        except Timeout:
            owner, pid = _owner(home)
            raise ToolnoteError(Code.HOME_OWNED, home=str(home.root), owner=owner, pid=pid) from None
        except OSError as error:
            raise ToolnoteError(Code.FILE_NOT_WRITTEN, file=str(home.app_lock), reason=reason_of(error)) from error
        try:
            home.endpoint.unlink(missing_ok=True)
            if announced:
                _write_owner(home, kind)
        except OSError as error:
            lock.release()
            raise ToolnoteError(Code.FILE_NOT_WRITTEN, file=str(home.run), reason=reason_of(error)) from error
        return cls(home, kind, lock)

    def announce(self) -> None:
        """Write the owner's identity to ``run/owner.json``: processes that want the home wait a second for it.

        Raises:
            ToolnoteError: ``file-not-written``.
        """
        try:
            _write_owner(self.home, self.kind)
        except OSError as error:
            raise ToolnoteError(Code.FILE_NOT_WRITTEN, file=str(self.home.run), reason=reason_of(error)) from error

    def write_endpoint(self, url: str, bridge_secret: str) -> None:
        """Write the address of this process to ``run/endpoint.json``.

        Raises:
            ToolnoteError: ``file-not-written``.
        """
        record = {
            ENDPOINT_URL: url,
            ENDPOINT_PID: os.getpid(),
            ENDPOINT_START_TIME: _start_time(os.getpid()),
            ENDPOINT_VERSION: __version__,
            ENDPOINT_BRIDGE_SECRET: bridge_secret,
        }
        if (ticks := start_ticks(os.getpid())) is not None:
            record[ENDPOINT_START_TICKS] = ticks
        with self._changing:
            self._endpoint = json_text.dumps_pretty(record)
            try:
                write_file(self.home.endpoint, self._endpoint, durable=False, follow_links=False)
            except OSError as error:
                reason = reason_of(error)
                raise ToolnoteError(Code.FILE_NOT_WRITTEN, file=str(self.home.endpoint), reason=reason) from error

    def restore(self) -> None:
        """Restore lost files of ``run/``: a program that synchronizes folders may have replaced the home. If another
        process has become the owner meanwhile, its files stay.

        Waits for the disk. A failed write is repeated by the next call.
        """
        with self._changing:
            if not self._lock.is_locked or not self.home.root.is_dir():
                return  # released, or its new folder does not exist yet
            try:
                if _identity(self.home) != self._lock_file:
                    self._relock()
                if self._endpoint is not None and not self._lost and _bytes(self.home.endpoint) != self._endpoint:
                    write_file(self.home.endpoint, self._endpoint, durable=False, follow_links=False)
                    log.warning("%s was lost and has been restored", self.home.endpoint)
            except OSError as error:
                log.warning("%s cannot be written: %s", self.home.run, reason_of(error))

    def _relock(self) -> None:
        """Lock the new file if the locked one is no longer in the home. The old lock is held until then."""
        make_folder(self.home.run)
        lock = FileLock(self.home.app_lock, timeout=0, mode=FILE_MODE, thread_local=False)
        try:
            lock.acquire()
        except Timeout:
            if not self._lost:
                log.warning("another Toolnote has taken over %s", self.home.root)
            self._lost = True
            return
        self._lock.release()
        self._lock, self._lost = lock, False
        self._lock_file = _identity(self.home)
        _write_owner(self.home, self.kind)

    def release(self) -> None:
        """Give up ownership; the endpoint's file is removed first. Can be called repeatedly."""
        with self._changing:
            if self._lock.is_locked:
                try:
                    if not self._lost:
                        self.home.endpoint.unlink(missing_ok=True)
                        (self.home.run / _OWNER_FILE).unlink(missing_ok=True)
                finally:
                    self._lock.release()


def _write_owner(home: Home, kind: OwnerKind) -> None:
    record = {_OWNER_KIND: kind, ENDPOINT_PID: os.getpid(), ENDPOINT_START_TIME: _start_time(os.getpid())}
    write_file(home.run / _OWNER_FILE, json_text.dumps_pretty(record), durable=False, follow_links=False)


def _identity(home: Home) -> tuple[int, int] | None:
    """Return the identity of the lock file, whose inode number is not reused while we hold it open."""
    try:
        found = os.stat(home.app_lock)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _bytes(path: Path) -> bytes | None:
    try:
        return read_regular(path)
    except OSError:
        return None


def _owner(home: Home) -> tuple[str, str]:
    """Return kind and process id of a living owner as written by it; question marks if unknown."""
    for _ in range(_ATTEMPTS):
        record = _read(home)
        pid, began = record.get(ENDPOINT_PID), record.get(ENDPOINT_START_TIME)
        if isinstance(pid, int) and isinstance(began, (int, float)):
            start = _start_time(pid)
            if start is not None and abs(start - began) < _SAME_START:
                return str(record.get(_OWNER_KIND, "?")), str(pid)
        time.sleep(0.05)
    return "?", "?"


def _read(home: Home) -> dict[str, Any]:
    try:
        record = read_json(home.run / _OWNER_FILE)
    except (OSError, ValueError):
        return {}
    return record if isinstance(record, dict) else {}


def _start_time(pid: int) -> float | None:
    import psutil  # takes 12 ms, for which the first paint does not wait

    try:
        return psutil.Process(pid).create_time()
    except psutil.Error:
        return None
