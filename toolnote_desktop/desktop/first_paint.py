"""Waiting for the first picture of a window: what takes long to import is imported after it (DESIGN, decision 4)."""

from __future__ import annotations

import asyncio
import logging

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QWidget

log = logging.getLogger(__name__)

PATIENCE_SECONDS = 3.0
"""How long a window may take that does not paint: one that is minimised, or on another desktop."""


async def painted(window: QWidget) -> None:
    """Returns when the window has been painted once, or does not paint for some seconds."""
    watch = _FirstPaint(window)
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            await watch.painted.wait()
    except TimeoutError:
        log.info("the window has not been painted yet")
    finally:
        window.removeEventFilter(watch)
        watch.deleteLater()


class _FirstPaint(QObject):
    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.painted = asyncio.Event()
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            QTimer.singleShot(0, self.painted.set)  # after this event, so that the picture is on the screen
        return False
