"""Drags in tests: as the events that a widget gets, and by the mouse, where the platform knows drags."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QWidget

_NONE = Qt.KeyboardModifier.NoModifier
_LEFT = Qt.MouseButton.LeftButton
Place = Callable[[], QPoint]


def drag(target: QWidget, data: QMimeData, place: QPoint, keys: Qt.KeyboardModifier = _NONE) -> bool:
    """Drag something onto a place of a widget and let go; whether it was taken."""
    offered = Qt.DropAction.CopyAction | Qt.DropAction.MoveAction
    receiver = target.viewport() if isinstance(target, QAbstractScrollArea) else target
    for event in (
        QDragEnterEvent(place, offered, data, _LEFT, keys),
        QDragMoveEvent(place, offered, data, _LEFT, keys),
        drop := QDropEvent(QPointF(place), offered, data, _LEFT, keys),
    ):
        event.ignore()
        QApplication.sendEvent(receiver, event)
    return drop.isAccepted()


class MouseDrag:
    """A drag by the mouse, through ``QDrag.exec`` and the windowing system: press, pull, go to places, let go."""

    def __init__(self, start: QWidget, place: QPoint, ways: Sequence[Place], keys: Qt.KeyboardModifier = _NONE) -> None:
        """``ways``: places of the window, asked for when the mouse is about to go there."""
        self._window = start.window().windowHandle()
        self._ways = list(ways)
        self._keys = keys
        self.cursors: list[Qt.CursorShape | None] = []
        """How the mouse looked at each place."""
        self._timer = QTimer(interval=60)  # the windowing system answers for each place before the next
        self._timer.timeout.connect(self._go_on)
        self._here = start.mapTo(start.window(), place)

    def run(self) -> None:
        """Do it; returns when the drag is over."""
        QTest.mousePress(self._window, _LEFT, _NONE, self._here)
        self._timer.start()
        # the widget starts the drag, and the drag's own loop runs until the mouse is let go
        QTest.mouseMove(self._window, self._here + QPoint(3, 3))
        QTest.mouseMove(self._window, self._here + QPoint(30, 12))
        began = not self._timer.isActive()
        self._timer.stop()
        assert began, "no drag began"

    def _go_on(self) -> None:
        if sys._getframe(1).f_code is MouseDrag.run.__code__:
            return  # the drag has not begun: on a busy machine the mouse would be let go before, and the drag never end
        over = QApplication.overrideCursor()
        self.cursors.append(over.shape() if over is not None else None)
        if self._ways:
            self._here = self._ways.pop(0)()
            QTest.mouseMove(self._window, self._here - QPoint(2, 2))
            QTest.mouseMove(self._window, self._here)
        else:
            self._timer.stop()
            QTest.mouseRelease(self._window, _LEFT, self._keys, self._here)
