"""Activity log in ``activity.db`` (docs/contract.md 2): calls, errors, and the list revision that each client fetched.

Recording costs the caller the append to a queue; a thread of its own works out the record and writes in batches.
Nothing depends on the log: an unreadable database is set aside; while one cannot be written, calls are counted and
dropped, and the program's log says so once.
"""

from __future__ import annotations

import contextlib
import logging
import sqlite3
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Hashable
from typing import Any, Final, Protocol

from msgspec.structs import asdict

from toolnote_desktop.model.audit import call_entry
from toolnote_desktop.paths import Home
from toolnote_desktop.store.activity_database import AuditedCall, Call, Database, FetchedRevision, Measured
from toolnote_desktop.store.audit import AuditLog
from toolnote_desktop.store.expiry import expiry

KEPT_CALLS: Final = 1_000_000
"""Number of calls kept at most; older ones are removed."""
KEPT_DAYS: Final = 90
"""Days that calls are kept by default."""
MOST_WAITING: Final = 20_000
"""Records that wait to be written, at most; more are dropped and counted."""

_BATCH_SECONDS: Final = 0.5
_BATCH: Final = 4_000  # records: in one transaction an index page is written once, however many it gets
_TRIM_SECONDS: Final = 3600.0
_OPENING_SECONDS: Final = 5.0
"""Seconds after the start before an existing database is opened without a call."""

logger = logging.getLogger(__name__)


class ListDigest(Protocol):
    """List of tools of which the writer makes a revision.

    Attributes:
        revision: set by the writer; None until then.
    """

    client: str
    toolset: str
    revision: int | None

    def digest(self) -> str:
        """Return a digest of the list's bytes."""


class UnfinishedRecord(Measured, Protocol):
    """Record of a call whose details are worked out by the writer."""

    def kind(self) -> Hashable | None:
        """Return what records have in common that differ only in what is measured; None if it may differ in more."""

    def finished(self, newest: Callable[[str, str], int]) -> Call:
        """Return the call. ``newest`` returns the newest revision of a client and toolset."""

    def audited(self) -> AuditedCall:
        """Return what the audit records of the call."""


class _Listed:
    __slots__ = ("fetched", "served", "time")

    def __init__(self, served: ListDigest, fetched: bool) -> None:
        self.served = served
        self.fetched = fetched
        self.time = time.time()


_Entry = Call | UnfinishedRecord | _Listed


class ActivityLog:
    """Activity log of one home. Recording is allowed from any thread, even after :meth:`close` (it has no effect
    then).

    Args:
        kept_days: returns the days that calls are kept.
        audit: gets who called what, also while ``activity.db`` cannot be written.

    Attributes:
        lost: calls that could not be recorded since the last that was.
    """

    def __init__(
        self, home: Home, kept_days: Callable[[], int] = lambda: KEPT_DAYS, audit: AuditLog | None = None
    ) -> None:
        self.lost = 0
        self._home = home
        self._kept_days = kept_days
        self._audit = audit
        self._waiting: deque[_Entry | threading.Event] = deque()
        self._something = threading.Event()
        self._hurry = threading.Event()
        self._closed = False
        self._database: Database | None = None
        self._failing = False
        self._trimmed = 0.0
        self._since_trim = 0
        self._thread = threading.Thread(target=self._run, name="toolnote-activity", daemon=True)
        self._thread.start()

    def record_call(self, call: Call | UnfinishedRecord) -> None:
        """Record a finished call."""
        self._record(call)

    def record_list(self, served: ListDigest, *, fetched: bool) -> None:
        """Record the list that a client is served now; ``fetched``: and that it has just fetched it."""
        self._record(_Listed(served, fetched))

    def _record(self, entry: _Entry) -> None:
        if self._closed:
            return
        if len(self._waiting) >= MOST_WAITING:
            self.lost += 1
            return
        self._waiting.append(entry)
        # Waking a thread costs more than the rest: only the first record of a batch does it.
        if not self._something.is_set():
            self._something.set()

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

    def _run(self) -> None:
        if not self._something.wait(_OPENING_SECONDS) and self._home.activity.is_file():
            self._write([])  # migrates an earlier version, and deletes what is too old
        stop = False
        while not stop:
            batch = self._next_batch()
            stop = self._closed and not self._waiting
            entries = [item for item in batch if not isinstance(item, threading.Event)]
            if self._audit is not None:
                calls = Counter(entry.audited() for entry in entries if not isinstance(entry, _Listed))
                self._audit.record(*(call_entry(*call, count) for call, count in calls.items()))
            if entries or (not batch and self._database is not None):
                self._write(entries)
            for item in batch:
                if isinstance(item, threading.Event):
                    item.set()
        if self._database is not None:
            self._database.close()

    def _write(self, entries: list[_Entry]) -> None:
        count = sum(not isinstance(entry, _Listed) for entry in entries)
        try:
            if self._database is None:
                self._database = Database.open(self._home)
            calls, measured, lists = _worked_out(entries, self._database)
            try:
                self._database.write(calls, measured, lists)
            except UnicodeEncodeError:  # names of tools are any text, including lone surrogates
                self._database.write([_writable(call) for call in calls], measured, lists)
            self._trim(self._database, count)
        except (OSError, sqlite3.Error) as error:
            self.lost += count
            if not self._failing:
                logger.warning("activity.db cannot be written, so calls are not recorded: %s", error)
            self._failing = True
            if self._database is not None:
                with contextlib.suppress(sqlite3.Error):
                    self._database.close()
            self._database = None
            return
        if self.lost:
            logger.warning("activity.db can be written again; %d calls were not recorded", self.lost)
        self._failing, self.lost = False, 0

    def _trim(self, database: Database, count: int) -> None:
        self._since_trim += count
        now = time.monotonic()
        if self._since_trim < _BATCH and self._trimmed and now - self._trimmed < _TRIM_SECONDS:
            return
        self._since_trim, self._trimmed = 0, now
        by = expiry(self._home)
        while database.trim(KEPT_CALLS, self._kept_days(), by) and not self._closed:
            pass

    def _next_batch(self) -> list[_Entry | threading.Event]:
        """Wait for a record, collect more for a while, and return all of them."""
        if not self._something.wait(_TRIM_SECONDS):
            return []
        self._hurry.wait(_BATCH_SECONDS)
        self._hurry.clear()
        self._something.clear()  # before taking: later records set it again
        batch: list[_Entry | threading.Event] = []
        while self._waiting and len(batch) < _BATCH:
            batch.append(self._waiting.popleft())
        if self._waiting or self._closed:
            self._wake()
        return batch


def _worked_out(entries: list[_Entry], database: Database) -> tuple[list[Call], list[Measured], list[FetchedRevision]]:
    """Return the records of a batch. A record that cannot be worked out is dropped, not the batch."""
    calls: list[Call] = []
    measured: list[Measured] = []
    lists: list[FetchedRevision] = []
    of_kind: dict[Hashable, Call] = {}
    for entry in entries:
        try:
            if isinstance(entry, Call):
                calls.append(entry)
                measured.append(entry)
            elif isinstance(entry, _Listed):
                served = entry.served
                client, toolset = _written_out(served.client), _written_out(served.toolset)
                listed = FetchedRevision(client, toolset, served.digest(), entry.fetched, entry.time)
                served.revision = database.revision(listed)
                lists.append(listed)
                of_kind.clear()  # calls from now on may have read an older list
            else:
                kind = entry.kind()
                call = of_kind.get(kind) or entry.finished(database.newest)
                if kind is not None:
                    of_kind[kind] = call
                calls.append(call)
                measured.append(entry)
        except Exception:
            logger.exception("a call could not be recorded")
    return calls, measured, lists


def _writable(call: Call) -> Call:
    """Return the record with characters that cannot be stored escaped as in JSON."""
    values: dict[str, Any] = {
        key: _written_out(value) if isinstance(value, str) else value for key, value in asdict(call).items()
    }
    return Call(**values)


def _written_out(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
