"""JSON texts as people and programs write them, made by hypothesis together with what they mean."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

KEYS = st.one_of(st.sampled_from(["mcpServers", "servers", "a", "b", "é", 'q"', "toolnot"]), st.text(max_size=4))
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**20), 10**20),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=6),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=4)),
    max_leaves=12,
)
OBJECTS = st.dictionaries(KEYS, VALUES, max_size=5)


@dataclass(frozen=True)
class Text:
    """A JSON text with comments and the value in it."""

    text: str
    value: Any


@st.composite
def jsonc_texts(draw: st.DrawFn, values: st.SearchStrategy[Any] = OBJECTS) -> Text:
    """``values`` written with random space, comments, line ends and trailing commas."""
    value = draw(values)
    end = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    comment = draw(st.sampled_from([0, 0, 1, 3]))
    trailing = draw(st.booleans())
    space = st.sampled_from(["", "", "", " ", "\t", end, end + "  ", end + "\t", end + end + "    "])
    comments = st.sampled_from(["/**/", "/* a, { */", f'// b }} "{end}', f"/* c{end} */", f"//{end}"])

    def gap() -> str:
        pieces = [draw(space)]
        if comment and draw(st.integers(0, 8)) < comment:
            pieces += [draw(comments), draw(space)]
        return "".join(pieces)

    def comma_after(position: int, count: int) -> str:
        return "," if position < count - 1 or (trailing and draw(st.booleans())) else ""

    def write(item: Any) -> str:
        if isinstance(item, dict):
            members = [
                f"{gap()}{json.dumps(key, ensure_ascii=draw(st.booleans()))}{gap()}:{gap()}{write(inner)}{gap()}"
                + comma_after(position, len(item))
                for position, (key, inner) in enumerate(item.items())
            ]
            return "{" + "".join(members) + gap() + "}"
        if isinstance(item, list):
            items = [f"{gap()}{write(inner)}{gap()}" + comma_after(n, len(item)) for n, inner in enumerate(item)]
            return "[" + "".join(items) + gap() + "]"
        return json.dumps(item, ensure_ascii=draw(st.booleans()))

    return Text(gap() + write(value) + gap(), value)


def well_laid(value: Any, indent: str | None, end: str) -> str:
    """As programs write it: one member a line (or all in one), a line end at the end."""
    return json.dumps(value, indent=indent, ensure_ascii=False).replace("\n", end) + end


def is_one_piece_more(old: str, new: str) -> bool:
    """Whether ``new`` is ``old`` with one piece put in."""
    more = len(new) - len(old)
    return any(new[:at] + new[at + more :] == old for at in range(len(old) + 1))
