"""Give memory back to the system some seconds after work that needed much of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from typing import Final

from toolnote_desktop.system import memory
from toolnote_desktop.system.threads import run_in_thread

CHECK_SECONDS: Final = 3.0
"""Seconds from the first work after a pause to the check of the memory."""

GROWTH: Final = 16 * 2**20
"""Bytes that the memory has to have grown since the last release."""

TRIES: Final = 4
"""Releases after which memory that has not come back is taken for memory in use."""


class MemoryRelease:
    """Checks the memory after work, and releases it in a thread. There is no timer while nothing happens.

    Args:
        resident: returns the resident memory in bytes; None if it is not known.
        release: gives free memory back; may take 0.1 s.
    """

    def __init__(
        self,
        resident: Callable[[], int | None] = memory.resident_bytes,
        release: Callable[[], None] | None = None,
    ) -> None:
        self._resident = resident
        self._release = release or memory.release
        self._timer: asyncio.TimerHandle | None = None
        self._releasing: Future[None] | None = None
        self._base: int | None = None
        self._lowest: int | None = None
        self._tries = 0
        self._closed = False

    def touch(self) -> None:
        """Schedule a check, since there is work."""
        if self._timer is None and not self._closed:
            if self._base is None:
                self._base = self._lowest = self._resident()
                run_in_thread(memory.keep_little, name="toolnote-memory")
            self._timer = asyncio.get_running_loop().call_later(CHECK_SECONDS, self._check)

    def check_anew(self) -> None:
        """Schedule a check, since something large was dropped that may have been taken for memory in use."""
        self._base, self._tries = self._lowest, 0
        self.touch()

    def _check(self) -> None:
        self._timer = None
        now = self._resident()
        if now is None or self._base is None or self._releasing is not None:
            return
        self._base, self._lowest = min(self._base, now), min(self._lowest or now, now)
        if now - self._base > GROWTH:
            self._releasing = run_in_thread(self._release, name="toolnote-memory")
            asyncio.wrap_future(self._releasing).add_done_callback(self._released)
        else:
            self._tries = 0

    def _released(self, _: object) -> None:
        self._releasing = None
        now = self._resident()
        if now is None or self._base is None:
            return
        self._tries += 1
        if now - self._base <= GROWTH or self._tries == TRIES:
            self._base, self._tries = now, 0
        elif not self._closed:
            self.touch()  # it may still be in use

    def close(self) -> None:
        """Cancel the check."""
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
