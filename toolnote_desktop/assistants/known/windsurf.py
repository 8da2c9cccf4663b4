"""Devin Desktop, which was Windsurf until June 2026, and its plug-in for JetBrains editors.

Devin's file: docs.devin.ai, cli/extensibility/mcp/configuration (since Devin 3000.3; quoted in upstash/context7#3090).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from toolnote_desktop.assistants.entry_parser import ClientConventions
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

_FILE = "mcp_config.json"


def _locations(environment: Environment) -> Sequence[ConfigLocation]:
    windows = environment.platform == "win32"
    devin = (environment.roaming if windows else environment.home / ".config") / "devin"
    windsurf, plug_in = environment.home / ".codeium" / "windsurf", environment.home / ".codeium"
    locations = [ConfigLocation(devin / _FILE)] if devin.is_dir() else []
    former = ConfigLocation(windsurf / _FILE, label="Windsurf" if locations else "")
    if former.file.exists() or (not locations and windsurf.is_dir()):
        locations.append(former)
    jetbrains = ConfigLocation(plug_in / _FILE, label="JetBrains plug-in")
    return first_is_live([*locations, *([jetbrains] if jetbrains.file.exists() else [])])


def _by_url(url: str, headers: Mapping[str, str]) -> JsonObject:
    return {"serverUrl": url, "headers": dict(headers)}


CLIENT = KnownClient(
    id="windsurf",
    name="Devin Desktop (Windsurf)",
    locations=_locations,
    by_url=_by_url,
    by_url_in=(("devin", url_entry),),
    switch=DisableSwitch(),
    conventions=ClientConventions(bookkeeping=frozenset({"alwaysAllow"})),
    after_install=Code.CLIENT_SWITCH_ON,
    after_change=Code.CLIENT_SWITCH_OFF_AND_ON,
)
