"""Names that look like that of a tool of another source: other letters, one more or less, a claim to be the real one.

Tools of the same meaning in different servers have like names honestly. So a name that differs in one letter is let be
if the word is a usual one of the same length, or one that the tool says of itself; a plural, if the tool says that very
form; the same words in another style (``read_file``, ``read-file``), if its source has other names in that style.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from enum import Enum, auto
from typing import Final, NamedTuple

from toolnote_desktop.guidance.scanning.features import is_usual_word
from toolnote_desktop.model.hidden_characters import escaped_hidden, normalized


class Style(Enum):
    """Styles in which the words of a name are put together; ``NONE``: none of them."""

    SNAKE = auto()
    KEBAB = auto()
    CAMEL = auto()
    PASCAL = auto()
    TITLE = auto()
    NONE = auto()


_LETTERS: Final = str.maketrans(
    "аеорсхуіјѕԁԛԝвнкмтһүѵѡӏҽɡɑǀıɪʟꜱᴀʙᴄᴅᴇꜰɢʜᴊᴋᴍɴᴏᴘʀᴛᴜᴠᴡʏᴢοαινρτκηυχγωσеոսօհցզøłđħŧƿ",
    "aeopcxyijsdqwbhkmthyvwlegaliilsabcdefghjkmnoprtuvwyzoaivptknuxywoenuohgqoldhtp",
)
"""Letters of other alphabets, small capitals and letters with strokes, by the Latin ones that they look like (a part of
Unicode Technical Standard 39, confusables)."""

_DIGITS: Final = str.maketrans("01i3457|$@", "olleastlsa")
"""Digits and signs by the letters that they look like; ``i`` as ``l``, as a capital looks."""

_PAIRS: Final = (("rn", "m"), ("vv", "w"), ("cl", "d"))
_SHORTEST: Final = 6
_SHORTEST_WORD: Final = 4
_LONGEST: Final = 64
_CLAIMS: Final = frozenset(
    (
        *("official", "verified", "trusted", "genuine", "original", "authentic", "certified", "authorized", "legit"),
        *("enhanced", "improved", "better", "superior", "safe", "safer", "secure", "faster", "pro", "plus", "premium"),
        *("new", "v2", "v3"),
    )
)
_STYLES: Final = (
    (Style.SNAKE, re.compile(r"[a-z0-9]+(?:_[a-z0-9]+)*")),
    (Style.KEBAB, re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")),
    (Style.CAMEL, re.compile(r"[a-z]{1,64}(?:[A-Z][a-z0-9]{1,64}){1,16}")),
    (Style.PASCAL, re.compile(r"(?:[A-Z][a-z0-9]{1,64}){1,16}")),
    (Style.TITLE, re.compile(r"[A-Z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*")),
)
_WORD: Final = re.compile(r"[^\W\d_]+")
_ENDINGS: Final = ("", "s", "es", "d", "ed", "ing", "ion", "r", "er")


class Alike(NamedTuple):
    """Two tools of different sources with names that look alike: the one that imitates, and the other."""

    key: tuple[str, str]
    other: tuple[str, str]


class _Name(NamedTuple):
    """Name with its spellings.

    Attributes:
        plain: small letters and digits of any alphabet, those that look like Latin ones as those.
        skeleton: the same with digits as the letters that they look like.
        folded: the skeleton with pairs of letters as the one that they look like.
    """

    key: tuple[str, str]
    plain: str
    skeleton: str
    folded: str


def name_skeleton(name: str) -> str:
    """Return what a name looks like: without separators, case, marks, invisible and look-alike characters."""
    return _plain(name).translate(_DIGITS)


def _plain(name: str) -> str:
    shown = escaped_hidden(name, lambda _: "")
    if not shown.isascii():
        shown = "".join(sign for sign in normalized("NFKD", shown) if not unicodedata.combining(sign))
    signs = shown.casefold().translate(_LETTERS)
    return "".join(sign for sign in signs if sign.isalnum() or sign in "|$@")


def alike_names(
    names: Iterable[tuple[str, str]], said: Callable[[tuple[str, str]], str] = lambda _: ""
) -> Iterator[Alike]:
    """Yield the tools whose name only looks like that of a tool of another source, as (source, name).

    Args:
        said: title, description and parameters of a tool; "" if they are not known.
    """
    names = list(names)
    styles = Counter((source, style_of(name)) for source, name in names)
    seen: dict[str, _Name] = {}
    by_words: dict[str, tuple[str, str]] = {}
    claims: list[tuple[str, str]] = []
    for key in names:
        skeleton = name_skeleton(key[1])
        folded = skeleton
        for pair, letter in _PAIRS:
            folded = folded.replace(pair, letter)
        one = _Name(key, _plain(key[1]), skeleton, folded)
        shorter = (skeleton[:place] + skeleton[place + 1 :] for place in range(min(len(skeleton), _LONGEST)))
        keys = dict.fromkeys((skeleton, folded, *shorter))
        for spelling in keys:
            other = seen.get(spelling)
            if other is None or other.key[0] == key[0]:
                continue
            if (found := _judged(one, other, said, styles)) is not None:
                yield found
                break
        for spelling in keys:
            seen.setdefault(spelling, one)
        words = split_name(key[1])
        by_words.setdefault(words, key)
        if not _CLAIMS.isdisjoint(words.split(" ")):
            claims.append(key)
    for key in claims:
        rest = [word for word in split_name(key[1]).split(" ") if word not in _CLAIMS]
        for start in range(min(2, len(rest))):  # as it is, or after the name of a product
            real = by_words.get(" ".join(rest[start:]))
            if real is not None and real[0] != key[0] and real[1] != key[1]:
                yield Alike(key, real)
                break


def _judged(
    one: _Name, other: _Name, said: Callable[[tuple[str, str]], str], styles: Counter[tuple[str, Style]]
) -> Alike | None:
    """Return which of two names imitates the other; None if they only have a meaning in common."""
    if one.skeleton == other.skeleton:
        if one.key[1] == other.key[1]:
            return None
        both = (style_of(one.key[1]), style_of(other.key[1]))
        if one.plain != other.plain or Style.NONE in both or not f"{one.key[1]}{other.key[1]}".isascii():
            return _odd(one, other)
        return Alike(one.key, other.key) if styles[one.key[0], both[0]] == 1 else None
    if one.folded == other.folded:
        is_odd = one.folded != one.skeleton and not _says_difference(one, other, said(one.key))
        if is_odd:
            return Alike(one.key, other.key)
        is_odd = other.folded != other.skeleton and not _says_difference(other, one, said(other.key))
        return Alike(other.key, one.key) if is_odd else None
    if not _is_one_letter(one.plain, other.plain):
        return None
    odd = [
        (first, second)
        for first, second in ((one, other), (other, one))
        if (said(first.key) or not said(second.key)) and not _says_difference(first, second, said(first.key))
    ]  # of two names, one whose texts are not known may well say its own word
    return Alike(odd[0][0].key, odd[0][1].key) if odd else None


def _odd(one: _Name, other: _Name) -> Alike:
    """Return the pair of two names that look the same, the one first that is not plain."""
    is_plain = style_of(one.key[1]) is not Style.NONE
    if is_plain and style_of(other.key[1]) is Style.NONE:
        return Alike(other.key, one.key)
    if is_plain and any(map(str.isdigit, other.key[1])) and not any(map(str.isdigit, one.key[1])):
        return Alike(other.key, one.key)
    return Alike(one.key, other.key)


def _is_one_letter(first: str, second: str) -> bool:
    """Return True if two names differ in one letter: other, added, left out or two in another order."""
    if len(first) > len(second):
        first, second = second, first
    if len(first) < _SHORTEST or len(second) - len(first) > 1 or first == second:
        return False
    start = 0
    while start < len(first) and first[start] == second[start]:
        start += 1
    a, b = first[start:], second[start:]
    if len(first) == len(second):
        if a[1:] == b[1:]:
            return a[0].isalpha() and b[0].isalpha()
        return a[2:] == b[2:] and len(a) > 1 and a[:2] == b[1::-1]
    return a == b[1:] and b[0].isalpha()


def _says_difference(one: _Name, other: _Name, said: str) -> bool:
    """Return True if the word by which a name differs from the other is one that the tool says of itself."""
    words, others = (split_name(name.key[1]).split(" ") for name in (one, other))
    own = [word for word in words if word not in others]
    theirs = [word for word in others if word not in words]
    if len(words) != len(others) or len(own) != 1 or len(theirs) != 1:
        return False
    word, their = own[0], theirs[0]
    if max(len(word), len(their)) < _SHORTEST_WORD:
        return True
    known = {found.lower() for found in _WORD.findall(said)}
    if word in (f"{their}s", f"{their}es") or their in (f"{word}s", f"{word}es"):
        return not said or word in known
    is_another = len(word) == len(their) and is_usual_word(word)
    return is_another or bool(known & _forms(word) - _forms(their))


def _forms(word: str) -> set[str]:
    return {f"{word}{ending}" for ending in _ENDINGS}


def style_of(name: str) -> Style:
    """Return the style of a name; a single word has the first."""
    return next((style for style, pattern in _STYLES if pattern.fullmatch(name)), Style.NONE)


def split_name(name: str) -> str:
    """Return the words of a name in small letters, with blanks between them."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[-_.]", " ", name).lower()
