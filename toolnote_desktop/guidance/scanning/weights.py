"""Weights of the features of sentences: how much one looks planted, and of what kind it is.

They were fitted by ``tests/measurements/scanner_training.py`` and are read from ``resources/scanner_weights.txt`` when
they are first needed.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable
from functools import cache
from operator import add
from typing import Final, NamedTuple

from toolnote_desktop import assets

_ZERO: Final = 80
_SUMMED: Final = 500
"""Features whose codes are summed at once, so that the sum of each unit stays below 65,536."""

_ALSO: Final = 1.2
"""Difference in weight up to which a sentence is of a second kind as well."""

EVIDENCE: Final = {
    "R hush": "hide-from-user",
    "secret|take": "read-secrets",
    "outward|send": "send-elsewhere",
    "other|tool": "other-tools",
    "talk|total": "asks-for-conversation",
}
"""Features that make a sentence that was found one of a kind, whatever else it is."""


class HiddenUnit(NamedTuple):
    """Unit of the hidden layer: the sum of its codes from which on it counts, and its weight for each one above.

    Attributes:
        least: first whole number above the start, with which sums are compared faster.
    """

    start: float
    weight: float
    least: int

    @classmethod
    def of(cls, scale: float, constant: float, weight: float) -> HiddenUnit:
        """Return a unit of the scale of its codes, its constant and its weight in the sum."""
        start = -constant / scale
        return cls(start, weight * scale, math.floor(start) + 1)


class Weights(NamedTuple):
    """Weights by feature, and of the hidden layer.

    Attributes:
        constant: what is added to the sum of the weights.
        level: sum from which on a sentence looks planted.
        weights: weights of each feature as one number, so that one addition sums all of them: its hundredths in the sum
            above fields of 16 bits, one for each unit, which hold its code there, ``_ZERO`` for 0.
        hidden: units of the hidden layer.
        kinds: weights by kind and feature, which say of what kind a sentence is.
    """

    constant: float
    level: float
    weights: dict[str, int]
    hidden: tuple[HiddenUnit, ...]
    kinds: dict[str, dict[str, float]]

    def score(self, features: Iterable[str]) -> float:
        """Return how much a sentence with these features looks planted: above 0 it does."""
        known = list(filter(None, map(self.weights.get, features)))
        size = len(self.hidden)
        layout, bits = f"<{size}H", 16 * size
        hundredths, sums = 0, (0,) * size
        for start in range(0, len(known), _SUMMED):
            total = sum(known[start : start + _SUMMED])
            hundredths += total >> bits
            fields = struct.unpack(layout, (total & ((1 << bits) - 1)).to_bytes(2 * size, "little"))
            sums = tuple(map(add, sums, fields)) if start else fields
        score = self.constant + hundredths / 100 - self.level
        zero = _ZERO * len(known)
        for (first, weight, least), inner in zip(self.hidden, sums, strict=True):
            value = inner - zero
            if value >= least:
                score += weight * (value - first)
        return score

    def kinds_of(self, features: Iterable[str]) -> tuple[str, ...]:
        """Return the kind of a sentence that was found, or several if they are as likely."""
        known = list(features)
        scores = {name: sum(of.get(one, 0.0) for one in known) + of[""] for name, of in self.kinds.items()}
        best = max(scores.values())
        likely = [name for name, score in scores.items() if score == best or score > max(best - _ALSO, -_ALSO)]
        return tuple(dict.fromkeys([*likely, *(EVIDENCE[one] for one in sorted(EVIDENCE.keys() & set(known)))]))


@cache
def shipped_weights() -> Weights:
    """Return the weights of the resources: lines of a section, a feature and its weights, the first in hundredths."""
    weights: dict[str, int] = {}
    hidden: list[HiddenUnit] = []
    kinds: dict[str, dict[str, float]] = {}
    constant = level = 0.0
    with assets.path("scanner_weights.txt").open(encoding="utf-8") as file:
        for line in file:
            section, feature, weight, *others = line.rstrip("\n").split("\t")
            if section == "model":
                constant, level = float(weight), float(others[0])
            elif section == "hidden":
                hidden.append(HiddenUnit.of(*(float(number) for number in (weight, *others))))
            elif section:
                kinds.setdefault(section, {})[feature] = int(weight) / 100
            else:
                fields = bytearray(2 * len(hidden))
                fields[::2] = others[0].encode("ascii")
                weights[feature] = (int(weight) << (8 * len(fields))) + int.from_bytes(fields, "little")
    return Weights(constant, level, weights, tuple(hidden), kinds)
