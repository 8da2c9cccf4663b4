"""Connect an assistant: the exact change is shown, done with a backup, and undone to the byte."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from tests.desktop.helpers import click
from toolnote_desktop.assistants.environment import current_environment
from toolnote_desktop.assistants.toolnote_entry import ToolnoteIdentity
from toolnote_desktop.desktop.connect.dialog import OTHER, ConnectDialog
from toolnote_desktop.desktop.connect.manual_setup import Shape
from toolnote_desktop.desktop.connect.presence import presence
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.widgets.check_box import CheckBox
from toolnote_desktop.desktop.widgets.combo_box import ComboBox
from toolnote_desktop.model.clients import Client, hash_token
from toolnote_desktop.model.edits import (
    CLIENT_ENTRIES,
    CLIENTS,
    SERVER_ENTRIES,
    SERVERS,
    SETTINGS,
    AddEntry,
    CreateDocument,
    SetFields,
    toolset_document,
)
from toolnote_desktop.paths import Home
from toolnote_desktop.store.activity import ActivityLog
from toolnote_desktop.store.documents import new_toolset
from toolnote_desktop.store.library import Library

OURSELVES = ToolnoteIdentity(command=("/opt/toolnote/toolnote",))
BEFORE = b'{\r\n\t"theme": "dark",\r\n\t"mcpServers": {"files": {"command": "npx", "env": {"KEY": "s3cret-1"}}}\r\n}'


@pytest.fixture
def library(empty_library: Library) -> Library:
    return empty_library


@pytest.fixture
def claude_file(user_folder: Path) -> Path:
    file = current_environment().program_data / "Claude" / "claude_desktop_config.json"
    file.parent.mkdir(parents=True)
    file.write_bytes(BEFORE)
    return file


@pytest.fixture
def open_dialog(qtbot: QtBot, library: Library, link: ProxyLink) -> Callable[..., ConnectDialog]:
    window = QWidget()
    qtbot.addWidget(window)

    def opened(client: str = "") -> ConnectDialog:
        dialog = ConnectDialog(library, link, current_environment(), OURSELVES, client, window)
        dialog.open()
        qtbot.waitUntil(lambda: dialog.assistants.currentItem() is not None, timeout=5000)
        return dialog

    return opened


def test_preview_connect_and_undo_to_the_byte(
    qtbot: QtBot, claude_file: Path, library: Library, home: Home, open_dialog: Callable[..., ConnectDialog]
) -> None:
    dialog = open_dialog("claude-desktop")
    added = [line for line in dialog.page.diff.toPlainText().splitlines() if line.startswith("+")]
    assert any('"/opt/toolnote/toolnote"' in line for line in added)
    assert "s3cret-1" not in dialog.page.diff.toPlainText()
    assert claude_file.read_bytes() == BEFORE
    with qtbot.waitSignal(dialog.changed) as changed:
        click(dialog.first_button)
    assert changed.args == ["claude-desktop"]
    written = json.loads(claude_file.read_bytes())
    assert written["mcpServers"]["toolnote"]["args"][:3] == ["bridge", "--client", "claude-desktop"]
    assert written["mcpServers"]["files"]["env"] == {"KEY": "s3cret-1"}
    assert dialog.page.state.text() == "Claude Desktop is connected."
    assert "Quit Claude Desktop completely" in dialog.page.advice.text()
    assert entry_of(library, "claude-desktop").name == "Claude Desktop"
    backups = list((home.backups / "clients" / "claude-desktop").glob("*claude_desktop_config.json"))
    assert [backup.read_bytes() for backup in backups] == [BEFORE]
    assert not dialog.first_button.isVisible()
    click(dialog.second_button)
    assert claude_file.read_bytes() == BEFORE
    assert "claude-desktop" not in library.snapshot.clients
    assert dialog.first_button.text() == "Connect"


def test_an_assistant_that_is_connected_can_be_disconnected(
    qtbot: QtBot, claude_file: Path, open_dialog: Callable[..., ConnectDialog]
) -> None:
    click(open_dialog("claude-desktop").first_button)
    later = open_dialog("claude-desktop")
    assert later.page.state.text() == "Claude Desktop is connected."
    assert not later.first_button.isVisible()
    click(later.second_button)
    assert later.first_button.text() == "Disconnect"
    assert any(line.startswith("-") for line in later.page.diff.toPlainText().splitlines())
    click(later.first_button)
    assert claude_file.read_bytes() == BEFORE
    assert later.page.state.text() == "Claude Desktop is no longer connected."


def test_a_file_that_changed_since_the_preview_is_left_alone_and_shown_again(
    qtbot: QtBot, claude_file: Path, open_dialog: Callable[..., ConnectDialog]
) -> None:
    dialog = open_dialog("claude-desktop")
    theirs = BEFORE.replace(b"dark", b"light")
    claude_file.write_bytes(theirs)
    click(dialog.first_button)
    assert claude_file.read_bytes() == theirs
    assert "has changed since you looked" in dialog.page.wrong.text()
    assert "light" in dialog.page.diff.toPlainText()
    click(dialog.first_button)
    assert "toolnote" in json.loads(claude_file.read_bytes())["mcpServers"]


def test_a_file_that_cannot_be_read_is_refused(claude_file: Path, open_dialog: Callable[..., ConnectDialog]) -> None:
    claude_file.write_bytes(b'{"mcpServers": {')
    dialog = open_dialog("claude-desktop")
    assert dialog.page.wrong.isVisible()
    assert str(claude_file) in dialog.page.wrong.text()
    assert not dialog.first_button.isVisible()
    assert claude_file.read_bytes() == b'{"mcpServers": {'


def test_until_they_are_found_it_says_so_and_no_empty_page_is_shown(
    qtbot: QtBot, claude_file: Path, library: Library, link: ProxyLink
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    dialog = ConnectDialog(library, link, current_environment(), OURSELVES, "", window)
    dialog.open()
    said = [label.text() for label in dialog.pages.findChildren(QLabel) if label.isVisible()]
    assert said == ["Looking for the assistants on this computer…"]
    qtbot.waitUntil(dialog.page.diff.isVisible, timeout=5000)


def test_assistant_that_is_not_installed_says_so(open_dialog: Callable[..., ConnectDialog]) -> None:
    dialog = open_dialog("cursor")
    assert dialog.page.state.text() == "Cursor was not found on this computer."
    assert not dialog.first_button.isVisible()


def test_installed_assistants_come_first(claude_file: Path, open_dialog: Callable[..., ConnectDialog]) -> None:
    dialog = open_dialog()
    rows = [dialog.assistants.item(row).text() for row in range(dialog.assistants.count())]
    assert rows[:2] == ["Claude Desktop", "Another assistant"]
    assert dialog.assistants.currentItem().text() == "Claude Desktop"


def test_any_other_assistant_gets_something_to_copy(qtbot: QtBot, open_dialog: Callable[..., ConnectDialog]) -> None:
    dialog = open_dialog()
    dialog.assistants.choose(OTHER)
    snippet = dialog.snippet
    snippet.name.setText("Our Agent")
    click(snippet.copy_button)
    copied = json.loads(QGuiApplication.clipboard().text())
    assert copied["mcpServers"]["toolnote"]["args"][:3] == ["bridge", "--client", "our-agent"]
    assert not dialog.first_button.isVisible()


@pytest.fixture
def code_file(user_folder: Path) -> Path:
    """VS Code, with a server that the library has too, and one that it has not."""
    file = current_environment().program_data / "Code" / "User" / "mcp.json"
    file.parent.mkdir(parents=True)
    file.write_bytes(CODE)
    return file


CODE = b"""{
\t// mine
\t"servers": {
\t\t"git": {"type": "stdio", "command": "uvx", "args": ["mcp-server-git"]},
\t\t"own": {"type": "stdio", "command": "own"},
\t},
}
"""


def add_toolsets(library: Library) -> None:
    for name, title in (("work", "At work"), ("home", "At home")):
        library.submit(CreateDocument(toolset_document(name), new_toolset(name, title, now=datetime.now(UTC))))
    library.submit(AddEntry(SERVERS, SERVER_ENTRIES, "git", {"command": "uvx", "args": ["mcp-server-git"]}))
    library.submit(SetFields(SETTINGS, {"equippedToolset": "work"}))


def entry_of(library: Library, client: str) -> Client:
    return library.snapshot.clients[client]


def pick(choice: ComboBox, data: object) -> None:
    """As with the keyboard: from row to row."""
    choice.setFocus()
    QTest.keyClick(choice, Qt.Key.Key_Home)
    for _ in range(choice.count()):
        if choice.currentData() == data:
            return
        QTest.keyClick(choice, Qt.Key.Key_Down)
    raise AssertionError(f"no choice {data!r}")


def test_assistant_gets_a_toolset_of_its_own_and_another_later(
    qtbot: QtBot, claude_file: Path, library: Library, open_dialog: Callable[..., ConnectDialog]
) -> None:
    add_toolsets(library)
    dialog = open_dialog("claude-desktop")
    assert dialog.page.gets.choice.currentText() == "The toolset in use (At work)"
    assert dialog.page.gets.count.text() == "0 tools"
    pick(dialog.page.gets.choice, "home")
    assert library.snapshot.clients == {}
    click(dialog.first_button)
    assert entry_of(library, "claude-desktop").toolset == "home"
    assert entry_of(library, "claude-desktop").toolset_assigned
    pick(dialog.page.gets.choice, None)
    assert entry_of(library, "claude-desktop").toolset is None
    click(dialog.second_button)
    assert claude_file.read_bytes() == BEFORE


def test_a_toolset_that_is_gone_is_said(
    claude_file: Path, library: Library, open_dialog: Callable[..., ConnectDialog]
) -> None:
    library.submit(AddEntry(CLIENTS, CLIENT_ENTRIES, "claude-desktop", {"name": "Claude Desktop", "toolset": "past"}))
    assert open_dialog("claude-desktop").page.gets.choice.currentText() == "past (it is gone)"


def test_servers_that_come_twice_are_switched_off_there_and_on_again(
    qtbot: QtBot, code_file: Path, library: Library, open_dialog: Callable[..., ConnectDialog]
) -> None:
    add_toolsets(library)
    dialog = open_dialog("vscode")
    (box,) = [box for box in dialog.page.own.findChildren(CheckBox) if box.isVisible()]
    assert (box.text(), box.isChecked()) == ("git", False)
    QTest.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, box.height() // 2))
    assert any(line.startswith("-") and "mcp-server-git" in line for line in dialog.page.diff.toPlainText().split("\n"))
    click(dialog.first_button)
    assert b"mcp-server-git" not in code_file.read_bytes()
    assert b'"own"' in code_file.read_bytes()
    later = open_dialog("vscode")
    (off,) = [box for box in later.page.own.findChildren(CheckBox) if box.isVisible()]
    assert off.isChecked()
    assert later.page.state.text() == "VS Code is connected."
    QTest.mouseClick(off, Qt.MouseButton.LeftButton, pos=QPoint(8, off.height() // 2))
    assert later.first_button.text() == "Change it"
    click(later.first_button)
    assert b"mcp-server-git" in code_file.read_bytes()
    click(later.second_button)
    assert later.second_button.text() == "Disconnect…"
    click(later.second_button)
    click(later.first_button)
    assert code_file.read_bytes() == CODE


def test_by_its_address_with_a_token_that_is_renewed_and_taken_away(
    qtbot: QtBot, code_file: Path, library: Library, open_dialog: Callable[..., ConnectDialog]
) -> None:
    dialog = open_dialog("vscode")
    pick(dialog.page.ways, True)
    assert "Authorization" in dialog.page.diff.toPlainText()
    click(dialog.first_button)
    first = token_in(code_file)
    assert entry_of(library, "vscode").token_hash == hash_token(first)
    later = open_dialog("vscode")
    assert later.page.by_address()
    assert not later.first_button.isVisible()
    click(later.renew_button)
    assert first not in later.page.diff.toPlainText()
    click(later.first_button)
    second = token_in(code_file)
    assert second != first
    assert entry_of(library, "vscode").token_hash == hash_token(second)
    click(later.second_button)
    assert token_in(code_file) == first
    assert entry_of(library, "vscode").token_hash == hash_token(first)
    click(later.revoke_button)
    assert entry_of(library, "vscode").token_hash is None
    assert later.page.state.text() == "VS Code cannot connect: its token is good for nothing."
    click(later.first_button)
    assert entry_of(library, "vscode").token_hash == hash_token(token_in(code_file)) != hash_token(first)
    last = open_dialog("vscode")
    pick(last.page.ways, False)
    click(last.first_button)
    assert entry_of(library, "vscode").token_hash is None
    assert "token" not in code_file.read_text(encoding="utf-8").replace("toolnote", "")


def token_in(file: Path) -> str:
    found = re.search(r"Bearer ([\w-]{40,})", file.read_text(encoding="utf-8"))
    assert found is not None
    return found.group(1)


def test_an_entry_that_somebody_edited_stays_unless_asked(
    qtbot: QtBot, claude_file: Path, open_dialog: Callable[..., ConnectDialog]
) -> None:
    dialog = open_dialog("claude-desktop")
    click(dialog.first_button)
    edited = claude_file.read_bytes().replace(b'"bridge"', b'"--verbose", "bridge"')
    claude_file.write_bytes(edited)
    later = open_dialog("claude-desktop")
    assert later.page.state.text() == "Toolnote is in Claude Desktop, but its entry was changed."
    assert not later.first_button.isVisible()
    click(later.replace_button)
    assert "--verbose" in later.page.diff.toPlainText()
    click(later.second_button)
    assert claude_file.read_bytes() == edited
    click(later.replace_button)
    click(later.first_button)
    assert b"--verbose" not in claude_file.read_bytes()
    click(later.second_button)
    assert claude_file.read_bytes() == edited


def test_when_it_was_here_is_said(
    qtbot: QtBot, claude_file: Path, home: Home, open_dialog: Callable[..., ConnectDialog]
) -> None:
    activity = ActivityLog(home)
    activity.record_list("claude-desktop", 1)
    assert activity.flush()
    activity.close()
    dialog = open_dialog("claude-desktop")
    assert dialog.page.presence.text() == "It was last here just now."
    connected = [Here("claude-desktop", up_to_date=True)]
    assert presence("claude-desktop", connected, {}) == "It is here now and knows your newest notes"
    connected.append(Here("claude-desktop", up_to_date=False))
    assert presence("claude-desktop", connected, {}) == "It is here now and has not seen your last change"
    assert presence("cursor", connected, {}) == ""
    follows = presence("claude-code", [Here("claude-code", up_to_date=True)], {})
    assert follows == "It is here now; tools that it has used keep their old notes until /clear or a new session"


@dataclass
class Here:
    id: str
    up_to_date: bool


def test_client_connected_by_hand_gets_a_toolset_and_is_forgotten(
    qtbot: QtBot, library: Library, open_dialog: Callable[..., ConnectDialog]
) -> None:
    add_toolsets(library)
    dialog = open_dialog()
    dialog.assistants.choose(OTHER)
    snippet = dialog.snippet
    pick(snippet.shapes, Shape.ADDRESS)
    snippet.name.setText("Our Agent")
    assert not snippet.copy_button.isVisible()
    click(snippet.token_button)
    click(snippet.copy_button)
    entry = json.loads(QGuiApplication.clipboard().text())["mcpServers"]["toolnote"]
    token = entry["headers"]["Authorization"].removeprefix("Bearer ")
    assert entry["url"] == "http://127.0.0.1:8377/mcp"
    assert entry_of(library, "our-agent").token_hash == hash_token(token)
    later = open_dialog("our-agent")
    assert later.page.state.text() == "It was connected by hand."
    pick(later.page.gets.choice, "home")
    assert entry_of(library, "our-agent").toolset == "home"
    click(later.second_button)
    assert "our-agent" not in library.snapshot.clients
    assert "Our Agent" not in [later.assistants.item(row).text() for row in range(later.assistants.count())]


def test_in_toml_it_is_what_codex_would_read(qtbot: QtBot, open_dialog: Callable[..., ConnectDialog]) -> None:
    dialog = open_dialog()
    dialog.assistants.choose(OTHER)
    pick(dialog.snippet.shapes, Shape.STARTS_TOML)
    click(dialog.snippet.copy_button)
    entry = tomllib.loads(QGuiApplication.clipboard().text())["mcp_servers"]["toolnote"]
    assert entry["args"][:3] == ["bridge", "--client", "my-assistant"]


def test_a_large_file_is_read_while_the_window_goes_on(
    qtbot: QtBot, user_folder: Path, library: Library, open_dialog: Callable[..., ConnectDialog]
) -> None:
    (user_folder / ".claude").mkdir()
    file = user_folder / ".claude.json"
    history = {f"/work/{number}": {"history": ["x" * 400]} for number in range(700)}
    file.write_text(json.dumps({"projects": history}, indent=2), encoding="utf-8")
    before = file.read_bytes()
    dialog = open_dialog("claude-code")
    assert dialog.page.state.text() == "Reading Claude Code’s settings…"
    assert not dialog.first_button.isVisible()
    qtbot.waitUntil(dialog.first_button.isVisible, timeout=10_000)
    assert "toolnote" in dialog.page.diff.toPlainText()
    click(dialog.first_button)
    qtbot.waitUntil(lambda: dialog.page.state.text() == "Claude Code is connected.", timeout=10_000)
    click(dialog.second_button)
    qtbot.waitUntil(dialog.first_button.isVisible, timeout=10_000)
    assert file.read_bytes() == before
