"""Logging: destinations, levels and redaction of secrets (docs/contract.md 4).

``TOOLNOTE_LOG=debug`` or ``trace`` sets the level on stderr. Each handler redacts its output, including tracebacks:
values given to :func:`hide`, text after ``Bearer``, and queries and passwords of URLs.
"""

from __future__ import annotations

import logging
import os
import re
import sys
import threading
import traceback
from collections.abc import Iterable
from io import TextIOWrapper
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING

from toolnote_desktop.model.hidden_characters import escape_controls
from toolnote_desktop.paths import make_folder

if TYPE_CHECKING:
    from toolnote_desktop.model.secrets.secret_masks import SecretCover

TRACE = 5
"""Below DEBUG: each call, each message."""

_MASK = "•••"

RECORD_LIMIT = 32 * 1024
"""Characters of a record: the text of another program is cut before it is redacted."""

_OVERLAP = 256
"""Characters dropped, at least, where a text is cut: half a secret would not be recognized."""

LOG_FILE = "toolnote.log"
FILE_LIMIT = 2_000_000
FILES_KEPT = 3

_BEARER = re.compile(r"(?i)\b(bearer)\s+[^\s\"',;]+")
# Without the scheme and stopping at the next "://", so that the time is linear in any text.
_URL_QUERY = re.compile(r"(://(?:[^\s?#\"'<>:]|:(?!//))*\?)[^\s#\"'<>]+")
_URL_USER = re.compile(r"(://)[^\s/@\"'<>]+@")
HARMLESS = frozenset(["true", "false", "none", "null", "info", "debug", "warn", "warning", "error", "utf-8", "utf8"])

MAX_RECORDS = 2000
"""Records that wait to be written."""

_FLUSH_SECONDS = 2.0

MAX_TOKENS = 1024
"""Spellings of tokens that are redacted: a server that issues new ones all the time must not fill the memory."""

_lock = threading.Lock()
_secrets: SecretCover | None = None
_tokens: SecretCover | None = None


def hide(values: Iterable[str]) -> None:
    """Redact these values (of env and headers) in all logs from now on. Thread-safe."""
    global _secrets  # noqa: PLW0603 - one process has one set of secrets
    from toolnote_desktop.model.secrets.secret_masks import SecretCover  # few processes have secrets

    with _lock:
        if _secrets is None:
            _secrets = SecretCover(harmless=HARMLESS)
    _secrets.add(values)


def hide_tokens(values: Iterable[str]) -> None:
    """Redact tokens that are replaced from time to time: the newest ``MAX_TOKENS``. Thread-safe."""
    global _tokens  # noqa: PLW0603 - one process has one set of secrets
    from toolnote_desktop.model.secrets.secret_masks import SecretCover

    with _lock:
        if _tokens is None:
            _tokens = SecretCover(most=MAX_TOKENS)
    _tokens.add(values)


def covered(text: str, limit: int = 8 * RECORD_LIMIT) -> str:
    """Return ``text``, cut to about ``limit`` characters, with secrets redacted."""
    if len(text) > limit:
        overlap = max(_OVERLAP, *(cover.longest for cover in (_secrets, _tokens) if cover is not None), 0)
        is_whole = len(text) <= limit + overlap
        shown = _covered(text[: limit + overlap])[: limit if is_whole else -overlap]
        return f"{shown}… [{len(text)} characters]"
    return _covered(text)


def _covered(text: str) -> str:
    for cover in (_secrets, _tokens):
        if cover is not None:
            text = cover(text)
    text = _BEARER.sub(rf"\1 {_MASK}", text)
    text = _URL_QUERY.sub(rf"\1{_MASK}", text)
    return _URL_USER.sub(rf"\1{_MASK}@", text)


class CoveringFormatter(logging.Formatter):
    """Formatter that redacts secrets in records and their tracebacks, and escapes what a terminal would act on."""

    def format(self, record: logging.LogRecord) -> str:
        return escape_controls(covered(super().format(record), RECORD_LIMIT))


def wanted_level() -> int | None:
    """Return the level in ``TOOLNOTE_LOG``; None if unset."""
    return {"trace": TRACE, "debug": logging.DEBUG, "info": logging.INFO}.get(
        os.environ.get("TOOLNOTE_LOG", "").strip().lower()
    )


def set_up(*, file: Path | None = None, quiet: bool = False, traces: Path | None = None) -> None:
    """Set up logging to stderr and, for the app and ``serve``, to a file of limited size.

    Args:
        file: path of the log file; None: none.
        quiet: nothing on stderr unless ``TOOLNOTE_LOG`` is set: for commands, which print their own messages.
        traces: log file that gets nothing but tracebacks: for commands, whose messages may refer to it.
    """
    logging.addLevelName(TRACE, "TRACE")
    wanted = wanted_level()
    root, own = logging.getLogger(), logging.getLogger("toolnote_desktop")
    for handler in list(root.handlers):
        root.removeHandler(handler)
        handler.close()
    stderr_level = wanted if wanted is not None else logging.CRITICAL + 1 if quiet else logging.WARNING
    formatter = CoveringFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s")
    handlers: list[logging.Handler] = []
    if sys.stderr is not None:
        handlers.append(logging.StreamHandler(sys.stderr))
        handlers[0].setLevel(stderr_level)
    file_handler = _file_handler(file) if file is not None else None
    if file_handler is not None:
        file_handler.setLevel(min(logging.INFO, stderr_level))
        handlers.append(file_handler)
    for handler in handlers:
        handler.setFormatter(formatter)
    for handler in [_LogWriter(handlers)] if file is not None else handlers:
        root.addHandler(handler)
    if traces is not None:
        root.addHandler(_TraceFile(traces))
    own.setLevel(min(stderr_level, logging.INFO if file is not None else logging.WARNING))
    # Other libraries' debug lines may contain headers and bodies: they are never enabled.
    root.setLevel(logging.INFO if wanted == TRACE else logging.WARNING)


def keep_traceback(error: BaseException, file: Path) -> Path | None:
    """Append an unexpected error with its traceback to a log file; return None if that fails."""
    text = covered("".join(traceback.format_exception(error)))
    try:
        make_folder(file.parent)
        with open(file, "a", encoding="utf-8", errors="backslashreplace", opener=_private) as stream:
            stream.write(text)
    except OSError:
        return None
    return file


class _TraceFile(logging.Handler):
    """Tracebacks of unexpected errors, appended to a file that is there only if there are any."""

    def __init__(self, file: Path) -> None:
        super().__init__(logging.ERROR)
        self._file = file

    def emit(self, record: logging.LogRecord) -> None:
        """Write the traceback of a record."""
        if record.exc_info is not None and record.exc_info[1] is not None:
            keep_traceback(record.exc_info[1], self._file)


class _LogWriter(logging.Handler):
    """Handler whose records are redacted and written by a thread: neither a slow disk nor a full pipe stops the caller.

    The thread is started by the first record. Records that come faster than they are written are dropped, and counted.
    """

    def __init__(self, handlers: list[logging.Handler]) -> None:
        super().__init__(min((handler.level for handler in handlers), default=logging.CRITICAL))
        self._handlers = handlers
        self._queue: SimpleQueue[logging.LogRecord | threading.Event | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._dropped = 0
        self._closed = False

    def emit(self, record: logging.LogRecord) -> None:
        if self._queue.qsize() >= MAX_RECORDS:
            self._dropped += 1
            return
        record = logging.makeLogRecord(record.__dict__)
        # What the record refers to may change, and must not be kept.
        record.msg, record.args = record.getMessage()[: 8 * RECORD_LIMIT], None
        if self._dropped:
            record.msg, self._dropped = f"[{self._dropped} records were left out here] {record.msg}", 0
        if record.exc_info:
            record.exc_text = "".join(traceback.format_exception(*record.exc_info)).rstrip("\n")
            record.exc_info = None
        if self._closed:
            self._write(record)
            return
        if self._thread is None:
            self._thread = threading.Thread(target=self._write_all, name="toolnote-log", daemon=True)
            self._thread.start()
        self._queue.put(record)

    def _write_all(self) -> None:
        while (entry := self._queue.get()) is not None:
            if isinstance(entry, threading.Event):
                entry.set()
            else:
                self._write(entry)

    def _write(self, record: logging.LogRecord) -> None:
        for handler in self._handlers:
            if record.levelno >= handler.level:
                handler.handle(record)

    def flush(self) -> None:
        if self._thread is not None and not self._closed:
            written = threading.Event()
            self._queue.put(written)
            written.wait(_FLUSH_SECONDS)

    def close(self) -> None:
        if self._thread is not None and not self._closed:
            self._queue.put(None)
            self._thread.join(_FLUSH_SECONDS)
        self._closed = True
        for handler in self._handlers:
            handler.close()
        super().close()


class _LogFile(logging.Handler):
    """Log file of an app, limited in size and readable by its owner only.

    It is opened by the first line: the imports needed take as long as the rest of this module.
    """

    def __init__(self, file: Path) -> None:
        super().__init__()
        self._file = file
        self._opened: logging.Handler | None = None

    def emit(self, record: logging.LogRecord) -> None:
        if self._opened is None:
            self._opened = _bounded_file(self._file)
            self._opened.setFormatter(self.formatter)
        self._opened.emit(record)

    def close(self) -> None:
        if self._opened is not None:
            self._opened.close()
        super().close()


def _file_handler(file: Path) -> logging.Handler | None:
    """Return the file handler; None if it cannot be created: callers that need the folder report that themselves."""
    try:
        make_folder(file.parent)
    except OSError:
        return None
    return _LogFile(file)


def _bounded_file(file: Path) -> logging.Handler:
    from logging.handlers import RotatingFileHandler

    class PrivateFileHandler(RotatingFileHandler):
        """Handler whose files are readable by their owner only."""

        def _open(self) -> TextIOWrapper:
            return open(self.baseFilename, "a", encoding=self.encoding, errors=self.errors, opener=_private)

        def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the name of the standard library
            """Drop the line, for example on a full disk, and report to stderr."""

    return PrivateFileHandler(
        file, maxBytes=FILE_LIMIT, backupCount=FILES_KEPT, encoding="utf-8", errors="backslashreplace", delay=True
    )


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
