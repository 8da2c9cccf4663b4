"""Figures of a measurement: shares with their intervals."""

from __future__ import annotations

import math
from typing import NamedTuple


class Measured(NamedTuple):
    """Result of one measurement: its Markdown, and the figures that are below their goals."""

    text: str
    below: list[str]


class Share(NamedTuple):
    """Number of cases of all for which something holds."""

    hits: int
    of: int

    @property
    def value(self) -> float:
        """Share from 0 to 1; 1 of no cases."""
        return self.hits / self.of if self.of else 1.0

    @property
    def interval(self) -> tuple[float, float]:
        """95 % interval of the share (Wilson 1927)."""
        if not self.of:
            return 0.0, 1.0
        z = 1.959964
        middle = (self.value + z * z / (2 * self.of)) / (1 + z * z / self.of)
        half = z / (1 + z * z / self.of) * math.sqrt(self.value * (1 - self.value) / self.of + (z / (2 * self.of)) ** 2)
        return max(0.0, middle - half), min(1.0, middle + half)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.value:.3f} ({self.hits} of {self.of}; {low:.3f} to {high:.3f})"
