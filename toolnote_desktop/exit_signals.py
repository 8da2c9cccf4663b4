"""SIGINT and SIGTERM end a long-running program with status 0, even while it is loading or ending.

``serve.py`` and ``desktop/shell/unix_signals.py`` handle the signals in between, when there is something to close.
"""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType

_NUMBERS = [signal.SIGINT, signal.SIGTERM]
if sys.platform == "win32":
    _NUMBERS.append(signal.SIGBREAK)


def install_exit_handlers() -> None:
    """Make a signal end the process at once: there is nothing to close yet."""
    for number in _NUMBERS:
        signal.signal(number, exit_now)


def ignore_signals() -> None:
    """Ignore signals from now on: everything is closed already."""
    for number in _NUMBERS:
        signal.signal(number, signal.SIG_IGN)


def exit_now(number: int, frame: FrameType | None) -> None:
    """End with status 0, whatever is being read or imported."""
    del number, frame
    os._exit(0)
