"""JSON as programs keep it: with comments and trailing commas; read with the place of each value.

No library on PyPI keeps every byte and is looked after, so this is our own, small and tested against ``json``.
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
    """Reads a text without its byte order mark. A broken one is read up to where it breaks (case C47).

    Args:
        follow: a path of keys, where only what stands there and the objects on the way matter: what stands beside is
            read in one go, without places and duplicates inside it. Some files have megabytes of other things.
        window: a part of the text, where only the objects and lists that reach into it matter; the others are read so.
    """
    return _Reader(text, follow, window).read()


def line_of(text: str, offset: int) -> int:
    """The line, counted from 1, on which a character stands."""
    end = "\n" if "\n" in text else "\r"
    return text.count(end, 0, offset) + 1


def refuse_constant(name: str) -> NoReturn:
    """For ``json``: NaN and Infinity are not JSON."""
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
        # Lines are counted on the way: counting from the start for each value takes long in a long file.
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
            self.fail("something stands after the end of the JSON text")
        return Parsed(root, self.error, tuple(self.duplicates))

    def fail(self, reason: str, position: int | None = None) -> None:
        if self.error is None:
            self.error = FormatError(reason, line_of(self.text, self.position if position is None else position))

    def line_here(self) -> int:
        self.line += self.text.count(self.line_end, self.counted, self.position)
        self.counted = self.position
        return self.line

    def skip(self) -> None:
        """Goes over space and comments."""
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
        """The value that begins here; incomplete where it breaks off, None where nothing of it could be read."""
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
        """Whether the value of a key at this depth is not on the way that is followed."""
        return self.follow is not None and depth < len(self.follow) and key != self.follow[depth]

    def whole_value(self) -> Node | None:
        """The object or list that begins here, without its parts; None where it is not plain JSON."""
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
        """The same of what does not reach into the window; None where there is no window."""
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
        """Whether the object or list ends here: properly, or because of an error."""
        if self.error is None:
            self.skip()
        if self.error:
            return True
        if self.text.startswith(bracket, self.position):
            self.position += 1
            return True
        return False

    def comma(self, bracket: str) -> int | None:
        """Goes over the comma after a value, if there is one; there must be one unless ``bracket`` follows."""
        self.skip()
        if self.error or self.text.startswith(bracket, self.position):
            return None
        if not self.text.startswith(",", self.position):
            missing = "the text ends" if self.position == len(self.text) else "something else stands"
            self.fail(f'{missing} where "," or "{bracket}" is expected')
            return None
        self.position += 1
        return self.position - 1
