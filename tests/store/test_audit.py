"""Audit: what it records of whom, and that its chain of hashes shows what was done to it (docs/contract.md 2)."""

from __future__ import annotations

import contextlib
import logging
import sqlite3
import stat
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, ClassVar

import pytest

from tests.waiting import wait_until
from toolnote_desktop.model.audit import AuditEntry, AuditKind
from toolnote_desktop.model.calls.outcome import Outcome
from toolnote_desktop.model.edits import (
    CLIENT_ENTRIES,
    CLIENTS,
    SERVER_ENTRIES,
    SERVERS,
    SETTINGS,
    AddEntry,
    CreateDocument,
    SetEntryFields,
    SetFields,
    toolset_document,
)
from toolnote_desktop.model.settings import Settings
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.toolsets.note_edits import AddNote, NoteTarget, RemoveNote
from toolnote_desktop.model.toolsets.notes import Note, ToolReference
from toolnote_desktop.model.toolsets.tool_settings import SetToolSettings
from toolnote_desktop.paths import Home
from toolnote_desktop.store import activity_database, audit
from toolnote_desktop.store.activity import ActivityLog
from toolnote_desktop.store.activity_database import Call
from toolnote_desktop.store.audit import AuditFilter, AuditLog, ChainFault, check_chain, read_entries
from toolnote_desktop.store.library import REGISTRY_ORIGIN, Library, Origin

EVERYTHING = AuditFilter()
REST = "time, actor, kind, action, subject, detail, count, hash"


@pytest.fixture
def log(home: Home) -> Iterator[AuditLog]:
    with contextlib.closing(AuditLog(home, lambda: 365)) as made:
        yield made


class KeptCursors(sqlite3.Connection):
    """Connection whose cursors live on, as those do that another thread's walk over all objects has hold of."""

    kept: ClassVar[list[sqlite3.Cursor]] = []

    def execute(self, *arguments: Any) -> sqlite3.Cursor:
        """Keep the cursor."""
        self.kept.append(super().execute(*arguments))
        return self.kept[-1]


@pytest.mark.parametrize("database", [audit._connect, activity_database._connect])
def test_cursor_that_is_held_keeps_nothing_from_being_written(
    home: Home, monkeypatch: pytest.MonkeyPatch, database: Callable[[Home], sqlite3.Connection]
) -> None:
    """Seen red: neither could make its tables, since the result of a setting had not been read."""
    monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=KeptCursors))
    monkeypatch.setattr(KeptCursors, "kept", [])
    with contextlib.closing(database(home)) as connection:
        connection.execute("CREATE TABLE more (id)")
        connection.commit()


def numbered(log: AuditLog, count: int = 5) -> None:
    for number in range(count):
        log.record(AuditEntry("user", AuditKind.NOTE, "added", f"git.tool-{number}"))
    assert log.flush()


def changed(home: Home, *statements: str) -> ChainFault | None:
    """Change the database as somebody with the file would; return what the check of the chain finds."""
    with contextlib.closing(sqlite3.connect(home.audit)) as database, database:
        for statement in statements:
            database.execute(statement)
    found = check_chain(home)
    assert found is not None
    return found[1]


def words(home: Home) -> list[tuple[str, str, str, str]]:
    return [(one.actor, str(one.kind), one.action, one.subject) for one in reversed(read_entries(home, 99, EVERYTHING))]


def test_changes_are_recorded_with_their_author_and_without_contents(home: Home) -> None:
    note = Note(name="team", note="Ask the confidential team.", author="cursor")
    target = NoteTarget.in_toolset("work", ToolReference(namespaced_name="git.log"))
    with Library.open(home, watch=False) as library:
        library.submit(AddEntry(SERVERS, SERVER_ENTRIES, "git", {"command": "git", "env": {"KEY": "confidential"}}))
        library.submit(CreateDocument(toolset_document("work"), {"name": "work", "tools": []}))
        library.submit(AddNote(target, note.to_json()), origin=Origin("cursor"))
        library.submit(RemoveNote(target, "team"))
        fields = {"approval": "ask", "parameters": {"path": {"fixed": "confidential"}}}
        library.submit(SetToolSettings("git.log", fields))
        library.submit(
            SetToolSettings("git.log", {"review": {"decision": "accept", "fingerprint": "0123456789abcdef"}})
        )
        library.submit(AddEntry(CLIENTS, CLIENT_ENTRIES, "cursor", {"toolset": "work"}))
        library.submit(SetFields(SETTINGS, {"equippedToolset": "work", "theme": "dark"}))
        library.submit(SetEntryFields(SERVERS, SERVER_ENTRIES, "git", {"disabled": True}))
        # Seen red: of Toolnote itself "registry" was written, which the contract does not name.
        library.submit(SetEntryFields(SERVERS, SERVER_ENTRIES, "git", {"disabled": False}), origin=REGISTRY_ORIGIN)
    assert words(home) == [
        ("user", "server", "added", "git"),
        ("user", "toolset", "made", "work"),
        ("cursor", "note", "added", "git.log"),
        ("user", "note", "removed", "git.log"),
        ("user", "tool", "set", "git.log"),
        ("user", "review", "accepted", "git.log"),
        ("user", "client", "added", "cursor"),
        ("user", "assignment", "assigned", "cursor"),
        ("user", "assignment", "assigned", "*"),
        ("user", "setting", "changed", "theme"),
        ("user", "server", "turned-off", "git"),
        ("toolnote", "server", "turned-on", "git"),
    ]
    details = [one.detail for one in reversed(read_entries(home, 99, EVERYTHING))]
    assert details[2]["note"] == "team"
    assert details[4] == {"fields": "approval=ask, parameters"}
    assert b"confidential" not in home.audit.read_bytes()
    if sys.platform != "win32":
        assert stat.S_IMODE(home.audit.stat().st_mode) == 0o600


def test_each_of_two_with_one_name_and_kinds_of_work_are_recorded(home: Home) -> None:
    """Seen red: of two tools that share a name, and of two notes of one name, changes of the first were not recorded,
    and words on a kind of work never were.
    """
    entries = [{"namespacedName": "a.b.c", "server": server} for server in ("a", "a.b")]
    groups = [
        {"toolRef": entry, "notes": [{"name": "ask", "note": text}]}
        for entry, text in zip(entries, ("One.", "Two."), strict=True)
    ]
    with Library.open(home, watch=False) as library:
        document = toolset_document("work")
        library.submit(CreateDocument(document, {"name": "work", "tools": entries, "toolNotes": groups}))
        library.submit(SetFields(document, {"tools": [{**entries[0], "approval": "off"}, entries[1]]}))
        note = {"name": "ask", "note": "Send it to me."}
        library.submit(SetFields(document, {"toolNotes": [{**groups[0], "notes": [note]}, groups[1]]}))
        library.submit(SetFields(document, {"taskTypes": {"triage": {"whenToUse": "Always."}}}))
        assert library.audit.flush()
        assert words(home)[1:] == [
            ("user", "tool", "set", "a.b.c"),
            ("user", "note", "changed", "a.b.c"),
            ("user", "toolset", "changed", "work"),
        ]


def test_calls_of_a_moment_are_one_entry_also_without_activity(home: Home, log: AuditLog) -> None:
    home.activity.mkdir()  # calls cannot be recorded in it
    with contextlib.closing(ActivityLog(home, audit=log)) as activity:
        for _ in range(40):
            activity.record_call(Call(time.time(), "cursor", "git", "log", 0.1))
        refused = Call(time.time(), "cursor", "git", "push", 0.1, "toolnote:approval_denied", Outcome.REFUSED)
        activity.record_call(refused)
        activity.flush()
    assert log.flush()
    entries = read_entries(home, 9, AuditFilter(kinds=(AuditKind.CALL,)))
    assert sum(one.count for one in entries if one.action == "worked") == 40
    assert len(entries) < 10
    (push,) = [one for one in entries if one.action == "refused"]
    assert (push.subject, push.detail) == ("git.push", {"reason": "approval_denied"})


def test_change_by_a_command_is_recorded_once(home: Home) -> None:
    """The app sees the changed file too; only a change that no Toolnote made is one of ``file``."""
    with Library.open(home) as app:
        with Library.open(home, watch=False) as command:
            command.submit(SetToolSettings("git.log", {"approval": "ask"}))
        (home.root / "notes.json").write_text('{"global": [{"name": "tone", "note": "Be short."}]}', encoding="utf-8")
        end = time.monotonic() + 20
        while not (app.snapshot.notes.everything and app.snapshot.tool_settings.by_name):
            assert time.monotonic() < end
            time.sleep(0.01)
    assert sorted(words(home)) == [("file", "note", "added", "*"), ("user", "tool", "set", "git.log")]
    assert check_chain(home) == (2, None)


def test_change_of_a_file_waits_for_the_command_that_made_it(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "_BATCH_SECONDS", 0.0)
    monkeypatch.setattr(audit, "_FILE_MS", 400)
    before, dark = Snapshot(), Snapshot(settings=Settings(theme="dark"))
    with (
        contextlib.closing(AuditLog(home, lambda: 365)) as app,
        contextlib.closing(AuditLog(home, lambda: 365)) as other,
    ):
        app.record_change(before, dark, "file")
        wait_until(lambda: not app._something.is_set())  # its thread has seen it
        other.record_change(before, dark, "user")
        assert other.flush()
        app.record_change(before, Snapshot(settings=Settings(language="de")), "file")
        wait_until(lambda: len(words(home)) == 2)
    assert words(home) == [("user", "setting", "changed", "theme"), ("file", "setting", "changed", "language")]


def test_two_processes_write_one_chain(home: Home, log: AuditLog) -> None:
    with contextlib.closing(AuditLog(home, lambda: 365)) as other:
        for _ in range(3):
            numbered(log)
            numbered(other)
    assert check_chain(home) == (30, None)


@pytest.mark.parametrize(
    ("statements", "number", "how"),
    [
        (["UPDATE entries SET actor = 'cursor' WHERE id = 3"], 3, "changed"),
        (["UPDATE entries SET time = time + 1 WHERE id = 1"], 1, "changed"),
        (["UPDATE entries SET hash = '' WHERE id = 5"], 5, "changed"),
        (["DELETE FROM entries WHERE id = 2"], 2, "removed"),
        (["DELETE FROM entries WHERE id = 1"], 1, "removed"),
        (["DELETE FROM entries WHERE id >= 4"], 4, "removed"),
        (["DELETE FROM entries"], 1, "removed"),
        (
            [f"INSERT INTO entries SELECT 6, {REST} FROM entries LIMIT 1"],
            6,
            "inserted",
        ),
        (
            [
                "UPDATE entries SET id = -id WHERE id >= 3",
                "UPDATE entries SET id = 1 - id WHERE id < 0",
                f"INSERT INTO entries SELECT 3, {REST} FROM entries LIMIT 1",
            ],
            3,
            "inserted",
        ),
        (
            [
                "UPDATE entries SET id = -1 WHERE id = 2",
                "UPDATE entries SET id = 2 WHERE id = 4",
                "UPDATE entries SET id = 4 WHERE id = -1",
            ],
            2,
            "changed",
        ),
        (["DELETE FROM entries WHERE id = 5", "UPDATE head SET id = 4"], 4, "changed"),
    ],
)
def test_first_entry_that_was_touched_is_named(
    home: Home, log: AuditLog, statements: list[str], number: int, how: str
) -> None:
    numbered(log)
    assert check_chain(home) == (5, None)
    fault = changed(home, *statements)
    assert fault is not None
    assert (fault.id, fault.how) == (number, how)


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM head",
        "UPDATE head SET id = 9223372036854775807",
        "UPDATE head SET id = 2",
        "INSERT INTO entries SELECT 9223372036854775807, " + REST + " FROM entries LIMIT 1",
        "DROP TABLE head",
        "DROP TABLE entries",
        "ALTER TABLE entries ADD COLUMN more TEXT",
        "CREATE TRIGGER stop BEFORE INSERT ON entries BEGIN SELECT RAISE(ABORT, 'no'); END",
        "CREATE TRIGGER stop BEFORE INSERT ON entries BEGIN SELECT RAISE(IGNORE); END",
    ],
)
def test_damage_is_said_and_recording_goes_on(home: Home, log: AuditLog, statement: str) -> None:
    """Seen red: one statement of another program, and nothing was recorded any more."""
    numbered(log)
    log.close()
    with contextlib.closing(sqlite3.connect(home.audit)) as database, database:
        database.execute(statement)
    assert is_faulty(home)
    for subject in ("one", "two"):
        with contextlib.closing(AuditLog(home, lambda: 365)) as later:
            later.record(AuditEntry("user", AuditKind.NOTE, "later", subject))
    found_words = [one.subject for one in read_entries(home, 99, EVERYTHING) if one.action == "later"]
    assert found_words == ["two", "one"]
    is_new = any(one.action == "begun" for one in read_entries(home, 99, EVERYTHING))
    assert any(home.root.glob("audit.db.bad-*")) is is_new
    is_mended = is_new or "head SET id" in statement  # which entries there were is known by their ids
    assert is_faulty(home) is not is_mended


def is_faulty(home: Home) -> bool:
    try:
        found = check_chain(home)
    except sqlite3.DatabaseError as error:
        return "another program" in str(error)
    return found is not None and found[1] is not None


def test_version_of_the_file_says_nothing_of_its_entries(home: Home, log: AuditLog) -> None:
    """Seen red: with another version number the audit counted as none, and was not written."""
    numbered(log)
    log.close()
    with contextlib.closing(sqlite3.connect(home.audit)) as database, database:
        database.execute("PRAGMA user_version = 0")
    assert check_chain(home) == (5, None)


def test_clearing_and_expiry_go_on_with_the_chain(home: Home, log: AuditLog, monkeypatch: pytest.MonkeyPatch) -> None:
    numbered(log)
    log.clear()
    assert log.flush()
    (cleared,) = read_entries(home, 9, EVERYTHING)
    assert (cleared.id, cleared.actor, cleared.action, cleared.detail["removed"]) == (6, "user", "cleared", "5")
    numbered(log)
    assert check_chain(home) == (6, None)
    log.close()
    monkeypatch.setattr(audit, "KEPT_ENTRIES", 4)
    with contextlib.closing(AuditLog(home, lambda: 365)) as later:
        numbered(later, 1)
    entries = read_entries(home, 9, EVERYTHING)
    assert [one.id for one in entries] == [13, 12, 11, 10, 9]
    assert (entries[0].actor, entries[0].action, entries[0].detail["through"]) == ("toolnote", "expired", "8")
    assert check_chain(home) == (5, None)
    fault = changed(home, "DELETE FROM entries WHERE id = 9")
    assert fault is not None
    assert (fault.id, fault.how) == (9, "removed")


def test_entries_expire_by_their_age(home: Home, log: AuditLog, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(audit, "_now", lambda: time.time_ns() // 1_000_000 - 366 * 86_400_000)
        numbered(log, 3)
    log.close()
    with contextlib.closing(AuditLog(home, lambda: 365)) as later:
        numbered(later, 1)
    assert [one.action for one in read_entries(home, 9, EVERYTHING)] == ["expired", "added"]
    assert check_chain(home) == (2, None)


def test_file_that_is_no_database_is_set_aside_and_said(home: Home, log: AuditLog) -> None:
    home.audit.write_bytes(b"no database " * 1000)
    numbered(log, 1)
    assert [one.action for one in read_entries(home, 9, EVERYTHING)] == ["added", "begun"]
    (kept,) = home.root.glob("audit.db.bad-*")
    assert kept.read_bytes() == b"no database " * 1000
    assert check_chain(home) == (2, None)


def test_audit_that_cannot_be_written_costs_no_change(home: Home, caplog: pytest.LogCaptureFixture) -> None:
    home.audit.mkdir()
    with caplog.at_level(logging.WARNING), Library.open(home, watch=False) as library:
        for number in range(3):
            library.submit(SetToolSettings(f"git.{number}", {"approval": "ask"}))
            library.audit.flush()
        library.flush()
    assert caplog.text.count("audit.db cannot be written") == 1
    assert (home.root / "tools.json").is_file()


def test_waiting_entries_are_bounded(
    home: Home, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(audit, "MAX_WAITING", 10)
    monkeypatch.setattr(audit, "_BATCH_SECONDS", 60.0)
    with contextlib.closing(AuditLog(home, lambda: 365)) as log:
        for number in range(200):
            log.record(AuditEntry("user", AuditKind.NOTE, "added", str(number)))
        assert log.lost == 190
    found = read_entries(home, 999, EVERYTHING)
    assert len(found) == 11
    assert (found[0].action, found[0].detail) == ("lost", {"entries": "190"})
    assert "entries were not recorded" in caplog.text
    assert check_chain(home) == (11, None)


def test_entries_wait_while_they_cannot_be_written(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen red: what was recorded while the disk was full was gone, and only the program's log said so."""
    monkeypatch.setattr(audit, "MAX_WAITING", 10)
    monkeypatch.setattr(audit, "_BATCH_SECONDS", 0.0)
    home.audit.mkdir()
    with contextlib.closing(AuditLog(home, lambda: 365)) as log:
        for number in range(14):
            log.record(AuditEntry("user", AuditKind.NOTE, "added", str(number)))
            assert log.flush()
        assert log.lost == 4
        home.audit.rmdir()
        log.record(AuditEntry("user", AuditKind.NOTE, "added", "last"))
        assert log.flush()
        assert log.lost == 0
    subjects = [one.subject for one in reversed(read_entries(home, 99, EVERYTHING))]
    assert subjects == [*map(str, range(10)), "last", "audit.db"]
    assert check_chain(home) == (12, None)


def test_clock_that_jumps_deletes_nothing_at_once(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen red: ten years ahead for a moment, and all calls and entries were gone."""
    now = time.time()

    def at(days: float) -> None:
        clock = now + days * 86_400
        monkeypatch.setattr(time, "time", lambda: clock)
        monkeypatch.setattr(audit, "_now", lambda: int(clock * 1000))

    def run(days: float) -> list[str]:
        """Record an entry and a call in a run at a time; return what there is of earlier runs."""
        at(days)
        with (
            contextlib.closing(AuditLog(home, lambda: 30)) as log,
            contextlib.closing(ActivityLog(home, lambda: 30)) as activity,
        ):
            log.record(AuditEntry("user", AuditKind.NOTE, "added", f"{days}"))
            activity.record_call(Call(time.time(), "cursor", "git", f"{days}", 0.1))
            assert activity.flush()
        entries = [one.subject for one in reversed(read_entries(home, 99, EVERYTHING)) if one.kind is AuditKind.NOTE]
        with contextlib.closing(sqlite3.connect(home.activity)) as database:
            text = "SELECT tools.tool FROM calls JOIN tools ON tools.id = calls.tool ORDER BY calls.id"
            calls = database.execute(text).fetchall()
        assert [name for (name,) in calls] == entries
        return entries

    assert run(0) == ["0"]
    assert run(3650) == run(3650.1)[:-1] == ["0", "3650"], "it waits"
    assert run(1) == ["0", "3650", "3650.1", "1"]
    assert run(-3650)[-2:] == ["1", "-3650"]
    assert run(2) == ["0", "3650", "3650.1", "1", "-3650", "2"], "a time in the past takes nothing along"
    for day in range(4, 31, 2):
        run(day)
    assert run(32.5)[:2] == ["4", "6"], "day by day it expires as ever"
    run(400)
    assert run(408) == ["400", "408"], "after a year without the computer, a week later"


def test_choice_of_entries(home: Home, log: AuditLog) -> None:
    numbered(log, 3)
    log.record(AuditEntry("cursor", AuditKind.APPROVAL, "allowed", "git.\ud800push", {"for": "once"}))
    assert log.flush()
    assert len(read_entries(home, 9, AuditFilter(kinds=(AuditKind.NOTE,)))) == 3
    assert len(read_entries(home, 2, EVERYTHING)) == 2
    assert [one.actor for one in read_entries(home, 9, AuditFilter(text="CURSOR push once"))] == ["cursor"]
    assert len(read_entries(home, 9, AuditFilter(without=(AuditKind.NOTE,)))) == 1
    assert read_entries(home, 9, AuditFilter(since=time.time() + 60)) == []
    assert check_chain(home) == (4, None)
