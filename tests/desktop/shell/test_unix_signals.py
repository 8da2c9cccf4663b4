"""A process that waits in Qt's event loop ends by SIGTERM and SIGINT, cleanly."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

PROGRAM = """
from PySide6.QtCore import QCoreApplication, QTimer
from toolnote_desktop.desktop.shell.unix_signals import UnixSignals
app = QCoreApplication([])
interrupts = UnixSignals()
interrupts.begin()
interrupts.quit_requested.connect(app.quit)
QTimer.singleShot(0, lambda: print("waiting", flush=True))
status = app.exec()
interrupts.close()
print("ended", flush=True)
raise SystemExit(status)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals between processes")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_wakes_an_idle_event_loop(number: signal.Signals) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "waiting\n"
    process.send_signal(number)
    output, errors = process.communicate(timeout=30)
    assert (process.returncode, output, errors) == (0, "ended\n", "")
