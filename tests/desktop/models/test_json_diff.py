"""JSON with its differences from another value marked."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolnote_desktop.desktop.models.json_diff import marked_json
from toolnote_desktop.model import json_text
from toolnote_desktop.model.hidden_characters import escaped_in_json


@pytest.mark.parametrize(
    ("value", "other", "marked"),
    [
        ({"a": 1}, {"a": 1}, []),
        ({"a": 1, "b": [2]}, {"a": 1}, ['"b": [\n    2\n  ]']),
        ({"b": 1, "c": 2}, {"a": 1, "b": 1}, ['"c": 2']),
        ({"a": {"x": 1, "y": 2}}, {"a": {"x": 3, "y": 2}}, ["1"]),
        ({"d": "one\n\ntwo"}, {"d": "one"}, ["two"]),
        ({"r": ["b"]}, {"r": ["a", "b"]}, []),
        ({"r": ["a", "b"]}, {"r": ["b"]}, ['"a"']),
        ({"n": True}, {"n": 1}, ["true"]),
        ("x", None, ['"x"']),
    ],
)
def test_text_difference_is_marked(value: Any, other: Any, marked: list[str]) -> None:
    found = marked_json(value, other)
    assert [found.text[start:end] for start, end in found.spans] == marked


VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=12,
)


@given(VALUES, VALUES)
def test_any_json_is_written_out_whole_and_marked_within_itself(value: Any, other: Any) -> None:
    found = marked_json(value, other)
    pretty = json_text.dumps_pretty(value).decode("utf-8").rstrip("\n")
    assert found.text == "\n".join(map(escaped_in_json, pretty.split("\n")))
    assert all(0 <= start < end <= len(found.text) for start, end in found.spans)
    assert marked_json(value, value).spans == ()
