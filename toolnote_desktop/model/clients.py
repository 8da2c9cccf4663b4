"""Clients: ``clients.json`` (docs/contract.md 2). A client's id is the name its bridge gives or its token belongs to."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, ClassVar

from toolnote_desktop.model.document import Document, Report, parse_entry, without_nulls


class Client(Document, frozen=True):
    """One MCP client that may connect. ``toolset`` None means the shared one; ``token_hash`` is SHA-256 in hex."""

    secret_fields: ClassVar = frozenset({"token_hash"})

    name: str = ""
    token_hash: str | None = None
    toolset: str | None = None
    dialect: str | None = None
    """The name of its dialect; None: what its clientInfo says."""
    schema_subset: bool = False
    """Whether schemas are brought down to what its dialect takes (docs/contract.md 5: only where the user switched it on)."""
    toolset_chosen_by: str | None = None
    """``client`` where the client itself chose its toolset (or none: ``""``) with a built-in tool."""

    @property
    def toolset_assigned(self) -> bool:
        """Whether the user chose the toolset: then the client may not change it (docs/contract.md 7)."""
        return bool(self.toolset) and self.toolset_chosen_by != "client"


def token_hash(token: str | bytes) -> str:
    """What ``clients.json`` keeps of a client's own token: SHA-256 in lower-case hex (docs/contract.md 2)."""
    return hashlib.sha256(token.encode("utf-8") if isinstance(token, str) else token).hexdigest()


def parse_clients(raw: Mapping[str, Any], report: Report) -> dict[str, Client]:
    """The usable entries of ``clients.json``."""
    entries = raw.get("clients")
    if entries is None:
        return {}
    if not isinstance(entries, dict):
        report("clients", "not an object")
        return {}
    clients = {
        client: parse_entry(Client, without_nulls(entry), f"client {client}", report)
        for client, entry in entries.items()
    }
    return {client: entry for client, entry in clients.items() if entry is not None}
