"""Change a tool source; the settings."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from tests.desktop.helpers import MemoryAutostart
from tests.servers.launch import raw_server_entry
from toolnote_desktop.desktop.dialogs.settings import SettingsDialog
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.server_page.edit_dialog import EditServerDialog
from toolnote_desktop.desktop.shell.close_policy import MINIMISE, SETTING
from toolnote_desktop.desktop.widgets.check_box import CheckBox
from toolnote_desktop.desktop.widgets.combo_box import ComboBox
from toolnote_desktop.model.edits import SERVER_ENTRIES, SERVERS, SETTINGS, AddEntry, SetFields
from toolnote_desktop.store.library import Library

GIT = {"command": "uvx", "args": ["mcp-server-git", "a b"], "env": {"A": "1=2", "B": " x"}, "theirs": [1]}
LINEAR = {"type": "http", "url": "https://mcp.linear.app/mcp", "headers": {"Authorization": "Bearer t"}}


@pytest.fixture
def library(empty_library: Library) -> Library:
    for name, entry in (("git", GIT), ("linear", LINEAR)):
        empty_library.submit(AddEntry(SERVERS, SERVER_ENTRIES, name, entry))
    return empty_library


@pytest.fixture
def window(plain_window: QWidget) -> QWidget:
    return plain_window


def entry(library: Library, server: str) -> object:
    return (library.raw(SERVERS) or {})[SERVER_ENTRIES][server]


def save(dialog: EditServerDialog) -> None:
    QTest.mouseClick(dialog.save_button, Qt.MouseButton.LeftButton)


def test_untouched_values_are_kept(window: QWidget, library: Library) -> None:
    dialog = EditServerDialog(library, "git", window)
    dialog.open()
    save(dialog)
    assert entry(library, "git") == GIT


def test_a_command_its_variables_and_folder(window: QWidget, library: Library) -> None:
    dialog = EditServerDialog(library, "git", window)
    dialog.open()
    assert dialog.target.text() == "uvx mcp-server-git 'a b'"
    dialog.target.setText("npx -y x")
    dialog.values.setPlainText("TOKEN=s3cret\n\nEMPTY=")
    assert dialog.folder is not None
    dialog.folder.setText("/work")
    save(dialog)
    expected = {"command": "npx", "args": ["-y", "x"], "env": {"TOKEN": "s3cret", "EMPTY": ""}, "cwd": "/work"}
    assert entry(library, "git") == {**expected, "theirs": [1]}


def test_an_address_and_its_headers(window: QWidget, library: Library) -> None:
    dialog = EditServerDialog(library, "linear", window)
    dialog.open()
    assert dialog.values.toPlainText() == "Authorization: Bearer t"
    dialog.target.setText("https://other.example/mcp")
    dialog.values.clear()
    save(dialog)
    assert entry(library, "linear") == {"type": "http", "url": "https://other.example/mcp", "headers": {}}


def test_an_id_that_was_registered_by_hand(window: QWidget, library: Library) -> None:
    for text, own in (("my-id", {"toolnote": {"signIn": {"clientId": "my-id"}}}), ("", {})):
        dialog = EditServerDialog(library, "linear", window)
        dialog.open()
        dialog.sign_in_id.setText(text)
        save(dialog)
        assert entry(library, "linear") == {**LINEAR, **own}
    assert library.snapshot.servers["linear"].toolnote.sign_in.client_id is None


@pytest.mark.parametrize(
    ("server", "target", "values", "said"),
    [
        ("git", "", "", "Enter a command."),
        ("git", "uvx 'x", "", "No closing quotation"),
        ("git", "uvx x", "TOKEN", "Variables: “TOKEN” has no value."),
        ("linear", "mcp.linear.app", "", "An address begins with http:// or https://."),
        ("linear", "https://x.example", "Bearer", "Headers: “Bearer” has no value."),
        ("linear", "https://x.example", "X Y: z", "headers.X Y: a header's name is made of letters, digits and -"),
    ],
)
def test_invalid_values_are_reported_and_not_saved(
    window: QWidget, library: Library, server: str, target: str, values: str, said: str
) -> None:
    before = entry(library, server)
    dialog = EditServerDialog(library, server, window)
    dialog.open()
    dialog.target.setText(target)
    dialog.values.setPlainText(values)
    save(dialog)
    assert dialog.isVisible()
    assert dialog.wrong.text() == said
    assert entry(library, server) == before
    dialog.reject()


def test_source_removed_meanwhile_is_reported(window: QWidget, library: Library) -> None:
    submitted = library.submit(AddEntry(SERVERS, SERVER_ENTRIES, "other", GIT))
    dialog = EditServerDialog(library, "other", window)
    dialog.open()
    library.submit(*submitted.inverse)
    save(dialog)
    assert "other" in dialog.wrong.text()
    dialog.reject()


def test_a_source_is_tested_with_the_values_of_the_form(
    qtbot: QtBot, window: QWidget, library: Library, link: ProxyLink
) -> None:
    """A real connection by what is in the form; nothing is saved and nothing is registered."""
    before = entry(library, "git")
    dialog = EditServerDialog(library, "git", window, link.try_server)
    dialog.open()
    server = raw_server_entry(tools=[{"name": "one", "inputSchema": {}}, {"name": "two", "inputSchema": {}}])
    dialog.target.setText(shlex.join([server["command"], *server["args"]]))
    dialog.values.setPlainText("\n".join(f"{name}={value}" for name, value in server.get("env", {}).items()))
    QTest.mouseClick(dialog.test_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: dialog.outcome.text() == "It works: 2 tools.", timeout=20_000)
    assert not dialog.wrong.isVisible()
    assert dialog.focusWidget() is dialog.test_button, "not Cancel, where Return would drop what was written"
    dialog.target.setText("toolnote-no-such-program")
    QTest.mouseClick(dialog.test_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "toolnote-no-such-program" in dialog.wrong.text(), timeout=20_000)
    assert not dialog.outcome.isVisible()
    assert entry(library, "git") == before
    assert not library.snapshot.catalogue.tools
    dialog.reject()


def test_the_folder_is_browsed_for(window: QWidget, library: Library, tmp_path: Path) -> None:
    dialog = EditServerDialog(library, "git", window)
    dialog.open()
    assert not dialog.test_button.isVisible(), "nothing to test with"
    QTest.mouseClick(dialog.browse_button, Qt.MouseButton.LeftButton)
    (chooser,) = dialog.findChildren(QFileDialog)
    chooser.fileSelected.emit(str(tmp_path))
    chooser.reject()
    save(dialog)
    saved = entry(library, "git")
    assert isinstance(saved, dict)
    assert saved["cwd"] == str(tmp_path)


def pick(choice: ComboBox, row: int) -> None:
    """As with the keyboard: down to a row, from the top."""
    QTest.keyClick(choice, Qt.Key.Key_Home)
    for _ in range(row):
        QTest.keyClick(choice, Qt.Key.Key_Down)


def tick(box: CheckBox) -> None:
    """A click on the box itself."""
    place = QPoint(8, box.height() // 2)
    QTest.mouseClick(box, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)


def test_settings_hold_at_once(window: QWidget, library: Library) -> None:
    autostart = MemoryAutostart()
    dialog = SettingsDialog(library, autostart, ["/opt/toolnote-desktop"], window)
    dialog.open()
    theme, closing, port = (dialog.controls[key] for key in ("theme", SETTING, "port"))
    assert isinstance(theme, ComboBox)
    assert isinstance(closing, ComboBox)
    assert isinstance(port, QLineEdit)
    pick(theme, 2)
    assert library.snapshot.settings.theme == "dark"
    pick(closing, 1)
    assert library.snapshot.settings.extra[SETTING] == MINIMISE
    pick(closing, 0)
    assert SETTING not in (library.raw(SETTINGS) or {})
    tick(dialog.login)
    assert autostart.command == ("/opt/toolnote-desktop",)
    tick(dialog.login)
    assert not autostart.enabled()
    QTest.keyClicks(port, "84")
    assert library.snapshot.settings.port is None
    QTest.keyClicks(port, "00")
    dialog.accept()
    assert library.snapshot.settings.port == 8400


def test_the_usual_port_again(window: QWidget, library: Library) -> None:
    library.submit(SetFields(SETTINGS, {"port": 8400}))
    dialog = SettingsDialog(library, MemoryAutostart(), [], window)
    dialog.open()
    port = dialog.controls["port"]
    assert isinstance(port, QLineEdit)
    assert port.text() == "8400"
    port.clear()
    dialog.reject()
    assert "port" not in (library.raw(SETTINGS) or {})


def test_start_at_login_that_cannot_be_written_is_said(window: QWidget, library: Library) -> None:
    dialog = SettingsDialog(library, MemoryAutostart(broken=True), [], window)
    dialog.open()
    tick(dialog.login)
    assert "not allowed" in dialog.wrong.text()
    assert not dialog.login.isChecked()
    beside = QPoint(dialog.login.width() - 4, 8)
    QTest.mouseClick(dialog.login, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, beside)
    assert not dialog.login.isChecked()
    dialog.accept()
