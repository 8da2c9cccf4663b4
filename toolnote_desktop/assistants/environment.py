"""Folders of the user's programs on this system, as a value, so that tests cover three systems on one."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct


class Environment(Struct, frozen=True):
    """Folders of a user.

    Attributes:
        home: home folder.
        platform: ``linux``, ``darwin`` or ``win32``, as in ``sys.platform``.
        variables: environment variables that move the folders below; ``PATH`` has the folders of programs.
    """

    home: Path
    platform: str
    variables: Mapping[str, str]

    def folder(self, variable: str) -> Path | None:
        """Return the absolute folder that an environment variable names, if any."""
        value = self.variables.get(variable, "").strip()
        return Path(value) if value and Path(value).is_absolute() else None

    @property
    def xdg_config(self) -> Path:
        """``$XDG_CONFIG_HOME``, else ``~/.config``."""
        return self.folder("XDG_CONFIG_HOME") or self.home / ".config"

    @property
    def xdg_data(self) -> Path:
        """``$XDG_DATA_HOME``, else ``~/.local/share``."""
        return self.folder("XDG_DATA_HOME") or self.home / ".local" / "share"

    @property
    def roaming(self) -> Path:
        """``%APPDATA%``."""
        return self.folder("APPDATA") or self.home / "AppData" / "Roaming"

    @property
    def local(self) -> Path:
        """``%LOCALAPPDATA%``."""
        return self.folder("LOCALAPPDATA") or self.home / "AppData" / "Local"

    @property
    def application_support(self) -> Path:
        """``~/Library/Application Support`` of macOS."""
        return self.home / "Library" / "Application Support"

    @property
    def program_data(self) -> Path:
        """Folder in which desktop programs create their own, like Electron's ``appData``."""
        if self.platform == "win32":
            return self.roaming
        return self.application_support if self.platform == "darwin" else self.xdg_config

    def has_program(self, *names: str) -> bool:
        """Return True if one of these commands is in a folder of ``PATH``, or in ``~/.local/bin``."""
        windows = self.platform == "win32"
        listed = self.variables.get("PATH", "").split(";" if windows else os.pathsep)
        folders = [Path(folder) for folder in listed if folder and Path(folder).is_absolute()]
        endings = _WINDOWS_PROGRAMS if windows else ("",)
        return any(
            (folder / f"{name}{ending}").is_file()
            for folder in (*folders, self.home / ".local" / "bin")
            for name in names
            for ending in endings
        )


_WINDOWS_PROGRAMS = (".exe", ".cmd", ".bat", ".ps1")
"""Endings of programs on Windows, as installers of command lines create them."""


def current_environment() -> Environment:
    """Return the current user's folders on this system."""
    return Environment(home=Path(os.path.expanduser("~")), platform=sys.platform, variables=os.environ)
