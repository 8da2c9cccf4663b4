"""Atomic file replacement: readers see the old content or the new one, never a part of it."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

FILE_MODE: Final = 0o600

_TEMPORARY_SUFFIX: Final = ".toolnote-new"
_REPLACE_ATTEMPTS: Final = 40
_REPLACE_PAUSE_SECONDS: Final = 0.05


def write_file(
    path: Path,
    data: bytes,
    *,
    mode: int = FILE_MODE,
    keep_attributes: bool = False,
    durable: bool = True,
    follow_links: bool = True,
    before_replacing: Callable[[], None] | None = None,
) -> None:
    """Replace the content of a file, all or nothing. A symlink stays and its target is replaced, unless that is
    no regular file: root could replace a device.

    Args:
        mode: permissions of the file.
        keep_attributes: an existing file keeps its permissions and owner instead, and stays unchanged where its owner
            has write-protected it.
        durable: fsync file and folder, so that the content survives a power cut once this returns.
        follow_links: False for files that are Toolnote's own: a link in the place of one is replaced.
        before_replacing: called when the new file is complete; an exception from it cancels the replacement.

    Raises:
        OSError: the file could not be written; the old one is unchanged.
    """
    target = Path(os.path.realpath(path)) if follow_links else Path(path)
    if follow_links and os.path.islink(path) and target.exists() and not target.is_file():
        raise OSError(errno.EINVAL, "a link to something that is no file", str(path))
    existing = target.stat() if keep_attributes and target.exists() else None
    if existing and not existing.st_mode & stat.S_IWUSR:
        raise PermissionError(errno.EACCES, "the file is write-protected")
    descriptor, temporary = tempfile.mkstemp(_TEMPORARY_SUFFIX, f".{target.name}.", target.parent)
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            if durable:
                os.fsync(descriptor)
        _set_attributes(temporary, mode, existing)
        if before_replacing is not None:
            before_replacing()
        _replace(temporary, target)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        raise
    if durable:
        sync_folder(target.parent)


def remove_leftovers(folder: Path, name: str | None = None, *, older_than: float = 3600.0) -> None:
    """Remove temporary files of killed writers: of one target file or of all in the folder.

    Args:
        older_than: seconds; a younger one may still be in use.
    """
    limit = time.time() - older_than
    prefix = "." if name is None else f".{name}."
    with contextlib.suppress(OSError):
        for entry in os.scandir(folder):
            if entry.name.startswith(prefix) and entry.name.endswith(_TEMPORARY_SUFFIX):
                with contextlib.suppress(FileNotFoundError, PermissionError):
                    if entry.stat(follow_symlinks=False).st_mtime < limit:
                        os.unlink(entry)


def sync_folder(folder: Path) -> None:
    """Make renames and removals in ``folder`` survive a power cut, where the file system supports it.

    Raises:
        OSError: the folder could not be written to disk.
    """
    if sys.platform == "win32":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # some network and FUSE file systems have no such call
            raise
    finally:
        os.close(descriptor)


def _set_attributes(temporary: str, mode: int, existing: os.stat_result | None) -> None:
    wanted = stat.S_IMODE(existing.st_mode) if existing else mode
    if wanted != FILE_MODE:  # the mode that mkstemp gives
        os.chmod(temporary, wanted)
    if sys.platform != "win32" and existing and (existing.st_uid, existing.st_gid) != (os.geteuid(), os.getegid()):
        # Only root may give a file away; an owner may keep the file in one of their own groups.
        with contextlib.suppress(PermissionError):
            os.chown(temporary, existing.st_uid, existing.st_gid)


def _replace(temporary: str, target: Path) -> None:
    # On Windows a virus scanner or a reader that has the file open for a moment makes a rename fail.
    attempts = _REPLACE_ATTEMPTS if sys.platform == "win32" else 1
    for attempt in range(attempts):
        try:
            os.replace(temporary, target)
        except PermissionError:
            if attempt == attempts - 1:
                raise
            time.sleep(_REPLACE_PAUSE_SECONDS)
        else:
            return
