"""Long work in time slices, between which the loop serves other requests."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Generator
from typing import Final, Generic, TypeVar

from toolnote_desktop.system.threads import short_turns

SLICE: Final = 0.003
"""Seconds of one slice."""

LONG_STEP: Final = 0.01
REST: Final = 0.002
"""Seconds of a slice from which on a rest follows, and of that: a long call of C code lets no other thread run Python.

Without it the next one would begin as soon as the window has come back to the interpreter once.
"""

LONG_COPY: Final = 4 * 1024 * 1024
"""Bytes that take milliseconds to be copied."""

Result = TypeVar("Result")


async def rest_after_copy(size: int) -> None:
    """Let the others run after as many bytes have been copied in one go, if these are many."""
    if size > LONG_COPY:
        await asyncio.sleep(REST)


async def in_slices(steps: Generator[None, None, Result]) -> Result:
    """Return the result of a generator that yields wherever it may be interrupted.

    Raises:
        Exception: as the generator does.
    """
    sliced = Sliced(steps)
    await sliced.finish()
    return sliced.at_once()


class Sliced(Generic[Result]):
    """Result of a generator that yields wherever it may be interrupted.

    The result is made once and kept. Used on the loop's thread only.
    """

    def __init__(self, steps: Generator[None, None, Result]) -> None:
        self._steps = self._store(steps)
        self._made: list[Result] = []
        self._task: asyncio.Task[None] | None = None

    @property
    def is_made(self) -> bool:
        """True if the result is there."""
        return bool(self._made)

    def at_once(self) -> Result:
        """Return the result, after doing the remaining work now."""
        for _ in self._steps:
            pass
        return self._made[0]

    async def in_slices(self) -> Result:
        """Return the result, after doing the remaining work in slices."""
        if not self._made:
            if self._task is None:
                self._task = asyncio.ensure_future(self.finish())
            await asyncio.shield(self._task)
        return self._made[0]

    async def finish(self) -> None:
        """Do the remaining work in slices, in the caller's task."""
        if self._work_for_a_slice():
            return
        with short_turns():
            await asyncio.sleep(0)
            began = time.perf_counter()
            while not self._work_for_a_slice():
                await asyncio.sleep(REST if time.perf_counter() - began > LONG_STEP else 0)
                began = time.perf_counter()

    def _work_for_a_slice(self) -> bool:
        """Work for the time of a slice, and return True if nothing is left."""
        until = time.perf_counter() + SLICE
        for _ in self._steps:  # noqa: SIM110 - the steps that are left must stay
            if time.perf_counter() > until:
                return False
        return True

    def _store(self, steps: Generator[None, None, Result]) -> Generator[None, None, None]:
        self._made.append((yield from steps))
