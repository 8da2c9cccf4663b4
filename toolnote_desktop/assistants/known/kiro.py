"""Kiro."""

from __future__ import annotations

from collections.abc import Sequence

from toolnote_desktop.assistants.entry_parser import ClientConventions
from toolnote_desktop.assistants.environment import Environment
from toolnote_desktop.assistants.known_client import ConfigLocation, DisableSwitch, KnownClient, url_entry
from toolnote_desktop.model.problem import Code


def _locations(environment: Environment) -> Sequence[ConfigLocation]:
    folder = environment.home / ".kiro"
    return [ConfigLocation(folder / "settings" / "mcp.json")] if folder.is_dir() else []


CLIENT = KnownClient(
    id="kiro",
    name="Kiro",
    locations=_locations,
    by_url=url_entry,
    switch=DisableSwitch(),
    conventions=ClientConventions(bookkeeping=frozenset({"autoApprove"})),
    after_install=Code.CLIENT_FOLLOWS,
    after_change=Code.CLIENT_SWITCH_OFF_AND_ON,
)
