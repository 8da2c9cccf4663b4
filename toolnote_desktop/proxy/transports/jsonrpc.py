"""JSON-RPC envelopes in bytes: messages whose parts are slices of the bytes received.

Servers write members in any order, escape freely and repeat keys. A result is forwarded exactly as it was, 30-digit
integers included, unless strict readers would refuse it (``strict_json``; docs/architecture.md, decision 1). Almost
every response has one of two shapes, which are read without scanning the members; other messages are scanned exactly.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Generator, Iterator, Mapping
from functools import lru_cache
from itertools import islice
from typing import Any, Final, NoReturn

import msgspec
from msgspec import UNSET, Raw, Struct
from msgspec.structs import replace

from toolnote_desktop.model import json_text
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.proxy.transports.strict_json import REPAIR_LIMIT, is_utf8, not_a_number, repaired

_BOM = b"\xef\xbb\xbf"
_WHITE = " \t\r\n"

# As the SDKs of Python, Go, Rust, C# and Java write responses …
_ID_FIRST = b'{"jsonrpc":"2.0","id":'
_RESULT_AFTER_ID = b',"result":'
# … and as the TypeScript SDK does.
_RESULT_FIRST = b'{"result":'
_ID_LAST = b',"jsonrpc":"2.0","id":'

# The ends of a response that cannot be parsed, or would be too much work to parse.
_BEGINNING = re.compile(
    rb'\{\s*+(?:"jsonrpc"\s*+:\s*+"2\.0"\s*+,\s*+)?"id"\s*+:\s*+(\d{1,18})\s*+,\s*+'
    rb'(?:"jsonrpc"\s*+:\s*+"2\.0"\s*+,\s*+)?"(result|error)"\s*+:\s*+'
)
_ENDING = re.compile(rb',"jsonrpc":"2\.0","id":(\d{1,18})\}\Z')
_LONGEST_ENDING = 64

_PLACE = re.compile(r"\(byte (\d{1,18})\)\Z")  # at the end of msgspec's errors
_CONSTANT = re.compile(rb"NaN|Infinity")
_KEY = re.compile(rb'"([^"\\]{1,100})"\s*+:')
_LONGEST_KEY = 200

EXACT_LIMIT: Final = 256 * 1024
"""Bytes of a message that no quick reader accepts. Of longer ones only the ends are read: a scan takes seconds."""

MAX_BATCH: Final = 256
"""Messages of a server in a batch."""

MAX_VALUES: Final = 200_000
"""Values that parsing a text may make, if it is longer than ``_FREELY_PARSED``."""

_FREELY_PARSED = 1024 * 1024
_PIECE = 64 * 1024

MAX_READ: Final = 8 * 1024 * 1024
"""Bytes of the members of a long object that are made into values."""

LONG_MEMBER: Final = 64 * 1024
"""Bytes of a member that is made into a value only where something depends on it."""


# Checks megabytes without creating objects, fifteen times as fast as parsing. Accepts what the exact scan accepts,
# except for lone surrogates.
_CHECK = msgspec.json.Decoder(Raw).decode
_MEMBERS = msgspec.json.Decoder(dict[str, Raw]).decode
_ITEMS = msgspec.json.Decoder(list[Raw]).decode
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
    error = ""
    try:
        quick = _picked(plain, _PARTS) if is_utf8(plain) else None
    except _DECODE_ERRORS as failure:
        quick, error = None, str(failure)
    if quick is not None:
        return (_message(quick),)
    if len(plain) > REPAIR_LIMIT:
        constant = _constant_at(plain, error) if error else _constant_in(plain)
        return (_unparsable_response(plain, constant or _TOO_LONG),)
    repaired_line = repaired(plain)
    if repaired_line == plain:
        return _read_exactly(plain)
    quick = pick(repaired_line, *_PARTS)
    messages = (_message(quick),) if quick is not None else _read_exactly(repaired_line)
    return tuple(replace(message, repaired=True) for message in messages)


def _read_exactly(plain: bytes) -> tuple[Message, ...]:
    if len(plain) > EXACT_LIMIT:
        return (_unparsable_response(plain, _constant_in(plain) or _NOT_JSON),)
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
        return (_unparsable_response(plain, _NOT_JSON),)


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
    if raw.find(b"\n") >= 0 or raw.find(b"\r") >= 0:
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
    if b'"_meta"' in params and len(params) > EXACT_LIMIT:
        return _with_meta_of_long(params, additions)
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


def _with_meta_of_long(params: bytes, additions: Mapping[str, bytes]) -> bytes:
    """Return the same as ``with_meta``, but for white space between the members."""
    found = members(params)
    meta = members(found["_meta"]) if "_meta" in found else {}
    return object_text({**found, "_meta": object_text({**additions, **meta})})


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


def pick(raw: bytes, *names: str) -> dict[str, bytes] | None:
    """Return those members of a JSON object that have these names, however many others it has.

    None if it is not one, or not strict JSON.
    """
    try:
        return _picked(raw, names)
    except _DECODE_ERRORS:
        return None


def _picked(raw: bytes, names: tuple[str, ...]) -> dict[str, bytes]:
    found = _picker(names)(raw)
    return {name: bytes(value) for name in names if (value := getattr(found, name)) is not UNSET}


@lru_cache(maxsize=32)
def _picker(names: tuple[str, ...]) -> Any:
    fields = [(name, Raw | msgspec.UnsetType, UNSET) for name in names]
    return msgspec.json.Decoder(msgspec.defstruct("Picked", fields)).decode


def is_bulky(raw: bytes) -> bool:
    """Return True if parsing a text would make more than ``MAX_VALUES`` values, which takes long and much memory."""
    return any(values > MAX_VALUES for values in _values_so_far(raw))


def bulky_steps(raw: bytes) -> Generator[None, None, bool]:
    """Return the same as ``is_bulky``; yields wherever it may be interrupted."""
    for values in _values_so_far(raw):
        if values > MAX_VALUES:
            return True
        yield
    return False


def _values_so_far(raw: bytes) -> Iterator[int]:
    """Count the values of a JSON text by the marks between them, piece by piece; nothing of a text of 1 MB or less.

    Of 40 MB a pattern for strings took a second, and nothing else ran meanwhile.
    """
    if len(raw) <= _FREELY_PARSED:
        return
    values, start, in_string = 0, 0, 0
    while start < len(raw):
        piece = raw[start : start + _PIECE]
        if (len(piece) - len(piece.rstrip(b"\\"))) % 2:  # an escape goes on in the next piece
            piece = piece[:-1]
        start += len(piece) or _PIECE  # at the end of what is no JSON
        if piece.find(b"\\") >= 0:
            piece = piece.replace(b"\\\\", b"").replace(b'\\"', b"")
        parts = piece.split(b'"')
        outside = b"".join(parts[in_string::2])
        in_string ^= (len(parts) - 1) % 2
        values += outside.count(b",") + outside.count(b"[") + outside.count(b"{")
        yield values


class RawJson(bytes):
    """JSON text in the place of its value, which was not parsed."""


def read_steps(raw: bytes, is_read: Callable[[str], bool]) -> Generator[None, None, JsonObject]:
    """Return a JSON object, in which long members are ``RawJson`` but for those that ``is_read`` names.

    Yields wherever it may be interrupted.

    Raises:
        ValueError: it has more than ``MAX_VALUES`` values, more than ``MAX_READ`` bytes of it would be parsed, or it is
            no JSON object.
    """
    if (yield from bulky_steps(raw)):
        raise ValueError("too many values")
    found: JsonObject = {}
    left = MAX_READ
    named: Mapping[str, bytes | Raw]
    try:
        named = _MEMBERS(raw)
    except _DECODE_ERRORS:  # a key with a lone surrogate
        if len(raw) > MAX_READ:
            raise ValueError("too long") from None
        named = members(raw)
    for name, value in named.items():
        yield
        if len(value) > LONG_MEMBER and not is_read(name):
            found[name] = RawJson(value)
            continue
        left -= len(value)
        if left < 0:
            raise ValueError("too long")
        found[name] = json_text.loads(bytes(value))
    return found


def dumps_params(params: Mapping[str, Any]) -> bytes:
    """Write params whose members, or those of their ``arguments``, may be ``RawJson``; these are copied once."""
    if _has_raw(params) or _has_raw(params.get("arguments")):
        return b"".join(_parts_of(params))
    return json_text.dumps(params)


def _has_raw(value: object) -> bool:
    return isinstance(value, dict) and any(isinstance(one, RawJson) for one in value.values())


def _parts_of(value: Mapping[str, Any]) -> Iterator[bytes]:
    before = b"{"
    for key, one in value.items():
        yield before
        yield _quoted(key)
        yield b":"
        if isinstance(one, RawJson):
            yield one
        elif _has_raw(one):
            yield from _parts_of(one)
        else:
            yield json_text.dumps(one)
        before = b","
    yield b"}" if value else b"{}"


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


def member_steps(raw: bytes, *names: str) -> Generator[None, None, dict[str, bytes] | None]:
    """Return those members of a JSON object, whose values may contain ``NaN``; None if it is not one.

    Of a long text that is no strict JSON only the boundaries of members are checked. Yields like ``element_steps``.
    """
    quick = pick(raw, *names)
    if quick is not None:
        return quick
    text = raw.strip()
    if len(text) <= EXACT_LIMIT:
        return members_lenient(text)
    if not (text.startswith(b"{") and text.endswith(b"}")):
        return None
    wanted = {b'"%s"' % name.encode("ascii"): name for name in names}
    found: dict[str, bytes] = {}
    depth, start, key = 0, 0, b""
    for number, token in enumerate(_STRUCTURE.finditer(text)):
        if not number % _TOKENS_PER_STEP:
            yield
        mark = token[0]
        if mark.startswith(b'"'):
            if depth == 1 and not key:
                key, start = mark, text.find(b":", token.end()) + 1
        elif mark in (b"[", b"{"):
            depth += 1
        elif mark in (b"]", b"}"):
            depth -= 1
        if (depth == 1 and mark == b",") or depth == 0:
            if key in wanted:
                found[wanted[key]] = text[start : token.start()].strip()
            key = b""
        if depth == 0:
            return found if token.end() == len(text) else None
    return None


_TOKENS_PER_STEP = 1000
_STRUCTURE = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)|[][{},]', re.DOTALL)


def object_text(raw_members: Mapping[str, bytes]) -> bytes:
    """Return a JSON object of these members, each value being raw text."""
    parts = [b"{"]
    for key, value in raw_members.items():
        parts += (_quoted(key), b":", value, b",")
    parts[-1:] = [b"}"] if raw_members else [b"{", b"}"]
    return b"".join(parts)  # one copy: a value may have megabytes


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
    items = list(islice(_scan_array(text, decoder), MAX_BATCH + 1))
    if not 0 < len(items) <= MAX_BATCH:
        raise NotAMessage("an empty batch, or one of too many messages")
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


def _constant_in(long: bytes) -> str:
    """Return ``price is NaN, …`` for the first value of a long text that is no JSON, by the key before it; or ""."""
    try:
        _CHECK(long)
    except _DECODE_ERRORS as error:
        return _constant_at(long, str(error))
    return ""


def _constant_at(long: bytes, error: str) -> str:
    """Return the same for the place in a message of msgspec's error."""
    place = int((_PLACE.search(error) or ("", "0"))[1])
    found = _CONSTANT.match(long, place)
    if found is None:
        return ""
    keys = _KEY.findall(long[max(0, place - _LONGEST_KEY) : place])
    name = keys[-1].decode("utf-8", "replace") if keys else "it"
    return f"{name} is {found[0].decode('ascii')}, which JSON does not have"


def _unparsable_response(line: bytes, reason: str) -> Message:
    """Return an unreadable response for a line that cannot be parsed but begins or ends with one of our ids.

    Its result is all that is between, which may be a list of which only one entry is invalid. A line that was cut off
    is not a response: the whole one may follow.
    """
    stripped = line.strip()
    if stripped.endswith(b"}"):
        if (found := _BEGINNING.match(stripped)) is not None:
            result = stripped[found.end() : -1] if found[2] == b"result" else b"null"
            return Message(found[1], result=result, unreadable=reason)
        if (found := _ENDING.search(stripped, max(0, len(stripped) - _LONGEST_ENDING))) is not None:
            first = stripped.startswith(_RESULT_FIRST)
            result = stripped[len(_RESULT_FIRST) : found.start()] if first else b"null"
            return Message(found[1], result=result, unreadable=reason)
    raise NotAMessage("not JSON")


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
