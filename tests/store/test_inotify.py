"""What Linux tells of folders (``inotify.py``): the files that matter, a burst once, and an end at once."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

if sys.platform != "linux":
    pytest.skip("inotify", allow_module_level=True)

from toolnote_desktop.store.inotify import FolderWatch

LONG_MS = 30_000


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


@pytest.fixture
def told(folder: Path) -> Iterator[FolderWatch]:
    with FolderWatch([str(folder)], ".json") as watch:
        yield watch


def test_the_first_change_is_what_happened_before(told: FolderWatch) -> None:
    assert next(told.changes(LONG_MS)) is None
    told.end()
    assert list(told.changes(LONG_MS)) == [None]


def test_other_files_are_none_of_our_business(told: FolderWatch, folder: Path) -> None:
    changes = told.changes(200)
    next(changes)
    (folder / "activity.db").write_bytes(b"x")
    threading.Timer(0.1, told.end).start()
    assert list(changes) == []


@pytest.mark.parametrize("deed", ["written", "replaced", "removed", "folder", "gone"])
def test_what_happens_to_a_document_or_a_folder_is_told(told: FolderWatch, folder: Path, deed: str) -> None:
    document, beside = folder / "a.json", folder / "a.new"
    changes = told.changes(LONG_MS)
    next(changes)
    if deed in ("written", "removed"):
        document.write_text("{}")
        next(changes)
    if deed == "replaced":
        beside.write_text("{}")
        beside.replace(document)
        next(changes)
    elif deed == "removed":
        document.unlink()
        next(changes)
    elif deed == "folder":
        (folder / "toolsets").mkdir()
        next(changes)
    elif deed == "gone":
        folder.rmdir()
        next(changes)
    told.end()
    assert list(changes) == []


def test_a_burst_is_told_once(told: FolderWatch, folder: Path) -> None:
    changes = told.changes(LONG_MS)
    next(changes)
    for number in range(20):
        (folder / f"{number}.json").write_text("{}")
    next(changes)
    told.end()
    assert list(changes) == []


def test_where_nothing_happens_it_is_told_that_time_went_by(told: FolderWatch) -> None:
    changes = told.changes(20)
    next(changes)
    assert next(changes) is None


def test_a_folder_that_is_not_there_cannot_be_watched(folder: Path) -> None:
    with pytest.raises(FileNotFoundError):
        FolderWatch([str(folder), str(folder / "absent")], ".json")
