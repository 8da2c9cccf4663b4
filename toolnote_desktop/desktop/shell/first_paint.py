"""Waiting for the first picture of a window: what takes long to import is imported after it (docs/architecture.md, decision 4)."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QEventLoop, QObject, QTimer
from PySide6.QtWidgets import QWidget

PATIENCE_SECONDS = 3.0
"""How long a window may take that does not paint: one that is minimised, or on another desktop."""


def wait_until_painted(window: QWidget) -> bool:
    """Returns when the window has been painted once, or does not paint for some seconds.

    What a person does meanwhile waits: nothing is there yet that could do it. True: it has been painted.
    """
    waiting = QEventLoop()
    watch = _FirstPaint(window, waiting)
    patience = QTimer(waiting, singleShot=True, interval=round(PATIENCE_SECONDS * 1000))
    patience.timeout.connect(waiting.quit)
    patience.start()
    waiting.exec(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
    window.removeEventFilter(watch)
    return watch.has_come


class _FirstPaint(QObject):
    def __init__(self, window: QWidget, waiting: QEventLoop) -> None:
        super().__init__(waiting)
        self.has_come = False
        self._waiting = waiting
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint and not self.has_come:
            self.has_come = True
            QTimer.singleShot(0, self._waiting, self._waiting.quit)  # after this event: the picture is on the screen
        return False
