"""Dialects: our data files, what a file may say, and which caller gets which."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolnote_desktop.model.clients import Client
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.model.tools.dialect import (
    PLAIN,
    Dialect,
    DialectError,
    NotesPosition,
    choose_dialect,
    find_dialect,
    parse_dialect,
)

FOLDER = Path(__file__).parents[2] / "resources" / "dialects"
FILES = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.json"))}
OURS = {name: parse_dialect(raw) for name, raw in FILES.items()}


@pytest.mark.parametrize("name", FILES)
def test_dialect_files_have_a_source_for_all_figures(name: str) -> None:
    dialect = OURS[name]
    assert dialect.name == name
    assert not dialect.schema_subset
    for figure, given_figure in FILES[name]["figures"].items():
        for one in (given_figure, *given_figure.get("versions", ())):
            assert re.search(r"\d{4}-\d\d-\d\d", one["source"]), f"{figure}: without the day it was looked up"
        assert dict(dialect.sources)[figure] == given_figure["source"]


def test_the_default_does_nothing() -> None:
    default = OURS["default"]
    assert (default.notes, default.name_limit, default.description_limit) == (NotesPosition.AFTER, None, None)
    assert default.key == PLAIN.key


def test_the_facts_to_start_from() -> None:
    def fact(name: str, attribute: str) -> Any:
        return getattr(OURS[name], attribute)

    assert fact("claude-code", "name_limit") == 64
    assert OURS["claude-code"].final_name("linear_create_issue") == "mcp__toolnote__linear_create_issue"
    assert fact("claude-code", "description_limit") == 16_384
    assert fact("claude-code", "loaded_description_limit") == 4096
    assert fact("openai", "description_limit") is None
    assert fact("cursor", "name_limit") == 60
    assert fact("cursor", "tool_warning") is None
    assert fact("gemini", "name_limit") == 63
    assert fact("vscode", "tool_limit") == 128
    assert fact("windsurf", "tool_limit") == fact("antigravity", "tool_limit") == 100
    assert fact("chatgpt", "token_limit") == 16_000
    assert set(fact("claude", "refused_at_top")) == {"oneOf", "allOf", "anyOf"}
    refused = {"exclusiveMinimum", "const", "$schema", "additionalProperties"}
    assert refused <= set(fact("gemini-api", "refused_keywords"))
    assert fact("gemini", "refused_keywords") == ()


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("claude-code", "mcp__toolnote__git_log-all"),
        ("openai", "mcp__toolnote__git_log_all"),
        ("gemini", "mcp_toolnote_git_log-all"),
        ("copilot-cli", "toolnote-git_log-all"),
        ("opencode", "toolnote_git_log-all"),
        ("cline", "toolnote__git_log-all"),
        ("continue", "git_log-all"),
        ("qwen", "mcp__toolnote__git_log-all"),
    ],
)
def test_names_as_the_lab_saw_them(name: str, shown: str) -> None:
    assert OURS[name].final_name("git_log-all") == shown


def test_older_versions_have_their_own_limits() -> None:
    """Red where a version is not read, or where it is compared as text (2.1.1000 is newer than 2.1.332)."""
    newest = OURS["claude-code"]
    for version in ("2.1.332", "2.1.1000", "2.1.332-beta", "3", "v2.1.400", "", "next", "2.1.332.1"):
        assert newest.for_version(version) is newest, version
    for version in ("2.1.197", "2.1.331", "1.0.0", "v2.1.9", "2"):
        older = newest.for_version(version)
        assert (older.description_limit, older.instructions_limit, older.loads_on_demand) == (2048, 2048, False)
        assert set(older.refused_at_top) == {"oneOf", "allOf", "anyOf"}
        assert older.key != newest.key
    chosen = choose_dialect(OURS, None, ["claude-code"], versions=["2.1.332", "2.1.197"])
    assert chosen.description_limit == 2048
    assert choose_dialect(OURS, None, ["claude-code"], versions=["odd", "2.1.332"]) is newest


def test_there_is_room_for_our_usual_names_everywhere() -> None:
    for dialect in OURS.values():
        assert (dialect.room() or 99) >= 48, dialect.name
    assert OURS["claude-code"].room("a-very-long-name-for-toolnote") == 64 - len("mcp__a-very-long-name-for-toolnote__")
    assert Dialect("x", "X", name_limit=10, name_prefix="{server}__").room() == 16


def client(**fields: Any) -> Client:
    return Client.read(fields)


@pytest.mark.parametrize(
    ("entry", "names", "client_id", "expected"),
    [
        (None, [], None, "default"),
        (None, ["claude-code"], None, "claude-code"),
        (None, ["Visual Studio Code - Insiders"], None, "vscode"),
        (None, ["claude-ai"], "cursor", "claude"),
        (None, [], "cursor", "cursor"),
        (None, [], "copilot-cli", "copilot-cli"),
        (None, [], "qwen-code", "qwen"),
        (None, [], "kilo-code", "opencode"),
        (None, [], "cline", "cline"),
        (None, [], "continue", "continue"),
        (None, ["something-else"], "gemini-cli", "gemini"),
        (None, ["claude-code", "Codex"], None, "default"),
        (None, ["claude-code", "Codex"], "cursor", "default"),
        (None, ["codex-mcp-client", "Codex"], None, "openai"),
        (client(dialect="gemini"), ["claude-code"], "cursor", "gemini"),
        (client(dialect="gone"), ["claude-code"], None, "claude-code"),
    ],
)
def test_token_entry_then_client_info_then_default(
    entry: Client | None, names: list[str], client_id: str | None, expected: str
) -> None:
    assert choose_dialect(OURS, entry, names, client_id).name == expected


def test_the_schema_subset_is_the_users_switch() -> None:
    chosen = choose_dialect(OURS, client(schemaSubset=True), ["gemini-cli-mcp-client"])
    assert chosen.key == ("gemini", True, "")
    assert choose_dialect(OURS, client(), ["gemini-cli-mcp-client"]).key == ("gemini", False, "")


def test_a_dialect_that_is_not_there() -> None:
    assert find_dialect({}, "default") is PLAIN
    with pytest.raises(ToolnoteError) as caught:
        find_dialect(OURS, "nope")
    assert caught.value.problem.code is Code.DIALECT_UNKNOWN


@pytest.mark.parametrize(
    "raw",
    [
        None,
        {},
        {"name": "No"},
        {"name": "x", "figures": []},
        {"name": "x", "figures": {"nameLimit": {"value": "64"}}},
        {"name": "x", "figures": {"nameLimit": {"value": 0}}},
        {"name": "x", "figures": {"namePattern": {"value": "("}}},
        {"name": "x", "figures": {"newFigure": {"value": 1}}},
        {"name": "x", "figures": {"nameLimit": 64}},
        {"name": "x", "figures": {"nameLimit": {"value": 64, "versions": {}}}},
        {"name": "x", "figures": {"nameLimit": {"value": 64, "versions": [{"below": "two", "value": 1}]}}},
        {"name": "x", "figures": {"nameLimit": {"value": 64, "versions": [{"below": "2", "value": "1"}]}}},
        {"name": "x", "notes": "somewhere"},
        {"name": "x", "sentences": "one"},
        {"name": "x", "family": 1},
    ],
)
def test_a_file_that_cannot_be_used_says_why(raw: Any) -> None:
    with pytest.raises(DialectError, match=r"\w"):
        parse_dialect(raw)


def test_a_users_own() -> None:
    mine = parse_dialect(
        {"name": "mine", "clients": ["My Agent*"], "notes": "before", "figures": {"descriptionLimit": {"value": 300}}}
    )
    assert (mine.title, mine.notes, mine.description_limit) == ("mine", NotesPosition.BEFORE, 300)
    assert choose_dialect({**OURS, "mine": mine}, None, ["my agent 2"]).name == "mine"


JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)


@given(st.dictionaries(st.sampled_from(["name", "title", "clients", "figures", "notes", "sentences", "family"]), JSON))
def test_any_file_is_a_dialect_or_says_why(raw: dict[str, Any]) -> None:
    try:
        dialect = parse_dialect(raw)
    except DialectError:
        return
    assert dialect.name == raw["name"]
