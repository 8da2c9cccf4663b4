"""Texts written with other letters: moved or mirrored alphabets, backwards, spelled, symbols, digits for letters."""

from __future__ import annotations

import codecs
import re
from collections.abc import Set
from typing import Final

from toolnote_desktop.guidance.scanning.common_words import (
    ATBASH,
    BACKWARDS,
    COMMON,
    LONGER,
    MIRRORED,
    ROTATED,
    SHIFTED,
    SPELLING,
)
from toolnote_desktop.guidance.scanning.needed_words import has_any
from toolnote_desktop.guidance.scanning.read_text import ReadText
from toolnote_desktop.guidance.texts import LETTERS
from toolnote_desktop.model.hidden_characters import normalized

_PIG: Final = re.compile(
    # "endsay", "allway"
    r"\b([a-z]{1,12}?)([bcdfghjklmnpqrstvwxyz]{1,3})ay\b|\b([aeiou][a-z]{1,12}?)[wy]ay\b",
    re.IGNORECASE,
)
"""Word of Pig Latin: the rest and the beginning of the plain one, or the plain one."""

_LEET_WORD: Final = re.compile(r"\b(?=\w*[0-9@$])(?=\w*[A-Za-z])[A-Za-z0-9@$]{2,20}\b")
_LEET_WORDS: Final = 2
"""Common words with a digit or sign for a letter from which on they are no chance."""
_LEET: Final = str.maketrans("01345789@$", "oleastbgas")
_MORSE: Final = re.compile(r"(?:[.-]{1,5}[ /]{1,3}){7,}")
_NUMBERED: Final = re.compile(r"(?:\b\d{1,2}(?:-\d{1,2}){1,14}[ /,]{1,3}){3,}\d{1,2}(?:-\d{1,2}){0,14}")
"""Words of numbers, A=1."""

_SPACED: Final = re.compile(r"(?:\b[A-Za-z][-. _]{1,2}){8,}[A-Za-z]\b")
_SHAPES: Final = bytes(
    ord("x" if chr(code).isalpha() else " " if chr(code) in "-. _" else ".") for code in range(128)
) + bytes(128)
"""Table that makes letters "x", signs between spaced letters blanks, and other ASCII signs points."""
_LONE_PAIRS: Final = 2
"""Pairs of letters with a blank or two between and one on each side that spaced letters have."""

_SYMBOLS: Final = re.compile(
    # flags' letters, Braille, letters in circles or brackets, runes, small capitals
    "(?:[\U0001f1e6-\U0001f1ff] ?){8,}|[\u2801-\u28ff]{5,}|[\u249c-\u24e9\U0001f110-\U0001f189]{4,}|"
    "[\u16a0-\u16f0]{5,}|[\u1d00-\u1d2b\u0250-\u02af\ua730-\ua7ff]{4,}"
)
_ONE_WORD: Final = 12
"""Symbols that may be one word as an example."""

_SHOWS_WORD: Final = re.compile(r"(?:[→=(\"“`]|\be\.g\.)\s?$")
_PRINTABLE: Final = re.compile(
    # "=73=65=6E=64", "+AHMAZQ-+AG4AZA-", "<~F*2M7F*2M7F*2M7~>"
    r"(?:=[0-9A-F]{2}){4,}|(?:\+A[A-Za-z0-9+/]{4,}-){2,}|<~[!-u\s]{12,400}~>"
)
"""Quoted-printable, UTF-7 and base 85."""

_DIGIT_WORD: Final = re.compile(r"\b[a-z]{1,6}[0134578][a-z0134578]{1,12}\b")

_NONE: Final[frozenset[str]] = frozenset()

_LINES: Final = re.compile(r"[\n\r]+|\.\s")


def in_odd_words(read: ReadText) -> str:
    """Return what is written in a moved or mirrored alphabet, backwards, spelled, or with other signs for letters."""
    odd = read.odd if len(read.odd) >= 2 else _NONE
    if len(odd & ROTATED) >= 2:
        return codecs.encode(read.text, "rot13")
    if len(odd & BACKWARDS) >= 2:
        return read.text[::-1]
    is_leet = read.digits + read.text.count("@") + read.text.count("$") >= _LEET_WORDS
    leet = _LEET_WORD.findall(read.text) if is_leet else []
    if len({word.lower().translate(_LEET) for word in leet} & COMMON) >= _LEET_WORDS:
        return " ".join(word.translate(_LEET) for word in leet)
    return _odd_letters(read) or _other_words(odd)


def in_spaced_letters(read: ReadText) -> str:
    """Return what is written with a sign between its letters."""
    shapes = read.text.encode("ascii", "replace").translate(_SHAPES)
    pairs = shapes.count(b" x x ") + shapes.count(b" x  x ")
    spaced = _SPACED.search(read.text) if pairs >= _LONE_PAIRS else None
    return re.sub(r"[-. _]", "", spaced.group()) if spaced else ""


def in_moved_alphabet(read: ReadText) -> str:
    shifts: dict[int, int] = {}
    for word in read.odd if len(read.odd) >= 3 else ():
        for shift in SHIFTED.get(word, ()):
            shifts[shift] = shifts.get(shift, 0) + 1
    return read.text if shifts and max(shifts.values()) >= 3 else ""


def in_pig_latin(read: ReadText) -> str:
    if read.lower.count("ay") < 2 or sum(word.endswith("ay") for word in read.words) < 2:
        return ""
    said = _pig_latin(read.text)
    return " ".join(sorted(said)) if len(said) >= 2 else ""


def in_places(read: ReadText) -> str:
    """Return what is written in places of letters in the alphabet."""
    for one in _NUMBERED.finditer(read.text) if read.digits >= 7 else ():
        says = re.sub(r"\d{1,2}", lambda number: chr(int(number.group()) % 27 + 96), one.group()).replace("-", "")
        if len(set(LETTERS.findall(says)) & LONGER) >= 2:
            return says
    return ""


def in_morse(read: ReadText) -> str:
    text = read.text
    if text.count(".") + text.count("-") < 7 or not has_any(("- ", "-/", "--", "-."), text):
        return ""
    morse = _MORSE.search(text)
    return morse.group() if morse and {".", "-"} <= set(morse.group()) else ""


def _pig_latin(text: str) -> set[str]:
    """Return the common words that a text has in Pig Latin."""
    said = {(f"{one[2]}{one[1]}" if one[2] else one[3]).lower() for one in _PIG.finditer(text)}
    return said & LONGER


def _odd_letters(read: ReadText) -> str:
    """Return letters written as symbols, in an encoding for mail, or as digits in most words of a line."""
    text = read.text
    for found in () if read.is_ordinary else _SYMBOLS.finditer(text):
        if len(found.group()) > _ONE_WORD or not _SHOWS_WORD.search(text[max(0, found.start() - 6) : found.start()]):
            return normalized("NFKC", found.group())
    is_printable = text.count("=") >= 4 or text.count("+A") >= 2 or "<~" in text
    if is_printable and (printable := _PRINTABLE.search(text)):
        return printable.group()
    for line in _LINES.split(text) if read.digits >= 4 and _DIGIT_WORD.search(text) else ():
        mixed = set(_DIGIT_WORD.findall(line))
        if len(mixed) >= 4 and 2 * len(mixed) >= len(line.split()):
            return " ".join(word.translate(_LEET) for word in line.split())
    return ""


def _other_words(words: Set[str]) -> str:
    """Return what is written with the alphabet mirrored or spelled letter by letter."""
    if len(words & ATBASH) >= 2:
        return " ".join(sorted(word.translate(MIRRORED) for word in words & ATBASH))
    return " ".join(sorted(words & SPELLING)) if len(words & SPELLING) >= 6 else ""
