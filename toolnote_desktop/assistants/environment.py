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
        variables: environment variables that move the folders below.
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


def current_environment() -> Environment:
    """Return the current user's folders on this system."""
    return Environment(home=Path(os.path.expanduser("~")), platform=sys.platform, variables=os.environ)
