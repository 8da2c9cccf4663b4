"""Keeps current what Home and the sidebar show of the activity log."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Final

from PySide6.QtCore import QObject, QTimer

from toolnote_desktop.desktop.async_tasks import LatestTask, in_thread
from toolnote_desktop.desktop.home.page import Activity
from toolnote_desktop.desktop.models.library_rows import HOME, RowKey
from toolnote_desktop.desktop.models.note_offers import read_effects, read_offers
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.window.window import MainWindow
from toolnote_desktop.model.names import ToolKey
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.paths import Home
from toolnote_desktop.store.activity_queries import calls_by_day, recent_tools, times_of_last_calls

REFRESH_MS: Final = 30_000
RECENT_SECONDS: Final = 7 * 24 * 3_600
"""Age of a call up to which its tool has a row in the sidebar."""


def read_activity(home: Home, snapshot: Snapshot) -> Activity:
    """Read the activity log. Not for the window's thread."""
    today = datetime.now(UTC).astimezone().date()
    return Activity(
        calls_by_day(home, today),
        times_of_last_calls(home),
        read_effects(home, snapshot),
        read_offers(home, snapshot),
    )


def read_recent(home: Home) -> tuple[ToolKey, ...]:
    """Read the tools with recent calls. Not for the window's thread."""
    return recent_tools(home, time.time() - RECENT_SECONDS)


class HomeActivity(QObject):
    """Reads the log when Home is shown, when assistants come and go, and every half minute while it is visible."""

    def __init__(self, window: MainWindow, link: ProxyLink, home: Home) -> None:
        super().__init__(window)
        self._window = window
        self._home = home
        self._read = LatestTask(self)
        self._timer = QTimer(self, interval=REFRESH_MS)
        self._timer.timeout.connect(self.refresh)
        self._timer.start()
        window.shown_changed.connect(self._place_changed)
        link.clients_changed.connect(lambda _clients: self.refresh())
        self.refresh()

    def stop(self) -> None:
        """Stop reading."""
        self._timer.stop()
        self._read.cancel()

    def refresh(self) -> None:
        """Read the log if the window is visible."""
        if self._window.isVisible() and not self._read.is_running:
            self._read.start(self._show())

    def _place_changed(self, place: RowKey) -> None:
        if place == HOME:
            self.refresh()

    async def _show(self) -> None:
        self._window.sidebar.show_recent(await in_thread(read_recent, self._home))
        if self._window.place == HOME:
            self._window.pages.home_page.show_activity(
                await in_thread(read_activity, self._home, self._window.snapshot)
            )
