"""A call to a server that is starting waits for it; a call to one that cannot start is answered at once.

(docs/contract.md 5.) Here no server was ever seen before: what a toolset names is known from its file alone.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.proxy.live import ModernClient, live_call
from tests.proxy.running import Running, raw_server, running
from tests.servers.launch import RAW_SERVER
from toolnote_desktop.guidance import offline_tools
from toolnote_desktop.guidance.offline_tools import Unseen
from toolnote_desktop.model.edits import SERVER_ENTRIES, SERVERS, SETTINGS, SetEntryFields, SetFields
from toolnote_desktop.model.servers import ServerState
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.routing import requests

GATE = """import os, runpy, sys, time
while not os.path.exists(sys.argv[1]): time.sleep(0.01)
sys.argv = sys.argv[2:]
runpy.run_path(sys.argv[0], run_name="__main__")"""


def gated(gate: Path, **scenario: Any) -> dict[str, Any]:
    """The raw server, which starts when the file ``gate`` is there."""
    arguments = ["-c", GATE, str(gate), str(RAW_SERVER), json.dumps(scenario)]
    return {"type": "stdio", "command": sys.executable, "args": arguments}


def toolset(*tools: dict[str, Any]) -> dict[str, Any]:
    return {"tools": list(tools)}


ECHO = toolset({"namespacedName": "slow.echo"})


def text_of(result: Any) -> str:
    assert result["isError"] is True
    return str(result["content"][0]["text"])


def client_of(proxy: Running) -> Any:
    client = proxy.client()
    client.initialize()
    return client


def test_an_assistant_is_not_told_the_folders_of_this_computer(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen red: it was told the whole PATH in which the program of a server was not found."""
    folders = ["/usr/bin", "/home/somebody/.private/bin"]
    monkeypatch.setenv("PATH", os.pathsep.join(folders))
    servers = {"slow": {"command": "no-such-program-anywhere"}, "other": {"command": "/no/such/program"}}
    content = toolset({"namespacedName": "slow.echo"}, {"namespacedName": "other.echo"})
    with running(home, servers, toolset=content, ready=False) as proxy:
        client = client_of(proxy)
        told = text_of(client.call("slow_echo", {}).result)
        assert "no-such-program-anywhere was not found on this computer; looked in " in told
        assert not any(folder in told for folder in folders)
        assert "/no/such/program was not found on this computer." in text_of(client.call("other_echo", {}).result)


@pytest.mark.parametrize(
    ("entry", "name"),
    [
        ({"namespacedName": "slow.echo"}, "slow_echo"),
        ({"namespacedName": "slow.echo", "alias": "say"}, "say"),
        ({"namespacedName": "slow.echo", "server": "slow"}, "slow_echo"),
        ({"refId": "REF"}, "slow_echo"),
    ],
)
def test_a_call_waits_for_a_server_that_was_never_seen(
    home: Home, user_folder: Path, entry: dict[str, Any], name: str
) -> None:
    if by_hash := "refId" in entry:
        with running(Home(home.root / "before"), {"slow": raw_server()}) as known:
            entry = {"refId": known.library.snapshot.catalogue.tools[("slow", "echo")].tool.ref_id}
    gate = user_folder / "gate"
    with running(home, {"slow": gated(gate)}, toolset=toolset(entry), ready=False) as proxy:
        client = client_of(proxy)
        call = live_call(client, name, {"a": 1})
        modern = ModernClient(proxy.endpoint.url, proxy.endpoint.token).live_call(name, {"a": 2})
        if not by_hash:  # else it may be that tool's name
            assert client.call("slow_nothing").last["error"]["message"] == "Unknown tool: slow_nothing"
        assert not call.messages
        gate.touch()
        assert json.loads(call.result()["content"][0]["text"])["arguments"] == {"a": 1}
        assert json.loads(modern.result()["content"][0]["text"])["arguments"] == {"a": 2}


def test_call_tool_waits_as_well(home: Home, user_folder: Path) -> None:
    gate = user_folder / "gate"
    with running(home, {"slow": gated(gate)}, toolset=ECHO, ready=False) as proxy:
        proxy.library.submit(SetFields(SETTINGS, {"lazyMode": True}))
        client = client_of(proxy)
        call = live_call(client, "call-tool", {"name": "slow_echo", "arguments": {"a": 1}})
        nothing = client.call("call-tool", {"name": "slow_nothing"}).result["structuredContent"]
        assert nothing["error_type"] == "tool_not_found"
        assert not call.messages
        gate.touch()
        assert json.loads(call.result()["content"][0]["text"])["arguments"] == {"a": 1}


def test_a_server_that_turns_out_not_to_have_the_tool(home: Home, user_folder: Path) -> None:
    gate = user_folder / "gate"
    with running(home, {"slow": gated(gate, tools=[])}, toolset=ECHO, ready=False) as proxy:
        call = live_call(client_of(proxy), "slow_echo")
        gate.touch()
        assert call.answer()["error"] == {"code": -32602, "message": "Unknown tool: slow_echo"}


@pytest.mark.parametrize(
    ("entry", "state", "words"),
    [
        ({"command": "toolnote-no-such-program"}, ServerState.NEEDS_PROGRAM, "not installed"),
        ({"command": sys.executable, "env": {"KEY": "${TOOLNOTE_NOT_SET}"}}, ServerState.NEEDS_VALUE, "the value"),
        ({"command": sys.executable, "disabled": True}, ServerState.DISABLED, "switch it on"),
        ({"url": "not a url", "type": "http"}, ServerState.FAILED, "its log"),
    ],
)
def test_a_server_that_cannot_start_is_told_of_at_once(
    home: Home, entry: dict[str, Any], state: ServerState, words: str
) -> None:
    with running(home, {"slow": entry}, toolset=ECHO, ready=False) as proxy:
        proxy.wait(lambda snapshot: snapshot.catalogue.servers["slow"].status.state is state)
        told = [
            client_of(proxy).call("slow_echo").result,
            ModernClient(proxy.endpoint.url, proxy.endpoint.token).call("slow_echo").result,
        ]
    assert [result.get("resultType") for result in told] == [None, "complete"]
    for result in told:
        assert '"slow"' in text_of(result)
        assert f"({state})" in text_of(result)
        assert words in text_of(result)


def test_a_tool_of_a_server_that_was_switched_off(home: Home) -> None:
    with running(home, {"raw": raw_server()}) as proxy:
        client = client_of(proxy)
        proxy.library.submit(SetEntryFields(SERVERS, SERVER_ENTRIES, "raw", {"disabled": True}))
        proxy.wait(lambda snapshot: snapshot.catalogue.servers["raw"].status.state is ServerState.DISABLED)
        text = text_of(client.call("raw_echo").result)
    assert "(disabled)" in text
    assert '"raw"' in text


def test_wrong_names_are_compared_once_until_something_changes(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 5,000 tools it takes 10 ms, for each call of any name that is not there."""
    made: list[int] = []

    def unseen_tools(snapshot: Snapshot, *others: Any) -> Unseen:
        made.append(snapshot.revision)
        return offline_tools.unseen_tools(snapshot, *others)

    monkeypatch.setattr(requests, "unseen_tools", unseen_tools)
    with running(home, {"raw": raw_server()}, toolset=ECHO) as proxy:
        client = client_of(proxy)
        for is_on in (False, True):
            proxy.library.submit(SetFields(SETTINGS, {"lookForUpdates": is_on}))
            for number in range(10):
                assert client.call(f"nothing_{number}").last["error"]["message"] == f"Unknown tool: nothing_{number}"
    assert 2 <= len(made) < 20
    assert len(set(made)) == len(made)
