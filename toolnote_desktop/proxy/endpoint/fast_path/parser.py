"""Parser of plain ``tools/call`` requests: id, params, and the raw params for the server (docs/fast-path.md).

Clients write requests in one of two shapes. In these all bytes but the id and the params are known, so that parsing the
params is enough. Requests in other shapes are parsed whole, and the raw params that were cut out of them are parsed
again and compared.
"""

from __future__ import annotations

import re
from collections.abc import Generator
from functools import lru_cache
from typing import Any, Final, NamedTuple

import msgspec
import orjson
from msgspec import UNSET, Raw, Struct, UnsetType, field

from toolnote_desktop.model import json_text
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.proxy.transports import jsonrpc
from toolnote_desktop.proxy.transports.long_json import Outline, has_few_commas, outline_steps
from toolnote_desktop.proxy.transports.strict_json import is_utf8

# The SDKs of Python, Go, Rust and Java write the id first, the TypeScript SDK writes it last. The pattern of ids
# excludes those that JSON libraries may write differently.
_ID = rb'(0|-?[1-9]\d{0,15}|"[ !#-\[\]-~]*")'
# Heads and ends only: a pattern over the params would cost 20 ms for each megabyte of them.
_ID_FIRST = re.compile(rb'\{"jsonrpc": ?"2\.0", ?"id": ?%s, ?"method": ?"tools/call", ?"params": ?(?=\{)' % _ID)
_ID_LAST = re.compile(rb'\{"method": ?"tools/call", ?"params": ?(?=\{)')
_ID_AT_END = re.compile(rb'"jsonrpc": ?"2\.0", ?"id": ?%s\}' % _ID)

_PARAMS = b'"params":'
_SMALL = 64 * 1024
"""Bytes of the id, name and ``_meta`` of a long call."""

LONG_CALL: Final = 256 * 1024
"""Bytes of a call from which on its arguments are passed on as the bytes that they are: of 40 MB of objects the values
would take seconds, of a text of 1 MB a millisecond."""

CHECKED_WHOLE: Final = 1024 * 1024
"""Bytes of a call up to which it is checked in one go, which takes 3 ms."""

_DEPTH_OF_ARGUMENTS = 3
"""Objects that an argument is in: the message, its params and their arguments."""

READ: Final = "toolnote.read"
"""Key of an ASGI scope for a long call that the fast path has read and leaves to the handler."""

_AFTER_PARAMS = (b',"jsonrpc"', b',"id"', b',"method"')


class PlainCall(NamedTuple):
    """Parsed call.

    Attributes:
        raw: raw params, if the request has one of the two shapes.
    """

    request_id: int | str
    params: JsonObject
    raw: bytes | None = None


def parse_usual_call(body: bytes) -> PlainCall | None:
    """Return the call in ``body``; None if it has none of the two usual shapes."""
    if (found := _ID_FIRST.match(body)) is not None:
        identity, raw = found[1], body[found.end() : -1]
        if not body.endswith(b"}}"):
            return None
    elif (found := _ID_LAST.match(body)) is not None:
        place = body.rfind(b'"jsonrpc"')  # an id has no quotes in it
        ending = _ID_AT_END.fullmatch(body, max(place, 0))
        before = place - 1 if body[place - 1 : place] == b" " else place
        if ending is None or body[before - 2 : before] != b"},":
            return None
        identity, raw = ending[1], body[found.end() : before - 1]
    else:
        return None
    try:
        params = orjson.loads(raw)
    except orjson.JSONDecodeError:
        return None
    return PlainCall(int(identity) if identity[0] != 34 else identity[1:-1].decode("ascii"), params, raw)


class _LongParams(Struct, forbid_unknown_fields=True):
    name: Raw
    meta: Raw | UnsetType = field(default=UNSET, name="_meta")
    arguments: Raw | UnsetType = UNSET


class _LongCall(Struct, forbid_unknown_fields=True):
    jsonrpc: Raw
    id: Raw
    method: Raw
    params: _LongParams


_LONG_CALL = msgspec.json.Decoder(_LongCall).decode


def parse_long_call(body: bytes) -> JsonObject | None:
    """Return a long ``tools/call`` as a message whose ``arguments`` are ``RawJson``: checked, but not made into values.

    None if it is none, or has other members than usual.
    """
    return _long_call(body, Outline(body)) if is_utf8(body) else None


def long_call_steps(body: bytes) -> Generator[None, None, JsonObject | None]:
    """Return the same as ``parse_long_call`` of megabytes. Yields wherever it may be interrupted."""
    if len(body) <= CHECKED_WHOLE or (yield from has_few_commas(body)):
        return parse_long_call(body)
    outline = yield from outline_steps(body, _DEPTH_OF_ARGUMENTS)
    yield
    return None if outline is None else _long_call(body, outline)


def _long_call(body: bytes, outline: Outline) -> JsonObject | None:
    try:
        call = _LONG_CALL(outline.text)
    except (msgspec.DecodeError, RecursionError):
        return None
    if bytes(call.jsonrpc) != b'"2.0"' or bytes(call.method) != b'"tools/call"':
        return None
    params = call.params
    small = [call.id, params.name, *([params.meta] if isinstance(params.meta, Raw) else ())]
    if sum(map(len, small)) > _SMALL:
        return None
    found = outline.whole(params.arguments if isinstance(params.arguments, Raw) else b"{}", body)
    arguments = jsonrpc.RawJson(found or b"")  # the only copy
    if not arguments.startswith(b"{"):
        return None
    try:
        request_id, name, *meta = [json_text.loads(bytes(one)) for one in small]
    except ValueError:
        return None
    read = {"name": name, "arguments": arguments, **({"_meta": meta[0]} if meta else {})}
    return {"jsonrpc": "2.0", "id": request_id, "method": "tools/call", "params": read}


def replace_name(call: PlainCall, body: bytes, name: str, own_name: str) -> bytes | None:
    """Return the raw ``params`` with the tool's own name, unchanged otherwise.

    Returns None if the text has no shape that can be changed with certainty.
    """
    if isinstance(call.params.get("arguments"), jsonrpc.RawJson):
        return jsonrpc.dumps_params({**call.params, "name": own_name})
    if call.raw is None:
        return _cut_out(body, call.params, name, own_name)
    outcome = _with_name(call.raw, name, own_name)
    if outcome is None or (call.raw.count(b'"name"') == 1 and call.raw.find(b"\\u") < 0):
        return outcome  # the key occurs once: it is the one that was replaced
    return _checked(outcome, call.params, own_name)


def _cut_out(body: bytes, params: JsonObject, name: str, own_name: str) -> bytes | None:
    start = body.find(_PARAMS)
    if start < 0:
        return None
    raw = body[start + len(_PARAMS) :].strip()
    ends = [place for mark in _AFTER_PARAMS if (place := raw.rfind(mark)) > 0]
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
    """Return ``candidate`` if it differs from the request in the name only, which fails for duplicate keys."""
    parsed: Any = orjson.loads(candidate)
    return candidate if parsed == {**params, "name": own_name} else None


def _with_name(raw: bytes, name: str, own_name: str) -> bytes | None:
    written, spaced, wanted = _names(name, own_name)
    if raw.startswith(written):
        return wanted + raw[len(written) :]
    return wanted + raw[len(spaced) :] if raw.startswith(spaced) else None


@lru_cache(maxsize=16_384)
def _names(name: str, own_name: str) -> tuple[bytes, bytes, bytes]:
    """Return the beginnings of params: without a space, with one, and with the name for the server."""
    text = json_text.dumps(name)
    return b'{"name":' + text, b'{"name": ' + text, b'{"name":' + json_text.dumps(own_name)
