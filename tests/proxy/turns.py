"""Work in slices, seen from a test: how often the loop turned meanwhile."""

from __future__ import annotations

import asyncio
from typing import Any


async def turns_while(work: asyncio.Future[Any]) -> int:
    """How often the loop turned until it was done."""
    turns = 0
    while not work.done():
        turns += 1
        await asyncio.sleep(0)
    return turns
