"""Find tools: search, page, read what a server wants, fill it in, add it; and all the same without a network."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from tests.desktop.helpers import click
from tests.file_keyring import TestKeychain
from tests.public_registry.registry_server import Registry, running, send
from toolnote_desktop.assistants.toolnote_entry import ToolnoteIdentity
from toolnote_desktop.desktop.add_servers.registry_dialog import MORE, RegistryDialog
from toolnote_desktop.desktop.async_tasks import running_tasks
from toolnote_desktop.desktop.editing.default_toolset import MY_TOOLS, make_my_tools
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.widgets.check_box import CheckBox
from toolnote_desktop.desktop.widgets.combo_box import ComboBox
from toolnote_desktop.model.edits import SERVER_ENTRIES, SERVERS
from toolnote_desktop.public_registry.client import RegistryClient
from toolnote_desktop.store.library import Library
from toolnote_desktop.store.secrets.store import SecretStore


def remote(name: str) -> dict[str, Any]:
    return {"name": name, "description": "d", "remotes": [{"type": "streamable-http", "url": "https://a.example/mcp"}]}


FOLDER = {"type": "positional", "valueHint": "folder", "format": "filepath"}
NOTES: dict[str, Any] = {
    "name": "io.example/notes-mcp-server",
    "title": "Notes & more",
    "description": "Keeps notes.",
    "version": "1.2.0",
    "repository": {"url": "https://git.example/notes", "source": "other"},
    "remotes": [{"type": "sse", "url": "https://notes.example/sse"}],
    "packages": [
        {
            "registryType": "npm",
            "identifier": "@example/notes",
            "transport": {"type": "stdio"},
            "packageArguments": [
                {
                    "type": "positional",
                    "valueHint": "folder",
                    "format": "filepath",
                    "isRequired": True,
                    "isRepeated": True,
                },
                {"type": "named", "name": "--mode", "choices": ["fast", "slow"], "description": "How"},
                {"type": "named", "name": "--quiet", "format": "boolean"},
            ],
            "environmentVariables": [{"name": "API_KEY", "isRequired": True, "isSecret": True}],
        }
    ],
}
MANY = [NOTES, *(remote(f"io.example/other-{number}") for number in range(5))]


@pytest.fixture
def registry() -> Iterator[Registry]:
    with running(MANY) as registry:
        yield registry


@pytest.fixture
def library(empty_library: Library) -> Library:
    make_my_tools(empty_library, "My tools")
    return empty_library


@pytest.fixture
def window(plain_window: QWidget) -> QWidget:
    return plain_window


@pytest.fixture
def dialog(qtbot: QtBot, library: Library, link: ProxyLink, window: QWidget, registry: Registry) -> RegistryDialog:
    dialog = RegistryDialog(library, link, ToolnoteIdentity(), RegistryClient(registry.url), None, window)
    dialog.open()
    qtbot.waitUntil(lambda: dialog.state.text() == "From the public list of tool sources", timeout=5000)
    return dialog


def rows(dialog: RegistryDialog) -> list[str]:
    return [dialog.list.item(row).text() for row in range(dialog.list.count())]


def field(dialog: RegistryDialog, kind: type[QWidget], name: str) -> Any:
    QApplication.processEvents()  # new rows are shown by the event loop
    found = [one for one in dialog.page.form.findChildren(kind) if one.isVisible() and name in one.accessibleName()]
    assert len(found) == 1
    return found[0]


def entries(library: Library) -> dict[str, Any]:
    found = (library.raw(SERVERS) or {}).get(SERVER_ENTRIES, {})
    assert isinstance(found, dict)
    return found


def test_search_and_page(qtbot: QtBot, dialog: RegistryDialog, registry: Registry) -> None:
    assert rows(dialog) == ["Notes & more", "other-0", "other-1", "Show more"]
    QTest.keyClick(dialog.search, Qt.Key.Key_Down)
    assert dialog.page.heading.text() == "other-0"
    QTest.keyClick(dialog.search, Qt.Key.Key_Up)
    assert dialog.page.heading.text() == "Notes & more"
    dialog.list.choose(MORE)
    qtbot.waitUntil(lambda: rows(dialog)[-1] == "other-4", timeout=5000)
    assert len(rows(dialog)) == 6
    assert dialog.list.currentItem().text() == "other-2"
    QTest.keyClicks(dialog.search, "note")
    qtbot.waitUntil(lambda: rows(dialog) == ["Notes & more"], timeout=5000)
    QTest.keyClicks(dialog.search, "xyzzy")
    QTest.keyClick(dialog.search, Qt.Key.Key_Return)
    qtbot.waitUntil(dialog.empty.isVisible, timeout=5000)
    assert not dialog.add_button.isEnabled()
    assert "notexyzzy" in [asked.get("search") for asked in registry.asked]
    QTest.mouseClick(dialog.clear_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: len(rows(dialog)) > 1, timeout=5000)
    assert dialog.search.hasFocus()


def test_server_inputs_are_a_form_and_the_exact_command_is_shown(
    qtbot: QtBot, dialog: RegistryDialog, library: Library
) -> None:
    page = dialog.page
    assert page.heading.text() == "Notes & more"
    assert "version 1.2.0" in page.origin.text()
    assert page.what.text() == "https://notes.example/sse"
    QTest.keyClick(page.ways, Qt.Key.Key_Down)
    assert page.what_caption.text() == "Starts on this computer"
    secret = field(dialog, QLineEdit, "API_KEY")
    assert secret.echoMode() == QLineEdit.EchoMode.Password
    click(dialog.add_button)
    assert "missing" in dialog.wrong.text()
    marks = [one for one in page.form.findChildren(QLabel) if one.text().startswith("It does not work")]
    assert [one.isVisible() for one in marks].count(True) == 2
    folders = field(dialog, QPlainTextEdit, "folder")
    QTest.keyClicks(folders, "/home/ada/notes")
    QTest.keyClick(folders, Qt.Key.Key_Return)
    QTest.keyClicks(folders, "/srv/b c")
    QTest.keyClick(field(dialog, ComboBox, "mode"), Qt.Key.Key_End)
    click(field(dialog, CheckBox, "quiet"))
    QTest.keyClicks(secret, "s3cret-1")
    assert page.what.text() == ("npx -y @example/notes /home/ada/notes '/srv/b c' --mode slow --quiet\nAPI_KEY=•••")
    page.name.setText("My notes")
    with qtbot.waitSignal(dialog.added) as added:
        click(dialog.add_button)
    assert added.args == [("My notes",)]
    assert entries(library) == {
        "My notes": {
            "type": "stdio",
            "command": "npx",
            "args": ["-y", "@example/notes", "/home/ada/notes", "/srv/b c", "--mode", "slow", "--quiet"],
            "env": {"API_KEY": "s3cret-1"},
            "toolnote": {"toolset": MY_TOOLS},
        }
    }
    assert dialog.progress.rows["My notes"].state.text() == "starting"
    click(dialog.add_button)
    assert not dialog.isVisible()


def test_a_name_that_is_taken_is_said(qtbot: QtBot, dialog: RegistryDialog, library: Library) -> None:
    click(dialog.collect)
    with qtbot.waitSignal(dialog.added):
        click(dialog.add_button)
    assert entries(library) == {"notes": {"type": "sse", "url": "https://notes.example/sse"}}


def test_a_name_that_is_there_is_not_written_over(
    qtbot: QtBot, dialog: RegistryDialog, library: Library, link: ProxyLink, window: QWidget, registry: Registry
) -> None:
    with qtbot.waitSignal(dialog.added):
        click(dialog.add_button)
    again = RegistryDialog(library, link, ToolnoteIdentity(), RegistryClient(registry.url), None, window)
    again.open()
    qtbot.waitUntil(again.add_button.isEnabled, timeout=5000)
    click(again.add_button)
    assert "notes already" in again.wrong.text()
    again.page.name.clear()
    assert not again.add_button.isEnabled()


def test_without_a_network_it_is_the_list_of_this_release(
    qtbot: QtBot, library: Library, link: ProxyLink, window: QWidget
) -> None:
    dialog = RegistryDialog(
        library, link, ToolnoteIdentity(), RegistryClient("http://127.0.0.1:1", seconds=3.0), None, window
    )
    dialog.open()
    qtbot.waitUntil(lambda: dialog.state.text() == "No network: showing the list of this release.", timeout=8000)
    assert len(rows(dialog)) >= 40
    QTest.keyClicks(dialog.search, "linear")
    qtbot.waitUntil(lambda: rows(dialog) == ["Linear"], timeout=8000)
    with qtbot.waitSignal(dialog.added):
        click(dialog.add_button)
    assert entries(library)["linear"]["url"] == "https://mcp.linear.app/mcp"


def test_a_broken_answer_is_a_message(
    qtbot: QtBot, library: Library, link: ProxyLink, window: QWidget, registry: Registry
) -> None:
    registry.servers = [{"name": "\x00"}]

    def answer(handler: BaseHTTPRequestHandler) -> bool:
        handler.send_error(500)
        return True

    registry.answer = answer
    dialog = RegistryDialog(library, link, ToolnoteIdentity(), RegistryClient(registry.url), None, window)
    dialog.open()
    qtbot.waitUntil(lambda: "status 500" in dialog.state.text(), timeout=5000)
    assert "list of this release" in dialog.state.text()
    assert len(rows(dialog)) >= 40


def test_the_window_goes_on_while_it_asks(
    qtbot: QtBot, library: Library, link: ProxyLink, window: QWidget, registry: Registry
) -> None:
    """A late answer to an older question is not shown; closing the dialog in the middle does no harm."""
    go_on, answered = threading.Event(), threading.Event()

    def answer(handler: BaseHTTPRequestHandler) -> bool:
        query = registry.asked[-1]
        if "search" in query:
            return False
        go_on.wait(20.0)
        send(handler, json.dumps(registry.page(query)).encode())
        answered.set()
        return True

    registry.answer = answer
    dialog = RegistryDialog(library, link, ToolnoteIdentity(), RegistryClient(registry.url), None, window)
    dialog.open()
    qtbot.waitUntil(lambda: len(registry.asked) == 1, timeout=5000)
    QTest.keyClicks(dialog.search, "other-3")
    QTest.keyClick(dialog.search, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: rows(dialog) == ["other-3"], timeout=5000)
    go_on.set()
    assert answered.wait(5.0)
    qtbot.waitUntil(lambda: not running_tasks(), timeout=5000)
    assert rows(dialog) == ["other-3"]
    QTest.keyClicks(dialog.search, "x")
    dialog.search_now()
    dialog.reject()
    qtbot.waitUntil(lambda: not running_tasks(), timeout=5000)


def test_server_that_cannot_be_started_says_so(
    qtbot: QtBot, library: Library, link: ProxyLink, window: QWidget, registry: Registry
) -> None:
    registry.servers = [
        {
            "name": "a/bundle",
            "packages": [
                {"registryType": "mcpb", "identifier": "https://a.example/b.mcpb", "transport": {"type": "stdio"}}
            ],
        }
    ]
    dialog = RegistryDialog(library, link, ToolnoteIdentity(), RegistryClient(registry.url), None, window)
    dialog.open()
    qtbot.waitUntil(lambda: rows(dialog) == ["bundle"], timeout=5000)
    assert "cannot start it by itself (mcpb)" in dialog.page.trouble.text()
    assert not dialog.add_button.isEnabled()


def test_a_secret_goes_into_the_keychain(
    qtbot: QtBot, library: Library, link: ProxyLink, window: QWidget, registry: Registry, keychain: TestKeychain
) -> None:
    store = SecretStore.of(library)
    dialog = RegistryDialog(library, link, ToolnoteIdentity(), RegistryClient(registry.url), store, window)
    dialog.open()
    qtbot.waitUntil(dialog.add_button.isEnabled, timeout=5000)
    QTest.keyClick(dialog.page.ways, Qt.Key.Key_Down)
    QTest.keyClicks(field(dialog, QPlainTextEdit, "folder"), "/srv")
    QTest.keyClicks(field(dialog, QLineEdit, "API_KEY"), "s3cret-1")
    assert dialog.store_secrets.text() == "Keep 1 secret in the keychain, not in the settings"
    with qtbot.waitSignal(dialog.added):
        click(dialog.add_button)
    assert entries(library)["notes"]["env"] == {"API_KEY": "${secret:API_KEY}"}
    assert store.read("notes", "API_KEY") == "s3cret-1"
