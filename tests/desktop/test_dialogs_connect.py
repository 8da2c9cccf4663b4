"""Connect an assistant: the exact change is shown, done with a backup, and undone to the byte."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from toolnote_desktop.assistants.environment import current_environment
from toolnote_desktop.assistants.own_entry import Ourselves
from toolnote_desktop.desktop.dialogs.connect import OTHER, ConnectDialog
from toolnote_desktop.paths import Home
from toolnote_desktop.store.library import Library

OURSELVES = Ourselves(command=("/opt/toolnote/toolnote",))
BEFORE = b'{\r\n\t"theme": "dark",\r\n\t"mcpServers": {"files": {"command": "npx", "env": {"KEY": "s3cret-1"}}}\r\n}'


@pytest.fixture
def library(home: Home) -> Iterator[Library]:
    library = Library.open(home, watch=False)
    yield library
    library.close()


@pytest.fixture
def claude_file(user_folder: Path) -> Path:
    file = current_environment().program_data / "Claude" / "claude_desktop_config.json"
    file.parent.mkdir(parents=True)
    file.write_bytes(BEFORE)
    return file


@pytest.fixture
def open_dialog(qtbot: QtBot, library: Library, home: Home) -> Callable[..., ConnectDialog]:
    window = QWidget()
    qtbot.addWidget(window)

    def opened(client: str = "") -> ConnectDialog:
        dialog = ConnectDialog(library, home, current_environment(), OURSELVES, client, window)
        dialog.open()
        qtbot.waitUntil(lambda: dialog.assistants.currentItem() is not None, timeout=5000)
        return dialog

    return opened


def click(qtbot: QtBot, button: QPushButton) -> None:
    assert button.isVisible()
    assert button.isEnabled()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_preview_connect_and_undo_to_the_byte(
    qtbot: QtBot, claude_file: Path, library: Library, home: Home, open_dialog: Callable[..., ConnectDialog]
) -> None:
    dialog = open_dialog("claude-desktop")
    added = [line for line in dialog.diff.toPlainText().splitlines() if line.startswith("+")]
    assert any('"/opt/toolnote/toolnote"' in line for line in added)
    assert "s3cret-1" not in dialog.diff.toPlainText()
    assert claude_file.read_bytes() == BEFORE
    with qtbot.waitSignal(dialog.changed) as changed:
        click(qtbot, dialog.first_button)
    assert changed.args == ["claude-desktop"]
    written = json.loads(claude_file.read_bytes())
    assert written["mcpServers"]["toolnote"]["args"][:3] == ["bridge", "--client", "claude-desktop"]
    assert written["mcpServers"]["files"]["env"] == {"KEY": "s3cret-1"}
    assert dialog.state.text() == "Claude Desktop is connected."
    assert "Quit Claude Desktop completely" in dialog.advice.text()
    assert library.snapshot.clients["claude-desktop"].name == "Claude Desktop"
    backups = list((home.backups / "clients" / "claude-desktop").glob("*claude_desktop_config.json"))
    assert [backup.read_bytes() for backup in backups] == [BEFORE]
    assert not dialog.first_button.isVisible()
    click(qtbot, dialog.second_button)
    assert claude_file.read_bytes() == BEFORE
    assert "claude-desktop" not in library.snapshot.clients
    assert dialog.first_button.text() == "Connect"


def test_an_assistant_that_is_connected_can_be_disconnected(
    qtbot: QtBot, claude_file: Path, open_dialog: Callable[..., ConnectDialog]
) -> None:
    click(qtbot, open_dialog("claude-desktop").first_button)
    later = open_dialog("claude-desktop")
    assert later.state.text() == "Claude Desktop is connected."
    assert not later.first_button.isVisible()
    click(qtbot, later.second_button)
    assert later.first_button.text() == "Disconnect"
    assert any(line.startswith("-") for line in later.diff.toPlainText().splitlines())
    click(qtbot, later.first_button)
    assert claude_file.read_bytes() == BEFORE
    assert later.state.text() == "Claude Desktop is no longer connected."


def test_a_file_that_changed_since_the_preview_is_left_alone_and_shown_again(
    qtbot: QtBot, claude_file: Path, open_dialog: Callable[..., ConnectDialog]
) -> None:
    dialog = open_dialog("claude-desktop")
    theirs = BEFORE.replace(b"dark", b"light")
    claude_file.write_bytes(theirs)
    click(qtbot, dialog.first_button)
    assert claude_file.read_bytes() == theirs
    assert "has changed since you looked" in dialog.wrong.text()
    assert "light" in dialog.diff.toPlainText()
    click(qtbot, dialog.first_button)
    assert "toolnote" in json.loads(claude_file.read_bytes())["mcpServers"]


def test_a_file_that_cannot_be_read_is_refused(claude_file: Path, open_dialog: Callable[..., ConnectDialog]) -> None:
    claude_file.write_bytes(b'{"mcpServers": {')
    dialog = open_dialog("claude-desktop")
    assert dialog.wrong.isVisible()
    assert str(claude_file) in dialog.wrong.text()
    assert not dialog.first_button.isVisible()
    assert claude_file.read_bytes() == b'{"mcpServers": {'


def test_one_that_is_not_here_says_so(open_dialog: Callable[..., ConnectDialog]) -> None:
    dialog = open_dialog("cursor")
    assert dialog.state.text() == "Cursor was not found on this computer."
    assert not dialog.first_button.isVisible()


def test_those_that_are_here_come_first(claude_file: Path, open_dialog: Callable[..., ConnectDialog]) -> None:
    dialog = open_dialog()
    rows = [dialog.assistants.item(row).text() for row in range(dialog.assistants.count())]
    assert rows[:2] == ["Claude Desktop", "Another assistant"]
    assert dialog.assistants.currentItem().text() == "Claude Desktop"


def test_any_other_assistant_gets_something_to_copy(qtbot: QtBot, open_dialog: Callable[..., ConnectDialog]) -> None:
    dialog = open_dialog()
    dialog.assistants.choose(OTHER)
    snippet = dialog.snippet
    snippet.name.setText("Our Agent")
    click(qtbot, snippet.copy_button)
    copied = json.loads(QGuiApplication.clipboard().text())
    assert copied["mcpServers"]["toolnote"]["args"][:3] == ["bridge", "--client", "our-agent"]
    assert not dialog.first_button.isVisible()
