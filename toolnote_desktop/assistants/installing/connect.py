"""What a person wants of one client, and everything that has to be done for it: in its file and in ``clients.json``.

``inspect_installation`` says how things stand in a file, ``prepare_change`` makes the plan, which can be shown; nothing is written here.
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
    """What is to be done."""

    CONNECT = "connect"
    """Toolnote into the file, or what is there brought up to date."""
    RENEW = "renew"
    """The same with a new token; the old one is good for nothing then."""
    REPLACE = "replace"
    """The same, also where somebody changed our entry."""
    REMOVE = "remove"
    """Out of the file, and the token with it."""


class InstallState(Struct, frozen=True):
    """How a client's file stands to us now.

    Attributes:
        direct: the address and token in our entry; None for the bridge, or where there is no entry.
        token_is_valid: whether the token in the file is the client's.
        duplicates: its own servers that Toolnote provides too and that are on there.
        off: its own servers that are off there for us.
    """

    connected: bool = False
    direct: DirectAccess | None = None
    token_is_valid: bool = False
    duplicates: tuple[str, ...] = ()
    off: tuple[str, ...] = ()


class ConnectOptions(Struct, frozen=True):
    """What a person wants.

    Attributes:
        by_address: an address and a token instead of the bridge; for clients that have ``by_url``.
        off: the client's own servers that are to be off there.
        toolset: one of its own; None leaves what it has.
    """

    action: ConnectAction = ConnectAction.CONNECT
    by_address: bool = False
    off: frozenset[str] = frozenset()
    toolset: str | None = None


class RawDocuments(SecretStruct, frozen=True):
    """What our own documents say, raw."""

    secret_fields: ClassVar = frozenset({"clients", "servers"})

    clients: JsonObject | None
    servers: JsonObject | None

    @property
    def server_entries(self) -> Mapping[str, Any]:
        """The raw ``mcpServers``."""
        entries = (self.servers or {}).get(SERVER_ENTRIES)
        return entries if isinstance(entries, dict) else {}


class PreparedChange(SecretStruct, frozen=True):
    """What to carry out: ``plan`` first; where that fails nothing has changed. Then submit ``edits``."""

    secret_fields: ClassVar = frozenset({"edits"})

    plan: Plan
    edits: tuple[Edit, ...]


def inspect_installation(
    client: KnownClient, file: Path, home: Home, identity: ToolnoteIdentity, documents: RawDocuments
) -> InstallState:
    """How a client's file stands to us. A file that cannot be read counts as not connected; planning says why."""
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
    """Everything that a options takes.

    Args:
        url: where the endpoint answers.
        now: what :func:`inspect_installation` has just said; None: look.

    Raises:
        ToolnoteError: as ``installing.plan_install`` and ``plan_uninstall``.
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
    edits = install_edits(documents.clients, client.id, client.name, options.toolset, token=token)
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
    """The first entry of ours in a file; None where there is none."""
    try:
        data = read_bytes(file)
        value = client.format.value(decode(data).text) if data is not None else None
    except (UnreadableConfigError, FormatError):
        return None
    entries = (item for _, held in server_entries(client, value) for item in held.items())
    return next((entry for name, entry in entries if is_own(name, entry, identity)), None)
