"""Agent Plugin of one toolset: ``plugin.json``, ``mcp.json`` with the bridge, and the skill.

The format is version 1.0.0 of agent-plugins.org/specification, which VS Code, Copilot CLI, Cursor, Kiro and Codex
install. A command in it is a bare name or a file of the plugin: where ``toolnote`` is not on the path, the plugin has a
small program that starts it.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from typing import Final

from toolnote_desktop import __version__
from toolnote_desktop.model import json_text
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.tools.dialect import OWN_ENTRY
from toolnote_desktop.publishing.records import hash_text
from toolnote_desktop.publishing.skill import skill_name
from toolnote_desktop.publishing.text import CarriedText
from toolnote_desktop.system.program import CONSOLE_PROGRAM

MANIFEST: Final = "plugin.json"
SERVERS: Final = "mcp.json"
_SCHEMA: Final = "https://agent-plugins.org/schemas/1.0.0/{}.schema.json"
_LAUNCHER: Final = "bin/toolnote.cmd" if sys.platform == "win32" else "bin/toolnote"


def plugin_name(toolset: str) -> str:
    """Return the name of a toolset's plugin."""
    return f"toolnote-{skill_name(toolset)}"


def plugin_files(
    toolset: str, text: CarriedText, bridge: Sequence[str], *, on_path: bool
) -> dict[str, tuple[bytes, int]]:
    """Return the plugin's files but its skill: path within the folder -> content and mode.

    Args:
        bridge: command line of the bridge.
        on_path: the first word of it is found by its name alone.
    """
    manifest: JsonObject = {
        "$schema": _SCHEMA.format("plugin"),
        "name": plugin_name(toolset),
        "version": f"{__version__}+{hash_text(text.description + text.body)[:8]}",  # clients compare it
        "description": text.description,
        "keywords": ["toolnote"],
    }
    files: dict[str, tuple[bytes, int]] = {}
    start = bridge.index("bridge")
    if not on_path:
        files[_LAUNCHER] = (_launcher(bridge[:start]), 0o755)
    command = CONSOLE_PROGRAM if on_path else f"./{_LAUNCHER}"
    servers = {OWN_ENTRY: {"type": "stdio", "command": command, "args": list(bridge[start:])}}
    files[MANIFEST] = (json_text.dumps_pretty(manifest), 0o644)
    files[SERVERS] = (json_text.dumps_pretty({"$schema": _SCHEMA.format("mcp"), "mcpServers": servers}), 0o644)
    return files


def marketplace_files(toolset: str) -> dict[str, tuple[bytes, int]]:
    """Return the lists by which Codex and Copilot CLI install the plugin in a folder: path -> content and mode."""
    name = plugin_name(toolset)
    source = {"source": "local", "path": f"./{name}"}
    policy = {"installation": "AVAILABLE", "authentication": "ON_INSTALL"}
    codex = {"name": name, "source": source, "policy": policy, "category": "Productivity"}
    lists: dict[str, JsonObject] = {
        ".agents/plugins/marketplace.json": {"name": name, "plugins": [codex]},
        ".github/plugin/marketplace.json": {
            "name": name,
            "owner": {"name": "Toolnote"},
            "plugins": [{"name": name, "source": f"./{name}"}],
        },
    }
    return {path: (json_text.dumps_pretty(held), 0o644) for path, held in lists.items()}


def _launcher(command: Sequence[str]) -> bytes:
    if sys.platform == "win32":
        words = " ".join(f'"{word}"' for word in command)
        return f"@{words} %*\r\n".encode()
    return f'#!/bin/sh\nexec {shlex.join(command)} "$@"\n'.encode()
