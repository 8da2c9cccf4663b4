"""A toolset's page: its tools are moved by dragging and by keys, and assistants are given it in one click."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.desktop.drags import drag
from tests.desktop.sidebar.test_row_actions import order
from toolnote_desktop.desktop.models.drag_data import rows_data
from toolnote_desktop.desktop.models.library_rows import Kind, RowKey
from toolnote_desktop.desktop.toolset_page.page import ToolsetPage
from toolnote_desktop.desktop.window.window import MainWindow
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.proxy.routing.toolset_choice import ToolsetSelector
from toolnote_desktop.store.library import Library

PLANNING = RowKey(Kind.TOOLSET, "planning-week")
pytestmark = pytest.mark.filterwarnings("ignore:Function. 'QDrag:DeprecationWarning")  # 6.11 has no other form


@pytest.fixture
def page(window: MainWindow) -> ToolsetPage:
    """The page of Planning week."""
    window.go(PLANNING)
    return window.pages.toolset_page


def own(library: Library, client: str) -> str | None:
    """The toolset that an assistant has of its own."""
    return library.snapshot.clients[client].toolset


def at(page: ToolsetPage, row: int, below: bool = False) -> QPoint:
    """In the upper half of a row, or in its lower."""
    place = page.list.visualRect(page.model.index(row))
    return QPoint(60, place.bottom() - 3 if below else place.top() + 3)


def test_tools_are_moved_by_dragging(window: MainWindow, page: ToolsetPage, library: Library) -> None:
    before = order(library, "planning-week")
    page.list.setCurrentIndex(page.model.index(0))
    data = page.model.mimeData(page.list.selectionModel().selectedIndexes())
    assert drag(page.list, data, at(page, 2, below=True))
    assert order(library, "planning-week") == [*before[1:3], before[0], *before[3:]]
    window.undo()
    assert order(library, "planning-week") == before


def test_tools_of_a_source_are_dragged_into_the_list(window: MainWindow, page: ToolsetPage, library: Library) -> None:
    data = rows_data([RowKey(Kind.TOOL, "Slack", "post_message"), RowKey(Kind.TOOL, "Slack", "get_thread")])
    assert drag(page.list, data, at(page, 1))
    assert order(library, "planning-week")[:4] == ["create_issue", "post_message", "get_thread", "search_projects"]
    window.undo()
    assert "post_message" not in order(library, "planning-week")


def test_keys_move_what_is_chosen(qtbot: QtBot, window: MainWindow, page: ToolsetPage, library: Library) -> None:
    before = order(library, "planning-week")
    page.list.setFocus()
    page.list.setCurrentIndex(page.model.index(1))
    QTest.keyClick(page.list, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(page.list, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert order(library, "planning-week") == [before[0], before[3], before[1], before[2], *before[4:]]
    qtbot.waitUntil(lambda: page.model.index(1).data() == "List teams")


def test_an_assistant_is_given_a_toolset_in_one_click(
    qtbot: QtBot, window: MainWindow, page: ToolsetPage, library: Library
) -> None:
    chips = page.users.chips
    assert list(chips) == ["claude-desktop", "cursor", "vscode"]
    QTest.mouseClick(chips["cursor"], Qt.MouseButton.LeftButton)
    assert own(library, "cursor") == "planning-week"
    assert library.snapshot.clients["cursor"].toolset_assigned
    qtbot.waitUntil(chips["cursor"].isChecked)
    QTest.keyClick(chips["cursor"], Qt.Key.Key_Space)
    assert own(library, "cursor") is None
    window.undo()
    assert own(library, "cursor") == "planning-week"


def test_toolset_users_are_shown(qtbot: QtBot, window: MainWindow, page: ToolsetPage, library: Library) -> None:
    assert page.users.sentence.text().startswith("Click an assistant")
    window.actions_.give_toolset("vscode", "release-day")
    window.go(RowKey(Kind.TOOLSET, "my-tools"))
    assert page.users.sentence.text() == "Claude Desktop and Cursor use it by default."
    window.go(RowKey(Kind.TOOLSET, "release-day"))
    assert page.users.chips["vscode"].isChecked()


def test_a_switch_by_an_assistant_is_shown_with_undo(
    qtbot: QtBot, window: MainWindow, page: ToolsetPage, library: Library
) -> None:
    ToolsetSelector(library).choose(Principal("cursor"), "planning-week")
    qtbot.waitUntil(window.toast.isVisible)
    assert window.toast.sentence.text() == "Cursor: it uses the toolset “Planning week” now"
    qtbot.waitUntil(page.users.chips["cursor"].isChecked)
    QTest.mouseClick(window.toast.action_button, Qt.MouseButton.LeftButton)
    assert own(library, "cursor") is None


def test_toolset_is_exported_from_its_page_and_its_menu(qtbot: QtBot, window: MainWindow, page: ToolsetPage) -> None:
    with qtbot.waitSignal(page.export_requested) as pressed:
        QTest.mouseClick(page.hand_on_button, Qt.MouseButton.LeftButton)
    assert pressed.args == ["planning-week"]
    assert window.row_menu.fill([RowKey(Kind.TOOLSET, "code-review")])
    entry = next(action for action in window.row_menu.menu.actions() if action.text() == "Share…")
    with qtbot.waitSignal(window.row_menu.export_requested) as chosen:
        entry.trigger()
    assert chosen.args == ["code-review"]


def test_toolset_page_shows_its_users_though_another_is_the_default(
    window: MainWindow, page: ToolsetPage, library: Library
) -> None:
    assert page.second.text() == "9 tools  ·  not in use"
    QTest.mouseClick(page.users.chips["cursor"], Qt.MouseButton.LeftButton)
    QTest.mouseClick(page.users.chips["vscode"], Qt.MouseButton.LeftButton)
    window.go(RowKey(Kind.TOOLSET, "planning-week"))
    assert page.second.text() == "9 tools  ·  used by Cursor and VS Code"
