"""Questions of servers in all four pairs of eras: asked of the very client that called, withdrawn, refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.proxy.live import ModernClient, live_call, reply
from tests.proxy.running import TOOLSET, Running, handshake_client, modern_client, raw_server, running, said
from tests.servers.launch import Record, http_server
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.endpoint import response as http_answer

ROOTS = {"roots": [{"uri": "file:///mine"}]}
ASK_ROOTS = {"method": "roots/list", "params": {}}
FORM = {"message": "Who?", "requestedSchema": {"type": "object", "properties": {}}}
ASK_USER = {"method": "elicitation/create", "params": FORM}


@pytest.fixture
def record(user_folder: Path) -> Record:
    return Record(user_folder / "record.jsonl")


@pytest.fixture(params=["handshake", "modern"])
def proxy(request: pytest.FixtureRequest, home: Home, record: Record) -> Iterator[Running]:
    """In front of a server of one era."""
    with running(home, {"raw": raw_server(era=request.param, record=str(record.path))}) as proxy:
        yield proxy


@pytest.fixture
def handshake_server(home: Home, record: Record) -> Iterator[Running]:
    with running(home, {"raw": raw_server(era="handshake", record=str(record.path))}) as proxy:
        yield proxy


def test_a_handshake_client_is_asked(proxy: Running) -> None:
    client = handshake_client(proxy, roots={})
    call = live_call(client, "raw_ask", ASK_ROOTS)
    question = call.wait("roots/list")[0]
    reply(client, question, ROOTS)
    result = call.result()
    assert "file:///mine" in said(result)
    assert not {"resultType", "inputRequests", "requestState"} & result.keys()


def test_a_modern_client_is_given_a_result_that_asks(proxy: Running) -> None:
    client = modern_client(proxy, elicitation={})
    first = client.call("raw_ask", ASK_USER).result
    assert first["resultType"] == "input_required"
    (key, question), *others = first["inputRequests"].items()
    assert not others
    assert question == ASK_USER
    answers = {key: {"action": "accept", "content": {"name": "Ada"}}}
    second = client.call("raw_ask", ASK_USER, inputResponses=answers, requestState=first["requestState"]).result
    assert second["resultType"] == "complete"
    assert "Ada" in said(second)


def test_the_state_of_a_modern_server_is_its_own(home: Home) -> None:
    with running(home, {"raw": raw_server(era="modern")}) as proxy:
        client = modern_client(proxy, roots={})
        assert client.call("raw_ask", ASK_ROOTS).result["requestState"] == "state-1"
        back = client.call("raw_ask", ASK_ROOTS, inputResponses={"question": ROOTS}, requestState="anything")
        assert json.loads(said(back.result)) == {"state": "anything", "responses": {"question": ROOTS}}


def test_a_handshake_client_that_cannot_answer_is_not_asked(proxy: Running) -> None:
    answer = handshake_client(proxy, roots={}).call("raw_ask", ASK_USER)
    assert len(answer.messages) == 1
    assert "cannot answer" in json.dumps(answer.last)


def test_a_modern_client_that_cannot_answer_is_not_asked(handshake_server: Running) -> None:
    answer = modern_client(handshake_server, roots={}).call("raw_ask", ASK_USER)
    assert answer.result["resultType"] == "complete"
    assert "cannot answer" in said(answer.result)


def test_a_modern_server_is_told_what_each_client_can_do(home: Home, record: Record) -> None:
    with running(home, {"raw": raw_server(era="modern", record=str(record.path))}) as proxy:
        handshake_client(proxy, sampling={"tools": {}}).call("raw_echo")
        modern_client(proxy, elicitation={"form": {}}).call("raw_echo")
    stated = [
        call["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] for call in record.received("tools/call")
    ]
    assert stated == [{"sampling": {"tools": {}}}, {"elicitation": {"form": {}}}]


def test_an_error_of_the_client_is_the_servers_to_read(handshake_server: Running) -> None:
    client = handshake_client(handshake_server, roots={})
    call = live_call(client, "raw_ask", ASK_ROOTS)
    question = call.wait("roots/list")[0]
    error = {"code": -1, "message": "not today", "data": {"why": None}}
    assert client.post({"jsonrpc": "2.0", "id": question["id"], "error": error}).status == 202
    assert json.loads(said(call.result()))["error"] == error


def test_an_error_of_the_client_ends_a_call_to_a_modern_server(home: Home) -> None:
    with running(home, {"raw": raw_server(era="modern")}) as proxy:
        client = handshake_client(proxy, roots={})
        call = live_call(client, "raw_ask", ASK_ROOTS)
        question = call.wait("roots/list")[0]
        error = {"code": -1, "message": "not today"}
        assert client.post({"jsonrpc": "2.0", "id": question["id"], "error": error}).status == 202
        assert call.answer()["error"] == error


def test_unanswered_questions_are_asked_again(handshake_server: Running) -> None:
    client = modern_client(handshake_server, roots={})
    first = client.call("raw_ask", ASK_ROOTS).result
    wrong = {"nobody-asked": ROOTS}
    second = client.call("raw_ask", ASK_ROOTS, inputResponses=wrong, requestState=first["requestState"]).result
    assert second["inputRequests"] == first["inputRequests"]
    assert second["requestState"] != first["requestState"]
    answers = dict.fromkeys(second["inputRequests"], ROOTS)
    third = client.call("raw_ask", ASK_ROOTS, inputResponses=answers, requestState=second["requestState"]).result
    assert "file:///mine" in said(third)


def test_a_state_is_good_once_for_the_same_client_and_call(handshake_server: Running) -> None:
    client = modern_client(handshake_server, roots={})
    first = client.call("raw_ask", ASK_ROOTS).result
    back = {"inputResponses": dict.fromkeys(first["inputRequests"], ROOTS), "requestState": first["requestState"]}
    secret = handshake_server.endpoint.bridge_secret
    thief = ModernClient(handshake_server.endpoint.url, secret, {"roots": {}}, **{"Toolnote-Client": "thief"})
    for other, tool, state in (
        (thief, "raw_ask", back["requestState"]),
        (client, "raw_echo", back["requestState"]),
        (client, "raw_ask", back["requestState"] + "x"),
    ):
        refused = other.call(tool, ASK_ROOTS, inputResponses=back["inputResponses"], requestState=state)
        assert (refused.status, refused.last["error"]["code"]) == (400, -32602)
    assert "file:///mine" in said(client.call("raw_ask", ASK_ROOTS, **back).result)
    again = client.call("raw_ask", ASK_ROOTS, **back)
    assert again.last["error"]["code"] == -32602


def test_progress_reaches_the_request_that_waits(handshake_server: Running) -> None:
    client = modern_client(handshake_server)
    call = client.live_call("raw_progress", {"steps": 3}, meta={"progressToken": 7})
    assert call.result()["resultType"] == "complete"
    progress = call.of("notifications/progress")
    assert [p["params"] for p in progress] == [{"progressToken": 7, "progress": n, "total": 3} for n in (1, 2, 3)]


def test_closing_a_modern_request_cancels_it_at_the_server(proxy: Running, record: Record) -> None:
    call = modern_client(proxy).live_call("raw_hang")
    record.wait_for("call")
    call.close()
    record.wait_for("cancelled")


def test_a_handshake_client_cancels_at_the_server(proxy: Running, record: Record) -> None:
    client = handshake_client(proxy)
    call = live_call(client, "raw_hang")
    record.wait_for("call")
    said = {"reason": "the user\u2028 changed", "_meta": {"a/b": 10**30}}
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1, **said}}
    assert client.post(cancel).status == 202
    record.wait_for("cancelled")
    assert "error" in call.answer()
    heard = [json.loads(one["raw"]) for one in record.events("in")]
    (params,) = (one["params"] for one in heard if one.get("method") == "notifications/cancelled")
    assert {key: value for key, value in params.items() if key != "requestId"} == said


def test_a_question_that_the_server_withdraws_is_withdrawn(handshake_server: Running) -> None:
    client = handshake_client(handshake_server, roots={})
    call = live_call(client, "raw_ask", ASK_ROOTS)
    question = call.wait("roots/list")[0]
    withdrawn = {"requestId": "ask-1", "reason": "no need"}
    client.call("raw_notify", {"method": "notifications/cancelled", "params": withdrawn})
    assert call.wait("notifications/cancelled")[0]["params"] == {**withdrawn, "requestId": question["id"]}
    call.close()


def test_a_withdrawn_question_is_not_answered_by_a_modern_client_that_comes_back(
    handshake_server: Running, record: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_answer, "KEEP_ALIVE", 0.01)  # the answer that does not come is opened by a comment
    client = modern_client(handshake_server, roots={})
    first = client.call("raw_ask", ASK_ROOTS).result
    client.call("raw_notify", {"method": "notifications/cancelled", "params": {"requestId": "ask-1"}})
    back = {"inputResponses": dict.fromkeys(first["inputRequests"], ROOTS), "requestState": first["requestState"]}
    call = client.live_call("raw_ask", ASK_ROOTS, **back)
    call.until_open()
    call.close()
    record.wait_for("cancelled")
    assert not record.events("reply")


def test_a_client_that_leaves_in_mid_question_answers_no_more(handshake_server: Running, record: Record) -> None:
    client = handshake_client(handshake_server, roots={})
    call = live_call(client, "raw_ask", ASK_ROOTS)
    call.wait("roots/list")
    call.close()
    assert "error" in json.loads(record.wait_for("reply")[0]["raw"])


def test_the_end_of_a_session_is_the_end_of_its_questions_and_calls(handshake_server: Running, record: Record) -> None:
    client = handshake_client(handshake_server, roots={})
    asked = live_call(client, "raw_ask", ASK_ROOTS)
    asked.wait("roots/list")
    hanging = live_call(client, "raw_hang")
    record.wait_for("call", count=2)
    assert client.send("DELETE").status == 200
    assert "error" in json.loads(record.wait_for("reply")[0]["raw"])
    record.wait_for("cancelled")
    asked.close()
    hanging.close()


def test_over_a_pipe_a_question_amid_two_clients_calls_is_nobodys(handshake_server: Running, record: Record) -> None:
    one, other = (handshake_client(handshake_server, roots={}) for _ in range(2))
    hanging = live_call(one, "raw_hang")
    record.wait_for("call")
    answer = other.call("raw_ask", ASK_ROOTS)
    assert len(answer.messages) == 1
    assert "no call of a client" in said(answer.result)
    assert not hanging.messages
    hanging.close()


def test_over_a_pipe_a_session_is_asked_whichever_of_its_calls_it_was(proxy: Running, record: Record) -> None:
    client = handshake_client(proxy, roots={})
    hanging = live_call(client, "raw_hang")
    record.wait_for("call")
    asking = live_call(client, "raw_ask", ASK_ROOTS)
    asking.until(lambda: bool(asking.of("roots/list") or hanging.of("roots/list")))
    reply(client, (asking.of("roots/list") or hanging.of("roots/list"))[0], ROOTS)
    assert "file:///mine" in said(asking.result())
    hanging.close()


def test_over_http_a_question_belongs_to_its_call(home: Home, record: Record) -> None:
    with http_server(era="handshake", record=str(record.path)) as server:
        entry = {"type": "http", "url": server.url, "toolnote": {"toolset": TOOLSET}}
        with running(home, {"raw": entry}) as proxy:
            one, other = (handshake_client(proxy, roots={}) for _ in range(2))
            hanging = live_call(one, "raw_hang")
            record.wait_for("call")
            asking = live_call(other, "raw_ask", ASK_ROOTS)
            reply(other, asking.wait("roots/list")[0], ROOTS)
            assert "file:///mine" in said(asking.result())
            assert not hanging.messages
            hanging.close()


def test_a_question_outside_any_call_is_answered_with_an_error(home: Home, user_folder: Path, record: Record) -> None:
    control = user_folder / "control"
    entry = raw_server(era="handshake", record=str(record.path), control=str(control))
    with running(home, {"raw": entry}) as proxy:
        handshake_client(proxy, roots={})
        control.write_text('ask {"method": "roots/list"}\n')
        assert "error" in json.loads(record.wait_for("reply")[0]["raw"])


def test_a_call_that_a_client_gave_up_does_not_keep_it_from_being_asked(handshake_server: Running) -> None:
    client = modern_client(handshake_server, roots={})
    assert client.call("raw_ask", ASK_ROOTS).result["resultType"] == "input_required"  # and never comes back to it
    asked = client.call("raw_ask", ASK_ROOTS).result
    back = {"inputResponses": dict.fromkeys(asked["inputRequests"], ROOTS), "requestState": asked["requestState"]}
    assert "file:///mine" in said(client.call("raw_ask", ASK_ROOTS, **back).result)


def test_a_call_that_one_client_gave_up_keeps_no_other_from_being_asked(handshake_server: Running) -> None:
    gone = modern_client(handshake_server, roots={})
    assert gone.call("raw_ask", ASK_ROOTS).result["resultType"] == "input_required"  # and never comes back to it
    secret = handshake_server.endpoint.bridge_secret
    other = ModernClient(handshake_server.endpoint.url, secret, {"roots": {}}, **{"Toolnote-Client": "other"})
    asked = other.call("raw_ask", ASK_ROOTS).result
    back = {"inputResponses": dict.fromkeys(asked["inputRequests"], ROOTS), "requestState": asked["requestState"]}
    assert "file:///mine" in said(other.call("raw_ask", ASK_ROOTS, **back).result)
    third = handshake_client(handshake_server, roots={})
    call = live_call(third, "raw_ask", ASK_ROOTS)
    reply(third, call.wait("roots/list")[0], ROOTS)
    assert "file:///mine" in said(call.result())


def test_two_clients_that_think_at_once_are_each_answered_for_themselves(handshake_server: Running) -> None:
    secret = handshake_server.endpoint.bridge_secret
    clients = [
        ModernClient(handshake_server.endpoint.url, secret, {"roots": {}}, **{"Toolnote-Client": name})
        for name in ("one", "two")
    ]
    asked = [client.call("raw_ask", ASK_ROOTS).result for client in clients]
    for number, (client, first) in reversed(list(enumerate(zip(clients, asked, strict=True)))):
        answer = {"roots": [{"uri": f"file:///{number}"}]}
        back = {"inputResponses": dict.fromkeys(first["inputRequests"], answer), "requestState": first["requestState"]}
        assert f"file:///{number}" in said(client.call("raw_ask", ASK_ROOTS, **back).result)
