"""Installation of a downloaded build after the app has ended, according to its channel."""

from __future__ import annotations

import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path

from toolnote_desktop.system.environment import own_environment


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


def start(channel: str, build: Path) -> subprocess.Popen[bytes]:
    """Start the installation without waiting: the app is about to end.

    Raises:
        OSError, tarfile.TarError: it cannot be started.
    """
    return subprocess.Popen(
        command(channel, build),
        env=own_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def tidy(folder: Path, keep: str) -> None:
    """Delete leftovers of earlier updates in ``folder``, except ``keep`` and resumable downloads."""
    for path in folder.iterdir() if folder.is_dir() else ():
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)  # perhaps still in use: next time, then
        elif path.name != keep and path.suffix != ".part":
            path.unlink(missing_ok=True)
