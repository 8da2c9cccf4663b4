"""Parser of YAML 1.2 that records the position of each value: PyYAML builds the tree, this module types the values.

Values are of JSON's kinds only: a date is text, a key is text. An alias counts as its target.
"""

from __future__ import annotations

import contextlib
import re
from typing import Any

import yaml
from msgspec.structs import replace
from yaml.error import MarkedYAMLError
from yaml.reader import ReaderError

from toolnote_desktop.assistants.formats.base import Duplicate, FormatError, Member, Node, Parsed
from toolnote_desktop.assistants.formats.text_lines import line_start

_MOST_VALUES = 20_000
_TRIES = 12

_NULL = re.compile(r"~|null|Null|NULL|")
_TRUE = re.compile(r"true|True|TRUE")
_FALSE = re.compile(r"false|False|FALSE")
_WHOLE = re.compile(r"[-+]?[0-9]+")
_OTHER_BASE = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_FRACTION = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")


def read(text: str) -> Parsed:
    """Parse a whole text of one document.

    Raises:
        FormatError: invalid YAML, or a kind that no configuration file uses.
    """
    try:
        composer = _Composer(text)
        composed = composer.get_single_node()
        if composed is None:
            return Parsed(None)
        placed = _Placing(text, composer.aliases)
        return Parsed(placed.node(composed, None), duplicates=tuple(placed.duplicates))
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        if error.context_mark and error.problem and "end of stream" in error.problem:
            mark = error.context_mark  # the start of the unclosed part
        raise FormatError(error.problem or "not YAML", mark.line + 1 if mark else 1) from None
    except ReaderError as error:
        raise FormatError("a character that no YAML text has", text.count("\n", 0, error.position) + 1) from None
    except RecursionError:
        raise FormatError("nested too deeply", 1) from None


def parse(text: str) -> Parsed:
    """Parse a text, a broken one up to the entry with the error (case C47)."""
    try:
        return read(text)
    except FormatError as error:
        for cut in _cuts(text, error.line):
            with contextlib.suppress(FormatError):
                whole = read(text[:cut])
                return Parsed(whole.root, error, whole.duplicates)
        return Parsed(None, error)


def dash_before(text: str, position: int) -> int:
    """Return the position of the dash of a list item that begins at ``position``."""
    start = line_start(text, position)
    before = text[start:position]
    while start and not before.partition("#")[0].strip():  # the item is on a later line than its dash
        start, beyond = line_start(text, start - 1), start
        before = re.sub(r"(^|\s)#.*", "", text[start:beyond])
    return start + before.rindex("-")


def _cuts(text: str, line: int) -> list[int]:
    """Return the starts of the entries around the broken line, the innermost first."""
    starts = [0, *(match.end() for match in re.finditer(r"\n", text))][:line]
    cuts: list[int] = []
    least = len(text)
    for start in reversed(starts):
        rest = text[start:].lstrip(" ")
        indent = len(text) - start - len(rest)
        if rest[:1] not in ("", "\n", "\r", "#") and indent < least:
            least = indent
            cuts.append(start)
    return cuts[:_TRIES]


class _Composer(yaml.BaseLoader):
    """PyYAML's composer that also records where aliases are: an alias has the node of its target."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.aliases: dict[tuple[int, int], tuple[int, int, int]] = {}

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        event = self.peek_event()  # type: ignore[no-untyped-call]
        node: yaml.Node | None = super().compose_node(parent, index)
        if isinstance(event, yaml.AliasEvent):
            start, end = event.start_mark, event.end_mark
            if start is not None and end is not None:
                self.aliases[_edge(parent, index)] = (start.index, end.index, start.line + 1)
        return node


def _edge(parent: yaml.Node | None, index: Any) -> tuple[int, int]:
    return id(parent), index if isinstance(index, int) else id(index)


class _Placing:
    def __init__(self, text: str, aliases: dict[tuple[int, int], tuple[int, int, int]]) -> None:
        self.text = text
        self.aliases = aliases
        self.duplicates: list[Duplicate] = []
        self.open: set[int] = set()
        self.count = 0

    def node(self, composed: yaml.Node, alias: tuple[int, int, int] | None) -> Node:
        line = composed.start_mark.line + 1
        self.count += 1
        if self.count > _MOST_VALUES:
            raise FormatError("too many values", line)
        if id(composed) in self.open:
            raise FormatError("an alias that holds itself", line)
        self.open.add(id(composed))
        node = self._placed(composed, line)
        self.open.discard(id(composed))
        if alias is not None:
            start, end, line = alias
            node = Node(node.value, start, end, line, node.members, node.items)
        return node

    def _placed(self, composed: yaml.Node, line: int) -> Node:
        start, end = composed.start_mark.index, composed.end_mark.index
        if isinstance(composed, yaml.MappingNode):
            return self._mapping(composed, start, end, line)
        if isinstance(composed, yaml.SequenceNode):
            inner = enumerate(composed.value)
            items = tuple(self.node(item, self.aliases.get((id(composed), n))) for n, item in inner)
            if composed.flow_style:
                start = self.text.index("[", start)
            elif items:
                start, end = dash_before(self.text, items[0].start), items[-1].end
            return Node([item.value for item in items], start, end, line, items=items)
        end = start + len(self.text[start:end].rstrip())
        plain = isinstance(composed, yaml.ScalarNode) and composed.style is None
        text = str(composed.value)
        return Node(self._plain(text, start, line) if plain else text, start, end, line)

    def _mapping(self, composed: yaml.MappingNode, start: int, end: int, line: int) -> Node:
        members: list[Member] = []
        value: dict[str, Any] = {}
        for key, held in composed.value:
            at = key.start_mark
            if not isinstance(key, yaml.ScalarNode):
                raise FormatError("a key that is not text", at.line + 1)
            name = str(key.value)
            if name in value:
                self.duplicates.append(Duplicate(name, at.line + 1))
            node = self.node(held, self.aliases.get((id(composed), id(key))))
            if (node.members or node.items) and self.text[node.start] not in "{[":
                node = replace(node, line=at.line + 1)  # an object is found by its key
            members.append(Member(name, at.index, key.end_mark.index, node, None))
            value[name] = node.value
        if composed.flow_style:
            start = self.text.index("{", start)
        elif members:
            start, end = members[0].start, max(members[-1].node.end, members[-1].key_end)
        return Node(value, start, end, line, members=tuple(members))

    def _plain(self, text: str, start: int, line: int) -> Any:
        if self.text.startswith("!", start):  # tagged
            return text
        if _NULL.fullmatch(text):
            return None
        if _TRUE.fullmatch(text) or _FALSE.fullmatch(text):
            return text.lower() == "true"
        try:
            if _WHOLE.fullmatch(text):
                return int(text)
            if _OTHER_BASE.fullmatch(text):
                return int(text, 0)
        except ValueError:  # more digits than Python reads
            raise FormatError("a number is too long", line) from None
        return float(text) if _FRACTION.fullmatch(text) else text
