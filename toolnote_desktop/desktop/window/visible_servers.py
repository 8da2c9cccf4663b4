"""Reports visible servers to the proxy, which checks their state more often."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject

from toolnote_desktop.desktop.models.library_rows import Kind, RowKey
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.desktop.window.window import MainWindow

_OF_A_SERVER = frozenset({Kind.SERVER, Kind.TOOL, Kind.CHANGED, Kind.CHANGED_PROMPT})
_EVENTS = frozenset({QEvent.Type.Show, QEvent.Type.Hide, QEvent.Type.WindowStateChange})


class VisibleServers(QObject):
    """Reports which servers a window shows."""

    def __init__(self, window: MainWindow, link: ProxyLink) -> None:
        super().__init__(window)
        self._window = window
        self._link = link
        window.installEventFilter(self)
        window.shown_changed.connect(self._report)
        self._report(window.place)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Report when the window is shown, hidden or minimised (Qt)."""
        if watched is self._window and event.type() in _EVENTS:
            self._report(self._window.place)
        return False

    def _report(self, selected: RowKey | None) -> None:
        seen = self._window.isVisible() and not self._window.isMinimized()
        page = selected.owner if seen and selected is not None and selected.kind in _OF_A_SERVER else None
        self._link.report_visible(seen, page)
