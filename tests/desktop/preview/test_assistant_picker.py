"""The third pane as each assistant sees a tool: what is added, cut, refused, simplified, and said in words."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.desktop import sample
from toolnote_desktop.desktop.messages import number
from toolnote_desktop.desktop.models.json_diff import marked_json
from toolnote_desktop.desktop.models.library_rows import Kind, RowKey
from toolnote_desktop.desktop.preview.pane import PreviewPane
from toolnote_desktop.desktop.window.window import MainWindow
from toolnote_desktop.guidance.served_tools import serve_tool
from toolnote_desktop.model import json_text
from toolnote_desktop.model.edits import CLIENT_ENTRIES, CLIENTS, PutEntry, SetEntryFields
from toolnote_desktop.model.hidden_characters import escaped_in_json
from toolnote_desktop.paths import Home
from toolnote_desktop.store.library import Library

CREATE = RowKey(Kind.TOOL, "Linear", "create_issue")


@pytest.fixture
def library(home: Home) -> Iterator[Library]:
    """Everything set on one tool that can be set, and more text than some assistants read."""
    strict = {
        "name": "strict",
        "title": "Strict assistant",
        "notes": "before-if-cut",
        "figures": {"descriptionLimit": {"value": 2048}, "namePrefix": {"value": "mcp__{server}__"}},
    }
    (home.root / "dialects").mkdir(parents=True)
    (home.root / "dialects" / "strict.json").write_text(json.dumps(strict), encoding="utf-8")
    with sample.open_library(home, "guided") as library:
        yield library


@pytest.fixture
def pane(window: MainWindow) -> PreviewPane:
    window.go(CREATE)
    return window.preview_pane


def see_as(pane: PreviewPane, name: str) -> None:
    row = pane.seen_by.findText(name)
    assert row >= 0, [pane.seen_by.itemText(row) for row in range(pane.seen_by.count())]
    pane.seen_by.setCurrentIndex(row)
    pane.seen_by.activated.emit(row)


def struck(pane: PreviewPane) -> str:
    """The text that is struck through."""
    cursor = QTextCursor(pane.text.document())
    found = []
    while not cursor.atEnd():
        cursor.movePosition(QTextCursor.MoveOperation.NextCharacter, QTextCursor.MoveMode.KeepAnchor)
        if cursor.charFormat().fontStrikeOut():
            found.append(cursor.selectedText())
        cursor.clearSelection()
    return "".join(found).replace("\u2029", "\n")


def test_clients_that_are_known_and_families_can_be_chosen(pane: PreviewPane) -> None:
    items = [pane.seen_by.itemText(row) for row in range(pane.seen_by.count())]
    assert items[:4] == ["Any assistant", "Claude Desktop", "Cursor", "VS Code"]
    assert {"Claude Code", "ChatGPT", "Gemini CLI", "Devin Desktop (Windsurf)", "Cursor (any)"} <= set(items)


def test_part_that_the_assistant_does_not_read_is_struck_through_and_named(pane: PreviewPane) -> None:
    assert struck(pane) == ""
    see_as(pane, "Strict assistant")
    text = pane.text.toPlainText()
    assert text.startswith("REQUIRES EXPLICIT USER INSTRUCTION")  # the user's words first, since it cuts
    assert struck(pane) == text[2048:] != ""
    count = len(text) - 2048
    assert (
        f"Strict assistant does not read the last {count} characters: they are struck through." in pane.warnings.texts
    )
    assert "For Strict assistant the notes stand first, so that they are not cut." in pane.warnings.texts
    assert pane.name.text() == "mcp__toolnote__Linear_create_issue"
    assert "Yours, added before the tool’s own words" in pane.legend.text()
    see_as(pane, "Any assistant")
    assert struck(pane) == ""
    assert pane.text.toPlainText().startswith(sample.CREATE_ISSUE)


def test_changes_of_the_schema_are_said_in_words(pane: PreviewPane) -> None:
    said = pane.legend.text()
    assert "Arguments taken out: project; added: user_consent; changed: priority" in said
    assert "whether it changes things" in said


def test_exact_data_is_what_is_served_and_every_difference_is_marked(pane: PreviewPane, library: Library) -> None:
    QTest.mouseClick(pane.data, Qt.MouseButton.LeftButton)
    snapshot = library.snapshot
    known = snapshot.catalogue.tools[("Linear", "create_issue")]
    toolset = snapshot.toolsets["my-tools"]
    served = serve_tool(snapshot, toolset, known, toolset.tools[0])
    assert json_text.loads(pane.json.toPlainText()) == served.definition
    marked = " ".join(one.cursor.selectedText() for one in pane.json.extraSelections())
    for word in ("REQUIRES EXPLICIT", "user_consent", "readOnlyHint", "toolnote/hints"):
        assert word in marked
    assert "assignee" not in marked
    QTest.mouseClick(pane.without, Qt.MouseButton.LeftButton)  # before: what goes is struck through
    assert json_text.loads(pane.json.toPlainText()) == {**known.tool.definition, "name": served.name}
    gone = [one for one in pane.json.extraSelections() if one.format.fontStrikeOut()]
    assert any("project" in one.cursor.selectedText() for one in gone)


def test_simpler_arguments_are_kept_for_a_client_and_tried_for_a_family(
    qtbot: QtBot, window: MainWindow, pane: PreviewPane, library: Library
) -> None:
    library.submit(
        PutEntry(CLIENTS, CLIENT_ENTRIES, "gem", {"name": "Gem", "dialect": "gemini-api"}),
    )
    known = library.snapshot.catalogue.tools[("Linear", "create_issue")]
    known.tool.definition["inputSchema"]["properties"]["priority"]["exclusiveMinimum"] = 0
    window.go(RowKey(Kind.TOOL, "Linear", "update_issue"))
    window.go(CREATE)
    qtbot.waitUntil(lambda: pane.seen_by.findText("Gem") >= 0)
    see_as(pane, "Gem")
    assert any("may refuse" in one and "exclusiveMinimum" in one for one in pane.warnings.texts)
    QTest.mouseClick(pane.simple, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: library.snapshot.clients["gem"].schema_subset)
    family = "Gemini API (its own subset of schemas)"
    simplified = f"Parameters of create_issue are simplified for {family}: exclusiveMinimum: left out."
    qtbot.waitUntil(lambda: simplified in pane.warnings.texts)
    window.undo()
    qtbot.waitUntil(lambda: not library.snapshot.clients["gem"].schema_subset)
    see_as(pane, family)
    assert simplified not in pane.warnings.texts
    QTest.mouseClick(pane.simple, Qt.MouseButton.LeftButton)
    assert simplified in pane.warnings.texts
    assert not library.snapshot.clients["gem"].schema_subset


def test_client_rules_can_be_chosen(qtbot: QtBot, window: MainWindow, pane: PreviewPane, library: Library) -> None:
    assert not pane.reads_as.isVisible()
    see_as(pane, "Cursor")
    assert pane.reads_as.choice.currentText() == "what it says itself: Cursor"
    choice = pane.reads_as.choice
    choice.setCurrentIndex(choice.findData("strict"))
    choice.activated.emit(choice.currentIndex())
    qtbot.waitUntil(lambda: library.snapshot.clients["cursor"].dialect == "strict")
    qtbot.waitUntil(lambda: struck(pane) != "")
    window.undo()
    qtbot.waitUntil(lambda: library.snapshot.clients["cursor"].dialect is None)


def test_a_client_with_another_toolset_is_said(
    qtbot: QtBot, window: MainWindow, pane: PreviewPane, library: Library
) -> None:
    library.submit(SetEntryFields(CLIENTS, CLIENT_ENTRIES, "cursor", {"toolset": "release-day"}))
    qtbot.waitUntil(lambda: library.snapshot.clients["cursor"].toolset == "release-day")
    see_as(pane, "Cursor")
    qtbot.waitUntil(
        lambda: any(one == "Cursor uses “Release day”, in which this tool is not." for one in pane.warnings.texts)
    )


@pytest.mark.parametrize("tools", [0, 500])
def test_a_tool_can_be_looked_for_where_there_is_one(qtbot: QtBot, pane: PreviewPane, tools: int) -> None:
    pane.show_view(sample.snapshot(found=sample.large_catalogue(tools), toolsets={}), None, ())
    assert pane.find_tool.isVisibleTo(pane) == (tools > 0)


def test_the_meter_says_what_an_assistant_takes(qtbot: QtBot, pane: PreviewPane) -> None:
    pane.resize(400, 700)
    pane.show()  # over the window, which does not show it: the meter counts once it is painted
    see_as(pane, "ChatGPT")
    qtbot.waitUntil(lambda: f"tokens of the {number(16_000)} that ChatGPT takes" in pane.meter.whole.text())


@pytest.mark.parametrize(
    ("value", "other", "marked"),
    [
        ({"a": 1}, {"a": 1}, []),
        ({"a": 1, "b": [2]}, {"a": 1}, ['"b": [\n    2\n  ]']),
        ({"b": 1, "c": 2}, {"a": 1, "b": 1}, ['"c": 2']),
        ({"a": {"x": 1, "y": 2}}, {"a": {"x": 3, "y": 2}}, ["1"]),
        ({"d": "one\n\ntwo"}, {"d": "one"}, ["two"]),
        ({"r": ["b"]}, {"r": ["a", "b"]}, []),
        ({"r": ["a", "b"]}, {"r": ["b"]}, ['"a"']),
        ({"n": True}, {"n": 1}, ["true"]),
        ("x", None, ['"x"']),
    ],
)
def test_text_difference_is_marked(value: Any, other: Any, marked: list[str]) -> None:
    found = marked_json(value, other)
    assert [found.text[start:end] for start, end in found.spans] == marked


VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=12,
)


@given(VALUES, VALUES)
def test_any_json_is_written_out_whole_and_marked_within_itself(value: Any, other: Any) -> None:
    found = marked_json(value, other)
    pretty = json_text.dumps_pretty(value).decode("utf-8").rstrip("\n")
    assert found.text == "\n".join(map(escaped_in_json, pretty.split("\n")))
    assert all(0 <= start < end <= len(found.text) for start, end in found.spans)
    assert marked_json(value, value).spans == ()
