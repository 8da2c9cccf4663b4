"""Parser that turns any client's server entry into an entry of ``servers.json`` (case C46, C47).

Nothing is dropped silently: unknown keys stay in the entry and are reported with their line; an invalid entry is
reported and skipped.
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
    "active": "disabled",
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
    "streamable": "http",
    "sse": "sse",
}
_KNOWN = ("type", "command", "args", "env", "cwd", "url", "headers", "timeout", "disabled", "toolnote")
_CLIENT_VALUE = re.compile(
    r"\$\{(?:input|command|config):(?:[^}$]|\$(?!\{))*\}|\$\{\{\s*(?:secrets|inputs)\.(?:[^}$]|\$(?!\{))*\}\}"
)
_BRACED = re.compile(r"(?<!\$)\{env:([A-Za-z_][A-Za-z0-9_.-]*)\}")
_FILE = re.compile(r"\{file:[^{}]*\}")
_CLIENT_FOLDER = re.compile(r"\$\{(workspaceFolder|workspaceRoot|userHome|workspaceFolderBasename|pathSeparator)[:}/]?")


class Timeout(StrEnum):
    """Meaning of ``timeout`` in a client's entry."""

    SECONDS = "seconds"
    MILLISECONDS = "milliseconds"
    START_MILLISECONDS = "start-milliseconds"
    """Time limit for the server's start."""
    UNKNOWN = "unknown"


class ClientConventions(Struct, frozen=True):
    """Meanings that differ between clients.

    Attributes:
        plain_url_type: transport of a bare ``url``.
        timeout: meaning of ``timeout``.
        bookkeeping: keys that the client keeps for itself; they are not reported.
        own_types: ``type`` of entries that are parts of the client itself.
        braces_name_variables: ``{env:NAME}`` is a variable of the environment.
    """

    plain_url_type: str = "http"
    timeout: Timeout = Timeout.UNKNOWN
    bookkeeping: frozenset[str] = frozenset()
    own_types: frozenset[str] = frozenset()
    braces_name_variables: bool = False

    def is_own_part(self, entry: Any) -> bool:
        """Return True if an entry is a part of the client itself and not a server."""
        kind = entry.get("type") if isinstance(entry, dict) else None
        return isinstance(kind, str) and kind in self.own_types


NO_CONVENTIONS: Final = ClientConventions()
"""Conventions for a file of an unknown client."""


class EntryWarning(Struct, frozen=True):
    """Warning about an entry: its line, and a short reason without any value."""

    line: int
    reason: str


class _EntryReader(Struct):
    name: str
    conventions: ClientConventions
    entry: JsonObject = field(default_factory=dict)
    warnings: list[EntryWarning] = field(default_factory=list)
    usable: bool = True

    def warn(self, node: Node, reason: str) -> None:
        self.warnings.append(EntryWarning(node.line, f'server "{self.name}": {reason}'))

    def refuse(self, node: Node, reason: str) -> None:
        self.warn(node, f"{reason}; it is skipped")
        self.usable = False


def read_entry(name: str, node: Node, conventions: ClientConventions) -> tuple[JsonObject | None, list[EntryWarning]]:
    """Return the entry in Toolnote's shape (None if it is unusable), and warnings."""
    reader = _EntryReader(name, conventions)
    if not node.complete:
        reader.refuse(node, "the file ends or is invalid inside this entry")
    elif not isinstance(node.value, dict):
        reader.refuse(node, "an object is expected")
    elif conventions.is_own_part(node.value):
        reader.refuse(node, "it is a part of the program itself, not a server")
    else:
        for member in _last_of_each(node):
            _read_member(reader, node, member)
        _settle_type(reader, node)
        _warn_of_placeholders(reader, node)
    entry = _with_variables(reader.entry) if conventions.braces_name_variables else reader.entry
    return (entry if reader.usable else None), reader.warnings


def _with_variables(value: Any) -> Any:
    """Return an entry with ``{env:NAME}`` as ``${NAME}``."""
    if isinstance(value, str):
        return _BRACED.sub(r"${\1}", value)
    if isinstance(value, dict):
        return {key: _with_variables(one) for key, one in value.items()}
    return [_with_variables(one) for one in value] if isinstance(value, list) else value


def _last_of_each(node: Node) -> Iterator[Member]:
    last = {member.key: member for member in node.members}
    yield from last.values()


def _read_member(reader: _EntryReader, whole: Node, member: Member) -> None:
    key, node = member.key, member.node
    meant = _OTHER_NAMES.get(key, key)
    if meant != key and (meant in whole.value or (meant in reader.entry and meant not in ("env", "headers"))):
        reader.entry[key] = node.value
        reader.warn(node, f'"{key}" is ignored beside "{meant}"')
        return
    special = _SPECIAL.get(key)
    if special is not None:
        special(reader, key, node)
        return
    if meant not in _KNOWN:
        reader.entry[key] = node.value
        if key not in reader.conventions.bookkeeping and node.value not in (None, []):
            reader.warn(node, f'"{key}" is kept but has no meaning here')
        return
    if node.value is None:
        return
    read = _READERS.get(meant)
    if read:
        read(reader, key, node)
    else:
        reader.entry[meant] = node.value


def _read_text(reader: _EntryReader, key: str, node: Node) -> None:
    if isinstance(node.value, str) and node.value.strip():
        reader.entry[_OTHER_NAMES.get(key, key)] = node.value
    else:
        reader.refuse(node, f'"{key}" is {_kind(node)}, text is expected')
    if key == "httpUrl":
        reader.entry.setdefault("type", "http")


def _read_command(reader: _EntryReader, key: str, node: Node) -> None:
    if isinstance(node.value, dict):  # Zed's older shape: path, args and env inside
        path = node.get("path")
        for inner in node.members:
            if inner.key in ("args", "env"):
                _read_member(reader, node, inner)
        if path is None:
            reader.refuse(node, f'"{key}" has no "path"')
        else:
            _read_text(reader, "command", path)
    elif isinstance(node.value, list) and node.items:  # OpenCode: the arguments in the same list
        _read_text(reader, "command", node.items[0])
        words = Node(node.value[1:], node.start, node.end, node.line, items=node.items[1:])
        _read_arguments(reader, "args", words)
    else:
        _read_text(reader, key, node)


def _read_arguments(reader: _EntryReader, key: str, node: Node) -> None:
    if not isinstance(node.value, list):
        reader.refuse(node, f'"{key}" is {_kind(node)}, a list of texts is expected')
        return
    before = reader.entry.get("args", [])
    reader.entry["args"] = [*before, *(_as_text(reader, f'"{key}"', item) for item in node.items)]


def _as_text(reader: _EntryReader, path: str, node: Node) -> str:
    if isinstance(node.value, str):
        return node.value
    if isinstance(node.value, (bool, int, float)):
        reader.warn(node, f"{path}: {_kind(node)} is read as text")
        return json.dumps(node.value)
    reader.refuse(node, f"{path} holds {_kind(node)} where text is expected")
    return ""


def _read_texts(reader: _EntryReader, key: str, node: Node) -> None:
    if not isinstance(node.value, dict):
        reader.refuse(node, f'"{key}" is {_kind(node)}, an object is expected')
        return
    texts = {}
    for member in _last_of_each(node):
        if member.node.value is None:
            reader.warn(member.node, f'"{key}.{member.key}" is null and is left out')
        else:
            texts[member.key] = _as_text(reader, f'"{key}.{member.key}"', member.node)
    meant = _OTHER_NAMES.get(key, key)
    reader.entry[meant] = {**reader.entry.get(meant, {}), **texts}


def _read_type(reader: _EntryReader, key: str, node: Node) -> None:
    kind = _TYPES.get(node.value) if isinstance(node.value, str) else None
    if kind is None:
        reader.refuse(node, f'"{key}" is none of stdio, http and sse')
    else:
        reader.entry["type"] = kind


def _read_disabled(reader: _EntryReader, key: str, node: Node) -> None:
    if not isinstance(node.value, bool):
        reader.refuse(node, f'"{key}" is {_kind(node)}, true or false is expected')
    elif node.value is (key == "disabled"):
        reader.entry["disabled"] = True


def _read_timeout(reader: _EntryReader, key: str, node: Node) -> None:
    value = node.value
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value <= 0:
        reader.warn(node, f'"{key}" is not a time and is left out')
        return
    meaning = reader.conventions.timeout
    if meaning is Timeout.UNKNOWN:
        meaning = Timeout.SECONDS if value < 1000 else Timeout.MILLISECONDS
        reader.warn(node, f'"{key}" is assumed to be in {meaning}')
    seconds = value if meaning is Timeout.SECONDS else value / 1000
    seconds = int(seconds) if float(seconds).is_integer() else seconds
    if meaning is Timeout.START_MILLISECONDS:
        reader.entry["toolnote"] = {"startTimeout": seconds}
    else:
        reader.entry["timeout"] = seconds


def _read_own_keys(reader: _EntryReader, key: str, node: Node) -> None:
    """Read Toolnote's own keys, without those that only the user decides on: a file or link must not bring them."""
    if not isinstance(node.value, dict):
        reader.warn(node, f'"{key}" is {_kind(node)}, an object is expected; it is left out')
        return
    for member in _last_of_each(node):
        if member.key not in _OWN_KEYS:
            reader.warn(member.node, f'"{key}.{member.key}" is left out, because only you decide on it')
    kept = {name: value for name, value in node.value.items() if name in _OWN_KEYS}
    if kept:
        reader.entry[key] = kept


_OWN_KEYS: Final = frozenset({"prefix", "perClient", "startTimeout", "era", "signIn"})
"""Keys under ``toolnote`` that say how a server works. Others are decisions (variables that it inherits, toolsets that
it joins, what is recorded) or the user's own words."""

_READERS = {
    "toolnote": _read_own_keys,
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


def _read_seconds(reader: _EntryReader, key: str, node: Node) -> None:
    """Read ``tool_timeout_sec`` and ``startup_timeout_sec`` (Codex), also in milliseconds (Codex, Kimi)."""
    value = node.value
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value <= 0:
        reader.warn(node, f'"{key}" is not a time and is left out')
        return
    seconds = value if key.endswith("_sec") else value / 1000
    if key.startswith("tool"):
        reader.entry["timeout"] = seconds
    else:
        reader.entry["toolnote"] = {"startTimeout": seconds}


def _read_variable_of_token(reader: _EntryReader, key: str, node: Node) -> None:
    if isinstance(node.value, str) and node.value.strip():
        _header(reader, "Authorization", f"Bearer ${{{node.value.strip()}}}")
    elif node.value is not None:
        reader.refuse(node, f'"{key}" is {_kind(node)}, the name of a variable is expected')


def _read_variables_of_headers(reader: _EntryReader, key: str, node: Node) -> None:
    if not isinstance(node.value, dict):
        reader.refuse(node, f'"{key}" is {_kind(node)}, an object is expected')
        return
    for member in _last_of_each(node):
        _header(reader, member.key, f"${{{_as_text(reader, key, member.node)}}}")


def _read_request_options(reader: _EntryReader, key: str, node: Node) -> None:
    """Read Continue's ``requestOptions``: the headers only."""
    for member in node.members:
        if member.key == "headers":
            _read_texts(reader, "headers", member.node)
        else:
            reader.warn(member.node, f'"{key}.{member.key}" is left out')


def _read_stored_names(reader: _EntryReader, key: str, node: Node) -> None:
    """Read Goose's ``env_keys``: variables whose values are in its own keychain."""
    for item in node.items:
        if isinstance(item.value, str):
            reader.entry.setdefault("env", {}).setdefault(item.value, f"${{{item.value}}}")
            reader.warn(item, f'"{key}" names a value that only the client knows: {item.value}')


def _header(reader: _EntryReader, name: str, value: str) -> None:
    reader.entry["headers"] = {**reader.entry.get("headers", {}), name: value}


_SPECIAL = {
    "tool_timeout_sec": _read_seconds,
    "startup_timeout_sec": _read_seconds,
    "startup_timeout_ms": _read_seconds,
    "startupTimeoutMs": _read_seconds,
    "toolTimeoutMs": _read_seconds,
    "bearerTokenEnvVar": _read_variable_of_token,
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


def _settle_type(reader: _EntryReader, node: Node) -> None:
    """Check what the entry needs for its type; a missing type follows from the other keys."""
    entry = reader.entry
    if not reader.usable:
        return
    command, url = bool(entry.get("command")), bool(entry.get("url"))
    kind = entry.get("type")
    if not command and not url:
        reader.refuse(node, 'there is neither a "command" nor a "url"')
    elif kind is None and not command:
        entry["type"] = reader.conventions.plain_url_type
    elif kind == "stdio" and not command:
        reader.refuse(node, 'a server of type stdio needs a "command"')
    elif kind in ("http", "sse") and not url:
        reader.refuse(node, f'a server of type {kind} needs a "url"')
    reader.entry = {key: entry[key] for key in (*_KNOWN, *entry) if key in entry}


def _warn_of_placeholders(reader: _EntryReader, node: Node) -> None:
    """Warn of values that only the client can fill in: the server is imported, and will report them missing."""
    for path, inner in _texts(node, ""):
        for match in _CLIENT_VALUE.finditer(inner.value):
            reader.warn(inner, f'"{path}" needs a value that only the client knows: {match.group()}')
        if reader.conventions.braces_name_variables:
            if _FILE.search(inner.value):
                reader.warn(inner, f'"{path}" has the content of a file, which only the client reads')
        elif braced := _BRACED.search(inner.value):
            reader.warn(inner, f'"{path}" keeps {braced.group()} as it is; a variable is written ${{{braced[1]}}}')
        if folder := _CLIENT_FOLDER.search(inner.value):
            reader.warn(inner, f'"{path}" names a folder that only the client knows: ${{{folder.group(1)}}}')


def _texts(node: Node, path: str) -> Iterator[tuple[str, Node]]:
    if isinstance(node.value, str):
        yield path, node
    for member in node.members:
        yield from _texts(member.node, f"{path}.{member.key}" if path else member.key)
    for number, item in enumerate(node.items):
        yield from _texts(item, f"{path}[{number}]")
