"""``"toolnote": {"perClient": true}``: a separate connection for each client (docs/contract.md 5)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.proxy.live import live_call, live_stream, reply
from tests.proxy.raw_client import RawClient
from tests.proxy.running import TOOLSET, Running, raw_server, running
from tests.servers.launch import Record
from toolnote_desktop.model.edits import SERVER_ENTRIES, SERVERS, SetEntryFields
from toolnote_desktop.paths import Home

ROOTS = {"roots": [{"uri": "file:///mine"}]}
OPTIONS = {"toolset": TOOLSET, "perClient": True}


@pytest.fixture
def record(user_folder: Path) -> Record:
    return Record(user_folder / "record.jsonl")


@pytest.fixture
def proxy(home: Home, record: Record) -> Iterator[Running]:
    with running(home, {"raw": raw_server(era="handshake", record=str(record.path), toolnote=OPTIONS)}) as proxy:
        yield proxy


def client_named(proxy: Running, name: str, **capabilities: Any) -> RawClient:
    client = proxy.bridge(name)
    client.initialize(capabilities=capabilities)
    return client


def pid_of(client: RawClient) -> int:
    """The process that a client's calls reach."""
    return int(json.loads(client.call("raw_process").result["content"][0]["text"])["pid"])


def test_per_client_servers_are_separate(proxy: Running) -> None:
    one, other = client_named(proxy, "one"), client_named(proxy, "other")
    counts = [client.call("raw_counter").result["content"][0]["text"] for client in (one, one, other)]
    assert counts == ["1", "2", "1"]
    assert pid_of(one) != pid_of(other)
    assert pid_of(client_named(proxy, "one")) == pid_of(one)


def test_a_question_amid_two_clients_calls_finds_its_client(proxy: Running, record: Record) -> None:
    one, other = client_named(proxy, "one", roots={}), client_named(proxy, "other", roots={})
    hanging = live_call(one, "raw_hang")
    record.wait_for("call")
    asking = live_call(other, "raw_ask")
    reply(other, asking.wait("roots/list")[0], ROOTS)
    assert "file:///mine" in json.dumps(asking.result())
    assert not hanging.messages
    hanging.close()


def test_the_server_is_told_what_this_client_can_do(proxy: Running, record: Record) -> None:
    client_named(proxy, "one", elicitation={"form": {}}).call("raw_echo")
    offered = [message["params"]["capabilities"] for message in record.received("initialize")]
    assert offered[-1] == {"elicitation": {"form": {}}}


def test_a_question_outside_a_call_finds_its_client(home: Home, record: Record) -> None:
    """As servers of files do: told that the roots have changed, they ask for them."""
    entry = raw_server(era="handshake", record=str(record.path), toolnote=OPTIONS)
    with running(home, {"raw": entry}) as proxy:
        client = client_named(proxy, "one", roots={"listChanged": True})
        client.call("raw_echo")
        assert client.post({"jsonrpc": "2.0", "method": "notifications/roots/list_changed"}).status == 202
        stream = live_stream(client)
        while not record.received("notifications/roots/list_changed"):
            record.wait_for("in", count=len(record.events("in")) + 1)
        stream.close()


def test_a_servers_question_comes_on_the_stream_of_its_only_session(home: Home, user_folder: Path) -> None:
    record, commands = Record(user_folder / "record.jsonl"), user_folder / "control"
    entry = raw_server(era="handshake", record=str(record.path), control=str(commands), toolnote=OPTIONS)
    with running(home, {"raw": entry}) as proxy:
        client = client_named(proxy, "one", roots={})
        client.call("raw_echo")
        stream = live_stream(client)
        commands.write_text('ask {"method": "roots/list"}\n')  # the shared connection's server asks as well
        reply(client, stream.wait("roots/list")[0], ROOTS)
        answers = [json.loads(entry["raw"]) for entry in record.wait_for("reply", count=2)]
        assert sorted("result" in answer for answer in answers) == [False, True]
        stream.close()


def test_its_server_ends_when_the_client_goes(proxy: Running, record: Record) -> None:
    client = client_named(proxy, "one")
    before = pid_of(client)
    assert client.send("DELETE").status == 200
    record.wait_for("eof")
    assert pid_of(client_named(proxy, "one")) != before


def test_its_server_ends_when_the_option_is_taken_away(proxy: Running, record: Record) -> None:
    client = client_named(proxy, "one")
    before = pid_of(client)
    proxy.library.submit(SetEntryFields(SERVERS, SERVER_ENTRIES, "raw", {"toolnote": {"toolset": TOOLSET}}))
    record.wait_for("eof")
    assert pid_of(client) != before
