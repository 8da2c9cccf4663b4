"""Invisible characters that assistants read and people do not see: direction marks, tags, zero widths.

A tool's description may hide words in them. Joiners inside emoji and scripts that need them are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Final

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
    return text if text.isprintable() else escaped_hidden(text, _escaped)


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
