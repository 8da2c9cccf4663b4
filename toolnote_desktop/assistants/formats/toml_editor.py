"""Editor of TOML: a change leaves comments, order and line ends alone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from toolnote_desktop.assistants.formats import toml_reader
from toolnote_desktop.assistants.formats.base import FormatError, Member, Node, Parsed, Window
from toolnote_desktop.assistants.formats.text_lines import (
    line_start,
    next_line,
    with_lines,
    with_lines_for,
    without_lines,
)
from toolnote_desktop.assistants.formats.toml_reader import Statement, TomlText
from toolnote_desktop.assistants.formats.verify import UNEXACT, is_same, with_value, without_value

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


class TomlFormat:
    """TOML (``formats.base.Format``). A change that cannot be proved exact is refused."""

    def parse(self, text: str, follow: Sequence[str] | None = None, window: Window | None = None) -> Parsed:
        return toml_reader.parse(text)

    def value(self, text: str) -> Any:
        return toml_reader.plain_value(text) or None

    def with_member(self, text: str, path: Sequence[str], value: Any) -> str:
        read = toml_reader.read(text)
        _require_tables(read.root, path[:-1])
        wanted = with_value(read.root.value, path, value)
        for changed in _variants(read, tuple(path), value):
            if _parses_to(changed, wanted, path[:-1]):
                return changed
        raise FormatError(UNEXACT, _line(read.root, path))

    def without_members(self, text: str, path: Sequence[str], chosen: Callable[[str, Any], bool]) -> str:
        while True:
            read = toml_reader.read(text)
            node = read.root.at(path)
            member = next((one for one in (node.members if node else ()) if chosen(one.key, one.node.value)), None)
            if member is None:
                return text
            whole = (*path, member.key)
            changed = _without(read, whole)
            if not _parses_to(changed, without_value(read.root.value, whole), path):
                raise FormatError(UNEXACT, member.node.line)
            text = changed


TOML = TomlFormat()


def _parses_to(text: str, wanted: Any, path: Sequence[str]) -> bool:
    try:
        return is_same(toml_reader.read(text).root.value, wanted, path=path)
    except FormatError:
        return False


def _line(root: Node, path: Sequence[str]) -> int:
    node = root.at(path) or root.at(path[:-1])
    return node.line if node else 1


def _require_tables(root: Node, path: Sequence[str]) -> None:
    for depth in range(1, len(path) + 1):
        node = root.at(path[:depth])
        if node is not None and not isinstance(node.value, dict):
            raise FormatError(f"{'.'.join(path[:depth])} is not a table", node.line)


def _variants(read: TomlText, path: tuple[str, ...], value: Any) -> Iterator[str]:
    """Yield the text with the value set, in each form that could fit its style, the usual one first."""
    text, node = read.text, read.root.at(path)
    if not isinstance(value, dict):
        if node is not None:
            yield text[: node.start] + _rendered(value) + text[node.end :]
        else:
            yield from _set_line(read, path, value)
        return
    if node is not None:
        section = _section(read, path)
        if section is not None:
            start, beyond = section
            yield with_lines_for(text, start, beyond, _table_lines(path, value))
        text = _without(read, path)
        try:
            read = toml_reader.read(text)
        except FormatError:
            return
    inline = next((one for one in read.statements if not one.header and one.path == path[: len(one.path)]), None)
    if inline is not None:
        yield from _set_inline(read, tuple(map(str, inline.path)), path, value)
    else:
        yield _with_table(read, path, value)
        yield from _with_dotted(read, path, value)


def _set_line(read: TomlText, path: tuple[str, ...], value: Any) -> Iterator[str]:
    """Yield a new ``key = value`` in a table with a header, dotted keys or one line, or in a new table."""
    inline = next((one for one in read.statements if not one.header and one.path == path[: len(one.path)]), None)
    header = next((one for one in read.statements if one.header and one.path == path[:-1]), None)
    if inline is not None:
        yield from _set_inline(read, tuple(map(str, inline.path)), path, value)
    elif header is not None:
        position = next_line(read.text, _last_of_section(read, header).end)
        yield with_lines(read.text, position, [f"{_key(path[-1])} = {_rendered(value)}"])
    else:
        yield from _with_dotted(read, path, value)
        yield _with_table(read, path[:-1], {path[-1]: value})


def _table_lines(path: Sequence[str], value: Any) -> list[str]:
    lines = [f"[{'.'.join(map(_key, path))}]"]
    return [*lines, *(f"{_key(key)} = {_rendered(inner)}" for key, inner in value.items())]


def _with_table(read: TomlText, path: tuple[str, ...], value: Any) -> str:
    """Return the text with a new table, after the last one beside it or at the end."""
    text, lines = read.text, _table_lines(path, value)
    beside = [one for one in read.statements if one.header and one.path[: len(path) - 1] == path[:-1]]
    position = _end_of_section(read, beside[-1]) if beside else len(text)
    if position:
        lines = ["", *lines]
    return with_lines(text, position, lines)


def _end_of_section(read: TomlText, header: Statement) -> int:
    """Return the position after a table's last line and the comments that follow it directly."""
    position = next_line(read.text, _last_of_section(read, header).end)
    while read.text.startswith("#", position):
        position = next_line(read.text, position)
    return position


def _last_of_section(read: TomlText, header: Statement) -> Statement:
    last = header
    for one in read.statements[read.statements.index(header) + 1 :]:
        if one.header:
            break
        last = one
    return last


def _section(read: TomlText, path: tuple[str, ...]) -> tuple[int, int] | None:
    """Return the lines of the table at ``path`` if they are all of it."""
    matching = [one for one in read.statements if one.path[: len(path)] == path]
    if not matching or not matching[0].header or matching[0].path != path:
        return None
    first, last = read.statements.index(matching[0]), read.statements.index(matching[-1])
    if last - first != len(matching) - 1:
        return None
    return line_start(read.text, matching[0].start), next_line(read.text, matching[-1].end)


def _with_dotted(read: TomlText, path: tuple[str, ...], value: Any) -> Iterator[str]:
    """Yield the text with one more line beside others with dotted keys."""
    beside = [one for one in read.statements if not one.header and one.path[: len(path) - 1] == path[:-1]]
    if beside:
        before = read.statements[: read.statements.index(beside[-1])]
        header = next((one for one in reversed(before) if one.header), None)
        keys = path[len(header.path) if header else 0 :]
        line = f"{'.'.join(map(_key, keys))} = {_rendered(value)}"
        yield with_lines(read.text, next_line(read.text, beside[-1].end), [line])


def _set_inline(read: TomlText, at: tuple[str, ...], path: tuple[str, ...], value: Any) -> Iterator[str]:
    """Yield the text with a member set in an inline table, the value of the statement at ``at``."""
    node, depth = read.root.at(at), len(at)
    while node is not None and depth < len(path) - 1 and (inner := node.get(path[depth])) is not None:
        node, depth = inner, depth + 1
    if node is None or not isinstance(node.value, dict):
        return
    rest: Any = value
    for key in reversed(path[depth + 1 :]):
        rest = {key: rest}
    member, text = f"{_key(path[depth])} = {_rendered(rest)}", read.text
    if node.members:
        end = node.members[-1].node.end
        yield text[:end] + ", " + member + text[end:]
    else:
        yield f"{text[: node.start]}{{ {member} }}{text[node.end :]}"


def _without(read: TomlText, path: tuple[str, ...]) -> str:
    """Return the text without all statements about the table or value at ``path``."""
    text = read.text
    cuts: list[tuple[int, int]] = []
    for one in read.statements:
        if one.path[: len(path)] == path:
            start = line_start(text, one.start)
            if cuts and text[cuts[-1][1] : start].strip() == "":
                start = cuts.pop()[0]
            elif one.header:
                start = _over_gap(text, start)
            cuts.append((start, next_line(text, one.end)))
        elif not one.header and one.path == path[: len(one.path)]:
            return _without_inline(read, path)
    if cuts and cuts[0][0] == 0:  # the next statement becomes the first
        cuts[0] = (0, len(text) - len(text[cuts[0][1] :].lstrip("\r\n")))
    for start, beyond in reversed(cuts):
        text = without_lines(text, start, beyond)
    return text


def _over_gap(text: str, start: int) -> int:
    """Return the start of the empty line before a table, if there is one."""
    before = line_start(text, start - 1) if start else 0
    return before if not text[before:start].strip() else start


def _without_inline(read: TomlText, path: tuple[str, ...]) -> str:
    text, node = read.text, read.root.at(path[:-1])
    members: Sequence[Member] = node.members if node else ()
    index = next((n for n, member in enumerate(members) if member.key == path[-1]), None)
    if node is None or index is None:
        return text
    if len(members) == 1:
        return f"{text[: node.start]}{{}}{text[node.end :]}"
    if index == len(members) - 1:
        start, beyond = members[index - 1].node.end, members[index].node.end
    else:
        start, beyond = members[index].start, members[index + 1].start
    return text[:start] + text[beyond:]


def _key(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else _rendered(key)


def _rendered(value: Any) -> str:
    if isinstance(value, dict):
        members = ", ".join(f"{_key(key)} = {_rendered(inner)}" for key, inner in value.items())
        return f"{{ {members} }}" if members else "{}"
    if isinstance(value, list):
        return f"[{', '.join(map(_rendered, value))}]"
    if isinstance(value, str) and any("\ud800" <= character <= "\udfff" for character in value):
        raise FormatError("a text is not valid Unicode", 1)
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
