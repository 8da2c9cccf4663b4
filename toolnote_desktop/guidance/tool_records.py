"""Metadata of all tools: built-in ones, then those of servers (docs/requirements.md 1)."""

from __future__ import annotations

from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.built_in_tools import built_in_records
from toolnote_desktop.model.tools.tool_records import ToolRecords


def all_records(snapshot: Snapshot) -> ToolRecords:
    """Return the records of built-in tools by category, then of servers in the order of ``servers.json``."""
    return ToolRecords([*built_in_records(snapshot.settings), *snapshot.catalogue.records])
