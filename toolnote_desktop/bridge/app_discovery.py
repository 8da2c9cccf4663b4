"""Discovery of the running app through ``run/endpoint.json`` (docs/contract.md 2), and its start where none runs."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from toolnote_desktop.paths import (
    ENDPOINT_BRIDGE_SECRET,
    ENDPOINT_PATH,
    ENDPOINT_PID,
    ENDPOINT_START_TICKS,
    ENDPOINT_START_TIME,
    ENDPOINT_URL,
    Home,
    belongs_to_user,
    read_json,
    start_ticks,
)

if TYPE_CHECKING:
    import subprocess

# Two programs may round a process's creation time differently, and the kernel's boot time moves when the clock is set.
_START_TIME_SECONDS = 5.0


class AppEndpoint:
    """Address and secret of the running app, read from ``run/endpoint.json``."""

    __slots__ = ("host", "path", "pid", "port", "secret", "stamp", "start_ticks", "start_time")

    def __init__(self, content: Mapping[str, object]) -> None:
        """Parse the file's content.

        Raises:
            ValueError: no usable address or secret, or an address outside this computer.
        """
        url, secret = content.get(ENDPOINT_URL), content.get(ENDPOINT_BRIDGE_SECRET)
        if not isinstance(url, str) or not url.startswith("http://") or not isinstance(secret, str):
            raise ValueError("no URL or no secret")
        if not secret.isascii() or not secret.isprintable():
            raise ValueError("a secret that does not fit into a header")
        authority, slash, path = url.removeprefix("http://").partition("/")
        host, colon, port = authority.rpartition(":")
        self.host = (host if colon else authority).strip("[]")
        if not _is_loopback(self.host):
            raise ValueError("an address that is not this computer's own: the secret is for the app alone")
        self.port = int(port) if colon else 80
        self.path = slash + path or ENDPOINT_PATH
        self.secret = secret
        pid, start_time = content.get(ENDPOINT_PID), content.get(ENDPOINT_START_TIME)
        self.pid = pid if isinstance(pid, int) else None
        self.start_time = float(start_time) if isinstance(start_time, (int, float)) else None
        self.start_ticks = content.get(ENDPOINT_START_TICKS)
        self.stamp: tuple[int, int] | None = None

    def is_running(self) -> bool:
        """Return True if the app's process still runs. Its time in ticks is compared where there is one: the other
        moves with the computer's clock.
        """
        ticks = start_ticks(self.pid) if self.pid is not None and isinstance(self.start_ticks, str) else None
        return is_running(self.pid, self.start_time) if ticks is None else ticks == self.start_ticks

    def is_current(self, home: Home) -> bool:
        """Return True if this is the running app's address still. Who is connected to it afterwards was connected to
        the app: the port of one that has ended is any user's.
        """
        if endpoint_stamp(home) == self.stamp:
            return self.is_running()
        now = read_endpoint(home)
        if now is None or (now.host, now.port, now.secret) != (self.host, self.port, self.secret):
            return False
        self.stamp = now.stamp  # the same, written again
        return True

    @property
    def authority(self) -> str:
        """Host and port for the ``Host`` header."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def read_endpoint(home: Home) -> AppEndpoint | None:
    """Return the app's address; None if the file is missing, unreadable, or left by a process that has ended.

    A file that another user put there is not read: the secret and the client's messages would go to that user.
    """
    if not (belongs_to_user(home.run) and belongs_to_user(home.endpoint)):
        return None
    stamp = endpoint_stamp(home)
    try:
        content = read_json(home.endpoint)
        endpoint = AppEndpoint(content if isinstance(content, dict) else {})
    except (OSError, ValueError, OverflowError):  # a time that no clock has
        return None
    endpoint.stamp = stamp
    return endpoint if endpoint.is_running() else None


def _is_loopback(host: str) -> bool:
    parts = host.split(".")
    is_ip4 = len(parts) == 4 and parts[0] == "127" and all(part.isdecimal() for part in parts)
    return is_ip4 or host in ("::1", "localhost")


def endpoint_stamp(home: Home) -> tuple[int, int] | None:
    """Return a value that changes with each new ``endpoint.json``; None if there is none."""
    try:
        state = os.stat(home.endpoint)
    except OSError:
        return None
    return state.st_ino, state.st_mtime_ns


def missing_toolset(home: Home, name: str) -> str | None:
    """Return a message for the client's log if its configuration names a toolset that does not exist, else None."""
    if home.toolset(name).exists():
        return None
    try:
        existing = sorted(file.stem for file in home.toolsets.glob("*.json"))
    except OSError:
        existing = []
    known = f"; there are: {', '.join(existing)}" if existing else ""
    return f'there is no toolset "{name}" (--toolset){known}. It will be served as soon as it is created'


if sys.platform == "win32":

    def is_running(pid: int | None, start_time: float | None) -> bool:
        """Return True if the process exists and started at that time (seconds since the epoch).

        Unknown values count as running. Where the start time is expensive to get (macOS), the process id alone decides:
        a refused connection tells the rest.
        """
        import ctypes
        from ctypes import wintypes

        if pid is None:
            return True
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        kernel.OpenProcess.restype = wintypes.HANDLE
        handle = kernel.OpenProcess(0x1000, False, pid)  # PROCESS_QUERY_LIMITED_INFORMATION
        if not handle:
            return ctypes.get_last_error() == 5  # access denied: it is there
        try:
            status = wintypes.DWORD()
            if kernel.GetExitCodeProcess(wintypes.HANDLE(handle), ctypes.byref(status)) and status.value != 259:
                return False  # 259: STILL_ACTIVE
            times = [wintypes.FILETIME() for _ in range(4)]
            if start_time is None or not kernel.GetProcessTimes(wintypes.HANDLE(handle), *map(ctypes.byref, times)):
                return True
            ticks = (times[0].dwHighDateTime << 32) + times[0].dwLowDateTime  # 100 ns since 1601
            return abs(ticks / 1e7 - 11644473600 - start_time) < _START_TIME_SECONDS
        finally:
            kernel.CloseHandle(wintypes.HANDLE(handle))

else:

    def is_running(pid: int | None, start_time: float | None) -> bool:
        """Return True if the process exists and started at that time (seconds since the epoch).

        Unknown values count as running. Where the start time is expensive to get (macOS), the process id alone decides:
        a refused connection tells the rest.
        """
        if pid is None:
            return True
        try:
            os.kill(pid, 0)
        except (ProcessLookupError, OverflowError):
            return False
        except PermissionError:
            pass  # another user's, or signals are not allowed here
        return started_at(pid, start_time)

    def started_at(pid: int, start_time: float | None) -> bool:
        """Return True if the process runs and started at that time, as far as ``/proc`` can tell."""
        try:
            with open(f"/proc/{pid}/stat", "rb") as file:
                fields = file.read().rpartition(b")")[2].split()
            with open("/proc/stat", "rb") as file:
                boot = next(float(line.split()[1]) for line in file if line.startswith(b"btime"))
        except (OSError, StopIteration):
            return True
        if fields[0] in (b"Z", b"X"):
            return False  # a zombie
        began = boot + int(fields[19]) / os.sysconf("SC_CLK_TCK")
        return start_time is None or abs(began - start_time) < _START_TIME_SECONDS


def app_command(home: Home) -> list[str]:
    """Return the command that starts the desktop app in the background."""
    options = ["--background", "--home", str(home.root)]
    if getattr(sys, "frozen", False):
        if image := os.environ.get("APPIMAGE"):
            return [image, *options]  # the mounted image disappears with this process
        name = "toolnote-desktop.exe" if sys.platform == "win32" else "toolnote-desktop"
        return [os.path.join(os.path.dirname(sys.executable), name), *options]
    return [sys.executable, "-m", "toolnote_desktop", "gui", *options]


def clean_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Return an environment for another program, without the variables that a frozen program's loader set.

    PyInstaller saves the former value of a library path as ``NAME_ORIG``; its own variables would make the other
    executable believe that it is already unpacked.
    """
    clean = dict(environment)
    if not getattr(sys, "frozen", False):
        return clean
    for name in ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FRAMEWORK_PATH"):
        before = clean.pop(f"{name}_ORIG", None)
        clean.pop(name, None)
        if before:
            clean[name] = before
    bundle = getattr(sys, "_MEIPASS", None)
    for name in list(clean):
        is_loader_variable = (
            name in ("QT_PLUGIN_PATH", "QML2_IMPORT_PATH", "SSL_CERT_FILE") and bundle and bundle in clean[name]
        )
        if is_loader_variable or name.startswith(("_PYI_", "_MEI")):
            del clean[name]
    clean["PYINSTALLER_RESET_ENVIRONMENT"] = "1"
    return clean


def start_app(home: Home) -> subprocess.Popen[bytes]:
    """Start the app, detached from this process, its streams and its console.

    Two bridges may do so at once: ``run/app.lock`` decides which app stays.

    Raises:
        OSError: the app cannot be started.
    """
    import subprocess

    environment = clean_environment(os.environ)
    if sys.platform == "win32":
        detached = subprocess.DETACHED_PROCESS | subprocess.CREATE_NEW_PROCESS_GROUP
        # A client may run the bridge in a job that ends with it: leave the job where that is allowed.
        for flags in (detached | subprocess.CREATE_BREAKAWAY_FROM_JOB, detached):
            with suppress(PermissionError):
                return subprocess.Popen(
                    app_command(home),
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    creationflags=flags,
                )
        raise PermissionError("the app may not be started from here")
    process = subprocess.Popen(
        app_command(home),
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    # reaps the app if it ends before the bridge
    threading.Thread(target=process.wait, name="toolnote-app", daemon=True).start()
    return process
