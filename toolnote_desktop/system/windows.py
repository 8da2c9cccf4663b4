"""Windows: job objects, batch files, the Run key."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Collection, Iterable, Mapping

from toolnote_desktop.paths import APP_NAME
from toolnote_desktop.system.base import Autostart, ChildGuard, Launch
from toolnote_desktop.system.environment import (
    PYTHON_TEXT,
    WINDOWS_NAMES,
    WINDOWS_PREFIXES,
    own_environment,
    select_variables,
    withhold,
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
        """Autostart by a value under the user's Run key."""
        return RunKey()

    def environment(self, timeout: float = 5.0) -> dict[str, str]:
        """Return this process's environment: programs from the desktop have the user's PATH. Names in upper case."""
        return {key.upper(): value for key, value in own_environment().items()}

    def child_environment(
        self, environment: Mapping[str, str], entry: Mapping[str, str], inherit: Collection[str] | None = None
    ) -> dict[str, str]:
        """Return a child's environment. Names that differ in case only are one variable, in the entry's spelling."""
        upper = {key.upper(): value for key, value in environment.items()}
        given = {key.upper() for key in entry}
        names = None if inherit is None else [name.upper() for name in inherit]
        selected = select_variables(upper, WINDOWS_NAMES, WINDOWS_PREFIXES)
        picked = {**PYTHON_TEXT, **withhold(upper, selected, names)}
        return {**{key: value for key, value in picked.items() if key not in given}, **entry}

    def find_program(self, command: str, environment: Mapping[str, str], folder: str) -> str | None:
        """Return the full path of a program. ``npx`` is found as ``npx.cmd``, by the PATHEXT of this process."""
        search = next((value for key, value in environment.items() if key.upper() == "PATH"), "")
        if "/" in command or "\\" in command:
            path = os.path.join(folder, os.path.expanduser(command))
            return shutil.which(path) or (path if os.path.exists(path) else None)
        return shutil.which(command, path=search)

    def launch(self, program: str, arguments: Iterable[str]) -> Launch:
        """Return the launch parameters. Batch files run in ``cmd.exe`` with all arguments escaped (case C44)."""
        words = (program, *arguments)
        flags = getattr(subprocess, "CREATE_NO_WINDOW", 0)
        is_batch = program.lower().endswith((".cmd", ".bat"))
        return Launch(words, batch_line(program, words[1:]) if is_batch else None, {"creationflags": flags})

    def child_guard(self) -> ChildGuard:
        """Create a guard whose job objects kill their processes when our handles are closed, for whatever reason."""
        return Jobs()


def batch_line(program: str, arguments: Iterable[str]) -> str:
    """Return the line for ``cmd.exe /c "LINE"`` that runs a batch file with exactly these arguments.

    ``cmd.exe`` parses the line before the batch file does, and the file's own ``%*`` is parsed once more: characters
    with a special meaning are escaped with ``^``, in arguments twice. npm's ``cross-spawn`` does the same for shims in
    ``node_modules/.bin``, and ``npx.cmd``, which passes ``%*`` on, expects it.
    """
    quoted = [_CMD_META.sub(r"^\1", program)]
    for argument in arguments:
        word = re.sub(r'(?<!\\)(\\*)"', r'\1\1\\"', argument)
        word = re.sub(r"(?<!\\)(\\+)$", r"\1\1", word)
        once = _CMD_META.sub(r"^\1", f'"{word}"')
        quoted.append(_CMD_META.sub(r"^\1", once))
    return " ".join(quoted)


class RunKey:
    """``HKEY_CURRENT_USER\\Software\\Microsoft\\Windows\\CurrentVersion\\Run``, value ``Toolnote``."""

    def enabled(self) -> bool:
        """Return True if the value exists."""
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
        """Delete the value."""
        if sys.platform == "win32":
            import winreg

            try:
                with winreg.OpenKey(winreg.HKEY_CURRENT_USER, _RUN_KEY, 0, winreg.KEY_SET_VALUE) as key:
                    winreg.DeleteValue(key, APP_NAME)
            except FileNotFoundError:
                return


class Jobs:
    """Job object for each child, with JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE: what a child starts belongs to its job.

    A child is added right after its start. A process that it starts within these microseconds would be outside;
    ``ProcessTree`` finds it by its parent when the child is stopped normally. A browser that it opens may leave the
    job, as browsers do.
    """

    pid = None

    def __init__(self) -> None:
        self._handles: dict[int, int] = {}

    def add(self, pid: int) -> None:
        """Put a process into a job of its own."""
        if sys.platform == "win32":
            import ctypes

            kernel = ctypes.WinDLL("kernel32", use_last_error=True)
            kernel.OpenProcess.restype = ctypes.c_void_p
            process = kernel.OpenProcess(_PROCESS_SET_QUOTA | _PROCESS_TERMINATE, False, pid)
            if not process:  # it has ended already
                return
            job = _create_job()
            if job is not None:
                kernel.AssignProcessToJobObject(ctypes.c_void_p(job), ctypes.c_void_p(process))
                self._handles[pid] = job
            kernel.CloseHandle(ctypes.c_void_p(process))

    def remove(self, pid: int) -> None:
        """Kill what is left of a child that has ended: its descendants in the job."""
        job = self._handles.pop(pid, None)
        if sys.platform == "win32" and job is not None:
            import ctypes

            kernel = ctypes.WinDLL("kernel32", use_last_error=True)
            kernel.TerminateJobObject(ctypes.c_void_p(job), 1)
            kernel.CloseHandle(ctypes.c_void_p(job))

    def close(self) -> None:
        """Close all jobs: processes in them are killed."""
        for pid in list(self._handles):
            self.remove(pid)


_PROCESS_TERMINATE = 0x0001
_PROCESS_SET_QUOTA = 0x0100
_EXTENDED_LIMIT_INFORMATION = 9
_LIMIT_KILL_ON_JOB_CLOSE = 0x2000
_LIMIT_BREAKAWAY_OK = 0x0800


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
        limits.BasicLimitInformation.LimitFlags = _LIMIT_KILL_ON_JOB_CLOSE | _LIMIT_BREAKAWAY_OK
        kernel.SetInformationJobObject(
            ctypes.c_void_p(handle), _EXTENDED_LIMIT_INFORMATION, ctypes.byref(limits), ctypes.sizeof(limits)
        )
        return int(handle)
