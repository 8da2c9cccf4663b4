"""What a client is answered when it introduces itself: ``initialize``, and ``server/discover`` of 2026-07-28.

Written out here, and equal to what the SDK's server says (a test compares them): importing the SDK takes half a second
and thirty megabytes that nobody pays for who speaks plainly. Whatever is not plain is the SDK's to judge.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import orjson

from toolnote_desktop import __version__
from toolnote_desktop.model import json_text
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.proxy.protocol import HANDSHAKE_VERSIONS, NEWEST_HANDSHAKE
from toolnote_desktop.proxy.transports.modern_headers import SERVER_INFO_KEY
from toolnote_desktop.proxy.transports.modern_headers import VERSION as MODERN_VERSION

_CAPABILITIES: Final[JsonObject] = {
    "completions": {},
    "logging": {},
    "prompts": {"listChanged": True},
    "resources": {"listChanged": True, "subscribe": True},
    "tools": {"listChanged": True},
}
SERVER_INFO: Final[JsonObject] = {"name": "toolnote", "title": "Toolnote", "version": __version__}


def initialize_result(params: JsonObject, instructions: str | None) -> bytes:
    """The result of ``initialize``."""
    wanted = params["protocolVersion"]
    version = wanted if wanted in HANDSHAKE_VERSIONS else NEWEST_HANDSHAKE
    result = {"capabilities": _CAPABILITIES, "protocolVersion": version, "serverInfo": SERVER_INFO}
    return json_text.dumps(_instructed(result, instructions))


def discover_result(instructions: str | None) -> bytes:
    """The result of ``server/discover``."""
    result: JsonObject = {
        "cacheScope": "private",
        "capabilities": _CAPABILITIES,
        "resultType": "complete",
        "supportedVersions": [MODERN_VERSION],
        "ttlMs": 0,
        "_meta": {SERVER_INFO_KEY: SERVER_INFO},
    }
    return json_text.dumps(_instructed(result, instructions))


def _instructed(result: JsonObject, instructions: str | None) -> JsonObject:
    return result if instructions is None else {**result, "instructions": instructions}


def is_plain_initialize(body: bytes, params: object) -> bool:
    """Whether the ``params`` of an ``initialize`` say what they must in the usual shapes."""
    return (
        isinstance(params, dict)
        and isinstance(params.get("protocolVersion"), str)
        and is_plain_meta(params)
        and is_plain_client(params.get("clientInfo"))
        and is_plain_capabilities(params.get("capabilities"))
        and is_strict_json(body)
    )


def is_strict_json(body: bytes) -> bool:
    """Whether a strict reader takes the text: no lone surrogate, nothing that is UTF-8 in name only."""
    try:
        orjson.loads(body)
    except orjson.JSONDecodeError:
        return False
    return True


def is_plain_meta(params: Mapping[str, Any]) -> bool:
    """Whether ``_meta``, if there is one, is an object whose progress token is one."""
    meta = params.get("_meta", {})
    if not isinstance(meta, dict):
        return False
    token = meta.get("progressToken", "")
    return isinstance(token, str | int) and not isinstance(token, bool)


def is_plain_client(info: object) -> bool:
    """Whether a ``clientInfo`` is one, in the usual shapes."""
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
    """Whether a client's ``capabilities`` are objects in objects, as all that are in use are, and nothing beside."""
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
