"""SIGINT and SIGTERM end a program that stays with status 0, also while it is only being loaded, and while it ends.

``serve.py`` and ``desktop/interrupts.py`` have the signals in between: then there is something to be taken down.
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
    """From now on a signal ends the process on the spot: nothing has begun that had to be ended."""
    for number in _NUMBERS:
        signal.signal(number, exit_now)


def ignore_signals() -> None:
    """Everything is taken down: a signal that comes now changes nothing more."""
    for number in _NUMBERS:
        signal.signal(number, signal.SIG_IGN)


def exit_now(number: int, frame: FrameType | None) -> None:
    """End with status 0. What was just being read or imported has no say in it."""
    del number, frame
    os._exit(0)
