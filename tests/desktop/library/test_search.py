"""Search: words and chips over the library, by keyboard, and what is selected stays selected."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from toolnote_desktop.desktop.library.search_field import SearchField
from toolnote_desktop.desktop.models.library_rows import LOST_NOTES, Facet, Kind, RowKey
from toolnote_desktop.desktop.theme.theme import Theme
from toolnote_desktop.desktop.window.window import MainWindow

CREATE = RowKey(Kind.TOOL, "Linear", "create_issue")


def found(window: MainWindow) -> set[RowKey]:
    """What the search shows, groups aside."""
    model = window.library_pane.view.model()
    waiting = [model.index(row, 0) for row in range(model.rowCount())]
    keys = set()
    while waiting:
        index = waiting.pop()
        key = model.key_at(index)  # type: ignore[attr-defined]
        if key.kind is not Kind.GROUP:
            keys.add(key)
        waiting += [model.index(row, 0, index) for row in range(model.rowCount(index))]
    return keys


def test_chips_come_with_the_cursor_and_go_with_it(window: MainWindow) -> None:
    pane = window.library_pane
    assert not pane.chips.isVisible()
    QTest.keyClick(window, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert pane.chips.isVisible()
    pane.view.setFocus()
    assert not pane.chips.isVisible()


def test_a_chip_is_reached_by_keys_and_narrows_the_library(window: MainWindow) -> None:
    window.go(CREATE)
    pane = window.library_pane
    QTest.keyClick(window, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(pane.field, Qt.Key.Key_Tab)
    chip = pane.chips.chips[Facet.HAS_NOTES]
    assert chip.hasFocus()
    QTest.keyClick(chip, Qt.Key.Key_Space)
    tools = {key.name for key in found(window) if key.kind is Kind.TOOL}
    assert tools == {"create_issue", "search_projects", "update_issue"}
    assert window.library_pane.selected == CREATE
    assert pane.view.current_key() == CREATE
    QTest.keyClick(chip, Qt.Key.Key_Escape)
    assert not pane.chips.facets
    assert pane.field.hasFocus()
    assert pane.view.current_key() == CREATE


def test_search_chips_filter_as_labelled(window: MainWindow) -> None:
    chips = window.library_pane.chips.chips
    expected = {
        Facet.OFF: {RowKey(Kind.TOOL, "Git", "git_create_branch"), RowKey(Kind.SERVER, "Jira (old)")},
        Facet.CHANGED: {
            RowKey(Kind.TOOL, "GitHub", "merge_pull_request"),
            RowKey(Kind.CHANGED, "GitHub", "merge_pull_request"),
        },
        Facet.NOT_FOUND: {LOST_NOTES, RowKey(Kind.ENTRY, "release-day", "Deploys.start_rollout")},
        Facet.PROBLEMS: {RowKey(Kind.SERVER, "Notion"), RowKey(Kind.SERVER, "Postgres")},
    }
    for facet, keys in expected.items():
        chips[facet].click()
        above = {RowKey(Kind.SERVER, key.owner) for key in keys if key.kind is Kind.TOOL}
        above |= {RowKey(Kind.TOOLSET, key.owner) for key in keys if key.kind is Kind.ENTRY}
        assert found(window) == keys | above, facet
        chips[facet].click()


def test_chips_narrow_what_words_find_and_notes_narrow_the_other_chips(window: MainWindow) -> None:
    pane = window.library_pane
    pane.field.setText("issue")
    pane.chips.chips[Facet.HAS_NOTES].click()
    assert {key.name for key in found(window) if key.kind is Kind.TOOL} == {"create_issue", "update_issue"}
    pane.chips.chips[Facet.CHANGED].click()
    assert found(window) == set()
    assert pane.nothing.text() == "Nothing here is like that."
    QTest.mouseClick(pane.clear_button, Qt.MouseButton.LeftButton)
    assert pane.field.text() == ""
    assert not pane.chips.facets
    assert pane.view.isVisible()


def test_a_source_that_is_found_shows_only_its_tools_that_are_wanted(window: MainWindow) -> None:
    pane = window.library_pane
    pane.field.setText("linear")
    pane.chips.chips[Facet.HAS_NOTES].click()
    assert {key.name for key in found(window) if key.kind is Kind.TOOL} == {
        "create_issue",
        "search_projects",
        "update_issue",
    }


@pytest.mark.parametrize("size", [11, 13, 26])
@pytest.mark.parametrize("hint", ["Search tools and notes", "Werkzeuge und Notizen durchsuchen"])
def test_the_hint_gives_way_before_it_is_cut_off(qtbot: QtBot, light_theme: Theme, size: int, hint: str) -> None:
    font = QApplication.font()
    font.setPixelSize(size)
    QApplication.setFont(font)
    field = SearchField(hint, "Search", "Ctrl+F")
    qtbot.addWidget(field)
    seen = []
    for width in range(140, 700, 4):
        field.resize(width, 32)
        shown = field.shown_hint()
        words = QFontMetrics(font).horizontalAdvance(shown[0])
        assert shown[0] in (hint, "Search"), (width, shown)
        assert words <= width - 48
        if shown not in seen:
            seen.append(shown)
    assert seen[-1] == (hint, "Ctrl+F")
    assert (hint, "") in seen
    assert field.toolTip() == f"{hint}  (Ctrl+F)"


def test_escape_in_the_tree_ends_the_search_and_keeps_what_was_chosen(qtbot: QtBot, window: MainWindow) -> None:
    pane = window.library_pane
    window.go(CREATE)
    pane.field.setFocus()
    QTest.keyClicks(pane.field, "free time")
    QTest.keyClick(pane.field, Qt.Key.Key_Down)
    for _ in range(3):
        QTest.keyClick(pane.view, Qt.Key.Key_Down)
    chosen = RowKey(Kind.TOOL, "Calendar", "find_free_time")
    assert pane.selected == chosen
    QTest.keyClick(pane.view, Qt.Key.Key_Escape)
    assert pane.field.text() == ""
    assert pane.view.current_key() == chosen
    assert pane.view.hasFocus()
