"""Eight tool sources of an ordinary office, with 288 tools: what the person of the story has in Cursor.

``python office.py NAME`` is one of them, a stdio server. With the twelve tools of the server from PyPI they are 300.
"""

from __future__ import annotations

import json
import runpy
import sys
from pathlib import Path
from typing import Any

RAW_SERVER = Path(__file__).resolve().parents[1] / "servers" / "raw_server.py"

_VERBS = {
    "create": "Creates a new {noun} in {server}",
    "get": "Reads one {noun}, with everything that belongs to it",
    "list": "Lists each {noun} that you can see",
    "update": "Changes a {noun}: only the fields that are given",
    "search": "Finds each {noun} that has all of the words",
    "archive": "Puts a {noun} away without deleting it",
}
_NOUNS = {
    "Linear": ("issue", "project", "team", "label", "cycle", "document", "comment"),
    "GitHub": ("pull request", "discussion", "branch", "release", "review", "workflow run", "gist", "milestone"),
    "Notion": ("page", "database", "block", "template", "comment", "workspace"),
    "Slack": ("message", "channel", "thread", "reminder", "bookmark", "canvas"),
    "Calendar": ("event", "invitation", "room", "reminder", "absence"),
    "Postgres": ("table", "query", "view", "index"),
    "Jira": ("ticket", "board", "sprint", "epic", "filter", "component", "version"),
    "Files": ("file", "folder", "draft", "contract", "scan"),
}
_ISSUE = {
    "type": "object",
    "properties": {
        "title": {"type": "string", "description": "The issue's title"},
        "team": {"type": "string", "description": "The team's name or id"},
        "description": {"type": "string", "description": "Markdown"},
        "priority": {"type": "integer", "minimum": 0, "maximum": 4},
        "labels": {"type": "array", "items": {"type": "string"}},
        "assignee": {"type": "string"},
    },
    "required": ["title", "team"],
}
_ANY = {"type": "object", "properties": {"id": {"type": "string", "description": "Which one"}}}


def tools(server: str) -> list[dict[str, Any]]:
    """The tools that one of them offers."""
    return [
        {
            "name": f"{verb}_{noun.replace(' ', '_')}",
            "description": words.format(noun=noun, server=server),
            "inputSchema": _ISSUE if (verb, noun) == ("create", "issue") else _ANY,
        }
        for noun in _NOUNS[server]
        for verb, words in _VERBS.items()
    ]


def entries() -> dict[str, dict[str, Any]]:
    """Return the servers in the form of an assistant's settings."""
    return {server: {"command": sys.executable, "args": [__file__, server]} for server in _NOUNS}


def tool_count() -> int:
    """Of all of them together."""
    return sum(len(tools(server)) for server in _NOUNS)


if __name__ == "__main__":
    sys.argv = [str(RAW_SERVER), json.dumps({"tools": tools(sys.argv[1])})]
    sys.path.insert(0, str(RAW_SERVER.parent))
    runpy.run_path(str(RAW_SERVER), run_name="__main__")
