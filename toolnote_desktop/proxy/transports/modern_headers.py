"""Metadata of the modern era's requests (2026-07-28), in ``_meta`` and in HTTP headers.

The SDK is not used, because importing it takes half a second, which would delay the first list that ``serve`` returns.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from toolnote_desktop.model import json_text
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.proxy.protocol import IMPLEMENTATION, VERSION_HEADER

VERSION = "2026-07-28"

VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
CLIENT_INFO_KEY = "io.modelcontextprotocol/clientInfo"
CLIENT_CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"
SERVER_INFO_KEY = "io.modelcontextprotocol/serverInfo"
SUBSCRIPTION_ID_KEY = "io.modelcontextprotocol/subscriptionId"

_METHOD_HEADER = "mcp-method"
_NAME_HEADER = "mcp-name"
_PARAMETER_PREFIX = "Mcp-Param-"
NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
NAMED_TASKS = dict.fromkeys(("tasks/get", "tasks/update", "tasks/cancel"), "taskId")
"""Member that the header repeats for methods of the tasks extension (SEP-2663)."""

_ALL_NAMED = {**NAMED, **NAMED_TASKS}
REPEATED: Final = ("arguments", *sorted(set(_ALL_NAMED.values())))
"""Members of params from which headers are made."""

_SAFE = re.compile(r"[\x20-\x7e]*")
_SENTINEL = re.compile(r"=\?base64\?.*\?=")
_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")

_VERSION_TEXT = json_text.dumps(VERSION)
_CLIENT_INFO_TEXT = json_text.dumps(IMPLEMENTATION)

ParameterHeaders = Mapping[tuple[str, ...], str]
"""Path of a tool's argument -> suffix of its header's name, from ``x-mcp-header`` in the input schema."""


def meta(client_capabilities: JsonObject | None) -> dict[str, bytes]:
    """Return the mandatory members of a request's ``_meta``, as raw JSON."""
    capabilities = json_text.dumps(client_capabilities) if client_capabilities else b"{}"
    return {VERSION_KEY: _VERSION_TEXT, CLIENT_INFO_KEY: _CLIENT_INFO_TEXT, CLIENT_CAPABILITIES_KEY: capabilities}


class DeclaredHeaders:
    """Arguments that the tools of a listing require in headers; a schema is searched when its tool is first called."""

    def __init__(self, tools: tuple[Any, ...] = ()) -> None:
        self._tools = tools
        self._schemas: dict[str, Any] | None = None
        self._found: dict[str, ParameterHeaders] = {}

    def of(self, name: str) -> ParameterHeaders:
        """Return the headers of one tool; of two tools with the same name, those of the first."""
        if self._schemas is None:
            self._schemas = {}
            for tool in self._tools:
                if isinstance(tool, dict) and isinstance(tool.get("name"), str):
                    self._schemas.setdefault(tool["name"], tool.get("inputSchema"))
        if name not in self._found and name in self._schemas:
            self._found[name] = parameter_headers(self._schemas[name])
        return self._found.get(name, {})


NOTHING_DECLARED = DeclaredHeaders()


def headers(method: str, params: Mapping[str, Any], declared: DeclaredHeaders = NOTHING_DECLARED) -> dict[str, str]:
    """Return the HTTP headers that repeat parts of the body, for routing in front of the server.

    Args:
        params: the request's decoded params.
    """
    found = {VERSION_HEADER: VERSION, _METHOD_HEADER: method}
    name = params.get(_ALL_NAMED.get(method, ""))
    if isinstance(name, str):
        found[_NAME_HEADER] = header_value(name)
        arguments = params.get("arguments")
        if method == "tools/call" and isinstance(arguments, dict):
            for path, token in declared.of(name).items():
                text = _as_text(_at(arguments, path))
                if text is not None:
                    found[_PARAMETER_PREFIX + token] = header_value(text)
    return found


def header_value(text: str) -> str:
    """Return ``text`` as an HTTP header's value, in base64 between marks if it would not survive otherwise."""
    if _SAFE.fullmatch(text) and text == text.strip() and not _SENTINEL.fullmatch(text):
        return text
    return f"=?base64?{base64.b64encode(text.encode('utf-8', 'surrogatepass')).decode('ascii')}?="


def parameter_headers(schema: Any) -> ParameterHeaders:
    """Return the arguments that a tool's input schema requires in headers."""
    return dict(_annotated(schema))


def _annotated(schema: Any) -> Iterator[tuple[tuple[str, ...], str]]:
    """Find properties with ``x-mcp-header``, through ``properties`` only, as the specification demands."""
    todo: list[tuple[tuple[str, ...], Any]] = [((), schema)]
    while todo:
        path, node = todo.pop()
        if not isinstance(node, dict):
            continue
        token = node.get("x-mcp-header")
        if path and isinstance(token, str) and _TOKEN.fullmatch(token):
            yield path, token
        properties = node.get("properties")
        if isinstance(properties, dict):
            todo += [((*path, key), value) for key, value in properties.items()]


def _at(value: Any, path: tuple[str, ...]) -> Any:
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _as_text(value: Any) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (str, float)):
        return str(value)
    if isinstance(value, int):
        try:
            return str(value)
        except ValueError:  # thousands of digits
            return None
    return None
