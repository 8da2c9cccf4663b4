"""Block of Toolnote's between two marks in a text of the user's, put in and taken out to the byte.

A block is put at the end, after one line break of the text's own kind. Taking it out removes the block, that line break
and the one behind the end mark, wherever the block is by then; everything else stays.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

_MARK: Final = re.compile(r"^<!-- toolnote:(begin|end) ([a-z0-9-]{1,64}) -->[ \t]*$", re.MULTILINE)
_ANY_MARK: Final = re.compile(r"<!--[ \t]{0,8}toolnote:(?:begin|end)\b")


class BrokenMarksError(Exception):
    """Marks that are incomplete, nested or there twice; ``line`` is that of the first one that does not fit."""

    def __init__(self, line: int) -> None:
        super().__init__(f"line {line}")
        self.line = line


class Block(Struct, frozen=True):
    """Block in a text.

    Attributes:
        start: offset of the begin mark.
        end: offset behind the end mark, before its line break.
        content: text between the marks, with line feeds only.
    """

    name: str
    start: int
    end: int
    content: str


def find_blocks(text: str) -> dict[str, Block]:
    """Return the blocks of a text by name.

    Raises:
        BrokenMarksError: which blocks the marks mean is not certain.
    """
    blocks: dict[str, Block] = {}
    begun: tuple[str, int, int] | None = None
    whole = text.replace("\r\n", " \n")  # of the same length; `$` does not match before a carriage return
    marks = list(_MARK.finditer(whole))
    places = {mark.start() for mark in marks}
    for found in _ANY_MARK.finditer(whole):
        if found.start() not in places:
            raise BrokenMarksError(_line(text, found.start()))
    for mark in marks:
        kind, name = mark.groups()
        if kind == "begin" and begun is None and name not in blocks:
            begun = (name, mark.start(), mark.end())
        elif kind == "end" and begun is not None and begun[0] == name:
            content = text[begun[2] : mark.start()].replace("\r\n", "\n").strip("\n")
            end = mark.end() - (text[mark.end() - 1] == "\r")
            blocks[name] = Block(name, begun[1], end, content)
            begun = None
        else:
            raise BrokenMarksError(_line(text, mark.start()))
    if begun is not None:
        raise BrokenMarksError(_line(text, begun[1]))
    return blocks


def with_block(text: str, name: str, content: str) -> str:
    """Return a text with a block: in the place of an earlier one of this name, else at the end.

    Raises:
        BrokenMarksError: as ``find_blocks``.
    """
    earlier = find_blocks(text).get(name)
    line_break = _line_break(text if earlier is None else text[earlier.start :])
    lines = [f"<!-- toolnote:begin {name} -->", *content.split("\n"), f"<!-- toolnote:end {name} -->"]
    block = line_break.join(lines)
    if earlier is not None:
        return text[: earlier.start] + block + text[earlier.end :]
    return f"{text}{line_break}{block}{line_break}"


def without_block(text: str, name: str) -> str:
    """Return a text without a block and the line breaks that came with it; the same text if there is no such block.

    Raises:
        BrokenMarksError: as ``find_blocks``.
    """
    block = find_blocks(text).get(name)
    if block is None:
        return text
    line_break = _line_break(text[block.start :])
    before, after = text[: block.start].removesuffix(line_break), text[block.end :]
    if before == text[: block.start]:
        before = before.removesuffix("\n")
    after = after.removeprefix("\r\n") if after.startswith("\r\n") else after.removeprefix("\n")
    # Lines that the user wrote behind the block do not join the one before it.
    joins = before and after and not before.endswith("\n") and not after.startswith(("\n", "\r\n"))
    glue = line_break if joins else ""
    return before + glue + after


def _line_break(text: str) -> str:
    first = text.find("\n")
    return "\r\n" if first > 0 and text[first - 1] == "\r" else "\n"


def _line(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1
