"""Editor of JSON with comments: a change leaves comments, order, indentation and line ends alone."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from toolnote_desktop.assistants.formats import jsonc_reader
from toolnote_desktop.assistants.formats.base import FormatError, Member, Node, Parsed, Window
from toolnote_desktop.assistants.formats.text_lines import BLANKS, LINE_END, line_end, line_start

_SPACE = " \t\r\n"


class JsonFormat:
    """JSON with or without comments and trailing commas (``formats.base.Format``)."""

    def parse(self, text: str, follow: Sequence[str] | None = None, window: Window | None = None) -> Parsed:
        return jsonc_reader.parse(text, follow, window)

    def value(self, text: str) -> Any:
        try:
            return json.loads(text, parse_constant=jsonc_reader.refuse_constant)  # fast path: plain JSON
        except (ValueError, RecursionError):
            root = _read(text)
            return root.value if root else None

    def with_member(self, text: str, path: Sequence[str], value: Any) -> str:
        root = _read(text, path)
        if root is None:
            return _first_value(text, _nested(path, value))
        node = root
        for depth, key in enumerate(path):
            _require_object(node, path[:depth])
            member = next((member for member in reversed(node.members) if member.key == key), None)
            if member is None:
                return _insert(text, root, node, key, _nested(path[depth + 1 :], value))
            if depth == len(path) - 1 or member.node.value is None:
                return _replace(text, root, member, _nested(path[depth + 1 :], value))
            node = member.node
        raise ValueError("the path is empty")

    def without_members(self, text: str, path: Sequence[str], chosen: Callable[[str, Any], bool]) -> str:
        while True:
            root = _read(text, path)
            node = root.at(path) if root else None
            members = node.members if node else ()
            index = next((i for i, member in enumerate(members) if chosen(member.key, member.node.value)), None)
            if node is None or index is None:
                return text
            text = _remove(text, node, index)


JSON: JsonFormat = JsonFormat()


def _read(text: str, follow: Sequence[str] | None = None) -> Node | None:
    parsed = jsonc_reader.parse(text, follow)
    if parsed.error:
        raise parsed.error
    return parsed.root


def _require_object(node: Node, path: Sequence[str]) -> None:
    if not isinstance(node.value, dict):
        raise FormatError(f"{'.'.join(path) or 'the whole'} is not an object", node.line)


def _nested(path: Sequence[str], value: Any) -> Any:
    for key in reversed(path):
        value = {key: value}
    return value


def _first_value(text: str, value: Any) -> str:
    """Return the text of a file that held only white space and comments."""
    end = line_end(text)
    rendered = _render(value, "", "  ", end)
    if not text.strip(_SPACE):
        return rendered + end
    return text + ("" if LINE_END.search(text[-1]) else end) + rendered + end


def _indent(text: str, position: int) -> str:
    """Return the blanks at the start of a position's line."""
    line = text[line_start(text, position) : position]
    return line[: len(line) - len(line.lstrip(BLANKS))]


def _starts_line(text: str, position: int) -> bool:
    """Return True if only blanks precede a position on its line, which is not the first."""
    start = line_start(text, position)
    return start > 0 and not text[start:position].strip(BLANKS)


def _unit(text: str, root: Node, node: Node) -> str:
    """Return one step of indentation: of this object, else of the whole text, else two spaces."""
    for candidate in (node, root):
        outer = _indent(text, candidate.start)
        for member in candidate.members:
            inner = _indent(text, member.start)
            if _starts_line(text, member.start) and inner.startswith(outer) and len(inner) > len(outer):
                return inner[len(outer) :]
    return "  "


def _has_surrogate(text: str) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in text)


def _render(value: Any, indent: str, unit: str, end: str) -> str:
    """Render a value over several lines, the first of which is already indented."""
    rendered = json.dumps(value, ensure_ascii=False, indent=unit)
    if _has_surrogate(rendered):
        rendered = json.dumps(value, indent=unit)
    return rendered.replace("\n", end + indent)


def _render_inline(value: Any, colon: str) -> str:
    tight = colon == ":"
    separators = (",", ":") if tight else (", ", ": ")
    rendered = json.dumps(value, ensure_ascii=False, separators=separators)
    return json.dumps(value, separators=separators) if _has_surrogate(rendered) else rendered


def _colon(text: str, member: Member) -> str:
    return text[member.key_end : member.node.start]


def _replace(text: str, root: Node, member: Member, value: Any) -> str:
    node = member.node
    if _starts_line(text, member.start) or LINE_END.search(text, node.start, node.end):
        unit = _unit(text, root, node)
        rendered = _render(value, _indent(text, member.start), unit, line_end(text))
    else:
        rendered = _render_inline(value, _colon(text, member))
    return text[: node.start] + rendered + text[node.end :]


def _insert(text: str, root: Node, node: Node, key: str, value: Any) -> str:
    """Insert a new last member into the object ``node``."""
    return _insert_first(text, root, node, key, value) if not node.members else _append(text, root, node, key, value)


def _insert_first(text: str, root: Node, node: Node, key: str, value: Any) -> str:
    inside = text[node.start + 1 : node.end - 1]
    at = node.start + 1 + len(inside.rstrip(_SPACE))  # after a comment in the empty object
    if root.members and not LINE_END.search(text.strip(_SPACE)):
        colon = _colon(text, root.members[-1])
        member = _render_inline({key: value}, colon)[1:-1]
        return text[:at] + member + text[at:]
    end, outer, unit = line_end(text), _indent(text, node.start), _unit(text, root, node)
    member = end + outer + unit + _member(key, value, outer + unit, unit, end)
    rest = text[at : node.end - 1]
    if not LINE_END.search(rest):
        rest = end + outer
    return text[:at] + member + rest + text[node.end - 1 :]


def _append(text: str, root: Node, node: Node, key: str, value: Any) -> str:
    last = node.members[-1]
    after = last.node.end if last.comma is None else last.comma + 1
    at, line_ends = _end_of_line(text, after, node.end - 1)
    leader = next((member for member in reversed(node.members) if _starts_line(text, member.start)), None)
    if leader or line_ends:
        end, unit = line_end(text), _unit(text, root, node)
        indent = _indent(text, leader.start) if leader else _indent(text, node.start) + unit
        member = end + indent + _member(key, value, indent, unit, end)
    else:
        colon = _colon(text, last)
        member = ("" if colon == ":" else " ") + _render_inline({key: value}, colon)[1:-1]
    if last.comma is None:
        return text[: last.node.end] + "," + text[last.node.end : at] + member + text[at:]
    return text[:at] + member + "," + text[at:]  # a trailing comma stays a trailing comma


def _member(key: str, value: Any, indent: str, unit: str, end: str) -> str:
    return f"{_render(key, indent, unit, end)}: {_render(value, indent, unit, end)}"


def _end_of_line(text: str, position: int, limit: int) -> tuple[int, bool]:
    """Return the end of a value's comments on its line, and True if the line ends there."""
    at = position
    while position < limit:
        if text[position] in BLANKS:
            position += 1
        elif text.startswith("/*", position):
            position = at = text.index("*/", position + 2) + 2
        elif text.startswith("//", position):
            match = LINE_END.search(text, position)
            position = match.start() if match else limit
            return position, True
        else:
            return position, True  # only a line end is possible here
    return at, False


def _remove(text: str, node: Node, index: int) -> str:
    member = node.members[index]
    start, end, commas = member.start, member.node.end, []
    if member.comma is None:
        commas = [node.members[index - 1].comma] if index else []
    elif text[end : member.comma].strip(_SPACE):
        commas = [member.comma]  # a comment before the comma stays
    else:
        end = member.comma + 1
    if len(node.members) == 1 and not (text[node.start + 1 : start] + text[end : node.end - 1]).strip(_SPACE):
        return text[: node.start + 1] + text[node.end - 1 :]
    cuts = [(comma, comma + 1) for comma in commas if comma is not None]
    whole_line = _whole_line(text, start, end, node.end - 1)
    cuts.append(whole_line or _with_blanks(text, start, end, last=index == len(node.members) - 1))
    for first, beyond in sorted(cuts, reverse=True):
        text = text[:first] + text[beyond:]
    return text


def _whole_line(text: str, start: int, end: int, close: int) -> tuple[int, int] | None:
    """Return the lines from ``start`` to ``end`` with the preceding line end, if nothing else is on them."""
    if not _starts_line(text, start):
        return None
    rest = len(text[end:close]) - len(text[end:close].lstrip(BLANKS))
    at_line_end = end + rest < close and text[end + rest] in "\r\n"
    if end + rest != close and not at_line_end:
        return None
    line = line_start(text, start)
    before = line - 2 if text[line - 2 : line] == "\r\n" else line - 1
    return before, end + rest if at_line_end else end


def _with_blanks(text: str, start: int, end: int, *, last: bool) -> tuple[int, int]:
    if last:
        while start > 0 and text[start - 1] in BLANKS:
            start -= 1
    else:
        while text[end] in BLANKS:
            end += 1
    return start, end
