"""OpenCode: the command is one list there, and of two files the one with comments wins."""

from __future__ import annotations

from collections.abc import Sequence

from toolnote_desktop.assistants.client import KnownClient, Place, first_lives
from toolnote_desktop.assistants.entries import Habits, Timeout
from toolnote_desktop.assistants.environment import Environment
from toolnote_desktop.model.jsontext import JsonObject
from toolnote_desktop.model.problem import Code


def _places(environment: Environment) -> Sequence[Place]:
    folder = environment.xdg_config / "opencode"
    places = [Place(folder / "opencode.jsonc"), Place(folder / "opencode.json")]
    found = [place for place in places if place.file.exists()]
    return first_lives(found or ([places[1]] if folder.is_dir() else []))


def _entry(command: Sequence[str]) -> JsonObject:
    return {"type": "local", "command": list(command), "enabled": True}


CLIENT = KnownClient(
    id="opencode",
    name="OpenCode",
    places=_places,
    servers_at=("mcp",),
    entry=_entry,
    takes_url=True,
    habits=Habits(timeout=Timeout.START_MILLISECONDS),
    after_install=Code.CLIENT_NEW_SESSION,
    after_change=Code.CLIENT_NEW_SESSION,
)
