"""Notes dragged onto rows of the library and to another place of their list, and the same from a note's menu."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView
from pytestqt.qtbot import QtBot

from tests.desktop.display import needs_display, run_on_display
from tests.desktop.drags import drag
from tests.desktop.tool_page.test_notes_beyond import CREATE, names, trigger
from toolnote_desktop.desktop.models.drag_data import DraggedNote, note_data, rows_data
from toolnote_desktop.desktop.models.library_rows import SOURCES, TOOLSETS, Kind, RowKey
from toolnote_desktop.desktop.tool_page.note_card import NoteCard
from toolnote_desktop.desktop.window.window import MainWindow
from toolnote_desktop.model.toolsets.notes import Note, Scope
from toolnote_desktop.store.library import Library

LABEL = DraggedNote(CREATE, Scope.TOOLSET, "label-convention")
TEAM = DraggedNote(CREATE, Scope.TOOL, "team-selection")
GIT, LINEAR = RowKey(Kind.SERVER, "Git"), RowKey(Kind.SERVER, "Linear")
MY_TOOLS, PLANNING, RELEASE = (RowKey(Kind.TOOLSET, name) for name in ("my-tools", "planning-week", "release-day"))
SHIFT, NONE = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.NoModifier

pytestmark = [
    pytest.mark.usefixtures("cards"),
    pytest.mark.filterwarnings("ignore:Function. 'QDrag:DeprecationWarning"),  # 6.11 has no other form
]


def place_in(window: MainWindow, key: RowKey) -> QPoint:
    """The middle of a row, in the library's viewport."""
    view = window.sidebar.view
    index = view.model().find(key)  # type: ignore[attr-defined]
    view.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)
    return view.visualRect(index).center()


def drop(window: MainWindow, note: DraggedNote, key: RowKey, keys: Qt.KeyboardModifier = NONE) -> bool:
    return drag(window.sidebar.view, note_data(note), place_in(window, key), keys)


def on_source(library: Library, source: str) -> list[Note]:
    return list(library.snapshot.notes.servers.get(source, ()))


def test_a_note_on_a_tool_source_holds_for_all_of_it_and_stays_where_it_was(
    window: MainWindow, library: Library
) -> None:
    assert drop(window, LABEL, GIT)
    (there,) = on_source(library, "Git")
    assert (there.name, there.note[:11]) == ("label-convention", "Bug reports")
    assert "label-convention" in names(library)
    assert window.toast.sentence.text() == "Note “label-convention” copied to all Git tools"
    QTest.mouseClick(window.toast.action_button, Qt.MouseButton.LeftButton)
    assert on_source(library, "Git") == []


def test_with_the_key_for_it_a_note_is_moved_and_one_undo_moves_it_back(window: MainWindow, library: Library) -> None:
    assert drop(window, LABEL, LINEAR, SHIFT)
    assert [note.name for note in on_source(library, "Linear")] == ["label-convention"]
    assert names(library) == ["urgent-means-one"]
    window.undo()
    assert on_source(library, "Linear") == []
    assert names(library) == ["label-convention", "urgent-means-one"]


def test_a_note_on_a_toolset_holds_on_its_tool_there(window: MainWindow, library: Library) -> None:
    assert drop(window, LABEL, PLANNING)
    assert names(library, "planning-week") == ["label-convention"]
    assert drop(window, TEAM, PLANNING, SHIFT)
    assert names(library, "planning-week") == ["label-convention", "team-selection"]
    assert "Linear.create_issue" not in {name for name, notes in library.snapshot.notes.tools.items() if notes}
    assert "to Create issue in Planning week" in window.toast.sentence.text()


def test_a_note_on_another_tool_holds_there(window: MainWindow, library: Library) -> None:
    window.sidebar.view.open_keys({LINEAR})
    before = names(library, tool="Linear.update_issue")
    assert drop(window, LABEL, RowKey(Kind.TOOL, "Linear", "update_issue"))
    assert names(library, tool="Linear.update_issue") == [*before, "label-convention"]


@pytest.mark.parametrize("target", [RELEASE, MY_TOOLS, TOOLSETS, SOURCES, CREATE], ids=lambda key: key.owner)
def test_a_note_is_not_taken_where_it_would_mean_nothing(window: MainWindow, library: Library, target: RowKey) -> None:
    """A toolset without its tool, its own toolset, its own tool, a group."""
    window.sidebar.view.open_keys({LINEAR})
    before = library.snapshot.revision
    assert not drop(window, LABEL, target)
    assert library.snapshot.revision == before


def test_a_note_that_is_gone_meanwhile_is_not_taken(window: MainWindow, library: Library) -> None:
    assert not drop(window, DraggedNote(CREATE, Scope.TOOLSET, "gone"), GIT)
    assert not drop(window, DraggedNote(RowKey(Kind.TOOL, "Gone", "gone"), Scope.TOOL, "gone"), GIT)


def test_a_card_is_let_go_at_another_place(window: MainWindow, cards: tuple[NoteCard, ...], library: Library) -> None:
    notes = window.pages.tool_page.notes
    last = cards[2].mapTo(notes, cards[2].rect().center())
    assert drag(notes, note_data(LABEL), last)
    assert names(library) == ["urgent-means-one", "label-convention"]
    assert not notes.drop_line.isVisible()
    assert not drag(notes, note_data(TEAM), last)  # the only one of its place
    assert not drag(notes, rows_data([CREATE]), last)


# --- the same by keyboard


def test_the_menu_copies_and_moves_to_every_place_that_a_drag_can(
    qtbot: QtBot,
    window: MainWindow,
    cards: tuple[NoteCard, ...],
    library: Library,
) -> None:
    trigger(window, cards[1], "Copy to", "Toolset Planning week")
    assert names(library, "planning-week") == ["label-convention"]
    trigger(window, cards[1], "Move to", "All Slack tools")
    assert [note.name for note in on_source(library, "Slack")] == ["label-convention"]
    assert names(library) == ["urgent-means-one"]
    assert window.toast.sentence.text() == "Note “label-convention” moved to all Slack tools"
    window.undo()
    window.undo()
    assert names(library, "planning-week") == []
    assert on_source(library, "Slack") == []


# --- by the mouse, under a windowing system


@needs_display
def test_notes_are_dragged_by_the_mouse() -> None:
    """The offscreen platform of these tests knows no drags."""
    run_on_display("tool_page/mouse_drags.py")
