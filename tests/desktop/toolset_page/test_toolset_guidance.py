"""What a toolset tells assistants as a whole: guidelines, kinds of work, and the guide in the window."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from toolnote_desktop.desktop.models.library_rows import Kind, RowKey
from toolnote_desktop.desktop.toolset_page.page import ToolsetPage
from toolnote_desktop.desktop.widgets.question import QuestionDialog
from toolnote_desktop.desktop.window.window import MainWindow
from toolnote_desktop.guidance.guide import Detail, write_guide
from toolnote_desktop.guidance.instructions import server_instructions
from toolnote_desktop.guidance.reader import Reader
from toolnote_desktop.guidance.relevance import TaskContext
from toolnote_desktop.model.edits import SETTINGS, SetFields, toolset_document
from toolnote_desktop.paths import Home
from toolnote_desktop.store import bundled_files
from toolnote_desktop.store.library import Library


@pytest.fixture
def page(window: MainWindow) -> ToolsetPage:
    window.go(RowKey(Kind.TOOLSET, "my-tools"))
    return window.pages.toolset_page


def task_types(library: Library) -> Any:
    return library.snapshot.toolsets["my-tools"].task_types


def choose(choice: Any, value: object) -> None:
    choice.setCurrentIndex(choice.findData(value))
    choice.activated.emit(choice.currentIndex())


def test_guidelines_are_written_and_taken_back(
    qtbot: QtBot, window: MainWindow, page: ToolsetPage, library: Library
) -> None:
    page.show_part("instructions")
    page.told.text.editor.setFocus()
    QTest.keyClicks(page.told.text.editor, "Look first.")
    page.told.text.save()
    qtbot.waitUntil(lambda: library.snapshot.toolsets["my-tools"].guidelines == "Look first.")
    window.undo()
    qtbot.waitUntil(lambda: library.snapshot.toolsets["my-tools"].guidelines == "")


def test_the_first_line_of_instructions_is_edited(
    qtbot: QtBot, window: MainWindow, page: ToolsetPage, library: Library
) -> None:
    page.show_part("instructions")
    page.told.purpose.setFocus()
    QTest.keyClicks(page.told.purpose, "Issues of the core team")
    page.told.purpose.save()
    qtbot.waitUntil(lambda: library.snapshot.toolsets["my-tools"].description == "Issues of the core team")
    toolset = library.snapshot.toolsets["my-tools"]
    made = server_instructions(library.snapshot, toolset, Reader())
    assert made is not None
    assert made.text.splitlines()[0].endswith(": Issues of the core team")
    window.undo()
    qtbot.waitUntil(lambda: library.snapshot.toolsets["my-tools"].description == "")


def test_kinds_of_work_are_the_starters_until_they_are_changed(
    qtbot: QtBot, window: MainWindow, page: ToolsetPage, library: Library
) -> None:
    assert list(page.told.work) == ["build", "debug", "plan", "research", "write"]
    debug = page.told.work["debug"]
    assert debug.reset_button.isHidden()
    debug.fields["words"].setText("broken, does not work")
    debug.fields["words"].save()
    qtbot.waitUntil(lambda: task_types(library) == {"debug": {"words": ["broken", "does not work"]}})
    qtbot.waitUntil(lambda: not debug.reset_button.isHidden())
    debug.reset_button.click()
    qtbot.waitUntil(lambda: task_types(library) is None)


def test_task_type_is_added_and_another_removed(
    qtbot: QtBot, window: MainWindow, page: ToolsetPage, library: Library
) -> None:
    page.told.new_name.setText("Release it")
    page.told.add_button.click()
    qtbot.waitUntil(lambda: "release-it" in page.told.work)
    assert task_types(library) == {"release-it": {"title": "Release it", "words": ["release it"]}}
    page.told.work["plan"].remove_button.click()
    qtbot.waitUntil(lambda: "plan" not in page.told.work)
    assert task_types(library)["plan"] is None
    page.told.work["release-it"].remove_button.click()
    qtbot.waitUntil(lambda: task_types(library) == {"plan": None})
    window.undo()
    qtbot.waitUntil(lambda: "release-it" in page.told.work)


def test_the_guide_is_the_one_that_assistants_get(
    qtbot: QtBot, window: MainWindow, page: ToolsetPage, library: Library, home: Home
) -> None:
    page.show_part("guide")
    snapshot = library.snapshot
    types = bundled_files.task_types(home)
    toolset = snapshot.toolsets["my-tools"]
    assert page.guide.text.toPlainText() == write_guide(snapshot, toolset, task_types=types).text
    choose(page.guide.task, "research")
    choose(page.guide.detail, Detail.FULL)
    page.guide.said.setText("find the issue")
    page.guide.said.save()
    wanted = write_guide(
        snapshot, toolset, TaskContext("research", "find the issue"), detail=Detail.FULL, task_types=types
    )
    assert page.guide.text.toPlainText() == wanted.text
    assert page.guide.tokens.text().startswith("About ")
    QTest.mouseClick(page.guide.copy_button, Qt.MouseButton.LeftButton)
    assert QApplication.clipboard().text() == wanted.text


def test_the_guide_follows_changes(qtbot: QtBot, window: MainWindow, page: ToolsetPage, library: Library) -> None:
    page.show_part("guide")
    library.submit(SetFields(toolset_document("my-tools"), {"guidelines": "Be kind."}))
    qtbot.waitUntil(lambda: "Be kind." in page.guide.text.toPlainText())


@pytest.fixture
def few_tools(home: Home) -> None:
    """Cursor as it was before it loaded tools on demand, in a dialect of the user's own."""
    folder = home.root / "dialects"
    folder.mkdir(parents=True, exist_ok=True)
    dialect = {
        "name": "cursor",
        "title": "Cursor",
        "clients": ["cursor"],
        "figures": {"toolWarning": {"value": 40, "source": "test"}},
    }
    (folder / "cursor.json").write_text(json.dumps(dialect), encoding="utf-8")


def test_more_tools_than_an_assistant_takes_are_told(
    qtbot: QtBot, few_tools: None, window: MainWindow, page: ToolsetPage, library: Library
) -> None:
    assert any("Cursor warns when there are more than 40 tools" in one.text for one in page.notices)
    library.submit(SetFields(SETTINGS, {"lazyMode": True}))
    qtbot.waitUntil(lambda: not any("more than 40" in one.text for one in page.notices))


def test_notes_go_into_a_file_and_come_back(
    qtbot: QtBot, window: MainWindow, page: ToolsetPage, library: Library, tmp_path: Path
) -> None:
    file = tmp_path / "notes.json"
    page.told.file.save(file)
    assert page.told.file.said.text() == "Notes saved in notes.json."
    page.told.file.look_into(file)
    assert page.told.file.said.text() == "Already here: 5 notes."
    window.go(RowKey(Kind.TOOLSET, "release-day"))
    before = library.snapshot.toolsets["release-day"].notes
    page.told.file.look_into(file)
    (asked,) = [one for one in window.findChildren(QuestionDialog) if one.isVisible()]
    assert asked.lead.text().startswith("New: 5 notes.\n\nLinear.create_issue: label-convention\n")
    assert library.snapshot.toolsets["release-day"].notes == before  # nothing before somebody says so
    QTest.keyClick(asked, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: len(library.snapshot.toolsets["release-day"].notes) == len(before) + 3)
    window.undo()
    qtbot.waitUntil(lambda: library.snapshot.toolsets["release-day"].notes == before)


@pytest.mark.parametrize(
    ("content", "said"), [("{", "cannot be read"), ("{}", "it has no notes"), ("[1]", "it has no notes")]
)
def test_a_file_without_notes_is_said(page: ToolsetPage, tmp_path: Path, content: str, said: str) -> None:
    file = tmp_path / "x.json"
    file.write_text(content, encoding="utf-8")
    page.told.file.look_into(file)
    assert said in page.told.file.said.text()
    page.told.file.look_into(tmp_path / "none.json")
    assert "No such file" in page.told.file.said.text()


@pytest.mark.skipif(sys.platform == "win32", reason="has no such files")
@pytest.mark.parametrize("kind", ["pipe", "device"])
def test_file_of_notes_that_is_no_file_is_not_read(page: ToolsetPage, tmp_path: Path, kind: str) -> None:
    """Seen red: the window waited for the pipe for good, and the device filled the memory."""
    file = tmp_path / "x.json"
    os.mkfifo(file) if kind == "pipe" else file.symlink_to("/dev/zero")
    page.told.file.look_into(file)
    assert "not an ordinary file" in page.told.file.said.text()
