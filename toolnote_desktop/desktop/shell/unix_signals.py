"""SIGINT and SIGTERM end the window cleanly (docs/contract.md 4).

Python runs a signal's handler between two of its own instructions; while Qt waits for events there are none. So the
byte that Python writes at once to the wake-up descriptor wakes Qt, which then lets Python handle the signal.
"""

from __future__ import annotations

from types import FrameType

from PySide6.QtCore import QObject, QSocketNotifier, Signal

from toolnote_desktop.exit_signals import EXIT_SIGNALS, SignalWakeUp, exit_now


class UnixSignals(QObject):
    """Turns termination signals into a Qt signal, until closed. Main thread only.

    Signals:
        quit_requested: SIGINT, SIGTERM or SIGBREAK arrived.
    """

    quit_requested = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._begun = False
        self._wake_up = SignalWakeUp(self._handle)
        self._wake_up.reader.setblocking(False)
        self._notifier = QSocketNotifier(self._wake_up.reader.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._read)

    def begin(self) -> None:
        """Emit ``quit_requested`` from now on. A signal before this exits the process at once."""
        self._begun = True

    def close(self) -> None:
        """Restore the previous signal handlers."""
        self._notifier.setEnabled(False)
        self._wake_up.close()

    def _read(self) -> None:
        try:
            received = self._wake_up.reader.recv(4096)  # each byte is the number of a signal
        except BlockingIOError:
            return
        if any(number in EXIT_SIGNALS for number in received):
            self.quit_requested.emit()

    def _handle(self, number: int, frame: FrameType | None) -> None:
        """Python's signal handler; after ``begin`` the wake-up byte is enough."""
        if not self._begun:
            exit_now(number, frame)
