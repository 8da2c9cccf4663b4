"""Functions run in threads of their own."""

from __future__ import annotations

import asyncio
import sys
import threading
from types import SimpleNamespace

import pytest

from tests.waiting import wait_until
from toolnote_desktop.system import threads
from toolnote_desktop.system.threads import run_in_thread


def test_result_and_exception_are_in_the_future() -> None:
    thread = run_in_thread(threading.current_thread, name="a thread").result(10)
    assert thread.daemon
    assert thread.name == "a thread"
    with pytest.raises(ZeroDivisionError):
        run_in_thread(lambda: 1 // 0, name="a thread").result(10)


def test_cancelling_a_coroutine_abandons_the_wait_and_not_the_work() -> None:
    release, finished = threading.Event(), threading.Event()

    def work() -> None:
        release.wait(10)
        finished.set()

    async def abandon() -> None:
        waiting = asyncio.ensure_future(asyncio.wrap_future(run_in_thread(work, name="a thread")))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting

    asyncio.run(abandon())
    assert not finished.is_set()
    release.set()
    assert finished.wait(10)


def test_turns_rest_after_work_and_only_then(monkeypatch: pytest.MonkeyPatch) -> None:
    now, rests = [0.0], list[float]()
    clock = SimpleNamespace(perf_counter=lambda: now[0], sleep=rests.append)
    monkeypatch.setattr(threads, "time", clock)
    turns = threads.Turns()
    for _ in range(10):
        now[0] += 0.001
        turns()
    assert 3 <= len(rests) <= 5
    assert all(0 < rest <= 0.001 for rest in rests)
    turns.stop()
    with pytest.raises(InterruptedError):
        turns()


def test_threads_take_shorter_turns_while_a_function_runs() -> None:
    begun, go_on = threading.Event(), threading.Event()

    def work() -> float:
        begun.set()
        assert go_on.wait(20)
        return sys.getswitchinterval()

    first, second = (run_in_thread(work, name="work") for _ in range(2))
    assert begun.wait(20)
    go_on.set()
    assert max(first.result(20), second.result(20)) < 0.002
    wait_until(lambda: sys.getswitchinterval() > 0.002)
