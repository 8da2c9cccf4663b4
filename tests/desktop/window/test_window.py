"""The window as a whole: places, history, columns by width, the toast, what it remembers, keys."""

from __future__ import annotations

import stat
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QItemSelectionModel, QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from tests.desktop import sample
from tests.desktop.helpers import served_text, served_tool
from toolnote_desktop.desktop.models.library_rows import ASSISTANTS, HOME, SOURCES, TOOLSETS, Kind, RowKey
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.sidebar.view import SidebarView
from toolnote_desktop.desktop.theme.theme import Theme
from toolnote_desktop.desktop.window.pane_focus import first_control
from toolnote_desktop.desktop.window.saved_state import FILE_NAME, key_from, text_of
from toolnote_desktop.desktop.window.window import MainWindow
from toolnote_desktop.model.edits import CLIENT_ENTRIES, CLIENTS, SETTINGS, AddEntry, SetFields
from toolnote_desktop.model.problem import Code, Problem, ToolnoteError
from toolnote_desktop.model.servers import ServerState, ServerStatus
from toolnote_desktop.paths import Home
from toolnote_desktop.store.library import Library

CREATE = RowKey(Kind.TOOL, "Linear", "create_issue")
LINEAR = RowKey(Kind.SERVER, "Linear")


def click_row(qtbot: QtBot, view: SidebarView, key: RowKey, x: int = 100) -> None:
    """Press the mouse on a row of the library."""
    index = view.model().find(key)  # type: ignore[attr-defined]
    assert index.isValid()
    view.scrollTo(index)
    place = QPoint(x, view.visualRect(index).center().y())
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)


def is_open(view: SidebarView, key: RowKey) -> bool:
    """Whether a row is open."""
    return view.isExpanded(view.model().find(key))  # type: ignore[attr-defined]


# --- the library


def test_a_click_on_a_tool_shows_its_page_and_what_the_assistant_sees(
    qtbot: QtBot, window: MainWindow, library: Library
) -> None:
    view = window.sidebar.view
    view.open_keys({LINEAR})
    click_row(qtbot, view, RowKey(Kind.TOOL, "Linear", "update_issue"))
    assert window.pages.tool_page.title.text() == "Update issue"
    assert window.pages.tool_page.second.text() == "Linear_update_issue"
    snapshot = library.snapshot
    served = served_tool(snapshot, "Linear", "update_issue")
    assert served_text(window) == served.definition["description"]
    assert window.pages.tool_page.second.text() == served.name


def test_sources_open_at_their_chevron_and_groups_stay_open(qtbot: QtBot, window: MainWindow) -> None:
    view = window.sidebar.view
    shown = window.place
    click_row(qtbot, view, TOOLSETS)
    assert is_open(view, TOOLSETS)
    assert window.place == shown
    git = RowKey(Kind.SERVER, "Git")
    assert not is_open(view, git)
    click_row(qtbot, view, git, 19)
    assert is_open(view, git)
    assert window.place == shown  # opening is not choosing
    click_row(qtbot, view, git)
    assert window.place == git
    assert window.pages.page is window.pages.server_page


def test_a_row_is_chosen_on_release_so_that_it_can_be_dragged(qtbot: QtBot, window: MainWindow) -> None:
    view = window.sidebar.view
    window.go(HOME)
    index = view.model().find(LINEAR)  # type: ignore[attr-defined]
    place = QPoint(100, view.visualRect(index).center().y())
    QTest.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert window.place == HOME
    assert view.selected_keys() == [HOME]
    QTest.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert window.place == LINEAR
    assert view.selected_keys() == [LINEAR]


def test_the_plus_of_a_group_adds_to_it(qtbot: QtBot, window: MainWindow) -> None:
    asked: list[str] = []
    window.add_tools_requested.connect(lambda: asked.append("tools"))
    window.connect_requested.connect(lambda client: asked.append(f"connect {client}"))
    view = window.sidebar.view
    for group in (SOURCES, ASSISTANTS):
        click_row(qtbot, view, group, view.width() - 26)
    assert asked == ["tools", "connect "]
    view.setFocus()
    index = view.model().find(TOOLSETS)  # type: ignore[attr-defined]
    view.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert window.place == RowKey(Kind.TOOLSET, "new-toolset")


def test_the_sidebar_is_walked_by_keys(qtbot: QtBot, window: MainWindow) -> None:
    view = window.sidebar.view
    window.go(LINEAR)
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Right)
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert window.place == CREATE
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert window.pages.tool_page.notes.cards[0].editor.hasFocus()
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Left)
    assert window.place == LINEAR
    for _ in range(40):
        QTest.keyClick(view, Qt.Key.Key_Up)
    assert window.place == HOME


def test_all_tools_leads_to_the_page_of_the_source(qtbot: QtBot, window: MainWindow) -> None:
    view = window.sidebar.view
    view.open_keys({LINEAR})
    click_row(qtbot, view, RowKey(Kind.ALL_TOOLS, "Linear"))
    assert window.place == LINEAR
    assert view.selected_keys() == [LINEAR]


def test_back_and_forward_pass_over_what_is_gone(qtbot: QtBot, window: MainWindow) -> None:
    git = RowKey(Kind.SERVER, "Git")
    bar = window.frame.top_bar
    window.go(HOME)
    for place in (git, LINEAR, CREATE):
        window.go(place)
    assert not bar.forward_button.isEnabled()
    QTest.keyClick(window, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert window.place == LINEAR
    assert window.sidebar.view.selected_keys() == [LINEAR]
    window.actions_.remove_server("Git")
    qtbot.waitUntil(lambda: not window.sidebar.holds(git))
    QTest.mouseClick(bar.back_button, Qt.MouseButton.LeftButton)
    assert window.place == HOME
    QTest.keyClick(window, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    QTest.keyClick(window, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    assert window.place == CREATE
    window.undo()  # brings Git back, and leads to it
    assert window.place == git


def test_a_new_place_ends_what_forward_would_show(window: MainWindow) -> None:
    for place in (LINEAR, CREATE):
        window.go(place)
    window.navigator.back()
    window.go(RowKey(Kind.TOOLSET, "my-tools"))
    assert not window.navigator.can_go_forward
    window.navigator.back()
    assert window.place == LINEAR


def test_undo_keeps_one_row_selected_whatever_keys_are_held(window: MainWindow) -> None:
    window.go(CREATE)
    window.actions_.pause_notes(paused=True)
    window.activateWindow()
    QTest.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert len(window.sidebar.view.selected_keys()) == 1
    QTest.keyClick(window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert window.sidebar.view.selected_keys() == [RowKey(Kind.TOOLSET, "new-toolset")]


def test_what_is_chosen_stays_chosen_when_the_library_changes(
    qtbot: QtBot, window: MainWindow, library: Library
) -> None:
    window.go(RowKey(Kind.TOOL, "Slack", "get_thread"))
    window.actions_.remove_server("Git")
    qtbot.waitUntil(lambda: not window.sidebar.holds(RowKey(Kind.SERVER, "Git")))
    assert window.place == RowKey(Kind.TOOL, "Slack", "get_thread")
    window.actions_.remove_server("Slack")
    qtbot.waitUntil(lambda: window.place == HOME)
    assert window.pages.page is window.pages.home_page


# --- the toast


def test_a_change_that_cannot_be_written_is_told(
    qtbot: QtBot, window: MainWindow, library: Library, home: Home
) -> None:
    window.go(CREATE)
    window.changes.save_settled.emit(None, Problem(Code.FILE_NOT_WRITTEN, {"file": "x.json", "reason": "disk full"}))
    assert "x.json could not be written: disk full" in window.toast.sentence.text()


def test_a_toast_leaves_by_itself_but_not_while_it_is_used(qtbot: QtBot, window: MainWindow) -> None:
    toast = window.toast
    QTest.mouseMove(window.sidebar.search_button)  # a toast under the pointer stays
    toast.timer.setInterval(40)
    toast.show_message("Something happened", "Undo", window.undo)
    qtbot.waitUntil(lambda: not toast.isVisible())
    window.sidebar.view.setFocus()
    toast.show_message("Something happened", "Undo", window.undo)
    QTest.keyClick(window, Qt.Key.Key_F8)
    assert toast.action_button.hasFocus()
    assert not toast.timer.isActive()
    QTest.keyClick(toast.action_button, Qt.Key.Key_Escape)
    assert not toast.isVisible()
    assert window.sidebar.view.hasFocus()


def test_a_toast_is_over_the_middle_of_the_pages_foot(window: MainWindow) -> None:
    window.toast.show_message("Note “team-selection” deleted", "Undo", window.undo)
    for width in (1360, 1000, 700):
        window.resize(width, 800)
        QApplication.processEvents()
        toast, page = window.toast.geometry(), window.frame.middle.geometry()
        assert page.contains(toast)
        assert abs(toast.center().x() - page.center().x()) <= 1
        assert page.bottom() - toast.bottom() == 24


def test_a_toast_leaves_the_button_free_that_has_the_focus(window: MainWindow) -> None:
    """After Disconnect it covered *Connect*."""
    button = QPushButton("Connect", window.frame.middle)
    button.setGeometry(window.frame.middle.width() // 2 - 60, window.frame.middle.height() - 70, 120, 32)
    button.show()
    window.toast.show_message("Cursor disconnected", "Undo", window.undo)
    toast = window.toast
    place = QRect(button.mapTo(window, QPoint()), button.size())
    assert place.intersects(QRect(toast.mapTo(window, QPoint()), toast.size()))
    button.setFocus()
    over = QRect(toast.mapTo(window, QPoint()), toast.size())
    assert not place.intersects(over)
    assert over.bottom() < place.top()


# --- columns


@pytest.mark.parametrize(
    ("width", "sidebar", "inspector"),
    [(1180, True, True), (1179, True, False), (900, True, False), (899, False, False)],
)
def test_the_width_decides_which_columns_there_are(
    window: MainWindow, width: int, sidebar: bool, inspector: bool
) -> None:
    window.go(CREATE)
    window.resize(width, 700)
    QApplication.processEvents()
    frame = window.frame
    assert (frame.sidebar_panel.isVisible(), frame.inspector_panel.isVisible()) == (sidebar, inspector)
    assert frame.middle.width() == width - (260 if sidebar else 0) - (280 if inspector else 0)
    assert frame.top_bar.sidebar_button.isVisible() is not sidebar


def test_the_inspector_opens_over_the_page_where_there_is_no_room(window: MainWindow) -> None:
    window.go(CREATE)
    window.resize(1000, 700)
    QApplication.processEvents()
    before = window.frame.middle.geometry()
    QTest.keyClick(window, Qt.Key.Key_F9)
    panel = window.frame.inspector_panel
    assert panel.isVisible()
    assert window.pages.tool_page.details.isVisible()
    assert window.frame.middle.geometry() == before
    assert panel.geometry().right() == before.right()
    QTest.keyClick(window.frame, Qt.Key.Key_Escape)
    assert not panel.isVisible()
    QTest.keyClick(window, Qt.Key.Key_F9)
    window.go(LINEAR)
    assert not panel.isVisible()


def test_the_sidebar_of_a_narrow_window_is_a_drawer(window: MainWindow) -> None:
    window.go(LINEAR)
    window.resize(800, 600)
    QApplication.processEvents()
    frame = window.frame
    assert frame.top_bar.needs_button.text() == f"{len(window.needs)} need you"
    assert frame.top_bar.needs_button.isVisible()
    QTest.mouseClick(frame.top_bar.sidebar_button, Qt.MouseButton.LeftButton)
    assert frame.sidebar_panel.isVisible()
    assert window.sidebar.view.hasFocus()
    assert frame.middle.x() == 0
    window.sidebar.chosen.emit(CREATE)
    assert not frame.sidebar_panel.isVisible()
    QTest.mouseClick(frame.top_bar.needs_button, Qt.MouseButton.LeftButton)
    assert window.place == HOME


def test_ctrl_b_puts_the_sidebar_away(window: MainWindow) -> None:
    QTest.keyClick(window, Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier)
    assert not window.frame.sidebar_panel.isVisible()
    assert window.frame.middle.x() == 0
    QTest.keyClick(window, Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier)
    assert window.frame.sidebar_panel.isVisible()


def test_a_title_has_its_line_to_itself_where_it_would_be_squeezed(qtbot: QtBot, window: MainWindow) -> None:
    window.go(CREATE)
    page = window.pages.tool_page
    assert page.try_button.y() < page.title.geometry().bottom()
    window.resize(window.minimumSize())
    qtbot.waitUntil(lambda: page.try_button.y() > page.second.geometry().bottom())
    assert page.title.fontMetrics().horizontalAdvance(page.title.text()) <= page.title.width()
    inside = page.widget()
    assert inside is not None
    assert page.switch.mapTo(inside, page.switch.rect().topRight()).x() < page.viewport().width()
    window.resize(1300, 800)
    qtbot.waitUntil(lambda: page.try_button.y() < page.title.geometry().bottom())


def test_a_message_moves_nothing_that_is_read(window: MainWindow) -> None:
    window.go(CREATE)
    page = window.pages.tool_page
    for _ in range(5):  # words, then sizes, then places
        QApplication.processEvents()
    before = [one.mapTo(window, QPoint(0, 0)) for one in (page.title, window.sidebar.view, page.notes.cards[0])]
    window.toast.show_message("Something happened.", "Undo", window.undo)
    for _ in range(5):
        QApplication.processEvents()
    assert window.toast.isVisible()
    after = [one.mapTo(window, QPoint(0, 0)) for one in (page.title, window.sidebar.view, page.notes.cards[0])]
    assert after == before


def test_f6_goes_through_sidebar_top_bar_page_and_inspector(qtbot: QtBot, window: MainWindow) -> None:
    window.go(HOME)
    window.go(CREATE)
    window.sidebar.view.setFocus()
    frame = window.frame
    panes = {"sidebar": window.sidebar, "bar": frame.top_bar, "page": frame.pages, "inspector": frame.inspector_panel}

    def here() -> str:
        focus = window.focusWidget()
        return next(name for name, pane in panes.items() if focus is not None and pane.isAncestorOf(focus))

    forth = []
    for _ in range(4):
        QTest.keyClick(window, Qt.Key.Key_F6)
        forth.append(here())
    assert forth == ["bar", "page", "inspector", "sidebar"]
    QTest.keyClick(window, Qt.Key.Key_F6, Qt.KeyboardModifier.ShiftModifier)
    assert here() == "inspector"


def test_the_inspector_is_put_away_and_back_by_a_key(qtbot: QtBot, window: MainWindow) -> None:
    window.go(CREATE)
    QTest.keyClick(window, Qt.Key.Key_F9)
    assert not window.pages.tool_page.details.isVisible()
    assert not window.frame.top_bar.inspector_button.isChecked()
    QTest.keyClick(window, Qt.Key.Key_F9)
    assert window.pages.tool_page.details.isVisible()
    assert window.frame.top_bar.inspector_button.isChecked()


def test_the_menu_has_what_the_keys_do(window: MainWindow) -> None:
    menu = window.menu.fill(window.snapshot)
    texts = [action.text() for action in menu.actions() if not action.isSeparator()]
    assert texts[:3] == ["Pause notes", "Turn off", "Turn on"]
    assert texts[3:6] == ["Default toolset", "Undo", "Redo"]
    assert texts[-1] == "Quit Toolnote"
    assert not window.menu.turn_on.isVisible()
    use = {action.text(): action for action in window.menu.toolsets.actions()}
    assert use["My tools"].isChecked()
    use["Release day"].trigger()
    assert window.snapshot.settings.equipped_toolset == "release-day"


# --- what it remembers


def test_the_window_remembers_its_columns_what_was_open_and_shown(
    qtbot: QtBot, light_theme: Theme, library: Library, link: ProxyLink, home: Home
) -> None:
    first = MainWindow(library, link)
    first.resize(1250, 600)
    first.show()
    QApplication.processEvents()
    first.sidebar.view.open_keys({RowKey(Kind.SERVER, "Git")})
    key = RowKey(Kind.ENTRY, "release-day", "Deploys.start_rollout")
    first.go(key)
    first.frame.show_inspector(False)
    first.frame.toggle_sidebar()
    first.resize(790, 600)
    first.close()
    first.deleteLater()
    second = MainWindow(library, link)
    second.show()
    assert second.size().width() == 790
    assert (second.frame.shows_inspector, second.frame.shows_sidebar) == (False, False)
    assert not second.frame.sidebar_panel.isVisible()
    assert RowKey(Kind.SERVER, "Git") in second.sidebar.view.open_rows()
    assert second.place == key
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


def test_what_fails_elsewhere_is_said_in_a_toast_and_in_no_box(window: MainWindow) -> None:
    window.show_error(OSError("The folder cannot be written."))
    assert window.toast.sentence.text() == "The folder cannot be written."
    window.show_error(ToolnoteError(Code.SERVER_NOT_FOUND, server="Linear"))
    assert "Linear" in window.toast.sentence.text()
    assert not [one for one in window.findChildren(QDialog) if one.isVisible()]


def test_tool_sources_are_off_in_safe_mode(window: MainWindow, library: Library) -> None:
    """Seen red: they were said to be starting, for ever."""
    starting = dict.fromkeys(library.snapshot.servers, ServerStatus(ServerState.STARTING))
    library.publish_catalogue(sample.catalogue(starting))
    window.show_safe_mode(lambda: None)
    index = window.sidebar.view.model().find(LINEAR)  # type: ignore[attr-defined]
    assert "Not running" in index.data(Qt.ItemDataRole.AccessibleTextRole)
    window.go(LINEAR)
    state = window.pages.server_page.state_box.state
    assert state.sentence == "Linear doesn’t run. Toolnote is in safe mode."
    assert state.action == ""


def marked(window: MainWindow) -> list[RowKey | None]:
    """The rows of the sidebar that are marked."""
    view = window.sidebar.view
    return [view._tree.key_at(index) for index in view.selectionModel().selectedIndexes()]


def test_an_assistant_that_was_just_connected_is_marked_and_home_is_not(
    qtbot: QtBot, window: MainWindow, library: Library
) -> None:
    """Red with Qt's own handling of the focus: the keyboard reached the sidebar, and Home was shown and marked."""
    windsurf = RowKey(Kind.ASSISTANT, "windsurf")
    window.go(windsurf)
    window.frame.top_bar.setFocus()
    assert marked(window) == []
    window.sidebar.view.setFocus(Qt.FocusReason.TabFocusReason)
    assert window.place == windsurf
    library.submit(AddEntry(CLIENTS, CLIENT_ENTRIES, "windsurf", {"name": "Windsurf"}))
    qtbot.waitUntil(lambda: marked(window) == [windsurf])
    assert window.place == windsurf


def test_cancel_on_the_page_of_a_file_leads_back_to_where_one_came_from(window: MainWindow, tmp_path: Path) -> None:
    """Red with Cancel leading to Home, as it was."""
    file = tmp_path / "team.toolnote"
    file.write_text('{"mcpServers": {}}', encoding="utf-8")
    window.go(LINEAR)
    for _ in range(2):  # the same file can be opened again
        window.go(RowKey(Kind.FILE, str(file)))
        page = window.pages.file_page
        assert window.pages.page is page
        QTest.mouseClick(page.cancel_button, Qt.MouseButton.LeftButton)
        assert window.place == LINEAR
    assert not window.navigator.can_go_forward


def test_the_first_run_has_the_whole_window(window: MainWindow) -> None:
    window.resize(1366, 768)
    window.go(RowKey(Kind.FIRST_RUN))
    page = window.pages.first_run_page
    assert not window.frame.sidebar_panel.isVisible()
    assert not window.frame.top_bar.isVisible()
    assert page.width() == window.frame.width()
    foot = page.foot()
    assert foot.mapTo(window, foot.rect().bottomLeft()).y() < 768
    QTest.mouseClick(page.later_button, Qt.MouseButton.LeftButton)
    assert window.place == HOME
    assert window.frame.sidebar_panel.isVisible()
    assert window.frame.top_bar.isVisible()


def test_a_page_that_is_opened_from_another_has_the_focus_at_its_first_control(window: MainWindow) -> None:
    """It was in the description of the tool's first parameter, as if it were being written."""
    window.go(RowKey(Kind.TOOL, "Linear", "create_issue"))
    texts = window.pages.tool_page.parameters.findChildren(QLabel)
    next(one for one in texts if one.focusPolicy() & Qt.FocusPolicy.TabFocus).setFocus()
    window.go(RowKey(Kind.SERVER, "Linear"))
    window.pages.server_page.list.setFocus(Qt.FocusReason.MouseFocusReason)
    window.go(RowKey(Kind.TOOL, "Linear", "update_issue"))
    page = window.pages.tool_page
    assert window.focusWidget() is first_control(page)
    assert not page.parameters.isAncestorOf(window.focusWidget())


def test_a_place_chosen_in_the_drawer_has_the_focus(window: MainWindow) -> None:
    """The button ☰ had it, framed as if it had been reached by keyboard."""
    window.resize(720, 600)
    window.frame.toggle_sidebar()
    window.sidebar.view.setFocus()
    window.go(RowKey(Kind.ASSISTANT, "cursor"))
    page = window.pages.assistant_page
    assert window.focusWidget() is first_control(page)


def test_a_new_toolset_is_named_by_typing(qtbot: QtBot, window: MainWindow) -> None:
    """News of the library took the selection away, and the name was typed before the old one."""
    window.make_toolset()
    field = window.pages.toolset_page.title_field
    window._library.submit(SetFields(SETTINGS, {"notesPaused": True}))
    qtbot.waitUntil(window.menu.pause_notes.isChecked)
    assert field.selectedText() == "New toolset"
    QTest.keyClicks(field, "Release week")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert "Release week" in [one.title for one in window.snapshot.toolsets.values()]


def test_the_focus_stays_in_the_page_when_another_one_takes_its_place(qtbot: QtBot, window: MainWindow) -> None:
    """After a source was removed at its page, the focus was in the search."""
    window.go(RowKey(Kind.SERVER, "Slack"))
    page = window.pages.server_page
    button = first_control(page)
    assert button is not None
    button.setFocus(Qt.FocusReason.TabFocusReason)
    window.actions_.remove_server("Slack")
    qtbot.waitUntil(lambda: window.place == HOME)
    focus = window.focusWidget()
    assert focus is not None
    assert window.pages.home_page.isAncestorOf(focus)


def test_the_settings_have_their_keys_on_every_desktop(window: MainWindow) -> None:
    """Ctrl+comma did nothing where the desktop names no keys for preferences."""
    assert [keys.toString() for keys in window.menu.settings.shortcuts()] == ["Ctrl+,"]
