"""Errors that nobody caught: one hook for slots, threads and Qt's own messages, and one report.

A report goes nowhere by itself. It names places in the program and kinds of errors, and no secret: every value of env
and headers, every token and url query that the documents hold is taken out of it.
"""

from __future__ import annotations

import faulthandler
import logging
import os
import sys
import threading
import traceback
from collections.abc import Callable, Iterable
from pathlib import Path
from types import TracebackType
from typing import IO

from msgspec import Struct
from PySide6.QtCore import QMessageLogContext, QObject, Qt, QtMsgType, Signal, qInstallMessageHandler, qVersion

from toolnote_desktop import __version__
from toolnote_desktop.log import COVER, SHORTEST_SECRET, covered
from toolnote_desktop.model.servers import Server, secret_values
from toolnote_desktop.paths import Home, make_folder

log = logging.getLogger(__name__)
qt_log = logging.getLogger("toolnote_desktop.qt")

_LARGEST_FAULTS_FILE = 256 * 1024
_QT_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}


class CrashReport(Struct, frozen=True):
    """What went wrong, for a person to pass on.

    Attributes:
        summary: one line.
        text: the whole report, without secrets.
    """

    summary: str
    text: str


class CrashReporter(QObject):
    """Holds the hooks while it is installed.

    Signals:
        reported: a ``CrashReport``, in the window's thread; each place that fails is reported once in a run and logged
            each time.
    """

    reported = Signal(object)
    _came = Signal(object)

    def __init__(self, home: Home, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._home = home
        self._secrets: Callable[[], Iterable[str]] = tuple
        self._seen: set[str] = set()
        self._faults: IO[str] | None = None
        self._previous = (sys.excepthook, threading.excepthook)
        self._came.connect(self.reported, Qt.ConnectionType.QueuedConnection)

    def know_secrets(self, secrets: Callable[[], Iterable[str]]) -> None:
        """``secrets()`` gives what must not be in a report; it is asked when there is one."""
        self._secrets = secrets

    def install(self) -> None:
        """Take the hooks. Faults of the interpreter itself are written to ``logs/faults.log``."""
        sys.excepthook = self.exception
        threading.excepthook = self._thread_exception
        qInstallMessageHandler(_qt_message)
        self._faults = _open_faults(self._home.faults)
        if self._faults is not None:
            faulthandler.enable(self._faults)

    def uninstall(self) -> None:
        """Give the hooks back."""
        sys.excepthook, threading.excepthook = self._previous
        qInstallMessageHandler(None)
        if self._faults is not None:
            faulthandler.disable()
            self._faults.close()
            self._faults = None

    def exception(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        """``sys.excepthook``: slots and everything else of the main thread."""
        if issubclass(kind, KeyboardInterrupt):
            return
        self._report(error, "")

    def _thread_exception(self, arguments: threading.ExceptHookArgs) -> None:
        if arguments.exc_value is not None and not issubclass(arguments.exc_type, SystemExit):
            name = arguments.thread.name if arguments.thread is not None else "?"
            self._report(arguments.exc_value, f"in thread {name}")

    def report_of(self, error: BaseException, where: str) -> CrashReport:
        """The report of an error, which is logged with it."""
        report = crash_report(error, where, self._secrets())
        log.error("not caught: %s", report.text)
        return report

    def _report(self, error: BaseException, where: str) -> None:
        report = self.report_of(error, where)
        frames = traceback.extract_tb(error.__traceback__)
        place = f"{type(error).__name__} {frames[-1].filename}:{frames[-1].lineno}" if frames else type(error).__name__
        if place not in self._seen:
            self._seen.add(place)
            self._came.emit(report)


def crash_report(error: BaseException, where: str, secrets: Iterable[str]) -> CrashReport:
    """The report of one error and its causes."""
    import platform

    lines = [
        f"Toolnote {__version__}, Python {platform.python_version()}, Qt {qVersion()}, {platform.platform()}",
        *([where] if where else []),
    ]
    seen: set[int] = set()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        lines.append(_one_line(cause))
        lines += [
            f"  {_short_path(frame.filename)}:{frame.lineno} in {frame.name}"
            for frame in traceback.extract_tb(cause.__traceback__)
        ]
        cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)
        if cause is not None:
            lines.append("because of")
    text = without_secrets("\n".join(lines), secrets)
    return CrashReport(summary=without_secrets(_one_line(error), secrets), text=text)


def without_secrets(text: str, secrets: Iterable[str]) -> str:
    """``text`` with each secret, what any log covers, and the user's own folder taken out of it."""
    for secret in sorted({one for one in secrets if len(one) >= SHORTEST_SECRET}, key=len, reverse=True):
        text = text.replace(secret, COVER)
    return covered(text).replace(str(Path.home()), "~")


def secrets_of(servers: Iterable[Server]) -> set[str]:
    """What in servers' entries may be secret."""
    return {value for server in servers for value in secret_values(server)}


def _one_line(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:500]


def _short_path(path: str) -> str:
    for part in ("site-packages", "toolnote_desktop"):
        _, found, after = path.replace("\\", "/").rpartition(f"/{part}/")
        if found:
            return after if part == "site-packages" else f"{part}/{after}"
    return Path(path).name


def _open_faults(path: Path) -> IO[str] | None:
    try:
        make_folder(path.parent)
        large = path.exists() and path.stat().st_size > _LARGEST_FAULTS_FILE
        return open(path, "w" if large else "a", encoding="utf-8", opener=_private)
    except OSError as error:
        log.warning("%s cannot be written: %s", path, error)
        return None


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _qt_message(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
    category = f"{context.category}: " if context.category else ""
    qt_log.log(_QT_LEVELS.get(kind, logging.WARNING), "%s%s", category, message)
