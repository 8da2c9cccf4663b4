"""The settings page is made of two registries: the preferences, and the tools (docs/requirements.md 1)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from tests.desktop.helpers import MemoryAutostart
from toolnote_desktop.desktop.dialogs.setting_registry import SETTINGS, Setting
from toolnote_desktop.desktop.dialogs.settings import TOOLS, SettingsDialog
from toolnote_desktop.desktop.widgets.auto_save_fields import LineField
from toolnote_desktop.desktop.widgets.check_box import CheckBox
from toolnote_desktop.desktop.widgets.collapsible import Collapsible
from toolnote_desktop.desktop.window.window import MainWindow
from toolnote_desktop.model import edits
from toolnote_desktop.model.settings import Settings
from toolnote_desktop.model.tools.built_in_tools import BUILT_IN, GROUPS
from toolnote_desktop.store.library import Library

ELSEWHERE = frozenset(
    {
        "equippedToolset",
        "hiddenBuiltInTools",
        "hiddenBuiltInGroups",
        "builtInInstructions",
        "packsSeen",
        "rulesLost",
        "preferences",
        "benchEndpoint",
        "benchApi",
        "benchModel",
        "benchPrice",
    }
)
"""Keys that other parts of the window set: the pages of toolsets, packs and the bench, and the list of tools."""


@pytest.fixture
def dialog(qtbot: QtBot, window: MainWindow, library: Library) -> Iterator[SettingsDialog]:
    dialog = SettingsDialog(library, MemoryAutostart(), [], window)
    dialog.open()
    yield dialog
    dialog.reject()


def raw(library: Library) -> dict[str, object]:
    return library.raw(edits.SETTINGS) or {}


def set_now(library: Library) -> Settings:
    return library.snapshot.settings


def tick(box: CheckBox) -> None:
    QTest.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, box.height() // 2))


def write(control: QWidget, text: str) -> None:
    assert isinstance(control, LineField)
    control.clear()
    QTest.keyClicks(control, text)
    control.save()


# --- preferences


def test_preferences_are_registered_once() -> None:
    keys = [one.key for one in SETTINGS]
    assert len(keys) == len(set(keys))
    known = set(Settings.__struct_encode_fields__) - {"extra", "unusable"}
    assert known - ELSEWHERE <= set(keys)
    assert known >= ELSEWHERE


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda one: one.key)
def test_settings_have_title_sentence_type_and_default(setting: Setting) -> None:
    assert setting.title
    assert setting.sentence.endswith(".")
    assert setting.kind in (bool, int, float, str)
    if setting.choices:
        assert setting.default in [value for value, _ in setting.choices]


def test_the_page_has_a_control_with_its_sentence_for_each(dialog: SettingsDialog) -> None:
    assert set(dialog.controls) == {one.key for one in SETTINGS}
    for setting in SETTINGS:
        assert dialog.controls[setting.key].accessibleDescription() == setting.sentence


def test_numbers_are_kept_within_their_bounds_and_can_be_no_limit(dialog: SettingsDialog, library: Library) -> None:
    dialog.show_page("assistants")
    write(dialog.controls["noteTokens"], "300")
    assert library.snapshot.settings.note_tokens == 300
    write(dialog.controls["noteTokens"], "0")
    assert library.snapshot.settings.note_tokens == 300
    write(dialog.controls["noteTokens"], "")
    assert raw(library)["noteTokens"] is None
    assert set_now(library).note_tokens is None
    write(dialog.controls["noteTokens"], "500")
    assert "noteTokens" not in raw(library)  # the default again
    dialog.show_page("general")
    write(dialog.controls["sessionIdle"], "2")
    assert library.snapshot.settings.session_idle == 120


def test_preferences_for_all_assistants(dialog: SettingsDialog, library: Library) -> None:
    library.submit(edits.SetFields(edits.SETTINGS, {"preferences": {"later": 1}}))
    form = dialog.preferences
    form.asks.chosen.emit(True)
    form.tokens.setText("3000")
    form.tokens.save()
    form.always.setText("Linear.create_issue,web.fetch")
    form.always.save()
    assert raw(library)["preferences"] == {
        "later": 1,
        "askBeforeChanges": True,
        "guideTokens": 3000,
        "always": ["Linear.create_issue", "web.fetch"],
    }
    preferences = library.snapshot.settings.preferences
    assert (preferences.ask_before_changes, preferences.tokens) == (True, 3000)


def test_a_switch_and_a_text(dialog: SettingsDialog, library: Library) -> None:
    dialog.show_page("assistants")
    box = dialog.controls["lazyMode"]
    assert isinstance(box, CheckBox)
    tick(box)
    assert library.snapshot.settings.lazy_mode
    write(dialog.controls["toolPrefix"], "mine_")
    assert library.snapshot.settings.tool_prefix == "mine_"


# --- tools


def test_the_tools_page_is_generated_from_the_registry(dialog: SettingsDialog, library: Library) -> None:
    assert list(dialog.tools.boxes) == [one.id for one in BUILT_IN]
    assert list(dialog.tools.folds) == list(GROUPS)
    for record in BUILT_IN:
        box = dialog.tools.boxes[record.id]
        assert (box.text(), box.accessibleDescription()) == (record.display_name, record.description)
        assert box.isEnabled() is not record.always_enabled
        assert box.isChecked()


def test_no_empty_range_follows_the_last_setting(qtbot: QtBot, dialog: SettingsDialog) -> None:
    """F43: half of the last screen was empty. Red without the content's own height."""
    area = dialog._pages.currentWidget()
    assert isinstance(area, QScrollArea)
    content = area.widget()
    assert content is not None
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() > 0)
    last = max(one.mapTo(content, one.rect().bottomLeft()).y() for one in content.findChildren(QLabel))
    assert content.height() - last < 32


def test_tools_of_sources_are_not_among_toolnotes_tools(dialog: SettingsDialog, library: Library) -> None:
    """Red while the page had a section for each source."""
    assert len(library.snapshot.servers) > 2
    folds = dialog.tools.findChildren(Collapsible)
    assert {one.header.accessibleName().split(":")[0] for one in folds} == {"Toolsets", "Notes", "Guide", "Searching"}


def test_a_tool_is_switched_off_and_on(dialog: SettingsDialog, library: Library) -> None:
    dialog.show_page(TOOLS)
    for fold in dialog.tools.folds.values():
        fold.open()
    tick(dialog.tools.boxes["build-toolset"])
    assert library.snapshot.settings.hidden_built_in_tools == ("build-toolset",)
    assert dialog.tools.folds["toolsets"].header.accessibleName() == "Toolsets: 6 of 7 on"
    tick(dialog.tools.boxes["build-toolset"])
    assert "hiddenBuiltInTools" not in raw(library)


def test_tool_of_a_hidden_group_can_be_turned_on_alone(qtbot: QtBot, window: MainWindow, library: Library) -> None:
    hidden = {"hiddenBuiltInGroups": ["notes", "mine"], "hiddenBuiltInTools": ["other"]}
    library.submit(edits.SetFields(edits.SETTINGS, hidden))
    dialog = SettingsDialog(library, MemoryAutostart(), [], window)
    dialog.open()
    dialog.show_page(TOOLS)
    dialog.tools.folds["notes"].open()
    assert not dialog.tools.boxes["list-tool-annotations"].isChecked()
    tick(dialog.tools.boxes["list-tool-annotations"])
    settings = library.snapshot.settings
    notes = ["add-tool-annotation", "update-tool-annotation", "remove-tool-annotation"]
    assert list(settings.hidden_built_in_tools) == [*notes, "other"]
    assert settings.hidden_built_in_groups == ("mine",)
    dialog.reject()


def test_a_wrong_element_of_the_file_is_kept_on_save(qtbot: QtBot, window: MainWindow, library: Library) -> None:
    wrong = {"hiddenBuiltInTools": ["equip-toolset", 7], "builtInInstructions": {"search-tools": 7}}
    library.submit(edits.SetFields(edits.SETTINGS, wrong))
    dialog = SettingsDialog(library, MemoryAutostart(), [], window)
    dialog.open()
    dialog.show_page(TOOLS)
    dialog.tools.folds["toolsets"].open()
    assert not dialog.tools.boxes["equip-toolset"].isChecked()
    tick(dialog.tools.boxes["build-toolset"])
    dialog.tools.instructions["build-toolset"].editor.show_text("Ask first.")
    dialog.tools.instructions["build-toolset"].save()
    assert raw(library)["hiddenBuiltInTools"] == ["build-toolset", "equip-toolset", 7]
    assert raw(library)["builtInInstructions"] == {"search-tools": 7, "build-toolset": "Ask first."}
    dialog.reject()


def test_a_built_in_tool_gets_instructions(dialog: SettingsDialog, library: Library) -> None:
    field = dialog.tools.instructions["build-toolset"]
    field.editor.show_text("Ask first.")
    field.save()
    assert library.snapshot.settings.built_in_instructions == {"build-toolset": "Ask first."}
    field.editor.show_text("")
    field.save()
    assert "builtInInstructions" not in raw(library)
