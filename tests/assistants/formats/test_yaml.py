"""Reading and changing YAML: what is written is what is read, and no other character is ever touched."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.assistants.formats.generated import is_one_piece_more
from toolnote_desktop.assistants.formats import yaml_reader
from toolnote_desktop.assistants.formats.base import FormatError, Node
from toolnote_desktop.assistants.formats.yaml_editor import YAML, YamlFormat

ENTRY = {"enabled": True, "cmd": "/opt/toolnote", "args": ["bridge", "--client", "goose"], "envs": {}, "timeout": 300}
LISTS = YamlFormat(by_name=frozenset({"servers"}))

CHARACTERS = st.characters(min_codepoint=32, exclude_categories=("Cs", "Cc", "Zl", "Zp", "Co", "Cn"))
TEXTS = st.one_of(st.sampled_from(["yes", "~", "1", "#", "a: b", "- c", "é"]), st.text(CHARACTERS, max_size=5))
KEYS = st.one_of(st.sampled_from(["servers", "a", "b-1", "on", "é", "", "x.y"]), TEXTS)
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(-(10**12), 10**12), TEXTS)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=3)),
    max_leaves=8,
)
SERVERS = st.dictionaries(KEYS, st.dictionaries(KEYS, VALUES, max_size=3), max_size=3)


def is_plain(text: str) -> bool:
    return text.isascii() and text.isalpha() and text.lower() not in ("true", "false", "null", "nan", "inf")


@st.composite
def yaml_texts(draw: st.DrawFn, wholes: st.SearchStrategy[Any]) -> tuple[str, Any]:
    """A value and a text that means it: block and flow, quotes, comments, gaps, line ends, indentation."""
    value, end = draw(wholes), draw(st.sampled_from(["\n", "\n", "\r\n"]))
    step, dashes = draw(st.sampled_from([2, 4])), draw(st.sampled_from([0, 2]))
    lines: list[str] = []

    def scalar(item: Any, *, flow: bool) -> str:
        if not isinstance(item, str):
            return draw(st.sampled_from(["null", "~"])) if item is None else json.dumps(item)
        if is_plain(item) and draw(st.booleans()):
            return item
        if draw(st.booleans()):
            return "'" + item.replace("'", "''") + "'"
        return json.dumps(item, ensure_ascii=False)

    def inline(item: Any) -> str:
        space = draw(st.sampled_from(["", " "]))
        if isinstance(item, dict):
            inner = [f"{scalar(key, flow=True)}: {inline(held)}" for key, held in item.items()]
            return "{" + space + ", ".join(inner) + space + "}"
        if isinstance(item, list):
            return "[" + space + ", ".join(map(inline, item)) + space + "]"
        return scalar(item, flow=True)

    def gap(indent: int) -> None:
        for _ in range(draw(st.sampled_from([0, 0, 0, 1, 2]))):
            lines.append(draw(st.sampled_from(["", " " * indent + "# a: [", "# - b"])))

    def put(start: str, item: Any, indent: int) -> None:
        behind = draw(st.sampled_from(["", "", "  # c: d"]))
        if isinstance(item, (dict, list)) and item and draw(st.integers(0, 4)) > 0:
            lines.append(start + behind)
            block(item, indent + (dashes if isinstance(item, list) and indent >= 0 else step))
        elif item is None and draw(st.booleans()):
            lines.append(start + behind)
        else:
            lines.append(f"{start} {inline(item)}{behind}")

    def block(item: Any, indent: int) -> None:
        if isinstance(item, dict):
            for key, held in item.items():
                gap(indent)
                put(f"{' ' * indent}{scalar(key, flow=False)}:", held, indent)
            return
        for held in item:
            gap(indent)
            if isinstance(held, dict) and held and draw(st.booleans()):
                first = len(lines)
                block(held, indent + 2)
                while not lines[first].strip() or lines[first].lstrip().startswith("#"):
                    del lines[first]
                lines[first] = " " * indent + "- " + lines[first][indent + 2 :]
            else:
                put(f"{' ' * indent}-", held, indent + 1)

    if draw(st.booleans()):
        lines.append("---")
    block(value, 0)
    gap(0)
    text = end.join(lines) + end
    return (text.rstrip("\r\n") if draw(st.integers(0, 3)) == 0 else text), value


def read(text: str) -> Any:
    root = yaml_reader.read(text).root
    return root.value if root else None


@settings(deadline=None, max_examples=60)
@given(yaml_texts(st.dictionaries(KEYS, VALUES, max_size=4)))
def test_reads_what_was_written_and_where(made: tuple[str, Any]) -> None:
    text, value = made
    root = yaml_reader.read(text).root
    assert (root.value if root else None) == (value or None)

    def check(node: Node) -> None:
        part = text[node.start : node.end]
        if not (node.members or node.items) or part[0] in "{[":
            assert read(part) == node.value
        for member in node.members:
            assert yaml.safe_load(f"{text[member.start : member.key_end]}: 1") is not None
            check(member.node)
        for item in node.items:
            check(item)

    if root is not None:
        check(root)


@settings(deadline=None, max_examples=60)
@given(yaml_texts(st.fixed_dictionaries({"a": VALUES}, optional={"servers": SERVERS, "z": VALUES})))
def test_an_entry_comes_and_goes_without_a_trace(made: tuple[str, Any]) -> None:
    text, value = made
    changed = YAML.with_member(text, ["servers", "toolnote"], ENTRY)
    servers = value.get("servers") or {}
    assert read(changed) == {**value, "servers": {**servers, "toolnote": ENTRY}}
    back = YAML.without_members(changed, ["servers"], lambda key, _: key == "toolnote")
    if "servers" not in value:
        back = YAML.without_members(back, [], lambda key, held: key == "servers" and held == {})
    if servers or "servers" not in value:
        assert is_one_piece_more(text, changed)
        assert back == text
    assert read(back) == value
    replaced = YAML.with_member(changed, ["servers", "toolnote"], {"uri": "https://x"})
    assert read(replaced)["servers"]["toolnote"] == {"uri": "https://x"}


NAMED = st.lists(st.fixed_dictionaries({"name": st.text("abcd", min_size=1, max_size=6)}, optional={"args": VALUES}))


@settings(deadline=None, max_examples=60)
@given(yaml_texts(st.fixed_dictionaries({"a": VALUES}, optional={"servers": NAMED, "z": VALUES})))
def test_an_item_comes_and_goes_without_a_trace(made: tuple[str, Any]) -> None:
    text, value = made
    changed = LISTS.with_member(text, ["servers", "toolnote"], ENTRY)
    assert read(changed) == {**value, "servers": [*value.get("servers", []), {"name": "toolnote", **ENTRY}]}
    back = LISTS.without_members(changed, ["servers"], lambda key, _: key == "toolnote")
    if "servers" not in value:
        back = LISTS.without_members(back, [], lambda key, held: key == "servers" and held == {})
    if value.get("servers") != []:
        assert is_one_piece_more(text, changed)
        assert back == text
    assert read(back) == value


@settings(deadline=None, max_examples=60)
@given(yaml_texts(st.fixed_dictionaries({"servers": SERVERS, "z": VALUES})), st.data())
def test_any_entry_is_taken_out_or_the_text_is_left_alone(made: tuple[str, Any], data: st.DataObject) -> None:
    text, value = made
    if not value["servers"]:
        return
    gone = data.draw(st.sampled_from(list(value["servers"])))
    changed = YAML.without_members(text, ["servers"], lambda key, _: key == gone)
    left = {key: held for key, held in value["servers"].items() if key != gone}
    assert read(changed) == {**value, "servers": left}


LAYOUTS = [
    ("", "servers:\n  t:\n    c: 1\n"),
    ("# mine", "# mine\nservers:\n  t:\n    c: 1"),
    ("---\n", "---\nservers:\n  t:\n    c: 1\n"),
    ("servers: {}\n", "servers:\n  t:\n    c: 1\n"),
    ("a: 1\r\nservers: # none\r\nb: 2\r\n", "a: 1\r\nservers: # none\r\n  t:\r\n    c: 1\r\nb: 2\r\n"),
    (
        "servers:\n    a:\n        c: 2 # x\n        # d: 3\n\n    # of b\n    b: {}\n\n# end\n",
        "servers:\n    a:\n        c: 2 # x\n        # d: 3\n\n    # of b\n    b: {}\n    t:\n      c: 1\n\n# end\n",
    ),
    ("servers: {a: {c: 2}}\n", 'servers: {a: {c: 2}, "t": {"c": 1}}\n'),
    ('{"servers": {"a": {}}}', '{"servers": {"a": {}, "t": {"c": 1}}}'),
    ("servers:\n  a: |\n    x\n\nz: |+\n  y\n\n", "servers:\n  a: |\n    x\n  t:\n    c: 1\n\nz: |+\n  y\n\n"),
    ("servers:\n  a: |+\n    x\n\n\nz: 1\n", "servers:\n  a: |+\n    x\n\n\n  t:\n    c: 1\nz: 1\n"),
    ("servers:\n  a: &d {c: 2}\n  b: *d\nz: *d\n", "servers:\n  a: &d {c: 2}\n  b: *d\n  t:\n    c: 1\nz: *d\n"),
]


@pytest.mark.parametrize(("before", "after"), LAYOUTS)
def test_a_new_entry_is_laid_out_like_its_neighbours(before: str, after: str) -> None:
    assert YAML.with_member(before, ["servers", "t"], {"c": 1}) == after


FLAGS = [
    ("servers:\n  a:\n    on: true # now\n", "servers:\n  a:\n    on: false # now\n"),
    ("servers:\n  a:\n    c: 1\n  b: {}\n", "servers:\n  a:\n    c: 1\n    on: false\n  b: {}\n"),
    ("servers: {a: {c: 1}}\n", 'servers: {a: {c: 1, "on": false}}\n'),
]


@pytest.mark.parametrize(("before", "after"), FLAGS)
def test_value_is_set(before: str, after: str) -> None:
    assert YAML.with_member(before, ["servers", "a", "on"], False).replace('"on": false\n', "on: false\n") == after


VALUES_READ = [
    ("0o17", 15),
    ("0x1F", 31),
    ("1e3", 1000.0),
    (".5", 0.5),
    ("010", 10),
    ("yes", "yes"),
    ("2026-01-02", "2026-01-02"),
    ("!!str 5", "5"),
    ("'5'", "5"),
    ("|-\n a\n b", "a\nb"),
    ("*x", 1),
    ("~", None),
]


@pytest.mark.parametrize(("text", "value"), VALUES_READ)
def test_values_are_those_of_yaml_1_2(text: str, value: Any) -> None:
    assert read(f"x: &x 1\nv: {text}\n")["v"] == value


BROKEN = [
    ("a: [1\n", 2, "expected"),
    ("a:\n  b: 1\n c: 2\n", 3, "expected"),
    ('a: "x\nb: 1\n', 1, "end of stream"),
    ("a: 1\n--- \nb: 2\n", 2, "but found another document"),
    ("a: *b\n", 1, "undefined alias"),
    ("a: &a [*a]\n", 1, "holds itself"),
    ("? [a]\n: 1\n", 1, "not text"),
    ("a: \x07\n", 1, "character"),
    ("[" * 500, 1, "deeply"),
    ("a: " + "9" * 5000, 1, "too long"),
    ("".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9) if n else 1}]\n" for n in range(9)), 1, "too many"),
]


@pytest.mark.parametrize(("text", "line", "reason"), BROKEN, ids=[reason for _, _, reason in BROKEN])
def test_syntax_error_names_its_line(text: str, line: int, reason: str) -> None:
    error = YAML.parse(text).error
    assert error is not None
    assert (error.line, reason in error.reason) == (line, True), error
    for change in (lambda: YAML.with_member(text, ["x"], {}), lambda: YAML.value(text)):
        with pytest.raises(FormatError):
            change()


REFUSED = [
    ("servers: 1\n", "servers is not an object"),
    ("- 1\n", "the whole is not an object"),
    ("d: &d {a: 1}\nservers: *d\n", "without changing something else"),
]


@pytest.mark.parametrize(("text", "reason"), REFUSED)
def test_edit_that_cannot_be_exact_is_refused(text: str, reason: str) -> None:
    with pytest.raises(FormatError, match=reason):
        YAML.with_member(text, ["servers", "t"], {"c": 1})


def test_an_anchor_that_is_needed_elsewhere_is_not_taken_out() -> None:
    with pytest.raises(FormatError, match="line 2"):
        YAML.without_members("servers:\n  a: &a {c: 1}\nz: *a\n", ["servers"], lambda key, _: key == "a")


def test_keys_and_names_that_stand_twice_are_named_with_their_line() -> None:
    parsed = LISTS.parse("a: 1\na: 2\nservers:\n  - name: x\n  - {name: x, c: 1}\n")
    assert parsed.root is not None
    assert parsed.root.value == {"a": 2, "servers": {"x": {"c": 1}}}
    assert [(one.key, one.line) for one in parsed.duplicates] == [("a", 2), ("x", 5)]


@settings(deadline=None, max_examples=60)
@given(st.text(alphabet="{}[]:-#&*!|>'\"%@ \n\r\tab1~\ufeff", max_size=20))
def test_any_text_is_read_or_refused(text: str) -> None:
    parsed = YAML.parse(text)
    if parsed.error is None:
        json.dumps(parsed.root.value if parsed.root else None)
