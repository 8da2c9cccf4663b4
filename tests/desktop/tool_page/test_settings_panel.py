"""What a toolset says of a tool beside its notes: the four parts of the tool's page, each edit undoable."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.desktop.helpers import served_properties, served_text
from toolnote_desktop.desktop.models.argument_rows import Shape, argument_rows
from toolnote_desktop.desktop.models.library_rows import Kind, RowKey
from toolnote_desktop.desktop.tool_page.arguments_form import ArgumentLine
from toolnote_desktop.desktop.tool_page.settings_panel import ToolPanel
from toolnote_desktop.desktop.widgets.basics import Button
from toolnote_desktop.desktop.window.window import MainWindow
from toolnote_desktop.model.edits import toolset_document
from toolnote_desktop.model.toolsets.notes import ToolReference
from toolnote_desktop.model.toolsets.tool_edits import RemoveTools
from toolnote_desktop.model.toolsets.toolset import ToolEntry
from toolnote_desktop.store.library import Library

CREATE = RowKey(Kind.TOOL, "Linear", "create_issue")


@pytest.fixture
def panel(window: MainWindow) -> ToolPanel:
    window.go(CREATE)
    panel = window.pages.tool_page.panel
    for part in panel.folds:
        panel.open(part)
    return panel


def entry(library: Library, name: str = "Linear.create_issue", toolset: str = "my-tools") -> ToolEntry:
    """Return what is in effect for a tool in a toolset."""
    snapshot = library.snapshot
    own = next(one for one in snapshot.toolsets[toolset].tools if one.namespaced_name == name)
    return snapshot.effective_entry(snapshot.catalogue.by_namespaced_name[name][0], own)


def press(button: Button) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def line(panel: ToolPanel, label: str) -> ArgumentLine:
    return next(one for one in panel.arguments.rows if one.name.text() == label)


def choose(line: ArgumentLine, shape: Shape) -> None:
    line.shape.setCurrentIndex(list(Shape).index(shape))
    line.shape.activated.emit(line.shape.currentIndex())


def settled(qtbot: QtBot, condition: Any) -> None:
    qtbot.waitUntil(condition, timeout=3000)


def test_a_tool_outside_the_toolset_has_no_settings(qtbot: QtBot, window: MainWindow, library: Library) -> None:
    window.go(CREATE)
    assert window.pages.tool_page.panel.isVisible()
    reference = ToolReference(namespaced_name="Linear.create_issue")
    library.submit(RemoveTools(toolset_document("my-tools"), (reference,)))
    settled(qtbot, lambda: not window.pages.tool_page.panel.isVisible())


# --- what it does


def test_three_plain_questions_fill_in_the_hints(qtbot: QtBot, panel: ToolPanel, library: Library) -> None:
    press(panel.behaviour.changes.button(True))
    press(panel.behaviour.outside.button(False))
    settled(qtbot, lambda: entry(library).hints == {"readOnlyHint": False, "openWorldHint": False})
    settled(qtbot, lambda: "stays on this computer" in panel.folds["behaviour"].header.accessibleName())
    press(panel.behaviour.undoable.button(True))
    settled(qtbot, lambda: entry(library).hints.get("destructiveHint") is False)
    press(panel.behaviour.changes.button(False))
    settled(qtbot, lambda: entry(library).hints.get("readOnlyHint") is True)
    settled(qtbot, lambda: not panel.behaviour.undoable.isEnabled())


def test_effect_of_hints_on_approval_dialogs_is_explained(qtbot: QtBot, panel: ToolPanel) -> None:
    assert "Claude Desktop lists it under “Other tools”" in panel.behaviour.effect.text()
    press(panel.behaviour.changes.button(False))
    settled(qtbot, lambda: "Claude Desktop can allow it for good" in panel.behaviour.effect.text())


def test_a_question_left_open_takes_the_hint_out_and_undo_brings_it_back(
    qtbot: QtBot, window: MainWindow, panel: ToolPanel, library: Library
) -> None:
    press(panel.behaviour.outside.button(True))
    settled(qtbot, lambda: entry(library).hints == {"openWorldHint": True})
    settled(qtbot, lambda: panel.behaviour.outside.button(True).isChecked())
    press(panel.behaviour.outside.button(None))
    settled(qtbot, lambda: entry(library).hints == {})
    window.undo()
    settled(qtbot, lambda: entry(library).hints == {"openWorldHint": True})
    window.undo()
    settled(qtbot, lambda: entry(library).hints == {})
    assert "hints" not in (library.raw(toolset_document("my-tools")) or {})["tools"][0]


def test_a_ready_made_answer_leaves_the_title(qtbot: QtBot, panel: ToolPanel, library: Library) -> None:
    panel.behaviour.advanced_button.click()
    panel.behaviour.advanced.title.setText("New issue")
    panel.behaviour.advanced.title.save()
    settled(qtbot, lambda: entry(library).hints == {"title": "New issue"})
    press(panel.behaviour.templates["query"])
    wanted = {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": True}
    settled(qtbot, lambda: entry(library).hints == {"title": "New issue", "priority": 0.7, **wanted})


def test_contradictions_are_pointed_out(qtbot: QtBot, panel: ToolPanel) -> None:
    press(panel.behaviour.changes.button(False))
    settled(qtbot, lambda: not panel.behaviour.problems.isHidden())
    said = " ".join(one.text() for one in panel.behaviour.problems.findChildren(type(panel.behaviour.effect)))
    assert "its name says “create”" in said


def test_the_eight_hints_one_by_one(qtbot: QtBot, panel: ToolPanel, library: Library) -> None:
    form = panel.behaviour.advanced
    panel.behaviour.advanced_button.click()
    choice = form.choices["audience"]
    choice.setCurrentIndex(2)
    choice.activated.emit(2)
    settled(qtbot, lambda: entry(library).hints == {"audience": ["user"]})
    form.priority.setText("0.9")
    form.priority.save()
    settled(qtbot, lambda: entry(library).hints.get("priority") == 0.9)
    form.examples.editor.show_text('[{"input": {"title": "A"}}]')
    form.examples.save()
    settled(qtbot, lambda: entry(library).hints.get("examples") == [{"input": {"title": "A"}}])
    form.examples.editor.show_text('[{"output": 1}]')
    form.examples.save()
    assert "not a list of objects with an input" in form.wrong.text()
    assert entry(library).hints["examples"] == [{"input": {"title": "A"}}]
    choice = form.choices["idempotentHint"]
    choice.setCurrentIndex(1)
    choice.activated.emit(1)
    settled(qtbot, lambda: entry(library).hints.get("idempotentHint") is True)


# --- ask me first


def test_ask_first_with_reason_and_word(qtbot: QtBot, window: MainWindow, panel: ToolPanel, library: Library) -> None:
    press_switch = panel.consent.switch
    QTest.mouseClick(press_switch, Qt.MouseButton.LeftButton, pos=press_switch.rect().center())
    settled(qtbot, lambda: entry(library).consent is not None)
    settled(qtbot, lambda: "“CREATE_ISSUE”" in panel.consent.said.text())
    panel.consent.reason.editor.show_text("Everybody is told.")
    panel.consent.reason.save()
    settled(qtbot, lambda: _consent(library).get("reason") == "Everybody is told.")
    qtbot.waitUntil(lambda: panel.consent.reason.text() == "Everybody is told.")
    panel.consent.literal.setText("YES_DO_IT")
    panel.consent.literal.save()
    settled(qtbot, lambda: _consent(library) == {"reason": "Everybody is told.", "literal": "YES_DO_IT"})
    settled(qtbot, lambda: "REQUIRES EXPLICIT USER INSTRUCTION" in served_text(window))
    QTest.mouseClick(press_switch, Qt.MouseButton.LeftButton, pos=press_switch.rect().center())
    settled(qtbot, lambda: entry(library).consent is None)
    window.undo()
    settled(qtbot, lambda: _consent(library) == {"reason": "Everybody is told.", "literal": "YES_DO_IT"})


def _consent(library: Library) -> dict[str, Any]:
    consent = entry(library).consent
    return consent.to_json() if consent is not None else {}


# --- when to use it


def test_when_category_need_and_name(qtbot: QtBot, window: MainWindow, panel: ToolPanel, library: Library) -> None:
    panel.purpose.when.editor.setFocus()
    QTest.keyClicks(panel.purpose.when.editor, "For bugs.")
    panel.purpose.category.setText("Planning")
    panel.purpose.category.save()
    settled(qtbot, lambda: (entry(library).when_to_use, entry(library).category) == ("For bugs.", "Planning"))
    press(panel.purpose.need.button("optional"))
    settled(qtbot, lambda: entry(library).optionality == "optional")
    panel.purpose.alias.setText("new issue!")
    panel.purpose.alias.save()
    settled(qtbot, lambda: window.pages.tool_page.second.text() == "new_issue_")
    assert any("“new issue!” is taken" in one.text for one in window.pages.tool_page.notices)
    panel.purpose.instructions.editor.show_text("Search first.")
    panel.purpose.instructions.save()
    settled(qtbot, lambda: "Search first." in served_text(window))
    panel.purpose.alias.setText("")
    panel.purpose.alias.save()
    settled(qtbot, lambda: entry(library).alias is None)


def test_text_being_written_belongs_to_the_tool_that_was_shown(
    qtbot: QtBot, window: MainWindow, panel: ToolPanel, library: Library
) -> None:
    panel.purpose.when.editor.setFocus()
    QTest.keyClicks(panel.purpose.when.editor, "Mine")
    window.go(RowKey(Kind.TOOL, "Linear", "update_issue"))
    assert entry(library).when_to_use == "Mine"
    assert entry(library, "Linear.update_issue").when_to_use == ""
    assert panel.purpose.when.text() == ""


def test_typing_is_one_step_and_the_windows_undo(
    qtbot: QtBot, window: MainWindow, panel: ToolPanel, library: Library
) -> None:
    editor = panel.purpose.when.editor
    editor.setFocus()
    for text in ("For ", "bugs"):
        QTest.keyClicks(editor, text)
        panel.purpose.when.save()
    settled(qtbot, lambda: entry(library).when_to_use == "For bugs")
    QTest.keyClick(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    settled(qtbot, lambda: entry(library).when_to_use == "")


# --- its arguments


def test_an_argument_gets_a_default_is_fixed_and_is_given_back(
    qtbot: QtBot, window: MainWindow, panel: ToolPanel, library: Library
) -> None:
    project = line(panel, "project")
    choose(project, Shape.DEFAULT)
    assert project.value.isVisible()
    assert entry(library).argument_defaults == {}  # nothing before there is a value
    QTest.keyClicks(project.value, "Toolnote")
    QTest.keyClick(project.value, Qt.Key.Key_Return)
    settled(qtbot, lambda: entry(library).argument_defaults == {"project": "Toolnote"})
    settled(qtbot, lambda: served_properties(window).get("project", {}).get("default") == "Toolnote")
    choose(project, Shape.FIXED)
    settled(qtbot, lambda: entry(library).hidden_arguments == ("project",))
    settled(qtbot, lambda: "project" not in served_properties(window))
    assert entry(library).argument_defaults == {"project": "Toolnote"}
    choose(project, Shape.FREE)
    settled(qtbot, lambda: (entry(library).hidden_arguments, entry(library).argument_defaults) == ((), {}))
    window.undo()
    settled(qtbot, lambda: entry(library).hidden_arguments == ("project",))
    assert entry(library).argument_defaults == {"project": "Toolnote"}


def test_a_value_that_is_none_of_its_kind_is_not_kept(qtbot: QtBot, panel: ToolPanel, library: Library) -> None:
    priority = line(panel, "priority")
    choose(priority, Shape.DEFAULT)
    QTest.keyClicks(priority.value, "high")
    QTest.keyClick(priority.value, Qt.Key.Key_Return)
    assert priority.wrong.text() == "whole number: this is none."
    assert entry(library).argument_defaults == {}
    priority.value.setText("2")
    QTest.keyClick(priority.value, Qt.Key.Key_Return)
    settled(qtbot, lambda: entry(library).argument_defaults == {"priority": 2})


def test_an_argument_is_left_out_altogether(qtbot: QtBot, panel: ToolPanel, library: Library) -> None:
    choose(line(panel, "assignee"), Shape.HIDDEN)
    settled(qtbot, lambda: entry(library).hidden_arguments == ("assignee",))


NESTED = {
    "name": "search",
    "inputSchema": {
        "type": "object",
        "properties": {
            "filter": {"$ref": "#/$defs/Filter"},
            "rows": {"type": "array", "items": {"type": "object", "properties": {"kind": {"enum": ["a", "b"]}}}},
            "deep": {"type": "boolean"},
        },
        "required": ["filter"],
        "$defs": {"Filter": {"type": "object", "properties": {"teamId": {"type": "string", "default": "T"}}}},
    },
}


def test_rows_of_nested_referenced_and_listed_arguments() -> None:
    shaped = ToolEntry(argument_defaults={"/filter/teamId": "x", "gone": 1}, hidden_arguments=("/rows/*/kind",))
    rows = {row.name: row for row in argument_rows(NESTED, shaped)}
    assert list(rows) == ["filter", "/filter/teamId", "rows", "/rows/*/kind", "deep", "gone"]
    assert [rows[name].depth for name in ("filter", "/filter/teamId")] == [0, 1]
    team, kind = rows["/filter/teamId"], rows["/rows/*/kind"]
    assert (team.shape, team.value, team.begin) == (Shape.DEFAULT, "x", "T")
    assert (kind.shape, kind.values) == (Shape.HIDDEN, ("a", "b"))
    assert rows["deep"].values == (True, False)
    assert rows["gone"].value == "1"  # what the schema names no more can be taken away
