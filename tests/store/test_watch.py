"""A file that somebody else changes is noticed and merged (docs/contract.md 2)."""

from __future__ import annotations

import logging
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterable
from pathlib import Path

import pytest
from watchdog.events import FileSystemEventHandler
from watchdog.observers.polling import PollingObserver

from tests.store.stories import (
    NOTES_ON_GIT_LOG,
    PATIENCE,
    WORK,
    Changes,
    add_note,
    note,
    note_names,
    on_disk,
    put,
    work,
)
from toolnote_desktop.model.edits import SETTINGS, SetFields
from toolnote_desktop.model.toolsets.note_edits import EditNote
from toolnote_desktop.paths import Home
from toolnote_desktop.store.disk import Disk
from toolnote_desktop.store.library import FILE_ORIGIN, Library
from toolnote_desktop.store.watch import Watcher


@pytest.fixture(params=["watched", "polled"])
def watching(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways of watching."""
    if request.param == "polled":
        monkeypatch.setattr("watchdog.observers.Observer", PollingObserver)


@pytest.mark.usefixtures("watching")
def test_changes_of_others_are_followed(home: Home) -> None:
    put(home.toolset("work"), work(note("team")))
    put(home.settings, {"theme": "dark"})
    with Library.open(home) as library:
        changes = Changes(library)
        put(home.toolset("work"), work(note("team"), note("theirs")))
        changes.wait(lambda _: note_names(library.raw(WORK)) == ["team", "theirs"])
        assert changes[-1].origin == FILE_ORIGIN
        assert changes[-1].edits == changes[-1].inverse == ()
        assert len(changes[-1].previous.toolsets["work"].notes[0].notes) == 1

        put(home.toolset("new"), {**work(), "name": "new", "title": "New"})
        changes.wait(lambda snapshot: "new" in snapshot.toolsets)
        home.toolset("new").unlink()
        changes.wait(lambda snapshot: "new" not in snapshot.toolsets)
        put(home.settings, {"theme": "light", "equippedToolset": "work"})
        changes.wait(lambda snapshot: snapshot.shared_toolset is not None)
        put(home.servers, {"mcpServers": {"a": {"command": "x"}}})
        changes.wait(lambda snapshot: list(snapshot.catalogue.servers) == ["a"])
        home.settings.unlink()
        changes.wait(lambda snapshot: snapshot.settings.theme == "system")


def test_our_own_writes_do_not_come_back(home: Home) -> None:
    put(home.toolset("work"), work(note("team")))
    with Library.open(home) as library:
        changes = Changes(library)
        for number in range(20):
            library.submit(EditNote(NOTES_ON_GIT_LOG, "team", {"note": f"{number}"})).saved.result(PATIENCE)
        put(home.settings, {"theme": "dark"})  # noticed after all of ours
        changes.wait(lambda snapshot: snapshot.settings.theme == "dark")
        assert [change.origin for change in changes if change.origin == FILE_ORIGIN] == [FILE_ORIGIN]
        assert library.snapshot.toolsets is not None
        assert changes[-1].snapshot.toolsets["work"] is changes[-2].snapshot.toolsets["work"]


def test_a_change_by_others_and_edits_on_their_way_are_merged(home: Home) -> None:
    put(home.toolset("work"), work(note("team")))
    with Library.open(home) as library:
        with Disk(home, lambda *_: None).locked(WORK):
            ours = library.submit(add_note("ours"))
            put(home.toolset("work"), work(note("team"), note("theirs")))
        ours.saved.result(PATIENCE)
        assert note_names(library.raw(WORK)) == ["team", "theirs", "ours"]
        library.submit(*ours.inverse).saved.result(PATIENCE)
        assert note_names(on_disk(home.toolset("work"))) == ["team", "theirs"], "undo takes back ours only"


@pytest.mark.skipif(sys.platform == "win32", reason="needs a right on Windows")
def test_the_target_of_a_link_is_watched_where_it_is(home: Home, user_folder: Path) -> None:
    target = user_folder / "dotfiles" / "work.json"
    put(target, work(note("team")))
    home.toolsets.mkdir()
    with Library.open(home) as library:
        changes = Changes(library)
        home.toolset("work").symlink_to(target)
        changes.wait(lambda snapshot: "work" in snapshot.toolsets)
        put(target, work(note("team"), note("theirs")))
        changes.wait(lambda _: note_names(library.raw(WORK)) == ["team", "theirs"])


def test_a_folder_that_is_put_in_the_place_of_another_is_watched(home: Home) -> None:
    put(home.toolset("work"), work(note("team")))
    with Library.open(home) as library:
        changes = Changes(library)
        other = home.root / "other"
        put(other / "second.json", {**work(), "name": "second"})
        shutil.rmtree(home.toolsets)
        other.rename(home.toolsets)
        changes.wait(lambda snapshot: list(snapshot.toolsets) == ["second"])
        put(home.toolset("third"), {**work(), "name": "third"})
        changes.wait(lambda snapshot: list(snapshot.toolsets) == ["second", "third"])


def test_changes_between_opening_and_watching_are_seen(home: Home) -> None:
    put(home.settings, {"theme": "dark"})
    with Library.open(home) as library:
        put(home.settings, {"theme": "light"})  # the system is not watching yet
        Changes(library).wait(lambda snapshot: snapshot.settings.theme == "light")


def test_a_command_that_does_not_watch_still_merges_when_it_writes(home: Home) -> None:
    put(home.settings, {"theme": "dark"})
    with Library.open(home, watch=False) as library:
        put(home.settings, {"theme": "light", "port": 9000})
        library.submit(SetFields(SETTINGS, {"equippedToolset": "work"}))
        library.flush()
        assert library.snapshot.settings.port == 9000
    assert on_disk(home.settings) == {"theme": "light", "port": 9000, "equippedToolset": "work"}


@pytest.mark.skipif(sys.platform != "linux", reason="Linux counts wake-ups")
@pytest.mark.skipif(sys.platform != "linux", reason="inotify")
def test_stop_while_an_event_is_read_is_no_error(home: Home, caplog: pytest.LogCaptureFixture) -> None:
    """Seen red: an error in the log at some ends of the app, since watchdog reads once more where it was stopped."""
    from watchdog.observers.inotify import InotifyEmitter, InotifyObserver

    with Library.open(home) as library:
        changes = Changes(library)
        put(home.settings, {"theme": "dark"})
        changes.wait(lambda snapshot: snapshot.settings.theme == "dark")
    observer = InotifyObserver()
    observer.schedule(FileSystemEventHandler(), str(home.root))
    observer.start()
    (emitter,) = observer.emitters
    assert isinstance(emitter, InotifyEmitter)
    observer.stop()
    observer.join()
    emitter.queue_events(0)
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


def test_nothing_wakes_up_while_nothing_changes(home: Home) -> None:
    """Issue 14, benchmarks no worse than before. Red with watchfiles (5 wake-ups a second) and with polling."""
    home.toolsets.mkdir(parents=True)
    others, noticed = set(threading.enumerate()), threading.Event()
    watcher = Watcher(home, noticed.set)
    watcher.start()
    try:
        assert noticed.wait(PATIENCE), "the first check"
        noticed.clear()
        watching = set(threading.enumerate()) - others
        home.settings.with_suffix(".new").write_text("{}")  # of no document
        time.sleep(0.5)  # for what that and the start set off
        before = wake_ups(watching)
        time.sleep(1.5)
        assert wake_ups(watching) == before
        assert not noticed.is_set()
        put(home.settings, {"theme": "dark"})
        assert noticed.wait(PATIENCE), "they were the right threads"
        assert wake_ups(watching) > before
    finally:
        watcher.close()
    assert not any(thread.is_alive() for thread in watching)


def wake_ups(threads: Iterable[threading.Thread]) -> int:
    found = 0
    for thread in threads:
        status = Path(f"/proc/self/task/{thread.native_id}/status").read_text()
        found += int(status.split("\nvoluntary_ctxt_switches:")[1].split()[0])
    return found


# No file handle is left when the watching is to begin; later there are some again.
WITHOUT_HANDLES = """
import logging, os, resource, sys, threading
from pathlib import Path
import watchdog.observers.polling
from toolnote_desktop.paths import Home
from toolnote_desktop.store.watch import Watcher

home = Home(Path(sys.argv[1]))
polling, noticed, handles = threading.Event(), threading.Event(), []

class Heard(logging.Handler):
    def emit(self, record):
        assert "polled" in record.getMessage()
        polling.set()

logging.getLogger("toolnote_desktop.store.watch").addHandler(Heard())
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
while True:
    try:
        handles.append(os.open(os.devnull, os.O_RDONLY))
    except OSError:
        break
watcher = Watcher(home, noticed.set)
watcher.start()
assert polling.wait(20)
for handle in handles:
    os.close(handle)
assert noticed.wait(20)  # of what may have changed before it polls
noticed.clear()
while not noticed.wait(1):
    (home.root / "settings.json").write_text(f"{{}}{os.urandom(4).hex()}")
watcher.close()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="inotify")
def test_files_are_polled_where_the_system_cannot_watch(home: Home) -> None:
    command = [sys.executable, "-c", WITHOUT_HANDLES, str(home.root)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert run.returncode == 0, run.stderr
