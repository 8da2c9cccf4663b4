"""Requests of the modern era: what their envelope must say (2026-07-28, transports), checked as the SDK checks it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from weakref import WeakKeyDictionary

from mcp.shared.inbound import (
    ERROR_CODE_HTTP_STATUS,
    InboundModernRoute,
    classify_inbound_request,
    find_duplicated_routing_header,
    validate_mcp_param_headers,
)

from toolnote_desktop.model.jsontext import JsonObject
from toolnote_desktop.model.tool import Tool
from toolnote_desktop.proxy import modern
from toolnote_desktop.proxy.asgi import Scope
from toolnote_desktop.proxy.exposure import View
from toolnote_desktop.proxy.in_flight import refusal
from toolnote_desktop.proxy.peer import Reply

STATUSES: Mapping[int, int] = ERROR_CODE_HTTP_STATUS
"""HTTP status by the code of an error."""

_declares: WeakKeyDictionary[Tool, bool] = WeakKeyDictionary()


def is_sound(message: JsonObject, scope: Scope) -> bool:
    """Whether headers and envelope are there and agree. Where they do not, the SDK says why."""
    lines = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"]]
    if find_duplicated_routing_header(lines) is not None:
        return False
    return isinstance(classify_inbound_request(message, headers=dict(lines)), InboundModernRoute)


def header_problem(params: JsonObject, scope: Scope, view: View) -> Reply | None:
    """What is wrong with the ``Mcp-Param-*`` headers that a tool's schema asks for, as an error."""
    name, arguments = params.get("name"), params.get("arguments")
    tool = view.tools.get(name) if isinstance(name, str) else None
    if tool is None or not isinstance(arguments, dict | None) or not _has_parameter_headers(tool.known.tool):
        return None
    headers = {key.decode("latin-1"): value.decode("latin-1") for key, value in scope["headers"]}
    found = validate_mcp_param_headers(tool.known.tool.definition["inputSchema"], arguments or {}, headers)
    return None if found is None else refusal(found.code, found.message, found.data)


def _has_parameter_headers(tool: Tool) -> bool:
    if tool not in _declares:
        _declares[tool] = bool(modern.parameter_headers((tool.definition,)))
    return _declares[tool]


def stated(meta: Mapping[str, Any], key: str) -> JsonObject:
    """An object that a client states of itself in every request; {} where it does not."""
    value = meta.get(key)
    return dict(value) if isinstance(value, dict) else {}
