"""HTTP servers through the proxy: cancellations, lost sessions, expired tokens."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.proxy.live import Live, live_call, live_stream, reply
from tests.proxy.raw_client import RawClient
from tests.proxy.running import TOOLSET, Running, handshake_client, modern_client, raw_server, running, said
from tests.servers.launch import HttpServer, Record, http_server
from toolnote_desktop.model.edits import SERVER_ENTRIES, SERVERS, SetEntryFields
from toolnote_desktop.model.servers import ServerState
from toolnote_desktop.paths import Home

ASK_ROOTS = {"method": "roots/list", "params": {}}
CANCELLED = "notifications/cancelled"
ERAS = ("handshake", "modern", "both")


@pytest.fixture
def record(user_folder: Path) -> Record:
    return Record(user_folder / "record.jsonl")


@pytest.fixture
def control(user_folder: Path) -> Path:
    return user_folder / "control"


def at(url: str, **fields: Any) -> dict[str, Any]:
    return {"type": "http", "url": url, "toolnote": {"toolset": TOOLSET}, **fields}


@contextmanager
def before(home: Home, record: Record, **scenario: Any) -> Iterator[tuple[Running, HttpServer]]:
    """A proxy in front of a server over HTTP, and that server."""
    with http_server(record=str(record.path), **scenario) as server, running(home, {"raw": at(server.url)}) as proxy:
        yield proxy, server


# -- questions that the server takes back -----------------------------------------------------------------------------


def test_a_question_withdrawn_on_the_stream_of_its_call_is_withdrawn(home: Home, record: Record, control: Path) -> None:
    with before(home, record, era="handshake", control=str(control)) as (proxy, server):
        client = handshake_client(proxy, roots={})
        call = live_call(client, "raw_ask", {**ASK_ROOTS, "withdraw": "later"})
        question = call.wait("roots/list")[0]
        server.control("withdraw")
        assert said(call.result()) == "withdrawn"
        assert [one["params"]["requestId"] for one in call.of(CANCELLED)] == [question["id"]]
        reply(client, question, {"roots": []})  # a client that did not look in time
        assert said(client.call("raw_fail", {"text": "and goes on"}).result) == "and goes on"
        assert not record.events("reply")


def test_a_question_that_is_withdrawn_at_once_bothers_nobody_for_long(home: Home, record: Record) -> None:
    with before(home, record, era="handshake") as (proxy, _):
        call = live_call(handshake_client(proxy, roots={}), "raw_ask", {**ASK_ROOTS, "withdraw": "at once"})
        assert said(call.result()) == "withdrawn"
        asked = [question["id"] for question in call.of("roots/list")]
        assert [one["params"]["requestId"] for one in call.of(CANCELLED)] == asked
        assert not record.events("reply")


def test_a_question_withdrawn_on_the_stream_of_notices_is_withdrawn(home: Home, record: Record) -> None:
    with before(home, record, era="handshake") as (proxy, _):
        client = handshake_client(proxy, roots={})
        call = live_call(client, "raw_ask", ASK_ROOTS)
        question = call.wait("roots/list")[0]
        client.call("raw_notify", {"method": CANCELLED, "params": {"requestId": "ask-1"}})
        assert call.wait(CANCELLED)[0]["params"]["requestId"] == question["id"]
        call.close()


def test_cancelled_request_of_a_server_leaves_the_same_id_of_another_alone(home: Home, record: Record) -> None:
    with (
        http_server(era="handshake", name="a") as first,
        http_server(era="handshake", name="b") as second,
        running(home, {"a": at(first.url), "b": at(second.url)}) as proxy,
    ):
        client = handshake_client(proxy, roots={})
        calls = [live_call(client, f"{server}_ask", ASK_ROOTS) for server in "ab"]
        questions = [call.wait("roots/list")[0] for call in calls]
        client.call("a_notify", {"method": CANCELLED, "params": {"requestId": "ask-1"}})
        assert calls[0].wait(CANCELLED)[0]["params"]["requestId"] == questions[0]["id"]
        reply(client, questions[1], {"roots": []})
        assert '"roots":[]' in said(calls[1].result()).replace(" ", "")
        assert not calls[1].of(CANCELLED)
        calls[0].close()


# -- completion -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("answer", ["json", "sse"])
def test_completion_passes(home: Home, record: Record, era: str, answer: str) -> None:
    references = (
        ({"type": "ref/prompt", "name": "raw_greet"}, {"type": "ref/prompt", "name": "greet"}),
        ({"type": "ref/resource", "uri": "test://{name}"}, {"type": "ref/resource", "uri": "test://{name}"}),
    )
    with before(home, record, era=era, http={"answer": answer}) as (proxy, _):
        for client in (handshake_client(proxy), modern_client(proxy)):
            for reference, own in references:
                argument = {"name": "who", "value": "ö\u0000"}
                context = {"arguments": {"other": "x"}}
                params = {"ref": reference, "argument": argument, "context": context}
                result = client.request("completion/complete", params).result
                assert result["completion"] == {"values": ["one", "two"]}
                arrived = record.received("completion/complete")[-1]["params"]
                assert (arrived["ref"], arrived["argument"], arrived["context"]) == (own, argument, context)


# -- sessions that the server forgets ---------------------------------------------------------------------------------


def initializations(record: Record) -> int:
    return len(record.received("initialize"))


@pytest.mark.parametrize("get", [True, False], ids=["with a stream of notices", "without"])
def test_a_call_in_a_forgotten_session_is_made_once_in_a_new_one(home: Home, record: Record, get: bool) -> None:
    with before(home, record, era="handshake", http={"forgetAt": {"tools/call": 1}, "get": get}) as (proxy, _):
        client = handshake_client(proxy)
        assert said(client.call("raw_fail", {"text": "it ran"}).result) == "it ran"
        assert len(record.events("call")) == 1
        assert initializations(record) == 2
        sessions = [one["headers"].get("mcp-session-id") for one in record.events("in") if '"tools/call"' in one["raw"]]
        (old,) = {one["session"] for one in record.events("unknown session")}
        assert sessions != [old]
        assert client.call("raw_counter").result["content"][0]["text"] == "2"  # both were in the new one


def test_calls_in_a_forgotten_session_are_all_made_once_in_a_new_one(home: Home, record: Record) -> None:
    http = {"forgetAt": {"tools/call": 1}, "gather": {"tools/call": 4}, "get": False}
    with before(home, record, era="handshake", http=http) as (proxy, _):
        clients = [handshake_client(proxy) for _ in range(4)]
        calls = [live_call(client, "raw_fail", {"text": f"of {n}"}) for n, client in enumerate(clients)]
        assert [said(call.result()) for call in calls] == [f"of {n}" for n in range(4)]
        assert len(record.events("call")) == 4
        assert initializations(record) == 2


def test_a_server_that_forgets_every_session_is_asked_once_more_and_no_oftener(home: Home, record: Record) -> None:
    with before(home, record, era="handshake", http={"forgetAt": {"tools/call": 2}}) as (proxy, _):
        client = handshake_client(proxy)
        result = client.call("raw_fail", {"text": "it ran"}).result
        assert result["isError"] is True
        assert '"raw"' in said(result)
        assert not record.events("call")
        assert said(client.call("raw_fail", {"text": "it ran"}).result) == "it ran"
        assert len(record.events("call")) == 1


def test_a_call_under_way_when_its_session_is_forgotten_is_never_made_again(home: Home, record: Record) -> None:
    with before(home, record, era="handshake", http={"forgetAt": {"prompts/get": 1}}) as (proxy, _):
        client = handshake_client(proxy)
        call = live_call(client, "raw_hang")
        record.wait_for("call", tool="hang")
        assert "messages" in client.request("prompts/get", {"name": "raw_greet"}).result
        answer = call.result()
        assert answer["isError"] is True
        assert '"raw"' in said(answer)
        assert said(client.call("raw_fail", {"text": "it serves"}).result) == "it serves"
        assert [event["tool"] for event in record.events("call")] == ["hang", "fail"]


def test_a_server_that_was_replaced_serves_again_in_a_new_session(home: Home, record: Record) -> None:
    with before(home, record, era="handshake") as (proxy, server):
        client = handshake_client(proxy)
        stream = live_stream(client)
        assert said(client.call("raw_fail", {"text": "first"}).result) == "first"
        server.process.kill()
        server.process.wait()
        port = int(server.url.split(":")[2].split("/")[0])
        calls: list[Live] = []
        calls.append(live_call(client, "raw_fail", {"text": "second"}))  # waits for the one that comes
        with http_server(port, era="handshake", record=str(record.path)):
            assert said(calls[0].result()) == "second"
            assert said(client.call("raw_fail", {"text": "third"}).result) == "third"
        assert len(record.events("call")) == 3
        stream.close()


@pytest.mark.parametrize("era", ERAS)
def test_404_for_a_method_is_no_forgotten_session(home: Home, record: Record, era: str) -> None:
    on = {"completion/complete": {"error": {"code": -32601, "message": "Method not found", "data": 1}}}
    with before(home, record, era=era, on=on, http={"notFound": True}) as (proxy, _):
        params = {"ref": {"type": "ref/prompt", "name": "raw_greet"}, "argument": {"name": "who", "value": ""}}
        for client in (handshake_client(proxy), modern_client(proxy)):
            error = client.request("completion/complete", params).last["error"]
            assert error == {"code": -32601, "message": "Method not found", "data": 1}
            assert said(client.call("raw_fail", {"text": "it serves"}).result) == "it serves"
        assert initializations(record) == 1


# -- a token that ends in mid-life ------------------------------------------------------------------------------------


def test_401_in_mid_life_is_told_and_a_new_token_serves_again(home: Home, record: Record, control: Path) -> None:
    scenario: dict[str, Any] = {"era": "handshake", "record": str(record.path), "control": str(control)}
    with http_server(**scenario, http={"token": "old", "get": False}) as server:
        entry = at(server.url, headers={"Authorization": "Bearer old"})
        with running(home, {"raw": entry, "other": raw_server()}) as proxy:
            client = handshake_client(proxy)
            assert said(client.call("raw_fail", {"text": "in"}).result) == "in"
            server.control("token new")
            proxy_told = proxy.wait(lambda s: ask_until_refused(client, s.catalogue.servers["raw"].status.state))
            told = client.call("raw_fail", {"text": "out"}).result
            assert told["isError"] is True
            assert '"raw"' in said(told)
            assert "old" not in said(told).split()
            assert proxy_told.catalogue.servers["other"].status.state is ServerState.READY
            assert said(client.call("other_fail", {"text": "beside it"}).result) == "beside it"
            calls = len(record.events("call"))
            proxy.library.submit(
                SetEntryFields(SERVERS, SERVER_ENTRIES, "raw", {"headers": {"Authorization": "Bearer new"}})
            )
            proxy.wait_ready("raw")
            assert said(client.call("raw_fail", {"text": "in again"}).result) == "in again"
            assert len(record.events("call")) == calls + 1


def ask_until_refused(client: RawClient, state: ServerState) -> bool:
    """Whether the server's state says so; else a call makes the next change of it come."""
    if state is not ServerState.READY:
        return True
    client.call("raw_fail", {"text": "in?"})
    return False
