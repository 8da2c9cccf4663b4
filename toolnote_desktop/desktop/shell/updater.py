"""Once a day: is there a new version? And: has somebody put a new one where this one was started from?"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import tarfile
import time
from pathlib import Path
from typing import NoReturn

from PySide6.QtCore import QObject, QTimer, Signal

from toolnote_desktop.desktop.background_task import run_task
from toolnote_desktop.paths import Home, make_folder
from toolnote_desktop.store.library import Library
from toolnote_desktop.system.environment import own_environment
from toolnote_desktop.updates import installing
from toolnote_desktop.updates.build import Build
from toolnote_desktop.updates.feed import Update
from toolnote_desktop.updates.fetching import find_update

log = logging.getLogger(__name__)

DAY_SECONDS = 24 * 3600
_FIRST_LOOK_MS = 30_000
"""After the start, when everything that a person waits for has been done."""
_LOOK_MS = 3600 * 1000
_REPLACED_MS = 10_000


class Updater(QObject):
    """Looks, and keeps what is to be installed at the end.

    Signals:
        found: an ``Update``.
        nothing_new: somebody asked, and this is the newest version.
        failed: somebody asked, and it could not be found out; the error.
        replaced: another version stands where this one was started from (a package manager's upgrade).
    """

    found = Signal(object)
    nothing_new = Signal()
    failed = Signal(object)
    replaced = Signal()

    def __init__(self, build: Build, library: Library, home: Home, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.build = build
        self._library = library
        self._home = home
        self._to_install: Path | None = None
        self._program = self._seen = program_stamp()
        self._looking = QTimer(self, interval=_LOOK_MS)
        self._looking.timeout.connect(self.look_if_due)
        self._first_look = QTimer(self, interval=_FIRST_LOOK_MS, singleShot=True)
        self._first_look.timeout.connect(self.look_if_due)
        self._watching = QTimer(self, interval=_REPLACED_MS)
        self._watching.timeout.connect(self._look_at_the_program)

    def start(self) -> None:
        """Begin to look, where that is this build's business."""
        installing.tidy(self._home.updates, self._stamp.name)
        if self.build.looks_for_updates:
            self._looking.start()
            self._first_look.start()
        if self._program is not None:
            self._watching.start()

    def stop(self) -> None:
        """Look no more."""
        self._looking.stop()
        self._first_look.stop()
        self._watching.stop()

    def look_if_due(self) -> None:
        """Look, unless it is switched off or was done within the last day; a failure is told to the log alone."""
        if self._library.snapshot.settings.look_for_updates and self._is_due():
            self._look(asked=False)

    def look_now(self) -> None:
        """Somebody asks."""
        self._look(asked=True)

    def install_at_the_end(self, path: Path) -> None:
        """``path`` is a checked download."""
        self._to_install = path

    def install(self) -> subprocess.Popen[bytes] | None:
        """The app has ended: what was downloaded takes its place, by a process that outlives this one."""
        if self._to_install is None:
            return None
        try:
            return installing.start(self.build.channel, self._to_install)
        except (OSError, tarfile.TarError) as error:
            log.error("the new version could not be installed: %s", error)
            return None

    def _look(self, *, asked: bool) -> None:
        def done(update: Update | None) -> None:
            if update is not None:
                self.found.emit(update)
            elif asked:
                self.nothing_new.emit()

        def failed(error: Exception) -> None:
            log.info("no new version could be looked for: %s", error)
            if asked:
                self.failed.emit(error)

        make_folder(self._home.updates)
        self._stamp.touch()
        run_task(self, lambda: find_update(self.build), done, failed)

    def _is_due(self) -> bool:
        try:
            return abs(time.time() - self._stamp.stat().st_mtime) >= DAY_SECONDS
        except FileNotFoundError:
            return True

    @property
    def _stamp(self) -> Path:
        return self._home.updates / "looked"

    def _look_at_the_program(self) -> None:
        now = program_stamp()
        if now not in (None, self._program) and now == self._seen:  # twice the same: nobody is at it any more
            self._watching.stop()
            self.replaced.emit()
        self._seen = now


def start_again(command: list[str]) -> NoReturn:
    """This process goes on as ``command``, which is the version that was put in our place. Everything was closed."""
    variables = {**own_environment(), "PYINSTALLER_RESET_ENVIRONMENT": "1"}
    os.execve(command[0], command, variables)


def program_stamp() -> tuple[int, int] | None:
    """What changes when a frozen program's file is replaced; None where nothing is frozen or no file is there."""
    if not getattr(sys, "frozen", False):
        return None
    try:
        about = os.stat(sys.executable)
    except OSError:
        return None
    return about.st_ino, about.st_mtime_ns
