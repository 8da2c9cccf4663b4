#!/usr/bin/env python3
"""``measured.py HOME``: ``toolnote serve`` on a home, which says what it holds for each line that it is sent.

Prints serve's own line when it answers, then for each line on stdin one JSON object: bytes of memory, file descriptors,
threads, child processes, tasks, and the objects of sessions and connections. When stdin ends it goes on until a signal.
"""

from __future__ import annotations

import asyncio
import gc
import json
import sys
import threading
from collections import Counter
from pathlib import Path

import psutil

from toolnote_desktop import serve
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.thread import ProxyThread


def measure() -> dict[str, int]:
    """Return the resources of this process, without garbage that waits to be collected."""
    gc.unfreeze()  # what `serve` has taken out of the search is counted too
    gc.collect()
    process = psutil.Process()
    kinds = Counter(type(one).__name__ for one in gc.get_objects())
    thread = next(one for one in gc.get_objects() if type(one) is ProxyThread)
    loop = thread._loop
    assert loop is not None
    return {
        "rss": process.memory_info().rss,
        "fds": process.num_fds() if hasattr(process, "num_fds") else 0,
        "threads": process.num_threads(),
        "children": len(process.children(recursive=True)),
        "tasks": asyncio.run_coroutine_threadsafe(_tasks(), loop).result(30),
        "sessions": kinds["Session"],
        "connections": kinds["FastPathProtocol"],
    }


async def _tasks() -> int:
    return len(asyncio.all_tasks()) - 1  # this one


def answer() -> None:
    """Print a measurement for each line of the input."""
    for _ in sys.stdin:
        sys.stdout.write(json.dumps(measure()) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    threading.Thread(target=answer, daemon=True).start()
    sys.exit(serve.run(Home(Path(sys.argv[1])), port=0, toolset=None, demo=False))
