"""Goose: MCP servers are extensions in a YAML file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from toolnote_desktop.assistants.entry_parser import ClientConventions, Timeout
from toolnote_desktop.assistants.environment import Environment
from toolnote_desktop.assistants.formats.yaml_editor import YAML
from toolnote_desktop.assistants.known_client import ConfigLocation, DisableSwitch, KnownClient, folder_locations
from toolnote_desktop.assistants.toolnote_entry import ENTRY_NAME
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code

_FILE = "config.yaml"
_SECONDS = 300
"""Time limit for one call, as Goose itself writes it."""


def _locations(environment: Environment) -> Sequence[ConfigLocation]:
    root = environment.folder("GOOSE_PATH_ROOT")
    if root is not None:
        return folder_locations(root / "config", _FILE)
    if environment.platform == "win32":
        return folder_locations(environment.roaming / "Block" / "goose" / "config", _FILE)
    return folder_locations(environment.xdg_config / "goose", _FILE)


def _extension(**fields: Any) -> JsonObject:
    about = {"enabled": True, "name": ENTRY_NAME, "description": "Your tools, with your notes on them"}
    return {**about, **fields, "envs": {}, "env_keys": [], "timeout": _SECONDS}


def _entry(command: Sequence[str]) -> JsonObject:
    return _extension(type="stdio", cmd=command[0], args=list(command[1:]))


def _by_url(url: str, headers: Mapping[str, str]) -> JsonObject:
    return _extension(type="streamable_http", uri=url, headers=dict(headers))


CLIENT = KnownClient(
    id="goose",
    name="Goose",
    locations=_locations,
    servers_at=("extensions",),
    entry=_entry,
    by_url=_by_url,
    named_inside=True,
    switch=DisableSwitch("enabled", off=False),
    format=YAML,
    conventions=ClientConventions(
        timeout=Timeout.SECONDS,
        bookkeeping=frozenset({"name", "display_name", "description", "bundled"}),
        own_types=frozenset({"builtin", "platform", "frontend", "inline_python"}),
    ),
    after_install=Code.CLIENT_NEW_SESSION,
    after_change=Code.CLIENT_NEW_SESSION,
)
