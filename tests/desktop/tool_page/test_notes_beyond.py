"""What can be done with a note beside writing it: where it holds, moving, copying, dragging, templates, limits."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QMenu
from pytestqt.qtbot import QtBot

from toolnote_desktop.desktop.messages import number
from toolnote_desktop.desktop.models.library_rows import LOST_NOTES, Kind, RowKey, lost_notes
from toolnote_desktop.desktop.tool_page.choose_place_dialog import ChoosePlaceDialog
from toolnote_desktop.desktop.tool_page.note_card import NoteCard
from toolnote_desktop.desktop.tool_page.save_template_dialog import SaveTemplateDialog
from toolnote_desktop.desktop.tool_page.template_dialog import TemplateDialog
from toolnote_desktop.desktop.tool_page.written_by import WrittenBy
from toolnote_desktop.desktop.window.window import MainWindow
from toolnote_desktop.guidance.tokens import estimate_tokens
from toolnote_desktop.model.edits import SETTINGS, SetFields
from toolnote_desktop.model.toolsets.note_edits import AddNote, NoteTarget
from toolnote_desktop.model.toolsets.notes import ToolReference
from toolnote_desktop.paths import Home
from toolnote_desktop.store import bundled_files
from toolnote_desktop.store.library import Library, Origin

CREATE = RowKey(Kind.TOOL, "Linear", "create_issue")


def trigger(window: MainWindow, card: NoteCard, *begins: str) -> None:
    """Choose an entry of a card's menu, or of a menu in it."""
    menu = card.menu
    menu.aboutToShow.emit()
    for text in begins[:-1]:
        below = next(action for action in menu.actions() if action.text() == text).menu()
        assert isinstance(below, QMenu)
        menu = below
    next(one for one in menu.actions() if one.text().startswith(begins[-1])).trigger()


def names(library: Library, toolset: str = "my-tools", tool: str = "Linear.create_issue") -> list[str]:
    groups = library.snapshot.toolsets[toolset].notes
    return [note.name for one in groups if one.reference.namespaced_name == tool for note in one.notes]


Asked = TypeVar("Asked", ChoosePlaceDialog, TemplateDialog, SaveTemplateDialog)


def dialog(window: MainWindow, kind: type[Asked]) -> Asked:
    (found,) = [one for one in window.findChildren(kind) if one.isVisible()]
    return found


def listed(dialog: TemplateDialog) -> list[str]:
    model = dialog.list.model()
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


def test_a_note_holds_on_a_whole_source_and_on_everything(
    qtbot: QtBot, window: MainWindow, cards: tuple[NoteCard, ...], library: Library
) -> None:
    trigger(window, cards[1], "Use for all Linear tools")
    qtbot.waitUntil(lambda: [n.name for n in library.snapshot.notes.servers["Linear"]] == ["label-convention"])
    qtbot.waitUntil(lambda: window.pages.tool_page.notes.cards[0].scope.text() == "All Linear tools")
    window.go(RowKey(Kind.TOOL, "Linear", "list_teams"))
    (there,) = window.pages.tool_page.notes.cards
    assert (there.draft.name, there.scope.text()) == ("label-convention", "All Linear tools")
    trigger(window, there, "Use for every tool")
    qtbot.waitUntil(lambda: [n.name for n in library.snapshot.notes.everything] == ["label-convention"])
    window.go(RowKey(Kind.TOOL, "Git", "git_log"))
    assert window.pages.tool_page.notes.cards[0].scope.text() == "Every tool"
    window.undo()
    qtbot.waitUntil(lambda: library.snapshot.notes.everything == ())


def test_a_note_is_copied_to_another_tool(
    qtbot: QtBot, window: MainWindow, cards: tuple[NoteCard, ...], library: Library
) -> None:
    trigger(window, cards[1], "Copy to", "Another tool")
    asked = dialog(window, ChoosePlaceDialog)
    QTest.keyClicks(asked.field, "update issue")
    QTest.keyClick(asked.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "label-convention" in names(library, tool="Linear.update_issue"))
    assert "label-convention" in names(library)


def test_a_note_is_moved_to_another_toolset_and_back_by_undo(
    qtbot: QtBot, window: MainWindow, cards: tuple[NoteCard, ...], library: Library
) -> None:
    trigger(window, cards[1], "Move to", "Another tool")
    asked = dialog(window, ChoosePlaceDialog)
    asked.where.setCurrentIndex(asked.where.findData("planning-week"))
    asked.where.activated.emit(asked.where.currentIndex())
    QTest.keyClicks(asked.field, "create issue")
    asked.confirm.click()
    qtbot.waitUntil(lambda: "label-convention" in names(library, "planning-week"))
    assert "label-convention" not in names(library)
    window.undo()
    qtbot.waitUntil(lambda: "label-convention" in names(library))
    assert "label-convention" not in names(library, "planning-week")


def test_a_click_on_the_grip_moves_nothing(
    qtbot: QtBot, window: MainWindow, cards: tuple[NoteCard, ...], library: Library
) -> None:
    QTest.mouseClick(cards[1].grip, Qt.MouseButton.LeftButton)
    assert window.changes.next_undo is None
    assert names(library) == ["label-convention", "urgent-means-one"]


# --- templates


def test_a_note_from_a_template_is_filled_by_a_form(
    qtbot: QtBot, window: MainWindow, cards: tuple[NoteCard, ...], library: Library
) -> None:
    window.pages.tool_page.notes.open_templates()
    shown = dialog(window, TemplateDialog)
    rows = listed(shown)
    assert [row for row in rows if not row.startswith(" ")] == [
        *("How to use it", "Warnings", "How we do it", "Examples", "Before and after")
    ]
    row = next(row for row, text in enumerate(rows) if "Which team" in text)
    shown.list.setCurrentIndex(shown.list.model().index(row, 0))
    assert list(shown.fields) == ["kind", "names with ids"]
    assert not shown.add_button.isEnabled()
    assert "Still to be filled in: kind and names with ids." in shown.problem.text()
    QTest.keyClicks(shown.fields["kind"], "team")
    QTest.keyClicks(shown.fields["names with ids"], "Core {c}")
    assert shown.text.text() == "Always ask which team it belongs to. Ours are: Core {c}."
    shown.add_button.click()
    # it holds in every toolset, where "team-selection" is another note
    held = ["team-selection", "team-selection-2"]
    tool = "Linear.create_issue"
    qtbot.waitUntil(lambda: [note.name for note in library.snapshot.notes.tools[tool]] == held)


def test_a_note_becomes_a_template_and_the_template_goes_again(
    qtbot: QtBot, window: MainWindow, cards: tuple[NoteCard, ...], home: Home
) -> None:
    trigger(window, cards[1], "Save as a template")
    asked = dialog(window, SaveTemplateDialog)
    asked.text.setPlainText("Bugs get the label {label}.")
    assert asked.places.text() == "The form will ask for: label."
    asked.title_field.setText("Our labels")
    asked.category.setCurrentIndex(2)
    asked.save_button.click()
    made = bundled_files.note_templates(home)["label-convention"]
    assert (made.title, made.text, made.category) == ("Our labels", "Bugs get the label {label}.", "convention")
    window.pages.tool_page.notes.open_templates()
    shown = dialog(window, TemplateDialog)
    rows = [text.strip() for text in listed(shown)]
    shown.list.setCurrentIndex(shown.list.model().index(rows.index("Our labels (yours)"), 0))
    assert not shown.remove_button.isHidden()
    shown.remove_button.click()
    assert bundled_files.own_note_templates(home) == frozenset()
    assert shown.back_button.text() == "Restore “Our labels”"
    shown.back_button.click()
    assert bundled_files.note_templates(home)["label-convention"] == made
    assert shown.template == made
    assert shown.back_button.isHidden()
    shown.remove_button.click()
    assert bundled_files.own_note_templates(home) == frozenset()
    shown.reject()


# --- limits, before they are passed


def test_a_note_near_its_budget_says_so(
    qtbot: QtBot, window: MainWindow, cards: tuple[NoteCard, ...], library: Library
) -> None:
    most = estimate_tokens(cards[1].editor.text()) + 1
    library.submit(SetFields(SETTINGS, {"noteTokens": most}))
    qtbot.waitUntil(lambda: f"About {most - 1} of {most} tokens" in cards[1].corner.text())
    cards[1].start_writing()
    QTest.keyClicks(cards[1].editor, " And one thing more, which is too much of it.")
    assert f"more than the {most} that you allow" in cards[1].corner.text()


def test_a_note_near_its_length_says_so(qtbot: QtBot, window: MainWindow, cards: tuple[NoteCard, ...]) -> None:
    cards[1].draft.type("x" * 3700)
    assert f"{number(3700)} of {number(4000)} characters" in cards[1].corner.text()
    cards[1].draft.type("x" * 4001)
    assert "Too long to save" in cards[1].corner.text()
    cards[1].draft.type("Short again.")


def test_a_tool_and_a_toolset_past_their_budget_say_so(qtbot: QtBot, window: MainWindow, library: Library) -> None:
    library.submit(SetFields(SETTINGS, {"toolTokens": 100, "toolsetTokens": 900}))
    window.go(CREATE)
    details = window.pages.tool_page.details
    qtbot.waitUntil(lambda: "more than the 100 that you allow" in details.size_text.text())
    qtbot.waitUntil(lambda: "more than the 900 that you allow" in details.toolset_size.text())


# --- notes without a tool


def test_lost_notes_go_to_the_likeliest_tool_with_one_press(qtbot: QtBot, window: MainWindow, library: Library) -> None:
    place = NoteTarget.in_toolset("my-tools", ToolReference(namespaced_name="Linear (old).create_issue"))
    library.submit(AddNote(place, {"name": "label-convention", "note": "Old words."}))
    window.go(LOST_NOTES)
    page = window.pages.lost_notes_page
    buttons = {one.accessibleName(): one for one in page.findChildren(QAbstractButton) if one.isVisible()}
    buttons["Move to Create issue of Linear: same name"].click()
    qtbot.waitUntil(lambda: "label-convention-2" in names(library))
    window.undo()
    qtbot.waitUntil(lambda: "label-convention-2" not in names(library))
    assert lost_notes(window.snapshot)


def test_an_assistants_note_has_its_author_keep_and_undo_in_the_toast_and_among_lost_notes(
    qtbot: QtBot, window: MainWindow, library: Library
) -> None:
    place = NoteTarget.in_toolset("my-tools", ToolReference(namespaced_name="Gone.tool"))
    for name in ("one", "two"):
        note = {"name": name, "note": "Ask.", "author": "cursor", "createdAt": "2026-01-10T10:00:00Z"}
        library.submit(AddNote(place, note), origin=Origin("cursor"))
    qtbot.waitUntil(lambda: window.toast.sentence.text().startswith("Cursor: Note “two” added"))
    assert (window.toast.other_button.text(), window.toast.action_button.text()) == ("Keep", "Undo")
    QTest.mouseClick(window.toast.other_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: [one.note.kept for one in lost_notes(window.snapshot) if one.note.name == "two"] == [True])
    window.go(LOST_NOTES)
    page = window.pages.lost_notes_page
    (written,) = [one for one in page.findChildren(WrittenBy) if one.isVisible()]
    assert written.text.text().startswith("Cursor wrote this ")
    assert any(one.text().startswith("Cursor, ") for one in page.findChildren(QLabel) if one.isVisible())
    QTest.mouseClick(written.undo_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "one" not in [one.note.name for one in lost_notes(window.snapshot)])


def test_lost_notes_go_to_any_other_tool(qtbot: QtBot, window: MainWindow, library: Library) -> None:
    window.go(LOST_NOTES)
    page = window.pages.lost_notes_page
    next(one for one in page.findChildren(QAbstractButton) if one.text() == "Another tool…").click()
    asked = dialog(window, ChoosePlaceDialog)
    QTest.keyClicks(asked.field, "merge pull")
    asked.confirm.click()
    qtbot.waitUntil(lambda: not lost_notes(window.snapshot))
