"""Atomic file replacement."""

from __future__ import annotations

import errno
import os
import stat
import sys
import time
from pathlib import Path

import pytest

from toolnote_desktop.system.atomic_file import remove_leftovers, write_file

posix = pytest.mark.skipif(sys.platform == "win32", reason="POSIX files")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "settings.json"


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_writing_is_all_or_nothing(file: Path) -> None:
    write_file(file, b"old")
    if sys.platform != "win32":
        assert mode_of(file) == 0o600
    file.chmod(0o644)

    def stop() -> None:
        raise LookupError("not now")

    with pytest.raises(LookupError):
        write_file(file, b"new", before_replacing=stop)
    assert file.read_bytes() == b"old"
    assert [path.name for path in file.parent.iterdir()] == ["settings.json"], "nothing half-written is left"
    write_file(file, b"new")
    assert file.read_bytes() == b"new"
    if sys.platform != "win32":
        assert mode_of(file) == 0o600, "also where it was open to others before"


@posix
def test_attributes_are_kept_on_request(file: Path) -> None:
    write_file(file, b"new", mode=0o640, keep_attributes=True)
    assert mode_of(file) == 0o640
    file.chmod(0o604)
    if os.geteuid() == 0:
        os.chown(file, 12345, 12346)
    before = file.stat()
    write_file(file, b"newer", keep_attributes=True)
    after = file.stat()
    assert (after.st_mode, after.st_uid, after.st_gid) == (before.st_mode, before.st_uid, before.st_gid)
    file.chmod(0o400)
    with pytest.raises(PermissionError, match="write-protected"):
        write_file(file, b"newest", keep_attributes=True)
    assert file.read_bytes() == b"newer"


@posix
def test_the_target_of_a_link_is_replaced(file: Path, tmp_path: Path) -> None:
    target = tmp_path / "dotfiles" / "settings.json"
    target.parent.mkdir()
    file.symlink_to(target)
    write_file(file, b"{}")
    assert file.is_symlink()
    assert target.read_bytes() == b"{}"


def test_leftovers_of_killed_writers_are_removed_once_they_are_old(file: Path) -> None:
    folder = file.parent

    def stop() -> None:
        (left,) = (path for path in folder.iterdir() if path.name.startswith("."))
        os.link(left, folder / f"{left.name.removesuffix('.toolnote-new')}2.toolnote-new")
        os.link(left, folder / f".servers.json{left.name.removeprefix('.settings.json')}")
        os.link(left, folder / "mine.toolnote-new")

    write_file(file, b"{}", before_replacing=stop)
    remove_leftovers(folder)
    assert len(list(folder.iterdir())) == 4, "another process may be writing it this moment"
    hours_ago = time.time() - 7200
    for path in folder.iterdir():
        os.utime(path, (hours_ago, hours_ago))
    remove_leftovers(folder, "settings.json")
    assert len(list(folder.iterdir())) == 3, "those of one file"
    remove_leftovers(folder)
    assert sorted(path.name for path in folder.iterdir()) == ["mine.toolnote-new", "settings.json"]


@posix
@pytest.mark.parametrize("number", [errno.EINVAL, errno.ENOTSUP, errno.EIO])
def test_a_folder_that_cannot_be_synced_fails_the_write_unless_its_file_system_has_no_such_call(
    file: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    sync = os.fsync

    def refuse_folders(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(number, os.strerror(number))
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", refuse_folders)
    if number == errno.EIO:
        with pytest.raises(OSError, match=os.strerror(errno.EIO)):
            write_file(file, b"{}")
    else:
        write_file(file, b"{}")
    assert file.read_bytes() == b"{}"
    write_file(file, b"[]", durable=False)
    assert file.read_bytes() == b"[]"
