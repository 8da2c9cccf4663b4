"""What a person wants of one client, and everything that has to be done for it: in its file and in ``clients.json``.

``look_at`` says how things stand in a file, ``prepare`` makes the plan, which can be shown; nothing is written here.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any, ClassVar

from msgspec import Struct

from toolnote_desktop.assistants.config_file import UnreadableConfigError, decode, read_bytes
from toolnote_desktop.assistants.discovery import all_server_entries
from toolnote_desktop.assistants.formats.base import FormatError
from toolnote_desktop.assistants.installing.client_entries import install_edits, revoke_edits
from toolnote_desktop.assistants.installing.client_tokens import Direct, direct_in, new_token
from toolnote_desktop.assistants.installing.plan import Plan, plan_install, plan_uninstall, records_of
from toolnote_desktop.assistants.installing.switch_servers import provided_twice
from toolnote_desktop.assistants.known_client import KnownClient
from toolnote_desktop.assistants.own_entry import ToolnoteIdentity, is_own
from toolnote_desktop.model.clients import token_hash
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
        token_counts: whether the token in the file is the client's.
        twice: its own servers that Toolnote provides too and that are on there.
        off: its own servers that are off there for us.
    """

    connected: bool = False
    direct: Direct | None = None
    token_counts: bool = False
    twice: tuple[str, ...] = ()
    off: tuple[str, ...] = ()


class ConnectOptions(Struct, frozen=True):
    """What a person wants.

    Attributes:
        by_address: an address and a token instead of the bridge; for clients that have ``by_url``.
        off: the client's own servers that are to be off there.
        toolset: one of its own; None leaves what it has.
    """

    deed: ConnectAction = ConnectAction.CONNECT
    by_address: bool = False
    off: frozenset[str] = frozenset()
    toolset: str | None = None


class Documents(SecretStruct, frozen=True):
    """What our own documents say, raw."""

    secret_fields: ClassVar = frozenset({"clients", "servers"})

    clients: JsonObject | None
    servers: JsonObject | None

    @property
    def server_entries(self) -> Mapping[str, Any]:
        """The raw ``mcpServers``."""
        entries = (self.servers or {}).get(SERVER_ENTRIES)
        return entries if isinstance(entries, dict) else {}


class Prepared(SecretStruct, frozen=True):
    """What to carry out: ``plan`` first; where that fails nothing has changed. Then submit ``edits``."""

    secret_fields: ClassVar = frozenset({"edits"})

    plan: Plan
    edits: tuple[Edit, ...]


def look_at(
    client: KnownClient, file: Path, home: Home, ourselves: ToolnoteIdentity, documents: Documents
) -> InstallState:
    """How a client's file stands to us. A file that cannot be read counts as not connected; planning says why."""
    off = tuple(records_of(client, home).switched_off(file))
    twice = provided_twice(client, file, documents.server_entries, ourselves)
    entry = _own_entry(client, file, ourselves)
    if entry is None:
        return InstallState(twice=twice, off=off)
    direct = direct_in(entry)
    counts = direct is not None and secrets.compare_digest(token_hash(direct.token), _hash_of(client.id, documents))
    return InstallState(True, direct, counts, twice, off)


def prepare(
    client: KnownClient,
    file: Path,
    home: Home,
    ourselves: ToolnoteIdentity,
    documents: Documents,
    url: str,
    wish: ConnectOptions,
    now: InstallState | None = None,
) -> Prepared:
    """Everything that a wish takes.

    Args:
        url: where the endpoint answers.
        now: what :func:`look_at` has just said; None: look.

    Raises:
        ToolnoteError: as ``installing.plan_install`` and ``plan_uninstall``.
    """
    if wish.deed is ConnectAction.REMOVE:
        return Prepared(plan_uninstall(client, file, home, ourselves), revoke_edits(documents.clients, client.id))
    now = now or look_at(client, file, home, ourselves, documents)
    direct = _direct(now, url, renew=wish.deed is ConnectAction.RENEW) if wish.by_address else None
    plan = plan_install(
        client,
        file,
        home,
        ourselves,
        direct=direct,
        switch_off=[server for server in now.twice if server in wish.off],
        switch_on=[server for server in now.off if server not in wish.off],
        replace_edited=wish.deed is not ConnectAction.CONNECT,
    )
    is_new = direct is not None and not (
        now.token_counts and now.direct is not None and direct.token == now.direct.token
    )
    token = direct.token if direct is not None and is_new else None
    edits = install_edits(documents.clients, client.id, client.name, wish.toolset, token=token)
    if direct is None:
        edits = (*edits, *revoke_edits(documents.clients, client.id))
    return Prepared(plan, edits)


def _direct(now: InstallState, url: str, *, renew: bool) -> Direct:
    if now.direct is not None and now.token_counts and not renew:
        return Direct(url, now.direct.token)
    return Direct(url, new_token())


def _hash_of(client: str, documents: Documents) -> str:
    entries = (documents.clients or {}).get(CLIENT_ENTRIES)
    entry = entries.get(client) if isinstance(entries, dict) else None
    hashed = entry.get("tokenHash") if isinstance(entry, dict) else None
    return hashed if isinstance(hashed, str) and hashed.isascii() else ""


def _own_entry(client: KnownClient, file: Path, ourselves: ToolnoteIdentity) -> Any:
    """The first entry of ours in a file; None where there is none."""
    try:
        data = read_bytes(file)
        value = client.format.value(decode(data).text) if data is not None else None
    except (UnreadableConfigError, FormatError):
        return None
    entries = (item for _, held in all_server_entries(client, value) for item in held.items())
    return next((entry for name, entry in entries if is_own(name, entry, ourselves)), None)
