"""Long work in slices: the loop turns between them, so that nobody waits for all of it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Generator
from typing import Final, Generic, TypeVar

SLICE: Final = 0.003
"""Seconds that one slice takes."""

Result = TypeVar("Result")


class Sliced(Generic[Result]):
    """What a generator makes and returns; it yields wherever it may be interrupted.

    It is made once, for all who want it. For one thread: the loop's.
    """

    def __init__(self, steps: Generator[None, None, Result]) -> None:
        self._steps = self._keep(steps)
        self._made: list[Result] = []
        self._task: asyncio.Task[None] | None = None

    @property
    def is_made(self) -> bool:
        """Whether it is there already."""
        return bool(self._made)

    def at_once(self) -> Result:
        """What it is; what is left to do is done now."""
        for _ in self._steps:
            pass
        return self._made[0]

    async def in_slices(self) -> Result:
        """What it is; what is left to do is done while the loop turns."""
        if not self._made:
            if self._task is None:
                self._task = asyncio.ensure_future(self._finish())
            await asyncio.shield(self._task)
        return self._made[0]

    async def _finish(self) -> None:
        until = time.perf_counter() + SLICE
        for _ in self._steps:
            if time.perf_counter() > until:
                await asyncio.sleep(0)
                until = time.perf_counter() + SLICE

    def _keep(self, steps: Generator[None, None, Result]) -> Generator[None, None, None]:
        self._made.append((yield from steps))
