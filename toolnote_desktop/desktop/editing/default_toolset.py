"""Default toolset *My tools*, created at the first run, that collects the tools of new servers."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from toolnote_desktop.model.edits import SETTINGS, CreateDocument, SetFields, toolset_document
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.toolsets.toolset import Toolset
from toolnote_desktop.store.documents import new_toolset
from toolnote_desktop.store.library import Library, Submitted

MY_TOOLS: Final = "my-tools"


def is_first_run(snapshot: Snapshot) -> bool:
    """Return True if no toolset exists or is in use."""
    return not snapshot.toolsets and snapshot.settings.equipped_toolset is None


def make_my_tools(library: Library, title: str) -> Submitted:
    """Create *My tools* with ``title`` in the user's language and make it the default."""
    return library.submit(
        CreateDocument(toolset_document(MY_TOOLS), new_toolset(MY_TOOLS, title, now=datetime.now(UTC))),
        SetFields(SETTINGS, {"equippedToolset": MY_TOOLS}),
    )


def collecting_toolset(snapshot: Snapshot) -> Toolset | None:
    """Return the toolset that a new server's tools are added to: *My tools*, else the one in use."""
    return snapshot.toolsets.get(MY_TOOLS) or snapshot.shared_toolset
