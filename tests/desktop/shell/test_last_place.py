"""The app starts where it was left, whatever page that was."""

from __future__ import annotations

import json

import pytest

from tests.product.person import person_at
from toolnote_desktop.desktop.models.library_rows import Kind, RowKey
from toolnote_desktop.desktop.window.saved_state import text_of
from toolnote_desktop.paths import Home

pytestmark = pytest.mark.once

PLACES = {
    RowKey(Kind.TOOL, "git", "log"): "git_log",
    RowKey(Kind.ASSISTANT, "cursor"): "Cursor isn’t on this computer.",
    RowKey(Kind.ASSISTANT): "Set up another assistant manually",
    RowKey(Kind.SERVER, "git"): "Notes on all git tools",
    RowKey(Kind.ADD_TOOLS): "Popular",
    RowKey(Kind.ACTIVITY): "Activity",
}


@pytest.mark.parametrize(("place", "words"), PLACES.items(), ids=lambda one: str(getattr(one, "kind", "")))
@pytest.mark.timeout(120)
def test_the_app_starts_at_the_last_place(home: Home, place: RowKey, words: str) -> None:
    """Seen red: pages that read something when they are shown ended the start, before there was a loop."""
    home.root.mkdir(exist_ok=True)
    entry = {"type": "stdio", "command": "none", "disabled": True}
    definition = {"name": "log", "title": "Log", "inputSchema": {"type": "object"}}
    home.servers.write_text(json.dumps({"mcpServers": {"git": entry}}), encoding="utf-8")
    catalog = {"servers": {"git": {"tools": [{"definition": definition}]}}}
    (home.root / "catalog.json").write_text(json.dumps(catalog), encoding="utf-8")
    home.toolset("work").parent.mkdir()
    tools = [{"namespacedName": "git.log"}]
    home.toolset("work").write_text(json.dumps({"name": "work", "title": "Work", "tools": tools}), encoding="utf-8")
    home.settings.write_text(json.dumps({"port": 0, "equippedToolset": "work"}), encoding="utf-8")
    chosen = text_of(place).replace("\t", "\\t")
    (home.root / "window.ini").write_text(f'[General]\nchosen="{chosen}"\n', encoding="utf-8")
    with person_at(pictures="last-place") as person:
        person.sees(words)
        person.sees("Toolnote is on")
