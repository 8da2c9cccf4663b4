"""Lossless JSON parsing and writing: what a server sent is passed on unchanged.

The standard library's ``json`` keeps integers of any size and lone surrogates, which faster libraries change or refuse.
Numbers that overflow a double stay numbers (``1e999``), so that a text that is read and written again means the same to
every reader. orjson, ten times faster, is used for writing if its output is provably the same.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping
from json.encoder import encode_basestring
from typing import Any, Final

import orjson

JsonObject = dict[str, Any]

MAX_NESTING: Final = 400
"""Levels of nested arrays and objects: deeper values are refused, since Python could not write them again."""

_SURROGATE = re.compile("[\ud800-\udfff]")


class DuplicateKeys(list[str]):
    """Keys that occur more than once in one object of the text, in order of appearance."""


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def loads(text: str | bytes) -> Any:
    """Parse a JSON text. The last of duplicate keys wins, as in other parsers.

    Raises:
        ValueError: the text is not JSON (``NaN`` and ``Infinity`` included) or not UTF-8, or is nested too deeply.
    """
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def loads_with_duplicates(text: str | bytes) -> tuple[Any, DuplicateKeys]:
    """Parse like :func:`loads`, and return the duplicate keys. For texts that are written again: deeper nesting than
    :data:`MAX_NESTING` is refused.
    """
    duplicates = DuplicateKeys()

    def build(pairs: list[tuple[str, Any]]) -> JsonObject:
        built: JsonObject = {}
        for key, value in pairs:
            if key in built:
                duplicates.append(key)
            built[key] = value
        return built

    try:
        value = json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=build)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    if exceeds_max_nesting(value):
        raise ValueError("nested too deeply")
    return value, duplicates


def exceeds_max_nesting(value: Any) -> bool:
    """Return True if a value is nested deeper than :data:`MAX_NESTING`, at which recursive functions would fail."""
    if _dumps_with_orjson(value) is not None:  # orjson supports 254 levels
        return False
    level, inside = 0, [value]
    while inside and level <= MAX_NESTING:
        level += 1
        inside = [item for one in inside for item in _items(one) if isinstance(item, (Mapping, list, tuple))]
    return level > MAX_NESTING


def _items(value: Any) -> Iterable[Any]:
    if isinstance(value, Mapping):
        return value.values()
    return value if isinstance(value, (list, tuple)) else ()


def is_identical_json(one: Any, other: Any) -> bool:
    """Return True if two values are identical JSON apart from the order of keys: unlike in Python, neither ``true`` nor
    1.0 is 1.
    """
    return bool(one == other) and _sorted_text(one) == _sorted_text(other)


def _sorted_text(value: Any) -> str | bytes:
    try:
        return orjson.dumps(value, option=_AS_JSON | orjson.OPT_SORT_KEYS)
    except orjson.JSONEncodeError:
        return json.dumps(value, sort_keys=True)


def _has_infinity(value: Any) -> bool:
    inside = [value]
    while inside:
        one = inside.pop()
        if isinstance(one, float) and math.isinf(one):
            return True
        inside += _items(one)
    return False


def dumps(value: Any) -> bytes:
    """Write compact UTF-8 JSON: keys in order, non-ASCII unescaped except lone surrogates."""
    quick = _quick_text(value)
    return _encode(_text(value)) if quick is None else quick


def dumps_for_clients(value: Any) -> bytes:
    """Write like :func:`dumps`, with U+FFFD for lone surrogates, which many clients refuse (docs/contract.md 5)."""
    quick = _quick_text(value)
    return without_surrogates(_text(value)).encode("utf-8") if quick is None else quick


def without_surrogates(text: str) -> str:
    """Return the text with U+FFFD for lone surrogates, which no encoding supports."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def _quick_text(value: Any) -> bytes | None:
    quick = _dumps_with_orjson(value)
    if quick is None or b"null" in quick:  # may have been an infinity
        return None
    return b"%b" % quick if len(quick) < _COPIED else quick


def _text(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return _mend_infinity(value, text, pretty=False)


_COPIED = 64 * 1024
"""Bytes of a text that is copied: orjson's own takes 4 KB at least, however short it is, and thousands are kept."""

_AS_JSON = orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_PASSTHROUGH_DATACLASS


def _dumps_with_orjson(value: Any, more: int = 0) -> bytes | None:
    """Return orjson's output, or None if it refuses the value. It writes infinities as ``null`` and floats in its own
    format.
    """
    try:
        return orjson.dumps(value, option=_AS_JSON | more)
    except orjson.JSONEncodeError:  # large integers, lone surrogates, deep nesting, or not JSON
        return None


def dumps_pretty(value: Any) -> bytes:
    """Write JSON in the format of our documents (docs/contract.md 2): two-space indent, UTF-8, final line end."""
    quick = _dumps_with_orjson(value, orjson.OPT_INDENT_2)
    if quick is not None and not (b"null" in quick and _has_infinity(value)):
        return quick + b"\n"
    text = json.dumps(value, ensure_ascii=False, indent=2)
    return _encode(_mend_infinity(value, text, pretty=True)) + b"\n"


def _mend_infinity(value: Any, text: str, *, pretty: bool) -> str:
    # `Infinity` may also occur in a string: only a value that really contains one is written again, slowly.
    if "Infinity" not in text or not _has_infinity(value):
        return text
    encoder = json.JSONEncoder(
        ensure_ascii=False, indent=2 if pretty else None, separators=None if pretty else (",", ":")
    )
    return "".join(
        "1e999" if part == "Infinity" else "-1e999" if part == "-Infinity" else part for part in _pieces(encoder, value)
    )


def _pieces(encoder: json.JSONEncoder, value: Any) -> list[str]:
    # The pure-Python encoder yields every number as a piece of its own; strings come with their quotes.
    pieces: list[str] = []
    for piece in encoder.iterencode(value):
        stripped = piece.lstrip("[, \n")
        if stripped in ("Infinity", "-Infinity") and stripped != piece:
            pieces.append(piece[: len(piece) - len(stripped)])
            pieces.append(stripped)
        else:
            pieces.append(piece)
    return pieces


def _encode(text: str) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        return "".join(f"\\u{ord(c):04x}" if 0xD800 <= ord(c) <= 0xDFFF else c for c in text).encode("utf-8")


def javascript_stringify(value: Any) -> str:
    """Return the result of JavaScript's ``JSON.stringify(value)`` for a value read by ``JSON.parse`` (docs/contract.md
    1, refId).

    Integer-like keys come first in ascending order, ``1.0`` is ``1``, large and small numbers have JavaScript's
    exponents, non-ASCII is not escaped, lone surrogates are.
    """
    quick = _dumps_with_orjson(value)
    if quick is not None and _is_as_in_javascript(quick):
        return quick.decode("utf-8")
    pieces: list[str] = []
    _stringify(value, pieces)
    return "".join(pieces)


_SHAPE = bytes.maketrans(b"123456789", b"000000000")
_SUSPECT = (b'"0', b"0.0", b"0e0", b"0e-", b"0e+", b"0" * 16)


def _is_as_in_javascript(text: bytes) -> bool:
    """Return True if orjson's text certainly equals JavaScript's: no integer-like keys, fractions, exponents or very
    long numbers. Digits inside strings can look like these; the slow path is taken then without need.
    """
    shape = text.translate(_SHAPE)
    return not any(mark in shape for mark in _SUSPECT)


def _stringify(value: Any, pieces: list[str]) -> None:
    if isinstance(value, str):
        pieces.append(_javascript_string(value))
    elif value is None or isinstance(value, bool):
        pieces.append({None: "null", True: "true", False: "false"}[value])
    elif isinstance(value, (int, float)):
        pieces.append(_javascript_number(value))
    elif isinstance(value, Mapping):
        pieces.append("{")
        for position, key in enumerate(_javascript_keys(value)):
            pieces.append("," if position else "")
            pieces.append(_javascript_string(key) + ":")
            _stringify(value[key], pieces)
        pieces.append("}")
    elif isinstance(value, (list, tuple)):
        pieces.append("[")
        for position, item in enumerate(value):
            pieces.append("," if position else "")
            _stringify(item, pieces)
        pieces.append("]")
    else:
        raise TypeError(f"{type(value).__name__} is not JSON")


def _javascript_keys(value: Mapping[str, Any]) -> list[str]:
    def index(key: str) -> int | None:
        # An array index in ECMAScript: canonical decimal below 2^32 - 1.
        if key.isascii() and key.isdigit() and (key == "0" or key[0] != "0") and len(key) <= 10:
            number = int(key)
            return number if number < 2**32 - 1 else None
        return None

    if not any(map(str.isdigit, value)):  # as in almost every object
        return list(value)
    indices = sorted((number, key) for key in value if (number := index(key)) is not None)
    first = {key for _, key in indices}
    return [key for _, key in indices] + [key for key in value if key not in first]


def _javascript_string(text: str) -> str:
    quoted = encode_basestring(text)
    if not text.isascii() and _SURROGATE.search(text) is not None:
        quoted = "".join(f"\\u{ord(c):04x}" if 0xD800 <= ord(c) <= 0xDFFF else c for c in quoted)
    return quoted


def _javascript_number(number: int | float) -> str:
    # Number::toString of ECMAScript: the shortest digits that round-trip, laid out by the exponent.
    try:
        double = float(number)
    except OverflowError:
        return "null"
    if math.isinf(double) or math.isnan(double):
        return "null"
    if double == 0:
        return "0"
    sign = "-" if double < 0 else ""
    mantissa, _, exponent_text = f"{abs(double)!r}".partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(exponent_text or 0)
    if whole == "0":
        point -= len(whole) + (len(fraction) - len(fraction.lstrip("0")))
    digits = digits.rstrip("0") or "0"
    count = len(digits)
    if count <= point <= 21:
        return sign + digits + "0" * (point - count)
    if 0 < point <= 21:
        return sign + digits[:point] + "." + digits[point:]
    if -6 < point <= 0:
        return sign + "0." + "0" * -point + digits
    exponent = point - 1
    head = digits if count == 1 else digits[0] + "." + digits[1:]
    return f"{sign}{head}e{'+' if exponent >= 0 else '-'}{abs(exponent)}"
