"""A colleague's pack is imported, one note no longer fits, it is mended, and the bench says that it helps.

The real app with a real server, the real commands, and a model on the loopback that follows what it reads. Pictures are
in ``test-artifacts/story``.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.bench.reading_model import HELPS, REGIONS, ReadingModel, ScriptedModel
from tests.cli.conftest import Run, run
from tests.product.person import person_at
from tests.waiting import wait_until
from toolnote_desktop.paths import Home

TOOLS = ("tracker.create_issue", "tracker.search_issues")
WRITTEN = "Find the squad of the customer's city."

toolnote = run

pytestmark = pytest.mark.timeout(300)


def furnish(toolnote: Run, home: Path) -> None:
    """Add the tracker, list it, and make a toolset of two of its tools."""
    program = (sys.executable, "-m", "toolnote_desktop", "demo-server", "tracker")
    at = ("--home", str(home))
    toolnote("servers", "add", "tracker", *at, "--command", *program)
    toolnote("tools", *at)
    toolnote("toolset", "create", "triage", *TOOLS, "--title", "Triage", *at)
    toolnote("toolset", "equip", "triage", *at)


@pytest.fixture
def pack(toolnote: Run, tmp_path: Path) -> Path:
    """The pack of a colleague, whose tracker had ``squad`` where ours has ``team``."""
    home, file = tmp_path / "colleague", tmp_path / "triage.toolnote"
    furnish(toolnote, home)
    at = ("--home", str(home))
    toolnote("note", "add", TOOLS[0], "squad", WRITTEN, *at)
    toolnote("note", "add", TOOLS[1], "first", "Look for a double first.", *at)
    toolnote("pack", "export", "triage", str(file), *at)
    content: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    record = content["pack"]["tools"][0]
    names = ["squad" if name == "team" else name for name in record["parameters"]]
    record |= {"fingerprint": "0" * 64, "parameters": sorted(names)}
    content["prompts"] = [
        {
            "id": f"open-{city.lower()}",
            "prompt": f"A customer in {city} has a broken lamp. Open an issue.",
            "tool": TOOLS[0],
            "arguments": {"team": region},
        }
        for city, region in REGIONS.items()
    ]
    file.write_text(json.dumps(content), encoding="utf-8")
    return file


def test_a_note_of_a_colleagues_pack_is_mended_and_the_bench_says_it_helps(
    toolnote: Run, home: Home, pack: Path
) -> None:
    furnish(toolnote, home.root)
    assert "    notes to mend: squad\n" in toolnote("pack", "check", str(pack), "--live", status=1).out
    settings = json.loads(home.settings.read_text(encoding="utf-8"))
    home.settings.write_text(json.dumps({**settings, "packsFolder": str(pack.parent)}), encoding="utf-8")
    with ScriptedModel() as model, person_at(pictures="pack") as person:
        model.script = script = ReadingModel(tool="create_issue")
        person.sees("The pack “Triage” has changed")
        person.takes_a_picture("offered")
        person.presses("Review")
        person.sees("It no longer has squad.")
        person.sees("Check these notes: squad.")
        person.takes_a_picture("received")
        assert WRITTEN not in home.toolset("triage").read_text(encoding="utf-8"), "nothing is applied unseen"
        person.presses("Add")

        person.sees("Triage")
        person.picks("Bench…", "More")
        person.sees("Name a model first.")
        person.writes(f"{model.url}/v1", "Address")
        person.writes("fake-model", "Model")
        person.sees("36 requests, about")
        person.presses("Run…")
        person.sees("Run the bench?")
        assert script.requests == [], "nothing is asked before the user agrees"
        person.presses("Run")
        person.sees("No difference seen.")
        person.takes_a_picture("no-difference")

        person.chooses("Triage")
        person.sees("has changed since this was written: squad")
        person.presses("Open tool")
        person.sees(WRITTEN)
        person.writes("", "Text of the note squad")
        person.hits("End")
        person.writes(f" {HELPS}")
        wait_until(lambda: HELPS in home.toolset("triage").read_text(encoding="utf-8"), 30)
        person.takes_a_picture("mended")

        person.chooses("Triage")
        person.picks("Bench…", "More")
        person.presses("Run…")
        person.presses("Run")
        person.sees("Your notes help.")
        person.takes_a_picture("helps")
    toolnote("pack", "export", "triage", str(pack))
    assert toolnote("pack", "check", str(pack)).out.endswith("2 of 2 tools match.\n")
