"""Long-running programs: the window and ``serve``. The bridge starts without the parser."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from toolnote_desktop import gc_policy
from toolnote_desktop.commands import Command
from toolnote_desktop.paths import Home


def gui(arguments: argparse.Namespace, home: Home) -> int:
    """Open the desktop app; without a display, serve without a window and report it."""
    if no_display():
        if arguments.quit:
            from toolnote_desktop.commands.output import print_note

            print_note("no display, so no window runs here; end `toolnote serve` with Ctrl+C or SIGTERM")
            return 1
        if arguments.target is not None:
            from toolnote_desktop.commands.output import print_note

            print_note("no display to show a link or file; use `toolnote toolset import FILE` to import a file")
            return 1
        print("toolnote: no display for a window: serving without one", file=sys.stderr, flush=True)
        from toolnote_desktop import serve as headless

        return headless.run(home, port=None, toolset=None, demo=arguments.demo)
    gc_policy.pause()
    try:
        import toolnote_desktop.desktop  # noqa: F401 - before Qt: see there
        from toolnote_desktop import app

        return app.run(
            home,
            background=arguments.background,
            demo=arguments.demo,
            quit_running=arguments.quit,
            safe=arguments.safe,
            target=_absolute(arguments.target),
        )
    finally:
        gc_policy.resume()  # also where the start has failed


def serve(arguments: argparse.Namespace, home: Home) -> int:
    """Serve until interrupted."""
    from toolnote_desktop import serve as headless

    return headless.run(home, port=arguments.port, toolset=arguments.toolset, demo=arguments.demo)


def no_display() -> bool:
    """Return True if windows need a display server here and there is none."""
    if sys.platform in ("win32", "darwin") or os.environ.get("QT_QPA_PLATFORM"):
        return False
    return not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _absolute(target: str | None) -> str | None:
    """Return a file's absolute path: the app that opens it may run in another folder."""
    if target is None or "://" in target:
        return target
    return str(Path(target).absolute())


RUN: Final[Mapping[str, Command]] = {
    "gui": gui,
    "serve": serve,
}
