"""Functions run in threads, with their outcome in a ``concurrent.futures.Future``."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Final, ParamSpec, TypeVar

P = ParamSpec("P")
Outcome = TypeVar("Outcome")


def run_in_thread(function: Callable[[], Outcome], *, name: str) -> Future[Outcome]:
    """Run ``function`` in a daemon thread of its own: neither a closing loop nor the exit of the process waits for it.

    Returns:
        The future of its result or exception. It is running already, so it cannot be cancelled; in a coroutine use
        ``asyncio.wrap_future``, whose cancellation abandons the wait only.
    """
    future: Future[Outcome] = Future()
    future.set_running_or_notify_cancel()
    threading.Thread(target=_set_outcome_in_turns, args=(future, function), name=name, daemon=True).start()
    return future


async def in_thread(function: Callable[P, Outcome], /, *args: P.args, **kwargs: P.kwargs) -> Outcome:
    """Return the result of a blocking function, called in a thread of its own. Cancelling does not stop the thread."""
    import asyncio  # not with the module: the first paint does without it

    name = f"call of {getattr(function, '__qualname__', '')}"
    return await asyncio.wrap_future(run_in_thread(lambda: function(*args, **kwargs), name=name))


_USUAL_SWITCH_SECONDS: Final = sys.getswitchinterval()
_SWITCH_SECONDS: Final = 0.001
_working: list[object] = []
_changing = threading.Lock()


@contextmanager
def short_turns() -> Iterator[None]:
    """Let threads take turns more often than Python lets them by itself, for the time of long work in one of them.

    A thread that wants to go on waits for one that computes, usually 5 ms each time that it comes back from a file, a
    socket or one of Qt's functions: so a long list held the window, and calls, for three times as long. At other times
    the shorter turns would only make calls slower, by a fifth.
    """
    mark = object()
    with _changing:
        _working.append(mark)
        sys.setswitchinterval(_SWITCH_SECONDS)
    try:
        yield
    finally:
        with _changing:
            _working.remove(mark)
            if not _working:
                sys.setswitchinterval(_USUAL_SWITCH_SECONDS)


def _set_outcome_in_turns(future: Future[Outcome], function: Callable[[], Outcome]) -> None:
    with short_turns():
        set_outcome(future, function)


class Turns:
    """Turns for the other threads in long work: call it between parts of a millisecond or so.

    A thread that never waits makes each other one wait for the interpreter, again and again.
    """

    def __init__(self) -> None:
        self._since = time.perf_counter()
        self._is_stopped = False

    def stop(self) -> None:
        """End the work at its next turn, with ``InterruptedError`` there: its result is no longer wanted."""
        self._is_stopped = True

    def __call__(self) -> None:
        """Let the others run, if some milliseconds have passed.

        Raises:
            InterruptedError: the work is to end.
        """
        if self._is_stopped:
            raise InterruptedError
        if time.perf_counter() - self._since > _TURN:
            time.sleep(_REST)
            self._since = time.perf_counter()


_TURN: Final = 0.002
_REST: Final = 0.001
"""Seconds of work, and of rest after it."""


def set_outcome(future: Future[Outcome], function: Callable[[], Outcome]) -> None:
    """Call ``function`` and put its result or exception into a running future."""
    try:
        result = function()
    except Exception as error:  # noqa: BLE001 - raised again where the future's result is read
        future.set_exception(error)
    else:
        future.set_result(result)
