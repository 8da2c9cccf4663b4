"""The window as a whole: choosing, searching, the preview, the status line, what it remembers, keys and names."""

from __future__ import annotations

import stat
import subprocess
import sys
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QApplication,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.desktop import sample
from toolnote_desktop.desktop.link import Link
from toolnote_desktop.desktop.models.attention import Serving
from toolnote_desktop.desktop.models.library_rows import LOST_NOTES, SOURCES, TOOLSETS, Kind, RowKey
from toolnote_desktop.desktop.panes.library_view import LibraryView
from toolnote_desktop.desktop.panes.row_delegate import chevron_middle
from toolnote_desktop.desktop.theme import Theme
from toolnote_desktop.desktop.window import Window
from toolnote_desktop.desktop.window_state import FILE_NAME, key_from, text_of
from toolnote_desktop.guidance.served import serve_tool
from toolnote_desktop.guidance.tokens import estimate_definition_tokens
from toolnote_desktop.model import jsontext
from toolnote_desktop.model.edits import SERVERS, SetFields
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.servers import ServerState, ServerStatus
from toolnote_desktop.paths import Home
from toolnote_desktop.store.library import Library

CREATE = RowKey(Kind.TOOL, "Linear", "create_issue")
LINEAR = RowKey(Kind.SERVER, "Linear")


def used(library: Library) -> str | None:
    """The toolset in use."""
    return library.snapshot.settings.equipped_toolset


def first_is_on(library: Library, toolset: str) -> bool:
    """Whether the first tool of a toolset is on."""
    return library.snapshot.toolsets[toolset].tools[0].enabled


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
    qtbot: QtBot, window: Window, library: Library
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


def test_groups_open_and_close_at_a_click_and_sources_at_their_triangle(qtbot: QtBot, window: Window) -> None:
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


def test_the_library_is_walked_by_keys(qtbot: QtBot, window: Window) -> None:
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


def test_search_narrows_the_library_and_escape_brings_everything_back(qtbot: QtBot, window: Window) -> None:
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


def test_down_leads_from_the_search_to_what_was_found(qtbot: QtBot, window: Window) -> None:
    field = window.library_pane.field
    field.setFocus()
    QTest.keyClicks(field, "free time")
    QTest.keyClick(field, Qt.Key.Key_Down)
    view = window.library_pane.view
    assert view.hasFocus()
    for _ in range(3):
        QTest.keyClick(view, Qt.Key.Key_Down)
    assert window.library_pane.selected == RowKey(Kind.TOOL, "Calendar", "find_free_time")


def test_what_is_chosen_stays_chosen_when_the_library_changes(qtbot: QtBot, window: Window, library: Library) -> None:
    window.go(RowKey(Kind.TOOL, "Slack", "get_thread"))
    window.actions_.remove_server("Git")
    qtbot.waitUntil(lambda: not window.library_pane.holds(RowKey(Kind.SERVER, "Git")))
    assert window.library_pane.selected == RowKey(Kind.TOOL, "Slack", "get_thread")
    window.actions_.remove_server("Slack")
    qtbot.waitUntil(lambda: window.library_pane.selected is None)
    assert window.notes_pane.page is window.notes_pane.empty_page


# --- toolsets and tool sources


def test_a_tool_is_switched_off_and_on_in_the_toolset(qtbot: QtBot, window: Window, library: Library) -> None:
    window.go(CREATE)
    switch = window.notes_pane.tool_page.switch
    QTest.mouseClick(switch, Qt.MouseButton.LeftButton)
    entry = next(
        one for one in library.snapshot.toolsets["my-tools"].tools if one.namespaced_name == "Linear.create_issue"
    )
    assert not entry.enabled
    qtbot.waitUntil(lambda: "do not get this tool" in window.preview_pane.legend.text())
    window.undo()
    assert switch.isChecked()


def test_a_tool_is_put_into_toolsets_and_taken_out_at_its_page(qtbot: QtBot, window: Window, library: Library) -> None:
    window.go(RowKey(Kind.TOOL, "Slack", "get_thread"))
    page = window.notes_pane.tool_page
    QTest.mouseClick(page.toolsets_button, Qt.MouseButton.LeftButton)
    assert page.toolsets_menu.isVisible()
    page.toolsets_menu.close()
    choices = {action.text(): action for action in page.toolsets_menu.actions()}
    assert [choices[title].isChecked() for title in ("My tools", "Planning week")] == [True, False]
    choices["Planning week"].trigger()
    qtbot.waitUntil(lambda: page.second.text() == "Slack  ·  in My tools and Planning week")
    {action.text(): action for action in page.toolsets_menu.actions()}["My tools"].trigger()
    qtbot.waitUntil(lambda: page.second.text() == "Slack  ·  in Planning week")
    window.undo()
    assert page.second.text() == "Slack  ·  in My tools and Planning week"
    {action.text(): action for action in page.toolsets_menu.actions()}["New toolset with it"].trigger()
    assert [one.namespaced_name for one in library.snapshot.toolsets["new-toolset"].tools] == ["Slack.get_thread"]
    assert window.library_pane.selected == RowKey(Kind.TOOLSET, "new-toolset")


def test_a_toolset_is_used_renamed_and_deleted_with_undo(qtbot: QtBot, window: Window, library: Library) -> None:
    key = RowKey(Kind.TOOLSET, "planning-week")
    window.go(key)
    page = window.notes_pane.toolset_page
    QTest.mouseClick(page.use_button, Qt.MouseButton.LeftButton)
    assert used(library) == "planning-week"
    qtbot.waitUntil(lambda: not page.use_button.isVisible())
    page.title_field.setFocus()
    page.title_field.selectAll()
    QTest.keyClicks(page.title_field, "Quarter")
    QTest.keyClick(page.title_field, Qt.Key.Key_Return)
    assert library.snapshot.toolsets["planning-week"].title == "Quarter"
    QTest.mouseClick(page.delete_button, Qt.MouseButton.LeftButton)
    assert "planning-week" not in library.snapshot.toolsets
    assert used(library) is None
    assert window.message_bar.sentence.text() == "Toolset “Quarter” deleted."
    qtbot.waitUntil(lambda: window.library_pane.selected is None)
    QTest.mouseClick(window.message_bar.action_button, Qt.MouseButton.LeftButton)
    assert used(library) == "planning-week"
    assert window.library_pane.selected == key


def test_a_new_toolset_is_named_at_once(qtbot: QtBot, window: Window, library: Library) -> None:
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(window, Qt.Key.Key_N, both)
    field = window.notes_pane.toolset_page.title_field
    assert field.hasFocus()
    QTest.keyClicks(field, "Ünterwegs & so")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert library.snapshot.toolsets["new-toolset"].title == "Ünterwegs & so"


def test_tools_of_a_toolset_are_switched_shown_and_taken_out_by_keys(
    qtbot: QtBot, window: Window, library: Library
) -> None:
    window.go(RowKey(Kind.TOOLSET, "planning-week"))
    page = window.notes_pane.toolset_page
    page.list.setFocus()
    page.list.setCurrentIndex(page.model.index(0))
    QTest.keyClick(page.list, Qt.Key.Key_Space)
    assert not first_is_on(library, "planning-week")
    QTest.keyClick(page.list, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(page.list, Qt.Key.Key_Delete)
    assert len(library.snapshot.toolsets["planning-week"].tools) == 7
    qtbot.waitUntil(lambda: page.model.rowCount() == 7)
    window.undo()
    window.undo()
    assert first_is_on(library, "planning-week")
    window.go(RowKey(Kind.TOOLSET, "planning-week"))
    page.list.setFocus()
    page.list.setCurrentIndex(page.model.index(1))
    QTest.keyClick(page.list, Qt.Key.Key_Return)
    assert window.notes_pane.tool_page.title.text() == "Search projects"
    assert window.notes_pane.view is not None
    assert window.notes_pane.view.toolset is not None
    assert window.notes_pane.view.toolset.name == "planning-week"


@pytest.mark.parametrize(
    ("server", "words"),
    [
        ("Linear", "It is on, and its tools can be used."),
        ("Notion", "Notion wants you to sign in before it shows its tools."),
        ("Files", "It is starting. Its tools show here as soon as it answers."),
        ("Postgres", "Postgres stopped by itself (1). Its last words may say why: could not connect to localhost:5432"),
        ("Jira (old)", "It is switched off."),
    ],
)
def test_each_state_of_a_source_is_said_in_words(window: Window, server: str, words: str) -> None:
    window.go(RowKey(Kind.SERVER, server))
    assert window.notes_pane.server_page.notices[0].text.startswith(words)


def test_a_source_is_switched_off_and_removed_with_undo(qtbot: QtBot, window: Window, library: Library) -> None:
    window.go(RowKey(Kind.SERVER, "Git"))
    page = window.notes_pane.server_page
    QTest.mouseClick(page.switch, Qt.MouseButton.LeftButton)
    assert library.snapshot.servers["Git"].disabled
    QTest.mouseClick(page.remove_button, Qt.MouseButton.LeftButton)
    assert "Git" not in library.snapshot.servers
    QTest.mouseClick(window.message_bar.action_button, Qt.MouseButton.LeftButton)
    window.undo()
    assert "disabled" not in (library.raw(SERVERS) or {})["mcpServers"]["Git"]


def test_what_cannot_be_edited_has_no_button_for_it(window: Window) -> None:
    window.go(LINEAR)
    assert not window.notes_pane.server_page.edit_button.isVisible()
    window.edit_server_requested.connect(window.setWindowTitle)
    window.go(RowKey(Kind.SERVER, "Git"))
    assert window.notes_pane.server_page.edit_button.isVisible()
    window.notes_pane.server_page.edit_button.click()
    assert window.windowTitle() == "Git"


def test_the_query_of_an_address_is_not_shown(qtbot: QtBot, window: Window, library: Library) -> None:
    secret = {"type": "http", "url": "https://user:pass@example.com:8443/mcp?key=hush"}
    home_entries = {**(library.raw(SERVERS) or {})["mcpServers"], "Linear": secret}
    library.submit(SetFields(SERVERS, {"mcpServers": home_entries}))
    window.go(LINEAR)
    qtbot.waitUntil(lambda: window.notes_pane.server_page.address.text() == "https://example.com:8443/mcp")


def test_lost_notes_can_be_copied_and_removed(qtbot: QtBot, window: Window, library: Library) -> None:
    window.go(LOST_NOTES)
    page = window.notes_pane.lost_notes_page
    buttons = {one.text(): one for one in page.findChildren(QAbstractButton) if one.isVisible()}
    buttons["Copy its text"].click()
    assert QApplication.clipboard().text() == "Never start a rollout before ten o’clock."
    buttons["Remove"].click()
    qtbot.waitUntil(lambda: not window.library_pane.holds(LOST_NOTES))
    window.undo()
    assert window.library_pane.holds(LOST_NOTES)


def test_a_changed_tool_says_what_has_changed(window: Window) -> None:
    window.go(RowKey(Kind.CHANGED, "GitHub", "merge_pull_request"))
    page = window.notes_pane.tool_page
    assert "what it says of itself" in page.notices[0].text
    assert page.before.text() == "Before: Merges a pull request."
    accepted: list[object] = []
    page.accepted.connect(accepted.append)
    assert page.notices[0].pressed is not None
    page.notices[0].pressed()
    assert accepted == [("GitHub", "merge_pull_request")]


# --- what the assistant sees


def test_the_preview_shows_the_exact_data(qtbot: QtBot, window: Window, library: Library) -> None:
    window.go(CREATE)
    pane = window.preview_pane
    snapshot = library.snapshot
    served = serve_tool(snapshot, snapshot.shared_toolset, snapshot.catalogue.tools[("Linear", "create_issue")])
    assert pane.text.toPlainText() == served.definition["description"]
    assert "From “Additional Tool Notes” on it is yours: 3 notes." in pane.text.accessibleDescription()
    QTest.mouseClick(pane.data, Qt.MouseButton.LeftButton)
    assert jsontext.loads(pane.json.toPlainText()) == served.definition
    (marked,) = pane.json.extraSelections()
    assert marked.cursor.selectedText().startswith("### Additional Tool Notes")
    assert marked.cursor.selectedText().endswith("count as urgent.")
    QTest.mouseClick(pane.without, Qt.MouseButton.LeftButton)
    assert pane.text.toPlainText() == sample.CREATE_ISSUE
    tokens = estimate_definition_tokens({**served.definition, "description": sample.CREATE_ISSUE})
    assert pane.meter.words.text() == f"Small: about {tokens} tokens"


def test_the_preview_follows_typing_before_anything_is_saved(qtbot: QtBot, window: Window) -> None:
    window.go(CREATE)
    card = window.notes_pane.tool_page.notes.cards[1]
    card.start_writing()
    for letter in " Ok":
        QTest.keyClicks(card.editor, letter)
        assert card.editor.text() in window.preview_pane.text.toPlainText()


def test_the_whole_toolset_is_counted(qtbot: QtBot, window: Window) -> None:
    window.go(CREATE)
    qtbot.waitUntil(lambda: "“My tools” is about" in window.preview_pane.meter.whole.text())


def test_a_strangers_markup_is_shown_as_it_is(qtbot: QtBot, window: Window, library: Library) -> None:
    found = sample.catalogue()
    tool = found.tools[("Slack", "post_message")].tool
    evil = "<h1>Hi</h1><img src='https://example.com/x.png'><a href='file:///etc/passwd'>& click</a>"
    tool.definition.update({"description": evil, "title": "<b>Post</b> & go"})
    library.publish_catalogue(found)
    window.go(RowKey(Kind.TOOL, "Slack", "post_message"))
    qtbot.waitUntil(lambda: window.notes_pane.tool_page.title.text() == "<b>Post</b> & go")
    page = window.notes_pane.tool_page
    for one in (page.title, page.second, page.description, page.needs):
        assert one.textFormat() is Qt.TextFormat.PlainText
    assert window.preview_pane.text.toPlainText() == evil
    assert page.description.text() == evil


def test_signs_that_nobody_sees_are_told_and_written_out(qtbot: QtBot, window: Window, library: Library) -> None:
    found = sample.catalogue()
    tool = found.tools[("Slack", "post_message")].tool
    hidden = "Posts.\U000e0069\U000e0067\u202e Family 👨‍👩‍👧"
    tool.definition["description"] = hidden
    library.publish_catalogue(found)
    window.go(RowKey(Kind.TOOL, "Slack", "post_message"))
    qtbot.waitUntil(lambda: window.notes_pane.tool_page.description.text() == hidden)
    assert (
        "signs that cannot be seen but that assistants read (3 of them)" in window.notes_pane.tool_page.notices[0].text
    )
    window.preview_pane.data.setChecked(True)
    shown = window.preview_pane.json.toPlainText()
    assert "\\udb40\\udc69\\udb40\\udc67\\u202e Family 👨‍👩‍👧" in shown
    assert jsontext.loads(shown)["description"] == hidden


# --- the status line and the message bar


def test_the_status_line_says_what_is_most_pressing(qtbot: QtBot, window: Window, library: Library) -> None:
    line = window.status_line
    assert line.state.text() == "Starting"
    assert line.attention.text() == "Notion wants you to sign in"
    QTest.mouseClick(line.action_button, Qt.MouseButton.LeftButton)
    assert window.library_pane.selected == RowKey(Kind.SERVER, "Notion")
    calm = {server: ServerStatus(ServerState.READY) for server in library.snapshot.servers}
    library.publish_catalogue(sample.catalogue(calm))
    qtbot.waitUntil(lambda: line.attention.text() == "1 tool has changed")


def test_an_assistant_that_is_behind_is_named_with_what_to_do(qtbot: QtBot, window: Window, library: Library) -> None:
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


def test_an_app_that_cannot_be_reached_says_why(window: Window, link: Link) -> None:
    link.proxy_failed.emit(Problem(Code.PORT_TAKEN, {"port": "8377", "other": "-"}))
    assert window.status_line.state.text() == "Assistants cannot reach Toolnote"
    assert "port 8377" in window.status_line.attention.text()


def test_a_change_that_cannot_be_written_is_told(qtbot: QtBot, window: Window, library: Library, home: Home) -> None:
    window.go(CREATE)
    window.changes.save_settled.emit(None, Problem(Code.FILE_NOT_WRITTEN, {"file": "x.json", "reason": "disk full"}))
    assert "x.json could not be written: disk full" in window.message_bar.sentence.text()


# --- panes


def test_a_narrow_window_shows_one_of_notes_and_preview(qtbot: QtBot, window: Window) -> None:
    window.go(CREATE)
    assert not window.tabs.isVisible()
    window.resize(900, 700)
    qtbot.waitUntil(window.tabs.isVisible)
    assert (window.notes_pane.isVisible(), window.preview_pane.isVisible()) == (True, False)
    QTest.mouseClick(window.preview_tab, Qt.MouseButton.LeftButton)
    assert (window.notes_pane.isVisible(), window.preview_pane.isVisible()) == (False, True)
    window.resize(1300, 700)
    qtbot.waitUntil(lambda: not window.tabs.isVisible())
    assert (window.notes_pane.isVisible(), window.preview_pane.isVisible()) == (True, True)


def test_f6_goes_from_pane_to_pane(qtbot: QtBot, window: Window) -> None:
    window.go(CREATE)
    window.library_pane.view.setFocus()
    places = []
    for _ in range(3):
        QTest.keyClick(window, Qt.Key.Key_F6)
        focus = window.focusWidget()
        panes = (window.library_pane, window.notes_pane, window.preview_pane)
        places.append(next(pane.objectName() for pane in panes if pane.isAncestorOf(focus)))
    assert places == ["notesPane", "previewPane", "libraryPane"]


def test_the_preview_is_put_away_and_back_by_a_key(qtbot: QtBot, window: Window) -> None:
    QTest.keyClick(window, Qt.Key.Key_F9)
    assert not window.preview_pane.isVisible()
    QTest.keyClick(window, Qt.Key.Key_F9)
    assert window.preview_pane.isVisible()


def test_the_menu_has_what_the_keys_do(window: Window) -> None:
    menu = window.menu.fill(window.snapshot)
    texts = [action.text() for action in menu.actions() if not action.isSeparator()]
    assert texts[:3] == ["Add a note", "New toolset", "Use toolset"]
    assert "Undo" in texts[3]
    use = {action.text(): action for action in window.menu.toolsets.actions()}
    assert use["My tools"].isChecked()
    use["Release day"].trigger()
    assert window.snapshot.settings.equipped_toolset == "release-day"


# --- what it remembers


def test_the_window_remembers_its_panes_what_was_open_and_chosen(
    qtbot: QtBot, dressed: Theme, library: Library, link: Link, home: Home
) -> None:
    first = Window(library, link)
    first.resize(790, 600)
    first.show()
    first.outer.setSizes([333, 457])
    first.library_pane.view.open_keys({RowKey(Kind.SERVER, "Git"), RowKey(Kind.TOOLSET, "release-day")})
    key = RowKey(Kind.ENTRY, "release-day", "Deploys.start_rollout")
    first.go(key)
    width = first.outer.sizes()[0]
    first.close()
    first.deleteLater()
    second = Window(library, link)
    second.show()
    assert second.size().width() == 790
    assert second.outer.sizes()[0] == width
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


# --- everybody can use it


def controls(window: QWidget) -> Iterator[QWidget]:
    """What a person acts on or reads by keyboard."""
    kinds = (QAbstractButton, QLineEdit, QTextEdit, QPlainTextEdit, QAbstractItemView)
    for widget in window.findChildren(QWidget):
        inside_a_view = isinstance(widget.parent(), QAbstractScrollArea)
        if isinstance(widget, kinds) and not inside_a_view:
            yield widget


@pytest.mark.parametrize(
    "key",
    [
        CREATE,
        LINEAR,
        LOST_NOTES,
        None,
        RowKey(Kind.TOOLSET, "my-tools"),
        RowKey(Kind.CHANGED, "GitHub", "merge_pull_request"),
        RowKey(Kind.ENTRY, "release-day", "Deploys.start_rollout"),
    ],
    ids=str,
)
def test_every_control_has_a_name_for_screen_readers(window: Window, key: RowKey | None) -> None:
    window.go(key)
    window.add_note()
    window.message_bar.say("Something happened.", "Undo", window.undo)
    nameless = [
        f"{type(one).__name__} {one.objectName()!r} in {type(one.parent()).__name__}"
        for one in controls(window)
        if one.isVisibleTo(window) and not one.accessibleName().strip()
    ]
    assert nameless == []


def test_tab_reaches_every_control_of_a_tool(qtbot: QtBot, window: Window) -> None:
    window.go(CREATE)
    window.library_pane.field.setFocus()
    reached: set[QWidget] = set()
    for _ in range(80):
        focus = window.focusWidget()
        if focus is None or focus in reached:
            break
        reached.add(focus)
        QTest.keyClick(focus, Qt.Key.Key_Tab)
    wanted = {
        one
        for one in controls(window)
        if one.isVisible() and one.isEnabled() and one.focusPolicy() & Qt.FocusPolicy.TabFocus
    }
    missing = {f"{type(one).__name__} {one.accessibleName()}" for one in wanted - reached}
    assert missing == set()


def test_the_focus_that_came_by_keyboard_can_be_seen(qtbot: QtBot, window: Window) -> None:
    window.go(CREATE)
    button = window.notes_pane.tool_page.notes.add_button
    button.setFocus(Qt.FocusReason.TabFocusReason)
    assert button.property("ring")
    button.setFocus(Qt.FocusReason.MouseFocusReason)
    window.library_pane.field.setFocus()
    assert not button.property("ring")


def test_the_window_does_not_import_the_proxy_or_mcp(home: Home) -> None:
    code = (
        "import sys; import toolnote_desktop.desktop.window\n"
        "late = [m for m in sys.modules if m.split('.')[0] in ('mcp', 'uvicorn', 'starlette', 'httpx2')]\n"
        "late += [m for m in sys.modules if m.startswith('toolnote_desktop.proxy.')]\n"
        "print(sorted(late))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
