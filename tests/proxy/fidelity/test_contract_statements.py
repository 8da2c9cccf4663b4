"""Statements of docs/contract.md 5 for each pair of eras: progress, ping, modes of requests, names, waiting."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.proxy.live import ModernClient, live_call, live_stream, reply
from tests.proxy.raw_client import RawClient
from tests.proxy.running import TOOLSET, Running, handshake_client, modern_client, raw_server, running, said
from tests.servers.launch import RAW_SERVER, Record, control, http_server
from tests.waiting import wait_until
from toolnote_desktop.model.servers import ServerState
from toolnote_desktop.paths import Home

LINK = {"mode": "url", "message": "Sign in", "url": "https://sign.in/", "elicitationId": "e-1"}
FORM = {"message": "Who?", "requestedSchema": {"type": "object", "properties": {}}}
WITH_TOOLS = {"messages": [], "maxTokens": 1, "tools": [{"name": "t", "inputSchema": {"type": "object"}}]}
COMPLETE = "notifications/elicitation/complete"

UNLESS_BROKEN = """import os, runpy, sys
if os.path.exists(sys.argv[1]): sys.exit("broken")
sys.argv = sys.argv[2:]
runpy.run_path(sys.argv[0], run_name="__main__")"""


@pytest.fixture
def record(user_folder: Path) -> Record:
    return Record(user_folder / "record.jsonl")


@pytest.fixture(params=["stdio handshake", "stdio modern", "http handshake", "http modern", "http both"])
def proxy(request: pytest.FixtureRequest, home: Home, record: Record) -> Iterator[Running]:
    """In front of a server of one era, or of both."""
    kind, era = request.param.split()
    scenario = {"era": era, "record": str(record.path)}
    with ExitStack() as stack:
        if kind == "stdio":
            entry = raw_server(**scenario)
        else:
            url = stack.enter_context(http_server(**scenario)).url
            entry = {"type": "http", "url": url, "toolnote": {"toolset": TOOLSET}}
        yield stack.enter_context(running(home, {"raw": entry}))


@pytest.mark.parametrize("token", ["mine", "7", 0], ids=repr)
def test_progress_has_the_clients_own_token_and_comes_in_order_before_the_result(proxy: Running, token: Any) -> None:
    answers = [
        handshake_client(proxy).call("raw_progress", {"steps": 20}, _meta={"progressToken": token}),
        modern_client(proxy).call("raw_progress", {"steps": 20}, {"progressToken": token}),
    ]
    for answer in answers:
        *notices, result = [json.loads(raw) for raw in answer.messages]
        assert [one["params"]["progress"] for one in notices] == list(range(1, 21))
        assert {(type(one["params"]["progressToken"]), one["params"]["progressToken"]) for one in notices} == {
            (type(token), token)
        }
        assert "result" in result


def test_without_a_token_no_progress_comes(proxy: Running) -> None:
    for answer in (
        handshake_client(proxy).call("raw_progress", {"steps": 3}),
        modern_client(proxy).call("raw_progress", {"steps": 3}),
    ):
        assert len(answer.messages) == 1


def test_ping_is_answered_to_clients_and_to_servers(home: Home, user_folder: Path, record: Record) -> None:
    commands = user_folder / "control"
    entry = raw_server(era="handshake", record=str(record.path), control=str(commands))
    with running(home, {"raw": entry}) as proxy:
        client = handshake_client(proxy)
        assert client.request("ping").result == {}
        control(commands, "ping")
        assert json.loads(record.wait_for("reply")[0]["raw"])["result"] == {}
        call = live_call(client, "raw_ask", {"method": "ping", "params": {}})  # in mid-call: ours to answer too
        assert json.loads(said(call.result()))["result"] == {}
        assert not call.of("ping")


@pytest.mark.parametrize("capability", [{}, {"form": {}}], ids=["empty", "form"])
def test_client_with_form_elicitation_only_is_not_sent_to_a_page(proxy: Running, capability: Any) -> None:
    client = handshake_client(proxy, elicitation=capability)
    answer = client.call("raw_ask", {"method": "elicitation/create", "params": LINK})
    assert len(answer.messages) == 1
    assert "cannot answer" in json.dumps(answer.last)
    call = live_call(client, "raw_ask", {"method": "elicitation/create", "params": FORM})
    reply(client, call.wait("elicitation/create")[0], {"action": "decline"})
    assert "decline" in said(call.result())


def test_client_without_form_elicitation_is_not_sent_one(proxy: Running) -> None:
    client = handshake_client(proxy, elicitation={"url": {}})
    answer = client.call("raw_ask", {"method": "elicitation/create", "params": FORM})
    assert "cannot answer" in json.dumps(answer.last)
    call = live_call(client, "raw_ask", {"method": "elicitation/create", "params": LINK})
    question = call.wait("elicitation/create")[0]
    assert question["params"] == LINK
    reply(client, question, {"action": "accept"})
    assert "accept" in said(call.result())


@pytest.mark.parametrize("capability", [{}, {"tools": {}}], ids=["none", "tools"])
def test_a_model_is_asked_to_use_tools_where_the_client_can(proxy: Running, capability: Any) -> None:
    client = handshake_client(proxy, sampling=capability)
    call = live_call(client, "raw_ask", {"method": "sampling/createMessage", "params": WITH_TOOLS})
    if not capability:
        assert "cannot answer" in json.dumps(call.answer())
        return
    question = call.wait("sampling/createMessage")[0]
    assert question["params"] == WITH_TOOLS
    reply(client, question, {"role": "assistant", "content": [], "model": "m"})
    assert '"model"' in said(call.result())


def test_a_modern_client_of_a_handshake_server_is_asked_by_what_it_can(home: Home) -> None:
    with running(home, {"raw": raw_server(era="handshake")}) as proxy:
        forms, pages = modern_client(proxy, elicitation={}), modern_client(proxy, elicitation={"url": {}})
        link = {"method": "elicitation/create", "params": LINK}
        assert json.loads(said(forms.call("raw_ask", link).result))["error"]["code"] == -32602
        assert list(pages.call("raw_ask", link).result["inputRequests"].values()) == [link]


def test_that_a_page_is_done_with_is_told(home: Home, user_folder: Path) -> None:
    commands = user_folder / "control"
    with running(home, {"raw": raw_server(era="handshake", control=str(commands))}) as proxy:
        client = handshake_client(proxy, elicitation={"url": {}})
        stream = live_stream(client)
        params = {"elicitationId": "e-1"}
        control(commands, "notify " + json.dumps({"jsonrpc": "2.0", "method": COMPLETE, "params": params}))
        assert stream.wait(COMPLETE)[0]["params"] == params
        stream.close()


@pytest.mark.parametrize("demanded_by", ["request", "error"])
def test_completion_of_a_page_reaches_the_client_that_was_sent_there(
    home: Home, user_folder: Path, demanded_by: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Issue 15 item 9: seen red, all clients of the server were notified. Once that client is gone, none is."""
    commands = user_folder / "control"
    caplog.set_level("INFO", "toolnote_desktop.proxy.endpoint.relay")
    with running(home, {"raw": raw_server(era="handshake", control=str(commands))}) as proxy:
        first, second = (handshake_client(proxy, elicitation={"url": {}}) for _ in range(2))
        streams = [live_stream(client) for client in (first, second)]
        if demanded_by == "request":
            call = live_call(first, "raw_ask", {"method": "elicitation/create", "params": LINK})
            reply(first, call.wait("elicitation/create")[0], {"action": "accept"})
            call.result()
        else:
            data = {"elicitations": [LINK]}
            error = first.call("raw_error", {"code": -32042, "message": "sign in", "data": data}).last["error"]
            assert error["data"] == data

        def complete(number: int) -> None:
            params = {"elicitationId": "e-1", "number": number}
            control(commands, "notify " + json.dumps({"jsonrpc": "2.0", "method": COMPLETE, "params": params}))

        complete(1)
        assert streams[0].wait(COMPLETE)[0]["params"]["number"] == 1
        assert first.send("DELETE").status == 200
        complete(2)
        wait_until(lambda: "was dropped" in caplog.text)
        assert not streams[1].of(COMPLETE)
        for stream in streams:
            stream.close()


def test_prompts_of_one_name_can_each_be_had(home: Home) -> None:
    servers = {
        name: raw_server(prompts=[{"name": "greet", "title": name}], toolnote={"toolset": TOOLSET, "prefix": ""})
        for name in ("a", "b")
    }
    with running(home, servers) as proxy:
        old, modern = handshake_client(proxy), modern_client(proxy)
        prompts = old.request("prompts/list").result["prompts"]
        names = {prompt["title"]: prompt["name"] for prompt in prompts if prompt.get("title") in servers}
        assert len(set(names.values())) == 2
        assert all(name.startswith("greet_") for name in names.values())
        for client in (old, modern):
            for title, name in names.items():
                got = client.request("prompts/get", {"name": name, "arguments": {"who": title}}).result
                assert json.loads(got["messages"][0]["content"]["text"]) == {"who": title}


def test_a_call_to_a_server_that_is_coming_back_waits_for_it(home: Home, record: Record) -> None:
    with running(home, {"raw": raw_server(record=str(record.path))}) as proxy:
        old, modern = handshake_client(proxy), modern_client(proxy)
        for client in (old, modern):
            assert client.call("raw_crash").result["isError"]
            assert json.loads(said(client.call("raw_echo", {"n": 1}).result))["arguments"] == {"n": 1}
        assert len(record.received("initialize")) == 3


def test_a_call_to_a_server_that_fails_says_so(home: Home, user_folder: Path) -> None:
    broken = user_folder / "broken"
    entry = {
        "command": sys.executable,
        "args": ["-c", UNLESS_BROKEN, str(broken), str(RAW_SERVER)],
        "toolnote": {"toolset": TOOLSET},
    }
    with running(home, {"raw": entry}) as proxy:
        clients: tuple[RawClient | ModernClient, ...] = (handshake_client(proxy), modern_client(proxy))
        broken.touch()
        assert clients[0].call("raw_crash").result["isError"]
        for client in clients:
            result = client.call("raw_echo").result
            assert result["isError"]
            assert '"raw"' in said(result)
            assert f"({ServerState.FAILED})" in said(result)
