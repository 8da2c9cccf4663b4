"""Parser of TOML that records the position of each value.

``tomllib`` decides what is valid and what it means; this module only finds the positions, and refuses a text if the
two disagree.
"""

from __future__ import annotations

import contextlib
import json
import re
import tomllib
from collections.abc import Iterator
from datetime import date, datetime, time
from typing import Any

from msgspec import Struct, field

from toolnote_desktop.assistants.formats.base import FormatError, Member, Node, Parsed

UNCERTAIN = "it cannot be read reliably"

_TRIES = 20
_MANY_PARTS = re.compile(
    r"""(?:^|[\[{,])[ \t]*(?:(?:[A-Za-z0-9_-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){100}""", re.MULTILINE
)
"""Key of more than a hundred parts, for which ``tomllib`` takes quadratic time."""

_BETWEEN = re.compile(r"(?:[ \t\r\n]|#[^\r\n]*)*")
_BLANKS = re.compile(r"[ \t]*")
_STRING = re.compile(
    r'"""(?:[^"\\]|\\.|"{1,2}(?!"))*"{3,5}|\'\'\'(?:[^\']|\'{1,2}(?!\'))*\'{3,5}|"(?:[^"\\]|\\.)*"|\'[^\']*\'',
    re.DOTALL,
)
_WORD = re.compile(r"\d{4}-\d\d-\d\d \d\d:[^\s,\]}#]+|[^\s,\[\]{}#=]+")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_ERROR_POSITION = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")

Path = tuple[str | int, ...]
"""Keys; a number is the index of a table in an array of tables."""


class Statement(Struct, frozen=True):
    """Header or ``key = value``.

    Attributes:
        path: all keys down to it.
        end: offset of its end, before a comment.
        header: True if it opens a table.
    """

    path: Path
    start: int
    end: int
    header: bool


class TomlText(Struct, frozen=True):
    """Parsed text."""

    text: str
    root: Node
    statements: tuple[Statement, ...]


def read(text: str) -> TomlText:
    """Parse a whole text.

    Raises:
        FormatError: invalid TOML.
    """
    value = plain_value(text)
    scan = _Scan(text)
    scan.read()
    root = scan.root.frozen()
    if _frozen(root.value) != _frozen(value):
        raise FormatError(UNCERTAIN, 1)
    return TomlText(text, root, tuple(scan.statements))


def parse(text: str) -> Parsed:
    """Parse a text, a broken one up to the table with the error (case C47)."""
    try:
        return Parsed(_root(read(text)))
    except FormatError as error:
        before = "\n".join(text.split("\n", error.line)[: error.line])
        headers = [match.start() for match in re.finditer(r"^\[", before, re.MULTILINE)]
        for cut in [*reversed(headers[-_TRIES:]), 0]:
            with contextlib.suppress(FormatError):
                return Parsed(_root(read(text[:cut])), error)
        raise


def _root(read_text: TomlText) -> Node | None:
    return read_text.root if read_text.statements else None


def plain_value(text: str) -> Any:
    """Return the meaning of a text; dates and times as text.

    Raises:
        FormatError: invalid TOML.
    """
    if (many := _MANY_PARTS.search(text)) is not None:
        raise FormatError("a key has too many parts", text.count("\n", 0, many.end()) + 1)
    try:
        return _jsonable(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        found = _ERROR_POSITION.search(str(error))
        line = int(found.group(1)) if found and found.group(1) else text.count("\n") + 1
        reason = str(error)[: found.start()] if found else str(error)
        raise FormatError(reason[:1].lower() + reason[1:], line) from None
    except RecursionError:
        raise FormatError("nested too deeply", 1) from None
    except ValueError:  # a number with more digits than Python reads
        raise FormatError("a number is too long", 1) from None


def _jsonable(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _jsonable(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_jsonable(inner) for inner in value]
    return value.isoformat() if isinstance(value, (datetime, date, time)) else value


def _frozen(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


class _Table(Struct):
    """Table under construction from statements in several places."""

    start: int
    end: int
    line: int
    held: dict[str, _Held] = field(default_factory=dict)

    def frozen(self) -> Node:
        members = tuple(held.frozen() for held in self.held.values())
        value = {member.key: member.node.value for member in members}
        end = max([self.end, *(member.node.end for member in members)])
        return Node(value, self.start, end, self.line, members=members)


class _Held(Struct):
    key: str
    start: int
    key_end: int
    content: Node | _Table | list[_Table]

    def frozen(self) -> Member:
        node = self.content
        if isinstance(node, _Table):
            node = node.frozen()
        elif isinstance(node, list):
            items = tuple(table.frozen() for table in node)
            node = Node([item.value for item in items], items[0].start, items[-1].end, items[0].line, items=items)
        return Member(self.key, self.start, self.key_end, node, None)


class _Scan:
    """Scanner of a text that is known to be TOML."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.line = 1
        self.counted = 0
        self.root = _Table(0, 0, 1)
        self.statements: list[Statement] = []

    def read(self) -> None:
        """Parse a whole text.

        Raises:
            FormatError: invalid TOML.
        """
        table, path = self.root, Path()
        for start in self._starts():
            if self.text.startswith("[", start):
                table, path = self._header(start)
                self.statements.append(Statement(path, start, self.position, header=True))
            else:
                keys = self._assignment(table)
                self.statements.append(Statement((*path, *keys), start, self.position, header=False))

    def _starts(self) -> Iterator[int]:
        while True:
            self._skip(_BETWEEN)
            if self.position >= len(self.text):
                return
            yield self.position

    def _skip(self, pattern: re.Pattern[str]) -> None:
        match = pattern.match(self.text, self.position)
        self.position = match.end() if match else self.position

    def _line_at(self, position: int) -> int:
        if position >= self.counted:
            self.line += self.text.count("\n", self.counted, position)
            self.counted = position
            return self.line
        return self.text.count("\n", 0, position) + 1

    def _header(self, start: int) -> tuple[_Table, Path]:
        many = self.text.startswith("[[", start)
        self.position = start + (2 if many else 1)
        keys = self._keys()
        self.position += 2 if many else 1
        table, path = self.root, Path()
        for key in keys[:-1]:
            table, path = self._into(table, path, key, start)
        last, held = keys[-1], table.held.get(keys[-1])
        new = _Table(start, self.position, self._line_at(start))
        if many:
            tables = held.content if held is not None and isinstance(held.content, list) else []
            if not tables:
                table.held[last] = _Held(last, start, self.position, tables)
            tables.append(new)
            return new, (*path, last, len(tables) - 1)
        if held is not None and isinstance(held.content, _Table):  # a table inside it came first
            return held.content, (*path, last)
        table.held[last] = _Held(last, start, self.position, new)
        return new, (*path, last)

    def _into(self, table: _Table, path: Path, key: str, start: int) -> tuple[_Table, Path]:
        """Return the table of a key, of several the newest; create it if it is implied."""
        held = table.held.get(key)
        if held is None:
            held = _Held(key, start, self.position, _Table(start, self.position, self._line_at(start)))
            table.held[key] = held
        if isinstance(held.content, Node):
            raise FormatError(UNCERTAIN, held.content.line)
        if isinstance(held.content, list):
            return held.content[-1], (*path, key, len(held.content) - 1)
        return held.content, (*path, key)

    def _keys(self) -> list[str]:
        """Parse a key with its dots, and the blanks around it."""
        keys = []
        while True:
            self._skip(_BLANKS)
            match = _BARE_KEY.match(self.text, self.position) or _STRING.match(self.text, self.position)
            if match is None:
                raise FormatError(UNCERTAIN, self._line_at(self.position))
            self.position = match.end()
            keys.append(match.group() if match.group()[0] not in "\"'" else str(self._scalar(match.group())))
            self._skip(_BLANKS)
            if not self.text.startswith(".", self.position):
                return keys
            self.position += 1

    def _assignment(self, table: _Table) -> list[str]:
        """Parse ``key = value`` and store the value in ``table``."""
        start = self.position
        keys = self._keys()
        key_end = self.position
        self.position += 1
        self._skip(_BLANKS)
        for key in keys[:-1]:
            table, _ = self._into(table, Path(), key, start)
        node = self._value()
        table.held[keys[-1]] = _Held(keys[-1], start, key_end, node)
        return keys

    def _value(self) -> Node:
        start, line = self.position, self._line_at(self.position)
        if self.text.startswith("[", start):
            items = tuple(self._items())
            return Node([item.value for item in items], start, self.position, line, items=items)
        if self.text.startswith("{", start):
            table = _Table(start, start, line)
            self.position += 1
            while self._has_next("}"):
                self._assignment(table)
            table.end = self.position
            return table.frozen()
        match = (_STRING if self.text[start : start + 1] in ('"', "'") else _WORD).match(self.text, start)
        if match is None:
            raise FormatError(UNCERTAIN, line)
        self.position = match.end()
        return Node(self._scalar(match.group()), start, self.position, line)

    def _items(self) -> Iterator[Node]:
        self.position += 1
        while self._has_next("]"):
            yield self._value()

    def _has_next(self, bracket: str) -> bool:
        """Return True if another part follows; skip the comma before it, or the bracket at the end."""
        self._skip(_BETWEEN)
        if self.text.startswith(",", self.position):
            self.position += 1
            self._skip(_BETWEEN)
        if self.position >= len(self.text):
            raise FormatError(UNCERTAIN, self._line_at(self.position))
        if self.text.startswith(bracket, self.position):
            self.position += 1
            return False
        return True

    def _scalar(self, text: str) -> Any:
        try:
            return _jsonable(tomllib.loads(f"x = {text}")["x"])
        except (tomllib.TOMLDecodeError, KeyError):
            raise FormatError(UNCERTAIN, self._line_at(self.position)) from None
