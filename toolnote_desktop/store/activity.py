"""Activity log in ``activity.db`` (docs/contract.md 2): calls, errors, and the list revision that each client fetched.

Arguments and results of calls are not stored. Recording costs the caller the append to a queue; a thread of its own
writes in batches. Nothing depends on the log: an unreadable database is set aside, and one that cannot be written is
reported in the program's log, once.
"""

from __future__ import annotations

import contextlib
import logging
import os
import sqlite3
import threading
from collections import deque
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import chain
from time import mktime
from typing import Any, Final, NamedTuple

from msgspec import Struct

from toolnote_desktop.paths import Home, make_folder
from toolnote_desktop.store.documents import FILE_TIME
from toolnote_desktop.system.atomic_file import FILE_MODE

KEPT_CALLS: Final = 50_000
"""Number of calls kept; older ones are removed."""

_BATCH_SECONDS: Final = 0.5
_TRIM_EVERY: Final = 1_000  # calls
_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS calls (
    id INTEGER PRIMARY KEY,
    time REAL NOT NULL,      -- seconds since the epoch, when the call ended
    client TEXT NOT NULL,
    server TEXT NOT NULL,
    tool TEXT NOT NULL,
    seconds REAL NOT NULL,
    error TEXT               -- NULL: it went well
);
CREATE INDEX IF NOT EXISTS calls_with_errors ON calls (id) WHERE error IS NOT NULL;
CREATE TABLE IF NOT EXISTS lists (client TEXT PRIMARY KEY, revision INTEGER NOT NULL, time REAL NOT NULL);
"""

# Python releases its lock once per statement: with many rows in one, calls in flight are not delayed by each row.
_ROWS: Final = 50
_ADD_CALLS: Final = "INSERT INTO calls (time, client, server, tool, seconds, error) VALUES "
_ROW: Final = "(?, ?, ?, ?, ?, ?)"

logger = logging.getLogger(__name__)


class Call(NamedTuple):
    """Finished call. ``time`` is seconds since the epoch; ``error`` a short code or text without secrets."""

    time: float
    client: str
    server: str
    tool: str
    seconds: float
    error: str | None = None


class _Listed(Struct, frozen=True):
    client: str
    revision: int
    time: float


class ActivityLog:
    """Activity log of one home. Recording is allowed from any thread, even after :meth:`close` (it has no effect
    then).
    """

    def __init__(self, home: Home) -> None:
        self._home = home
        self._waiting: deque[Call | _Listed | threading.Event] = deque()
        self._something = threading.Event()
        self._hurry = threading.Event()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="toolnote-activity", daemon=True)
        self._thread.start()

    def record_call(self, call: Call) -> None:
        """Record a finished call."""
        self._record(call)

    def record_list(self, client: str, revision: int) -> None:
        """Record that a client fetched the tool list of this revision."""
        self._record(_Listed(client, revision, datetime.now(UTC).timestamp()))

    def _record(self, entry: Call | _Listed) -> None:
        if not self._closed:
            self._waiting.append(entry)
            # Waking a thread costs more than the rest: only the first record of a batch does it.
            if not self._something.is_set():
                self._something.set()

    def recent_errors(self, limit: int = 100) -> tuple[Call, ...]:
        """Return the newest failed calls, newest first. Reads the database: not for the window's thread."""
        return self._calls("WHERE error IS NOT NULL", limit)

    def recent_calls(self, limit: int = 100) -> tuple[Call, ...]:
        """Return the newest calls, newest first. Reads the database: not for the window's thread."""
        return self._calls("", limit)

    def fetched_revisions(self) -> dict[str, int]:
        """Return client -> revision of the list that it fetched last. Reads the database: not for the window's
        thread.
        """
        rows = self._read("SELECT client, revision FROM lists ORDER BY time", ())
        return {str(client): int(revision) for client, revision in rows}

    def flush(self, timeout: float = 5.0) -> bool:
        """Wait until the records so far are written; return False if it takes longer than ``timeout`` seconds."""
        done = threading.Event()
        if self._closed:
            return True
        self._waiting.append(done)
        self._wake()
        return done.wait(timeout)

    def close(self, timeout: float = 5.0) -> None:
        """Write the remaining records and stop the thread."""
        if not self._closed:
            self._closed = True
            self._wake()
            self._thread.join(timeout)

    def _wake(self) -> None:
        self._hurry.set()
        self._something.set()

    def _calls(self, condition: str, limit: int) -> tuple[Call, ...]:
        text = f"SELECT time, client, server, tool, seconds, error FROM calls {condition} ORDER BY id DESC LIMIT ?"
        return tuple(Call(*row) for row in self._read(text, (limit,)))

    def _read(self, text: str, parameters: Sequence[object]) -> list[tuple[Any, ...]]:
        return _rows(self._home, text, tuple(parameters))

    def _run(self) -> None:
        database: sqlite3.Connection | None = None
        silent = False
        since_trim = _TRIM_EVERY
        stop = False
        while not stop:
            batch = self._next_batch()
            stop = self._closed and not self._waiting
            entries = [item for item in batch if isinstance(item, Call | _Listed)]
            try:
                if entries:
                    database = database or _open(self._home)
                    since_trim += len(entries)
                    try:
                        _write(database, entries, trim=since_trim >= _TRIM_EVERY)
                    except UnicodeEncodeError:  # names of tools are any text, including lone surrogates
                        _write(database, [_writable(one) for one in entries], trim=since_trim >= _TRIM_EVERY)
                    since_trim %= _TRIM_EVERY
                    silent = False
            except (OSError, sqlite3.Error) as error:
                if not silent:
                    logger.warning("activity.db cannot be written: %s", error)
                silent = True
                if database is not None:
                    database.close()
                database = None
            for item in batch:
                if isinstance(item, threading.Event):
                    item.set()
        if database is not None:
            database.close()

    def _next_batch(self) -> list[Call | _Listed | threading.Event]:
        """Wait for a record, collect more for a while, and return all of them."""
        self._something.wait()
        self._hurry.wait(_BATCH_SECONDS)
        self._hurry.clear()
        self._something.clear()  # before taking: later records set it again
        batch: list[Call | _Listed | threading.Event] = []
        while self._waiting and len(batch) < _TRIM_EVERY:
            batch.append(self._waiting.popleft())
        if self._waiting or self._closed:
            self._wake()
        return batch


def _writable(entry: Call | _Listed) -> Call | _Listed:
    """Return the record with characters that cannot be stored escaped as in JSON."""
    if isinstance(entry, Call):
        client, server, tool = map(_written_out, (entry.client, entry.server, entry.tool))
        error = entry.error and _written_out(entry.error)
        return entry._replace(client=client, server=server, tool=tool, error=error)
    return _Listed(_written_out(entry.client), entry.revision, entry.time)


def _written_out(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def last_seen(home: Home) -> dict[str, float]:
    """Return client -> time of its last list request or finished call, in seconds since the epoch.

    Reads the database: not for the window's thread. Empty if there is none, or it cannot be read.
    """
    text = "SELECT client, max(time) FROM (SELECT client, time FROM lists UNION ALL SELECT client, time FROM calls)"
    return {str(client): float(time) for client, time in _rows(home, f"{text} GROUP BY client", ())}


def last_calls(home: Home, client: str, limit: int) -> tuple[Call, ...]:
    """Return the newest calls of a client. Reads the database: not for the window's thread."""
    text = "SELECT time, client, server, tool, seconds, error FROM calls WHERE client = ? ORDER BY id DESC LIMIT ?"
    return tuple(Call(*row) for row in _rows(home, text, (client, limit)))


class Day(NamedTuple):
    """Calls of one day: ``date`` in local time."""

    date: date
    calls: int
    failed: int


def calls_by_day(home: Home, today: date, days: int = 7) -> tuple[Day, ...]:
    """Return the calls of each of the last ``days`` days, the oldest first. Not for the window's thread."""
    first = today - timedelta(days=days - 1)
    begin = mktime(first.timetuple())
    text = "SELECT date(time, 'unixepoch', 'localtime'), count(*), count(error) FROM calls WHERE time >= ? GROUP BY 1"
    found = {str(day): (int(calls), int(failed)) for day, calls, failed in _rows(home, text, (begin,))}
    dates = [first + timedelta(days=number) for number in range(days)]
    return tuple(Day(one, *found.get(one.isoformat(), (0, 0))) for one in dates)


def calls_between(home: Home, begin: float, end: float, limit: int = KEPT_CALLS) -> tuple[Call, ...]:
    """Return the calls from ``begin`` to before ``end`` in seconds since the epoch, the newest first.

    Reads the database: not for the window's thread.
    """
    text = "SELECT time, client, server, tool, seconds, error FROM calls WHERE time >= ? AND time < ?"
    return tuple(Call(*row) for row in _rows(home, f"{text} ORDER BY id DESC LIMIT ?", (begin, end, limit)))


def times_of_last_calls(home: Home) -> dict[str, float]:
    """Return client -> time of its last call, in seconds since the epoch. Not for the window's thread."""
    rows = _rows(home, "SELECT client, max(time) FROM calls GROUP BY client", ())
    return {str(client): float(time) for client, time in rows}


def _rows(home: Home, text: str, parameters: tuple[object, ...]) -> list[tuple[Any, ...]]:
    if not home.activity.exists():
        return []
    try:
        with contextlib.closing(sqlite3.connect(home.activity, timeout=2.0)) as database:
            return database.execute(text, parameters).fetchall()
    except sqlite3.Error as error:
        logger.warning("activity.db cannot be read: %s", error)
        return []


def _open(home: Home) -> sqlite3.Connection:
    """Open or create the database; a file that is not one is set aside as ``activity.db.bad-<time>``."""
    make_folder(home.root)
    try:
        return _connect(home)
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError):  # locked, disk full, no permission: the file is not corrupt
            raise
    set_aside = home.root / f"activity.db.bad-{datetime.now(UTC).strftime(FILE_TIME)}"
    logger.warning("activity.db could not be read and was set aside as %s", set_aside.name)
    os.replace(home.activity, set_aside)
    for suffix in ("-wal", "-shm"):
        home.root.joinpath(f"activity.db{suffix}").unlink(missing_ok=True)
    return _connect(home)


def _connect(home: Home) -> sqlite3.Connection:
    # SQLite gives its -wal and -shm files the mode of the database.
    os.close(os.open(home.activity, os.O_RDWR | os.O_CREAT, FILE_MODE))
    database = sqlite3.connect(home.activity, timeout=5.0, check_same_thread=False)
    try:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=NORMAL")
        database.execute(
            "PRAGMA cache_size=-256"
        )  # kilobytes: rows are only appended, so the default of two megabytes is useless
        database.executescript(_SCHEMA)
    except sqlite3.Error:
        database.close()
        raise
    return database


def _write(database: sqlite3.Connection, entries: Sequence[Call | _Listed], *, trim: bool) -> None:
    calls = [entry for entry in entries if isinstance(entry, Call)]
    lists = [(one.client, one.revision, one.time) for one in entries if isinstance(one, _Listed)]
    with database:
        for start in range(0, len(calls), _ROWS):
            some = calls[start : start + _ROWS]
            database.execute(_ADD_CALLS + ", ".join([_ROW] * len(some)), list(chain.from_iterable(some)))
        database.executemany("INSERT OR REPLACE INTO lists (client, revision, time) VALUES (?, ?, ?)", lists)
        if trim:
            database.execute("DELETE FROM calls WHERE id <= (SELECT max(id) FROM calls) - ?", (KEPT_CALLS,))
