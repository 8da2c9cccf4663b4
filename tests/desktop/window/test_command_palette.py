"""Ctrl+K: a few letters and Enter lead to any tool or action; all by keyboard, all of it named."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from tests.desktop import sample
from toolnote_desktop.desktop.models.fuzzy import best, folded, score
from toolnote_desktop.desktop.models.library_rows import Kind, RowKey
from toolnote_desktop.desktop.models.palette_entries import Entry, PaletteEntries, library_entries
from toolnote_desktop.desktop.window.palette_dialog import PaletteDialog
from toolnote_desktop.desktop.window.window import MainWindow


@pytest.mark.parametrize(
    ("query", "better", "worse"),
    [
        ("issue", "issue", "create issue"),
        ("create", "create issue", "recreate issue"),
        ("ci", "create issue", "list cycles and their issues"),
        ("cris", "create issue", "describe a thing is"),
        ("issue", "get issue", "tissues"),
        ("upd", "update issue", "group documents"),
    ],
)
def test_beginnings_and_words_count_more_than_letters_that_are_strewn_about(
    query: str, better: str, worse: str
) -> None:
    assert score(query, better) > score(query, worse)


def test_letters_in_another_order_do_not_fit() -> None:
    assert score("xyz", "create issue") == 0
    assert score("ssi", "issue") == 0
    assert score("", "anything") > 0
    assert folded("git_commit-All.Now") == "git commit all now"
    assert best("issue", ["tissues", "issue", "an issue"], 2) == [1, 2]


def open_palette(qtbot: QtBot, window: MainWindow) -> PaletteDialog:
    QTest.keyClick(window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    palette = window.command_palette.palette
    assert palette is not None
    qtbot.waitUntil(palette.field.hasFocus)
    return palette


def test_a_tool_is_reached_by_a_few_letters(qtbot: QtBot, window: MainWindow) -> None:
    palette = open_palette(qtbot, window)
    QTest.keyClicks(palette.field, "post me")
    assert palette.list.currentIndex().data() == "Post message"
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert window.library_pane.selected == RowKey(Kind.TOOL, "Slack", "post_message")
    assert window.notes_pane.tool_page.title.text() == "Post message"


def test_arrows_move_through_what_is_found_while_the_cursor_stays_in_the_line(qtbot: QtBot, window: MainWindow) -> None:
    palette = open_palette(qtbot, window)
    QTest.keyClicks(palette.field, "issue")
    first = palette.list.currentIndex().data()
    QTest.keyClick(palette.field, Qt.Key.Key_Down)
    second = palette.list.currentIndex().data()
    assert first != second
    assert palette.field.hasFocus()
    QTest.keyClick(palette.field, Qt.Key.Key_Up)
    assert palette.list.currentIndex().data() == first
    QTest.keyClick(palette.field, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not isValid(palette))


def test_actions_are_done_and_show_their_keys(qtbot: QtBot, window: MainWindow) -> None:
    palette = open_palette(qtbot, window)
    QTest.keyClicks(palette.field, "new toolset")
    entry = palette.model.entry_at(palette.list.currentIndex())
    assert entry is not None
    assert entry.right == "Ctrl+Shift+N"
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert "new-toolset" in window.snapshot.toolsets


def test_another_toolset_is_put_in_use(qtbot: QtBot, window: MainWindow) -> None:
    palette = open_palette(qtbot, window)
    QTest.keyClicks(palette.field, "use release")
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert window.snapshot.settings.equipped_toolset == "release-day"


def test_search_without_results_says_so(qtbot: QtBot, window: MainWindow) -> None:
    palette = open_palette(qtbot, window)
    QTest.keyClicks(palette.field, "zzqqx")
    assert palette.nothing.isVisible()
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert palette.isVisible()
    palette.reject()


def test_preview_without_a_tool_offers_to_choose_one(qtbot: QtBot, window: MainWindow) -> None:
    window.go(RowKey(Kind.SERVER, "Slack"))
    qtbot.waitUntil(window.preview_pane.find_tool.isVisible)
    QTest.mouseClick(window.preview_pane.find_tool, Qt.MouseButton.LeftButton)
    palette = window.command_palette.palette
    assert palette is not None
    QTest.keyClicks(palette.field, "post me")
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert not window.preview_pane.find_tool.isVisible()


def test_screen_readers_hear_the_whole_line(qtbot: QtBot, window: MainWindow) -> None:
    palette = open_palette(qtbot, window)
    QTest.keyClicks(palette.field, "post me")
    index = palette.list.currentIndex()
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "Post message, Slack"
    assert all(one.accessibleName() for one in (palette.field, palette.list))
    palette.reject()


QUERIES = ("r", "read", "read 99", "rd 999", "source", "so 4 read 12", "nothing at all")


def test_ten_thousand_tools_are_searched_at_once(qapp: object, record_property: Callable[[str, object], None]) -> None:
    """What a search costs grows with the number of tools, not faster."""
    entries = library_entries(sample.snapshot(found=sample.large_catalogue(10_000), toolsets={}))
    QAbstractItemModelTester(PaletteEntries(entries), QAbstractItemModelTester.FailureReportingMode.Fatal)

    def cheapest(some: Sequence[Entry], rounds: int) -> float:
        """Processor time of all queries, in seconds; the least of some rounds."""
        model = PaletteEntries(some)
        spent = []
        for _ in range(rounds):
            began = time.thread_time()
            for query in QUERIES:
                model.search(query)
            spent.append(time.thread_time() - began)
        return min(spent)

    many, few = cheapest(entries, 3), cheapest(entries[:500], 20)
    record_property("palette_ms", round(many * 1000 / len(QUERIES)))
    print(f"palette: {many * 1000 / len(QUERIES):.0f} ms for 10,000 tools, {few * 1000 / len(QUERIES):.1f} ms for 500")
    assert many < 2 * len(entries) / 500 * few
