"""User actions and fakes that several tests of the window share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QMenu

from toolnote_desktop.desktop.widgets.page import Page
from toolnote_desktop.desktop.window.window import MainWindow
from toolnote_desktop.guidance.served_tools import ServedTool, served_tools
from toolnote_desktop.model.snapshot import Snapshot


def served_text(window: MainWindow) -> str:
    """Description that the chosen assistant is served of the tool that is shown; "" where it does not get it."""
    document = window.pages.tool_page.document
    return document.description if document is not None else ""


def served_properties(window: MainWindow) -> dict[str, Any]:
    """Properties of the schema that the chosen assistant is served of the tool that is shown."""
    document = window.pages.tool_page.document
    assert document is not None
    assert document.served is not None
    found: dict[str, Any] = document.served.definition["inputSchema"]["properties"]
    return found


def served_tool(snapshot: Snapshot, server: str, name: str) -> ServedTool:
    """A tool of the default toolset, as it is served."""
    served = served_tools(snapshot, snapshot.shared_toolset)
    return next(one for one in served if one.known.tool.key == (server, name))


def click(button: QAbstractButton) -> None:
    """Click a button or check box that the user could click."""
    assert button.isVisible()
    assert button.isEnabled()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton, pos=QPoint(8, button.height() // 2))


def entry_of(page: Page, text: str) -> QAction:
    """An entry of a page's menu ⋯."""
    menu = QMenu(page)
    page.fill_menu(menu)
    return next(action for action in menu.actions() if action.text() == text)


class MemoryAutostart:
    """Autostart entry of a session, in memory (``system.base.Autostart``)."""

    def __init__(self, *, broken: bool = False) -> None:
        self.command: tuple[str, ...] = ()
        self.broken = broken

    def enabled(self) -> bool:
        return bool(self.command)

    def enable(self, command: Iterable[str]) -> None:
        if self.broken:
            raise PermissionError(13, "not allowed")
        self.command = tuple(command)

    def disable(self) -> None:
        self.command = ()
