"""SIGINT and SIGTERM end a long-running program with status 0, even while it is loading or ending.

``serve.py`` and ``desktop/shell/unix_signals.py`` handle the signals in between, when there is something to close.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, Self

EXIT_SIGNALS = [signal.SIGINT, signal.SIGTERM]
if sys.platform == "win32":
    EXIT_SIGNALS.append(signal.SIGBREAK)

SignalHandler = Callable[[int, FrameType | None], Any] | int | signal.Handlers | None
"""What ``signal.signal`` takes and returns."""


def install_exit_handlers() -> None:
    """Make a signal end the process at once: there is nothing to close yet."""
    for number in EXIT_SIGNALS:
        signal.signal(number, exit_now)


def ignore_signals() -> None:
    """Ignore signals from now on: everything is closed already."""
    for number in EXIT_SIGNALS:
        signal.signal(number, signal.SIG_IGN)


def exit_now(number: int, frame: FrameType | None) -> None:
    """End with status 0, whatever is being read or imported."""
    del number, frame
    os._exit(0)


class SignalWakeUp:
    """Exit signals with a handler of one's own, and a socket that has a byte, the signal's number, for each of them.

    Python calls a signal's handler between two instructions of the main thread. A signal that arrives while the main
    thread waits for the interpreter's lock, or in another thread, does not interrupt the lock or the native event loop
    that the main thread waits in next. The byte comes at once. Main thread only.

    Attributes:
        reader: socket with the bytes; blocking.
        writer: its other end; not blocking.
    """

    def __init__(self, handler: SignalHandler) -> None:
        self.reader, self.writer = socket.socketpair()
        self.writer.setblocking(False)
        self._former_descriptor = signal.set_wakeup_fd(self.writer.fileno(), warn_on_full_buffer=False)
        self._former: dict[int, SignalHandler] = {number: signal.signal(number, handler) for number in EXIT_SIGNALS}

    def close(self) -> None:
        """Restore the former handlers."""
        for number, handler in self._former.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(self._former_descriptor)
        self.reader.close()
        self.writer.close()


class StopRequest:
    """What the main thread of a program without an event loop waits for: an exit signal, or ``set`` by any thread.

    Not a ``threading.Event``, whose lock a signal may fail to interrupt (``SignalWakeUp``). Use it as a context
    manager, in the main thread; the former handlers are restored at its end.
    """

    def __init__(self) -> None:
        self._is_set = False

    def __enter__(self) -> Self:
        self._wake_up = SignalWakeUp(self._handle)
        return self

    def __exit__(self, *_: object) -> None:
        self._wake_up.close()

    def is_set(self) -> bool:
        """Return True if the program is to end."""
        return self._is_set

    def set(self) -> None:
        """End ``wait``; any thread."""
        self._is_set = True
        with contextlib.suppress(OSError):  # full: it is awake; closed: it has ended
            self._wake_up.writer.send(b"\0")

    def wait(self) -> None:
        """Wait until the program is to end."""
        while not self._is_set:
            self._wake_up.reader.recv(4096)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        """Python's handler of the exit signals."""
        del number, frame
        self._is_set = True
