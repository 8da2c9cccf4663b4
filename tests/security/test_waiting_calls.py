"""Limits of what waits for an answer, per client and server; calls of clients that are gone (docs/contract.md 5)."""

from __future__ import annotations

import contextlib
import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cases.test_lists import initialized
from tests.proxy.raw_client import RawClient
from tests.proxy.running import Running, raw_server, running
from tests.security.raw_http import connection, request
from tests.waiting import wait_until
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy import waiting_calls
from toolnote_desktop.proxy.protocol import BODY_LIMIT


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """File in which server ``a`` records what it receives."""
    return tmp_path / "record"


@pytest.fixture
def proxy(home: Home, record: Path) -> Iterator[Running]:
    with running(home, {"a": raw_server(record=str(record)), "b": raw_server()}) as proxy:
        yield proxy


def recorded(record: Path, event: str) -> int:
    """Return the number of events of a kind that the server has recorded; the last line may be half written."""
    return sum(json.loads(line)["event"] == event for line in record.read_bytes().split(b"\n")[:-1])


def call(tool: str, request_id: int, **arguments: Any) -> dict[str, Any]:
    params = {"name": tool, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": request_id, "method": "tools/call", "params": params}


@contextlib.contextmanager
def waiting(proxy: Running, client: RawClient, number: int, more: Any = None) -> Iterator[None]:
    """Calls without an answer, each on a connection of its own, which are closed at the end."""
    with contextlib.ExitStack() as stack:
        for index in range(number):
            one: socket.socket = stack.enter_context(connection(proxy))
            one.sendall(
                request(
                    proxy,
                    {**call("a_hang", 1000 + index), **(more or {})},
                    **{**client.headers, "Mcp-Session-Id": client.session_id, "Connection": None},  # else no fast path
                )
            )
        yield


def refusal(client: RawClient, tool: str, **arguments: Any) -> str | None:
    """Return the text of a refusal, which comes without waiting for the others; None if its server answered."""
    result = client.call(tool, arguments).result
    return result["content"][0]["text"] if result.get("isError") else None


@pytest.mark.parametrize("params", [{}, {"_meta": {"x": 1}}], ids=["fast path", "with a task"])
def test_the_257th_call_of_a_client_is_answered_at_once(proxy: Running, record: Path, params: Any) -> None:
    """And others are served; seen red without ``WaitingCalls.admit``: no answer."""
    assert waiting_calls.MAX_WAITING == 256
    client, other = initialized(proxy), proxy.bridge("other")
    other.initialize()
    message = {"params": {"name": "a_hang", "arguments": {}, **params}}
    with waiting(proxy, client, 256, message):
        wait_until(lambda: recorded(record, "call") == 256)
        text = refusal(client, "b_counter") or ""
        assert "256 calls" in text
        assert "this client" in text
        assert refusal(other, "b_counter") is None
        assert 'server "a"' in (refusal(other, "a_counter") or ""), "that server has reached its limit as well"
    wait_until(lambda: refusal(client, "b_counter") is None)
    assert refusal(other, "a_counter") is None


def test_arguments_that_wait_are_bounded(proxy: Running, record: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen red without the limit of bytes. A call within the limit of a body passes while nothing waits."""
    assert waiting_calls.MAX_WAITING_BYTES == BODY_LIMIT == 64 * 1024 * 1024
    monkeypatch.setattr(waiting_calls, "MAX_WAITING_BYTES", 2 * 1024 * 1024)
    client = initialized(proxy)
    big = {"params": {"name": "a_hang", "arguments": {"text": "x" * 900_000}}}
    assert refusal(client, "b_counter", text="x" * 1_900_000) is None
    with waiting(proxy, client, 2, big):
        wait_until(lambda: recorded(record, "call") == 2)
        text = refusal(client, "b_counter", text="x" * 400_000) or ""
        assert "2 MB of arguments" in text
        assert refusal(client, "b_counter") is None
    wait_until(lambda: refusal(client, "b_counter", text="x" * 400_000) is None)


@pytest.mark.parametrize("params", [{}, {"_meta": {"x": 1}}], ids=["fast path", "with a task"])
def test_a_call_whose_client_is_gone_is_cancelled_upstream(proxy: Running, record: Path, params: Any) -> None:
    """Seen red without ``FastPathCall.set`` and ``HandshakeCaller.on_disconnect``: the server goes on for ever."""
    client = initialized(proxy)
    message = {"params": {"name": "a_hang", "arguments": {}, **params}}
    with waiting(proxy, client, 3, message):
        wait_until(lambda: recorded(record, "call") == 3)
        assert recorded(record, "cancelled") == 0
    wait_until(lambda: recorded(record, "cancelled") == 3)


def test_a_bridge_has_limits_of_its_own(proxy: Running, record: Path) -> None:
    """Two assistants behind bridges are two clients, though both use the secret of the run."""
    first, second = proxy.bridge("first"), proxy.bridge("second")
    first.initialize()
    second.initialize()
    with waiting(proxy, first, 256):
        wait_until(lambda: recorded(record, "call") == 256)
        assert refusal(first, "b_counter")
        assert refusal(second, "b_counter") is None


@pytest.mark.parametrize(("size", "number"), [(900_000, 3), (1_500_000, 2)], ids=["fast path", "with a task"])
def test_bodies_on_their_way_are_bounded(
    proxy: Running, monkeypatch: pytest.MonkeyPatch, size: int, number: int
) -> None:
    """Seen red without ``IncomingBodies``: each connection may hold a body of 64 MB."""
    monkeypatch.setattr(waiting_calls, "MAX_WAITING_BYTES", 2 * 1024 * 1024)
    incoming: list[int] = []
    for name, sign in (("add", 1), ("remove", -1)):
        own = getattr(waiting_calls.IncomingBodies, name)

        def counted(bodies: Any, principal: Any, size: int, own: Any = own, sign: int = sign) -> Any:
            found = own(bodies, principal, size)
            incoming.append(size * sign * (found is not False))
            return found

        monkeypatch.setattr(waiting_calls.IncomingBodies, name, counted)
    client, other = initialized(proxy), proxy.bridge("other")
    other.initialize()
    headers = {**client.headers, "Mcp-Session-Id": client.session_id, "Connection": None}  # else no fast path
    whole = request(proxy, call("b_counter", 1, text="x" * size), **headers)
    with contextlib.ExitStack() as stack:
        held: list[socket.socket] = [stack.enter_context(connection(proxy)) for _ in range(number)]
        for one in held[:-1]:
            one.sendall(whole[:-1])
        wait_until(lambda: sum(incoming) > (number - 1) * size * 0.9)
        held[-1].sendall(whole[:-1])  # all of it, as a client does that reads the response later
        answer = held[-1].recv(65536)
        assert answer.startswith(b"HTTP/1.1 429")
        assert b"being received already" in answer
        assert refusal(client, "b_counter") is None
        assert refusal(other, "b_counter", text="x" * size) is None
        held[0].sendall(whole[-1:])
        assert held[0].recv(65536).startswith(b"HTTP/1.1 200")
    wait_until(lambda: sum(incoming) == 0)
    assert refusal(client, "b_counter", text="x" * size) is None


def test_call_of_very_many_values_is_passed_on_unread(proxy: Running, record: Path) -> None:
    """Seen red with a parser: 60 MB of ``[7,7,…]`` were a second for all others (red team M3's kind)."""
    client = initialized(proxy)
    numbers = [7] * 600_000
    assert refusal(client, "a_counter", x=numbers) is None
    assert recorded(record, "call") == 1
    answer = client.call("get-tool-guide", {"x": numbers})
    assert "200000 values" in answer.body.decode()
    assert client.request("tools/list", {"x": numbers}).status == 413
    assert refusal(client, "a_counter") is None
