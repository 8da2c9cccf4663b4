"""Where other programs keep their files on this system; a value, so that tests look at three systems on one."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct


class Environment(Struct, frozen=True):
    """A person's folders.

    Attributes:
        home: the person's own folder.
        platform: as ``sys.platform`` has it: ``linux``, ``darwin`` or ``win32``.
        variables: environment variables that move the folders below.
    """

    home: Path
    platform: str
    variables: Mapping[str, str]

    def folder(self, variable: str) -> Path | None:
        """The absolute folder that an environment variable names, if it names one."""
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
        """macOS's ``~/Library/Application Support``."""
        return self.home / "Library" / "Application Support"

    @property
    def program_data(self) -> Path:
        """The folder in which a desktop program makes its own, as Electron's ``appData``."""
        if self.platform == "win32":
            return self.roaming
        return self.application_support if self.platform == "darwin" else self.xdg_config


def current_environment() -> Environment:
    """This person's folders on this system."""
    return Environment(home=Path(os.path.expanduser("~")), platform=sys.platform, variables=os.environ)
