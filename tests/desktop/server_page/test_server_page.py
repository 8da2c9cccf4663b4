"""A tool source's page: each state in words with one button that helps, and its log, live, however long."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QObject, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.desktop import sample
from toolnote_desktop.desktop.models.library_rows import Kind, RowKey
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.server_page.log_view import MOST_LINES, ServerLogView
from toolnote_desktop.desktop.server_page.page import ServerPage
from toolnote_desktop.desktop.server_page.state_texts import NextStep, state_text
from toolnote_desktop.desktop.window.window import MainWindow
from toolnote_desktop.model.edits import OWN_KEY, SERVER_ENTRIES, SERVERS, SetEntryFields
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.servers import ServerState, ServerStatus
from toolnote_desktop.model.tools.catalogue import ServerListing
from toolnote_desktop.store.library import Library

GIT = RowKey(Kind.SERVER, "Git")


@pytest.fixture
def page(window: MainWindow) -> ServerPage:
    """The page of Git."""
    window.edit_server_requested.connect(window.setWindowTitle)
    window.go(GIT)
    return window.pages.server_page


def is_now(qtbot: QtBot, window: MainWindow, library: Library, status: ServerStatus) -> None:
    """Git's state is another now, and its page has heard of it."""
    heard = window.pages.server_page.notices
    calm = {server: ServerStatus(ServerState.READY) for server in library.snapshot.servers}
    library.publish_catalogue(sample.catalogue({**calm, "Git": status}))
    qtbot.waitUntil(lambda: window.pages.server_page.notices != heard)


@pytest.mark.parametrize("state", list(ServerState), ids=str)
def test_source_states_have_words_and_one_next_step(qapp: QApplication, state: ServerState) -> None:
    said = state_text(ServerListing(ServerStatus(state)))
    assert said.text.endswith(".")
    assert bool(said.action) == (said.step is not NextStep.NONE)
    assert (said.step is NextStep.NONE) == (state is ServerState.READY)


def test_a_source_that_was_shown_when_toolnote_was_quit_can_be_edited_at_once(
    window: MainWindow, library: Library, link: ProxyLink
) -> None:
    window.go(GIT)
    window.close()
    window = MainWindow(library, link)
    window.show()
    asked: list[str] = []
    window.edit_server_requested.connect(asked.append)  # as the dialogs do, once the window has been painted
    page = window.pages.server_page
    assert window.place == GIT
    assert page.edit_button.isVisible()
    QTest.mouseClick(page.edit_button, Qt.MouseButton.LeftButton)
    assert asked == ["Git"]
    window.close()
    window.deleteLater()


def test_a_source_that_starts_shows_what_it_reports(
    qtbot: QtBot, window: MainWindow, library: Library, page: ServerPage
) -> None:
    is_now(qtbot, window, library, ServerStatus(ServerState.STARTING))
    press(page)
    assert page.log.box.isVisible()
    assert page.log.text.toPlainText() == "The log is empty."
    window.go(RowKey(Kind.SERVER, "Linear"))
    assert not page.log.box.isVisible()


def test_a_source_that_failed_is_started_again_with_its_log(
    qtbot: QtBot, window: MainWindow, library: Library, page: ServerPage
) -> None:
    is_now(qtbot, window, library, ServerStatus(ServerState.FAILED))
    asked: list[str] = []
    page.restart_requested.connect(asked.append)
    press(page)
    assert asked == ["Git"]
    assert page.log.box.isVisible()


def test_a_value_that_is_missing_is_given_where_it_is_edited(
    qtbot: QtBot, window: MainWindow, library: Library, page: ServerPage
) -> None:
    problem = Problem(Code.VALUE_MISSING, {"server": "Git", "variable": "TOKEN"})
    is_now(qtbot, window, library, ServerStatus(ServerState.NEEDS_VALUE, problem))
    press(page)
    assert window.windowTitle() == "Git"


class Browser(QObject):
    """Takes the addresses that would be opened."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []

    @Slot(QUrl)
    def open(self, url: QUrl) -> None:
        self.opened.append(url.toString())


@pytest.fixture
def browser(qapp: QApplication) -> Iterator[Browser]:
    made = Browser()
    QDesktopServices.setUrlHandler("https", made, "open")  # type: ignore[arg-type]  # the stubs want bytes
    yield made
    QDesktopServices.unsetUrlHandler("https")


@pytest.mark.parametrize(("program", "host"), [("npx", "nodejs.org"), ("uvx.exe", "docs.astral.sh")])
def test_a_program_that_is_missing_is_led_to(
    qtbot: QtBot, window: MainWindow, library: Library, page: ServerPage, browser: Browser, program: str, host: str
) -> None:
    problem = Problem(Code.PROGRAM_MISSING, {"server": "Git", "program": program, "path": "/usr/bin"})
    is_now(qtbot, window, library, ServerStatus(ServerState.NEEDS_PROGRAM, problem))
    press(page)
    assert [QUrl(url).host() for url in browser.opened] == [host]


def test_a_source_that_is_off_is_switched_on(
    qtbot: QtBot, window: MainWindow, library: Library, page: ServerPage
) -> None:
    window.actions_.switch_server("Git", on=False)
    is_now(qtbot, window, library, ServerStatus(ServerState.DISABLED))
    press(page)
    assert not library.snapshot.servers["Git"].disabled


def test_variables_that_a_failed_start_went_without_are_passed_on(
    qtbot: QtBot, window: MainWindow, library: Library, page: ServerPage
) -> None:
    """Issue 15, line 6: named and offered where a start fails; what the entry has already stays."""
    library.submit(SetEntryFields(SERVERS, SERVER_ENTRIES, "Git", {OWN_KEY: {"prefix": "g", "inherit": ["DISPLAY"]}}))
    parameters = {"server": "Git", "status": "exit status 1", "stderr": "no agent", "withheld": "SSH_AUTH_SOCK, BUS"}
    is_now(qtbot, window, library, ServerStatus(ServerState.FAILED, Problem(Code.SERVER_EXITED, parameters)))
    offer = page.notices[1]
    assert "SSH_AUTH_SOCK, BUS" in offer.text
    assert offer.pressed is not None
    offer.pressed()
    options = library.snapshot.servers["Git"].toolnote
    assert (options.prefix, options.inherit) == ("g", ("DISPLAY", "SSH_AUTH_SOCK", "BUS"))
    window.undo()
    assert library.snapshot.servers["Git"].toolnote.inherit == ("DISPLAY",)


def test_a_copy_is_made_from_the_page(window: MainWindow, library: Library, page: ServerPage) -> None:
    QTest.mouseClick(page.duplicate_button, Qt.MouseButton.LeftButton)
    assert library.snapshot.servers["Git 2"].disabled
    assert window.place == RowKey(Kind.SERVER, "Git 2")


def press(page: ServerPage) -> None:
    """The button beside what is said of the state."""
    pressed = page.notices[0].pressed
    assert pressed is not None
    assert page.notices[0].action
    pressed()


# --- the log


@pytest.fixture
def log(qtbot: QtBot) -> Iterator[Callable[[list[str]], ServerLogView]]:
    """A log of these lines, open."""
    made: list[ServerLogView] = []

    def show(lines: list[str]) -> ServerLogView:
        view = ServerLogView(lambda _server: tuple(lines))
        made.append(view)
        view.resize(600, 400)
        view.show()
        view.show_server("Git")
        view.open_log()
        return view

    yield show
    for view in made:
        view.close_log()
        view.close()
        view.deleteLater()


def test_the_newest_lines_are_shown_however_many_there_are(log: Callable[[list[str]], ServerLogView]) -> None:
    lines = [f"line {number}" for number in range(100_000)]
    view = log(lines)
    shown = view.text.toPlainText().splitlines()
    assert len(shown) == MOST_LINES
    assert shown[-1] == "line 99999"
    lines.append("x" * 1_000_000)
    view.refresh()
    assert len(view.text.toPlainText()) < 20_000
    assert view.text.toPlainText().endswith("…")


def test_log_view_keeps_its_place_while_scrolled_up(log: Callable[[list[str]], ServerLogView]) -> None:
    lines = [f"line {number}" for number in range(200)]
    view = log(lines)
    bar = view.text.verticalScrollBar()
    assert bar.value() == bar.maximum()
    bar.setValue(20)
    lines.append("more")
    view.refresh()
    assert bar.value() == 20
    bar.setValue(bar.maximum())
    lines.append("and more")
    view.refresh()
    assert bar.value() == bar.maximum()


def test_a_log_that_nobody_sees_asks_for_nothing(log: Callable[[list[str]], ServerLogView]) -> None:
    view = log(["one"])
    view.hide()
    view.refresh()
    assert view.text.toPlainText() == ""
