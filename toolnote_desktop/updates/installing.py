"""Installation of a downloaded build after the app has ended, according to its channel."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from toolnote_desktop.system.environment import own_environment
from toolnote_desktop.updates.feed import FeedError, File

_PIECE = 256 * 1024


def command(channel: str, build: Path, content: BinaryIO | None = None) -> list[str]:
    """Return the command that installs ``build``, a verified download, or for an archive its open ``content``. It may
    ask for a password and does not need the app.

    ``windows``: the installer, silently. ``tar``: the script in the archive, unpacked beside it. ``macos``, ``deb``,
    ``rpm``: opened by the system, which shows the image or its own installer.

    Raises:
        OSError, tarfile.TarError: the archive cannot be unpacked.
    """
    match channel:
        case "windows":
            return [str(build), "/SILENT", "/SUPPRESSMSGBOXES", "/NORESTART", "/UPDATE=yes"]
        case "macos":
            return ["/usr/bin/open", str(build)]
        case "tar":
            return [str(unpacked(build, content) / "install.sh")]
        case _:
            return ["xdg-open", str(build)]


def unpacked(archive: Path, content: BinaryIO | None = None) -> Path:
    """Return the only folder in one of our .tar.gz files, unpacked beside it; from ``content`` if that is open."""
    target = Path(tempfile.mkdtemp(prefix="unpacked-", dir=archive.parent))
    with tarfile.open(archive, fileobj=content) as members:
        members.extractall(target, filter="data")
    (folder,) = target.iterdir()
    return folder


@contextmanager
def verified_copy(build: Path, file: File) -> Iterator[tuple[Path, BinaryIO]]:
    """Open a private copy of a download, made of the very bytes that were verified: the download lay about since. An
    archive is read from the open file, which nothing can replace.

    Raises:
        FeedError: it is not the file of the feed any more.
        OSError: it cannot be read or copied.
    """
    folder = Path(tempfile.mkdtemp(prefix="verified-", dir=build.parent))  # mode 0700
    copy = folder / build.name
    digest, size = hashlib.sha256(), 0
    with copy.open("x+b") as target:
        with build.open("rb") as source:
            while (piece := source.read(_PIECE)) and size <= file.size:
                digest.update(piece)
                size += len(piece)
                target.write(piece)
        target.flush()
        os.fsync(target.fileno())
        if size != file.size or digest.hexdigest() != file.sha256:
            shutil.rmtree(folder, ignore_errors=True)
            raise FeedError("the download was changed after it was verified")
        copy.chmod(0o500)
        target.seek(0)
        yield copy, target


def start(channel: str, build: Path, file: File) -> subprocess.Popen[bytes]:
    """Verify the download once more and start the installation without waiting: the app is about to end.

    Raises:
        FeedError: the download is not the file of the feed any more.
        OSError, tarfile.TarError: it cannot be started.
    """
    with verified_copy(build, file) as (copy, content):
        words = command(channel, copy, content)
    return subprocess.Popen(
        words,
        env=own_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def tidy(folder: Path, *keep: str) -> None:
    """Delete leftovers of earlier updates in ``folder``, except ``keep`` and resumable downloads."""
    for path in folder.iterdir() if folder.is_dir() else ():
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)  # perhaps still in use: next time, then
        elif path.name not in keep and path.suffix != ".part":
            path.unlink(missing_ok=True)
