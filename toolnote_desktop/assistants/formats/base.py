"""What a configuration file's text holds, with the place of each value; the same for every format."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from msgspec import Struct


class FormatError(ValueError):
    """A text that cannot be read, or not changed without losing something.

    Attributes:
        reason: what is wrong, in a few words and without any value of the text.
        line: where, counted from 1.
    """

    def __init__(self, reason: str, line: int) -> None:
        super().__init__(f"line {line}: {reason}")
        self.reason = reason
        self.line = line


class Member(Struct, frozen=True):
    """One key of an object with its value. Offsets count characters of the text."""

    key: str
    start: int
    key_end: int
    node: Node
    comma: int | None
    """Where the comma after the value stands."""


class Node(Struct, frozen=True):
    """A value and where it stands.

    Attributes:
        value: the value as plain Python; of several members with one key the last one counts.
        members: of an object, all of them in the text's order.
        items: of a list.
        complete: False where the text broke off or went wrong inside this value.
    """

    value: Any
    start: int
    end: int
    line: int
    members: tuple[Member, ...] = ()
    items: tuple[Node, ...] = ()
    complete: bool = True

    def get(self, key: str) -> Node | None:
        """The value of the last member with this key."""
        return next((member.node for member in reversed(self.members) if member.key == key), None)

    def at(self, path: Sequence[str]) -> Node | None:
        """The value at a path of keys."""
        node: Node | None = self
        for key in path:
            node = node.get(key) if node else None
        return node


class Duplicate(Struct, frozen=True):
    """A key that stands again in the same object; the later one counts."""

    key: str
    line: int


class Parsed(Struct, frozen=True):
    """A text, read as far as it can be.

    Attributes:
        root: None for a text with nothing in it but space and comments.
        error: where reading ended early; ``root`` then holds what stands before it.
    """

    root: Node | None
    error: FormatError | None = None
    duplicates: tuple[Duplicate, ...] = ()


Window = tuple[int, int]
"""A part of a text: the offset of its first character and the one behind its last."""


class Format(Protocol):
    """How one kind of configuration file is read and changed, every other character kept."""

    def parse(self, text: str, follow: Sequence[str] | None = None, window: Window | None = None) -> Parsed:
        """Reads a text; what is wrong with it is in the outcome.

        With ``follow``, a path of keys, the places of values matter only in what stands there and on the way to it.
        With ``window``, they matter only in it.
        """

    def value(self, text: str) -> Any:
        """Only the value, quickly. None for an empty text.

        Raises:
            FormatError: when the text cannot be read.
        """

    def with_member(self, text: str, path: Sequence[str], value: Any) -> str:
        """The text with the value at ``path`` set; objects on the way are made where they are missing.

        Raises:
            FormatError: when the text cannot be read, or something that is no object stands on the way.
        """

    def without_members(self, text: str, path: Sequence[str], chosen: Callable[[str, Any], bool]) -> str:
        """The text without the members of the object at ``path`` whose key and value ``chosen`` picks.

        Raises:
            FormatError: when the text cannot be read.
        """
