"""The button of the window signs in for real: window, proxy thread, browser, authorization server, keychain."""

from __future__ import annotations

import threading
from collections.abc import Callable

import httpx2
import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from pytestqt.qtbot import QtBot

from tests.file_keyring import TestKeychain
from tests.proxy.oauth.authorization import oauth_server
from toolnote_desktop.desktop.models.library_rows import Kind, RowKey
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.window.window import MainWindow
from toolnote_desktop.model.edits import SERVER_ENTRIES, SERVERS, AddEntry, RemoveEntry
from toolnote_desktop.model.servers import ServerState
from toolnote_desktop.store.library import Library

PATIENCE = 30_000


def in_a_browser(url: QUrl) -> bool:
    """What the system does with an address: another program shows it."""

    def visit() -> None:
        with httpx2.Client(follow_redirects=True, trust_env=False) as browser:
            assert browser.get(url.toString()).status_code == 200

    threading.Thread(target=visit).start()
    return True


@pytest.mark.once
def test_the_button_signs_in(
    qtbot: QtBot,
    keychain: TestKeychain,
    window: MainWindow,
    library: Library,
    link: ProxyLink,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(QDesktopServices, "openUrl", in_a_browser)
    page = window.pages.server_page

    def is_in(*states: ServerState) -> Callable[[], bool]:
        def look() -> bool:
            listing = library.snapshot.catalogue.servers.get("a")
            return listing is not None and listing.status.state in states

        return look

    with oauth_server() as server:
        library.submit(
            *(RemoveEntry(SERVERS, SERVER_ENTRIES, known) for known in library.snapshot.servers),
            AddEntry(SERVERS, SERVER_ENTRIES, "a", server.entry),
        )
        link.start()
        qtbot.waitUntil(is_in(ServerState.NEEDS_SIGN_IN), timeout=PATIENCE)
        window.go(RowKey(Kind.SERVER, "a"))
        qtbot.waitUntil(lambda: page.state_box.button.text() == "Sign in", timeout=PATIENCE)
        page.state_box.button.click()
        qtbot.waitUntil(is_in(ServerState.READY), timeout=PATIENCE)
        qtbot.waitUntil(lambda: link.secrets.names("a") != {}, timeout=PATIENCE)
        link.sign_out("a")
        qtbot.waitUntil(is_in(ServerState.NEEDS_SIGN_IN), timeout=PATIENCE)
        assert server.seen["revoked"] == 1
        link.stop()
