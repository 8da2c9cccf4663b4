"""Debouncer: runs an action once after a pause in a series of triggers."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer


class Debouncer(QTimer):
    """Single-shot timer that each :meth:`trigger` starts anew."""

    def __init__(self, owner: QObject, pause_ms: int, action: Callable[[], object]) -> None:
        super().__init__(owner, singleShot=True, interval=pause_ms)
        self.timeout.connect(action)

    def trigger(self) -> None:
        """Run the action once no further trigger came for the length of the pause."""
        self.start()

    def cancel(self) -> None:
        """Drop a pending run."""
        self.stop()
