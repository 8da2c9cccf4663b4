"""Fixtures of the window's tests: the sample library on disk, and a window on it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.desktop import sample
from toolnote_desktop.desktop.models.library_rows import Kind, RowKey
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.theme.theme import Theme
from toolnote_desktop.desktop.tool_page.note_card import NoteCard
from toolnote_desktop.desktop.window.window import MainWindow
from toolnote_desktop.paths import Home
from toolnote_desktop.store.library import Library


@pytest.fixture
def library(home: Home) -> Iterator[Library]:
    """The sample, in files, and what its tool sources offer."""
    with sample.open_library(home) as library:
        yield library


@pytest.fixture
def link(qtbot: QtBot, library: Library, home: Home) -> Iterator[ProxyLink]:
    """A link whose proxy is not started."""
    link = ProxyLink(library, home)
    yield link
    link.stop()


@pytest.fixture
def light_theme(qapp: QApplication) -> Iterator[Theme]:
    """The application in the light theme; as it was, afterwards."""
    font, palette, sheet = qapp.font(), qapp.palette(), qapp.styleSheet()
    theme = Theme(qapp, "light")
    yield theme
    qapp.styleHints().colorSchemeChanged.disconnect(theme.apply)
    theme._hints.contrastPreferenceChanged.disconnect(theme.apply)
    theme.deleteLater()
    qapp.setStyleSheet(sheet)
    qapp.setPalette(palette)
    qapp.setFont(font)


@pytest.fixture
def window(qtbot: QtBot, light_theme: Theme, library: Library, link: ProxyLink) -> Iterator[MainWindow]:
    """The window on the sample, shown and active."""
    window = MainWindow(library, link)
    window.resize(1360, 840)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    yield window
    window.close()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@pytest.fixture
def cards(window: MainWindow) -> tuple[NoteCard, ...]:
    """team-selection (in every toolset), label-convention and urgent-means-one: the cards of Linear's create_issue."""
    window.go(RowKey(Kind.TOOL, "Linear", "create_issue"))
    return window.notes_pane.tool_page.notes.cards
