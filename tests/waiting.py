"""Waits for conditions of which no event is sent: files, other processes, states read over a network."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar

import psutil

PATIENCE = 30.0
"""Seconds until a wait fails: it takes a fault, or a machine that is far too slow, to need them."""

PAUSE = 0.005
"""Seconds between two checks of a condition."""

T = TypeVar("T")


def wait_until(condition: Callable[[], T], patience: float = PATIENCE) -> T:
    """Return the first true value of ``condition``; raise AssertionError after ``patience`` seconds."""
    deadline = time.monotonic() + patience
    while not (value := condition()):
        assert time.monotonic() < deadline, f"not within {patience} s: {condition}"
        time.sleep(PAUSE)
    return value


async def until(condition: Callable[[], T], patience: float = PATIENCE) -> T:
    """Return the first true value of ``condition`` without blocking the loop; raise AssertionError as above."""
    deadline = time.monotonic() + patience
    while not (value := condition()):
        assert time.monotonic() < deadline, f"not within {patience} s: {condition}"
        await asyncio.sleep(PAUSE)
    return value


def is_gone(pid: int, patience: float = PATIENCE) -> bool:
    """Return True if a process ends within ``patience`` seconds; a zombie that its parent has not read counts."""

    def ended() -> bool:
        try:
            return bool(psutil.Process(pid).status() == psutil.STATUS_ZOMBIE)
        except psutil.NoSuchProcess:
            return True

    try:
        return wait_until(ended, patience)
    except AssertionError:
        return False
