"""Hermes: a mapping of servers in a YAML file.

Source: NousResearch/hermes-agent website/docs/user-guide/configuration.md, reference/mcp-config-reference.md.
"""

from __future__ import annotations

from collections.abc import Sequence

from toolnote_desktop.assistants.entry_parser import ClientConventions, Timeout
from toolnote_desktop.assistants.environment import Environment
from toolnote_desktop.assistants.formats.yaml_editor import YAML
from toolnote_desktop.assistants.known_client import (
    ConfigLocation,
    DisableSwitch,
    KnownClient,
    folder_locations,
    url_entry,
)
from toolnote_desktop.model.problem import Code


def _locations(environment: Environment) -> Sequence[ConfigLocation]:
    windows = environment.platform == "win32"
    usual = environment.local / "hermes" if windows else environment.home / ".hermes"
    folder = environment.folder("HERMES_HOME") or usual
    return folder_locations(folder, "config.yaml", installed=environment.has_program("hermes"))


CLIENT = KnownClient(
    id="hermes",
    name="Hermes",
    locations=_locations,
    servers_at=("mcp_servers",),
    by_url=url_entry,
    switch=DisableSwitch("enabled", off=False),
    format=YAML,
    conventions=ClientConventions(timeout=Timeout.SECONDS),
    after_install=Code.CLIENT_NEW_SESSION,
    after_change=Code.CLIENT_NEW_SESSION,
)
