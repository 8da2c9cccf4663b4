"""Search of tools: words of the same meaning, notes, two languages, and nothing where nothing fits."""

from __future__ import annotations

import json
from functools import partial

import pytest

from tests.model.builders import Reports, catalogue, known
from tests.timing import compare
from toolnote_desktop.cli import parser
from toolnote_desktop.guidance.search import SearchIndex, stem, words_of
from toolnote_desktop.guidance.served_tools import served_tools
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.catalogue import KnownTool
from toolnote_desktop.model.tools.tool import Tool
from toolnote_desktop.model.toolsets.toolset import parse_toolset
from toolnote_desktop.paths import Home

TOOLS = {
    "linear.create_issue": "Creates a new issue in Linear",
    "linear.list_teams": "Lists all teams of the workspace",
    "github.merge_pull_request": "Merges a pull request",
    "github.delete_branch": "Deletes a branch of a repository",
    "slack.post_message": "Posts a message to a channel",
    "mail.send_email": "Sends an email to a recipient",
    "files.read_file": "Reads a text file",
    "postgres.run_query": "Runs a read-only SQL query",
    "calendar.create_event": "Creates an event in the calendar",
    "weather.get_forecast": "Gets the weather forecast for a city",
}


def tool(name: str, description: str) -> KnownTool:
    server, own = name.split(".", 1)
    made = Tool(server, {"name": own, "description": description, "inputSchema": {"type": "object"}})
    return KnownTool(made, made)


def index(notes: dict[str, str] | None = None, tools: dict[str, str] | None = None) -> SearchIndex:
    tools = TOOLS if tools is None else tools
    raw: JsonObject = {
        "tools": [{"namespacedName": name} for name in tools],
        "toolNotes": [
            {"toolRef": {"namespacedName": name}, "notes": [{"name": "n", "note": text}]}
            for name, text in (notes or {}).items()
        ],
    }
    toolset = parse_toolset("work", raw, Reports())
    snapshot = Snapshot(catalogue=catalogue([tool(*one) for one in tools.items()]), toolsets={"work": toolset})
    return SearchIndex(served_tools(snapshot, toolset))


def first(found: SearchIndex, query: str) -> str | None:
    hits = found.search(query, 5)
    return found.tools[hits[0].place].known.tool.namespaced_name if hits else None


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("file a bug in Linear", "linear.create_issue"),
        ("open a new ticket", "linear.create_issue"),
        ("which teams are there?", "linear.list_teams"),
        ("merge the PR", "github.merge_pull_request"),
        ("remove a branch", "github.delete_branch"),
        ("notify the #general channel", "slack.post_message"),
        ("query the database", "postgres.run_query"),
        ("is it going to rain: the temperature in Oslo", "weather.get_forecast"),
        ("book a meeting", "calendar.create_event"),
        ("lösche den Zweig", "github.delete_branch"),
        ("eine E-Mail an den Empfänger senden", "mail.send_email"),
        ("Wetter in Berlin", "weather.get_forecast"),
        ("neue Aufgabe anlegen", "linear.create_issue"),
        ("github_merge_pull_request", "github.merge_pull_request"),
        ("files.read_file", "files.read_file"),
    ],
)
def test_tool_is_found_by_what_people_say(query: str, expected: str) -> None:
    assert first(index(), query) == expected


@pytest.mark.parametrize("query", ["play some music", "order a pizza", "", "the of and", "xyzzy"])
def test_nothing_is_found_where_nothing_fits(query: str) -> None:
    assert index().search(query, 5) == []


def test_words_of_a_note_find_its_tool() -> None:
    assert first(index(), "quarterly OKR sheet") is None
    assert first(index({"files.read_file": "The OKR sheet of the quarter is in /plans."}), "quarterly OKR sheet") == (
        "files.read_file"
    )


def test_stems_join_forms_of_a_word() -> None:
    assert {stem(word) for word in ("merge", "merges", "merging", "merged")} == {stem("merge")}
    assert words_of("createIssue for_the teams") == [stem("create"), stem("issue"), stem("team")]


def test_time_grows_with_the_number_of_tools_and_no_faster() -> None:
    """Ratio of processor times of one run: 4,000 tools take at most eight times as long as 1,000; quadratic is 16."""

    def search(count: int) -> None:
        many = {f"s.tool_{one}_{one % 97}": f"Does thing {one} with item {one % 13}" for one in range(count)}
        index(tools=many).search("thing with item", 5)

    large, small = compare(partial(search, 4000), partial(search, 1000), 8)
    assert large <= 8 * small


def test_command_finds_what_the_tool_finds(home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    definitions = [one.tool.definition for one in (known("git", "delete_branch"), known("git", "log"))]
    documents = {
        "servers.json": {"mcpServers": {"git": {"command": "git"}}},
        "catalog.json": {"servers": {"git": {"tools": [{"definition": one} for one in definitions]}}},
        "toolsets/work.json": {"tools": [{"namespacedName": f"git.{one['name']}"} for one in definitions]},
        "settings.json": {"equippedToolset": "work"},
    }
    for name, document in documents.items():
        (home.root / name).parent.mkdir(parents=True, exist_ok=True)
        (home.root / name).write_text(json.dumps(document), "utf-8")
    arguments = ["--home", str(home.root)]
    assert parser.run(["search", "remove a branch", "--json", *arguments]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert (found["name"], found["namespacedName"]) == ("git_delete_branch", "git.delete_branch")
    assert parser.run(["search", "play music", *arguments]) == 0
    assert capsys.readouterr().out == "No tool fits.\n"
