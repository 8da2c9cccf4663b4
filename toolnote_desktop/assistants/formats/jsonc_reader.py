"""Parser of JSON with comments and trailing commas that records the position of each value.

No maintained library on PyPI preserves every byte, so this is Toolnote's own, tested against ``json``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, NoReturn

from toolnote_desktop.assistants.formats.base import Duplicate, FormatError, Member, Node, Parsed, Window

_DEEPEST = 150
_SPACE = re.compile(r"[ \t\r\n]*")
_LINE_END = re.compile(r"\r\n|\n|\r")


def parse(text: str, follow: Sequence[str] | None = None, window: Window | None = None) -> Parsed:
    """Parse a text without its byte order mark, a broken one up to the error (case C47).

    Args:
        follow: path of keys; only its end and the objects on the way are parsed in detail. Values beside it are decoded
            in one go, without positions and duplicates: some files have megabytes of other data.
        window: part of the text; only objects and lists that reach into it are parsed in detail.
    """
    return _Reader(text, follow, window).read()


def line_of(text: str, offset: int) -> int:
    """Return the line number of an offset, from 1."""
    end = "\n" if "\n" in text else "\r"
    return text.count(end, 0, offset) + 1


def refuse_constant(name: str) -> NoReturn:
    """Reject NaN and Infinity, for ``json``."""
    raise ValueError(f"{name} is not JSON")


class _Reader:
    def __init__(self, text: str, follow: Sequence[str] | None = None, window: Window | None = None) -> None:
        self.text = text
        self.follow = follow
        self.window = window
        self.position = 0
        self.error: FormatError | None = None
        self.duplicates: list[Duplicate] = []
        self.scalars = json.JSONDecoder(parse_constant=refuse_constant)
        # Lines are counted incrementally: counting from the start for each value is slow in a long file.
        self.line = 1
        self.counted = 0
        self.line_end = "\n" if "\n" in text else "\r"

    def read(self) -> Parsed:
        self.skip()
        if self.error or self.position == len(self.text):
            return Parsed(None, self.error)
        root = self.value(0)
        if not self.error:
            self.skip()
        if not self.error and self.position < len(self.text):
            self.fail("unexpected text after the end of the JSON text")
        return Parsed(root, self.error, tuple(self.duplicates))

    def fail(self, reason: str, position: int | None = None) -> None:
        if self.error is None:
            self.error = FormatError(reason, line_of(self.text, self.position if position is None else position))

    def line_here(self) -> int:
        self.line += self.text.count(self.line_end, self.counted, self.position)
        self.counted = self.position
        return self.line

    def skip(self) -> None:
        """Skip white space and comments."""
        while True:
            match = _SPACE.match(self.text, self.position)
            self.position = match.end() if match else self.position
            if self.text.startswith("//", self.position):
                end = _LINE_END.search(self.text, self.position)
                self.position = end.start() if end else len(self.text)
            elif self.text.startswith("/*", self.position):
                close = self.text.find("*/", self.position + 2)
                if close < 0:
                    self.fail("a comment is not closed")
                    return
                self.position = close + 2
            else:
                return

    def value(self, depth: int) -> Node | None:
        """Parse the value at this position; incomplete where the text ends, None if nothing could be parsed."""
        if depth > _DEEPEST:
            self.fail("nested too deeply")
            return None
        if self.text.startswith("{", self.position):
            return self.object(depth)
        if self.text.startswith("[", self.position):
            return self.list(depth)
        start, line = self.position, self.line_here()
        if start == len(self.text):
            self.fail("the text ends where a value is expected")
            return None
        try:
            value, self.position = self.scalars.raw_decode(self.text, start)
        except json.JSONDecodeError as error:
            reason = "a value is expected" if error.msg == "Expecting value" else error.msg.lower()
            self.fail(reason.removesuffix(" at"), error.pos)
            return None
        except ValueError as error:
            self.fail("NaN and Infinity are not JSON" if "JSON" in str(error) else "a number is too long")
            return None
        return Node(value, start, self.position, line)

    def object(self, depth: int) -> Node:
        start, line = self.position, self.line_here()
        members: list[Member] = []
        value: dict[str, Any] = {}
        self.position += 1
        while not self.closes("}"):
            member = self.member(depth)
            if member is None:
                break
            if member.key in value:
                self.duplicates.append(Duplicate(member.key, line_of(self.text, member.start)))
            members.append(member)
            value[member.key] = member.node.value
            if self.error:
                break
        return Node(value, start, self.position, line, members=tuple(members), complete=self.error is None)

    def member(self, depth: int) -> Member | None:
        start = self.position
        if not self.text.startswith('"', start):
            self.fail('a key in double quotes or "}" is expected')
            return None
        key = self.value(depth)
        self.skip()
        if key is None or self.error:
            return None
        if not self.text.startswith(":", self.position):
            self.fail('":" is expected after the key')
            return None
        self.position += 1
        self.skip()
        if self.error:
            return None
        node = self.whole_value() if self.is_beside(depth, key.value) else self.value_outside()
        node = node or self.value(depth + 1)
        if node is None:
            return None
        return Member(str(key.value), start, key.end, node, None if self.error else self.comma("}"))

    def is_beside(self, depth: int, key: str) -> bool:
        """Return True if the value of a key at this depth is not on the followed path."""
        return self.follow is not None and depth < len(self.follow) and key != self.follow[depth]

    def whole_value(self) -> Node | None:
        """Decode the object or list here without its parts; None if it is not plain JSON."""
        start = self.position
        if not self.text.startswith(("{", "["), start):
            return None
        try:
            value, end = self.scalars.raw_decode(self.text, start)
        except (ValueError, RecursionError):
            return None
        line, self.position = self.line_here(), end
        return Node(value, start, end, line)

    def value_outside(self) -> Node | None:
        """Decode a value outside the window in the same way; None without a window."""
        if self.window is None:
            return None
        start, line, counted = self.position, self.line, self.counted
        node = self.whole_value()
        if node is None or node.end <= self.window[0] or node.start >= self.window[1]:
            return node
        self.position, self.line, self.counted = start, line, counted
        return None

    def list(self, depth: int) -> Node:
        start, line = self.position, self.line_here()
        items: list[Node] = []
        self.position += 1
        while not self.closes("]"):
            node = self.value_outside() or self.value(depth + 1)
            if node is None:
                break
            items.append(node)
            if self.error:
                break
            self.comma("]")
        values = [item.value for item in items]
        return Node(values, start, self.position, line, items=tuple(items), complete=self.error is None)

    def closes(self, bracket: str) -> bool:
        """Return True if the object or list ends here, properly or because of an error."""
        if self.error is None:
            self.skip()
        if self.error:
            return True
        if self.text.startswith(bracket, self.position):
            self.position += 1
            return True
        return False

    def comma(self, bracket: str) -> int | None:
        """Skip the comma after a value; it may be missing only before ``bracket``."""
        self.skip()
        if self.error or self.text.startswith(bracket, self.position):
            return None
        if not self.text.startswith(",", self.position):
            missing = "the text ends" if self.position == len(self.text) else "something else is found"
            self.fail(f'{missing} where "," or "{bracket}" is expected')
            return None
        self.position += 1
        return self.position - 1
