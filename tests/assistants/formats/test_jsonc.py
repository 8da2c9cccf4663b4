"""Reading and changing JSON with comments: the same values as ``json``, and no other character ever touched."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.assistants.formats.generated import KEYS, OBJECTS, VALUES, Text, jsonc_texts
from toolnote_desktop.assistants.formats import jsonc_reader
from toolnote_desktop.assistants.formats.base import FormatError, Node
from toolnote_desktop.assistants.formats.jsonc_editor import JSON

ENTRY = {"command": "/opt/toolnote", "args": ["bridge", "--client", "cursor"]}
NEW_KEY = "toolnote"


def read(text: str) -> Any:
    parsed = jsonc_reader.parse(text)
    assert parsed.error is None, parsed.error
    return parsed.root.value if parsed.root else None


def without_space(text: str) -> str:
    return re.sub(r"[\s,{}]", "", text)


@settings(deadline=None, max_examples=60)
@given(jsonc_texts(VALUES))
def test_reads_what_was_written(made: Text) -> None:
    assert read(made.text) == made.value
    assert JSON.value(made.text) == made.value


@settings(deadline=None, max_examples=60)
@given(jsonc_texts())
def test_value_positions_are_exact(made: Text) -> None:
    root = jsonc_reader.parse(made.text).root
    assert root is not None

    def check(node: Node) -> None:
        assert read(made.text[node.start : node.end]) == node.value
        assert node.line == len(re.split(r"\r\n|\n|\r", made.text[: node.start]))
        for member in node.members:
            assert json.loads(made.text[member.start : member.key_end]) == member.key
            assert member.comma is None or made.text[member.comma] == ","
            check(member.node)
        for item in node.items:
            check(item)

    check(root)


@settings(deadline=None, max_examples=60)
@given(jsonc_texts(), VALUES)
def test_a_new_member_comes_and_goes_without_a_trace(made: Text, value: Any) -> None:
    changed = JSON.with_member(made.text, ["new"], value)
    assert read(changed) == {**made.value, "new": value}
    assert list(read(changed)) == list({**made.value, "new": value})
    back = JSON.without_members(changed, [], lambda key, _: key == "new")
    if "new" not in made.value and made.value:
        assert back == made.text
    assert read(back) == {key: held for key, held in made.value.items() if key != "new"}


@settings(deadline=None, max_examples=60)
@given(jsonc_texts(st.fixed_dictionaries({"mcpServers": OBJECTS, "z": VALUES})))
def test_a_nested_member_comes_and_goes_without_a_trace(made: Text) -> None:
    if NEW_KEY in made.value["mcpServers"]:
        return
    changed = JSON.with_member(made.text, ["mcpServers", NEW_KEY], ENTRY)
    assert read(changed) == {**made.value, "mcpServers": {**made.value["mcpServers"], NEW_KEY: ENTRY}}
    back = JSON.without_members(changed, ["mcpServers"], lambda key, _: key == NEW_KEY)
    assert read(back) == made.value
    if made.value["mcpServers"]:
        assert back == made.text


@settings(deadline=None, max_examples=60)
@given(jsonc_texts(st.fixed_dictionaries({"a": OBJECTS, "z": VALUES})), st.sampled_from([[], ["a"], ["a", "b"], ["q"]]))
def test_following_a_path_gives_the_same_there(made: Text, path: list[str]) -> None:
    whole, part = jsonc_reader.parse(made.text).root, jsonc_reader.parse(made.text, path).root
    assert whole is not None
    assert part is not None
    for length in range(len(path) + 1):
        one, other = whole.at(path[:length]), part.at(path[:length])
        if one is None or other is None:
            assert one is other
            return
        assert (one.value, one.start, one.end, one.line) == (other.value, other.start, other.end, other.line)
        assert [(m.key, m.start, m.comma, m.node.end, m.node.line) for m in one.members] == [
            (m.key, m.start, m.comma, m.node.end, m.node.line) for m in other.members
        ]


@settings(deadline=None, max_examples=60)
@given(jsonc_texts(), st.data())
def test_taking_one_out_leaves_the_rest(made: Text, data: st.DataObject) -> None:
    if not made.value:
        return
    key = data.draw(st.sampled_from(list(made.value)))
    changed = JSON.without_members(made.text, [], lambda name, _: name == key)
    assert read(changed) == {name: value for name, value in made.value.items() if name != key}
    removed = without_space(made.text)
    for character in without_space(changed):  # nothing new, nothing moved: what is left is a subsequence
        removed = removed[removed.index(character) + 1 :]


@settings(deadline=None, max_examples=60)
@given(jsonc_texts(), st.data(), VALUES)
def test_replacing_changes_the_value_alone(made: Text, data: st.DataObject, value: Any) -> None:
    if not made.value:
        return
    key = data.draw(st.sampled_from(list(made.value)))
    root = jsonc_reader.parse(made.text).root
    assert root is not None
    node = root.get(key)
    assert node is not None
    changed = JSON.with_member(made.text, [key], value)
    assert read(changed) == {**made.value, key: value}
    assert changed.startswith(made.text[: node.start])
    assert changed.endswith(made.text[node.end :])


@settings(deadline=None, max_examples=60)
@given(st.text(alphabet='{}[]",:/*\\ \n\r1ea-.ntrufls\ufeff', max_size=30))
def test_any_text_is_read_or_refused_like_json(text: str) -> None:
    parsed = jsonc_reader.parse(text)
    try:
        value = json.loads(text, parse_constant=jsonc_reader.refuse_constant)
    except ValueError:
        return  # comments and trailing commas are more than json takes: the tests above
    assert parsed.error is None
    assert parsed.root is not None
    assert parsed.root.value == value


@settings(deadline=None, max_examples=60)
@given(jsonc_texts(), st.integers(0, 200))
def test_a_text_cut_short_keeps_what_stands_before(made: Text, length: int) -> None:
    parsed = jsonc_reader.parse(made.text[:length])
    if parsed.root is None or parsed.error is None:
        return
    for member in parsed.root.members:
        if member.node.complete and not isinstance(member.node.value, (int, float)):
            assert member.node.value == made.value[member.key]


LAYOUTS = [
    ('{\n  "mcpServers": {}\n}', '{\n  "mcpServers": {\n    "t": {\n      "c": 1\n    }\n  }\n}'),
    ('{"mcpServers":{"a":{}}}', '{"mcpServers":{"a":{},"t":{"c":1}}}'),
    ('{"mcpServers": {"a": {}}}', '{"mcpServers": {"a": {}, "t": {"c": 1}}}'),
    ('{"mcpServers":{}}', '{"mcpServers":{"t":{"c":1}}}'),
    ("", '{\n  "mcpServers": {\n    "t": {\n      "c": 1\n    }\n  }\n}\n'),
    ("{}", '{\n  "mcpServers": {\n    "t": {\n      "c": 1\n    }\n  }\n}'),
    ("// mine\n", '// mine\n{\n  "mcpServers": {\n    "t": {\n      "c": 1\n    }\n  }\n}\n'),
    (
        '{\r\n\t"mcpServers": {\r\n\t\t"a": 1, // last, for now\r\n\t\t// "b": 2\r\n\t},\r\n\t"z": 1\r\n}',
        '{\r\n\t"mcpServers": {\r\n\t\t"a": 1, // last, for now\r\n\t\t"t": {\r\n\t\t\t"c": 1\r\n\t\t},\r\n\t\t'
        '// "b": 2\r\n\t},\r\n\t"z": 1\r\n}',
    ),
    (
        '{\n    "mcpServers": {\n        "a": 1 // last\n    }\n}\n',
        '{\n    "mcpServers": {\n        "a": 1, // last\n        "t": {\n            "c": 1\n        }\n    }\n}\n',
    ),
    (
        '{\n  "mcpServers": {\n    // none yet\n  }\n}\n',
        '{\n  "mcpServers": {\n    // none yet\n    "t": {\n      "c": 1\n    }\n  }\n}\n',
    ),
    ('{\n  "mcpServers": null\n}\n', '{\n  "mcpServers": {\n    "t": {\n      "c": 1\n    }\n  }\n}\n'),
    (
        '{\n  "theme": "dark"\n}\n',
        '{\n  "theme": "dark",\n  "mcpServers": {\n    "t": {\n      "c": 1\n    }\n  }\n}\n',
    ),
]


@pytest.mark.parametrize(("before", "after"), LAYOUTS)
def test_a_new_member_is_laid_out_like_its_neighbours(before: str, after: str) -> None:
    assert JSON.with_member(before, ["mcpServers", "t"], {"c": 1}) == after


def test_comments_of_others_stay_when_a_member_goes() -> None:
    text = '{\n  // one\n  "a": 1, // after a\n  // two\n  "t": 2 /* mine? */, // after t\n  "b": 3\n}'
    assert JSON.without_members(text, [], lambda key, _: key == "t") == (
        '{\n  // one\n  "a": 1, // after a\n  // two\n  /* mine? */ // after t\n  "b": 3\n}'
    )
    assert JSON.without_members('{\n  "a": 1, // c\n  "t": 2\n}', [], lambda key, _: key == "t") == (
        '{\n  "a": 1 // c\n}'
    )


BROKEN = [
    ('{\n  "a": {\n    "b": 1\n}', 4, "ends"),
    ('{\n  "a" 1\n}', 2, '":"'),
    ("{\n  a: 1\n}", 2, "key in double quotes"),
    ('{\n  "a": 1\n  "b": 2\n}', 3, "something else"),
    ('{\n  "a": "x\n}', 2, "control character"),
    ('{"a": NaN}', 1, "NaN"),
    ('{"a": 1} x', 1, "after the end"),
    ('{"a": /* 1}', 1, "comment is not closed"),
    ("[" * 5000, 1, "deeply"),
    ('{"a": ' * 5000, 1, "deeply"),
    ('{"a": \n}', 2, "value is expected"),
    ('{"a": ' + "9" * 5000 + "}", 1, "too long"),
]


@pytest.mark.parametrize(("text", "line", "reason"), BROKEN)
def test_syntax_error_names_its_line(text: str, line: int, reason: str) -> None:
    error = jsonc_reader.parse(text).error
    assert error is not None
    assert (error.line, reason in error.reason) == (line, True), error
    with pytest.raises(FormatError):
        JSON.with_member(text, ["x"], 1)
    with pytest.raises(FormatError):
        JSON.value(text)


def test_non_object_is_never_overwritten() -> None:
    with pytest.raises(FormatError, match="mcpServers is not an object") as caught:
        JSON.with_member('{\n  "mcpServers": [1]\n}', ["mcpServers", "t"], {})
    assert caught.value.line == 2
    with pytest.raises(FormatError, match="the whole is not an object"):
        JSON.with_member("[]", ["mcpServers", "t"], {})


def test_keys_that_stand_twice_are_named_with_their_line() -> None:
    parsed = jsonc_reader.parse('{\n  "a": 1,\n  "b": {"c": 1,\n "c": 2},\n  "a": 3\n}')
    assert parsed.root is not None
    assert parsed.root.value == {"a": 3, "b": {"c": 2}}
    assert [(duplicate.key, duplicate.line) for duplicate in parsed.duplicates] == [("c", 4), ("a", 5)]


@settings(deadline=None, max_examples=60)
@given(KEYS)
def test_a_lone_surrogate_is_written_as_an_escape(key: str) -> None:
    changed = JSON.with_member("{}", [key, "\udc80"], "\ud800x")
    changed.encode()
    assert read(changed) == {key: {"\udc80": "\ud800x"}}
