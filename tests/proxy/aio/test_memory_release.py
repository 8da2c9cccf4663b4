"""Memory is given back after work, and there is no timer while nothing happens."""

from __future__ import annotations

import asyncio
import sys

import pytest

from tests.waiting import until
from toolnote_desktop.proxy.aio import memory_release
from toolnote_desktop.proxy.aio.memory_release import GROWTH, TRIES, MemoryRelease
from toolnote_desktop.system import memory


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_release, "CHECK_SECONDS", 0.01)


def test_memory_that_has_grown_is_released_and_the_rest_is_left() -> None:
    async def run() -> None:
        now, released = [100], [0]

        def release() -> None:
            released[0] += 1
            now[0] = 100

        one = MemoryRelease(lambda: now[0], release)
        one.touch()
        now[0] += GROWTH
        await until(lambda: one._timer is None)
        assert released == [0]
        now[0] += 1
        one.touch()
        await until(lambda: released == [1])
        await until(lambda: one._releasing is None)
        assert one._timer is None

    asyncio.run(run())


def test_memory_in_use_is_not_released_for_ever() -> None:
    async def run() -> None:
        now, released = [100], [0]

        def release() -> None:
            released[0] += 1

        one = MemoryRelease(lambda: now[0], release)
        one.touch()
        now[0] += GROWTH + 1
        await until(lambda: released == [TRIES])
        await until(lambda: one._releasing is None and one._timer is None)
        one.touch()
        await until(lambda: one._timer is None)
        assert released == [TRIES]
        one.touch()
        one.close()
        one.touch()
        assert one._timer is None

    asyncio.run(run())


def test_memory_that_was_in_use_is_released_after_it_was_dropped() -> None:
    """Seen red: what the server of 5,000 tools left stayed, since its memory had been taken for memory in use."""

    async def run() -> None:
        now, released = [100], [0]

        def release() -> None:
            released[0] += 1

        one = MemoryRelease(lambda: now[0], release)
        one.touch()
        now[0] += 2 * GROWTH
        await until(lambda: released == [TRIES] and one._releasing is None and one._timer is None)
        now[0] -= GROWTH // 2
        one.check_anew()
        await until(lambda: released[0] > TRIES)
        now[0] = 100
        await until(lambda: one._releasing is None and one._timer is None)
        assert released[0] <= 2 * TRIES

    asyncio.run(run())


@pytest.mark.skipif(sys.platform != "linux", reason="the figure of Linux, and glibc's function")
def test_freed_blocks_between_others_are_given_back() -> None:
    """What glibc keeps: small blocks, of which every other one is freed. Seen red without ``malloc_trim``."""
    blocks = [bytearray(20_000) for _ in range(6_000)]
    del blocks[::2]
    before = memory.resident_bytes()
    memory.release()
    after = memory.resident_bytes()
    assert before is not None
    assert after is not None
    assert before - after > 30 * 2**20
    assert len(blocks) == 3_000
