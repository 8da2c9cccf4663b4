"""``Debouncer``: one run of the action for a burst of triggers."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import pytest

from toolnote_desktop.proxy.aio.debounce import Debouncer
from toolnote_desktop.proxy.aio.tasks import BackgroundTasks


def run_with(
    work: Callable[[Debouncer], Coroutine[Any, Any, None]],
    action: Callable[[], Awaitable[None]],
    quiet: float = 0.0,
    max_delay: float = 3600.0,
) -> None:
    async def go() -> None:
        debouncer = Debouncer(quiet, max_delay, action)
        running = asyncio.ensure_future(debouncer.run())
        try:
            async with asyncio.timeout(20):
                await work(debouncer)
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

    asyncio.run(go())


class Action:
    """Action that counts its runs, and waits in each until it is released."""

    def __init__(self, *, blocked: bool = False, failing: int = 0) -> None:
        self.runs = 0
        self.failing = failing
        self.released = asyncio.Event()
        self.changed = asyncio.Event()
        if not blocked:
            self.released.set()

    async def __call__(self) -> None:
        self.runs += 1
        self.changed.set()
        if self.runs <= self.failing:
            raise RuntimeError("a failure of the action")
        await self.released.wait()

    async def until(self, runs: int) -> None:
        """Return after so many runs have begun."""
        while self.runs < runs:
            self.changed.clear()
            await self.changed.wait()


def test_triggers_of_a_burst_run_the_action_once() -> None:
    action = Action()

    async def work(debouncer: Debouncer) -> None:
        for _ in range(5):
            debouncer.trigger()
        await action.until(1)
        for _ in range(20):
            await asyncio.sleep(0)
        assert action.runs == 1

    run_with(work, action)


def test_triggers_during_the_action_run_it_once_more() -> None:
    action = Action(blocked=True)

    async def work(debouncer: Debouncer) -> None:
        debouncer.trigger()
        await action.until(1)
        debouncer.trigger()
        debouncer.trigger()
        for _ in range(20):
            await asyncio.sleep(0)
        assert action.runs == 1, "runs do not overlap"
        action.released.set()
        await action.until(2)
        for _ in range(20):
            await asyncio.sleep(0)
        assert action.runs == 2

    run_with(work, action)


@pytest.mark.parametrize(("quiet", "max_delay"), [(3600.0, 0.05), (0.05, 3600.0)], ids=["max delay", "quiet"])
def test_the_shorter_delay_counts(quiet: float, max_delay: float) -> None:
    action = Action()

    async def work(debouncer: Debouncer) -> None:
        before = asyncio.get_running_loop().time()
        debouncer.trigger()
        await action.until(1)
        assert asyncio.get_running_loop().time() - before >= 0.049

    run_with(work, action, quiet, max_delay)


def test_triggers_that_never_pause_run_the_action_after_the_maximum_delay() -> None:
    action = Action()

    async def work(debouncer: Debouncer) -> None:
        while action.runs < 2:
            debouncer.trigger()
            await asyncio.sleep(0.001)

    run_with(work, action, quiet=0.05, max_delay=0.1)


def test_a_failure_is_logged_and_does_not_stop_the_debouncer(caplog: pytest.LogCaptureFixture) -> None:
    action = Action(failing=1)

    async def work(debouncer: Debouncer) -> None:
        debouncer.trigger()
        await action.until(1)
        debouncer.trigger()
        await action.until(2)

    run_with(work, action)
    assert "a debounced action failed" in caplog.text


def test_a_trigger_before_run_is_kept() -> None:
    action = Action()

    async def go() -> None:
        debouncer = Debouncer(0.0, 1.0, action)
        debouncer.trigger()
        running = asyncio.ensure_future(debouncer.run())
        async with asyncio.timeout(20):
            await action.until(1)
        running.cancel()

    asyncio.run(go())


def test_background_tasks_log_failures_and_end_when_closed(caplog: pytest.LogCaptureFixture) -> None:
    ended: list[str] = []

    async def fail() -> None:
        raise RuntimeError("a failure in the background")

    async def wait() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("cancelled")

    async def go() -> None:
        tasks = BackgroundTasks()
        tasks.spawn(fail())
        tasks.spawn(wait())
        for _ in range(5):
            await asyncio.sleep(0)
        await tasks.close()

    asyncio.run(go())
    assert ended == ["cancelled"]
    assert "a failure in the background" in caplog.text
