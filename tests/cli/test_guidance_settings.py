"""``toolnote preferences`` and ``toolnote dialect``: set by command, seen in what assistants are told."""

from __future__ import annotations

import json
import time

import pytest

from tests.cli.conftest import Run
from toolnote_desktop.paths import Home
from toolnote_desktop.store import bundled_files
from toolnote_desktop.store.activity import ActivityLog
from toolnote_desktop.store.activity_database import Call

FILES = bundled_files


@pytest.fixture
def equipped(catalogued: Home, run: Run) -> Home:
    run("toolset", "create", "work", "git.log")
    run("toolset", "equip", "work")
    return catalogued


def test_preferences_for_all_and_for_one(equipped: Home, run: Run) -> None:
    run("preferences", "set", "--language", "de", "--ask-before-changes", "yes", "--never", "git.log")
    assert run("preferences", "show", "--json").json == {
        "language": "de",
        "never": ["git.log"],
        "askBeforeChanges": True,
        "guideTokens": 8000,
    }
    assert "notes for them, in German" in run("instructions").out
    assert "Do not use git_log unless the user names it." in run("guide").out
    run("preferences", "set", "--client", "cursor", "--language", "fr", "--always", "git.log")
    assert "in French" in run("instructions", "--client", "cursor").out
    assert "the user prefers git_log to other tools" in run("guide", "--client", "cursor").out
    assert run("preferences", "show", "--client", "cursor", "--json").json["always"] == ["git.log"]
    run("preferences", "set", "--clear", "language", "--clear", "never", "--clear", "askBeforeChanges")
    assert "preferences" not in json.loads(equipped.settings.read_text("utf-8"))
    assert "expected one of en, de" in run("preferences", "set", "--language", "klingon", status=2).err
    assert "guideTokens" in run("preferences", "set", "--guide-tokens", "5", status=2).err
    assert "name at least one" in run("preferences", "set", status=2).err


def test_a_tool_is_preferred_or_left_alone_never_both(equipped: Home, run: Run) -> None:
    """Seen red: a tool that was preferred before stayed so where another one was named beside it."""
    run("preferences", "set", "--always", "git.log")
    run("preferences", "set", "--always", "git.diff", "--never", "git.log")
    shown = run("preferences", "show", "--json").json
    assert (shown["always"], shown["never"]) == (["git.diff"], ["git.log"])
    assert "git.log" in run("preferences", "set", "--always", "git.log", "--never", "git.log", status=2).err
    assert run("preferences", "show", "--json").json == shown


def test_a_dialect_is_changed_and_reset(equipped: Home, run: Run) -> None:
    shown = run("dialect", "show", "gemini").out
    assert "namePattern: " in shown
    assert "Use only tools that are listed." in shown
    assert "function-calling" in shown
    assert "or why there are none: none: its users choose the model" in run("dialect", "show", "cursor").out
    run("dialect", "set", "gemini", "--sentence", "Call one tool at a time.", "--figure", "descriptionLimit=512")
    shown = run("dialect", "show", "gemini").out
    assert "(gemini, yours)" in shown
    assert "function-calling" not in shown, "no page is the source of the user's own sentence"
    assert "\n\nCall one tool at a time." in run("guide", "--dialect", "gemini").out
    assert FILES.dialects(equipped)["gemini"].description_limit == 512
    run("dialect", "set", "gemini", "--figure", "descriptionLimit=null", "--sentence", "")
    assert FILES.dialects(equipped)["gemini"].description_limit is None
    assert FILES.dialects(equipped)["gemini"].sentences == ()
    assert "nameLimit" in run("dialect", "set", "gemini", "--figure", 'nameLimit="x"', status=2).err
    both = run("dialect", "set", "gemini", "--reset", "--sentence", "x", status=2)  # seen red: the sentence was dropped
    assert "--reset takes no other setting" in both.err
    run("dialect", "set", "gemini", "--reset")
    assert "yours" not in run("dialect", "show", "gemini").out
    assert "klingon" in run("dialect", "show", "klingon", status=1).err
    assert "claude-code" in run("dialect", "show").out


def test_each_shipped_dialect_has_sentences_with_a_source_or_a_reason_for_none(home: Home) -> None:
    for name, dialect in FILES.dialects(home).items():
        source = FILES.raw_dialect(home, name)["sentencesSource"]
        assert source.startswith("none: ") is not bool(dialect.sentences), name
        assert all(sentence.endswith(".") for sentence in dialect.sentences)


def test_places_in_guides_are_suggested_from_use(equipped: Home, run: Run) -> None:
    run("toolset", "add-tool", "work", "git.diff")
    log = ActivityLog(equipped)
    for _ in range(40):
        log.record_call(Call(time.time(), "cursor", "git", "log", 0.1))
    assert log.flush()
    log.close()
    found = run("tool", "suggest", "--json").json["tools"]
    assert [(one["namespacedName"], one["calls"], one["suggested"]) for one in found] == [
        ("git.log", 40, "required"),
        ("git.diff", 0, "optional"),
    ]
    assert "Set 2 tools in work." in run("tool", "suggest", "--apply").out
    raw = json.loads(equipped.toolset("work").read_text("utf-8"))["tools"]
    assert [one["optionality"] for one in raw] == ["required", "optional"]
    run("tool", "set", "git.log", "git.diff", "--optionality", "by-task")
    raw = json.loads(equipped.toolset("work").read_text("utf-8"))["tools"]
    assert not any("optionality" in one for one in raw)


def test_a_tool_for_the_user_only_is_said_to_be_so(equipped: Home, run: Run) -> None:
    run("tool", "set", "git.log", "--hint", 'audience=["user"]')
    assert "git_log" not in run("tools").out
    assert "git.log  for you only" in run("toolset", "show", "work").out
    run("tool", "set", "git.log", "--hint", "audience=null")
    assert "git_log" in run("tools").out


def test_a_tool_is_always_on(equipped: Home, run: Run) -> None:
    run("tool", "set", "git.diff", "--always-on")
    assert "git_diff" in run("tools").out
    run("tool", "set", "git.diff", "--not-always-on")
    assert "git_diff" not in run("tools").out
    assert "holds in every toolset" in run("tool", "set", "git.log", "--always-on", "--toolset", "work", status=2).err
