"""Envelope of requests of the modern era: headers and ``_meta`` (2026-07-28, transports), checked like the SDK does."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from typing import Any
from weakref import WeakKeyDictionary

from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.tools.tool import Tool
from toolnote_desktop.proxy.aio.time_slices import in_slices
from toolnote_desktop.proxy.endpoint.asgi import Scope
from toolnote_desktop.proxy.in_flight import error_reply, too_many_values
from toolnote_desktop.proxy.routing.served_lists import ClientView
from toolnote_desktop.proxy.transports import modern_headers
from toolnote_desktop.proxy.transports.base import Reply
from toolnote_desktop.proxy.transports.jsonrpc import RawJson, read_steps

STATUSES: Mapping[int, int] = {
    -32700: 400,
    -32600: 400,
    -32602: 400,
    -32020: 400,
    -32021: 400,
    -32022: 400,
    -32601: 404,
}
"""HTTP status by JSON-RPC error code (a test compares it with the SDK's)."""

HEADER_MISMATCH = -32020

_ROUTING = (b"mcp-protocol-version", b"mcp-method", b"mcp-name")
_SENTINEL = re.compile(r"=\?base64\?(?P<payload>.*)\?=")

_declares_headers: WeakKeyDictionary[Tool, bool] = WeakKeyDictionary()


def is_valid_envelope(message: JsonObject, scope: Scope) -> bool:
    """Return True if headers and ``_meta`` are complete and agree; else the SDK answers with the reason."""
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
        and (named is None or _decode(headers.get(b"mcp-name")) == named)
    )


def task_header_error(message: JsonObject, scope: Scope) -> Reply | None:
    """Return the error in the ``Mcp-Name`` header of a request about a task, if there is one (SEP-2663)."""
    params = message.get("params")
    key = modern_headers.NAMED_TASKS.get(message["method"])
    if key is None or not isinstance(params, dict):
        return None
    header = next((value.decode("latin-1") for name, value in scope["headers"] if name == b"mcp-name"), None)
    if header is not None and _decode(header) == params.get(key):
        return None
    text = "is missing" if header is None else "does not match the body"
    return error_reply(HEADER_MISMATCH, f"Header mismatch: Mcp-Name {text}")


def _decode(value: str | None) -> str | None:
    """Return the text of a header, decoded from base64 if it is encoded; None if it cannot be decoded."""
    found = _SENTINEL.fullmatch(value) if value is not None else None
    if found is None:
        return value
    try:
        text = base64.b64decode(found["payload"], validate=True)
        return text.decode("utf-8") if base64.b64encode(text).decode("ascii") == found["payload"] else None
    except ValueError:
        return None


def needs_parameter_headers(params: JsonObject, view: ClientView) -> bool:
    """Return True if the schema of the called tool declares ``Mcp-Param-*`` headers."""
    name = params.get("name")
    tool = view.tools.get(name) if isinstance(name, str) else None
    return tool is not None and _has_parameter_headers(tool.known.tool)


async def parameter_header_error(params: JsonObject, scope: Scope, view: ClientView) -> Reply | None:
    """Return the error in ``Mcp-Param-*`` headers, if there is one. Imports the SDK."""
    from mcp.shared.inbound import validate_mcp_param_headers

    tool, arguments = view.tools[params["name"]], params.get("arguments")
    try:
        if isinstance(arguments, RawJson):
            declared = {path[0] for path in modern_headers.parameter_headers(tool.known.tool.definition["inputSchema"])}
            arguments = await in_slices(read_steps(arguments, declared.__contains__))
    except ValueError:
        return too_many_values()
    if not isinstance(arguments, dict | None):
        return None
    headers = {key.decode("latin-1"): value.decode("latin-1") for key, value in scope["headers"]}
    found = validate_mcp_param_headers(tool.known.tool.definition["inputSchema"], arguments or {}, headers)
    return None if found is None else error_reply(found.code, found.message, found.data)


def _has_parameter_headers(tool: Tool) -> bool:
    if tool not in _declares_headers:
        _declares_headers[tool] = bool(modern_headers.parameter_headers(tool.definition.get("inputSchema")))
    return _declares_headers[tool]


def meta_object(meta: Mapping[str, Any], key: str) -> JsonObject:
    """Return an object out of a request's ``_meta``; {} if it is missing or no object."""
    value = meta.get(key)
    return dict(value) if isinstance(value, dict) else {}
