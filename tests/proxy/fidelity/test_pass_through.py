"""What passes through unchanged in both eras: results, errors, lists, log lines, prompts, resources, completion."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.proxy.live import live_call, live_stream
from tests.proxy.running import TOOLSET, Running, handshake_client, modern_client, raw_server, running
from tests.servers.launch import Record, control
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.endpoint import response as http_answer

LONE = "\ud800"
REPLACED = "\ufffd"
"""Form of ``LONE`` that a client gets from a server."""
RESULT = '{"content":[],"big":123456789012345678901234567890,"pair":"\\ud83d\\ude00","_meta":{"a/b":[null]},"x":1e400}'


@pytest.fixture
def record(user_folder: Path) -> Record:
    return Record(user_folder / "record.jsonl")


@pytest.fixture(params=["handshake", "modern"])
def proxy(request: pytest.FixtureRequest, home: Home, record: Record, user_folder: Path) -> Iterator[Running]:
    scenario = {"era": request.param, "record": str(record.path), "control": str(user_folder / "control")}
    with running(home, {"raw": raw_server(**scenario)}) as proxy:
        yield proxy


def test_a_result_keeps_its_bytes(proxy: Running) -> None:
    assert RESULT.encode() in handshake_client(proxy).call("raw_raw_result", {"text": RESULT}).body
    body = modern_client(proxy).call("raw_raw_result", {"text": RESULT}).body
    assert RESULT[1:].encode() in body
    assert json.loads(body)["result"]["resultType"] == "complete"


def test_a_handshake_client_sees_nothing_of_the_modern_era(home: Home) -> None:
    result = {
        "resultType": "complete",
        "ttlMs": 5,
        "cacheScope": "public",
        "content": [],
        "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "x", "version": "1"}, "vendor/x": 1},
    }
    with running(home, {"raw": raw_server(era="modern")}) as proxy:
        given = handshake_client(proxy).call("raw_raw_result", {"text": json.dumps(result)}).result
        assert given == {"content": [], "_meta": {"vendor/x": 1}}
        assert modern_client(proxy).call("raw_raw_result", {"text": json.dumps(result)}).result == result


@pytest.mark.parametrize(("code", "status"), [(-32042, 200), (-32602, 400), (-32601, 404)])
def test_an_error_keeps_code_message_and_data(proxy: Running, code: int, status: int) -> None:
    error = {"code": code, "message": "no: \U0001f600", "data": {"why": [1, None, 10**30]}}
    assert handshake_client(proxy).call("raw_error", error).last["error"] == error
    answer = modern_client(proxy).call("raw_error", error)
    assert (answer.status, answer.last["error"]) == (status, error)


@pytest.mark.parametrize("method", ["tools/list", "prompts/list", "resources/list", "resources/templates/list"])
def test_lists_arrive_as_they_came(home: Home, method: str) -> None:
    odd = {"_meta": {"n": 10**30, "pair": "\U0001f600"}, "icons": [{"src": "data:,"}], "unknown": {"a": [1.0]}}
    scenario = {
        "tools": [{"name": "t", "inputSchema": {"type": "object"}, **odd}],
        "prompts": [{"name": "p", **odd}],
        "resources": [{"uri": "test://r", "name": "r", **odd}],
        "templates": [{"uriTemplate": "test://{x}", "name": "t", **odd}],
    }
    with running(home, {"raw": raw_server(**scenario)}) as proxy:
        for client in (handshake_client(proxy), modern_client(proxy)):
            result = client.request(method).result
            (key,) = result.keys() - {"resultType", "ttlMs", "cacheScope"}
            item = result[key][-1]
            assert {name: item[name] for name in odd} == odd
            assert client.request(method, {"cursor": "made up"}).last["error"]["code"] == -32602
        assert (result["resultType"], result["ttlMs"], result["cacheScope"]) == ("complete", 0, "private")


def test_prompts_resources_and_completion(proxy: Running) -> None:
    prompt = {"name": "raw_greet", "arguments": {"who": LONE}}
    completion = {"ref": {"type": "ref/prompt", "name": "raw_greet"}, "argument": {"name": "who", "value": ""}}
    template = {"ref": {"type": "ref/resource", "uri": "test://{name}"}, "argument": {"name": "name", "value": ""}}
    for client in (handshake_client(proxy), modern_client(proxy)):
        messages = client.request("prompts/get", prompt).result["messages"]
        assert json.loads(messages[0]["content"]["text"]) == {"who": LONE}
        for uri in ("test://one", "test://any/thing", "test://" + "x" * 100):
            contents = client.request("resources/read", {"uri": uri}).result["contents"]
            assert contents == [{"uri": uri, "text": f"raw {uri}"}]
        for request in (completion, template):
            assert client.request("completion/complete", request).result["completion"]["values"] == ["one", "two"]


def test_names_that_nothing_has_are_refused(proxy: Running) -> None:
    unknown = {
        "tools/call": {"name": "nothing", "arguments": {}},
        "prompts/get": {"name": "nothing"},
        "completion/complete": {"ref": {"type": "ref/prompt", "name": "nothing"}, "argument": {}},
    }
    for method, params in unknown.items():
        assert handshake_client(proxy).request(method, params).last["error"]["code"] == -32602
        assert modern_client(proxy).request(method, params).last["error"]["code"] == -32602


def test_requests_that_are_not_sound_are_refused(proxy: Running) -> None:
    client = modern_client(proxy)
    for changed in ({"Mcp_Method": "tools/list"}, {"Mcp_Name": "raw_fail"}, {"Mcp_Method": None}):
        answer = client.request("tools/call", {"name": "raw_echo"}, **changed)
        assert (answer.status, answer.last["error"]["code"]) == (400, -32020)
    answer = client.request("tools/list", None, {"io.modelcontextprotocol/protocolVersion": "2099-01-01"})
    assert answer.status == 400
    assert client.request("ping").status == 404
    assert client.request("resources/subscribe", {"uri": "test://one"}).status == 404
    for old in (client.raw, handshake_client(proxy)):
        assert old.post(b"{not json").status == 400
        assert old.post(b'{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"x":NaN}}').status == 400


def test_arguments_that_stand_in_headers_are_checked(home: Home) -> None:
    schema = {"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}}
    with running(home, {"raw": raw_server(tools=[{"name": "echo", "inputSchema": schema}])}) as proxy:
        client = modern_client(proxy)
        params = {"name": "raw_echo", "arguments": {"region": "eu"}}
        assert client.request("tools/call", params, Mcp_Param_Region="eu").status == 200
        for header in (None, "us"):
            answer = client.request("tools/call", params, Mcp_Param_Region=header)
            assert (answer.status, answer.last["error"]["code"]) == (400, -32020)


def test_a_long_silence_is_broken_by_comments(proxy: Running, record: Record, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_answer, "KEEP_ALIVE", 0.01)
    client = handshake_client(proxy)
    for call in (
        live_call(client, "raw_hang"),
        live_call(client, "raw_hang", _meta={}),
        modern_client(proxy).live_call("raw_hang"),
    ):
        call.until(lambda: call.comments >= 2)  # noqa: B023
        assert not call.messages
        call.close()


# -- logging ----------------------------------------------------------------------------------------------------------


def test_log_lines_come_within_their_call_and_before_its_result(proxy: Running) -> None:
    arguments = {"level": "warning", "text": "a " + LONE, "count": 3}
    client = handshake_client(proxy)
    answer = client.call("raw_log", arguments)
    lines = [json.loads(raw) for raw in answer.messages[:-1]]
    assert [line["params"]["data"]["number"] for line in lines] == [0, 1, 2]
    assert lines[0]["params"]["data"]["text"] == "a " + REPLACED
    assert "result" in answer.last


def test_a_handshake_client_hears_its_own_level(proxy: Running) -> None:
    loud, quiet = handshake_client(proxy), handshake_client(proxy)
    assert loud.request("logging/setLevel", {"level": "debug"}).result == {}
    assert quiet.request("logging/setLevel", {"level": "error"}).result == {}
    for level, heard_by_loud, heard_by_quiet in (("debug", 1, 0), ("warning", 1, 0), ("error", 1, 1)):
        arguments = {"level": level, "text": "x"}
        assert len(loud.call("raw_log", arguments).messages) - 1 == heard_by_loud
        assert len(quiet.call("raw_log", arguments).messages) - 1 == heard_by_quiet
    assert loud.request("logging/setLevel", {"level": "shouting"}).last["error"]["code"] == -32602


def test_a_modern_client_hears_what_it_asked_for(proxy: Running) -> None:
    client = modern_client(proxy)
    assert len(client.call("raw_log", {"level": "emergency"}).messages) == 1
    meta = {"io.modelcontextprotocol/logLevel": "warning"}
    assert len(client.call("raw_log", {"level": "info"}, meta).messages) == 1
    assert len(client.call("raw_log", {"level": "warning"}, meta).messages) == 2


def test_servers_are_told_what_is_wanted_in_their_own_way(proxy: Running, record: Record) -> None:
    modern = proxy.library.snapshot.catalogue.servers["raw"].status.protocol_version == "2026-07-28"
    client = handshake_client(proxy)
    client.request("logging/setLevel", {"level": "notice"})
    client.call("raw_echo")
    modern_client(proxy).call("raw_echo", {}, {"io.modelcontextprotocol/logLevel": "debug"})
    levels = [message["params"]["level"] for message in record.received("logging/setLevel")]
    calls = [message["params"].get("_meta", {}) for message in record.received("tools/call")]
    named = [meta.get("io.modelcontextprotocol/logLevel") for meta in calls]
    said = ["notice", "debug"]
    assert levels == ([] if modern else said)
    assert named == (said if modern else [None, None])


def test_log_outside_a_call_comes_on_the_stream(home: Home, user_folder: Path) -> None:
    commands = user_folder / "control"
    with running(home, {"raw": raw_server(era="handshake", control=str(commands))}) as proxy:
        client = handshake_client(proxy)
        stream = live_stream(client)
        params = {"level": "error", "data": LONE}
        control(
            commands, "notify " + json.dumps({"jsonrpc": "2.0", "method": "notifications/message", "params": params})
        )
        assert stream.wait("notifications/message")[0]["params"] == {**params, "data": REPLACED}
        stream.close()


# -- changes of lists -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["prompts", "resources"])
def test_changed_lists_are_announced_once(home: Home, user_folder: Path, kind: str) -> None:
    """The server's own lists do not change here: what changes is whether the toolset has a tool of this server."""
    from toolnote_desktop.model.edits import toolset_document
    from toolnote_desktop.model.toolsets.notes import ToolReference
    from toolnote_desktop.model.toolsets.tool_edits import SetToolFields

    tool = {"name": "only", "inputSchema": {"type": "object"}}
    with running(home, {"raw": raw_server(tools=[tool])}) as proxy:
        client, modern = handshake_client(proxy), modern_client(proxy)
        stream, listening = live_stream(client), modern.listen(**{f"{kind}ListChanged": True})
        place = toolset_document(TOOLSET), ToolReference(namespaced_name="raw.only")
        proxy.library.submit(SetToolFields(*place, {"enabled": False}))
        method = f"notifications/{kind}/list_changed"
        stream.wait(method)
        listening.wait(method)
        assert client.request(f"{kind}/list").result[kind] == []
        assert len(stream.of(method)) == len(listening.of(method)) == 1
        assert not listening.of("notifications/tools/list_changed")
        stream.close()
        listening.close()


def test_a_notice_before_the_stream_is_open_is_kept(home: Home, user_folder: Path) -> None:
    from toolnote_desktop.model.edits import toolset_document
    from toolnote_desktop.model.toolsets.notes import ToolReference
    from toolnote_desktop.model.toolsets.tool_edits import SetToolFields

    with running(home, {"raw": raw_server()}) as proxy:
        client, early = handshake_client(proxy), handshake_client(proxy)
        first = live_stream(early)
        place = toolset_document(TOOLSET), ToolReference(namespaced_name="raw.echo")
        proxy.library.submit(SetToolFields(*place, {"enabled": False}))
        first.wait("notifications/tools/list_changed")
        late = live_stream(client)
        late.wait("notifications/tools/list_changed")
        newer = live_stream(client)  # a second one takes the place of the first
        late.until(lambda: late.ended)
        for stream in (first, late, newer):
            stream.close()
