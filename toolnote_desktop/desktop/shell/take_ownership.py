"""Ownership of a home: acquire it, message the window that has it, or take over from ``serve`` (docs/contract.md 4)."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from typing import Any

from toolnote_desktop.model.problem import Code, Problem, ToolnoteError
from toolnote_desktop.paths import Home
from toolnote_desktop.store.home_lock import HomeOwner

log = logging.getLogger(__name__)

PATIENCE_SECONDS = 15.0
"""Time limit for another process to start listening, or to exit."""

_PAUSE_SECONDS = 0.1


def own_home(
    home: Home,
    start_message: Callable[[], Mapping[str, Any]],
    may_take_over: Callable[[Problem], bool],
    *,
    patience: float = PATIENCE_SECONDS,
) -> HomeOwner | None:
    """Acquire the home, yet to be introduced; return None where its window has received ``start_message()`` instead.

    Args:
        may_take_over: called where ``serve`` owns the home; True ends that process.
        patience: time limit in seconds.

    Raises:
        ToolnoteError: ``home-owned`` where the owner can neither be reached nor ended.
    """
    deadline = time.monotonic() + patience
    allowed = False
    while True:
        try:
            return HomeOwner.acquire(home, "window", announced=False)
        except ToolnoteError as error:
            if error.problem.code is not Code.HOME_OWNED:
                raise
            if error.problem.parameters.get("owner") == "serve":
                if not allowed and not may_take_over(error.problem):
                    raise
                if not allowed:
                    end_serve(error.problem)
                    deadline = time.monotonic() + patience
                allowed = True
            elif _deliver(home, start_message()):
                return None
            if time.monotonic() > deadline:  # starting and exiting take less
                raise
        time.sleep(_PAUSE_SECONDS)


def _deliver(home: Home, message: Mapping[str, Any]) -> bool:
    from toolnote_desktop.desktop.shell.single_instance import send  # few starts are second ones

    return send(home, message) is not None


def end_serve(problem: Problem) -> None:
    """Terminate the process that owns the home; the caller waits for the lock.

    ``home-owned`` names the process only where its start time is the one on record, so that no other is terminated.
    """
    pid = problem.parameters.get("pid", "")
    if not pid.isdigit():
        log.warning("the process id of serve is unknown: it is not terminated")
        return
    import psutil

    try:
        psutil.Process(int(pid)).terminate()
    except psutil.Error as error:
        log.warning("process %s cannot be terminated: %s", pid, type(error).__name__)


def wait_for_exit(pid: int, patience: float) -> bool:
    """Return True if a process exits within ``patience`` seconds; a zombie counts as exited."""
    import psutil

    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        try:
            if psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        time.sleep(_PAUSE_SECONDS)
    return False
