"""Fixtures of the window's tests: the sample library on disk, and a window on it."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from tests.desktop import sample
from toolnote_desktop.desktop import async_tasks
from toolnote_desktop.desktop.models.library_rows import Kind, RowKey
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.theme.theme import Theme
from toolnote_desktop.desktop.tool_page.note_card import NoteCard
from toolnote_desktop.desktop.window.window import MainWindow
from toolnote_desktop.paths import Home
from toolnote_desktop.store.library import Library

TASK_GRACE_SECONDS = 5.0


@pytest.fixture(scope="session")
def qt_event_loop(qapp: QApplication) -> Iterator[asyncio.AbstractEventLoop]:
    """The window's event loop, which pytest-qt runs whenever it runs Qt's."""
    loop = async_tasks.new_event_loop(qapp, already_running=True)
    loop.set_exception_handler(_raise_uncaught)
    asyncio._set_running_loop(None)
    yield loop
    loop.stop()
    loop.close()


@pytest.fixture(autouse=True)
def running_event_loop(request: pytest.FixtureRequest) -> Iterator[None]:
    """Run the loop's coroutines in tests with an application; fail a test that leaves one behind."""
    if "qapp" not in request.fixturenames:
        yield
        return
    loop: asyncio.AbstractEventLoop = request.getfixturevalue("qt_event_loop")
    asyncio._set_running_loop(loop)
    try:
        yield
        deadline = time.monotonic() + TASK_GRACE_SECONDS
        while (left := async_tasks.running_tasks()) and time.monotonic() < deadline:
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
            QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents, 20)
        for task in left:
            task.cancel()
        assert not left, f"coroutines left behind: {left}"
    finally:
        asyncio._set_running_loop(None)


def _raise_uncaught(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Hand an exception to pytest-qt, which fails the test."""
    error = context.get("exception") or RuntimeError(context["message"])
    sys.excepthook(type(error), error, error.__traceback__)


@pytest.fixture
def library(home: Home) -> Iterator[Library]:
    """The sample, in files, and what its tool sources offer."""
    with sample.open_library(home) as library:
        yield library


@pytest.fixture
def empty_library(home: Home) -> Iterator[Library]:
    """A new library that does not watch its files."""
    with Library.open(home, watch=False) as library:
        yield library


@pytest.fixture
def plain_window(qtbot: QtBot) -> QWidget:
    """A window without content that is not shown, as parent of dialogs."""
    window = QWidget()
    qtbot.addWidget(window)
    return window


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
    theme.hints.contrastPreferenceChanged.disconnect(theme.apply)
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
    return window.pages.tool_page.notes.cards
