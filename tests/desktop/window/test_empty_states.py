"""Where nothing is yet, the window says what goes there, and one press, or Enter, is the way to have it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.desktop import sample
from tests.desktop.drags import drag
from tests.desktop.window.test_window import click_row
from toolnote_desktop.desktop.models.drag_data import rows_data
from toolnote_desktop.desktop.models.library_rows import NEW_SOURCE, NEW_TOOLSET, Kind, RowKey
from toolnote_desktop.desktop.window.window import MainWindow
from toolnote_desktop.model.edits import SERVER_ENTRIES, SERVERS, AddEntry, CreateDocument, toolset_document
from toolnote_desktop.model.names import exposed_names
from toolnote_desktop.model.servers import ServerState, ServerStatus
from toolnote_desktop.model.tools.catalogue import Catalogue, ServerListing
from toolnote_desktop.paths import Home
from toolnote_desktop.store.library import Library

WEEK = RowKey(Kind.TOOLSET, "week")
pytestmark = pytest.mark.filterwarnings("ignore:Function. 'QDrag:DeprecationWarning")  # 6.11 has no other form


@pytest.fixture
def library(home: Home) -> Iterator[Library]:
    """Nothing in it."""
    with sample.open_library(home, "empty") as library:
        yield library


@pytest.fixture
def with_tools(qtbot: QtBot, window: MainWindow, library: Library) -> MainWindow:
    """Git with its tools, and a toolset without one."""
    library.submit(
        AddEntry(SERVERS, SERVER_ENTRIES, "Git", {"command": "uvx", "args": ["mcp-server-git"]}),
        CreateDocument(toolset_document("week"), {"name": "week", "title": "Week", "tools": []}),
    )
    publish(library, ServerStatus(ServerState.READY), tools=True)
    qtbot.waitUntil(lambda: window.library_pane.holds(RowKey(Kind.TOOL, "Git", "git_status")))
    return window


def publish(library: Library, status: ServerStatus, *, tools: bool) -> None:
    """What Git offers, and how it is."""
    known = sample.known_tools("Git") if tools else ()
    names = exposed_names([one.tool.key for one in known], {})
    library.publish_catalogue(Catalogue({"Git": ServerListing(status, known)}, names))


def names(library: Library) -> list[str]:
    return [str(one.namespaced_name) for one in library.snapshot.toolsets["week"].tools]


def test_the_row_where_no_toolset_is_makes_one(qtbot: QtBot, window: MainWindow, library: Library) -> None:
    pane = window.library_pane
    click_row(qtbot, pane.view, NEW_TOOLSET)
    (name,) = library.snapshot.toolsets
    assert pane.selected == RowKey(Kind.TOOLSET, name)
    assert window.notes_pane.toolset_page.title_field.hasFocus()
    assert not pane.holds(NEW_TOOLSET)
    window.undo()
    assert pane.holds(NEW_TOOLSET)


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Space])
def test_the_row_where_no_tool_source_is_leads_to_some_by_keys(window: MainWindow, key: Qt.Key) -> None:
    asked: list[str] = []
    window.add_tools_requested.connect(lambda: asked.append("tools"))
    view = window.library_pane.view
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Home)
    while view.current_key() != NEW_SOURCE:
        before = view.current_key()
        QTest.keyClick(view, Qt.Key.Key_Down)
        assert view.current_key() != before
    QTest.keyClick(view, key)
    assert asked == ["tools"]
    assert window.library_pane.selected is None


def test_the_row_of_an_empty_toolset_leads_to_where_tools_are_put_in(
    qtbot: QtBot, with_tools: MainWindow, library: Library
) -> None:
    window = with_tools
    window.library_pane.view.open_keys({WEEK})
    click_row(qtbot, window.library_pane.view, RowKey(Kind.WAY, "toolset", "week"))
    assert window.library_pane.selected == WEEK
    assert window.library_pane.view.current_key() == WEEK
    page = window.notes_pane.toolset_page
    assert page.first is not None
    assert page.first.isVisible()
    QTest.mouseClick(page.first.buttons["Git"], Qt.MouseButton.LeftButton)
    assert names(library) == [one.tool.namespaced_name for one in sample.known_tools("Git")]
    qtbot.waitUntil(lambda: not page.first.isVisible() if page.first is not None else False)
    assert page.list.isVisible()
    window.undo()
    qtbot.waitUntil(page.first.isVisible)


def test_a_tool_is_looked_for_from_an_empty_toolset(with_tools: MainWindow) -> None:
    with_tools.go(WEEK)
    page = with_tools.notes_pane.toolset_page
    assert page.first is not None
    QTest.mouseClick(page.first.find_button, Qt.MouseButton.LeftButton)
    palette = with_tools.command_palette.palette
    assert palette is not None
    QTest.keyClicks(palette.field, "git status")
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert with_tools.library_pane.selected == RowKey(Kind.TOOL, "Git", "git_status")


def test_tool_search_offers_tools_only(qtbot: QtBot, with_tools: MainWindow) -> None:
    with_tools.go(None)
    QTest.mouseClick(with_tools.preview_pane.find_tool, Qt.MouseButton.LeftButton)
    palette = with_tools.command_palette.palette
    assert palette is not None
    offered = [palette.model.entry_at(palette.model.index(row)) for row in range(palette.model.rowCount())]
    assert {one.second for one in offered if one is not None} == {"Git"}
    assert len(offered) == len(sample.known_tools("Git"))
    palette.close()


def test_a_tool_is_dropped_where_a_toolset_has_none(with_tools: MainWindow, library: Library) -> None:
    view = with_tools.library_pane.view
    view.open_keys({WEEK})
    index = view.model().find(RowKey(Kind.WAY, "toolset", "week"))  # type: ignore[attr-defined]
    dragged = rows_data([RowKey(Kind.TOOL, "Git", "git_add")])
    assert drag(view, dragged, QPoint(100, view.visualRect(index).center().y()))
    assert names(library) == ["Git.git_add"]


def test_an_assistant_is_connected_from_a_toolset_that_nobody_uses(with_tools: MainWindow) -> None:
    asked: list[str] = []
    with_tools.connect_requested.connect(asked.append)
    with_tools.go(WEEK)
    button = with_tools.notes_pane.toolset_page.users.connect_button
    assert button is not None
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert asked == [""]


@pytest.mark.parametrize(
    ("state", "said", "sentence"),
    [
        (ServerState.READY, "It has offered no tools so far.", "Your tool sources have no tools yet."),
        (ServerState.STARTING, "Its tools show here as soon as it answers.", "Your tool sources are starting."),
        (ServerState.FAILED, "No tools yet: above is what it waits for.", "Your tool sources have no tools yet."),
    ],
)
def test_a_source_without_tools_says_why(
    qtbot: QtBot, window: MainWindow, library: Library, state: ServerState, said: str, sentence: str
) -> None:
    library.submit(AddEntry(SERVERS, SERVER_ENTRIES, "Git", {"command": "uvx"}))
    publish(library, ServerStatus(state), tools=False)
    git = RowKey(Kind.SERVER, "Git")
    way = RowKey(Kind.WAY, "server", "Git")
    qtbot.waitUntil(lambda: window.notes_pane.empty_page.sentence.text() == sentence)
    assert window.library_pane.holds(way)
    window.library_pane.view.open_keys({git})
    click_row(qtbot, window.library_pane.view, way)
    assert window.library_pane.selected == git
    assert window.notes_pane.server_page.offers.text().startswith(said)
    assert window.notes_pane.server_page.restart_button.isVisible() or window.notes_pane.server_page.notices[0].action


def test_page_without_tools_leads_to_a_source(qtbot: QtBot, window: MainWindow, library: Library) -> None:
    library.submit(AddEntry(SERVERS, SERVER_ENTRIES, "Git", {"command": "uvx"}))
    publish(library, ServerStatus(ServerState.FAILED), tools=False)
    page = window.notes_pane.empty_page
    qtbot.waitUntil(lambda: page.button.text() == "Look at Git")
    QTest.mouseClick(page.button, Qt.MouseButton.LeftButton)
    assert window.library_pane.selected == RowKey(Kind.SERVER, "Git")
