"""Processor times that are compared: of two pieces of work in one run, in turn, each in its best time."""

from __future__ import annotations

import time
from collections.abc import Callable

REPETITIONS = 4
MOST_REPETITIONS = 100
LONG = 0.02
"""Seconds of processor time of which two repetitions say as much as four of a shorter time."""


def seconds_of(work: Callable[[], object]) -> float:
    """Return the processor time of one run in this thread, in seconds: other programs' load does not count."""
    began = time.thread_time()
    work()
    return time.thread_time() - began


def compare(large: Callable[[], object], small: Callable[[], object], most: float) -> tuple[float, float]:
    """Return the least times of both, in seconds, once ``large`` takes at most ``most`` times as long as ``small``.

    The least of several times is what the work takes: the others add what the machine did meanwhile. Both are timed in
    turn, as a machine that is slow for a while is slow for both. Where few times do not show the ratio, more are taken,
    up to ``MOST_REPETITIONS``: a ratio that is too high in the best times stays so.
    """
    longer, shorter = seconds_of(large), seconds_of(small)
    for repetition in range(2, MOST_REPETITIONS + 1):
        longer, shorter = min(longer, seconds_of(large)), min(shorter, seconds_of(small))
        enough = 2 if shorter > LONG else REPETITIONS
        if repetition >= enough and longer <= most * shorter:
            break
    return longer, shorter
