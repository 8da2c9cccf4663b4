"""Says to screen readers what becomes of the tool sources: for eyes it stands in the library, wherever they are."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.widgets.announce import announce
from toolnote_desktop.desktop.widgets.debouncer import Debouncer
from toolnote_desktop.model.servers import ServerState
from toolnote_desktop.model.snapshot import Snapshot

REST_MS: Final = 600
"""States that change within so long are said together."""

MOST: Final = 3
"""More sources than so many are not named one by one."""

_PASSING: Final = frozenset({ServerState.STARTING, ServerState.DOWNLOADING})


class ServerStateAnnouncer(QObject):
    """Compares snapshots. What only passes (a source that starts) is not said; what comes of it is."""

    def __init__(self, window: QWidget, snapshot: Snapshot) -> None:
        super().__init__(window)
        self._window = window
        self._said = _states(snapshot)
        self._now = dict(self._said)
        self._rest = Debouncer(self, REST_MS, self._tell)

    def look(self, snapshot: Snapshot) -> None:
        """Something may have changed."""
        states = _states(snapshot)
        if states != self._now:
            self._now = states
            self._rest.trigger()

    def stop(self) -> None:
        """Say nothing more."""
        self._rest.cancel()

    def _tell(self) -> None:
        news = {
            server: state
            for server, state in self._now.items()
            if state not in _PASSING and state is not self._said.get(server)
        }
        self._said = {server: news.get(server, self._said.get(server, state)) for server, state in self._now.items()}
        if 0 < len(news) <= MOST:
            text = self.tr("{source}: {state}")
            parts = [text.format(source=one, state=messages.state_word(state)) for one, state in news.items()]
            announce(self._window, "; ".join(parts))
        elif news:
            ready = sum(state is ServerState.READY for state in news.values())
            text = self.tr("{ready} tool sources are ready, {others} are not.")
            announce(self._window, text.format(ready=ready, others=len(news) - ready))


def _states(snapshot: Snapshot) -> dict[str, ServerState]:
    return {server: listing.status.state for server, listing in snapshot.catalogue.servers.items()}
