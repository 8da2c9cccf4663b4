"""The ways in which other programs change files, all of them reported by the system (docs/contract.md 2)."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.store.stories import WORK, Changes, add_note, note, note_names, on_disk, put, work
from toolnote_desktop.model.edits import NOTES
from toolnote_desktop.paths import Home
from toolnote_desktop.store import watch
from toolnote_desktop.store.documents import encode
from toolnote_desktop.store.library import Library


@pytest.fixture(autouse=True)
def _no_sweep(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a change is noticed only if the system reports it."""
    monkeypatch.setattr(watch, "_SWEEP_SECONDS", 3600.0)


def in_place(path: Path, data: bytes) -> None:
    path.write_bytes(data)


def by_rename(path: Path, data: bytes) -> None:
    """As most editors and sync tools do: a new file, then its name."""
    new = path.with_name(f".{path.name}.tmp~")
    new.write_bytes(data)
    os.replace(new, path)


def by_rename_from_elsewhere(path: Path, data: bytes) -> None:
    new = path.parent.parent / "elsewhere.part"
    new.write_bytes(data)
    os.replace(new, path)


def with_a_backup(path: Path, data: bytes) -> None:
    """As vim does: the old file gets another name, and a new one is written."""
    path.rename(path.with_name(f"{path.name}~"))
    path.write_bytes(data)
    path.with_name(f"{path.name}~").unlink()


def removed_first(path: Path, data: bytes) -> None:
    path.unlink()
    path.write_bytes(data)


def with_the_old_time(path: Path, data: bytes) -> None:
    """As a sync tool that keeps a file's time and happens to keep its size."""
    before = path.stat()
    new = path.with_name(".sync.tmp")
    new.write_bytes(data)
    os.utime(new, ns=(before.st_atime_ns, before.st_mtime_ns))
    os.replace(new, path)


WAYS = [in_place, by_rename, by_rename_from_elsewhere, with_a_backup, removed_first, with_the_old_time]


@pytest.mark.parametrize("write", WAYS, ids=lambda way: way.__name__)
@pytest.mark.parametrize("folder", ["home", "toolsets"])
def test_however_it_is_written_it_is_noticed_and_merged(
    home: Home, write: Callable[[Path, bytes], None], folder: str
) -> None:
    put(home.settings, {"toolPrefix": "dark"})
    put(home.toolset("work"), work(note("team")))
    with Library.open(home) as library:
        changes = Changes(library)
        settle(library, home)
        if folder == "home":
            write(home.settings, encode({"toolPrefix": "lite"}))
            changes.wait(lambda snapshot: snapshot.settings.tool_prefix == "lite")
        else:
            write(home.toolset("work"), encode(work(note("your"))))
            changes.wait(lambda _: note_names(library.raw(WORK)) == ["your"])
        assert library.snapshot.problems == ()


def settle(library: Library, home: Home) -> None:
    """Until the system watches: a change has been noticed."""
    changes = Changes(library)
    put(home.notes, {"global": [note("seen")]})
    changes.wait(lambda _: bool(library.raw(NOTES)))


@pytest.mark.skipif(sys.platform == "win32", reason="a folder in use cannot be renamed there")
def test_a_home_that_a_sync_tool_puts_another_in_the_place_of(home: Home, user_folder: Path) -> None:
    put(home.settings, {"toolPrefix": "dark"})
    put(home.toolset("work"), work(note("team")))
    with Library.open(home) as library:
        changes = Changes(library)
        settle(library, home)
        other = user_folder / "incoming"
        shutil.copytree(home.root, other, ignore=shutil.ignore_patterns("run"))
        put(other / "settings.json", {"toolPrefix": "lite"})
        put(other / "toolsets" / "new.json", {**work(), "name": "new"})
        home.root.rename(user_folder / "outgoing")
        other.rename(home.root)
        changes.wait(lambda snapshot: snapshot.settings.tool_prefix == "lite" and "new" in snapshot.toolsets)
        put(home.toolset("third"), {**work(), "name": "third"})
        changes.wait(lambda snapshot: "third" in snapshot.toolsets)
        library.submit(add_note("ours")).saved.result(20)
        assert note_names(on_disk(home.toolset("work"))) == ["team", "ours"]


def test_a_folder_of_toolsets_that_comes_later(home: Home) -> None:
    with Library.open(home) as library:
        changes = Changes(library)
        settle(library, home)
        home.toolsets.rmdir()
        put(home.toolset("work"), work(note("team")))
        changes.wait(lambda snapshot: "work" in snapshot.toolsets)
        put(home.toolset("second"), {**work(), "name": "second"})
        changes.wait(lambda snapshot: "second" in snapshot.toolsets)
