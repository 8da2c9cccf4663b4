"""OpenCode and Kilo Code 5, which came from it: the command is one list, of two files that with comments is used.

Kilo Code: Kilo-Org/kilocode, using-in-kilo-code.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from toolnote_desktop.assistants.entry_parser import ClientConventions, Timeout
from toolnote_desktop.assistants.environment import Environment
from toolnote_desktop.assistants.known.vscode import extension_files
from toolnote_desktop.assistants.known_client import (
    ConfigLocation,
    DisableSwitch,
    FileRole,
    KnownClient,
    first_is_live,
    url_entry,
)
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code


def _locations(environment: Environment) -> Sequence[ConfigLocation]:
    return _files(environment.xdg_config / "opencode", "opencode", installed=environment.has_program("opencode"))


def _kilo_locations(environment: Environment) -> Sequence[ConfigLocation]:
    older = [
        ConfigLocation(one.file, FileRole.OLD, one.label)
        for one in extension_files(environment, "kilocode.kilo-code", "mcp_settings.json")
    ]
    read_by_older = any(one.file.is_file() for one in older)
    installed = environment.has_program("kilo") or (bool(older) and not read_by_older)
    return [*_files(environment.xdg_config / "kilo", "kilo", installed=installed), *older]


def _files(folder: Path, name: str, *, installed: bool) -> Sequence[ConfigLocation]:
    locations = [ConfigLocation(folder / f"{name}.jsonc"), ConfigLocation(folder / f"{name}.json")]
    found = [location for location in locations if location.file.exists()]
    return first_is_live(found or ([locations[1]] if installed or folder.is_dir() else []))


def _entry(command: Sequence[str]) -> JsonObject:
    return {"type": "local", "command": list(command), "enabled": True}


def _by_url(url: str, headers: Mapping[str, str]) -> JsonObject:
    return {"type": "remote", **url_entry(url, headers), "enabled": True}


CLIENT = KnownClient(
    id="opencode",
    name="OpenCode",
    locations=_locations,
    servers_at=("mcp",),
    entry=_entry,
    by_url=_by_url,
    switch=DisableSwitch("enabled", off=False),
    conventions=ClientConventions(braces_name_variables=True, timeout=Timeout.START_MILLISECONDS),
    after_install=Code.CLIENT_NEW_SESSION,
    after_change=Code.CLIENT_FOLLOWS,
)
KILO = KnownClient(
    id="kilo-code",
    name="Kilo Code",
    locations=_kilo_locations,
    servers_at=("mcp",),
    more_servers_at=(("mcpServers",),),
    entry=_entry,
    by_url=_by_url,
    switch=DisableSwitch("enabled", off=False),
    conventions=ClientConventions(
        braces_name_variables=True, timeout=Timeout.START_MILLISECONDS, bookkeeping=frozenset({"alwaysAllow"})
    ),
    after_install=Code.CLIENT_NEW_SESSION,
    after_change=Code.CLIENT_NEW_SESSION,
)
