"""Cline, in every edition of VS Code and on the command line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from toolnote_desktop.assistants.environment import Environment
from toolnote_desktop.assistants.importing.entry_parser import ClientConventions, Timeout
from toolnote_desktop.assistants.known.vscode import extension_files
from toolnote_desktop.assistants.known_client import (
    ConfigLocation,
    DisableSwitch,
    KnownClient,
    first_is_live,
    url_entry,
)
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code

_FILE = "cline_mcp_settings.json"


def _locations(environment: Environment) -> Sequence[ConfigLocation]:
    locations = extension_files(environment, "saoudrizwan.claude-dev", _FILE)
    data = environment.folder("CLINE_DIR") or environment.home / ".cline" / "data"
    if data.is_dir():
        locations.append(ConfigLocation(data / "settings" / _FILE, label="command line"))
    return first_is_live(locations)


def _by_url(url: str, headers: Mapping[str, str]) -> JsonObject:
    return {"type": "streamableHttp", **url_entry(url, headers)}


CLIENT = KnownClient(
    id="cline",
    name="Cline",
    locations=_locations,
    by_url=_by_url,
    switch=DisableSwitch(),
    conventions=ClientConventions(
        timeout=Timeout.SECONDS, bookkeeping=frozenset({"autoApprove", "alwaysAllow", "networkTimeout"})
    ),
    after_install=Code.CLIENT_FOLLOWS,
    after_change=Code.CLIENT_SWITCH_OFF_AND_ON,
)
