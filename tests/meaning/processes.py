"""Processes of the search's model that this process has started."""

from __future__ import annotations

import psutil

from toolnote_desktop.meaning.client import COMMAND


def models() -> list[psutil.Process]:
    """Return those that are running."""
    return [child for child in psutil.Process().children() if COMMAND in child.cmdline()]
