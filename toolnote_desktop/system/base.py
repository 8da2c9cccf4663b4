"""What differs by operating system, as one interface."""

from __future__ import annotations

from typing import Protocol


class Platform(Protocol):
    """One operating system."""

    @property
    def name(self) -> str:
        """``linux``, ``macos`` or ``windows``."""
