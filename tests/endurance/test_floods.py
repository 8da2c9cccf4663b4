"""Servers that write without end to stdout or stderr do not disturb others (case C35, C68)."""

from __future__ import annotations

import asyncio
import statistics
import sys
import time
from collections.abc import Coroutine
from typing import Any

import pytest

from tests.proxy.upstream.harness import Running, entry, running
from tests.servers.launch import raw_server_entry
from toolnote_desktop.model.servers import ServerState
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.thread import _new_loop

pytestmark = [pytest.mark.once, pytest.mark.skipif(sys.platform == "win32", reason="bytes to descriptors")]

MOST_TIMES_LONGER = 100
"""The longest of a few calls of another server, in times of a call before the flood. Six seconds would be easy."""

FLOODS = {
    "lines of one letter": (1, "x\n"),
    "long lines": (1, "y" * 1000 + "\n"),
    "messages": (1, '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}\n'),
    "changes of lists": (1, '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n'),
    "stderr": (2, "x\n"),
    "stderr without a line end": (2, "x"),
}

SCRIPT = """
import os, runpy, sys, threading
descriptor, text = int(sys.argv[1]), sys.argv[2]
data = text.encode() * (65536 // len(text))
def flood():
    while True:
        os.write(descriptor, data)
threading.Thread(target=flood, daemon=True).start()
sys.argv = sys.argv[3:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def flooding(descriptor: int, text: str) -> dict[str, Any]:
    """The raw server, with a thread that writes as fast as anybody reads."""
    server = raw_server_entry()
    args = [word for word in server["args"] if not word.startswith("-")]
    return {"command": server["command"], "args": ["-c", SCRIPT, str(descriptor), text, *args]}


def run_as_the_app(work: Coroutine[Any, Any, None]) -> None:
    """On the kind of loop that the app has."""
    with asyncio.Runner(loop_factory=_new_loop) as runner:
        runner.run(work)


async def seconds_of_calls(both: Running, count: int) -> list[float]:
    took = []
    for _ in range(count):
        began = time.perf_counter()
        assert await both.text("good", "fail", text="fine") == "fine"
        took.append(time.perf_counter() - began)
        await asyncio.sleep(0.02)
    return took


@pytest.mark.parametrize(("descriptor", "text"), FLOODS.values(), ids=list(FLOODS))
def test_the_others_do_not_notice(home: Home, descriptor: int, text: str) -> None:
    async def work() -> None:
        both_entries = {"good": raw_server_entry(), "floods": flooding(descriptor, text)}
        async with running(home, {"good": both_entries["good"]}) as both:
            await both.ready("good")
            usual = statistics.median(await seconds_of_calls(both, 30))
            both.upstreams.apply({name: entry(raw) for name, raw in both_entries.items()})
            await asyncio.sleep(0.3)  # it floods
            longest = [max(await seconds_of_calls(both, 10)) for _ in range(3)]
            assert min(longest) <= MOST_TIMES_LONGER * usual, (usual, longest)
            assert both.events.states("good") == [ServerState.STARTING, ServerState.READY]

    run_as_the_app(work())


def test_output_written_before_the_end_is_read_to_its_end(home: Home) -> None:
    """An answer behind thousands of lines, and then the process ends: it is heard."""
    noise = "".join(f"noise {number}\n" for number in range(5000))
    entry = raw_server_entry(noise={"before": noise.splitlines()})

    async def work() -> None:
        async with running(home, {"a": entry}) as servers:
            await servers.ready("a")
            assert await servers.text("a", "fail", text="heard") == "heard"
            assert len(servers["a"].log.tail()) <= 500

    run_as_the_app(work())
