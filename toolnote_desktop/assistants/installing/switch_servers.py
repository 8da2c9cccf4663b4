"""A client's own servers that Toolnote also provides: switched off while Toolnote is installed, and restored.

If the client's entries have a flag for it, the flag is set; else the entry is removed and saved. The former state is
saved, and restored unless it was changed since.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from toolnote_desktop.assistants.config_file import UnreadableConfigError, decode, read_bytes
from toolnote_desktop.assistants.entry_parser import read_entry
from toolnote_desktop.assistants.known_client import KnownClient
from toolnote_desktop.assistants.same_server import is_covered
from toolnote_desktop.assistants.toolnote_entry import ToolnoteIdentity, is_own
from toolnote_desktop.model.json_text import JsonObject

SavedServers = Mapping[str, JsonObject]
"""Former states by server name: ``entry`` for a removed entry; else ``flag``, the flag's value if it had one."""

NO_SAVED_SERVERS: Final[SavedServers] = {}


def duplicate_servers(
    client: KnownClient, file: Path, existing: Mapping[str, Any], identity: ToolnoteIdentity
) -> tuple[str, ...]:
    """Return the running servers of a client's file that are in the library too.

    Args:
        existing: raw ``mcpServers`` of ``servers.json``.
    """
    try:
        data = read_bytes(file)
        root = client.format.parse(decode(data).text, client.servers_at).root if data is not None else None
    except UnreadableConfigError:
        return ()  # reported by planning
    node = root.at(client.servers_at) if root is not None else None
    here = {key: entry for key, entry in existing.items() if isinstance(entry, dict) and not entry.get("disabled")}
    duplicates = []
    for member in node.members if node is not None else ():
        entry = (
            None
            if is_own(member.key, member.node.value, identity)
            else read_entry(member.key, member.node, client.conventions)[0]
        )
        if entry is None or entry.get("disabled"):
            continue
        if any(is_covered(entry, by=other, secrets_moved=key == member.key) for key, other in here.items()):
            duplicates.append(member.key)
    return tuple(dict.fromkeys(duplicates))


def switch_off_servers(client: KnownClient, text: str, names: Collection[str]) -> tuple[str, SavedServers]:
    """Return the text with servers switched off, and their former states; unknown names are skipped.

    Raises:
        FormatError: the text cannot be changed exactly.
    """
    saved: dict[str, JsonObject] = {}
    for name in names:
        entry = _entries(client, text).get(name)
        if not isinstance(entry, dict):
            continue
        if client.switch is None:
            saved[name] = {"entry": entry}
            text = _without(client, text, client.servers_at, name)
        elif entry.get(client.switch.key) is not client.switch.off:
            saved[name] = {"flag": entry[client.switch.key]} if client.switch.key in entry else {}
            path = [*client.servers_at, name, client.switch.key]
            text = client.format.with_member(text, path, client.switch.off)
    return text, saved


def restore_servers(client: KnownClient, text: str, saved: SavedServers) -> str:
    """Return the text with servers as they were; servers that were changed since are left alone.

    Raises:
        FormatError: the text cannot be changed exactly.
    """
    for name, was in saved.items():
        entries = _entries(client, text)
        entry, switch = entries.get(name), client.switch
        if "entry" in was:
            if name not in entries:
                text = client.format.with_member(text, [*client.servers_at, name], was["entry"])
        elif switch is not None and isinstance(entry, dict) and entry.get(switch.key) is switch.off:
            if "flag" in was:
                text = client.format.with_member(text, [*client.servers_at, name, switch.key], was["flag"])
            else:
                text = _without(client, text, [*client.servers_at, name], switch.key)
    return text


def _entries(client: KnownClient, text: str) -> Mapping[str, Any]:
    value = client.format.value(text)
    for key in client.servers_at:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def _without(client: KnownClient, text: str, path: Sequence[str], key: str) -> str:
    return client.format.without_members(text, path, lambda name, _: name == key)
