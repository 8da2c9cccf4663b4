"""Toolnote as a process whose SIGTERM arrives in a thread that is not its main thread (macOS chooses any)."""

from __future__ import annotations

import sys

_PROGRAM = """
import signal, sys, threading

def signal_itself():
    signal.sigwait({signal.SIGUSR1})
    signal.pthread_kill(threading.get_ident(), signal.SIGTERM)

signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
threading.Thread(target=signal_itself, daemon=True).start()
from toolnote_desktop.__main__ import main
sys.exit(main())
"""


def signalled_command(*words: str) -> list[str]:
    """Return a command of Toolnote whose process gets SIGTERM in another thread when it is sent SIGUSR1."""
    return [sys.executable, "-c", _PROGRAM, *words]
