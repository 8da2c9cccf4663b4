"""Screen reader announcements of tool sources' states, which are visible in the library."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.widgets.alert import announce
from toolnote_desktop.desktop.widgets.debouncer import Debouncer
from toolnote_desktop.model.servers import ServerState
from toolnote_desktop.model.snapshot import Snapshot

DEBOUNCE_MS: Final = 600
"""Changes within this time are announced together."""

MOST: Final = 3
"""More sources than this are announced as a number."""

_PASSING: Final = frozenset({ServerState.STARTING, ServerState.DOWNLOADING})


class ServerStateAnnouncer(QObject):
    """Announces changes between snapshots, without transient states such as starting."""

    def __init__(self, window: QWidget, snapshot: Snapshot) -> None:
        super().__init__(window)
        self._window = window
        self._announced = _states(snapshot)
        self._now = dict(self._announced)
        self._timer = Debouncer(self, DEBOUNCE_MS, self._announce)

    def update(self, snapshot: Snapshot) -> None:
        """Schedule an announcement if a state has changed."""
        states = _states(snapshot)
        if states != self._now:
            self._now = states
            self._timer.trigger()

    def stop(self) -> None:
        """Stop announcing."""
        self._timer.cancel()

    def _announce(self) -> None:
        news = {
            server: state
            for server, state in self._now.items()
            if state not in _PASSING and state is not self._announced.get(server)
        }
        self._announced = {
            server: news.get(server, self._announced.get(server, state)) for server, state in self._now.items()
        }
        if 0 < len(news) <= MOST:
            text = self.tr("{source}: {state}")
            parts = [
                text.format(source=messages.source_name(one), state=messages.state_word(state))
                for one, state in news.items()
            ]
            announce(self._window, "; ".join(parts))
        elif news:
            ready = sum(state is ServerState.READY for state in news.values())
            text = self.tr("{ready} tool sources are ready, {others} are not.")
            announce(self._window, text.format(ready=ready, others=len(news) - ready))


def _states(snapshot: Snapshot) -> dict[str, ServerState]:
    return {server: listing.status.state for server, listing in snapshot.catalogue.servers.items()}
