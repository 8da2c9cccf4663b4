"""Calls leave no reference cycles behind, which would wait for the garbage collector."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.proxy.running import Running, raw_server, running
from toolnote_desktop.paths import Home

CALLS = 100
A_FEW = 5
"""Of each kind: the last call's parts may be held until the next one comes."""


@contextmanager
def collect_cycles(found: list[str]) -> Iterator[None]:
    """Add the names of our own objects in reference cycles that were left meanwhile."""
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        yield
        gc.collect()
        kinds = [type(one) for one in gc.garbage]
        found += [kind.__qualname__ for kind in kinds if kind.__module__.startswith("toolnote_desktop")]
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()


@pytest.mark.parametrize("kind", ["fast path", "handler"])
def test_calls_leave_no_reference_cycles(home: Home, kind: str) -> None:
    """On the fast path, and in the handler, which answers calls with a progress token."""
    with running(home, {"raw": raw_server()}) as proxy:
        call(proxy, kind, 3)  # what is made once is there
        found: list[str] = []
        with collect_cycles(found):
            call(proxy, kind, CALLS)
        most = {kind: found.count(kind) for kind in set(found) if found.count(kind) > A_FEW}
        assert not most


def call(proxy: Running, kind: str, times: int) -> None:
    client = proxy.client()
    client.initialize()
    more = {"_meta": {"progressToken": "p"}} if kind == "handler" else {}
    for number in range(times):
        assert client.call("raw_echo", {"text": f"{kind} {number}"}, **more).result["content"]
