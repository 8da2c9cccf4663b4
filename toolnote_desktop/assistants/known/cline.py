"""Cline, in every edition of VS Code and on the command line."""

from __future__ import annotations

from collections.abc import Sequence

from toolnote_desktop.assistants.client import KnownClient, Place, first_lives
from toolnote_desktop.assistants.entries import Habits, Timeout
from toolnote_desktop.assistants.environment import Environment
from toolnote_desktop.assistants.known.vscode import extension_files
from toolnote_desktop.model.problem import Code

_FILE = "cline_mcp_settings.json"


def _places(environment: Environment) -> Sequence[Place]:
    places = extension_files(environment, "saoudrizwan.claude-dev", _FILE)
    data = environment.folder("CLINE_DIR") or environment.home / ".cline" / "data"
    if data.is_dir():
        places.append(Place(data / "settings" / _FILE, label="command line"))
    return first_lives(places)


CLIENT = KnownClient(
    id="cline",
    name="Cline",
    places=_places,
    takes_url=True,
    habits=Habits(timeout=Timeout.SECONDS, bookkeeping=frozenset({"autoApprove", "alwaysAllow", "networkTimeout"})),
    after_install=Code.CLIENT_FOLLOWS,
    after_change=Code.CLIENT_SWITCH_OFF_AND_ON,
)
