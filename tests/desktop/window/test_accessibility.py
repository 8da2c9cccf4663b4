"""Everybody can use the window: names for screen readers, every control by Tab, a focus that can be seen."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from toolnote_desktop.desktop.models.library_rows import LOST_NOTES, Kind, RowKey
from toolnote_desktop.desktop.window.window import MainWindow
from toolnote_desktop.paths import Home

CREATE = RowKey(Kind.TOOL, "Linear", "create_issue")
LINEAR = RowKey(Kind.SERVER, "Linear")


# --- everybody can use it


def controls(window: QWidget) -> Iterator[QWidget]:
    """What a person acts on or reads by keyboard."""
    kinds = (QAbstractButton, QLineEdit, QTextEdit, QPlainTextEdit, QAbstractItemView)
    for widget in window.findChildren(QWidget):
        inside_a_view = isinstance(widget.parent(), QAbstractScrollArea)
        if isinstance(widget, kinds) and not inside_a_view:
            yield widget


@pytest.mark.parametrize(
    "key",
    [
        CREATE,
        LINEAR,
        LOST_NOTES,
        None,
        RowKey(Kind.TOOLSET, "my-tools"),
        RowKey(Kind.CHANGED, "GitHub", "merge_pull_request"),
        RowKey(Kind.ENTRY, "release-day", "Deploys.start_rollout"),
    ],
    ids=str,
)
def test_controls_have_names_for_screen_readers(window: MainWindow, key: RowKey | None) -> None:
    window.go(key)
    window.add_note()
    window.toast.show_message("Something happened.", "Undo", window.undo)
    nameless = [
        f"{type(one).__name__} {one.objectName()!r} in {type(one.parent()).__name__}"
        for one in controls(window)
        if one.isVisibleTo(window) and not one.accessibleName().strip()
    ]
    assert nameless == []


def test_tab_reaches_every_control_of_a_tool(qtbot: QtBot, window: MainWindow) -> None:
    window.go(CREATE)
    window.sidebar.search_button.setFocus()
    reached: set[QWidget] = set()
    for _ in range(80):
        focus = window.focusWidget()
        if focus is None or focus in reached:
            break
        reached.add(focus)
        QTest.keyClick(focus, Qt.Key.Key_Tab)
    wanted = {
        one
        for one in controls(window)
        if one.isVisible() and one.isEnabled() and one.focusPolicy() & Qt.FocusPolicy.TabFocus
    }
    missing = {f"{type(one).__name__} {one.accessibleName()}" for one in wanted - reached}
    assert missing == set()


def test_the_focus_that_came_by_keyboard_can_be_seen(qtbot: QtBot, window: MainWindow) -> None:
    window.go(CREATE)
    button = window.pages.tool_page.notes.add_button
    button.setFocus(Qt.FocusReason.TabFocusReason)
    assert button.property("ring")
    button.setFocus(Qt.FocusReason.MouseFocusReason)
    window.sidebar.search_button.setFocus()
    assert not button.property("ring")


def test_the_window_does_not_import_the_proxy_or_mcp(home: Home) -> None:
    code = (
        "import sys; import toolnote_desktop.desktop.window.window\n"
        "late = [m for m in sys.modules if m.split('.')[0] in ('mcp', 'uvicorn', 'starlette', 'httpx2')]\n"
        "late += [m for m in sys.modules if m.startswith('toolnote_desktop.proxy.')]\n"
        "print(sorted(late))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
