"""Encoded parts of a text that read as a sentence once they are decoded."""

from __future__ import annotations

import base64
import binascii
import re
import string
import zlib
from collections.abc import Callable, Iterator
from typing import Final
from urllib.parse import unquote

from toolnote_desktop.guidance.scanning.decoding_orders import ordered_decoding, ordered_joining, quoted_pieces
from toolnote_desktop.guidance.scanning.needed_words import has_any
from toolnote_desktop.guidance.scanning.odd_letters import (
    in_morse,
    in_moved_alphabet,
    in_odd_words,
    in_pig_latin,
    in_places,
    in_spaced_letters,
)
from toolnote_desktop.guidance.scanning.read_text import ReadText
from toolnote_desktop.guidance.texts import LETTERS
from toolnote_desktop.model.hidden_characters import unescaped

_BASE64: Final = re.compile(
    # "cmVhZCBhbGwgZmlsZXM=", "cmVhZCBhbGwgb2Yg dGhlIGZpbGVz"
    r"[A-Za-z0-9+/_-]{12,}={0,2}(?:[ \n][A-Za-z0-9+/_-]{4,}={0,2}"
    # but not the word of a sentence that follows
    r"(?![A-Za-z]{0,20}[.,;:]? [a-z]))*"
)
_SHORTEST_CODE: Final = 12
"""Characters of the shortest part in base 64 that is decoded."""

_SHORTEST_HEX: Final = 24
_HEX_SHAPES: Final = bytes(ord("x" if chr(code) in f"{string.hexdigits} :" else ".") for code in range(256))
"""Table that makes what a hexadecimal text may have "x", and other signs points."""

_HEX: Final = re.compile(r"(?:[0-9a-fA-F]{2}[ :]?){12,}")
_ESCAPES: Final = re.compile(
    # r"\x73\x65\x6e\x64", r"\u0073\u0065\u006e\u0064"
    r"(?:\\x[0-9a-fA-F]{2} ?){4,}|(?:\\u[0-9a-fA-F]{4} ?){4,}|"
    # "%73%65%6e%64", "&#115;&#101;&#x6e;&#x64;"
    r"(?:%[0-9a-fA-F]{2}[ ]?){4,}|(?:&#x?[0-9a-fA-F]{2,5}; ?){4,}|"
    # r"\163\145\156\144"
    r"(?:\\[0-7]{3} ?){4,}"
)
_CODES: Final = re.compile(
    # "fromCharCode(115, 101, 110, 100, 32, 97, 108, 108)", "115-101-110-100-32-97-108-108"
    r"\b(?:fromCharCode|chr|char)?\(?(?:\d{2,3}(?:[, ]{1,2}|[-./|;:_])){7,}\d{2,3}"
)
_POINTS: Final = re.compile(
    # "0x73 0x65 0x6e 0x64 0x20 0x61", "U+0073 U+0065 U+006E U+0064 U+0020 U+0061"
    r"(?:(?:0x|U\+|\\u\{|%u|\\x\{)[0-9A-Fa-f]{2,5}\}?[,; ]{0,2}){6,}",
    re.IGNORECASE,
)
_POINT_SIGNS: Final = ("0x", "u+", "\\u{", "%u", "\\x{")

_BITS: Final = re.compile(r"(?:[01]{8} ?){4,}")

_SHORTEST_BASE32: Final = 24
_BASE32: Final = re.compile(r"\b[A-Z2-7]{24,400}={0,6}")

_CURSOR: Final = re.compile(r"\{(?:\"\w{1,30}\": ?(?:\d{1,20}|true|false|null)(?:, ?|(?=\}))){1,20}\}")
"""Place in a list of results, as a server hands it out."""
_COMPRESSED: Final = (b"x\x01", b"x\x5e", b"x\x9c", b"x\xda", b"\x1f\x8b\x08")
_MOST_INFLATED: Final = 4_096


def encoded_text(read: ReadText) -> str:
    """Return what an encoded part of a text says; "" if none is in it that reads as a sentence."""
    return next(filter(None, (says(read) for says in _ENCODINGS)), "")


def _in_base64(read: ReadText) -> str:
    for found in _BASE64.finditer(read.text) if read.longest >= _SHORTEST_CODE else ():
        if says := _decoded_base64(found.group()):
            return says
    return ""


def _in_numbers(read: ReadText) -> str:
    """Return what is written in hexadecimal or octal numbers, in escapes, codes of characters or bits."""
    text = read.text
    for pattern in _number_patterns(read) if read.digits else ():
        for found in pattern.finditer(text):
            says = _decoded(found.group(), pattern is _CODES)
            if says.strip() not in text and _reads(says, 1, 2):
                return says
    return ""


def _number_patterns(read: ReadText) -> Iterator[re.Pattern[str]]:
    """Yield the patterns of numbers that a text with digits may have, by how many it has and by their signs."""
    if max(map(len, read.text.encode("ascii", "replace").translate(_HEX_SHAPES).split(b"."))) >= _SHORTEST_HEX:
        yield _HEX
    if max(map(read.text.count, "\\%&")) >= 4:
        yield _ESCAPES
    if has_any(_POINT_SIGNS, read.lower):
        yield _POINTS
    if read.digits >= 16:
        yield _CODES
    if read.digits >= 32:
        yield _BITS


def _in_base32(read: ReadText) -> str:
    for found in _BASE32.finditer(read.text) if read.longest >= _SHORTEST_BASE32 else ():
        letters = found.group().rstrip("=")
        try:
            says = base64.b32decode(letters + "=" * (-len(letters) % 8)).decode()
        except (binascii.Error, ValueError):
            continue
        if _reads(says, 0):
            return says
    return ""


def _decoded_base64(found: str, *, is_outer: bool = True) -> str:
    for part in (*found.split(), "".join(found.split())):
        letters = part.rstrip("=")
        if len(letters) < 12 or letters == letters.lower() or letters == letters.upper():
            continue
        try:
            data = base64.b64decode(letters.replace("-", "+").replace("_", "/") + "=" * (-len(letters) % 4))
            says = _inflated(data) if data.startswith(_COMPRESSED) else data.decode()
        except (binascii.Error, ValueError, zlib.error):
            continue
        if says.isprintable() and _reads(says, 0) and not _CURSOR.fullmatch(says):
            return says
        if is_outer and _BASE64.fullmatch(says) and (inner := _decoded_base64(says, is_outer=False)):
            return inner
    return ""


def _inflated(data: bytes) -> str:
    """Return the beginning of what compressed data holds; zlib.error if it holds nothing."""
    return zlib.decompressobj(47).decompress(data, _MOST_INFLATED).decode(errors="replace").replace("\ufffd", "")


def _decoded(found: str, is_codes: bool) -> str:
    compact = found.replace(" ", "").replace(":", "")
    if _BITS.fullmatch(found):
        return "".join(chr(int(compact[place : place + 8], 2)) for place in range(0, len(compact) - 7, 8))
    if _POINTS.fullmatch(found):
        codes = [int(one, 16) for one in re.findall(r"(?:0x|U\+|\{|%u)([0-9A-Fa-f]{2,5})", found, re.IGNORECASE)]
        return "".join(chr(one) for one in codes)
    if found[0] == "&":
        return unescaped(found)
    if found[0] == "%":
        return unquote(found, errors="replace")
    if found[0] == "\\":
        return re.sub(
            r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|([0-7]{3}))",
            lambda one: chr(int(one[1] or one[2], 16) if one[1] or one[2] else int(one[3], 8)),
            found,
        )
    if is_codes:
        return "".join(chr(int(one)) for one in re.findall(r"\d{2,3}", found))
    try:
        return bytes.fromhex(compact[: len(compact) // 2 * 2]).decode()
    except ValueError:
        return ""


def _reads(says: str, most_odd: int, least_words: int = 3) -> bool:
    """Return True if a decoded text has words as a sentence has."""
    words = LETTERS.findall(says)
    odd = sum(not sign.isprintable() and not sign.isspace() for sign in says)
    return odd <= most_odd and len(words) >= least_words and sum(map(len, words)) >= 0.5 * len(says.replace(" ", ""))


_ENCODINGS: Final[tuple[Callable[[ReadText], str], ...]] = (
    _in_base64,
    _in_numbers,
    in_odd_words,
    in_spaced_letters,
    _in_base32,
    in_moved_alphabet,
    ordered_decoding,
    quoted_pieces,
    in_pig_latin,
    in_places,
    ordered_joining,
    in_morse,
)
