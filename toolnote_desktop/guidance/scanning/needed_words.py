"""Words that a text needs to fit a pattern: few texts have them, and to find the words of a text takes less time than
to search it with all patterns.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from operator import or_
from typing import Final, NamedTuple

from toolnote_desktop.guidance.texts import cached_words

_KEY: Final = 2
"""First letters by which beginnings of words are looked up."""


def has_any(parts: Iterable[str], text: str) -> bool:
    """Return True if one of the parts is in a text."""
    return any(map(text.__contains__, parts))


def folded(text: str) -> str:
    """Return a text in small letters, with those that a pattern takes for "s" or "i" where it ignores case."""
    lower = text.lower()
    return lower if text.isascii() else lower.replace("\u017f", "s").replace("\u0131", "i").replace("i\u0307", "i")


class _Alternative(NamedTuple):
    """What a text needs to fit one alternative of a pattern: all words of these bits, and one of the parts, if any."""

    words: int
    parts: tuple[str, ...]
    has_capitals: bool


class _Needs(NamedTuple):
    """What a text needs to fit a pattern.

    Attributes:
        rare: bits of the words of which one is enough to look at the alternatives.
        alternatives: those with words.
        parts: of which one is enough without any word.
    """

    rare: int
    alternatives: tuple[_Alternative, ...]
    parts: tuple[str, ...]


class NeededWords:
    """Words and signs that texts need to fit patterns, each of which is known by a name.

    A pattern has alternatives, and a text needs what one of them names. An alternative has needs with a space between,
    all of which must be met, the rarest first; a need has words or signs with a comma between, of which one is enough.
    So ``now you,your`` is "now" and one of "you" and "your". ``polic*`` is each word that begins so, ``*note*`` each
    that has it. ``=[admin,[root`` is one of these parts of the text itself, with a space where they have ``·``, and in
    capitals if one of them is.
    """

    def __init__(self, needs: Mapping[str, Iterable[str]]) -> None:
        self._bits: dict[str, int] = {}
        self._whole: dict[str, int] = {}
        self._beginnings: dict[str, list[tuple[str, int]]] = {}
        self._parts: list[tuple[str, int]] = []
        self._needs = {name: self._needs_of(alternatives) for name, alternatives in needs.items()}
        self._bits_of = cached_words(16_384)(self._bits_of_new)

    def seen(self, words: Iterable[str]) -> int:
        """Return which needs the words meet, as bits."""
        return reduce(or_, map(self._bits_of, words), 0)

    def opens(self, name: str, seen: int, text: str, lower: str) -> bool:
        """Return True if a text may fit a pattern.

        Args:
            seen: needs that its words meet.
            lower: the text, ``folded``.
        """
        rare, alternatives, alone = self._needs[name]
        if seen & rare:
            for words, parts, has_capitals in alternatives:
                if seen & words == words and (not parts or has_any(parts, text if has_capitals else lower)):
                    return True
        return bool(alone) and has_any(alone, lower)

    def _needs_of(self, alternatives: Iterable[str]) -> _Needs:
        texts = tuple(alternatives)
        read = tuple(map(self._alternative, texts))
        rare = reduce(or_, (self._bit(text.split(" ")[0]) for text in texts if not text.startswith("=")), 0)
        return _Needs(
            rare,
            tuple(one for one in read if one.words),
            tuple(part for one in read if not one.words for part in one.parts),
        )

    def _alternative(self, text: str) -> _Alternative:
        words, parts = 0, ""
        for need in text.split(" "):
            if need.startswith("="):
                parts = need[1:].replace("·", " ")
            else:
                words |= self._bit(need)
        return _Alternative(words, tuple(parts.split(",")) if parts else (), parts != parts.lower())

    def _bit(self, need: str) -> int:
        """Return the bit of a need for words."""
        if need not in self._bits:
            bit = self._bits[need] = 1 << len(self._bits)
            for word in need.split(","):
                if word.startswith("*"):
                    self._parts.append((word.strip("*"), bit))
                elif word.endswith("*"):
                    self._beginnings.setdefault(word[:_KEY], []).append((word[:-1], bit))
                else:
                    self._whole[word] = self._whole.get(word, 0) | bit
        return self._bits[need]

    def _bits_of_new(self, word: str) -> int:
        """Return the needs that a word meets which was not met lately."""
        bits = self._whole.get(word, 0)
        for beginning, bit in self._beginnings.get(word[:_KEY], ()):
            if word.startswith(beginning):
                bits |= bit
        for part, bit in self._parts:
            if part in word:
                bits |= bit
        return bits
