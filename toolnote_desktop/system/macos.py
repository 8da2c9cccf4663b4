"""macOS: launchd's records."""

from __future__ import annotations

import os
import plistlib
from collections.abc import Iterable
from pathlib import Path

from toolnote_desktop.system.atomic_file import write_file
from toolnote_desktop.system.base import Autostart
from toolnote_desktop.system.posix import Posix

BUNDLE = "org.toolnote.ToolNote"


class MacOS(Posix):
    """See ``base.Platform``."""

    usual_folders = ("/opt/homebrew/bin", "/usr/local/bin", "~/.local/bin")

    @property
    def name(self) -> str:
        """``macos``."""
        return "macos"

    @property
    def autostart(self) -> Autostart:
        """Autostart by a LaunchAgent of the user's."""
        return LaunchAgent()


class LaunchAgent:
    """``~/Library/LaunchAgents/org.toolnote.ToolNote.plist``, read by launchd at the next login."""

    @property
    def path(self) -> Path:
        """Path of the file, which may not exist."""
        return Path(os.path.expanduser("~")) / "Library" / "LaunchAgents" / f"{BUNDLE}.plist"

    def enabled(self) -> bool:
        """Return True if the file exists, is readable, and not marked as disabled."""
        try:
            return not plistlib.loads(self.path.read_bytes()).get("Disabled", False)
        except (FileNotFoundError, plistlib.InvalidFileException, ValueError):
            return False

    def enable(self, command: Iterable[str]) -> None:
        """Write the file. A bundle is opened by its id, since its path may change, as after a move to Applications."""
        words = list(command)
        if len(words) == 1 and ".app/Contents/" in words[0]:
            arguments = ["/usr/bin/open", "-g", "-b", BUNDLE, "--args", "--background"]
        else:
            arguments = [*words, "--background"]
        record = {"Label": BUNDLE, "ProgramArguments": arguments, "RunAtLoad": True, "ProcessType": "Interactive"}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        write_file(self.path, plistlib.dumps(record))

    def disable(self) -> None:
        """Delete the file."""
        self.path.unlink(missing_ok=True)
