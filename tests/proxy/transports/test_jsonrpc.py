"""JSON-RPC messages in bytes: a server's text is forwarded unchanged."""

from __future__ import annotations

import json
import tracemalloc
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolnote_desktop.proxy.aio.time_slices import Sliced
from toolnote_desktop.proxy.transports import jsonrpc
from toolnote_desktop.proxy.transports.jsonrpc import (
    Message,
    NotAMessage,
    RawJson,
    _quick_members,
    _spans,
    bulky_steps,
    dumps_params,
    element_steps,
    integer_id,
    is_bulky,
    items,
    member_steps,
    members,
    notification_line,
    pick,
    quick_result,
    read_messages,
    request_line,
    response_line,
    with_meta,
)
from toolnote_desktop.proxy.transports.strict_json import REPAIR_LIMIT

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)

ODD_RESULTS = [
    b'{"n":123456789012345678901234567890}',
    b'{"n":1e999,"a":1,"a":2}',
    b'{ "spaces" : [ 1 , 2 ] }',
    b'{"n":' + b"9" * 6000 + b"}",
    b'"a string"',
    b"null",
]


@pytest.mark.parametrize("result", ODD_RESULTS)
@pytest.mark.parametrize(
    "line",
    [
        b'{"jsonrpc":"2.0","id":7,"result":%s}',
        b'{"result":%s,"jsonrpc":"2.0","id":7}',
        b' {"id" : 7 , "x":{"result":1}, "result" : %s , "jsonrpc":"2.0" } ',
        b'{"jsonrpc":"2.0","id":7,"result":{"first":1},"result":%s}',
        b'\xef\xbb\xbf{"jsonrpc":"2.0","id":7,"result":%s}',
    ],
)
def test_a_result_is_the_very_bytes_that_came(line: bytes, result: bytes) -> None:
    whole = line.replace(b"%s", result)
    (message,) = read_messages(whole)
    assert message == Message(id=b"7", result=result)
    quick = quick_result(whole)
    assert quick is None or quick == (7, result)


@given(json_values, st.permutations(["jsonrpc", "id", "result"]), st.booleans())
def test_envelope_in_any_order_and_spacing(value: Any, order: list[str], spaced: bool) -> None:
    parts = {"jsonrpc": "2.0", "id": 5, "result": value}
    separators = (" , ", " : ") if spaced else (",", ":")
    line = json.dumps({key: parts[key] for key in order}, separators=separators).encode()
    (message,) = read_messages(line)
    expected = json.dumps(value, separators=separators).encode()
    assert (message.id, message.result) == (b"5", expected)
    quick = quick_result(line)
    assert quick is None or quick == (5, expected)


def test_the_two_usual_shapes_are_quick() -> None:
    assert quick_result(b'{"jsonrpc":"2.0","id":12,"result":{"a":[1]}}') == (12, b'{"a":[1]}')
    assert quick_result(b'{"result":{"a":[1]},"jsonrpc":"2.0","id":12}') == (12, b'{"a":[1]}')


@pytest.mark.parametrize(
    "line",
    [
        b'{"jsonrpc":"2.0","id":1,"result":{"a":1},"extra":{"b":2}}',
        b'{"jsonrpc":"2.0","id":1,"result":{"a":{"b":1}}',
        b'{"jsonrpc":"2.0","id":1,"result":{}}}',
        b'{"jsonrpc":"2.0","id":1,"result":{},"result":{"x":1}}',
        b'{"jsonrpc":"2.0","id":"a","result":{}}',
        b'{"jsonrpc":"2.0","id":1,"error":{"code":1}}',
        b'{"jsonrpc":"2.0","id":1,"result":{"a":NaN}}',
        b'{"result":{},"jsonrpc":"2.0","id":1',
        b'{"result":{},"jsonrpc":"2.0","id":x}',
        b'{"jsonrpc":"2.0","id":1',
        b"",
    ],
)
def test_fast_scan_takes_nothing_else(line: bytes) -> None:
    assert quick_result(line) is None


@pytest.mark.parametrize(
    "line",
    [
        b"a banner",
        b"{}",
        b"[]",
        b"42",
        b'{"id":1,"half":',
        b'{"jsonrpc":"2.0","id":1,"result":{"a":',
        b'{"jsonrpc":"2.0","result":{}}',
        b'{"method":7,"id":1}',
        b'[{"id":1,"result":{}},{}]',
        b'{"a":1} and more',
        b'{"a" 1}',
        b"{1:2}",
        b"\xff\xfe\x00",
    ],
)
def test_noise_is_no_message(line: bytes) -> None:
    with pytest.raises(NotAMessage):
        read_messages(line)


def test_requests_notifications_errors_and_batches() -> None:
    assert read_messages(b'{"method":"ping","jsonrpc":"2.0","id":"x"}') == (Message(b'"x"', "ping"),)
    assert read_messages(b'{"method":"n/\\u00e4","params":{"a" : 1}}') == (Message(None, "n/ä", b'{"a" : 1}'),)
    assert read_messages(b'{"method":"n","params":null,"id":null}') == (Message(None, "n"),)
    assert read_messages(b'{"id":3,"error":{"code":-1},"result":null}') == (Message(b"3", error=b'{"code":-1}'),)
    assert read_messages(b'{"id":3,"error":null,"result":{}}') == (Message(b"3", result=b"{}"),)
    assert read_messages(b'{"id":null,"error":{"code":-1}}') == (Message(None, error=b'{"code":-1}'),)
    batch = b'[ {"id":1,"result":{}} , {"method":"n"} ]'
    assert read_messages(batch) == (Message(b"1", result=b"{}"), Message(None, "n"))


@pytest.mark.parametrize(
    "line",
    [
        b'{"jsonrpc":"2.0","id":1,"result":{"a":NaN}}',
        b'{"jsonrpc":"2.0","id":1,"result":' + b"[" * 200_000 + b"]" * 200_000 + b"}",
        b'{"result":{"broken" true},"jsonrpc":"2.0","id":1}',
    ],
)
def test_an_answer_that_nobody_could_read_is_known_as_one(line: bytes) -> None:
    (message,) = read_messages(line)
    assert message.id == b"1"
    assert message.unreadable


@pytest.mark.parametrize(
    ("raw", "number"), [(b"5", 5), (b'"5"', 5), (b"5.0", 5), (b'"a"', None), (b"-1", None), (b"9" * 40, None)]
)
def test_ids_of_ours_in_other_spellings(raw: bytes, number: int | None) -> None:
    assert integer_id(raw) == number


def test_lines_are_one_line() -> None:
    pretty = b'{\n  "a": "x",\r\n  "b": 1\n}'
    lines = [
        request_line(1, "tools/call", pretty),
        request_line(2, 'odd "method"', None),
        notification_line("notifications/x", pretty),
        notification_line("notifications/x", None),
        response_line('"ä"'.encode(), pretty, None),
        response_line(b"3", None, b'{"code":1}'),
    ]
    assert not any(b"\n" in line or b"\r" in line for line in lines)
    read = [json.loads(line) for line in lines]
    assert read[0] == {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"a": "x", "b": 1}}
    assert read[1] == {"jsonrpc": "2.0", "id": 2, "method": 'odd "method"'}
    assert read[4]["result"] == {"a": "x", "b": 1}
    assert read[5]["error"] == {"code": 1}


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        (None, b'{"_meta":{"k":1}}'),
        (b"{}", b'{"_meta":{"k":1}}'),
        (b'{"a":1}', b'{"_meta":{"k":1},"a":1}'),
        (b' {"_meta" : {} , "a" : 1}', b'{"_meta" : {"k":1} , "a" : 1}'),
        (b'{"a":"\\"_meta\\"","_meta":{"x":2}}', b'{"a":"\\"_meta\\"","_meta":{"k":1,"x":2}}'),
        (b'{"_meta":{"k":2}}', b'{"_meta":{"k":2}}'),
        (b'{"a":{"_meta":3}}', b'{"_meta":{"k":1},"a":{"_meta":3}}'),
    ],
)
def test_meta_is_added_in_place(params: bytes | None, expected: bytes) -> None:
    assert with_meta(params, {"k": b"1"}) == expected


@pytest.mark.parametrize("params", [b"[1]", b'{"_meta":7}', b'{"_meta":'])
def test_meta_needs_an_object(params: bytes) -> None:
    with pytest.raises(NotAMessage):
        with_meta(params, {"k": b"1"})


@given(st.dictionaries(st.text(), json_values))
def test_members_are_the_values_texts(value: dict[str, Any]) -> None:
    found = members(json.dumps(value).encode())
    assert {key: json.loads(raw) for key, raw in found.items()} == value


MEMBERS = [
    b'{"a":[1,2.5e3,-0.1,"x\\n\\u00e9",null,true,false,{"b":{}}],"c":"\xc3\xa9"}',
    b' {"a" : {"k":"v"} , "b":[[],[[1]]], "a":-12e-3}\r\n',
]


@given(st.sampled_from(MEMBERS), st.lists(st.tuples(st.integers(0, 60), st.binary(max_size=2)), max_size=3))
def test_fast_scan_agrees_with_the_exact_one(text: bytes, changes: list[tuple[int, bytes]]) -> None:
    for place, put in changes:
        text = text[:place] + put + text[place + 1 :]
    quick = _quick_members(text)
    try:
        whole = text.decode("utf-8", "surrogateescape").strip(" \t\r\n")
        exact = {key: whole[a:b].encode("utf-8", "surrogateescape") for key, (a, b) in _spans(whole).items()}
    except NotAMessage:
        assert quick is None
    else:
        assert quick in (exact, None)
        assert (quick is None) is _has_odd_text(whole)


def _has_odd_text(text: str) -> bool:
    """Whether a key is no UTF-8, or a string has half of a surrogate pair: what the quick reader leaves to the scan."""
    return any(any("\ud800" <= c <= "\udfff" for c in key) for key in _spans(text)) or "\\ud" in text.lower()


@given(st.lists(json_values, max_size=5), st.booleans())
def test_items_are_the_values_texts(value: list[Any], spaced: bool) -> None:
    raw = json.dumps(value, indent=2 if spaced else None).encode()
    found = items(raw)
    assert found is not None
    assert [json.loads(one) for one in found] == value


@pytest.mark.parametrize("raw", [b"{}", b"[1,]", b"null", b'["\\ud800"]'])
def test_no_items(raw: bytes) -> None:
    assert items(raw) is None


@pytest.mark.parametrize(
    ("raw", "found"),
    [
        (b"[]", []),
        (b" [ ] ", []),
        (b"[1]", [b"1"]),
        (b'[ 1 , "a,]\\"" ,{"b":[1,2]},[[3,4]] ]', [b"1", b'"a,]\\""', b'{"b":[1,2]}', b"[[3,4]]"]),
        (b"[" * 9000 + b"]" * 9000, [b"[" * 8999 + b"]" * 8999]),
        (b'["\xff", 1]', [b'"\xff"', b"1"]),
        (b"{}", None),
        (b"[1", None),
        (b"[1]]", None),
        (b"[1] [2]", None),
    ],
)
def test_the_elements_of_an_array_however_deep(raw: bytes, found: list[bytes] | None) -> None:
    steps = element_steps(raw, 10_000)
    assert Sliced(steps).at_once() == found


def test_elements_are_split_no_further_than_the_limit() -> None:
    steps = element_steps(b"[%s7]" % (b"7," * 100_000), 3)
    assert Sliced(steps).at_once() == [b"7", b"7", b"7"]


LONG = b"[%s7]" % (b"7," * 2_000_000)


@pytest.mark.parametrize("odd", [b"NaN", b"\xe9", b'"\\ud800"', b"]"])
@pytest.mark.parametrize("last", [False, True], ids=["id first", "id last"])
def test_a_long_response_that_is_no_json_is_read_by_its_ends(odd: bytes, last: bool) -> None:
    """Seen red without ``REPAIR_LIMIT`` and ``EXACT_LIMIT``: the exact scan made 4 million values of it, 300 MB."""
    result = b'{"a":%s,"b":%s}' % (LONG, odd)
    text = b'{"result":%s,"jsonrpc":"2.0","id":7}' if last else b'{"jsonrpc":"2.0","id":7,"result":%s}'
    tracemalloc.start()
    try:
        (found,) = read_messages(text % result)
        assert tracemalloc.get_traced_memory()[1] < 8 * len(LONG)
    finally:
        tracemalloc.stop()
    assert (found.id, found.result) == (b"7", result)
    too_long = "the response is not strict JSON or UTF-8, and too long to be mended"
    assert found.unreadable == ("b is NaN, which JSON does not have" if odd == b"NaN" else too_long)


@pytest.mark.parametrize(("odd", "problem"), [(b"NaN", "b is NaN, which JSON does not have"), (b"]", "not valid JSON")])
def test_text_that_could_be_mended_is_not_scanned_either(odd: bytes, problem: str) -> None:
    """Seen red without ``EXACT_LIMIT``."""
    result = b'{"a":[%s7],"b":%s}' % (b"7," * 500_000, odd)
    assert len(result) < REPAIR_LIMIT
    tracemalloc.start()
    try:
        (found,) = read_messages(b'{"jsonrpc":"2.0","id":7,"result":%s}' % result)
        assert tracemalloc.get_traced_memory()[1] < 8 * len(result)
    finally:
        tracemalloc.stop()
    assert problem in found.unreadable


def test_long_text_is_made_valid_without_a_scan() -> None:
    (found,) = read_messages(
        b'{"id":7,"jsonrpc":"2.0","result":["%s\xe9",%s]}' % (b"x" * 300_000, b"7," * 90_000 + b"7")
    )
    assert found.repaired
    assert not found.unreadable
    assert b"x\xef\xbf\xbd" in (found.result or b"")


def test_members_of_other_names_cost_nothing() -> None:
    """Seen red with a dictionary of all members: 100 bytes for each."""
    text = b'{"jsonrpc":"2.0","id":1,%s,"result":{}}' % b",".join(b'"k%d":1' % number for number in range(200_000))
    tracemalloc.start()
    try:
        assert read_messages(text) == (Message(b"1", result=b"{}"),)
        assert tracemalloc.get_traced_memory()[1] < 2 * len(text)
    finally:
        tracemalloc.stop()


def test_a_long_batch_is_no_message() -> None:
    one = b'{"jsonrpc":"2.0","id":1,"result":1}'
    assert len(read_messages(b"[%s]" % b",".join([one] * 256))) == 256
    with pytest.raises(NotAMessage):
        read_messages(b"[%s]" % b",".join([one] * 257))


@given(st.dictionaries(st.sampled_from(["a", "b", "tools", "x\n"]), json_values, max_size=4), st.booleans())
def test_members_in_slices_are_those_of_the_parser(value: dict[str, Any], spaced: bool) -> None:
    raw = json.dumps({**value, "odd": [float("nan")]}, indent=2 if spaced else None).encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jsonrpc, "EXACT_LIMIT", 0)
        found = Sliced(member_steps(raw, "tools", "a")).at_once()
    assert found is not None
    assert {key: json.loads(text) for key, text in found.items()} == {
        key: one for key, one in value.items() if key in ("tools", "a")
    }


def test_members_that_are_picked() -> None:
    assert pick(b'{"a":1,"b":[2],"a":3}', "a", "c") == {"a": b"3"}
    assert pick(b"[1]", "a") is None
    assert pick(b'{"a":NaN}', "a") is None


@pytest.mark.parametrize(
    ("text", "bulky"),
    [
        (LONG, True),
        (b"[%s1]" % (b'{"a":1},' * 300_000), True),
        (b'"%s"' % (b"a, [b] {c}, " * 1_000_000), False),
        (b'["%s"]' % (b'\\",' * 1_000_000), False),
        (b"[%s1]" % (b"1," * 150_000), False),
        (b'["%s",1]' % (b"x" * 5_000_000), False),
    ],
    ids=["numbers", "objects", "prose", "quotes", "short", "blob"],
)
def test_texts_of_many_values(text: bytes, bulky: bool) -> None:
    assert is_bulky(text) is bulky


def test_a_long_text_is_counted_in_short_steps() -> None:
    """Seen red: of 40 MB of texts with escapes all were matched by one pattern, for a second."""
    text = b'["%s"]' % (b",\\n" * 1_000_000)
    assert sum(1 for _ in bulky_steps(text)) >= len(text) // (64 * 1024)


@given(json_values, st.integers(2, 9))
def test_values_are_counted_alike_in_pieces_of_any_size(value: Any, size: int) -> None:
    """Seen red where an escape, or a string, was forgotten at the end of a piece."""
    text = json.dumps([value, '\\\\",[{"'], ensure_ascii=False).encode()
    with patch.multiple(jsonrpc, _FREELY_PARSED=0, _PIECE=size):
        assert list(jsonrpc._values_so_far(text))[-1] == marks_outside_of_strings(text)


def marks_outside_of_strings(text: bytes) -> int:
    number, place, in_string = 0, 0, False
    while place < len(text):
        sign = text[place : place + 1]
        if sign == b'"':
            in_string = not in_string
        number += not in_string and sign in (b",", b"[", b"{")
        place += 2 if sign == b"\\" else 1
    return number


def test_meta_of_long_params() -> None:
    params = b'{"_meta":{"a":1},"arguments":{"_meta":%s}}' % LONG
    found = members(with_meta(params, {"a": b"2", "b": b"3"}))
    assert json.loads(found["_meta"]) == {"a": 1, "b": 3}
    assert members(found["arguments"])["_meta"] == LONG


def test_long_members_of_arguments_are_copied_once_into_params() -> None:
    """Seen red: they were copied into the arguments, these into raw JSON, and that into the params."""
    long = RawJson(b'"%s"' % (b"y" * 4_000_000))
    tracemalloc.start()
    try:
        sent = dumps_params({"name": "a", "arguments": {"x": long, "n": 1}, "_meta": {}})
        assert tracemalloc.get_traced_memory()[1] < 1.5 * len(long)
    finally:
        tracemalloc.stop()
    assert sent == b'{"name":"a","arguments":{"x":%s,"n":1},"_meta":{}}' % long
