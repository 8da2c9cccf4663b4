"""Activity shows what is recorded: calls by day, outcome, assistant and tool, and no control without effect."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from pytestqt.qtbot import QtBot

from toolnote_desktop.desktop.activity.page import ActivityPage, CallsTable
from toolnote_desktop.desktop.models.library_rows import ACTIVITY, Kind, RowKey
from toolnote_desktop.desktop.window.window import MainWindow
from toolnote_desktop.paths import Home
from toolnote_desktop.store.activity import ActivityLog
from toolnote_desktop.store.activity_database import Call
from toolnote_desktop.store.activity_queries import calls_by_day, times_of_last_calls

NOW = datetime.now(UTC).astimezone().replace(hour=12, minute=0, second=0)
YESTERDAY = NOW - timedelta(days=1)


def calls() -> tuple[Call, ...]:
    """Three of today and one of yesterday, the newest first."""
    return (
        Call(NOW.timestamp(), "claude-desktop", "Linear", "create_issue", 1.1),
        Call(NOW.timestamp() - 60, "cursor", "GitHub", "merge_pull_request", 0.8, "error"),
        Call(NOW.timestamp() - 120, "cursor", "Linear", "create_issue", 0.9),
        Call(YESTERDAY.timestamp(), "cursor", "Git", "git_log", 0.1),
    )


@pytest.fixture
def page(qtbot: QtBot, window: MainWindow) -> ActivityPage:
    window.go(ACTIVITY)
    page = window.pages.activity_page
    qtbot.waitUntil(lambda: not page._is_loading)
    return page


def shown(page: ActivityPage) -> list[tuple[str, ...]]:
    model = page.model
    return [
        tuple(str(model.index(row, column).data()) for column in range(1, model.columnCount()))
        for row in range(model.rowCount())
    ]


def test_nothing_recorded_yet_is_one_sentence_and_no_control(page: ActivityPage) -> None:
    assert page.nothing.text() == "No calls yet. They appear here when an assistant uses a tool."
    for control in (page.table, page.chart, page.outcomes, page.assistants, page.tools, page.period):
        assert not control.isVisible()


def test_calls_are_shown_by_name_the_newest_first(page: ActivityPage) -> None:
    page.show_calls(calls())
    assert page.second.text() == "4 calls, 1 failed"
    assert shown(page) == [
        ("Claude Desktop", "Create issue · Linear", "Worked", "1.1 s"),
        ("Cursor", "Merge pull request · GitHub", "Failed", "0.8 s"),
        ("Cursor", "Create issue · Linear", "Worked", "0.9 s"),
        ("Cursor", "Git log · Git", "Worked", "0.1 s"),
    ]
    assert [(day.calls, day.failed) for day in page.chart.days[-2:]] == [(1, 0), (3, 1)]


def test_chips_and_menus_filter_the_list(page: ActivityPage) -> None:
    page.show_calls(calls())
    QTest.mouseClick(page.outcomes.chips["failed"], Qt.MouseButton.LeftButton)
    assert [row[1] for row in shown(page)] == ["Merge pull request · GitHub"]
    page.assistants.choose("Claude Desktop")
    assert shown(page) == []
    assert page.nothing.text() == "No calls match these filters."
    QTest.mouseClick(page.outcomes.chips["all"], Qt.MouseButton.LeftButton)
    assert [row[0] for row in shown(page)] == ["Claude Desktop"]
    page.assistants.choose("all")
    page.tools.choose("Git log")
    assert [row[1] for row in shown(page)] == ["Git log · Git"]


def test_a_day_is_chosen_by_its_bar_or_from_the_menu(page: ActivityPage) -> None:
    page.show_calls(calls())
    page.chart.day_pressed.emit(YESTERDAY.date())
    assert [row[1] for row in shown(page)] == ["Git log · Git"]
    assert page.period.current == YESTERDAY.date()
    page.period.choose("all")
    assert len(shown(page)) == 4


def test_a_row_opens_its_tool(window: MainWindow, page: ActivityPage) -> None:
    page.show_calls(calls())
    page.table.activated.emit(page.model.index(1, 0))
    assert window.place == RowKey(Kind.TOOL, "GitHub", "merge_pull_request")


def test_the_log_is_read_when_the_page_is_shown(qtbot: QtBot, window: MainWindow, home: Home) -> None:
    log = ActivityLog(home)
    for call in reversed(calls()):
        log.record_call(call)
    log.close()
    window.go(ACTIVITY)
    qtbot.waitUntil(lambda: len(shown(window.pages.activity_page)) == 4)
    week = calls_by_day(home, NOW.date())
    assert [(day.calls, day.failed) for day in week[-2:]] == [(1, 0), (3, 1)]
    assert len(week) == 7
    assert times_of_last_calls(home) == {"claude-desktop": NOW.timestamp(), "cursor": NOW.timestamp() - 60}


def test_the_table_is_a_model(qtbot: QtBot) -> None:
    model = CallsTable()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.show_rows([])
    tester.deleteLater()
