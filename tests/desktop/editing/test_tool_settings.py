"""Settings belong to the tool in every toolset; a toolset's own value is an exception and changed there (issue 17)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from toolnote_desktop.desktop.editing.actions import Actions
from toolnote_desktop.desktop.editing.tool_settings import ToolSettingsEditor
from toolnote_desktop.desktop.editing.undo import UndoStack
from toolnote_desktop.desktop.models.library_rows import Kind, RowKey
from toolnote_desktop.desktop.models.tool_view import ToolView, tool_view
from toolnote_desktop.model.edits import ABSENT, TOOLS, toolset_document
from toolnote_desktop.model.toolsets.tool_edits import RemoveTools, SetToolFields
from toolnote_desktop.store.library import Library

CREATE = RowKey(Kind.TOOL, "Linear", "create_issue")
NAME = "Linear.create_issue"


class Desk:
    """The window's editing without a window."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.changes = UndoStack(library)
        self.settings = ToolSettingsEditor(library, self.changes)
        self.actions = Actions(library, self.changes)

    def view_now(self) -> ToolView:
        """The tool as its page shows it."""
        view = tool_view(self.library.snapshot, CREATE)
        assert view is not None
        return view

    def every(self) -> Any:
        """The tool's entry in ``tools.json``."""
        return ((self.library.raw(TOOLS) or {}).get("tools") or {}).get(NAME)

    def own(self, toolset: str = "my-tools") -> dict[str, Any]:
        """The tool's entry in a toolset's document."""
        raw = self.library.raw(toolset_document(toolset)) or {}
        entry: dict[str, Any] = next(one for one in raw["tools"] if one["namespacedName"] == NAME)
        return entry


@pytest.fixture
def desk(qtbot: QtBot, library: Library) -> Iterator[Desk]:
    desk = Desk(library)
    yield desk
    desk.changes.close()


def test_ask_me_first_holds_in_every_toolset_and_is_undone(desk: Desk) -> None:
    before = desk.own()
    desk.settings.ask_first(desk.view_now(), on=True)
    assert desk.every() == {"approval": "ask"}
    assert desk.own() == before
    assert desk.view_now().effective.approval == "ask"
    desk.settings.ask_first(desk.view_now(), on=False)
    assert not desk.every()
    assert desk.view_now().effective.approval is None
    desk.changes.undo()
    desk.changes.undo()
    assert desk.every() is None


def test_ask_me_first_leaves_the_confirmation_word_alone(desk: Desk) -> None:
    document = toolset_document("my-tools")
    desk.library.submit(SetToolFields(document, desk.view_now().entry, {"consent": {"literal": "YES"}}))  # type: ignore[arg-type]
    desk.settings.ask_first(desk.view_now(), on=True)
    desk.settings.ask_first(desk.view_now(), on=False)
    assert desk.view_now().effective.consent is not None
    desk.settings.set_consent(desk.view_now(), {})
    assert desk.view_now().effective.consent is None
    desk.changes.undo()
    assert desk.own()["consent"] == {"literal": "YES"}


def test_turning_it_on_removes_the_exception_of_the_toolset_in_view(desk: Desk) -> None:
    document = toolset_document("my-tools")
    desk.library.submit(SetToolFields(document, desk.view_now().entry, {"approval": "off"}))  # type: ignore[arg-type]
    desk.settings.ask_first(desk.view_now(), on=True)
    assert (desk.every(), "approval" in desk.own()) == ({"approval": "ask"}, False)


def test_values_are_the_tools_unless_the_toolset_has_its_own(desk: Desk) -> None:
    desk.settings.set_text(desk.view_now(), "whenToUse", "For new work.")
    desk.settings.set_hints(desk.view_now(), {"title": "New issue"})
    desk.settings.note_parameter(desk.view_now(), "team", "One of A, B.")
    desk.settings.shape_argument(desk.view_now(), "team", hidden=False, value="A")
    assert desk.every() == {
        "whenToUse": "For new work.",
        "hints": {"title": "New issue"},
        "parameters": {"team": {"note": "One of A, B.", "default": "A"}},
    }
    document, entry = toolset_document("my-tools"), desk.view_now().entry
    assert entry is not None
    desk.library.submit(SetToolFields(document, entry, {"whenToUse": "Own.", "hints": {"title": "Own"}}))
    desk.settings.set_text(desk.view_now(), "whenToUse", "Mine.")
    desk.settings.set_hints(desk.view_now(), {"title": None, "readOnlyHint": True})
    assert desk.own()["whenToUse"] == "Mine."
    assert desk.own()["hints"] == {}
    assert desk.every()["hints"] == {"title": "New issue", "readOnlyHint": True}
    assert desk.every()["whenToUse"] == "For new work."
    assert desk.view_now().effective.hints == {"title": "New issue", "readOnlyHint": True}
    desk.settings.shape_argument(desk.view_now(), "team", hidden=True, value="B")
    assert desk.every()["parameters"]["team"] == {"note": "One of A, B.", "fixed": "B"}
    desk.settings.shape_argument(desk.view_now(), "team", hidden=False, value=ABSENT)
    desk.settings.note_parameter(desk.view_now(), "team", " ")
    assert desk.every()["parameters"]["team"] == {}


def test_a_tool_added_to_another_toolset_brings_its_notes_along_and_says_so(desk: Desk) -> None:
    """It silently dropped the notes and the ask-first before."""
    document, entry = toolset_document("my-tools"), desk.view_now().entry
    assert entry is not None
    desk.library.submit(SetToolFields(document, entry, {"consent": {}}))
    other = toolset_document(desk.actions.make_toolset("Other") or "")
    added = desk.actions.add_tools(str(other.name), [desk.view_now().known])
    assert added is not None
    assert (added.added, added.notes, added.settings) == (1, 2, 1)
    step = desk.changes.next_undo
    assert step is not None
    assert "with 2 notes and its settings" in step.words
    assert "consent" in desk.own(str(other.name))
    notes = (desk.library.raw(other) or {})["toolNotes"][0]["notes"]
    assert [note["name"] for note in notes] == ["label-convention", "urgent-means-one"]
    desk.changes.undo()
    assert (desk.library.raw(other) or {})["tools"] == []


def test_the_settings_of_a_tool_outside_the_toolset_are_its_own(desk: Desk) -> None:
    document, entry = toolset_document("my-tools"), desk.view_now().entry
    assert entry is not None
    desk.library.submit(RemoveTools(document, (entry,)))
    desk.settings.ask_first(desk.view_now(), on=True)
    assert desk.view_now().effective.approval == "ask"
    assert desk.every() == {"approval": "ask"}
