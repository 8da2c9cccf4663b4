"""The sidebar: its rows name the page that is shown and what happened lately, and its foot turns Toolnote off."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QIcon, QImage
from pytestqt.qtbot import QtBot

from tests.desktop import sample
from tests.proxy.running import raw_server
from toolnote_desktop.desktop.home.page import NeedRow
from toolnote_desktop.desktop.models.library_builder import MOST_TOOLS, LibraryRows
from toolnote_desktop.desktop.models.library_rows import HOME, SOURCES, Kind, Mark, Row, RowKey
from toolnote_desktop.desktop.models.needs_you import EndpointState, state_of_toolnote
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.theme.app_icons import app_icon
from toolnote_desktop.desktop.theme.theme import Theme
from toolnote_desktop.desktop.window.window import MainWindow
from toolnote_desktop.model.edits import SERVER_ENTRIES, SERVERS, SETTINGS, AddEntry, SetFields
from toolnote_desktop.paths import Home
from toolnote_desktop.store.activity import ActivityLog
from toolnote_desktop.store.activity_database import Call
from toolnote_desktop.store.activity_queries import recent_tools
from toolnote_desktop.store.library import Library


def answers(port: int) -> bool:
    """Return True if something listens there."""
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


def source(rows: tuple[Row, ...], name: str) -> Row:
    group = next(row for row in rows if row.key == SOURCES)
    return next(row for row in group.children if row.text == name)


def test_tools_with_recent_calls_have_rows_and_no_more_than_eight() -> None:
    snapshot = sample.snapshot()
    rows = LibraryRows()
    assert [row.text for row in source(rows.build(snapshot), "Slack").children] == ["All 4 tools…"]
    recent = [("Slack", "post_message"), *(("Linear", tool.tool.name) for tool in sample.known_tools("Linear"))]
    shown = rows.build(snapshot, recent=recent)
    assert [row.text for row in source(shown, "Slack").children] == ["Post message", "All 4 tools…"]
    linear = source(shown, "Linear").children
    assert len(linear) == MOST_TOOLS + 1
    with_notes = {"Create issue", "Search projects", "Update issue"}
    assert with_notes <= {row.text for row in linear}  # before those that were only called


def test_recent_tools_are_read_from_the_log_the_last_called_first(home: Home) -> None:
    log, now = ActivityLog(home), time.time()
    for number, (server, tool) in enumerate((("Git", "a"), ("Git", "b"), ("Git", "a"), ("Slack", "old"))):
        log.record_call(Call(now + number - (0 if tool != "old" else 900), "cursor", server, tool, 0.1))
    log.close()
    assert recent_tools(home, now - 500) == (("Git", "a"), ("Git", "b"))


def test_nothing_starts_in_safe_mode_and_no_row_says_so() -> None:
    """Each source said *Starting* and stayed so."""
    serving = EndpointState(is_safe_mode=True)
    assert not serving.runs_sources
    rows = LibraryRows().build(sample.snapshot(), is_running=serving.runs_sources)
    words = {row.text: row.right for row in next(row for row in rows if row.key == SOURCES).children}
    assert words.pop("Jira (old)") == "Off"
    assert set(words.values()) == {"Not running"}
    assert state_of_toolnote(sample.snapshot(), serving) == (Mark.ATTENTION, "Safe mode")


def test_focus_on_the_sidebar_opens_no_page(qtbot: QtBot, window: MainWindow) -> None:
    """A page without a row was left for Home as soon as the sidebar had the focus: seen red without the guard."""
    place = RowKey(Kind.ADD_TOOLS)
    window.go(HOME)
    window.pages.home_page.connect_button.setFocus()
    window.go(place)
    assert window.sidebar.view.selected_keys() == []
    window.sidebar.view.setFocus(Qt.FocusReason.TabFocusReason)
    assert window.place == place
    assert window.sidebar.view.selected_keys() == []


def test_the_marked_row_is_the_page_that_is_shown(window: MainWindow) -> None:
    for place, row in (
        (RowKey(Kind.ASSISTANT, "cursor"), RowKey(Kind.ASSISTANT, "cursor")),
        (RowKey(Kind.TOOL, "Linear", "list_teams"), RowKey(Kind.TOOL, "Linear", "list_teams")),
        (RowKey(Kind.CHANGED, "GitHub", "merge_pull_request"), RowKey(Kind.TOOL, "GitHub", "merge_pull_request")),
        (RowKey(Kind.LOST_NOTES), HOME),
        (RowKey(Kind.TOOLSET, "release-day"), RowKey(Kind.TOOLSET, "release-day")),
    ):
        window.go(place)
        assert window.sidebar.view.selected_keys() == [row]
    window.navigator.back()
    assert window.sidebar.view.selected_keys() == [HOME]


@pytest.fixture
def icon_theme(tmp_path: Path, qtbot: QtBot) -> Iterator[None]:
    """An icon theme with the icon of Cursor."""
    folder = tmp_path / "icons" / "mine" / "48x48" / "apps"
    folder.mkdir(parents=True)
    index = "[Icon Theme]\nName=mine\nDirectories=48x48/apps\n[48x48/apps]\nSize=48\nContext=Applications\n"
    (folder.parents[1] / "index.theme").write_text(index, encoding="utf-8")
    picture = QImage(48, 48, QImage.Format.Format_RGB32)
    picture.fill(QColor("#123456"))
    picture.save(str(folder / "cursor.png"))
    before, paths = QIcon.themeName(), QIcon.themeSearchPaths()
    QIcon.setThemeSearchPaths([str(tmp_path / "icons")])
    QIcon.setThemeName("mine")
    app_icon.cache_clear()
    yield
    QIcon.setThemeSearchPaths(paths)
    QIcon.setThemeName(before)
    app_icon.cache_clear()


def test_an_assistant_has_the_icon_of_its_program_where_the_system_has_it(icon_theme: None, window: MainWindow) -> None:
    assert app_icon("claude-desktop") is None
    view = window.sidebar.view
    picture = window.grab().toImage()
    row = view.visualRect(view.model().find(RowKey(Kind.ASSISTANT, "cursor")))  # type: ignore[attr-defined]
    middle = view.viewport().mapTo(window, row.center())
    ratio = picture.devicePixelRatio()
    colour = picture.pixelColor(round(32 * ratio), round(middle.y() * ratio))
    assert colour == QColor("#123456")


@pytest.fixture
def live(qtbot: QtBot, light_theme: Theme, home: Home) -> Iterator[MainWindow]:
    """A window whose proxy runs with one server."""
    with Library.open(home, watch=False) as library:
        server = raw_server(tools=[{"name": "echo", "inputSchema": {"type": "object"}}])
        library.submit(SetFields(SETTINGS, {"port": 0}), AddEntry(SERVERS, SERVER_ENTRIES, "raw", server))
        link = ProxyLink(library, home)
        window = MainWindow(library, link)
        qtbot.addWidget(window)
        window.show()
        with qtbot.waitSignal(link.endpoint_changed, timeout=30000):
            link.start()
        yield window
        window.close()
        link.stop()


def test_turn_off_stops_the_sources_and_turn_on_starts_them(qtbot: QtBot, live: MainWindow) -> None:
    assert live.sidebar.state_button.text() == "Toolnote is on"
    endpoint = live._link.endpoint
    assert endpoint is not None
    port = endpoint.port
    assert answers(port)
    live.menu.turn_off.trigger()
    assert live.sidebar.state_button.text() == "Toolnote is off"
    qtbot.waitUntil(lambda: not answers(port), timeout=10000)
    assert not live._link.is_serving
    live.go(HOME)
    need = next(row for row in live.pages.home_page.need_rows if isinstance(row, NeedRow))
    assert need.text.text() == "Toolnote is off"
    assert not live.menu.turn_off.isVisible()
    need.button.click()
    qtbot.waitUntil(lambda: live.sidebar.state_button.text() == "Toolnote is on", timeout=30000)
    endpoint = live._link.endpoint
    assert endpoint is not None
    assert answers(endpoint.port)
