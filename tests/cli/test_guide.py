"""``toolnote guide``: the example of docs/requirements.md 3.2, focus, dialects, and what cannot be done."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import Run
from tests.guidance.test_guide import AGENT, ENTRIES, SEED
from toolnote_desktop.paths import Home


@pytest.fixture
def agent(home: Home) -> Home:
    """A home with the tools and the toolset of that example; the server has bare names."""
    server = {"type": "stdio", "command": "never-started", "toolnote": {"prefix": ""}}
    catalog = {"agent": {"tools": [{"definition": one.tool.definition} for one in AGENT]}}
    home.toolsets.mkdir(parents=True)
    home.servers.write_text(json.dumps({"mcpServers": {"agent": server}}), encoding="utf-8")
    (home.root / "catalog.json").write_text(json.dumps({"servers": catalog}), encoding="utf-8")
    home.settings.write_text(json.dumps({"equippedToolset": "work"}), encoding="utf-8")
    home.toolset("work").write_text(json.dumps({"name": "work", "tools": ENTRIES}), encoding="utf-8")
    return home


def test_guide_command_prints_the_example_section(agent: Home, run: Run) -> None:
    out = run("guide").out
    assert out.startswith(SEED)
    assert "TASK_COMPLETE" not in out
    assert run("guide", "--toolset", "work").out == out


def test_detail_task_and_input(agent: Home, run: Run) -> None:
    assert "Parameters" not in run("guide", "--detail", "summary").out
    assert len(run("guide", "--detail", "full").out) >= len(run("guide").out)
    assert "### rss_feed" in run("guide", "--task", "research").out
    focused = run("guide", "--input", "Insert a line into the code").out
    assert "### rss_feed" not in focused
    assert "`rss_feed`" in focused
    assert "### code_edit" in focused


def test_json(agent: Home, run: Run) -> None:
    told = run("guide", "--json", "--task", "plan", "--dialect", "claude-code").json
    assert (told["toolset"], told["dialect"], told["detail"]) == ("work", "claude-code", "standard")
    assert (told["tools"], told["leftOut"]) == ([], ["file", "rss_feed", "code_edit"])  # nothing of it is for planning
    assert "\n- rss_feed: Fetch recent posts from configured RSS/Atom feeds.\n" in told["guide"]
    assert told["estimatedTokens"] > 100
    assert told["guide"].startswith("# Available Tools\n")


def test_guide_error_is_one_line(agent: Home, run: Run) -> None:
    assert "gone" in run("guide", "--toolset", "gone", status=1).err
    assert "research" in run("guide", "--task", "gardening", status=1).err
    assert "claude-code" in run("guide", "--dialect", "klingon", status=1).err
    run("guide", "--detail", "some", status=2)


def test_an_empty_task_or_input_is_none(agent: Home, run: Run) -> None:
    whole = run("guide").out
    assert run("guide", "--task", "").out == whole
    assert run("guide", "--task", "", "--input", " ").out == whole


def test_without_a_toolset(home: Home, run: Run) -> None:
    assert run("guide", status=1).err.strip() == "toolnote: no toolset is in use"


def test_a_users_own_dialect(agent: Home, run: Run) -> None:
    folder = agent.root / "dialects"
    folder.mkdir()
    (folder / "mine.json").write_text(json.dumps({"name": "mine", "sentences": ["Be brief."]}), encoding="utf-8")
    assert run("guide", "--dialect", "mine").out.endswith("\n\nBe brief.\n")


def test_instructions_command_prints_what_a_client_gets(agent: Home, run: Run) -> None:
    catalog = json.loads((agent.root / "catalog.json").read_text(encoding="utf-8"))
    catalog["servers"]["agent"]["instructions"] = "# Rules\nRead first."
    (agent.root / "catalog.json").write_text(json.dumps(catalog), encoding="utf-8")
    out = run("instructions").out
    assert out.startswith("agent: ")
    assert out.endswith("\n\n## agent\n\n  # Rules\nRead first.")
    assert run("instructions", "--toolset", "work", "--json").json == {"instructions": out, "cut": []}
    assert run("instructions", "--client", "codex").out.startswith("agent: ")
    assert "gone" in run("instructions", "--toolset", "gone", status=1).err
    catalog["servers"]["agent"]["instructions"] = "A sentence. " * 1000
    (agent.root / "catalog.json").write_text(json.dumps(catalog), encoding="utf-8")
    cut = run("instructions")
    assert len(cut.out) <= 2000
    assert "the text of agent" in cut.err


def test_guide_shows_control_and_invisible_characters_as_escapes(agent: Home, run: Run) -> None:
    """Red team L1; seen red with the guide's bytes written as they were."""
    hidden = "\x1b]0;x\x07\x9b31m\u202e\u200b\U000e0041"
    catalog = agent.root / "catalog.json"
    raw = json.loads(catalog.read_text(encoding="utf-8"))
    for tool in raw["servers"]["agent"]["tools"]:
        tool["definition"]["description"] = f"a{hidden}b"
    catalog.write_text(json.dumps(raw), encoding="utf-8")
    out = run("guide").out
    assert not set(hidden) - set("]0;x31m") & set(out)
    assert r"\x1b" in out
    assert r"\u202e\u200b\U000e0041" in out


def test_the_first_line_is_edited(agent: Home, run: Run) -> None:
    """Seen red without ``about`` in the rule."""
    run("servers", "describe", "agent", " Speaks\n for me. ")
    assert run("servers", "describe", "agent").out == "Speaks for me.\n"
    assert run("instructions").out.splitlines()[0] == "agent: Speaks for me."
    run("toolset", "describe", "work", "All that I need.")
    assert run("toolset", "describe", "work").out == "All that I need.\n"
    assert run("instructions").out.splitlines()[0] == "agent: All that I need."
    run("toolset", "describe", "work", "")
    run("servers", "describe", "agent", "")
    entry = json.loads(agent.servers.read_text(encoding="utf-8"))["mcpServers"]["agent"]
    assert "about" not in entry.get("toolnote", {})
    assert "for me" not in run("instructions").out


def test_a_server_is_renamed_for_the_window_alone(agent: Home, run: Run) -> None:
    assert run("servers", "rename", "agent").out == "agent\n"
    before = run("tools").out
    assert "Assistants and commands go on using agent" in run("servers", "rename", "agent", " My\n helper ").out
    assert run("servers", "rename", "agent").out == "My helper\n"
    assert run("tools").out == before
    run("servers", "rename", "agent", "")
    entry = json.loads(agent.servers.read_text(encoding="utf-8"))["mcpServers"]["agent"]
    assert "title" not in entry.get("toolnote", {})
    for group, *text in (("servers",), ("servers", "x"), ("toolset",), ("toolset", "x")):
        assert "gone" in run(group, "describe", "gone", *text, status=1).err
