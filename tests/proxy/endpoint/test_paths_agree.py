"""Fast path, handler and SDK give the same answers to a thousand varied requests (docs/fast-path.md).

A repeated header sends a plain request to the handler instead of the fast path. Answers that are given without the SDK
are compared with those that the SDK gives to the same requests.
"""

from __future__ import annotations

import http.client
import json
import random
import socket
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from mcp.shared.inbound import (
    ERROR_CODE_HTTP_STATUS,
    InboundModernRoute,
    classify_inbound_request,
    find_duplicated_routing_header,
)
from mcp.types.version import HANDSHAKE_PROTOCOL_VERSIONS

from tests.proxy.live import MODERN, ModernClient
from tests.proxy.running import Running, raw_server, running
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.endpoint import handler, modern_requests
from toolnote_desktop.proxy.endpoint.fast_path.response import FastPathResponse
from toolnote_desktop.proxy.protocol import HANDSHAKE_VERSIONS

REQUESTS = 1000
TWICE = "X-Twice: a\r\nX-Twice: b\r\n"

IDS: list[Any] = [0, 1, -1, 7, 2**40, 2**53, 10**25, "", "a", "é", 'with "quotes" and \\', "\u2028", "007", "x" * 300]
NO_IDS: list[Any] = [None, 1.5, True, [], {}]
TOOLS = ["raw_echo", "raw_echo", "raw_echo", "raw_error", "raw_raw_result", "raw_fail", "raw_structured"]
ODD_TOOLS: list[Any] = ["nope", "list-saved-toolsets", "get-active-toolset", "raw.echo", "echo", "", "é", None, 3]
RESULTS = [
    '{"content":[],"big":123456789012345678901234567890,"lone":"\\ud800"}',
    '{ "content" : [ { "type" : "text" , "text" : "\\u00e9" } ] ,\t"isError" : true }',
    '{"content":[{"type":"resource_link","uri":"x://y","name":"n"}],"_meta":{"k":null}}',
]


class Got(NamedTuple):
    """An answer without what may differ: how it is framed."""

    status: int
    session: str | None
    messages: list[str]


class Wire:
    """A client that writes its requests byte by byte, over one connection."""

    def __init__(self, proxy: Running) -> None:
        self._proxy = proxy
        self._socket = socket.create_connection(("127.0.0.1", proxy.endpoint.port), timeout=30)

    def send(self, body: bytes, *lines: str, method: str = "POST") -> Got:
        """One request with these header lines (``a: b``, or several), and its answer."""
        token = self._proxy.endpoint.token
        head = f"{method} /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n"
        head += "".join(line if line.endswith("\r\n") else line + "\r\n" for line in lines)
        self._socket.sendall(head.encode() + b"Content-Length: %d\r\n\r\n" % len(body) + body)
        response = http.client.HTTPResponse(self._socket)
        response.begin()
        text = response.read()
        if response.headers.get("content-type", "").startswith("text/event-stream"):
            messages = [line[5:].strip() for line in text.splitlines() if line.startswith(b"data:")]
        else:
            messages = [text] if text else []
        session = response.headers.get("mcp-session-id")
        return Got(response.status, session, [message.decode("utf-8", "surrogateescape") for message in messages])

    def close(self) -> None:
        """Hang up."""
        self._socket.close()


@pytest.fixture
def proxy(home: Home) -> Iterator[Running]:
    with running(home, {"raw": raw_server()}) as proxy:
        yield proxy


@pytest.fixture
def wire(proxy: Running) -> Iterator[Wire]:
    wire = Wire(proxy)
    yield wire
    wire.close()


def session_lines(wire: Wire, version: str = "2025-06-18") -> list[str]:
    """The headers of a new session."""
    params = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "wire", "version": "1"}}
    body = json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}).encode()
    session = wire.send(body, *PLAIN).session
    return [*PLAIN, f"Mcp-Session-Id: {session}", f"MCP-Protocol-Version: {version}"]


PLAIN = ["Accept: application/json, text/event-stream", "Content-Type: application/json"]


class Maker:
    """Makes requests, the same ones each time."""

    def __init__(self) -> None:
        self._random = random.Random(4)

    def body(self) -> bytes:
        """A request, a notification, or nonsense."""
        pick = self._random.random()
        if pick < 0.02:
            return self._random.choice(
                [b"", b"{", b"[]", b"null", b'"x"', b"\xff", b'{"jsonrpc":"2.0"}', b"{}", b"[1]"]
            )
        if pick < 0.05:
            name = '"name":"raw_echo"'
            twice = f'{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{{name},"arguments":{{}},%s}}}}'
            return (twice % self._random.choice([name, '"n\\u0061me":"raw_echo"', '"arguments":{"a":1}'])).encode()
        return self._written(self._message())

    def _message(self) -> dict[str, Any]:
        message: dict[str, Any] = {"jsonrpc": "2.0", "id": self._random.choice(IDS), "method": "tools/call"}
        pick = self._random.random()
        if pick < 0.75:
            message["params"] = self._call()
        elif pick < 0.85:
            message["method"] = self._random.choice(["tools/list", "prompts/list", "resources/list"])
            if self._random.random() < 0.6:
                message["params"] = self._random.choice([{}, {"cursor": None}, {"cursor": "x"}, {"_meta": {}}, None])
        elif pick < 0.97:
            message["method"] = self._random.choice(["ping", "prompts/get", "resources/read", "no/such"])
            if self._random.random() < 0.5:
                message["params"] = self._random.choice([{}, {"_meta": {"a": 1}}, {"name": "x", "uri": "x://y"}])
        else:
            del message["id"]
            message["method"] = self._random.choice(["notifications/initialized", "notifications/cancelled", "x"])
        if self._random.random() < 0.03:
            message["id"] = self._random.choice(NO_IDS)
        if self._random.random() < 0.02:
            message["jsonrpc"] = self._random.choice(["1.0", 2.0, None])
        return message

    def _call(self) -> Any:
        name = self._random.choice(TOOLS if self._random.random() < 0.85 else ODD_TOOLS)
        params: dict[str, Any] = {"name": name, "arguments": {f"a{n}": self._value(3) for n in range(3)}}
        if name == "raw_error":
            params["arguments"] = {"code": -32000, "message": "no é", "data": self._value(2)}
        elif name == "raw_raw_result":
            params["arguments"] = {"text": self._random.choice(RESULTS)}
        if self._random.random() < 0.15:
            params["_meta"] = self._random.choice([{}, {"k": [1]}, {"progressToken": "p"}, {"progressToken": 5}])
        if self._random.random() < 0.05 and name == "raw_echo":
            params["arguments"] = {"large": "é" * self._random.choice([70_000, 1_100_000])}
        if self._random.random() < 0.06 and name != "raw_raw_result":  # which answers nothing without its text
            del params[self._random.choice(list(params))]
        if self._random.random() < 0.04:
            params["extra"] = {"name": "raw_echo"}
        return [] if self._random.random() < 0.01 else params

    def _value(self, depth: int) -> Any:
        simple = [None, True, False, 0, -5, 1.5, 1e300, 10**30, "", "text", "é\u2028😀", 'a"b\\', "\ud800", "name"]
        pick = self._random.random()
        if depth == 0 or pick < 0.5:
            return self._random.choice(simple)
        if pick < 0.75:
            return [self._value(depth - 1) for _ in range(self._random.randrange(4))]
        return {self._random.choice(["name", "b", "é", "_meta", "id"]): self._value(depth - 1) for _ in range(3)}

    def _written(self, message: dict[str, Any]) -> bytes:
        keys = list(message)
        order = self._random.random()
        if order < 0.25:
            keys = [key for key in ("method", "params", "jsonrpc", "id") if key in message]
        elif order < 0.4:
            self._random.shuffle(keys)
        style: dict[str, Any] = self._random.choice(
            [{"separators": (",", ":")}, {"separators": (",", ":")}, {}, {"indent": 1}]
        )
        text = json.dumps({key: message[key] for key in keys}, ensure_ascii=self._random.random() < 0.5, **style)
        return text.encode("utf-8", "surrogatepass")

    def lines(self, session: list[str]) -> list[str]:
        """The headers of a session, written this way or that."""
        pick = self._random.random()
        if pick < 0.7:
            return session
        if pick < 0.8:
            return [
                line.upper().replace(line.partition(": ")[2].upper(), line.partition(": ")[2] + " ") for line in session
            ]
        if pick < 0.9:
            return [
                line.replace("application/json", "application/json; charset=utf-8")
                for line in session
                if "Pro" not in line
            ]
        return [
            line for line in session if not line.startswith(self._random.choice(["Accept", "Content", "MCP", "Mcp"]))
        ]


def test_fast_path_and_handler_give_the_same_answers(
    proxy: Running, wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    fast = 0
    finish = FastPathResponse.finish

    def counted(self: FastPathResponse, reply: Any) -> None:
        nonlocal fast
        fast += 1
        finish(self, reply)

    monkeypatch.setattr(FastPathResponse, "finish", counted)
    session = session_lines(wire)
    maker = Maker()
    for number in range(REQUESTS):
        body, lines = maker.body(), maker.lines(session)
        before = fast
        quick = wire.send(body, *lines)
        taken = fast
        direct_way = wire.send(body, *lines, TWICE)
        assert fast == taken, "a header that stands twice is not plain"
        assert comparable(quick) == comparable(direct_way), (number, body[:300], lines)
        assert taken - before in (0, 1)
    assert fast > REQUESTS / 6, "many calls are plain"


def comparable(got: Got) -> tuple[int, bool, list[Any]]:
    """Without what may differ: who has no session is given a new one to no avail, and the echo shows the text that
    reached the server, in which the same arguments may be written another way."""
    messages = [json.loads(text) if text.startswith("{") else text for text in got.messages]
    for message in messages:
        result = message.get("result") if isinstance(message, dict) else None
        for item in result.get("content", ()) if isinstance(result, dict) else ():
            if isinstance(item.get("text"), str) and item["text"].startswith("{"):
                item["text"] = json.loads(item["text"])
                if isinstance(meta := item["text"].get("_meta"), dict):
                    meta.pop("progressToken", None)  # a new one of ours each time
    return got.status, got.session is not None, messages


def leave_all_to_the_sdk(monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on, what is answered without the SDK is answered by it."""

    async def no_note(*_: Any) -> bool:
        return False

    for name in ("is_plain_initialize", "is_plain_meta", "_is_plain_envelope"):
        monkeypatch.setattr(handler, name, lambda *_: False)
    monkeypatch.setattr(handler.RequestHandler, "_handle_notification", no_note)


CAPABILITIES: list[Any] = [
    {},
    {"roots": {}},
    {"roots": {"listChanged": True}},
    {"roots": {"listChanged": 1}},
    {"roots": 3},
    {"sampling": {}, "elicitation": {}},
    {"sampling": {"context": {}, "tools": {}}, "elicitation": {"form": {}, "url": {}}},
    {"sampling": None},
    {"sampling": []},
    {"elicitation": {"form": 1}},
    {"experimental": {"a": {"b": 1}}},
    {"experimental": {"a": 1}},
    {"experimental": []},
    {"extensions": {"io.x/y": {"mimeTypes": ["a"]}}},
    {"extensions": 1},
    {"tasks": {"list": {}, "requests": {"sampling": {"createMessage": {}}}}},
    {"tasks": {"list": 3}},
    {"unknown": 4},
    None,
    [],
]
CLIENTS: list[Any] = [
    {"name": "a", "version": "1"},
    {"name": "é", "version": "", "title": "T", "websiteUrl": "https://x", "description": "d"},
    {"name": "a", "version": "1", "icons": [{"src": "data:,", "mimeType": "image/png"}]},
    {"name": "a", "version": "1", "icons": [{"src": "data:,", "sizes": ["any"]}]},
    {"name": "a", "version": "1", "icons": [{}]},
    {"name": "a", "version": "1", "icons": 3},
    {"name": "a", "version": "1", "title": None},
    {"name": "a", "version": "1", "other": [1]},
    {"name": "a"},
    {"name": 1, "version": "1"},
    {"version": "1"},
    "a",
]


METAS: list[Any] = [{}, {"progressToken": 1}, {"progressToken": []}, 3, None]


def introductions() -> Iterator[bytes]:
    """``initialize`` in many ways, sound and not."""
    whole = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": CLIENTS[0]}
    params: list[Any] = [
        {**whole, "protocolVersion": version} for version in (*HANDSHAKE_VERSIONS, MODERN, "x", "", 1, None)
    ]
    params += [{**whole, "capabilities": capabilities} for capabilities in CAPABILITIES]
    params += [{**whole, "clientInfo": client} for client in CLIENTS]
    params += [{**whole, "_meta": meta} for meta in METAS]
    params += [{**whole, "more": "\ud800"}, {}, [], None]
    for place, one in enumerate(params):
        yield json.dumps(
            {"jsonrpc": "2.0", "id": IDS[place % len(IDS)], "method": "initialize", "params": one}
        ).encode()
    yield b'{"jsonrpc":"2.0","id":1,"method":"initialize"}'
    yield b'{"jsonrpc":"2.0","method":"initialize","params":%s}' % json.dumps(whole).encode()


def session_talk() -> Iterator[bytes]:
    """What is said in a session beside requests for tools."""
    for params in (
        "",
        ',"params":{}',
        ',"params":{"_meta":{"progressToken":1}}',
        ',"params":{"_meta":4}',
        ',"params":{"x":1}',
    ):
        yield f'{{"jsonrpc":"2.0","id":"p","method":"ping"{params}}}'.encode()
    for method in ("initialized", "cancelled", "roots/list_changed", "progress", "no/such"):
        yield f'{{"jsonrpc":"2.0","method":"notifications/{method}","params":{{"requestId":99}}}}'.encode()
        yield f'{{"jsonrpc":"2.0","method":"notifications/{method}","params":[]}}'.encode()
    yield b'{"jsonrpc":"2.0","id":null,"method":"ping"}'
    yield b'{"jsonrpc":"2.0","id":4,"result":{}}'
    yield b'{"jsonrpc":"2.0","id":4,"method":"no/such","params":{"a":1}}'


def test_introductions_and_small_talk_are_answered_as_the_sdk_does(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    quick = [wire.send(body, *PLAIN) for body in introductions()]
    session = session_lines(wire)
    talk = [wire.send(body, *session) for body in session_talk()]
    gone = [wire.send(b"", *session, method="DELETE"), *(wire.send(body, *session) for body in session_talk())]
    leave_all_to_the_sdk(monkeypatch)
    for one, body in zip(quick, introductions(), strict=True):
        same(one, wire.send(body, *PLAIN), body)
    other = session_lines(wire)
    for one, body in zip(talk, session_talk(), strict=True):
        same(one, wire.send(body, *other), body)
    same(gone[0], wire.send(b"", *other, method="DELETE"), b"DELETE")
    for one, body in zip(gone[1:], session_talk(), strict=True):
        same(one, wire.send(body, *other), body)


def same(one: Got, other: Got, body: bytes) -> None:
    """Deep-equal messages with the same status, in a session or not."""
    assert one.status == other.status, (body, one, other)
    assert [json.loads(text) for text in one.messages] == [json.loads(text) for text in other.messages], body
    assert (one.session is None) == (other.session is None), (body, one, other)


def test_server_discover_is_answered_as_the_sdk_does(proxy: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    client = ModernClient(proxy.endpoint.url, proxy.endpoint.token)

    def asked() -> list[tuple[int, Any]]:
        answers = [
            client.request("server/discover", {}, {"io.modelcontextprotocol/clientCapabilities": capabilities})
            for capabilities in CAPABILITIES
        ]
        answers += [
            client.request("server/discover", {}, {"io.modelcontextprotocol/clientInfo": who})
            for who in [*CLIENTS, None]
        ]
        answers.append(client.request("server/discover", {}, {"progressToken": []}))
        return [(answer.status, {**answer.last, "id": None}) for answer in answers]

    quick = asked()
    leave_all_to_the_sdk(monkeypatch)
    assert quick == asked()


def test_a_modern_request_is_sound_for_us_where_it_is_for_the_sdk() -> None:
    choices = random.Random(5)
    versions: list[Any] = [MODERN, MODERN, MODERN, "2025-06-18", None, 3]
    names = ["x", "x", "=?base64?eA==?=", "=?base64?eB==?=", "=?base64?***?=", "y", None]
    sound = 0
    for _ in range(REQUESTS):
        meta: dict[str, Any] = {
            "io.modelcontextprotocol/protocolVersion": choices.choice(versions),
            "io.modelcontextprotocol/clientCapabilities": {},
        }
        if choices.random() < 0.1:
            del meta[choices.choice(list(meta))]
        method = choices.choice(["tools/call", "tools/list", "resources/read", "server/discover"])
        named: dict[str, Any] = choices.choice([{"name": "x", "uri": "x"}, {"name": None}, {}, {"name": 3, "uri": []}])
        params: Any = choices.choice([{"_meta": meta, **named}] * 9 + [None, [], {"_meta": 3}])
        lines = [("mcp-protocol-version", choices.choice([MODERN, MODERN, MODERN, "x"])), ("mcp-method", method)]
        if choices.random() < 0.1:
            lines[1] = ("mcp-method", "no/such")
        if (name := choices.choice(names)) is not None:
            lines.append(("mcp-name", name))
        if choices.random() < 0.05:
            lines.append(choices.choice(lines))
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        found = isinstance(classify_inbound_request(message, headers=dict(lines)), InboundModernRoute)
        theirs = found and find_duplicated_routing_header(lines) is None
        scope = {"headers": [(key.encode(), value.encode()) for key, value in lines]}
        assert modern_requests.is_valid_envelope(message, scope) is theirs, (message, lines)
        sound += theirs
    assert REQUESTS / 10 < sound < REQUESTS


def test_copied_constants_equal_the_sdks() -> None:
    assert HANDSHAKE_VERSIONS == HANDSHAKE_PROTOCOL_VERSIONS
    assert dict(modern_requests.STATUSES) == dict(ERROR_CODE_HTTP_STATUS)
