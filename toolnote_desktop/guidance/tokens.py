"""Offline estimate of the tokens that a text takes in an assistant's context.

Vocabularies are megabytes and differ between models, so none is shipped. The estimate counts the components of tokens
(words, long words, numbers, punctuation, other scripts) with weights that were fitted per family to the real tokenizers
on the tool definitions of public servers: ``tests/guidance/data`` holds the sample and the counts,
``tests/guidance/test_tokens.py`` the bounds (within 10 % at the median and 20 % at the 90th percentile).

The newest public tokenizers represent a family: o200k for OpenAI, Gemma 3 for Gemini, and for Claude the last one that
Anthropic published (Claude 2); later models of Claude take more tokens for the same text.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Mapping
from functools import cache
from typing import Final

from msgspec import Struct

from toolnote_desktop.model import json_text
from toolnote_desktop.model.json_text import JsonObject

LIKELIEST_FAMILY: Final = "claude"
"""Default for unknown models: the family that takes the most tokens."""


class _Weights(Struct, frozen=True):
    """Tokens per feature of a text.

    ``long`` is per letter of a word beyond the sixth, ``marks_more`` per mark of a run of punctuation beyond the
    second; ``accented``, ``symbols``, ``east_asian`` and ``scripts`` (all others) are per character.
    """

    words: float
    long: float
    numbers: float
    underscores: float
    blanks: float
    marks: float
    marks_more: float
    accented: float
    symbols: float
    east_asian: float
    scripts: float


FAMILIES: Final[Mapping[str, _Weights]] = {
    "openai": _Weights(0.979, 0.05, 1.013, 0.348, 1.06, 0.966, 0.15, 0.722, 1.243, 0.705, 0.318),
    "claude": _Weights(0.975, 0.053, 1.06, 1.021, 1.476, 1.09, 0.072, 2.752, 1.739, 1.079, 0.799),
    "gemini": _Weights(0.959, 0.04, 2.222, 1.156, 1.713, 1.112, 0.076, 0.919, 1.431, 0.539, 0.285),
}
"""Family -> weights. An unknown family is counted as the default one."""

_WORD = re.compile(r"[A-ZÀ-ÖØ-Þ]?[a-zß-öø-ÿ]+|[A-ZÀ-ÖØ-Þ]+(?![a-z])")
_NUMBER = re.compile(r"[0-9]{1,3}")
_BLANK = re.compile(r"\s{2,}|[\t\n\r]")
_MARKS = re.compile(r"[!-/:-@\[-^`{-~]+")


@cache
def _kinds() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Return the sets of accented letters, East Asian characters, symbols. Created on first use: it takes many
    milliseconds.
    """
    return (
        re.compile(r"[À-ÖØ-öø-ÿ]"),
        re.compile(r"[\u1100-\u11ff\u2e80-\ud7ff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]"),
        re.compile(r"[\x80-\xbf×÷\u2000-\u2e7f\ud800-\uf8ff\ufe00-\ufe0f\U0001f000-\U0001ffff]"),
    )


_LONG_WORD = 6
_USUAL_MARKS = 2


_KNOWN: Final = array("Q", bytes(8 * 2**14))
"""Estimates by the hash of their text: 40 bits of it, and the tokens in 24.

There are neither texts nor objects in it: those of a large list would stay, and keep the memory around them in use.
"""

_TOKENS_MASK: Final = 2**24 - 1


def estimate_tokens(text: str, family: str = LIKELIEST_FAMILY) -> int:
    """Estimate the tokens of ``text``; 0 only for an empty text."""
    if not text:
        return 0
    digest = hash((text, family)) & 2**64 - 1
    place, mark = digest % len(_KNOWN), digest & ~_TOKENS_MASK
    known = _KNOWN[place]
    if known & ~_TOKENS_MASK == mark and known:
        return known & _TOKENS_MASK
    tokens = _estimated(text, family)
    if tokens <= _TOKENS_MASK:
        _KNOWN[place] = mark | tokens
    return tokens


def _estimated(text: str, family: str) -> int:
    weights = FAMILIES.get(family, FAMILIES[LIKELIEST_FAMILY])
    words, marks = _WORD.findall(text), _MARKS.findall(text)
    total = (
        weights.words * len(words)
        + weights.long * sum(len(word) - _LONG_WORD for word in words if len(word) > _LONG_WORD)
        + weights.numbers * len(_NUMBER.findall(text))
        + weights.underscores * text.count("_")
        + weights.blanks * len(_BLANK.findall(text))
        + weights.marks * len(marks)
        + weights.marks_more * sum(len(run) - _USUAL_MARKS for run in marks if len(run) > _USUAL_MARKS)
    )
    if not text.isascii():
        total += _others(text, weights)
    return max(1, round(total))


def _others(text: str, weights: _Weights) -> float:
    outside = [c for c in text if not c.isascii()]
    rest = "".join(outside)
    accented, east_asian, symbols = (len(kind.findall(rest)) for kind in _kinds())
    scripts = len(rest) - accented - east_asian - symbols
    return (
        weights.accented * accented
        + weights.east_asian * east_asian
        + weights.symbols * symbols
        + weights.scripts * scripts
    )


def estimate_definition_tokens(definition: JsonObject, family: str = LIKELIEST_FAMILY) -> int:
    """Estimate the tokens of a whole tool definition."""
    return estimate_tokens(json_text.dumps(definition).decode("utf-8"), family)
