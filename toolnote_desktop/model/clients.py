"""Clients: ``clients.json`` (docs/contract.md 2). The id of a client is the name that its bridge sends or that its
token belongs to.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from msgspec.structs import replace

from toolnote_desktop.model.document import Document, Report, parse_entry, without_nulls
from toolnote_desktop.model.preferences import NO_PREFERENCES, PREFERENCES, Preferences, parse_preferences

Discovery = Literal["full", "search", "auto"]
"""List of all tools, search for them, or the one that suits the client (``guidance.discovery``)."""


class Client(Document, frozen=True):
    """MCP client that may connect. ``toolset`` None: the shared toolset; ``token_hash``: SHA-256 in hex."""

    secret_fields: ClassVar = frozenset({"token_hash"})

    name: str = ""
    token_hash: str | None = None
    toolset: str | None = None
    dialect: str | None = None
    """Name of the client's dialect; None: derived from its clientInfo."""
    schema_subset: bool = False
    """Reduce schemas to the subset that the dialect accepts (docs/contract.md 5: only if the user switched it on)."""
    era: Literal["handshake"] | None = None
    """``handshake`` keeps the client in that era, as it hears of no change in the modern one; None: its own choice."""
    without_instructions: tuple[str, ...] = ()
    """Servers whose own instructions this client is not sent."""
    toolset_chosen_by: str | None = None
    """``client`` if the client itself chose its toolset (or none: ``""``) with a built-in tool."""

    preferences: Preferences = NO_PREFERENCES
    """The user's preferences for this client, over those for all."""
    discovery: Discovery | None = None
    """None: connected before there was a choice; listed in full."""
    may_write_notes: bool = True
    """Serve the built-in tools that add, change and remove notes."""
    may_choose_toolset: bool = True
    """Serve the built-in tools that build, choose and delete toolsets, unless the user chose its toolset."""

    @property
    def toolset_assigned(self) -> bool:
        """True if the user chose the toolset: the client may not change it then (docs/contract.md 7)."""
        return bool(self.toolset) and self.toolset_chosen_by != "client"


def hash_token(token: str | bytes) -> str:
    """Return the hash of a client's token for ``clients.json``: SHA-256 in lower-case hex (docs/contract.md 2)."""
    return hashlib.sha256(token.encode("utf-8") if isinstance(token, str) else token).hexdigest()


def parse_clients(raw: Mapping[str, Any], report: Report) -> dict[str, Client]:
    """Parse ``clients.json`` into its usable entries."""
    entries = raw.get("clients")
    if entries is None:
        return {}
    if not isinstance(entries, dict):
        report("clients", "not an object")
        return {}
    clients = {client: _parse_client(entry, f"client {client}", report) for client, entry in entries.items()}
    return {client: entry for client, entry in clients.items() if entry is not None}


def _parse_client(raw: Any, place: str, report: Report) -> Client | None:
    if not isinstance(raw, dict) or raw.get(PREFERENCES) is None:
        return parse_entry(Client, without_nulls(raw), place, report)
    rest = {key: value for key, value in raw.items() if key != PREFERENCES}
    client = parse_entry(Client, without_nulls(rest), place, report)
    if client is None:
        return None
    return replace(client, preferences=parse_preferences(raw[PREFERENCES], f"{place} {PREFERENCES}", report))
