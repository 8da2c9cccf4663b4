"""``product.py METERS GUARDS ARG …``: ``toolnote`` with a pulse of its window, and some guards taken out.

The file ``METERS`` has four doubles: time of the pulse's last tick, longest pause since the file was zeroed, seconds of
that pause in which the machine let the window's thread wait for a processor, and the proxy thread's system id.
``GUARDS`` are names of ``guards.py``, separated by commas.
"""

from __future__ import annotations

import mmap
import os
import signal
import struct
import sys
import threading
import time
from typing import Any

from tests.attacks.guards import take_out
from tests.attacks.victim import run_delay
from toolnote_desktop.__main__ import main

BEAT_MS = 10

FEED = "TOOLNOTE_TEST_FEED"
"""Variable with the address of the release feed, and the key that its signature is made with."""


def beat(path: str) -> None:
    """Start the pulse in the window's thread once there is an application."""
    from PySide6.QtCore import QCoreApplication, QObject, Qt, QTimer, Signal

    class Pulse(QObject):
        begin = Signal()

        def __init__(self) -> None:
            super().__init__()
            with open(path, "r+b") as file:
                self._memory = mmap.mmap(file.fileno(), 32)
            self._last = 0.0
            self._main = (threading.main_thread().native_id,)
            self._delays: dict[int | None, float] = {}
            self._timer = QTimer(self)
            self._timer.setTimerType(Qt.TimerType.PreciseTimer)
            self._timer.timeout.connect(self._tick)
            self.begin.connect(lambda: self._timer.start(BEAT_MS), Qt.ConnectionType.QueuedConnection)

        def _tick(self) -> None:
            now = time.monotonic()
            pause = now - self._last - BEAT_MS / 1000 if self._last else 0.0
            proxy = int(struct.unpack_from("d", self._memory, 24)[0]) or None
            delays = {thread: run_delay(f"/proc/self/task/{thread}/schedstat") for thread in (*self._main, proxy)}
            grown = max(0.0, *(delay - self._delays.get(thread, delay) for thread, delay in delays.items()))
            _, *longest = struct.unpack("ddd", self._memory[:24])
            worst = max((pause, grown), tuple(longest), key=lambda one: one[0] - one[1])
            self._last, self._delays = now, delays
            self._memory[:24] = struct.pack("ddd", now, *worst)

    pulse = Pulse()

    def wait() -> None:
        while QCoreApplication.instance() is None:
            time.sleep(0.05)
        pulse.begin.emit()

    threading.Thread(target=wait, daemon=True).start()
    globals()["_pulse"] = pulse  # kept for the life of the process


def name_proxy_thread(path: str) -> None:
    """Write the proxy thread's id into the file once it runs."""

    def wait() -> None:
        while not (found := [one for one in threading.enumerate() if one.name == "toolnote-proxy"]):
            time.sleep(0.05)
        with open(path, "r+b") as file:
            file.seek(24)
            file.write(struct.pack("d", found[0].native_id))

    threading.Thread(target=wait, daemon=True).start()


def check_for_updates(feed: str, key: str) -> None:
    """Let this be a build with a release feed, which its window reads, as it does once a day, with each SIGUSR1."""
    from toolnote_desktop.updates import build

    updaters: list[Any] = []

    def this_build() -> build.Build:
        from toolnote_desktop.desktop.shell.updater import Updater

        start = Updater.start

        def remembered(updater: Updater) -> None:
            updaters.append(updater)
            start(updater)

        patched: Any = Updater
        patched.start = remembered
        return build.Build("tar", feed, key)

    def check(*_: object) -> None:
        from toolnote_desktop.desktop.async_tasks import spawn

        for updater in updaters:
            spawn(updater, updater._check_quietly())

    build.this_build = this_build
    signal.signal(signal.SIGUSR1, check)


if __name__ == "__main__":
    take_out(sys.argv[2])
    check_for_updates(*os.environ[FEED].split())
    name_proxy_thread(sys.argv[1])
    if "gui" in sys.argv[3:]:
        beat(sys.argv[1])
    sys.argv = [sys.argv[0], *sys.argv[3:]]
    sys.exit(main())
