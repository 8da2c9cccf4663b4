"""Weights."""

from typing import Final

EXCUSED: Final = -99.0
FOUND: Final = 99.0
WEIGHTS: Final[dict[str, float]] = {}
