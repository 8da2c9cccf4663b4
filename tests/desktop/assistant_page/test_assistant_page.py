"""Page of an assistant: connect, own copies, toolset, disconnect, connect again; the file is restored to the byte."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from tests.desktop import sample
from tests.desktop.helpers import click
from tests.store.activity_helpers import Listed
from toolnote_desktop.assistants.environment import current_environment
from toolnote_desktop.assistants.toolnote_entry import ToolnoteIdentity
from toolnote_desktop.desktop.assistant_page.choose_page import ChooseAssistantPage
from toolnote_desktop.desktop.assistant_page.page import SHARED, AssistantPage, counts_text
from toolnote_desktop.desktop.assistant_page.reading import find_unconnected
from toolnote_desktop.desktop.editing.actions import Actions
from toolnote_desktop.desktop.editing.assistant_settings import AssistantSettings
from toolnote_desktop.desktop.editing.guidance_files import GuidanceFiles
from toolnote_desktop.desktop.editing.undo import UndoStack
from toolnote_desktop.desktop.models.library_rows import HOME, Kind, RowKey
from toolnote_desktop.desktop.models.library_tree import LibraryTree, Role
from toolnote_desktop.desktop.models.needs_you import count_notes_in
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.theme.colours import colours
from toolnote_desktop.desktop.theme.theme import Theme
from toolnote_desktop.desktop.widgets.page import Width
from toolnote_desktop.desktop.widgets.question import QuestionDialog
from toolnote_desktop.desktop.window.window import MainWindow
from toolnote_desktop.model.clients import hash_token
from toolnote_desktop.model.edits import (
    CLIENT_ENTRIES,
    CLIENTS,
    SERVER_ENTRIES,
    SERVERS,
    AddEntry,
    CreateDocument,
    toolset_document,
)
from toolnote_desktop.store.activity import ActivityLog
from toolnote_desktop.store.activity_database import Call
from toolnote_desktop.store.library import Library

OURSELVES = ToolnoteIdentity(command=("/opt/toolnote/toolnote",))
FILES = {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/home/anna"]}
BEFORE = json.dumps({"theme": "dark", "mcpServers": {"files": FILES, "mine": {"command": "own-server"}}}).encode()
CLAUDE = "claude-desktop"


@pytest.fixture
def library(empty_library: Library) -> Library:
    empty_library.submit(AddEntry(SERVERS, SERVER_ENTRIES, "files", FILES))
    for name, title in (("my-tools", "My tools"), ("review", "Contract review")):
        empty_library.submit(CreateDocument(toolset_document(name), {"name": name, "title": title, "tools": []}))
    return empty_library


@pytest.fixture
def claude_file(user_folder: Path) -> Path:
    file = current_environment().program_data / "Claude" / "claude_desktop_config.json"
    file.parent.mkdir(parents=True)
    file.write_bytes(BEFORE)
    return file


@pytest.fixture
def page(qtbot: QtBot, library: Library, link: ProxyLink, light_theme: Theme) -> Iterator[AssistantPage]:
    changes = UndoStack(library)
    settings, files = AssistantSettings(library, changes), GuidanceFiles(link.home)
    made = AssistantPage(library, link, Actions(library, changes), files, lambda: OURSELVES, settings)
    qtbot.addWidget(made)
    qtbot.addWidget(made.side)
    made.resize(900, 900)
    made.show()
    yield made
    changes.close()


Opened = Callable[[str], AssistantPage]


@pytest.fixture
def opened(qtbot: QtBot, page: AssistantPage, library: Library) -> Opened:
    def show(client: str) -> AssistantPage:
        page.show_assistant(library.snapshot, client)
        qtbot.waitUntil(lambda: page._reading is not None, timeout=5000)
        return page

    return show


def servers_in(file: Path) -> dict[str, Any]:
    servers: dict[str, Any] = json.loads(file.read_bytes())["mcpServers"]
    return servers


def test_before_it_is_connected_the_page_offers_connect_with_the_change(opened: Opened, claude_file: Path) -> None:
    page = opened(CLAUDE)
    assert page.title.text() == "Claude Desktop"
    assert page.line.text() == "Not connected yet"
    assert page.connect_button.isVisible()
    assert not page.disconnect_button.isVisible()
    assert [(name, box.isChecked()) for name, box in page.boxes.items()] == [("files", True)]
    assert not page.diff.isVisible(), "no JSON before it is wanted"
    page.change.open()
    page.diff.show_diff("\n".join(f"+ line {number}" for number in range(40)), colours(page.palette()))
    QApplication.processEvents()
    assert page.diff.verticalScrollBar().maximum() == 0, "one scroll bar: the page's"
    assert "turned off there" not in page.notes.text()
    assert page.copies_text.text().startswith("Connecting turns these off in Claude Desktop")
    assert any(line.startswith("+") for line in page.diff.toPlainText().splitlines())
    assert claude_file.read_bytes() == BEFORE


def test_connect_turns_its_own_copies_off_and_disconnect_restores_the_file(
    qtbot: QtBot, opened: Opened, claude_file: Path
) -> None:
    """The default is seen red with ``read_assistant`` leaving own copies on: each tool then appeared twice."""
    page = opened(CLAUDE)
    with qtbot.waitSignal(page.done) as connected:
        click(page.connect_button)
    assert connected.args is not None
    assert connected.args[0] == "Claude Desktop connected"
    assert sorted(servers_in(claude_file)) == ["mine", "toolnote"]
    qtbot.waitUntil(page.disconnect_button.isVisible)
    assert page.line.text().startswith("Set up.")
    assert page.copies_text.text().startswith("Turned off in Claude Desktop")
    assert [(name, box.isChecked()) for name, box in page.boxes.items()] == [("files", True)]
    assert page.diff.toPlainText() != ""
    click(page.disconnect_button)
    question = page.window().findChild(QuestionDialog)
    assert question is not None
    assert question.windowTitle() == "Disconnect Claude Desktop?"
    with qtbot.waitSignal(page.done) as disconnected:
        question._answer("disconnect")
    assert disconnected.args is not None
    assert disconnected.args[0] == "Claude Desktop disconnected"
    assert claude_file.read_bytes() == BEFORE
    qtbot.waitUntil(page.connect_button.isVisible)  # F22: it offers Connect again
    assert page.focusWidget() is page.connect_button
    assert not page.disconnect_button.isVisible()
    disconnected.args[1]()  # Undo
    qtbot.waitUntil(lambda: "toolnote" in servers_in(claude_file))
    qtbot.waitUntil(page.disconnect_button.isVisible)


def test_an_assistant_that_was_disconnected_is_not_set_up_anywhere(
    qtbot: QtBot, window: MainWindow, claude_file: Path, library: Library
) -> None:
    """Seen red without ``connection_read``: the sidebar went on saying *Set up*."""
    library.submit(AddEntry(CLIENTS, CLIENT_ENTRIES, CLAUDE, {"name": "Claude Desktop"}))
    assert find_unconnected(current_environment(), OURSELVES, [CLAUDE, "by hand"]) == {CLAUDE}
    window.go(HOME)
    qtbot.waitUntil(lambda: "Set up" in words_of(window))
    window.go(RowKey(Kind.ASSISTANT, CLAUDE))
    qtbot.waitUntil(lambda: "Not connected" in words_of(window))
    window.go(HOME)
    assert window.pages.home_page.title.text() == "No assistant reads your notes yet"


def words_of(window: MainWindow) -> str:
    """Return the second line of Claude Desktop in the sidebar."""
    tree = window.sidebar.view.model()
    assert isinstance(tree, LibraryTree)
    return str(tree.find(RowKey(Kind.ASSISTANT, CLAUDE)).data(Role.SECOND))


def test_a_toolset_has_the_notes_of_every_toolset_too() -> None:
    """Seen red with the toolset's own notes alone: Home said another number."""
    snapshot = sample.snapshot()
    toolset = snapshot.toolsets["my-tools"]
    assert sum(len(group.notes) for group in toolset.notes) < count_notes_in(snapshot, toolset)
    assert counts_text(snapshot, toolset).endswith(f", {count_notes_in(snapshot, toolset)} notes")


def test_a_copy_is_turned_on_and_off_at_once(qtbot: QtBot, opened: Opened, claude_file: Path) -> None:
    page = opened(CLAUDE)
    with qtbot.waitSignal(page.done):
        click(page.connect_button)
    qtbot.waitUntil(page.disconnect_button.isVisible)
    with qtbot.waitSignal(page.done) as turned_on:
        click(page.boxes["files"])
    assert turned_on.args is not None
    assert turned_on.args[0] == "files turned on in Claude Desktop"
    assert servers_in(claude_file)["files"] == FILES
    qtbot.waitUntil(lambda: not page.boxes["files"].isChecked())


def test_a_copy_that_stays_on_is_left_alone_by_connect(qtbot: QtBot, opened: Opened, claude_file: Path) -> None:
    page = opened(CLAUDE)
    click(page.boxes["files"])
    with qtbot.waitSignal(page.done):
        click(page.connect_button)
    assert sorted(servers_in(claude_file)) == ["files", "mine", "toolnote"]


def test_the_toolset_is_assigned_at_once(opened: Opened, claude_file: Path, library: Library) -> None:
    page = opened(CLAUDE)
    page.toolset.choose("review")
    assert library.snapshot.clients[CLAUDE].toolset == "review"
    page.show_assistant(library.snapshot, CLAUDE)
    assert page.open_toolset.text() == "Open Contract review"
    assert page.toolset_counts.text() == "0 tools, 0 notes"


def test_tokens_of_the_list_are_shown_against_the_assistants_context(
    qtbot: QtBot, opened: Opened, claude_file: Path, link: ProxyLink
) -> None:
    """Seen red: it was said to have no known limit."""
    page = opened(CLAUDE)

    def texts() -> list[str]:
        return [one.text() for one in page.side.findChildren(type(page.line))]

    said = "has a context of 200000. A list should take at most 10000."
    qtbot.waitUntil(lambda: any(said in text for text in texts()))


def test_assistant_that_is_not_installed_says_so(opened: Opened, user_folder: Path) -> None:
    page = opened("cursor")
    assert page.line.text() == "Cursor isn’t on this computer."
    assert not page.connect_button.isVisible()
    assert not page.file_row.isVisible()


def test_a_file_that_cannot_be_read_is_left_alone(opened: Opened, claude_file: Path) -> None:
    claude_file.write_bytes(b'{"mcpServers": {')
    page = opened(CLAUDE)
    assert str(claude_file) in page.wrong.text()
    assert not page.connect_button.isVisible()
    assert claude_file.read_bytes() == b'{"mcpServers": {'


def test_the_inspector_has_amounts_and_last_calls(
    qtbot: QtBot, opened: Opened, claude_file: Path, link: ProxyLink
) -> None:
    log = ActivityLog(link.home)
    log.record_call(Call(time.time() - 1, CLAUDE, "files", "read_file", 0.1))
    log.record_call(Call(time.time(), CLAUDE, "files", "write_file", 0.1, "timeout"))
    log.close()
    page = opened(CLAUDE)
    qtbot.waitUntil(lambda: page.side.calls.rows.count() == 2)
    texts = [one.text() for one in page.side.findChildren(type(page.line))]
    assert "write_file" in texts
    assert "Failed" in texts
    assert any(text.startswith("about ") for text in texts)


@pytest.mark.parametrize(
    ("client", "here", "line", "box"),
    [
        ("gemini-cli", True, "Running", ""),
        ("gemini-cli", False, "Running", ""),
        ("claude-code", True, "Running. Claude Code notices changes by itself, but tools that it has used keep", ""),
        ("copilot-cli", True, "Running. Copilot CLI notices changes by itself; a new session may begin with", ""),
        ("codex", True, "Running", ""),
        ("codex", False, "", "Start a new session in Codex."),
    ],
)
def test_what_a_running_assistant_makes_of_changes(
    opened: Opened, user_folder: Path, link: ProxyLink, client: str, here: bool, line: str, box: str
) -> None:
    """Seen red: with one sentence for all that have not fetched the newest list."""
    link.clients = lambda: (sample.ConnectedAssistant(client, client, here),)  # type: ignore[method-assign,assignment,return-value]
    page = opened(client)
    assert page.line.text().startswith(line) if line else not page.line.isVisible()
    assert page.box_text.text() == box if box else not page.box.isVisible()


def test_its_menu_is_never_empty(opened: Opened, claude_file: Path) -> None:
    page = opened(CLAUDE)
    menu = QMenu(page)
    page.fill_menu(menu)
    assert [action.text() for action in menu.actions()] == ["Read the settings file again"]


def test_captions_are_above_their_controls_in_a_narrow_window(opened: Opened, claude_file: Path) -> None:
    page = opened(CLAUDE)
    beside = page.toolset_row.height()
    page.set_width_class(Width.SMALL)
    page.resize(420, 900)
    assert page.toolset_row.sizeHint().height() > beside


def choose(page: AssistantPage, text: str) -> None:
    """Choose an action of the page's menu."""
    menu = QMenu(page)
    page.fill_menu(menu)
    next(action for action in menu.actions() if action.text() == text).trigger()


def menu_texts(page: AssistantPage) -> list[str]:
    menu = QMenu(page)
    page.fill_menu(menu)
    return [action.text() for action in menu.actions()]


CRLF = b'{\r\n\t"theme": "dark",\r\n\t"mcpServers": {"files": {"command": "npx", "env": {"KEY": "s3cret-1"}}}\r\n}'


def test_connect_shows_no_secret_keeps_a_backup_and_is_undone_to_the_byte(
    qtbot: QtBot, opened: Opened, claude_file: Path, library: Library, link: ProxyLink
) -> None:
    claude_file.write_bytes(CRLF)
    page = opened(CLAUDE)
    added = [line for line in page.diff.toPlainText().splitlines() if line.startswith("+")]
    assert any('"/opt/toolnote/toolnote"' in line for line in added)
    assert "s3cret-1" not in page.diff.toPlainText()
    with qtbot.waitSignal(page.done) as connected:
        click(page.connect_button)
    assert connected.args is not None
    written = servers_in(claude_file)
    assert written["toolnote"]["args"][:3] == ["bridge", "--client", CLAUDE]
    assert written["files"]["env"] == {"KEY": "s3cret-1"}
    assert library.snapshot.clients[CLAUDE].name == "Claude Desktop"
    qtbot.waitUntil(page.disconnect_button.isVisible)
    assert "Quit Claude Desktop completely" in page.line.text()
    backups = list((link.home.backups / "clients" / CLAUDE).glob("*claude_desktop_config.json"))
    assert [backup.read_bytes() for backup in backups] == [CRLF]
    connected.args[1]()  # Undo
    qtbot.waitUntil(page.connect_button.isVisible)
    assert claude_file.read_bytes() == CRLF
    assert CLAUDE not in library.snapshot.clients


def test_a_change_by_the_assistant_since_the_page_was_read_is_kept(
    qtbot: QtBot, opened: Opened, claude_file: Path
) -> None:
    page = opened(CLAUDE)
    claude_file.write_bytes(BEFORE.replace(b"dark", b"light"))
    with qtbot.waitSignal(page.done):
        click(page.connect_button)
    written = json.loads(claude_file.read_bytes())
    assert written["theme"] == "light"
    assert "toolnote" in written["mcpServers"]


def test_by_its_address_with_a_token_that_is_renewed_and_revoked(
    qtbot: QtBot, opened: Opened, user_folder: Path, library: Library
) -> None:
    file = current_environment().program_data / "Code" / "User" / "mcp.json"
    file.parent.mkdir(parents=True)
    file.write_text('{\n\t// mine\n\t"servers": {"own": {"type": "stdio", "command": "own"},},\n}', encoding="utf-8")

    def token() -> str:
        found = re.search(r"Bearer ([\w-]{40,})", file.read_text(encoding="utf-8"))
        assert found is not None
        return found.group(1)

    def stored() -> str | None:
        return library.snapshot.clients["vscode"].token_hash

    page = opened("vscode")
    with qtbot.waitSignal(page.done):
        click(page.connect_button)
    qtbot.waitUntil(lambda: "Connect by address" in menu_texts(page))
    with qtbot.waitSignal(page.done):
        choose(page, "Connect by address")
    first = token()
    assert stored() == hash_token(first)
    qtbot.waitUntil(lambda: "New token" in menu_texts(page))
    assert first not in page.diff.toPlainText()
    with qtbot.waitSignal(page.done) as renewed:
        choose(page, "New token")
    second = token()
    assert second != first
    assert stored() == hash_token(second)
    assert renewed.args is not None
    renewed.args[1]()  # Undo
    qtbot.waitUntil(lambda: stored() == hash_token(first))
    assert token() == first
    qtbot.waitUntil(lambda: "Revoke token" in menu_texts(page))
    choose(page, "Revoke token")
    assert stored() is None
    qtbot.waitUntil(page.connect_button.isVisible)
    with qtbot.waitSignal(page.done):
        click(page.connect_button)  # its entry needs a new token
    assert stored() == hash_token(token()) != hash_token(first)
    qtbot.waitUntil(lambda: "New token" in menu_texts(page))
    with qtbot.waitSignal(page.done):
        choose(page, "Connect by address")
    assert stored() is None
    assert "Bearer" not in file.read_text(encoding="utf-8")
    assert "// mine" in file.read_text(encoding="utf-8")


def test_an_entry_that_was_edited_stays_unless_it_is_replaced(qtbot: QtBot, opened: Opened, claude_file: Path) -> None:
    page = opened(CLAUDE)
    with qtbot.waitSignal(page.done):
        click(page.connect_button)
    edited = claude_file.read_bytes().replace(b'"bridge"', b'"--verbose", "bridge"')
    claude_file.write_bytes(edited)
    qtbot.waitUntil(lambda: not page._read.is_running)
    page.refresh()
    qtbot.waitUntil(lambda: "edited by hand" in page.line.text())
    assert not page.connect_button.isVisible()
    with qtbot.waitSignal(page.done) as replaced:
        choose(page, "Replace the edited entry")
    assert b"--verbose" not in claude_file.read_bytes()
    assert replaced.args is not None
    replaced.args[1]()  # Undo
    qtbot.waitUntil(lambda: claude_file.read_bytes() == edited)
    qtbot.waitUntil(lambda: not page._write.is_running)


def test_when_it_was_last_active_is_said(qtbot: QtBot, opened: Opened, claude_file: Path, link: ProxyLink) -> None:
    activity = ActivityLog(link.home)
    activity.record_list(Listed(CLAUDE), fetched=True)
    assert activity.flush()
    activity.close()
    page = opened(CLAUDE)
    texts = [one.text() for one in page.side.findChildren(type(page.line))]
    assert texts[texts.index("Last active") + 1].casefold() == "now"


def test_an_assistant_that_was_connected_by_hand_gets_a_toolset_and_is_forgotten(
    qtbot: QtBot, opened: Opened, user_folder: Path, library: Library
) -> None:
    library.submit(AddEntry(CLIENTS, CLIENT_ENTRIES, "our-agent", {"name": "Our Agent", "tokenHash": hash_token("t")}))
    page = opened("our-agent")
    assert page.title.text() == "Our Agent"
    assert not page.connect_button.isVisible()
    page.toolset.choose("review")
    assert library.snapshot.clients["our-agent"].toolset == "review"
    page.toolset.choose(SHARED)
    assert [client.toolset for client in library.snapshot.clients.values()] == [None]
    with qtbot.waitSignal(page.place_requested) as went:
        choose(page, "Remove from list")
    assert went.args == [HOME]
    assert "our-agent" not in library.snapshot.clients


def test_a_large_file_is_read_while_the_window_goes_on(
    qtbot: QtBot, page: AssistantPage, user_folder: Path, library: Library
) -> None:
    (user_folder / ".claude").mkdir()
    file = user_folder / ".claude.json"
    history = {f"/work/{number}": {"history": ["x" * 400]} for number in range(700)}
    file.write_text(json.dumps({"projects": history}, indent=2), encoding="utf-8")
    before = file.read_bytes()
    page.show_assistant(library.snapshot, "claude-code")
    assert page.line.text() == "Reading its settings…"
    assert not page.connect_button.isVisible()
    qtbot.waitUntil(page.connect_button.isVisible, timeout=10_000)
    assert "toolnote" in page.diff.toPlainText()
    with qtbot.waitSignal(page.done, timeout=10_000) as connected:
        click(page.connect_button)
    assert connected.args is not None
    connected.args[1]()  # Undo
    qtbot.waitUntil(lambda: file.read_bytes() == before, timeout=10_000)
    qtbot.waitUntil(lambda: not page._write.is_running)


def test_installed_assistants_come_first_and_lead_to_their_pages(
    qtbot: QtBot, claude_file: Path, library: Library, link: ProxyLink, light_theme: Theme
) -> None:
    chooser = ChooseAssistantPage(library, link, lambda: OURSELVES)
    qtbot.addWidget(chooser)
    chooser.show()
    assert chooser.state.text() == "Searching this computer…"
    chooser.show_page()
    qtbot.waitUntil(lambda: bool(chooser.buttons), timeout=5000)
    assert next(iter(chooser.buttons)) == CLAUDE
    qtbot.waitUntil(lambda: [one for one, button in chooser.buttons.items() if button.isVisible()] == [CLAUDE])
    assert chooser.buttons[CLAUDE].text() == "Connect…"
    with qtbot.waitSignal(chooser.place_requested) as went:
        click(chooser.buttons[CLAUDE])
    assert went.args == [RowKey(Kind.ASSISTANT, CLAUDE)]
