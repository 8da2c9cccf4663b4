"""Becoming the one window of a home, telling the one that is there, or taking over from ``serve`` (docs/contract.md 4)."""

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
"""How long another one may take to begin to listen, or to end."""

_PAUSE_SECONDS = 0.1


def own_home(
    home: Home,
    said: Callable[[], Mapping[str, Any]],
    may_take_over: Callable[[Problem], bool],
    *,
    patience: float = PATIENCE_SECONDS,
) -> HomeOwner | None:
    """Own the home, yet to be introduced; None where another window owns it and was told what ``said()`` gives.

    ``may_take_over`` is asked where ``serve`` owns it. ``patience`` in seconds.

    Raises:
        ToolnoteError: ``home-owned`` where the owner can neither be told nor ended.
    """
    deadline = time.monotonic() + patience
    allowed = False
    while True:
        try:
            return HomeOwner.acquire(home, "window", introduced=False)
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
            elif _is_told(home, said()):
                return None
            if time.monotonic() > deadline:  # it is just starting, or just ending, but not for so long
                raise
        time.sleep(_PAUSE_SECONDS)


def _is_told(home: Home, said: Mapping[str, Any]) -> bool:
    from toolnote_desktop.desktop.shell.single_instance import tell  # few starts are second ones

    return tell(home, said) is not None


def end_serve(problem: Problem) -> None:
    """Ask the process that owns the home to end; the caller waits for the lock.

    ``home-owned`` names the process only where its start time is the one on record, so no other can be meant.
    """
    pid = problem.parameters.get("pid", "")
    if not pid.isdigit():
        log.warning("which process serves is not known; it is not ended")
        return
    import psutil

    try:
        psutil.Process(int(pid)).terminate()
    except psutil.Error as error:
        log.warning("process %s cannot be ended: %s", pid, type(error).__name__)


def ends(pid: int, patience: float) -> bool:
    """Whether a process ends within ``patience`` seconds. One whose parent has not asked for its status has ended."""
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
