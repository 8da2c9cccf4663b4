"""Windsurf, and its plug-in for JetBrains editors."""

from __future__ import annotations

from collections.abc import Sequence

from toolnote_desktop.assistants.client import KnownClient, Place, first_lives
from toolnote_desktop.assistants.entries import Habits
from toolnote_desktop.assistants.environment import Environment
from toolnote_desktop.model.problem import Code


def _places(environment: Environment) -> Sequence[Place]:
    folder = environment.home / ".codeium"
    files = [(folder / "windsurf", ""), (folder, "JetBrains plug-in")]
    places = [Place(at / "mcp_config.json", label=label) for at, label in files]
    return first_lives(
        place for place in places if place.file.exists() or (not place.label and place.file.parent.is_dir())
    )


CLIENT = KnownClient(
    id="windsurf",
    name="Windsurf",
    places=_places,
    takes_url=True,
    habits=Habits(bookkeeping=frozenset({"alwaysAllow"})),
    after_install=Code.CLIENT_SWITCH_ON,
    after_change=Code.CLIENT_SWITCH_OFF_AND_ON,
)
