"""Servers on pipes that settle for one era with their first message, as those of the SDK do (case C25, C63).

Clients of either era are served as they would be without us, by at most one process where one is enough.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.proxy.live import Live, ModernClient, live_call, live_stream, reply
from tests.proxy.raw_client import RawClient
from tests.proxy.running import TOOLSET, Running, raw_server, restarted, running
from tests.servers.launch import Record
from tests.waiting import is_gone
from toolnote_desktop.model.edits import SERVER_ENTRIES, SERVERS, RemoveEntry, SetEntryFields
from toolnote_desktop.model.servers import ServerState
from toolnote_desktop.paths import Home
from toolnote_desktop.store.library import Change

HANDSHAKE, MODERN = "2025-11-25", "2026-07-28"
CONFORMANCE = Path(__file__).parents[2] / "servers" / "conformance_server.py"
UPDATING = Path(__file__).parents[2] / "servers" / "updating_server.py"
UPDATED = "notifications/resources/updated"
ASKING = Path(__file__).parents[2] / "servers" / "asking_server.py"
ROOTS = {"roots": [{"uri": "file:///mine"}]}
SAMPLED = {"role": "assistant", "content": {"type": "text", "text": "Hi."}, "model": "m"}
WHAT_CLIENTS_CAN: dict[str, Any] = {"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {}}

ASKED = [
    ("ask_name", "elicitation/create", {"action": "accept", "content": {"name": "Ada"}}, "accept Ada"),
    ("ask_name", "elicitation/create", {"action": "decline"}, "decline"),
    ("ask_url", "elicitation/create", {"action": "accept"}, "accept"),
    ("ask_model", "sampling/createMessage", SAMPLED, "Hi."),
    ("ask_roots", "roots/list", ROOTS, "file:///mine"),
]


@pytest.fixture
def starts(user_folder: Path) -> Path:
    return user_folder / "starts"


def asking(starts: Path, **options: Any) -> dict[str, Any]:
    """An entry of ``servers.json``."""
    return {"command": sys.executable, "args": [str(ASKING), str(starts)], "toolnote": {"toolset": TOOLSET, **options}}


@pytest.fixture
def proxy(home: Home, starts: Path) -> Iterator[Running]:
    with running(home, {"sdk": asking(starts)}) as proxy:
        yield proxy


def version(proxy: Running) -> str | None:
    status = proxy.library.snapshot.catalogue.servers["sdk"].status
    assert status.state is ServerState.READY
    return status.protocol_version


def text(result: Any, *, error: bool = False) -> str:
    assert result.get("isError", False) is error, result
    return str(result["content"][0]["text"])


def check_question(tool: str, params: Any) -> None:
    if tool == "ask_url":
        assert params == {
            "mode": "url",
            "message": "Please sign in",
            "url": "https://sign.in/here",
            "elicitationId": "sign-in-1",
        }
    elif tool == "ask_name":
        assert params["requestedSchema"]["properties"]["name"]["type"] == "string"
    elif tool == "ask_model":
        assert params["maxTokens"] == 7


def old_client(proxy: Running, name: str = "old") -> RawClient:
    """A client of the handshake era."""
    client = proxy.bridge(name)
    client.initialize(capabilities=WHAT_CLIENTS_CAN)
    return client


def modern_client(proxy: Running, name: str = "modern") -> ModernClient:
    """A client of the modern era."""
    secret = proxy.endpoint.bridge_secret
    return ModernClient(proxy.endpoint.url, secret, WHAT_CLIENTS_CAN, **{"Toolnote-Client": name})


def who(client: RawClient | ModernClient) -> int:
    """The process that answers this client."""
    return int(text(client.call("sdk_who").result))


def started(starts: Path) -> list[int]:
    """The processes that were started so far."""
    return [one["pid"] for one in notes(starts)]


def notes(starts: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in starts.read_text(encoding="utf-8").splitlines()]


def alone(starts: Path) -> bool:
    """Whether never two were there at once."""
    return not any(one["beside"] for one in notes(starts))


@contextmanager
def told(proxy: Running) -> Iterator[list[ServerState]]:
    """The states that the server is shown in meanwhile, in order."""
    states: list[ServerState] = []

    def look(change: Change) -> None:
        state = change.snapshot.catalogue.servers["sdk"].status.state
        if states[-1:] != [state]:
            states.append(state)

    unsubscribe = proxy.library.subscribe(look)
    try:
        yield states
    finally:
        unsubscribe()


@pytest.mark.parametrize(("tool", "method", "answer", "said"), ASKED, ids=lambda value: str(value)[:24])
def test_elicitation_during_a_call_reaches_its_client(
    proxy: Running, tool: str, method: str, answer: Any, said: str
) -> None:
    """In the modern era such a tool cannot ask: its client hears what it would without us."""
    old = old_client(proxy)
    call = live_call(old, f"sdk_{tool}")
    question = call.wait(method)[0]
    check_question(tool, question.get("params"))
    reply(old, question, answer)
    assert said in text(call.result())
    refused = modern_client(proxy).call(f"sdk_{tool}").last
    assert "no back-channel" in json.dumps(refused)


@pytest.mark.parametrize(("tool", "method", "answer", "said"), ASKED, ids=lambda value: str(value)[:24])
def test_an_entry_may_keep_a_server_in_the_era_in_which_its_tools_can_ask_everybody(
    home: Home, starts: Path, tool: str, method: str, answer: Any, said: str
) -> None:
    with running(home, {"sdk": asking(starts, era="handshake")}) as proxy:
        modern = modern_client(proxy)
        asked = modern.call(f"sdk_{tool}").result
        assert asked["resultType"] == "input_required"
        ((key, request),) = asked["inputRequests"].items()
        assert request["method"] == method
        check_question(tool, request.get("params"))
        back = {"inputResponses": {key: answer}, "requestState": asked["requestState"]}
        assert said in text(modern.call(f"sdk_{tool}", **back).result)
        assert version(proxy) == HANDSHAKE
    assert len(started(starts)) == 1


def test_with_clients_of_the_handshake_era_it_is_started_once(home: Home, starts: Path) -> None:
    with running(home, {"sdk": asking(starts)}) as proxy:
        modern = modern_client(proxy)
        modern.listen(toolsListChanged=True).close()
        assert "sdk_who" in [tool["name"] for tool in modern.request("tools/list").result["tools"]]
        assert {who(old_client(proxy)), who(old_client(proxy, "another"))} == set(started(starts))
        assert version(proxy) == HANDSHAKE
        assert "error" in modern.call("sdk_not_there").last  # a name that nobody has is no use of a server
    with restarted(home) as proxy:
        proxy.wait_ready("sdk")
        assert version(proxy) == HANDSHAKE
    assert len(started(starts)) == 2
    assert alone(starts)


def test_with_clients_of_the_modern_era_the_one_process_is_started_again_in_it(home: Home, starts: Path) -> None:
    with running(home, {"sdk": asking(starts)}) as proxy:
        old_client(proxy).request("tools/list")
        assert version(proxy) == HANDSHAKE
        modern = modern_client(proxy)
        calls = [modern.live_call("sdk_who") for _ in range(3)]
        pids = {int(text(call.result())) for call in calls}
        assert pids == {started(starts)[1]}
        assert version(proxy) == MODERN
        assert who(modern_client(proxy, "another")) == started(starts)[1]
        assert len(started(starts)) == 2
    with restarted(home) as proxy:
        proxy.wait_ready("sdk")
        assert version(proxy) == MODERN  # straight away
        assert who(modern_client(proxy)) == started(starts)[2]
    assert len(started(starts)) == 3
    assert alone(starts)


def test_a_process_of_the_modern_era_that_only_listed_is_started_again_for_a_client_of_the_other(
    home: Home, starts: Path
) -> None:
    with running(home, {"sdk": asking(starts)}) as proxy:
        who(modern_client(proxy))
    with restarted(home) as proxy:
        proxy.wait_ready("sdk")
        assert version(proxy) == MODERN
        modern_client(proxy).request("tools/list")
        assert who(old_client(proxy)) == started(starts)[3]
        assert version(proxy) == HANDSHAKE
    assert len(started(starts)) == 4
    assert alone(starts)


@pytest.mark.parametrize("first", ["old", "modern"])
def test_with_clients_of_both_there_are_two_processes(home: Home, starts: Path, first: str) -> None:
    with running(home, {"sdk": asking(starts)}) as proxy:
        old, modern = old_client(proxy), modern_client(proxy)
        clients: list[RawClient | ModernClient] = [old, modern] if first == "old" else [modern, old]
        pids = [who(client) for client in clients]
        assert pids[0] != pids[1]
        assert [who(client) for client in clients] == pids
        assert version(proxy) == (HANDSHAKE if first == "old" else MODERN)
        assert len(started(starts)) == (2 if first == "old" else 3)
        assert notes(starts)[-1]["beside"] == pids[:1]
        records = [json.loads(path.read_text(encoding="utf-8")) for path in home.children.iterdir()]
        on_record = {child["pid"] for record in records for child in record["children"]}
        assert on_record == set(pids)
    assert not any(psutil.pid_exists(pid) for pid in started(starts))
    with restarted(home) as proxy:
        proxy.wait_ready("sdk")
        assert version(proxy) == (MODERN if first == "old" else HANDSHAKE)  # the one that was used last


@pytest.mark.parametrize("both", [False, True])
def test_a_crash_in_a_call_of_a_modern_client(home: Home, starts: Path, both: bool) -> None:
    with running(home, {"sdk": asking(starts)}) as proxy:
        old, modern = old_client(proxy), modern_client(proxy)
        of_old = who(old) if both else None
        of_modern = who(modern)
        with told(proxy) as states:
            answer = modern.call("sdk_crash").result
            assert answer["isError"] is True
            assert "sdk" in answer["content"][0]["text"]
            again = who(modern)
            proxy.wait_ready("sdk")
            assert states[:1] == [ServerState.RECONNECTING]
            assert states[-1:] == [ServerState.READY]
        assert again not in (of_modern, of_old)
        if both:
            assert who(old) == of_old
        assert max(len(one["beside"]) for one in notes(starts)) == (1 if both else 0)
        assert len(started(starts)) == 3
    assert not any(psutil.pid_exists(pid) for pid in started(starts))


def test_a_second_process_that_is_killed_is_seen_while_nobody_calls(proxy: Running) -> None:
    old, modern = old_client(proxy), modern_client(proxy)
    of_old, of_modern = who(old), who(modern)
    with told(proxy) as states:
        psutil.Process(of_modern).kill()
        proxy.wait(lambda _: ServerState.RECONNECTING in states)
        proxy.wait_ready("sdk")
    assert who(modern) not in (of_old, of_modern)
    assert who(old) == of_old


def test_first_process_answers_if_a_second_cannot_be_started(home: Home, starts: Path) -> None:
    with running(home, {"sdk": asking(starts)}) as proxy:
        pid = who(old_client(proxy))
        full = starts.with_name(f"{starts.name}.full")
        full.touch()
        modern = modern_client(proxy)
        assert who(modern) == pid
        assert modern.call("sdk_ask_roots").result["resultType"] == "input_required"  # bridged
        status = proxy.wait(lambda s: bool(s.catalogue.servers["sdk"].status.problems)).catalogue.servers["sdk"].status
        assert status.state is ServerState.READY
        full.unlink()
        proxy.thread.restart_server("sdk")
        proxy.wait_ready("sdk")


@pytest.mark.parametrize("used", [False, True])
def test_server_that_only_claims_the_other_era_is_tried_once(home: Home, user_folder: Path, used: bool) -> None:
    """Its one process, or a second one where the first is in use: both turn out to be of the handshake era."""
    record = Record(user_folder / "record")
    refusal = {"code": -32600, "message": f"this connection serves the handshake era; {MODERN} is not accepted on it"}
    scenario = {"era": "handshake", "on": {"server/discover": {"error": refusal}}, "record": str(record.path)}
    with running(home, {"sdk": raw_server(**scenario)}) as proxy:
        if used:
            assert text(old_client(proxy).call("sdk_fail", {"text": "fine"}).result, error=True) == "fine"
        modern = modern_client(proxy)
        for _ in range(2):
            assert text(modern.call("sdk_fail", {"text": "fine"}).result, error=True) == "fine"
        proxy.wait_ready("sdk")
        assert version(proxy) == HANDSHAKE
    assert len(record.received("initialize")) == 2


def test_the_second_process_ends_when_nobody_has_used_it_for_long(
    home: Home, starts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toolnote_desktop.proxy.upstream.health_checks.CHECK_INTERVAL", 0.05)
    monkeypatch.setattr("toolnote_desktop.proxy.upstream.health_checks.IDLE_PROCESS", 0.5)
    with running(home, {"sdk": asking(starts)}) as proxy:
        old, modern = old_client(proxy), modern_client(proxy)
        of_old, of_modern = who(old), who(modern)
        call = live_call(old, "sdk_ask_roots")
        question = call.wait("roots/list")[0]
        assert is_gone(of_modern)
        reply(old, question, ROOTS)
        call.result()
        assert who(old) == of_old  # the first is there for good
        assert who(modern) == started(starts)[2]


@pytest.mark.parametrize("how", ["removed", "disabled"])
def test_both_processes_end_with_the_server(home: Home, starts: Path, how: str) -> None:
    with running(home, {"sdk": asking(starts)}) as proxy:
        pids = [who(old_client(proxy)), who(modern_client(proxy))]
        if how == "removed":
            proxy.library.submit(RemoveEntry(SERVERS, SERVER_ENTRIES, "sdk"))
        else:
            proxy.library.submit(SetEntryFields(SERVERS, SERVER_ENTRIES, "sdk", {"disabled": True}))
        assert all(is_gone(pid) for pid in pids)


def test_list_change_by_a_call_in_one_process_reaches_clients_of_the_other(home: Home) -> None:
    entry = {"command": sys.executable, "args": [str(CONFORMANCE)], "toolnote": {"toolset": TOOLSET}}
    with running(home, {"sdk": entry}) as proxy:
        old, modern = old_client(proxy), modern_client(proxy)
        assert "result" in old.call("sdk_test_simple_text").last
        stream = live_stream(old)
        assert "result" in modern.call("sdk_test_trigger_tool_change").last
        stream.wait("notifications/tools/list_changed")
        stream.close()
        assert any(tool["name"].startswith("sdk_test_changed_") for tool in old.request("tools/list").result["tools"])


@pytest.fixture
def updating(home: Home) -> Iterator[Running]:
    entry = {"command": sys.executable, "args": [str(UPDATING)], "toolnote": {"toolset": TOOLSET}}
    with running(home, {"sdk": entry}) as proxy:
        yield proxy


@pytest.mark.parametrize("first", ["old", "modern"])
def test_clients_hear_of_changed_resources_from_the_process_of_their_era(updating: Running, first: str) -> None:
    old, modern = old_client(updating), modern_client(updating)

    def subscribe() -> Live:
        stream = live_stream(old)
        asked = {"jsonrpc": "2.0", "id": 99, "method": "resources/subscribe", "params": {"uri": "test://one"}}
        assert old.post(asked).result == {}
        return stream

    def listen() -> Live:
        return modern.listen(resourceSubscriptions=["test://one"])

    if first == "old":
        of_old, of_modern = subscribe(), listen()
    else:
        of_modern, of_old = listen(), subscribe()
    for touched, heard in ((old, of_old), (modern, of_modern), (old, of_old), (modern, of_modern)):
        before = len(heard.of(UPDATED))
        assert "result" in touched.call("sdk_touch").last
        heard.wait(UPDATED, before + 1)
    assert (len(of_old.of(UPDATED)), len(of_modern.of(UPDATED))) == (2, 2)
    of_old.close()
    of_modern.close()


@pytest.mark.parametrize("used", [False, True])
def test_a_process_of_the_handshake_era_hears_of_the_log_level_before_its_first_call(
    updating: Running, used: bool
) -> None:
    """The process was of the modern era, which knows no such request, when the client asked."""
    modern = modern_client(updating)
    assert text(modern.call("sdk_level").result) == "none"
    if not used:
        updating.thread.restart_server("sdk")
        updating.wait(lambda s: s.catalogue.servers["sdk"].status.state is not ServerState.READY)
        updating.wait_ready("sdk")
    assert version(updating) == MODERN
    old = old_client(updating)
    assert old.request("logging/setLevel", {"level": "error"}).result == {}
    assert text(old.call("sdk_level").result) == "error"
    assert version(updating) == (MODERN if used else HANDSHAKE)


@pytest.mark.parametrize(("era", "spoken"), [("modern", MODERN), ("handshake", HANDSHAKE)])
def test_an_entry_may_decide_for_an_era(home: Home, starts: Path, era: str, spoken: str) -> None:
    with running(home, {"sdk": asking(starts, era=era)}) as proxy:
        assert version(proxy) == spoken
        assert who(old_client(proxy)) == who(modern_client(proxy)) == started(starts)[0]
        assert len(started(starts)) == 1


def test_per_client_servers_speak_the_clients_era(home: Home, starts: Path) -> None:
    """``perClient``: the shared process, which lists, and one for each of the two clients."""
    with running(home, {"sdk": asking(starts, perClient=True)}) as proxy:
        old = old_client(proxy)
        call = live_call(old, "sdk_ask_roots")
        reply(old, call.wait("roots/list")[0], ROOTS)
        assert json.loads(text(call.result())) == ["file:///mine"]
        assert "no back-channel" in json.dumps(modern_client(proxy).call("sdk_ask_roots").last)
        assert len(started(starts)) == 3
