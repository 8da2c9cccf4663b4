"""Guide and instructions as each caller needs them: its names, its record with tools, its preferences, its tasks."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.proxy.raw_client import RawClient
from tests.proxy.routing.test_guide_served import connected
from tests.proxy.routing.test_guided_calls import ECHO
from tests.proxy.running import TOOLSET, Running, raw_server, running
from toolnote_desktop.cli import parser
from toolnote_desktop.commands.library import served_state
from toolnote_desktop.model import json_text
from toolnote_desktop.model.calls.outcome import Outcome
from toolnote_desktop.model.edits import CLIENT_ENTRIES, CLIENTS, SETTINGS, PutEntry, SetFields, toolset_document
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.experience import Experience
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.store.activity import ActivityLog
from toolnote_desktop.store.activity_database import Call
from toolnote_desktop.store.home_lock import HomeOwner

EXAMPLE = {"examples": [{"input": {"text": "hello"}}]}
MAIL = {**ECHO, "name": "send_mail", "description": "Sends a mail.", "annotations": {"readOnlyHint": False}}
TOOLS = [{**ECHO, "description": "Gives a text back. Slowly.", "annotations": {"readOnlyHint": True}}, MAIL]


@pytest.fixture(scope="module")
def shared_home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    return Home(tmp_path_factory.mktemp("home"))


@pytest.fixture(scope="module")
def shared(shared_home: Home) -> Iterator[Running]:
    entries = [{"namespacedName": "raw.echo", "hints": EXAMPLE}, {"namespacedName": "raw.send_mail"}]
    with running(shared_home, {"raw": raw_server(tools=TOOLS, toolnote={})}, toolset={"tools": entries}) as proxy:
        yield proxy


@pytest.fixture
def proxy(shared: Running) -> Iterator[Running]:
    yield shared
    shared.library.submit(SetFields(SETTINGS, {"lazyMode": False, "hiddenBuiltInTools": [], "preferences": {}}))
    shared.library.submit(SetFields(toolset_document(TOOLSET), {"taskTypes": {}}))


def guide(client: RawClient, **arguments: Any) -> dict[str, Any]:
    value: dict[str, Any] = client.call("get-tool-guide", arguments).result["structuredContent"]["value"]
    return value


def test_a_connected_assistant_calls_natively_and_examples_are_arguments(proxy: Running) -> None:
    client, _ = connected(proxy)
    text = guide(client)["guide"]
    assert "Call these tools natively" in text
    assert '"tool":' not in text
    assert '**Example:**\n```json\n{"text": "hello"}\n```' in text


def test_while_tools_are_found_by_searching_guide_and_instructions_say_so(proxy: Running) -> None:
    proxy.library.submit(SetFields(SETTINGS, {"lazyMode": True}))
    client, introduced = connected(proxy)
    assert (
        "find one with search-tools, which gives its schema, and call it with call-tool" in introduced["instructions"]
    )
    text = guide(client)["guide"]
    assert "Find one with `search-tools`" in text
    assert '{"name": "raw_echo", "arguments": {"text": "hello"}}' in text


def test_all_of_one_tool_on_request(proxy: Running) -> None:
    client, _ = connected(proxy)
    for name in ("raw_echo", "raw.echo"):
        found = guide(client, tool=name)
        assert found["tools"] == ["raw_echo"]
        assert found["guide"].startswith("### raw_echo\nGives a text back. Slowly.\n")
        assert "**Behaviour:** only reads" in found["guide"]
    answer = client.call("get-tool-guide", {"tool": "nothing"}).result["structuredContent"]
    assert answer["error_type"] == "tool_not_found"
    assert answer["instruction"] == "Call get-tool-guide without a tool for the names of all tools."


def test_the_schema_offers_the_task_types_of_the_toolset(proxy: Running) -> None:
    client, _ = connected(proxy)
    task = client.tool("get-tool-guide")["inputSchema"]["properties"]["task"]
    assert task["enum"] == ["build", "debug", "plan", "research", "write"]
    types = {"plan": None, "party": {"words": ["celebrate"], "tools": ["raw.send_mail"]}}
    proxy.library.submit(SetFields(toolset_document(TOOLSET), {"taskTypes": types}))
    task = client.tool("get-tool-guide")["inputSchema"]["properties"]["task"]
    assert task["enum"] == ["build", "debug", "research", "write", "party"]
    assert guide(client, task="party")["tools"] == ["raw_send_mail"]


def test_advice_names_only_what_the_caller_is_served(proxy: Running) -> None:
    proxy.library.submit(PutEntry(CLIENTS, CLIENT_ENTRIES, "mine", {"name": "Mine", "toolset": ""}))
    client = proxy.bridge("mine")
    client.initialize()
    told = client.call("search-tools", {"query": "x"})
    del told  # not served while lists are whole
    answer = client.call("get-tool-guide").result["structuredContent"]
    assert answer["error_type"] == "no_toolset_equipped"
    assert answer["instruction"] == "Ask the user which toolset to use, then call equip-toolset."
    proxy.library.submit(SetFields(SETTINGS, {"hiddenBuiltInTools": ["equip-toolset"]}))
    answer = client.call("get-tool-guide").result["structuredContent"]
    assert "equip-toolset" not in answer["instruction"]
    assert answer["instruction"].startswith("Ask the user to choose a toolset for you in Toolnote")


def test_preferences_of_the_user_and_for_one_assistant(proxy: Running) -> None:
    general = {"language": "de", "never": ["raw.send_mail"], "askBeforeChanges": True}
    proxy.library.submit(SetFields(SETTINGS, {"preferences": general}))
    client, introduced = connected(proxy)
    sentences = (
        "Write to the user, and notes for them, in German. Before a call that may change something, say what you are "
        "about to do and ask the user. Do not use raw_send_mail unless the user names it."
    )
    assert sentences in introduced["instructions"]
    found = guide(client)
    assert sentences in found["guide"]
    assert found["tools"] == ["raw_echo"]
    own = {"detail": "summary", "always": ["raw.send_mail"], "language": "fr", "askBeforeChanges": False}
    entry = {"name": "Mine", "toolset": TOOLSET, "preferences": own}
    proxy.library.submit(PutEntry(CLIENTS, CLIENT_ENTRIES, "mine", entry))
    mine = proxy.bridge("mine")
    told = mine.initialize()["instructions"]
    assert "in French. Where it fits, the user prefers raw_send_mail to other tools." in told
    found = guide(mine, task="debug")
    assert (found["detail"], "raw_send_mail" in found["tools"]) == ("summary", True)


def test_preferences_order_what_is_found(proxy: Running) -> None:
    """Seen red with the order of the search engine."""
    orders = []
    for choice in ({"never": ["raw.send_mail"]}, {"never": ["raw.echo"]}):
        entry = {"name": "Mine", "toolset": TOOLSET, "discovery": "search", "preferences": choice}
        proxy.library.submit(PutEntry(CLIENTS, CLIENT_ENTRIES, "mine", entry))
        mine = proxy.bridge("mine")
        mine.initialize()
        found = mine.call("search-tools", {"query": "echo or send mail"}).result["structuredContent"]["value"]
        named = mine.call("search-tools", {"query": choice["never"][0].replace(".", "_")}).result
        assert named["structuredContent"]["value"]["tools"][0]["name"] == choice["never"][0].replace(".", "_")
        orders.append([tool["name"] for tool in found["tools"]])
    assert orders == [["raw_echo", "raw_send_mail"], ["raw_send_mail", "raw_echo"]]


def test_a_guide_keeps_its_budget_and_says_so(proxy: Running) -> None:
    proxy.library.submit(SetFields(SETTINGS, {"preferences": {"guideTokens": 500}}))
    client, _ = connected(proxy)
    whole = guide(client)
    assert whole["context"]["budget"] == 500
    assert whole["context"]["tokens"] <= 500
    assert "This guide was shortened to about 500 tokens" in whole["guide"] or not whole["shortened"]


def test_what_was_used_for_such_tasks_comes_first(proxy: Running) -> None:
    client, _ = connected(proxy)
    before = guide(client, task="research")
    assert "raw_send_mail" not in before["tools"]
    assert client.call("raw_send_mail", {"text": "x"}).result["content"]
    assert "raw_send_mail" in guide(client, task="research")["tools"]
    other, _ = connected(proxy, "other")
    assert "raw_send_mail" in guide(other, task="research")["tools"]
    assert "raw_send_mail" not in guide(other, task="debug")["tools"]


@pytest.fixture
def announced(shared: Running, shared_home: Home) -> Iterator[Home]:
    """The home, in whose ``endpoint.json`` commands find the running app."""
    owner = HomeOwner.acquire(shared_home, "serve")
    owner.write_endpoint(shared.endpoint.url, shared.endpoint.bridge_secret)
    yield shared_home
    owner.release()


def test_commands_show_what_the_running_app_serves_now(
    shared: Running, announced: Home, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    run = ["--home", str(announced.root)]
    proxy_client, _ = connected(shared)
    shared.library.submit(SetFields(toolset_document(TOOLSET), {"guidelines": "Written just now."}))
    assert parser.run(["guide", *run]) == 0
    assert "Written just now." in capsysbinary.readouterr().out.decode()
    assert parser.run(["tools", "--json", *run]) == 0
    listed = json_text.loads(capsysbinary.readouterr().out)["tools"]
    assert listed == proxy_client.tools()
    assert parser.run(["dialect", "set", "default", "--sentence", "Be calm.", *run]) == 0
    assert "Be calm." in connected(shared)[1]["instructions"]  # the running app has read it
    assert parser.run(["dialect", "set", "default", "--reset", *run]) == 0
    assert "Be calm." not in connected(shared)[1]["instructions"]
    shared.library.submit(SetFields(toolset_document(TOOLSET), {"guidelines": ""}))
    capsysbinary.readouterr()


def test_what_is_served_is_told_to_holders_of_the_bridges_secret_only(shared: Running) -> None:
    assert shared.client().send("POST", path="/served").status == 404


def test_what_is_served_is_told_where_nothing_can_be_written(shared: Running, announced: Home) -> None:
    """Seen red: HTTP 500 and a traceback in the log, and the commands showed what no client was served."""
    connected(shared)
    before = served_state(announced)
    assert before.clients
    toolsets, aside = announced.toolsets, announced.root / "aside"
    toolsets.rename(aside)
    toolsets.write_text("a file in the place of the folder")
    shared.library.submit(SetFields(toolset_document(TOOLSET), {"guidelines": "Not stored yet."}))
    told = served_state(announced)
    toolsets.unlink()
    aside.rename(toolsets)
    shared.library.submit(SetFields(toolset_document(TOOLSET), {"guidelines": ""}))
    shared.library.flush()
    assert told == before


# --- experience


def call(client: str, tool: str, outcome: Outcome = Outcome.WORKED, *refused: str) -> Call:
    return Call(time.time(), client, "raw", tool, 0.1, outcome=outcome, refused=refused)


def test_ten_calls_without_a_fault_make_a_tool_familiar(home: Home) -> None:
    log = ActivityLog(home)
    for _ in range(10):
        log.record_call(call("mine", "echo"))
        log.record_call(call("mine", "send_mail"))
    for _ in range(9):
        log.record_call(call("other", "echo"))
    log.record_call(call("mine", "send_mail", Outcome.FAILED))
    log.record_call(call("other", "send_mail", Outcome.WORKED, "/text type"))
    assert log.flush()
    experience = Experience(home)
    echo, mail = frozenset({("raw", "echo")}), frozenset({("raw", "send_mail")})
    assert experience.of_client("mine") == (echo, mail)
    assert experience.of_client("other") == (frozenset(), mail)
    log.close()


def test_what_was_used_for_tasks_survives_a_restart_without_any_words(home: Home) -> None:
    experience, principal = Experience(home), Principal("mine")
    experience.call_worked(principal, ("raw", "echo"))  # before any guide: for no task
    experience.guided(principal, ["research"])
    experience.call_worked(principal, ("raw", "echo"))
    experience.close()
    assert Experience(home).used() == {"research": {("raw", "echo"): 1}}
    assert home.task_use.read_text("utf-8") == '[["research", "raw", "echo", 1]]'
    home.task_use.write_text('[["a", "b", "c", 0], ["a", 5], {}, ["a", "b", "c", 2]]', "utf-8")
    assert Experience(home).used() == {"a": {("b", "c"): 2}}
    home.task_use.write_text("{", "utf-8")
    assert Experience(home).used() == {}
