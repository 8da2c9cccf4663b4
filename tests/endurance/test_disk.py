"""Old state or new, never neither: killed writers, cut files, full disks, two writers (case C48, C54)."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.endurance import load
from tests.endurance.test_quit import busy_home, started
from tests.store.stories import bad_files, note, on_disk, put, work
from tests.waiting import wait_until
from toolnote_desktop.model.edits import CATALOG, CLIENTS, NOTES, SERVERS, SETTINGS, DocumentId, toolset_document
from toolnote_desktop.model.problem import Code
from toolnote_desktop.paths import Home
from toolnote_desktop.store import disk
from toolnote_desktop.store.documents import document_path, encode, parse_content
from toolnote_desktop.store.library import Library

__all__ = ["busy_home"]

SAVES = int(os.environ.get("TOOLNOTE_TEST_SAVES", "120"))
"""How many saves are made while the writer is killed now and then; thousands in the long form."""

# Saves three documents together without end, and says the number of each state once all are on disk.
SAVER = """
import sys
from pathlib import Path
from tests.store.stories import NOTES_ON_GIT_LOG
from toolnote_desktop.model.edits import NOTES, SETTINGS, SetFields
from toolnote_desktop.model.toolsets.note_edits import EditNote
from toolnote_desktop.paths import Home
from toolnote_desktop.store.library import Library

with Library.open(Home(Path(sys.argv[1])), watch=False) as library:
    number = (library.raw(SETTINGS) or {}).get("number", 0)
    while True:
        number += 1
        filling = "x" * (number * 37 % 9000)
        library.submit(
            SetFields(SETTINGS, {"number": number, "filling": filling}),
            SetFields(NOTES, {"number": number, "filling": filling}),
            EditNote(NOTES_ON_GIT_LOG, "team", {"note": f"{number}"}),
        ).saved.result(60)
        print(number, flush=True)
"""


def root_of_the_tests() -> Path:
    return Path(__file__).resolve().parents[2]


@pytest.mark.once
@pytest.mark.timeout(max(120, SAVES))
@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")
def test_a_writer_of_several_documents_is_killed_over_and_over(home: Home) -> None:
    put(home.toolset("work"), work(note("team", "0")))
    chance = random.Random(9)
    total = 0
    while total < SAVES:
        with subprocess.Popen(
            [sys.executable, "-c", SAVER, str(home.root)], stdout=subprocess.PIPE, text=True, cwd=root_of_the_tests()
        ) as process:
            assert process.stdout is not None
            said = total
            for _ in range(chance.randrange(1, 120)):
                said = int(process.stdout.readline())
            timer = threading.Timer(chance.random() * 0.02, process.send_signal, [signal.SIGKILL])
            timer.start()
            said = max([said, *map(int, process.stdout.read().split())])
        timer.join()
        texts = on_disk(home.toolset("work"))["toolNotes"][0]["notes"][0]["note"]
        numbers = {on_disk(home.settings)["number"], on_disk(home.notes)["number"], int(texts)}
        assert numbers <= {said, said + 1}, (said, numbers)
        for document in (SETTINGS, NOTES, toolset_document("work")):
            states = sorted((home.backups / str(document)).glob("*.json"))
            assert 0 < len(states) <= 21
            # A backup is not waited for on the disk, but a kill cuts none: it takes its name when it is whole.
            assert all(parse_content(document, state.read_bytes()) for state in states)
        total = max(numbers)
    assert bad_files(home) == []


EDITS = int(os.environ.get("TOOLNOTE_TEST_EDITS", "60"))
"""How many edits each of two processes makes; 500 in the long form."""

# Adds a setting of its own name with each edit, all of them to one file.
EDITOR = """
import sys
from pathlib import Path
from toolnote_desktop.model.edits import SETTINGS, SetFields
from toolnote_desktop.paths import Home
from toolnote_desktop.store.library import Library

with Library.open(Home(Path(sys.argv[1]))) as library:
    print("open", flush=True)
    sys.stdin.readline()
    for number in range(int(sys.argv[3])):
        library.submit(SetFields(SETTINGS, {f"{sys.argv[2]}-{number}": number})).saved.result(60)
"""


@pytest.mark.timeout(max(120, EDITS))
def test_two_processes_edit_one_document_and_no_edit_is_lost(home: Home) -> None:
    put(home.settings, {"mine": "kept"})
    with contextlib.ExitStack() as stack:
        editors = [
            stack.enter_context(
                subprocess.Popen(
                    [sys.executable, "-c", EDITOR, str(home.root), name, str(EDITS)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                    cwd=root_of_the_tests(),
                )
            )
            for name in ("one", "two")
        ]
        for editor in editors:
            assert editor.stdout is not None
            assert editor.stdout.readline() == "open\n"
        for editor in editors:
            assert editor.stdin is not None
            editor.stdin.write("go\n")
            editor.stdin.flush()
        assert [editor.wait(120) for editor in editors] == [0, 0]
    wanted = {f"{name}-{number}": number for name in ("one", "two") for number in range(EDITS)}
    assert on_disk(home.settings) == {"mine": "kept", **wanted}
    assert bad_files(home) == []


def documents() -> dict[DocumentId, dict[str, Any]]:
    """One of each kind, with something in it."""
    tool = {"name": "t", "inputSchema": {"type": "object"}}
    return {
        SERVERS: {"mcpServers": {"a": {"command": "x", "env": {"KEY": "Größe 😀"}}, "b": {"url": "http://x/mcp"}}},
        SETTINGS: {"equippedToolset": "work", "port": 9000, "mine": {"kept": [1, 2]}},
        CLIENTS: {"clients": {"cursor": {"name": "Cursor", "tokenHash": "0" * 64, "toolset": None}}},
        NOTES: {"global": [note("all")], "servers": {"a": [note("one")]}, "tools": {}},
        CATALOG: {"servers": {"a": {"tools": [{"definition": tool}], "prompts": []}}},
        toolset_document("work"): work(note("team", "Ask which team first. Größe 😀")),
    }


@pytest.mark.parametrize("document", documents(), ids=str)
def test_documents_cut_at_every_twentieth_byte_are_recovered(
    home: Home, monkeypatch: pytest.MonkeyPatch, document: DocumentId
) -> None:
    """The state before is used, the cut file kept, the user told, and no good backup touched, edit or not."""
    monkeypatch.setattr(disk, "RECHECK_SECONDS", 0.01)
    monkeypatch.setattr(disk, "UNCHANGED_SECONDS", 0.0)
    for one, raw in documents().items():
        put(document_path(home, one), encode(raw))
    Library.open(home, watch=False).close()
    path = document_path(home, document)
    whole = path.read_bytes()
    backups = {state: state.read_bytes() for state in (home.backups / str(document)).iterdir()}
    cuts = range(0, len(whole) - 1, 20)
    for cut in cuts:
        path.write_bytes(whole[:cut])
        with Library.open(home, watch=False) as library:
            assert library.raw(document) == documents()[document], cut
            assert [problem.code for problem in library.snapshot.problems] == [Code.FILE_UNREADABLE]
        assert path.read_bytes() == whole
        assert {state: state.read_bytes() for state in backups} == backups
    kept = sorted(one.read_bytes() for one in bad_files(home))
    assert kept == sorted(whole[:cut] for cut in cuts)


def test_the_window_or_serve_and_a_command_write_at_once(busy_home: Home) -> None:
    """An app that serves, an assistant that edits through it, and edits of the same file from outside."""
    edits = 60
    reference = {"namespacedName": f"{load.STEADY}.structured"}
    with started("serve") as process:
        assert process.stdout is not None
        target = load.Target(busy_home, json.loads(process.stdout.readline())["url"], "the token")
        outside = threading.Thread(target=load.edits_through_files, args=(target, edits))
        with load.Client(target) as client:
            client.open()
            wait_until(lambda: f"{load.STEADY}_structured" in str(client.request("tools/list")))
            outside.start()
            for number in range(edits):
                added = {"name": f"note-{number}", "note": f"text {number}"}
                answer = client.call("add-tool-annotation", toolRef=reference, notes=[added])
                assert not answer.get("isError"), answer
            outside.join()
            assert target.done["edits"] == edits
            described = client.request("tools/list")["tools"]
        process.terminate()
        assert process.wait(30) == 0
        process.communicate()
    toolset = on_disk(busy_home.toolset(load.TOOLSET))
    names = {one["name"] for group in toolset["toolNotes"] for one in group["notes"]}
    assert names == {f"note-{number}" for number in range(edits)}
    structured = next(tool for tool in described if tool["name"] == f"{load.STEADY}_structured")
    missing = [number for number in range(edits) if f"**note-{number}**:" not in structured["description"]]
    assert missing == [], structured["description"][-500:]


@pytest.mark.skipif(sys.platform != "linux", reason="a limit that is put on a running process, for a full disk")
def test_a_disk_that_fills_up_and_is_emptied_while_the_app_serves(busy_home: Home) -> None:
    import resource

    reference = {"namespacedName": f"{load.STEADY}.structured"}
    with started("serve") as process:
        assert process.stdout is not None
        target = load.Target(busy_home, json.loads(process.stdout.readline())["url"], "the token")
        with load.Client(target) as client:
            client.open()
            wait_until(lambda: f"{load.STEADY}_echo" in str(client.request("tools/list")))
            before = busy_home.toolset(load.TOOLSET).read_bytes()
            resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (10, resource.RLIM_INFINITY))
            kept = [{"name": "kept", "note": "text"}]
            answer = client.call("add-tool-annotation", toolRef=reference, notes=kept)
            assert answer["isError"]
            assert answer["structuredContent"]["error_type"] == "storage_failed", answer
            assert f"{load.TOOLSET}.json" in str(answer["structuredContent"]), answer
            assert "Nothing was changed" in answer["structuredContent"]["instruction"], answer
            assert "**kept**" not in str(client.request("tools/list")), "a note that is not stored is not served"
            for _ in range(50):  # calls go on, though nothing can be kept of them
                assert not client.call(f"{load.STEADY}_echo").get("isError")
            assert busy_home.toolset(load.TOOLSET).read_bytes() == before
            resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            assert not client.call("add-tool-annotation", toolRef=reference, notes=kept).get("isError")
            assert "**kept**" in str(client.request("tools/list"))
            wait_until(lambda: b'"kept"' in busy_home.toolset(load.TOOLSET).read_bytes())
        process.terminate()
        _, errors = process.communicate(timeout=60)
        assert process.returncode == 0
        assert "Traceback" not in errors


ODD = {
    "a folder in the place of a document": ("servers.json", lambda path: path.mkdir(), True),
    "a pipe in the place of a document": ("settings.json", os.mkfifo, True),
    "a file in the place of the toolsets": ("toolsets", lambda path: path.write_text("x"), False),
    "a file in the place of run": ("run", lambda path: path.write_text("x"), False),
    "a file in the place of the backups": ("backups", lambda path: path.write_text("x"), True),
    "a file in the place of the logs": ("logs", lambda path: path.write_text("x"), True),
    "a folder in the place of the activity log": ("activity.db", lambda path: path.mkdir(), True),
    "a link to nowhere": ("settings.json", lambda path: path.symlink_to(path.parent / "nowhere" / "x.json"), True),
}


@pytest.mark.once
@pytest.mark.skipif(sys.platform == "win32", reason="pipes and links")
@pytest.mark.parametrize(("name", "make", "serves"), ODD.values(), ids=list(ODD))
def test_something_else_in_the_place_of_a_file(
    user_folder: Path, name: str, make: Callable[[Path], object], serves: bool
) -> None:
    """It is named, it stays, and what can be done without it is done."""
    root = user_folder / "a home with spaces, ü and 中文"
    root.mkdir(mode=0o700)
    odd = root / name
    make(odd)
    with started("serve", "--port", "0", "--home", str(root)) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert bool(line) == serves
        if serves:
            process.terminate()
        _, errors = process.communicate(timeout=60)
        assert process.returncode == (0 if serves else 1)
    assert "Traceback" not in errors
    assert "unexpected" not in errors
    if not serves:
        assert str(odd) in errors
        assert len(errors.strip().splitlines()) == 1, errors
    assert os.path.lexists(odd)
