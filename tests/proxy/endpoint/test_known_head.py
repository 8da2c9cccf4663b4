"""Requests with the head of the one before are answered as if they had been parsed (docs/fast-path.md)."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator

import pytest

from tests.proxy.endpoint.test_paths_agree import PLAIN, Wire, session_lines
from tests.proxy.running import Running, raw_server, running
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.endpoint.fast_path.protocol import FastPathProtocol


@pytest.fixture(scope="module")
def proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(Home(tmp_path_factory.mktemp("home")), {"raw": raw_server()}) as proxy:
        yield proxy


@pytest.fixture
def lines(proxy: Running) -> list[str]:
    """Return the header lines of a new session."""
    wire = Wire(proxy)
    try:
        return session_lines(wire)
    finally:
        wire.close()


def call(text: str) -> bytes:
    params = {"name": "raw_echo", "arguments": {"text": text}}
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).encode()


def test_a_head_that_differs_in_its_length_alone_is_not_parsed(
    proxy: Running, lines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed = 0
    begin = FastPathProtocol.on_message_begin

    def counted(self: FastPathProtocol) -> None:
        nonlocal parsed
        parsed += 1
        begin(self)

    monkeypatch.setattr(FastPathProtocol, "on_message_begin", counted)
    wire = Wire(proxy)
    for number in range(20):
        text = "x" * number * number
        assert text in wire.send(call(text), *lines).messages[0]
    assert parsed == 1
    assert "no text" in wire.send(call("no text"), *lines, "X-New: 1").messages[0]
    assert parsed == 2
    wire.close()


def head(proxy: Running, lines: list[str], length: object) -> bytes:
    start = ["POST /mcp HTTP/1.1", "Host: localhost", f"Authorization: Bearer {proxy.endpoint.token}"]
    return "\r\n".join([*start, *lines, f"Content-Length: {length}", "", ""]).encode()


Make = Callable[[Callable[[object], bytes], bytes], list[bytes]]
VARIANTS: dict[str, Make] = {
    "the same": lambda head, body: [head(len(body)) + body],
    "in two parts": lambda head, body: [head(len(body)) + body[:20], body[20:]],
    "in two parts, cut in the head": lambda head, body: [head(len(body))[:90], head(len(body))[90:] + body],
    "cut before the body": lambda head, body: [head(len(body)), body],
    "zeros before the length": lambda head, body: [head(f"00{len(body)}") + body],
    "a sign before the length": lambda head, body: [head(f"+{len(body)}") + body],
    "white space behind the length": lambda head, body: [head(f"{len(body)} ") + body],
    "no length": lambda head, body: [head("") + body],
    "length zero": lambda head, body: [head(0)],
    "length too small": lambda head, body: [head(len(body) - 1) + body],
    "length too large": lambda head, body: [head(len(body) + 1) + body, b" "],
    "an enormous length": lambda head, body: [head("9" * 30) + body],
    "two at once": lambda head, body: [(head(len(body)) + body) * 2],
    "half of another behind it": lambda head, body: [
        head(len(body)) + body + head(len(body)) + body[:9],
        body[9:],
    ],
    "a line end before it": lambda head, body: [b"\r\n" + head(len(body)) + body],
    "another token": lambda head, body: [head(len(body)).replace(b"Bearer ", b"Bearer x") + body],
    "another session": lambda head, body: [head(len(body)).replace(b"Session-Id: ", b"Session-Id: x") + body],
    "another path": lambda head, body: [head(len(body)).replace(b"/mcp ", b"/mcq ") + body],
    "a host of others": lambda head, body: [head(len(body)).replace(b"localhost", b"evil.test") + body],
    "a last header more": lambda head, body: [head(f"{len(body)}\r\nConnection: close") + body],
    "no JSON": lambda head, body: [head(len(body)) + b"x" * len(body)],
    "a notification": lambda head, body: [head(54) + b'{"jsonrpc":"2.0","method":"notifications/initialized"}'],
}


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_follows_a_usual_request_is_answered_as_on_a_new_connection(
    proxy: Running, lines: list[str], variant: str
) -> None:
    body = call("the text")
    parts = VARIANTS[variant](lambda length: head(proxy, lines, length), body)
    usual = head(proxy, lines, len(body)) + body
    answers = []
    for is_known in (False, True):
        with socket.create_connection(("127.0.0.1", proxy.endpoint.port), timeout=30) as one:
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if is_known:
                for _ in range(2):
                    one.sendall(usual)
                    assert b"the text" in read_response(one)
            for part in parts:
                one.sendall(part)
            answer = read_response(one)
            if b"connection: close" not in answer.lower():  # else what is sent now would reset the connection
                one.sendall(usual.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
            answers.append(answer + read_to_the_end(one))
    assert without_dates(answers[0]) == without_dates(answers[1])
    assert answers[0].startswith(b"HTTP/1.1 ")


def test_the_head_of_an_ended_session_is_refused(proxy: Running, lines: list[str]) -> None:
    wire, other = Wire(proxy), Wire(proxy)
    for _ in range(2):
        assert wire.send(call("the text"), *lines).status == 200
    assert other.send(b"", *[line for line in lines if line not in PLAIN], method="DELETE").status < 300
    assert wire.send(call("the text"), *lines).status == 404
    wire.close()
    other.close()


def read_response(one: socket.socket) -> bytes:
    data = b""
    while b"\r\n\r\n" not in data:
        data += one.recv(65536)
    start = data.index(b"\r\n\r\n") + 4
    length = int(data[: start - 4].lower().split(b"content-length: ")[1].split(b"\r\n")[0])
    while len(data) < start + length:
        data += one.recv(65536)
    return data


def read_to_the_end(one: socket.socket) -> bytes:
    data = b""
    while piece := one.recv(65536):
        data += piece
    return data


def without_dates(answer: bytes) -> list[bytes]:
    return [line for line in answer.split(b"\r\n") if not line.lower().startswith(b"date:")]
