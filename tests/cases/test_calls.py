"""Cases about calls: errors, crashes, long calls. Real servers, a real endpoint."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.cases.test_lists import initialized, tool
from tests.proxy.raw_client import RawClient
from tests.proxy.running import raw_server, running
from tests.servers.launch import http_server
from toolnote_desktop.paths import Home


def text_of(client: RawClient, name: str, arguments: Any = None) -> str:
    """The first text of a call's result."""
    return str(client.call(name, arguments).result["content"][0]["text"])


@pytest.mark.case("C14")
def test_an_error_result_needs_not_fit_the_output_schema(home: Home) -> None:
    schema = {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]}
    with running(home, {"a": raw_server(tools=[tool("t", outputSchema=schema)], calls={"t": "fail"})}) as proxy:
        result = initialized(proxy).call("a_t", {"text": "it broke"}).result
        assert result == {"content": [{"type": "text", "text": "it broke"}], "isError": True}


@pytest.mark.case("C15")
@pytest.mark.case("C27")
def test_a_crash_in_a_call_is_a_result_that_names_the_server_and_touches_no_other(home: Home) -> None:
    with running(home, {"frail": raw_server(), "sound": raw_server()}) as proxy:
        client = initialized(proxy)
        result = client.call("frail_crash", {"code": 3}).result
        assert result["isError"] is True
        assert "frail" in result["content"][0]["text"]
        assert text_of(client, "sound_counter") == "1"
        assert text_of(client, "frail_counter") == "1"  # it was started anew, and waited for


@pytest.mark.case("C16")
@pytest.mark.case("C17")
@pytest.mark.parametrize("answer", ["json", "sse"])
def test_an_error_over_http_is_the_servers_own_word_for_word(home: Home, answer: str) -> None:
    with http_server(http={"answer": answer}) as server:
        entry = {"type": "http", "url": server.url, "toolnote": {"toolset": "work"}}
        with running(home, {"far": entry}) as proxy:
            client = initialized(proxy)
            error = {"code": -32042, "message": "no: not today", "data": {"why": ["x", None]}}
            assert client.call("far_error", error).last["error"] == error
            assert client.call("far_fail", {"text": "no"}).result["isError"] is True


@pytest.mark.case("C21")
def test_a_call_that_tells_of_its_progress_may_take_longer_than_its_limit(home: Home) -> None:
    entry = {**raw_server(), "timeout": 1}
    with running(home, {"slow": entry}) as proxy:
        answer = initialized(proxy).call("slow_progress", {"steps": 5, "ms": 400}, _meta={"progressToken": 7})
        told = [json.loads(message)["params"] for message in answer.messages[:-1]]
        assert [(one["progressToken"], one["progress"]) for one in told] == [(7, step) for step in range(1, 6)]
        assert answer.result["content"] == [{"type": "text", "text": "done"}]


@pytest.mark.case("C22")
def test_a_call_over_its_limit_is_an_error_and_the_next_one_works(home: Home) -> None:
    with running(home, {"dull": {**raw_server(), "timeout": 0.5}}) as proxy:
        client = initialized(proxy)
        result = client.call("dull_hang").result
        assert result["isError"] is True
        assert "dull" in result["content"][0]["text"]
        assert text_of(client, "dull_counter") == "2"


@pytest.mark.case("C23")
def test_servers_that_keep_state_are_shared_unless_each_client_has_its_own(home: Home) -> None:
    shared, own = raw_server(), raw_server(toolnote={"toolset": "work", "perClient": True})
    with running(home, {"shared": shared, "own": own}) as proxy:
        clients = [proxy.bridge("one"), proxy.bridge("two")]
        for client in clients:
            client.initialize()
        assert [text_of(client, "shared_counter") for client in clients] == ["1", "2"]
        assert [text_of(client, "own_counter") for client in clients] == ["1", "1"]


@pytest.mark.case("C26")
def test_good_servers_serve_beside_bad_ones_and_each_bad_one_says_what_is_wrong(home: Home) -> None:
    servers = {
        "good": raw_server(),
        "nowhere": {"command": "no-such-program-anywhere"},
        "short": raw_server(on={"start": {"exit": 4}}),
    }
    with running(home, servers, ready=False) as proxy:
        proxy.wait_ready("good")
        snapshot = proxy.wait(lambda s: all(_problem(s, server) for server in ("nowhere", "short")))
        assert _problem(snapshot, "nowhere").parameters["program"] == "no-such-program-anywhere"
        assert text_of(initialized(proxy), "good_counter") == "1"


def _problem(snapshot: Any, server: str) -> Any:
    return snapshot.catalogue.servers[server].status.problem


@pytest.mark.case("C34")
@pytest.mark.case("C35")
@pytest.mark.case("C36")
def test_a_server_that_talks_beside_its_answers_is_heard_all_the_same(home: Home) -> None:
    noise = {"start": ["Hello from a banner", ""], "before": ["", "{}", '{"half": '], "after": ["[1, 2", "DEBUG x"]}
    entry = raw_server(noise=noise, stderr={"start": "up", "startBytes": 300_000, "callBytes": 300_000})
    with running(home, {"loud": entry}) as proxy:
        client = initialized(proxy)
        assert text_of(client, "loud_counter") == "1"
        assert len(text_of(client, "loud_big", {"kb": 5 * 1024})) == 5 * 1024 * 1024
        assert sum(len(line) for _, line in proxy.thread.server_log("loud")) <= 64 * 1024


@pytest.mark.case("C63")
@pytest.mark.parametrize("method", ["elicitation/create", "roots/list", "sampling/createMessage"])
def test_a_question_that_nobody_can_answer_is_an_error_at_once(home: Home, method: str) -> None:
    with running(home, {"asks": raw_server()}) as proxy:
        answer = json.loads(text_of(initialized(proxy), "asks_ask", {"method": method}))
        assert answer["error"]["code"] == -32601
