"""Commands that start Toolnote, for clients' files, autostart records and demo entries."""

from __future__ import annotations

import os
import sys
from pathlib import Path

CONSOLE_PROGRAM = "toolnote"
WINDOW_PROGRAM = "toolnote-desktop"


def toolnote_command() -> list[str]:
    """Return the console program, to which a subcommand can be appended.

    Frozen: the console executable of the bundle (of an AppImage: the image itself, which is mounted elsewhere at each
    start). Installed: the script beside this Python, else this Python with ``-m``.
    """
    return _command(CONSOLE_PROGRAM)


def window_command() -> list[str]:
    """Return the program that opens the window, on Windows without a console."""
    return _command(WINDOW_PROGRAM)


def _command(name: str) -> list[str]:
    suffix = ".exe" if sys.platform == "win32" else ""
    if getattr(sys, "frozen", False):
        if image := os.environ.get("APPIMAGE"):
            return [image]
        beside = Path(sys.executable).with_name(name + suffix)
        return [str(beside if beside.exists() else Path(sys.executable))]
    script = Path(sys.executable).with_name(name + suffix)  # not resolved: a venv's python is a link to another folder
    if script.exists():
        return [str(script)]
    return [sys.executable, "-m", "toolnote_desktop"]


def is_toolnote_command(command: str, arguments: tuple[str, ...]) -> bool:
    """Return True if a server's entry starts Toolnote itself as a server (case C51): the bridge, serve, or the window.

    Also through another program (``env``, ``uvx``, ``cmd /c``), and as a module of any Python. ``toolnote demo-server
    NAME`` is an ordinary server, and a folder named toolnote is a folder.
    """
    own = toolnote_command()
    if _is_own_name(command) or (len(own) == 1 and os.path.realpath(command) == os.path.realpath(own[0])):
        return "demo-server" not in arguments
    for at, word in enumerate(arguments):
        following = arguments[at + 1 : at + 2]
        if _is_own_name(word) and following in _SERVING:
            return True
        if word == "-m" and following == ("toolnote_desktop",):
            return "demo-server" not in arguments
    return False


_SERVING = (("bridge",), ("serve",), ("gui",))


def _is_own_name(word: str) -> bool:
    name = os.path.basename(word.replace("\\", "/")).lower().removesuffix(".exe")
    return name in (CONSOLE_PROGRAM, WINDOW_PROGRAM)
