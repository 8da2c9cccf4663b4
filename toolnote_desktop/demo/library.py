"""Content of the demo library: entries for ``servers.json`` and a toolset with notes (docs/contract.md 3 and 4)."""

from __future__ import annotations

import json
from typing import Any

from toolnote_desktop import assets
from toolnote_desktop.demo import NAMES


def demo_servers(command: list[str]) -> dict[str, dict[str, Any]]:
    """Return entries for ``mcpServers``, by server id. ``command`` runs the console program ``toolnote``."""
    program, *arguments = command
    return {name: {"type": "stdio", "command": program, "args": [*arguments, "demo-server", name]} for name in NAMES}


def demo_toolset() -> dict[str, Any]:
    """Return the toolset document ``demo``: all tools of both servers, and notes on two of them."""
    document: dict[str, Any] = json.loads(assets.path("demo/library.json").read_text(encoding="utf-8"))
    return document
