"""GitHub Copilot CLI."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from toolnote_desktop.assistants.entry_parser import ClientConventions
from toolnote_desktop.assistants.environment import Environment
from toolnote_desktop.assistants.known_client import (
    ConfigLocation,
    KnownClient,
    folder_locations,
    http_entry,
    stdio_entry,
)
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code


def _locations(environment: Environment) -> Sequence[ConfigLocation]:
    folder = environment.folder("COPILOT_HOME") or environment.home / ".copilot"
    return folder_locations(folder, "mcp-config.json", installed=environment.has_program("copilot"))


def _entry(command: Sequence[str]) -> JsonObject:
    return {"type": "local", **stdio_entry(command), "tools": ["*"]}


def _by_url(url: str, headers: Mapping[str, str]) -> JsonObject:
    return {**http_entry(url, headers), "tools": ["*"]}


CLIENT = KnownClient(
    id="copilot-cli",
    name="Copilot CLI",
    locations=_locations,
    entry=_entry,
    by_url=_by_url,
    conventions=ClientConventions(bookkeeping=frozenset({"tools"})),
    after_install=Code.CLIENT_NEW_SESSION,
    after_change=Code.CLIENT_FOLLOWS_CACHED,
)
