"""The log: what it keeps, that nobody waits for it, and that nothing depends on it (docs/contract.md 2)."""

from __future__ import annotations

import contextlib
import logging
import sqlite3
import stat
import sys
import threading
import time
from collections.abc import Callable, Iterator

import pytest
from msgspec.structs import replace

from tests.store.activity_helpers import Listed, call
from toolnote_desktop.model.calls.outcome import Outcome, ReadNote
from toolnote_desktop.paths import Home
from toolnote_desktop.store import activity
from toolnote_desktop.store.activity import ActivityLog
from toolnote_desktop.store.activity_database import AuditedCall, Call, Database
from toolnote_desktop.store.activity_queries import (
    CallFilter,
    CallList,
    Order,
    calls_of_notes,
    clear,
    clients_and_tools,
    counts_by_outcome,
    delete_contents,
    each_call,
    failure_groups,
    fetched_revisions,
    last_seen,
    one_call,
    recent_calls,
    undo_clear,
    uses_of_tools,
)

FAILED = CallFilter(outcomes=(Outcome.FAILED,))


@pytest.fixture
def log(home: Home) -> Iterator[ActivityLog]:
    with contextlib.closing(ActivityLog(home, lambda: 36_500)) as made:
        yield made


def recorded(log: ActivityLog, *calls: Call) -> None:
    for one in calls:
        log.record_call(one)
    assert log.flush()


class Unfinished:
    """Record whose details are worked out by the log's thread; ``call(0)`` with the given duration and sizes."""

    def __init__(self, seconds: float = 0.25, kind: str | None = None) -> None:
        self.time, self.seconds, self.sent, self.received = 1000.0 + seconds, seconds, int(seconds), int(seconds) * 2
        self._kind = kind

    def kind(self) -> str | None:
        return self._kind

    def finished(self, newest: Callable[[str, str], int]) -> Call:
        measured = {name: getattr(self, name) for name in ("time", "seconds", "sent", "received")}
        return replace(call(0), **measured, revision=newest("claude", "work"))

    def audited(self) -> AuditedCall:
        return call(0).audited()


def write(database: Database, calls: list[Call]) -> None:
    database.write(calls, calls, [])


def tools(calls: tuple[Call, ...]) -> list[str]:
    return [one.tool for one in calls]


def test_calls_errors_and_lists_are_found_again(home: Home) -> None:
    log = ActivityLog(home, lambda: 36_500)
    assert recent_calls(home) == ()
    log.record_list(first := Listed("claude", "a"), fetched=True)
    log.record_list(Listed("cursor", "a"), fetched=True)
    log.record_list(second := Listed("claude", "b"), fetched=False)
    recorded(log, *(call(number, "server-exited" if number % 2 else None) for number in range(5)))
    assert tools(recent_calls(home, 100, FAILED)) == ["tool-3", "tool-1"]
    assert tools(recent_calls(home, 2)) == ["tool-4", "tool-3"]
    assert (first.revision, second.revision) == (1, 2)
    assert fetched_revisions(home) == {("claude", "work"): (1, 2), ("cursor", "work"): (1, 1)}
    assert set(last_seen(home)) == {"claude", "cursor"}
    log.close()
    again = ActivityLog(home, lambda: 36_500)
    again.record_list(same := Listed("claude", "b"), fetched=True)
    assert again.flush()
    assert same.revision == 2, "numbers go on after a restart"
    again.close()
    again.close()
    again.record_call(call(9))
    assert len(recent_calls(home)) == 5


def test_a_call_is_found_with_all_that_was_recorded_of_it(home: Home, log: ActivityLog) -> None:
    notes = (ReadNote("toolset", "team", "abc", "claude", "2026-01-01T00:00:00Z"),)
    whole = replace(
        call(1, "-32602 priority is bad"),
        outcome=Outcome.TIMED_OUT,
        toolset="work",
        sent=10,
        received=20,
        revision=3,
        behind=2,
        notes=notes,
        message="priority is bad: 9",
        refused=("/priority maximum",),
        arguments='{"priority": 9}',
        result="{}",
        kept_days=36_500,
    )
    recorded(log, whole)
    (found,) = recent_calls(home)
    assert found == replace(whole, id=1, kept_days=0)
    assert one_call(home, 1) == found
    assert one_call(home, 2) is None
    assert delete_contents(home, "git")
    (found,) = recent_calls(home)
    assert (found.arguments, found.result) == (None, None)


def test_only_the_user_can_read_it(home: Home, log: ActivityLog) -> None:
    recorded(log, call(1))
    if sys.platform != "win32":
        files = list(home.root.glob("activity.db*"))
        assert len(files) == 3
        assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}


def test_closing_writes_what_is_left(home: Home) -> None:
    log = ActivityLog(home, lambda: 36_500)

    def record() -> None:
        for number in range(500):
            log.record_call(call(number))

    threads = [threading.Thread(target=record) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    log.close()
    assert len(recent_calls(home, 5000)) == 2000


def test_a_name_that_no_file_may_have_takes_no_other_call_with_it(
    home: Home, log: ActivityLog, caplog: pytest.LogCaptureFixture
) -> None:
    log.record_list(Listed("\ud801"), fetched=True)
    recorded(log, call(1), replace(call(2), tool="\ud800"), call(3))
    assert tools(recent_calls(home)) == ["tool-3", "\\ud800", "tool-1"]
    assert fetched_revisions(home) == {("\\ud801", "work"): (1, 1)}
    assert not caplog.records


def test_the_log_is_bounded_in_calls_and_in_days(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(activity, "KEPT_CALLS", 100)
    log = ActivityLog(home, lambda: 36_500)
    for number in range(3500):
        log.record_call(replace(call(number), message="m", error="e"))
    log.close()
    kept = recent_calls(home, 5000)
    assert kept[0].tool == "tool-3499"
    assert 100 <= len(kept) <= 1100, "trimmed once in a thousand calls"
    monkeypatch.setattr(activity, "_OPENING_SECONDS", 0.0)
    log = ActivityLog(home, lambda: 90)
    assert log.flush()
    log.close()
    assert recent_calls(home) == ()
    with contextlib.closing(sqlite3.connect(home.activity)) as database:
        assert database.execute("SELECT count(*) FROM failures").fetchone() == (0,)


def test_waiting_records_are_bounded_and_the_rest_is_counted(
    home: Home, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(activity, "MOST_WAITING", 10)
    log = ActivityLog(home, lambda: 36_500)
    entered, release = threading.Event(), threading.Event()

    class Slow(Unfinished):
        """Record that takes until it is let go."""

        def finished(self, newest: object) -> Call:
            entered.set()
            assert release.wait(10)
            return call(0)

    log.record_call(Slow())
    log.flush(0.0)
    assert entered.wait(10)
    for number in range(30):
        log.record_call(call(number))
    assert log.lost >= 20
    release.set()
    log.close()
    assert len(recent_calls(home)) <= 11
    assert "calls were not recorded" in caplog.text


def test_a_record_that_cannot_be_worked_out_takes_no_other_with_it(home: Home, log: ActivityLog) -> None:
    class Broken(Unfinished):
        """Record with a fault."""

        def finished(self, newest: object) -> Call:
            raise ValueError

    log.record_call(Broken())
    recorded(log, call(1))
    assert tools(recent_calls(home)) == ["tool-1"]


def test_calls_of_a_kind_have_their_own_times_and_sizes_and_the_revision_of_their_time(
    home: Home, log: ActivityLog
) -> None:
    """Seen red where a list did not end the kind."""
    for seconds in (3.0, 1.0, 2.0):
        log.record_call(Unfinished(seconds, "same"))
    log.record_list(Listed("claude"), fetched=True)
    log.record_call(Unfinished(4.0, "same"))
    log.record_call(Unfinished(5.0, "another"))
    assert log.flush()
    found = [(one.id, one.seconds, one.sent, one.received, one.revision) for one in recent_calls(home)]
    expected = [(1, 3.0, 3, 6, 0), (2, 1.0, 1, 2, 0), (3, 2.0, 2, 4, 0), (4, 4.0, 4, 8, 1), (5, 5.0, 5, 10, 1)]
    assert found == expected[::-1]
    assert [one.time for one in recent_calls(home)] == [1005.0, 1004.0, 1002.0, 1001.0, 1003.0]


def test_a_file_that_is_no_database_is_set_aside(home: Home, caplog: pytest.LogCaptureFixture) -> None:
    home.activity.write_bytes(b"no database " * 1000)
    log = ActivityLog(home, lambda: 36_500)
    assert recent_calls(home) == ()
    log.record_call(call(1))
    log.close()
    assert tools(recent_calls(home)) == ["tool-1"]
    (kept,) = home.root.glob("activity.db.bad-*")
    assert kept.read_bytes() == b"no database " * 1000
    assert "activity.db" in caplog.text


def test_a_database_that_cannot_be_written_is_said_once_and_hurts_nobody(
    home: Home, caplog: pytest.LogCaptureFixture
) -> None:
    home.activity.mkdir()
    log = ActivityLog(home, lambda: 36_500)
    with caplog.at_level(logging.WARNING):
        for number in range(3):
            log.record_call(call(number))
            assert log.flush()
    assert caplog.text.count("activity.db cannot be written") == 1
    assert log.lost == 3
    home.activity.rmdir()
    log.record_call(call(9))
    log.close()
    assert tools(recent_calls(home)) == ["tool-9"]
    assert "3 calls were not recorded" in caplog.text
    assert log.lost == 0


def test_a_log_of_an_earlier_version_is_read_on(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    with contextlib.closing(sqlite3.connect(home.activity)) as database, database:
        database.executescript(
            "CREATE TABLE calls (id INTEGER PRIMARY KEY, time REAL NOT NULL, client TEXT NOT NULL,"
            " server TEXT NOT NULL, tool TEXT NOT NULL, seconds REAL NOT NULL, error TEXT);"
            "CREATE INDEX calls_with_errors ON calls (id) WHERE error IS NOT NULL;"
            "CREATE TABLE lists (client TEXT PRIMARY KEY, revision INTEGER NOT NULL, time REAL NOT NULL);"
            "INSERT INTO lists VALUES ('claude', 7, 1);"
            "INSERT INTO calls VALUES (4, 1001, 'claude', 'git', 'tool-1', 0.25, NULL),"
            " (9, 1002, 'x', 'git', 'y', 1, 'error');"
        )
    assert recent_calls(home) == ()
    monkeypatch.setattr(activity, "_OPENING_SECONDS", 0.0)
    log = ActivityLog(home, lambda: 36_500)
    assert log.flush()
    old, failed = reversed(recent_calls(home))
    assert old == replace(call(1), id=4)
    assert (failed.client, failed.outcome, failed.error) == ("x", Outcome.FAILED, "error")
    recorded(log, call(3))
    assert recent_calls(home, 1)[0].id == 10
    log.close()


def test_no_argument_and_no_result_is_kept_by_itself(home: Home, log: ActivityLog) -> None:
    recorded(log, replace(call(1), arguments="{}", result="{}"))
    with contextlib.closing(sqlite3.connect(home.activity)) as database:
        assert database.execute("SELECT count(*) FROM contents").fetchone() == (0,)
        columns = {row[1] for row in database.execute("PRAGMA table_info(calls)")}
    names = "id time client tool toolset outcome seconds sent received revision behind notes error refused"
    assert columns == {*names.split()}


def test_contents_are_deleted_after_their_days(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(activity, "_OPENING_SECONDS", 0.0)
    log = ActivityLog(home)
    now = time.time()
    recorded(
        log,
        replace(call(1), time=now - 8 * 86_400, arguments="{}", kept_days=7),
        replace(call(2), time=now, arguments="{}", kept_days=7),
    )
    log.close()
    ActivityLog(home).close()
    log = ActivityLog(home)
    assert log.flush()
    log.close()
    assert [(one.tool, one.arguments) for one in recent_calls(home)] == [("tool-2", "{}"), ("tool-1", None)]


def test_calls_are_cleared_at_once_and_deleted_when_it_can_no_longer_be_undone(
    home: Home, log: ActivityLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded(log, call(1), call(2, "e"))
    assert clear(home)
    recorded(log, call(3))
    assert tools(recent_calls(home)) == ["tool-3"]
    assert undo_clear(home)
    assert len(recent_calls(home)) == 3
    assert clear(home)
    monkeypatch.setattr("toolnote_desktop.store.activity_database.UNDO_SECONDS", 0.0)
    monkeypatch.setattr(activity, "_BATCH", 1)
    recorded(log, call(4))
    assert undo_clear(home)
    assert tools(recent_calls(home)) == ["tool-4"], "the others are deleted"


def test_filters_and_orders(home: Home, log: ActivityLog) -> None:
    calls = [
        Call(1.0, "claude", "git", "log", 0.5),
        Call(2.0, "cursor", "git", "log", 0.1, "Path <path> not found", message="Path /x not found"),
        Call(3.0, "claude", "linear", "create", 2.0, "toolnote:consent-missing", Outcome.REFUSED),
        Call(4.0, "cursor", "linear", "create", 1.0),
    ]
    recorded(log, *calls)

    def found(chosen: CallFilter, order: Order = Order.TIME, *, descending: bool = True) -> list[float]:
        pages = CallList(home, chosen, order, descending=descending)
        with contextlib.closing(pages):
            first = pages.first_page()
            assert pages.count() == len(first)
            assert pages.page(0) == first
        if order is Order.TIME and descending:
            assert tuple(each_call(home, chosen)) == first
        return [one.time for one in first]

    assert found(CallFilter()) == [4, 3, 2, 1]
    assert found(CallFilter(client="cursor")) == [4, 2]
    assert found(CallFilter(tool=("git", "log"))) == [2, 1]
    assert found(CallFilter(server="linear", client="claude")) == [3]
    assert found(CallFilter(outcomes=(Outcome.FAILED, Outcome.REFUSED))) == [3, 2]
    assert found(CallFilter(since=2.0, until=4.0)) == [3, 2]
    assert found(CallFilter(since=9.0)) == found(CallFilter(until=0.5)) == found(CallFilter(client="?")) == []
    assert found(CallFilter(text="/X NOT")) == [2]
    assert found(CallFilter(text="linear")) == [4, 3]
    assert found(CallFilter(text="%")) == []
    assert found(CallFilter(text="Cursor the editor", text_clients=("cursor",))) == [4, 2]
    assert found(CallFilter(text="Git log", text_tools=(("git", "log"),))) == [2, 1]
    assert found(CallFilter(), Order.TIME, descending=False) == [1, 2, 3, 4]
    assert found(CallFilter(), Order.DURATION) == [3, 4, 1, 2]
    assert found(CallFilter(), Order.ASSISTANT, descending=False) == [3, 1, 4, 2]
    assert found(CallFilter(), Order.TOOL, descending=False) == [4, 3, 2, 1]
    assert found(CallFilter(), Order.OUTCOME) == [3, 2, 4, 1]
    assert counts_by_outcome(home, CallFilter()) == {Outcome.WORKED: 2, Outcome.FAILED: 1, Outcome.REFUSED: 1}
    assert clients_and_tools(home) == (("claude", "cursor"), (("git", "log"), ("linear", "create")))
    assert [(use.tool, use.calls, use.failed, use.seconds) for use in uses_of_tools(home, 0.0)] == [
        ("log", 2, 1, 0.5),
        ("create", 2, 0, 1.0),
    ]


def test_failures_are_grouped_by_tool_class_and_argument(home: Home, log: ActivityLog) -> None:
    one = Call(1.0, "claude", "git", "log", 0.5, "priority is bad", refused=("/priority enum",))
    other = replace(one, refused=())
    recorded(log, one, other, replace(one, time=5.0), replace(one, tool="x"), Call(6.0, "claude", "git", "log", 1.0))
    groups = failure_groups(home)
    assert [(group.tool, group.refused, group.count, group.last) for group in groups] == [
        ("log", ("/priority enum",), 2, 5.0),
        ("x", ("/priority enum",), 1, 1.0),
        ("log", (), 1, 1.0),
    ], "the most frequent first, then the newest"
    assert failure_groups(home, ("git", "log"), least=2) == groups[:1]
    assert failure_groups(home, since=4.0)[0].count == 1


def test_calls_of_a_note_are_those_before_it_was_read_and_those_that_had_read_it(home: Home, log: ActivityLog) -> None:
    team, other = ReadNote("toolset", "team", "1"), ReadNote("tool", "other", "1")
    changed = ReadNote("toolset", "team", "2")

    def made(notes: tuple[ReadNote, ...] | None, error: str | None = None, outcome: Outcome = Outcome.WORKED) -> Call:
        return Call(1.0, "claude", "git", "log", 0.5, error, outcome, notes=notes)

    recorded(
        log,
        made(None, "bad"),
        made((), "bad"),
        made(()),
        made((), "toolnote:server-not-ready"),
        made((), "toolnote:consent-missing", Outcome.REFUSED),
        made((), None, Outcome.CANCELLED),
        made((team, other)),
        made((), "bad"),  # of a session that has not read it
        made((team, other), "slow", Outcome.TIMED_OUT),
        made((changed, other)),
    )
    figures = {tuple(note.digest + note.name for note in one.notes): one for one in calls_of_notes(home)}
    first = figures["1team",]
    assert (first.before.failed, first.before.calls) == (2, 3)
    assert (first.since.failed, first.since.calls) == (1, 2)
    assert first.classes == {"bad": (2, 0), "slow": (0, 1)}
    stays = figures["1other",]
    assert (stays.since.failed, stays.since.calls) == (1, 3), "it was read with both texts of the other"
    begun = figures["2team",]
    assert (begun.before.failed, begun.before.calls) == (4, 6)
    assert (begun.since.failed, begun.since.calls) == (0, 1), "a changed note begins anew"


def test_notes_of_one_revision_share_a_figure(home: Home, log: ActivityLog) -> None:
    both = (ReadNote("toolset", "one", "1"), ReadNote("toolset", "two", "1"))
    recorded(log, Call(1.0, "c", "git", "log", 0.5, "bad"), Call(2.0, "c", "git", "log", 0.5, notes=both))
    (figure,) = calls_of_notes(home, ("git", "log"))
    assert figure.notes == both
    assert figure.first_read == 2.0
    assert calls_of_notes(home, ("git", "other")) == ()


def test_a_text_that_no_recent_call_has_needs_no_scan_of_all_calls(home: Home) -> None:
    """Steps of SQLite's machine, among more calls without it. Seen to fail with names looked up for each call."""

    def steps(text: str, rows: int) -> int:
        place = Home(home.root / text / str(rows))
        database = Database.open(place)
        failed = Call(0.0, "claude", "git", "log", 1.0, "unlike", message="Too large: 12345 bytes")
        write(database, [failed, Call(0.0, "vscode", "hub", "rare", 1.0)])
        write(database, [Call(float(number), "claude", "git", "log", 1.0) for number in range(rows)])
        database.close()
        with contextlib.closing(CallList(place, CallFilter(text=text))) as calls:
            count = counted_steps(calls)
            assert len(calls.first_page()) == (0 if text == "absent" else 1)
            return count[0]

    for text in ("12345", "absent", "unlik", "rar", "vscod"):
        assert steps(text, 24_000) < 1.1 * steps(text, 12_000), text


def counted_steps(calls: CallList) -> list[int]:
    """Return a list whose one value grows with each ten steps that SQLite makes for a list of calls."""
    connection = calls._opened()
    assert connection is not None
    count = [0]

    def step() -> int:
        count[0] += 1
        return 0

    connection.set_progress_handler(step, 10)
    return count


@pytest.mark.parametrize(
    ("chosen", "order"),
    [
        (CallFilter(), Order.TIME),
        (CallFilter(client="claude"), Order.TIME),
        (CallFilter(outcomes=(Outcome.WORKED,)), Order.TIME),
        (CallFilter(), Order.DURATION),
        (CallFilter(), Order.ASSISTANT),
        (CallFilter(), Order.OUTCOME),
    ],
)
def test_the_first_rows_cost_no_more_among_many_calls(home: Home, chosen: CallFilter, order: Order) -> None:
    """Steps of SQLite's machine. Seen to fail without the search of the newest calls first."""

    def steps(rows: int) -> int:
        place = Home(home.root / str(rows))
        database = Database.open(place)
        write(database, [Call(float(number), "claude", "git", "log", number % 7) for number in range(rows)])
        database.close()
        with contextlib.closing(CallList(place, chosen, order)) as calls:
            count = counted_steps(calls)
            assert len(calls.first_page()) == 200
            return count[0]

    assert steps(60_000) < 1.5 * steps(30_000)
