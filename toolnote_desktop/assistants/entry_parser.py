"""A server as any client writes it down, turned into an entry of our ``servers.json`` (case C46, C47).

Nothing is lost in silence: what is understood is taken, what is not known stays in the entry and is named with its
line, what is wrong is named and the entry is not offered.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from enum import StrEnum
from typing import Any, Final

from msgspec import Struct, field

from toolnote_desktop.assistants.formats.base import Member, Node
from toolnote_desktop.model.json_text import JsonObject

_OTHER_NAMES = {
    "cmd": "command",
    "environment": "env",
    "envs": "env",
    "workingDirectory": "cwd",
    "working_directory": "cwd",
    "serverUrl": "url",
    "uri": "url",
    "httpUrl": "url",
    "http_headers": "headers",
    "transport": "type",
    "transportType": "type",
    "enabled": "disabled",
}
_TYPES = {
    "stdio": "stdio",
    "local": "stdio",
    "http": "http",
    "remote": "http",
    "streamable-http": "http",
    "streamableHttp": "http",
    "streamable_http": "http",
    "streamablehttp": "http",
    "sse": "sse",
}
_KNOWN = ("type", "command", "args", "env", "cwd", "url", "headers", "timeout", "disabled", "toolnote")
_ASKED = re.compile(r"\$\{(?:input|command|config):[^}]*\}|\$\{\{\s*(?:secrets|inputs)\.[^}]*\}\}")
_PLACE = re.compile(r"\$\{(workspaceFolder|workspaceRoot|userHome|workspaceFolderBasename|pathSeparator)[:}/]?")


class Timeout(StrEnum):
    """What a client means by an entry's ``timeout``."""

    SECONDS = "seconds"
    MILLISECONDS = "milliseconds"
    START_MILLISECONDS = "start-milliseconds"
    """How long the server may take to start, in milliseconds."""
    UNKNOWN = "unknown"


class ClientConventions(Struct, frozen=True):
    """What one client means by what others mean otherwise.

    Attributes:
        plain_url_type: the transport of a bare ``url``.
        timeout: what ``timeout`` means.
        bookkeeping: keys of an entry that the client keeps for itself; they go without saying.
        own_types: the ``type`` of entries that are parts of the client itself.
    """

    plain_url_type: str = "http"
    timeout: Timeout = Timeout.UNKNOWN
    bookkeeping: frozenset[str] = frozenset()
    own_types: frozenset[str] = frozenset()

    def is_own_part(self, entry: Any) -> bool:
        """Whether an entry is a part of the client itself and no server."""
        kind = entry.get("type") if isinstance(entry, dict) else None
        return isinstance(kind, str) and kind in self.own_types


NO_CONVENTIONS: Final = ClientConventions()
"""For a file that is no known client's."""


class Warned(Struct, frozen=True):
    """Something a person should know of an entry: where, and what in a few words without any value."""

    line: int
    reason: str


class _Reading(Struct):
    name: str
    conventions: ClientConventions
    entry: JsonObject = field(default_factory=dict)
    warnings: list[Warned] = field(default_factory=list)
    usable: bool = True

    def warn(self, node: Node, reason: str) -> None:
        self.warnings.append(Warned(node.line, f'server "{self.name}": {reason}'))

    def refuse(self, node: Node, reason: str) -> None:
        self.warn(node, f"{reason}; it is not taken")
        self.usable = False


def read_entry(name: str, node: Node, conventions: ClientConventions) -> tuple[JsonObject | None, list[Warned]]:
    """The entry in our shape, or None for one that cannot be used, and what to say about it."""
    reading = _Reading(name, conventions)
    if not node.complete:
        reading.refuse(node, "the file breaks off or goes wrong inside this entry")
    elif not isinstance(node.value, dict):
        reading.refuse(node, "an object is expected")
    elif conventions.is_own_part(node.value):
        reading.refuse(node, "it is a part of the program itself, no server")
    else:
        for member in _last_of_each(node):
            _read_member(reading, node, member)
        _settle_type(reading, node)
        _warn_of_placeholders(reading, node)
    return (reading.entry if reading.usable else None), reading.warnings


def _last_of_each(node: Node) -> Iterator[Member]:
    last = {member.key: member for member in node.members}
    yield from last.values()


def _read_member(reading: _Reading, whole: Node, member: Member) -> None:
    key, node = member.key, member.node
    meant = _OTHER_NAMES.get(key, key)
    if meant != key and (meant in whole.value or (meant in reading.entry and meant not in ("env", "headers"))):
        reading.entry[key] = node.value
        reading.warn(node, f'"{key}" stands beside "{meant}", which counts')
        return
    special = _SPECIAL.get(key)
    if special is not None:
        special(reading, key, node)
        return
    if meant not in _KNOWN:
        reading.entry[key] = node.value
        if key not in reading.conventions.bookkeeping and node.value not in (None, []):
            reading.warn(node, f'"{key}" is kept but has no meaning here')
        return
    if node.value is None:
        return
    reader = _READERS.get(meant)
    if reader:
        reader(reading, key, node)
    else:
        reading.entry[meant] = node.value


def _read_text(reading: _Reading, key: str, node: Node) -> None:
    if isinstance(node.value, str) and node.value.strip():
        reading.entry[_OTHER_NAMES.get(key, key)] = node.value
    else:
        reading.refuse(node, f'"{key}" is {_kind(node)}, text is expected')
    if key == "httpUrl":
        reading.entry.setdefault("type", "http")


def _read_command(reading: _Reading, key: str, node: Node) -> None:
    if isinstance(node.value, dict):  # Zed's older shape: path, args and env inside
        path = node.get("path")
        for inner in node.members:
            if inner.key in ("args", "env"):
                _read_member(reading, node, inner)
        if path is None:
            reading.refuse(node, f'"{key}" has no "path"')
        else:
            _read_text(reading, "command", path)
    elif isinstance(node.value, list) and node.items:  # OpenCode: the arguments in the same list
        _read_text(reading, "command", node.items[0])
        words = Node(node.value[1:], node.start, node.end, node.line, items=node.items[1:])
        _read_arguments(reading, "args", words)
    else:
        _read_text(reading, key, node)


def _read_arguments(reading: _Reading, key: str, node: Node) -> None:
    if not isinstance(node.value, list):
        reading.refuse(node, f'"{key}" is {_kind(node)}, a list of texts is expected')
        return
    before = reading.entry.get("args", [])
    reading.entry["args"] = [*before, *(_as_text(reading, f'"{key}"', item) for item in node.items)]


def _as_text(reading: _Reading, place: str, node: Node) -> str:
    if isinstance(node.value, str):
        return node.value
    if isinstance(node.value, (bool, int, float)):
        reading.warn(node, f"{place}: {_kind(node)} is taken as text")
        return json.dumps(node.value)
    reading.refuse(node, f"{place} holds {_kind(node)} where text is expected")
    return ""


def _read_texts(reading: _Reading, key: str, node: Node) -> None:
    if not isinstance(node.value, dict):
        reading.refuse(node, f'"{key}" is {_kind(node)}, an object is expected')
        return
    texts = {}
    for member in _last_of_each(node):
        if member.node.value is None:
            reading.warn(member.node, f'"{key}.{member.key}" is null and is left out')
        else:
            texts[member.key] = _as_text(reading, f'"{key}.{member.key}"', member.node)
    meant = _OTHER_NAMES.get(key, key)
    reading.entry[meant] = {**reading.entry.get(meant, {}), **texts}


def _read_type(reading: _Reading, key: str, node: Node) -> None:
    kind = _TYPES.get(node.value) if isinstance(node.value, str) else None
    if kind is None:
        reading.refuse(node, f'"{key}" is none of stdio, http and sse')
    else:
        reading.entry["type"] = kind


def _read_disabled(reading: _Reading, key: str, node: Node) -> None:
    if not isinstance(node.value, bool):
        reading.refuse(node, f'"{key}" is {_kind(node)}, true or false is expected')
    elif node.value is (key == "disabled"):
        reading.entry["disabled"] = True


def _read_timeout(reading: _Reading, key: str, node: Node) -> None:
    value = node.value
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value <= 0:
        reading.warn(node, f'"{key}" is not a time and is left out')
        return
    meaning = reading.conventions.timeout
    if meaning is Timeout.UNKNOWN:
        meaning = Timeout.SECONDS if value < 1000 else Timeout.MILLISECONDS
        reading.warn(node, f'"{key}" is taken to be in {meaning}')
    seconds = value if meaning is Timeout.SECONDS else value / 1000
    seconds = int(seconds) if float(seconds).is_integer() else seconds
    if meaning is Timeout.START_MILLISECONDS:
        reading.entry["toolnote"] = {"startTimeout": seconds}
    else:
        reading.entry["timeout"] = seconds


_READERS = {
    "command": _read_command,
    "args": _read_arguments,
    "env": _read_texts,
    "headers": _read_texts,
    "cwd": _read_text,
    "url": _read_text,
    "type": _read_type,
    "disabled": _read_disabled,
    "timeout": _read_timeout,
}


def _read_seconds(reading: _Reading, key: str, node: Node) -> None:
    """``tool_timeout_sec`` and ``startup_timeout_sec``, the latter also in milliseconds (Codex)."""
    value = node.value
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value <= 0:
        reading.warn(node, f'"{key}" is not a time and is left out')
        return
    seconds = value if key.endswith("_sec") else value / 1000
    if key == "tool_timeout_sec":
        reading.entry["timeout"] = seconds
    else:
        reading.entry["toolnote"] = {"startTimeout": seconds}


def _read_variable_of_token(reading: _Reading, key: str, node: Node) -> None:
    if isinstance(node.value, str) and node.value.strip():
        _header(reading, "Authorization", f"Bearer ${{{node.value.strip()}}}")
    elif node.value is not None:
        reading.refuse(node, f'"{key}" is {_kind(node)}, the name of a variable is expected')


def _read_variables_of_headers(reading: _Reading, key: str, node: Node) -> None:
    if not isinstance(node.value, dict):
        reading.refuse(node, f'"{key}" is {_kind(node)}, an object is expected')
        return
    for member in _last_of_each(node):
        _header(reading, member.key, f"${{{_as_text(reading, key, member.node)}}}")


def _read_request_options(reading: _Reading, key: str, node: Node) -> None:
    """Continue's: only the headers can be taken."""
    for member in node.members:
        if member.key == "headers":
            _read_texts(reading, "headers", member.node)
        else:
            reading.warn(member.node, f'"{key}.{member.key}" is left out')


def _read_stored_names(reading: _Reading, key: str, node: Node) -> None:
    """Goose's ``env_keys``: variables whose values are in its own keychain."""
    for item in node.items:
        if isinstance(item.value, str):
            reading.entry.setdefault("env", {}).setdefault(item.value, f"${{{item.value}}}")
            reading.warn(item, f'"{key}" names a value that only the client knows: {item.value}')


def _header(reading: _Reading, name: str, value: str) -> None:
    reading.entry["headers"] = {**reading.entry.get("headers", {}), name: value}


_SPECIAL = {
    "tool_timeout_sec": _read_seconds,
    "startup_timeout_sec": _read_seconds,
    "startup_timeout_ms": _read_seconds,
    "bearer_token_env_var": _read_variable_of_token,
    "env_http_headers": _read_variables_of_headers,
    "requestOptions": _read_request_options,
    "env_keys": _read_stored_names,
}


def _kind(node: Node) -> str:
    value = node.value
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, (int, float)):
        return "a number"
    if isinstance(value, str):
        return "text" if value.strip() else "empty"
    if isinstance(value, list):
        return "a list"
    return "an object" if isinstance(value, dict) else "null"


def _settle_type(reading: _Reading, node: Node) -> None:
    """What the entry needs for its type; a type that is not said follows from what is there."""
    entry = reading.entry
    if not reading.usable:
        return
    command, url = bool(entry.get("command")), bool(entry.get("url"))
    kind = entry.get("type")
    if not command and not url:
        reading.refuse(node, 'there is neither a "command" nor a "url"')
    elif kind is None and not command:
        entry["type"] = reading.conventions.plain_url_type
    elif kind == "stdio" and not command:
        reading.refuse(node, 'a server of type stdio needs a "command"')
    elif kind in ("http", "sse") and not url:
        reading.refuse(node, f'a server of type {kind} needs a "url"')
    reading.entry = {key: entry[key] for key in (*_KNOWN, *entry) if key in entry}


def _warn_of_placeholders(reading: _Reading, node: Node) -> None:
    """Values that only the client itself can fill in: the server is taken, and will say that it needs them."""
    for place, inner in _texts(node, ""):
        for match in _ASKED.finditer(inner.value):
            reading.warn(inner, f'"{place}" needs a value that only the client knows: {match.group()}')
        if folder := _PLACE.search(inner.value):
            reading.warn(inner, f'"{place}" names a folder that only the client knows: ${{{folder.group(1)}}}')


def _texts(node: Node, place: str) -> Iterator[tuple[str, Node]]:
    if isinstance(node.value, str):
        yield place, node
    for member in node.members:
        yield from _texts(member.node, f"{place}.{member.key}" if place else member.key)
    for item in node.items:
        yield from _texts(item, place)
