"""Several rows of the sidebar at once: by keys, by the menu, and by dragging; each is one step that can be undone."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QApplication, QMenu
from pytestqt.qtbot import QtBot

from tests.desktop.drags import drag
from toolnote_desktop.desktop.add_servers.drag_and_drop import DropTarget
from toolnote_desktop.desktop.models.drag_data import keys_in
from toolnote_desktop.desktop.models.library_rows import TOOLSETS, Kind, RowKey
from toolnote_desktop.desktop.sidebar.view import SidebarView
from toolnote_desktop.desktop.tool_page.template_dialog import TemplateDialog
from toolnote_desktop.desktop.widgets.line_prompt import LinePrompt
from toolnote_desktop.desktop.window.window import MainWindow
from toolnote_desktop.model.edits import toolset_document
from toolnote_desktop.model.toolsets.note_edits import AddNote, NoteTarget
from toolnote_desktop.model.toolsets.notes import Scope
from toolnote_desktop.store.library import FILE_ORIGIN, Library

CREATE = RowKey(Kind.TOOL, "Linear", "create_issue")
UPDATE = RowKey(Kind.TOOL, "Linear", "update_issue")
POST = RowKey(Kind.TOOL, "Slack", "post_message")
PLANNING = RowKey(Kind.TOOLSET, "planning-week")
pytestmark = pytest.mark.filterwarnings("ignore:Function. 'QDrag:DeprecationWarning")  # 6.11 has no other form
_CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture(autouse=True)
def noted(window: MainWindow, library: Library) -> None:
    """A note on Slack's tool, which gives it a row; a change that is no step of the user."""
    place = NoteTarget.everywhere(Scope.TOOL, "Slack.post_message")
    library.submit(AddNote(place, {"name": "polite", "note": "Say please."}), origin=FILE_ORIGIN)
    window.sidebar.show_state(library.snapshot)


def select(window: MainWindow, *keys: RowKey) -> SidebarView:
    """Select rows as a person does: a click, and more with Control."""
    view = window.sidebar.view
    view.open_keys({RowKey(Kind.SERVER, "Linear"), RowKey(Kind.SERVER, "Slack"), PLANNING})
    for number, key in enumerate(keys):
        index = view.model().find(key)  # type: ignore[attr-defined]
        view.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)
        place = view.visualRect(index).center()
        QTest.mouseClick(
            view.viewport(), Qt.MouseButton.LeftButton, _CONTROL if number else Qt.KeyboardModifier.NoModifier, place
        )
    view.setFocus()
    assert set(view.selected_keys()) == set(keys)
    return view


def enabled(library: Library, toolset: str) -> dict[str, bool]:
    """Each entry of a toolset, and whether it is on."""
    return {str(one.namespaced_name): one.enabled for one in library.snapshot.toolsets[toolset].tools}


def order(library: Library, toolset: str) -> list[str]:
    """The tools' own names, in their order."""
    return [str(one.namespaced_name).partition(".")[2] for one in library.snapshot.toolsets[toolset].tools]


def press(menu: QMenu, *texts: str) -> None:
    """Choose an entry of a menu, or of a menu in it."""
    for text in texts[:-1]:
        below = next(action for action in menu.actions() if action.text() == text).menu()
        assert isinstance(below, QMenu)
        menu = below
    next(action for action in menu.actions() if action.text() == texts[-1]).trigger()


def test_space_switches_all_that_is_selected_and_one_undo_switches_it_back(
    window: MainWindow, library: Library
) -> None:
    view = select(window, CREATE, UPDATE, POST)
    QTest.keyClick(view, Qt.Key.Key_Space)
    off = [name for name, on in enabled(library, "my-tools").items() if not on]
    assert off == ["Linear.create_issue", "Linear.update_issue", "Git.git_create_branch", "Slack.post_message"]
    assert set(view.selected_keys()) == {CREATE, UPDATE, POST}
    window.undo()
    assert [name for name, on in enabled(library, "my-tools").items() if not on] == ["Git.git_create_branch"]


def test_space_switches_a_tool_source(window: MainWindow, library: Library) -> None:
    view = select(window, RowKey(Kind.SERVER, "Git"))
    QTest.keyClick(view, Qt.Key.Key_Space)
    assert library.snapshot.servers["Git"].disabled
    window.undo()
    assert not library.snapshot.servers["Git"].disabled


def test_the_menu_has_for_several_tools_what_keys_and_drags_do(window: MainWindow, library: Library) -> None:
    view = select(window, CREATE, POST)
    menu = window.row_menu
    assert menu.fill(view.selected_keys())
    texts = [action.text() for action in menu.menu.actions() if not action.isSeparator()]
    assert texts == ["Turn off", "Category", "Note from a template…", "Add to toolset"]
    press(menu.menu, "Add to toolset", "Release day")
    assert order(library, "release-day")[-2:] == ["create_issue", "post_message"]
    press(menu.menu, "Turn off")
    assert not enabled(library, "my-tools")["Slack.post_message"]
    window.undo()
    window.undo()
    assert "post_message" not in order(library, "release-day")
    assert enabled(library, "my-tools")["Slack.post_message"]


def test_the_menu_key_opens_the_menu_at_the_row(qtbot: QtBot, window: MainWindow) -> None:
    view = select(window, CREATE)
    QTest.keyClick(view, Qt.Key.Key_Menu)
    event = QContextMenuEvent(
        QContextMenuEvent.Reason.Keyboard, QPoint(3, 3), view.viewport().mapToGlobal(QPoint(3, 3))
    )
    QApplication.sendEvent(view.viewport(), event)
    qtbot.waitUntil(window.row_menu.menu.isVisible)
    window.row_menu.menu.close()


def test_a_category_is_given_to_several_tools_and_offered_again(
    qtbot: QtBot, window: MainWindow, library: Library
) -> None:
    view = select(window, CREATE, POST)
    window.row_menu.fill(view.selected_keys())
    press(window.row_menu.menu, "Category", "New category…")
    dialog = window.findChild(LinePrompt)
    assert dialog is not None
    QTest.keyClicks(dialog.field, "  Planning  work ")
    dialog.confirm.click()
    given = {str(one.namespaced_name): one.category for one in library.snapshot.toolsets["my-tools"].tools}
    assert {name for name, category in given.items() if category == "Planning work"} == {
        "Linear.create_issue",
        "Slack.post_message",
    }
    window.row_menu.fill([UPDATE])
    press(window.row_menu.menu, "Category", "Planning work")
    window.row_menu.fill([CREATE, POST])
    press(window.row_menu.menu, "Category", "None")
    categories = [one.category for one in library.snapshot.toolsets["my-tools"].tools if one.category]
    assert categories == ["Planning work"]


def test_a_template_makes_a_note_on_each_tool_in_one_step(qtbot: QtBot, window: MainWindow, library: Library) -> None:
    view = select(window, CREATE, POST)
    before = library.raw(toolset_document("my-tools"))
    window.row_menu.fill(view.selected_keys())
    press(window.row_menu.menu, "Note from a template…")
    dialog = window.findChild(TemplateDialog)
    assert dialog is not None
    dialog.filled.emit("label-convention", "Ask first.")
    dialog.reject()
    notes = {str(group.reference.namespaced_name): group.notes for group in library.snapshot.toolsets["my-tools"].notes}
    assert [note.name for note in notes["Slack.post_message"]] == ["label-convention"]
    assert [note.note for note in notes["Linear.create_issue"]][-1] == "Ask first."
    assert len({note.name for note in notes["Linear.create_issue"]}) == len(notes["Linear.create_issue"])
    window.undo()
    after = library.raw(toolset_document("my-tools"))
    assert before is not None
    assert after is not None
    assert {**after, "lastModified": ""} == {**before, "lastModified": ""}


def test_delete_takes_away_and_the_bar_gives_back(window: MainWindow, library: Library) -> None:
    view = select(window, RowKey(Kind.SERVER, "Git"))
    QTest.keyClick(view, Qt.Key.Key_Delete)
    assert "Git" not in library.snapshot.servers
    assert window.toast.isVisible()
    QTest.mouseClick(window.toast.action_button, Qt.MouseButton.LeftButton)
    assert "Git" in library.snapshot.servers
    view = select(window, CREATE)
    QTest.keyClick(view, Qt.Key.Key_Delete)  # a tool of a source is not taken away
    assert CREATE.name in order(library, "my-tools")


def test_a_tool_source_is_copied_switched_off(window: MainWindow, library: Library) -> None:
    view = select(window, RowKey(Kind.SERVER, "Git"))
    window.row_menu.fill(view.selected_keys())
    press(window.row_menu.menu, "Duplicate")
    copy = library.snapshot.servers["Git 2"]
    assert copy.disabled
    assert copy.command == library.snapshot.servers["Git"].command
    assert window.place == RowKey(Kind.SERVER, "Git 2")
    assert list(library.snapshot.servers)[1:3] == ["Git", "Git 2"]
    window.undo()
    assert "Git 2" not in library.snapshot.servers


# --- drags


def drag_onto(view: SidebarView, key: RowKey) -> bool:
    """Drag what is selected onto a row."""
    data = view.model().mimeData(view.selectionModel().selectedIndexes())
    index = view.model().find(key)  # type: ignore[attr-defined]
    view.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)
    return drag(view, data, view.visualRect(index).center())


def test_tools_are_dragged_into_a_toolset(window: MainWindow, library: Library) -> None:
    view = select(window, UPDATE, POST)
    assert drag_onto(view, RowKey(Kind.TOOLSET, "release-day"))
    assert order(library, "release-day")[-2:] == ["update_issue", "post_message"]
    window.undo()
    assert "post_message" not in order(library, "release-day")


def test_tools_that_are_dragged_onto_the_toolsets_make_a_new_one(window: MainWindow, library: Library) -> None:
    view = select(window, UPDATE, POST)
    assert drag_onto(view, TOOLSETS)
    assert order(library, "new-toolset") == ["update_issue", "post_message"]
    assert window.place == RowKey(Kind.TOOLSET, "new-toolset")


def test_a_row_takes_nothing_that_does_not_belong_there(window: MainWindow, library: Library) -> None:
    view = select(window, UPDATE)
    before = library.snapshot.revision
    assert not drag_onto(view, RowKey(Kind.SERVER, "Git"))
    text = QMimeData()
    text.setText("words")
    index = view.model().find(PLANNING)  # type: ignore[attr-defined]
    assert not drag(view, text, view.visualRect(index).center())
    assert library.snapshot.revision == before


def test_drag_data_names_its_rows(window: MainWindow) -> None:
    view = select(window, CREATE, POST)
    data = view.model().mimeData(view.selectionModel().selectedIndexes())
    assert set(keys_in(data)) == {CREATE, POST}
    assert keys_in(QMimeData()) == []


@pytest.mark.parametrize("over", ["library", "note"])
def test_a_file_that_is_dropped_anywhere_opens_a_preview(window: MainWindow, tmp_path: Path, over: str) -> None:
    file = tmp_path / "handed-on.toolnote"
    file.write_text("{}", encoding="utf-8")
    drops = DropTarget(window)
    opened: list[str] = []
    drops.dropped.connect(opened.append)
    window.go(CREATE)
    editor = window.pages.tool_page.notes.cards[0].editor
    before = editor.toPlainText()
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file))])
    target = window.sidebar.view if over == "library" else editor
    drag(target, data, QPoint(20, 10))
    assert [Path(one) for one in opened] == [file]
    assert editor.toPlainText() == before


@pytest.fixture(autouse=True)
def tall(window: MainWindow) -> None:
    """Enough room for all rows."""
    window.resize(1360, 1400)
