"""Roo Code, in every edition of VS Code."""

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

_FILE = "mcp_settings.json"


def _locations(environment: Environment) -> Sequence[ConfigLocation]:
    locations = extension_files(environment, "rooveterinaryinc.roo-cline", _FILE)
    return first_is_live(locations)


def _by_url(url: str, headers: Mapping[str, str]) -> JsonObject:
    return {"type": "streamable-http", **url_entry(url, headers)}


CLIENT = KnownClient(
    id="roo",
    name="Roo Code",
    locations=_locations,
    by_url=_by_url,
    switch=DisableSwitch(),
    conventions=ClientConventions(
        timeout=Timeout.SECONDS, bookkeeping=frozenset({"autoApprove", "alwaysAllow", "networkTimeout"})
    ),
    after_install=Code.CLIENT_FOLLOWS,
    after_change=Code.CLIENT_SWITCH_OFF_AND_ON,
)
