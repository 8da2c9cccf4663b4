"""Secrets and sign-in at a tool source's page, with a keychain, without one, and with one that does not answer."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QDesktopServices, QGuiApplication, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from tests.file_keyring import TestKeychain
from toolnote_desktop.desktop.models.library_rows import Kind, RowKey
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.server_page.secret_dialog import SecretDialog
from toolnote_desktop.desktop.server_page.secrets_and_sign_in import SecretsAndSignIn
from toolnote_desktop.desktop.widgets.basics import Button
from toolnote_desktop.desktop.window.window import MainWindow
from toolnote_desktop.model.edits import SERVER_ENTRIES, SERVERS, SetEntryFields
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.paths import Home
from toolnote_desktop.store.library import Library
from toolnote_desktop.store.secrets.store import OPEN_FILE, SecretLocation, SecretStore

SECRET = "sk-live-0123456789"
PEM = f"-----BEGIN PRIVATE KEY-----\n{'x' * 64}\n{'y' * 40_000}\n-----END PRIVATE KEY-----\n"
LINEAR = RowKey(Kind.SERVER, "Linear")


@pytest.fixture
def access(window: MainWindow, library: Library) -> SecretsAndSignIn:
    """The page of a tool source that wants a secret."""
    wanted = {"headers": {"X-Key": "${secret:KEY}"}}
    library.submit(SetEntryFields(SERVERS, SERVER_ENTRIES, "Linear", wanted))
    window.go(LINEAR)
    return window.pages.server_page.access


@pytest.fixture
def dialog(qtbot: QtBot, window: MainWindow, library: Library, link: ProxyLink) -> SecretDialog:
    """The dialog that asks for that secret."""
    made = SecretDialog(library, link.secrets, "Linear", "KEY", window)
    made.open()
    return made


def texts(access: SecretsAndSignIn) -> list[str]:
    """What is shown of secrets in the inspector, and of signing in on the page."""
    found = [one for place in (access.section, access.box) for one in place.findChildren(QLabel)]
    return [one.text() for one in found if one.isVisible() and one.text() != "Secrets"]


def press(access: SecretsAndSignIn, words: str) -> None:
    places = (access.section, access.box)
    found = next(one for place in places for one in place.findChildren(Button) if one.text() == words)
    QTest.mouseClick(found, Qt.MouseButton.LeftButton)


def closed(dialog: SecretDialog, qtbot: QtBot) -> None:
    with qtbot.waitSignal(dialog.finished, timeout=10_000):
        QTest.mouseClick(dialog.save_button, Qt.MouseButton.LeftButton)


def test_the_page_says_what_is_wanted_and_what_is_there(
    qtbot: QtBot, keychain: TestKeychain, window: MainWindow, link: ProxyLink, access: SecretsAndSignIn
) -> None:
    qtbot.waitUntil(lambda: texts(access) == ["KEY", "Missing. Required to start."])
    with qtbot.waitSignal(window.secret_requested) as asked:
        press(access, "Enter…")
    assert asked.args == ["Linear", "KEY"]
    link.secrets.write("Linear", "KEY", SECRET)
    link.secrets.write("Linear", "OLD", SECRET, place=SecretLocation.RUN)
    qtbot.waitUntil(lambda: texts(access) == ["KEY", "Kept in this computer’s keychain", "OLD", "No longer used"])
    press(access, "Remove")
    qtbot.waitUntil(lambda: texts(access)[1] == "Missing. Required to start.")
    assert link.secrets.read("Linear", "KEY") is None
    window.go(RowKey(Kind.SERVER, "Slack"))
    qtbot.waitUntil(lambda: not access.section.isVisible())


def test_secret_deleted_in_the_keychain_itself_is_missing_on_the_page(
    qtbot: QtBot, keychain: TestKeychain, window: MainWindow, link: ProxyLink, access: SecretsAndSignIn
) -> None:
    link.secrets.write("Linear", "KEY", SECRET)
    qtbot.waitUntil(lambda: texts(access) == ["KEY", "Kept in this computer’s keychain"])
    window.go(RowKey(Kind.SERVER, "Slack"))
    with keychain.changing() as content:
        content["entries"].clear()
    window.go(LINEAR)
    qtbot.waitUntil(lambda: texts(access) == ["KEY", "Missing. Required to start."])
    assert link.secrets.names("Linear") == {}


def test_a_value_is_masked_kept_and_never_shown_again(
    qtbot: QtBot, keychain: TestKeychain, link: ProxyLink, dialog: SecretDialog, home: Home
) -> None:
    qtbot.waitUntil(lambda: dialog.lead.text() == "Kept in this computer’s keychain. No assistant sees it.")
    assert not dialog.save_button.isEnabled()
    assert dialog.field.echoMode() is QLineEdit.EchoMode.Password
    QTest.keyClicks(dialog.field, SECRET)
    QTest.mouseClick(dialog.show_button, Qt.MouseButton.LeftButton)
    assert dialog.field.echoMode() is QLineEdit.EchoMode.Normal
    QTest.mouseClick(dialog.show_button, Qt.MouseButton.LeftButton)
    closed(dialog, qtbot)
    assert SecretStore(home).read("Linear", "KEY") == SECRET
    assert SECRET.encode() not in home.servers.read_bytes()


def test_with_no_keychain_the_user_chooses_and_it_is_remembered(
    qtbot: QtBot, library: Library, dialog: SecretDialog, home: Home
) -> None:
    """Red with the words of before: they promised the keychain where there is none (F13)."""
    choose = "This computer has no keychain. Choose where to keep it when you save. No assistant sees it."
    qtbot.waitUntil(lambda: dialog.lead.text() == choose)
    QTest.keyClicks(dialog.field, SECRET)
    QTest.mouseClick(dialog.save_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(dialog.places.file_button.isVisible)
    assert "no keychain" in dialog.wrong.text()
    assert OPEN_FILE in dialog.places.text.text()
    with qtbot.waitSignal(dialog.finished, timeout=10_000):
        QTest.mouseClick(dialog.places.file_button, Qt.MouseButton.LeftButton)
    assert library.snapshot.settings.secrets_without_keychain == "file"
    assert (home.root / OPEN_FILE).exists()
    assert SecretStore.of(library).write("Linear", "OTHER", SECRET) is SecretLocation.FILE
    again = SecretDialog(library, SecretStore.of(library), "Linear", "THIRD", dialog.parentWidget())
    again.open()
    qtbot.waitUntil(lambda: again.lead.text().startswith(f"Kept in the file {OPEN_FILE}, not encrypted"))
    again.reject()


@pytest.mark.parametrize(
    ("pasted", "kept", "lines"),
    [
        (f"{SECRET}\n", SECRET, ""),
        (PEM, PEM, "4 lines, saved as they are"),
    ],
)
def test_a_value_is_pasted_whole(
    qtbot: QtBot, keychain: TestKeychain, link: ProxyLink, dialog: SecretDialog, pasted: str, kept: str, lines: str
) -> None:
    QGuiApplication.clipboard().setText(pasted)
    dialog.field.setFocus()
    QTest.keySequence(dialog.field, QKeySequence(QKeySequence.StandardKey.Paste))
    assert (dialog.lines.text() if dialog.lines.isVisible() else "") == lines
    closed(dialog, qtbot)
    assert link.secrets.read("Linear", "KEY") == kept


def test_a_line_end_alone_is_no_value(dialog: SecretDialog) -> None:
    dialog.field.setText("\n")
    assert not dialog.save_button.isEnabled()


def test_a_locked_keychain_can_be_tried_again(
    qtbot: QtBot, keychain: TestKeychain, library: Library, link: ProxyLink, dialog: SecretDialog
) -> None:
    keychain.mood = "locked"
    QTest.keyClicks(dialog.field, SECRET)
    QTest.mouseClick(dialog.save_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(dialog.places.run_button.isVisible)
    assert "locked" in dialog.wrong.text()
    keychain.mood = ""
    closed(dialog, qtbot)
    assert link.secrets.names("Linear") == {"KEY": SecretLocation.KEYCHAIN}
    assert library.snapshot.settings.secrets_without_keychain is None


def test_the_window_goes_on_while_the_keychain_is_silent(
    qtbot: QtBot, keychain: TestKeychain, link: ProxyLink, dialog: SecretDialog
) -> None:
    keychain.mood = "silent"
    QTest.keyClicks(dialog.field, SECRET)
    QTest.mouseClick(dialog.save_button, Qt.MouseButton.LeftButton)
    assert dialog.waiting.isVisible()
    assert not dialog.save_button.isEnabled()
    with qtbot.waitSignal(dialog.finished, timeout=10_000):
        keychain.mood = ""
    assert link.secrets.read("Linear", "KEY") == SECRET


def test_a_sign_in_is_followed_and_can_be_cancelled(
    qtbot: QtBot, keychain: TestKeychain, window: MainWindow, link: ProxyLink, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toString()))
    asked: list[tuple[str, str]] = []
    monkeypatch.setattr(link, "sign_in", lambda server: asked.append(("in", server)))
    monkeypatch.setattr(link, "cancel_sign_in", lambda server: asked.append(("cancel", server)))
    monkeypatch.setattr(link, "sign_out", lambda server: asked.append(("out", server)))
    window.go(RowKey(Kind.SERVER, "Notion"))
    page = window.pages.server_page
    assert page.state_box.button.text() == "Sign in"
    page.state_box.button.click()
    assert asked == [("in", "Notion")]
    link.sign_in_progress.emit("Notion", "begun", "", None)
    link.sign_in_progress.emit("Notion", "in-browser", "https://notion.example/authorize?state=1", None)
    qtbot.waitUntil(lambda: texts(page.access) == ["Sign in on the page that has opened in your browser."])
    press(page.access, "Open the page again")
    assert opened == ["https://notion.example/authorize?state=1"] * 2
    press(page.access, "Cancel")
    assert asked[-1] == ("cancel", "Notion")
    refused = Problem(Code.SIGN_IN_REFUSED, {"server": "Notion", "reason": "you said no"})
    link.sign_in_progress.emit("Notion", "failed", "", refused)
    qtbot.waitUntil(lambda: texts(page.access) == ["Signing in to Notion was refused: you said no."])
    press(page.access, "Sign in")
    link.secrets.write("Notion", "signed in", "{}")
    link.sign_in_progress.emit("Notion", "done", "", None)
    qtbot.waitUntil(lambda: texts(page.access) == ["You are signed in."])
    press(page.access, "Sign out")
    assert asked[-1] == ("out", "Notion")
