"""Connection of a client as the user wishes it: changes of its file and of ``clients.json``.

``inspect_installation`` reads a file's state, ``prepare_change`` makes a plan to show; neither writes anything.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any, ClassVar

from msgspec import Struct

from toolnote_desktop.assistants.config_file import UnreadableConfigError, decode, read_bytes
from toolnote_desktop.assistants.discovery import server_entries
from toolnote_desktop.assistants.formats.base import FormatError
from toolnote_desktop.assistants.installing.client_entries import install_edits, revoke_edits
from toolnote_desktop.assistants.installing.client_tokens import DirectAccess, new_token, read_direct_access
from toolnote_desktop.assistants.installing.plan import (
    InstallOptions,
    Plan,
    install_log_of,
    plan_install,
    plan_uninstall,
)
from toolnote_desktop.assistants.installing.switch_servers import duplicate_servers
from toolnote_desktop.assistants.known_client import KnownClient
from toolnote_desktop.assistants.toolnote_entry import ToolnoteIdentity, is_own
from toolnote_desktop.model.clients import hash_token
from toolnote_desktop.model.edits import CLIENT_ENTRIES, SERVER_ENTRIES, Edit
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.secrets.secret_repr import SecretStruct
from toolnote_desktop.paths import Home


class ConnectAction(StrEnum):
    """Action on a client's file."""

    CONNECT = "connect"
    """Install Toolnote, or update its entry."""
    RENEW = "renew"
    """Update with a new token; the old one becomes invalid."""
    REPLACE = "replace"
    """Update, even if Toolnote's entry was edited."""
    REMOVE = "remove"
    """Remove Toolnote from the file, and revoke the token."""


class InstallState(Struct, frozen=True):
    """State of a client's file.

    Attributes:
        direct: address and token in Toolnote's entry; None for the bridge, or without an entry.
        token_is_valid: True if the token in the file is the client's current one.
        duplicates: the client's own servers that Toolnote also provides and that are on there.
        off: the client's own servers that are switched off there for Toolnote.
    """

    connected: bool = False
    direct: DirectAccess | None = None
    token_is_valid: bool = False
    duplicates: tuple[str, ...] = ()
    off: tuple[str, ...] = ()


class ConnectOptions(Struct, frozen=True):
    """Choices of the user.

    Attributes:
        by_address: True for an address and a token instead of the bridge; for clients that have ``by_url``.
        off: the client's own servers to switch off there.
        toolset: a toolset of its own; None keeps the current one.
    """

    action: ConnectAction = ConnectAction.CONNECT
    by_address: bool = False
    off: frozenset[str] = frozenset()
    toolset: str | None = None


class RawDocuments(SecretStruct, frozen=True):
    """Raw documents that a connection depends on."""

    secret_fields: ClassVar = frozenset({"clients", "servers"})

    clients: JsonObject | None
    servers: JsonObject | None

    @property
    def server_entries(self) -> Mapping[str, Any]:
        """Raw ``mcpServers``."""
        entries = (self.servers or {}).get(SERVER_ENTRIES)
        return entries if isinstance(entries, dict) else {}


class PreparedChange(SecretStruct, frozen=True):
    """Change to carry out: ``plan`` first, and submit ``edits`` only if it succeeds."""

    secret_fields: ClassVar = frozenset({"edits"})

    plan: Plan
    edits: tuple[Edit, ...]


def inspect_installation(
    client: KnownClient, file: Path, home: Home, identity: ToolnoteIdentity, documents: RawDocuments
) -> InstallState:
    """Return the state of a client's file; an unreadable one counts as not connected, planning reports it."""
    off = tuple(install_log_of(client, home).switched_off(file))
    duplicates = duplicate_servers(client, file, documents.server_entries, identity)
    entry = _own_entry(client, file, identity)
    if entry is None:
        return InstallState(duplicates=duplicates, off=off)
    direct = read_direct_access(entry)
    counts = direct is not None and secrets.compare_digest(hash_token(direct.token), _hash_of(client.id, documents))
    return InstallState(True, direct, counts, duplicates, off)


def prepare_change(
    client: KnownClient,
    file: Path,
    home: Home,
    identity: ToolnoteIdentity,
    documents: RawDocuments,
    url: str,
    options: ConnectOptions,
    now: InstallState | None = None,
) -> PreparedChange:
    """Prepare a change.

    Args:
        url: address of the endpoint.
        now: a recent result of :func:`inspect_installation`; None to call it.

    Raises:
        ToolnoteError: as ``plan.plan_install`` and ``plan.plan_uninstall``.
    """
    if options.action is ConnectAction.REMOVE:
        return PreparedChange(plan_uninstall(client, file, home, identity), revoke_edits(documents.clients, client.id))
    now = now or inspect_installation(client, file, home, identity, documents)
    direct = _direct(now, url, renew=options.action is ConnectAction.RENEW) if options.by_address else None
    plan = plan_install(
        client,
        file,
        home,
        identity,
        InstallOptions(
            direct=direct,
            switch_off=[server for server in now.duplicates if server in options.off],
            switch_on=[server for server in now.off if server not in options.off],
            replace_edited=options.action is not ConnectAction.CONNECT,
        ),
    )
    is_new = direct is not None and not (
        now.token_is_valid and now.direct is not None and direct.token == now.direct.token
    )
    token = direct.token if direct is not None and is_new else None
    edits = install_edits(
        documents.clients, client.id, client.name, options.toolset, token=token, is_connected=now.connected
    )
    if direct is None:
        edits = (*edits, *revoke_edits(documents.clients, client.id))
    return PreparedChange(plan, edits)


def _direct(now: InstallState, url: str, *, renew: bool) -> DirectAccess:
    if now.direct is not None and now.token_is_valid and not renew:
        return DirectAccess(url, now.direct.token)
    return DirectAccess(url, new_token())


def _hash_of(client: str, documents: RawDocuments) -> str:
    entries = (documents.clients or {}).get(CLIENT_ENTRIES)
    entry = entries.get(client) if isinstance(entries, dict) else None
    hashed = entry.get("tokenHash") if isinstance(entry, dict) else None
    return hashed if isinstance(hashed, str) and hashed.isascii() else ""


def _own_entry(client: KnownClient, file: Path, identity: ToolnoteIdentity) -> Any:
    """Return Toolnote's first entry in a file; None without one."""
    try:
        data = read_bytes(file)
        value = client.format.value(decode(data).text) if data is not None else None
    except (UnreadableConfigError, FormatError):
        return None
    entries = (item for _, held in server_entries(client, value) for item in held.items())
    return next((entry for name, entry in entries if is_own(name, entry, identity)), None)
