"""Results of ``initialize`` and of ``server/discover`` (2026-07-28), and the checks of such requests.

Equal to the SDK's results (a test compares them). Usual requests are answered here because importing the SDK takes half
a second and thirty megabytes; the SDK answers requests that fail these checks.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import orjson

from toolnote_desktop.model import json_text
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.proxy.protocol import HANDSHAKE_VERSIONS, IMPLEMENTATION, NEWEST_HANDSHAKE
from toolnote_desktop.proxy.transports.modern_headers import SERVER_INFO_KEY
from toolnote_desktop.proxy.transports.modern_headers import VERSION as MODERN_VERSION

_CAPABILITIES: Final[JsonObject] = {
    "completions": {},
    "logging": {},
    "prompts": {"listChanged": True},
    "resources": {"listChanged": True, "subscribe": True},
    "tools": {"listChanged": True},
}


_UNSUPPORTED_VERSION = -32022


def initialize_result(params: JsonObject, introduction: JsonObject) -> bytes:
    """Return the result of ``initialize``."""
    wanted = params["protocolVersion"]
    version = wanted if wanted in HANDSHAKE_VERSIONS else NEWEST_HANDSHAKE
    result = {"capabilities": _CAPABILITIES, "protocolVersion": version, "serverInfo": IMPLEMENTATION}
    return json_text.dumps(with_introduction(result, introduction))


def discover_result(introduction: JsonObject) -> bytes:
    """Return the result of ``server/discover``."""
    result: JsonObject = {
        "cacheScope": "private",
        "capabilities": _CAPABILITIES,
        "resultType": "complete",
        "supportedVersions": [MODERN_VERSION],
        "ttlMs": 0,
        "_meta": {SERVER_INFO_KEY: IMPLEMENTATION},
    }
    return json_text.dumps(with_introduction(result, introduction))


def handshake_era_error(request_id: object) -> bytes:
    """Return the error by which a client of the modern era learns to initialize (SEP-2575: unsupported version)."""
    data = {"supported": list(HANDSHAKE_VERSIONS), "requested": MODERN_VERSION}
    error = {"code": _UNSUPPORTED_VERSION, "message": "Unsupported protocol version", "data": data}
    return json_text.dumps({"jsonrpc": "2.0", "id": request_id, "error": error})


def with_introduction(result: JsonObject, introduction: JsonObject) -> JsonObject:
    """Return a result with ``instructions``, and servers' ``capabilities`` beside its own."""
    own = result["capabilities"]
    return {**result, **introduction, "capabilities": {**own, **introduction.get("capabilities", {})}}


def is_plain_initialize(body: bytes, params: object) -> bool:
    """Return True if the ``params`` of an ``initialize`` are complete and of the usual shapes."""
    return (
        isinstance(params, dict)
        and isinstance(params.get("protocolVersion"), str)
        and is_plain_meta(params)
        and is_plain_client(params.get("clientInfo"))
        and is_plain_capabilities(params.get("capabilities"))
        and is_strict_json(body)
    )


def is_strict_json(body: bytes) -> bool:
    """Return True if a strict parser accepts the text: no lone surrogates, valid UTF-8."""
    try:
        orjson.loads(body)
    except orjson.JSONDecodeError:
        return False
    return True


def is_plain_meta(params: Mapping[str, Any]) -> bool:
    """Return True if ``_meta`` is missing, or an object without an invalid progress token."""
    meta = params.get("_meta", {})
    if not isinstance(meta, dict):
        return False
    token = meta.get("progressToken", "")
    return isinstance(token, str | int) and not isinstance(token, bool)


def is_plain_client(info: object) -> bool:
    """Return True if a ``clientInfo`` is complete and of the usual shapes."""
    if not isinstance(info, dict) or not {"name", "version"} <= info.keys():
        return False
    texts = [info[key] for key in ("name", "version", "title", "description", "websiteUrl") if key in info]
    icons = info.get("icons", [])
    return all(isinstance(text, str) for text in texts) and isinstance(icons, list) and all(map(_is_plain_icon, icons))


def _is_plain_icon(icon: object) -> bool:
    if not isinstance(icon, dict) or not icon.keys() <= {"src", "mimeType"}:
        return False
    return "src" in icon and all(isinstance(text, str) for text in icon.values())


def is_plain_capabilities(capabilities: object) -> bool:
    """Return True if a client's ``capabilities`` are known ones and nested objects, like all in use."""
    if not isinstance(capabilities, dict):
        return False
    rest = dict(capabilities)
    roots = rest.pop("roots", {})
    changing = roots.get("listChanged", True) if isinstance(roots, dict) else None
    if not isinstance(changing, bool) or len(roots) > 1:
        return False
    settings = [value for key in ("experimental", "extensions") for value in [rest.pop(key, {})]]
    if not all(isinstance(value, dict) and all(isinstance(one, dict) for one in value.values()) for value in settings):
        return False
    return all(key in ("sampling", "elicitation", "tasks") and _is_all_objects(value) for key, value in rest.items())


def _is_all_objects(value: object) -> bool:
    return isinstance(value, dict) and all(_is_all_objects(one) for one in value.values())
