"""Values of a configuration file with their positions, the same for all formats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from msgspec import Struct


class FormatError(ValueError):
    """Text that cannot be parsed, or not be changed without losing something.

    Attributes:
        reason: short description without any value of the text.
        line: line number, from 1.
    """

    def __init__(self, reason: str, line: int) -> None:
        super().__init__(f"line {line}: {reason}")
        self.reason = reason
        self.line = line


class Member(Struct, frozen=True):
    """Key of an object with its value. Offsets count characters of the text."""

    key: str
    start: int
    key_end: int
    node: Node
    comma: int | None
    """Offset of the comma after the value."""


class Node(Struct, frozen=True):
    """Value with its position.

    Attributes:
        value: plain Python value; of several members with one key the last one is used.
        members: members of an object, in the text's order.
        items: items of a list.
        complete: False if the text ended or was invalid inside this value.
    """

    value: Any
    start: int
    end: int
    line: int
    members: tuple[Member, ...] = ()
    items: tuple[Node, ...] = ()
    complete: bool = True

    def get(self, key: str) -> Node | None:
        """Return the value of the last member with this key."""
        return next((member.node for member in reversed(self.members) if member.key == key), None)

    def at(self, path: Sequence[str]) -> Node | None:
        """Return the value at a path of keys."""
        node: Node | None = self
        for key in path:
            node = node.get(key) if node else None
        return node


class Duplicate(Struct, frozen=True):
    """Repeated key of an object; the later one is used."""

    key: str
    line: int


class Parsed(Struct, frozen=True):
    """Result of parsing as much of a text as possible.

    Attributes:
        root: None for a text of white space and comments only.
        error: reason why parsing stopped early; ``root`` then holds what precedes it.
    """

    root: Node | None
    error: FormatError | None = None
    duplicates: tuple[Duplicate, ...] = ()


Window = tuple[int, int]
"""Part of a text: offsets of its first character and after its last."""


class Format(Protocol):
    """Reader and editor of one kind of configuration file; an edit leaves all other characters as they are."""

    def parse(self, text: str, follow: Sequence[str] | None = None, window: Window | None = None) -> Parsed:
        """Parse a text; errors are in the result.

        With ``follow``, a path of keys, positions matter only at its end and on the way to it. With ``window``, they
        matter only inside it.
        """

    def value(self, text: str) -> Any:
        """Return the plain value, quickly; None for an empty text.

        Raises:
            FormatError: the text cannot be parsed.
        """

    def with_member(self, text: str, path: Sequence[str], value: Any) -> str:
        """Return the text with the value at ``path`` set, creating missing objects on the way.

        Raises:
            FormatError: the text cannot be parsed, or a value on the way is not an object.
        """

    def without_members(self, text: str, path: Sequence[str], chosen: Callable[[str, Any], bool]) -> str:
        """Return the text without the members of the object at ``path`` for which ``chosen(key, value)`` is true.

        Raises:
            FormatError: the text cannot be parsed.
        """
