"""Toolnote is known by any name and address, and nobody else is taken for it (case C50, C51)."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from tests.assistants.machines import OURSELVES
from toolnote_desktop.assistants.toolnote_entry import ToolnoteIdentity, is_own

OWN: list[dict[str, Any]] = [
    {"command": "toolnote", "args": ["bridge", "--client", "cursor"]},
    {"command": "/opt/toolnote/bin/toolnote", "args": ["bridge"]},
    {"command": "C:\\Program Files\\Toolnote\\toolnote.exe", "args": ["bridge", "--client", "vscode"]},
    {"command": "C:\\Users\\Ada Lovelace\\AppData\\Local\\Programs\\Toolnote\\TOOLNOTE.EXE", "args": ["bridge"]},
    {"command": "/Applications/Toolnote.app/Contents/MacOS/toolnote", "args": ["bridge"]},
    {"command": "/home/ada/Applications/Toolnote-0.1.0-x86_64.AppImage", "args": ["bridge"]},
    {"command": "toolnote-desktop", "args": ["bridge"]},
    {"command": "python3", "args": ["-m", "toolnote_desktop", "bridge", "--client", "cursor"]},
    {"command": "C:\\Python313\\python.exe", "args": ["-m", "toolnote_desktop", "bridge"]},
    {"command": "py", "args": ["-3", "-m", "toolnote_desktop", "--home", "x", "bridge"]},
    {"command": "uvx", "args": ["--from", "toolnote-desktop==0.1.0", "toolnote", "bridge"]},
    {"command": "uvx", "args": ["toolnote-desktop@latest", "bridge"]},
    {"command": "env", "args": ["TOOLNOTE_LOG=debug", "toolnote", "bridge"]},
    {"command": "cmd", "args": ["/c", "toolnote.cmd", "bridge"]},
    {"command": "sh", "args": ["-c", "exec '/opt/toolnote' bridge --client cursor"]},
    {"command": "toolnote bridge --client cursor"},
    {"command": ["toolnote", "bridge"], "type": "local"},
    {"command": {"path": "/usr/bin/toolnote", "args": ["bridge"]}},
    {"command": "flatpak", "args": ["run", "io.github.Toolnote", "bridge"]},
    {"type": "http", "url": "http://127.0.0.1:8377/mcp"},
    {"url": "http://localhost:8377/mcp/"},
    {"url": "http://LOCALHOST:9001/other"},
    {"url": "http://[::1]:8377/mcp"},
    {"url": "http://[::ffff:127.0.0.1]:8377/mcp"},
    {"url": "http://127.8.9.1:8377"},
    {"url": "http://0.0.0.0:8377/mcp"},
    {"url": "http://toolnote.localhost:8377/mcp"},
    {"serverUrl": "http://127.0.0.1:8377/mcp"},
    {"httpUrl": "http://127.0.0.1:8377/mcp?x=1"},
    {"command": "npx", "args": ["-y", "mcp-remote", "http://localhost:8377/mcp", "--header", "Authorization:Bearer x"]},
    {"command": "npx -y mcp-remote http://localhost:8377/mcp"},
    {"type": "stdio", "cmd": "/opt/toolnote/bin/toolnote", "args": ["bridge", "--client", "goose"]},
    {"type": "streamable_http", "uri": "http://127.0.0.1:8377/mcp"},
]

OTHERS: list[Any] = [
    {"command": "npx", "args": ["-y", "toolnote-bridge-for-notes"]},
    {"command": "toolnote", "args": ["demo-server", "tasks"]},
    {"command": "python3", "args": ["-m", "toolnote_desktop", "demo-server", "calendar"]},
    {"command": "mynotes", "args": ["bridge"]},
    {"command": "/home/ada/toolnote/run.sh", "args": ["bridge"]},
    {"command": "supergateway", "args": ["bridge", "toolnote"]},
    {"url": "http://127.0.0.1:3000/mcp"},
    {"url": "http://example.com:8377/mcp"},
    {"url": "https://mcp.example.com/mcp"},
    {"url": "http://192.168.0.4:8377/mcp"},
    {"url": "http://[bad"},
    {"url": "ftp://127.0.0.1:8377/mcp"},
    {"url": 3, "command": None, "args": "x"},
    {"command": 7, "args": [1, None]},
    {},
    [],
    None,
]


@pytest.mark.parametrize("name", ["toolnote", "my notes"])
def test_own(name: str) -> None:
    assert [entry for entry in OWN if not is_own(name, entry, OURSELVES)] == []


def test_others() -> None:
    assert [entry for entry in OTHERS if is_own("other", entry, OURSELVES)] == []
    ours = [entry for entry in OTHERS if is_own("toolnote", entry, OURSELVES)]
    assert ours == [{"url": "http://127.0.0.1:3000/mcp"}], "our name and our path: an old port of ours"


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX links")
def test_our_program_under_another_name(tmp_path: Path) -> None:
    program = tmp_path / "app" / "tn-real"
    program.parent.mkdir()
    program.write_text("")
    link = tmp_path / "notes"
    link.symlink_to(program)
    ourselves = ToolnoteIdentity(command=(str(program),))
    assert is_own("x", {"command": str(link), "args": ["bridge"]}, ourselves)
    assert not is_own("x", {"command": str(link), "args": ["serve"]}, ourselves)
    assert not is_own("x", {"command": str(tmp_path / "other"), "args": ["bridge"]}, ourselves)
    by_python = ToolnoteIdentity(command=(sys.executable, "-m", "toolnote_desktop"))
    assert not is_own("x", {"command": sys.executable, "args": ["bridge"]}, by_python)
