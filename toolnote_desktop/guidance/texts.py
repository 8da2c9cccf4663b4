"""Texts of others within ours: their words, first sentences, cuts after a sentence or a word, fences left open.

What is worked out of their words is kept within bounds of number and size (``cached_words``, ``cached_texts``).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Final, TypeVar

SENTENCE_LIMIT: Final = 300
"""Characters of a first sentence: a description may have no end of a sentence at all."""

FENCE_ROOM: Final = 101
"""Characters that closing a fence takes at most: a line of its marks."""

LONGEST_CACHED: Final = 40
"""Characters of a word whose result is kept."""

_SHORT_TEXT: Final = 160
"""Characters of a pair of texts whose result is kept."""

T = TypeVar("T")
_FORGET: Final[list[Callable[[], None]]] = []

_SENTENCE_END: Final = re.compile(r"[.!?…](?=\s|$)|[。！？]|\n")
_FENCE: Final = re.compile(r"^ {0,3}(`{3,100}|~{3,100})", re.MULTILINE)


def _kept(number: int, function: Callable[..., T]) -> Callable[..., T]:
    """Return a function that keeps so many results until ``forget_words``."""
    known = lru_cache(number)(function)
    _FORGET.append(known.cache_clear)
    return known


class _KnownWords(dict[str, T]):
    """Results of a function for the words that it was asked for lately, looked up in a third of the time that
    ``lru_cache`` takes. When there are so many, all are forgotten.
    """

    def __init__(self, number: int, function: Callable[[str], T]) -> None:
        super().__init__()
        self._number, self._function = number, function

    def __missing__(self, word: str) -> T:
        result = self._function(word)
        if len(word) <= LONGEST_CACHED:
            if len(self) >= self._number:
                self.clear()
            self[word] = result
        return result


def cached_words(number: int) -> Callable[[Callable[[str], T]], Callable[[str], T]]:
    """Return a decorator that keeps a function's results for so many words; those of longer words are not kept."""

    def decorate(function: Callable[[str], T]) -> Callable[[str], T]:
        known = _KnownWords(number, function)
        _FORGET.append(known.clear)
        return known.__getitem__

    return decorate


def cached_texts(number: int) -> Callable[[Callable[[str, str], T]], Callable[[str, str], T]]:
    """Return a decorator that keeps a function's results for so many pairs of short texts."""

    def decorate(function: Callable[[str, str], T]) -> Callable[[str, str], T]:
        known = _kept(number, function)

        @wraps(function)
        def result_of(one: str, other: str) -> T:
            return known(one, other) if len(one) + len(other) <= _SHORT_TEXT else function(one, other)

        return result_of

    return decorate


def forget_words() -> None:
    """Forget what is kept for words: a removed server's may be thousands, and each keeps a block of memory in use."""
    for forget in _FORGET:
        forget()


WORD: Final = re.compile(r"[^\W_]+")
"""Word of letters and digits."""

LETTERS: Final = re.compile(r"[^\W\d_]{2,}")
"""Word of letters alone, of two or more."""

_OF_WORDS: Final = bytes(code if WORD.match(chr(code)) else ord(" ") for code in range(128)).ljust(256)
"""ASCII with blanks in place of what is in no ``WORD``."""

_SMALL_LETTERS: Final = bytes(ord(chr(code).lower() if chr(code).isalpha() else " ") for code in range(128)).ljust(256)
"""ASCII with small letters, and blanks in place of all other signs."""


def words_as_written(text: str) -> list[str]:
    """Return the words of letters and digits of a text: what ``WORD`` finds, in less time where all of it is ASCII."""
    return text.encode().translate(_OF_WORDS).decode().split() if text.isascii() else WORD.findall(text)


def words_of_letters(text: str) -> set[str]:
    """Return what ``LETTERS`` finds in a text, in small letters; of an ASCII text, words of one letter as well."""
    if text.isascii():
        return set(text.encode().translate(_SMALL_LETTERS).decode().split())
    return set(LETTERS.findall(text.lower()))


def first_sentence(text: str) -> str:
    """Return the first sentence of a description, on one line, cut after a word if it is long."""
    head = text.strip()[: 4 * SENTENCE_LIMIT]
    paragraph = " ".join(head.split("\n\n", 1)[0].split())
    for place, c in enumerate(paragraph):
        if c in "。！？":
            return clipped(paragraph[: place + 1], SENTENCE_LIMIT)
        if (
            c in ".!?"
            and paragraph[place + 1 : place + 2] in ("", " ")
            and paragraph[max(0, place - 3) : place] not in ("e.g", "i.e")
        ):
            return clipped(paragraph[: place + 1], SENTENCE_LIMIT)
    return clipped(paragraph, SENTENCE_LIMIT)


def whole_sentences(text: str, limit: int) -> str:
    """Return the text up to the end of the last sentence within the limit; "" if none fits."""
    if len(text) <= limit:
        return text
    end = 0
    for found in _SENTENCE_END.finditer(text, 0, max(limit + 1, 0)):
        if found.end() <= limit:
            end = found.end()
    return text[:end].rstrip()


def one_line(text: str) -> str:
    """Return the text on one line."""
    return " ".join(text.split())


def clipped(text: str, most: int) -> str:
    """Return a line of at most so many characters, cut after a word; in a word where that would lose half of the line,
    as in languages without spaces.
    """
    if len(text) <= most:
        return text
    cut = text[: max(most - 1, 0)]
    words = cut.rpartition(" ")[0]
    return f"{words if 2 * len(words) >= most else cut}…" if most > 0 else ""


def has_fence(text: str) -> bool:
    """Return True if a text has a code fence, which a cut may leave open."""
    return _FENCE.search(text) is not None


def with_closed_fences(text: str) -> str:
    """Return the text with a code fence that it leaves open closed, so that what follows it is no code."""
    opened = ""
    for found in _FENCE.finditer(text):
        fence = found.group(1)
        if not opened:
            opened = fence
        elif fence.startswith(opened):
            opened = ""
    return f"{text.rstrip()}\n{opened}" if opened else text
