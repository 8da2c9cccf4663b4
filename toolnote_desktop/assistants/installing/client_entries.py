"""Entries of ``clients.json``: a client's toolset and the hash of its token, and the edits that change them."""

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
    raw_clients: JsonObject | None,
    client: str,
    name: str,
    toolset: str | None = None,
    *,
    token: str | None = None,
    is_connected: bool = True,
) -> tuple[Edit, ...]:
    """Return the edits for installing Toolnote in a client, with its own toolset if one is given.

    An existing entry keeps its values; ``toolset`` counts as assigned by the user (docs/contract.md 7). Only the hash
    of a new ``token`` is stored, and an earlier token becomes invalid.

    Args:
        client: its id.
        name: its name for users.
        is_connected: False where Toolnote was not in its file before: an entry without ``discovery`` then gets
            *Automatic* like a new one.
    """
    entry = entries_of(raw_clients, CLIENTS, CLIENT_ENTRIES).get(client, ABSENT)
    hashed = {"tokenHash": hash_token(token)} if token is not None else {}
    if entry is ABSENT:
        new = {"name": name, "toolset": toolset or None, "discovery": "auto", **hashed}
        return (AddEntry(CLIENTS, CLIENT_ENTRIES, client, new),)
    assigned = {"toolset": toolset, "toolsetChosenBy": ABSENT} if toolset else {}
    missing = {} if isinstance(entry, dict) and entry.get("name") else {"name": name}
    chosen = isinstance(entry, dict) and "discovery" in entry
    found = {} if is_connected or chosen else {"discovery": "auto"}
    fields = {**missing, **assigned, **found, **hashed}
    return (SetEntryFields(CLIENTS, CLIENT_ENTRIES, client, fields),) if fields else ()


def toolset_edits(raw_clients: JsonObject | None, client: str, name: str, toolset: str | None) -> tuple[Edit, ...]:
    """Return the edits that assign a client's toolset; None for the shared one."""
    entry = entries_of(raw_clients, CLIENTS, CLIENT_ENTRIES).get(client)
    if not isinstance(entry, dict):
        new = {"name": name, "toolset": toolset}
        return (AddEntry(CLIENTS, CLIENT_ENTRIES, client, new),) if toolset is not None else ()
    if entry.get("toolset") == toolset and "toolsetChosenBy" not in entry:
        return ()
    fields = {"toolset": toolset, "toolsetChosenBy": ABSENT}
    return (SetEntryFields(CLIENTS, CLIENT_ENTRIES, client, fields),)


def revoke_edits(raw_clients: JsonObject | None, client: str) -> tuple[Edit, ...]:
    """Return the edits that revoke a client's own token; none if it has none."""
    entry = entries_of(raw_clients, CLIENTS, CLIENT_ENTRIES).get(client)
    if not isinstance(entry, dict) or "tokenHash" not in entry:
        return ()
    return (SetEntryFields(CLIENTS, CLIENT_ENTRIES, client, {"tokenHash": ABSENT}),)


def forget_edits(raw_clients: JsonObject | None, client: str) -> tuple[Edit, ...]:
    """Return the edits that remove a client's entry and revoke its token."""
    entries = entries_of(raw_clients, CLIENTS, CLIENT_ENTRIES)
    return (RemoveEntry(CLIENTS, CLIENT_ENTRIES, client),) if client in entries else ()
