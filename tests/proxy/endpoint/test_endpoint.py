"""The endpoint: who is let in, what is listed, what can be called (docs/contract.md 5)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.proxy.raw_client import RawClient, Stream
from tests.proxy.running import TOOLSET, Running, raw_server, running
from toolnote_desktop.model.clients import hash_token
from toolnote_desktop.model.edits import CLIENT_ENTRIES, CLIENTS, SETTINGS, AddEntry, SetFields, toolset_document
from toolnote_desktop.model.toolsets.note_edits import AddNote, EditNote, NoteTarget
from toolnote_desktop.model.toolsets.notes import ToolReference
from toolnote_desktop.model.toolsets.tool_edits import RemoveTools, SetToolFields
from toolnote_desktop.paths import Home

BUILT_IN = [
    "list-available-tools",
    "build-toolset",
    "list-saved-toolsets",
    "equip-toolset",
    "delete-toolset",
    "unequip-toolset",
    "get-active-toolset",
    "add-tool-annotation",
    "update-tool-annotation",
    "remove-tool-annotation",
    "list-tool-annotations",
    "get-tool-guide",
]
ECHO = ToolReference(namespaced_name="raw.echo")


@pytest.fixture
def proxy(home: Home) -> Iterator[Running]:
    with running(home, {"raw": raw_server()}) as proxy:
        yield proxy


@pytest.fixture
def client(proxy: Running) -> RawClient:
    client = proxy.client()
    client.initialize()
    return client


def test_lists_built_in_tools_first_then_the_toolset(client: RawClient) -> None:
    names = [tool["name"] for tool in client.tools()]
    assert names[: len(BUILT_IN)] == BUILT_IN
    assert "raw_echo" in names[8:]


def test_lists_the_same_bytes_until_something_changes(client: RawClient, proxy: Running) -> None:
    first = client.post({"jsonrpc": "2.0", "id": 7, "method": "tools/list"}).body
    assert client.post({"jsonrpc": "2.0", "id": 7, "method": "tools/list"}).body == first
    proxy.library.submit(AddNote(NoteTarget.in_toolset(TOOLSET, ECHO), {"name": "how", "note": "Softly."}))
    assert client.post({"jsonrpc": "2.0", "id": 7, "method": "tools/list"}).body != first


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_handshake_revisions_list_and_call(proxy: Running, version: str) -> None:
    client = proxy.client()
    assert client.initialize(version=version)["protocolVersion"] == version
    client.headers["MCP-Protocol-Version"] = version
    assert "raw_echo" in [tool["name"] for tool in client.tools()]
    assert not client.call("raw_echo", {"a": 1}).result.get("isError")


def test_list_changed_is_advertised(proxy: Running) -> None:
    capabilities = proxy.client().initialize()["capabilities"]
    assert all(capabilities[kind]["listChanged"] for kind in ("tools", "prompts", "resources"))


def test_arguments_go_up_unchanged(client: RawClient) -> None:
    arguments: dict[str, Any] = {"z": None, "a": [1.0, 10**30, "\ud800", "é"], "nested": {"b": {}, "a": []}}
    text = client.call("raw_echo", arguments).result["content"][0]["text"]
    assert json.loads(text)["arguments"] == arguments


@pytest.mark.parametrize(
    "result",
    [
        '{"content":[],"big":123456789012345678901234567890,"pair":"\\ud83d\\ude00","unknown":{"x":[1.0,1e400]}}',
        '{ "content" : [ { "type" : "text" , "text" : "\\u00e9" } ] ,\t"isError" : true }',
        '{"structuredContent":{"a":1},"content":[],"_meta":{"k":null}}',
    ],
)
def test_a_result_arrives_as_the_bytes_it_came_as(client: RawClient, result: str) -> None:
    body = client.call("raw_raw_result", {"text": result}).body
    assert result.encode() in body


def test_an_error_keeps_code_message_and_data(client: RawClient) -> None:
    answer = client.call("raw_error", {"code": -32042, "message": "no", "data": {"why": [1, None]}})
    assert answer.last["error"] == {"code": -32042, "message": "no", "data": {"why": [1, None]}}


def test_a_definition_is_served_as_it_came(home: Home) -> None:
    definition: dict[str, Any] = {
        "name": "odd.one",
        "description": "x" * 6000 + " <b>&& `",
        "inputSchema": {"type": "object", "definitions": {"X": {"$ref": "#/definitions/X"}}, "minimum": 10**30},
        "outputSchema": {"type": "object"},
        "annotations": {"readOnlyHint": True, "future": 1.0},
        "icons": [{"src": "data:,"}],
        "execution": {"taskSupport": "optional"},
        "_meta": {"a/b": None},
    }
    with running(home, {"raw": raw_server(tools=[definition])}) as proxy:
        client = proxy.client()
        client.initialize()
        assert client.tool("raw_odd_one") == {**definition, "name": "raw_odd_one"}


def test_only_tools_of_the_toolset_can_be_called(client: RawClient, proxy: Running) -> None:
    proxy.library.submit(RemoveTools(toolset_document(TOOLSET), (ECHO,)))
    assert "raw_echo" not in [tool["name"] for tool in client.tools()]
    assert client.call("raw_echo").last["error"]["code"] == -32602
    assert client.call("echo").last["error"]["code"] == -32602
    proxy.library.submit(
        SetToolFields(toolset_document(TOOLSET), ToolReference(namespaced_name="raw.fail"), {"enabled": False})
    )
    assert client.call("raw_fail").last["error"]["code"] == -32602


def test_without_a_toolset_only_the_built_in_tools_are_served(client: RawClient, proxy: Running) -> None:
    proxy.library.submit(SetFields(SETTINGS, {"equippedToolset": None}))
    assert [tool["name"] for tool in client.tools()] == BUILT_IN


def test_an_edited_note_is_told_once_and_listed(client: RawClient, proxy: Running) -> None:
    stream = Stream(client)
    try:
        place = NoteTarget.in_toolset(TOOLSET, ECHO)
        proxy.library.submit(AddNote(place, {"name": "how", "note": "1"}))
        for text in "2345":
            proxy.library.submit(EditNote(place, "how", {"note": text}))
        stream.wait_for("notifications/tools/list_changed")
        assert client.tool("raw_echo")["description"].endswith("### Additional Tool Notes\n\n• **how**: 5")
        proxy.library.submit(EditNote(place, "how", {"note": "6"}))
        assert len(stream.wait_for("notifications/tools/list_changed", count=2)) == 2
    finally:
        stream.close()


def test_a_change_that_a_client_does_not_see_is_not_told(client: RawClient, proxy: Running) -> None:
    stream = Stream(client)
    try:
        other = NoteTarget.in_toolset(TOOLSET, ToolReference(namespaced_name="nobody.nothing"))
        proxy.library.submit(AddNote(other, {"name": "how", "note": "unseen"}))
        proxy.library.submit(AddNote(NoteTarget.in_toolset(TOOLSET, ECHO), {"name": "how", "note": "seen"}))
        stream.wait_for("notifications/tools/list_changed")
        assert len(stream.messages) == 1
    finally:
        stream.close()


def test_progress_arrives_with_the_clients_token_before_the_result(client: RawClient) -> None:
    answer = client.call("raw_progress", {"steps": 3}, _meta={"progressToken": "mine"})
    messages = [json.loads(message) for message in answer.messages]
    assert [message.get("method") for message in messages] == ["notifications/progress"] * 3 + [None]
    assert {message["params"]["progressToken"] for message in messages[:3]} == {"mine"}


def test_a_server_asks_the_very_client_that_called(proxy: Running) -> None:
    import threading

    client = proxy.client()
    client.initialize(capabilities={"roots": {}})
    client_result: list[Any] = []

    # The question comes on the call's own stream, so the call is read by hand.
    import http.client

    connection = http.client.HTTPConnection(client.url.hostname or "", client.url.port, timeout=30)
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
    params = {"name": "raw_ask", "arguments": {"method": "roots/list"}}
    headers = {**client.headers, "Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    headers["Mcp-Session-Id"] = client.session_id or ""
    connection.request("POST", client.url.path, json.dumps({**body, "params": params}), headers)
    response = connection.getresponse()

    def read() -> None:
        for line in response:
            if not line.startswith(b"data:"):
                continue
            message = json.loads(line[5:])
            if message.get("method") == "roots/list":
                answer = {"jsonrpc": "2.0", "id": message["id"], "result": {"roots": [{"uri": "file:///mine"}]}}
                assert client.post(answer).status == 202
            else:
                client_result.append(message)

    reader = threading.Thread(target=read)
    reader.start()
    reader.join(30)
    connection.close()
    assert "file:///mine" in json.dumps(client_result[0]["result"])


def test_a_client_that_cannot_be_asked_is_not(client: RawClient) -> None:
    answer = client.call("raw_ask", {"method": "sampling/createMessage"})
    assert "cannot answer" in json.dumps(answer.last)


def test_two_sessions_with_the_same_ids_get_their_own_answers(proxy: Running) -> None:
    from concurrent.futures import ThreadPoolExecutor

    clients = [proxy.client() for _ in range(8)]
    for client in clients:
        client.initialize()

    def call(number: int) -> Any:
        params = {"name": "raw_echo", "arguments": {"n": number}}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        return clients[number % 8].post(message).result["content"][0]["text"]

    with ThreadPoolExecutor(8) as pool:
        texts = list(pool.map(call, range(64)))
    assert [json.loads(text)["arguments"]["n"] for text in texts] == list(range(64))


def test_both_spellings_of_the_address_answer(proxy: Running) -> None:
    client = proxy.client()
    client.url = client.url._replace(path="/mcp/")
    client.initialize()
    assert client.tools()


def test_health_says_no_more_than_it_should(proxy: Running) -> None:
    answer = proxy.client().send("GET", path="/health", Authorization=None)
    assert answer.status == 200
    assert set(json.loads(answer.body)) == {"status", "version"}


@pytest.mark.parametrize("method", ["POST", "GET", "DELETE"])
@pytest.mark.parametrize(
    "headers",
    [{"Host": "evil:8377"}, {"Origin": "http://evil"}, {"Origin": "null"}, {"Host": "127.0.0.1.evil.com"}],
)
def test_a_foreign_host_or_origin_is_refused(client: RawClient, method: str, headers: dict[str, str]) -> None:
    answer = client.send(method, b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}', **headers)
    assert 400 <= answer.status < 500
    assert b"tools" not in answer.body


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]", "localhost:8377", "127.0.0.1:1", "[::1]:8377"])
def test_local_hosts_are_served(client: RawClient, host: str) -> None:
    assert client.request("tools/list", Host=host, Origin=f"http://{host}").status == 200


@pytest.mark.parametrize("authorization", [None, "Bearer", "Bearer wrong", "Basic abc", "Bearer  "])
def test_without_its_token_nothing_is_served(client: RawClient, authorization: str | None) -> None:
    answer = client.request("tools/list", Authorization=authorization)
    assert answer.status == 401
    assert "www-authenticate" in answer.headers


def test_an_unknown_session_is_404(client: RawClient) -> None:
    client.session_id = "0" * 32
    assert client.request("tools/list").status == 404


def test_a_session_belongs_to_its_token(client: RawClient, proxy: Running) -> None:
    thief = proxy.bridge("thief")
    thief.session_id = client.session_id
    for method in ("tools/list", "ping", "prompts/list"):
        assert thief.request(method).status == 404
    assert thief.send("DELETE").status == 404
    assert client.request("ping").status == 200


def test_a_clients_own_token_gives_its_own_toolset(client: RawClient, proxy: Running) -> None:
    entry = {"name": "Cursor", "tokenHash": hash_token("secret-of-cursor"), "toolset": "none-such"}
    proxy.library.submit(AddEntry(CLIENTS, CLIENT_ENTRIES, "cursor", entry))
    other = RawClient(proxy.endpoint.url, "secret-of-cursor")
    other.initialize()
    names = [tool["name"] for tool in other.tools()]
    # Assigned by the user, so it may not choose; and there is no such toolset, so nothing else is served.
    assert names == [name for name in BUILT_IN if not name.endswith("-toolset") or name == "get-active-toolset"]


def test_a_bridge_names_its_client_and_its_toolset(proxy: Running) -> None:
    client = proxy.bridge("claude-desktop", "no-such-toolset")
    client.initialize()
    assert "raw_echo" not in [tool["name"] for tool in client.tools()]
    assert [c.id for c in proxy.thread.clients()] == ["claude-desktop"]


def test_a_cancelled_call_is_cancelled_at_the_server(home: Home, user_folder: Any) -> None:
    import threading

    from tests.servers.launch import Record

    record = user_folder / "record.jsonl"
    with running(home, {"raw": raw_server(record=str(record))}) as proxy:
        client = proxy.client()
        client.initialize()
        answers: list[Any] = []
        params = {"name": "raw_hang", "arguments": {}}
        message = {"jsonrpc": "2.0", "id": "long", "method": "tools/call", "params": params}
        waiting = threading.Thread(target=lambda: answers.append(client.post(message)))
        waiting.start()
        seen = Record(record)
        seen.wait_for("call")
        cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "long"}}
        assert client.post(cancel).status == 202
        seen.wait_for("cancelled")
        waiting.join(20)
        assert "error" in answers[0].last
