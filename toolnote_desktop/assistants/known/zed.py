"""Zed: settings are JSON with comments."""

from __future__ import annotations

from collections.abc import Sequence

from toolnote_desktop.assistants.entry_parser import ClientConventions
from toolnote_desktop.assistants.environment import Environment
from toolnote_desktop.assistants.known_client import (
    ConfigLocation,
    DisableSwitch,
    KnownClient,
    folder_locations,
    stdio_entry,
)
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code


def _locations(environment: Environment) -> Sequence[ConfigLocation]:
    if environment.platform == "win32":
        return folder_locations(environment.roaming / "Zed", "settings.json")
    config = environment.xdg_config if environment.platform == "linux" else environment.home / ".config"
    return folder_locations(config / "zed", "settings.json")


def _entry(command: Sequence[str]) -> JsonObject:
    return {"source": "custom", **stdio_entry(command), "env": {}}


CLIENT = KnownClient(
    id="zed",
    name="Zed",
    locations=_locations,
    servers_at=("context_servers",),
    entry=_entry,
    switch=DisableSwitch("enabled", off=False),
    conventions=ClientConventions(bookkeeping=frozenset({"source"})),
    after_install=Code.CLIENT_FOLLOWS,
    after_change=Code.CLIENT_SWITCH_OFF_AND_ON,
)
