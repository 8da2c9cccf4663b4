"""The first start of a person who has five assistants: one page, one press, and the cursor is in a note."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QWidget
from pytestqt.qtbot import QtBot

from tests.desktop.helpers import click
from tests.desktop.shell.test_app import command
from tests.file_keyring import TestKeychain
from tests.product.person import person_at
from tests.servers.launch import raw_server_entry
from toolnote_desktop.assistants.environment import current_environment
from toolnote_desktop.assistants.installing.connect import RawDocuments
from toolnote_desktop.assistants.installing.plan import apply, plan_uninstall
from toolnote_desktop.assistants.registry import CLIENTS
from toolnote_desktop.assistants.toolnote_entry import ToolnoteIdentity
from toolnote_desktop.desktop.connect.next_steps import needs_user_action, summary
from toolnote_desktop.desktop.editing.default_toolset import make_my_tools
from toolnote_desktop.desktop.first_run.assistant_choices import connect_all, prepare_assistants
from toolnote_desktop.desktop.first_run.dialog import FirstRunDialog
from toolnote_desktop.model.edits import SERVER_ENTRIES, SERVERS
from toolnote_desktop.paths import Home, endpoint_url
from toolnote_desktop.store.library import Library
from toolnote_desktop.store.secrets.store import SecretStore

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


@pytest.fixture
def library(empty_library: Library) -> Library:
    make_my_tools(empty_library, "My tools")
    return empty_library


@pytest.fixture
def page(qtbot: QtBot, library: Library, home: Home, files: Mapping[str, Path]) -> Iterator[FirstRunDialog]:
    window = QWidget()
    qtbot.addWidget(window)
    page = FirstRunDialog(library, home, endpoint_url(8377), None, window)
    page.search_computer(current_environment(), OURSELVES)
    page.open()
    qtbot.waitUntil(lambda: {one.found.client.id for one in page.assistants.chosen()} == set(files), timeout=5000)
    yield page
    window.close()


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


def test_only_what_is_ticked(qtbot: QtBot, page: FirstRunDialog, library: Library, files: Mapping[str, Path]) -> None:
    click(page.choices.boxes["notes"])
    for client in ("cursor", "codex", "gemini-cli", "vscode"):
        click(page.assistants.boxes[client])
    before = {client: file.read_bytes() for client, file in files.items()}
    with qtbot.waitSignal(page.added) as added:
        click(page.add_button)
    assert added.args == [("issues",)]
    assert list(library.snapshot.clients) == ["claude-desktop"]
    assert [client for client, file in files.items() if file.read_bytes() != before[client]] == ["claude-desktop"]


def test_ticks_are_kept_while_the_page_waits(
    qtbot: QtBot, library: Library, home: Home, files: Mapping[str, Path], keychain: TestKeychain
) -> None:
    """The assistants may be found while the keychain is asked; when it says no, the press can be repeated."""
    keychain.mood = "silent"
    entry = {"mcpServers": {"issues": {**ISSUES, "env": {"API_KEY": "s3cret-1"}}}}
    files["cursor"].write_text(json.dumps(entry), encoding="utf-8")
    window = QWidget()
    qtbot.addWidget(window)
    page = FirstRunDialog(library, home, endpoint_url(8377), SecretStore.of(library), window)
    page.search_computer(current_environment(), OURSELVES)
    page.open()
    qtbot.waitUntil(lambda: len(page.choices.checked_keys()) == 2, timeout=5000)
    click(page.add_button)
    qtbot.waitUntil(lambda: len(page.assistants.chosen()) == 5, timeout=5000)
    assert not page.isEnabled()
    keychain.mood = "locked"
    qtbot.waitUntil(page.store_secrets.places.isVisible, timeout=5000)
    assert page.add_button.isEnabled()
    assert page.add_button.text() == "Add and connect"
    with qtbot.waitSignal(page.added):
        click(page.store_secrets.places.run_button)
    assert set(library.snapshot.clients) == set(files)
    assert library.snapshot.settings.secrets_without_keychain is None
    assert not library.snapshot.servers["issues"].env["API_KEY"].startswith("s3cret")
    window.close()


def test_the_exact_change_is_shown_and_what_comes_twice_can_be_switched_off(
    qtbot: QtBot, page: FirstRunDialog, library: Library, files: Mapping[str, Path]
) -> None:
    toggle = next(
        one for one in page.findChildren(QAbstractButton) if one.accessibleName() == "Show the change for VS Code"
    )
    click(toggle)
    assert toggle.text() == "Hide the change"
    shown = next(one for one in page.assistants.diffs if one.isVisible()).toPlainText()
    assert '"/opt/toolnote/toolnote"' in shown
    assert not any(line.startswith("-") for line in shown.splitlines())
    click(page.switch_off)
    qtbot.waitUntil(lambda: any(diff.toPlainText().count("\n- ") > 1 for diff in page.assistants.diffs), timeout=5000)
    with qtbot.waitSignal(page.added):
        click(page.add_button)
    assert b"find_note" not in files["vscode"].read_bytes()
    assert b"// mine" in files["vscode"].read_bytes()


def test_failing_assistant_is_reported_and_the_others_are_connected(
    qtbot: QtBot, page: FirstRunDialog, library: Library, files: Mapping[str, Path]
) -> None:
    theirs = files["cursor"].read_bytes() + b"\n"
    files["cursor"].write_bytes(theirs)
    with qtbot.waitSignal(page.connected):
        click(page.add_button)
    assert "has changed since you looked" in page.wrong.text()
    assert files["cursor"].read_bytes() == theirs
    assert set(library.snapshot.clients) == set(files) - {"cursor"}
    assert set((library.raw(SERVERS) or {})[SERVER_ENTRIES]) == {"issues", "notes"}
    qtbot.waitUntil(lambda: [one.found.client.id for one in page.assistants.chosen()] == ["cursor"], timeout=5000)
    with qtbot.waitSignal(page.added):
        click(page.add_button)
    assert set(library.snapshot.clients) == set(files)


def test_with_the_keyboard_alone(
    qtbot: QtBot, page: FirstRunDialog, library: Library, files: Mapping[str, Path]
) -> None:
    focused = page.focusWidget()
    assert focused is page.choices.boxes["issues"]
    QTest.keyClick(focused, Qt.Key.Key_Space)
    assert page.choices.checked_keys() == ["notes"]
    with qtbot.waitSignal(page.added):
        QTest.keyClick(page, Qt.Key.Key_Return)
    assert set(library.snapshot.clients) == set(files)


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
