"""Texts of servers that imitate the section with the user's notes (docs/contract.md 6, docs/security.md).

Served instructions vouch for that section as the user's own words, so that a server must not be able to write it. Its
heading is replaced, also where letters of other alphabets or invisible characters disguise it; its bullets are flagged.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Any, Final

from toolnote_desktop.model.hidden_characters import escaped_hidden

_HEADING: Final = "additional tool notes"
REPLACEMENT: Final = "Notes of this tool's server, not of the user"
"""Text served in the place of the heading, behind the line's own marks of Markdown."""

LINE_BREAK: Final = re.compile(r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
"""Everything that a reader may take for the end of a line (Unicode Standard Annex 14, mandatory breaks)."""

_MARKS: Final = re.compile(r"[\s#>*_=~`•\-+:.|]+")
_BULLET: Final = re.compile(r"(?:^|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029])[ \t]{0,8}• \*\*[a-z0-9-]{1,50}\*\*:")
_LOOK_ALIKE: Final = {
    ord(sign): letter
    for letter, signs in {
        "a": "\u0251\u03b1\u0430",
        "d": "\u0501\u13e7",
        "e": "\u03b5\u0435\u212e",
        "i": "\u0131\u03b9\u0456",
        "l": "\u04cf\u01c0\u2223",
        "n": "\u03bd\u0274\u043f",
        "o": "\u03bf\u043e\u0585",
        "s": "\u0455\ua731",
        "t": "\u03c4\u0442\u1d1b",
    }.items()
    for sign in signs
}
"""Small letters of other alphabets that look like those of the heading (Unicode Technical Standard 39)."""


def imitates_bullets(text: str) -> bool:
    """Return True if a line of a text has the form of one of the user's notes."""
    return "• **" in text and _BULLET.search(text) is not None


def without_imitation(text: str) -> str:
    """Return a text with its imitated headings replaced; the same object if it has none."""
    if not _may_imitate(text):
        return text
    parts: list[str] = []
    start = 0
    replaced = False
    for found in [*LINE_BREAK.finditer(text), None]:
        line = text[start : len(text) if found is None else found.start()]
        if _is_heading(line):
            marks = _MARKS.match(line)
            line = f"{marks.group() if marks else ''}{REPLACEMENT}"
            replaced = True
        parts += [line, found.group() if found is not None else ""]
        start = len(text) if found is None else found.end()
    return "".join(parts) if replaced else text


def imitation_free(value: Any) -> Any:
    """Return a JSON value with the imitated headings in all its texts replaced; the same object if it has none."""
    return _replaced(value) if _may_hold_imitation(value) else value


def _may_hold_imitation(value: Any) -> bool:
    """Return False for most values, in little time: each definition is looked at before the first paint."""
    pending = [value]
    while pending:
        one = pending.pop()
        kind = type(one)
        if kind is str:
            if len(one) >= len(_HEADING) and _may_imitate(one):
                return True
        elif kind is dict:
            pending += one.values()
        elif kind is list:
            pending += one
    return False


def _replaced(value: Any) -> Any:
    if isinstance(value, str):
        return without_imitation(value)
    if isinstance(value, dict):
        changed = {key: _replaced(one) for key, one in value.items()}
        return value if all(changed[key] is one for key, one in value.items()) else changed
    if isinstance(value, list):
        items = [_replaced(one) for one in value]
        return value if all(new is old for new, old in zip(items, value, strict=True)) else items
    return value


def _may_imitate(text: str) -> bool:
    """Return False for most texts, in little time."""
    return len(text) >= len(_HEADING) and (not text.isascii() or "additional" in text.lower())


def _is_heading(line: str) -> bool:
    if len(line) > 400:
        line = line[:400]
    plain = _MARKS.sub(" ", _folded(line)).strip()
    return plain.startswith(_HEADING) and not plain[len(_HEADING) : len(_HEADING) + 1].isalnum()


def _folded(text: str) -> str:
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", escaped_hidden(text, lambda _: ""))
    base = "".join(sign for sign in decomposed if not unicodedata.combining(sign))
    return base.lower().translate(_LOOK_ALIKE)
