"""Turns of clients (``turns.py``), and long calls, whose arguments are passed on as the bytes that they are."""

from __future__ import annotations

import asyncio
import json
import tracemalloc
from collections.abc import Iterator
from functools import partial

import pytest

from tests.cases.test_lists import initialized
from tests.proxy.running import Running, raw_server, running
from tests.security.raw_http import connection, exchange, request, status_of
from tests.timing import compare
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.endpoint.fast_path import parser, protocol
from toolnote_desktop.proxy.endpoint.fast_path.parser import LONG_CALL, PlainCall, parse_long_call, replace_name
from toolnote_desktop.proxy.endpoint.session import Session
from toolnote_desktop.proxy.endpoint.sessions import ClientSessions
from toolnote_desktop.proxy.endpoint.turns import REQUEST_BYTES, TURN_BYTES, ClientTurns
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.proxy.transports.jsonrpc import RawJson, dumps_params, is_bulky

A_PASS = TURN_BYTES // REQUEST_BYTES


def test_a_client_with_many_requests_takes_turns_with_the_others() -> None:
    """Seen red with one queue for all clients, with all of it in one pass, and without what was done at once."""

    async def done_by_pass() -> list[list[str]]:
        turns = ClientTurns()
        passes: list[list[str]] = [[]]
        for _ in range(A_PASS * 3):
            turns.begin("many", REQUEST_BYTES, lambda: passes[-1].append("many"))
        turns.begin("other", REQUEST_BYTES, lambda: passes[-1].append("other"))
        while passes[-1] or len(passes) == 1:
            passes.append([])
            await asyncio.sleep(0)
        return passes[:-1]

    first, second, *rest = asyncio.run(done_by_pass())
    assert first == ["many"] * A_PASS
    assert second == ["many"]  # those of the first pass were at the cost of this one
    assert rest[0][:2] == ["other", "many"]
    assert all(len(one) <= A_PASS for one in rest)
    assert sum(map(len, rest)) == A_PASS * 3 - A_PASS


def test_what_is_received_is_done_before_more_is_read() -> None:
    """Seen red with one order for both: hundreds of whole bodies waited, 500 MB, while others were received."""

    async def order() -> list[str]:
        turns, done = ClientTurns(), list[str]()
        turns.spend(TURN_BYTES)
        for number in range(3):
            turns.read("one", lambda: done.append("read"))
            turns.begin("one", TURN_BYTES, partial(done.append, str(number)))
        while len(done) < 6:
            await asyncio.sleep(0)
        return done

    assert asyncio.run(order()) == ["0", "1", "2", "read", "read", "read"]


def test_a_turn_that_is_given_up_does_not_stop_the_others() -> None:
    async def both() -> bool:
        turns = ClientTurns()
        asyncio.get_running_loop().call_soon(turns.spend, TURN_BYTES)
        given_up, other = (asyncio.ensure_future(turns.wait("one", TURN_BYTES)) for _ in range(2))
        await asyncio.sleep(0)
        given_up.cancel()
        await asyncio.wait_for(other, 30)
        return given_up.cancelled()

    assert asyncio.run(both())


def test_sessions_that_begin_or_end_at_once_are_counted_once() -> None:
    """What a change costs grows with the sessions: for each of 2,500 that were idle it stopped all calls."""

    async def counted() -> tuple[list[int], int, list[int]]:
        sessions, opened, sizes = ClientSessions(), list[Session](), list[int]()
        sessions.on_open(opened.append)
        sessions.on_change(lambda: sizes.append(len(sessions)))
        for name in ("one", "other") * 50:
            sessions.open(Principal(name), {}, {})
        of_one = sessions.of(Principal("one"))
        await asyncio.sleep(0)
        for session in of_one:
            sessions.remove(session)
        assert sessions.has(Principal("other"))
        assert not sessions.has(Principal("one"))
        await asyncio.sleep(0)
        return [len(opened), len(of_one)], len(sessions.of(Principal("other"))), sizes

    assert asyncio.run(counted()) == ([100, 50], 50, [100, 50])


@pytest.fixture
def proxy(home: Home) -> Iterator[Running]:
    with running(home, {"raw": raw_server()}) as proxy:
        yield proxy


LONG = b'"' + b"y" * LONG_CALL + b'"'
CALL = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"raw_echo","arguments":{"x":%s}}}'


def test_long_arguments_are_passed_on_as_they_are() -> None:
    arguments = b'{ "n":1e999,"s":"\\u00e9\xc3\xa9", "x":%s}' % LONG
    call = parse_long_call(
        b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"arguments":%s,"name":"a"}}' % arguments
    )
    assert call is not None
    assert (call["id"], call["params"]["name"], bytes(call["params"]["arguments"])) == (7, "a", arguments)
    sent = replace_name(PlainCall(7, call["params"]), b"", "a", "b")
    assert sent is not None
    assert arguments in sent
    assert json.loads(sent)["name"] == "b"


@pytest.mark.parametrize("meta", ["", '"_meta":{"progressToken":"p"},'])
def test_a_long_call_is_read_once(proxy: Running, monkeypatch: pytest.MonkeyPatch, meta: str) -> None:
    """Seen red: the fast path read a call with ``_meta``, and the handler once more."""
    read: list[int] = []

    def parse(body: bytes) -> JsonObject | None:
        read.append(len(body))
        return parse_long_call(body)

    for place in (protocol, parser):
        monkeypatch.setattr(place, "parse_long_call", parse)
    client = initialized(proxy)
    body = (CALL % LONG).replace(b'"name"', meta.encode() + b'"name"')
    with connection(proxy) as one:
        one.sendall(request(proxy, body, Mcp_Session_Id=client.session_id, Connection=None))
        assert status_of(one.recv(65536)) == 200
    assert read == [len(body)]


def test_long_arguments_are_copied_once_on_their_way() -> None:
    """Seen red with a copy for each bracket and comma: of 40 MB each one took 25 ms."""
    long = RawJson(b'{"x":"%s"}' % (b"y" * 4_000_000))
    tracemalloc.start()
    try:
        sent = dumps_params({"name": "a", "arguments": long})
        assert tracemalloc.get_traced_memory()[1] < 1.5 * len(long)
    finally:
        tracemalloc.stop()
    assert sent == b'{"name":"a","arguments":%s}' % long


def test_a_call_of_too_many_values_is_known_by_its_beginning() -> None:
    few, many = (b"[" + b'{"a":1},' * number + b"7]" for number in (150_000, 5_000_000))
    assert is_bulky(few)
    large, small = compare(lambda: is_bulky(many), lambda: is_bulky(few), 2)
    assert large <= 2 * small


def test_values_behind_a_long_text_are_counted_no_further_than_needed() -> None:
    """Seen red: with a text of 1.2 MB before them, all of 40 MB of objects were counted."""
    text = b'["%s",' % (b"x" * 1_200_000)
    few, many = (text + b'{"a":1},' * number + b"7]" for number in (550_000, 5_000_000))
    assert is_bulky(few)
    large, small = compare(lambda: is_bulky(many), lambda: is_bulky(few), 2)
    assert large <= 2 * small


@pytest.mark.parametrize(
    "body",
    [
        CALL.replace(b'"name"', b'"task":{},"name"') % LONG,
        CALL.replace(b'"id"', b'"other":1,"id"') % LONG,
        CALL.replace(b'{"x":%s}', b"[%s]") % LONG,
        CALL.replace(b"tools/call", b"tools/list") % LONG,
        CALL % (LONG + b",NaN"),
        CALL % (b'"\xe9' + LONG[1:]),
    ],
    ids=["member of params", "member", "list", "method", "NaN", "UTF-8"],
)
def test_other_messages_are_read_whole(body: bytes) -> None:
    """Seen red: a long call lost the other members of its params, and its invalid UTF-8 reached the server."""
    assert parse_long_call(body) is None


def test_invalid_utf8_in_a_long_call_is_refused(proxy: Running) -> None:
    client = initialized(proxy)
    send = partial(request, proxy, Mcp_Session_Id=client.session_id)
    for size in (LONG_CALL, 1024 * 1024):
        long = b"y" * size
        assert status_of(exchange(proxy, send(CALL % (b'"%s"' % long)))) == 200
        assert status_of(exchange(proxy, send(CALL % (b'"%s\xe9"' % long)))) == 400
