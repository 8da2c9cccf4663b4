"""JSON in and out without loss, and JavaScript's own spelling of it."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolnote_desktop.model import json_text

TABLE: dict[str, Any] = json.loads((Path(__file__).parent / "javascript_table.json").read_text(encoding="utf-8"))

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(st.characters())
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(st.characters()), inner, max_size=4)
)


@pytest.mark.parametrize(("text", "expected"), TABLE["texts"])
def test_javascript_stringify_says_what_node_said(text: str, expected: str) -> None:
    assert json_text.javascript_stringify(json_text.loads(text)) == expected


odd = st.sampled_from([1e16, 1e21, -0.0, 1.0, 2**53 + 1, 10**15, 10**16, -7, "1.5", "see 3e4", "2026-01-01", "10"])
keys = st.sampled_from(["0", "12", "012", "-1", "1a", "a1", "4294967294", "4294967295", "a"])


@given(st.recursive(scalars | odd, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner)))
def test_the_quick_way_says_what_the_exact_one_says(value: Any) -> None:
    pieces: list[str] = []
    json_text._stringify(value, pieces)
    assert json_text.javascript_stringify(value) == "".join(pieces)


@pytest.mark.parametrize("text", ['{"a":[1,-2,true,null,"é"],"tool_0001":"Ends in 5. Then on"}', "[]", '"note-1"'])
def test_tool_json_takes_the_fast_path(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_text, "_stringify", None)
    assert json_text.javascript_stringify(json_text.loads(text)) == text


def test_the_stored_table_covers_what_is_easy_to_get_wrong() -> None:
    said = dict(TABLE["texts"])
    assert said["1.0"] == "1"
    assert said["1e21"] == "1e+21"
    assert said["1e999"] == "null"
    assert said['{"2":"two","b":1,"10":"ten","1":"one","a":2}'] == '{"1":"one","2":"two","10":"ten","b":1,"a":2}'
    assert len(said) > 80


def test_javascript_stringify_refuses_what_is_no_json() -> None:
    with pytest.raises(TypeError, match="set"):
        json_text.javascript_stringify({"a": {1}})


@given(values)
def test_written_json_reads_the_same(value: Any) -> None:
    assert json_text.loads(json_text.dumps(value)) == value
    assert json_text.loads(json_text.dumps_pretty(value)) == value


@given(values)
def test_dumps_is_valid_utf8_and_stable(value: Any) -> None:
    data = json_text.dumps(value)
    data.decode("utf-8")
    assert json_text.dumps(json_text.loads(data)) == data


@pytest.mark.parametrize(
    ("value", "compact"),
    [
        (float("inf"), b"1e999"),
        ([float("-inf"), "Infinity", float("inf")], b'[-1e999,"Infinity",1e999]'),
        ({"a": float("inf"), "Infinity": "-Infinity, "}, b'{"a":1e999,"Infinity":"-Infinity, "}'),
        ({"a": [[float("inf")]]}, b'{"a":[[1e999]]}'),
        (["Infinity"], b'["Infinity"]'),
    ],
)
def test_numbers_beyond_a_double_stay_numbers(value: Any, compact: bytes) -> None:
    assert json_text.dumps(value) == compact
    assert json.loads(json_text.dumps_pretty(value)) == value


def test_integers_of_any_size_and_lone_surrogates_are_kept() -> None:
    text = b'{"n":123456789012345678901234567890,"s":"\\ud800 \xc3\xa9"}'
    assert json_text.dumps(json_text.loads(text)) == text


def test_pretty_is_the_form_of_the_documents() -> None:
    assert json_text.dumps_pretty({"a": ["é"], "b": {}}) == '{\n  "a": [\n    "é"\n  ],\n  "b": {}\n}\n'.encode()


@pytest.mark.parametrize(
    "text",
    ["", "{", "nope", "NaN", "[Infinity]", '{"a":-Infinity}', "{'a':1}", b"\xff\xfe\xfd", '{"a":1}x', "[" * 200_000],
)
def test_invalid_json_is_a_value_error(text: str | bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - the text is the parser's own
        json_text.loads(text)
    with pytest.raises(ValueError):  # noqa: PT011
        json_text.loads_with_duplicates(text)


def test_duplicate_keys_are_told_and_the_last_counts() -> None:
    value, duplicates = json_text.loads_with_duplicates('{"a":1,"b":{"c":1,"c":2},"a":3}')
    assert value == {"a": 3, "b": {"c": 2}}
    assert sorted(duplicates) == ["a", "c"]


def nested(levels: int, inmost: Any = None) -> Any:
    value = inmost
    for level in range(levels):
        value = [value] if level % 2 else {"a": value}
    return value


@pytest.mark.parametrize("inmost", [0, "Infinity", 1e999, -1e999, 10**30, "\ud800"])
def test_nesting_up_to_the_limit_is_written_and_read_again(inmost: Any) -> None:
    value = nested(json_text.MAX_NESTING, inmost)
    assert not json_text.exceeds_max_nesting(value)
    for text in (json_text.dumps(value), json_text.dumps_pretty(value)):
        assert json_text.loads_with_duplicates(text)[0] == value
    assert json_text.javascript_stringify(value)
    assert json_text.is_identical_json(value, nested(json_text.MAX_NESTING, inmost))


def test_nesting_over_the_limit_is_refused_for_writing() -> None:
    deep = "[" * (json_text.MAX_NESTING + 1) + "]" * (json_text.MAX_NESTING + 1)
    assert json_text.exceeds_max_nesting(json_text.loads(deep))
    with pytest.raises(ValueError, match="nested too deeply"):
        json_text.loads_with_duplicates(deep)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ({"a": True}, {"a": 1}, False),
        ({"a": [0]}, {"a": [False]}, False),
        ({"a": 1}, {"a": 1.0}, False),
        ({"a": 10**30}, {"a": float(10**30)}, False),
        ({"a": 1e999}, {"a": None}, False),
        ({"a": "\ud800"}, {"a": "\ud800"}, True),
        ({"a": 1}, {"a": 2}, False),
    ],
)
def test_javascript_spelling_is_matched(one: Any, other: Any, same: bool) -> None:
    assert json_text.is_identical_json(one, other) is same


def test_written_text_takes_its_own_size() -> None:
    """Seen red with orjson's own texts, of 4 KB each: a list of 10,000 tools took 40 MB."""
    tracemalloc.start()
    try:
        kept = [json_text.dumps({"name": f"t{number}", "inputSchema": {}}) for number in range(1_000)]
        taken = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert taken < 5 * sum(map(len, kept))
