"""First paint of a window, after which slow imports may follow (docs/architecture.md, decision 4)."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QEventLoop, QObject, QTimer
from PySide6.QtWidgets import QWidget

PATIENCE_SECONDS = 3.0
"""Time limit for a window that does not paint because it is minimised, or on another desktop."""


def wait_until_painted(window: QWidget) -> bool:
    """Wait until the window has been painted once, at most ``PATIENCE_SECONDS``; return True if it was painted.

    User input is delivered afterwards: nothing can handle it yet.
    """
    waiting = QEventLoop()
    watch = _FirstPaint(window, waiting)
    patience = QTimer(waiting, singleShot=True, interval=round(PATIENCE_SECONDS * 1000))
    patience.timeout.connect(waiting.quit)
    patience.start()
    waiting.exec(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
    window.removeEventFilter(watch)
    return watch.is_painted


class _FirstPaint(QObject):
    def __init__(self, window: QWidget, waiting: QEventLoop) -> None:
        super().__init__(waiting)
        self.is_painted = False
        self._waiting = waiting
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint and not self.is_painted:
            self.is_painted = True
            QTimer.singleShot(0, self._waiting, self._waiting.quit)  # after this event, when it is on the screen
        return False
