"""The library in one process: edits at once in memory, soon on disk, and what listeners are told."""

from __future__ import annotations

import errno
import logging
import os
import stat
import subprocess
import sys
import threading
from concurrent.futures import wait
from datetime import datetime
from typing import Any

import pytest

from tests.store.stories import (
    NOTES_ON_GIT_LOG,
    PATIENCE,
    WORK,
    Changes,
    add_note,
    create_work,
    note_names,
    on_disk,
    put,
    work,
)
from toolnote_desktop.model.edits import (
    CATALOG,
    SERVER_ENTRIES,
    SERVERS,
    SETTINGS,
    TOOLS,
    AddEntry,
    CreateDocument,
    DeleteDocument,
    PutEntry,
    SetEntryFields,
    SetFields,
    toolset_document,
)
from toolnote_desktop.model.json_text import MAX_NESTING
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.model.servers import ServerState
from toolnote_desktop.model.tools.catalogue import Catalogue
from toolnote_desktop.model.toolsets.note_edits import EditNote
from toolnote_desktop.paths import Home
from toolnote_desktop.store.disk import Disk
from toolnote_desktop.store.library import USER_ORIGIN, Change, Library, Origin


def test_an_empty_home_is_made_for_the_user_alone(user_folder: object, home: Home) -> None:
    new = Home(home.root / "below" / "new")
    with Library.open(new) as library:
        assert library.snapshot.problems == ()
        create_work(library)
    if sys.platform != "win32":
        for folder in (new.root, new.toolsets, new.backups, new.run, new.backups / "toolsets"):
            assert stat.S_IMODE(folder.stat().st_mode) == 0o700, folder
        for path in new.root.rglob("*"):
            if path.is_file():
                assert stat.S_IMODE(path.stat().st_mode) == 0o600, path


def test_an_edit_is_in_memory_at_once_and_on_disk_when_saved(home: Home) -> None:
    with Library.open(home) as library:
        changes = Changes(library)
        before = library.snapshot
        created = library.submit(CreateDocument(WORK, work()), SetFields(SETTINGS, {"equippedToolset": "work"}))
        assert library.snapshot is created.snapshot
        assert created.snapshot.revision == before.revision + 1
        assert created.snapshot.shared_toolset is not None
        created.saved.result(PATIENCE)
        assert on_disk(home.settings) == {"equippedToolset": "work"}
        assert on_disk(home.toolset("work")) == library.raw(WORK)

        added = library.submit(add_note("team"), origin=Origin("claude"))
        assert note_names(library.raw(WORK)) == ["team"]
        added.saved.result(PATIENCE)
        assert note_names(on_disk(home.toolset("work"))) == ["team"]

        library.submit(*added.inverse)
        assert note_names(library.raw(WORK)) == []
        library.submit(*created.inverse)
        assert library.raw(WORK) is None
        assert library.snapshot.toolsets == {}
        assert library.snapshot.settings.equipped_toolset is None
        library.flush()
        assert not home.toolset("work").exists()
        assert [change.origin for change in changes] == [USER_ORIGIN, Origin("claude"), USER_ORIGIN, USER_ORIGIN]
        assert changes[1].edits == (add_note("team"),)
        assert changes[1].inverse == added.inverse
        assert changes[1].previous is changes[0].snapshot
        assert changes[1].snapshot is changes[2].previous


def test_the_file_is_text_that_people_can_read(home: Home) -> None:
    with Library.open(home) as library:
        library.submit(CreateDocument(WORK, {"name": "work", "title": "Größe 😀", "toolNotes": []}))
        moment = (library.raw(WORK) or {})["lastModified"]
    text = home.toolset("work").read_bytes().decode("utf-8")
    assert text == (
        f'{{\n  "name": "work",\n  "title": "Größe 😀",\n  "toolNotes": [],\n  "lastModified": "{moment}"\n}}\n'
    )
    assert datetime.fromisoformat(moment).tzinfo is not None


def test_an_edit_makes_no_document_that_cannot_be_read_again(home: Home) -> None:
    """Seen red: the file was set aside at the next start, and a backup without the newest rules was used."""
    deep: Any = 1
    for _ in range(MAX_NESTING):
        deep = [deep]
    put(home.root / "tools.json", {"tools": {"git.log": {"approval": "ask"}}})
    with Library.open(home) as library:
        before = library.snapshot
        for edit in (
            PutEntry(TOOLS, "tools", "git.log", {"parameters": {"x": {"default": deep}}}),
            CreateDocument(WORK, {"name": "work", "tools": [], "toolNotes": {"x": 1}}),
        ):
            with pytest.raises(ToolnoteError) as refused:
                library.submit(edit)
            assert refused.value.problem.code is Code.FILE_NOT_WRITTEN
        assert library.snapshot is before


def test_edits_of_several_documents_are_all_made_or_none(home: Home) -> None:
    put(home.toolset("work"), work())
    with Library.open(home) as library:
        before = library.snapshot
        with pytest.raises(ToolnoteError) as refused:
            library.submit(
                SetFields(SETTINGS, {"theme": "dark"}),
                add_note("first"),
                AddEntry(SERVERS, SERVER_ENTRIES, "git", {"command": "git"}),
                EditNote(NOTES_ON_GIT_LOG, "absent", {"note": "x"}),
            )
        assert refused.value.problem.code is Code.NOTE_NOT_FOUND
        assert library.snapshot is before
        assert library.raw(SETTINGS) is None
        assert note_names(library.raw(WORK)) == []
        library.flush()
    assert not home.settings.exists()
    assert not home.servers.exists()


def test_unknown_keys_are_kept_on_save(home: Home) -> None:
    raw = work(mine={"deep": [1, 2.5, None, 12345678901234567890123]}, guidelines="x")
    raw["tools"][0]["theirs"] = "kept"
    put(home.toolset("work"), raw)
    put(home.settings, {"equippedToolset": "work", "future": {"a": 1}})
    with Library.open(home) as library:
        library.submit(add_note("team"), SetFields(SETTINGS, {"theme": "dark"}))
    saved = on_disk(home.toolset("work"))
    assert saved["mine"] == raw["mine"]
    assert saved["tools"] == raw["tools"]
    assert list(saved) == list(raw)
    assert on_disk(home.settings) == {"equippedToolset": "work", "future": {"a": 1}, "theme": "dark"}


def test_only_toolsets_get_their_last_modified_time(home: Home) -> None:
    put(home.toolset("work"), work())
    with Library.open(home) as library:
        library.submit(add_note("team"), SetFields(SETTINGS, {"theme": "dark"}))
        raw = library.raw(WORK) or {}
        assert raw["lastModified"] > "2026-01-01T00:00:00Z"
        assert raw["createdAt"] == "2026-01-01T00:00:00Z"
        assert library.raw(SETTINGS) == {"theme": "dark"}


def test_submitting_waits_for_nobody_and_a_burst_is_one_write(home: Home) -> None:
    with Library.open(home, watch=False) as library:
        create_work(library)
        states = len(list((home.backups / "toolsets" / "work.json").iterdir()))
        with Disk(home, lambda *_: None).locked(WORK):  # as another process that is writing
            submitted = [library.submit(add_note(f"note-{number}")) for number in range(50)]
            assert len(note_names(library.raw(WORK))) == 50
            assert not any(one.saved.done() for one in submitted)
            assert note_names(on_disk(home.toolset("work"))) == []
        wait([one.saved for one in submitted], PATIENCE)
        for one in submitted:
            one.saved.result(0)
        assert note_names(on_disk(home.toolset("work"))) == [f"note-{number}" for number in range(50)]
        assert len(list((home.backups / "toolsets" / "work.json").iterdir())) <= states + 2


def test_an_edit_of_one_document_reads_no_other_one_again(home: Home) -> None:
    put(home.toolset("work"), work())
    put(home.toolset("other"), {**work(), "name": "other"})
    put(home.servers, {"mcpServers": {"git": {"command": "git"}}})
    put(home.catalog, {"servers": {"git": {"tools": [{"definition": {"name": "log", "inputSchema": {}}}]}}})
    with Library.open(home) as library:
        before = library.snapshot
        after = library.submit(add_note("team")).snapshot
        library.flush()
        assert library.snapshot is after, "what was written is what is in memory"
        for part in ("servers", "settings", "clients", "notes", "catalogue"):
            assert getattr(after, part) is getattr(before, part)
        assert after.toolsets["other"] is before.toolsets["other"]
        assert after.toolsets["work"].tools is before.toolsets["work"].tools


def test_tools_are_known_before_any_server_is_connected(home: Home) -> None:
    definition = {"name": "log", "description": "Shows commits", "inputSchema": {"type": "object"}}
    put(home.servers, {"mcpServers": {"git": {"command": "git"}, "off": {"command": "x", "disabled": True}}})
    put(home.catalog, {"servers": {"git": {"tools": [{"definition": definition}]}, "gone": {"tools": []}}})
    with Library.open(home) as library:
        catalogue = library.snapshot.catalogue
        assert list(catalogue.servers) == ["git", "off"]
        assert catalogue.servers["git"].status.state is ServerState.STARTING
        assert catalogue.servers["off"].status.state is ServerState.DISABLED
        assert catalogue.tools[("git", "log")].tool.definition == definition
        assert catalogue.exposed == {("git", "log"): "git_log"}

        after = library.submit(SetEntryFields(SERVERS, SERVER_ENTRIES, "git", {"disabled": True})).snapshot
        assert after.catalogue.servers["git"].status.state is ServerState.DISABLED
        library.submit(PutEntry(CATALOG, "servers", "off", {"tools": [{"definition": definition}]}))
        assert ("off", "log") in library.snapshot.catalogue.tools


def test_the_registry_publishes_and_nothing_is_written(home: Home) -> None:
    with Library.open(home) as library:
        changes = Changes(library)
        catalogue = Catalogue()
        snapshot = library.publish_catalogue(catalogue)
        assert snapshot.catalogue is catalogue
        assert changes[0].origin.author == "registry"
        assert changes[0].edits == changes[0].inverse == ()
        after = library.submit(AddEntry(SERVERS, SERVER_ENTRIES, "git", {"command": "git"})).snapshot
        assert after.catalogue is catalogue, "from now on the registry says what is known"
    assert not home.catalog.exists()


def test_names_of_built_in_tools_are_taken(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    def exposed() -> str:
        with Library.open(home) as library:
            return library.snapshot.catalogue.exposed[("git", "get-tool-guide")]

    put(home.servers, {"mcpServers": {"git": {"command": "git", "toolnote": {"prefix": ""}}}})
    tools = [{"definition": {"name": "get-tool-guide", "inputSchema": {"type": "object"}}}]
    put(home.catalog, {"servers": {"git": {"tools": tools}}})
    assert exposed().startswith("get-tool-guide_")
    monkeypatch.setenv("MCP_TOOL_PREFIX", "mine-")
    assert exposed() == "get-tool-guide"


def test_a_listener_that_fails_hurts_nobody(home: Home, caplog: pytest.LogCaptureFixture) -> None:
    def failing(_change: Change) -> None:
        raise LookupError("a fault of the listener")

    with Library.open(home) as library:
        library.subscribe(failing)
        changes = Changes(library)
        with caplog.at_level(logging.ERROR):
            library.submit(SetFields(SETTINGS, {"theme": "dark"})).saved.result(PATIENCE)
        assert len(changes) == 1
    assert "a fault of the listener" in caplog.text


def test_listeners_may_submit_and_leave(home: Home) -> None:
    seen = []

    def once(change: Change) -> None:
        seen.append(change)
        unsubscribe()
        library.submit(SetFields(SETTINGS, {"second": True}))

    with Library.open(home) as library:
        unsubscribe = library.subscribe(once)
        library.submit(SetFields(SETTINGS, {"first": True}))
    assert len(seen) == 1
    assert on_disk(home.settings) == {"first": True, "second": True}


def test_threads_that_edit_at_once_lose_nothing(home: Home) -> None:
    with Library.open(home) as library:
        create_work(library)

        def edit(author: int) -> None:
            for number in range(25):
                library.submit(add_note(f"note-{author}-{number}"))

        threads = [threading.Thread(target=edit, args=(author,)) for author in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        library.flush()
        assert len(note_names(on_disk(home.toolset("work")))) == 100


def test_closing_writes_what_is_left_and_ends_it(home: Home) -> None:
    library = Library.open(home)
    submitted = library.submit(SetFields(SETTINGS, {"theme": "dark"}))
    library.close()
    assert submitted.saved.done()
    assert on_disk(home.settings) == {"theme": "dark"}
    library.close()
    with pytest.raises(RuntimeError):
        library.submit(SetFields(SETTINGS, {"theme": "light"}))
    with pytest.raises(RuntimeError):
        library.flush()


def test_a_deleted_toolset_is_gone_and_its_last_state_is_in_the_backups(home: Home) -> None:
    data = put(home.toolset("work"), work())
    with Library.open(home) as library:
        library.submit(DeleteDocument(WORK)).saved.result(PATIENCE)
        assert not home.toolset("work").exists()
        (backup,) = (home.backups / "toolsets" / "work.json").iterdir()
        assert backup.read_bytes() == data


def test_document_that_cannot_be_written_stays_in_memory_and_is_tried_again(home: Home) -> None:
    with Library.open(home) as library:
        changes = Changes(library)
        home.settings.mkdir()  # something that cannot be replaced by a file
        submitted = library.submit(SetFields(SETTINGS, {"theme": "dark"}), AddEntry(SERVERS, SERVER_ENTRIES, "a", {}))
        with pytest.raises(ToolnoteError) as failed:
            submitted.saved.result(PATIENCE)
        assert failed.value.problem.code is Code.FILE_NOT_WRITTEN
        assert failed.value.problem.parameters["file"] == "settings.json"
        with pytest.raises(ToolnoteError):
            library.flush()
        assert failed.value.problem in library.snapshot.problems
        assert library.snapshot.settings.theme == "dark"
        assert on_disk(home.servers)["mcpServers"] == {"a": {}}, "the other document does not suffer"
        home.settings.rmdir()
        changes.wait(lambda snapshot: failed.value.problem not in snapshot.problems)  # without anybody asking
        assert on_disk(home.settings) == {"theme": "dark"}


def test_closing_says_what_could_not_be_written(home: Home) -> None:
    library = Library.open(home)
    home.settings.mkdir()
    library.submit(SetFields(SETTINGS, {"theme": "dark"}))
    with pytest.raises(ToolnoteError) as failed:
        library.close()
    assert failed.value.problem.code is Code.FILE_NOT_WRITTEN


def test_a_value_that_is_no_json_does_not_stop_the_writer(home: Home, caplog: pytest.LogCaptureFixture) -> None:
    library = Library.open(home)
    wrong = library.submit(SetFields(SETTINGS, {"theme": object()}))
    right = library.submit(AddEntry(SERVERS, SERVER_ENTRIES, "a", {"command": "x"}))
    right.saved.result(PATIENCE)
    with pytest.raises(ToolnoteError):
        wrong.saved.result(PATIENCE)
    assert "settings.json" in caplog.text
    library.submit(*wrong.inverse).saved.result(PATIENCE)
    library.close()


FULL = """
import resource, sys
from pathlib import Path
from toolnote_desktop.model.edits import SETTINGS, SetFields
from toolnote_desktop.model.problem import ToolnoteError
from toolnote_desktop.paths import Home
from toolnote_desktop.store.library import Library

home = Home(Path(sys.argv[1]))
with Library.open(home) as library:
    library.submit(SetFields(SETTINGS, {"a": 1})).saved.result(20)
    before = home.settings.read_bytes()
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, resource.RLIM_INFINITY))
    try:
        library.submit(SetFields(SETTINGS, {"long": "x" * 5000})).saved.result(20)
    except ToolnoteError as error:
        print(error.problem.code, error.problem.parameters["file"])
    assert home.settings.read_bytes() == before
    assert sorted(path.name for path in home.root.iterdir()) == ["backups", "run", "settings.json", "toolsets"]
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    library.flush()
    assert library.snapshot.problems == ()
    assert b"xxxx" in home.settings.read_bytes()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no limit on a file's size to stand in for a full disk")
def test_a_full_disk_leaves_the_file_as_it_was(home: Home) -> None:
    run = subprocess.run([sys.executable, "-c", FULL, str(home.root)], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout == "file-not-written settings.json\n"


def test_a_home_that_cannot_be_made_is_an_error_a_person_can_act_on(home: Home) -> None:
    place = home.root / "file"
    place.write_text("")
    with pytest.raises(ToolnoteError) as failed:
        Library.open(Home(place / "home"))
    assert failed.value.problem.code is Code.FILE_NOT_WRITTEN


def test_a_file_that_is_no_toolset_by_its_name_is_said_and_left_alone(home: Home) -> None:
    put(home.toolsets / "My Tools.json", work())
    with Library.open(home) as library:
        (problem,) = library.snapshot.problems
        assert (problem.code, problem.parameters) == (Code.TOOLSET_NAME_INVALID, {"name": "My Tools"})
        assert library.snapshot.toolsets == {}
        changes = Changes(library)
        os.rename(home.toolsets / "My Tools.json", home.toolsets / "my-tools.json")
        changes.wait(lambda snapshot: snapshot.problems == () and "my-tools" in snapshot.toolsets)
    assert toolset_document("my-tools").name == "my-tools"


def test_home_on_a_read_only_disk_can_be_read(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """Red team L6: all commands refused it. Seen red without ``_READABLE_ALL_THE_SAME``."""
    put(home.servers, {"mcpServers": {"git": {"command": "git"}}})

    def refuse(*_: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system", str(home.root))

    monkeypatch.setattr("toolnote_desktop.store.library.restrict_access", refuse)
    with Library.open(home, watch=False) as library:
        assert list(library.snapshot.servers) == ["git"]
