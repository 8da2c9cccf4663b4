"""Linux: freedesktop.org's folders and records."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from toolnote_desktop.paths import APP_NAME
from toolnote_desktop.system.atomic_file import write_file
from toolnote_desktop.system.base import Autostart
from toolnote_desktop.system.posix import Posix

_AUTOSTART_FILE = "org.toolnote.ToolNote.desktop"


class Linux(Posix):
    """See ``base.Platform``."""

    @property
    def name(self) -> str:
        """``linux``."""
        return "linux"

    @property
    def autostart(self) -> Autostart:
        """Autostart by a file of XDG's Desktop Application Autostart Specification."""
        return DesktopFile()


class DesktopFile:
    """``$XDG_CONFIG_HOME/autostart/org.toolnote.ToolNote.desktop``."""

    @property
    def path(self) -> Path:
        """Path of the file, which may not exist."""
        config = os.environ.get("XDG_CONFIG_HOME", "").strip() or os.path.expanduser("~/.config")
        return Path(config) / "autostart" / _AUTOSTART_FILE

    def enabled(self) -> bool:
        """Return True if the file exists and was not disabled by a settings dialog (``Hidden``,
        ``X-GNOME-Autostart-enabled``).
        """
        try:
            lines = {line.replace(" ", "").lower() for line in self.path.read_text("utf-8").splitlines()}
        except FileNotFoundError:
            return False
        return not lines & {"hidden=true", "x-gnome-autostart-enabled=false"}

    def enable(self, command: Iterable[str]) -> None:
        """Write the file."""
        program, *options = command
        words = " ".join(quoted(word) for word in [program, *options, "--background"])
        tried = program.replace("\\", "\\\\")  # desktops ignore the entry once the program is gone
        content = (
            "[Desktop Entry]\nType=Application\n"
            f"Name={APP_NAME}\nExec={words}\nTryExec={tried}\nIcon=org.toolnote.ToolNote\n"
            "Terminal=false\nX-GNOME-Autostart-enabled=true\n"
        )
        self.path.parent.mkdir(parents=True, exist_ok=True)
        write_file(self.path, content.encode())

    def disable(self) -> None:
        """Delete the file."""
        self.path.unlink(missing_ok=True)


def quoted(word: str) -> str:
    """Quote a word of ``Exec=`` (Desktop Entry Specification), and escape it once more as a string value."""
    for character in ("\\", '"', "`", "$"):
        word = word.replace(character, "\\" + character)
    return '"' + word.replace("\\", "\\\\").replace("%", "%%") + '"'
