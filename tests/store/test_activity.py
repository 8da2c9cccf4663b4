"""The log: what it keeps, that nobody waits for it, and that nothing depends on it (docs/contract.md 2)."""

from __future__ import annotations

import contextlib
import logging
import sqlite3
import stat
import sys
import threading

import pytest

from toolnote_desktop.paths import Home
from toolnote_desktop.store import activity
from toolnote_desktop.store.activity import ActivityLog, Call


def call(number: int, error: str | None = None) -> Call:
    return Call(1000.0 + number, "claude", "git", f"tool-{number}", 0.25, error)


def test_calls_errors_and_lists_are_found_again(home: Home) -> None:
    log = ActivityLog(home)
    assert log.recent_errors() == log.recent_calls() == ()
    for number in range(5):
        log.record_call(call(number, "server-exited" if number % 2 else None))
    log.record_list("claude", 7)
    log.record_list("cursor", 7)
    log.record_list("claude", 8)
    assert log.flush()
    assert log.recent_errors() == (call(3, "server-exited"), call(1, "server-exited"))
    assert [one.tool for one in log.recent_calls(2)] == ["tool-4", "tool-3"]
    assert log.fetched_revisions() == {"claude": 8, "cursor": 7}
    log.close()
    again = ActivityLog(home)
    assert again.recent_errors(1) == (call(3, "server-exited"),)
    again.close()
    again.close()
    again.record_call(call(9))
    assert len(again.recent_calls()) == 5


def test_only_the_user_can_read_it(home: Home) -> None:
    log = ActivityLog(home)
    log.record_call(call(1))
    log.flush()
    if sys.platform != "win32":
        files = list(home.root.glob("activity.db*"))
        assert len(files) == 3
        assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
    log.close()


def test_closing_writes_what_is_left(home: Home) -> None:
    log = ActivityLog(home)

    def record() -> None:
        for number in range(500):
            log.record_call(call(number))

    threads = [threading.Thread(target=record) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    log.close()
    assert len(log.recent_calls(5000)) == 2000


def test_a_name_that_no_file_may_have_takes_no_other_call_with_it(home: Home, caplog: pytest.LogCaptureFixture) -> None:
    log = ActivityLog(home)
    log.record_call(call(1))
    log.record_call(call(2)._replace(tool="\ud800"))
    log.record_list("\ud801", 3)
    log.record_call(call(3))
    assert log.flush()
    assert [one.tool for one in log.recent_calls()] == ["tool-3", "\\ud800", "tool-1"]
    assert log.fetched_revisions() == {"\\ud801": 3}
    log.close()
    assert not caplog.records


def test_activity_log_is_bounded(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(activity, "KEPT_CALLS", 100)
    log = ActivityLog(home)
    for number in range(3500):
        log.record_call(call(number))
    log.close()
    kept = log.recent_calls(5000)
    assert kept[0].tool == "tool-3499"
    assert 100 <= len(kept) <= 1100, "trimmed once in a thousand calls"


def test_a_file_that_is_no_database_is_set_aside(home: Home, caplog: pytest.LogCaptureFixture) -> None:
    home.activity.write_bytes(b"no database " * 1000)
    log = ActivityLog(home)
    assert log.recent_calls() == ()
    log.record_call(call(1))
    log.close()
    assert log.recent_calls() == (call(1),)
    (kept,) = home.root.glob("activity.db.bad-*")
    assert kept.read_bytes() == b"no database " * 1000
    assert "activity.db" in caplog.text


def test_a_database_that_cannot_be_written_is_said_once_and_hurts_nobody(
    home: Home, caplog: pytest.LogCaptureFixture
) -> None:
    home.activity.mkdir()
    log = ActivityLog(home)
    with caplog.at_level(logging.WARNING):
        for number in range(3):
            log.record_call(call(number))
            assert log.flush()
    assert caplog.text.count("activity.db cannot be written") == 1
    home.activity.rmdir()
    log.record_call(call(9))
    log.close()
    assert log.recent_calls() == (call(9),)


def test_no_argument_and_no_result_is_kept(home: Home) -> None:
    log = ActivityLog(home)
    log.record_call(call(1))
    log.close()
    with contextlib.closing(sqlite3.connect(home.activity)) as database:
        columns = {row[1] for row in database.execute("PRAGMA table_info(calls)")}
    assert columns == {"id", "time", "client", "server", "tool", "seconds", "error"}
