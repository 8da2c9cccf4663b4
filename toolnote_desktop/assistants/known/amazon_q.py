"""Amazon Q: the default agent's file, and the older one that it may include."""

from __future__ import annotations

from collections.abc import Sequence

from toolnote_desktop.assistants.entry_parser import ClientConventions, Timeout
from toolnote_desktop.assistants.environment import Environment
from toolnote_desktop.assistants.known_client import ConfigLocation, DisableSwitch, KnownClient, first_is_live
from toolnote_desktop.model.problem import Code


def _locations(environment: Environment) -> Sequence[ConfigLocation]:
    folder = environment.home / ".aws" / "amazonq"
    if not folder.is_dir():
        return []
    agent, older = (
        ConfigLocation(folder / "agents" / "default.json"),
        ConfigLocation(folder / "mcp.json", label="older file"),
    )
    found = [location for location in (agent, older) if location.file.exists()]
    return first_is_live(found or [older])


CLIENT = KnownClient(
    id="amazon-q",
    name="Amazon Q",
    locations=_locations,
    switch=DisableSwitch(),
    conventions=ClientConventions(timeout=Timeout.MILLISECONDS),
    after_install=Code.CLIENT_NEW_SESSION,
    after_change=Code.CLIENT_NEW_SESSION,
)
