"""Each kind of drag by the mouse, through ``QDrag.exec``: run by ``test_notes_dragged.py`` under a virtual display."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDrag, QGuiApplication, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QLabel, QWidget
from pytestqt.qtbot import QtBot

from tests.desktop.drags import MouseDrag
from tests.desktop.tool_page.test_notes_beyond import CREATE, names
from tests.desktop.tool_page.test_notes_dragged import GIT, LINEAR, PLANNING, RELEASE, on_source
from toolnote_desktop.desktop.add_servers.drag_and_drop import DropTarget
from toolnote_desktop.desktop.models.library_rows import RowKey
from toolnote_desktop.desktop.tool_page.note_card import NoteCard
from toolnote_desktop.desktop.window.window import MainWindow
from toolnote_desktop.store.library import Library

pytestmark = pytest.mark.filterwarnings("ignore:Function. 'QDrag:DeprecationWarning")  # 6.11 has no other form
FORBIDDEN, COPY = Qt.CursorShape.ForbiddenCursor, Qt.CursorShape.DragCopyCursor
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture(autouse=True)
def platform(window: MainWindow) -> None:
    """These tests say nothing where drags are not real."""
    assert QGuiApplication.platformName() == "xcb"
    window.resize(1360, 880)


def row_rect(window: MainWindow, key: RowKey) -> QPoint:
    view = window.sidebar.view
    index = view.model().find(key)  # type: ignore[attr-defined]
    assert index.isValid()
    view.scrollTo(index, QAbstractItemView.ScrollHint.EnsureVisible)
    return view.visualRect(index).center()


def row(window: MainWindow, key: RowKey) -> QPoint:
    """The middle of a row of the library, in the window."""
    return window.sidebar.view.viewport().mapTo(window, row_rect(window, key))


def middle(window: MainWindow, widget: QWidget) -> QPoint:
    return widget.mapTo(window, widget.rect().center())


def test_a_note_onto_a_tool_source(window: MainWindow, cards: tuple[NoteCard, ...], library: Library) -> None:
    grip = cards[1].grip
    done = MouseDrag(grip, grip.rect().center(), [lambda: row(window, RELEASE), lambda: row(window, GIT)])
    done.run()
    assert done.cursors[1:] == [FORBIDDEN, COPY]  # a toolset without its tool; a tool source
    assert [note.name for note in on_source(library, "Git")] == ["label-convention"]
    assert names(library) == ["label-convention", "urgent-means-one"]


def test_a_note_into_a_toolset_as_a_move(window: MainWindow, cards: tuple[NoteCard, ...], library: Library) -> None:
    grip = cards[1].grip
    MouseDrag(grip, grip.rect().center(), [lambda: row(window, PLANNING)], SHIFT).run()
    assert names(library, "planning-week") == ["label-convention"]
    assert names(library) == ["urgent-means-one"]
    window.undo()
    assert names(library) == ["label-convention", "urgent-means-one"]


def test_a_note_to_another_place(window: MainWindow, cards: tuple[NoteCard, ...], library: Library) -> None:
    grip = cards[1].grip
    MouseDrag(grip, grip.rect().center(), [lambda: middle(window, cards[2])]).run()
    assert names(library) == ["urgent-means-one", "label-convention"]


def test_a_drag_that_ends_nowhere_does_nothing(
    window: MainWindow,
    cards: tuple[NoteCard, ...],
    library: Library,
) -> None:
    grip, before = cards[1].grip, library.snapshot.revision
    done = MouseDrag(grip, grip.rect().center(), [lambda: middle(window, window.pages.tool_page.details)])
    done.run()
    assert done.cursors[-1] == FORBIDDEN
    assert library.snapshot.revision == before
    assert not window.pages.tool_page.notes.drop_line.isVisible()


def test_a_tool_into_a_toolset(window: MainWindow, library: Library) -> None:
    view = window.sidebar.view
    view.open_keys({LINEAR})
    start = row_rect(window, CREATE)
    done = MouseDrag(view.viewport(), start, [lambda: row(window, GIT), lambda: row(window, RELEASE)])
    done.run()
    assert done.cursors[1:] == [FORBIDDEN, COPY]
    entries = library.snapshot.toolsets["release-day"].tools
    assert entries[-1].namespaced_name == "Linear.create_issue"


def test_a_tool_to_its_place_in_the_list_of_a_toolset(window: MainWindow, library: Library) -> None:
    window.go(PLANNING)
    page = window.pages.toolset_page
    where = page.list.visualRect(page.model.index(3)).bottomLeft() + QPoint(60, -2)
    start = page.list.visualRect(page.model.index(0)).center()
    before = [one.namespaced_name for one in library.snapshot.toolsets["planning-week"].tools]
    MouseDrag(page.list.viewport(), start, [lambda: page.list.viewport().mapTo(window, where)]).run()
    after = [one.namespaced_name for one in library.snapshot.toolsets["planning-week"].tools]
    assert after == [*before[1:4], before[0], *before[4:]]


class FileManager(QLabel):
    """Lets a file be dragged out of it."""

    def __init__(self, file: Path) -> None:
        super().__init__(file.name)
        self._file = file

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """The move starts it."""

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(self._file))])
        drag = QDrag(self)
        drag.setMimeData(data)
        drag.exec(Qt.DropAction.CopyAction)


def test_a_file_to_the_window(
    qtbot: QtBot,
    window: MainWindow,
    cards: tuple[NoteCard, ...],
    tmp_path: Path,
) -> None:
    file = tmp_path / "handed-on.toolnote"
    file.write_text("{}", encoding="utf-8")
    manager = FileManager(file)
    manager.setParent(window)  # a place that a drag can begin at; what is dragged is what another program has
    manager.setGeometry(window.width() - 220, 40, 160, 30)
    manager.show()
    drops = DropTarget(window)
    opened: list[str] = []
    drops.dropped.connect(opened.append)
    MouseDrag(manager, QPoint(20, 10), [lambda: middle(window, cards[0].editor)]).run()
    assert [Path(one) for one in opened] == [file]
