"""From the first page straight to a note: waits for the first tool, unless the person does something else meanwhile."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Signal

from toolnote_desktop.desktop.models.library_rows import Kind, RowKey
from toolnote_desktop.desktop.proxy_link import ProxyLink
from toolnote_desktop.model.servers import ServerState
from toolnote_desktop.model.tools.catalogue import KnownTool
from toolnote_desktop.store.library import Library

_DEEDS = frozenset({QEvent.Type.KeyPress, QEvent.Type.MouseButtonPress, QEvent.Type.Wheel})


class FirstNote(QObject):
    """Asked to wait, it tells once which tool a note can be written on.

    Signals:
        wanted: the row of that tool.
    """

    wanted = Signal(object)

    def __init__(self, library: Library, link: ProxyLink, parent: QObject) -> None:
        super().__init__(parent)
        self._library = library
        self._servers: Collection[str] = ()
        self._waiting = False
        link.changed.connect(self._look)

    def wait(self, servers: Collection[str] = ()) -> None:
        """Wait for a tool of these servers; with none given, of any."""
        self._servers = servers
        self._waiting = True
        application = QCoreApplication.instance()
        if application is not None:
            application.installEventFilter(self)
        self._look()

    def stop(self) -> None:
        """Wait no more: the person is somewhere else."""
        application = QCoreApplication.instance()
        if self._waiting and application is not None:
            application.removeEventFilter(self)
        self._waiting = False

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Qt's hook: whoever does something is not taken away from it."""
        if event.type() in _DEEDS and event.spontaneous():
            self.stop()
        return super().eventFilter(watched, event)

    def _look(self, _change: object = None) -> None:
        if not self._waiting:
            return
        tools = self._library.snapshot.catalogue.tools.items()
        found = next((key for key, known in tools if self._fits(known)), None)
        if found is not None:
            self.stop()
            self.wanted.emit(RowKey(Kind.TOOL, *found))

    def _fits(self, known: KnownTool) -> bool:
        listing = self._library.snapshot.catalogue.servers.get(known.tool.server)
        ready = listing is not None and listing.status.state is ServerState.READY
        return ready and known.listed and (not self._servers or known.tool.server in self._servers)
