"""Several messages at once: from clients of revision 2025-03-26, refused to others, and from servers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.proxy.raw_client import Answer, RawClient
from tests.proxy.running import Running, raw_server, running
from toolnote_desktop.paths import Home


@pytest.fixture
def proxy(home: Home) -> Iterator[Running]:
    with running(home, {"raw": raw_server()}) as proxy:
        yield proxy


def client_of(proxy: Running, version: str) -> RawClient:
    client = proxy.client()
    client.initialize(version=version)
    return client


def request(request_id: Any, method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}


def by_id(answer: Answer) -> dict[Any, Any]:
    return {message["id"]: message for message in map(json.loads, answer.messages) if "id" in message}


def test_batch_messages_are_answered_one_by_one(proxy: Running) -> None:
    client = client_of(proxy, "2025-03-26")
    answer = client.post(
        [
            request(1, "ping"),
            request("1", "tools/call", name="raw_progress", arguments={"steps": 2}, _meta={"progressToken": "p"}),
            request(2, "tools/call", name="raw_error", arguments={"code": 7, "message": "no", "data": [1]}),
            request(3, "tools/list"),
            request(4, "no/such"),
            request(5, "initialize"),
            {"jsonrpc": "2.0", "method": "notifications/initialized"},
            {"jsonrpc": "2.0", "id": "nobody-asked", "result": {}},
            {"id": 6, "method": "ping"},
        ]
    )
    assert answer.status == 200
    found = by_id(answer)
    assert found[1]["result"] == {}
    assert "content" in found["1"]["result"]
    assert found[2]["error"] == {"code": 7, "message": "no", "data": [1]}
    assert any(tool["name"] == "raw_echo" for tool in found[3]["result"]["tools"])
    assert (found[4]["error"]["code"], found[5]["error"]["code"], found[None]["error"]["code"]) == (
        -32601,
        -32600,
        -32600,
    )
    assert set(found) == {1, "1", 2, 3, 4, 5, None}
    read = [json.loads(message) for message in answer.messages]
    told = [message["params"] for message in read if message.get("method") == "notifications/progress"]
    assert [(one["progressToken"], one["progress"]) for one in told] == [("p", 1), ("p", 2)]


def test_a_batch_without_a_request_has_no_answer(proxy: Running) -> None:
    client = client_of(proxy, "2025-03-26")
    answer = client.post([{"jsonrpc": "2.0", "method": "notifications/initialized"}])
    assert (answer.status, answer.body) == (202, b"")


@pytest.mark.parametrize(
    ("version", "batch"),
    [
        ("2025-03-26", []),
        ("2025-03-26", [request(n, "ping") for n in range(257)]),
        ("2024-11-05", [request(1, "ping")]),
        ("2025-06-18", [request(1, "ping")]),
        ("2025-11-25", [request(1, "ping")]),
    ],
)
def test_other_batches_are_refused_as_a_whole(proxy: Running, version: str, batch: list[Any]) -> None:
    client = client_of(proxy, version)
    answer = client.post(batch)
    assert (answer.status, answer.last["id"], answer.last["error"]["code"]) == (400, None, -32600)
    assert client.post(request(1, "ping")).status == 200  # and nothing else is hurt


def test_a_batch_outside_a_session_is_refused(proxy: Running) -> None:
    answer = proxy.client().post([request(1, "initialize"), request(2, "ping")])
    assert (answer.status, answer.last["error"]["code"]) == (400, -32600)


def test_a_batch_of_a_server_is_taken_apart(proxy: Running) -> None:
    """A server of 2025-03-26 may send its messages so; here the result of a call in one with what came before it."""
    client = client_of(proxy, "2025-06-18")
    log = '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","data":"first"}}'
    result = '{"jsonrpc":"2.0","id":$ID,"result":{"content":[],"n":1.0}}'
    answer = client.call("raw_raw_line", {"text": f"[{log},{result}]"})
    assert json.loads(answer.messages[0])["params"]["data"] == "first"
    assert b'"n":1.0' in answer.messages[-1]
