"""A client's own token for the endpoint: for clients that connect to an address with headers (CONTRACT 5)."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field

from toolnote_desktop.assistants.client import KnownClient
from toolnote_desktop.model.edits import ABSENT, CLIENT_ENTRIES, CLIENTS, Edit, SetEntryFields, entries_of
from toolnote_desktop.model.jsontext import JsonObject

_BYTES = 32


@dataclass(frozen=True, slots=True)
class Direct:
    """Where a client reaches the endpoint by itself, and its own token."""

    url: str
    token: str = field(repr=False)


def new_token() -> str:
    """A token that nobody guesses."""
    return secrets.token_urlsafe(_BYTES)


def revoke_edits(raw_clients: JsonObject | None, client: KnownClient) -> tuple[Edit, ...]:
    """What to submit for a client's own token to be good for nothing; nothing where it has none."""
    entry = entries_of(raw_clients, CLIENTS, CLIENT_ENTRIES).get(client.id)
    if not isinstance(entry, dict) or "tokenHash" not in entry:
        return ()
    return (SetEntryFields(CLIENTS, CLIENT_ENTRIES, client.id, {"tokenHash": ABSENT}),)
