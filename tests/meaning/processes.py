"""Processes of the search's model that this process has started."""

from __future__ import annotations

from contextlib import suppress

import psutil

from toolnote_desktop.meaning.client import COMMAND


def models() -> list[psutil.Process]:
    """Return those that are running; one that is just ending is none."""
    found = []
    for child in psutil.Process().children():
        with suppress(psutil.Error):
            if COMMAND in child.cmdline():
                found.append(child)
    return found
