"""Paths of Toolnote's files, and the constants that other programs may rely on.

Standard library only: the bridge imports this module and must start in a twentieth of a second. A test checks that the
platform's configuration folder equals ``platformdirs.user_config_dir("Toolnote", appauthor=False)``.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

APP_NAME = "Toolnote"
DEFAULT_PORT = 8377
ENDPOINT_PATH = "/mcp"
SERVED_PATH = "/served"

# Headers by which the bridge identifies itself (beside `Authorization: Bearer <bridge secret>`); percent-encoded UTF-8.
CLIENT_HEADER = "Toolnote-Client"
TOOLSET_HEADER = "Toolnote-Toolset"

# Keys of run/endpoint.json (docs/contract.md 2). `startTime` is the process's creation time in seconds since the
# epoch, which distinguishes a reused pid from ours; `startTicks` (Linux) the same without the clock.
ENDPOINT_URL = "url"
ENDPOINT_PID = "pid"
ENDPOINT_START_TIME = "startTime"
ENDPOINT_START_TICKS = "startTicks"
ENDPOINT_VERSION = "version"
ENDPOINT_BRIDGE_SECRET = "bridgeSecret"


def endpoint_url(port: int) -> str:
    """Return the URL of the endpoint on a port of this machine (docs/contract.md 5)."""
    return f"http://127.0.0.1:{port}{ENDPOINT_PATH}"


class Home(NamedTuple):
    """Home folder (docs/contract.md 2) and the paths of its files. Creating this object accesses no disk.

    Not a dataclass: importing these takes a fifth of the bridge's start-up time.
    """

    root: Path

    @property
    def servers(self) -> Path:
        """``servers.json``."""
        return self.root / "servers.json"

    @property
    def toolsets(self) -> Path:
        """Folder with one file per toolset."""
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
        """``notes.json``: notes that apply everywhere."""
        return self.root / "notes.json"

    @property
    def catalog(self) -> Path:
        """``catalog.json``: all tools seen so far."""
        return self.root / "catalog.json"

    @property
    def activity(self) -> Path:
        """``activity.db``."""
        return self.root / "activity.db"

    @property
    def audit(self) -> Path:
        """``audit.db``."""
        return self.root / "audit.db"

    @property
    def plugins(self) -> Path:
        """Plugins that were made for assistants which install them from any folder."""
        return self.root / "plugins"

    @property
    def backups(self) -> Path:
        """Earlier states of documents and of other programs' files."""
        return self.root / "backups"

    @property
    def published(self) -> Path:
        """Records of publications, with what was there before each."""
        return self.backups / "published"

    @property
    def run(self) -> Path:
        """Files that are valid only while the app runs."""
        return self.root / "run"

    @property
    def app_lock(self) -> Path:
        """Lock held by the owner of this home: one window or one ``serve``."""
        return self.run / "app.lock"

    @property
    def endpoint(self) -> Path:
        """Address of the running app; see the ``ENDPOINT_*`` keys."""
        return self.run / "endpoint.json"

    @property
    def sessions(self) -> Path:
        """Sessions of clients, which outlive a restart."""
        return self.run / "sessions.json"

    @property
    def task_use(self) -> Path:
        """Tools that were used for tasks of a kind."""
        return self.run / "task-use.json"

    @property
    def clock(self) -> Path:
        """Times by which records expire (``store/expiry.py``)."""
        return self.run / "clock.json"

    @property
    def reserve(self) -> Path:
        """Room that the audit uses where the disk is full when it ends."""
        return self.run / "reserve"

    @property
    def vectors(self) -> Path:
        """Vectors of tools' texts for the search; made anew where it is missing."""
        return self.run / "vectors.bin"

    @property
    def children(self) -> Path:
        """Records of running server processes, one file per process of ours: the next start ends leftovers."""
        return self.run / "children"

    @property
    def logs(self) -> Path:
        """Log of the app and the bounded stderr log of each server."""
        return self.root / "logs"

    @property
    def faults(self) -> Path:
        """Fault log of the interpreter."""
        return self.logs / "faults.log"

    @property
    def updates(self) -> Path:
        """New version that was downloaded and is not installed yet."""
        return self.root / "updates"

    def toolset(self, name: str) -> Path:
        """Return the file of the toolset ``name`` (already validated: see ``model.names.is_toolset_name``)."""
        return self.toolsets / f"{name}.json"


def start_ticks(pid: int) -> str | None:
    """Return the boot and the tick since it in which a process started, which no change of the clock moves; "" if there
    is no such process, None where the system does not say (all but Linux).
    """
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
            boot = file.read().strip()
    except OSError:
        return None
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
    except FileNotFoundError:
        return "" if os.path.isdir("/proc/self") else None
    except OSError:
        return None
    return "" if fields[0] in (b"Z", b"X") else f"{boot}/{int(fields[19])}"


def make_folder(folder: Path) -> None:
    """Create a folder with mode 0700, including its parents. An existing one stays unchanged."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)


LARGEST_FILE = 64 * 1024 * 1024
"""Bytes of a file of the home that is read; documents have limits of their own."""


def open_regular(path: str | os.PathLike[str]) -> BinaryIO:
    """Open a file of the home to read it. A pipe without a writer is not waited for, nor a device read.

    Raises:
        OSError: it is missing, cannot be read or is no regular file.
    """
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):  # before open(), which leaves the descriptor of a folder open
        os.close(descriptor)
        raise OSError(f"{os.path.basename(path)} is not a regular file")
    return open(descriptor, "rb")


def read_regular(path: str | os.PathLike[str]) -> bytes:
    """Return the content of a file of the home.

    Raises:
        OSError: as of ``open_regular``, or it is larger than ``LARGEST_FILE``.
    """
    with open_regular(path) as file:
        if os.fstat(file.fileno()).st_size > LARGEST_FILE:
            raise OSError(errno.EFBIG, "too large", os.fspath(path))
        return file.read()


def read_json(path: str | os.PathLike[str]) -> Any:
    """Return the value of a JSON file of the home.

    Raises:
        OSError: as of ``read_regular``.
        ValueError: it is not JSON, or is nested too deeply.
    """
    import json  # not for commands that read none

    try:
        return json.loads(read_regular(path))
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def belongs_to_user(path: str | os.PathLike[str]) -> bool:
    """Return True if an existing file or folder belongs to the user of this process (on Windows always)."""
    if sys.platform == "win32":
        return os.path.exists(path)
    try:
        return os.stat(path).st_uid == os.geteuid()
    except OSError:
        return False


def home_folder(flag: str | os.PathLike[str] | None = None) -> Home:
    """Return the home folder: ``--home``, else ``TOOLNOTE_HOME``, else the platform's configuration folder
    (docs/contract.md 2).
    """
    chosen = flag or os.environ.get("TOOLNOTE_HOME") or platform_config_folder()
    return Home(Path(os.path.abspath(os.path.expanduser(chosen))))


def platform_config_folder() -> str:
    """Return the same folder as ``platformdirs`` for ``Toolnote``, without importing it."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or os.path.join(os.path.expanduser("~"), "AppData", "Local")
        return os.path.join(base, APP_NAME)
    if sys.platform == "darwin":
        return os.path.join(os.path.expanduser("~"), "Library", "Application Support", APP_NAME)
    base = os.environ.get("XDG_CONFIG_HOME", "").strip() or os.path.join(os.path.expanduser("~"), ".config")
    return os.path.join(base, APP_NAME)
