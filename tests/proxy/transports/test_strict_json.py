"""What a server wrote reaches clients as valid UTF-8 and JSON (issue 15, item 8; cases U07, U44)."""

from __future__ import annotations

import asyncio
import json
from typing import Any, cast

import msgspec
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.timing import compare
from toolnote_desktop.proxy.transports.base import TransportListener
from toolnote_desktop.proxy.transports.jsonrpc import read_messages
from toolnote_desktop.proxy.transports.pending_requests import PendingRequests
from toolnote_desktop.proxy.transports.strict_json import loads_repaired, not_a_number, repaired

REPAIRS = [
    (b'{"a":"\xe9"}', '{"a":"\ufffd"}'),
    (b'{"a":"\\ud800"}', '{"a":"\ufffd"}'),
    (b'{"a":"\\udc00x\\ud83d\\ude00"}', '{"a":"\ufffdx\\ud83d\\ude00"}'),
    (b'{"a":"\\ud83d\\ud83d\\ude00"}', '{"a":"\ufffd\\ud83d\\ude00"}'),
    (b'{"a":"\\\\ud800"}', '{"a":"\\\\ud800"}'),
    (b'{"a":"\\\\\\ud800"}', '{"a":"\\\\\ufffd"}'),
    (b'{"a":"\x01\t\x1b"}', '{"a":"\\u0001\\u0009\\u001b"}'),
    (b'{\n\t"a":\r\n"b\n"}', '{\n\t"a":\r\n"b\\u000a"}'),
    (b'{"a\xff":"\xed\xa0\x80"}', '{"a\ufffd":"\ufffd\ufffd\ufffd"}'),
    (b'{"n":123456789012345678901234567890,"f":1e999}', '{"n":123456789012345678901234567890,"f":1e999}'),
]


@pytest.mark.parametrize(("raw", "text"), REPAIRS)
def test_strings_are_made_valid_and_the_rest_stays(raw: bytes, text: str) -> None:
    assert repaired(raw) == text.encode()
    msgspec.json.decode(repaired(raw), type=msgspec.Raw)


@pytest.mark.parametrize(("raw", "text"), REPAIRS)
def test_a_response_is_one_that_strict_readers_accept(raw: bytes, text: str) -> None:
    for line in (
        b'{"jsonrpc":"2.0","id":1,"result":%s}' % raw,
        b'{"result":%s,"jsonrpc":"2.0","id":1}' % raw,
        b'{"id":1,"result" : %s}' % raw,
    ):
        (message,) = read_messages(line)
        assert message.result is not None
        assert message.result.decode("utf-8") == text
        assert message.repaired is (raw != text.encode())
        assert not message.unreadable


_PIECES = st.sampled_from([*'"\\a\x01\n:,{}[]é1', "\\u", "d800", "dc00", "NaN"])


@given(st.lists(_PIECES, max_size=20).map("".join), st.binary(max_size=3))
def test_a_repaired_text_that_a_lenient_reader_accepts_is_strict(text: str, noise: bytes) -> None:
    raw = b'{"a":"%s%s"}' % (text.encode(), noise)
    try:
        json.loads(raw.decode("utf-8", "replace"), strict=False)
    except ValueError:
        return
    fixed = repaired(raw)
    if not_a_number(fixed) is None:
        assert orjson.loads(fixed) is not None


@pytest.mark.parametrize(
    ("raw", "found"),
    [
        (b'{"structuredContent":{"rows":[1,{"price":NaN}]}}', "structuredContent.rows[1].price is NaN"),
        (b'{"a":"NaN","b":-Infinity}', "b is -Infinity"),
        (b"NaN", "it is NaN"),
        (b'{"a":"NaN"}', None),
        (b'{"a":', None),
    ],
)
def test_the_member_without_a_number_is_named(raw: bytes, found: str | None) -> None:
    reason = not_a_number(raw)
    assert (reason and reason.partition(",")[0]) == found


@pytest.mark.parametrize(
    ("raw", "entry"),
    [
        (b'{"name":"a","inputSchema":{"x":{"default":NaN,"type":"number"}}}', {"x": {"type": "number"}}),
        (b'{"name":"a","inputSchema":{"enum":[1,Infinity],"y":1}}', {"y": 1}),
    ],
)
def test_a_key_without_a_number_is_left_out(raw: bytes, entry: Any) -> None:
    assert loads_repaired(raw)["inputSchema"] == entry


@pytest.mark.parametrize("raw", [b'{"name":"a","inputSchema":NaN}', b'{"name":[NaN]}', b"NaN"])
def test_an_entry_that_needs_the_key_goes_with_it(raw: bytes) -> None:
    with pytest.raises(ValueError, match="NaN"):
        loads_repaired(raw)


def test_long_text_that_is_not_strict_is_not_passed_on() -> None:
    long = b"x" * 9_000_000
    (message,) = read_messages(b'{"jsonrpc":"2.0","id":1,"result":"%s\xe9"}' % long)
    assert "too long to be mended" in message.unreadable
    (message,) = read_messages(b'{"jsonrpc":"2.0","id":1,"result":"%s"}' % long)
    assert not message.unreadable


@pytest.mark.parametrize("value", [b"1", b"NaN"])
def test_a_long_message_is_scanned_once(value: bytes) -> None:
    """Seen red: 20 MB of objects and a NaN were scanned three times, each of which stops all other threads."""
    line = b'{"jsonrpc":"2.0","id":1,"result":{"a":[%s7],"b":%s}}' % (b'{"a":1},' * 1_000_000, value)
    valid = line.replace(b"NaN", b"1")

    def receive() -> None:
        pending = PendingRequests(cast(TransportListener, None))
        loop = asyncio.new_event_loop()
        try:
            loop.run_until_complete(receive_in(pending))
        finally:
            loop.close()

    async def receive_in(pending: PendingRequests) -> None:
        waiting = pending.open(None, None)
        pending.receive(line)
        error = waiting.future.exception()
        assert (error is None) == (value == b"1")
        assert error is None or str(error) == "b is NaN, which JSON does not have"

    once, scan = compare(receive, lambda: msgspec.json.decode(valid, type=msgspec.Raw), 1.8)
    assert once <= 1.8 * scan
