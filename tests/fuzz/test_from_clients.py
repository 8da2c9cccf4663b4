"""Whatever a client sends: it is answered, with no 5xx and no traceback, and the next good request is served."""

from __future__ import annotations

import contextlib
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases.test_lists import initialized
from tests.fuzz.inputs import SCALARS, VALUES, json_texts, mutated, spoilt
from tests.fuzz.profiles import examples
from tests.proxy.live import MODERN
from tests.proxy.raw_client import RawClient
from tests.proxy.running import Running, raw_server, running
from tests.security.raw_http import connection, head, usual_headers
from toolnote_desktop.paths import Home


def call(name: str, arguments: Any, **more: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": name, "arguments": arguments, **more}}


CLIENT = {"name": "c", "version": "1"}
ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientInfo": CLIENT,
    "io.modelcontextprotocol/clientCapabilities": {"sampling": {}},
}
NOTE = {"toolRef": {"namespacedName": "a.echo"}, "notes": [{"name": "n", "note": "N"}]}
INITIALIZE = {"protocolVersion": "2025-06-18", "capabilities": {"roots": {}}, "clientInfo": CLIENT}
MESSAGES: list[Any] = [
    {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": INITIALIZE},
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    {"jsonrpc": "2.0", "id": "x", "method": "ping"},
    {"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {"cursor": None}},
    call("a_echo", {"x": [1, {"y": None}]}),
    call("a_echo", {"x": "y"}, _meta={"progressToken": 7, "other": 1}),
    call("a_fail", {"text": "no"}),
    call("add-tool-annotation", NOTE),
    call("equip-toolset", {"name": "work"}),
    call("build-toolset", {"name": "built", "tools": [{"namespacedName": "a.echo"}], "description": "d"}),
    call("list-tool-annotations", {"toolRef": {"namespacedName": "a.echo"}}),
    call("get-tool-guide", {"detail": "summary"}),
    {"jsonrpc": "2.0", "id": 4, "method": "resources/read", "params": {"uri": "toolnote://guide"}},
    {"jsonrpc": "2.0", "id": 5, "method": "resources/subscribe", "params": {"uri": "test://one"}},
    {"jsonrpc": "2.0", "id": 6, "method": "prompts/get", "params": {"name": "a_greet", "arguments": {"who": "x"}}},
    {
        "jsonrpc": "2.0",
        "id": 7,
        "method": "completion/complete",
        "params": {"ref": {"type": "ref/prompt", "name": "a_greet"}, "argument": {"name": "who", "value": "x"}},
    },
    {"jsonrpc": "2.0", "id": 8, "method": "logging/setLevel", "params": {"level": "debug"}},
    {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 3, "reason": "r"}},
    {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": 1, "progress": 2}},
    {"jsonrpc": "2.0", "id": 9, "result": {"roots": []}},
    {"jsonrpc": "2.0", "id": 9, "error": {"code": -1, "message": "m"}},
    [{"jsonrpc": "2.0", "id": 10, "method": "ping"}, {"jsonrpc": "2.0", "method": "notifications/initialized"}],
    {"jsonrpc": "2.0", "id": 11, "method": "tools/list", "params": {"_meta": ENVELOPE}},
    {"jsonrpc": "2.0", "id": 12, "method": "server/discover", "params": {"_meta": ENVELOPE}},
    call("a_echo", {"x": 1}, _meta=ENVELOPE),
    {"jsonrpc": "2.0", "id": 13, "method": "tasks/get", "params": {"taskId": "1"}},
]
ODD_HEADERS: dict[str, list[str | None]] = {
    "Host": [
        None,
        "",
        "evil",
        "localhost",
        "127.0.0.1:0",
        "127.0.0.1:99999999",
        "[::1]",
        "[::1",
        "127.1",
        "127.0.0.1\t",
    ],
    "Origin": [
        "null",
        "",
        "http://localhost",
        "https://[::1]:1",
        "file://",
        "http://127.0.0.1@evil",
        "http://localhost.",
    ],
    "Authorization": [None, "", "Bearer", "Basic x", "bearer \xff\xfe", "Bearer " + "x" * 9000, "Bearer a b"],
    "Mcp-Session-Id": ["", "x", "\xff", "0" * 5000, " "],
    "Mcp-Protocol-Version": ["", "1", MODERN, "2025-06-18", "2024-11-05", "9999-99-99", "\xe9"],
    "Mcp-Method": ["tools/list", "", "\xff"],
    "Mcp-Name": ["a_echo", "=?base64?x?=", "=?base64?/////w==?=", ""],
    "Accept": [None, "", "*/*", "application/json", "text/event-stream;q=0", "application/json, text/event-stream \t"],
    "Content-Type": [None, "", "text/plain", "application/json; charset=utf-16", "application/json\t", "multipart/x"],
    "Content-Encoding": ["gzip", "identity", "br"],
    "Connection": ["keep-alive", "close", "upgrade", "x"],
    "Upgrade": ["websocket", "h2c"],
    "Expect": ["100-continue", "x"],
    "Last-Event-ID": ["1", "\xff"],
    "Toolnote-Client": ["%", "%ff%00", "x" * 3000, "a%2Fb"],
    "Toolnote-Toolset": ["work", "%", "../x"],
    "Transfer-Encoding": ["chunked", "identity", "gzip, chunked"],
    "Cookie": ["a=b"],
    "X-Empty": [""],
}


@pytest.fixture
def proxy(home: Home, caplog: pytest.LogCaptureFixture) -> Iterator[Running]:
    caplog.set_level(logging.WARNING)
    with running(home, {"a": raw_server()}) as proxy:
        yield proxy
    worse = [record for record in caplog.records if record.exc_info or record.levelno >= logging.ERROR]
    assert not worse, "\n".join(record.getMessage() for record in worse)


def status(proxy: Running, request: bytes, patience: float = 20.0) -> int:
    """The status of what is answered to these bytes; 0 where the connection just ends, or nothing comes.

    A request that is not whole is waited for, longer than a test can: ``patience`` is in seconds.
    """
    with connection(proxy) as one:
        one.settimeout(patience)
        answer = b""
        with contextlib.suppress(ConnectionError, TimeoutError):
            one.sendall(request)
            while len(answer) < 12 and (part := one.recv(4096)):
                answer += part
    return int(answer[9:12]) if answer.startswith(b"HTTP/1.1 ") else 0


def serves(client: RawClient) -> None:
    """A good request in between. The session may have been ended by name: then there is another."""
    answer = client.call("a_echo", {"x": 1})
    if answer.status == 404:
        client.session_id = None
        client.initialize()
        answer = client.call("a_echo", {"x": 1})
    assert json.loads(answer.result["content"][0]["text"])["arguments"] == {"x": 1}


MODERN_HEADERS = {"Mcp-Protocol-Version": MODERN, "Mcp-Method": "tools/call", "Mcp-Name": "a_echo"}


def test_messages(proxy: Running) -> None:
    client = initialized(proxy)

    @examples(150)
    @given(
        json_texts(st.sampled_from(MESSAGES).flatmap(mutated) | VALUES), st.sampled_from(["session", "none", MODERN])
    )
    def check(body: bytes, era: str) -> None:
        eras: dict[str, dict[str, str | None]] = {"none": {}, MODERN: {**MODERN_HEADERS}}
        more = eras.get(era, {"Mcp-Session-Id": client.session_id})
        headers = [*usual_headers(proxy, **more), f"Content-Length: {len(body)}"]
        found = status(proxy, head("POST", "/mcp", *headers) + body)
        assert 200 <= found < 500, found
        serves(client)

    check()


def test_headers(proxy: Running) -> None:
    client = initialized(proxy)
    odd = st.sampled_from(sorted(ODD_HEADERS)).flatmap(
        lambda name: st.tuples(st.just(name), st.sampled_from(ODD_HEADERS[name]))
    )

    @examples(80)
    @given(
        st.lists(odd, max_size=4),
        st.sampled_from(["POST", "POST", "GET", "DELETE", "OPTIONS", "PUT", "HEAD", "BREW"]),
        st.sampled_from(
            ["/mcp", "/mcp/", "/health", "/", "//", "/mcp?x=%00", "/%6dcp", "*", "http://evil/mcp", "/mcp#x"]
        ),
        st.booleans(),
    )
    def check(odd: list[tuple[str, str | None]], method: str, path: str, twice: bool) -> None:
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).encode()
        changed = {"Mcp-Session-Id": client.session_id, "Content-Length": str(len(body)), **dict(odd)}
        lines = usual_headers(proxy, **changed)
        found = status(proxy, head(method, path, *lines, *(lines[:2] if twice else ())) + body, 0.3)
        assert found < 500, found
        serves(client)

    check()


def test_bytes(proxy: Running) -> None:
    client = initialized(proxy)
    body = json.dumps(MESSAGES[3]).encode()
    good = head("POST", "/mcp", *usual_headers(proxy), f"Content-Length: {len(body)}") + body
    chunks = b"5\r\n%s\r\n%x\r\n%s\r\n0\r\nX-T: 1\r\n\r\n" % (body[:5], len(body) - 5, body[5:])
    chunked = head("POST", "/mcp", *usual_headers(proxy), "Transfer-Encoding: chunked") + chunks

    @examples(60)
    @given(spoilt(spoilt(st.sampled_from([good, chunked, good + good, good + chunked]))))
    def check(request: bytes) -> None:
        assert status(proxy, request, 0.2) < 500
        serves(client)

    check()


def test_arguments_of_built_in_tools(proxy: Running) -> None:
    client = initialized(proxy)
    names = [tool["name"] for tool in client.tools() if not tool["name"].startswith("a_")]
    keys = st.sampled_from(
        ["name", "toolRef", "namespacedName", "refId", "notes", "note", "tools", "confirm", "detail"]
    )
    values = st.recursive(
        SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=4), max_leaves=8
    )

    @examples(150)
    @given(st.sampled_from(names), st.dictionaries(keys, values, max_size=4) | values | mutated(NOTE))
    def check(name: str, arguments: Any) -> None:
        answer = client.request("tools/call", {"name": name, "arguments": arguments})
        assert answer.status == 200
        assert "result" in answer.last or answer.last["error"]["code"] == -32602, answer.last
        serves_plain(client)

    check()


def serves_plain(client: RawClient) -> None:
    """A request that every toolset serves."""
    assert client.request("ping").result == {}
