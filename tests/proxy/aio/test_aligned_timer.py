"""Timers of one length go off together (``aligned_timer.py``)."""

from __future__ import annotations

import asyncio

import pytest

from toolnote_desktop.proxy.aio.aligned_timer import delay_to_next_tick


@pytest.mark.parametrize(("now", "left"), [(100.0, 2.0), (100.5, 1.5), (101.9, 0.1), (101.99, 2.01), (1e6 + 1.0, 1.0)])
def test_timers_wait_for_the_same_tick(now: float, left: float) -> None:
    async def wait() -> float:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(asyncio.get_running_loop(), "time", lambda: now)
            return delay_to_next_tick(2.0)

    found = asyncio.run(wait())
    assert found == pytest.approx(left)
    assert (now + found) % 2.0 == pytest.approx(0.0)
