"""What a screen reader hears of the window: run by ``test_announcements.py``, with a bus of assistive technology.

The test listens on that bus as a screen reader does. It hears what Qt has handed over, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from PySide6.QtCore import SLOT, QObject, Qt, Slot
from PySide6.QtDBus import QDBusConnection, QDBusMessage
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.desktop import sample
from toolnote_desktop.desktop.server_page.edit_dialog import EditServerDialog
from toolnote_desktop.desktop.tool_page.note_card import NoteCard
from toolnote_desktop.desktop.window.window import MainWindow
from toolnote_desktop.model.edits import SETTINGS, SetFields
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.servers import ServerState, ServerStatus
from toolnote_desktop.store.library import Library, Origin

EVENTS = "org.a11y.atspi.Event.Object"
REGISTRY = ("org.a11y.atspi.Registry", "/org/a11y/atspi/registry", "org.a11y.atspi.Registry")


class ScreenReader(QObject):
    """Keeps the announcements that come over the bus."""

    def __init__(self, bus: QDBusConnection) -> None:
        super().__init__()
        self.heard: list[str] = []
        self._bus = bus
        assert bus.connect("", "", EVENTS, "Announcement", self, SLOT("hear(QDBusMessage)"))  # type: ignore[call-overload]
        wish = QDBusMessage.createMethodCall(*REGISTRY, "RegisterEvent")
        wish.setArguments(["object:announcement"])
        assert bus.call(wish).errorMessage() == ""

    @Slot(QDBusMessage)
    def hear(self, message: QDBusMessage) -> None:
        value = message.arguments()[3]
        self.heard.append(value.variant() if hasattr(value, "variant") else value)

    def stop(self) -> None:
        self._bus.disconnect("", "", EVENTS, "Announcement", self, SLOT("hear(QDBusMessage)"))  # type: ignore[call-overload]


@pytest.fixture(scope="session")
def bus() -> Iterator[QDBusConnection]:
    """The bus of assistive technology."""
    question = QDBusMessage.createMethodCall("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress")
    answer = QDBusConnection.sessionBus().call(question)
    assert answer.errorMessage() == ""
    found = QDBusConnection.connectToBus(answer.arguments()[0], "screen reader")
    assert found.isConnected()
    yield found
    QDBusConnection.disconnectFromBus("screen reader")


@pytest.fixture
def reader(qtbot: QtBot, bus: QDBusConnection, window: MainWindow) -> Iterator[ScreenReader]:
    """A screen reader that Qt has noticed."""
    qtbot.waitUntil(QAccessible.isActive)
    reader = ScreenReader(bus)

    def is_noticed() -> bool:
        window.toast.show_message(f"Are you there? {len(reader.heard)}")
        QTest.qWait(20)  # Qt asks the registry who listens, and is answered, in its own time
        return bool(reader.heard)

    qtbot.waitUntil(is_noticed)
    window.toast.dismiss()
    reader.heard.clear()
    yield reader
    reader.stop()


def test_a_note_is_saved(qtbot: QtBot, reader: ScreenReader, cards: tuple[NoteCard, ...]) -> None:
    cards[1].start_writing()
    QTest.keyClicks(cards[1].editor, " More.")
    qtbot.waitUntil(lambda: "Saved" in reader.heard)


def test_a_note_that_is_too_long(qtbot: QtBot, reader: ScreenReader, cards: tuple[NoteCard, ...]) -> None:
    cards[1].draft.type("x" * 4001)
    qtbot.waitUntil(lambda: any(one.startswith("Too long to save") for one in reader.heard))
    cards[1].draft.type("Short again.")


def test_something_is_removed_and_can_be_had_back(
    qtbot: QtBot, reader: ScreenReader, window: MainWindow, cards: tuple[NoteCard, ...]
) -> None:
    cards[1].start_writing()
    QTest.keyClick(
        cards[1].editor,
        Qt.Key.Key_Backspace,
        Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
    )
    qtbot.waitUntil(lambda: "Note “label-convention” deleted Undo" in reader.heard)


def test_what_an_assistant_did(qtbot: QtBot, reader: ScreenReader, window: MainWindow, library: Library) -> None:
    library.submit(SetFields(SETTINGS, {"equippedToolset": "planning-week"}), origin=Origin("claude-desktop"))
    text = "Claude Desktop: Planning week is the default toolset Undo"
    qtbot.waitUntil(lambda: text in reader.heard)


def test_a_tool_source_comes_up_and_another_fails(
    qtbot: QtBot, reader: ScreenReader, window: MainWindow, library: Library
) -> None:
    found = sample.catalogue()
    ready = replace(found.servers["Files"], status=ServerStatus(ServerState.READY))
    problem = Problem(Code.SERVER_EXITED, {"server": "Git", "status": "1", "stderr": ""})
    failed = replace(found.servers["Git"], status=ServerStatus(ServerState.FAILED, problem))
    library.publish_catalogue(replace(found, servers={**found.servers, "Files": ready, "Git": failed}))
    qtbot.waitUntil(lambda: "Git: failed; Files: ready" in reader.heard)


def test_how_many_a_search_finds(qtbot: QtBot, reader: ScreenReader, window: MainWindow) -> None:
    QTest.keyClick(window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    panel = window.search.panel
    assert panel is not None
    QTest.keyClicks(panel.field, "post message")
    QTest.keyClick(panel.field, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: "Post message, Slack" in reader.heard)
    QTest.keyClicks(panel.field, "xyzzy")
    qtbot.waitUntil(lambda: "No results for “post messagexyzzy”." in reader.heard)
    panel.dismiss()


def test_what_is_wrong_with_a_field(qtbot: QtBot, reader: ScreenReader, window: MainWindow, library: Library) -> None:
    dialog = EditServerDialog(library, "Git", window)
    dialog.open()
    dialog.target.clear()
    dialog.save_button.click()
    assert dialog.wrong.isVisible()
    qtbot.waitUntil(lambda: "Enter a command." in reader.heard)
    dialog.reject()
