"""Places that the window has shown, with back and forward."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, Signal

from toolnote_desktop.desktop.models.library_rows import RowKey

MOST_PLACES: Final = 100


class Navigator(QObject):
    """Current place and the history around it. A place that has gone is passed over on the way back.

    Signals:
        opened: the place to show.
        history_changed: back or forward has become possible or impossible.
    """

    opened = Signal(object)
    history_changed = Signal()

    def __init__(self, exists: Callable[[RowKey], bool], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._exists = exists
        self._places: list[RowKey] = []
        self._position = -1

    @property
    def current(self) -> RowKey | None:
        """Place that is shown; None before the first."""
        return self._places[self._position] if self._position >= 0 else None

    @property
    def recent(self) -> tuple[RowKey, ...]:
        """Existing places from the last to the first visit, each once, without the current one."""
        seen = dict.fromkeys(reversed(self._places))
        return tuple(place for place in seen if place != self.current and self._exists(place))

    def open(self, place: RowKey, *, replace: bool = False) -> None:
        """Show a place. ``replace``: in the place of the current one, which is forgotten."""
        if place != self.current:
            del self._places[self._position + (0 if replace and self._position >= 0 else 1) :]
            self._places.append(place)
            del self._places[:-MOST_PLACES]
            self._position = len(self._places) - 1
            self.history_changed.emit()
        self.opened.emit(place)

    def back(self) -> None:
        """Show the place before."""
        self._step(-1)

    def forward(self) -> None:
        """Show the place that :meth:`back` left."""
        self._step(1)

    @property
    def can_go_back(self) -> bool:
        """True if there is a place before that still exists."""
        return self._next(-1) is not None

    @property
    def can_go_forward(self) -> bool:
        """True if there is a place after that still exists."""
        return self._next(1) is not None

    def _next(self, step: int) -> int | None:
        position = self._position + step
        while 0 <= position < len(self._places):
            if self._exists(self._places[position]) and self._places[position] != self.current:
                return position
            position += step
        return None

    def _step(self, step: int) -> None:
        position = self._next(step)
        if position is not None:
            self._position = position
            self.history_changed.emit()
            self.opened.emit(self._places[position])
