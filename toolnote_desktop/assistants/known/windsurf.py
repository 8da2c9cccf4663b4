"""Windsurf, and its plug-in for JetBrains editors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from toolnote_desktop.assistants.entry_parser import ClientConventions
from toolnote_desktop.assistants.environment import Environment
from toolnote_desktop.assistants.known_client import ConfigLocation, DisableSwitch, KnownClient, first_is_live
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code


def _locations(environment: Environment) -> Sequence[ConfigLocation]:
    folder = environment.home / ".codeium"
    files = [(folder / "windsurf", ""), (folder, "JetBrains plug-in")]
    locations = [ConfigLocation(at / "mcp_config.json", label=label) for at, label in files]
    return first_is_live(
        location
        for location in locations
        if location.file.exists() or (not location.label and location.file.parent.is_dir())
    )


def _by_url(url: str, headers: Mapping[str, str]) -> JsonObject:
    return {"serverUrl": url, "headers": dict(headers)}


CLIENT = KnownClient(
    id="windsurf",
    name="Windsurf",
    locations=_locations,
    by_url=_by_url,
    switch=DisableSwitch(),
    conventions=ClientConventions(bookkeeping=frozenset({"alwaysAllow"})),
    after_install=Code.CLIENT_SWITCH_ON,
    after_change=Code.CLIENT_SWITCH_OFF_AND_ON,
)
