"""Web pages that tool sources ask for, offered in the window: a real server, and clients that cannot show pages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from pytestqt.qtbot import QtBot

from tests.desktop.helpers import click
from tests.proxy.live import Live, live_call
from tests.proxy.raw_client import RawClient
from tests.proxy.running import raw_server
from toolnote_desktop.desktop.dialogs.page_offer import PageOffer
from toolnote_desktop.desktop.home.page import NeedRow
from toolnote_desktop.desktop.models.library_rows import HOME
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.theme.theme import Theme
from toolnote_desktop.desktop.window.dialog_opener import DialogOpener
from toolnote_desktop.desktop.window.page_offers import PageOffers
from toolnote_desktop.desktop.window.window import MainWindow
from toolnote_desktop.model.edits import (
    SERVER_ENTRIES,
    SERVERS,
    SETTINGS,
    AddEntry,
    CreateDocument,
    SetFields,
    toolset_document,
)
from toolnote_desktop.paths import Home
from toolnote_desktop.store.library import Library

URL = "https://example.org/sign-in?next=" + "x" * 300 + "#end"


@pytest.fixture
def library(empty_library: Library) -> Library:
    tools = [{"name": "ask", "inputSchema": {"type": "object"}}]
    entry = {**raw_server(tools=tools, name="Bank"), "toolnote": {"toolset": "work", "prefix": ""}}
    empty_library.submit(
        CreateDocument(toolset_document("work"), {"name": "work", "title": "Work", "tools": []}),
        SetFields(SETTINGS, {"equippedToolset": "work", "port": 0}),
        AddEntry(SERVERS, SERVER_ENTRIES, "Bank", entry),
    )
    return empty_library


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Addresses that the browser got."""
    found: list[str] = []

    def open_url(url: QUrl) -> bool:
        found.append(url.toString(QUrl.ComponentFormattingOption.FullyEncoded))
        return True

    monkeypatch.setattr(QDesktopServices, "openUrl", open_url)
    return found


@pytest.fixture
def announced() -> list[str]:
    """Texts that are shown outside the window."""
    return []


@pytest.fixture
def window(
    qtbot: QtBot, light_theme: Theme, library: Library, link: ProxyLink, home: Home, announced: list[str]
) -> Iterator[MainWindow]:
    window = MainWindow(library, link)
    dialogs = DialogOpener(window, library, link, home, lambda: None)
    PageOffers(window, dialogs, link, library, announced.append)
    window.resize(1360, 840)
    window.show()
    link.start()
    qtbot.waitUntil(lambda: link.endpoint is not None and "Bank" in ready(library), timeout=20_000)
    yield window
    dialogs.close()
    window.close()
    window.deleteLater()


def ready(library: Library) -> list[str]:
    """Servers whose tools are in the toolset."""
    return [
        one.namespaced_name.partition(".")[0] for one in library.snapshot.toolsets["work"].tools if one.namespaced_name
    ]


def call(link: ProxyLink, capabilities: dict[str, Any] | None = None) -> Live:
    """A call of a client without the capability, in which the server asks for a page."""
    assert link.endpoint is not None
    client = RawClient(link.endpoint.url, link.endpoint.token)
    client.initialize(capabilities or {}, version="2025-11-25")
    params = {"mode": "url", "message": "Sign in at the bank.", "elicitationId": "e-1", "url": URL}
    return live_call(client, "ask", {"method": "elicitation/create", "params": params})


def offered(qtbot: QtBot, window: MainWindow) -> PageOffer:
    """The dialog, opened from *Needs you*."""
    window.go(HOME)

    def rows() -> list[NeedRow]:
        found = (row for row in window.pages.home_page.need_rows if row.button.isVisible())
        return [row for row in found if row.need.text == "Bank asks you to open a web page"]

    qtbot.waitUntil(lambda: bool(rows()), timeout=10_000)
    assert window.findChild(PageOffer) is None, "nothing opens by itself"
    click(rows()[0].button)
    dialog = window.findChild(PageOffer)
    assert isinstance(dialog, PageOffer)
    return dialog


def test_the_page_opens_by_a_press_and_the_server_goes_on(
    qtbot: QtBot, window: MainWindow, link: ProxyLink, opened: list[str]
) -> None:
    """Seen red: with ``has_window`` left out of ``ProxyLink.start``."""
    waiting = call(link)
    dialog = offered(qtbot, window)
    assert dialog.address.text() == URL
    assert dialog.address.height() >= dialog.address.heightForWidth(dialog.address.width()), "shown in full"
    assert dialog.message.text() == "Sign in at the bank."
    assert opened == []
    click(dialog.open_button)
    assert opened == [URL]
    assert '"accept"' in waiting.result()["content"][0]["text"]
    assert all("web page" not in one.need.text for one in window.pages.home_page.need_rows)


def test_it_is_refused_or_dismissed(qtbot: QtBot, window: MainWindow, link: ProxyLink, opened: list[str]) -> None:
    for press, action in (("refuse", "decline"), ("escape", "cancel")):
        waiting = call(link)
        dialog = offered(qtbot, window)
        if press == "refuse":
            click(dialog.refuse_button)
        else:
            dialog.reject()
        assert f'"{action}"' in waiting.result()["content"][0]["text"]
        qtbot.waitUntil(lambda: window.findChild(PageOffer) is None)
    assert opened == []


def test_it_leaves_with_its_call(qtbot: QtBot, window: MainWindow, link: ProxyLink, announced: list[str]) -> None:
    window.hide()
    waiting = call(link)
    qtbot.waitUntil(lambda: announced == ["Bank asks you to open a web page"])
    window.show()
    offered(qtbot, window)
    link.restart_server("Bank")
    waiting.answer()
    qtbot.waitUntil(lambda: window.findChild(PageOffer) is None, timeout=10_000)
    qtbot.waitUntil(lambda: all("web page" not in one.need.text for one in window.pages.home_page.need_rows))
