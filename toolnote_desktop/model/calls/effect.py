"""Effect of a note on the failures of its tool: a difference of two rates that may be looked at after every call.

``interval`` is a confidence sequence (docs/effect.md): the differences that a likelihood ratio does not refuse, with a
mixture of beta distributions as its numerator and the maximum over the nuisance rate as its denominator (Robbins 1970;
Wasserman, Ramdas and Balakrishnan 2020). It holds at all times at once, whenever a note is written: a claim made when
the interval leaves zero is false in at most 5 % of all histories. ``newcombe`` is the usual interval for a single look
(Newcombe 1998, method 10).
"""

from __future__ import annotations

import math
from enum import StrEnum
from functools import lru_cache
from itertools import starmap
from typing import Final

from msgspec import Struct

LEVEL: Final = 0.95
_THRESHOLD: Final = -math.log(1 - LEVEL)
_PRIORS: Final = ((0.7, 1.0, 4.0), (0.3, 0.5, 0.5))
"""Mixture of the numerator: weight, and both parameters of the beta distribution of either rate. The first expects few
failures, as most tools have; the second any rate."""

_MOST_NEEDED: Final = 10_000
_STEPS: Final = 40
_Z: Final = 1.959963984540054


class Rate(Struct, frozen=True):
    """Failed calls among calls."""

    failed: int = 0
    calls: int = 0

    def __add__(self, other: Rate) -> Rate:
        return Rate(self.failed + other.failed, self.calls + other.calls)


class Verdict(StrEnum):
    """Statement about a note that its calls allow."""

    HELPS = "helps"
    WORSE = "worse"
    UNCLEAR = "unclear"
    TOO_FEW = "too-few"


def verdict(before: Rate, since: Rate) -> Verdict:
    """Return what the calls before and since a note allow to say at a level of 95 %, at every look."""
    if log_evidence(before, since) >= _THRESHOLD:
        return Verdict.HELPS if since.failed * before.calls < before.failed * since.calls else Verdict.WORSE
    needed = calls_needed(before)
    return Verdict.TOO_FEW if needed is None or since.calls < needed else Verdict.UNCLEAR


def log_evidence(before: Rate, since: Rate) -> float:
    """Return the logarithm of the evidence against equal rates; 0 without calls on either side."""
    if not before.calls or not since.calls:
        return 0.0
    pooled = before + since
    return _log_mixture(before, since) - _log_likelihood(pooled, pooled.failed / pooled.calls)


@lru_cache(maxsize=1024)
def calls_needed(before: Rate) -> int | None:
    """Return the calls since a note below which nothing can be said: with fewer, not even the clearest outcome counts.

    None if there are too few calls before it.
    """

    def is_enough(count: int) -> bool:
        return log_evidence(before, Rate(0 if before.failed else count, count)) >= _THRESHOLD

    if not before.calls or not is_enough(_MOST_NEEDED):
        return None
    low, high = 0, _MOST_NEEDED
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return high


def interval(before: Rate, since: Rate) -> tuple[float, float]:
    """Return the bounds of the difference of rates, since minus before, that hold at every look."""
    if not before.calls or not since.calls:
        return -1.0, 1.0
    mixture = _log_mixture(before, since)
    best = since.failed / since.calls - before.failed / before.calls

    def is_possible(difference: float) -> bool:
        return mixture - _profile(before, since, difference) < _THRESHOLD

    def bound(outer: float) -> float:
        if is_possible(outer):
            return outer
        inner = best
        for _ in range(_STEPS):
            middle = (inner + outer) / 2
            inner, outer = (middle, outer) if is_possible(middle) else (inner, middle)
        return inner

    return bound(-1.0), bound(1.0)


def newcombe(before: Rate, since: Rate) -> tuple[float, float] | None:
    """Return the interval of the difference for one look (hybrid score); None without calls on either side."""
    if not before.calls or not since.calls:
        return None
    one, two = since.failed / since.calls, before.failed / before.calls
    (low_1, high_1), (low_2, high_2) = starmap(_wilson, ((one, since.calls), (two, before.calls)))
    below = math.hypot(one - low_1, high_2 - two)
    above = math.hypot(high_1 - one, two - low_2)
    return max(one - two - below, -1.0), min(one - two + above, 1.0)


def _wilson(rate: float, calls: int) -> tuple[float, float]:
    middle = rate + _Z**2 / (2 * calls)
    half = _Z * math.sqrt(rate * (1 - rate) / calls + _Z**2 / (4 * calls**2))
    scale = 1 + _Z**2 / calls
    return max((middle - half) / scale, 0.0), min((middle + half) / scale, 1.0)


def _log_mixture(before: Rate, since: Rate) -> float:
    logs = [
        math.log(weight) + _log_beta_marginal(before, one, other) + _log_beta_marginal(since, one, other)
        for weight, one, other in _PRIORS
    ]
    highest = max(logs)
    return highest + math.log(sum(math.exp(log - highest) for log in logs))


def _log_beta_marginal(rate: Rate, one: float, other: float) -> float:
    return _log_beta(rate.failed + one, rate.calls - rate.failed + other) - _log_beta(one, other)


def _log_beta(one: float, other: float) -> float:
    return math.lgamma(one) + math.lgamma(other) - math.lgamma(one + other)


def _log_likelihood(rate: Rate, value: float) -> float:
    failed, worked = rate.failed, rate.calls - rate.failed
    if (failed and value <= 0) or (worked and value >= 1):
        return -math.inf
    return (failed * math.log(value) if failed else 0.0) + (worked * math.log1p(-value) if worked else 0.0)


def _profile(before: Rate, since: Rate, difference: float) -> float:
    """Return the highest log likelihood of both rates with this difference. It is concave in the rate before."""

    def at(value: float) -> float:
        return _log_likelihood(before, value) + _log_likelihood(since, min(max(value + difference, 0.0), 1.0))

    low, high = max(0.0, -difference), min(1.0, 1.0 - difference)
    ratio = (math.sqrt(5) - 1) / 2
    left, right = high - ratio * (high - low), low + ratio * (high - low)
    at_left, at_right = at(left), at(right)
    highest = max(at(low), at(high), at_left, at_right)
    for _ in range(_STEPS):
        if at_left > at_right:
            high, right, at_right = right, left, at_left
            left = high - ratio * (high - low)
            at_left = at(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + ratio * (high - low)
            at_right = at(right)
        highest = max(highest, at_left, at_right)
    return highest
