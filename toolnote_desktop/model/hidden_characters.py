"""Invisible characters that assistants read and people do not see (direction marks, tags, zero widths), and other
spellings of a text: compatibility forms, entities of HTML.

A tool's description may hide words in them. Joiners inside emoji and scripts that need them are left alone.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cache
from typing import Final, Literal

_EMPTY: Final = dict.fromkeys(map(ord, "\u034f\u115f\u1160\u17b4\u17b5\u200c\u200d\u2800\u3164\uffa0"))
"""Fillers, joiners and the empty Braille pattern, which alone show nothing."""


@cache
def _hidden() -> re.Pattern[str]:
    """Compile the pattern on first use, which takes over a millisecond."""
    return re.compile(
        "[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e"
        "\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff]"
    )


def is_blank(text: str) -> bool:
    """Return True for a text that shows nothing: white space and invisible characters alone."""
    first = text[:1]
    if first.isascii() and first.isalnum():  # nearly all notes
        return False
    return not escaped_hidden(text, lambda _: "").translate(_EMPTY).strip()


def count_hidden(text: str) -> int:
    """Count the invisible characters of a text."""
    return len(_hidden().findall(text))


def escaped_hidden(text: str, escape: Callable[[str], str]) -> str:
    """Return a text with ``escape`` applied to each invisible character."""
    return _hidden().sub(lambda found: escape(found.group()), text)


def escape_controls(text: str) -> str:
    """Return ``text`` with control characters, text direction marks and other invisible characters escaped, for
    terminals and logs.
    """
    if text.isascii() and text.isprintable():
        return text
    return _empty().sub(lambda found: _escaped(found.group()), escaped_hidden(text, _escaped))


@cache
def _empty() -> re.Pattern[str]:
    """Compile the pattern of empty letters and of variation selectors in a row, which carry words without
    being seen; one selector alone belongs to emoji.
    """
    return re.compile(
        "[\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0]|[\ufe00-\ufe0f](?=[\ufe00-\ufe0f])|(?<=[\ufe00-\ufe0f])[\ufe00-\ufe0f]"
    )


def _escaped(sign: str) -> str:
    code = ord(sign)
    if code > 0xFFFF:
        return f"\\U{code:08x}"
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def escaped_in_json(data: str) -> str:
    """Escape invisible characters of a JSON text; the data stays the same."""
    return _hidden().sub(lambda found: _escape(found.group()), data)


def _escape(sign: str) -> str:
    units = sign.encode("utf-16-be")
    return "".join(f"\\u{units[place]:02x}{units[place + 1]:02x}" for place in range(0, len(units), 2))


_PIECE: Final = 64
"""Characters that are normalized at once: of combining marks in a row, Python's own sort takes quadratic time."""


def normalized(form: Literal["NFC", "NFD", "NFKC", "NFKD"], text: str) -> str:
    """Return a normalized text in linear time (``unicodedata.normalize`` takes 1.3 s for 20,000 combining marks).

    A long text is cut before an ASCII character where there is one, which no mark before it joins.
    """
    if text.isascii():
        return text
    if len(text) <= _PIECE:
        return unicodedata.normalize(form, text)
    parts, start = [], 0
    while start < len(text):
        end = start + _PIECE
        if end < len(text):
            end = next((place for place in range(end, start, -1) if text[place] < "\x80"), end)
        parts.append(unicodedata.normalize(form, text[start:end]))
        start = end
    return "".join(parts)


_NUMBER: Final = re.compile(r"&#0*(\d{0,8})\d*")


def unescaped(text: str) -> str:
    """Return a text with its entities of HTML replaced; of numbers too long for any character the beginning counts
    (``html.unescape`` raises ValueError for 4,301 digits).
    """
    if "&" not in text:
        return text
    import html  # its names of characters take half a megabyte

    return html.unescape(_NUMBER.sub(r"&#\1", text))
