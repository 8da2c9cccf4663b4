"""Cursor."""

from __future__ import annotations

from collections.abc import Sequence

from toolnote_desktop.assistants.environment import Environment
from toolnote_desktop.assistants.known_client import ConfigLocation, KnownClient, url_entry
from toolnote_desktop.model.problem import Code


def _locations(environment: Environment) -> Sequence[ConfigLocation]:
    folder = environment.home / ".cursor"
    installed = folder.is_dir() or (environment.program_data / "Cursor" / "User").is_dir()
    return [ConfigLocation(folder / "mcp.json")] if installed else []


CLIENT = KnownClient(
    id="cursor",
    name="Cursor",
    locations=_locations,
    by_url=url_entry,
    after_install=Code.CLIENT_SWITCH_ON,
    after_change=Code.CLIENT_SWITCH_OFF_AND_ON,
)
