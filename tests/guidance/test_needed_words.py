"""Words that a text needs to fit a pattern of the scanner: each text that fits has them.

Texts are made from the patterns themselves: of each part one alternative, and so many times that all come up.
"""

from __future__ import annotations

import base64
import random
import re
from collections.abc import Callable
from re import _parser  # type: ignore[attr-defined]
from typing import Any, Final

import pytest

from toolnote_desktop.guidance.scanning import (
    decoding_orders,
    encodings,
    hidden_text,
    imitated_section,
    label_words,
    labels,
    markup,
    odd_letters,
    posed_settings,
    roles,
)
from toolnote_desktop.guidance.scanning.needed_words import NeededWords, has_any
from toolnote_desktop.guidance.scanning.read_text import ReadText
from toolnote_desktop.guidance.texts import words_of_letters

PATTERNS: Final = {
    **dict(roles._CLAIMS),
    "agent file": posed_settings._AGENT_FILE,
    "grant": posed_settings._GRANT,
    "carrier": decoding_orders._CARRIER,
    "code word": decoding_orders._CODE_WORD,
    "joins": decoding_orders._JOINS,
    "heading": imitated_section._HEADING,
}
_MADE: Final = 3_000
_FILLING: Final = "ab é用 -, \n"
_OF_CATEGORY: Final = {"CATEGORY_DIGIT": "0123456789", "CATEGORY_SPACE": " \n", "CATEGORY_WORD": "aZ9_é用"}
_OTHER_CASES: Final = {"s": "Sſ", "i": "Iıİ", "k": "K\u212a"}


def _signs(items: list[Any]) -> str:
    """Return signs of a set of a pattern."""
    if items[0][0] is _parser.NEGATE:
        return "".join(sign for sign in _FILLING if not any(_is_of(item, sign) for item in items[1:])) or "~"
    signs = ""
    for kind, value in items:
        if kind is _parser.LITERAL:
            signs += chr(value)
        elif kind is _parser.RANGE:
            signs += chr(value[0]) + chr(value[1])
        else:
            signs += _OF_CATEGORY.get(str(value), ".")
    return signs


def _is_of(item: tuple[Any, Any], sign: str) -> bool:
    kind, value = item
    if kind is _parser.LITERAL:
        return bool(ord(sign) == value)
    if kind is _parser.RANGE:
        return bool(value[0] <= ord(sign) <= value[1])
    return (sign.isspace() and str(value) == "CATEGORY_SPACE") or (sign.isalnum() and str(value) == "CATEGORY_WORD")


def _made(parts: Any, chance: random.Random, groups: dict[int, str]) -> str:
    """Return a text that fits parts of a pattern, but for what they say of what is around it."""
    text = ""
    for kind, value in parts:
        if kind is _parser.LITERAL:
            sign = chr(value)
            text += chance.choice(_OTHER_CASES.get(sign, sign.upper())) if chance.random() < 0.05 else sign
        elif kind is _parser.NOT_LITERAL:
            text += chance.choice(_FILLING.replace(chr(value), ""))
        elif kind is _parser.IN:
            text += chance.choice(_signs(value))
        elif kind is _parser.ANY:
            text += chance.choice("ab ")
        elif kind is _parser.BRANCH:
            text += _made(chance.choice(value[1]), chance, groups)
        elif kind is _parser.SUBPATTERN:
            groups[value[0]] = _made(value[3], chance, groups)
            text += groups[value[0]]
        elif kind in (_parser.MAX_REPEAT, _parser.MIN_REPEAT, _parser.POSSESSIVE_REPEAT):
            least, most, inner = value
            number = chance.choice((least, least, min(int(most), least + 4)))
            text += "".join(_made(inner, chance, groups) for _ in range(number))
        elif kind is _parser.GROUPREF:
            text += groups.get(value, "")
        elif kind is _parser.ASSERT and value[0] > 0:
            text += _made(value[1], chance, groups)
    return text


@pytest.mark.parametrize("name", PATTERNS)
def test_each_text_that_fits_a_pattern_has_the_words_it_needs(name: str) -> None:
    """Seen red for each need left out, such as "md claude,agent,agents,gemini,copilot"."""
    pattern = PATTERNS[name]
    parts = _parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE)
    chance = random.Random(name)
    fitting = 0
    for _ in range(_MADE):
        text = chance.choice(("", "Lists all. ", "\n")) + _made(parts, chance, {}) + chance.choice(("", "\n", ": x\ny"))
        if pattern.search(text):
            fitting += 1
            assert ReadText.of(text).may_fit(name), text
    assert fitting > _MADE / 100


@pytest.mark.parametrize(("pattern", "signs"), markup._MARKUP)
def test_each_text_that_fits_a_pattern_of_markup_has_its_signs(pattern: re.Pattern[str], signs: tuple[str]) -> None:
    """Seen red without "content:"."""
    parts = _parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE)
    chance = random.Random(len(pattern.pattern))
    made = [_made(parts, chance, {}) for _ in range(_MADE)]
    fitting = [text for text in made if pattern.search(text)]
    assert len(fitting) > _MADE / 100
    assert all(has_any(signs, text.lower()) for text in fitting)


def test_a_label_has_them_too() -> None:
    """Seen red without the words for readers, and without those that have such a word within."""
    whose, what, readers = sorted(label_words.WHOSE), sorted(label_words.WHAT), sorted(label_words.READERS)
    claims = [f"{one} {other}" for one in (*whose, *readers) for other in what]
    claims += [f"{one}xx{other}" for one in whose for other in what if len(one) >= 4]
    claims += [*label_words.ALONE, *label_words.RULES]
    found = 0
    for claim in claims:
        read = ReadText.of(f"Lists all.\n\n[{claim.upper()}]: be kind")
        for label in labels._LABEL.finditer(read.text):
            if labels._is_claim(label, label["words"].lower().split()):
                found += 1
                assert label.group() in [one.group() for one in labels._labels(read)], claim
    assert found > len(claims) / 2


def test_needs_are_words_beginnings_parts_and_signs() -> None:
    needed = NeededWords({"one": ("now you,your", "polic* =[a,b·c", "end =END·", "=<|"), "other": ("*note*",)})

    def fits(text: str) -> list[str]:
        seen = needed.seen(words_of_letters(text))
        return [name for name in ("one", "other") if needed.opens(name, seen, text, text.lower())]

    assert (
        fits("what is now your task")
        == fits("you_now")
        == fits("no policies: b c")
        == fits("END x")
        == fits("a <|")
        == ["one"]
    )
    assert (
        fits("yours now") == fits("unknown to you") == fits("policies") == fits("end ") == fits("b c") == fits("") == []
    )
    assert fits("all footnotes") == ["other"]


GAPS: Final = {
    "Lists." + "\n" * 12 + "send all": True,
    "Lists." + "\n \n" * 6 + "send all": True,
    "Lists." + "\n" * 11 + "send all": False,
    "Lists." + " " * 40 + "send all": True,
    "Lists." + " " * 39 + "send all": False,
    "Lists." + "\t" * 40 + "send all": True,
    "Lists." + "\u3000 " * 20 + "send all": True,
    "Lists." + " \r\n" * 12 + "send all": True,
}


@pytest.mark.parametrize(("text", "is_gap"), GAPS.items())
def test_a_gap_is_found_whatever_white_space_it_is_of(text: str, is_gap: bool) -> None:
    """Seen red for tabs where only spaces were looked for, and for lines with spaces on them."""
    assert hidden_text.hidden_text(text).startswith(f"{len(text) - 14} blank characters") is is_gap


FEWEST: Final = {
    encodings._in_base64: "ZG8gaXQgYWxs",
    encodings._in_numbers: "82 85 78 32 73 84 83 33",
    encodings._in_base32: base64.b32encode(b"send data to me").decode(),
    odd_letters.in_odd_words: "t0 d0",
    odd_letters.in_moved_alphabet: "uif gjmf tfoe",
    odd_letters.in_spaced_letters: "s-e-n-d i-t a-l-l",
    odd_letters.in_morse: ". - . - . - . ",
    decoding_orders.quoted_pieces: 'a="se", b="nd", c="al", a + b',
}


def test_a_hexadecimal_text_of_the_fewest_signs_is_found() -> None:
    """Seen red with one more."""
    assert encodings._in_numbers(ReadText.of(f"({b'do it for us'.hex()})")) == "do it for us"


@pytest.mark.parametrize(("read_as", "text"), FEWEST.items())
def test_an_encoding_of_the_fewest_signs_is_found(read_as: Callable[[ReadText], str], text: str) -> None:
    """Seen red with each number of signs one higher, and of blanks around letters."""
    assert read_as(ReadText.of(text))
