"""Editor of YAML: a change leaves comments, order, indentation and line ends alone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from toolnote_desktop.assistants.formats.base import Duplicate, FormatError, Member, Node, Parsed, Window
from toolnote_desktop.assistants.formats.text_lines import (
    line_start,
    next_line,
    starts_its_line,
    with_lines,
    with_lines_for,
    without_lines,
)
from toolnote_desktop.assistants.formats.verify import UNEXACT, is_same, with_value

NAME = "name"

_PLAIN = re.compile(r"[A-Za-z_/][A-Za-z0-9_/.@+=-]*")
_WORDS = {"true", "false", "null", "yes", "no", "on", "off", "y", "n"}  # some of them have a meaning in YAML 1.1
_ODD = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")


class YamlFormat:
    """YAML (``formats.base.Format``). A change that cannot be proved exact is refused.

    Args:
        by_name: top-level keys whose lists are presented as objects: each item under its ``name``, without it.
    """

    def __init__(self, by_name: frozenset[str] = frozenset()) -> None:
        self.by_name = by_name

    def parse(self, text: str, follow: Sequence[str] | None = None, window: Window | None = None) -> Parsed:
        from toolnote_desktop.assistants.formats import yaml_reader  # a sixth of the whole start of a command

        return self._shown(yaml_reader.parse(text))

    def value(self, text: str) -> Any:
        root = self._read(text)
        return root.value if root else None

    def with_member(self, text: str, path: Sequence[str], value: Any) -> str:
        root = self._read(text)
        _require_objects(root, path[:-1])
        wanted = with_value(root.value if root else {}, path, value)
        for changed in _YamlEditor(text, root, self.by_name).variants(tuple(path), value):
            if self._parses_to(changed, wanted, path[:-1]):
                return changed
        raise FormatError(UNEXACT, _line(root, path))

    def without_members(self, text: str, path: Sequence[str], chosen: Callable[[str, Any], bool]) -> str:
        while True:
            root = self._read(text)
            node = root.at(path) if root else None
            members = node.members if node else ()
            index = next((n for n, member in enumerate(members) if chosen(member.key, member.node.value)), None)
            if root is None or index is None:
                return text
            left = {member.key: member.node.value for n, member in enumerate(members) if n != index}
            changed = _YamlEditor(text, root, self.by_name).without(tuple(path), index)
            if not self._parses_to(changed, with_value(root.value, path, left), path):
                raise FormatError(UNEXACT, members[index].node.line)
            text = changed

    def _read(self, text: str) -> Node | None:
        from toolnote_desktop.assistants.formats import yaml_reader

        root = self._shown(yaml_reader.read(text)).root
        return None if root is None or root.value is None else root

    def _parses_to(self, text: str, wanted: Any, path: Sequence[str]) -> bool:
        try:
            root = self._read(text)
        except FormatError:
            return False
        return is_same(root.value if root else {}, wanted, path=path)

    def _shown(self, parsed: Parsed) -> Parsed:
        root, duplicates = parsed.root, list(parsed.duplicates)
        if root is None or not any(member.key in self.by_name for member in root.members):
            return parsed
        members = []
        for member in root.members:
            node = member.node
            if member.key in self.by_name and isinstance(node.value, list):
                node = _by_name(node)
                seen: set[str] = set()
                for inner in node.members:
                    if inner.key in seen:
                        duplicates.append(Duplicate(inner.key, inner.node.line))
                    seen.add(inner.key)
            members.append(replace(member, node=node))
        value = {member.key: member.node.value for member in members}
        return Parsed(replace(root, value=value, members=tuple(members)), parsed.error, tuple(duplicates))


YAML = YamlFormat()


def _by_name(node: Node) -> Node:
    """Return a list of named objects as an object; ``items`` stay as they are."""
    members = []
    for number, item in enumerate(node.items, start=1):
        given = item.value if isinstance(item.value, dict) else {}
        name = next((given[key] for key in (NAME, "uses") if isinstance(given.get(key), str) and given[key]), None)
        value = {key: inner for key, inner in given.items() if key != NAME} if given else item.value
        inner = tuple(member for member in item.members if member.key != NAME)
        shown = replace(item, value=value, members=inner)
        members.append(Member(name or f"number {number}", item.start, item.start, shown, None))
    return replace(node, value={member.key: member.node.value for member in members}, members=tuple(members))


def _require_objects(root: Node | None, path: Sequence[str]) -> None:
    if root is not None and not isinstance(root.value, dict):
        raise FormatError("the whole is not an object", root.line)
    for depth in range(1, len(path) + 1):
        node = root.at(path[:depth]) if root else None
        if node is not None and node.value is not None and not isinstance(node.value, dict):
            raise FormatError(f"{'.'.join(path[:depth])} is not an object", node.line)


def _line(root: Node | None, path: Sequence[str]) -> int:
    node = root.at(path[:-1]) if root else None
    return node.line if node else 1


class _YamlEditor:
    """Editor of one text."""

    def __init__(self, text: str, root: Node | None, by_name: frozenset[str]) -> None:
        self.text = text
        self.root = root
        self.by_name = by_name

    def variants(self, path: tuple[str, ...], value: Any) -> Iterator[str]:
        """Yield the text with the value set, in each form that could fit its style, the usual one first."""
        if self.root is None:
            yield with_lines(self.text, len(self.text), self.lines((), path, value, ""))
            return
        node, depth = self.root, 0
        while depth < len(path) - 1 and (inner := node.get(path[depth])) is not None:
            node, depth = inner, depth + 1
        index = next((n for n, member in enumerate(node.members) if member.key == path[depth]), None)
        if index is not None:
            yield self._replaced(node, index, path, depth, value)
        elif self._is_flow(node) and node.members:
            end = node.members[-1].node.end
            yield f"{self.text[:end]}, {self._flow(node, path, depth, value)}{self.text[end:]}"
        elif not node.members:
            yield self._filled(node, path, depth, value)
        else:
            lines = self.lines(path[:depth], path[depth:], value, self._indent(node))
            for position in self._ends(node):
                yield with_lines(self.text, position, lines)

    def without(self, path: tuple[str, ...], index: int) -> str:
        """Return the text without one member of the object at ``path``."""
        node = self.root.at(path) if self.root else None
        if node is None:
            return self.text
        if self._is_flow(node):
            start, beyond = self._flow_cut(node, index)
            return self.text[:start] + self.text[beyond:]
        start, beyond = self._entry_lines(node, index)
        if len(node.members) > 1 or not path:
            return without_lines(self.text, start, beyond)
        outer = self.root.at(path[:-1]) if self.root else None
        key = next((one for one in outer.members if one.node is node), None) if outer else None
        if key is None:
            return self.text
        colon = self.text.index(":", key.key_end) + 1
        empty = " []" if node.items else " {}"
        return self.text[:colon] + empty + without_lines(self.text, start, beyond)[colon:]

    def lines(self, above: tuple[str, ...], path: tuple[str, ...], value: Any, indent: str) -> list[str]:
        """Return the lines of a new entry: ``value`` under the keys of ``path``, the first of which is its own."""
        held = self.root.at(above) if self.root and len(above) == 1 else None
        if len(above) == 1 and above[0] in self.by_name and not (held and held.members and not held.items):
            first, *rest = _block({NAME: path[0], **value}, "")
            return [f"{indent}- {first}", *(f"{indent}  {line}" for line in rest)]
        if len(path) > 1:
            inner = self.lines((*above, path[0]), path[1:], value, indent + "  ")
            return [f"{indent}{_scalar(path[0])}:", *inner]
        return _block({path[0]: value}, indent)

    def _replaced(self, node: Node, index: int, path: tuple[str, ...], depth: int, value: Any) -> str:
        member = node.members[index]
        if self._is_flow(node):
            start = member.node.start if node.items else member.start
            return self.text[:start] + self._flow(node, path, depth, value) + self.text[member.node.end :]
        held = member.node
        if not isinstance(value, (dict, list)) and not isinstance(held.value, (dict, list)):
            return self.text[: held.start] + _scalar(value) + self.text[held.end :]
        start, beyond = self._entry_lines(node, index)
        lines = self.lines(path[:depth], path[depth:], value, self._indent(node))
        return with_lines_for(self.text, start, beyond, lines)

    def _filled(self, node: Node, path: tuple[str, ...], depth: int, value: Any) -> str:
        """Return the text with a member in an empty object: ``{}``, ``[]``, null or nothing."""
        position = next_line(self.text, node.end)
        before = self.text[: node.start].rstrip(" ")
        shortened = before + self.text[node.end :]
        line = self.text[line_start(self.text, node.start) :]
        indent = " " * (len(line) - len(line.lstrip(" ")) + 2) if depth else ""
        lines = self.lines(path[:depth], path[depth:], value, indent)
        return with_lines(shortened, position - (len(self.text) - len(shortened)), lines)

    def _flow(self, node: Node, path: tuple[str, ...], depth: int, value: Any) -> str:
        rest = value
        for key in reversed(path[depth + 1 :]):
            rest = {key: rest}
        if node.items:
            return json.dumps({NAME: path[depth], **rest}, ensure_ascii=False)
        return json.dumps({path[depth]: rest}, ensure_ascii=False)[1:-1]

    def _flow_cut(self, node: Node, index: int) -> tuple[int, int]:
        members = node.members
        if len(members) == 1:
            return node.start + 1, node.end - 1
        if index == len(members) - 1:
            return members[index - 1].node.end, members[index].node.end
        return members[index].start, members[index + 1].start

    def _is_flow(self, node: Node) -> bool:
        return self.text[node.start : node.start + 1] in ("{", "[")

    def _start(self, node: Node, index: int) -> int:
        """Return the start of an entry: its key, or the dash before it."""
        start = node.members[index].start
        from toolnote_desktop.assistants.formats.yaml_reader import dash_before

        return dash_before(self.text, start) if node.items else start

    def _indent(self, node: Node) -> str:
        start = self._start(node, 0)
        return " " * (start - line_start(self.text, start))

    def _entry_lines(self, node: Node, index: int) -> tuple[int, int]:
        start, member = self._start(node, index), node.members[index]
        if not starts_its_line(self.text, start):
            raise FormatError(UNEXACT, member.node.line)
        return line_start(self.text, start), next_line(self.text, max(member.node.end, member.key_end))

    def _ends(self, node: Node) -> Iterator[int]:
        """Yield the position after the last entry and its comments, then after the empty lines that belong to it."""
        last = node.members[-1]
        position = first = next_line(self.text, max(last.node.end, last.key_end))
        own = len(self._indent(node))
        while (line := self.text[position : next_line(self.text, position)]) and line.lstrip(" ").startswith("#"):
            if len(line) - len(line.lstrip(" ")) <= own:
                break
            position = next_line(self.text, position)
        yield position
        while first < len(self.text) and not self.text[first : next_line(self.text, first)].strip():
            first = next_line(self.text, first)
        yield first


def _block(value: Mapping[str, Any], indent: str) -> list[str]:
    lines: list[str] = []
    for key, inner in value.items():
        start = f"{indent}{_scalar(key)}:"
        if isinstance(inner, dict) and inner:
            lines += [start, *_block(inner, indent + "  ")]
        elif isinstance(inner, list) and inner:
            lines += [start, *(f"{indent}  - {_scalar(item)}" for item in inner)]
        else:
            lines.append(f"{start} {_scalar(inner)}")
    return lines


def _scalar(value: Any) -> str:
    if isinstance(value, str) and _PLAIN.fullmatch(value) and value.lower() not in _WORDS:
        return value
    text = json.dumps(value, ensure_ascii=False)
    return json.dumps(value) if _ODD.search(text) else text
