"""What dialogs and the tray do can be undone in the window, where it is the window's to undo."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from toolnote_desktop.desktop.editing.undo import UndoStack
from toolnote_desktop.model.edits import (
    CLIENT_ENTRIES,
    CLIENTS,
    SERVER_ENTRIES,
    SERVERS,
    SETTINGS,
    AddEntry,
    Edit,
    SetEntryFields,
    SetFields,
)
from toolnote_desktop.store.library import Library

SERVER = AddEntry(SERVERS, SERVER_ENTRIES, "git", {"command": "uvx"})


@pytest.fixture
def library(empty_library: Library) -> Library:
    return empty_library


@pytest.fixture
def changes(qtbot: QtBot, library: Library) -> Iterator[UndoStack]:
    changes = UndoStack(library)
    yield changes
    changes.close()


@pytest.mark.parametrize(
    ("edits", "words"),
    [
        ((SERVER,), "git added"),
        (
            (SERVER, SetEntryFields(SERVERS, SERVER_ENTRIES, "git", {"command": "npx"})),
            "git edited",
        ),
        ((SetFields(SETTINGS, {"equippedToolset": "x"}),), "x is the default toolset"),
        ((SetFields(SETTINGS, {"theme": "dark"}),), "Setting “Appearance” changed"),
    ],
)
def test_a_step(qtbot: QtBot, library: Library, changes: UndoStack, edits: tuple[Edit, ...], words: str) -> None:
    for edit in edits:
        with qtbot.waitSignal(changes.stack_changed):
            library.submit(edit)
    assert changes.next_undo is not None
    assert changes.next_undo.words == words
    before = len(library.snapshot.servers)
    changes.undo()
    assert len(library.snapshot.servers) == before - (1 if edits == (SERVER,) else 0)


@pytest.mark.parametrize(
    "edit",
    [
        AddEntry(CLIENTS, CLIENT_ENTRIES, "cursor", {"name": "Cursor"}),
    ],
)
def test_no_step(qtbot: QtBot, library: Library, changes: UndoStack, edit: Edit) -> None:
    library.submit(edit)
    with qtbot.waitSignal(changes.stack_changed):  # changes come in their order
        library.submit(SERVER)
    assert changes.next_undo is not None
    changes.undo()
    assert changes.next_undo is None
