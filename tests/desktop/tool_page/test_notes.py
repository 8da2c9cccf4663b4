"""Notes written with real keys: saved after a pause, named by their first words, undone in steps."""

from __future__ import annotations

from functools import partial
from itertools import pairwise

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QEnterEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.desktop.helpers import click, served_text
from toolnote_desktop.desktop.models.library_rows import Kind, RowKey
from toolnote_desktop.desktop.tool_page.note_card import NoteCard
from toolnote_desktop.desktop.tool_page.note_draft import DraftState
from toolnote_desktop.desktop.window.window import MainWindow
from toolnote_desktop.model.toolsets.note_edits import AddNote, EditNote, NoteTarget, RemoveNote
from toolnote_desktop.model.toolsets.notes import Note, ToolReference
from toolnote_desktop.store.library import FILE_ORIGIN, Library, Origin

URGENT = "urgent-means-one"
CREATE = RowKey(Kind.TOOL, "Linear", "create_issue")
POST = RowKey(Kind.TOOL, "Slack", "post_message")
IN_MY_TOOLS = NoteTarget.in_toolset("my-tools", ToolReference(namespaced_name="Linear.create_issue"))


def notes_on(library: Library, tool: str, toolset: str = "my-tools") -> dict[str, Note]:
    """The notes on a tool in every toolset and in one."""
    groups = library.snapshot.toolsets[toolset].notes
    own = [note for group in groups if group.reference.namespaced_name == tool for note in group.notes]
    return {note.name: note for note in (*library.snapshot.notes.tools.get(tool, ()), *own)}


def cards(window: MainWindow) -> tuple[NoteCard, ...]:
    """The cards on the page."""
    return window.pages.tool_page.notes.cards


def names(window: MainWindow) -> list[str]:
    """The names on the cards."""
    return [card.draft.name for card in cards(window)]


def has_notes(window: MainWindow, wanted: list[str]) -> bool:
    return names(window) == wanted


def trigger(card: NoteCard, words: str) -> None:
    """Choose an entry of a card's menu."""
    card.menu.aboutToShow.emit()
    action = next(one for one in card.menu.actions() if one.text().startswith(words))
    assert action.isEnabled()
    action.trigger()


def test_the_notes_of_a_tool_are_cards(window: MainWindow) -> None:
    window.go(CREATE)
    assert names(window) == ["team-selection", "label-convention", "urgent-means-one"]
    assert [card.corner.text() for card in cards(window)] == ["You, 12 January", "You, 12 January", ""]
    assert [card.written_by.text.text() for card in cards(window) if card.written_by.isVisible()] == [
        "Claude Desktop wrote this 2 days ago."
    ]
    assert [card.scope.text() for card in cards(window)] == ["Every toolset", "My tools only", "My tools only"]


def test_a_note_is_made_with_its_first_words_and_named_by_them(
    qtbot: QtBot, window: MainWindow, library: Library
) -> None:
    window.go(POST)
    notes = window.pages.tool_page.notes
    assert notes.hint.isVisible()
    QTest.mouseClick(notes.add_button, Qt.MouseButton.LeftButton)
    (card,) = cards(window)
    assert card.editor.hasFocus()
    assert notes_on(library, "Slack.post_message") == {}  # an empty card is no note
    QTest.keyClicks(card.editor, "Never post in general without asking")
    qtbot.waitUntil(lambda: card.draft.state is DraftState.SAVED)
    assert list(notes_on(library, "Slack.post_message")) == ["post-general"]
    assert card.name_button.text() == "post-general"
    assert "Saved" in card.corner.text()
    assert cards(window) == (card,)
    assert card.editor.hasFocus()


def test_a_new_note_is_written_where_it_is_served(qtbot: QtBot, window: MainWindow) -> None:
    """It was written below the toolset's own notes, and jumped above them when it was saved."""
    window.go(CREATE)
    click(window.pages.tool_page.notes.add_button)
    card = next(one for one in cards(window) if one.editor.hasFocus())
    assert cards(window).index(card) == 1
    QTest.keyClicks(card.editor, "Titles in English")
    card.draft.flush()
    assert names(window) == ["team-selection", "titles-english", "label-convention", "urgent-means-one"]
    assert cards(window)[1] is card
    assert card.editor.hasFocus()


def test_note_text_is_saved_when_the_editor_is_left(qtbot: QtBot, window: MainWindow, library: Library) -> None:
    window.go(CREATE)
    card = cards(window)[1]
    card.start_writing()
    QTest.keyClicks(card.editor, " Really.")
    window.sidebar.view.setFocus()
    assert notes_on(library, "Linear.create_issue")["label-convention"].note.endswith("asking. Really.")


def test_note_text_is_saved_when_another_tool_is_chosen_and_when_the_window_closes(
    qtbot: QtBot, window: MainWindow, library: Library
) -> None:
    window.go(CREATE)
    cards(window)[1].start_writing()
    QTest.keyClicks(cards(window)[1].editor, " One.")
    window.go(POST)
    assert notes_on(library, "Linear.create_issue")["label-convention"].note.endswith("One.")
    window.add_note()
    QTest.keyClicks(cards(window)[0].editor, "Two")
    window.close()
    assert notes_on(library, "Slack.post_message")["note-1"].note == "Two"


def test_starters_begin_a_note_that_is_not_saved_before_it_says_something(
    qtbot: QtBot, window: MainWindow, library: Library
) -> None:
    window.go(POST)
    notes = window.pages.tool_page.notes
    never = next(one for one in notes.starters if one.text().startswith("Never"))
    QTest.mouseClick(never, Qt.MouseButton.LeftButton)
    (card,) = cards(window)
    assert card.editor.text() == "Never "
    card.draft.flush()
    assert notes_on(library, "Slack.post_message") == {}
    QTest.keyClicks(card.editor, "shout")
    card.draft.flush()
    assert notes_on(library, "Slack.post_message")["shout"].note == "Never shout"


def test_a_card_that_stays_empty_is_gone_when_it_is_left(qtbot: QtBot, window: MainWindow) -> None:
    window.go(POST)
    window.add_note()
    assert len(cards(window)) == 1
    window.sidebar.view.setFocus()
    assert cards(window) == ()
    assert window.pages.tool_page.notes.hint.isVisible()


def test_an_emptied_note_is_removed_when_it_is_left_and_undo_brings_it_back(
    qtbot: QtBot, window: MainWindow, library: Library
) -> None:
    window.go(CREATE)
    card = cards(window)[1]
    card.start_writing()
    card.editor.selectAll()
    QTest.keyClick(card.editor, Qt.Key.Key_Delete)
    assert "Empty" in card.corner.text()
    assert "label-convention" in notes_on(library, "Linear.create_issue")
    window.sidebar.view.setFocus()
    qtbot.waitUntil(lambda: names(window) == ["team-selection", "urgent-means-one"])
    QTest.keyClick(window.sidebar.view, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert names(window) == ["team-selection", "label-convention", "urgent-means-one"]


def test_a_text_that_is_too_long_is_not_saved_and_says_so(window: MainWindow, library: Library) -> None:
    window.go(CREATE)
    card = cards(window)[1]
    card.start_writing()
    card.editor.selectAll()
    card.editor.insertPlainText("x" * 4001)
    card.draft.flush()
    assert "Too long to save" in card.corner.text()
    assert notes_on(library, "Linear.create_issue")["label-convention"].note.startswith("Bug reports")


def test_undo_takes_back_typing_as_one_step_while_the_cursor_is_in_the_note(
    qtbot: QtBot, window: MainWindow, library: Library
) -> None:
    window.go(CREATE)
    card = cards(window)[1]
    before = card.editor.text()
    card.start_writing()
    QTest.keyClicks(card.editor, " First.")
    card.draft.flush()
    QTest.keyClicks(card.editor, " Second.")
    QTest.keyClick(card.editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert card.editor.text() == before
    assert notes_on(library, "Linear.create_issue")["label-convention"].note == before
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(card.editor, Qt.Key.Key_Z, both)
    assert card.editor.text() == before + " First. Second."


def test_undo_of_a_new_note_takes_its_card_away(qtbot: QtBot, window: MainWindow, library: Library) -> None:
    window.go(POST)
    window.add_note()
    QTest.keyClicks(cards(window)[0].editor, "Say")
    cards(window)[0].draft.flush()
    QTest.keyClicks(cards(window)[0].editor, " hello first")
    QTest.keyClick(cards(window)[0].editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert cards(window) == ()
    assert notes_on(library, "Slack.post_message") == {}


def test_a_note_is_renamed_at_its_name(qtbot: QtBot, window: MainWindow, library: Library) -> None:
    window.go(CREATE)
    card = cards(window)[1]
    QTest.mouseClick(card.name_button, Qt.MouseButton.LeftButton)
    assert card.name_field.hasFocus()
    QTest.keyClicks(card.name_field, "Labels: bug & wish")
    QTest.keyClick(card.name_field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: names(window)[1] == "labels-bug-wish")
    assert "labels-bug-wish" in notes_on(library, "Linear.create_issue")
    assert cards(window)[1] is card


def test_a_name_that_is_taken_is_refused_in_words(qtbot: QtBot, window: MainWindow) -> None:
    window.go(CREATE)
    cards(window)[1].draft.rename("urgent-means-one")
    assert names(window)[1] == "label-convention"
    assert "There is a note “urgent-means-one” here already" in window.toast.sentence.text()


def test_remove_says_so_and_offers_undo(qtbot: QtBot, window: MainWindow, library: Library) -> None:
    window.go(CREATE)
    trigger(cards(window)[1], "Delete")
    qtbot.waitUntil(lambda: names(window) == ["team-selection", "urgent-means-one"])
    assert window.toast.isVisible()
    assert window.toast.sentence.text() == "Note “label-convention” deleted"
    QTest.mouseClick(window.toast.action_button, Qt.MouseButton.LeftButton)
    assert names(window) == ["team-selection", "label-convention", "urgent-means-one"]
    assert not window.toast.isVisible()


def test_notes_move_by_menu_and_by_keys_within_their_place(qtbot: QtBot, window: MainWindow, library: Library) -> None:
    window.go(CREATE)
    first, second, third = cards(window)
    assert second.draft.place == third.draft.place
    QTest.keyClick(third.editor, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    third.editor.setFocus()
    QTest.keyClick(third.editor, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: names(window) == ["team-selection", "urgent-means-one", "label-convention"])
    assert cards(window) == (first, third, second)
    trigger(third, "Move down")
    qtbot.waitUntil(lambda: cards(window) == (first, second, third))
    first.menu.aboutToShow.emit()
    moves = [action for action in first.menu.actions() if action.text() in ("Move up", "Move down")]
    assert [action.isEnabled() for action in moves] == [False, False]  # it is alone in its place


def test_a_note_that_is_switched_off_stays_and_is_not_shown_to_assistants(qtbot: QtBot, window: MainWindow) -> None:
    window.go(CREATE)
    trigger(cards(window)[1], "Turn off")
    qtbot.waitUntil(lambda: "Off" in cards(window)[1].corner.text())
    assert "label-convention" not in served_text(window)
    trigger(cards(window)[1], "Turn on")
    qtbot.waitUntil(lambda: "label-convention" in served_text(window))


def test_a_note_may_hold_in_every_toolset_and_in_one_only(qtbot: QtBot, window: MainWindow, library: Library) -> None:
    window.go(CREATE)
    trigger(cards(window)[1], "Use in every toolset")
    qtbot.waitUntil(lambda: names(window) == ["team-selection", "label-convention", "urgent-means-one"])
    assert [note.name for note in library.snapshot.notes.tools["Linear.create_issue"]] == [
        "team-selection",
        "label-convention",
    ]
    trigger(cards(window)[0], "Use in My tools only")
    qtbot.waitUntil(lambda: names(window) == ["label-convention", "urgent-means-one", "team-selection"])
    window.undo()
    assert names(window) == ["team-selection", "label-convention", "urgent-means-one"]


def test_note_changed_elsewhere_is_shown_and_typing_is_not_disturbed(
    qtbot: QtBot, window: MainWindow, library: Library
) -> None:
    window.go(CREATE)
    card = cards(window)[1]
    card.start_writing()
    library.submit(EditNote(IN_MY_TOOLS, "urgent-means-one", {"note": "Changed by hand."}), origin=FILE_ORIGIN)
    qtbot.waitUntil(lambda: cards(window)[2].editor.text() == "Changed by hand.")
    QTest.keyClicks(card.editor, " Mine")
    library.submit(EditNote(IN_MY_TOOLS, "label-convention", {"note": "Theirs."}), origin=FILE_ORIGIN)
    qtbot.waitUntil(lambda: card.draft.state is DraftState.SAVED)
    assert card.editor.text().endswith("asking. Mine")
    assert notes_on(library, "Linear.create_issue")["label-convention"].note.endswith("asking. Mine")
    assert card.editor.hasFocus()


def test_note_removed_elsewhere_while_edited_becomes_a_note_again(
    qtbot: QtBot, window: MainWindow, library: Library
) -> None:
    window.go(CREATE)
    card = cards(window)[1]
    card.start_writing()
    QTest.keyClicks(card.editor, " Mine")
    library.submit(RemoveNote(IN_MY_TOOLS, "label-convention"), origin=FILE_ORIGIN)
    qtbot.waitUntil(lambda: "reports-label" in notes_on(library, "Linear.create_issue"))
    assert notes_on(library, "Linear.create_issue")["reports-label"].note.endswith("Mine")
    assert card in cards(window)


def test_an_assistants_note_is_announced_with_undo(qtbot: QtBot, window: MainWindow, library: Library) -> None:
    window.go(CREATE)
    note = {"name": "theirs", "note": "Theirs", "author": "cursor", "createdAt": "2026-01-01T00:00:00Z"}
    library.submit(AddNote(IN_MY_TOOLS, note), origin=Origin("cursor"))
    qtbot.waitUntil(lambda: "theirs" in names(window))
    assert window.toast.sentence.text() == "Cursor: Note “theirs” added to Create issue"
    QTest.mouseClick(window.toast.action_button, Qt.MouseButton.LeftButton)
    assert "theirs" not in names(window)


def test_pasted_text_loses_its_looks_and_markup_is_not_read(qtbot: QtBot, window: MainWindow, library: Library) -> None:
    window.go(POST)
    window.add_note()
    (card,) = cards(window)
    QGuiApplication.clipboard().setText("<b>Bold</b> & <a href='https://example.com'>there</a>\r\nline two")
    card.editor.paste()
    card.draft.flush()
    (note,) = notes_on(library, "Slack.post_message").values()
    assert note.note == "<b>Bold</b> & <a href='https://example.com'>there</a>\nline two"
    qtbot.waitUntil(lambda: "<b>Bold</b>" in served_text(window))


def test_signs_that_qt_would_change_stay_as_they_are(qtbot: QtBot, window: MainWindow, library: Library) -> None:
    text = "Preis\u00a0: 5\u202f€, 👍🏽, \u200bzero"
    library.submit(EditNote(IN_MY_TOOLS, "label-convention", {"note": text}), origin=FILE_ORIGIN)
    window.go(CREATE)
    qtbot.waitUntil(lambda: cards(window)[1].editor.text() == text)
    cards(window)[1].start_writing()
    QTest.keyClicks(cards(window)[1].editor, "!")
    cards(window)[1].draft.flush()
    assert notes_on(library, "Linear.create_issue")["label-convention"].note == text + "!"


def test_the_editor_is_as_high_as_its_text(qtbot: QtBot, window: MainWindow) -> None:
    window.go(CREATE)
    card = cards(window)[1]
    card.start_writing()
    qtbot.waitUntil(lambda: card.editor.width() > 500)
    heights = [card.editor.height()]
    for _ in range(3):
        QTest.keyClick(card.editor, Qt.Key.Key_Return)
        heights.append(card.editor.height())
    steps = {after - before for before, after in pairwise(heights)}
    assert min(steps) >= card.editor.fontMetrics().height()
    assert card.editor.text().endswith("asking.\n\n\n")
    assert card.editor.verticalScrollBar().maximum() <= 2


@pytest.mark.parametrize("toolset", [None, "planning-week"])
def test_a_tool_outside_the_toolset_in_use_offers_to_be_added(
    qtbot: QtBot, window: MainWindow, library: Library, toolset: str | None
) -> None:
    if toolset is None:
        window.go(RowKey(Kind.TOOLSET, "my-tools"))
        window.actions_.delete_toolset("my-tools")
    else:
        window.actions_.use_toolset(toolset)
    window.go(POST)
    notices = window.pages.tool_page.notices
    page = window.pages.tool_page
    assert not page.switch.isVisible()
    assert "doesn’t get this tool." in page.absent_text.text()
    assert page.description.text() == ""
    if toolset is None:
        (notice,) = [one for one in notices if one.action]
        assert notice.action == "Use Planning week by default"
        assert notice.pressed is not None
        notice.pressed()
        qtbot.waitUntil(lambda: library.snapshot.settings.equipped_toolset == "planning-week")
    else:
        assert page.add_button.text() == "Add it to Planning week"
        QTest.mouseClick(page.add_button, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: not page.absent.isVisible())
        assert page.description.text() != ""


def test_a_note_without_any_toolset_holds_everywhere(qtbot: QtBot, window: MainWindow, library: Library) -> None:
    for name in list(library.snapshot.toolsets):
        window.actions_.delete_toolset(name)
    window.go(POST)
    window.add_note()
    QTest.keyClicks(cards(window)[0].editor, "Anywhere")
    cards(window)[0].draft.flush()
    assert [note.note for note in library.snapshot.notes.tools["Slack.post_message"]] == ["Anywhere"]


# --- notes by assistants


def test_a_note_by_an_assistant_is_kept(qtbot: QtBot, window: MainWindow) -> None:
    window.go(CREATE)
    urgent = cards(window)[2]
    click(urgent.written_by.keep_button)
    qtbot.waitUntil(urgent.written_by.isHidden)
    assert urgent.corner.text().startswith("Claude Desktop, ")
    assert window.menu.undo.text() == "Undo Keep Note"
    window.undo()
    qtbot.waitUntil(urgent.written_by.isVisible)


def test_what_an_assistant_wrote_is_undone(qtbot: QtBot, window: MainWindow, library: Library) -> None:
    """Its last change is undone where that is the newest of the note; else the note is deleted, which Undo restores."""
    window.go(CREATE)
    library.submit(EditNote(IN_MY_TOOLS, URGENT, {"note": "Rewritten."}), origin=Origin("claude-desktop"))
    qtbot.waitUntil(lambda: cards(window)[2].editor.text() == "Rewritten.")
    qtbot.waitUntil(lambda: window.changes.last_writing(IN_MY_TOOLS, URGENT) is not None)
    click(cards(window)[2].written_by.undo_button)
    qtbot.waitUntil(lambda: cards(window)[2].editor.text().startswith("For anything called urgent"))
    click(cards(window)[2].written_by.undo_button)
    qtbot.waitUntil(lambda: names(window) == ["team-selection", "label-convention"])
    assert window.toast.action_button.text() == "Undo"
    click(window.toast.action_button)
    qtbot.waitUntil(lambda: names(window) == ["team-selection", "label-convention", "urgent-means-one"])


# --- the keyboard and the focus


@pytest.mark.parametrize(
    ("key", "held"),
    [
        (Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier),
    ],
)
def test_writing_ends_by_escape_and_ctrl_enter(
    qtbot: QtBot, window: MainWindow, library: Library, key: Qt.Key, held: Qt.KeyboardModifier
) -> None:
    """Ctrl+Enter added an empty line, which was sent; Esc did nothing."""
    window.go(CREATE)
    card = cards(window)[1]
    card.start_writing()
    QTest.keyClicks(card.editor, " More.")
    QTest.keyClick(card.editor, key, held)
    assert not card.editor.hasFocus()
    assert not card.writing
    focus = QApplication.focusWidget()
    assert focus is not None
    assert card.isAncestorOf(focus)
    text = notes_on(library, "Linear.create_issue")["label-convention"].note
    assert text.endswith("without asking. More.")


def test_a_press_beside_a_note_ends_writing(qtbot: QtBot, window: MainWindow) -> None:
    window.go(CREATE)
    card = cards(window)[0]
    card.start_writing()
    assert card.writing
    page = window.pages.tool_page
    QTest.mouseClick(page.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(6, 300))
    assert not card.writing


def test_after_a_deletion_the_focus_is_at_the_next_note(qtbot: QtBot, window: MainWindow) -> None:
    """It jumped into the search, where Ctrl+Z then went: seen red without the guard."""
    window.go(CREATE)
    remains: tuple[list[str], ...] = (["team-selection", "urgent-means-one"], ["team-selection"], [])
    for left in remains:
        card = cards(window)[min(1, len(cards(window)) - 1)]
        card.start_writing()
        QTest.keyClick(
            card.editor,
            Qt.Key.Key_Backspace,
            Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
        )
        qtbot.waitUntil(partial(has_notes, window, left))
        focus = QApplication.focusWidget()
        expected = [one for one in cards(window) if focus is not None and one.isAncestorOf(focus)]
        assert [one.draft.name for one in expected] == left[-1:]
    assert QApplication.focusWidget() is window.pages.tool_page.notes.add_button
    QTest.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: names(window) == ["team-selection"])


def test_grip_and_menu_of_a_note_are_shown_under_the_pointer(qtbot: QtBot, window: MainWindow) -> None:
    window.go(CREATE)
    card = cards(window)[0]
    before = card.grab().toImage()
    card.enterEvent(QEnterEvent(QPointF(9, 9), QPointF(9, 9), QPointF(9, 9)))
    assert card.grab().toImage() != before
    card.leaveEvent(QEvent(QEvent.Type.Leave))
    assert card.grab().toImage() == before
    assert card.grip.geometry().right() < card.name_place.geometry().left()


def test_the_line_of_a_drop_at_the_first_place_can_be_seen(qtbot: QtBot, window: MainWindow) -> None:
    window.go(CREATE)
    notes = window.pages.tool_page.notes
    notes._show_drop_line(cards(window)[1], cards(window)[0])
    assert notes.drop_line.isVisible()
    assert notes.rect().contains(notes.drop_line.geometry())
