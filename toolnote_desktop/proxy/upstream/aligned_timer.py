"""What is done again and again is done together: a program at rest wakes up once for all of it."""

from __future__ import annotations

import asyncio

_TOO_SOON = 0.02
"""The share of a beat that a timer may go off early."""


def until_beat(seconds: float) -> float:
    """Seconds until the loop's clock shows a multiple of ``seconds``: whoever waits for the same beat wakes up then.

    Never more than a fiftieth above ``seconds``, so this stands in the place of any wait that may be shorter.
    """
    left = seconds - asyncio.get_running_loop().time() % seconds
    return left + seconds if left < _TOO_SOON * seconds else left
