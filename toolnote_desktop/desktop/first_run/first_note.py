"""First note: waits for the first tool after the first-run dialog, unless the user does something else meanwhile."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Signal

from toolnote_desktop.desktop.models.library_rows import Kind, RowKey
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.model.servers import ServerState
from toolnote_desktop.model.tools.catalogue import KnownTool
from toolnote_desktop.store.library import Library

_USER_ACTIONS = frozenset({QEvent.Type.KeyPress, QEvent.Type.MouseButtonPress, QEvent.Type.Wheel})


class FirstNote(QObject):
    """Waits for the first tool that a note can be written on.

    Signals:
        tool_found: the row of that tool, once for each :meth:`wait`.
    """

    tool_found = Signal(object)

    def __init__(self, library: Library, link: ProxyLink, parent: QObject) -> None:
        super().__init__(parent)
        self._library = library
        self._servers: Collection[str] = ()
        self._waiting = False
        link.changed.connect(self._check)

    def wait(self, servers: Collection[str] = ()) -> None:
        """Wait for a tool of these servers; with none given, of any server."""
        self._servers = servers
        self._waiting = True
        application = QCoreApplication.instance()
        if application is not None:
            application.installEventFilter(self)
        self._check()

    def stop(self) -> None:
        """Stop waiting."""
        application = QCoreApplication.instance()
        if self._waiting and application is not None:
            application.removeEventFilter(self)
        self._waiting = False

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stop waiting when the user does something (Qt)."""
        if event.type() in _USER_ACTIONS and event.spontaneous():
            self.stop()
        return super().eventFilter(watched, event)

    def _check(self, _change: object = None) -> None:
        if not self._waiting:
            return
        tools = self._library.snapshot.catalogue.tools.items()
        found = next((key for key, known in tools if self._fits(known)), None)
        if found is not None:
            self.stop()
            self.tool_found.emit(RowKey(Kind.TOOL, *found))

    def _fits(self, known: KnownTool) -> bool:
        listing = self._library.snapshot.catalogue.servers.get(known.tool.server)
        ready = listing is not None and listing.status.state is ServerState.READY
        return ready and known.listed and (not self._servers or known.tool.server in self._servers)
