"""JetBrains Junie."""

from __future__ import annotations

from collections.abc import Sequence

from toolnote_desktop.assistants.environment import Environment
from toolnote_desktop.assistants.known_client import ConfigLocation, KnownClient
from toolnote_desktop.model.problem import Code


def _locations(environment: Environment) -> Sequence[ConfigLocation]:
    folder = environment.home / ".junie"
    return [ConfigLocation(folder / "mcp" / "mcp.json")] if folder.is_dir() else []


CLIENT = KnownClient(
    id="junie",
    name="JetBrains Junie",
    locations=_locations,
    after_install=Code.CLIENT_SWITCH_ON,
    after_change=Code.CLIENT_SWITCH_OFF_AND_ON,
)
