"""Long JSON texts that are checked in pieces."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Generator
from typing import Final, TypeVar

import msgspec
import pytest
from msgspec import Raw

from toolnote_desktop.proxy.endpoint.fast_path.parser import long_call_steps, parse_long_call
from toolnote_desktop.proxy.transports import long_json
from toolnote_desktop.proxy.transports.long_json import has_few_commas, outline_steps

CALL: Final = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{"x":%s}}}'
OBJECTS: Final = b"[" + b'{"a":1},' * 500_000 + b"7]"
COMMAS: Final = b"[" + (b'"' + b',]\\n\\"{' * 20 + b'",') * 30_000 + b"7]"

VALUES: Final = ["1", "-2.5e3", '""', '"a,]}{[b"', r'"\\"', r'"\",["', "true", '"ü,"', "null", f'"{"x," * 60}"']
ODD: Final = [b",", b'"', b"[", b"]", b"{", b"}", b"\\", b":", b"0", b"\xff", b" ", b'"":0', b',"', b"}{"]

Result = TypeVar("Result")


def outcome(steps: Generator[None, None, Result]) -> tuple[Result, int]:
    """Return the result of a generator, and how often it could have been interrupted."""
    number = 0
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value, number
        number += 1


def value(source: random.Random, depth: int = 0) -> str:
    kind = source.random()
    if depth > 6 or kind < 0.3:
        return source.choice(VALUES)
    parts = [value(source, depth + 1) for _ in range(source.randrange(6))]
    if kind < 0.65:
        return f"[{','.join(parts)}]"
    members = ", ".join(f'"{source.choice(["a", "{", "b,]"])}" : {part}' for part in parts)
    return f"{{{members}}}"


def changed(source: random.Random, text: bytes) -> bytes:
    at = source.randrange(len(text))
    return text[:at] + source.choice([b"", *ODD]) + text[at + source.randrange(2) :]


def is_json(text: bytes) -> bool:
    try:
        msgspec.json.decode(text, type=Raw)
        text.decode("utf-8")
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    return True


@pytest.mark.parametrize("depth", [1, 3, 99])
def test_pieces_are_json_exactly_if_the_whole_is(monkeypatch: pytest.MonkeyPatch, depth: int) -> None:
    monkeypatch.setattr(long_json, "_PIECE", 32)
    source, left_out, both = random.Random(depth), 0, [0, 0]
    for _ in range(1_500):
        text = value(source).encode()
        if source.random() < 0.5:
            text = changed(source, text)
        outline, _ = outcome(outline_steps(text, depth))
        both[is_json(text)] += 1
        assert is_json(text) or outline is None
        if depth == 99:
            assert (outline is not None) == is_json(text)
        if outline is not None:
            assert is_json(outline.text)
            left_out += bool(outline.left_out)
    assert min(both) > 200
    assert left_out > 50 or depth == 99


@pytest.mark.parametrize(
    "text", [b"[[,1],2]", b'{"a":{,"b":1}}', b"[1,,2]", b"[1,2,]", b"[1],2", b'{"a":[1},2]', b'["a,"b",1]', b"[1,2"]
)
def test_a_cut_hides_no_fault(monkeypatch: pytest.MonkeyPatch, text: bytes) -> None:
    """Seen red with what closes a piece but without an element before it: ``[[,1],2]`` passed for JSON."""
    for size in range(1, len(text) + 1):
        monkeypatch.setattr(long_json, "_PIECE", size)
        assert outcome(outline_steps(text, 3))[0] is None


@pytest.mark.parametrize("argument", [OBJECTS, COMMAS, b'["%s",%s]' % (b"y" * 300_000, OBJECTS)])
@pytest.mark.parametrize("meta", [b"", b'"_meta" : {"progressToken":"p"} , '])
def test_a_call_in_pieces_is_that_of_the_whole(argument: bytes, meta: bytes) -> None:
    body = (CALL % argument).replace(b'"name"', meta + b'"name"')
    for one in (body, body.replace(b'"arguments":', b' "arguments" : '), body[:-1] + b"]", body.replace(b"7]", b"7,]")):
        assert outcome(long_call_steps(one))[0] == parse_long_call(one)
    assert parse_long_call(body) is not None


@pytest.mark.parametrize("argument", [OBJECTS, COMMAS], ids=["objects", "commas in texts"])
def test_no_long_part_of_a_call_is_checked_at_once(monkeypatch: pytest.MonkeyPatch, argument: bytes) -> None:
    """The window stood still for 0.13 s while 40 MB were."""
    checked: list[int] = []
    check = long_json._CHECK

    def counted(text: bytes) -> object:
        checked.append(len(text))
        return check(text)

    monkeypatch.setattr(long_json, "_CHECK", counted)
    body = CALL % argument
    call, interruptions = outcome(long_call_steps(body))
    assert call is not None
    assert call["params"]["arguments"] == b'{"x":%s}' % argument
    assert sum(checked) >= len(argument)
    assert max(checked) < 80_000
    assert interruptions >= len(body) // 70_000


def test_what_is_nested_too_deeply_is_refused() -> None:
    for depth, is_read in ((400, True), (9_000 if sys.version_info >= (3, 12) else 900, True), (20_000, False)):
        text = b"[%s0,%s%s]" % (b"[" * depth, b"1," * 100_000, b"1" + b"]" * depth)
        assert (outcome(outline_steps(text, 3))[0] is not None) is is_read
    assert outcome(outline_steps(b"[" * 200_000, 3))[0] is None


def test_a_text_of_few_commas_is_known_without_a_check() -> None:
    assert outcome(has_few_commas(b'"%s"' % (b"y" * 4_000_000)))[0]
    few, steps = outcome(has_few_commas(OBJECTS))
    assert not few
    assert steps < 10


def test_a_long_member_beside_the_arguments_is_refused() -> None:
    body = (CALL % OBJECTS).replace(b'"name"', b'"_meta":{"y":%s},"name"' % OBJECTS)
    assert outcome(long_call_steps(body))[0] is None
    assert parse_long_call(body) is None
    other = CALL.replace(b'"x"', b'"y":1,"x"') % json.dumps(list(range(400_000))).encode()
    assert outcome(long_call_steps(other))[0] == parse_long_call(other) is not None
