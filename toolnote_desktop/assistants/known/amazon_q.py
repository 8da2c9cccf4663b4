"""Amazon Q: the default agent's file, and the older one that it may take in."""

from __future__ import annotations

from collections.abc import Sequence

from toolnote_desktop.assistants.environment import Environment
from toolnote_desktop.assistants.importing.entry_parser import ClientConventions, Timeout
from toolnote_desktop.assistants.known_client import ConfigLocation, DisableSwitch, KnownClient, first_lives
from toolnote_desktop.model.problem import Code


def _places(environment: Environment) -> Sequence[ConfigLocation]:
    folder = environment.home / ".aws" / "amazonq"
    if not folder.is_dir():
        return []
    agent, older = (
        ConfigLocation(folder / "agents" / "default.json"),
        ConfigLocation(folder / "mcp.json", label="older file"),
    )
    found = [place for place in (agent, older) if place.file.exists()]
    return first_lives(found or [older])


CLIENT = KnownClient(
    id="amazon-q",
    name="Amazon Q",
    places=_places,
    switch=DisableSwitch(),
    habits=ClientConventions(timeout=Timeout.MILLISECONDS),
    after_install=Code.CLIENT_NEW_SESSION,
    after_change=Code.CLIENT_NEW_SESSION,
)
