"""JSON-RPC envelopes in bytes: messages whose parts are slices of the bytes received.

Servers write members in any order, escape freely and repeat keys. A result is forwarded exactly as it was, 30-digit
integers included, unless strict readers would refuse it (``strict_json``; docs/architecture.md, decision 1). Almost
every response has one of two shapes, which are read without scanning the members; other messages are scanned exactly.
"""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Iterator, Mapping
from typing import Any, NoReturn

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from toolnote_desktop.proxy.transports.strict_json import REPAIR_LIMIT, is_utf8, not_a_number, repaired

_BOM = b"\xef\xbb\xbf"
_WHITE = " \t\r\n"

# As the SDKs of Python, Go, Rust, C# and Java write responses …
_ID_FIRST = b'{"jsonrpc":"2.0","id":'
_RESULT_AFTER_ID = b',"result":'
# … and as the TypeScript SDK does.
_RESULT_FIRST = b'{"result":'
_ID_LAST = b',"jsonrpc":"2.0","id":'

_ID_ANYWHERE = re.compile(
    rb'\A\{"jsonrpc":"2\.0","id":(\d{1,18}),"(?:result|error)":|,"jsonrpc":"2\.0","id":(\d{1,18})\}\Z'
)


# Checks megabytes without creating objects, fifteen times as fast as parsing. Accepts what the exact scan accepts,
# except for lone surrogates.
_CHECK = msgspec.json.Decoder(msgspec.Raw).decode
_MEMBERS = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
_ITEMS = msgspec.json.Decoder(list[msgspec.Raw]).decode
_DECODE_ERRORS = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


class NotAMessage(ValueError):  # noqa: N818
    """The text is not a JSON-RPC message: a banner, half a line, an empty object."""


class Message(Struct, frozen=True):
    """Message; each part is raw JSON text as received.

    Attributes:
        id: None for a notification.
        result: None unless it is a successful response.
        unreadable: reason why clients could not parse a response; "" if they can.
        repaired: the text was not strict JSON or UTF-8 and has been made so.
    """

    id: bytes | None = None
    method: str | None = None
    params: bytes | None = None
    result: bytes | None = None
    error: bytes | None = None
    unreadable: str = ""
    repaired: bool = False


def quick_result(line: bytes) -> tuple[int, bytes] | None:
    """Return id and result if ``line`` is a successful response in one of the two usual shapes, else None.

    The result is checked to be one JSON value, and the rest is known byte for byte.
    """
    if line.startswith(_ID_FIRST):
        start = len(_ID_FIRST)
        comma = line.find(b",", start, start + 20)
        if comma < 0 or not line.startswith(_RESULT_AFTER_ID, comma) or not line.endswith(b"}"):
            return None
        digits, result = line[start:comma], line[comma + len(_RESULT_AFTER_ID) : -1]
    elif line.startswith(_RESULT_FIRST):
        place = line.rfind(_ID_LAST, len(line) - len(_ID_LAST) - 20)
        if place < 0 or not line.endswith(b"}"):
            return None
        digits, result = line[place + len(_ID_LAST) : -1], line[len(_RESULT_FIRST) : place]
    else:
        return None
    if not digits.isdigit():
        return None
    if not is_utf8(result):
        return None
    try:
        _CHECK(result)
    except _DECODE_ERRORS:
        return None  # the exact scan decides
    return int(digits), result


def read_messages(line: bytes) -> tuple[Message, ...]:
    """Return the message in ``line``, or those of a batch (2025-03-26), in order.

    Raises:
        NotAMessage: ``line`` is anything else, or a member of a batch is.
    """
    plain = line.removeprefix(_BOM)
    quick = _quick_members(plain) if is_utf8(plain) else None
    if quick is not None:
        return (_message(quick),)
    if len(plain) > REPAIR_LIMIT:
        return tuple(replace(message, unreadable=message.unreadable or _TOO_LONG) for message in _read_exactly(plain))
    repaired_line = repaired(plain)
    if repaired_line == plain:
        return _read_exactly(plain)
    return tuple(replace(message, repaired=True) for message in _read_exactly(repaired_line))


def _read_exactly(plain: bytes) -> tuple[Message, ...]:
    text = plain.decode("utf-8", "surrogateescape").strip(_WHITE)
    if not text.startswith(("{", "[")):
        raise NotAMessage("no JSON object")
    try:
        return _messages(text, _STRICT)
    except (_Malformed, RecursionError):
        pass
    try:
        return _messages(text, _LENIENT, unreadable=True)
    except (_Malformed, RecursionError):
        return (_unparsable_response(plain),)


def integer_id(raw: bytes) -> int | None:
    """Parse one of our ids in a response; also if the server writes it as a string or with ``.0``."""
    digits = raw.strip(b'"').removesuffix(b".0")
    return int(digits) if digits.isdigit() and len(digits) < 19 else None


def request_line(request_id: int, method: str, params: bytes | None) -> bytes:
    """Return a request as one line, without the line end."""
    if params is None:
        return b'{"jsonrpc":"2.0","id":%d,"method":%s}' % (request_id, _quoted(method))
    return b'{"jsonrpc":"2.0","id":%d,"method":%s,"params":%s}' % (request_id, _quoted(method), one_line(params))


def notification_line(method: str, params: bytes | None) -> bytes:
    """Return a notification as one line."""
    if params is None:
        return b'{"jsonrpc":"2.0","method":%s}' % _quoted(method)
    return b'{"jsonrpc":"2.0","method":%s,"params":%s}' % (_quoted(method), one_line(params))


def response_line(request_id: bytes, result: bytes | None, error: bytes | None) -> bytes:
    """Return a response to a server's request as one line."""
    if error is not None:
        return b'{"jsonrpc":"2.0","id":%s,"error":%s}' % (request_id, one_line(error))
    return b'{"jsonrpc":"2.0","id":%s,"result":%s}' % (request_id, one_line(b"{}" if result is None else result))


def one_line(raw: bytes) -> bytes:
    """Return the same JSON without line ends, which are insignificant between tokens and invalid in strings."""
    if b"\n" in raw or b"\r" in raw:
        return raw.replace(b"\r", b" ").replace(b"\n", b" ")
    return raw


def with_meta(params: bytes | None, additions: Mapping[str, bytes]) -> bytes:
    """Return ``params`` with members added to its ``_meta``; existing ones stay unchanged.

    Args:
        additions: key -> raw JSON text.

    Raises:
        NotAMessage: ``params`` or its ``_meta`` is not a JSON object.
    """
    if params is None:
        return b'{"_meta":{%s}}' % _joined(additions)
    text = params.decode("utf-8", "surrogateescape").strip(_WHITE)
    place = _spans(text).get("_meta") if '"_meta"' in text else None
    if place is None:
        return _inserted(params, b'"_meta":{%s}' % _joined(additions))
    start, end = place
    meta = _encoded(text[start:end])
    present = _spans(text[start:end])
    missing = {key: value for key, value in additions.items() if key not in present}
    if not missing:
        return params
    return _encoded(text[:start]) + _inserted(meta, _joined(missing)) + _encoded(text[end:])


def members(raw: bytes) -> dict[str, bytes]:
    """Return the members of a JSON object, each value as raw text; of a repeated key, the last.

    Raises:
        NotAMessage: ``raw`` is not a JSON object.
    """
    quick = _quick_members(raw)
    if quick is not None:
        return quick
    text = raw.decode("utf-8", "surrogateescape").strip(_WHITE)
    return {key: _encoded(text[start:end]) for key, (start, end) in _spans(text).items()}


def members_lenient(raw: bytes) -> dict[str, bytes] | None:
    """Return the members of a JSON object whose values may contain ``NaN``; None if it is not one."""
    text = raw.decode("utf-8", "surrogateescape").strip(_WHITE)
    try:
        return {key: _encoded(text[start:end]) for key, (start, end) in _scan_object(text, 0, _LENIENT).items()}
    except (_Malformed, RecursionError):
        return None


def items(raw: bytes) -> list[bytes] | None:
    """Return the items of a JSON array as raw texts; None if it is not one or contains lone surrogates."""
    try:
        return [bytes(item) for item in _ITEMS(raw)]
    except _DECODE_ERRORS:
        return None


def _quick_members(raw: bytes) -> dict[str, bytes] | None:
    try:
        return {key: bytes(value) for key, value in _MEMBERS(raw).items()}
    except _DECODE_ERRORS:
        return None


def element_steps(raw: bytes, most: int) -> Generator[None, None, list[bytes] | None]:
    """Return the first ``most`` elements of a JSON array of any depth as raw texts; None if it is not an array.

    Only their boundaries are checked: an element may be invalid JSON. Yields wherever it may be interrupted.
    """
    text = raw.strip()
    if not (text.startswith(b"[") and text.endswith(b"]")):
        return None
    found: list[bytes] = []
    depth, start = 0, 1
    for number, token in enumerate(_STRUCTURE.finditer(text)):
        if not number % _TOKENS_PER_STEP:
            yield
        mark = token[0]
        if mark in (b"[", b"{"):
            depth += 1
        elif mark in (b"]", b"}"):
            depth -= 1
        if (depth == 1 and mark == b",") or depth == 0:
            element = text[start : token.start()].strip()
            if element or mark == b",":
                found.append(element)
                if len(found) >= most:
                    return found
            start = token.end()
        if depth == 0:
            return found if start == len(text) else None
    return None


_TOKENS_PER_STEP = 1000
_STRUCTURE = re.compile(rb'"(?:[^"\\]|\\.)*+(?:"|\Z)|[][{},]', re.DOTALL)


def object_text(raw_members: Mapping[str, bytes]) -> bytes:
    """Return a JSON object of these members, each value being raw text."""
    return b"{%s}" % _joined(raw_members)


def with_members(raw: bytes, additions: Mapping[str, bytes]) -> bytes:
    """Return a JSON object with new members put in front; the rest stays byte for byte.

    Raises:
        NotAMessage: ``raw`` is not a JSON object.
    """
    return _inserted(raw, _joined(additions)) if additions else raw


def with_member(raw: bytes, key: str, value: bytes) -> bytes:
    """Return a JSON object with ``key`` set to ``value``; the rest stays byte for byte.

    Raises:
        NotAMessage: ``raw`` is not a JSON object.
    """
    text = raw.decode("utf-8", "surrogateescape").strip(_WHITE)
    place = _spans(text).get(key)
    if place is None:
        return _inserted(raw, _joined({key: value}))
    start, end = place
    return _encoded(text[:start]) + value + _encoded(text[end:])


# -- the exact scan ---------------------------------------------------------------------------------------------------


class _Malformed(ValueError):  # noqa: N818
    """Not JSON according to the decoder in use."""


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


# Integers are read as floats: only their position matters, and an int of 5,000 digits would be refused.
_STRICT = json.JSONDecoder(parse_int=float, parse_constant=_refuse)
_LENIENT = json.JSONDecoder(parse_int=float, strict=False)


def _messages(text: str, decoder: json.JSONDecoder, *, unreadable: bool = False) -> tuple[Message, ...]:
    if text.startswith("{"):
        return (_message(_raw_parts(text, _scan_object(text, 0, decoder)), unreadable=unreadable),)
    items = list(_scan_array(text, decoder))
    if not items:
        raise NotAMessage("an empty batch")
    spans = (_scan_object(text, start, decoder, end) for start, end in items)
    return tuple(_message(_raw_parts(text, found), unreadable=unreadable) for found in spans)


def _raw_parts(text: str, spans: dict[str, tuple[int, int]]) -> dict[str, bytes]:
    return {key: _encoded(text[slice(*spans[key])]) for key in _PARTS if key in spans}


def _message(raw: dict[str, bytes], *, unreadable: bool = False) -> Message:
    for absent in ("id", "error", "params"):
        if raw.get(absent) == b"null":
            del raw[absent]
    if "method" in raw:
        method = json.loads(raw["method"].decode("utf-8", "replace")) if raw["method"].startswith(b'"') else None
        if not isinstance(method, str):
            raise NotAMessage("a method that is no string")
        return Message(raw.get("id"), method, raw.get("params"), unreadable=_reason(raw, unreadable=unreadable))
    if "id" not in raw and "error" not in raw:
        raise NotAMessage("neither a method nor an id")
    if "error" in raw:
        return Message(raw.get("id"), error=raw["error"], unreadable=_reason(raw, unreadable=unreadable))
    if "result" in raw:
        return Message(raw["id"], result=raw["result"], unreadable=_reason(raw, unreadable=unreadable))
    raise NotAMessage("neither a method nor a result")


def _reason(raw: Mapping[str, bytes], *, unreadable: bool) -> str:
    if not unreadable:
        return ""
    return next((found for part in _PARTS if (found := not_a_number(raw.get(part, b"0")))), _NOT_JSON)


_TOO_LONG = "the response is not strict JSON or UTF-8, and too long to be mended"
_NOT_JSON = "the response is not valid JSON"
_PARTS = ("id", "method", "params", "result", "error")


def _unparsable_response(line: bytes) -> Message:
    """Return an unreadable response for a line that is invalid or too deeply nested JSON but ends with one of our ids.

    A line that was cut off is not a response: the whole one may follow.
    """
    stripped = line.strip()
    found = _ID_ANYWHERE.search(stripped) if stripped.endswith(b"}") else None
    if found is None:
        raise NotAMessage("not JSON")
    return Message(found[1] or found[2], result=b"null", unreadable=_NOT_JSON)


def _spans(text: str) -> dict[str, tuple[int, int]]:
    try:
        return _scan_object(text, 0, _STRICT)
    except (_Malformed, RecursionError) as error:
        raise NotAMessage("not a JSON object") from error


def _scan_object(text: str, at: int, decoder: json.JSONDecoder, end: int | None = None) -> dict[str, tuple[int, int]]:
    """Return the spans of the members of the object that starts at ``at`` and fills the text (or ends at ``end``)."""
    spans: dict[str, tuple[int, int]] = {}
    try:
        if text[at] != "{":
            raise _Malformed("not an object")
        at = _skip(text, at + 1)
        if text[at] != "}":
            while True:
                key, at = _value(text, at, decoder)
                at = _skip(text, at)
                if not isinstance(key, str) or text[at] != ":":
                    raise _Malformed("not a member")
                start = _skip(text, at + 1)
                _, at = _value(text, start, decoder)
                spans[key] = (start, at)
                at = _skip(text, at)
                if text[at] == "}":
                    break
                if text[at] != ",":
                    raise _Malformed("no comma")
                at = _skip(text, at + 1)
        at += 1
    except IndexError:
        raise _Malformed("half an object") from None
    if (at if end is not None else _skip_to_end(text, at)) != (len(text) if end is None else end):
        raise _Malformed("something behind the object")
    return spans


def _scan_array(text: str, decoder: json.JSONDecoder) -> Iterator[tuple[int, int]]:
    """Return the spans of the members of the array that fills the text."""
    try:
        at = _skip(text, 1)
        if text[at] != "]":
            while True:
                _, end = _value(text, at, decoder)
                yield at, end
                at = _skip(text, end)
                if text[at] == "]":
                    break
                if text[at] != ",":
                    raise _Malformed("no comma")
                at = _skip(text, at + 1)
    except IndexError:
        raise _Malformed("half an array") from None
    if _skip_to_end(text, at + 1) != len(text):
        raise _Malformed("something behind the array")


def _value(text: str, at: int, decoder: json.JSONDecoder) -> tuple[Any, int]:
    try:
        return decoder.raw_decode(text, at)
    except ValueError as error:
        raise _Malformed(str(error)) from None


def _skip(text: str, at: int) -> int:
    while text[at] in _WHITE:
        at += 1
    return at


def _skip_to_end(text: str, at: int) -> int:
    while at < len(text) and text[at] in _WHITE:
        at += 1
    return at


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _joined(raw_members: Mapping[str, bytes]) -> bytes:
    return b",".join(b"%s:%s" % (_quoted(key), value) for key, value in raw_members.items())


def _inserted(raw: bytes, member: bytes) -> bytes:
    """Return a JSON object with a member put in front."""
    body = raw.lstrip()
    if not body.startswith(b"{"):
        raise NotAMessage("not a JSON object")
    rest = body[1:].lstrip()
    return b"{" + member + (b"" if rest.startswith(b"}") else b",") + rest


def _quoted(text: str) -> bytes:
    known = _QUOTED.get(text)
    return json.dumps(text).encode("ascii") if known is None else known


_QUOTED = {
    method: json.dumps(method).encode("ascii")
    for method in ("tools/call", "tools/list", "notifications/cancelled", "notifications/progress", "ping")
}
