"""Constants of the Model Context Protocol that several folders of the proxy share."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from toolnote_desktop import __version__
from toolnote_desktop.model.json_text import JsonObject


class Era(StrEnum):
    """Family of protocol revisions: with a handshake (up to 2025-11-25) or without (from 2026-07-28)."""

    HANDSHAKE = "handshake"
    MODERN = "modern"


HANDSHAKE_VERSIONS: Final = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
"""Revisions of the handshake era, oldest first. A client that requests another one is offered the newest."""

NEWEST_HANDSHAKE: Final = HANDSHAKE_VERSIONS[-1]

VERSION_HEADER: Final = "mcp-protocol-version"

IMPLEMENTATION: Final[JsonObject] = {"name": "toolnote", "title": "Toolnote", "version": __version__}
"""``Implementation`` of Toolnote (``clientInfo`` to servers, ``serverInfo`` to clients)."""

CAPABILITIES: Final[JsonObject] = {
    "roots": {"listChanged": True},
    "sampling": {"context": {}, "tools": {}},
    "elicitation": {"form": {}, "url": {}},
}
"""Capabilities offered to servers: all that any client may have. A request that a client cannot answer is refused."""

TASKS_EXTENSION: Final = "io.modelcontextprotocol/tasks"
SKILLS_EXTENSION: Final = "io.modelcontextprotocol/skills"
"""Extension of SEP-2663."""

BODY_LIMIT: Final = 64 * 1024 * 1024
"""Maximum size of a request's body, in bytes."""

TOOLS: Final = "tools"
PROMPTS: Final = "prompts"
RESOURCES: Final = "resources"

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603
MISSING_CAPABILITY: Final = -32021
"""The client has not declared what the request needs (2026-07-28)."""
