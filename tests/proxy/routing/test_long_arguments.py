"""Long arguments of tools that the user's rules are about: only what a rule needs is read (docs/security.md)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.proxy.running import TOOLSET, Running, handshake_client, modern_client, raw_server, running, said
from toolnote_desktop.model.edits import CLIENT_ENTRIES, CLIENTS, PutEntry
from toolnote_desktop.model.toolsets.tool_settings import SetToolSettings
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.transports.jsonrpc import MAX_READ

TEXT = 'a,"[{\\\n' * (MAX_READ // 8 + 10)
"""Longer as JSON than what is read, and full of what looks like many values."""

PROPERTIES = {name: {"type": "string"} for name in ("text", "branch")} | {
    "region": {"type": "string", "x-mcp-header": "Region"}
}


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    tool = {"name": "echo", "inputSchema": {"type": "object", "properties": PROPERTIES}}
    home = Home(tmp_path_factory.mktemp("home"))
    with running(home, {"s": raw_server(tools=[tool])}) as made:
        made.wait(lambda snapshot: len(snapshot.toolsets[TOOLSET].tools) == 1)
        yield made


@pytest.fixture
def proxy(shared: Running) -> Running:
    shared.library.submit(SetToolSettings("s.echo", {"parameters": None, "approval": None}))
    return shared


def rule(proxy: Running, **settings: Any) -> None:
    proxy.library.submit(SetToolSettings("s.echo", settings))


LIMITED = {"branch": {"allowed": {"values": ["main"]}}, "kind": {"default": "k"}}


def test_what_no_rule_is_about_is_passed_on_as_it_came(proxy: Running) -> None:
    """Seen red where all was read: 40 MB took 1.3 s, in which no other client was answered."""
    rule(proxy, parameters=LIMITED)
    result = handshake_client(proxy).call("s_echo", {"text": TEXT, "branch": "main"}).result
    assert json.loads(said(result))["arguments"] == {"text": TEXT, "branch": "main", "kind": "k"}


@pytest.mark.parametrize("name", ["branch", "Branch"])
def test_a_long_value_that_a_rule_is_about_is_read_up_to_the_limit(proxy: Running, name: str) -> None:
    rule(proxy, parameters=LIMITED)
    client = handshake_client(proxy)
    assert "8 MB" in client.call("s_echo", {name: TEXT}).last["error"]["message"]
    refused = client.call("s_echo", {name: "x" * 300_000}).result
    assert refused["isError"] is True
    assert "main" in said(refused)


def test_of_a_call_that_the_user_is_asked_about_all_is_read(proxy: Running) -> None:
    rule(proxy, approval="ask")
    client = handshake_client(proxy)
    assert "8 MB" in client.call("s_echo", {"text": TEXT}).last["error"]["message"]
    assert "cannot be asked" in said(client.call("s_echo", {"text": "x" * 300_000}).result)


def test_a_tool_that_was_searched_gets_long_arguments_as_they_came(proxy: Running) -> None:
    entry = {"name": "searcher", "toolset": TOOLSET, "discovery": "search"}
    proxy.library.submit(PutEntry(CLIENTS, CLIENT_ENTRIES, "searcher", entry))
    client = proxy.bridge("searcher")
    client.initialize()
    sent = {"name": "s_echo", "arguments": {"text": TEXT}}
    assert json.loads(said(client.call("call-tool", sent).result))["arguments"] == {"text": TEXT}
    nothing = client.call("call-tool", {**sent, "name": "nothing"}).result
    assert "nothing" in said(nothing)
    assert "8 MB" in client.call("search-tools", {"query": TEXT}).last["error"]["message"]


def test_a_header_is_compared_beside_long_arguments(proxy: Running) -> None:
    client = modern_client(proxy)
    params = {"name": "s_echo", "arguments": {"region": "eu", "text": TEXT}}
    assert client.request("tools/call", params, Mcp_Param_Region="eu").status == 200
    assert client.request("tools/call", params, Mcp_Param_Region="us").last["error"]["code"] == -32020
