"""Every dialog: each control has a name for screen readers, nothing is cut off, and it follows the theme."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.conftest import ARTIFACTS
from toolnote_desktop.assistants.environment import current_environment
from toolnote_desktop.assistants.registry import CLIENTS
from toolnote_desktop.desktop.add_servers.add_dialog import AddToolsDialog
from toolnote_desktop.desktop.add_servers.import_dialog import ImportDialog
from toolnote_desktop.desktop.add_servers.registry_dialog import RegistryDialog
from toolnote_desktop.desktop.connect.dialog import ConnectDialog
from toolnote_desktop.desktop.editing.default_toolset import make_my_tools
from toolnote_desktop.desktop.first_run.dialog import FirstRunDialog
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.shell.close_policy import ClosePolicy
from toolnote_desktop.desktop.shell.crash_reporter import crash_report
from toolnote_desktop.desktop.theme.colours import DARK, LIGHT
from toolnote_desktop.desktop.theme.theme import Theme
from toolnote_desktop.desktop.toolset_page.export_dialog import ExportDialog
from toolnote_desktop.desktop.widgets.dialog import Dialog
from toolnote_desktop.desktop.widgets.full_text_label import FullTextLabel, made_visible
from toolnote_desktop.desktop.widgets.question import Question
from toolnote_desktop.desktop.window.dialog_opener import DialogOpener
from toolnote_desktop.model.edits import SERVER_ENTRIES, SERVERS, AddEntry, CreateDocument, toolset_document
from toolnote_desktop.paths import Home
from toolnote_desktop.public_registry.client import RegistryClient
from toolnote_desktop.store.library import Library

LONG = "a-tool-source-with-a-rather-long-name"
SERVERS_THERE = {
    "mcpServers": {
        LONG: {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/home/anna/" + "x" * 90]},
        "linear": {"command": "npx", "args": ["mcp-remote"], "env": {"LINEAR_KEY": "s3cret-1"}},
    }
}


@pytest.fixture
def theme(qapp: QApplication) -> Iterator[Theme]:
    font, palette = qapp.font(), qapp.palette()
    theme = Theme(qapp, "light")
    yield theme
    theme.deleteLater()
    qapp.setStyleSheet("")
    qapp.setFont(font)
    qapp.setPalette(palette)


@pytest.fixture
def library(empty_library: Library) -> Library:
    make_my_tools(empty_library, "My tools")
    empty_library.submit(AddEntry(SERVERS, SERVER_ENTRIES, "git", {"command": "uvx", "args": ["mcp-server-git"]}))
    return empty_library


@pytest.fixture
def dialogs(qtbot: QtBot, library: Library, home: Home, theme: Theme, user_folder: Path) -> Iterator[DialogOpener]:
    claude = current_environment().program_data / "Claude" / "claude_desktop_config.json"
    claude.parent.mkdir(parents=True)
    claude.write_text(json.dumps(SERVERS_THERE), encoding="utf-8")
    window = QWidget()
    window.resize(1200, 800)
    qtbot.addWidget(window)
    link = ProxyLink(library, home)
    dialogs = DialogOpener(window, library, link, home, lambda: None, RegistryClient("http://127.0.0.1:1", seconds=3.0))
    yield dialogs
    dialogs.close()
    link.stop()


def add_tools(dialogs: DialogOpener, _qtbot: QtBot) -> None:
    dialogs.add_tools()
    dialog = dialogs.current
    assert isinstance(dialog, AddToolsDialog)
    dialog.pasted.setPlainText(json.dumps(SERVERS_THERE))


def added(dialogs: DialogOpener, qtbot: QtBot) -> None:
    add_tools(dialogs, qtbot)
    assert isinstance(dialogs.current, AddToolsDialog)
    dialogs.current.store_secrets.setChecked(False)  # there is no keychain here
    dialogs.current.add()


def first_run(dialogs: DialogOpener, qtbot: QtBot) -> None:
    dialogs.first_run()
    wait_for_choices(dialogs, qtbot)


def import_servers(dialogs: DialogOpener, qtbot: QtBot) -> None:
    dialogs.import_servers()
    wait_for_choices(dialogs, qtbot)


def wait_for_choices(dialogs: DialogOpener, qtbot: QtBot) -> None:
    dialog = dialogs.current
    assert isinstance(dialog, ImportDialog)
    qtbot.waitUntil(lambda: dialog.choices.checked_keys() == [LONG, "linear"], timeout=5000)


def connect(dialogs: DialogOpener, qtbot: QtBot) -> None:
    dialogs.connect_assistant("claude-desktop")
    dialog = dialogs.current
    assert isinstance(dialog, ConnectDialog)
    qtbot.waitUntil(lambda: dialog.assistants.currentItem() is not None, timeout=5000)


def connect_other(dialogs: DialogOpener, qtbot: QtBot) -> None:
    connect(dialogs, qtbot)
    assert isinstance(dialogs.current, ConnectDialog)
    dialogs.current.assistants.choose("")


def first_run_changes(dialogs: DialogOpener, qtbot: QtBot) -> None:
    """Every difference open, those of an assistant that is here twice among them."""
    first_run(dialogs, qtbot)
    dialog = dialogs.current
    assert isinstance(dialog, FirstRunDialog)
    qtbot.waitUntil(lambda: [one.found.client.id for one in dialog.assistants.chosen()] == ["claude-desktop"])
    for toggle in dialog.assistants.findChildren(QAbstractButton):
        if toggle.accessibleName().startswith("Show the change"):
            toggle.click()


def sent_toolset(dialogs: DialogOpener, qtbot: QtBot) -> None:
    file = dialogs._home.root / "Week.toolnote"
    file.write_text(json.dumps(SENT), encoding="utf-8")
    dialogs.preview(str(file))
    dialog = dialogs.current
    assert isinstance(dialog, ImportDialog)
    qtbot.waitUntil(lambda: dialog.toolsets.checked_keys() == ["planning-week"], timeout=5000)


SENT = {
    "name": "Planning & week!",
    "title": "Planning the week with a title that is rather longer than most",
    "tools": [{"namespacedName": "linear.create_issue"}, {"namespacedName": "calendar.list_events"}],
    "toolNotes": [
        {
            "toolRef": {"namespacedName": "linear.create_issue"},
            "notes": [{"name": "team", "note": "Ask which team first. " * 9}, {"name": "labels", "note": "No labels."}],
        }
    ],
    "guidelines": "Never on a Friday.",
    "mcpServers": {"linear": {"url": "https://mcp.linear.app/mcp", "headers": {"Authorization": "Bearer ${LINEAR}"}}},
}


def find_tools(dialogs: DialogOpener, qtbot: QtBot) -> None:
    dialogs.find_tools()
    dialog = dialogs.current
    assert isinstance(dialog, RegistryDialog)
    qtbot.waitUntil(lambda: dialog.list.count() > 0, timeout=8000)
    dialog.list.choose("io.github.sooperset/mcp-atlassian")


def find_nothing(dialogs: DialogOpener, qtbot: QtBot) -> None:
    find_tools(dialogs, qtbot)
    dialog = dialogs.current
    assert isinstance(dialog, RegistryDialog)
    dialog.search.setText("xyzzy")
    dialog.search_now()
    qtbot.waitUntil(dialog.empty.isVisible, timeout=8000)


def hand_on(dialogs: DialogOpener, _qtbot: QtBot) -> None:
    content = {key: value for key, value in SENT.items() if key not in ("mcpServers", "name")}
    tools = [{"namespacedName": "git.status"}]
    edit = CreateDocument(toolset_document("week"), {**content, "tools": tools, "title": "Planning & more " + "x" * 60})
    dialogs._library.submit(edit)
    dialogs.export("week")
    dialog = dialogs.current
    assert isinstance(dialog, ExportDialog)
    dialog.with_servers.setChecked(True)


def next_steps(dialogs: DialogOpener, _qtbot: QtBot) -> None:
    dialogs.next_steps([CLIENTS[client] for client in ("claude-desktop", "cursor", "vscode", "codex", "kiro")])


def edit_server(dialogs: DialogOpener, _qtbot: QtBot) -> None:
    dialogs.edit_server("git")


def settings(dialogs: DialogOpener, _qtbot: QtBot) -> None:
    dialogs.settings()


def crash(dialogs: DialogOpener, _qtbot: QtBot) -> None:
    dialogs.show_crash(crash_report(ValueError("no such thing"), "", []))


Opener = Callable[[DialogOpener, QtBot], None]
OPENERS: list[Opener] = [
    add_tools,
    added,
    first_run,
    first_run_changes,
    import_servers,
    sent_toolset,
    find_tools,
    find_nothing,
    hand_on,
    next_steps,
    connect,
    connect_other,
    edit_server,
    settings,
    crash,
]


@pytest.mark.parametrize("opener", OPENERS)
def test_controls_have_accessible_names(qtbot: QtBot, dialogs: DialogOpener, opener: Opener) -> None:
    opener(dialogs, qtbot)
    dialog = opened(dialogs)
    buddies = {label.buddy(): label.text() for label in dialog.findChildren(QLabel) if label.buddy() is not None}
    kinds = (QAbstractButton, QLineEdit, QPlainTextEdit, QComboBox, QAbstractItemView)
    controls = [one for kind in kinds for one in dialog.findChildren(kind) if one.isVisible() and can_be_reached(one)]
    assert controls != []
    nameless = [
        one
        for one in controls
        if not (one.accessibleName() or buddies.get(one) or (isinstance(one, QAbstractButton) and one.text()))
    ]
    assert nameless == []
    assert dialog.windowTitle()


@pytest.mark.parametrize("opener", OPENERS)
def test_the_focus_is_seen_wherever_tab_brings_it(qtbot: QtBot, dialogs: DialogOpener, opener: Opener) -> None:
    opener(dialogs, qtbot)
    dialog = opened(dialogs)
    dialog.activateWindow()
    qtbot.waitUntil(dialog.isActiveWindow)
    seen: dict[QWidget, tuple[QRect, QImage]] = {}
    unseen = set()
    QTest.keyClick(dialog.focusWidget() or dialog, Qt.Key.Key_Tab)  # where it opens, no key has brought the focus
    QApplication.processEvents()
    while (focus := dialog.focusWidget()) is not None and focus not in seen:
        place = QRect(focus.mapTo(dialog, QPoint(0, 0)), focus.size()) & dialog.rect()
        seen[focus] = place, dialog.grab(place).toImage()
        QTest.keyClick(focus, Qt.Key.Key_Tab)
        QApplication.processEvents()
        if dialog.focusWidget() is not focus and dialog.grab(place).toImage() == seen[focus][1]:
            unseen.add(f"{type(focus).__name__} {focus.accessibleName() or getattr(focus, 'text', str)()}")
    assert len(seen) > 1 or opener in (next_steps, added)
    assert unseen == set()


@pytest.mark.parametrize("size", [13, 20])
@pytest.mark.parametrize("opener", OPENERS)
def test_dialog_cuts_no_text_off(qtbot: QtBot, dialogs: DialogOpener, theme: Theme, opener: Opener, size: int) -> None:
    font = QApplication.font()
    font.setPixelSize(size)
    theme.base_font = font
    theme.apply()
    opener(dialogs, qtbot)
    dialog = opened(dialogs)
    qtbot.waitExposed(dialog)
    for _ in range(4):  # fonts, then sizes, then places
        QApplication.processEvents()
    ARTIFACTS.mkdir(exist_ok=True)
    dialog.grab().save(str(ARTIFACTS / f"dialog-{opener.__name__}-{size}.png"))
    for label in dialog.findChildren(QLabel):
        if label.isVisible() and label.text():
            assert label.height() >= label.heightForWidth(label.width()), label.text()
            assert fits(label), label.text()
            if not label.wordWrap():
                assert label.width() >= label.sizeHint().width(), label.text()
    for button in dialog.findChildren(QAbstractButton):
        if button.isVisible() and button.text():
            assert button.width() >= button.sizeHint().width(), button.text()
            assert button.height() >= button.minimumSizeHint().height(), button.text()


@pytest.mark.parametrize("opener", OPENERS)
def test_dialog_follows_the_theme_while_open(qtbot: QtBot, dialogs: DialogOpener, theme: Theme, opener: Opener) -> None:
    opener(dialogs, qtbot)
    dialog = opened(dialogs)
    assert ground(dialog) == QColor(LIGHT.ground)
    theme.choose("dark")
    QApplication.processEvents()
    assert ground(dialog) == QColor(DARK.ground)
    dialog.grab().save(str(ARTIFACTS / f"dialog-{opener.__name__}-dark.png"))
    theme.choose("light")
    QApplication.processEvents()
    assert ground(dialog) == QColor(LIGHT.ground)


@pytest.mark.parametrize("opener", OPENERS)
def test_escape_closes_it(qtbot: QtBot, dialogs: DialogOpener, opener: Opener) -> None:
    opener(dialogs, qtbot)
    dialog = opened(dialogs)
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)  # type: ignore[no-untyped-call]
    assert not dialog.isVisible()


def test_a_question_is_answered_by_enter(qtbot: QtBot, library: Library, theme: Theme) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    ClosePolicy(window, library, lambda: False)
    window.close()
    question = window.findChild(Question)
    assert isinstance(question, Question)
    qtbot.keyClick(question, Qt.Key.Key_Return)  # type: ignore[no-untyped-call]
    assert window.isMinimized()


def opened(dialogs: DialogOpener) -> Dialog:
    assert dialogs.current is not None
    assert dialogs.current.isVisible()
    return dialogs.current


def fits(widget: QWidget) -> bool:
    """Whether it stands inside what it stands on."""
    parent = widget.parentWidget()
    return parent is not None and parent.rect().contains(widget.geometry())


def can_be_reached(widget: QWidget) -> bool:
    return bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus) and widget.isEnabled()


def ground(dialog: Dialog) -> QColor:
    return dialog.grab().toImage().pixelColor(4, 4)


def test_a_command_is_shown_to_its_last_character(qtbot: QtBot, theme: Theme) -> None:
    text = FullTextLabel("sh -c " + "x" * 400)
    qtbot.addWidget(text)
    narrow, wide = text.heightForWidth(120), text.heightForWidth(4000)
    assert narrow > 10 * wide
    assert text.laid_out(120).boundingRect().width() <= 120


def test_invisible_characters_are_written_out() -> None:
    assert made_visible("a\u202eb\u200bc\x07\nd é 工") == "a\\u202eb\\u200bc\\u0007\nd é 工"
