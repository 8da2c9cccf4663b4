"""Faults that users met in the first window and that no other test holds (docs/window-faults.md)."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel, QPushButton, QStyle, QStyleOptionComboBox, QWidget
from pytestqt.qtbot import QtBot

from tests.desktop.helpers import click
from tests.desktop.window.test_craft import PAGES, settle
from toolnote_desktop.assistants.registry import CLIENTS
from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.dialogs.next_steps import NextSteps
from toolnote_desktop.desktop.models.library_rows import Kind, RowKey
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.theme.colours import colours
from toolnote_desktop.desktop.theme.theme import Theme
from toolnote_desktop.desktop.widgets.basics import label
from toolnote_desktop.desktop.widgets.combo_box import ComboBox
from toolnote_desktop.desktop.widgets.controls import Choice, Menu, MenuButton
from toolnote_desktop.desktop.window.window import MainWindow
from toolnote_desktop.model.names import suggest_note_name
from toolnote_desktop.model.toolsets.note_edits import NoteTarget
from toolnote_desktop.model.toolsets.notes import Scope
from toolnote_desktop.proxy.events import ConnectedClient

CREATE = RowKey(Kind.TOOL, "Linear", "create_issue")


def ink_of(shown: QLabel) -> tuple[int, int]:
    """Return the first and last column with ink."""
    picture = shown.grab().toImage()
    ground = picture.pixel(picture.width() - 1, 0)
    columns = range(picture.width())
    rows = range(picture.height())
    inked = [x for x in columns if any(picture.pixel(x, y) != ground for y in rows)]
    return inked[0], inked[-1]


@pytest.mark.parametrize("text", ["Create issue", "צור תקלה חדשה"])
def test_a_title_of_any_script_begins_at_the_edge_of_its_page(qtbot: QtBot, light_theme: Theme, text: str) -> None:
    """F26: a Hebrew title was at the right edge, and its second line at the left."""
    shown = label(text, "title")
    qtbot.addWidget(shown)
    shown.resize(600, 40)
    shown.show()
    assert ink_of(shown)[0] < 8


def test_the_list_of_a_combo_box_is_a_list(qtbot: QtBot, light_theme: Theme) -> None:
    """F27: it had arrows to scroll, half a row, and was wider than the window."""
    box = ComboBox()
    qtbot.addWidget(box)
    for number in range(40):
        box.addItem(f"Choice {number}", number)
    box.show()
    option = QStyleOptionComboBox()
    box.initStyleOption(option)
    assert not box.style().styleHint(QStyle.StyleHint.SH_ComboBox_Popup, option, box)
    box.showPopup()
    popup = box.view().window()
    assert popup.width() <= max(box.width(), box.view().sizeHintForColumn(0) + 40)
    view = box.view()
    view.setCurrentIndex(box.model().index(1, 0))
    painted = view.viewport().grab().toImage()
    places = [view.visualRect(view.model().index(row, 0)) for row in (1, 2)]
    grounds = [painted.pixelColor(one.right() - 12, one.center().y()) for one in places]
    assert grounds[0] == QColor(colours(box.palette()).accent_ground), "the row that Return would choose is marked"
    assert grounds[0] != grounds[1]
    box.hidePopup()


def test_the_current_choice_of_a_menu_has_a_tick(qtbot: QtBot, light_theme: Theme) -> None:
    """F28: it was bold, and nothing else."""
    button = MenuButton("Where it applies")
    qtbot.addWidget(button)
    button.set_choices([Choice("Every tool", 1), Choice("Every toolset", 2)], 2)
    button.show()
    button.menu.aboutToShow.emit()
    first, second = button.menu.actions()
    assert isinstance(button.menu, Menu)
    assert (first.isChecked(), second.isChecked()) == (False, True)
    button.menu.ensurePolished()
    with_tick = button.menu.grab().toImage()
    second.setChecked(False)
    assert button.menu.grab().toImage() != with_tick


def test_a_card_is_as_it_was_after_the_focus_has_left_it(qtbot: QtBot, window: MainWindow) -> None:
    """F40: its name and text were a pixel off for ever."""
    window.go(CREATE)
    card = window.pages.tool_page.notes.cards[1]
    window.sidebar.view.setFocus()
    qtbot.waitUntil(lambda: not card.writing)
    before = card.grab().toImage()
    for widget in (card.name_button, card.editor, card.menu_button, card.scope):
        widget.setFocus(Qt.FocusReason.TabFocusReason)
    window.sidebar.view.setFocus()
    qtbot.waitUntil(lambda: card.grab().toImage() == before)


def test_a_toast_leaves_with_the_next_step(qtbot: QtBot, window: MainWindow) -> None:
    """F47: the old one stayed, and its Undo took back two steps."""
    place = NoteTarget.everywhere(Scope.TOOL, "Linear.create_issue")
    window.actions_.remove_note(place, "team-selection", None)
    window.offer_undo()
    assert window.toast.isVisible()
    window.actions_.pause_notes(paused=True)
    assert not window.toast.isVisible()


def test_a_second_has_no_zero(qtbot: QtBot) -> None:
    """F55: “answered after 0.0 seconds”."""
    assert [messages.seconds(value) for value in (0.0, 0.004, 0.04, 0.34, 12.0)] == [
        *("0.01", "0.01", "0.04", "0.3", "12.0"),
    ]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Use it when the team asks for a release.", "team-asks"),
        ("Schreibe die Änderung auf Deutsch.", "schreibe-aenderung"),
        ("必ず確認してください", "note-1"),
    ],
)
def test_names_of_notes_say_something(text: str, name: str) -> None:
    """F25: use-it-when-the, and “note” for Japanese."""
    assert suggest_note_name(text, []) == name


@pytest.fixture
def small(window: MainWindow) -> MainWindow:
    window.resize(800, 600)
    return window


def test_the_page_with_the_remedy_is_shown_in_a_narrow_window(qtbot: QtBot, small: MainWindow) -> None:
    """F12: with the third pane open there was only “Choose a tool…”."""
    small.go(RowKey(Kind.SERVER, "Postgres"))
    page: QWidget = small.pages.server_page
    assert page.isVisible()
    small.menu.inspector.trigger()
    assert page.isVisible()
    small.go(CREATE)
    click(small.frame.top_bar.back_button)
    assert page.isVisible()


def drawn(button: QPushButton, root: QWidget) -> QRect:
    """Return the place of a button's words in a window: a link has no frame."""
    inside = QRect(0, 0, button.fontMetrics().horizontalAdvance(button.text()), button.height())
    inside.moveCenter(button.rect().center())
    return inside.translated(button.mapTo(root, QPoint(0, 0)))


@pytest.mark.parametrize("page", ["tool", "source", "failed", "sign-in", "toolset", "lost", "add", "connect"])
def test_links_are_apart(window: MainWindow, page: str) -> None:
    """F41: two links were six pixels apart."""
    window.go(PAGES[page])
    settle()
    shown = [one for one in window.findChildren(QPushButton) if one.isVisible() and one.text()]
    links = [one for one in shown if one.property("kind") == "link"]
    near = [
        (link.text(), other.text())
        for link in links
        for other in shown
        if other is not link and drawn(link, window).adjusted(-11, 0, 11, 0).intersects(drawn(other, window))
    ]
    assert near == []


def test_words_of_the_document_begin_at_one_edge(window: MainWindow) -> None:
    """F42: the preview had three left edges."""
    window.go(CREATE)
    settle()
    page = window.pages.tool_page
    assert len(page.notes.cards) > 1
    notes = [card.editor for card in page.notes.cards]
    assert len({one.mapTo(page, QPoint(0, 0)).x() for one in notes}) == 1
    blocks = [page.text.own, page.text.heading, *page.notes.cards]
    assert len({one.mapTo(page, QPoint(0, 0)).x() for one in blocks}) == 1
    assert [one for one in notes if one.text() != one.text().strip()] == [], "no blank lines"


def test_what_to_do_now_follows_the_assistants(qtbot: QtBot, window: MainWindow, link: ProxyLink) -> None:
    """F36: an assistant that connected behind the list stayed in it."""
    dialog = NextSteps([CLIENTS["claude-desktop"], CLIENTS["cursor"]], link, window)
    dialog.open()
    before = dialog.steps["claude-desktop"].text()
    link.clients_changed.emit((ConnectedClient("cursor", "Cursor", "1.0", 1, True, None),))
    assert dialog.steps["cursor"].text() == "✓ Running"
    assert dialog.steps["claude-desktop"].text() == before
    dialog.reject()
