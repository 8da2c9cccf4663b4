"""OpenCode: the command is one list, and of two files the one with comments is used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from toolnote_desktop.assistants.entry_parser import ClientConventions, Timeout
from toolnote_desktop.assistants.environment import Environment
from toolnote_desktop.assistants.known_client import (
    ConfigLocation,
    DisableSwitch,
    KnownClient,
    first_is_live,
    url_entry,
)
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code


def _locations(environment: Environment) -> Sequence[ConfigLocation]:
    folder = environment.xdg_config / "opencode"
    locations = [ConfigLocation(folder / "opencode.jsonc"), ConfigLocation(folder / "opencode.json")]
    found = [location for location in locations if location.file.exists()]
    return first_is_live(found or ([locations[1]] if folder.is_dir() else []))


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
    conventions=ClientConventions(timeout=Timeout.START_MILLISECONDS),
    after_install=Code.CLIENT_NEW_SESSION,
    after_change=Code.CLIENT_NEW_SESSION,
)
