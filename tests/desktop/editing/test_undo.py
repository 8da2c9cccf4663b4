"""One undo stack: steps that merge, that no longer fit, and those of others."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from toolnote_desktop.desktop.editing.actions import Actions
from toolnote_desktop.desktop.editing.undo import MERGE_SECONDS, Step, UndoStack
from toolnote_desktop.desktop.models.library_rows import Kind, RowKey
from toolnote_desktop.desktop.window.window import MainWindow
from toolnote_desktop.model.edits import SETTINGS, SetFields
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.toolsets.note_edits import AddNote, EditNote, NoteTarget, RemoveNote
from toolnote_desktop.model.toolsets.notes import Scope, ToolReference
from toolnote_desktop.store.library import FILE_ORIGIN, Library, Origin

PLACE = NoteTarget.in_toolset("my-tools", ToolReference(namespaced_name="Git.git_commit"))


class Clock:
    """Time that stands still until it is told."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def changes(qtbot: QtBot, library: Library, clock: Clock) -> Iterator[UndoStack]:
    changes = UndoStack(library, clock=clock)
    yield changes
    changes.close()


@pytest.fixture
def actions(library: Library, changes: UndoStack) -> Actions:
    return Actions(library, changes)


def texts(library: Library) -> list[tuple[str, str]]:
    """The notes on git_commit in My tools."""
    groups = library.snapshot.toolsets["my-tools"].notes
    return [
        (note.name, note.note)
        for group in groups
        if group.reference.namespaced_name == "Git.git_commit"
        for note in group.notes
    ]


def used(library: Library) -> str | None:
    """The toolset in use."""
    return library.snapshot.settings.equipped_toolset


def test_undo_and_redo_of_a_note_leave_the_document_as_it_was(
    library: Library, changes: UndoStack, actions: Actions
) -> None:
    before = library.raw(PLACE.document)
    actions.add_note(PLACE, "imperative", "Write messages in the imperative.", None, merge=None)
    assert texts(library) == [("imperative", "Write messages in the imperative.")]
    changes.undo()
    after = library.raw(PLACE.document)
    assert before is not None
    assert after is not None
    assert {**after, "lastModified": ""} == {**before, "lastModified": ""}
    changes.redo()
    assert texts(library) == [("imperative", "Write messages in the imperative.")]
    assert changes.next_redo is None


def test_typing_is_one_step_until_a_pause(library: Library, changes: UndoStack, actions: Actions, clock: Clock) -> None:
    draft = object()
    actions.add_note(PLACE, "w", "W", None, merge=draft)
    for name, new, text in (("w", "wri", "Wri"), ("wri", "write", "Write")):
        clock.now += 0.4
        actions.write_note(PLACE, name, text, None, merge=draft, new_name=new)
    assert texts(library) == [("write", "Write")]
    clock.now += MERGE_SECONDS + 1
    actions.write_note(PLACE, "write", "Write more", None, merge=draft)
    changes.undo()
    assert texts(library) == [("write", "Write")]
    changes.undo()
    assert texts(library) == []
    assert changes.next_undo is None
    changes.redo()
    changes.redo()
    assert texts(library) == [("write", "Write more")]


def test_typing_in_another_note_is_another_step(library: Library, changes: UndoStack, actions: Actions) -> None:
    actions.add_note(PLACE, "one", "One", None, merge=object())
    actions.add_note(PLACE, "two", "Two", None, merge=object())
    changes.undo()
    assert texts(library) == [("one", "One")]


def test_a_step_that_no_longer_fits_says_so_and_goes(
    qtbot: QtBot, library: Library, changes: UndoStack, actions: Actions
) -> None:
    actions.add_note(PLACE, "one", "One", None, merge=None)
    library.submit(RemoveNote(PLACE, "one"), origin=FILE_ORIGIN)
    with qtbot.waitSignal(changes.failed, timeout=5000) as failed:
        changes.undo()
    assert failed.args is not None
    problem = failed.args[0]
    assert isinstance(problem, Problem)
    assert problem.code is Code.NOTE_NOT_FOUND
    assert changes.next_undo is None
    assert changes.next_redo is None


def test_several_edits_are_one_step(library: Library, changes: UndoStack, actions: Actions) -> None:
    assert actions.delete_toolset("my-tools")
    assert used(library) is None
    changes.undo()
    assert used(library) == "my-tools"
    assert len(library.snapshot.toolsets["my-tools"].notes) == 3


def test_an_older_step_is_taken_back_out_of_order(library: Library, changes: UndoStack, actions: Actions) -> None:
    actions.add_note(PLACE, "one", "One", None, merge=None)
    first = changes.next_undo
    actions.add_note(PLACE, "two", "Two", None, merge=None)
    assert first is not None
    assert changes.undo_step(first)
    assert texts(library) == [("two", "Two")]
    assert not changes.undo_step(first)


def test_change_by_an_assistant_is_described_and_can_be_undone(
    qtbot: QtBot, library: Library, changes: UndoStack, actions: Actions
) -> None:
    actions.add_note(PLACE, "mine", "Mine", None, merge=None)
    note = {"name": "theirs", "note": "Theirs", "author": "claude-desktop"}
    with qtbot.waitSignal(changes.done_by_assistant, timeout=5000) as done:
        library.submit(AddNote(PLACE, note), origin=Origin("claude-desktop"))
    assert done.args is not None
    step = done.args[0]
    assert isinstance(step, Step)
    assert step.words == "Note “theirs” added to Git commit"
    assert step.place == RowKey(Kind.TOOL, "Git", "git_commit")
    # the keys take back what the person at the window did; the assistant's change has its button
    changes.undo()
    assert texts(library) == [("theirs", "Theirs")]
    assert changes.undo_step(step)
    assert texts(library) == []


def test_tray_edit_is_an_undo_step(qtbot: QtBot, library: Library, changes: UndoStack) -> None:
    with qtbot.waitSignal(changes.stack_changed, timeout=5000):
        library.submit(SetFields(SETTINGS, {"equippedToolset": "planning-week"}))
    assert changes.next_undo is not None
    assert changes.next_undo.words == "Planning week is the default toolset"
    changes.undo()
    assert used(library) == "my-tools"


def test_changes_of_files_are_no_steps(qtbot: QtBot, library: Library, changes: UndoStack) -> None:
    library.submit(EditNote(LINEAR, "active-only", {"note": "Other words."}), origin=FILE_ORIGIN)
    library.submit(SetFields(SETTINGS, {"equippedToolset": "planning-week"}))
    qtbot.waitUntil(lambda: changes.next_undo is not None)
    changes.undo()
    assert changes.next_undo is None


LINEAR = NoteTarget.in_toolset("my-tools", ToolReference(namespaced_name="Linear.search_projects"))


def test_saving_is_told_in_the_windows_thread(
    qtbot: QtBot, library: Library, changes: UndoStack, actions: Actions
) -> None:
    submitted = actions.add_note(PLACE, "one", "One", None, merge=None)
    with qtbot.waitSignal(changes.save_settled, timeout=5000) as settled:
        library.flush()
    assert settled.args == [submitted, None]


def test_the_menu_names_the_deed(qtbot: QtBot, window: MainWindow) -> None:
    place = NoteTarget.everywhere(Scope.TOOL, "Linear.create_issue")
    actions = window.actions_
    actions.remove_note(place, "team-selection", None)
    assert window.menu.undo.text() == "Undo Delete Note"
    window.undo()
    assert window.menu.redo.text() == "Redo Delete Note"
    actions.move_note_to(place, "team-selection", NoteTarget.everywhere(Scope.GLOBAL), None)
    assert window.menu.undo.text() == "Undo Move Note"
    assert window.changes.next_undo is not None
    assert window.changes.next_undo.words == "Note “team-selection” moved to every tool"
    actions.switch_server("Git", on=False)
    assert window.menu.undo.text() == "Undo Turn Off Tool Source"
    actions.pause_notes(paused=True)
    assert window.menu.undo.text() == "Undo Pause Notes"
    actions.delete_toolset("release-day")
    assert window.menu.undo.text() == "Undo Delete Toolset"
