"""Files that cannot be read: set aside, the newest good backup used, the user told, nothing lost (case C54)."""

from __future__ import annotations

import os
import shutil
import sys
import threading
import time
from pathlib import Path

import pytest

from tests import permissions
from tests.store.stories import (
    PATIENCE,
    WORK,
    Changes,
    add_note,
    bad_files,
    create_work,
    note,
    note_names,
    on_disk,
    put,
    work,
)
from tests.waiting import wait_until
from toolnote_desktop.model.edits import (
    ABSENT,
    CATALOG,
    SERVER_ENTRIES,
    SERVERS,
    SETTINGS,
    TOOLS,
    AddEntry,
    SetFields,
)
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.model.tools.built_in_tools import enabled_built_in
from toolnote_desktop.paths import Home
from toolnote_desktop.store import disk
from toolnote_desktop.store.library import Library


@pytest.fixture
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Editors that write in steps need time; these tests have none of them and many files."""
    monkeypatch.setattr(disk, "RECHECK_SECONDS", 0.01)
    monkeypatch.setattr(disk, "UNCHANGED_SECONDS", 0.0)


@pytest.mark.usefixtures("hurry")
def test_a_file_cut_at_every_twentieth_byte_loses_nothing(home: Home) -> None:
    with Library.open(home) as library:
        create_work(library)
        library.submit(add_note("team", "Ask which team first. Größe 😀"), add_note("second", "x" * 60))
    whole = home.toolset("work").read_bytes()
    backups = home.backups / "toolsets" / "work.json"
    good = {path.name: path.read_bytes() for path in backups.iterdir()}
    cuts = range(0, len(whole) - 1, 20)
    assert len(cuts) >= 20
    for cut in cuts:
        home.toolset("work").write_bytes(whole[:cut])
        with Library.open(home, watch=False) as library:
            assert note_names(library.raw(WORK)) == ["team", "second"], cut
            (problem,) = library.snapshot.problems
            assert problem.code is Code.FILE_UNREADABLE
            assert problem.parameters["file"] == "toolsets/work.json"
            kept = home.toolsets / problem.parameters["kept"]
            assert kept.read_bytes() == whole[:cut]
            assert problem.parameters["backup"] in good
            assert home.toolset("work").read_bytes() == whole
            library.submit(SetFields(SETTINGS, {"cut": cut}))
        assert {name: (backups / name).read_bytes() for name in good} == good, "no good backup was touched"
    assert len(bad_files(home)) == len(cuts), "no bad file was overwritten"
    with Library.open(home) as library:
        assert library.snapshot.problems == ()
        library.submit(add_note("third"))
    assert note_names(on_disk(home.toolset("work"))) == ["team", "second", "third"]


BAD = {
    "truncated": b'{"mcpServers": {"a": {"command": "x"}',
    "not JSON": b"{mcpServers: {}}",
    "not UTF-8": b'{"mcpServers": {"a": {"command": "\xff\xfe"}}}',
    "UTF-16": '{"mcpServers": {}}'.encode("utf-16"),
    "not an object": b"[1, 2]",
    "servers of the wrong kind": b'{"mcpServers": ["a"]}',
    "NaN": b'{"mcpServers": {"a": {"timeout": NaN}}}',
    "nested too deeply": b'{"a":' + b"[" * 200_000 + b"]" * 200_000 + b"}",
    "empty": b"",
    "zeros": b"\0" * 512,
}


@pytest.mark.usefixtures("hurry")
@pytest.mark.parametrize("bad", BAD.values(), ids=list(BAD))
def test_whatever_is_wrong_the_last_good_state_is_used(home: Home, bad: bytes) -> None:
    good = {"mcpServers": {"a": {"command": "x", "env": {"TOKEN": "secret"}}}}
    put(home.servers, good)
    Library.open(home).close()
    home.servers.write_bytes(bad)
    with Library.open(home) as library:
        assert list(library.snapshot.servers) == ["a"]
        assert [problem.code for problem in library.snapshot.problems] == [Code.FILE_UNREADABLE]
        assert "secret" not in str(library.snapshot.problems)
        library.submit(AddEntry(SERVERS, SERVER_ENTRIES, "b", {"command": "y"}))
    assert on_disk(home.servers)["mcpServers"] == {**good["mcpServers"], "b": {"command": "y"}}
    (kept,) = bad_files(home)
    assert kept.read_bytes() == bad
    assert kept.name.startswith("servers.json.bad-")


@pytest.mark.usefixtures("hurry")
@pytest.mark.parametrize(
    ("name", "raw"),
    [
        ("toolsets/work.json", {"name": "work", "tools": {}}),
        ("toolsets/work.json", {"name": "work", "toolNotes": "x"}),
        ("notes.json", {"global": {}}),
        ("notes.json", {"tools": []}),
    ],
)
def test_a_first_file_that_is_bad_is_set_aside_and_there_is_none(home: Home, name: str, raw: object) -> None:
    path = home.root / name
    data = put(path, raw)
    with Library.open(home) as library:
        (problem,) = library.snapshot.problems
        assert problem.code is Code.FILE_UNREADABLE
        assert (problem.parameters["file"], problem.parameters["backup"]) == (name, "")
        assert library.snapshot.toolsets == {}
    assert not path.exists()
    (kept,) = bad_files(home)
    assert kept.read_bytes() == data


def test_odd_documents_are_read_and_reported(home: Home) -> None:
    put(home.servers, '﻿{"mcpServers": {"a": {"command": "old"}, "a": {"command": "new"}, "b": 5}}'.encode())
    put(home.settings, {"port": "many", "theme": "dark"})
    put(home.notes, {"global": None, "servers": None, "tools": None})
    put(home.toolset("work"), {"tools": None, "toolNotes": None})
    with Library.open(home) as library:
        snapshot = library.snapshot
        assert snapshot.servers["a"].command == "new"
        assert snapshot.settings.theme == "dark"
        codes = {(problem.code, problem.parameters["file"]) for problem in snapshot.problems}
        assert codes == {
            (Code.FILE_DUPLICATE_KEY, "servers.json"),
            (Code.FILE_ENTRY_INVALID, "servers.json"),
            (Code.FILE_ENTRY_INVALID, "settings.json"),
        }
        library.submit(add_note("team"))
    assert bad_files(home) == []
    assert note_names(on_disk(home.toolset("work"))) == ["team"]
    (backup,) = (home.backups / "servers.json").iterdir()
    assert b'"old"' in backup.read_bytes(), "what a later save drops is in the backup"


@pytest.mark.usefixtures("hurry")
def test_a_bad_backup_is_passed_over(home: Home) -> None:
    with Library.open(home) as library:
        create_work(library)
        library.submit(add_note("team"))
    backups = sorted((home.backups / "toolsets" / "work.json").iterdir())
    backups[-1].write_bytes(b'{"name": "wo')
    home.toolset("work").write_bytes(b"")
    with Library.open(home) as library:
        assert library.raw(WORK) is not None
        (problem,) = library.snapshot.problems
        assert problem.parameters["backup"] == backups[-2].name


def test_a_file_that_breaks_while_the_app_runs(home: Home) -> None:
    put(home.toolset("work"), work(note("team")))
    with Library.open(home) as library:
        changes = Changes(library)
        home.toolset("work").write_bytes(b'{"name": "work", "tools": [')
        changes.wait(lambda snapshot: snapshot.problems != ())
        assert [problem.code for problem in library.snapshot.problems] == [Code.FILE_UNREADABLE]
        assert note_names(library.raw(WORK)) == ["team"]
        library.submit(add_note("second"))
        library.flush()
        assert note_names(on_disk(home.toolset("work"))) == ["team", "second"]
        assert [problem.code for problem in library.snapshot.problems] == [Code.FILE_UNREADABLE], "still said"
    (kept,) = bad_files(home)
    assert kept.read_bytes() == b'{"name": "work", "tools": ['


def test_edits_on_their_way_go_on_top_of_the_backup(home: Home) -> None:
    put(home.toolset("work"), work(note("team")))
    with Library.open(home, watch=False) as library:
        home.toolset("work").write_bytes(b"{")
        library.submit(add_note("second")).saved.result(PATIENCE)
        assert note_names(on_disk(home.toolset("work"))) == note_names(library.raw(WORK)) == ["team", "second"]
        assert [problem.code for problem in library.snapshot.problems] == [Code.FILE_UNREADABLE]


def test_without_any_backup_what_is_in_memory_is_written_again(home: Home) -> None:
    home.backups.write_text("no folder can be made here")
    put(home.toolset("work"), work(note("team")))
    with Library.open(home, watch=False) as library:
        home.toolset("work").write_bytes(b"{")
        library.submit(add_note("second")).saved.result(PATIENCE)
        assert note_names(on_disk(home.toolset("work"))) == ["team", "second"]
        assert len(bad_files(home)) == 1


def test_an_editor_that_writes_in_steps_is_given_time(home: Home) -> None:
    put(home.toolset("work"), work(note("team")))
    data = put(home.root / "elsewhere", work(note("edited")))
    with Library.open(home) as library:
        changes = Changes(library)
        with open(home.toolset("work"), "wb") as file:  # now it is empty
            for start in range(0, len(data), 100):
                file.write(data[start : start + 100])
                file.flush()
                time.sleep(0.1)  # an editor's own slowness, well under the quiet that we wait for
        changes.wait(lambda _: note_names(library.raw(WORK)) == ["edited"])
        library.flush()
        assert library.snapshot.problems == ()
    assert bad_files(home) == []
    assert home.toolset("work").read_bytes() == data


def test_a_file_that_cannot_be_opened_is_no_bad_file(home: Home) -> None:
    """A folder in its place stands for what permissions do (these tests may run as root, whom they do not stop)."""
    home.settings.mkdir()
    with Library.open(home) as library:
        (problem,) = library.snapshot.problems
        assert (problem.code, problem.parameters["kept"]) == (Code.FILE_UNREADABLE, "settings.json")
        failed = library.submit(SetFields(SETTINGS, {"theme": "dark"}))
        with pytest.raises(ToolnoteError) as error:
            failed.saved.result(PATIENCE)
        assert error.value.problem.code is Code.FILE_NOT_WRITTEN
        home.settings.rmdir()
        put(home.settings, {"port": 9000})
        library.flush()
        assert on_disk(home.settings) == {"port": 9000, "theme": "dark"}
        assert library.snapshot.problems == ()
    assert bad_files(home) == []


def blocked(path: Path, kind: str) -> None:
    path.unlink(missing_ok=True)
    if kind == "folder":
        path.mkdir()
    elif kind == "link":
        path.symlink_to(path.parent / "another-disk" / path.name)
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.write_bytes(b'{"tools": [')


ASKING = {"tools": {"s.send": {"approval": "ask"}}}


@pytest.mark.usefixtures("hurry")
@pytest.mark.skipif(sys.platform == "win32", reason="has no such files")
@pytest.mark.parametrize("kind", ["folder", "link", "pipe"])
def test_backup_is_used_at_a_start_where_the_file_cannot_be_opened(home: Home, kind: str) -> None:
    """Seen red: the document counted as absent, and the rules for tools with it."""
    path = home.root / "tools.json"
    put(path, ASKING)
    Library.open(home).close()
    blocked(path, kind)
    with Library.open(home) as library:
        assert library.raw(TOOLS) == ASKING
        (problem,) = library.snapshot.problems
        assert (problem.code, problem.parameters["kept"]) == (Code.FILE_UNREADABLE, "tools.json")
        path.rmdir() if kind == "folder" else path.unlink()
        put(path, {"tools": {}})
        wait_until(lambda: library.raw(TOOLS) == {"tools": {}})
        assert library.snapshot.problems == ()


@pytest.mark.usefixtures("hurry")
@pytest.mark.skipif(sys.platform == "win32", reason="has no such files")
@pytest.mark.parametrize("kind", ["bad", "folder", "link", "pipe"])
def test_lost_rules_open_nothing_until_the_user_says_so(home: Home, kind: str) -> None:
    """Seen red: an unreadable tools.json without a backup was as good as none, and each tool was free."""
    path = home.root / "tools.json"
    blocked(path, kind)
    for _ in range(2):
        with Library.open(home) as library:
            assert library.snapshot.tool_settings.rules_lost
            assert library.raw(TOOLS) == {"rulesLost": True}
    if kind != "bad":
        return
    with Library.open(home) as library:
        drop = library.submit(SetFields(TOOLS, {"rulesLost": ABSENT}))
        drop.saved.result(PATIENCE)
        assert not library.snapshot.tool_settings.rules_lost
        library.submit(*drop.inverse).saved.result(PATIENCE)
    with Library.open(home) as library:
        assert library.snapshot.lost_rules == (TOOLS,)
        put(path, ASKING)  # the user brings the file back
        library.flush()
        wait_until(lambda: library.raw(TOOLS) == ASKING)


@pytest.mark.usefixtures("hurry")
def test_lost_settings_show_no_hidden_tool_and_delete_nothing(home: Home) -> None:
    """Seen red: without its file each of Toolnote's own tools was served again, and entries expired after 365 days."""
    put(home.settings, 5)
    with Library.open(home) as library:
        assert library.snapshot.lost_rules == (SETTINGS,)
        settings = library.snapshot.settings
        assert enabled_built_in(settings) == frozenset()
        assert (settings.audit_days, settings.activity_days) == (3650, 3650)
        library.submit(SetFields(SETTINGS, {"hiddenBuiltInTools": []}))
        assert "get-tool-guide" in enabled_built_in(library.snapshot.settings), "the user has said so since"
        found = library.submit(SetFields(SETTINGS, {"rulesLost": ABSENT})).snapshot
        assert found.lost_rules == ()
        assert found.settings.audit_days == 365


@pytest.mark.usefixtures("hurry")
def test_changes_of_sources_are_held_while_those_of_before_are_lost(home: Home) -> None:
    """Seen red: a source that was added again after its file was lost served what the user had held."""
    put(home.servers, "nothing")
    with Library.open(home) as library:
        assert library.snapshot.lost_rules == (SERVERS,)
        library.submit(AddEntry(SERVERS, SERVER_ENTRIES, "a", {"command": "x"}))
        shown = {"command": "x", "toolnote": {"changes": "show"}}
        library.submit(AddEntry(SERVERS, SERVER_ENTRIES, "b", shown))
        changes = [one.toolnote.changes for one in library.snapshot.servers.values()]
        assert changes == ["hold", "show"]
        found = library.submit(SetFields(SERVERS, {"rulesLost": ABSENT})).snapshot
        assert [one.toolnote.changes for one in found.servers.values()] == ["show", "show"]
        assert found.lost_rules == ()


@pytest.mark.usefixtures("hurry")
@pytest.mark.parametrize("is_missing", [False, True])
def test_lost_catalogue_is_that_of_its_backup_or_said_to_be_lost(home: Home, is_missing: bool) -> None:
    """Seen red: a catalogue that was deleted or damaged counted as none, and with it what the user had accepted."""
    known = {"servers": {"a": {"tools": [{"definition": {"name": "x", "inputSchema": {}}}]}}}
    put(home.catalog, known)
    Library.open(home).close()
    home.catalog.unlink() if is_missing else home.catalog.write_bytes(b"{")
    with Library.open(home) as library:
        assert library.raw(CATALOG) == known
        assert library.snapshot.lost_rules == ()
    shutil.rmtree(home.backups)
    home.catalog.write_bytes(b"{")
    for _ in range(2):
        with Library.open(home) as library:
            assert library.snapshot.lost_rules == (CATALOG,)


@pytest.mark.skipif(not permissions.BINDING, reason="this user reads all files")
def test_a_file_without_permission_stays(home: Home) -> None:
    data = put(home.settings, {"port": 9000})
    home.settings.chmod(0)
    with permissions.binding(), Library.open(home) as library:
        assert [problem.code for problem in library.snapshot.problems] == [Code.FILE_UNREADABLE]
    home.settings.chmod(0o600)
    assert home.settings.read_bytes() == data


@pytest.mark.usefixtures("hurry")
@pytest.mark.skipif(sys.platform == "win32", reason="needs a right on Windows")
def test_a_symlinked_document_keeps_its_link(home: Home, user_folder: Path) -> None:
    target = user_folder / "dotfiles" / "my-work.json"
    put(target, work(note("team")))
    home.toolsets.mkdir()
    home.toolset("work").symlink_to(target)
    with Library.open(home) as library:
        library.submit(add_note("second"))
    assert home.toolset("work").is_symlink()
    assert note_names(on_disk(target)) == ["team", "second"]
    target.write_bytes(b"{")
    with Library.open(home) as library:
        assert note_names(library.raw(WORK)) == ["team", "second"]
    assert home.toolset("work").is_symlink()
    assert note_names(on_disk(target)) == ["team", "second"]
    (kept,) = target.parent.glob("my-work.json.bad-*")
    assert kept.read_bytes() == b"{"


def test_the_same_bad_file_twice_in_one_moment_is_kept_twice(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    from datetime import UTC, datetime

    from toolnote_desktop.store.documents import quarantine_file

    moment = datetime(2026, 1, 1, tzinfo=UTC)
    kept = []
    for text in (b"one", b"two"):
        home.settings.write_bytes(text)
        kept.append(quarantine_file(home.settings, None, moment, check=lambda: None))
    assert [path.read_bytes() for path in kept] == [b"one", b"two"]

    def no_links(*_: object) -> None:
        raise OSError("this file system has none")

    monkeypatch.setattr(os, "link", no_links)
    home.settings.write_bytes(b"three")
    third = quarantine_file(home.settings, b"{}", moment, check=lambda: None)
    assert third.read_bytes() == b"three"
    assert home.settings.read_bytes() == b"{}"
    assert [path.read_bytes() for path in kept] == [b"one", b"two"]


def written_slowly(path: Path, pieces: list[bytes], pause: float) -> threading.Thread:
    """A program that overwrites a file in place, with a pause before each further piece."""

    def write() -> None:
        with path.open("wb", buffering=0) as file:
            for number, piece in enumerate(pieces):
                time.sleep(pause if number else 0)
                file.write(piece)

    thread = threading.Thread(target=write)
    thread.start()
    return thread


HALVES = [b'{"mcpServers": {"slow": ', b'{"command": "x"}}}']


def test_document_that_is_still_being_written_is_not_set_aside(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """Issue 15 item 10. Seen red without ``UNCHANGED_SECONDS``: a pause of 0.8 s was enough to set the file aside."""
    monkeypatch.setattr(disk, "RECHECK_SECONDS", 0.05)
    with Library.open(home) as library:
        library.submit(AddEntry(SERVERS, SERVER_ENTRIES, "before", {"command": "y"}))
        library.flush()
        writer = written_slowly(home.servers, HALVES, 0.8)
        wait_until(lambda: "slow" in library.snapshot.servers)
        writer.join()
        assert not bad_files(home)
        assert library.snapshot.problems == ()


def test_edit_that_is_finished_after_its_file_was_set_aside_is_taken(home: Home) -> None:
    """Its program has the file open under the new name. Seen red without ``_restore_finished_edit``."""
    with Library.open(home) as library:
        library.submit(AddEntry(SERVERS, SERVER_ENTRIES, "before", {"command": "y"}))
        library.flush()
        writer = written_slowly(home.servers, HALVES, 4.0)
        wait_until(lambda: bad_files(home))
        assert list(library.snapshot.servers) == ["before"]
        wait_until(lambda: list(library.snapshot.servers) == ["slow"])
        writer.join()
        assert list(on_disk(home.servers)["mcpServers"]) == ["slow"]
