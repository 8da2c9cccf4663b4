"""Claude Code: its user scope, the servers of single projects in the same file, and those in the projects' folders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from toolnote_desktop.assistants.config_file import UnreadableConfigError, decode, read_bytes
from toolnote_desktop.assistants.entry_parser import ClientConventions, Timeout
from toolnote_desktop.assistants.environment import Environment
from toolnote_desktop.assistants.formats.base import FormatError
from toolnote_desktop.assistants.formats.jsonc_editor import JSON
from toolnote_desktop.assistants.known_client import (
    ConfigLocation,
    FileRole,
    KnownClient,
    http_entry,
    typed_stdio_entry,
)
from toolnote_desktop.model.problem import Code


def _locations(environment: Environment) -> Sequence[ConfigLocation]:
    folder = environment.folder("CLAUDE_CONFIG_DIR")
    file = (folder or environment.home) / ".claude.json"
    installed = file.is_file() or (folder or environment.home / ".claude").is_dir() or environment.has_program("claude")
    return [ConfigLocation(file), *_projects(file)] if installed else []


def _projects(file: Path) -> Iterator[ConfigLocation]:
    """Yield the server file of each project that Claude Code was used in."""
    try:
        data = read_bytes(file)
        value = JSON.value(decode(data).text) if data is not None else None
    except (UnreadableConfigError, FormatError):
        return  # reported when the file itself is read
    projects = value.get("projects") if isinstance(value, dict) else None
    for project in projects if isinstance(projects, dict) else ():
        # A network folder may take long to answer.
        if Path(project).is_absolute() and not project.startswith(("//", "\\\\")):
            shared = Path(project) / ".mcp.json"
            if _is_file(shared):
                yield ConfigLocation(shared, FileRole.PROJECT, project)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # an invalid path on this system
        return False


CLIENT = KnownClient(
    id="claude-code",
    name="Claude Code",
    locations=_locations,
    more_servers_at=(("projects", "*", "mcpServers"),),
    entry=typed_stdio_entry,
    by_url=http_entry,
    conventions=ClientConventions(timeout=Timeout.MILLISECONDS, bookkeeping=frozenset({"alwaysLoad"})),
    after_install=Code.CLIENT_NEW_SESSION,
    after_change=Code.CLIENT_FOLLOWS_UNSEEN,
)
