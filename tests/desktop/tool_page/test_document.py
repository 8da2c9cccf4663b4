"""The tool's page as a document: what it shows is what the chosen assistant is served, and what is set belongs to the
tool (issue 17, one truth; drawings 02, 04, 05, 14).
"""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from toolnote_desktop.desktop.models.argument_rows import Shape
from toolnote_desktop.desktop.models.library_rows import Kind, RowKey
from toolnote_desktop.desktop.models.tool_document import OwnText, Viewer
from toolnote_desktop.desktop.theme.fonts import line_height
from toolnote_desktop.desktop.tool_page.document import MOST_SHOWN, OwnWords
from toolnote_desktop.desktop.tool_page.page import ToolPage
from toolnote_desktop.desktop.widgets.page import Width
from toolnote_desktop.desktop.window.window import MainWindow
from toolnote_desktop.model import json_text
from toolnote_desktop.model.edits import CLIENT_ENTRIES, CLIENTS, TOOLS, SetEntryFields
from toolnote_desktop.model.toolsets.notes import Scope
from toolnote_desktop.model.toolsets.tool_settings import TOOL_ENTRIES
from toolnote_desktop.store.library import Library

CREATE = RowKey(Kind.TOOL, "Linear", "create_issue")
NAME = "Linear.create_issue"


@pytest.fixture
def page(window: MainWindow) -> ToolPage:
    window.go(CREATE)
    return window.pages.tool_page


def every(library: Library) -> Any:
    """The tool's entry in ``tools.json``."""
    return ((library.raw(TOOLS) or {}).get("tools") or {}).get(NAME)


def served_toolset(page: ToolPage) -> str | None:
    """The toolset of the assistant that the page is shown for."""
    toolset = page.document.toolset if page.document is not None else None
    return toolset.name if toolset is not None else None


def described(page: ToolPage) -> str:
    """The description that the assistant is served."""
    return page.document.description if page.document is not None else ""


def texts(page: ToolPage) -> str:
    """What the page shows of the description, in order: the blocks and the notes as they are served."""
    assert page.document is not None
    cards = [f"• **{card.draft.name}**: {card.editor.text()}" for card in page.notes.cards]
    return "\n\n".join([page.description.text(), f"### {page.text.heading.text()}", "\n".join(cards)])


def test_the_page_shows_the_served_text_of_the_chosen_assistant(qtbot: QtBot, page: ToolPage, library: Library) -> None:
    assert page.document is not None
    assert texts(page) == page.document.description
    client = next(iter(library.snapshot.clients))
    library.submit(SetEntryFields(CLIENTS, CLIENT_ENTRIES, client, {"toolset": "planning-week"}))
    page.viewer_button.choose(Viewer(client))
    qtbot.waitUntil(lambda: served_toolset(page) == "planning-week")
    assert [card.scope.text() for card in page.notes.cards if card.draft.place.scope is Scope.TOOLSET] == []


def test_an_assistant_without_the_tool_is_shown_no_text_of_it(qtbot: QtBot, page: ToolPage, library: Library) -> None:
    """Whole texts of tools that an assistant does not have were shown before."""
    client = next(iter(library.snapshot.clients))
    library.submit(SetEntryFields(CLIENTS, CLIENT_ENTRIES, client, {"toolset": "release-day"}))
    page.viewer_button.choose(Viewer(client))
    qtbot.waitUntil(lambda: served_toolset(page) == "release-day")
    assert page.absent.isVisible()
    assert page.description.text() == ""
    assert not page.parameters.isVisible()
    QTest.mouseClick(page.add_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(page.absent.isHidden)
    assert page.description.text() == "Creates a new issue in Linear"


def test_ask_me_first_is_the_tools_and_said_in_the_text(qtbot: QtBot, page: ToolPage, library: Library) -> None:
    QTest.mouseClick(page.ask_switch, Qt.MouseButton.LeftButton, pos=page.ask_switch.rect().center())
    assert every(library) == {"approval": "ask"}
    qtbot.waitUntil(page.text.approval.isVisible)
    assert page.text.approval.editor.text() == "The user approves each call in Toolnote before it runs."
    QTest.mouseClick(page.ask_switch, Qt.MouseButton.LeftButton, pos=page.ask_switch.rect().center())
    qtbot.waitUntil(page.text.approval.isHidden)


def test_use_it_when_fills_when_to_use(qtbot: QtBot, page: ToolPage, library: Library) -> None:
    QTest.mouseClick(page.notes.when_button, Qt.MouseButton.LeftButton)
    assert page.text.when.editor.hasFocus()
    QTest.keyClicks(page.text.when.editor, "For new work only.")
    QTest.keyClick(page.text.when.editor, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: every(library) == {"whenToUse": "For new work only."})
    qtbot.waitUntil(lambda: "When to use: For new work only." in described(page))


def test_a_note_changes_its_scope_by_its_menu(qtbot: QtBot, page: ToolPage, library: Library) -> None:
    card = page.notes.cards[1]
    assert card.scope.text() == "My tools only"
    card.scope.choose(page.notes.cards[0].draft.place)
    qtbot.waitUntil(lambda: len(library.snapshot.notes.tools[NAME]) == 2)
    assert [one.scope.text() for one in page.notes.cards] == ["Every toolset", "Every toolset", "My tools only"]


def test_words_and_values_of_parameters_are_served(qtbot: QtBot, page: ToolPage, library: Library) -> None:
    line = next(one for one in page.parameters.lines if one.row.name == "team")
    QTest.mouseClick(line.words, Qt.MouseButton.LeftButton)
    QTest.keyClicks(line.editor, "One of A, B.")
    QTest.keyClick(line.editor, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: every(library) == {"parameters": {"team": {"note": "One of A, B."}}})
    line = next(one for one in page.parameters.lines if one.row.name == "team")
    line.value.choose(Shape.DEFAULT)
    line.field.setText("A")
    QTest.keyClick(line.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: every(library)["parameters"]["team"] == {"note": "One of A, B.", "default": "A"})
    qtbot.waitUntil(lambda: any(one.value.text() == "Default: A" for one in page.parameters.lines))
    assert page.document is not None
    shown = json_text.loads(page.document.exact)["inputSchema"]["properties"]["team"]
    assert (shown["default"], shown["description"]) == ("A", "The team's name or id\n\nOne of A, B.")


def test_exact_data_is_the_served_bytes(page: ToolPage) -> None:
    page.tabs.setCurrentIndex(1)
    assert page.document is not None
    page.exact.copy()
    assert QGuiApplication.clipboard().text().encode() == page.document.exact
    assert json_text.loads(page.exact.text.toPlainText()) == json_text.loads(page.document.exact)
    assert page.exact.text.extraSelections()


def test_exact_data_of_an_assistant_that_searches_is_called_what_it_is(
    qtbot: QtBot, page: ToolPage, library: Library
) -> None:
    client = next(iter(library.snapshot.clients))
    page.tabs.setCurrentIndex(1)
    page.viewer_button.choose(Viewer(client))
    assert page.exact.sentence.text().startswith("Exactly what")
    library.submit(SetEntryFields(CLIENTS, CLIENT_ENTRIES, client, {"discovery": "search"}))
    qtbot.waitUntil(lambda: "searches for its tools" in page.exact.sentence.text())
    page.viewer_button.choose(Viewer(None, served_toolset(page)))
    assert page.exact.sentence.text().startswith("Exactly what"), "any other assistant has it in its list"
    page.viewer_button.choose(Viewer(client))
    page.ask_switch.click()
    qtbot.waitUntil(lambda: page.exact.sentence.text().startswith("Exactly what"))


def test_lines_of_exact_data_are_20_pixels_apart(page: ToolPage) -> None:
    page.tabs.setCurrentIndex(1)
    text = page.exact.text
    layout, block = text.document().documentLayout(), text.document().firstBlock()
    assert layout.blockBoundingRect(block.next()).top() - layout.blockBoundingRect(block).top() == line_height("mono")


def test_ticks_put_the_tool_into_the_toolset_of_an_assistant(qtbot: QtBot, page: ToolPage, library: Library) -> None:
    said: list[tuple[str, bool]] = []
    page.said.connect(lambda text, undoable: said.append((text, undoable)))
    client, box = next(iter(page.details.boxes.items()))
    assert box.isChecked()
    box.click()
    qtbot.waitUntil(page.absent.isVisible)
    assert said[0][0].startswith("Removed from My tools: for ")
    page.details.boxes[client].click()
    qtbot.waitUntil(lambda: not page.absent.isVisible())


def test_the_size_of_tool_and_toolset_is_said(qtbot: QtBot, page: ToolPage) -> None:
    assert page.details.size_text.text().startswith("About ")
    qtbot.waitUntil(lambda: page.details.toolset_size.text().startswith("My tools is about "))


def test_a_narrow_window_has_details_as_a_tab_and_stacked_rows(page: ToolPage) -> None:
    page.set_width_class(Width.SMALL)
    assert page.tabs.isTabVisible(2)
    page.tabs.setCurrentIndex(2)
    assert page.details.isVisible()
    page.set_width_class(Width.NARROW)
    assert page.tabs.isTabVisible(2)
    assert page.details.verticalScrollBar().maximum() == 0  # the page alone scrolls
    page.set_width_class(Width.WIDE)
    assert not page.tabs.isTabVisible(2)


def test_the_tab_of_details_has_room_whenever_the_window_is_made_narrow(
    qtbot: QtBot, window: MainWindow, page: ToolPage
) -> None:
    """Seen red without ``updateGeometry``: the tab was cut off, and what is in it out of reach."""
    for width in (800, 1360, 800):
        window.resize(width, 600)
        qtbot.waitUntil(partial(is_arranged, page, is_narrow=width == 800))
    assert page.tabs.tabRect(2).width() > 24
    assert page.tabs.rect().contains(page.tabs.tabRect(2))


def is_arranged(page: ToolPage, *, is_narrow: bool) -> bool:
    """Return True once the tabs of that width are there and the bar has their width."""
    return page.tabs.isTabVisible(2) is is_narrow and page.tabs.width() == page.tabs.sizeHint().width()


def test_of_a_very_long_text_the_start_is_shown(qtbot: QtBot) -> None:
    own = OwnWords()
    qtbot.addWidget(own)
    own.show_part("Linear", OwnText("word " * 50_000, read=250_000), "")
    assert len(own.read.toPlainText()) == MOST_SHOWN
    own.show_all_button.click()
    assert len(own.read.toPlainText()) == 250_000


def test_a_paragraph_is_muted_shown_struck_out_and_read_again(qtbot: QtBot, page: ToolPage, library: Library) -> None:
    """Seen red without spans struck out in their place, and with an edited text still muted."""
    assert page.document is not None
    known = page.document.served.known if page.document.served is not None else None
    assert known is not None
    first = str(known.tool.served_base["description"])
    own = page.text.own

    def choose(beginning: str) -> None:
        own.mute_button.click()
        (action,) = [one for one in own.mute_menu.actions() if one.text().startswith(beginning)]
        action.trigger()
        own.mute_menu.close()

    choose(first[:20])
    qtbot.waitUntil(lambda: first not in described(page))
    assert every(library)["muted"] == [first.strip()]
    assert first in page.description.text(), "still shown, in its place"
    cursor = page.description.textCursor()
    cursor.setPosition(1)
    assert cursor.charFormat().fontStrikeOut()
    assert own.mute_button.text() == "1 paragraph muted…"
    page.tabs.setCurrentIndex(1)
    assert page.exact.sentence.text().endswith("1 paragraph of its text is muted.")
    assert first not in page.exact.text.toPlainText()
    page.tabs.setCurrentIndex(0)

    # What the server changes is read again, and that is said.
    library.submit(SetEntryFields(TOOLS, TOOL_ENTRIES, NAME, {"muted": ["Another text."]}))
    qtbot.waitUntil(lambda: first in described(page))
    assert any("It began: “Another text.”" in one.text() for one in page.findChildren(QLabel))
    choose("Another text.")
    qtbot.waitUntil(lambda: every(library) is None or "muted" not in every(library))
    choose(first[:20])
    qtbot.waitUntil(lambda: first not in described(page))
    choose(first[:20])
    qtbot.waitUntil(lambda: first in described(page))
    cursor.setPosition(1)
    assert not cursor.charFormat().fontStrikeOut()
