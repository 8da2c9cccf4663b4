"""Sources of an import: all programs of this computer, one file or folder, or a text.

Each is read into a :class:`hypertool.ImportOffer` of toolsets and servers; nothing is imported before the user agrees.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from toolnote_desktop.assistants.config_file import UnreadableConfigError, decode, read_bytes
from toolnote_desktop.assistants.discovery import find_clients
from toolnote_desktop.assistants.environment import Environment
from toolnote_desktop.assistants.formats.jsonc_editor import JSON
from toolnote_desktop.assistants.importing.candidates import (
    NO_SERVERS,
    ReadResult,
    read_client,
    read_file,
    read_snippet,
)
from toolnote_desktop.assistants.importing.hypertool import ImportOffer, find_hypertool, is_persona_file, read_folder
from toolnote_desktop.assistants.toolnote_entry import ToolnoteIdentity
from toolnote_desktop.assistants.toolset_file import TOOLSET_SUFFIX
from toolnote_desktop.model import json_text
from toolnote_desktop.model.edits import SERVER_ENTRIES
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.toolsets.toolset_import import ImportedToolset, ToolsetsInFile, parse_toolsets

MAX_PACK_FILE: Final = 8 * 1024 * 1024
"""Bytes of a received toolset or pack: reading 35 MB takes seconds and 400 MB."""
_NAMED_KEYS: Final = 10
"""Keys of one file that are said to be there more than once."""


def scan_machine(
    environment: Environment, identity: ToolnoteIdentity, *, taken: Collection[str], now: str
) -> ImportOffer:
    """Read the servers of all installed programs, and hypertool-mcp's toolsets. Reads many files.

    Args:
        taken: names of the existing toolsets.
        now: time in ISO 8601 for toolsets without one.
    """
    clients = [read_client(found, identity) for found in find_clients(environment, identity) if found.installed]
    folder = find_hypertool(environment)
    if folder is None:
        return ImportOffer(tuple(clients))
    found = read_folder(folder, identity, taken=taken, now=now)
    return replace(found, servers=(*clients, *found.servers))


def read_import_file(path: Path, identity: ToolnoteIdentity, *, taken: Collection[str], now: str) -> ImportOffer:
    """Read the toolsets and servers of a received file, a client's file, or a folder of hypertool-mcp."""
    if is_persona_file(path):
        path = path.parent  # the servers are in another file of the folder
    if os.path.isdir(path):
        found = read_folder(path, identity, taken=taken, now=now)
        if not found.servers and not found.toolsets and not found.warnings:
            reason = Problem(Code.IMPORT_FILE_UNREADABLE, {"file": str(path), "reason": "nothing was found in it"})
            return replace(found, warnings=(*found.warnings, reason))
        return found
    if path.suffix.casefold() == TOOLSET_SUFFIX and _size(path) > MAX_PACK_FILE:
        limit = f"larger than {MAX_PACK_FILE / 1024 / 1024:g} MiB"
        return ImportOffer(warnings=(Problem(Code.IMPORT_FILE_UNREADABLE, {"file": str(path), "reason": limit}),))
    toolsets = _toolsets(path, taken, now)
    # A toolset's own file has servers in one place: the rest, of megabytes, need not be read with positions.
    follow = (SERVER_ENTRIES,) if path.suffix.casefold() == TOOLSET_SUFFIX else None
    return _with(read_file(path, identity, follow=follow), toolsets)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:  # reported when it is read
        return 0


def read_import_text(
    text: str, name: str, identity: ToolnoteIdentity, *, taken: Collection[str], now: str
) -> ImportOffer:
    """Read the toolsets and servers of a text, such as one dropped on the window.

    Args:
        name: name of the text in warnings.
    """
    toolsets = parse_toolsets(_value(text), file=name, file_name="toolset", taken=taken, now=now)
    return _with(read_snippet(text, identity, name), toolsets)


def _toolsets(file: Path, taken: Collection[str], now: str) -> ToolsetsInFile:
    try:
        data = read_bytes(file)
        text = decode(data).text if data is not None else None
    except UnreadableConfigError:
        return ToolsetsInFile()  # reported when the servers are read
    raw = _value(text) if text is not None else None
    found = parse_toolsets(raw, file=str(file), file_name=file.stem, taken=taken, now=now)
    is_toolset = text is not None and file.suffix.casefold() == TOOLSET_SUFFIX  # others are read with all positions
    return replace(found, problems=(*found.problems, *_repeated(text or "", file))) if is_toolset else found


def _repeated(text: str, file: Path) -> list[Problem]:
    """Report the first keys that occur more than once in an object, as after a careless merge."""
    try:
        keys = dict.fromkeys(json_text.loads_with_duplicates(text)[1])
    except ValueError:
        return []
    return [Problem(Code.FILE_DUPLICATE_KEY, {"file": str(file), "key": key}) for key in list(keys)[:_NAMED_KEYS]]


def _value(text: str) -> Any:
    """Return the value of JSON with or without comments; None if it is not complete, or nested too deeply."""
    try:
        value = json_text.loads(text)  # a hundred times faster than with the positions of all values
    except ValueError:
        root = JSON.parse(text).root
        return root.value if root is not None and root.complete else None
    return None if json_text.exceeds_max_nesting(value) else value


def _with(servers: ReadResult, found: ToolsetsInFile) -> ImportOffer:
    servers = replace(servers, warnings=(*servers.warnings, *found.problems))
    if found.toolsets:  # a file of a toolset only is complete
        remaining = tuple(one for one in servers.warnings if one.parameters.get("reason") != NO_SERVERS)
        servers = replace(servers, warnings=remaining)
    without_servers = tuple(_without_servers(toolset) for toolset in found.toolsets)
    return ImportOffer((servers,), without_servers)


def _without_servers(toolset: ImportedToolset) -> ImportedToolset:
    """Remove the servers in the toolset's file: they belong into ``servers.json``, not into the toolset."""
    content = {key: value for key, value in toolset.content.items() if key != "mcpServers"}
    return replace(toolset, content=content)
