"""Several writers at once, and writers that are killed (docs/contract.md 2; case C48, C54, C55)."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading

import pytest

from tests.store.stories import (
    NOTES_ON_GIT_LOG,
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
from toolnote_desktop.model.edits import SERVER_ENTRIES, SERVERS, AddEntry, CreateDocument, SetFields
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.model.toolsets.note_edits import EditNote, RemoveNote
from toolnote_desktop.paths import Home
from toolnote_desktop.store.disk import Disk
from toolnote_desktop.store.library import Library

EDITS = 200

# One process of two: edits its own note again and again, each edit on disk before the next, and now and then adds one.
EDITOR = """
import sys
from pathlib import Path
from tests.store.stories import NOTES_ON_GIT_LOG, add_note
from toolnote_desktop.model.toolsets.note_edits import EditNote
from toolnote_desktop.paths import Home
from toolnote_desktop.store.library import Library

name, edits = sys.argv[2], int(sys.argv[3])
with Library.open(Home(Path(sys.argv[1]))) as library:
    print("ready", flush=True)
    sys.stdin.readline()
    for number in range(1, edits + 1):
        if number % 20 == 0:
            library.submit(add_note(f"{name}-{number}")).saved.result(60)
        library.submit(EditNote(NOTES_ON_GIT_LOG, name, {"note": f"edit {number}"})).saved.result(60)
    print(library.snapshot.problems, flush=True)
"""

# Saves without end, and says the number of each state once it is on disk.
SAVER = """
import sys
from pathlib import Path
from toolnote_desktop.model.edits import SETTINGS, SetFields
from toolnote_desktop.paths import Home
from toolnote_desktop.store.library import Library

with Library.open(Home(Path(sys.argv[1])), watch=False) as library:
    number = (library.raw(SETTINGS) or {}).get("number", 0)
    while True:
        number += 1
        library.submit(SetFields(SETTINGS, {"number": number, "filling": "x" * 3000})).saved.result(60)
        print(number, flush=True)
"""


def start(script: str, *arguments: str) -> subprocess.Popen[str]:
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    return subprocess.Popen(
        [sys.executable, "-c", script, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=root,
    )


def test_two_processes_that_edit_different_notes_of_one_toolset_both_keep_every_edit(home: Home) -> None:
    put(home.toolset("work"), work(note("left"), note("right"), mine="kept"))
    processes = [start(EDITOR, str(home.root), name, str(EDITS)) for name in ("left", "right")]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    with Library.open(home) as library:  # and a third that watches
        changes = Changes(library)
        for process in processes:
            assert process.stdin is not None
            process.stdin.write("\n")
            process.stdin.flush()
        for process in processes:
            output, _ = process.communicate(timeout=100)
            assert (process.returncode, output) == (0, "()\n")
        saved = on_disk(home.toolset("work"))
        texts = {one["name"]: one["note"] for one in saved["toolNotes"][0]["notes"]}
        added = {f"{name}-{number}": "text" for name in ("left", "right") for number in range(20, EDITS + 1, 20)}
        assert texts == {"left": f"edit {EDITS}", "right": f"edit {EDITS}", **added}
        assert saved["mine"] == "kept"
        changes.wait(lambda _: library.raw(WORK) == saved)
    assert bad_files(home) == []


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")
def test_a_process_killed_in_the_middle_of_hundreds_of_saves_leaves_the_last_state_or_the_next(home: Home) -> None:
    chance = random.Random(54)
    total = 0
    for _ in range(4):
        with start(SAVER, str(home.root)) as process:
            assert process.stdout is not None
            said = total
            for _ in range(chance.randrange(50, 70)):
                said = int(process.stdout.readline())
            timer = threading.Timer(chance.random() * 0.03, process.send_signal, [signal.SIGKILL])
            timer.start()
            said = max([said, *map(int, process.stdout.read().split())])  # until it is killed
        timer.join()
        saved = json.loads(home.settings.read_bytes())["number"]
        assert said <= saved <= said + 1
        assert saved > total
        total = saved
    with Library.open(home) as library:
        assert library.snapshot.problems == ()
    assert bad_files(home) == []
    assert total >= 200


def test_a_server_added_by_another_process_survives_our_save(home: Home) -> None:
    put(home.servers, {"mcpServers": {"a": {"command": "x", "env": {"TOKEN": "t"}}}})
    with Library.open(home, watch=False) as ours, Library.open(home, watch=False) as theirs:
        theirs.submit(AddEntry(SERVERS, SERVER_ENTRIES, "b", {"command": "y"})).saved.result(PATIENCE)
        assert list(ours.snapshot.servers) == ["a"]
        changes = Changes(ours)
        ours.submit(AddEntry(SERVERS, SERVER_ENTRIES, "c", {"command": "z"})).saved.result(PATIENCE)
        assert list(ours.snapshot.servers) == ["a", "b", "c"]
        assert [change.origin.author for change in changes] == ["user", "file"]
        assert list(on_disk(home.servers)["mcpServers"]) == ["a", "b", "c"]
        assert on_disk(home.servers)["mcpServers"]["a"]["env"] == {"TOKEN": "t"}
    assert len(list((home.backups / "servers.json").iterdir())) == 3


def test_an_edit_that_no_longer_fits_says_so_and_the_others_go_on(home: Home) -> None:
    put(home.toolset("work"), work(note("first"), note("second")))
    with Library.open(home, watch=False) as ours, Library.open(home, watch=False) as theirs:
        theirs.submit(RemoveNote(NOTES_ON_GIT_LOG, "first")).saved.result(PATIENCE)
        with Disk(home, lambda *_: None).locked(WORK):
            lost = ours.submit(EditNote(NOTES_ON_GIT_LOG, "first", {"note": "mine"}), add_note("with-it"))
            kept = ours.submit(EditNote(NOTES_ON_GIT_LOG, "second", {"note": "mine"}))
        kept.saved.result(PATIENCE)
        with pytest.raises(ToolnoteError) as error:
            lost.saved.result(PATIENCE)
        problem = error.value.problem
        assert problem.code is Code.EDIT_NO_LONGER_FITS
        assert problem.parameters["what"].startswith("toolsets/work.json: first")
        assert problem.parameters["because"] == Code.NOTE_NOT_FOUND
        assert problem in ours.snapshot.problems
        assert note_names(ours.raw(WORK)) == note_names(on_disk(home.toolset("work"))) == ["second"]


def test_edits_made_while_another_state_is_read_that_do_not_fit_it_are_said_too(home: Home) -> None:
    put(home.toolset("work"), work(note("first")))
    with Library.open(home) as library:
        changes = Changes(library)
        with Disk(home, lambda *_: None).locked(WORK):
            edit = library.submit(EditNote(NOTES_ON_GIT_LOG, "first", {"note": "mine"}))
            put(home.toolset("work"), work(note("theirs")))
        with pytest.raises(ToolnoteError):
            edit.saved.result(PATIENCE)
        changes.wait(lambda _: note_names(library.raw(WORK)) == ["theirs"])
    assert note_names(on_disk(home.toolset("work"))) == ["theirs"]


def test_a_toolset_made_twice_at_once_is_made_once(home: Home) -> None:
    with Library.open(home, watch=False) as ours, Library.open(home, watch=False) as theirs:
        create_work(theirs)
        second = ours.submit(CreateDocument(WORK, work(title="Mine")))
        with pytest.raises(ToolnoteError) as error:
            second.saved.result(PATIENCE)
        assert error.value.problem.parameters["because"] == Code.TOOLSET_EXISTS
        assert ours.snapshot.toolsets["work"].title == "Work"


def test_a_toolset_deleted_by_somebody_else_stays_deleted(home: Home) -> None:
    put(home.toolset("work"), work(note("first")))
    with Library.open(home, watch=False) as library:
        home.toolset("work").unlink()
        edit = library.submit(SetFields(WORK, {"title": "Mine"}))
        with pytest.raises(ToolnoteError) as error:
            edit.saved.result(PATIENCE)
        assert error.value.problem.code is Code.EDIT_NO_LONGER_FITS
        assert library.snapshot.toolsets == {}
    assert not home.toolset("work").exists()
    (backup,) = (home.backups / "toolsets" / "work.json").iterdir()
    assert note_names(on_disk(backup)) == ["first"]
