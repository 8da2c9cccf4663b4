"""Snapshot: the complete state at one moment, frozen, so that threads share it without locks (docs/architecture.md)."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from toolnote_desktop.model.clients import Client, LostClients
from toolnote_desktop.model.edits import CATALOG, CLIENTS, SERVERS, SETTINGS, TOOLS, DocumentId
from toolnote_desktop.model.problem import Problem
from toolnote_desktop.model.servers import Server
from toolnote_desktop.model.settings import Settings
from toolnote_desktop.model.tools.built_in_tools import built_in_records
from toolnote_desktop.model.tools.catalogue import Catalogue, KnownTool
from toolnote_desktop.model.tools.tool_records import ToolRecord, ToolRecords
from toolnote_desktop.model.toolsets.notes import EverywhereNotes
from toolnote_desktop.model.toolsets.tool_settings import NO_TOOL_SETTINGS, ToolSettingsIndex
from toolnote_desktop.model.toolsets.toolset import NOTHING_SET, ToolEntry, Toolset


class Snapshot(Struct, frozen=True):
    """Parsed documents and the catalogue.

    Attributes:
        revision: incremented with each new snapshot of a library.
        problems: faults of the documents (entries left out, files set aside).
        servers_lost: which changes the user wanted held is not known.
        catalogue_lost: what the user accepted is not known for the tools that no server has listed since.
    """

    revision: int = 0
    servers: Mapping[str, Server] = field(default_factory=dict)
    toolsets: Mapping[str, Toolset] = field(default_factory=dict)
    settings: Settings = field(default_factory=Settings)
    clients: Mapping[str, Client] = field(default_factory=dict)
    notes: EverywhereNotes = field(default_factory=EverywhereNotes)
    tool_settings: ToolSettingsIndex = NO_TOOL_SETTINGS
    catalogue: Catalogue = field(default_factory=Catalogue)
    problems: tuple[Problem, ...] = ()
    catalogue_lost: bool = False
    servers_lost: bool = False

    @property
    def tool_records(self) -> ToolRecords:
        """Metadata of built-in tools by category, then of servers' tools in the order of ``servers.json``.

        The category of a server's tool is the user's, else its server; one that is always on cannot be disabled.
        """
        return ToolRecords([*built_in_records(self.settings), *map(self._with_settings, self.catalogue.records)])

    def _with_settings(self, record: ToolRecord) -> ToolRecord:
        settings = self.tool_settings.by_name.get(record.id)
        if settings is None:
            return record
        category = (settings.category or "").strip() or record.category
        return replace(record, category=category, always_enabled=settings.pinned, instructions=settings.instructions)

    @property
    def lost_rules(self) -> tuple[DocumentId, ...]:
        """Documents that could not be read and had no backup, and whose rules are not known (docs/contract.md 2)."""
        lost = (
            (TOOLS, self.tool_settings.rules_lost),
            (CLIENTS, isinstance(self.clients, LostClients)),
            (SERVERS, self.servers_lost),
            (SETTINGS, self.settings.rules_lost),
            (CATALOG, self.catalogue_lost),
        )
        return tuple(document for document, is_lost in lost if is_lost)

    @property
    def shared_toolset(self) -> Toolset | None:
        """Toolset of all clients that have none of their own."""
        name = self.settings.equipped_toolset
        return self.toolsets.get(name) if name is not None else None

    def toolset_of(self, client: str | None) -> Toolset | None:
        """Return the toolset that a client is served: its own, else the shared one; None for none."""
        known = self.clients.get(client) if client is not None else None
        if known is None or known.toolset is None:
            return self.shared_toolset
        return self.toolsets.get(known.toolset)

    def effective_entry(self, known: KnownTool, entry: ToolEntry = NOTHING_SET) -> ToolEntry:
        """Return a toolset's entry for a tool merged with the tool's settings for every toolset (docs/contract.md 2).

        The same object for the same tool settings and entry.
        """
        return self.tool_settings.effective_entry(self.catalogue, known, entry)
