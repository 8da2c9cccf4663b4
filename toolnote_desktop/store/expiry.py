"""Time by which records expire (docs/contract.md 2): a clock that jumped deletes nothing at once."""

from __future__ import annotations

import contextlib
import json
import time
from typing import Final

from msgspec import Struct

from toolnote_desktop.paths import Home, make_folder, read_json
from toolnote_desktop.system.atomic_file import write_file

_JUMP_SECONDS: Final = 3 * 86_400.0
"""Seconds without a look at the clock after which the next one may be wrong, or the computer was off."""

_WAIT_SECONDS: Final = 7 * 86_400.0
"""Seconds for which such a time must have gone on before it counts."""

_AHEAD_SECONDS: Final = 86_400.0


class Expiry(Struct, frozen=True):
    """Times in seconds by which records expire.

    Attributes:
        now: the present, or the time before the clock jumped ahead until it has gone on from there for a week.
        latest: later times are of a clock that was wrong.
    """

    now: float
    latest: float


def expiry(home: Home) -> Expiry:
    """Return the times by which records expire now. What was seen of the clock is in ``run/clock.json``."""
    now = time.time()
    seen, ahead = _seen(home)
    trusted = now if seen is None else seen
    latest = max(now, trusted) + _AHEAD_SECONDS
    if now - trusted <= _JUMP_SECONDS or (ahead is not None and now - ahead >= _WAIT_SECONDS):
        _remember(home, max(trusted, now), None)
        return Expiry(now, latest)
    _remember(home, trusted, now if ahead is None or ahead > now else ahead)
    return Expiry(trusted, latest)


def _seen(home: Home) -> tuple[float | None, float | None]:
    """Return the newest time that counts, and the one since when the clock is ahead of it."""
    try:
        found = read_json(home.clock)
    except (OSError, ValueError):
        return None, None
    times = (found.get(key) if isinstance(found, dict) else None for key in ("seen", "ahead"))
    seen, ahead = (float(one) if isinstance(one, int | float) else None for one in times)
    return seen, ahead


def _remember(home: Home, seen: float, ahead: float | None) -> None:
    found = {"seen": seen} if ahead is None else {"seen": seen, "ahead": ahead}
    with contextlib.suppress(OSError):  # such as on a full disk
        make_folder(home.run)
        write_file(home.clock, json.dumps(found).encode("ascii"), durable=False, follow_links=False)
