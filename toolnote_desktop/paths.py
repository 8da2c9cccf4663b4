"""Where Toolnote keeps its files, and the few constants that the outside may rely on.

Standard library only: the bridge imports this module and must start in a twentieth of a second. What it says of the
platform's configuration folder is tested to be equal to ``platformdirs.user_config_dir("Toolnote", appauthor=False)``.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NamedTuple

APP_NAME = "Toolnote"
DEFAULT_PORT = 8377
ENDPOINT_PATH = "/mcp"

# How the bridge signs in (beside `Authorization: Bearer <bridge secret>`). Values are percent-encoded UTF-8.
CLIENT_HEADER = "Toolnote-Client"
TOOLSET_HEADER = "Toolnote-Toolset"

# Keys of run/endpoint.json (docs/contract.md 2). `startTime` is the process's creation time in seconds since the epoch, so that
# a recycled pid is told apart from ours.
ENDPOINT_URL = "url"
ENDPOINT_PID = "pid"
ENDPOINT_START_TIME = "startTime"
ENDPOINT_VERSION = "version"
ENDPOINT_BRIDGE_SECRET = "bridgeSecret"


def endpoint_url(port: int) -> str:
    """Where the endpoint answers on a port of this machine (docs/contract.md 5)."""
    return f"http://127.0.0.1:{port}{ENDPOINT_PATH}"


class Home(NamedTuple):
    """The home folder (docs/contract.md 2) and the files in it. Making this object touches no disk.

    No dataclass: to import those takes a fifth of the time that the bridge may need.
    """

    root: Path

    @property
    def servers(self) -> Path:
        """``servers.json``."""
        return self.root / "servers.json"

    @property
    def toolsets(self) -> Path:
        """The folder with one file for each toolset."""
        return self.root / "toolsets"

    @property
    def settings(self) -> Path:
        """``settings.json``."""
        return self.root / "settings.json"

    @property
    def clients(self) -> Path:
        """``clients.json``."""
        return self.root / "clients.json"

    @property
    def notes(self) -> Path:
        """``notes.json``: the notes that hold everywhere."""
        return self.root / "notes.json"

    @property
    def catalog(self) -> Path:
        """``catalog.json``: every tool seen so far."""
        return self.root / "catalog.json"

    @property
    def activity(self) -> Path:
        """``activity.db``."""
        return self.root / "activity.db"

    @property
    def backups(self) -> Path:
        """Earlier states of documents and of other programs' files."""
        return self.root / "backups"

    @property
    def run(self) -> Path:
        """What is true only while the app runs."""
        return self.root / "run"

    @property
    def app_lock(self) -> Path:
        """Held by whoever owns this home: one window or one ``serve``."""
        return self.run / "app.lock"

    @property
    def endpoint(self) -> Path:
        """Where the running app answers; see the ``ENDPOINT_*`` keys."""
        return self.run / "endpoint.json"

    @property
    def children(self) -> Path:
        """Records of the server processes that run, one a process of ours: the next start ends what is left of them."""
        return self.run / "children"

    @property
    def logs(self) -> Path:
        """The app's own log and each server's bounded stderr log."""
        return self.root / "logs"

    @property
    def faults(self) -> Path:
        """Where the interpreter writes how it failed, if it does."""
        return self.logs / "faults.log"

    @property
    def updates(self) -> Path:
        """A new version that was downloaded and is not installed yet."""
        return self.root / "updates"

    def toolset(self, name: str) -> Path:
        """The file of the toolset called ``name`` (already validated: see ``model.names.is_toolset_name``)."""
        return self.toolsets / f"{name}.json"


def make_folder(folder: Path) -> None:
    """Make a folder of ours with mode 0700, and the ones above it likewise. One that is there stays as it is."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)


def home_folder(flag: str | os.PathLike[str] | None = None) -> Home:
    """The ``--home`` flag's folder, else ``TOOLNOTE_HOME``, else the platform's configuration folder (docs/contract.md 2)."""
    chosen = flag or os.environ.get("TOOLNOTE_HOME") or platform_config_folder()
    return Home(Path(os.path.abspath(os.path.expanduser(chosen))))


def platform_config_folder() -> str:
    """What ``platformdirs`` gives for ``Toolnote``, without importing it."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or os.path.join(os.path.expanduser("~"), "AppData", "Local")
        return os.path.join(base, APP_NAME)
    if sys.platform == "darwin":
        return os.path.join(os.path.expanduser("~"), "Library", "Application Support", APP_NAME)
    base = os.environ.get("XDG_CONFIG_HOME", "").strip() or os.path.join(os.path.expanduser("~"), ".config")
    return os.path.join(base, APP_NAME)
