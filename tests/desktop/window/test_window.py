"""The window as a whole: choosing, searching, the preview, the status line, what it remembers, keys and names."""

from __future__ import annotations

import stat
import sys

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog
from pytestqt.qtbot import QtBot

from tests.desktop import sample
from toolnote_desktop.desktop.library.tree_view import LibraryView
from toolnote_desktop.desktop.models.library_rows import SOURCES, TOOLSETS, Kind, RowKey
from toolnote_desktop.desktop.models.status import Serving
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.theme.theme import Theme
from toolnote_desktop.desktop.widgets.row_delegate import chevron_middle
from toolnote_desktop.desktop.window.saved_state import FILE_NAME, key_from, text_of
from toolnote_desktop.desktop.window.window import MainWindow
from toolnote_desktop.guidance.served_tools import serve_tool
from toolnote_desktop.model.problem import Code, Problem, ToolnoteError
from toolnote_desktop.model.servers import ServerState, ServerStatus
from toolnote_desktop.paths import Home
from toolnote_desktop.store.library import Library

CREATE = RowKey(Kind.TOOL, "Linear", "create_issue")
LINEAR = RowKey(Kind.SERVER, "Linear")


def click_row(qtbot: QtBot, view: LibraryView, key: RowKey, x: int = 100) -> None:
    """Press the mouse on a row of the library."""
    index = view.model().find(key)  # type: ignore[attr-defined]
    assert index.isValid()
    view.scrollTo(index)
    place = QPoint(x, view.visualRect(index).center().y())
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)


def is_open(view: LibraryView, key: RowKey) -> bool:
    """Whether a row is open."""
    return view.isExpanded(view.model().find(key))  # type: ignore[attr-defined]


# --- the library


def test_a_click_on_a_tool_shows_its_page_and_what_the_assistant_sees(
    qtbot: QtBot, window: MainWindow, library: Library
) -> None:
    view = window.library_pane.view
    view.open_keys({LINEAR})
    click_row(qtbot, view, RowKey(Kind.TOOL, "Linear", "update_issue"))
    assert window.notes_pane.tool_page.title.text() == "Update issue"
    assert window.notes_pane.tool_page.second.text() == "Linear  ·  in My tools and Planning week"
    snapshot = library.snapshot
    served = serve_tool(snapshot, snapshot.shared_toolset, snapshot.catalogue.tools[("Linear", "update_issue")])
    assert window.preview_pane.text.toPlainText() == served.definition["description"]
    assert window.preview_pane.name.text() == served.name


def test_groups_open_and_close_at_a_click_and_sources_at_their_triangle(qtbot: QtBot, window: MainWindow) -> None:
    view = window.library_pane.view
    shown = window.library_pane.selected
    assert is_open(view, TOOLSETS)
    click_row(qtbot, view, TOOLSETS)
    assert not is_open(view, TOOLSETS)
    git = RowKey(Kind.SERVER, "Git")
    assert not is_open(view, git)
    click_row(qtbot, view, git, chevron_middle(1))
    assert is_open(view, git)
    assert window.library_pane.selected == shown  # opening is not choosing
    click_row(qtbot, view, git)
    assert window.library_pane.selected == git
    assert window.notes_pane.page is window.notes_pane.server_page


def test_the_library_is_walked_by_keys(qtbot: QtBot, window: MainWindow) -> None:
    view = window.library_pane.view
    window.go(LINEAR)
    view.setFocus()
    view.collapseAll()
    view.open_keys({SOURCES})
    window.go(LINEAR)
    QTest.keyClick(view, Qt.Key.Key_Right)
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert window.library_pane.selected == CREATE
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert window.notes_pane.tool_page.notes.cards[0].editor.hasFocus()


def test_search_narrows_the_library_and_escape_brings_everything_back(qtbot: QtBot, window: MainWindow) -> None:
    window.go(CREATE)
    view, field = window.library_pane.view, window.library_pane.field
    opened = view.open_rows()
    QTest.keyClick(window, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert field.hasFocus()
    QTest.keyClicks(field, "merge")
    assert view.current_key() is None
    assert window.library_pane.selected == CREATE
    assert window.notes_pane.tool_page.title.text() == "Create issue"
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == ""
    assert view.current_key() == CREATE
    assert view.open_rows() == opened
    QTest.keyClicks(field, "nothing like this")
    assert not view.isVisible()
    QTest.mouseClick(window.library_pane.clear_button, Qt.MouseButton.LeftButton)
    assert view.isVisible()


def test_down_leads_from_the_search_to_what_was_found(qtbot: QtBot, window: MainWindow) -> None:
    field = window.library_pane.field
    field.setFocus()
    QTest.keyClicks(field, "free time")
    QTest.keyClick(field, Qt.Key.Key_Down)
    view = window.library_pane.view
    assert view.hasFocus()
    for _ in range(3):
        QTest.keyClick(view, Qt.Key.Key_Down)
    assert window.library_pane.selected == RowKey(Kind.TOOL, "Calendar", "find_free_time")


def test_selection_is_kept_when_the_library_changes(qtbot: QtBot, window: MainWindow, library: Library) -> None:
    window.go(RowKey(Kind.TOOL, "Slack", "get_thread"))
    window.actions_.remove_server("Git")
    qtbot.waitUntil(lambda: not window.library_pane.holds(RowKey(Kind.SERVER, "Git")))
    assert window.library_pane.selected == RowKey(Kind.TOOL, "Slack", "get_thread")
    window.actions_.remove_server("Slack")
    qtbot.waitUntil(lambda: window.library_pane.selected is None)
    assert window.notes_pane.page is window.notes_pane.empty_page


# --- the status line and the message bar


def test_the_status_line_says_what_is_most_pressing(qtbot: QtBot, window: MainWindow, library: Library) -> None:
    line = window.status_line
    assert line.state.text() == "Starting"
    assert line.attention.text() == "Notion wants you to sign in"
    QTest.mouseClick(line.action_button, Qt.MouseButton.LeftButton)
    assert window.library_pane.selected == RowKey(Kind.SERVER, "Notion")
    calm = {server: ServerStatus(ServerState.READY) for server in library.snapshot.servers}
    library.publish_catalogue(sample.catalogue(calm))
    qtbot.waitUntil(lambda: line.attention.text() == "1 tool has changed")


def test_an_assistant_that_is_behind_is_named_with_what_to_do(
    qtbot: QtBot, window: MainWindow, library: Library
) -> None:
    calm = {server: ServerStatus(ServerState.READY) for server in library.snapshot.servers}
    library.publish_catalogue(sample.catalogue(calm))
    behind = sample.ConnectedAssistant("claude-desktop", "claude-ai", False)
    window.status_line.show_state(library.snapshot, [behind], Serving(url="http://127.0.0.1/mcp"))
    assert window.status_line.state.text() == "On  ·  Claude Desktop connected"
    assert window.status_line.attention.text() == "Claude Desktop has not seen your last change"
    QTest.mouseClick(window.status_line.action_button, Qt.MouseButton.LeftButton)
    assert window.message_bar.sentence.text().startswith("Claude Desktop reads its tools when it starts")
    QTest.mouseClick(window.message_bar.close_button, Qt.MouseButton.LeftButton)
    assert not window.message_bar.isVisible()


def test_an_app_that_cannot_be_reached_says_why(window: MainWindow, link: ProxyLink) -> None:
    link.proxy_failed.emit(Problem(Code.PORT_TAKEN, {"port": "8377", "other": "-"}))
    assert window.status_line.state.text() == "Assistants cannot reach Toolnote"
    assert "port 8377" in window.status_line.attention.text()


def test_a_change_that_cannot_be_written_is_told(
    qtbot: QtBot, window: MainWindow, library: Library, home: Home
) -> None:
    window.go(CREATE)
    window.changes.save_settled.emit(None, Problem(Code.FILE_NOT_WRITTEN, {"file": "x.json", "reason": "disk full"}))
    assert "x.json could not be written: disk full" in window.message_bar.sentence.text()


# --- panes


def test_a_narrow_window_shows_one_of_notes_and_preview(qtbot: QtBot, window: MainWindow) -> None:
    window.go(CREATE)
    assert not window.panes.tabs.isVisible()
    window.resize(900, 700)
    qtbot.waitUntil(window.panes.tabs.isVisible)
    assert (window.notes_pane.isVisible(), window.preview_pane.isVisible()) == (True, False)
    QTest.mouseClick(window.panes.preview_tab, Qt.MouseButton.LeftButton)
    assert (window.notes_pane.isVisible(), window.preview_pane.isVisible()) == (False, True)
    window.resize(1300, 700)
    qtbot.waitUntil(lambda: not window.panes.tabs.isVisible())
    assert (window.notes_pane.isVisible(), window.preview_pane.isVisible()) == (True, True)


def test_a_title_has_its_line_to_itself_where_it_would_be_squeezed(qtbot: QtBot, window: MainWindow) -> None:
    window.go(CREATE)
    page = window.notes_pane.tool_page
    assert page.try_button.y() < page.title.geometry().bottom()
    window.resize(window.minimumSize())
    qtbot.waitUntil(lambda: page.try_button.y() > page.second.geometry().bottom())
    assert page.title.fontMetrics().horizontalAdvance(page.title.text()) <= page.title.width()
    inside = page.widget()
    assert inside is not None
    assert page.switch.mapTo(inside, page.switch.rect().topRight()).x() < page.viewport().width()
    window.resize(1300, 800)
    qtbot.waitUntil(lambda: page.try_button.y() < page.title.geometry().bottom())


def test_status_line_shows_its_whole_text_as_a_tool_tip(qtbot: QtBot, window: MainWindow) -> None:
    line = window.status_line
    QApplication.processEvents()
    assert line.state.toolTip() == ""
    line.state.setText("On, and " + "an assistant with a long name, " * 12)
    window.resize(window.minimumSize())
    qtbot.waitUntil(lambda: "an assistant with a long name" in line.state.toolTip())
    assert line.action_button.mapTo(window, line.action_button.rect().topRight()).x() < window.width()


def test_a_message_moves_nothing_that_is_read(window: MainWindow) -> None:
    window.go(CREATE)
    page = window.notes_pane.tool_page
    for _ in range(5):  # words, then sizes, then places
        QApplication.processEvents()
    before = [one.mapTo(window, QPoint(0, 0)) for one in (page.title, window.library_pane.field, page.notes.cards[0])]
    window.message_bar.show_message("Something happened.", "Undo", window.undo)
    for _ in range(5):
        QApplication.processEvents()
    assert window.message_bar.isVisible()
    after = [one.mapTo(window, QPoint(0, 0)) for one in (page.title, window.library_pane.field, page.notes.cards[0])]
    assert after == before


def test_f6_goes_from_pane_to_pane(qtbot: QtBot, window: MainWindow) -> None:
    window.go(CREATE)
    window.library_pane.view.setFocus()
    places = []
    for _ in range(3):
        QTest.keyClick(window, Qt.Key.Key_F6)
        focus = window.focusWidget()
        panes = (window.library_pane, window.notes_pane, window.preview_pane)
        places.append(next(pane.objectName() for pane in panes if pane.isAncestorOf(focus)))
    assert places == ["notesPane", "previewPane", "libraryPane"]


def test_the_preview_is_put_away_and_back_by_a_key(qtbot: QtBot, window: MainWindow) -> None:
    QTest.keyClick(window, Qt.Key.Key_F9)
    assert not window.preview_pane.isVisible()
    QTest.keyClick(window, Qt.Key.Key_F9)
    assert window.preview_pane.isVisible()


def test_the_menu_has_what_the_keys_do(window: MainWindow) -> None:
    menu = window.menu.fill(window.snapshot)
    texts = [action.text() for action in menu.actions() if not action.isSeparator()]
    assert texts[:3] == ["Add a note", "New toolset", "Use toolset"]
    assert texts[3] == "Pause notes"
    assert "Undo" in texts[4]
    use = {action.text(): action for action in window.menu.toolsets.actions()}
    assert use["My tools"].isChecked()
    use["Release day"].trigger()
    assert window.snapshot.settings.equipped_toolset == "release-day"


# --- what it remembers


def test_the_window_remembers_its_panes_what_was_open_and_chosen(
    qtbot: QtBot, light_theme: Theme, library: Library, link: ProxyLink, home: Home
) -> None:
    first = MainWindow(library, link)
    first.resize(790, 600)
    first.show()
    first.panes.outer.setSizes([333, 457])
    first.library_pane.view.open_keys({RowKey(Kind.SERVER, "Git"), RowKey(Kind.TOOLSET, "release-day")})
    key = RowKey(Kind.ENTRY, "release-day", "Deploys.start_rollout")
    first.go(key)
    width = first.panes.outer.sizes()[0]
    first.close()
    first.deleteLater()
    second = MainWindow(library, link)
    second.show()
    assert second.size().width() == 790
    assert second.panes.outer.sizes()[0] == width
    assert {RowKey(Kind.SERVER, "Git"), RowKey(Kind.TOOLSET, "release-day")} <= second.library_pane.view.open_rows()
    assert second.library_pane.selected == key
    second.close()
    second.deleteLater()
    file = home.root / FILE_NAME
    assert file.is_file()
    if sys.platform != "win32":
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_key_is_the_same_after_it_was_written() -> None:
    for key in (CREATE, TOOLSETS, RowKey(Kind.ENTRY, "a", "b.c\nserver"), RowKey(Kind.SERVER, 'with, comma "; and ü')):
        assert key_from(text_of(key)) == key
    assert key_from("nonsense") is None
    assert key_from("no-such-kind\ta\tb") is None


def test_background_failures_are_shown_in_the_bar_and_in_no_box(window: MainWindow) -> None:
    window.show_error(OSError("The folder cannot be written."))
    assert window.message_bar.sentence.text() == "The folder cannot be written."
    window.show_error(ToolnoteError(Code.SERVER_NOT_FOUND, server="Linear"))
    assert "Linear" in window.message_bar.sentence.text()
    assert not [one for one in window.findChildren(QDialog) if one.isVisible()]
