"""Periodic timers aligned to common ticks, so that an idle process wakes up once for all of them."""

from __future__ import annotations

import asyncio

_TOLERANCE = 0.02
"""Share of an interval by which a timer may fire early."""


def delay_to_next_tick(interval: float) -> float:
    """Return the seconds until the loop's clock shows a multiple of ``interval`` seconds.

    A tick that is due within ``_TOLERANCE`` is skipped, so the result is at most 1.02 times ``interval``.
    """
    left = interval - asyncio.get_running_loop().time() % interval
    return left + interval if left < _TOLERANCE * interval else left
