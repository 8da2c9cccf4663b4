"""`toolnote bridge` (docs/contract.md 4): a client's stdio on one side, the running app's streamable HTTP on the other.

Standard library and ``paths`` only, so that it answers in a twentieth of a second. It serves both eras: the handshake
era's session, GET stream and DELETE, and the headers, streams and cancellation by closing of revision 2026-07-28.

Here is the process: its stdin, its signals, its end. What becomes of the messages is in ``bridge_traffic``.
"""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType

from toolnote_desktop.bridge.messages import Credentials, debug
from toolnote_desktop.bridge.traffic import Bridge
from toolnote_desktop.paths import Home

_READ = 65536


class EndedError(BaseException):
    """SIGTERM or SIGINT came: leave the reading loop, wherever it is."""


def run(home: Home, client: str | None, toolset: str | None) -> int:
    """Carry messages until stdin ends (or SIGTERM comes), then return 0."""

    def end(number: int, frame: FrameType | None) -> None:
        del number, frame
        raise EndedError

    bridge = Bridge(home, Credentials(client, toolset))
    try:
        signal.signal(signal.SIGTERM, end)
        signal.signal(signal.SIGINT, end)
        if sys.platform == "win32":
            import msvcrt

            for descriptor in (0, 1):
                msvcrt.setmode(descriptor, os.O_BINARY)
        bridge.session.begin()
        read_lines(bridge)
        bridge.drain()
    except EndedError:
        debug("told to end")
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    bridge.finish()
    return 0


def read_lines(bridge: Bridge) -> None:
    """Hand every line of stdin to the bridge, until the end."""
    parts: list[bytes] = []
    while True:
        try:
            data = os.read(0, _READ)
        except OSError:
            return
        if not data:
            break
        first, *more = data.split(b"\n")
        parts.append(first)
        for line in more:
            whole = b"".join(parts).strip()
            parts = [line]
            if whole:
                bridge.receive(whole)
    if rest := b"".join(parts).strip():
        bridge.receive(rest)
