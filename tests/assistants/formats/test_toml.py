"""Reading and changing TOML: the same values as the standard library, and no other character ever touched."""

from __future__ import annotations

import json
import tomllib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.assistants.formats.generated import is_one_piece_more
from toolnote_desktop.assistants.formats import toml_reader
from toolnote_desktop.assistants.formats.base import FormatError, Node
from toolnote_desktop.assistants.formats.toml_editor import TOML

ENTRY = {"command": "/opt/toolnote", "args": ["bridge", "--client", "codex"]}
WHERE = ["mcp_servers", "toolnote"]

TEXTS = st.text(st.characters(codec="utf-8"), max_size=5)
KEYS = st.one_of(st.sampled_from(["mcp_servers", "a", "b-1", "é", 'q"', "", "x.y"]), TEXTS)
SCALARS = st.one_of(
    st.booleans(), st.integers(-(2**60), 2**60), st.floats(allow_nan=False, allow_infinity=False), TEXTS
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=3)),
    max_leaves=8,
)
WHOLES = st.dictionaries(KEYS, VALUES, max_size=4)
SERVERS = st.dictionaries(KEYS, st.dictionaries(KEYS, VALUES, max_size=3), max_size=3)


def key_text(draw: st.DrawFn, key: str) -> str:
    if key and key.isascii() and key.replace("-", "").replace("_", "").isalnum() and draw(st.booleans()):
        return key
    return string_text(draw, key)


def string_text(draw: st.DrawFn, text: str) -> str:
    plain = text.isprintable() and "'" not in text
    return (
        f"'{text}'"
        if plain and draw(st.booleans())
        else json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
    )


def scalar_text(draw: st.DrawFn, value: Any) -> str:
    if not isinstance(value, str):
        return json.dumps(value)
    odd = any(ord(character) < 32 or character in '\x7f"\\' for character in value)
    return f'"""\n{value}"""' if not odd and draw(st.integers(0, 4)) == 0 else string_text(draw, value)


@st.composite
def toml_texts(draw: st.DrawFn, wholes: st.SearchStrategy[dict[str, Any]] = WHOLES) -> tuple[str, dict[str, Any]]:
    """A value and a text that means it: tables in any style, comments, line ends, gaps."""
    value, end = draw(wholes), draw(st.sampled_from(["\n", "\r\n"]))
    gaps = st.sampled_from(["", "", "", end, f"# a = [{end}", f"  {end}\t# [b]{end}{end}"])
    behind = st.sampled_from(["", "", "  ", " # 'x"])
    lines: list[str] = []

    def inline(item: Any) -> str:
        if isinstance(item, dict):
            inner = [f"{key_text(draw, key)} = {inline(held)}" for key, held in item.items()]
            return "{ " + ", ".join(inner) + " }" if inner else "{}"
        if isinstance(item, list):
            space = draw(st.sampled_from(["", " ", f"{end} # one,{end} "]))
            comma = draw(st.sampled_from(["", ","])) if item else ""
            return "[" + ",".join(space + inline(held) for held in item) + comma + space + "]"
        return scalar_text(draw, item).replace("\n", end) if end not in json.dumps(item) else json.dumps(item)

    def table(held: dict[str, Any], path: list[str]) -> None:
        later = {}
        for key, inner in held.items():
            if isinstance(inner, dict) and draw(st.integers(0, 3)) > 0:
                later[key] = inner
            else:
                lines.append(draw(gaps) + f"{key_text(draw, key)} = {inline(inner)}{draw(behind)}{end}")
        for key, inner in later.items():
            header = ".".join(key_text(draw, part) for part in [*path, key])
            lines.append(draw(gaps) + f"[{header}]{draw(behind)}{end}")
            table(inner, [*path, key])

    table(value, [])
    text = "".join(lines) + draw(gaps)
    if draw(st.booleans()) and text.strip() and not text.rstrip("\r\n").endswith('"""'):
        text = text.rstrip("\r\n")
    return text, value


@settings(deadline=None, max_examples=60)
@given(toml_texts())
def test_reads_what_was_written_and_where(made: tuple[str, dict[str, Any]]) -> None:
    text, value = made
    assert tomllib.loads(text) == value, "the generator is right"
    read = toml_reader.read(text)
    assert read.root.value == value

    def check(node: Node) -> None:
        if not isinstance(node.value, dict):
            assert tomllib.loads(f"x = {text[node.start : node.end]}")["x"] == node.value
        assert node.line == text.count("\n", 0, node.start) + 1
        for member in node.members:
            check(member.node)
        for item in node.items:
            check(item)

    check(read.root)


@settings(deadline=None, max_examples=60)
@given(toml_texts(st.fixed_dictionaries({"a": VALUES}, optional={"mcp_servers": SERVERS, "z": VALUES})))
def test_an_entry_comes_and_goes_without_a_trace(made: tuple[str, dict[str, Any]]) -> None:
    text, value = made
    changed = TOML.with_member(text, WHERE, ENTRY)
    servers = value.get("mcp_servers", {})
    assert tomllib.loads(changed) == {**value, "mcp_servers": {**servers, "toolnote": ENTRY}}
    assert is_one_piece_more(text, changed)
    back = TOML.without_members(changed, WHERE[:1], lambda key, _: key == "toolnote")
    if servers or "mcp_servers" not in value:
        assert back == text
    replaced = TOML.with_member(changed, WHERE, {"url": "https://x", "enabled": False})
    assert tomllib.loads(replaced)["mcp_servers"]["toolnote"] == {"url": "https://x", "enabled": False}
    assert TOML.with_member(replaced, WHERE, ENTRY) == changed


@settings(deadline=None, max_examples=60)
@given(toml_texts(st.fixed_dictionaries({"mcp_servers": SERVERS, "z": VALUES})), st.data())
def test_any_entry_is_taken_out_or_left_alone(made: tuple[str, dict[str, Any]], data: st.DataObject) -> None:
    text, value = made
    servers = value["mcp_servers"]
    if not servers:
        return
    gone = data.draw(st.sampled_from(list(servers)))
    changed = TOML.without_members(text, WHERE[:1], lambda key, _: key == gone)
    left = {key: held for key, held in servers.items() if key != gone}
    assert (tomllib.loads(changed).get("mcp_servers") or {}) == left
    rest = iter(text)
    assert all(character in rest for character in changed), "nothing new, nothing moved"


FLAGS = [
    ("[mcp_servers.a]\nenabled = true # now\n", "[mcp_servers.a]\nenabled = false # now\n"),
    ('[mcp_servers.a]\ncommand = "x" # x\n[b]\n', '[mcp_servers.a]\ncommand = "x" # x\nenabled = false\n[b]\n'),
    ("[mcp_servers.a.env]\nA = 'b'\n", None),
    ('mcp_servers.a = { command = "x" }\n', 'mcp_servers.a = { command = "x", enabled = false }\n'),
    ('[mcp_servers]\na.command = "x"\n', '[mcp_servers]\na.command = "x"\na.enabled = false\n'),
]


@pytest.mark.parametrize(("before", "after"), FLAGS)
def test_value_is_set(before: str, after: str | None) -> None:
    changed = TOML.with_member(before, ["mcp_servers", "a", "enabled"], False)
    assert tomllib.loads(changed)["mcp_servers"]["a"]["enabled"] is False
    if after is not None:
        assert changed == after


LAYOUTS = [
    ("", "[mcp_servers.t]\nc = 1\n"),
    ("# mine", "# mine\n\n[mcp_servers.t]\nc = 1"),
    ("a = 1\r\n", "a = 1\r\n\r\n[mcp_servers.t]\r\nc = 1\r\n"),
    ("mcp_servers = {}\n", "mcp_servers = { t = { c = 1 } }\n"),
    (
        "[mcp_servers.a]\nc = 2\n# d = 3\n\n# of z\n[z]\n",
        "[mcp_servers.a]\nc = 2\n# d = 3\n\n[mcp_servers.t]\nc = 1\n\n# of z\n[z]\n",
    ),
    ("[mcp_servers]\n\n[z]\n", "[mcp_servers]\n\n[mcp_servers.t]\nc = 1\n\n[z]\n"),
    ("mcp_servers.a.c = 2\n[z]\n", "mcp_servers.a.c = 2\n[z]\n\n[mcp_servers.t]\nc = 1\n"),
]


@pytest.mark.parametrize(("before", "after"), LAYOUTS)
def test_a_new_table_stands_beside_its_like(before: str, after: str) -> None:
    assert TOML.with_member(before, ["mcp_servers", "t"], {"c": 1}) == after
    back = TOML.without_members(after, ["mcp_servers"], lambda key, _: key == "t")
    assert back == before


def test_table_in_several_places_is_removed_whole() -> None:
    text = "[m.t]\nc = 1\n\n[z]\n# of z\n\n[m.t.env]\nA = 'b' # c\n\n[m.t.env.x]\n\n[m.a]\nq = [\n1, # 2\n]\n"
    assert TOML.without_members(text, ["m"], lambda key, _: key == "t") == ("[z]\n# of z\n\n[m.a]\nq = [\n1, # 2\n]\n")
    changed = TOML.with_member(text, ["m", "t"], {"c": 2})
    assert tomllib.loads(changed) == {"m": {"t": {"c": 2}, "a": {"q": [1]}}, "z": {}}


def test_values_of_all_types_are_read() -> None:
    text = """a = 1979-05-27 07:32:00Z
b = 07:32:00
c = [1979-05-27, '''x'y''', inf, 0x_ff]
[[d]]
e.f = 1
[[d]]
[d.e]
"g h" = ""
[m.n]
[m]
o = { p.q = [ { r = 1 } ], }
""".replace("0x_ff", "0xff").replace(", }", " }")
    read = toml_reader.read(text)
    assert read.root.value["d"] == [{"e": {"f": 1}}, {"e": {"g h": ""}}]
    assert read.root.value["a"] == "1979-05-27T07:32:00+00:00"
    assert read.root.value["c"][1] == "x'y"
    assert TOML.with_member(text, ["m", "t"], {"c": 1}).count("[m.t]") == 1


BROKEN = [
    ("a = \n", 1, "invalid value"),
    ("[a]\nb = 1\n[a]\n", 3, "cannot declare"),
    ("a = 1\na = 2\n", 2, "cannot overwrite"),
    ("a = 'x", 1, "expected"),
    ("a = " + "[" * 5000, 1, "deeply"),
    ("a = " + "9" * 5000, 1, "too long"),
]


@pytest.mark.parametrize(("text", "line", "reason"), BROKEN)
def test_syntax_error_names_its_line(text: str, line: int, reason: str) -> None:
    error = TOML.parse(text).error
    assert error is not None
    assert (error.line, reason in error.reason) == (line, True), error
    for change in (lambda: TOML.with_member(text, ["x"], {}), lambda: TOML.value(text)):
        with pytest.raises(FormatError):
            change()


REFUSED = [
    ("mcp_servers = 1\n", "mcp_servers is not a table"),
    ("[[mcp_servers]]\na = 1\n", "mcp_servers is not a table"),
    ("[mcp_servers]\na.b.c = 1\n[mcp_servers.a]\n", "cannot"),
]


@pytest.mark.parametrize(("text", "reason"), REFUSED)
def test_edit_that_cannot_be_exact_is_refused(text: str, reason: str) -> None:
    with pytest.raises(FormatError, match=reason):
        TOML.with_member(text, ["mcp_servers", "toolnote"], ENTRY)


@settings(deadline=None, max_examples=60)
@given(st.text(alphabet="[]{}=.\"'\\#, \n\r1aeT:-é\ufeff", max_size=25))
def test_any_text_is_read_or_refused_like_the_standard_library_does(text: str) -> None:
    try:
        value = tomllib.loads(text)
    except ValueError:
        assert TOML.parse(text).error is not None
        return
    parsed = TOML.parse(text)
    assert parsed.error is None
    assert parsed.root is None or set(parsed.root.value) == set(value)
