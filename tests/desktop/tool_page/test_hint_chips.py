"""How a tool behaves, under its title: what is known, who said it, and pressing a sentence to change it."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.desktop import sample
from tests.desktop.tool_page.test_settings_panel import CREATE, entry, press, settled
from toolnote_desktop.desktop.models.tool_view import tool_view
from toolnote_desktop.desktop.tool_page.hint_chips import CHANGES, OUTSIDE, UNDOABLE, HintChips
from toolnote_desktop.desktop.window.window import MainWindow
from toolnote_desktop.model.edits import toolset_document
from toolnote_desktop.model.toolsets.notes import ToolReference
from toolnote_desktop.model.toolsets.tool_edits import RemoveTools
from toolnote_desktop.store.library import Library


@pytest.fixture
def chips(window: MainWindow) -> HintChips:
    window.go(CREATE)
    return window.pages.tool_page.hints


def shown(chips: HintChips) -> list[tuple[str, bool]]:
    """Each sentence that can be seen, and whether it is the user's."""
    return [(chip.text(), bool(chip.property("set"))) for chip in chips.chips.values() if not chip.isHidden()]


def choose(chips: HintChips, question: str, text: str) -> None:
    chips.fill(question)
    next(one for one in chips.menu.actions() if one.text() == text).trigger()


def test_hint_chips_without_hints_are_one_chip_to_add_them(qtbot: QtBot, window: MainWindow, chips: HintChips) -> None:
    assert shown(chips) == []
    assert chips.unsaid.isVisible()
    press(chips.unsaid)
    fold = window.pages.tool_page.panel.folds["behaviour"]
    assert fold.is_open
    assert fold.header.hasFocus()
    page = window.pages.tool_page
    top = fold.mapTo(page.viewport(), fold.rect().topLeft()).y()
    settled(qtbot, lambda: 0 <= top < page.viewport().height())


def test_a_sentence_is_pressed_to_say_something_else(
    qtbot: QtBot, window: MainWindow, chips: HintChips, library: Library
) -> None:
    choose(chips, CHANGES, "Changes things")
    choose(chips, UNDOABLE, "Cannot be undone")
    choose(chips, OUTSIDE, "Stays on this computer")
    said: dict[str, Any] = {"readOnlyHint": False, "destructiveHint": True, "openWorldHint": False}
    assert entry(library).hints == said
    sentences = [("Changes things", True), ("Cannot be undone", True), ("Stays on this computer", True)]
    settled(qtbot, lambda: shown(chips) == sentences)
    assert not chips.unsaid.isVisible()
    QTest.mouseClick(chips.chips[CHANGES], Qt.MouseButton.LeftButton)
    assert chips.menu.isVisible()
    assert [(one.text(), one.isChecked()) for one in chips.menu.actions()] == [
        ("Changes things", True),
        ("Only reads", False),
        ("I do not say", False),
    ]
    chips.menu.hide()
    choose(chips, CHANGES, "Only reads")  # what changes nothing need not be undone
    settled(qtbot, lambda: shown(chips) == [("Only reads", True), ("Stays on this computer", True)])
    window.undo()
    settled(qtbot, lambda: entry(library).hints == said and shown(chips) == sentences)
    choose(chips, OUTSIDE, "I do not say")
    settled(qtbot, lambda: shown(chips) == sentences[:2])


def test_the_answer_that_holds_already_is_no_step(window: MainWindow, chips: HintChips, library: Library) -> None:
    choose(chips, CHANGES, "Only reads")
    step = window.changes.next_undo
    choose(chips, CHANGES, "Only reads")
    assert window.changes.next_undo is step


def test_hints_of_the_tool_itself_are_marked(qtbot: QtBot, window: MainWindow, library: Library) -> None:
    found = sample.catalogue()
    found.tools[("Linear", "create_issue")].tool.definition.update({"annotations": {"readOnlyHint": True, "title": 7}})
    library.publish_catalogue(found)
    window.go(CREATE)
    chips = window.pages.tool_page.hints
    settled(qtbot, lambda: chips.isVisible() and ("Only reads", False) in shown(chips))
    assert "said by the tool itself" in chips.chips[CHANGES].accessibleName()
    choose(chips, CHANGES, "Changes things")
    settled(qtbot, lambda: ("Changes things", True) in shown(chips))
    assert chips.chips[CHANGES].accessibleName() == "Can it change something? Changes things, said by you"


def test_ask_first_is_one_press(qtbot: QtBot, chips: HintChips, library: Library) -> None:
    press(chips.consent)
    settled(qtbot, lambda: entry(library).consent is not None and chips.consent.isChecked())
    press(chips.consent)
    settled(qtbot, lambda: entry(library).consent is None and not chips.consent.isChecked())


def test_a_tool_outside_the_toolset_has_none(
    qtbot: QtBot, window: MainWindow, chips: HintChips, library: Library
) -> None:
    assert chips.isVisible()
    library.submit(RemoveTools(toolset_document("my-tools"), (ToolReference(namespaced_name="Linear.create_issue"),)))
    settled(qtbot, lambda: not chips.isVisible())
    view = tool_view(library.snapshot, CREATE)
    assert view is not None
    assert view.entry is None
