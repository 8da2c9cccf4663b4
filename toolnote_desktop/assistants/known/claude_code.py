"""Claude Code: its user scope, and the servers of single projects in the same file."""

from __future__ import annotations

from collections.abc import Sequence

from toolnote_desktop.assistants.client import KnownClient, Place, http_entry, typed_stdio_entry
from toolnote_desktop.assistants.entries import Habits, Timeout
from toolnote_desktop.assistants.environment import Environment
from toolnote_desktop.model.problem import Code


def _places(environment: Environment) -> Sequence[Place]:
    folder = environment.folder("CLAUDE_CONFIG_DIR")
    file = (folder or environment.home) / ".claude.json"
    installed = file.is_file() or (folder or environment.home / ".claude").is_dir()
    return [Place(file)] if installed else []


CLIENT = KnownClient(
    id="claude-code",
    name="Claude Code",
    places=_places,
    more_servers_at=(("projects", "*", "mcpServers"),),
    entry=typed_stdio_entry,
    by_url=http_entry,
    habits=Habits(timeout=Timeout.MILLISECONDS, bookkeeping=frozenset({"alwaysLoad"})),
    after_install=Code.CLIENT_NEW_SESSION,
    after_change=Code.CLIENT_FOLLOWS,
)
