"""Windows: job objects, batch files, the Run key."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping

from toolnote_desktop.paths import APP_NAME
from toolnote_desktop.system.base import Autostart, ChildGuard, Launch
from toolnote_desktop.system.environment import (
    PYTHON_TEXT,
    WINDOWS_NAMES,
    WINDOWS_PREFIXES,
    chosen,
    own_environment,
)

_RUN_KEY = r"Software\Microsoft\Windows\CurrentVersion\Run"
_CMD_META = re.compile(r'([()\[\]%!^"`<>&|;, *?])')


class Windows:
    """See ``base.Platform``."""

    @property
    def name(self) -> str:
        """``windows``."""
        return "windows"

    @property
    def autostart(self) -> Autostart:
        """A value under the user's Run key."""
        return RunKey()

    def environment(self, timeout: float = 5.0) -> dict[str, str]:
        """This process's own: programs from the desktop get the user's PATH here. Names in upper case."""
        return {key.upper(): value for key, value in own_environment().items()}

    def child_environment(self, environment: Mapping[str, str], entry: Mapping[str, str]) -> dict[str, str]:
        """See ``base.Platform``. Names differ in case only are one variable: the entry's spelling goes."""
        upper = {key.upper(): value for key, value in environment.items()}
        given = {key.upper() for key in entry}
        picked = {**PYTHON_TEXT, **chosen(upper, WINDOWS_NAMES, WINDOWS_PREFIXES)}
        return {**{key: value for key, value in picked.items() if key not in given}, **entry}

    def find_program(self, command: str, environment: Mapping[str, str], folder: str) -> str | None:
        """See ``base.Platform``. ``npx`` is found as ``npx.cmd``, by the PATHEXT of this process."""
        search = next((value for key, value in environment.items() if key.upper() == "PATH"), "")
        if "/" in command or "\\" in command:
            path = os.path.join(folder, os.path.expanduser(command))
            return shutil.which(path) or (path if os.path.exists(path) else None)
        return shutil.which(command, path=search)

    def launch(self, program: str, arguments: Iterable[str]) -> Launch:
        """See ``base.Platform``. Batch files go through ``cmd.exe`` with everything escaped (case C44)."""
        words = (program, *arguments)
        flags = getattr(subprocess, "CREATE_NO_WINDOW", 0)
        is_batch = program.lower().endswith((".cmd", ".bat"))
        return Launch(words, batch_line(program, words[1:]) if is_batch else None, {"creationflags": flags})

    def child_guard(self) -> ChildGuard:
        """A job object that ends its processes when our last handle to it goes, however that happens."""
        return Job()


def batch_line(program: str, arguments: Iterable[str]) -> str:
    """The line for ``cmd.exe /c "LINE"`` that runs a batch file with exactly these arguments.

    ``cmd.exe`` reads the line before the batch file does, and the file's own ``%*`` is read once more: every character
    that means something to it is escaped with ``^``, in arguments twice. This is how npm's ``cross-spawn`` does it for
    shims in ``node_modules/.bin`` and what it takes for ``npx.cmd``, which hands ``%*`` on.
    """
    quoted = [_CMD_META.sub(r"^\1", program)]
    for argument in arguments:
        word = re.sub(r'(\\*)"', r'\1\1\\"', argument)
        word = re.sub(r"(\\*)$", r"\1\1", word)
        once = _CMD_META.sub(r"^\1", f'"{word}"')
        quoted.append(_CMD_META.sub(r"^\1", once))
    return " ".join(quoted)


class RunKey:
    """``HKEY_CURRENT_USER\\Software\\Microsoft\\Windows\\CurrentVersion\\Run``, value ``Toolnote``."""

    def enabled(self) -> bool:
        """Whether the value is there."""
        if sys.platform == "win32":
            import winreg

            try:
                with winreg.OpenKey(winreg.HKEY_CURRENT_USER, _RUN_KEY) as key:
                    winreg.QueryValueEx(key, APP_NAME)
                    return True
            except FileNotFoundError:
                return False
        return False

    def enable(self, command: Iterable[str]) -> None:
        """Set the value."""
        if sys.platform == "win32":
            import winreg

            line = subprocess.list2cmdline([*command, "--background"])
            with winreg.CreateKey(winreg.HKEY_CURRENT_USER, _RUN_KEY) as key:
                winreg.SetValueEx(key, APP_NAME, 0, winreg.REG_SZ, line)

    def disable(self) -> None:
        """Take the value away."""
        if sys.platform == "win32":
            import winreg

            try:
                with winreg.OpenKey(winreg.HKEY_CURRENT_USER, _RUN_KEY, 0, winreg.KEY_SET_VALUE) as key:
                    winreg.DeleteValue(key, APP_NAME)
            except FileNotFoundError:
                return


class Job:
    """A job object with JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE. What a process in it starts is in it too.

    A child is put into the job right after it was started. What it starts within these microseconds would be outside;
    ``ProcessTree`` finds that by its parent when the child is stopped in order.
    """

    def __init__(self) -> None:
        self._handle: int | None = None
        if sys.platform == "win32":
            self._handle = _create_job()

    def add(self, pid: int) -> None:
        """Put a process into the job."""
        if sys.platform == "win32" and self._handle is not None:
            import ctypes

            kernel = ctypes.WinDLL("kernel32", use_last_error=True)
            kernel.OpenProcess.restype = ctypes.c_void_p
            process = kernel.OpenProcess(_PROCESS_SET_QUOTA | _PROCESS_TERMINATE, False, pid)
            if process:  # else it has ended already
                kernel.AssignProcessToJobObject(ctypes.c_void_p(self._handle), ctypes.c_void_p(process))
                kernel.CloseHandle(ctypes.c_void_p(process))

    def remove(self, pid: int) -> None:
        """A process that has ended is in no job any more."""

    def close(self) -> None:
        """The last handle goes: whatever is still in the job ends."""
        if sys.platform == "win32" and self._handle is not None:
            import ctypes

            ctypes.WinDLL("kernel32").CloseHandle(ctypes.c_void_p(self._handle))
            self._handle = None


_PROCESS_TERMINATE = 0x0001
_PROCESS_SET_QUOTA = 0x0100
_EXTENDED_LIMIT_INFORMATION = 9
_LIMIT_KILL_ON_JOB_CLOSE = 0x2000


if sys.platform == "win32":
    import ctypes
    from ctypes import wintypes

    class _BasicLimits(ctypes.Structure):
        _fields_ = (
            ("PerProcessUserTimeLimit", wintypes.LARGE_INTEGER),
            ("PerJobUserTimeLimit", wintypes.LARGE_INTEGER),
            ("LimitFlags", wintypes.DWORD),
            ("MinimumWorkingSetSize", ctypes.c_size_t),
            ("MaximumWorkingSetSize", ctypes.c_size_t),
            ("ActiveProcessLimit", wintypes.DWORD),
            ("Affinity", ctypes.c_size_t),
            ("PriorityClass", wintypes.DWORD),
            ("SchedulingClass", wintypes.DWORD),
        )

    class _ExtendedLimits(ctypes.Structure):
        _fields_ = (
            ("BasicLimitInformation", _BasicLimits),
            ("IoInfo", ctypes.c_ulonglong * 6),
            ("ProcessMemoryLimit", ctypes.c_size_t),
            ("JobMemoryLimit", ctypes.c_size_t),
            ("PeakProcessMemoryUsed", ctypes.c_size_t),
            ("PeakJobMemoryUsed", ctypes.c_size_t),
        )

    def _create_job() -> int | None:
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        kernel.CreateJobObjectW.restype = ctypes.c_void_p
        handle = kernel.CreateJobObjectW(None, None)
        if not handle:
            return None
        limits = _ExtendedLimits()
        limits.BasicLimitInformation.LimitFlags = _LIMIT_KILL_ON_JOB_CLOSE
        kernel.SetInformationJobObject(
            ctypes.c_void_p(handle), _EXTENDED_LIMIT_INFORMATION, ctypes.byref(limits), ctypes.sizeof(limits)
        )
        return int(handle)
