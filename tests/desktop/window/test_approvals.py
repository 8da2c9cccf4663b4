"""Approval of calls in the window: real calls of a real client, decided by clicks and keys."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtGui import QIcon
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from tests.desktop.helpers import MemoryAutostart, click
from tests.proxy.live import Live, live_call
from tests.proxy.raw_client import RawClient
from tests.proxy.running import raw_server, said
from toolnote_desktop.desktop.activity.allowed_for_sessions import AllowedForSessions
from toolnote_desktop.desktop.dialogs import approval_window
from toolnote_desktop.desktop.dialogs.approval_window import ApprovalWindow
from toolnote_desktop.desktop.models.library_rows import Kind, RowKey
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.shell.tray import Tray
from toolnote_desktop.desktop.theme.theme import Theme
from toolnote_desktop.desktop.widgets.full_text_label import FullTextLabel
from toolnote_desktop.desktop.window.approvals import ApprovalPrompts
from toolnote_desktop.desktop.window.window import MainWindow
from toolnote_desktop.guidance.notes_section import NoteIndex
from toolnote_desktop.model.audit import AuditKind
from toolnote_desktop.model.edits import (
    NOTES,
    SERVER_ENTRIES,
    SERVERS,
    SETTINGS,
    TOOLS,
    AddEntry,
    CreateDocument,
    SetFields,
    toolset_document,
)
from toolnote_desktop.model.toolsets.tool_settings import SetToolSettings
from toolnote_desktop.paths import CLIENT_HEADER, TOOLSET_HEADER
from toolnote_desktop.proxy.events import AllowedForSession, ApprovalQuestion
from toolnote_desktop.store.audit import AuditFilter, read_entries
from toolnote_desktop.store.library import Library

SCHEMA = {
    "type": "object",
    "properties": {"note": {"type": "string"}, "branch": {"type": "string", "title": "Branch"}},
    "required": ["branch"],
}


@pytest.fixture
def library(empty_library: Library) -> Library:
    echo = {"name": "echo", "title": "Delete branch", "inputSchema": SCHEMA, "annotations": {"destructiveHint": True}}
    entry = {**raw_server(tools=[echo], name="GitHub"), "toolnote": {"toolset": "work", "prefix": ""}}
    empty_library.submit(
        CreateDocument(toolset_document("work"), {"name": "work", "title": "Work", "tools": []}),
        SetFields(SETTINGS, {"equippedToolset": "work", "port": 0}),
        SetFields(NOTES, {"tools": {"GitHub.echo": [{"name": "merged", "note": "Only merged branches."}]}}),
        AddEntry(SERVERS, SERVER_ENTRIES, "GitHub", entry),
        SetToolSettings("GitHub.echo", {"approval": "ask"}),
    )
    return empty_library


@pytest.fixture
def window(
    qtbot: QtBot, light_theme: Theme, library: Library, link: ProxyLink, monkeypatch: pytest.MonkeyPatch
) -> Iterator[MainWindow]:
    monkeypatch.setattr(approval_window, "DEAD_SECONDS", 0.0)
    window = MainWindow(library, link)
    prompts = ApprovalPrompts(window, link, library)
    window.show()
    link.start()
    qtbot.waitUntil(lambda: link.endpoint is not None and bool(library.snapshot.toolsets["work"].tools), timeout=20_000)
    yield window
    prompts.close()
    window.close()
    window.deleteLater()


@pytest.fixture
def tray(library: Library, link: ProxyLink) -> Iterator[Tray]:
    tray = Tray(library, link, QIcon(), MemoryAutostart(), ["/opt/toolnote-desktop"])
    yield tray
    tray.close()


@pytest.fixture
def client(window: MainWindow, link: ProxyLink) -> RawClient:
    assert link.endpoint is not None
    client = RawClient(link.endpoint.url, link.endpoint.token)
    client.initialize()
    return client


def asked(qtbot: QtBot, count: int = 1) -> ApprovalWindow:
    """The window, once it shows so many questions and its buttons work."""

    def shown() -> ApprovalWindow | None:
        for widget in QApplication.topLevelWidgets():
            if isinstance(widget, ApprovalWindow) and widget.isVisible() and len(widget.questions) == count:
                return widget if widget.once_button.isEnabled() else None
        return None

    qtbot.waitUntil(lambda: shown() is not None, timeout=10_000)
    found = shown()
    assert found is not None
    return found


def call(client: RawClient, **arguments: Any) -> Live:
    return live_call(client, "echo", arguments or {"branch": "release/2.3", "note": "x"})


def refused(running: Live, qtbot: QtBot) -> str:
    qtbot.waitUntil(lambda: running.ended, timeout=10_000)
    return str(json.loads(said(running.result()))["error_type"])


def test_question_says_who_what_with_which_arguments_and_the_users_notes(qtbot: QtBot, client: RawClient) -> None:
    running = call(client)
    shown = asked(qtbot)
    assert shown.head.text() == "An assistant wants to run Delete branch"
    assert shown.effect.text() == "Can delete data on GitHub"
    texts = [one.text() for one in shown.findChildren(FullTextLabel)]
    assert texts == ["release/2.3", "x", "Only merged branches."]
    assert "Branch" in [one.text() for one in shown.findChildren(QLabel)]
    assert shown.left.text().startswith("Not allowed automatically in 0:4")
    assert not running.ended
    click(shown.once_button)
    qtbot.waitUntil(lambda: running.ended, timeout=10_000)
    assert "release/2.3" in said(running.result())
    assert not shown.isVisible()


def test_the_users_hints_decide_what_the_question_says(qtbot: QtBot, client: RawClient, library: Library) -> None:
    library.submit(SetToolSettings("GitHub.echo", {"readOnlyHint": True, "openWorldHint": True}, ("hints",)))
    running = call(client)
    shown = asked(qtbot)
    assert shown.effect.text() == "Only reads from GitHub. Reaches beyond GitHub"
    assert shown.session_button.isVisible()
    click(shown.deny_button)
    assert refused(running, qtbot) == "approval_denied"
    own = {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": True}
    library.submit(SetToolSettings("GitHub.echo", own, ("hints",)))
    running = call(client)
    shown = asked(qtbot)
    words = "Can delete data on GitHub. Reaches beyond GitHub. A second run changes nothing more"
    assert shown.effect.text() == words
    assert not shown.session_button.isVisible(), "each call is decided on its own"
    click(shown.deny_button)
    assert refused(running, qtbot) == "approval_denied"


def test_tray_names_the_calls_that_wait_and_brings_their_window(
    qtbot: QtBot, client: RawClient, window: MainWindow
) -> None:
    prompts = window.findChild(ApprovalPrompts)
    assert prompts is not None
    named: list[tuple[str, ...]] = []
    prompts.changed.connect(named.append)
    running = call(client)
    shown = asked(qtbot)
    shown.showMinimized()
    prompts.show_window()
    assert not shown.isMinimized()
    click(shown.deny_button)
    assert refused(running, qtbot) == "approval_denied"
    qtbot.waitUntil(lambda: named == [("An assistant wants to run Delete branch",), ()])


def test_focus_and_escape_mean_no(qtbot: QtBot, client: RawClient, window: MainWindow) -> None:
    running = call(client)
    shown = asked(qtbot)
    assert shown.focusWidget() is shown.deny_button
    assert shown.deny_button.property("ring") is True, "the answer of Escape can be seen"
    QTest.keyClick(shown, Qt.Key.Key_Escape)
    assert refused(running, qtbot) == "approval_denied"


def test_focus_means_no_where_another_window_has_the_keyboard_too(
    qtbot: QtBot, client: RawClient, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ApprovalWindow, "isActiveWindow", lambda _self: False)  # until the answers work
    running = call(client)
    shown = asked(qtbot)
    assert shown.focusWidget() is shown.deny_button
    shown.close()
    assert refused(running, qtbot) == "approval_denied"


def test_closing_the_window_means_no_to_all(qtbot: QtBot, client: RawClient) -> None:
    running = [call(client), call(client)]
    asked(qtbot, 2).close()
    assert [refused(one, qtbot) for one in running] == ["approval_denied"] * 2


def test_several_wait_in_one_window_and_one_press_refuses_them(qtbot: QtBot, client: RawClient) -> None:
    running = [call(client) for _ in range(3)]
    shown = asked(qtbot, 3)
    assert shown.count.text() == "1 of 3"
    click(shown.deny_all_button)
    assert [refused(one, qtbot) for one in running] == ["approval_denied"] * 3


def test_always_with_these_arguments_is_stored_and_undone(
    qtbot: QtBot, client: RawClient, window: MainWindow, library: Library
) -> None:
    running = call(client, branch="a")
    asked(qtbot).always.trigger()
    qtbot.waitUntil(lambda: running.ended, timeout=10_000)
    assert (library.raw(TOOLS) or {})["tools"]["GitHub.echo"]["allowedCalls"] == [{"branch": "a"}]
    again = call(client, branch="a")
    qtbot.waitUntil(lambda: again.ended, timeout=10_000)
    assert '"a"' in said(again.result()) or "a" in said(again.result())
    window.changes.undo()
    third = call(client, branch="a")
    click(asked(qtbot).deny_button)
    assert refused(third, qtbot) == "approval_denied"


def test_question_is_about_the_toolset_that_the_client_was_given(
    qtbot: QtBot, window: MainWindow, link: ProxyLink, library: Library
) -> None:
    """Seen red: of a client with ``bridge --toolset`` the hints and notes of the shared toolset were shown, and *Always
    with these arguments* had no effect where the toolset has allowed calls of its own.
    """
    own = {"hints": {"readOnlyHint": True, "destructiveHint": False}, "allowedCalls": [{"branch": "z"}]}
    tool = {"namespacedName": "GitHub.echo"}
    notes = [{"toolRef": tool, "notes": [{"name": "own", "note": "Of this toolset."}]}]
    document = toolset_document("other")
    library.submit(CreateDocument(document, {"name": "other", "tools": [tool | own], "toolNotes": notes}))
    assert link.endpoint is not None
    headers = {CLIENT_HEADER: "cursor", TOOLSET_HEADER: "other"}
    client = RawClient(link.endpoint.url, link.endpoint.bridge_secret, **headers)
    client.initialize()
    running = call(client, branch="a")
    shown = asked(qtbot)
    assert shown.effect.text() == "Only reads from GitHub"
    assert "Of this toolset." in [one.text() for one in shown.findChildren(FullTextLabel)]
    shown.always.trigger()
    qtbot.waitUntil(lambda: running.ended, timeout=10_000)
    assert (library.raw(document) or {})["tools"][0]["allowedCalls"] == [{"branch": "z"}, {"branch": "a"}]
    again = call(client, branch="a")
    qtbot.waitUntil(lambda: again.ended, timeout=10_000)
    assert "isError" not in again.result()
    window.changes.undo()
    third = call(client, branch="a")
    click(asked(qtbot).deny_button)
    assert refused(third, qtbot) == "approval_denied"


def test_client_named_like_the_user_is_named(qtbot: QtBot, window: MainWindow, link: ProxyLink) -> None:
    """Seen red: the question was who wants to run it: " wants to run Delete branch"."""
    assert link.endpoint is not None
    client = RawClient(link.endpoint.url, link.endpoint.bridge_secret, **{CLIENT_HEADER: "user"})
    client.initialize()
    running = call(client)
    shown = asked(qtbot)
    assert shown.head.text() == "User wants to run Delete branch"
    click(shown.deny_button)
    assert refused(running, qtbot) == "approval_denied"


def test_secrets_among_the_arguments_are_masked_and_all_else_is_shown(qtbot: QtBot, client: RawClient) -> None:
    """Seen red: a key was shown in full unless it was one of Toolnote's own secrets."""
    key, commit = "ghp_" + "x1Y2" * 9, "0123456789abcdef" * 2 + "01234567"
    nested = {"auth": [{"password": "hunter-22"}, f"echo {key} > /tmp/a"], "host": "sk-" + "a" * 40 + ".evil.example"}
    running = call(client, branch=commit, api_token="p4ss-word", note=f"push {key}", deep=nested, access_key=key)
    shown = asked(qtbot)
    texts = {one.text() for one in shown.findChildren(FullTextLabel)}
    assert {commit, "•••", "push ghp_•••", "ghp_•••"} <= texts
    assert any("evil.example" in text and "/tmp/a" in text for text in texts)
    assert not any(secret in text for text in texts for secret in (key, "hunter", "p4ss"))
    click(shown.deny_button)
    assert refused(running, qtbot) == "approval_denied"


def test_cancelled_call_closes_its_question(qtbot: QtBot, client: RawClient) -> None:
    running = call(client)
    shown = asked(qtbot)
    running.close()
    qtbot.waitUntil(lambda: not shown.isVisible(), timeout=10_000)
    assert shown.questions == ()


def test_long_values_scroll_within_the_screen(qtbot: QtBot, client: RawClient) -> None:
    running = call(client, **{"branch": "long " * 4000, "no\u202ete": "n"})
    shown = asked(qtbot)
    names = [one.text() for one in shown.findChildren(QLabel)]
    assert not any("\u202e" in name for name in names)
    assert any(name.startswith("no") and name.endswith("te") for name in names), "the sign is written out"
    free = shown.screen().availableGeometry()
    assert free.contains(shown.geometry())
    assert shown.once_button.isVisible()
    click(shown.deny_button)
    assert refused(running, qtbot) == "approval_denied"


def test_what_an_assistant_sends_does_not_decide_how_much_is_laid_out(qtbot: QtBot, client: RawClient) -> None:
    """Seen red: each argument had a row, and 2,000 of them stopped the window for nine seconds."""
    many = {f"a{number}": number for number in range(20_000)}
    running = call(client, **{"branch": "x" * 150_000, "n" * 5000: "x" * 1000}, **many)
    shown = asked(qtbot)
    texts = [one.text() for one in shown.findChildren(QLabel)]
    assert len(texts) < 200
    assert max(map(len, texts)) < 21_000
    assert any(text.startswith("nnn") and text.endswith("… (+4,800)") for text in texts)
    assert "+19,962" in texts
    click(shown.deny_button)
    assert refused(running, qtbot) == "approval_denied"


def test_many_calls_that_begin_and_end_together_are_shown_twice(
    qtbot: QtBot, window: MainWindow, link: ProxyLink, tray: Tray, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen red: calls of 50 KB were laid out one after the other as their client left, and each of them had a menu of
    the tray, an index of the notes and a row of Home made (attack *approvals*).
    """
    done: list[str] = []
    kinds = ((MainWindow, "_update_state"), (ApprovalWindow, "_fill"), (NoteIndex, "__init__"), (Tray, "build_menu"))
    for owner, name in kinds:
        own = getattr(owner, name)

        def counted(*given: Any, own: Any = own, name: str = name) -> None:
            done.append(name)
            own(*given)

        monkeypatch.setattr(owner, name, counted)
    prompts = window.findChild(ApprovalPrompts)
    assert prompts is not None
    prompts.changed.connect(tray.show_questions)
    question = ApprovalQuestion(0, "", ("GitHub", "echo"), {"branch": "x" * 50_000}, 45.0)
    for number in range(128):
        link.approval_asked.emit(replace(question, id=number))
    asking = asked(qtbot, 128)
    qtbot.waitUntil(lambda: not window._refreshing.isActive())
    waiting = [need for need in window.needs if need.action == "Show"]
    assert [need.text for need in waiting] == ["An assistant wants to run Delete branch"] * 5 + ["123 more calls"]
    for number in range(127):
        link.approval_closed.emit(number)
    assert not asking.deny_button.isEnabled()
    qtbot.waitUntil(lambda: asking.questions[0].id == 127 and asking.deny_button.isEnabled())
    link.approval_closed.emit(127)
    assert not asking.isVisible()
    qtbot.waitUntil(lambda: not any("wants to run" in need.text for need in window.needs))
    assert done.count("_fill") == done.count("__init__") == 2
    assert done.count("build_menu") <= 3
    assert done.count("_update_state") <= 8


def test_many_calls_are_refused_with_one_press_and_none_of_them_is_laid_out_for_it(
    qtbot: QtBot, window: MainWindow, link: ProxyLink, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen red: each question was shown as the one before it was refused, with all of its text."""
    answered: list[tuple[int, str]] = []
    monkeypatch.setattr(link, "answer_approval", lambda number, decision: answered.append((number, decision)))
    filled: list[object] = []
    fill = ApprovalWindow._fill

    def counted(*given: Any) -> None:
        filled.append(given)
        fill(*given)

    monkeypatch.setattr(ApprovalWindow, "_fill", counted)
    question = ApprovalQuestion(0, "", ("GitHub", "echo"), {"branch": "x" * 50_000}, 45.0)
    for number in range(64):
        link.approval_asked.emit(replace(question, id=number))
    asking = asked(qtbot, 64)
    click(asking.deny_all_button)
    assert answered == [(number, "deny") for number in range(64)]
    assert not asking.isVisible()
    assert len(filled) == 1
    qtbot.waitUntil(lambda: not any("wants to run" in need.text for need in window.needs))


def test_what_was_allowed_for_a_session_is_taken_back_with_one_press(
    qtbot: QtBot, client: RawClient, window: MainWindow, link: ProxyLink, library: Library
) -> None:
    """Seen red: nothing said what was allowed, and only the end of the session or of the app took it back."""
    running = call(client)
    click(asked(qtbot).session_button)
    qtbot.waitUntil(lambda: running.ended, timeout=10_000)
    running = call(client, branch="other")
    qtbot.waitUntil(lambda: running.ended, timeout=10_000)
    window.go(RowKey(Kind.ACTIVITY))
    box = window.pages.activity_page.allowed
    qtbot.waitUntil(box.isVisible, timeout=10_000)
    assert "An assistant runs Delete branch without asking you." in [one.text() for one in box.findChildren(QLabel)]
    (button,) = box.buttons
    click(button)
    qtbot.waitUntil(box.isHidden, timeout=10_000)
    running = call(client)
    click(asked(qtbot).deny_button)
    assert refused(running, qtbot) == "approval_denied"
    library.audit.flush()
    taken_back = read_entries(link.home, 99, AuditFilter(kinds=(AuditKind.APPROVAL,)))
    assert ("user", "taken-back", "GitHub.echo") in [(one.actor, one.action, one.subject) for one in taken_back]


def test_what_was_allowed_for_sessions_is_shown_in_part_and_taken_back_at_once(
    qtbot: QtBot, light_theme: Theme, library: Library
) -> None:
    box = AllowedForSessions()
    qtbot.addWidget(box)
    allowed = [AllowedForSession("", ("GitHub", f"tool{number}")) for number in range(30)]
    box.show_allowed(library.snapshot, allowed)
    assert len(box.buttons) == 21
    qtbot.waitUntil(box.buttons[-1].isVisible)
    assert "And 10 more." in [one.text() for one in box.findChildren(QLabel)]
    gone: list[object] = []
    box.taken_back.connect(lambda client, key: gone.append(AllowedForSession(client, key)))
    click(box.buttons[0])
    assert gone == [allowed[-1]]
    click(box.buttons[-1])
    assert gone[1:] == allowed[::-1]
    box.show_allowed(library.snapshot, ())
    assert box.isHidden()
