"""A toolset's page: a table whose rows are ticked, switched, moved and opened, and the assistants that use it."""

from __future__ import annotations

import time
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QScrollArea
from pytestqt.qtbot import QtBot

from tests.desktop import sample
from tests.desktop.drags import drag
from tests.desktop.helpers import click, entry_of
from tests.desktop.sidebar.test_row_actions import order
from toolnote_desktop.desktop.models.drag_data import rows_data
from toolnote_desktop.desktop.models.library_rows import Kind, RowKey
from toolnote_desktop.desktop.models.toolset_tools import ToolRole, ToolsetTools
from toolnote_desktop.desktop.theme.theme import Theme
from toolnote_desktop.desktop.toolset_page.add_tools_dialog import AddToolsDialog
from toolnote_desktop.desktop.toolset_page.page import ToolsetPage
from toolnote_desktop.desktop.toolset_page.tool_list import ToolList, ToolRowDelegate
from toolnote_desktop.desktop.widgets.banner import Banner
from toolnote_desktop.desktop.window.window import MainWindow
from toolnote_desktop.model.edits import ABSENT
from toolnote_desktop.model.tools.catalogue import Catalogue, KnownTool, ServerListing
from toolnote_desktop.model.tools.tool import Tool
from toolnote_desktop.model.toolsets.tool_settings import SetToolSettings
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.proxy.routing.toolset_choice import ToolsetSelector
from toolnote_desktop.store.activity import ActivityLog
from toolnote_desktop.store.activity_database import Call
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
    data, count = page.list.drag_data() or (None, 0)
    assert data is not None
    assert count == 1
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


def give(page: ToolsetPage, name: str) -> None:
    """Press an assistant in the menu *Give to another assistant…*."""
    page.users.fill_menu()
    next(action for action in page.users.menu.actions() if action.text() == name).trigger()


def test_an_assistant_is_given_a_toolset_from_the_menu(
    qtbot: QtBot, window: MainWindow, page: ToolsetPage, library: Library
) -> None:
    assert list(page.users.buttons) == []
    give(page, "Cursor")
    assert own(library, "cursor") == "planning-week"
    assert library.snapshot.clients["cursor"].toolset_assigned
    qtbot.waitUntil(lambda: list(page.users.buttons) == ["cursor"])
    assert window.toast.sentence.text() == "Planning week given to Cursor"
    QTest.mouseClick(page.users.buttons["cursor"], Qt.MouseButton.LeftButton)
    assert window.place == RowKey(Kind.ASSISTANT, "cursor")
    window.go(PLANNING)
    give(page, "Cursor")
    assert own(library, "cursor") is None
    window.undo()
    assert own(library, "cursor") == "planning-week"


def test_toolset_users_are_shown(window: MainWindow, page: ToolsetPage) -> None:
    assert page.users.give_button.text() == "Give to an assistant…"
    window.actions_.give_toolset("vscode", "release-day")
    window.go(RowKey(Kind.TOOLSET, "my-tools"))
    assert list(page.users.buttons) == ["claude-desktop", "cursor"]  # by default
    window.go(RowKey(Kind.TOOLSET, "release-day"))
    assert list(page.users.buttons) == ["vscode"]


def test_a_switch_by_an_assistant_is_shown_with_undo(
    qtbot: QtBot, window: MainWindow, page: ToolsetPage, library: Library
) -> None:
    ToolsetSelector(library).choose(Principal("cursor"), "planning-week")
    qtbot.waitUntil(window.toast.isVisible)
    assert window.toast.sentence.text() == "Cursor: Toolset is Planning week now"
    qtbot.waitUntil(lambda: "cursor" in page.users.buttons)
    QTest.mouseClick(window.toast.action_button, Qt.MouseButton.LeftButton)
    assert own(library, "cursor") is None


def test_toolset_is_exported_from_its_page_and_its_menu(qtbot: QtBot, window: MainWindow, page: ToolsetPage) -> None:
    with qtbot.waitSignal(page.export_requested) as pressed:
        entry_of(page, "Share…").trigger()
    assert pressed.args == ["planning-week"]
    assert window.row_menu.fill([RowKey(Kind.TOOLSET, "code-review")])
    entry = next(action for action in window.row_menu.menu.actions() if action.text() == "Share…")
    with qtbot.waitSignal(window.row_menu.export_requested) as chosen:
        entry.trigger()
    assert chosen.args == ["code-review"]


def press(page: ToolsetPage, row: int, x: int, keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    """Press a row ``x`` pixels from its start."""
    middle = page.list.visualRect(page.model.index(row)).center().y()
    QTest.mouseClick(page.list.viewport(), Qt.MouseButton.LeftButton, keys, QPoint(x, middle))


TICK, SWITCH, NAME = 16, 54, 140


def test_a_row_is_ticked_switched_and_opened_by_its_parts(
    qtbot: QtBot, window: MainWindow, page: ToolsetPage, library: Library
) -> None:
    press(page, 1, SWITCH)
    qtbot.waitUntil(lambda: page.model.index(1).data(ToolRole.ON) is False)
    assert not library.snapshot.toolsets["planning-week"].tools[1].enabled
    assert page.foot() is None
    press(page, 2, TICK)
    press(page, 4, TICK, Qt.KeyboardModifier.ShiftModifier)
    assert page.list.ticked_rows() == [2, 3, 4]
    assert page.foot() is page.bar
    assert page.bar.count.text() == "3 selected"
    assert page.head.box.state is Qt.CheckState.PartiallyChecked
    assert window.place == PLANNING
    press(page, 0, NAME)
    assert window.place == RowKey(Kind.ENTRY, "planning-week", "Linear.create_issue")


def test_ticked_tools_are_turned_off_guarded_moved_and_removed_together(
    qtbot: QtBot, window: MainWindow, page: ToolsetPage, library: Library
) -> None:
    for row in (1, 2):
        press(page, row, TICK)
    QTest.mouseClick(page.bar.turn_button, Qt.MouseButton.LeftButton)
    assert [one.enabled for one in library.snapshot.toolsets["planning-week"].tools[:4]] == [True, False, False, True]
    assert window.toast.sentence.text() == "2 tools of Planning week turned off"
    qtbot.waitUntil(lambda: page.bar.turn_button.text() == "Turn on")
    QTest.mouseClick(page.bar.ask_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(
        lambda: [page.model.index(row).data(ToolRole.ASKS) for row in range(4)] == [False, True, True, False]
    )
    assert page.list.ticked_rows() == [1, 2]  # a change of the tools keeps the ticks
    before = order(library, "planning-week")
    next(action for action in page.bar.menu.actions() if action.text() == "Release day").trigger()
    assert order(library, "planning-week") == [before[0], *before[3:]]
    assert order(library, "release-day")[-2:] == before[1:3]
    window.undo()
    assert order(library, "planning-week") == before
    assert order(library, "release-day")[-1] == "start_rollout"
    qtbot.waitUntil(lambda: page.model.rowCount() == 9)
    page.list.clearSelection()
    press(page, 8, TICK)
    QTest.mouseClick(page.bar.remove_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: page.model.rowCount() == 8)
    assert page.foot() is None
    assert window.toast.sentence.text() == "1 tool removed from Planning week"


def test_the_place_in_guides_is_set_for_ticked_tools_and_suggested_from_use(
    qtbot: QtBot, page: ToolsetPage, library: Library
) -> None:
    page.list.tick_all(True)
    tools = library.snapshot.toolsets["planning-week"].tools

    def places() -> list[str | None]:
        return [one.optionality for one in library.snapshot.toolsets["planning-week"].tools]

    def choose(text: str) -> None:
        next(action for action in page.bar.need_menu.actions() if action.text() == text).trigger()

    choose("Only where it is relevant")
    assert places() == ["optional"] * len(tools)
    log = ActivityLog(library.home)
    first = library.snapshot.catalogue.resolve(tools[0])[0].tool
    for _ in range(40):
        log.record_call(Call(time.time(), "cursor", first.server, first.name, 0.1))
    assert log.flush()
    log.close()
    choose("As they were used")
    qtbot.waitUntil(lambda: places()[0] == "required")
    assert places()[1:] == ["optional"] * (len(tools) - 1)  # never called in a month of many calls
    choose("By the task")
    assert places() == [None] * len(tools)


def test_a_filter_keeps_the_place_of_a_drop(qtbot: QtBot, page: ToolsetPage, library: Library) -> None:
    page.filter.setText("list")
    assert page.model.rowCount() < 9
    first = page.model.place_at(0)
    data = rows_data([RowKey(Kind.TOOL, "Slack", "post_message")])
    assert drag(page.list, data, at(page, 0))
    assert order(library, "planning-week")[first] == "post_message"
    page.filter.setText("no such tool")
    assert page.nothing.text() == "No results for “no such tool”."
    QTest.mouseClick(page.empty_button, Qt.MouseButton.LeftButton)
    assert page.filter.text() == ""


def test_all_rows_are_ticked_by_the_head_and_by_keys(page: ToolsetPage) -> None:
    QTest.mouseClick(page.head.box, Qt.MouseButton.LeftButton)
    assert page.list.ticked_rows() == list(range(9))
    QTest.keyClick(page.list, Qt.Key.Key_Escape)
    assert page.list.ticked_rows() == []
    page.list.setFocus()
    QTest.keyClick(page.list, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert len(page.list.ticked_rows()) == 9
    QTest.keyClick(page.list, Qt.Key.Key_Space)
    assert len(page.list.ticked_rows()) == 8


def test_tools_are_picked_from_all_sources(window: MainWindow, page: ToolsetPage, library: Library) -> None:
    QTest.mouseClick(page.add_button, Qt.MouseButton.LeftButton)
    (dialog,) = window.findChildren(AddToolsDialog)
    assert not dialog.confirm.isEnabled()
    dialog.field.setText("no such tool")
    assert dialog.nothing.isVisible()
    assert dialog.nothing.text() == "No results for “no such tool”."
    dialog.field.setText("slack")
    assert not dialog.nothing.isVisible()
    QTest.keyClick(dialog.field, Qt.Key.Key_Down)
    assert dialog.focusWidget() is dialog.list
    dialog.list.setCurrentIndex(dialog.list.model().index(1, 0))
    QTest.keyClick(dialog.list, Qt.Key.Key_Space)
    first = dialog.list.visualRect(dialog.list.model().index(0, 0)).center()
    QTest.mouseClick(dialog.list.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, first)
    assert dialog.confirm.text() == "Add 2 tools"
    QTest.mouseClick(dialog.confirm, Qt.MouseButton.LeftButton)
    assert order(library, "planning-week")[-2:] == ["post_message", "search_messages"]
    assert window.toast.sentence.text() == "2 tools added to Planning week"


def test_a_title_is_changed_by_f2_and_kept_by_escape(window: MainWindow, page: ToolsetPage, library: Library) -> None:
    page.list.setFocus()
    QTest.keyClick(page.list, Qt.Key.Key_F2)
    assert page.title_field.hasFocus()
    QTest.keyClicks(page.title_field, "Something else")
    QTest.keyClick(page.title_field, Qt.Key.Key_Escape)
    assert page.title_field.text() == "Planning week"
    assert library.snapshot.toolsets["planning-week"].title == "Planning week"


def test_rows_of_a_narrow_window_have_two_lines(qtbot: QtBot, window: MainWindow, page: ToolsetPage) -> None:
    wide = page.list.height()
    window.resize(640, 480)
    qtbot.waitUntil(lambda: page.list.width() < 616)
    assert page.list.height() > wide
    assert page.list.height() == 9 * page.list.visualRect(page.model.index(0)).height()


def test_only_the_visible_rows_of_a_large_toolset_are_painted(
    qtbot: QtBot, light_theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table is as high as its rows, so that the page scrolls: 2,000 rows cost what a screen of them costs."""
    found = sample.large_catalogue(2_000)
    entries = [{"namespacedName": one.tool.namespaced_name, "refId": one.tool.ref_id} for one in found.tools.values()]
    documents = {"all": {"name": "all", "title": "All", "tools": entries, "toolNotes": []}}
    snapshot = sample.snapshot(found=found, toolsets=documents)
    painted: set[int] = set()
    paint = ToolRowDelegate.paint

    def counted(self: ToolRowDelegate, painter: Any, option: Any, index: Any) -> None:
        painted.add(index.row())
        paint(self, painter, option, index)

    monkeypatch.setattr(ToolRowDelegate, "paint", counted)
    model = ToolsetTools()
    area = QScrollArea()
    qtbot.addWidget(area)
    view = ToolList(model)
    area.setWidgetResizable(True)
    area.setWidget(view)
    model.show_toolset(snapshot, snapshot.toolsets["all"])
    area.resize(900, 720)
    area.show()
    qtbot.waitUntil(lambda: bool(painted))
    area.verticalScrollBar().setValue(30_000)
    qtbot.waitUntil(lambda: max(painted) > 800)
    assert view.height() == 2_000 * view.visualRect(model.index(0)).height()
    assert len(painted) < 100


def test_asking_is_suggested_for_destructive_tools_and_never_set(
    qtbot: QtBot, window: MainWindow, page: ToolsetPage, library: Library
) -> None:
    """One press for all of them, or dismissed for good; a tool that only reads is left out whatever else it says."""
    reads = {"destructiveHint": True, "readOnlyHint": True}
    said = {"delete_issue": {"destructiveHint": True}, "merge": {"destructiveHint": True}, "read": reads, "other": {}}
    tools = [Tool("Linear", {"name": name, "inputSchema": {}, "annotations": of}) for name, of in said.items()]
    listing = ServerListing(
        library.snapshot.catalogue.servers["Linear"].status, tuple(KnownTool(one, one) for one in tools)
    )
    library.publish_catalogue(Catalogue({"Linear": listing}, {one.key: one.name for one in tools}))
    window.actions_.add_tools("planning-week", listing.tools)

    def approval(name: str) -> str | None:
        known = library.snapshot.catalogue.tools["Linear", name]
        return library.snapshot.effective_entry(known).approval

    def notices() -> list[Banner]:
        return [one for one in page.findChildren(Banner) if one.isVisible() and "can delete data" in one.notice.text]

    qtbot.waitUntil(lambda: bool(notices()))
    assert [one.notice.text for one in notices()] == ["2 tools can delete data, and you aren’t asked before they run."]
    assert {approval(name) for name in said} == {None}
    button = notices()[0].button
    assert button is not None
    click(button)
    qtbot.waitUntil(lambda: not notices())
    assert [approval(name) for name in said] == ["ask", "ask", None, None]
    window.undo()
    qtbot.waitUntil(lambda: bool(notices()))
    assert {approval(name) for name in said} == {None}
    dismiss = notices()[0].dismiss_button
    assert dismiss is not None
    click(dismiss)
    qtbot.waitUntil(lambda: not notices())
    assert [approval(name) for name in said] == ["off", "off", None, None]
    window.go(RowKey(Kind.TOOL, "Linear", "merge"))
    shown = window.pages.tool_page
    assert not [one for one in shown.notices if "can delete data" in one.text]
    click(shown.ask_switch)
    qtbot.waitUntil(lambda: approval("merge") == "ask")
    click(shown.ask_switch)
    qtbot.waitUntil(lambda: approval("merge") == "off")
    assert not [one for one in shown.notices if "can delete data" in one.text], "not suggested again"
    library.submit(SetToolSettings("Linear.merge", {"approval": ABSENT}))
    qtbot.waitUntil(lambda: any("can delete data" in one.text for one in shown.notices))
    library.submit(SetToolSettings("Linear.merge", {"readOnlyHint": True}, ("hints",)))
    qtbot.waitUntil(lambda: not any("can delete data" in one.text for one in shown.notices))
    library.submit(SetToolSettings("Linear.read", {"destructiveHint": True}, ("hints",)))  # its server: it only reads
    window.go(RowKey(Kind.TOOL, "Linear", "read"))
    qtbot.waitUntil(lambda: any("can delete data" in one.text for one in shown.notices))
    assert approval("read") is None
