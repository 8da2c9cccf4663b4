"""Work that may take a moment, done off the window's thread, with its outcome back in it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QObject, Qt, Signal
from shiboken6 import isValid

log = logging.getLogger(__name__)

Outcome = TypeVar("Outcome")


class _Task(QObject):
    finished = Signal()


_running: set[_Task] = set()


def run_task(
    owner: QObject, work: Callable[[], Outcome], done: Callable[[Outcome], None], failed: Callable[[Exception], None]
) -> None:
    """Run ``work`` in a thread of its own, then ``done`` or ``failed`` in the window's, if ``owner`` is still there.

    ``work`` must not touch Qt. What it raises goes to ``failed``; there is no way to stop it.
    """
    task = _Task()
    _running.add(task)
    outcome: list[Outcome] = []
    errors: list[Exception] = []

    def run() -> None:
        try:
            outcome.append(work())
        except Exception as error:  # noqa: BLE001 - whatever it is, the owner is told
            errors.append(error)
        task.finished.emit()

    def tell() -> None:
        _running.discard(task)
        if not isValid(owner):
            return
        if errors:
            failed(errors[0])
        else:
            done(outcome[0])

    task.finished.connect(tell, Qt.ConnectionType.QueuedConnection)
    threading.Thread(target=run, name=f"task of {type(owner).__name__}", daemon=True).start()
