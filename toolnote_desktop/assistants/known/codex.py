"""TOML files: OpenAI's Codex, on the command line and in editors, and Grok Build.

Grok Build: docs.x.ai/build/features/mcp-servers; xai-org/grok-build user-guide/07-mcp-servers.md (``enabled``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from toolnote_desktop.assistants.entry_parser import ClientConventions
from toolnote_desktop.assistants.environment import Environment
from toolnote_desktop.assistants.formats.toml_editor import TOML
from toolnote_desktop.assistants.known_client import (
    ConfigLocation,
    DisableSwitch,
    KnownClient,
    folder_locations,
    url_entry,
)
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code


def _locations(environment: Environment) -> Sequence[ConfigLocation]:
    folder = environment.folder("CODEX_HOME") or environment.home / ".codex"
    return folder_locations(folder, "config.toml", installed=environment.has_program("codex"))


def _grok_locations(environment: Environment) -> Sequence[ConfigLocation]:
    folder = environment.folder("GROK_HOME") or environment.home / ".grok"
    return folder_locations(folder, "config.toml", installed=environment.has_program("grok"))


def _by_url(url: str, headers: Mapping[str, str]) -> JsonObject:
    return {"url": url, "http_headers": dict(headers)}


CLIENT = KnownClient(
    id="codex",
    name="Codex",
    locations=_locations,
    servers_at=("mcp_servers",),
    by_url=_by_url,
    switch=DisableSwitch("enabled", off=False),
    format=TOML,
    # ``env_vars`` limits the variables that Codex passes on; Toolnote's servers get all of them.
    conventions=ClientConventions(
        bookkeeping=frozenset({"env_vars", "default_tools_approval_mode", "required", "scopes", "name"})
    ),
    after_install=Code.CLIENT_NEW_SESSION,
    after_change=Code.CLIENT_NEW_SESSION,
)

GROK = KnownClient(
    id="grok-build",
    name="Grok Build",
    locations=_grok_locations,
    servers_at=("mcp_servers",),
    by_url=url_entry,
    switch=DisableSwitch("enabled", off=False),
    format=TOML,
    after_install=Code.CLIENT_NEW_SESSION,
    after_change=Code.CLIENT_NEW_SESSION,
)
