"""Figures of a run: paired differences with their intervals, and the verdict (docs/bench.md).

The prompt is the unit: repeats make its figures steadier and are no further evidence, for a model answers the same
prompt in much the same manner.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence
from enum import StrEnum
from itertools import compress
from statistics import NormalDist, fmean, stdev
from typing import Final

from msgspec import Struct

_Z: Final = NormalDist().inv_cdf(0.975)
_LEVEL: Final = 0.05
_SUBSETS: Final = 4_000
_TRUTH: Final = bytes.maketrans(b"01", b"\x00\x01")
"""Binary digits as true and false."""
_NEAR: Final = 0.001
"""Bound of an interval that would hold zero although the exact test refuses zero."""


class RunVerdict(StrEnum):
    """Verdict of a run on the notes."""

    HELPS = "helps"
    NO_DIFFERENCE = "no difference seen"
    HARMS = "harms"


class Pair(Struct, frozen=True):
    """Figures of one prompt: means over its repeats, before (without the notes) and after (with them)."""

    before: float
    after: float
    both: float = 0.0
    """Share of repeats in which both sides succeeded."""


class Difference(Struct, frozen=True):
    """Difference after minus before, with its 95 % interval."""

    before: float
    after: float
    low: float
    high: float

    @property
    def value(self) -> float:
        """Difference."""
        return self.after - self.before


def success_difference(pairs: Sequence[Pair], repeats: int) -> Difference:
    """Return the difference of two shares of successes, paired by prompt.

    The interval joins the inverse of the sign test with Newcombe's, which stays wide where few prompts differ or all
    differ alike. It holds zero unless the test refuses it.
    """
    after, before = (fmean(values) for values in ([one.after for one in pairs], [one.before for one in pairs]))
    bounds = (*newcombe(pairs), *typical_values([pair.after - pair.before for pair in pairs]))
    low, high = min(bounds), max(bounds)
    if sign_test(pairs, repeats) > _LEVEL:
        low, high = min(low, 0.0), max(high, 0.0)
    elif after > before:
        low = max(low, _NEAR)
    else:
        high = min(high, -_NEAR)
    return Difference(before, after, low, high)


def typical_values(differences: Sequence[float]) -> tuple[float, float]:
    """Return the inverse of the sign test at 5 %: quantiles of the means of subsets drawn at random (Hartigan, Journal
    of the American Statistical Association 64, 1969, page 1303).
    """
    drawn = random.Random(0)  # the same figures for the same answers
    means: list[float] = []
    while len(means) < _SUBSETS:
        bits = drawn.getrandbits(len(differences))
        if bits:
            chosen = compress(reversed(differences), f"{bits:0{len(differences)}b}".encode().translate(_TRUTH))
            means.append(math.fsum(chosen) / bits.bit_count())
    means.sort()
    cut = round(_SUBSETS * _LEVEL / 2)
    return means[cut], means[-cut - 1]


def newcombe(pairs: Sequence[Pair]) -> tuple[float, float]:
    """Return Newcombe's interval for paired proportions (Statistics in Medicine 17, 1998, page 2635, method 10).

    The prompts are the cases: a prompt adds to each cell of the table the share of its repeats.
    """
    size = len(pairs)
    both = sum(pair.both for pair in pairs)
    only_after = sum(pair.after - pair.both for pair in pairs)
    only_before = sum(pair.before - pair.both for pair in pairs)
    neither = max(size - both - only_after - only_before, 0.0)
    after, before = (both + only_after) / size, (both + only_before) / size
    (low_1, high_1), (low_2, high_2) = _wilson(after, size), _wilson(before, size)
    margins = (both + only_after) * (only_before + neither) * (both + only_before) * (only_after + neither)
    phi = 0.0
    if margins > 0:
        cross = both * neither - only_after * only_before
        phi = (max(cross - size / 2, 0.0) if cross > 0 else cross) / math.sqrt(margins)
    below = _joint(after - low_1, high_2 - before, phi)
    above = _joint(high_1 - after, before - low_2, phi)
    return max(after - before - below, -1.0), min(after - before + above, 1.0)


def mean_difference(pairs: Sequence[Pair]) -> Difference:
    """Return the difference of two means, paired by prompt, with the interval of Student's t."""
    before, after = fmean(pair.before for pair in pairs), fmean(pair.after for pair in pairs)
    differences = [pair.after - pair.before for pair in pairs]
    if len(pairs) < 2:
        return Difference(before, after, -math.inf, math.inf)
    half = student_quantile(len(pairs) - 1) * stdev(differences) / math.sqrt(len(pairs))
    return Difference(before, after, after - before - half, after - before + half)


def sign_test(pairs: Sequence[Pair], repeats: int) -> float:
    """Return the two-sided chance of a difference as large as this where both sides of each prompt could be swapped.

    Exact: all signs of the prompts' differences are counted. With one repeat it is McNemar's exact test.
    """
    steps = [round((pair.after - pair.before) * repeats) for pair in pairs]
    chances = {0: 1.0}
    for step in filter(None, map(abs, steps)):
        spread: dict[int, float] = {}
        for total, chance in chances.items():
            for place in (total - step, total + step):
                spread[place] = spread.get(place, 0.0) + chance / 2
        chances = spread
    reached = abs(sum(steps))
    return min(math.fsum(chance for total, chance in chances.items() if abs(total) >= reached), 1.0)


def verdict(success: Difference, chance: float) -> RunVerdict:
    """Return what can be said: a claim needs a chance (``sign_test``) of at most 5 %."""
    if chance > _LEVEL:
        return RunVerdict.NO_DIFFERENCE
    return RunVerdict.HELPS if success.value > 0 else RunVerdict.HARMS


def student_quantile(freedom: int) -> float:
    """Return the 97.5 % quantile of Student's t (Abramowitz and Stegun 26.7.5; exact for 1 and 2)."""
    if freedom == 1:
        return math.tan(math.pi * 0.475)
    if freedom == 2:
        return 0.95 / math.sqrt(2 * 0.975 * 0.025)
    z = _Z
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92_160,
    )
    return z + math.fsum(term / freedom**power for power, term in enumerate(terms, start=1))


def shares(before: Iterable[bool], after: Iterable[bool]) -> Pair:
    """Return the pair of one prompt, of its repeats in order."""
    rows = list(zip(before, after, strict=True))
    count = len(rows)
    return Pair(
        sum(one for one, _ in rows) / count,
        sum(two for _, two in rows) / count,
        sum(one and two for one, two in rows) / count,
    )


def _joint(one: float, two: float, phi: float) -> float:
    return math.sqrt(max(one**2 - 2 * phi * one * two + two**2, 0.0))


def _wilson(share: float, size: int) -> tuple[float, float]:
    middle = share + _Z**2 / (2 * size)
    half = _Z * math.sqrt(max(share * (1 - share), 0.0) / size + _Z**2 / (4 * size**2))
    scale = 1 + _Z**2 / size
    return max((middle - half) / scale, 0.0), min((middle + half) / scale, 1.0)
