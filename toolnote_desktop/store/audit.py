"""Audit in ``audit.db`` (docs/contract.md 2): who called, decided and changed what, as a chain of hashes.

The app, ``serve`` and the commands write it, each by the library that it opened. Recording costs the caller the append
to a queue; a thread of its own works out the entries. Nothing depends on it: an unreadable file is set aside; while it
cannot be written, entries are kept, as many as fit, and tried again; where the disk is still full at the end, the room
of ``run/reserve`` is used. What is lost is said by an entry, once one can be written.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import shutil
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct
from msgspec.structs import replace

from toolnote_desktop.model.audit import (
    FIRST_HASH,
    PRODUCT,
    AuditEntry,
    AuditKind,
    changes_between,
    definitions_changed,
)
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.toolsets.notes import USER
from toolnote_desktop.paths import Home, make_folder
from toolnote_desktop.store.documents import FILE_TIME
from toolnote_desktop.store.expiry import Expiry, expiry
from toolnote_desktop.system.atomic_file import FILE_MODE, write_file
from toolnote_desktop.system.threads import Turns

if TYPE_CHECKING:
    import sqlite3

KEPT_ENTRIES: Final = 1_000_000
"""Number of entries kept at most; older ones are removed."""
MAX_WAITING: Final = 2_000
"""Entries and changes that wait to be written, at most; more are dropped and counted."""

_RESERVE: Final = 768 * 1024
"""Bytes of the reserve: ``MAX_WAITING`` entries in the file that SQLite writes first."""

_BATCH_SECONDS: Final = 0.3
_AGAIN_SECONDS: Final = 60.0
"""Seconds after which entries that could not be written are tried again."""
_TRIM_SECONDS: Final = 86_400.0
_FILE_MS: Final = 2_000
"""Time for which the change of a file waits, so that a command that made it records it first."""
_SAME_CHANGE_MS: Final = 30_000
"""Time in which a change that a document's file has is one that a command recorded already."""

_LAST_ID: Final = 2**53
"""An id that no audit reaches."""

_LAST_TIME: Final = 253_370_764_800_000
"""Beginning of the year 9999, in milliseconds since the epoch: a calendar has no later times in all time zones."""

_SCHEMA: Final = """
CREATE TABLE entries (
    id INTEGER PRIMARY KEY,
    time INTEGER NOT NULL, -- milliseconds since the epoch
    actor TEXT NOT NULL,
    kind TEXT NOT NULL,
    action TEXT NOT NULL,
    subject TEXT NOT NULL,
    detail TEXT NOT NULL,  -- JSON object
    count INTEGER NOT NULL,
    hash TEXT NOT NULL     -- of the entry and the hash before it (AuditEntry.hash_after)
);
CREATE INDEX reviews ON entries (subject) WHERE kind = 'review';
CREATE TABLE head (one INTEGER PRIMARY KEY CHECK (one = 1), id INTEGER NOT NULL, hash TEXT NOT NULL);
PRAGMA user_version = 1;
"""
_PARTS: Final = {("table", "entries"), ("table", "head"), ("index", "reviews")}
_COLUMNS: Final = "id, time, actor, kind, action, subject, detail, count"

logger = logging.getLogger(__name__)


class _Changed(Struct, frozen=True, eq=False):
    """Change of the library to work out."""

    before: Snapshot
    after: Snapshot
    actor: str
    time: int


class _Clear(Struct, frozen=True):
    """Request to remove all entries."""

    time: int


_Item = AuditEntry | _Changed | _Clear


class AuditLog:
    """Audit of one home. Recording is allowed from any thread, even after :meth:`close` (it has no effect then).

    Args:
        kept_days: returns the days that entries are kept.

    Attributes:
        lost: entries and changes that could not be recorded since the last that was.
    """

    def __init__(self, home: Home, kept_days: Callable[[], int]) -> None:
        self.lost = 0
        self._home = home
        self._kept_days = kept_days
        self._waiting: deque[_Item | threading.Event] = deque()
        self._something = threading.Event()
        self._hurry = threading.Event()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None
        self._closed = False
        self._database: sqlite3.Connection | None = None
        self._unwritten: list[AuditEntry] = []
        self._failing = False
        self._trimmed = 0.0

    def record(self, *entries: AuditEntry) -> None:
        """Record entries, with the present time."""
        moment = _now()
        for entry in entries:
            self._add(replace(entry, time=moment))

    def record_change(self, before: Snapshot, after: Snapshot, actor: str) -> None:
        """Record what differs between two states of the library."""
        self._add(_Changed(before, after, actor, _now()))

    def clear(self) -> None:
        """Remove all entries so far; an entry that says so goes on with the chain."""
        self._add(_Clear(_now()))

    def flush(self, timeout: float = 5.0) -> bool:
        """Wait until the entries so far are written; return False if it takes longer than ``timeout`` seconds."""
        done = threading.Event()
        if self._closed or self._thread is None:
            return True
        self._waiting.append(done)
        self._wake()
        return done.wait(timeout)

    def close(self, timeout: float = 5.0) -> None:
        """Write the remaining entries and stop the thread."""
        with self._starting:
            self._closed = True
        if self._thread is not None:
            self._wake()
            self._thread.join(timeout)

    def _add(self, item: _Item) -> None:
        if self._closed:
            return
        if len(self._waiting) >= MAX_WAITING:
            self.lost += 1
            return
        self._waiting.append(item)
        if not self._something.is_set():
            self._something.set()
        if self._thread is None:
            with self._starting:
                if self._thread is None and not self._closed:
                    self._thread = threading.Thread(target=self._run, name="toolnote-audit", daemon=True)
                    self._thread.start()

    def _wake(self) -> None:
        self._hurry.set()
        self._something.set()

    def _run(self) -> None:
        stop = False
        while not stop:
            again = _AGAIN_SECONDS if self._unwritten else _TRIM_SECONDS
            if self._something.wait(_FILE_MS / 4000 if self._waiting else again):
                self._hurry.wait(_BATCH_SECONDS)
            self._hurry.clear()
            self._something.clear()  # before taking: later entries set it again
            self._write_batch()
            stop = self._closed and not self._waiting
            if self._closed:
                self._wake()
        if self._database is not None:
            self._database.close()

    def _write_batch(self) -> None:
        """Write what waits. Nothing of it is held afterwards: a change has two snapshots of the whole library."""
        batch = [self._waiting.popleft() for _ in range(len(self._waiting))]
        is_urgent = self._closed or any(isinstance(item, threading.Event) for item in batch)
        early = [] if is_urgent else [item for item in batch if _may_be_a_commands(item)]
        self._waiting.extendleft(reversed(early))
        batch = [item for item in batch if item not in early] if early else batch
        items = [item for item in batch if not isinstance(item, threading.Event)]
        if items or self._unwritten or (not batch and self._database is not None):
            self._write(items)
        for item in batch:
            if isinstance(item, threading.Event):
                item.set()

    def _write(self, items: Sequence[_Item]) -> None:
        self._unwritten += _merged(_worked_out(items))
        is_cleared = any(isinstance(item, _Clear) for item in items)
        if items and not self._unwritten and not is_cleared:
            return
        import sqlite3

        try:
            self._store(is_cleared=is_cleared)
        except (OSError, OverflowError, sqlite3.Error) as error:
            if self._closed and self._home.reserve.is_file():
                with contextlib.suppress(OSError, OverflowError, sqlite3.Error):
                    self._home.reserve.unlink()
                    self._store(is_cleared=is_cleared)
            self._note_failure(error)
            return
        if self._failing:
            logger.warning("audit.db can be written again")
        self._failing = False

    def _store(self, *, is_cleared: bool) -> None:
        """Write the entries that are not written yet.

        Raises:
            OSError: they could not be written, and stay. Likewise ``OverflowError``, ``sqlite3.Error``.
        """
        lost = self.lost
        if self._database is None:
            self._database = _open(self._home)
            _keep_reserve(self._home)
        gap = AuditEntry(PRODUCT, AuditKind.AUDIT, "lost", "audit.db", {"entries": str(lost)}, time=_now())
        _append(self._database, [*self._unwritten, *([gap] if lost else ())])
        self._unwritten.clear()
        self.lost -= lost
        if lost:
            logger.warning("%d entries were not recorded in audit.db", lost)
        if is_cleared:
            _remove(self._database, 2**63 - 1, "cleared", USER)
        now = time.monotonic()
        if not self._trimmed or now - self._trimmed >= _TRIM_SECONDS:
            self._trimmed = now
            trim(self._database, KEPT_ENTRIES, self._kept_days(), expiry(self._home))

    def _note_failure(self, error: Exception) -> None:
        over = len(self._unwritten) - MAX_WAITING
        if over > 0:
            del self._unwritten[MAX_WAITING:]
            self.lost += over
        if not self._failing:
            logger.warning("audit.db cannot be written, and is tried again later: %s", error)
        self._failing = True
        if self._database is not None:
            import sqlite3

            with contextlib.suppress(sqlite3.Error):
                self._database.close()
        self._database = None


def _keep_reserve(home: Home) -> None:
    """Write the reserve, once, where there is room: bytes that a file system cannot leave out."""
    with contextlib.suppress(OSError):
        if not home.reserve.exists() and shutil.disk_usage(home.root).free > 10 * _RESERVE:
            make_folder(home.run)
            write_file(home.reserve, os.urandom(_RESERVE), durable=False, follow_links=False)


def _may_be_a_commands(item: _Item | threading.Event) -> bool:
    return isinstance(item, _Changed) and item.actor == "file" and _now() - item.time < _FILE_MS


def _now() -> int:
    return time.time_ns() // 1_000_000


def _worked_out(items: Iterable[_Item]) -> Iterator[AuditEntry]:
    """Yield the entries of a batch. A change that cannot be worked out is dropped, not the batch."""
    turns = Turns()  # thousands of tools may have joined a toolset
    for item in items:
        if isinstance(item, AuditEntry):
            yield item
        elif isinstance(item, _Changed):
            found: list[AuditEntry] = []
            changes = changes_between(item.before, item.after, item.actor)
            definitions = definitions_changed(item.before.catalogue, item.after.catalogue)
            try:
                for entry in chain(changes, definitions):
                    found.append(entry)
                    turns()
            except Exception:
                logger.exception("a change could not be recorded")
                continue
            for entry in found:
                yield replace(entry, time=item.time)


def _merged(entries: Iterable[AuditEntry]) -> list[AuditEntry]:
    """Return the entries with equal calls of a batch as one."""
    merged: dict[object, AuditEntry] = {}
    for number, entry in enumerate(entries):
        is_call = entry.kind is AuditKind.CALL
        key = (entry.actor, entry.action, entry.subject, entry.detail_text) if is_call else number
        held = merged.get(key)
        merged[key] = entry if held is None else replace(held, count=held.count + entry.count)
    return list(merged.values())


def _open(home: Home) -> sqlite3.Connection:
    """Open or create the database; a file that is not one is set aside as ``audit.db.bad-<time>``."""
    import sqlite3

    make_folder(home.root)
    try:
        return _connect(home)
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError):  # locked, disk full, no permission: the file is not corrupt
            raise
    set_aside = home.root / f"audit.db.bad-{datetime.now(UTC).strftime(FILE_TIME)}"
    logger.warning("audit.db could not be read and was set aside as %s", set_aside.name)
    os.replace(home.audit, set_aside)
    for suffix in ("-wal", "-shm"):
        home.root.joinpath(f"audit.db{suffix}").unlink(missing_ok=True)
    database = _connect(home)
    begun = AuditEntry(PRODUCT, AuditKind.AUDIT, "begun", "audit.db", {"setAside": set_aside.name}, time=_now())
    _append(database, [begun])
    return database


def _connect(home: Home) -> sqlite3.Connection:
    import sqlite3

    from toolnote_desktop.store.activity_database import set_up_to_write

    os.close(os.open(home.audit, os.O_RDWR | os.O_CREAT, FILE_MODE))
    database = sqlite3.connect(home.audit, timeout=5.0, check_same_thread=False, isolation_level=None)
    try:
        set_up_to_write(database, 256)  # entries are appended
        if _is_empty(database):
            with _transaction(database):
                for statement in _SCHEMA.split(";\n") if _is_empty(database) else ():
                    database.execute(statement)
        _check_tables(database)
    except sqlite3.Error:
        database.close()
        raise
    return database


def _is_empty(database: sqlite3.Connection) -> bool:
    return database.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() is None


def _check_tables(database: sqlite3.Connection) -> None:
    """Raise ``sqlite3.DatabaseError`` where another program changed the tables: what it made of them would stop the
    recording, or hide entries.
    """
    import sqlite3

    parts = database.execute("SELECT type, name FROM sqlite_master WHERE name NOT LIKE 'sqlite~_%' ESCAPE '~'")
    columns = [row[1] for row in database.execute("PRAGMA table_info(entries)")]
    if {*parts} != _PARTS or columns != [*_COLUMNS.split(", "), "hash"]:
        raise sqlite3.DatabaseError("another program changed its tables")


@contextlib.contextmanager
def _transaction(database: sqlite3.Connection) -> Iterator[None]:
    """Hold the write lock, so that the chain has one writer at a time."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        database.execute("ROLLBACK")
        raise
    database.execute("COMMIT")


def _append(database: sqlite3.Connection, entries: Iterable[AuditEntry]) -> None:
    with _transaction(database):
        _chain(database, (one for one in entries if not _is_recorded(database, one)))


def _chain(database: sqlite3.Connection, entries: Iterable[AuditEntry]) -> None:
    number, before = _head(database)
    highest = _highest(database)
    first = number = number if highest <= number < _LAST_ID else highest  # recording goes on, whatever was done to it
    turns = Turns()
    for entry in entries:
        turns()
        number += 1
        texts = {name: _written_out(getattr(entry, name)) for name in ("actor", "action", "subject")}
        written = replace(entry, id=number, **texts)
        before = written.hash_after(before)
        values = (
            *(number, written.time, written.actor, str(written.kind), written.action, written.subject),
            *(written.detail_text, written.count, before),
        )
        database.execute("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", values)
    if number != first:
        database.execute("INSERT OR REPLACE INTO head VALUES (1, ?, ?)", (number, before))


def _head(database: sqlite3.Connection) -> tuple[int, str]:
    """Return the id and the hash of the last entry; where another program replaced the id, that of the entries."""
    number, found = database.execute("SELECT id, hash FROM head").fetchone() or (None, FIRST_HASH)
    return number if isinstance(number, int) else _highest(database), str(found)


def _highest(database: sqlite3.Connection) -> int:
    (number,) = database.execute("SELECT coalesce(max(id), 0) FROM entries WHERE id < ?", (_LAST_ID,)).fetchone()
    return int(number)


def _is_recorded(database: sqlite3.Connection, entry: AuditEntry) -> bool:
    """Return True for a change of a file that a command recorded, and for a definition that has been recorded."""
    same = (str(entry.kind), entry.action, entry.subject, entry.detail_text)
    if entry.actor == "file":
        text = (
            "SELECT 1 FROM entries WHERE id > (SELECT coalesce(max(id), 0) - 500 FROM entries) AND time >= ?"
            " AND kind = ? AND action = ? AND subject = ? AND detail = ? AND actor <> 'file'"
        )
        return database.execute(text, (entry.time - _SAME_CHANGE_MS, *same)).fetchone() is not None
    if entry.kind is AuditKind.REVIEW and entry.action == "changed":
        text = (
            "SELECT action, detail FROM entries WHERE kind = 'review' AND actor = ? AND subject = ?"
            " ORDER BY id DESC LIMIT 1"
        )
        return bool(
            database.execute(text, (entry.actor, entry.subject)).fetchone() == (entry.action, entry.detail_text)
        )
    return False


def trim(database: sqlite3.Connection, most: int, days: int, by: Expiry) -> None:
    """Remove the entries that are too old or too many; an anchor goes on with the chain."""
    oldest, latest = (int(one * 1000) for one in (by.now - days * 86_400.0, by.latest))
    (old,) = database.execute(
        "SELECT coalesce((SELECT min(id) - 1 FROM entries WHERE time BETWEEN ? AND ?),"
        " (SELECT max(id) FROM entries WHERE time < ?), 0)",
        (oldest, latest, oldest),
    ).fetchone()
    through = max(old, _highest(database) - most)
    if database.execute("SELECT 1 FROM entries WHERE id <= ?", (through,)).fetchone() is not None:
        _remove(database, through, "expired", PRODUCT)


def _remove(database: sqlite3.Connection, through: int, action: str, actor: str) -> None:
    """Remove the entries up to an id, and write the anchor: the last of them, its hash, and how many there were."""
    with _transaction(database):
        last = database.execute(
            "SELECT id, hash FROM entries WHERE id <= ? ORDER BY id DESC LIMIT 1", (through,)
        ).fetchone()
        if last is None:
            return
        removed = database.execute("DELETE FROM entries WHERE id <= ?", (last[0],)).rowcount
        detail = {"through": str(last[0]), "hash": last[1], "removed": str(removed)}
        _chain(database, [AuditEntry(actor, AuditKind.AUDIT, action, "audit.db", detail, time=_now())])


def _written_out(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


# -- reading ----------------------------------------------------------------------------------------------------------


class AuditFilter(Struct, frozen=True):
    """Choice of entries: ``kinds`` (all where there are none) but those of ``without``, ``since`` in seconds since the
    epoch, with each word of ``text``.
    """

    kinds: tuple[AuditKind, ...] = ()
    since: float | None = None
    text: str = ""
    without: tuple[AuditKind, ...] = ()


class ChainFault(Struct, frozen=True):
    """First entry at which the chain of hashes is broken.

    Attributes:
        how: ``changed``, ``removed`` or ``inserted``.
        entry: as it is in the database; None for a removed one.
    """

    id: int
    how: str
    entry: AuditEntry | None = None


def read_entries(home: Home, limit: int, chosen: AuditFilter) -> list[AuditEntry]:
    """Return at most ``limit`` entries, as ``each_entry`` does."""
    return list(each_entry(home, chosen, limit))


def each_entry(home: Home, chosen: AuditFilter, limit: int = -1) -> Iterator[AuditEntry]:
    """Yield entries, the newest first; none where there is no database or it cannot be read."""
    parts: list[str] = ["1"]
    parameters: list[object] = []
    if chosen.kinds:
        parts.append(f"kind IN ({', '.join('?' * len(chosen.kinds))})")
        parameters += map(str, chosen.kinds)
    for left_out in chosen.without:
        parts.append("kind <> ?")
        parameters.append(str(left_out))
    if chosen.since is not None:
        parts.append("time >= ?")
        parameters.append(chosen.since * 1000)
    for word in chosen.text.split():
        parts.append("instr(lower(actor || ' ' || action || ' ' || subject || ' ' || detail), lower(?))")
        parameters.append(word)
    text = f"SELECT {_COLUMNS} FROM entries WHERE {' AND '.join(parts)} ORDER BY id DESC LIMIT ?"
    if not home.audit.is_file():
        return
    import sqlite3

    try:
        with contextlib.closing(_connect_to_read(home)) as database:
            yield from map(_entry, database.execute(text, (*parameters, limit)))
    except sqlite3.Error as error:
        logger.warning("audit.db cannot be read: %s", error)


def check_chain(home: Home) -> tuple[int, ChainFault | None] | None:
    """Return the number of entries and the first fault of the chain; None where there is no audit.

    Raises:
        sqlite3.Error: the database cannot be read.
    """
    if not home.audit.is_file():
        return None
    database = _connect_to_read(home)
    with contextlib.closing(database):
        database.execute("BEGIN")  # one state, while others write
        if _is_empty(database):  # the disk was full when it was made
            return None
        _check_tables(database)
        return _check(database)


def _check(database: sqlite3.Connection) -> tuple[int, ChainFault | None]:
    head = _head(database)
    (rows,) = database.execute("SELECT count(*) FROM entries").fetchone()
    number, before = _anchor(database)
    found = iter(database.execute(f"SELECT {_COLUMNS}, hash FROM entries ORDER BY id"))
    for row in found:
        entry, stored = _entry(row), row[-1]
        if entry.id <= number or entry.id > head[0]:
            return rows, ChainFault(entry.id, "inserted", entry)
        if entry.id > number + 1:
            return rows, ChainFault(number + 1, "removed")
        expected = entry.hash_after(before)
        if expected != stored:
            following = next(found, None)
            is_extra = (
                following is not None and replace(_entry(following), id=entry.id).hash_after(before) == following[-1]
            )
            return rows, ChainFault(entry.id, "inserted" if is_extra else "changed", entry)
        number, before = entry.id, stored
    if number < head[0]:
        return rows, ChainFault(number + 1, "removed")
    return rows, None if before == head[1] else ChainFault(number, "changed")


def _anchor(database: sqlite3.Connection) -> tuple[int, str]:
    """Return the id and hash of the last entry that was removed by expiry or clearing; the beginning if none was."""
    text = (
        "SELECT detail FROM entries WHERE kind = 'audit' AND action IN ('expired', 'cleared') ORDER BY id DESC LIMIT 1"
    )
    row = database.execute(text).fetchone()
    if row is None:
        return 0, FIRST_HASH
    with contextlib.suppress(ValueError, KeyError, TypeError):
        detail = json.loads(row[0])
        return int(detail["through"]), str(detail["hash"])
    return 0, FIRST_HASH


def _entry(row: Sequence[Any]) -> AuditEntry:
    number, moment, actor, kind, action, subject, detail, count = row[:8]
    try:
        known = AuditKind(kind)
        read = json.loads(detail)
    except (ValueError, TypeError, RecursionError):  # written by another program
        known, read = AuditKind.AUDIT, {"kind": str(kind), "detail": str(detail)}
    detail = {str(key): str(value) for key, value in read.items()} if isinstance(read, dict) else {"": str(read)}
    moment = moment if isinstance(moment, int) and 0 <= moment < _LAST_TIME else 0
    count = count if isinstance(count, int) else 0
    return AuditEntry(str(actor), known, str(action), str(subject), detail, count, moment, number)


def _connect_to_read(home: Home) -> sqlite3.Connection:
    from toolnote_desktop.store.activity_database import connect_to_read  # imports sqlite3, as below

    return connect_to_read(home.audit, isolation_level=None)
