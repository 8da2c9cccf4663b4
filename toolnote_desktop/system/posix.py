"""Common parts of Linux and macOS."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Collection, Iterable, Mapping

from toolnote_desktop.system.base import ChildGuard, Launch
from toolnote_desktop.system.environment import (
    POSIX_NAMES,
    POSIX_PREFIXES,
    PYTHON_TEXT,
    append_folders,
    own_environment,
    select_variables,
    started_from_desktop,
    withhold,
)
from toolnote_desktop.system.guardian import Guardian
from toolnote_desktop.system.login_shell import login_environment

_DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"


class Posix:
    """Environment, programs and processes."""

    usual_folders: tuple[str, ...] = ("~/.local/bin", "/usr/local/bin")
    """Usual folders of programs, for an app started from a desktop whose login shell does not respond."""

    def __init__(self) -> None:
        self._login: dict[str, str] | None = None
        self._login_read = False
        self._login_lock = threading.Lock()

    def environment(self, timeout: float = 5.0) -> dict[str, str]:
        """See ``base.Platform``."""
        own = own_environment()
        own.setdefault("PATH", _DEFAULT_PATH)
        if not started_from_desktop(own):
            return own
        with self._login_lock:
            if not self._login_read:
                self._login = login_environment(own, timeout)
                self._login_read = True
            login = self._login
        merged = {**own, **(login or {})}
        merged["PATH"] = append_folders(merged["PATH"], own["PATH"].split(os.pathsep))
        if login is None:
            merged["PATH"] = append_folders(merged["PATH"], [os.path.expanduser(one) for one in self.usual_folders])
        return merged

    def child_environment(
        self, environment: Mapping[str, str], entry: Mapping[str, str], inherit: Collection[str] | None = None
    ) -> dict[str, str]:
        """See ``base.Platform``."""
        selected = select_variables(environment, POSIX_NAMES, POSIX_PREFIXES)
        return {**PYTHON_TEXT, **withhold(environment, selected, inherit), **entry}

    def find_program(self, command: str, environment: Mapping[str, str], folder: str) -> str | None:
        """See ``base.Platform``."""
        if "/" in command:
            path = os.path.join(folder, os.path.expanduser(command))
            return path if os.path.exists(path) else None
        return shutil.which(command, path=environment.get("PATH", _DEFAULT_PATH))

    def launch(self, program: str, arguments: Iterable[str]) -> Launch:
        """See ``base.Platform``."""
        return Launch((program, *arguments), options={"start_new_session": True})

    def child_guard(self) -> ChildGuard:
        """See ``base.Platform``."""
        return Guardian()
