"""The tray's menu says how it is when it is about to show; with no tray nobody is stranded in one."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
from PySide6.QtGui import QAction, QIcon
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from tests.desktop.helpers import MemoryAutostart
from toolnote_desktop.desktop.editing.default_toolset import make_my_tools
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.shell.tray import Tray
from toolnote_desktop.model.edits import CreateDocument, toolset_document
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.servers import ServerState, ServerStatus
from toolnote_desktop.model.tools.catalogue import Catalogue, ServerListing
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.events import ConnectedClient, Endpoint, EndpointFailed, EndpointReady
from toolnote_desktop.store.library import Library


class LinkWithClients(ProxyLink):
    """A link whose proxy has these clients."""

    connected: tuple[ConnectedClient, ...] = ()

    def clients(self) -> tuple[ConnectedClient, ...]:
        return self.connected


@pytest.fixture
def library(empty_library: Library) -> Library:
    make_my_tools(empty_library, "My tools & more")
    return empty_library


@pytest.fixture
def link(qtbot: QtBot, library: Library, home: Home) -> Iterator[LinkWithClients]:
    link = LinkWithClients(library, home)
    yield link
    link.stop()


@pytest.fixture
def autostart() -> MemoryAutostart:
    return MemoryAutostart()


@pytest.fixture
def tray(library: Library, link: LinkWithClients, autostart: MemoryAutostart) -> Iterator[Tray]:
    tray = Tray(library, link, QIcon(), autostart, ["/opt/toolnote-desktop", "--home", "/x"])
    yield tray
    tray.close()


def client(name: str, sessions: int = 1) -> ConnectedClient:
    return ConnectedClient(name.lower(), name, "1", sessions, True, None)


def entries(menu: QMenu) -> list[str]:
    return [action.text() for action in menu.actions() if not action.isSeparator()]


def entry(menu: QMenu, text: str) -> QAction:
    return next(action for action in menu.actions() if action.text() == text)


def test_the_menu_is_built_when_it_is_about_to_show(tray: Tray) -> None:
    assert entries(tray.menu) == []
    tray.menu.aboutToShow.emit()
    assert entries(tray.menu) == ["Starting", "Open Toolnote", "Toolset", "Pause notes", "Start at login", "Quit"]
    tray.menu.aboutToShow.emit()
    assert len(entries(tray.menu)) == 6


def test_the_state_is_one_line(qtbot: QtBot, tray: Tray, link: LinkWithClients) -> None:
    assert tray.state() == "Starting"
    with qtbot.waitSignal(link.endpoint_changed):
        link.deliver(EndpointReady(Endpoint("http://127.0.0.1:1/mcp", 1, "t", "s")))
    assert tray.state() == "On, no assistant running"
    link.connected = (client("Cursor"), client("Claude Desktop"), client("Zed", sessions=0))
    assert tray.state() == "On, Cursor and Claude Desktop running"
    with qtbot.waitSignal(link.proxy_failed):
        link.deliver(EndpointFailed(Problem(Code.PROXY_FAILED, {"reason": "no port"})))
    assert tray.state().startswith("Not answering: ")
    assert "no port" in tray.state()


def test_quit_names_who_loses_the_tools(qtbot: QtBot, tray: Tray, link: LinkWithClients) -> None:
    link.connected = (client("Cursor"), client("Claude Desktop"))
    tray.build_menu()
    quit_entry = entry(tray.menu, "Quit (Cursor and Claude Desktop will lose these tools)")
    with qtbot.waitSignal(tray.quit_requested):
        quit_entry.trigger()


def test_calls_that_wait_for_the_user_come_first_in_the_menu(qtbot: QtBot, tray: Tray) -> None:
    tray.show_questions([f"Cursor wants to run tool & {number}" for number in range(9)])
    assert entries(tray.menu)[1:3] == ["Cursor wants to run tool && 0…", "Cursor wants to run tool && 1…"]
    assert sum("wants to run" in text for text in entries(tray.menu)) == 5
    with qtbot.waitSignal(tray.question_requested):
        entry(tray.menu, "Cursor wants to run tool && 1…").trigger()
    tray.show_questions([])
    assert entries(tray.menu)[1] == "Open Toolnote"


def test_a_toolset_is_switched_in_the_menu(tray: Tray, library: Library) -> None:
    content = {"name": "release", "title": "Release day", "tools": []}
    library.submit(CreateDocument(toolset_document("release"), content))
    tray.build_menu()
    toolsets = entry(tray.menu, "Toolset").menu()
    assert isinstance(toolsets, QMenu)
    assert [(action.text(), action.isChecked()) for action in toolsets.actions()] == [
        ("My tools && more", True),
        ("Release day", False),
    ]
    entry(toolsets, "Release day").trigger()
    assert library.snapshot.settings.equipped_toolset == "release"


def test_notes_are_paused_and_go_on(qtbot: QtBot, tray: Tray, link: LinkWithClients, library: Library) -> None:
    with qtbot.waitSignal(link.endpoint_changed):
        link.deliver(EndpointReady(Endpoint("http://127.0.0.1:1/mcp", 1, "t", "s")))
    tray.build_menu()
    entry(tray.menu, "Pause notes").trigger()
    assert library.snapshot.settings.notes_paused
    assert tray.state() == "On, your notes are paused"
    tray.build_menu()
    entry(tray.menu, "Pause notes").trigger()
    assert not library.snapshot.settings.notes_paused


def test_problems_lead_to_their_server(qtbot: QtBot, tray: Tray, library: Library) -> None:
    problem = Problem(Code.PROGRAM_MISSING, {"server": "git", "program": "uvx", "path": "/bin"})
    status = ServerStatus(ServerState.NEEDS_PROGRAM, problem)
    library.publish_catalogue(Catalogue(servers={"git": ServerListing(status)}))
    tray.build_menu()
    problems = entry(tray.menu, "Recent problems").menu()
    assert isinstance(problems, QMenu)
    assert "uvx" in problems.actions()[0].text()
    with qtbot.waitSignal(tray.server_requested) as requested:
        problems.actions()[0].trigger()
    assert requested.args == ["git"]


def test_start_at_login_is_switched(tray: Tray, autostart: MemoryAutostart) -> None:
    tray.build_menu()
    entry(tray.menu, "Start at login").trigger()
    assert autostart.command == ("/opt/toolnote-desktop", "--home", "/x")
    tray.build_menu()
    assert entry(tray.menu, "Start at login").isChecked()
    entry(tray.menu, "Start at login").trigger()
    assert not autostart.enabled()


def test_start_at_login_that_cannot_be_written_is_told(qtbot: QtBot, tray: Tray, autostart: MemoryAutostart) -> None:
    autostart.broken = True
    tray.build_menu()
    with qtbot.waitSignal(tray.failed):
        entry(tray.menu, "Start at login").trigger()
    tray.build_menu()
    assert not entry(tray.menu, "Start at login").isChecked()


@pytest.mark.skipif(sys.platform != "linux", reason="the offscreen desktop there has a tray of the system's")
def test_on_a_desktop_without_a_tray_there_is_none(tray: Tray) -> None:
    tray.start()
    assert not tray.has_tray()
