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


class InUse:
    """Memory that has grown and that no release gives back."""

    def __init__(self) -> None:
        self.now = 100
        self.released = 0
        self.memory = MemoryRelease(lambda: self.now, self._release)

    def _release(self) -> None:
        self.released += 1

    async def grow(self) -> None:
        self.memory.touch()
        self.now += 2 * GROWTH
        await until(lambda: self.released == TRIES and self.is_quiet)

    @property
    def is_quiet(self) -> bool:
        return self.memory._releasing is None and self.memory._timer is None


def test_memory_in_use_is_not_released_for_ever() -> None:
    """Seen red with releases until the memory is back."""

    async def run() -> None:
        use = InUse()
        one = use.memory
        await use.grow()
        one.touch()
        await until(lambda: one._timer is None)
        assert use.released == TRIES
        one.touch()
        one.close()
        one.touch()
        assert one._timer is None

    asyncio.run(run())


def test_memory_that_was_in_use_is_released_after_it_was_dropped() -> None:
    """Seen red with ``check_anew`` as ``touch``: what the server of 5,000 tools left stayed."""

    async def run() -> None:
        use = InUse()
        await use.grow()
        use.now -= GROWTH // 2
        use.memory.check_anew()
        await until(lambda: use.released > TRIES)
        use.now = 100
        await until(lambda: use.is_quiet)
        assert use.released <= 2 * TRIES

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
