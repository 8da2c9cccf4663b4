"""Home: the state as its title, what needs the user, the assistants with their toolsets, the calls of a week."""

from __future__ import annotations

import time
from datetime import date, timedelta

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication
from pytestqt.qtbot import QtBot

from tests.desktop import sample
from tests.desktop.helpers import click
from toolnote_desktop.desktop.home.page import Activity, HomePage
from toolnote_desktop.desktop.models.library_rows import ACTIVITY, HOME, Kind, RowKey
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.window.home_activity import HomeActivity
from toolnote_desktop.desktop.window.window import MainWindow
from toolnote_desktop.model.edits import CLIENT_ENTRIES, CLIENTS, RemoveEntry
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.servers import ServerState, ServerStatus
from toolnote_desktop.model.toolsets.notes import EverywhereNotes
from toolnote_desktop.paths import Home as Paths
from toolnote_desktop.store.activity import ActivityLog
from toolnote_desktop.store.activity_database import Call
from toolnote_desktop.store.activity_queries import Day
from toolnote_desktop.store.library import Library

TODAY = date(2026, 5, 12)


@pytest.fixture
def page(window: MainWindow) -> HomePage:
    window.go(HOME)
    return window.pages.home_page


def test_the_title_is_the_state(page: HomePage) -> None:
    assert page.title.text() == "3 assistants read your 7 notes"
    assert page.second.text() == "56 tools from 9 tool sources"
    assert not page.first_button.isVisible()


def test_with_assistants_and_no_note_it_leads_to_the_first_one(page: HomePage, window: MainWindow) -> None:
    """It said “3 assistants read your 0 notes”."""
    bare = {name: replace(one, notes=()) for name, one in window.snapshot.toolsets.items()}
    page.show_state(replace(window.snapshot, notes=EverywhereNotes(), toolsets=bare), window._assistants(), ())
    assert page.title.text() == "You haven’t written a note yet"
    click(page.first_button)
    assert window.place is not None
    assert window.place.kind is Kind.TOOL


def test_what_needs_the_user_is_counted_in_the_sidebar_and_leaves_when_solved(
    qtbot: QtBot, window: MainWindow, page: HomePage, library: Library
) -> None:
    shown = [row.text.text() for row in page.need_rows]
    assert shown[0] == "Postgres couldn’t start"
    assert len(shown) == len(window.needs) == 4
    index = window.sidebar.view.model().find(HOME)  # type: ignore[attr-defined]
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "Home, 4 need you"
    calm = {server: ServerStatus(ServerState.READY) for server in library.snapshot.servers}
    library.publish_catalogue(sample.catalogue(calm))
    qtbot.waitUntil(lambda: len(page.need_rows) == 2)
    assert page.needs_box.isVisible()


def test_with_nothing_wrong_there_is_no_needs_you(page: HomePage, window: MainWindow) -> None:
    page.show_state(window.snapshot, [], ())
    assert not page.needs_heading.isVisible()
    assert not page.needs_box.isVisible()


def test_the_button_of_a_need_leads_to_it(window: MainWindow, page: HomePage) -> None:
    QTest.mouseClick(page.need_rows[0].button, Qt.MouseButton.LeftButton)
    assert window.place == RowKey(Kind.SERVER, "Postgres")


def test_paused_notes_are_resumed_here(qtbot: QtBot, window: MainWindow, page: HomePage) -> None:
    window.menu.pause_notes.trigger()
    qtbot.waitUntil(lambda: any(row.text.text() == "Your notes are paused" for row in page.need_rows))
    row = next(row for row in page.need_rows if row.text.text() == "Your notes are paused")
    QTest.mouseClick(row.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not window.snapshot.settings.notes_paused)
    qtbot.waitUntil(lambda: not window.menu.pause_notes.isChecked())


def test_the_focus_stays_among_the_needs_when_one_of_them_leaves(window: MainWindow, page: HomePage) -> None:
    page.need_rows[0].button.setFocus()
    page.show_state(window.snapshot, [], window.needs[1:])
    assert page.need_rows[0].button.hasFocus()
    page.show_state(window.snapshot, [], ())
    assert page.connect_button.hasFocus()


def test_an_endpoint_that_fails_says_why_and_the_foot_says_it_too(window: MainWindow, link: ProxyLink) -> None:
    window.go(HOME)
    link.proxy_failed.emit(Problem(Code.PORT_TAKEN, {"port": "8377", "other": "-"}))
    (first, *_) = window.pages.home_page.need_rows
    assert first.text.text() == "Assistants can’t reach Toolnote"
    assert "port 8377" in first.reason.text()
    assert window.sidebar.state_button.text() == "Toolnote is off"


def test_a_card_opens_its_assistant_and_its_toolset(window: MainWindow, page: HomePage) -> None:
    assert [card.assistant_part.accessibleName() for card in page.cards] == [
        "Claude Desktop, Set up",
        "Cursor, Set up",
        "VS Code, Set up",
    ]
    QTest.mouseClick(page.cards[1].assistant_part, Qt.MouseButton.LeftButton)
    assert window.place == RowKey(Kind.ASSISTANT, "cursor")
    assert window.sidebar.view.selected_keys() == [RowKey(Kind.ASSISTANT, "cursor")]
    window.navigator.back()
    QTest.mouseClick(page.cards[1].toolset_part, Qt.MouseButton.LeftButton)
    assert window.place == RowKey(Kind.TOOLSET, "my-tools")


def test_cards_are_arranged_by_the_width(window: MainWindow, page: HomePage) -> None:
    rows = set()
    for width in (1360, 960, 660):
        window.resize(width, 840)
        QApplication.processEvents()
        rows.add((width, len({card.y() for card in page.cards})))
    assert rows == {(1360, 1), (960, 2), (660, 2)}


def test_calls_of_a_week_are_bars_that_open_their_day(window: MainWindow, page: HomePage) -> None:
    assert page.no_calls.isVisible()
    assert not page.chart.isVisible()
    days = [Day(TODAY - timedelta(days=6 - number), number * 10, number) for number in range(7)]
    page.show_activity(Activity(tuple(days), {"cursor": 0.0}), TODAY)
    assert page.chart.isVisible()
    assert not page.no_calls.isVisible()
    assert page.cards[1].assistant_part.second.startswith("Set up · last call ")
    asked: list[date] = []
    page.day_requested.connect(asked.append)
    bars = page.chart.findChildren(QAbstractButton)
    assert bars[6].accessibleName() == "Today, 60 calls, 6 failed"
    QTest.mouseClick(bars[2], Qt.MouseButton.LeftButton)
    assert asked == [TODAY - timedelta(days=4)]
    assert window.place == ACTIVITY


def test_without_an_assistant_one_is_to_be_connected(qtbot: QtBot, window: MainWindow, library: Library) -> None:
    window.go(HOME)
    page = window.pages.home_page
    for client in list(library.snapshot.clients):
        library.submit(RemoveEntry(CLIENTS, CLIENT_ENTRIES, client))
    qtbot.waitUntil(lambda: page.title.text() == "No assistant reads your notes yet")
    asked: list[str] = []
    window.connect_requested.connect(asked.append)
    QTest.mouseClick(page.first_button, Qt.MouseButton.LeftButton)
    assert asked == [""]


def test_the_log_is_read_while_home_is_shown(qtbot: QtBot, window: MainWindow, link: ProxyLink, home: Paths) -> None:
    log = ActivityLog(home)
    log.record_call(Call(time.time(), "cursor", "Git", "git_log", 0.1))
    log.close()
    activity = HomeActivity(window, link, home)
    page = window.pages.home_page
    qtbot.waitUntil(page.chart.isVisible)
    assert page.cards[1].assistant_part.second == "Set up · last call now"
    window.go(RowKey(Kind.SERVER, "Git"))
    log = ActivityLog(home)
    log.record_call(Call(time.time(), "cursor", "Git", "git_log", 0.1))
    log.close()
    assert page.chart.days[-1].calls == 1
    window.go(HOME)
    qtbot.waitUntil(lambda: page.chart.days[-1].calls == 2)
    activity.stop()
