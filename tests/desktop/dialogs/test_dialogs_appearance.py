"""Every dialog: each control has a name for screen readers, nothing is cut off, and it follows the theme."""

from __future__ import annotations

from collections.abc import Callable, Iterator

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
from toolnote_desktop.assistants.registry import CLIENTS
from toolnote_desktop.desktop.dialogs.crash_dialog import CrashDialog
from toolnote_desktop.desktop.editing.default_toolset import make_my_tools
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.shell.close_policy import ClosePolicy
from toolnote_desktop.desktop.shell.crash_reporter import crash_report
from toolnote_desktop.desktop.theme.colours import DARK, LIGHT
from toolnote_desktop.desktop.theme.theme import Theme
from toolnote_desktop.desktop.toolset_page.export_dialog import ExportDialog
from toolnote_desktop.desktop.widgets.dialog import Dialog
from toolnote_desktop.desktop.widgets.full_text_label import FullTextLabel, made_visible
from toolnote_desktop.desktop.widgets.question import QuestionDialog
from toolnote_desktop.desktop.window.dialog_opener import DialogOpener
from toolnote_desktop.model.edits import SERVER_ENTRIES, SERVERS, AddEntry, CreateDocument, toolset_document
from toolnote_desktop.paths import Home
from toolnote_desktop.store.library import Library


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
def dialogs(qtbot: QtBot, library: Library, home: Home, theme: Theme) -> Iterator[DialogOpener]:
    window = QWidget()
    window.resize(1200, 800)
    qtbot.addWidget(window)
    link = ProxyLink(library, home)
    dialogs = DialogOpener(window, library, link, home, lambda: None)
    yield dialogs
    dialogs.close()
    link.stop()


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
    hand_on,
    next_steps,
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
    seen: dict[QWidget, QImage] = {}
    unseen = set()
    QTest.keyClick(dialog.focusWidget() or dialog, Qt.Key.Key_Tab)  # where it opens, no key has brought the focus
    QApplication.processEvents()
    while (focus := dialog.focusWidget()) is not None and focus not in seen:
        seen[focus] = dialog.grab(place_of(focus, dialog)).toImage()
        QTest.keyClick(focus, Qt.Key.Key_Tab)
        QApplication.processEvents()
        if dialog.focusWidget() is not focus and dialog.grab(place_of(focus, dialog)).toImage() == seen[focus]:
            unseen.add(f"{type(focus).__name__} {focus.accessibleName() or getattr(focus, 'text', str)()}")
    assert len(seen) > 1 or opener is next_steps
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


def test_an_error_of_our_own_is_shown_unless_something_is_open(dialogs: DialogOpener) -> None:
    report = crash_report(ValueError("no such thing"), "", [])
    dialogs.settings()
    opened = dialogs.current
    dialogs.show_crash(report)
    assert dialogs.current is opened
    dialogs.close()
    dialogs.show_crash(report)
    shown = dialogs.current
    assert isinstance(shown, CrashDialog)
    assert "ValueError: no such thing" in shown.text.toPlainText()


def test_a_question_is_answered_by_enter(qtbot: QtBot, library: Library, theme: Theme) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    ClosePolicy(window, library, lambda: False)
    window.close()
    question = window.findChild(QuestionDialog)
    assert isinstance(question, QuestionDialog)
    qtbot.keyClick(question, Qt.Key.Key_Return)  # type: ignore[no-untyped-call]
    assert window.isMinimized()


def opened(dialogs: DialogOpener) -> Dialog:
    assert dialogs.current is not None
    assert dialogs.current.isVisible()
    return dialogs.current


def place_of(widget: QWidget, dialog: Dialog) -> QRect:
    """The place in the dialog now: a control that takes the focus may be scrolled to."""
    return QRect(widget.mapTo(dialog, QPoint(0, 0)), widget.size()) & dialog.rect()


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
