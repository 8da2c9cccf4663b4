"""Words of tools and questions: stems, and a thesaurus of everyday words in two languages (docs/search.md)."""

from __future__ import annotations

import operator
import re
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import accumulate, chain
from typing import Final

import msgspec

from toolnote_desktop import assets
from toolnote_desktop.guidance.search_words import EMPTY
from toolnote_desktop.guidance.texts import WORD, cached_words, words_as_written
from toolnote_desktop.model.hidden_characters import normalized

_TEXT_LIMIT: Final = 4_000
_SPELLINGS: Final = 65_536
_NAMES: Final = 256
_PHRASE_WORDS: Final = 4
_LATER: Final = 0.06
"""What each place in a line of the thesaurus takes from a phrase's weight: the surest come first."""
_LEAST_SURE: Final = 0.5
_LEAST_PART: Final = 4
_LEAST_COMPOUND: Final = 8


def stems_of(text: str) -> list[str]:
    """Return the stems of a text's words without those that say nothing; ``createIssue`` is two words.

    Of scripts that have no space between words, each two neighbouring characters are a word.
    """
    return [one for word in _spellings_in(text) for one in _stems_in(word)]


def _spellings_in(text: str) -> list[str]:
    """Return the words of a text as written, of as much of it as is read."""
    return words_as_written(text[:_TEXT_LIMIT])


def _stems_in(word: str) -> tuple[str, ...]:
    """Return the stems of the words in one as written, without those that say nothing."""
    if word.isascii() and word.islower():  # as most are
        return () if word in EMPTY else (stem(word),)
    parts = [part.casefold() for part in ([word] if word.islower() else WORD.findall(HUMP.sub(" ", word)))]
    if word.isascii():
        return tuple(stem(part) for part in parts if part not in EMPTY)
    return tuple(one for part in parts if part not in EMPTY for one in _words_in(part))


def _words_in(part: str) -> Iterator[str]:
    """Return the stem of a word, or the words of a run of characters of which some are of scripts without spaces."""
    for place, text in enumerate(WITHOUT_SPACES.split(part)):
        if place % 2:
            yield from (text[at : at + 2] for at in range(max(1, len(text) - 1)))
        elif text:
            yield stem(text)


def stem(word: str) -> str:
    """Return the stem of an English, German or Russian word: endings of number, person and tense go, and accents."""
    return _stem(word) if len(word) > 3 and word.isalpha() else word


@cached_words(16_384)
def _stem(word: str) -> str:
    if not word.isascii():
        word = word.translate(_UMLAUTS)
    for ending, least in _ENDINGS_BY_LETTER.get(word[-1], ()):
        if word.endswith(ending) and len(word) - len(ending) >= least:
            word = word[: -len(ending)]
            if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiouls":
                word = word[:-1]
            break
    return word.rstrip("e") if len(word) > 3 else word


class Documents:
    """Words of many tools by field, as numbers in a few blocks of memory.

    Lists of thousands of tools take several times as much, and give little of it back when they are gone: the smallest
    thing that was made among them keeps the memory around it in use.
    """

    def __init__(self, fields: Sequence[str]) -> None:
        self.words: list[str] = []
        self.numbers: dict[str, int] = {}
        self._fields = tuple(fields)
        self._content = array("I")
        self._ends = array("I", [0])

    def append(self, document: Mapping[str, Iterable[int]]) -> None:
        """Add the words of a tool by field, as numbers (``DocumentReader``)."""
        for field in self._fields:
            self._content.extend(document.get(field, ()))
            self._ends.append(len(self._content))

    def number(self, word: str) -> int:
        """Return the number of a word, a new one for a new word."""
        number = self.numbers.setdefault(word, len(self.words))
        if number == len(self.words):
            self.words.append(word)
        return number

    def taking_over(self, others: Documents) -> Callable[[int], None]:
        """Return what adds the words of a tool of other documents, with the same fields, by its place there."""
        number_of, fields = cache(lambda number: self.number(others.words[number])), len(self._fields)

        def take(place: int) -> None:
            ends = others._ends[place * fields : (place + 1) * fields + 1]
            moved = len(self._content) - ends[0]
            self._content.extend(map(number_of, others._content[ends[0] : ends[-1]]))
            self._ends.extend([end + moved for end in ends[1:]])

        return take

    def mean_lengths(self) -> dict[str, float]:
        """Return the mean number of words of each field."""
        ends, count = self._ends, len(self._fields)
        tools = max(1, len(ends) // count)
        return {
            field: sum(map(operator.sub, ends[at + 1 :: count], ends[at : len(ends) - 1 : count])) / tools
            for at, field in enumerate(self._fields)
        }

    def numbers_of(self, place: int) -> Iterator[tuple[str, array[int]]]:
        """Return the fields of a tool with the numbers of their words, without empty ones."""
        first = place * len(self._fields)
        for at, field in enumerate(self._fields, first):
            if numbers := self._content[self._ends[at] : self._ends[at + 1]]:
                yield field, numbers

    def words_in(self, place: int, field: str) -> list[str]:
        """Return the words of one field of a tool."""
        at = place * len(self._fields) + self._fields.index(field)
        return [self.words[number] for number in self._content[self._ends[at] : self._ends[at + 1]]]

    def __getitem__(self, place: int) -> dict[str, list[str]]:
        words = self.words
        return {field: [words[number] for number in numbers] for field, numbers in self.numbers_of(place)}


class DocumentReader(dict[str, tuple[int, ...]]):
    """Reads texts into documents: each spelling is looked up in little time once it was read. Not to be kept."""

    def __init__(self, documents: Documents) -> None:
        super().__init__()
        self._documents = documents
        self.numbers_of_name = lru_cache(_NAMES)(lambda name: tuple(self.numbers_of(name)))
        """``numbers_of`` for what many tools have, such as the name of their source."""

    def numbers_of(self, text: str) -> Iterator[int]:
        """Return the numbers of a text's words (``stems_of``)."""
        return chain.from_iterable(map(self.__getitem__, _spellings_in(text)))

    def __missing__(self, spelling: str) -> tuple[int, ...]:
        if len(self) >= _SPELLINGS:
            self.clear()
        found = self[spelling] = tuple(map(self._documents.number, _stems_in(spelling)))
        return found


class Postings:
    """Tools that have a word, with their weights, in a few blocks of memory as well."""

    def __init__(self, numbers: Mapping[str, int], weights: Iterable[Mapping[int, float]]) -> None:
        """Read the weights of each tool's words by number."""
        self._numbers = numbers
        found, points, ends = array("I"), array("d"), array("I")
        counts = [0] * (len(numbers) + 1)
        for of_tool in weights:
            found.extend(of_tool)
            points.extend(of_tool.values())
            for number in of_tool:
                counts[number + 1] += 1
            ends.append(len(found))
        self._starts = array("I", accumulate(counts))
        self._places, self._weights = array("I", found), array("d", points)
        free, begin, places, values = self._starts.tolist(), 0, self._places, self._weights
        for place, end in enumerate(ends):
            for number, weight in zip(found[begin:end], points[begin:end], strict=True):
                to = free[number]
                free[number] = to + 1
                places[to], values[to] = place, weight
            begin = end

    def __contains__(self, word: object) -> bool:
        return word in self._numbers

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def points(self, word: str, factor: float) -> dict[int, float]:
        """Return place -> weight of each tool that has a word, times a factor."""
        number = self._numbers[word]
        some = slice(self._starts[number], self._starts[number + 1])
        return dict(zip(self._places[some], map(factor.__mul__, self._weights[some]), strict=True))

    def items(self) -> Iterator[tuple[str, Sequence[int]]]:
        """Return each word with the places of the tools that have it."""
        starts, places = self._starts, self._places
        return ((word, places[starts[number] : starts[number + 1]]) for word, number in self._numbers.items())

    def places(self, word: str) -> Sequence[int]:
        """Return the places of the tools that have a word."""
        number = self._numbers.get(word)
        return () if number is None else self._places[self._starts[number] : self._starts[number + 1]]


class _File(msgspec.Struct):
    """Thesaurus as stored: a word of tools -> everyday phrases in English and in German, each a list with commas."""

    words: dict[str, tuple[str, str]]


class Thesaurus:
    """Everyday phrases and the words of tools that they may mean, by stems.

    Attributes:
        heads: stem of a word of tools -> the word.
    """

    def __init__(self, entries: Mapping[str, Sequence[str]]) -> None:
        """Read a word of tools -> lists of phrases, the surest first."""
        self.heads = {stem(word): word for word in entries if " " not in word}
        meant: defaultdict[tuple[str, ...], dict[str, float]] = defaultdict(dict)
        said: defaultdict[str, dict[str, float]] = defaultdict(dict)
        for word, lists in entries.items():
            heads = stems_of(word)
            for phrases in lists:
                for place, phrase in enumerate(phrases.split(",")):
                    stems = tuple(stems_of(phrase))
                    if not 0 < len(stems) <= _PHRASE_WORDS:
                        continue
                    weight = max(_LEAST_SURE, 1 - _LATER * place)
                    for head in heads:
                        if stems != (head,):
                            meant[stems][head] = max(weight, meant[stems].get(head, 0.0))
                            if len(stems) == 1:
                                said[head][stems[0]] = max(weight, said[head].get(stems[0], 0.0))
        self._meant = dict(meant)
        self._phrases: dict[str, list[tuple[str, ...]]] = {}
        for stems in meant:
            if len(stems) > 1:
                self._phrases.setdefault(stems[0], []).append(stems)
        self._said = dict(said)

    def words_for(self, word: str) -> Iterator[tuple[str, float]]:
        """Return the words of tools that a question's word may mean, with their weights, 0 to 1."""
        words = self._meant.get((word,), {})
        for meant, weight in words.items():
            yield meant, weight / len(words) ** _SHARED

    def words_from(self, word: str) -> Iterator[tuple[str, float]]:
        """Return the everyday words for a word of tools, with their weights."""
        for said, weight in self._said.get(word, {}).items():
            yield said, weight / len(self._meant[said,]) ** _SHARED

    def phrases_in(self, stems: Sequence[str]) -> Iterator[tuple[tuple[str, ...], str, float]]:
        """Return phrases whose words a question has, in any order: stems, a word of tools meant, its weight."""
        having = set(stems)
        for word in dict.fromkeys(stems):
            for phrase in self._phrases.get(word, ()):
                if having.issuperset(phrase):
                    for meant, weight in self._meant[phrase].items():
                        yield phrase, meant, weight / len(phrase) ** _SHARED_BY_WORDS

    def parts_of(self, compound: str) -> tuple[str, ...]:
        """Return the longest known words that an unknown German compound begins and ends with."""
        if len(compound) < _LEAST_COMPOUND or (compound,) in self._meant:
            return ()
        ends = range(_LEAST_PART, len(compound) - _LEAST_PART + 1)
        first = next((compound[:end] for end in reversed(ends) if (compound[:end],) in self._meant), "")
        last = next((compound[end:] for end in ends if (compound[end:],) in self._meant), "")
        return tuple(filter(None, (first, last)))


@cache
def thesaurus() -> Thesaurus:
    """Return the bundled thesaurus, read at the first search."""
    text = assets.path("search/thesaurus.json").read_bytes()
    return Thesaurus(msgspec.json.decode(text, type=_File).words)


HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|_")
WITHOUT_SPACES: Final = re.compile(
    "([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u9fff\uac00-\ud7a3"
    "\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff]+)"
)
"""Characters of Thai, Lao, Burmese, Khmer, Japanese, Chinese and Korean; Korean has its particles without a space."""
_ACCENTS: Final = {
    letter: plain
    for letter in map(chr, (*range(0xDF, 0x250), *range(0x1E00, 0x1F00)))
    if (plain := normalized("NFD", letter)[0]) != letter and plain.isascii()
}
_UMLAUTS: Final = str.maketrans({**_ACCENTS, "ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "ё": "е"})
_RUSSIAN_ENDINGS: Final = (
    "аниями ениями аниях ениях ования ование аниям ениям ания ения ание ение ании ении аний ений анию ению остями "
    "ость ости иями ями ами иях ях ах ого его ому ему ыми ими ает яет ают яют ует уют ите ить ать ять еть "
    "ой ей ий ый ая яя ое ее ые ие ых их ым им ом ем ам ям ию ия ии ов ев ую юю ешь ишь ет ит ут ют ат ят ал ял ил "
    "ала яла ила али яли или л ть ы и а я о е у ю ь й"
)
_ENDINGS: Final = (
    ("ization", 3), ("isation", 3), ("ations", 3), ("ation", 3), ("ungen", 3), ("ments", 3), ("ment", 3), ("ings", 3),
    ("ing", 3), ("ung", 4), ("ies", 3), ("tion", 3), ("ers", 4), ("est", 4), ("ern", 4), ("ed", 3), ("en", 4),
    ("er", 4), ("es", 3), ("st", 5), ("s", 3), ("y", 3), ("t", 5),
    *((one, 3) for one in _RUSSIAN_ENDINGS.split()),
)  # fmt: skip
_ENDINGS_BY_LETTER: Final = {
    letter: tuple(one for one in _ENDINGS if one[0][-1] == letter) for letter in {one[0][-1] for one in _ENDINGS}
}
"""Endings by their last letters, of which a word has one."""
_SHARED: Final = 0.15
"""Exponent of the number of words that share a phrase: what may mean a lot says little."""
_SHARED_BY_WORDS: Final = 0.5
"""The same for the words of a phrase, to each of which its meaning is given."""
