"""Texts with what their marks are looked for by."""

from __future__ import annotations

import re
from collections.abc import Set
from typing import Final, NamedTuple

from toolnote_desktop.guidance.scanning.common_words import WRITTEN_ODDLY
from toolnote_desktop.guidance.scanning.hidden_text import ORDINARY
from toolnote_desktop.guidance.scanning.needed_words import folded
from toolnote_desktop.guidance.scanning.pattern_needs import NEEDED
from toolnote_desktop.guidance.texts import words_of_letters

_DIGIT: Final = re.compile(r"\d")


class ReadText(NamedTuple):
    """Text with what its marks are looked for by, found once.

    Attributes:
        lower: the text, ``folded``.
        words: its words, in small letters.
        odd: those that may be others, written oddly.
        seen: needs that its words meet.
        is_ordinary: its signs hide and disguise nothing.
        digits: how many digits it has.
        longest: characters of its longest part without white space.
    """

    text: str
    lower: str
    words: set[str]
    odd: Set[str]
    seen: int
    is_ordinary: bool
    digits: int
    longest: int

    @classmethod
    def of(cls, text: str) -> ReadText:
        """Read a text."""
        lower = folded(text)
        longest = max(map(len, text.split()), default=0)
        words = words_of_letters(lower)
        seen = NEEDED.seen(words)
        if text.isascii():
            digits = len(text) - len(text.encode().translate(None, b"0123456789"))
            return cls(text, lower, words, words & WRITTEN_ODDLY, seen, True, digits, longest)
        if lower != text.lower():
            words = words_of_letters(text)
        is_ordinary = ORDINARY.fullmatch(text) is not None
        digits = len(_DIGIT.findall(text))
        return cls(text, lower, words, words & WRITTEN_ODDLY, seen, is_ordinary, digits, longest)

    def may_fit(self, pattern: str) -> bool:
        """Return True if the text has what it needs to fit a pattern."""
        return NEEDED.opens(pattern, self.seen, self.text, self.lower)
