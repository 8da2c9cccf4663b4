"""Clients: ``clients.json`` (docs/contract.md 2). The id of a client is the name that its bridge sends or that its
token belongs to.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Final, Literal

from msgspec import Meta
from msgspec.structs import replace

from toolnote_desktop.model.document import Document, InvalidEntryError, Report, is_empty, without_nulls
from toolnote_desktop.model.edits import RULES_LOST
from toolnote_desktop.model.names import VALID_UNICODE
from toolnote_desktop.model.preferences import NO_PREFERENCES, PREFERENCES, Preferences, parse_preferences

Discovery = Literal["full", "search", "auto"]
"""List of all tools, search for them, or the one that suits the client (``guidance.discovery``)."""


class Client(Document, frozen=True):
    """MCP client that may connect. ``toolset`` None: the shared toolset; ``token_hash``: SHA-256 in hex."""

    secret_fields: ClassVar = frozenset({"token_hash"})

    name: str = ""
    token_hash: Annotated[str, Meta(pattern=VALID_UNICODE)] | None = None
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


class LostClients(dict[str, Client]):
    """Clients while the rules for them are lost: one without an entry has no toolset and may change nothing."""

    def get(self, key: str, default: Any = None) -> Any:
        return super().get(key, _CLOSED if key else default)


def hash_token(token: str | bytes) -> str:
    """Return the hash of a client's token for ``clients.json``: SHA-256 in lower-case hex (docs/contract.md 2)."""
    return hashlib.sha256(token.encode("utf-8") if isinstance(token, str) else token).hexdigest()


def parse_clients(raw: Mapping[str, Any], report: Report) -> dict[str, Client]:
    """Parse ``clients.json`` into its usable entries.

    An unusable value costs no other of its entry, and never widens what the client is served: it would else have the
    shared toolset where the user gave it another. What is withheld stays so, and a toolset that is no text is none.
    """
    entries = raw.get("clients")
    if entries is not None and not isinstance(entries, dict):
        report("clients", "not an object")
    known = entries.items() if isinstance(entries, dict) else ()
    clients = {client: _parse_client(entry, f"client {client}", report) for client, entry in known}
    usable = {client: entry for client, entry in clients.items() if entry is not None}
    return LostClients(usable) if is_lost(raw) else usable


def is_lost(raw: Mapping[str, Any]) -> bool:
    """Return True if a document's rules are lost (``RULES_LOST``)."""
    return not is_empty(raw.get(RULES_LOST)) and raw[RULES_LOST] is not False


_CLOSED: Final = Client(toolset="", may_write_notes=False, may_choose_toolset=False)

_WITHHELD: Final = ("mayWriteNotes", "mayChooseToolset")
_NO_TOOLSET: Final = "?"
"""No toolset can have this name."""


def _parse_client(raw: Any, place: str, report: Report) -> Client | None:
    if not isinstance(raw, dict):
        report(place, "not an object")
        return None if is_empty(raw) else _CLOSED
    fields: dict[str, Any] = without_nulls(raw)
    preferences = fields.pop(PREFERENCES, None)
    while True:
        try:
            client = Client.read(fields)
            break
        except InvalidEntryError as error:
            path, _, reason = str(error).partition(": ")
            field = path.partition(".")[0]
            report(f"{place} {path}", f"{reason}; withheld" if field in _WITHHELD else reason)
            usable = _usable(field, fields.pop(field))
            if usable is not None:
                fields[field] = usable
    if preferences is None:
        return client
    return replace(client, preferences=parse_preferences(preferences, f"{place} {PREFERENCES}", report))


def _usable(field: str, value: Any) -> Any:
    """Return what an unusable value of a client counts as; None for its default."""
    if field in _WITHHELD:
        return False
    if field == "toolset":
        return _NO_TOOLSET
    if field == "withoutInstructions" and isinstance(value, list):
        return [one for one in value if isinstance(one, str)]
    return None
