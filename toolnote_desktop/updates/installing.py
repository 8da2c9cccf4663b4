"""Installation of a downloaded build after the app has ended, according to its channel."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path

from toolnote_desktop.system.environment import own_environment
from toolnote_desktop.updates.feed import FeedError, File

_PIECE = 256 * 1024


def command(channel: str, build: Path) -> list[str]:
    """Return the command that installs ``build``, a verified download. It may ask for a password and does not need the
    app.

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
            return [str(unpacked(build) / "install.sh")]
        case _:
            return ["xdg-open", str(build)]


def unpacked(archive: Path) -> Path:
    """Return the only folder in one of our .tar.gz files, unpacked beside it."""
    target = Path(tempfile.mkdtemp(prefix="unpacked-", dir=archive.parent))
    with tarfile.open(archive) as content:
        content.extractall(target, filter="data")
    (folder,) = target.iterdir()
    return folder


def verified_copy(build: Path, file: File) -> Path:
    """Return a private copy of a download, made of the very bytes that were verified: the download lay about since.

    Raises:
        FeedError: it is not the file of the feed any more.
        OSError: it cannot be read or copied.
    """
    folder = Path(tempfile.mkdtemp(prefix="verified-", dir=build.parent))  # mode 0700
    copy = folder / build.name
    digest, size = hashlib.sha256(), 0
    with build.open("rb") as source, copy.open("xb") as target:
        while (piece := source.read(_PIECE)) and size <= file.size:
            digest.update(piece)
            size += len(piece)
            target.write(piece)
        os.fsync(target.fileno())
    if size != file.size or digest.hexdigest() != file.sha256:
        shutil.rmtree(folder, ignore_errors=True)
        raise FeedError("the download was changed after it was verified")
    copy.chmod(0o500)
    return copy


def start(channel: str, build: Path, file: File) -> subprocess.Popen[bytes]:
    """Verify the download once more and start the installation without waiting: the app is about to end.

    Raises:
        FeedError: the download is not the file of the feed any more.
        OSError, tarfile.TarError: it cannot be started.
    """
    return subprocess.Popen(
        command(channel, verified_copy(build, file)),
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
