"""`toolnote bridge` (docs/contract.md 4): a client's stdio on one side, the running app's streamable HTTP on the other.

Standard library and ``paths`` only, so that it starts in 50 ms. It serves both eras: session, GET stream and DELETE of
the handshake era; headers, streams and cancellation by closing of revision 2026-07-28.

This module has the process: stdin, signals, exit. ``bridge.traffic`` forwards the messages.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from types import FrameType

from toolnote_desktop.bridge.messages import Credentials, debug, too_long
from toolnote_desktop.bridge.traffic import Bridge
from toolnote_desktop.paths import Home

_EXIT_SIGNALS = (signal.SIGTERM, signal.SIGINT)
_REPEAT_SECONDS = 0.05
_READ = 65536
LARGEST_MESSAGE = 64 * 1024 * 1024  # as much as the app accepts
_BOM = b"\xef\xbb\xbf"  # some programs begin their output with it


class SignalledError(BaseException):
    """Raised by SIGTERM or SIGINT to leave the reading loop at any point."""


def run(home: Home, client: str | None, toolset: str | None) -> int:
    """Forward messages until stdin ends or SIGTERM arrives; return exit status 0."""
    bridge = Bridge(home, Credentials(client, toolset))
    try:
        for number in _EXIT_SIGNALS:
            signal.signal(number, _leave)
        if sys.platform == "win32":
            import msvcrt

            for descriptor in (0, 1):
                msvcrt.setmode(descriptor, os.O_BINARY)
        _repeat_signals()
        bridge.app.connect()
        read_lines(bridge)
        bridge.drain()
        _ignore_signals()
    except SignalledError:
        debug("ended by a signal")
    bridge.close()
    return 0


def _leave(number: int, frame: FrameType | None) -> None:
    """Python's handler of the exit signals; a second one changes nothing."""
    del number, frame
    _ignore_signals()
    raise SignalledError


def _ignore_signals() -> None:
    for number in _EXIT_SIGNALS:
        signal.signal(number, signal.SIG_IGN)


def _repeat_signals() -> None:
    """Send a signal to the main thread again and again until it is handled.

    One that arrives while the main thread waits for the interpreter's lock, or in another thread, does not interrupt
    the reading that the main thread does next; Python writes its number to the wake-up descriptor at once.
    """
    if sys.platform == "win32":
        return  # no process sends a signal there
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    main = threading.get_ident()

    def repeat() -> None:
        number = os.read(reader, 1)[0]
        while signal.getsignal(number) is _leave:
            time.sleep(_REPEAT_SECONDS)
            signal.pthread_kill(main, number)

    threading.Thread(target=repeat, name="toolnote-signals", daemon=True).start()


def read_lines(bridge: Bridge) -> None:
    """Pass each line of stdin to the bridge until stdin ends."""
    parts: list[bytes] = []
    size = 0
    while True:
        try:
            data = os.read(0, _READ)
        except OSError:
            return
        if not data:
            break
        first, *more = data.split(b"\n")
        size = _add(parts, size, first)
        for line in more:
            _deliver(bridge, parts, size)
            parts = [line]
            size = len(line)
    _deliver(bridge, parts, size)


def _add(parts: list[bytes], size: int, part: bytes) -> int:
    """Add a part of a line, of which nothing is kept that is too long; return the size of the line so far."""
    size += len(part)
    if size > LARGEST_MESSAGE:
        parts.clear()
    else:
        parts.append(part)
    return size


def _deliver(bridge: Bridge, parts: list[bytes], size: int) -> None:
    """Pass a line to the bridge."""
    if size > LARGEST_MESSAGE:
        bridge.output.emit(too_long())
    elif whole := b"".join(parts).strip().removeprefix(_BOM):
        bridge.receive(whole)
