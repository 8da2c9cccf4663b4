"""What this Toolnote looks like from outside: so that it is never one of its own servers (case C51)."""

from __future__ import annotations

from toolnote_desktop.assistants.toolnote_entry import ToolnoteIdentity
from toolnote_desktop.bridge.app_discovery import read_endpoint
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.paths import DEFAULT_PORT, Home
from toolnote_desktop.system.program import toolnote_command


def ourselves(home: Home, snapshot: Snapshot) -> ToolnoteIdentity:
    """Our command, and the ports at which our endpoint answers, or would."""
    ports = {DEFAULT_PORT}
    if snapshot.settings.port:
        ports.add(snapshot.settings.port)
    running = read_endpoint(home)
    if running is not None:
        ports.add(running.port)
    return ToolnoteIdentity(ports=frozenset(ports), command=tuple(toolnote_command()))
