"""Option ``--demo`` of ``gui`` and ``serve``: adding the demo library to a home (docs/contract.md 4)."""

from __future__ import annotations

from toolnote_desktop.demo.library import demo_servers, demo_toolset
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
