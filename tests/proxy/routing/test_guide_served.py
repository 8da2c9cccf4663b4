"""Guide as prompt and resource, server instructions, lazy mode and dialects, through a real proxy."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.proxy.live import ModernClient, live_stream
from tests.proxy.raw_client import RawClient
from tests.proxy.routing.test_guided_calls import ECHO, arguments_that_arrived, refused, set_fields
from tests.proxy.running import TOOLSET, Running, raw_server, running
from toolnote_desktop.cli import parser
from toolnote_desktop.guidance.guide import write_guide
from toolnote_desktop.guidance.reader import client_reader
from toolnote_desktop.model.edits import (
    CLIENT_ENTRIES,
    CLIENTS,
    SETTINGS,
    CreateDocument,
    PutEntry,
    SetFields,
    toolset_document,
)
from toolnote_desktop.model.tools.dialect import PLAIN
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.routing.guide_resource import GUIDE_URI
from toolnote_desktop.store import bundled_files

LONG = {**ECHO, "description": "x" * 2040}
NOTES = [{"toolRef": {"namespacedName": "raw.echo"}, "notes": [{"name": "ask", "note": "Ask first."}]}]


@pytest.fixture
def proxy(home: Home) -> Iterator[Running]:
    toolset = {"tools": [{"namespacedName": "raw.echo"}], "toolNotes": NOTES, "guidelines": "Be kind."}
    with running(home, {"raw": raw_server(tools=[LONG], toolnote={})}, toolset=toolset) as proxy:
        yield proxy


def connected(proxy: Running, name: str = "raw") -> tuple[RawClient, dict[str, Any]]:
    """A client that calls itself ``name``, and the result of its handshake."""
    client = proxy.client()
    params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": name, "version": "1"}}
    answer = client.post({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params})
    client.session_id = answer.headers["mcp-session-id"]
    assert client.post({"jsonrpc": "2.0", "method": "notifications/initialized"}).status == 202
    return client, answer.result


def test_the_prompt(proxy: Running) -> None:
    client, _ = connected(proxy)
    first = client.request("prompts/list").result["prompts"][0]
    assert first["name"] == "tool-guide"
    assert [argument["name"] for argument in first["arguments"]] == ["task", "input", "detail"]
    got = client.request("prompts/get", {"name": "tool-guide", "arguments": {"detail": "summary"}}).result
    (message,) = got["messages"]
    assert message["role"] == "user"
    assert message["content"]["text"].startswith("# Available Tools\n\n## Raw Tools (Required)\n\n### raw_echo\n")
    assert (
        "gardening"
        in client.request("prompts/get", {"name": "tool-guide", "arguments": {"task": "gardening"}}).last["error"][
            "message"
        ]
    )
    assert "error" in client.request("prompts/get", {"name": "tool-guide", "arguments": {"detail": "some"}}).last
    argument = {"name": "task", "value": "re"}
    asked = {"ref": {"type": "ref/prompt", "name": "tool-guide"}, "argument": argument}
    assert client.request("completion/complete", asked).result["completion"]["values"] == ["research"]


def test_the_resource(proxy: Running) -> None:
    client, _ = connected(proxy)
    listed = client.request("resources/list").result["resources"][0]
    assert (listed["uri"], listed["mimeType"]) == ("toolnote://guide", "text/markdown")
    (content,) = client.request("resources/read", {"uri": "toolnote://guide"}).result["contents"]
    assert content["uri"] == "toolnote://guide"
    assert "- **ask**: Ask first." in content["text"]
    assert "Be kind." in content["text"]


def test_a_servers_resource_with_the_address_of_the_guide_is_moved(home: Home) -> None:
    servers = {"raw": raw_server(tools=[ECHO], resources=[{"uri": GUIDE_URI, "name": "theirs"}])}
    with running(home, servers) as proxy:
        client, _ = connected(proxy)
        listed = {one["uri"]: one["name"] for one in client.request("resources/list").result["resources"]}
        moved = f"{GUIDE_URI}#toolnote-server=raw"
        assert listed == {GUIDE_URI: "tool-guide", moved: "theirs"}
        (content,) = client.request("resources/read", {"uri": moved}).result["contents"]
        assert content["text"] == f"raw {GUIDE_URI}"
        (content,) = client.request("resources/read", {"uri": GUIDE_URI}).result["contents"]
        assert content["text"].startswith("# Available Tools")


def test_no_guide_where_there_is_nothing_to_tell(proxy: Running) -> None:
    client, _ = connected(proxy)
    proxy.library.submit(SetFields(SETTINGS, {"hiddenBuiltInGroups": ["guide"]}))
    assert "tool-guide" not in [prompt["name"] for prompt in client.request("prompts/list").result["prompts"]]
    assert client.request("resources/list").result["resources"][0]["uri"] != "toolnote://guide"
    # A URI that is not ours any more is the server's, as every other.
    (content,) = client.request("resources/read", {"uri": "toolnote://guide"}).result["contents"]
    assert content["text"] == "raw toolnote://guide"
    proxy.library.submit(SetFields(SETTINGS, {"hiddenBuiltInGroups": [], "equippedToolset": None}))
    assert client.request("prompts/list").result["prompts"] == []
    assert "error" in client.request("prompts/get", {"name": "tool-guide"}).last


def test_the_instructions(proxy: Running) -> None:
    _, introduced = connected(proxy)
    told = introduced["instructions"]
    assert '"Work"' in told
    assert "get-tool-guide" in told
    assert "\n\nBe kind.\n\n" in told
    proxy.library.submit(SetFields(toolset_document(TOOLSET), {"guidelines": "y" * 5000}))
    assert len(connected(proxy)[1]["instructions"]) <= 2000
    proxy.library.submit(SetFields(SETTINGS, {"equippedToolset": None}))
    assert connected(proxy)[1].get("instructions") is None


def test_a_toolset_that_does_not_exist_is_told_where_it_is_missed(proxy: Running) -> None:
    """Its name stands in a client's configuration, misspelt; it works as soon as there is one of that name."""
    client = proxy.bridge("claude-desktop", "wrok")
    assert 'The toolset "wrok", which was chosen for you, does not exist' in client.initialize()["instructions"]
    active = client.call("get-active-toolset").result["structuredContent"]["value"]
    assert (active["equipped"], active["warnings"]) == (False, ['there is no toolset "wrok"'])
    proxy.library.submit(CreateDocument(toolset_document("wrok"), {"name": "wrok", "title": "Late", "tools": []}))
    assert '"Late"' in proxy.bridge("claude-desktop", "wrok").initialize()["instructions"]
    assert client.call("get-active-toolset").result["structuredContent"]["value"]["equipped"] is True


def test_lazy_mode(proxy: Running) -> None:
    client, _ = connected(proxy)
    proxy.library.submit(SetFields(SETTINGS, {"lazyMode": True}))
    names = [tool["name"] for tool in client.tools()]
    assert names[-2:] == ["search-tools", "call-tool"]
    assert "raw_echo" not in names
    answer = client.call("call-tool", {"name": "raw_echo", "arguments": {"text": "x"}})
    assert arguments_that_arrived(answer) == {"text": "x"}
    for given in ({}, {"arguments": None}):  # as if it had been called by its name with none
        arrived = json.loads(client.call("call-tool", {"name": "raw_echo", **given}).result["content"][0]["text"])
        assert "arguments" not in arrived
    misfits: tuple[Any, ...] = (
        {"name": "raw_echo", "text": "x"},
        {"name": "raw_echo", "arguments": []},
        {"name": []},
        [],
    )
    for odd in misfits:
        assert refused(client.call("call-tool", odd))["error_type"] == "invalid_arguments"
    set_fields(proxy, consent=True)
    assert refused(client.call("call-tool", {"name": "raw_echo", "arguments": {"text": "x"}}))["error_type"] == (
        "consent_required"
    )
    assert refused(client.call("call-tool", {"name": "raw_slow"}))["error_type"] == "tool_not_found"
    assert refused(client.call("call-tool", {"arguments": {}}))["error_type"] == "invalid_arguments"
    assert json.loads(client.call("search-tools", {"query": "echo"}).result["content"][0]["text"])["success"]


def test_the_dialect_follows_client_info_and_the_entry(proxy: Running) -> None:
    plain, _ = connected(proxy)
    assert plain.tool("raw_echo")["description"].startswith("xxx")
    entry = {"name": "Code", "toolset": TOOLSET}
    proxy.library.submit(PutEntry(CLIENTS, CLIENT_ENTRIES, "mine", entry))
    bridged = proxy.bridge("mine")
    params = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "claude-code", "version": "1"},
    }
    answer = bridged.post({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params})
    bridged.session_id = answer.headers["mcp-session-id"]
    assert bridged.tool("raw_echo")["description"].startswith(
        "### Additional Tool Notes\n\n• **ask**: Ask first.\n\n### The tool's own description\n\nxxx"
    )
    assert plain.tool("raw_echo")["description"].startswith("xxx")
    proxy.library.submit(PutEntry(CLIENTS, CLIENT_ENTRIES, "mine", {**entry, "dialect": "default"}))
    assert bridged.tool("raw_echo")["description"].startswith("xxx")


def test_the_schema_subset_is_switched_on_for_one_client(proxy: Running) -> None:
    entry = {"name": "G", "toolset": TOOLSET, "dialect": "gemini-api", "schemaSubset": True}
    set_fields(proxy, argumentDefaults={"text": "silence"})
    proxy.library.submit(PutEntry(CLIENTS, CLIENT_ENTRIES, "gem", entry))
    client = proxy.bridge("gem")
    client.initialize()
    assert client.tool("raw_echo")["inputSchema"]["properties"]["text"]["default"] == "silence"
    assert arguments_that_arrived(client.call("raw_echo", {"place": "p"})) == {"text": "silence", "place": "p"}


def test_a_modern_client_is_told_the_same(proxy: Running) -> None:
    client = ModernClient(proxy.endpoint.url, proxy.endpoint.token)
    discovered = client.request("server/discover").result
    assert "\n\nBe kind.\n\n" in discovered["instructions"]
    prompt = client.request("prompts/get", {"name": "tool-guide"}).result
    assert prompt["resultType"] == "complete"
    assert prompt["messages"][0]["content"]["text"].startswith("# Available Tools\n")
    read = client.request("resources/read", {"uri": "toolnote://guide"}).result
    assert (read["resultType"], read["contents"][0]["mimeType"]) == ("complete", "text/markdown")
    set_fields(proxy, consent=True)
    told = client.call("raw_echo", {"text": "x"}).result
    assert (told["resultType"], told["isError"]) == ("complete", True)
    assert told["structuredContent"]["error_type"] == "consent_required"
    assert not client.call("raw_echo", {"text": "x", "user_consent": "ECHO"}).result.get("isError")


def test_a_modern_clients_name_chooses_its_dialect(proxy: Running) -> None:
    client = ModernClient(proxy.endpoint.url, proxy.endpoint.token)
    named = {"io.modelcontextprotocol/clientInfo": {"name": "claude-code", "version": "1"}}

    def description() -> str:
        tools = client.request("tools/list", meta=named).result["tools"]
        return str(next(tool["description"] for tool in tools if tool["name"] == "raw_echo"))

    assert description().startswith("### Additional Tool Notes")


# --- change notices of the guide


def test_a_session_that_subscribed_hears_when_its_guide_changes(proxy: Running) -> None:
    client, _ = connected(proxy)
    other, _ = connected(proxy, "other")
    assert client.request("resources/subscribe", {"uri": GUIDE_URI}).result == {}
    streams = [live_stream(one) for one in (client, other)]
    try:
        proxy.library.submit(SetFields(toolset_document(TOOLSET), {"guidelines": "Be quick."}))
        (updated,) = streams[0].wait("notifications/resources/updated")
        assert updated["params"] == {"uri": GUIDE_URI}
        assert "Be quick." in client.request("resources/read", {"uri": GUIDE_URI}).result["contents"][0]["text"]
        set_fields(proxy, enabled=True)  # what changes nothing in the guide is told to nobody
        proxy.library.submit(SetFields(toolset_document(TOOLSET), {"toolNotes": []}))
        assert len(streams[0].wait("notifications/resources/updated", 2)) == 2
        assert client.request("resources/unsubscribe", {"uri": GUIDE_URI}).result == {}
        set_fields(proxy, whenToUse="To hear yourself.")
        streams[0].wait("notifications/tools/list_changed", 2)
        streams[1].wait("notifications/tools/list_changed", 2)
        assert len(streams[0].of("notifications/resources/updated")) == 2
        assert streams[1].of("notifications/resources/updated") == []
    finally:
        for stream in streams:
            stream.close()


def test_a_modern_stream_hears_when_its_guide_changes(proxy: Running) -> None:
    client = ModernClient(proxy.endpoint.url, proxy.endpoint.token)
    stream = client.listen(resourceSubscriptions=[GUIDE_URI])
    try:
        proxy.library.submit(SetFields(toolset_document(TOOLSET), {"guidelines": "Be quick."}))
        (updated,) = stream.wait("notifications/resources/updated")
        assert updated["params"]["uri"] == GUIDE_URI
    finally:
        stream.close()


def test_guide_is_the_same_by_all_ways(proxy: Running, home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    client, introduced = connected(proxy)
    snapshot = proxy.library.snapshot
    toolset, types = snapshot.toolsets[TOOLSET], bundled_files.task_types(home)
    reader = client_reader(snapshot, None, toolset, PLAIN)
    guide = write_guide(snapshot, toolset, task_types=types, reader=reader).text  # the window, for a connected one
    copied = write_guide(snapshot, toolset, task_types=types).text
    called = client.call("get-tool-guide").result["structuredContent"]["value"]["guide"]
    prompt = client.request("prompts/get", {"name": "tool-guide"}).result["messages"][0]["content"]["text"]
    resource = client.request("resources/read", {"uri": GUIDE_URI}).result["contents"][0]["text"]
    proxy.library.flush(10)
    assert parser.run(["guide", "--home", str(home.root), "--toolset", TOOLSET]) == 0
    printed = capsys.readouterr().out
    assert {called, prompt, resource} == {guide}
    assert "Call these tools natively" in guide
    assert printed.rstrip("\n") + "\n" == copied
    assert "Call tools using JSON" in copied
    assert "get-tool-guide gives a guide to these tools" in introduced["instructions"]
