"""Reports of uncaught errors of slots, threads, coroutines and Qt.

A report is shown to the user and sent nowhere. It names source lines and error types but no secret: values of env and
headers, tokens and URL queries of the documents are removed.
"""

from __future__ import annotations

import faulthandler
import logging
import os
import sys
import threading
import traceback
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any, Self

from msgspec import Struct
from PySide6.QtCore import QMessageLogContext, QObject, Qt, QtMsgType, Signal, qInstallMessageHandler, qVersion

from toolnote_desktop import __version__
from toolnote_desktop.log import covered
from toolnote_desktop.model.secrets.secret_masks import SecretCover
from toolnote_desktop.model.servers import Server, secret_values
from toolnote_desktop.paths import Home, make_folder

if TYPE_CHECKING:
    import asyncio

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
    """Report of one error, for the user to pass on.

    Attributes:
        summary: one line.
        text: the whole report, without secrets.
    """

    summary: str
    text: str


class CrashReporter(QObject):
    """Exception hooks of the process, while installed; a context manager that installs them.

    Signals:
        reported: a ``CrashReport``, in the window's thread; a source line is reported once in a run and logged each
            time.
    """

    reported = Signal(object)
    _created = Signal(object)

    def __init__(self, home: Home, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._home = home
        self._secrets: Callable[[], Iterable[str]] = tuple
        self._seen: set[str] = set()
        self._faults: IO[str] | None = None
        self._previous = (sys.excepthook, threading.excepthook)
        self._created.connect(self.reported, Qt.ConnectionType.QueuedConnection)

    def __enter__(self) -> Self:
        self.install()
        return self

    def __exit__(self, *_error: object) -> None:
        self.uninstall()

    def set_secrets(self, secrets: Callable[[], Iterable[str]]) -> None:
        """Set the function that returns what must not be in a report."""
        self._secrets = secrets

    def install(self) -> None:
        """Install the hooks. Faults of the interpreter itself are written to ``logs/faults.log``."""
        sys.excepthook = self.handle_exception
        threading.excepthook = self._handle_thread_exception
        qInstallMessageHandler(_qt_message)
        self._faults = _open_faults(self._home.faults)
        if self._faults is not None:
            faulthandler.enable(self._faults)

    def uninstall(self) -> None:
        """Restore the previous hooks."""
        sys.excepthook, threading.excepthook = self._previous
        qInstallMessageHandler(None)
        if self._faults is not None:
            faulthandler.disable()
            self._faults.close()
            self._faults = None

    def handle_exception(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        """Report an uncaught exception of the main thread (``sys.excepthook``)."""
        if issubclass(kind, KeyboardInterrupt):
            return
        self._report(error, "")

    def handle_loop_exception(self, loop: asyncio.AbstractEventLoop, context: Mapping[str, Any]) -> None:
        """Report an uncaught exception of a coroutine or callback (``set_exception_handler``)."""
        error = context.get("exception")
        if isinstance(error, Exception):
            self._report(error, context.get("message", ""))
        else:
            log.error("event loop: %s", context.get("message"))

    def _handle_thread_exception(self, arguments: threading.ExceptHookArgs) -> None:
        if arguments.exc_value is not None and not issubclass(arguments.exc_type, SystemExit):
            name = arguments.thread.name if arguments.thread is not None else "?"
            self._report(arguments.exc_value, f"in thread {name}")

    def report_of(self, error: BaseException, where: str) -> CrashReport:
        """Return the report of an error, and log it."""
        report = crash_report(error, where, self._secrets())
        log.error("uncaught: %s", report.text)
        return report

    def _report(self, error: BaseException, where: str) -> None:
        report = self.report_of(error, where)
        frames = traceback.extract_tb(error.__traceback__)
        place = f"{type(error).__name__} {frames[-1].filename}:{frames[-1].lineno}" if frames else type(error).__name__
        if place not in self._seen:
            self._seen.add(place)
            self._created.emit(report)


def crash_report(error: BaseException, where: str, secrets: Iterable[str]) -> CrashReport:
    """Return the report of an error and its causes."""
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
    """Return ``text`` without secrets, without what logs mask, and without the path of the user's home folder."""
    return covered(SecretCover(secrets)(text)).replace(str(Path.home()), "~")


def secrets_of(servers: Iterable[Server]) -> set[str]:
    """Return the values in servers' entries that may be secret."""
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
        log.warning("cannot write %s: %s", path, error)
        return None


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _qt_message(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
    category = f"{context.category}: " if context.category else ""
    qt_log.log(_QT_LEVELS.get(kind, logging.WARNING), "%s%s", category, message)
