"""Inputs that are nearly right: sound values and texts with something in them changed."""

from __future__ import annotations

import copy
import json
from typing import Any

from hypothesis import strategies as st

HUGE = 123456789012345678901234567890
KEYS = st.sampled_from(
    ["jsonrpc", "id", "method", "params", "result", "error", "name", "arguments", "_meta", "tools", "mcpServers"]
) | st.text(max_size=8)
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 5),
    st.sampled_from(
        [HUGE, -HUGE, 2**53 + 1, -0.0, 1e308, "", "\ud800", "a\x00b", "x" * 5000, "\u202e", "../../x", "CON"]
    ),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=12),
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=10
)


def _places(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Paths of all parts of a value, its own first."""
    found = [at]
    if isinstance(value, dict):
        for key, inner in value.items():
            found += _places(inner, (*at, key))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            found += _places(inner, (*at, number))
    return found


@st.composite
def mutated(draw: st.DrawFn, sample: Any, values: st.SearchStrategy[Any] = VALUES) -> Any:
    """The sample with one to three of its parts replaced, removed, added or put elsewhere."""
    whole = [copy.deepcopy(sample)]
    for _ in range(draw(st.integers(1, 3))):
        places = _places(whole[0], (0,))
        place = draw(st.sampled_from(places))
        around: Any = whole
        for step in place[:-1]:
            around = around[step]
        what = draw(st.sampled_from(["replace", "replace", "remove", "add", "copy"]))
        target = around[place[-1]]
        if what == "remove" and len(place) > 1:
            del around[place[-1]]
        elif what == "add" and isinstance(target, dict):
            target[draw(KEYS)] = draw(values)
        elif what == "add" and isinstance(target, list):
            target.append(draw(values))
        elif what == "copy":
            other = draw(st.sampled_from(places))
            part: Any = whole
            for step in other:
                part = part[step]
            around[place[-1]] = copy.deepcopy(part)
        else:
            around[place[-1]] = draw(values)
    return whole[0]


@st.composite
def json_texts(draw: st.DrawFn, values: st.SearchStrategy[Any]) -> bytes:
    """JSON of a value, now and then with something in it that no writer of JSON would write."""
    text = json.dumps(draw(values), ensure_ascii=draw(st.booleans())).encode("utf-8", "surrogatepass")
    return draw(spoilt(st.just(text)))


@st.composite
def spoilt(draw: st.DrawFn, texts: st.SearchStrategy[bytes]) -> bytes:
    """A text as it is, or cut short, or with a piece in it replaced, put in or repeated."""
    text = draw(texts)
    what = draw(st.sampled_from(["keep", "keep", "keep", "cut", "put", "replace", "repeat", "bytes"]))
    start = draw(st.integers(0, len(text)))
    end = draw(st.integers(start, min(len(text), start + 40)))
    odd = draw(st.sampled_from(ODD) | st.binary(max_size=8))
    return {
        "keep": text,
        "cut": text[:start],
        "put": text[:start] + odd + text[start:],
        "replace": text[:start] + odd + text[end:],
        "repeat": text[:end] + text[start:],
        "bytes": odd,
    }[what]


ODD = [
    b"\xff",
    b"\x00",
    b"\xed\xa0\x80",
    b"NaN",
    b"-Infinity",
    b"1e999",
    b"\\ud800",
    b'"id":1,"id":2,',
    b"[" * 100_000,
    b'{"a":' * 20_000,
    b"\xef\xbb\xbf",
    b"\r\n",
    b"\xe2\x80\xa8",
    str(HUGE).encode(),
    b"/*",
    b"//",
    b"&a *a",
    b"${",
    b"'''",
]
