"""The first start of a person who has five assistants: one page, one press, and the cursor is in a note."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.desktop.shell.test_app import command
from tests.product.person import person_at
from tests.servers.launch import raw_server_entry
from toolnote_desktop.assistants.environment import current_environment
from toolnote_desktop.assistants.installing.connect import RawDocuments
from toolnote_desktop.assistants.installing.plan import apply, plan_uninstall
from toolnote_desktop.assistants.registry import CLIENTS
from toolnote_desktop.assistants.toolnote_entry import ToolnoteIdentity
from toolnote_desktop.desktop.dialogs.next_steps import needs_user_action, summary
from toolnote_desktop.desktop.first_run.assistant_choices import connect_all, prepare_assistants
from toolnote_desktop.paths import Home, endpoint_url

OURSELVES = ToolnoteIdentity(command=("/opt/toolnote/toolnote",))
ISSUES = raw_server_entry(tools=[{"name": "create_issue", "inputSchema": {"type": "object"}}])
NOTES = raw_server_entry(tools=[{"name": "find_note", "inputSchema": {"type": "object"}}])


@pytest.fixture
def files(user_folder: Path) -> Mapping[str, Path]:
    """Five assistants as they are on a person's machine: two of them have the same server."""
    environment = current_environment()
    texts = {
        "claude-desktop": (
            environment.program_data / "Claude" / "claude_desktop_config.json",
            _json("mcpServers", ISSUES),
        ),
        "cursor": (environment.home / ".cursor" / "mcp.json", _json("mcpServers", ISSUES)),
        "vscode": (environment.program_data / "Code" / "User" / "mcp.json", "// mine\n" + _json("servers", NOTES)),
        "codex": (environment.home / ".codex" / "config.toml", 'model = "o"  # mine\n'),
        "gemini-cli": (environment.home / ".gemini" / "settings.json", "{\r\n}"),
    }
    for file, text in texts.values():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())
    return {client: file for client, (file, _) in texts.items()}


def _json(key: str, entry: object) -> str:
    return json.dumps({key: {"notes" if entry is NOTES else "issues": entry}}, indent=2)


@pytest.mark.timeout(120)
def test_three_assistants_in_one_press_and_out_again_to_the_byte(home: Home, files: Mapping[str, Path]) -> None:
    before = {client: file.read_bytes() for client, file in files.items()}
    connected = ("claude-desktop", "cursor", "vscode")
    with person_at(pictures="first-run") as person:
        person.sees("From Claude Desktop and Cursor")
        person.sees("Has 1 of these tool sources")
        person.takes_a_picture("page")
        person.presses("Connect 3 assistants")
        person.sees("Claude Desktop, Cursor and VS Code are connected; something is left to do there.")
        person.takes_a_picture("home")
        person.presses("What to do")
        person.sees("Quit Claude Desktop completely")
        person.presses("Done")
        assert subprocess.run(command("--quit"), timeout=60, check=False).returncode == 0
        assert person.waits_for_the_end() == 0
    servers = json.loads(home.servers.read_text(encoding="utf-8"))["mcpServers"]
    assert list(servers) == ["issues", "notes"]
    assert set(json.loads(home.clients.read_text(encoding="utf-8"))["clients"]) == set(connected)
    for client, file in files.items():
        if client not in connected:
            assert file.read_bytes() == before[client]
            continue
        assert b"issues" not in file.read_bytes()  # its own copy is off: each tool appears once
        apply(plan_uninstall(CLIENTS[client], file, home, OURSELVES), home)
        assert file.read_bytes() == before[client]


def test_unreadable_assistant_says_why(home: Home, files: Mapping[str, Path]) -> None:
    files["codex"].write_bytes(b"[broken")
    ready = prepare_assistants(
        current_environment(), OURSELVES, home, RawDocuments(None, None), endpoint_url(8377), switch_off=False
    )
    by_id = {one.found.client.id: one for one in ready}
    assert by_id["codex"].prepared is None
    assert by_id["codex"].problem is not None
    assert connect_all([by_id["codex"]], home).done == ()


def test_remaining_steps_are_shown() -> None:
    claude, kiro, roo = (CLIENTS[client] for client in ("claude-desktop", "kiro", "roo"))
    assert summary([claude]) == "Claude Desktop is connected; something is left to do there."
    assert summary([kiro]) == "Kiro is connected."
    assert summary([kiro, roo]) == "Kiro and Roo Code are connected."
    assert not needs_user_action([kiro, roo])
