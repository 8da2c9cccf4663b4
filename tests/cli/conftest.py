"""Commands run in this process, with everything that they print."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from toolnote_desktop.cli import parser
from toolnote_desktop.model import json_text
from toolnote_desktop.paths import Home


@dataclass
class Outcome:
    """Result of a command."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json_text.loads(self.out)


Run = Callable[..., Outcome]


@pytest.fixture
def run(home: Home, capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    """``run("toolset", "list")`` on the empty home of this test."""

    def one(*words: str, status: int = 0) -> Outcome:
        found = parser.run(list(words))
        captured = capfdbinary.readouterr()
        outcome = Outcome(found, captured.out.decode("utf-8"), captured.err.decode("utf-8"))
        assert outcome.status == status, outcome
        assert "Traceback" not in outcome.err
        return outcome

    return one


@pytest.fixture
def catalogued(home: Home) -> Home:
    """A home whose servers were asked before: ``git`` (log, diff, and old, which is gone) and twins of one name."""

    def tool(name: str) -> dict[str, Any]:
        return {"definition": {"name": name, "description": f"Does {name}", "inputSchema": {"type": "object"}}}

    servers = {server: {"type": "stdio", "command": "never-started"} for server in ("git", "a", "a.b")}
    catalog = {
        "git": {"tools": [tool("log"), tool("diff"), {**tool("old"), "listed": False}]},
        "a": {"tools": [tool("b.c")]},
        "a.b": {"tools": [tool("c")]},
    }
    home.servers.write_text(json.dumps({"mcpServers": servers}), encoding="utf-8")
    (home.root / "catalog.json").write_text(json.dumps({"servers": catalog}), encoding="utf-8")
    return home
