"""Roo Code, in every edition of VS Code."""

from __future__ import annotations

from collections.abc import Sequence

from toolnote_desktop.assistants.client import KnownClient, Place, first_lives
from toolnote_desktop.assistants.entries import Habits, Timeout
from toolnote_desktop.assistants.environment import Environment
from toolnote_desktop.assistants.known.vscode import extension_files
from toolnote_desktop.model.problem import Code

_FILE = "mcp_settings.json"


def _places(environment: Environment) -> Sequence[Place]:
    places = extension_files(environment, "rooveterinaryinc.roo-cline", _FILE)
    return first_lives(places)


CLIENT = KnownClient(
    id="roo",
    name="Roo Code",
    places=_places,
    takes_url=True,
    habits=Habits(timeout=Timeout.SECONDS, bookkeeping=frozenset({"autoApprove", "alwaysAllow", "networkTimeout"})),
    after_install=Code.CLIENT_FOLLOWS,
    after_change=Code.CLIENT_SWITCH_OFF_AND_ON,
)
