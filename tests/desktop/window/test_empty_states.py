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
from toolnote_desktop.desktop.toolset_page.add_tools_dialog import AddToolsDialog
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
    qtbot.waitUntil(lambda: window.sidebar.holds(RowKey(Kind.ALL_TOOLS, "Git")))
    return window


def publish(library: Library, status: ServerStatus, *, tools: bool) -> None:
    """What Git offers, and how it is."""
    known = sample.known_tools("Git") if tools else ()
    names = exposed_names([one.tool.key for one in known], {})
    library.publish_catalogue(Catalogue({"Git": ServerListing(status, known)}, names))


def names(library: Library) -> list[str]:
    return [str(one.namespaced_name) for one in library.snapshot.toolsets["week"].tools]


def test_the_row_where_no_toolset_is_makes_one(qtbot: QtBot, window: MainWindow, library: Library) -> None:
    pane = window.sidebar
    click_row(qtbot, pane.view, NEW_TOOLSET)
    (name,) = library.snapshot.toolsets
    assert window.place == RowKey(Kind.TOOLSET, name)
    assert window.pages.toolset_page.title_field.hasFocus()
    assert not pane.holds(NEW_TOOLSET)
    window.undo()
    assert pane.holds(NEW_TOOLSET)


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Space])
def test_the_row_where_no_tool_source_is_leads_to_some_by_keys(window: MainWindow, key: Qt.Key) -> None:
    asked: list[str] = []
    window.add_tools_requested.connect(lambda: asked.append("tools"))
    view = window.sidebar.view
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Home)
    while view.current_key() != NEW_SOURCE:
        before = view.current_key()
        QTest.keyClick(view, Qt.Key.Key_Down)
        assert view.current_key() != before
    before_the_press = window.place
    QTest.keyClick(view, key)
    assert asked == ["tools"]
    assert window.place == before_the_press


def test_an_empty_toolset_offers_the_tools_of_all_sources(
    qtbot: QtBot, with_tools: MainWindow, library: Library
) -> None:
    window = with_tools
    click_row(qtbot, window.sidebar.view, WEEK)
    assert window.place == WEEK
    page = window.pages.toolset_page
    assert page.nothing.text() == "No tools in this toolset yet."
    QTest.mouseClick(page.empty_button, Qt.MouseButton.LeftButton)
    (dialog,) = window.findChildren(AddToolsDialog)
    for row in range(dialog.list.model().rowCount()):
        dialog.list.pressed_row.emit(dialog.list.model().index(row, 0))
    QTest.mouseClick(dialog.confirm, Qt.MouseButton.LeftButton)
    assert names(library) == [one.tool.namespaced_name for one in sample.known_tools("Git")]
    qtbot.waitUntil(page.list.isVisible)
    window.undo()
    qtbot.waitUntil(page.empty_button.isVisible)


def test_a_toolset_leads_to_sources_where_no_source_has_tools(
    qtbot: QtBot, window: MainWindow, library: Library
) -> None:
    asked: list[str] = []
    window.add_tools_requested.connect(lambda: asked.append("tools"))
    window.make_toolset()
    QTest.mouseClick(window.pages.toolset_page.empty_button, Qt.MouseButton.LeftButton)
    assert asked == ["tools"]


def test_a_tool_is_dropped_on_a_toolset_without_tools(with_tools: MainWindow, library: Library) -> None:
    view = with_tools.sidebar.view
    index = view.model().find(WEEK)  # type: ignore[attr-defined]
    dragged = rows_data([RowKey(Kind.TOOL, "Git", "git_add")])
    assert drag(view, dragged, QPoint(100, view.visualRect(index).center().y()))
    assert names(library) == ["Git.git_add"]


def test_an_assistant_is_connected_from_a_toolset_that_nobody_uses(with_tools: MainWindow) -> None:
    asked: list[str] = []
    with_tools.connect_requested.connect(asked.append)
    with_tools.go(WEEK)
    button = with_tools.pages.toolset_page.users.give_button
    assert button.text() == "Connect an assistant…"
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert asked == [""]


@pytest.mark.parametrize(
    ("state", "said", "needs"),
    [
        (ServerState.READY, "It has no tools. Restart it, or check its log.", 0),
        (ServerState.STARTING, "Its tools appear here when it answers.", 0),
        (ServerState.FAILED, "No tools yet. Fix the problem above first.", 1),
    ],
)
def test_a_source_without_tools_says_why(
    qtbot: QtBot, window: MainWindow, library: Library, state: ServerState, said: str, needs: int
) -> None:
    library.submit(AddEntry(SERVERS, SERVER_ENTRIES, "Git", {"command": "uvx"}))
    publish(library, ServerStatus(state), tools=False)
    git = RowKey(Kind.SERVER, "Git")
    qtbot.waitUntil(lambda: window.sidebar.holds(git) and len(window.needs) == needs)
    assert not window.sidebar.holds(RowKey(Kind.ALL_TOOLS, "Git"))
    click_row(qtbot, window.sidebar.view, git)
    assert window.place == git
    page = window.pages.server_page
    assert page.nothing.text() == said
    assert page.state_box.button.isVisible() or state is ServerState.READY


def test_home_of_a_new_user_leads_to_tools(window: MainWindow) -> None:
    page = window.pages.home_page
    assert page.title.text() == "Tell your assistants how to use their tools"
    asked: list[str] = []
    window.add_tools_requested.connect(lambda: asked.append("tools"))
    QTest.mouseClick(page.first_button, Qt.MouseButton.LeftButton)
    assert asked == ["tools"]


def test_home_leads_to_a_source_without_tools(qtbot: QtBot, window: MainWindow, library: Library) -> None:
    library.submit(AddEntry(SERVERS, SERVER_ENTRIES, "Git", {"command": "uvx"}))
    publish(library, ServerStatus(ServerState.FAILED), tools=False)
    page = window.pages.home_page
    qtbot.waitUntil(lambda: len(page.need_rows) == 1)
    assert page.need_rows[0].reason.text() == "The log may say why."
    QTest.mouseClick(page.need_rows[0].button, Qt.MouseButton.LeftButton)
    assert window.place == RowKey(Kind.SERVER, "Git")
