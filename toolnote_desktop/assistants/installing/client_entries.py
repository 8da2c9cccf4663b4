"""What ``clients.json`` has of a client: its toolset and the hash of its own token, and the edits that change them."""

from __future__ import annotations

from toolnote_desktop.model.clients import hash_token
from toolnote_desktop.model.edits import (
    ABSENT,
    CLIENT_ENTRIES,
    CLIENTS,
    AddEntry,
    Edit,
    RemoveEntry,
    SetEntryFields,
    entries_of,
)
from toolnote_desktop.model.json_text import JsonObject


def install_edits(
    raw_clients: JsonObject | None, client: str, name: str, toolset: str | None = None, *, token: str | None = None
) -> tuple[Edit, ...]:
    """What to submit when Toolnote goes into a client, with its own toolset if one is given.

    An entry that is there keeps what it has; a ``toolset`` given counts as assigned by the user (docs/contract.md 7). Of a new
    ``token`` only the hash is kept, and an earlier token is good for nothing from then on.

    Args:
        client: its id.
        name: what people call it.
    """
    entry = entries_of(raw_clients, CLIENTS, CLIENT_ENTRIES).get(client, ABSENT)
    hashed = {"tokenHash": hash_token(token)} if token is not None else {}
    if entry is ABSENT:
        return (AddEntry(CLIENTS, CLIENT_ENTRIES, client, {"name": name, "toolset": toolset or None, **hashed}),)
    assigned = {"toolset": toolset, "toolsetChosenBy": ABSENT} if toolset else {}
    missing = {} if isinstance(entry, dict) and entry.get("name") else {"name": name}
    fields = {**missing, **assigned, **hashed}
    return (SetEntryFields(CLIENTS, CLIENT_ENTRIES, client, fields),) if fields else ()


def toolset_edits(raw_clients: JsonObject | None, client: str, name: str, toolset: str | None) -> tuple[Edit, ...]:
    """What to submit for a client to be served another toolset; None: the shared one, whichever that is."""
    entry = entries_of(raw_clients, CLIENTS, CLIENT_ENTRIES).get(client)
    if not isinstance(entry, dict):
        return install_edits(raw_clients, client, name, toolset) if toolset is not None else ()
    if entry.get("toolset") == toolset and "toolsetChosenBy" not in entry:
        return ()
    fields = {"toolset": toolset, "toolsetChosenBy": ABSENT}
    return (SetEntryFields(CLIENTS, CLIENT_ENTRIES, client, fields),)


def revoke_edits(raw_clients: JsonObject | None, client: str) -> tuple[Edit, ...]:
    """What to submit for a client's own token to be good for nothing; nothing where it has none."""
    entry = entries_of(raw_clients, CLIENTS, CLIENT_ENTRIES).get(client)
    if not isinstance(entry, dict) or "tokenHash" not in entry:
        return ()
    return (SetEntryFields(CLIENTS, CLIENT_ENTRIES, client, {"tokenHash": ABSENT}),)


def forget_edits(raw_clients: JsonObject | None, client: str) -> tuple[Edit, ...]:
    """What to submit for a client that is gone: nothing is kept of it, and its token is good for nothing."""
    entries = entries_of(raw_clients, CLIENTS, CLIENT_ENTRIES)
    return (RemoveEntry(CLIENTS, CLIENT_ENTRIES, client),) if client in entries else ()
