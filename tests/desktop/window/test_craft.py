"""The whole window, page by page and dialog by dialog: names, contrast, words twice as long, the other direction."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt, QTranslator
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QTextEdit,
    QWidget,
)
from shiboken6 import isValid

from toolnote_desktop.assistants.registry import CLIENTS
from toolnote_desktop.desktop.async_tasks import running_tasks
from toolnote_desktop.desktop.dialogs.start_failed import StartFailed
from toolnote_desktop.desktop.editing.guidance_files import GuidanceFiles
from toolnote_desktop.desktop.models.library_rows import LOST_NOTES, PROBLEMS, Kind, RowKey
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.shell.crash_reporter import CrashReport
from toolnote_desktop.desktop.theme.colours import AA_TEXT, DARK, HIGH_DARK, HIGH_LIGHT, LIGHT, Colours, contrast
from toolnote_desktop.desktop.tool_page.template_dialog import TemplateDialog
from toolnote_desktop.desktop.widgets.line_prompt import LinePrompt
from toolnote_desktop.desktop.widgets.question import QuestionDialog
from toolnote_desktop.desktop.window.dialog_opener import DialogOpener
from toolnote_desktop.desktop.window.window import MainWindow
from toolnote_desktop.store.library import Library

CONTROLS = (QAbstractButton, QLineEdit, QTextEdit, QPlainTextEdit, QAbstractItemView, QComboBox, QAbstractSpinBox)
PAGES: Mapping[str, RowKey | None] = {
    "tool": RowKey(Kind.TOOL, "Linear", "create_issue"),
    "changed": RowKey(Kind.CHANGED, "GitHub", "merge_pull_request"),
    "missing": RowKey(Kind.ENTRY, "release-day", "Deploys.start_rollout"),
    "toolset": RowKey(Kind.TOOLSET, "planning-week"),
    "bench": RowKey(Kind.BENCH, "planning-week"),
    "source": RowKey(Kind.SERVER, "Linear"),
    "failed": RowKey(Kind.SERVER, "Postgres"),
    "sign-in": RowKey(Kind.SERVER, "Notion"),
    "lost": LOST_NOTES,
    "problems": PROBLEMS,
    "add": RowKey(Kind.ADD_TOOLS, "catalog"),
    "import": RowKey(Kind.ADD_TOOLS, "app"),
    "paste": RowKey(Kind.ADD_TOOLS, "paste"),
    "first-run": RowKey(Kind.FIRST_RUN),
    "connect": RowKey(Kind.ASSISTANT, "cursor"),
    "choose": RowKey(Kind.ASSISTANT),
    "nothing": None,
}
REPORT = CrashReport("ValueError: no such thing", "Toolnote 1.0\nValueError: no such thing\n  window.py:12 in go")
DIALOGS: Mapping[str, Callable[[DialogOpener, MainWindow, ProxyLink], QWidget | None]] = {
    "settings": lambda dialogs, _window, _link: dialogs.settings(),
    "edit": lambda dialogs, _window, _link: dialogs.edit_server("Git"),
    "next-steps": lambda dialogs, _window, _link: dialogs.next_steps([CLIENTS["claude-desktop"], CLIENTS["cursor"]]),
    "crash": lambda dialogs, _window, _link: dialogs.show_crash(REPORT),
    "start-failed": lambda _dialogs, _window, _link: StartFailed(REPORT, was_safe=False),
    "category": lambda _dialogs, window, _link: LinePrompt("A category", "Together.", "Category", "Set", ["a"], window),
    "templates": lambda _dialogs, window, link: TemplateDialog(GuidanceFiles(link.home), window),
    "question": lambda _dialogs, window, _link: QuestionDialog(
        "No tray", "Which?", [("a", "Quit"), ("b", "Hide")], window
    ),
}


class Doubled(QTranslator):
    """A language whose texts are twice as long."""

    def isEmpty(self) -> bool:
        return False

    def translate(self, context: str, text: str, disambiguation: str | None = None, n: int = -1) -> str:
        if text.startswith("Ctrl+") or not re.search(r"[a-z]{2}", text):
            return text
        return f"{text} {re.sub('[.…]$', '', text)}"


@pytest.fixture
def doubled(qapp: QApplication) -> Iterator[None]:
    """Everything that is made from now on speaks it."""
    translator = Doubled()
    qapp.installTranslator(translator)
    yield
    qapp.removeTranslator(translator)


@pytest.fixture
def mirrored(qapp: QApplication) -> Iterator[None]:
    """From right to left."""
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    yield
    qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


@pytest.fixture
def open_dialog(window: MainWindow, library: Library, link: ProxyLink) -> Iterator[Callable[[str], QWidget]]:
    """Opens one of the dialogs."""
    dialogs = DialogOpener(window, library, link, link.home, lambda: None)
    opened: list[QWidget] = []

    def show(name: str) -> QWidget:
        dialog = DIALOGS[name](dialogs, window, link) or dialogs.current
        assert dialog is not None
        dialog.show()
        opened.append(dialog)
        settle()
        return dialog

    yield show
    dialogs.close()
    for dialog in opened:
        if isValid(dialog):
            dialog.close()
            dialog.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def settle() -> None:
    """Let what a page reads in the background arrive, and layouts come to rest."""
    end = time.monotonic() + 2
    while running_tasks() and time.monotonic() < end:
        QCoreApplication.processEvents()
    for _ in range(8):
        QCoreApplication.processEvents()


def visible(root: QWidget) -> list[QWidget]:
    """What is shown, the insides of views and fields aside."""
    return [
        one
        for one in root.findChildren(QWidget)
        if one.isVisibleTo(root) and not isinstance(one.parent(), (QAbstractScrollArea, QLineEdit, QComboBox))
    ]


def nameless(root: QWidget) -> list[str]:
    """Controls without a name for screen readers. A button's text is its name."""
    return [
        f"{type(one).__name__} in {type(one.parent()).__name__}"
        for one in visible(root)
        if isinstance(one, CONTROLS)
        and one.focusPolicy() != Qt.FocusPolicy.NoFocus
        and not (one.accessibleName() or (one.text() if isinstance(one, QAbstractButton) else "")).strip()
    ]


def cut_off(root: QWidget) -> list[str]:
    """Labels and buttons that have less room than their words need."""
    found = []
    for one in visible(root):
        needed = one.sizeHint()
        elides = one.sizePolicy().horizontalPolicy() == QSizePolicy.Policy.Ignored
        if isinstance(one, QLabel) and one.text() and not elides:
            if one.wordWrap():
                short = one.heightForWidth(one.width()) > one.height() + 1
            else:
                short = needed.width() > one.width() + 1 or needed.height() > one.height() + 1
        elif isinstance(one, QPushButton) and one.text():
            short = needed.width() > one.width() + 1 or needed.height() > one.height() + 1
        else:
            continue
        if short:
            found.append(f"{type(one).__name__} {one.text()[:40]!r}: {one.size().toTuple()} of {needed.toTuple()}")
    return found


def outside(root: QWidget) -> list[str]:
    """What stands beyond its parent's left or right edge."""
    return [
        f"{type(one).__name__} {one.accessibleName()[:30]!r}"
        for one in visible(root)
        if isinstance(one, (QPushButton, QLabel, QLineEdit))
        and (parent := one.parentWidget()) is not None
        and (one.x() < -1 or one.x() + one.width() > parent.width() + 1)
    ]


def test_every_control_of_every_page_has_a_name(window: MainWindow) -> None:
    window.toast.show_message("Something happened.", "Undo", window.undo)
    found = {}
    for page, key in PAGES.items():
        window.go(key)
        settle()
        found[page] = nameless(window)
    assert {page: names for page, names in found.items() if names} == {}


def test_every_control_of_every_dialog_has_a_name(open_dialog: Callable[[str], QWidget]) -> None:
    found = {name: nameless(open_dialog(name)) for name in DIALOGS}
    assert {name: names for name, names in found.items() if names} == {}


def test_no_word_of_a_page_is_cut_off_where_words_are_twice_as_long(doubled: None, window: MainWindow) -> None:
    found = {}
    for width in (1360, 900):
        window.resize(width, 900)
        for page, key in PAGES.items():
            window.go(key)
            window.toast.show_message("Something happened. Something happened.", "Undo Undo", window.undo)
            settle()
            found[f"{page} at {width}"] = cut_off(window) + outside(window)
    assert {page: words for page, words in found.items() if words} == {}


def test_no_word_of_a_dialog_is_cut_off_where_words_are_twice_as_long(
    doubled: None, open_dialog: Callable[[str], QWidget]
) -> None:
    found = {}
    for name in DIALOGS:
        dialog = open_dialog(name)
        found[name] = cut_off(dialog) + outside(dialog)
        assert dialog.width() <= 1100
    assert {name: words for name, words in found.items() if words} == {}


def test_the_window_is_mirrored_for_languages_from_right_to_left(mirrored: None, window: MainWindow) -> None:
    for page in ("tool", "toolset", "source"):
        window.go(PAGES[page])
        settle()
        assert outside(window) == []
    places = [pane.mapTo(window, pane.rect().center()).x() for pane in (window.pages.tool_page.details, window.sidebar)]
    assert places[0] < window.width() // 2 < places[1]
    shown = window.pages.page
    assert shown is not None
    title = shown.title
    assert title.layoutDirection() == Qt.LayoutDirection.RightToLeft
    # words of another language begin where the lines of the window's language do
    assert title.alignment() & Qt.AlignmentFlag.AlignAbsolute
    assert title.alignment() & Qt.AlignmentFlag.AlignRight


@pytest.mark.parametrize(
    ("scheme", "least", "least_sign"),
    [(LIGHT, AA_TEXT, 3), (DARK, AA_TEXT, 3), (HIGH_LIGHT, 7, AA_TEXT), (HIGH_DARK, 7, AA_TEXT)],
    ids=["light", "dark", "light with high contrast", "dark with high contrast"],
)
def test_every_pair_of_colours_that_carries_words_can_be_read(scheme: Colours, least: float, least_sign: float) -> None:
    """WCAG 2.2 AA: 4.5 for words, 3 for what only shows where something is. Of high contrast AAA: 7, and 4.5."""
    grounds = (scheme.ground, scheme.side, scheme.card, scheme.hover)
    pairs = [(text, ground) for text in (scheme.text, scheme.dim) for ground in (*grounds, scheme.accent_ground)]
    pairs += [(scheme.accent, ground) for ground in (scheme.ground, scheme.side, scheme.card, scheme.accent_ground)]
    pairs += [(scheme.wrong, scheme.ground), (scheme.wrong, scheme.side), (scheme.on_accent, scheme.accent)]
    pairs += [(scheme.added_text, scheme.added_ground)]
    pairs += [(text, scheme.pressed) for text in (scheme.text, scheme.dim if scheme.is_high_contrast else scheme.text)]
    low = {pair: contrast(QColor(pair[0]), QColor(pair[1])) for pair in pairs}
    assert {pair: round(ratio, 2) for pair, ratio in low.items() if ratio < least} == {}
    # with high contrast lines, and what cannot be pressed now, are to be seen too
    signs_too = (scheme.line, scheme.edge, scheme.faint) if scheme.is_high_contrast else ()
    signs = [
        (sign, ground) for sign in (scheme.good, scheme.attention, scheme.wrong, *signs_too) for ground in grounds[:3]
    ]
    weak = {pair: contrast(QColor(pair[0]), QColor(pair[1])) for pair in signs}
    assert {pair: round(ratio, 2) for pair, ratio in weak.items() if ratio < least_sign} == {}
