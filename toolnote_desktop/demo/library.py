"""Demo library: entries for ``servers.json`` and a toolset with notes, added by ``--demo`` (docs/contract.md 4)."""

from __future__ import annotations

import json
from typing import Any

from toolnote_desktop import assets
from toolnote_desktop.demo import NAMES
from toolnote_desktop.model.edits import (
    SERVER_ENTRIES,
    SERVERS,
    SETTINGS,
    AddEntry,
    CreateDocument,
    Edit,
    SetFields,
    toolset_document,
)
from toolnote_desktop.store.library import Library
from toolnote_desktop.system.program import toolnote_command


def demo_servers(command: list[str]) -> dict[str, dict[str, Any]]:
    """Return entries for ``mcpServers``, by server id. ``command`` runs the console program ``toolnote``."""
    program, *arguments = command
    return {name: {"type": "stdio", "command": program, "args": [*arguments, "demo-server", name]} for name in NAMES}


def demo_toolset() -> dict[str, Any]:
    """Return the toolset document ``demo``: all tools of both servers, and notes on two of them."""
    document: dict[str, Any] = json.loads(assets.path("demo/library.json").read_text(encoding="utf-8"))
    return document


def add_demo(library: Library) -> str:
    """Add the missing demo servers and the demo toolset, and use it unless another toolset is in use.

    Returns:
        Name of the toolset.
    """
    snapshot = library.snapshot
    toolset = demo_toolset()
    name: str = toolset["name"]
    edits: list[Edit] = [
        AddEntry(SERVERS, SERVER_ENTRIES, server, entry)
        for server, entry in demo_servers(toolnote_command()).items()
        if server not in snapshot.servers
    ]
    if name not in snapshot.toolsets:
        edits.append(CreateDocument(toolset_document(name), toolset))
    if snapshot.settings.equipped_toolset is None:
        edits.append(SetFields(SETTINGS, {"equippedToolset": name}))
    library.submit(*edits)
    return name
