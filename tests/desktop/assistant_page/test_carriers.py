"""Switches of the files in which an assistant reads the user's notes: preview, write and undo."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from tests.desktop.helpers import click
from toolnote_desktop.desktop.assistant_page.carriers import CarrierRow, PreviewDialog
from toolnote_desktop.desktop.editing.guidance_files import GuidanceFiles
from toolnote_desktop.desktop.theme.theme import Theme
from toolnote_desktop.desktop.widgets.controls import Switch
from toolnote_desktop.model.edits import CLIENT_ENTRIES, CLIENTS, AddEntry, CreateDocument, toolset_document
from toolnote_desktop.publishing.records import Carrier
from toolnote_desktop.store.library import Library


@pytest.fixture
def row(qtbot: QtBot, empty_library: Library, light_theme: Theme) -> CarrierRow:
    for name in ("work", "home"):
        document: dict[str, Any] = {"name": name, "title": name.title(), "tools": []}
        document["guidelines"] = f"Guidelines of {name}."
        empty_library.submit(CreateDocument(toolset_document(name), document))
    for client in ("codex", "cursor"):
        empty_library.submit(AddEntry(CLIENTS, CLIENT_ENTRIES, client, {"name": client, "toolset": "work"}))
    made = CarrierRow(empty_library, GuidanceFiles(empty_library.home))
    qtbot.addWidget(made)
    made.resize(700, 400)
    made.show_assistant(empty_library.snapshot, "codex", "Codex", "work")
    made.show()
    qtbot.waitUntil(lambda: bool(made.switches))
    return made


Answered = Callable[[Callable[[], None], bool], str]


@pytest.fixture
def answered(qtbot: QtBot, row: CarrierRow) -> Answered:
    """``answered(press, True)``: do what opens the preview, and accept it; the shown change."""

    def one(press: Callable[[], None], accepts: bool) -> str:
        before = row.dialog
        press()
        qtbot.waitUntil(lambda: row.dialog is not before)
        dialog = row.dialog
        assert isinstance(dialog, PreviewDialog)
        qtbot.waitUntil(dialog.isVisible)
        shown = "\n".join(view.toPlainText() for view in dialog.diffs)
        with qtbot.waitSignal(row.shown):
            if accepts:
                click(dialog.write_button)
            else:
                dialog.reject()
        return shown

    return one


def test_a_switch_for_each_file_with_a_preview_first(
    qtbot: QtBot, row: CarrierRow, answered: Answered, empty_library: Library
) -> None:
    places = {one.carrier: Path(one.path) for one in row.switches}
    assert places == {
        Carrier.SKILL: Path.home() / ".codex/skills",
        Carrier.RULES: Path.home() / ".codex/AGENTS.md",
        Carrier.PLUGIN: empty_library.home.root / "plugins/codex/work/toolnote-work",
    }
    rules = places[Carrier.RULES]
    rules.parent.mkdir()
    rules.write_bytes(b"# Mine\r\n")

    def find(carrier: Carrier) -> Switch:
        (found,) = [one for key, one in row.switches.items() if key.carrier is carrier]
        qtbot.waitUntil(found.isVisible)
        return found

    def switch(carrier: Carrier) -> Callable[[], None]:
        return lambda: click(find(carrier))

    def is_on(carrier: Carrier) -> bool:
        return find(carrier).isChecked()

    shown = answered(switch(Carrier.RULES), False)
    assert "+ Guidelines of work." in shown
    assert rules.read_bytes() == b"# Mine\r\n"
    assert not is_on(Carrier.RULES)

    undos = []
    row.done.connect(lambda words, undo: undos.append((words, undo)))
    answered(switch(Carrier.RULES), True)
    assert b"Guidelines of work." in rules.read_bytes()
    assert is_on(Carrier.RULES)
    assert undos[-1][0] == "Notes written into ~/.codex/AGENTS.md"
    with qtbot.waitSignal(row.shown):
        undos[-1][1]()
    assert rules.read_bytes() == b"# Mine\r\n"
    assert not is_on(Carrier.RULES)

    answered(switch(Carrier.RULES), True)
    assert row.focusWidget() is find(Carrier.RULES)  # seen red: the switches are made anew, and the focus was lost
    rules.write_bytes(b"First\r\n" + rules.read_bytes())
    published = rules.read_bytes()
    assert "- Guidelines of work." in answered(switch(Carrier.RULES), True)
    assert rules.read_bytes() == b"First\r\n# Mine\r\n"
    with qtbot.waitSignal(row.shown):
        undos[-1][1]()
    assert rules.read_bytes() == published

    answered(switch(Carrier.PLUGIN), True)
    assert (places[Carrier.PLUGIN] / "plugin.json").exists()
    answered(switch(Carrier.PLUGIN), True)
    assert not (empty_library.home.root / "plugins").exists()


def test_the_rules_of_a_project_and_what_the_user_did_to_them(
    qtbot: QtBot, row: CarrierRow, answered: Answered, empty_library: Library, tmp_path: Path
) -> None:
    file = tmp_path / "AGENTS.md"
    answered(lambda: row.publish_rules(file), True)
    (publication,) = [one for one in row.switches if one.path == str(file)]
    assert row.switches[publication].isChecked()
    assert row.texts[publication] == str(file)
    file.write_bytes(file.read_bytes().replace(b"Guidelines of work", b"By hand"))
    with qtbot.waitSignal(row.shown):
        row.show_assistant(empty_library.snapshot, "codex", "Codex", "home")
    assert "Notes of Work." in row.texts[publication]
    assert "was changed there" in row.texts[publication]
    with qtbot.waitSignal(row.shown):
        row.show_assistant(empty_library.snapshot, "codex", "Codex", "work")
    skill = next(one for one in row.switches if one.carrier is Carrier.SKILL)
    qtbot.waitUntil(row.switches[skill].isVisible)
    answered(lambda: click(row.switches[skill]), True)
    with qtbot.waitSignal(row.shown):
        row.show_assistant(empty_library.snapshot, "codex", "Codex", "home")
    states = [(one.toolset, row.switches[one].isChecked()) for one in row.switches if one.carrier is Carrier.SKILL]
    assert states == [("work", True), ("home", False)], "the notes of the earlier toolset can be taken out"
    with qtbot.waitSignal(row.shown):
        row.show_assistant(empty_library.snapshot, "cursor", "Cursor", "work")
    assert {one.carrier for one in row.switches} == {Carrier.SKILL, Carrier.PLUGIN}
