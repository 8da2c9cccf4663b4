"""Sentences of a definition that want something from the assistant, weighed by their words.

Each feature of a sentence (:mod:`features`) has a weight, and one for each unit of a hidden layer (:mod:`weights`); the
sum of both says how much the sentence looks like one that was planted.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from toolnote_desktop.guidance.scanning.features import (
    NAME_PART,
    NO_PURPOSE,
    OUTWARD_VALUE,
    ROLE_OF,
    STEM,
    Purpose,
    features_of,
    name_parts,
    read_word,
    word_stem,
)
from toolnote_desktop.guidance.scanning.weights import EVIDENCE, shipped_weights
from toolnote_desktop.guidance.scanning.word_classes import kind_in_full
from toolnote_desktop.model.json_text import JsonObject

_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+|[。！？\n\r]+")
_WRAP: Final = re.compile(r"(?<=[^\W\d_A-Z,;)`'\"])[ \t]{0,80}\r?\n[ \t]{0,80}(?=[a-z(])")
"""End of a line within a sentence, as in a docstring."""

_PURPOSE: Final = 1_000
"""Characters of a description in which its first sentence is looked for."""

_NAME_PARTS: Final = 12
"""Words of a tool's name that are features of its sentences."""

_INSTRUCTS: Final = re.compile(
    r"(?:first,|(?:always|also|you (?:must|should|have)|please|never|before|do not|don't|ignore|provide your|immer|"
    r"sage?\b|bitte|toujours|ne \w{1,20} (?:pas|rien)|siempre|nunca|no (?:digas|informes))\b|不要|请|必)",
    re.IGNORECASE,
)
"""Beginning of a first sentence that instructs instead of saying what the tool does."""

_MARGIN: Final = 1.4
"""Excess that a sentence needs for each doubling of their number in a definition."""

_PLAIN: Final = -10.0
"""Score of a usual sentence of a real server."""

_PLAIN_ONES: Final = 2
"""Usual sentences that are counted beside those of a definition: its own say little where they are few."""

_SHORT_TEXT: Final = 4
_LONG_TEXT: Final = 32

_EXAMPLE_HOST: Final = re.compile(r"example\.(?:com|org|net)\b|localhost|127\.0\.|0\.0\.0\.0|api\.")


def purpose_of(definition: JsonObject, siblings: Iterable[str] = ()) -> Purpose:
    """Return the purpose of a tool."""
    tool = str(definition.get("name", ""))
    schema = definition.get("inputSchema")
    properties = schema.get("properties") if isinstance(schema, dict) else None
    parameters = tuple(map(str, properties)) if isinstance(properties, dict) else ()
    description = str(definition.get("description", ""))[:_PURPOSE]
    first = next((part for part in _SENTENCE.split(_WRAP.sub(" ", description)) if part.strip()), "")
    if _INSTRUCTS.match(first.strip()):
        first = ""
    words = " ".join((tool, str(definition.get("title", "")), first, *parameters))
    stems = frozenset(part[:STEM].lower() for part in NAME_PART.findall(words) if len(part) > 2)
    said = (word.lower() for word in NAME_PART.findall(f"{tool} {first}"))
    roles = frozenset(ROLE_OF[name] for word in said for name in read_word(word).classes if name in ROLE_OF)
    features = (*(f"t {word_stem(part)}" for part in name_parts(tool)[:_NAME_PARTS]), *(f"T {role}" for role in roles))
    return Purpose(frozenset((tool, *siblings, *parameters)), stems, roles, frozenset(features))


class Sentence(NamedTuple):
    """Sentence of a text with the features that are weighed."""

    text: str
    features: set[str]


def read_sentences(
    text: str, parameter: str = "", *, is_value: bool = False, is_opening: bool = True, purpose: Purpose = NO_PURPOSE
) -> Iterator[Sentence]:
    """Yield the sentences of a text, read: each with what the one before and the one after it are about.

    Args:
        parameter: name of the parameter that the text is of; "" for a description.
        is_value: the text is a default or a fixed value.
        is_opening: the first sentence of the text may say what the tool does.
    """
    if not parameter and text.isalpha() and text.isascii():
        return  # a type, or a name
    number = 0
    last: Sentence | None = None
    last_roles: list[str] = []
    if "\n" in text:
        text = _WRAP.sub(" ", text)
    for part in _SENTENCE.split(text):
        sentence = part.strip()
        if sentence.isalpha() and sentence.isascii() and not parameter:
            number += 1
        elif sentence or (parameter and not text):
            opens = is_opening and not number and not _INSTRUCTS.match(sentence)
            place = "parameter" if parameter else "first" if opens else "later"
            features, roles = features_of(sentence, parameter, place, is_value, purpose)
            if last is not None:
                features.update([f"< {role}" for role in last_roles])
                last.features.update([f"> {role}" for role in roles])
                yield last
            last, last_roles = Sentence(sentence or parameter, features), roles
            number += 1
    if last is not None:
        yield last


class Suspect(NamedTuple):
    """Sentence that looks planted.

    Attributes:
        excess: how far its sum is above the level; infinite where a form is always planted.
        is_plain: it says plainly what it wants: to hide something, to take secrets or the conversation, to send
            something away, to change what another tool does or not to ask.
    """

    text: str
    kinds: tuple[str, ...]
    excess: float
    is_plain: bool


def excess_of(sentence: Sentence) -> float:
    """Return how much a sentence looks planted by its features alone: above 0 it does, in a short text."""
    return shipped_weights().score(sentence.features)


def suspect_of(sentence: Sentence, excess: float) -> Suspect | None:
    """Return a sentence of an excess with its kinds if it may look planted in some text; else None."""
    if OUTWARD_VALUE in sentence.features and _EXAMPLE_HOST.search(sentence.text) is None:
        return Suspect(sentence.text, ("send-elsewhere",), math.inf, is_plain=True)
    if kind := kind_in_full(sentence.text):
        return Suspect(sentence.text, (kind,), math.inf, is_plain=True)
    if excess <= 0:
        return None
    features = sentence.features
    is_plain = not EVIDENCE.keys().isdisjoint(features) or any(pairs <= features for pairs in _ON_USERS)
    return Suspect(sentence.text, shipped_weights().kinds_of(features), excess, is_plain)


def level() -> float:
    """Return the score that excesses are counted from."""
    return shipped_weights().level


def needed_excess(number: int, total: float, counted_from: float) -> float:
    """Return the excess that a sentence of a definition needs: of many one is high by chance, and among plain ones it
    says less than among others that are nearly as high.

    Args:
        number: sentences of the definition.
        total: sum of their excesses.
        counted_from: score that excesses are counted from.
    """
    margin = _MARGIN * math.log2(min(max(number, _SHORT_TEXT), _LONG_TEXT) / _SHORT_TEXT)
    return margin - (total + _PLAIN_ONES * (_PLAIN - counted_from)) / (number + _PLAIN_ONES)


_ON_USERS: Final = (
    {"not|tell", "tell|user", "not|user"},
    {"consent|user", "consent|not"},
    {"consent|user", "consent|minimal"},
)
"""Pairs of roles that together keep something from the user, or do it without asking."""
