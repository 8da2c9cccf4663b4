"""LM Studio."""

from __future__ import annotations

from collections.abc import Sequence

from toolnote_desktop.assistants.environment import Environment
from toolnote_desktop.assistants.known_client import ConfigLocation, KnownClient, folder_locations, url_entry
from toolnote_desktop.model.problem import Code


def _locations(environment: Environment) -> Sequence[ConfigLocation]:
    current, older = (environment.home / folder for folder in (".lmstudio", ".cache/lm-studio"))
    return [*folder_locations(current, "mcp.json")] or folder_locations(older, "mcp.json")


CLIENT = KnownClient(
    id="lm-studio",
    name="LM Studio",
    locations=_locations,
    by_url=url_entry,
    after_install=Code.CLIENT_SWITCH_ON,
    after_change=Code.CLIENT_SWITCH_OFF_AND_ON,
)
