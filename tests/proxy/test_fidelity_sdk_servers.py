"""Servers on pipes that settle for one era with their first message, as those of the SDK do (CASES C25, C63)."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.proxy.live import ModernClient, live_call, reply
from tests.proxy.running import TOOLSET, Running, restarted, running
from toolnote_desktop.model.servers import ServerState
from toolnote_desktop.paths import Home

ASKING = Path(__file__).parent.parent / "servers" / "asking_server.py"
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


def text(result: Any) -> str:
    assert result.get("isError") in (None, False), result
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


@pytest.mark.parametrize(("tool", "method", "answer", "said"), ASKED, ids=lambda value: str(value)[:24])
def test_what_a_tool_asks_reaches_a_client_of_either_era(
    proxy: Running, tool: str, method: str, answer: Any, said: str
) -> None:
    old = proxy.client()
    old.initialize(capabilities=WHAT_CLIENTS_CAN)
    call = live_call(old, f"sdk_{tool}")
    question = call.wait(method)[0]
    check_question(tool, question.get("params"))
    reply(old, question, answer)
    assert said in text(call.result())

    modern = ModernClient(proxy.endpoint.url, proxy.endpoint.token, WHAT_CLIENTS_CAN)
    asked = modern.call(f"sdk_{tool}").result
    assert asked["resultType"] == "input_required"
    ((key, request),) = asked["inputRequests"].items()
    assert request["method"] == method
    check_question(tool, request.get("params"))
    back = {"inputResponses": {key: answer}, "requestState": asked["requestState"]}
    assert said in text(modern.call(f"sdk_{tool}", **back).result)


def test_it_is_started_once_whatever_clients_come(home: Home, starts: Path) -> None:
    with running(home, {"sdk": asking(starts)}) as proxy:
        assert version(proxy) == "2025-11-25"
        modern = ModernClient(proxy.endpoint.url, proxy.endpoint.token, WHAT_CLIENTS_CAN)
        modern.listen(toolsListChanged=True).close()
        assert modern.call("sdk_ask_roots").result["resultType"] == "input_required"
        old = proxy.client()
        old.initialize()
        assert old.call("sdk_ask_roots").last["error"]["message"] == "roots/list: this client cannot answer it"
        bridge = proxy.bridge("one more")
        bridge.initialize()
        assert any(tool["name"] == "sdk_ask_name" for tool in bridge.request("tools/list").result["tools"])
        assert version(proxy) == "2025-11-25"
        assert len(starts.read_text(encoding="utf-8").splitlines()) == 1
    with restarted(home) as proxy:
        proxy.wait_ready("sdk")
        assert version(proxy) == "2025-11-25"
    assert len(starts.read_text(encoding="utf-8").splitlines()) == 2


@pytest.mark.parametrize(("era", "spoken"), [("modern", "2026-07-28"), ("handshake", "2025-11-25")])
def test_an_entry_may_decide_for_an_era(home: Home, starts: Path, era: str, spoken: str) -> None:
    with running(home, {"sdk": asking(starts, era=era)}) as proxy:
        assert version(proxy) == spoken
        assert len(starts.read_text(encoding="utf-8").splitlines()) == 1


def test_a_client_of_its_own_server_is_asked_too(home: Home, starts: Path) -> None:
    """``perClient``: the shared process, which lists, and one for each of the two clients, in the handshake era too."""
    with running(home, {"sdk": asking(starts, perClient=True)}) as proxy:
        old = proxy.bridge("old")
        old.initialize(capabilities=WHAT_CLIENTS_CAN)
        call = live_call(old, "sdk_ask_roots")
        reply(old, call.wait("roots/list")[0], ROOTS)
        assert json.loads(text(call.result())) == ["file:///mine"]
        modern = ModernClient(
            proxy.endpoint.url, proxy.endpoint.bridge_secret, WHAT_CLIENTS_CAN, **{"Toolnote-Client": "modern"}
        )
        assert modern.call("sdk_ask_roots").result["resultType"] == "input_required"
        assert len(starts.read_text(encoding="utf-8").splitlines()) == 3
