"""Edits of whole lines of a text. A line ends in ``\\n``, ``\\r\\n`` or ``\\r``."""

from __future__ import annotations

import re

LINE_END = re.compile(r"\r\n|\n|\r")
BLANKS = " \t"


def line_end(text: str) -> str:
    """Return the line end that a text uses; ``\\n`` if it has none yet."""
    match = LINE_END.search(text)
    return match.group() if match else "\n"


def line_start(text: str, position: int) -> int:
    """Return the start of a position's line."""
    if text[max(position - 1, 0) : position + 1] == "\r\n":
        position -= 1
    return max(text.rfind("\n", 0, position), text.rfind("\r", 0, position)) + 1


def next_line(text: str, position: int) -> int:
    """Return the start of the next line, or the end of the text."""
    match = LINE_END.search(text, position)
    return match.end() if match else len(text)


def starts_its_line(text: str, position: int) -> bool:
    """Return True if only blanks precede a position on its line."""
    return not text[line_start(text, position) : position].strip(BLANKS)


def with_lines(text: str, position: int, lines: list[str]) -> str:
    """Return the text with ``lines`` inserted at a line's start or the text's end.

    A text without a final line end still has none.
    """
    end = line_end(text)
    block = end.join(lines)
    if position == len(text) and text and not text.endswith(("\n", "\r")):
        return text + end + block
    return text[:position] + block + end + text[position:]


def without_lines(text: str, start: int, beyond: int) -> str:
    """Return the text without whole lines, up to the start of another one or the text's end."""
    if beyond == len(text) and not text.endswith(("\n", "\r")):  # the line before becomes the last one
        start -= 2 if text[:start].endswith("\r\n") else min(start, 1)
    return text[:start] + text[beyond:]


def with_lines_for(text: str, start: int, beyond: int, lines: list[str]) -> str:
    """Return the text with whole lines replaced by ``lines``."""
    end = line_end(text)
    return text[:start] + end.join(lines) + (end if text[:beyond].endswith(("\n", "\r")) else "") + text[beyond:]
