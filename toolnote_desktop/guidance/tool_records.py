"""The metadata of every tool that there is: Toolnote's own, then those of servers (docs/requirements.md 1)."""

from __future__ import annotations

from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.built_in_tools import built_in_records
from toolnote_desktop.model.tools.tool_records import ToolRecords


def all_records(snapshot: Snapshot) -> ToolRecords:
    """Built-in tools first, each category after the other, then servers in the order of ``servers.json``."""
    return ToolRecords([*built_in_records(snapshot.settings), *snapshot.catalogue.records])
