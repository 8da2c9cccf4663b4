"""Addresses that servers ask clients to open: only http and https pass, in both eras and in all forms."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.proxy.live import ModernClient, live_call, reply
from tests.proxy.running import Running, raw_server, running
from tests.timing import compare
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.elicitation_addresses import checked, refusal
from toolnote_desktop.proxy.routing.era_bridge import for_handshake
from toolnote_desktop.proxy.transports.base import Reply
from toolnote_desktop.proxy.transports.jsonrpc import MAX_VALUES, pick

GOOD = ["https://example.org/a?b=c#d", "http://127.0.0.1:8000/x", "HTTPS://example.org"]
BAD: list[str | None] = [
    "javascript:alert(1)",
    "JavaScript:alert(1)",
    "java\nscript:alert(1)",
    " javascript:alert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "vscode://run",
    "https:",
    "http://",
    "//example.org",
    "https://example.org/\u0000",
    "",
    None,
]
CAPABILITIES: dict[str, Any] = {"elicitation": {"form": {}, "url": {}}}


@pytest.fixture(scope="module")
def proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    tools = [{"name": name, "inputSchema": {"type": "object"}} for name in ("ask", "error", "raw_result", "raw_line")]
    entries = {era: raw_server(tools=tools, era=era, name=era) for era in ("handshake", "modern")}
    with running(Home(tmp_path_factory.mktemp("home")), entries) as proxy:
        proxy.wait(lambda s: len(s.toolsets["work"].tools) == 8)
        yield proxy


def asked(url: Any) -> dict[str, Any]:
    params = {"mode": "url", "message": "Open it", "elicitationId": "e-1", "url": url}
    return {"method": "elicitation/create", "params": params}


@pytest.mark.parametrize("server", ["handshake", "modern"])
def test_a_client_of_the_handshake_era(proxy: Running, server: str) -> None:
    """Seen red without ``refusal``: the client is sent each of these."""
    client = proxy.client()
    client.initialize(CAPABILITIES, version="2025-11-25")
    for url in GOOD:
        call = live_call(client, f"{server}_ask", asked(url))
        (question,) = call.wait("elicitation/create")
        assert question["params"] == asked(url)["params"]
        reply(client, question, {"action": "accept"})
        assert "accept" in call.result()["content"][0]["text"]
    for bad in BAD:
        answer = client.call(f"{server}_ask", asked(bad))
        assert len(answer.messages) == 1, "nothing but the end of the call"
        assert "not http or https" in answer.messages[0].decode()


@pytest.mark.parametrize("server", ["handshake", "modern"])
def test_a_client_of_the_modern_era(proxy: Running, server: str) -> None:
    """Seen red without ``checked``: the client gets an ``input_required`` result with each of these."""
    client = ModernClient(proxy.endpoint.url, proxy.endpoint.token, CAPABILITIES)
    for url in GOOD:
        result = client.call(f"{server}_ask", asked(url)).result
        assert [one["params"]["url"] for one in result["inputRequests"].values()] == [url]
    for bad in BAD:
        said = client.call(f"{server}_ask", asked(bad)).messages[-1].decode()
        assert "inputRequests" not in said
        assert "not http or https" in said


def test_errors_that_demand_it(proxy: Running) -> None:
    """Seen red without the check of errors on the path of plain calls (URLElicitationRequired, 2025-11-25)."""
    client = proxy.client()
    client.initialize(CAPABILITIES, version="2025-11-25")
    modern = ModernClient(proxy.endpoint.url, proxy.endpoint.token, CAPABILITIES)
    for url in (*GOOD, *BAD):
        data = {"elicitations": [asked("https://example.org")["params"], asked(url)["params"]]}
        given = {"code": -32042, "message": "Sign in", "data": data}
        for answer in (client.call("handshake_error", given), modern.call("modern_error", given)):
            error = answer.last["error"]
            assert error == given if url in GOOD else "not http or https" in error["message"]
            assert url in GOOD or "data" not in error


def test_escapes_hide_nothing(proxy: Running) -> None:
    """Seen red with a search for the plain keys alone."""
    client = proxy.client()
    client.initialize(CAPABILITIES, version="2025-11-25")
    hidden = json.dumps({"code": -32042, "message": "x", "data": {"elicitations": [asked("javascript:1")["params"]]}})
    hidden = hidden.replace('"elicitations"', '"elicit\\u0061tions"').replace('"url"', '"\\u0075rl"')
    line = '{"jsonrpc":"2.0","id":$ID,"error":' + hidden + "}"
    assert "not http or https" in client.call("handshake_raw_line", {"text": line}).last["error"]["message"]
    wire = {"resultType": "input_required", "inputRequests": {"a": asked("javascript:1")}}
    text = json.dumps(wire).replace('"inputRequests"', '"input\\u0052equests"')
    modern = ModernClient(proxy.endpoint.url, proxy.endpoint.token, CAPABILITIES)
    assert "not http or https" in modern.call("modern_raw_result", {"text": text}).last["error"]["message"]


LONG = ',"more":"' + "x" * (9 * 2**20) + '"}'
DEEP = ',"more":' + "[" * 200_000 + "]" * 200_000 + "}"


@pytest.mark.parametrize("more", [LONG, DEEP, "}" + " " * (9 * 2**20)], ids=["long", "deep", "blank"])
def test_length_hides_nothing(more: str) -> None:
    """Seen red while what has more than 8 MB, or cannot be parsed, was passed on unread."""
    for url, is_refused in (("javascript:1", True), ("https://example.org", more is DEEP)):
        params = json.dumps(asked(url)["params"])
        requests = json.dumps({"resultType": "input_required", "inputRequests": {"a": asked(url)}})
        escaped = requests.replace('"inputRequests"', '"input\\u0052equests"')
        error = json.dumps({"code": -32042, "message": "x", "data": {"elicitations": [asked(url)["params"]]}})
        assert (refusal("elicitation/create", (params[:-1] + more).encode()) is not None) == is_refused
        for text in (requests, escaped):
            reply = Reply((text[:-1] + more).encode())
            assert (checked(reply) is not reply) == is_refused
        reply = Reply(None, (error[:-1] + more).encode())
        assert (checked(reply) is not reply) == is_refused


def test_questions_that_are_too_long_to_be_read_are_refused() -> None:
    params = asked("https://example.org")["params"]
    requests = {"a": asked("https://example.org"), "b": {"method": "sampling/createMessage", "params": "x" * 9 * 2**20}}
    replies = [
        Reply(json.dumps({"resultType": "input_required", "inputRequests": requests}).encode()),
        Reply(None, json.dumps({"code": -32042, "data": {"elicitations": [params], "x": "x" * 9 * 2**20}}).encode()),
    ]
    assert all(b"not http or https" in (checked(reply).error or b"") for reply in replies)


def test_long_results_that_only_speak_of_questions_pass() -> None:
    text = json.dumps(
        {"content": [{"type": "text", "text": '"inputRequests" \u0001 input\\u0052equests' + "x" * 9 * 2**20}]}
    )
    reply = Reply(text.encode())
    assert checked(reply) is reply


def test_a_long_result_is_read_once_instead_of_searched() -> None:
    """Seen red with a search for each spelling of the key: of 40 MB of backslashes they took a second."""
    raw = b'{"content":"%s"}' % (rb"\\" * 4_000_000)
    reply = Reply(raw)
    searched, read = compare(lambda: checked(reply), lambda: pick(raw, "inputRequests"), 3)
    assert searched < 3 * read


def test_a_result_of_very_many_members_keeps_those_of_its_era() -> None:
    """Seen red: 3 million members were taken apart and put together, for ten seconds."""
    members = b",".join(b'"%d":1' % number for number in range(MAX_VALUES))
    many = Reply(b'{%s,"resultType":"complete","content":[]}' % members)
    assert asyncio.run(for_handshake(many)) is many
    few = asyncio.run(for_handshake(Reply(b'{"resultType":"complete","content":[]}')))
    assert few.result == b'{"content":[]}'
