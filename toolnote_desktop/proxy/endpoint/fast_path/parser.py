"""A plain ``tools/call`` read out of its bytes: who asks, for which tool, and the params as they go up (docs/architecture.md).

What clients write has one of two shapes. In those everything but the id and the params is known byte for byte, so that
one reading of the params says all; other shapes are read whole, and what was taken out of them is read again to see
that it says the same.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, NamedTuple

import orjson

from toolnote_desktop.model import json_text
from toolnote_desktop.model.json_text import JsonObject

# As the SDKs of Python, Go, Rust and Java write requests, and as the TypeScript SDK does. The ids are such that their
# text is what any writer makes of them.
_ID = rb'(0|-?[1-9]\d{0,15}|"[ !#-\[\]-~]*")'
_ID_FIRST = re.compile(
    rb'\{"jsonrpc": ?"2\.0", ?"id": ?%s, ?"method": ?"tools/call", ?"params": ?(\{.*\})\}' % _ID, re.S
)
_ID_LAST = re.compile(
    rb'\{"method": ?"tools/call", ?"params": ?(\{.*\}), ?"jsonrpc": ?"2\.0", ?"id": ?%s\}' % _ID, re.S
)

_PARAMS = b'"params":'
_BEHIND_PARAMS = (b',"jsonrpc"', b',"id"', b',"method"')


class PlainCall(NamedTuple):
    """A call.

    Attributes:
        params: decoded.
        raw: the params as they came, if the request has one of the two shapes.
    """

    request_id: int | str
    params: JsonObject
    raw: bytes | None = None


def usual_call(body: bytes) -> PlainCall | None:
    """The call, if ``body`` is one in one of the two usual shapes."""
    if (found := _ID_FIRST.fullmatch(body)) is not None:
        identity, raw = found.groups()
    elif (found := _ID_LAST.fullmatch(body)) is not None:
        raw, identity = found.groups()
    else:
        return None
    try:
        params = orjson.loads(raw)
    except orjson.JSONDecodeError:
        return None
    return PlainCall(int(identity) if identity[0] != 34 else identity[1:-1].decode("ascii"), params, raw)


def renamed(call: PlainCall, body: bytes, name: str, own_name: str) -> bytes | None:
    """The raw ``params`` with the tool's own name in them, everything else as it came.

    None where the text is not in one of the shapes that can be changed with certainty.
    """
    if call.raw is None:
        return _found(body, call.params, name, own_name)
    outcome = _with_name(call.raw, name, own_name)
    if outcome is None or (call.raw.count(b'"name"') == 1 and b"\\u" not in call.raw):
        return outcome  # the key stands there once: it is the one that was changed
    return _checked(outcome, call.params, own_name)


def _found(body: bytes, params: JsonObject, name: str, own_name: str) -> bytes | None:
    start = body.find(_PARAMS)
    if start < 0:
        return None
    raw = body[start + len(_PARAMS) :].strip()
    ends = [place for mark in _BEHIND_PARAMS if (place := raw.rfind(mark)) > 0]
    for end in (len(raw) - 1, *sorted(ends)):
        candidate = _with_name(raw[:end].strip(), name, own_name)
        if candidate is None:
            continue
        try:
            orjson.loads(candidate)
        except orjson.JSONDecodeError:
            continue
        return _checked(candidate, params, own_name)
    return None


def _checked(candidate: bytes, params: JsonObject, own_name: str) -> bytes | None:
    """The outcome, if it says what the request said but for the name: a key that stands twice shows here."""
    said: Any = orjson.loads(candidate)
    return candidate if said == {**params, "name": own_name} else None


def _with_name(raw: bytes, name: str, own_name: str) -> bytes | None:
    written, spaced, wanted = _names(name, own_name)
    if raw.startswith(written):
        return wanted + raw[len(written) :]
    return wanted + raw[len(spaced) :] if raw.startswith(spaced) else None


@lru_cache(maxsize=16_384)
def _names(name: str, own_name: str) -> tuple[bytes, bytes, bytes]:
    """How the params of a call begin: as clients write it, with a space, and as it goes up."""
    text = json_text.dumps(name)
    return b'{"name":' + text, b'{"name": ' + text, b'{"name":' + json_text.dumps(own_name)
