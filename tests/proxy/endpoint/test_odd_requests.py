"""Requests that are right, however oddly they are written, are served; others are refused, and none is left waiting."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.proxy.live import ModernClient, live_call
from tests.proxy.raw_client import RawClient, Stream
from tests.proxy.running import TOOLSET, Running, raw_server, running
from tests.servers.launch import Record
from toolnote_desktop.model.toolsets.note_edits import AddNote, NoteTarget
from toolnote_desktop.model.toolsets.notes import ToolReference
from toolnote_desktop.paths import Home


@pytest.fixture
def record(user_folder: Any) -> Record:
    return Record(user_folder / "record.jsonl")


@pytest.fixture
def proxy(home: Home, record: Record) -> Iterator[Running]:
    with running(home, {"raw": raw_server(record=str(record.path))}) as proxy:
        yield proxy


@pytest.fixture
def client(proxy: Running) -> RawClient:
    client = proxy.client()
    client.initialize()
    return client


ACCEPTED = [
    "*/*",
    "application/json, text/event-stream",
    "text/event-stream,application/json",
    "APPLICATION/JSON, Text/Event-Stream",
    "application/json;q=0.9, text/event-stream;q=0.1",
    "application/*, text/*",
    "text/html, */*;q=0.1",
]


@pytest.mark.parametrize("accept", ACCEPTED)
def test_accept_header_with_json_and_events_is_served(proxy: Running, accept: str) -> None:
    client = proxy.client()
    client.headers["Accept"] = accept
    client.initialize()
    assert "raw_echo" in [tool["name"] for tool in client.tools()]
    assert client.call("raw_fail", {"text": "served"}).result["content"][0]["text"] == "served"
    assert client.call("get-active-toolset").result["structuredContent"]["success"] is True
    progress = client.call("raw_progress", {"steps": 1}, _meta={"progressToken": 1})
    assert [json.loads(message).get("method") for message in progress.messages] == ["notifications/progress", None]
    modern = ModernClient(proxy.endpoint.url, proxy.endpoint.token)
    modern.raw.headers["Accept"] = accept
    assert "raw_echo" in [tool["name"] for tool in modern.request("tools/list").result["tools"]]


@pytest.mark.parametrize("accept", ["*/*", "text/*", "TEXT/EVENT-STREAM", "text/event-stream;q=1"])
def test_the_stream_of_notices_is_one_however_it_is_asked_for(client: RawClient, proxy: Running, accept: str) -> None:
    stream = Stream(client, accept)
    try:
        place = NoteTarget.in_toolset(TOOLSET, ToolReference(namespaced_name="raw.echo"))
        client.tools()
        proxy.library.submit(AddNote(place, {"name": "how", "note": "Softly."}))
        stream.wait_for("notifications/tools/list_changed")
    finally:
        stream.close()


@pytest.mark.parametrize("accept", [None, "application/json", "text/event-stream", "text/html", ""])
def test_accept_header_that_lacks_a_type_is_refused_with_a_reason(
    client: RawClient, accept: str | None, record: Record
) -> None:
    call = {"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": {"name": "raw_fail"}}
    refused = client.post(call, Accept=accept)
    assert refused.status == 406
    assert "text/event-stream" in refused.last["error"]["message"]
    assert not record.events("call")


@pytest.mark.parametrize(
    ("content_type", "status"),
    [
        ("application/json; charset=utf-8", 200),
        ("Application/JSON", 200),
        ("application/json ;x=y", 200),
        (None, 400),
        ("text/plain", 400),
        ("application/jsonx", 415),
        ("application/x-www-form-urlencoded", 400),
    ],
)
def test_only_json_is_read(client: RawClient, record: Record, content_type: str | None, status: int) -> None:
    call = {"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": {"name": "raw_fail"}}
    assert client.post(call, Content_Type=content_type).status == status
    assert len(record.events("call")) == (status == 200)


IDS = ["0", "-1", "1.0", "1.5", "1e3", '""', '"1"', '"\\u0000"', '"\\ud800"', '"ö😀"', str(10**30), "9007199254740993"]


@pytest.mark.parametrize("written", IDS)
def test_an_answer_has_the_id_of_its_request(proxy: Running, written: str) -> None:
    client = proxy.client()
    client.initialize()
    introduction = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}
    opened = [proxy.client().post(_message(written, "initialize", introduction))]
    if "ud800" in written:
        assert opened.pop().status == 400  # where the SDK looks, which cannot say such an id
    said = "raw_fail", "get-active-toolset", "raw_progress", "raw_error", "nothing"
    calls = [("tools/call", {"name": name, "arguments": {}}) for name in said]
    requests: list[tuple[str, Any]] = [("ping", {}), ("tools/list", {}), ("prompts/list", {}), *calls]
    answers = [*opened, *(client.post(_message(written, method, params)) for method, params in requests)]
    for answer in answers:
        assert answer.status == 200
        wanted = json.loads(written)
        assert (answer.last["id"], isinstance(answer.last["id"], str)) == (wanted, isinstance(wanted, str))


def _message(written_id: str, method: str, params: Any) -> bytes:
    return f'{{"jsonrpc":"2.0","id":{written_id},"method":"{method}","params":{json.dumps(params)}}}'.encode()


@pytest.mark.parametrize("written", ["null", "true", "[1]", "{}"])
@pytest.mark.parametrize("method", ["ping", "tools/list", "tools/call", "nothing", "initialize"])
def test_a_request_whose_id_is_none_is_refused_and_not_left_waiting(
    client: RawClient, proxy: Running, record: Record, written: str, method: str
) -> None:
    body = _message(written, method, {"name": "raw_fail", "arguments": {}})
    modern = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method}
    for answer in (client.post(body), proxy.client().post(body), proxy.client().post(body, **modern)):
        assert answer.status == 400
        assert answer.last["error"]["code"] == -32600
        assert answer.last["id"] is None
    assert not record.events("call")


@pytest.mark.parametrize("method", [[], {}, 5, None])
def test_a_method_that_is_no_text_is_refused(client: RawClient, method: Any) -> None:
    assert client.post({"jsonrpc": "2.0", "id": 1, "method": method}).status == 400


def test_a_fraction_is_cancelled_by_the_same_number(client: RawClient, record: Record) -> None:
    call = live_call(client, "raw_hang")  # its id is 1
    record.wait_for("call")
    cancel = b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1.0}}'
    assert client.post(cancel).status == 202
    record.wait_for("cancelled")
    assert "error" in call.answer()


@pytest.mark.parametrize("path", ["/mcp", "/mcp/", "/mcp?x=1", "/mcp/?"])
def test_endpoint_paths_are_accepted(client: RawClient, path: str) -> None:
    ping = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}).encode()
    assert client.send("POST", ping, path=path).result == {}


@pytest.mark.parametrize("path", ["/", "/mcp//", "/MCP", "/mcp/x", "/health/"])
def test_other_addresses_are_not(client: RawClient, path: str) -> None:
    ping = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}).encode()
    assert client.send("POST", ping, path=path).status == 404


@pytest.mark.parametrize("method", ["HEAD", "OPTIONS", "PUT", "PATCH", "TRACE"])
def test_other_methods_are_405_and_touch_nothing(client: RawClient, method: str) -> None:
    answer = client.send(method, b"{}")
    assert (answer.status, answer.headers["allow"]) == (405, "GET, POST, DELETE")
    assert client.request("ping").status == 200


@pytest.mark.parametrize("name", ["mcp-session-id", "MCP-SESSION-ID", "Mcp-session-ID"])
def test_names_of_headers_have_no_case(proxy: Running, client: RawClient, name: str) -> None:
    other = RawClient(proxy.endpoint.url, proxy.endpoint.token)
    other.headers = {"AUTHORIZATION": f"bearer  {proxy.endpoint.token} ", name: client.session_id or ""}
    assert other.request("tools/list").status == 200


@pytest.mark.parametrize("method", [[], {}, 7, None, True])
def test_modern_request_whose_method_is_no_text_is_refused(proxy: Running, method: Any) -> None:
    """Seen red by the long fuzz: status 500 for a list."""
    headers: dict[str, str | None] = {"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "x"}
    answer = proxy.client().post({"jsonrpc": "2.0", "id": 1, "method": method, "params": {}}, **headers)
    assert answer.status == 400
