"""Discovery by client, through a real proxy: the whole list, or a search where the list is too long."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.meaning.processes import models
from tests.proxy.live import live_call, live_stream
from tests.proxy.raw_client import RawClient
from tests.proxy.running import TOOLSET, Running, raw_server, running
from tests.waiting import wait_until
from toolnote_desktop.guidance.budgets import list_budget
from toolnote_desktop.guidance.search import SearchIndex
from toolnote_desktop.guidance.tokens import estimate_definition_tokens
from toolnote_desktop.model.edits import CLIENT_ENTRIES, CLIENTS, SETTINGS, PutEntry, SetFields
from toolnote_desktop.model.tools.dialect import PLAIN
from toolnote_desktop.model.toolsets.note_edits import AddNote, EditNote, NoteTarget
from toolnote_desktop.model.toolsets.notes import Scope
from toolnote_desktop.model.toolsets.tool_settings import SetToolSettings
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.events import ApprovalQuestion, Decision
from toolnote_desktop.proxy.routing import served_lists
from toolnote_desktop.proxy.tools import served_built_in_tools, tool_search
from toolnote_desktop.proxy.tools.tool_search import WHOLE_TOKENS
from toolnote_desktop.store.activity_queries import recent_calls

LONG = " ".join(["Weights are in grams, and the sender pays."] * 60)
NAMES = [f"send_{kind}_{number}" for number in range(20) for kind in ("parcel", "letter")]
"""Tools of about 600 tokens: together more than 5 % of 200,000, and one more than fits into 1,500 twice over."""
LIST = [
    {"name": name, "description": f"Sends number {name[-2:]}. {LONG}", "inputSchema": {"type": "object"}}
    for name in NAMES
]
WHERE = "raw.send_parcel_3"


@contextmanager
def with_many_tools(home: Home) -> Iterator[Running]:
    with running(home, {"raw": raw_server(tools=LIST)}, has_window=True) as proxy:
        proxy.wait(lambda snapshot: len(snapshot.toolsets[TOOLSET].tools) == len(LIST))
        yield with_settings(proxy)


def with_settings(proxy: Running) -> Running:
    proxy.library.submit(SetToolSettings("raw.send_letter_7", {"hints": {"alwaysLoad": True}}))
    proxy.library.submit(SetToolSettings("raw.send_letter_8", {"approval": "ask"}))
    return proxy


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with with_many_tools(Home(tmp_path_factory.mktemp("home"))) as proxy:
        yield proxy


@pytest.fixture
def proxy(shared: Running) -> Running:
    return with_settings(shared)


def test_a_live_listing_records_when_a_tool_was_first_seen(proxy: Running) -> None:
    """Seen red: with new tools without a time."""
    begun = time.time()
    proxy.library.flush()
    document = json.loads(proxy.library.home.catalog.read_text(encoding="utf-8"))
    seen = {one["definition"]["name"]: one["firstSeen"] for one in document["servers"]["raw"]["tools"]}
    assert set(seen) == set(NAMES)
    assert all(begun - 3600 < at <= begun for at in seen.values())


def client(proxy: Running, id: str, **entry: Any) -> RawClient:
    proxy.library.submit(PutEntry(CLIENTS, CLIENT_ENTRIES, id, {"name": id, "toolset": TOOLSET, **entry}))
    bridged = proxy.bridge(id)
    bridged.initialize()
    return bridged


def listed(one: RawClient) -> set[str]:
    return {tool["name"] for tool in one.tools()} & {"search-tools", "call-tool", *(f"raw_{name}" for name in NAMES)}


ALL = {f"raw_{name}" for name in NAMES}
SEARCH = {"search-tools", "call-tool", "raw_send_letter_7", "raw_send_letter_8"}


def test_list_of_each_client_follows_its_discovery(proxy: Running) -> None:
    """Seen red: with the setting of all clients for each, and with the size of the list left out."""
    cases: list[tuple[str, dict[str, Any], set[str]]] = [
        ("claude-desktop", {"discovery": "auto"}, SEARCH),  # 200,000 tokens are known, and 5 % are fewer than these
        ("claude-code", {"discovery": "auto", "dialect": "claude-code"}, ALL),  # it loads on demand by itself
        ("gemini-cli", {"discovery": "auto"}, ALL),  # its context is large
        ("vscode", {"discovery": "auto"}, ALL),  # fewer than its limit
        ("unknown", {"discovery": "auto"}, ALL),
        ("claude", {}, ALL),  # connected before
        ("cursor", {"discovery": "search"}, SEARCH),
    ]
    for id, entry, expected in cases:
        assert listed(client(proxy, id, **entry)) == expected, id
    own = proxy.client()  # the run's token
    own.initialize()
    assert listed(own) == ALL
    stream = live_stream(own)
    try:
        proxy.library.submit(SetFields(SETTINGS, {"lazyMode": True}))
        stream.wait("notifications/tools/list_changed")
        assert listed(own) == SEARCH
    finally:
        proxy.library.submit(SetFields(SETTINGS, {"lazyMode": False}))
        stream.close()


def test_budget_of_a_list_is_that_of_the_list_that_is_served(proxy: Running) -> None:
    """Seen red: Toolnote's own tools cost nothing, the two for searching were counted where they are not served, and
    the user's text on one of them was not counted.
    """
    own_text = {"builtInInstructions": {"search-tools": "Look here before anything else is tried. " * 60}}
    proxy.library.submit(SetFields(SETTINGS, own_text))
    first = client(proxy, "cursor", discovery="search")
    assert wait_until(lambda: any("Look here" in tool["description"] for tool in first.tools()))
    cases: tuple[tuple[str, dict[str, Any]], ...] = (
        ("cursor", {"discovery": "search"}),
        ("codex", {}),
        ("zed", {"mayWriteNotes": False, "toolset": None}),
    )
    for id, entry in cases:
        tools = client(proxy, id, **entry).tools()
        snapshot = proxy.library.snapshot
        budget = list_budget(snapshot, snapshot.clients[id], snapshot.toolset_of(id), PLAIN)
        assert budget.listed + budget.own == len(tools), id
        served = sum(map(estimate_definition_tokens, tools))
        assert abs(budget.list_tokens - served) < 0.1 * served, id
    proxy.library.submit(SetFields(SETTINGS, {"builtInInstructions": {}}))


def test_answer_of_a_search_is_short_and_has_the_best_tool_whole(
    proxy: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen red: tools were searched in the loop, 10 ms and more among 5,000 (attack *search*)."""
    answer = SearchIndex.answer

    def beside_the_loop(*given: Any) -> Any:
        with pytest.raises(RuntimeError):
            asyncio.get_running_loop()
        return answer(*given)

    monkeypatch.setattr(SearchIndex, "answer", beside_the_loop)
    one = client(proxy, "cursor", discovery="search")
    found = one.call("search-tools", {"query": "send a letter"}).result["structuredContent"]["value"]["tools"]
    assert len(found) == 5
    whole = [tool for tool in found if "inputSchema" in tool]
    assert found[: len(whole)] == whole
    assert 1 <= len(whole) < 3
    assert sum(map(estimate_definition_tokens, whole)) <= WHOLE_TOKENS
    assert all(len(tool["description"]) < 200 for tool in found[len(whole) :])
    request = {"query": found[-1]["name"], "limit": 1}
    (asked,) = one.call("search-tools", request).result["structuredContent"]["value"]["tools"]
    assert "inputSchema" in asked
    nothing = one.call("search-tools", {"query": "forecast of tomorrow's weather"}).result["structuredContent"]
    assert nothing["value"]["tools"] == nothing["value"]["nearest"] == []
    assert "No tool fits" in nothing["instruction"]
    unsure = one.call("search-tools", {"query": "a bouquet of roses for grams of gold"}).result["structuredContent"]
    assert unsure["value"]["tools"] == []
    assert len(unsure["value"]["nearest"]) == 3
    assert all(set(tool) == {"name", "description"} for tool in unsure["value"]["nearest"])
    assert "the nearest ones are named" in unsure["instruction"]


def test_list_of_a_client_that_searches_starts_the_model(tmp_path: Path) -> None:
    """Seen red: the first search after a rest was by words alone."""
    before = {one.pid for one in models()}
    with running(Home(tmp_path), {"raw": raw_server(tools=LIST)}, has_window=True) as proxy:
        proxy.wait(lambda snapshot: len(snapshot.toolsets[TOOLSET].tools) == len(LIST))
        assert client(proxy, "codex", discovery="full").tools()
        assert {one.pid for one in models()} <= before
        assert client(proxy, "cursor", discovery="search").tools()
        assert wait_until(lambda: {one.pid for one in models()} - before)
    assert {one.pid for one in models()} <= before


def test_note_finds_its_tool_and_a_changed_one_arrives_with_the_next_search(proxy: Running) -> None:
    """Seen red: with an index that outlives a note, and with notes left out of it."""
    one = client(proxy, "cursor", discovery="search")
    before = [tool["name"] for tool in one.tools()]

    def ask(query: str) -> list[dict[str, Any]]:
        value = one.call("search-tools", {"query": query}).result["structuredContent"]["value"]
        return list(value["tools"])

    assert ask("Zanzibar consignment") == []
    target = NoteTarget.everywhere(Scope.TOOL, WHERE)
    proxy.library.submit(AddNote(target, {"name": "route", "note": "Use it for every Zanzibar consignment."}))
    assert [tool["name"] for tool in ask("Zanzibar consignment")] == ["raw_send_parcel_3"]
    proxy.library.submit(EditNote(target, "route", {"note": "Use it for every Reykjavik consignment."}))
    (found,) = ask("Reykjavik consignment")
    assert "• **route**: Use it for every Reykjavik consignment." in found["description"]
    assert [tool["name"] for tool in one.tools()] == before


def test_call_after_a_search_has_read_the_notes_that_its_answer_had(proxy: Running) -> None:
    """Seen red: a note that was written since the list was fetched counted as not read, in Activity and in its effect,
    though the model had it from the search.
    """
    one = client(proxy, "cursor", discovery="search")
    one.tools()

    def read_by_next_call() -> list[str]:
        before = next((made.id for made in recent_calls(proxy.library.home, 1)), 0)
        one.call("call-tool", {"name": "raw_send_parcel_5", "arguments": {}})
        wait_until(lambda: any(made.id > before for made in recent_calls(proxy.library.home, 1)))
        (made,) = recent_calls(proxy.library.home, 1)
        assert made.behind == 0
        return [note.name for note in made.notes or ()]

    proxy.library.submit(AddNote(NoteTarget.everywhere(Scope.TOOL, "raw.send_parcel_5"), {"name": "ur", "note": "Ur."}))
    assert read_by_next_call() == [], "it has not searched since"
    one.call("search-tools", {"query": "send_parcel_5", "limit": 1})
    assert read_by_next_call() == ["ur"]


def test_the_users_words_on_a_tool_find_it_wherever_they_are(proxy: Running) -> None:
    """Seen red: only a note found its tool; by a note on a parameter, by when to use it and by its instructions nothing
    seemed to fit, and a title of the user was not searched at all.
    """
    one = client(proxy, "cursor", discovery="search")
    cases: tuple[tuple[str, dict[str, Any]], ...] = (
        ("Zollgut", {"parameters": {"p": {"note": "Zollgut needs a form."}}}),
        ("Kofferraum", {"whenToUse": "For the Kofferraum."}),
        ("Wollmilch", {"instructions": "Mind the Wollmilch."}),
        ("Snollygoster", {"hints": {"title": "Snollygoster"}}),
    )
    for number, (word, settings) in enumerate(cases, start=10):
        proxy.library.submit(SetToolSettings(f"raw.send_parcel_{number}", settings))
        value = one.call("search-tools", {"query": word}).result["structuredContent"]["value"]
        assert [tool["name"] for tool in value["tools"]] == [f"raw_send_parcel_{number}"], word
        assert word in json.dumps(value["tools"][0], ensure_ascii=False) or "parameters" in settings


def test_an_empty_query_names_all_tools_and_describes_no_more_than_a_few(
    proxy: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen red: a line for each, 200,000 tokens of 5,000 tools."""
    one = client(proxy, "cursor", discovery="search")

    def ask() -> list[dict[str, Any]]:
        value = one.call("search-tools", {"query": " "}).result["structuredContent"]["value"]
        assert value["total"] == len(NAMES)
        return list(value["tools"])

    assert all(set(tool) == {"name", "description"} for tool in ask())
    monkeypatch.setattr(tool_search, "LINES_TOKENS", 50)
    assert [set(tool) for tool in ask()] == [{"name"}] * len(NAMES)
    assert {tool["name"] for tool in ask()} == ALL


def test_call_by_search_is_a_call_like_any_other(proxy: Running) -> None:
    """Approval, the toolset's boundary and the record of the call hold."""
    one = client(proxy, "cursor", discovery="search")
    assert one.call("raw_send_letter_7", {}).result.get("isError") is not True
    assert one.call("call-tool", {"name": "raw_send_parcel_1", "arguments": {}}).result.get("isError") is not True
    call = live_call(one, "call-tool", {"name": "raw_send_letter_8", "arguments": {}})
    wait_until(lambda: any(isinstance(event, ApprovalQuestion) for event in proxy.events))
    (question,) = (event for event in proxy.events if isinstance(event, ApprovalQuestion))
    proxy.thread.answer_approval(question.id, Decision.DENY)
    assert call.result()["structuredContent"]["error_type"] == "approval_denied"
    outside = one.call("call-tool", {"name": "raw_echo"}).result["structuredContent"]
    assert outside["error_type"] == "tool_not_found"
    expected = ["send_letter_8", "send_parcel_1", "send_letter_7"]
    wait_until(lambda: [made.tool for made in recent_calls(proxy.library.home, 3)] == expected)


@pytest.mark.parametrize("discovery", ["full", "search", "auto"])
def test_own_tools_are_worked_out_once_for_a_list(discovery: str, home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen red: twice, for the list and for searching, at each change for each client."""
    worked_out: list[object] = []

    def counted(*arguments: Any, **options: Any) -> Any:
        worked_out.append(arguments)
        return served_built_in_tools(*arguments, **options)

    with with_many_tools(home) as proxy:
        one = client(proxy, "claude-desktop", discovery=discovery)
        monkeypatch.setattr(served_lists, "served_built_in_tools", counted)
        proxy.library.submit(SetToolSettings("raw.send_letter_9", {"whenToUse": f"For {discovery}."}))
        assert listed(one) == (ALL if discovery == "full" else SEARCH)
        assert len(worked_out) == 1
