"""The bridge's own HTTP client and its headers, piece by piece, and against the SDK's idea of the same rules."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.shared.inbound import encode_header_value, mcp_param_headers, x_mcp_header_map

from tests.waiting import wait_until
from toolnote_desktop.bridge import http_client
from toolnote_desktop.bridge.http_client import (
    DroppedError,
    EndpointConnection,
    EventStream,
    HttpSocket,
    ResponseHead,
    is_response,
)
from toolnote_desktop.bridge.messages import field_value, parameter_fields, parameter_headers, percent_encoded


@given(st.text())
def test_our_own_header_values_can_be_read_back(text: str) -> None:
    encoded = percent_encoded(text)
    assert encoded.isascii()
    assert unquote(encoded.decode("ascii")) == text


@given(st.one_of(st.text(), st.sampled_from([" a", "=?base64?x?=", "a\r\nb: c", "é", ""])))
def test_field_values_are_the_sdks(text: str) -> None:
    assert field_value(text).decode("ascii") == encode_header_value(text)


SCHEMA = {
    "type": "object",
    "properties": {
        "a": {"type": "string", "x-mcp-header": "A"},
        "b": {"type": "object", "properties": {"c": {"type": "integer", "x-mcp-header": "B-C"}}},
        "d": {"type": "boolean", "x-mcp-header": "D"},
        "plain": {"type": "string"},
    },
}


@given(
    st.dictionaries(
        st.sampled_from(["a", "b", "d", "plain"]),
        st.one_of(
            st.none(),
            st.booleans(),
            st.integers(),
            st.text(),
            st.lists(st.text()),
            st.fixed_dictionaries({"c": st.integers()}),
        ),
    )
)
def test_parameter_headers_are_the_sdks(arguments: dict[str, Any]) -> None:
    ours = parameter_fields(parameter_headers(SCHEMA), arguments).decode("ascii")
    wanted = mcp_param_headers(x_mcp_header_map(SCHEMA), arguments)
    assert sorted(ours.split("\r\n")[:-1]) == sorted(f"{name}: {value}" for name, value in wanted.items())


@pytest.mark.parametrize(
    "schema", [None, [], {"properties": []}, {"properties": {"a": 5, "b": {"x-mcp-header": "a b"}}}]
)
def test_schemas_that_make_no_sense_have_no_headers(schema: object) -> None:
    assert parameter_headers(schema) == {}


@pytest.mark.parametrize(
    ("message", "wanted"),
    [
        (b'{"jsonrpc":"2.0","id":1,"result":{}}', True),
        (b' { "jsonrpc" : "2.0" , "id" : "a\\"b" , "error" : {} }', True),
        (b'{"id":null,"error":{}}', True),
        (b'{"result":{"method":"x"},"id":1,"jsonrpc":"2.0"}', True),
        (b'{"x":1,"id":1,"result":{}}', True),
        (b'{"jsonrpc":"2.0","method":"x"}', False),
        (b'{"jsonrpc":"2.0","id":1,"method":"x","params":{"result":1}}', False),
        (b'{"method":"x","result":1}', False),
        (b'{"params":{"result":1},"method":"x"}', False),
        (b'{"id":1.5,"result":{}}', True),
        (b"[]", False),
        (b"{broken", False),
    ],
)
def test_answers_are_told_from_everything_else(message: bytes, wanted: bool) -> None:
    assert is_response(message) is wanted


MESSAGES = st.lists(st.dictionaries(st.text(max_size=5), st.text(max_size=30), max_size=3), max_size=6)


@given(MESSAGES, st.sampled_from([b"\n", b"\r\n"]), st.data())
def test_events_come_out_whole_however_they_are_cut(messages: list[Any], end: bytes, data: st.DataObject) -> None:
    stream = b": comment" + end + end + b"data:" + end + end
    for number, message in enumerate(messages):
        indent = 1 if number % 2 else None
        text = json.dumps(message, indent=indent).encode()
        stream += b"id: 5" + end + b"".join(b"data: " + line + end for line in text.split(b"\n")) + end
        stream += b"event: other" + end + b"data: {}" + end + end
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=8)))
    events, out = EventStream(), []
    for start, stop in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        out += events.feed(stream[start:stop])
    assert [json.loads(message) for message in out] == messages
    assert not any(b"\n" in message for message in out)


@contextmanager
def answering(data: bytes, *, piece: int = 1 << 20) -> Iterator[HttpSocket]:
    """A wire to somebody who says this, in pieces, and closes."""
    listener = socket.create_server(("127.0.0.1", 0))

    def speak() -> None:
        connection, _ = listener.accept()
        with connection:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for at in range(0, len(data), piece):
                connection.sendall(data[at : at + piece])

    thread = threading.Thread(target=speak)
    thread.start()
    wire = HttpSocket(*listener.getsockname())
    try:
        yield wire
    finally:
        wire.close()
        thread.join()
        listener.close()


@pytest.mark.parametrize("piece", [1, 7, 1 << 20])
@pytest.mark.parametrize(
    "body",
    [
        b"Content-Length: 10\r\n\r\n0123456789",
        b"transfer-encoding: Chunked\r\n\r\n4;x=1\r\n0123\r\n6\r\n456789\r\n0\r\nTrailer: 1\r\n\r\n",
        b"Content-Type: text/plain\r\n\r\n0123456789",
    ],
)
def test_bodies(body: bytes, piece: int) -> None:
    with answering(
        b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nMcp-Session-Id:  AbC \r\n" + body, piece=piece
    ) as wire:
        head = wire.read_head()
        assert (head.status, head.get(b"mcp-session-id"), head.get(b"nothing")) == (200, b"AbC", None)
        assert wire.read_body(head) == b"0123456789"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"HTTP/1.1 200 OK\r\n",
        b"SMTP ready\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n012",
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\n01",
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n01",
        b"x" * 100_000,
    ],
)
def test_an_answer_that_is_not_whole(data: bytes) -> None:
    with answering(data) as wire, pytest.raises(DroppedError):
        wire.read_body(wire.read_head())


@contextmanager
def connected(listener: Dropped, idle: list[EndpointConnection]) -> Iterator[tuple[EndpointConnection, socket.socket]]:
    """A kept connection, and its other end, which is closed at the end."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        connection = EndpointConnection(listener, "127.0.0.1", server.getsockname()[1], idle)
        accepted, _ = server.accept()
        with accepted:
            yield connection, accepted


class Dropped:
    """Listener that records exchanges whose connection ended."""

    def __init__(self) -> None:
        self.exchanges: list[object] = []

    def response_received(self, connection: EndpointConnection, exchange: object, head: ResponseHead) -> None:
        raise AssertionError("the server sends no response")

    def exchange_dropped(self, connection: EndpointConnection, exchange: object, begun: bool) -> None:
        assert not begun
        self.exchanges.append(exchange)


def test_request_that_was_read_before_the_connection_closed_is_not_sent_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Red while a request counted as not delivered if the connection's thread saw the end before ``send`` returned."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        listener = Dropped()
        host, port = server.getsockname()
        connection = EndpointConnection(listener, host, port, [])
        accepted, _ = server.accept()
        send = connection.wire.send

        def send_and_let_the_server_close(request: bytes) -> None:
            send(request)
            with accepted:
                assert accepted.recv(100) == request
            wait_until(connection._closed.is_set)

        monkeypatch.setattr(connection.wire, "send", send_and_let_the_server_close)
        assert connection.send("exchange", b"POST / HTTP/1.1\r\n\r\n")
        assert listener.exchanges == ["exchange"]


def test_nothing_is_sent_on_a_connection_that_was_turned_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen red: the call was sent after the refusal had been read as nobody's response, and was answered with "it is
    unknown whether the call was carried out".
    """
    with socket.create_server(("127.0.0.1", 0)) as server:
        listener = Dropped()
        host, port = server.getsockname()
        connection = EndpointConnection(listener, host, port, [])
        finishing, may_finish = threading.Event(), threading.Event()
        shutdown = connection.wire.shutdown

        def shutdown_later() -> None:
            finishing.set()
            assert may_finish.wait(10)
            shutdown()

        monkeypatch.setattr(connection.wire, "shutdown", shutdown_later)
        accepted, _ = server.accept()
        with accepted:
            accepted.sendall(TURNED_AWAY)
            assert finishing.wait(10)
            assert not connection.send("exchange", b"POST / HTTP/1.1\r\n\r\n")
            may_finish.set()
            assert accepted.recv(100) == b""
        assert listener.exchanges == []


class Answered(Dropped):
    """Listener that also records the bodies that answered exchanges."""

    def __init__(self) -> None:
        super().__init__()
        self.bodies: list[tuple[object, bytes]] = []

    def response_received(self, connection: EndpointConnection, exchange: object, head: ResponseHead) -> None:
        body = bytes(connection.wire.read_body(head))
        connection.release(head)
        self.bodies.append((exchange, body))


TURNED_AWAY = b"HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
SHORT = b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nshort"
LONG = b"HTTP/1.1 200 OK\r\ncontent-length: 300000\r\n\r\n" + b"l" * 300_000
STREAM = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
CHUNKED = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nchu\r\n3\r\nnks\r\n0\r\n\r\n"


@pytest.fixture(params=["first", "one thread", "a thread for each"])
def readers(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read responses as the first connection does on Linux, as all others do there, and as elsewhere."""
    if request.param == "a thread for each":
        monkeypatch.setattr(http_client, "_short_responses", None)
    elif request.param == "one thread":
        monkeypatch.setattr(http_client._short_responses, "first", "another connection")


def test_the_first_connection_is_taken_before_the_others() -> None:
    """Seen red where the connection released last was taken."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        listener, idle = Answered(), list[EndpointConnection]()
        connections = []
        with contextlib.ExitStack() as stack:
            for _ in range(3):
                connections.append(EndpointConnection(listener, "127.0.0.1", server.getsockname()[1], idle))
                accepted = stack.enter_context(server.accept()[0])
                assert connections[-1].send("call", b"request")
                assert accepted.recv(100) == b"request"
                accepted.sendall(SHORT)
                wait_until(lambda: len(idle) == len(connections))
            assert idle.pop() is connections[0]
            assert idle.pop() is connections[1]
        for connection in connections:
            wait_until(connection._closed.is_set)
    assert http_client._short_responses is None or http_client._short_responses.first is None


class Offered(Answered):
    """Listener that also records the connections that could be taken while a response was forwarded."""

    def __init__(self) -> None:
        super().__init__()
        self.offered: list[EndpointConnection] = []

    def response_received(self, connection: EndpointConnection, exchange: object, head: ResponseHead) -> None:
        super().response_received(connection, exchange, head)
        self.offered += connection.idle


@pytest.mark.usefixtures("readers")
def test_a_connection_that_is_closed_after_its_response_is_not_offered_again() -> None:
    """Seen red: a call was sent on it before it was taken back, and was answered with "it is unknown whether the call
    was carried out".
    """
    listener = Offered()
    with connected(listener, []) as (connection, accepted):
        assert connection.send("call", b"request")
        assert accepted.recv(100) == b"request"
        accepted.sendall(SHORT + TURNED_AWAY)
        wait_until(connection._closed.is_set)
    assert listener.bodies == [("call", b"short")]
    assert listener.offered == []


class Streaming(Answered):
    """Listener of a stream that its server ends by closing the connection."""

    def exchange_dropped(self, connection: EndpointConnection, exchange: object, begun: bool) -> None:
        assert begun


def test_a_connection_with_an_event_stream_is_not_the_first_any_more() -> None:
    """Seen red where a stream that stays open kept the thread that answers soonest."""
    with connected(Streaming(), []) as (connection, accepted):
        assert http_client._short_responses is None or http_client._short_responses.first is connection
        assert connection.send("listen", b"request")
        assert accepted.recv(100) == b"request"
        accepted.sendall(STREAM)
        wait_until(lambda: http_client._short_responses is None or http_client._short_responses.first is None)
        assert not connection._closed.is_set()
    wait_until(connection._closed.is_set)


@pytest.mark.usefixtures("readers")
def test_responses_of_all_lengths_follow_one_another_on_a_connection() -> None:
    """Seen red where a connection that had a thread of its own for a response was left without any."""
    listener, idle = Answered(), list[EndpointConnection]()
    with connected(listener, idle) as (connection, accepted):
        for number, response in enumerate((SHORT, LONG, SHORT, CHUNKED, CHUNKED, SHORT)):
            assert connection.send(number, b"request")
            assert accepted.recv(100) == b"request"
            accepted.sendall(response)
            wait_until(lambda number=number: len(listener.bodies) > number)  # type: ignore[misc]
            assert idle.pop() is connection
        bodies = [b"short", b"l" * 300_000, b"short", b"chunks", b"chunks", b"short"]
        assert listener.bodies == list(enumerate(bodies))
    wait_until(connection._closed.is_set)
    assert listener.exchanges == []


@pytest.mark.usefixtures("readers")
def test_a_response_that_nobody_asked_for_answers_no_later_request() -> None:
    """Seen red where only what arrives later ended the connection."""
    listener = Answered()
    with connected(listener, []) as (connection, accepted):
        assert connection.send("first", b"request")
        accepted.sendall(SHORT + SHORT)
        wait_until(connection._closed.is_set)
        assert not connection.send("second", b"request")
    assert listener.bodies == [("first", b"short")]
