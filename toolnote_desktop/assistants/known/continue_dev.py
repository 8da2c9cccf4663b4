"""Continue: a list of named servers in YAML, and more such files in a folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from toolnote_desktop.assistants.entry_parser import ClientConventions
from toolnote_desktop.assistants.environment import Environment
from toolnote_desktop.assistants.formats.yaml_editor import YamlFormat
from toolnote_desktop.assistants.known_client import ConfigLocation, FileRole, KnownClient, typed_stdio_entry
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code

_NEW_FILE = "name: Local Config\nversion: 1.0.0\nschema: v1\n"
"""Required beginning of a file, as Continue itself writes it."""


def _locations(environment: Environment) -> Sequence[ConfigLocation]:
    folder = environment.folder("CONTINUE_GLOBAL_DIR") or environment.home / ".continue"
    if not folder.is_dir() and not environment.has_program("cn"):
        return []
    file, older = folder / "config.yaml", folder / "config.json"
    # A new config.yaml would disable everything in the older file.
    usual = ConfigLocation(older, FileRole.OLD) if older.is_file() and not file.exists() else ConfigLocation(file)
    more = sorted(path for path in (folder / "mcpServers").glob("*") if path.suffix in (".yaml", ".yml", ".json"))
    return [usual, *(ConfigLocation(path, FileRole.ALSO, path.stem) for path in more)]


def _by_url(url: str, headers: Mapping[str, str]) -> JsonObject:
    return {"type": "streamable-http", "url": url, "requestOptions": {"headers": dict(headers)}}


CLIENT = KnownClient(
    id="continue",
    name="Continue",
    locations=_locations,
    more_servers_at=(
        ("experimental", "modelContextProtocolServers"),
        ("experimental", "modelContextProtocolServer"),
    ),
    entry=typed_stdio_entry,
    by_url=_by_url,
    new_file=_NEW_FILE,
    format=YamlFormat(by_name=frozenset({"mcpServers"})),
    conventions=ClientConventions(bookkeeping=frozenset({"faviconUrl", "sourceFile"})),
    after_install=Code.CLIENT_FOLLOWS,
    after_change=Code.CLIENT_SWITCH_OR_RESTART,
)
