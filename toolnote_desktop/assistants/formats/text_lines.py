"""Places in a text that is changed line by line. A line ends in ``\\n``, ``\\r\\n`` or ``\\r``."""

from __future__ import annotations

import re

LINE_END = re.compile(r"\r\n|\n|\r")
BLANKS = " \t"


def line_end(text: str) -> str:
    """The line end that a text uses; ``\\n`` for one that has none yet."""
    match = LINE_END.search(text)
    return match.group() if match else "\n"


def line_start(text: str, position: int) -> int:
    """Where the line begins on which a character stands."""
    if text[max(position - 1, 0) : position + 1] == "\r\n":
        position -= 1
    return max(text.rfind("\n", 0, position), text.rfind("\r", 0, position)) + 1


def next_line(text: str, position: int) -> int:
    """Where the next line begins, or the text ends."""
    match = LINE_END.search(text, position)
    return match.end() if match else len(text)


def starts_its_line(text: str, position: int) -> bool:
    """Whether nothing but blanks stands before a character on its line."""
    return not text[line_start(text, position) : position].strip(BLANKS)


def with_lines(text: str, position: int, lines: list[str]) -> str:
    """``lines`` put in at the start of a line or at the text's end; a text that ends in no line end still does not."""
    end = line_end(text)
    block = end.join(lines)
    if position == len(text) and text and not text.endswith(("\n", "\r")):
        return text + end + block
    return text[:position] + block + end + text[position:]


def without_lines(text: str, start: int, beyond: int) -> str:
    """The text without whole lines, from the start of one to that of another or to the text's end."""
    if beyond == len(text) and not text.endswith(("\n", "\r")):  # the line before becomes the last one
        start -= 2 if text[:start].endswith("\r\n") else min(start, 1)
    return text[:start] + text[beyond:]


def with_lines_for(text: str, start: int, beyond: int, lines: list[str]) -> str:
    """``lines`` in the place of whole lines."""
    end = line_end(text)
    return text[:start] + end.join(lines) + (end if text[:beyond].endswith(("\n", "\r")) else "") + text[beyond:]
