"""Daily check for a new version, and for a replaced program file."""

from __future__ import annotations

import contextlib
import logging
import os
import subprocess
import sys
import tarfile
import time
from pathlib import Path
from typing import NoReturn

from PySide6.QtCore import QObject, QTimer, Signal

from toolnote_desktop.desktop.async_tasks import in_thread, spawn
from toolnote_desktop.paths import Home, make_folder
from toolnote_desktop.store.library import Library
from toolnote_desktop.system.environment import own_environment
from toolnote_desktop.updates import installing
from toolnote_desktop.updates.build import Build
from toolnote_desktop.updates.feed import FeedError, File, Update
from toolnote_desktop.updates.fetching import find_update

log = logging.getLogger(__name__)

DAY_SECONDS = 24 * 3600
_FIRST_CHECK_MS = 30_000
"""Late enough not to compete with the start."""
_CHECK_MS = 3600 * 1000
_REPLACED_MS = 10_000


class Updater(QObject):
    """Periodic check for new versions; installs the downloaded one when the app has ended.

    Signals:
        found: an ``Update``, found by the daily check.
        replaced: the program's file was replaced by another version (a package manager's upgrade).
    """

    found = Signal(object)
    replaced = Signal()

    def __init__(self, build: Build, library: Library, home: Home, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.build = build
        self._library = library
        self._home = home
        self._to_install: tuple[Path, File] | None = None
        self._program = self._seen = program_stamp()
        self._checks = QTimer(self, interval=_CHECK_MS)
        self._checks.timeout.connect(self.check_if_due)
        self._first_check = QTimer(self, interval=_FIRST_CHECK_MS, singleShot=True)
        self._first_check.timeout.connect(self.check_if_due)
        self._program_checks = QTimer(self, interval=_REPLACED_MS)
        self._program_checks.timeout.connect(self._check_program)

    def start(self) -> None:
        """Start the periodic checks that this build is meant to do."""
        installing.tidy(self._home.updates, self.stamp_file.name, self.seen_file.name)
        if self.build.looks_for_updates:
            self._checks.start()
            self._first_check.start()
        if self._program is not None:
            self._program_checks.start()

    def stop(self) -> None:
        """Stop the periodic checks."""
        self._checks.stop()
        self._first_check.stop()
        self._program_checks.stop()

    def check_if_due(self) -> None:
        """Check in the background, unless that is switched off or was done within the last day. Failures are logged."""
        if self._library.snapshot.settings.look_for_updates and self._is_due():
            spawn(self, self._check_quietly())

    async def check(self) -> Update | None:
        """Return the newest version if it is newer than this one.

        Raises:
            Exception: the feed could not be read; its text is for the user.
        """
        make_folder(self._home.updates)
        self.stamp_file.touch()
        try:
            return await in_thread(find_update, self.build, seen_file=self.seen_file)
        except Exception as error:
            log.info("checking for a new version failed: %s", error)
            raise

    def install_on_exit(self, path: Path, file: File) -> None:
        """Remember a verified download, with what it was verified by, for :meth:`install`."""
        self._to_install = path, file

    def install(self) -> subprocess.Popen[bytes] | None:
        """Start the process that replaces this app, which has ended, with the downloaded version."""
        if self._to_install is None:
            return None
        try:
            return installing.start(self.build.channel, *self._to_install)
        except (OSError, tarfile.TarError, FeedError) as error:
            log.error("the new version could not be installed: %s", error)
            return None

    async def _check_quietly(self) -> None:
        with contextlib.suppress(Exception):  # logged; the user did not ask for it
            update = await self.check()
            if update is not None:
                self.found.emit(update)

    def _is_due(self) -> bool:
        try:
            return abs(time.time() - self.stamp_file.stat().st_mtime) >= DAY_SECONDS
        except FileNotFoundError:
            return True

    @property
    def stamp_file(self) -> Path:
        return self._home.updates / "looked"

    @property
    def seen_file(self) -> Path:
        return self._home.updates / "seen.json"

    def _check_program(self) -> None:
        now = program_stamp()
        if now not in (None, self._program) and now == self._seen:  # twice the same: it is completely written
            self._program_checks.stop()
            self.replaced.emit()
        self._seen = now


def start_again(command: list[str]) -> NoReturn:
    """Replace this process, in which everything was closed, by ``command``."""
    variables = {**own_environment(), "PYINSTALLER_RESET_ENVIRONMENT": "1"}
    os.execve(command[0], command, variables)


def program_stamp() -> tuple[int, int] | None:
    """Return inode and time of the frozen program's file; None for a program that is not frozen, or without a file."""
    if not getattr(sys, "frozen", False):
        return None
    try:
        about = os.stat(sys.executable)
    except OSError:
        return None
    return about.st_ino, about.st_mtime_ns
