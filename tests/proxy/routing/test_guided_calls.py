"""Consent, locks, defaults and aliases at call time, through a real proxy in front of a real server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.proxy.raw_client import Answer, RawClient
from tests.proxy.running import TOOLSET, Running, raw_server, running
from toolnote_desktop.model.edits import toolset_document
from toolnote_desktop.model.toolsets.notes import ToolReference
from toolnote_desktop.model.toolsets.tool_edits import SetToolFields
from toolnote_desktop.paths import Home

ECHO = {
    "name": "echo",
    "description": "Gives back what it got",
    "inputSchema": {
        "type": "object",
        "properties": {"text": {"type": "string"}, "place": {"type": "string"}},
        "required": ["text", "place"],
    },
}


@pytest.fixture
def proxy(home: Home) -> Iterator[Running]:
    toolset = {"tools": [{"namespacedName": "raw.echo"}]}
    with running(home, {"raw": raw_server(tools=[ECHO], toolnote={})}, toolset=toolset) as proxy:
        yield proxy


@pytest.fixture
def client(proxy: Running) -> RawClient:
    client = proxy.client()
    client.initialize()
    return client


def set_fields(proxy: Running, **fields: Any) -> None:
    proxy.library.submit(
        SetToolFields(toolset_document(TOOLSET), ToolReference(namespaced_name="raw.echo"), fields),
    )


def arguments_that_arrived(answer: Answer) -> Any:
    (content,) = answer.result["content"]
    assert not answer.result.get("isError"), content
    return json.loads(content["text"])["arguments"]


def refused(answer: Answer) -> dict[str, Any]:
    assert answer.result["isError"] is True
    told: dict[str, Any] = answer.result["structuredContent"]
    assert json.loads(answer.result["content"][0]["text"]) == told
    assert told["success"] is False
    return told


def test_a_plain_call_arrives_as_it_was(client: RawClient) -> None:
    assert arguments_that_arrived(client.call("raw_echo", {"text": "x"})) == {"text": "x"}


def test_consent_is_checked_and_taken_out(proxy: Running, client: RawClient) -> None:
    set_fields(proxy, consent={"reason": "It is read aloud"})
    tool = client.tool("raw_echo")
    assert "REQUIRES EXPLICIT USER INSTRUCTION: It is read aloud." in tool["description"]
    assert tool["inputSchema"]["properties"]["user_consent"]["enum"] == ["ECHO"]
    assert "user_consent" not in tool["inputSchema"].get("required", []), "clients would refuse the call by themselves"
    told = refused(client.call("raw_echo", {"text": "x"}))
    assert told["error_type"] == "consent_required"
    assert "Ask the user" in told["instruction"]
    assert "The reason is: It is read aloud. Do not call it again" in told["instruction"]
    assert 'user_consent: "ECHO"' in told["instruction"]
    assert refused(client.call("raw_echo", {"text": "x", "user_consent": "yes"}))
    assert arguments_that_arrived(client.call("raw_echo", {"text": "x", "user_consent": "ECHO"})) == {"text": "x"}


def test_taking_consent_back_is_taken_back_at_once(proxy: Running, client: RawClient) -> None:
    set_fields(proxy, consent=True)
    assert refused(client.call("raw_echo", {"text": "x"}))
    set_fields(proxy, consent=None)
    assert "user_consent" not in client.tool("raw_echo")["inputSchema"]["properties"]
    assert arguments_that_arrived(client.call("raw_echo", {"text": "x"})) == {"text": "x"}


def test_locked_and_default_values(proxy: Running, client: RawClient) -> None:
    set_fields(proxy, hiddenArguments=["place"], argumentDefaults={"place": "here", "text": "silence"})
    schema = client.tool("raw_echo")["inputSchema"]
    assert schema["properties"] == {"text": {"type": "string", "default": "silence"}}
    assert "required" not in schema
    assert arguments_that_arrived(client.call("raw_echo")) == {"text": "silence", "place": "here"}
    told = refused(client.call("raw_echo", {"place": "there"}))
    assert told["error_type"] == "argument_locked"
    assert "without place" in told["instruction"]
    no_arguments = client.request("tools/call", {"name": "raw_echo"})
    assert arguments_that_arrived(no_arguments) == {"text": "silence", "place": "here"}
    assert refused(client.request("tools/call", {"name": "raw_echo", "arguments": [1]}))["error_type"] == (
        "invalid_arguments"
    )


def test_an_alias_is_the_only_name(proxy: Running, client: RawClient) -> None:
    set_fields(proxy, alias="say")
    assert [tool["name"] for tool in client.tools() if "echo" in tool["name"] or tool["name"] == "say"] == ["say"]
    assert arguments_that_arrived(client.call("say", {"text": "x"})) == {"text": "x"}
    assert "error" in client.call("raw_echo", {"text": "x"}).last


def test_progress_and_the_rest_of_the_request_go_up_with_shaped_arguments(proxy: Running, client: RawClient) -> None:
    set_fields(proxy, consent=True)
    answer = client.call("raw_echo", {"user_consent": "ECHO"}, _meta={"progressToken": "p", "own": 1})
    sent = json.loads(answer.result["content"][0]["text"])
    assert sent["_meta"]["own"] == 1
    assert sent["arguments"] == {}
