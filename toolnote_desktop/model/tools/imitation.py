"""Texts of servers that imitate the section with the user's notes (docs/contract.md 6, docs/security.md).

Served instructions vouch for that section as the user's own words, so that a server must not be able to write it. Its
heading is replaced, also where letters of other alphabets or invisible characters disguise it; its bullets are flagged.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Any, Final

from toolnote_desktop.model.hidden_characters import escaped_hidden, normalized, unescaped

_FIRST: Final = "additional"
_SHORTEST: Final = len(_FIRST)
"""Characters that the shortest line of an imitated heading has: it may be on two lines."""

REPLACEMENT: Final = "Notes of this tool's server, not of the user"
"""Text served in the place of the heading, behind the line's own marks of Markdown."""

LINE_BREAK: Final = re.compile(r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
"""Everything that a reader may take for the end of a line (Unicode Standard Annex 14, mandatory breaks)."""

_LINE_END: Final = re.compile(
    r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]|<br[\s/]{0,3}>|\\n|(?<=[^\s#])[ \t\xa0]+(?=#{1,6}[ \t\xa0])",
    re.IGNORECASE,
)
"""The same and what a model may take for it in a text; so is a mark of a heading in a line."""

_MARKS: Final = re.compile(r"[\s#>*_=~`•\-+:.|]+")
_RUN: Final = re.compile(r"([\W_])[\W_]+")
_TAG: Final = re.compile(r"<(?!h[1-6\W])[^<>]{0,200}>", re.IGNORECASE)
_TITLE: Final = re.compile(
    r"a[\W_]*d[\W_]*d[\W_]*[i1l][\W_]*t[\W_]*[i1l][\W_]*[o0][\W_]*n[\W_]*a[\W_]*[i1l]"
    r"[\W_]*t[\W_]*[o0][\W_]*[o0][\W_]*[i1l](?:[\W_]*s)?[\W_]*n[\W_]*[o0][\W_]*t[\W_]*e(?:[\W_]*s)?(?![^\W_])"
)
_BEGINNING: Final = re.compile(r"(?:\\[a-z]{1,20}|\[[a-z0-9=]{1,20}\])?[\W_\d]*")
"""Marks before a heading, a command of LaTeX or a tag in brackets among them."""

_NO_LETTERS: Final = re.compile(
    r"[\x00-\x7f\u00a1-\u00a7\u00a9\u00ab\u00ac\u00ae\u00b0\u00b1\u00b6\u00b7\u00bb\u00bf\u00c7-\u00cb\u00d7-\u00dc\u00df"
    r"\u00e7-\u00eb\u00f7-\u00fc\u2010-\u2027\u2030-\u205e\u20ac\u2190-\u21ff\u2500\u2501\u2503-\u27bf\u3001-\u3006"
    r"\u3008-\u3030\u3041-\u30fe\u3400-\u9fff\uac00-\ud7a3\ufe0f\uff01-\uff0f\uff1a-\uff20"
    r"\U0001f300-\U0001f6ff\U0001f780-\U0001faff]*"
)
"""Text whose signs beyond ASCII become no letter of the heading's first word, whatever they become."""

_LABEL: Final = re.compile(r"[^\W\d_]{1,20}:[\W_]*")
"""Word before a heading, such as "Note:"."""
LINE_LIMIT: Final = 20_000
"""Characters of a line that are read."""

_LONGEST_CHOICE: Final = 100
"""Characters of a value of an ``enum`` up to which it may have the heading's words."""

_FIRST_COMBINING: Final = "\u0300"
_WHOLE: Final = len("additionaltoolnote")
_KEY_LENGTH: Final = len("additionalProperties")
"""Characters of a key up to which it is not looked at: it would be too short for the heading."""

_BULLET: Final = re.compile(r"(?:^|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029])[ \t]{0,8}• \*\*[a-z0-9-]{1,50}\*\*:")
# Small letters of other alphabets that look like those of the heading (Unicode Technical Standard 39, confusables), and
# letters without a shape.
_LOOK_ALIKE: dict[int, str] = {
    ord(sign): letter
    for letter, signs in {
        "a": "\u0251\u03b1\u0430\u15c5\u1d00\u237a\u2c81\ua4ee\uab7a\U000102a0\U00016f40",
        "d": "\u0501\u13e7\u146f\u15de\u15ea\u1d05\ua4d2\ua4d3\uab70\uabb7",
        "e": "\u03b5\u0435\u04bd\u1d07\u212e\u22ff\u2d39\ua4f0\uab32\uab7c\U00010286\U000118c6\U000118ce",
        "i": "\u0131\u0269\u026a\u03b9\u0456\u04cf\u2373\ua647\uab75\U000118c3",
        "l": "\u01c0\u029f\u06f1\u14aa\u16c1\u2223\u23fd\u2502\u2c93\u2cd1\u2d4f\ua4e1\ua4f2\uabae"
        "\U0001028a\U00010309\U00010320\U00010443\U00010526\U000118d2\U00016f16\U00016f28\U0001d22a",
        "n": "\u0274\u03bd\u043f\u0578\u057c\u2c9b\ua4e0\U00010513",
        "o": "\u03bf\u03c3\u043e\u0585\u06f5\u0966\u09e6\u0a66\u0ae6\u0b20\u0b66\u0be6\u0c02\u0c66\u0c82\u0ce6"
        "\u0d02\u0d20\u0d66\u0d82\u0e50\u0ed0\u101d\u1040\u10ff\u12d0\u1d0f\u1d11\u2c9f\u2d54\u3007\ua4f3\uab3d"
        "\U00010292\U000102ab\U0001042c\U000104ea\U00010516\U000114d0\U000118c8\U000118d5\U000118d7\U000118e0",
        "s": "\u01bd\u0455\u057f\ua4e2\ua731\uaba5\uabaa\U00010296\U00010448\U000118c1\U00016f3a",
        "t": "\u03c4\u0442\u1d1b\u22a4\u27d9\u2ca7\ua4d4\uab72\U00010297\U000102b1\U00010315\U000118dc\U00016f0a"
        "\U0001f768",
    }.items()
    for sign in signs
} | dict.fromkeys((0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0), "")
for _a in (0x1F150, 0x1F170, 0x1F1E6):  # letters in circles and squares, and those of flags
    _LOOK_ALIKE |= {_a + place: chr(ord("a") + place) for place in range(26)}


def imitates_bullets(text: str) -> bool:
    """Return True if a line of a text has the form of one of the user's notes."""
    return "• **" in text and _BULLET.search(text) is not None


def without_imitation(text: str) -> str:
    """Return a text with its imitated headings replaced; the same object if it has none."""
    if not _may_imitate(text):
        return text
    lines = _LINE_END.split(text)
    breaks = [*_LINE_END.findall(text), ""]
    parts: list[str] = []
    place, replaced = 0, False
    while place < len(lines):
        line, following = lines[place], lines[place + 1] if place + 1 < len(lines) else ""
        plain = _folded(line) if _may_imitate(line) else ""
        is_split = _is_beginning(plain) and _is_heading(_folded(f"{line} {following}"))  # one heading on two lines
        if is_split or _is_heading(plain):
            line, replaced = _defused(line), True
        place += 1 + is_split
        parts += [line, breaks[place - 1]]
    return "".join(parts) if replaced else text


def _defused(line: str) -> str:
    marks = _MARKS.match(line)
    return f"{marks.group() if marks else ''}{REPLACEMENT}"


def imitation_free(value: Any, *, keeps_choices: bool = False) -> Any:
    """Return a JSON value with the imitated headings in all its texts replaced; the same object if it has none.

    Args:
        keeps_choices: leave values of ``enum`` and ``const`` that are plain text of one line: calls send them.
    """
    if not _may_hold_imitation(value):
        return value
    return _replaced(value, frozenset(("enum", "const")) if keeps_choices else frozenset())


def _may_hold_imitation(value: Any) -> bool:
    """Return False for most values, in little time: each definition is looked at before the first paint."""
    pending = [value]
    while pending:
        one = pending.pop()
        kind = type(one)
        if kind is str:
            if len(one) >= _WHOLE and _may_imitate(one):
                return True
        elif kind is dict:
            pending += one.values()
            pending += [key for key in one if len(key) > _KEY_LENGTH]
        elif kind is list:
            pending += one
    return False


def _replaced(value: Any, choices: frozenset[str], *, is_choice: bool = False) -> Any:
    if isinstance(value, str):
        return value if is_choice and _is_plain(value) else without_imitation(value)
    if isinstance(value, dict):
        changed = {
            without_imitation(key): _replaced(one, choices, is_choice=key in choices) for key, one in value.items()
        }
        is_same = len(changed) == len(value) and all(changed.get(key, changed) is one for key, one in value.items())
        return value if is_same else changed
    if isinstance(value, list):
        items = [_replaced(one, choices, is_choice=is_choice) for one in value]
        return value if all(new is old for new, old in zip(items, value, strict=True)) else items
    return value


def _is_plain(text: str) -> bool:
    """Return True for a short text of one line that begins with no mark: no section of notes begins with it."""
    return len(text) <= _LONGEST_CHOICE and text[:1].isalnum() and _LINE_END.search(text) is None


def _may_imitate(text: str) -> bool:
    """Return False for most texts, in little time."""
    if len(text) < _SHORTEST:
        return False
    text = unescaped(text)
    if not text.isascii():
        if "<" in text or _NO_LETTERS.fullmatch(text) is None:
            return True
        text = text.encode("ascii", "ignore").decode()
    if _has_first(text):
        return True
    return "<" in text and _has_first(_without_tags(text))


def _without_tags(text: str) -> str:
    """Return a text without tags, but for the words of one that has the heading's."""
    return _TAG.sub(lambda tag: f" {tag.group()[1:-1]} " if _has_first(tag.group()) else "", text)


def _has_first(text: str) -> bool:
    """Return True if a text may have the heading's first word, with signs between its letters too."""
    return _FIRST_SEEN in _seen(text)


def _seen(text: str) -> bytes:
    """Return the letters of a text in small ones, with those alike that look alike: l, 1 and a capital i, o and 0."""
    return text.encode("utf-8", "surrogatepass").translate(_ALIKE, _SIGNS)


_ALIKE: Final = bytes(range(256)).lower().translate(bytes.maketrans(b"l10", b"iio"))
_SIGNS: Final = bytes(sign for sign in range(128) if not chr(sign).isalnum())
_FIRST_SEEN: Final = _seen(_FIRST)


def _is_heading(plain: str) -> bool:
    """Return True if a folded line begins with the heading, behind marks, or is one that has it anywhere."""
    if _FIRST[0] not in plain:
        return False
    begins = _BEGINNING.match(plain)
    start = begins.end() if begins is not None else 0
    label = _LABEL.match(plain, start)
    if _TITLE.match(plain, start) or (label is not None and _TITLE.match(plain, label.end())):
        return True
    return plain.startswith(("#", "<h")) and _TITLE.search(plain) is not None


def _is_beginning(plain: str) -> bool:
    """Return True if a folded line has the heading's first words alone, so that the next one may have the others."""
    if len(plain) >= 100:
        return False
    words = "".join(filter(str.isalnum, plain)).lstrip("0123456789")
    return _seen(words) in (_FIRST_SEEN, _seen(f"{_FIRST}tool"))


def _folded(text: str) -> str:
    """Return the beginning of a line in small plain letters, without hidden characters, entities and most tags."""
    text = unescaped(text[:LINE_LIMIT])
    if not text.isascii():
        text = normalized("NFKD", escaped_hidden(text, lambda _: ""))
        if not text.isascii():
            text = "".join([sign for sign in text if sign < _FIRST_COMBINING or not unicodedata.combining(sign)])
    text = text.lower().translate(_LOOK_ALIKE)
    if "<" in text:
        text = _without_tags(text).strip()
    return _RUN.sub(r"\1", text.strip())[:400]
