"""Requests of the modern era: what their envelope must say (2026-07-28, transports), checked as the SDK checks it."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from typing import Any
from weakref import WeakKeyDictionary

from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.tools.tool import Tool
from toolnote_desktop.proxy.endpoint.asgi import Scope
from toolnote_desktop.proxy.in_flight import refusal
from toolnote_desktop.proxy.routing.served_lists import ClientView
from toolnote_desktop.proxy.transports import modern_headers
from toolnote_desktop.proxy.transports.base import Reply

STATUSES: Mapping[int, int] = {
    -32700: 400,
    -32600: 400,
    -32602: 400,
    -32020: 400,
    -32021: 400,
    -32022: 400,
    -32601: 404,
}
"""HTTP status by the code of an error (a test compares it with the SDK's)."""

_ROUTING = (b"mcp-protocol-version", b"mcp-method", b"mcp-name")
_SENTINEL = re.compile(r"=\?base64\?(?P<payload>.*)\?=")

_declares: WeakKeyDictionary[Tool, bool] = WeakKeyDictionary()


def is_sound(message: JsonObject, scope: Scope) -> bool:
    """Whether headers and envelope are there and agree. Where they do not, the SDK says why."""
    names = [name for name, _ in scope["headers"] if name in _ROUTING]
    params = message.get("params")
    meta = params.get("_meta") if isinstance(params, dict) else None
    if len(names) != len(set(names)) or not isinstance(params, dict) or not isinstance(meta, dict):
        return False
    headers = {name: value.decode("latin-1") for name, value in scope["headers"] if name in _ROUTING}
    named = params.get(modern_headers.NAMED.get(message["method"], ""))
    return (
        meta.get(modern_headers.VERSION_KEY) == modern_headers.VERSION == headers.get(b"mcp-protocol-version")
        and modern_headers.CLIENT_CAPABILITIES_KEY in meta
        and headers.get(b"mcp-method") == message["method"]
        and (named is None or _decoded(headers.get(b"mcp-name")) == named)
    )


def _decoded(value: str | None) -> str | None:
    """A header's text, out of base64 where it stands in that; None where it cannot be read."""
    found = _SENTINEL.fullmatch(value) if value is not None else None
    if found is None:
        return value
    try:
        text = base64.b64decode(found["payload"], validate=True)
        return text.decode("utf-8") if base64.b64encode(text).decode("ascii") == found["payload"] else None
    except ValueError:
        return None


def wants_headers(params: JsonObject, view: ClientView) -> bool:
    """Whether the schema of the tool that is called asks for ``Mcp-Param-*`` headers."""
    name = params.get("name")
    tool = view.tools.get(name) if isinstance(name, str) else None
    return tool is not None and _has_parameter_headers(tool.known.tool)


def header_problem(params: JsonObject, scope: Scope, view: ClientView) -> Reply | None:
    """What is wrong with those headers, as an error. The SDK is imported for it."""
    from mcp.shared.inbound import validate_mcp_param_headers

    tool, arguments = view.tools[params["name"]], params.get("arguments")
    if not isinstance(arguments, dict | None):
        return None
    headers = {key.decode("latin-1"): value.decode("latin-1") for key, value in scope["headers"]}
    found = validate_mcp_param_headers(tool.known.tool.definition["inputSchema"], arguments or {}, headers)
    return None if found is None else refusal(found.code, found.message, found.data)


def _has_parameter_headers(tool: Tool) -> bool:
    if tool not in _declares:
        _declares[tool] = bool(modern_headers.parameter_headers(tool.definition.get("inputSchema")))
    return _declares[tool]


def stated(meta: Mapping[str, Any], key: str) -> JsonObject:
    """An object that a client states of itself in every request; {} where it does not."""
    value = meta.get(key)
    return dict(value) if isinstance(value, dict) else {}
