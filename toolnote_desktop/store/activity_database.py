"""Database of the activity log: its tables, their migration, and the insertion of records (docs/contract.md 2).

Names are interned, so that a million calls take about 100 MB, and filters compare numbers.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import sqlite3
import time
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Literal, Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import force_setattr

from toolnote_desktop.model.calls.outcome import OWN_CLASS, Outcome, ReadNote
from toolnote_desktop.model.names import ToolKey
from toolnote_desktop.paths import Home, make_folder
from toolnote_desktop.store.documents import FILE_TIME
from toolnote_desktop.store.expiry import Expiry
from toolnote_desktop.system.atomic_file import FILE_MODE

VERSION: Final = 3
_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS names (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS tools (
    id INTEGER PRIMARY KEY, server TEXT NOT NULL, tool TEXT NOT NULL, UNIQUE (server, tool)
);
CREATE TABLE IF NOT EXISTS note_sets (id INTEGER PRIMARY KEY, notes TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS calls (
    id INTEGER PRIMARY KEY,   -- in the order in which the calls ended
    time REAL NOT NULL,       -- seconds since the epoch, when the call ended
    client INTEGER NOT NULL,  -- names.id
    tool INTEGER NOT NULL,    -- tools.id
    toolset INTEGER,          -- names.id
    outcome INTEGER NOT NULL,
    seconds REAL NOT NULL,
    sent INTEGER,             -- bytes of the arguments
    received INTEGER,         -- bytes of the result or error
    revision INTEGER,         -- of the list that the session had last fetched
    behind INTEGER,           -- revisions that were newer when the call ended
    notes INTEGER,            -- note_sets.id: notes on the tool in that list
    error INTEGER,            -- names.id: class of the failure
    refused INTEGER           -- names.id: arguments that the schema refuses, as JSON
);
CREATE INDEX IF NOT EXISTS calls_by_name ON calls (client, tool, outcome);
CREATE INDEX IF NOT EXISTS calls_by_tool ON calls (tool, outcome, notes, error, refused, seconds);
CREATE INDEX IF NOT EXISTS calls_by_outcome ON calls (outcome, tool);
CREATE INDEX IF NOT EXISTS calls_by_time ON calls (time, outcome, tool);
CREATE INDEX IF NOT EXISTS calls_by_duration ON calls (seconds);
CREATE INDEX IF NOT EXISTS calls_by_error ON calls (error) WHERE error IS NOT NULL;
CREATE TABLE IF NOT EXISTS failures (call INTEGER PRIMARY KEY, message TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS contents (call INTEGER PRIMARY KEY, arguments TEXT, result TEXT, until REAL NOT NULL);
CREATE INDEX IF NOT EXISTS contents_by_end ON contents (until);
CREATE TABLE IF NOT EXISTS revisions (
    client TEXT NOT NULL,
    toolset TEXT NOT NULL,
    revision INTEGER NOT NULL,
    digest TEXT NOT NULL,
    fetched INTEGER NOT NULL, -- revision that the client fetched last; 0: none
    time REAL NOT NULL,       -- when it fetched it
    PRIMARY KEY (client, toolset)
);
CREATE TABLE IF NOT EXISTS marks (name TEXT PRIMARY KEY, value REAL NOT NULL);
"""
_UPGRADE: Final = """
ALTER TABLE calls RENAME TO calls_of_version_1;
DROP INDEX IF EXISTS calls_with_errors;
"""
_COPY: Final = """
INSERT OR IGNORE INTO names (text) SELECT client FROM calls_of_version_1;
INSERT OR IGNORE INTO names (text) SELECT error FROM calls_of_version_1 WHERE error IS NOT NULL;
INSERT OR IGNORE INTO tools (server, tool) SELECT server, tool FROM calls_of_version_1;
INSERT INTO calls (id, time, client, tool, outcome, seconds, error)
    SELECT old.id, old.time, client.id, tool.id, old.error IS NOT NULL, old.seconds, error.id
    FROM calls_of_version_1 AS old JOIN names AS client ON client.text = old.client
    JOIN tools AS tool ON tool.server = old.server AND tool.tool = old.tool
    LEFT JOIN names AS error ON error.text = old.error;
DROP TABLE calls_of_version_1;
DROP TABLE IF EXISTS lists;
"""

# Python releases its lock once per statement: with many rows in one, calls in flight are not delayed by each row.
_ROWS: Final = 50
_COLUMNS: Final = (
    "id, time, client, tool, toolset, outcome, seconds, sent, received, revision, behind, notes, error, refused"
)
_ROW: Final = f"({', '.join('?' * 14)})"
_INSERT: Final = f"INSERT INTO calls ({_COLUMNS}) VALUES "
_CACHED: Final = 20_000
_DELETED_AT_ONCE: Final = 5_000
CLEARED_TO: Final = "cleared-to"
CLEARED_AT: Final = "cleared-at"
UNDO_SECONDS: Final = 3600.0
"""Seconds after which calls that the user cleared are deleted; until then it can be undone."""

logger = logging.getLogger(__name__)
Key = TypeVar("Key")


AuditedCall = tuple[str, ToolKey, Outcome, str]
"""Client, tool, outcome, and the reason of a refusal."""


class Call(Struct, frozen=True):
    """Finished call.

    Attributes:
        time: seconds since the epoch.
        error: class of the failure, without content: a code or a normalised message; None if there was none.
        sent, received: bytes of the arguments, and of the result or error.
        revision: revision of the list that the session had last fetched; None if unknown.
        behind: number of newer revisions when the call ended.
        notes: notes on the tool in that list; None if unknown.
        message: first characters of the error, with secrets masked.
        refused: arguments that the tool's schema refuses, each with the keyword: ``/priority enum``.
        arguments, result: recorded only where the user switched that on, for ``kept_days``.
    """

    time: float
    client: str
    server: str
    tool: str
    seconds: float
    error: str | None = None
    outcome: Outcome = Outcome.WORKED
    toolset: str | None = None
    sent: int | None = None
    received: int | None = None
    revision: int | None = None
    behind: int | None = None
    notes: tuple[ReadNote, ...] | None = None
    message: str | None = None
    refused: tuple[str, ...] = ()
    arguments: str | None = None
    result: str | None = None
    kept_days: int = 0
    id: int = 0

    def __post_init__(self) -> None:
        if self.error is not None and self.outcome is Outcome.WORKED:
            force_setattr(self, "outcome", Outcome.FAILED)

    def audited(self) -> AuditedCall:
        """Return what the audit records of the call."""
        reason = (self.error or "").removeprefix(OWN_CLASS) if self.outcome is Outcome.REFUSED else ""
        return self.client, (self.server, self.tool), self.outcome, reason


class Measured(Protocol):
    """What is measured of a call (see ``Call``): all in which one that worked may differ from the one before."""

    @property
    def time(self) -> float:
        """See ``Call``."""

    @property
    def seconds(self) -> float:
        """See ``Call``."""

    @property
    def sent(self) -> int | None:
        """See ``Call``."""

    @property
    def received(self) -> int | None:
        """See ``Call``."""


class FetchedRevision(Struct, frozen=True):
    """Newest list of a client and toolset, and whether the client has just fetched it."""

    client: str
    toolset: str
    digest: str
    fetched: bool
    time: float


class Database:
    """Open database for the log's own thread."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        (highest,) = connection.execute("SELECT coalesce(max(id), 0) FROM calls").fetchone()
        self._last_id: int = highest
        self._names: dict[str, int] = {}
        self._tools: dict[tuple[str, str], int] = {}
        self._note_sets: dict[str, int] = {}
        rows = connection.execute("SELECT client, toolset, revision, digest, fetched, time FROM revisions")
        self._revisions: dict[tuple[str, str], list[object]] = {(row[0], row[1]): list(row[2:]) for row in rows}

    @classmethod
    def open(cls, home: Home) -> Database:
        """Open or create the database; a file that is not one is set aside as ``activity.db.bad-<time>``.

        Raises:
            OSError: the file cannot be opened. Likewise ``sqlite3.Error``.
        """
        make_folder(home.root)
        try:
            return cls(_connect(home))
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError):  # locked, disk full, no permission: the file is not corrupt
                raise
        set_aside = home.root / f"activity.db.bad-{datetime.now(UTC).strftime(FILE_TIME)}"
        logger.warning("activity.db could not be read and was set aside as %s", set_aside.name)
        os.replace(home.activity, set_aside)
        for suffix in ("-wal", "-shm"):
            home.root.joinpath(f"activity.db{suffix}").unlink(missing_ok=True)
        return cls(_connect(home))

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def revision(self, entry: FetchedRevision) -> int:
        """Return the revision of a list of a client, after recording it in memory; ``write`` stores it."""
        known = self._revisions.setdefault((entry.client, entry.toolset), [0, "", 0, entry.time])
        if known[1] != entry.digest:
            known[0], known[1] = int(str(known[0])) + 1, entry.digest
        revision = int(str(known[0]))
        if entry.fetched:
            known[2], known[3] = revision, entry.time
        return revision

    def newest(self, client: str, toolset: str) -> int:
        """Return the newest revision of a client's list; 0 if there is none."""
        return int(str(self._revisions.get((client, toolset), [0])[0]))

    def write(self, calls: Sequence[Call], measured: Sequence[Measured], lists: Iterable[FetchedRevision]) -> None:
        """Insert records in one transaction; of each call, what is in ``measured`` replaces the same in ``calls``."""
        changed = {(one.client, one.toolset) for one in lists}
        with self._connection:
            try:
                self._insert(calls, measured)
                failures = [(self._last_id + n, call.message) for n, call in enumerate(calls, 1) if call.message]
                self._connection.executemany("INSERT OR REPLACE INTO failures VALUES (?, ?)", failures)
                contents = [
                    (self._last_id + n, call.arguments, call.result, call.time + call.kept_days * 86_400.0)
                    for n, call in enumerate(calls, 1)
                    if call.kept_days and (call.arguments is not None or call.result is not None)
                ]
                self._connection.executemany("INSERT OR REPLACE INTO contents VALUES (?, ?, ?, ?)", contents)
                self._connection.executemany(
                    "INSERT OR REPLACE INTO revisions VALUES (?, ?, ?, ?, ?, ?)",
                    [(*key, *self._revisions[key]) for key in sorted(changed)],
                )
            except BaseException:
                for cache in (self._names, self._tools, self._note_sets):  # what they name is rolled back
                    cache.clear()
                raise
        self._last_id += len(calls)

    def _insert(self, calls: Sequence[Call], measured: Sequence[Measured]) -> None:
        # Durations go anywhere in two indexes: in their order, each page of an index is changed once.
        order = sorted(range(len(calls)), key=lambda place: measured[place].seconds)
        known: dict[int, tuple[tuple[object, ...], tuple[object, ...]]] = {}  # by identity
        for start in range(0, len(order), _ROWS):
            places = order[start : start + _ROWS]
            values: list[object] = []
            for place in places:
                call, own = calls[place], measured[place]
                before, after = known.get(id(call)) or known.setdefault(id(call), self._interned_parts(call))
                values += (self._last_id + 1 + place, own.time, *before, own.seconds, own.sent, own.received, *after)
            self._connection.execute(_INSERT + ", ".join([_ROW] * len(places)), values)

    def _interned_parts(self, call: Call) -> tuple[tuple[object, ...], tuple[object, ...]]:
        """Return the columns from ``client`` to ``outcome``, and from ``revision`` to ``refused``."""
        tool, toolset = self._tool(call.server, call.tool), self._name(call.toolset)
        refused = self._name(json.dumps(call.refused) if call.refused else None)
        return (
            (self._name(call.client), tool, toolset, int(call.outcome)),
            (call.revision, call.behind, self._notes(call.notes), self._name(call.error), refused),
        )

    def _name(self, text: str | None) -> int | None:
        if text is None:
            return None
        return self._names.get(text) or self._interned(self._names, text, "names", ("text",), (text,))

    def _tool(self, server: str, tool: str) -> int:
        key = (server, tool)
        return self._tools.get(key) or self._interned(self._tools, key, "tools", ("server", "tool"), key)

    def _notes(self, notes: tuple[ReadNote, ...] | None) -> int | None:
        if notes is None:
            return None
        text = json.dumps([[one.scope, one.name, one.digest, one.author, one.created_at] for one in notes])
        return self._interned(self._note_sets, text, "note_sets", ("notes",), (text,))

    def _interned(
        self, cache: dict[Key, int], key: Key, table: str, columns: tuple[str, ...], values: tuple[str, ...]
    ) -> int:
        found = cache.get(key)
        if found is None:
            if len(cache) >= _CACHED:
                cache.clear()
            condition = " AND ".join(f"{column} = ?" for column in columns)
            row = self._connection.execute(f"SELECT id FROM {table} WHERE {condition}", values).fetchone()
            if row is None:
                text = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(values))})"
                row = (self._connection.execute(text, values).lastrowid,)
            found = cache[key] = int(row[0])
        return found

    def trim(self, most: int, days: int, expiry: Expiry) -> bool:
        """Delete what is too old, too much or cleared, in small steps; return True if there is more to delete. A time
        from when the clock was wrong neither keeps nor deletes other calls.
        """
        now = time.time()
        database = self._connection
        last = max(self._old(expiry.now - days * 86_400.0, expiry.latest), self._last_id - most, self._cleared(now))
        with database:
            deleted = database.execute(
                "DELETE FROM calls WHERE id IN (SELECT id FROM calls WHERE id <= ? ORDER BY id LIMIT ?)",
                (last, _DELETED_AT_ONCE),
            ).rowcount
            for table in ("failures", "contents"):
                text = f"DELETE FROM {table} WHERE call < (SELECT coalesce(min(id), ?) FROM calls)"
                database.execute(text, (self._last_id + 1,))
            database.execute("DELETE FROM contents WHERE until < ?", (expiry.now,))
        return deleted >= _DELETED_AT_ONCE

    def _old(self, oldest: float, latest: float) -> int:
        """Return the id of the last call that is too old: the one before the first that is not. ``+`` keeps SQLite from
        the index on times: the first is found at once by its id.
        """
        first = "SELECT id FROM calls WHERE +time BETWEEN ? AND ? ORDER BY id LIMIT 1"
        kept = self._connection.execute(first, (oldest, latest)).fetchone()
        if kept is not None:
            return int(kept[0]) - 1
        (old,) = self._connection.execute("SELECT max(id) FROM calls WHERE time < ?", (oldest,)).fetchone()
        return int(old or 0)

    def _cleared(self, now: float) -> int:
        marks = dict(self._connection.execute("SELECT name, value FROM marks").fetchall())
        if CLEARED_TO in marks and now - marks.get(CLEARED_AT, 0.0) >= UNDO_SECONDS:
            return int(marks[CLEARED_TO])
        return 0


def _connect(home: Home) -> sqlite3.Connection:
    # SQLite gives its -wal and -shm files the mode of the database.
    os.close(os.open(home.activity, os.O_RDWR | os.O_CREAT, FILE_MODE))
    connection = sqlite3.connect(home.activity, timeout=5.0, check_same_thread=False)
    try:
        set_up_to_write(connection, 1024)
        _migrate(connection)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def set_up_to_write(database: sqlite3.Connection, cache: int) -> None:
    """Set how a database is written: beside its readers, and with nothing left of what is removed.

    Args:
        cache: kilobytes of its pages that are held.
    """
    for setting in ("journal_mode=WAL", "synchronous=NORMAL", "secure_delete=ON", f"cache_size=-{cache}"):
        # To its end: while a result of journal_mode is open, as long as its cursor lives, no commit succeeds.
        database.execute(f"PRAGMA {setting}").fetchall()


def connect_to_read(file: Path, isolation_level: Literal["DEFERRED"] | None = "DEFERRED") -> sqlite3.Connection:
    """Open a database to read it. In a folder that cannot be written it is read as its last writer closed it.

    SQLite writes beside a database in WAL mode even to read it; ``immutable`` keeps it from that.

    Raises:
        sqlite3.Error: it cannot be read.
    """
    database = sqlite3.connect(file, timeout=2.0, check_same_thread=False, isolation_level=isolation_level)
    try:
        database.execute("PRAGMA user_version")
    except sqlite3.OperationalError:
        database.close()
        if os.access(file.parent, os.W_OK):
            raise
        address = f"{file.absolute().as_uri()}?immutable=1"
        database = sqlite3.connect(address, uri=True, check_same_thread=False, isolation_level=isolation_level)
    except BaseException:
        database.close()
        raise
    return database


def reading_problem(file: Path) -> str | None:
    """Return the reason why a database that is there cannot be read, else None."""
    if not file.is_file():
        return None
    try:
        with contextlib.closing(connect_to_read(file)) as database:
            database.execute("SELECT count(*) FROM sqlite_master")
    except sqlite3.Error as error:
        return str(error)
    return None


def _migrate(connection: sqlite3.Connection) -> None:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version >= VERSION:
        return
    columns = {row[1] for row in connection.execute("PRAGMA table_info(calls)")}
    script = f"{_UPGRADE}{_SCHEMA}{_COPY}" if "server" in columns else _SCHEMA
    with contextlib.closing(connection.cursor()) as cursor:
        cursor.executescript(f"BEGIN IMMEDIATE;{script}PRAGMA user_version={VERSION};COMMIT;")
