"""The app with its window shown, offscreen: what its window costs those who call, and what they cost the window."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks.client import HttpClient
from tests.benchmarks.endpoints import Endpoint, toolnote
from tests.benchmarks.rounds import Plan, Round, many_at_once
from tests.benchmarks.scenarios import PATIENCE, when_all_listed

TOOLS = 300


def window(folder: Path, rounds: int) -> Round:
    """The figures of the app with 300 tools, its calls compared with those of ``serve`` on the same library."""
    figures = folder / "window.json"
    shown, headless = folder / "shown", folder / "headless"
    shown.mkdir()
    headless.mkdir()
    bare = statistics.median(_bare_window() for _ in range(3))
    with _app(shown, figures) as app, toolnote(headless, TOOLS) as serve:
        asyncio.run(when_all_listed(serve, TOOLS))
        asyncio.run(when_all_listed(app, TOOLS))
        time.sleep(2)  # the window takes in what came
        ratios = asyncio.run(_compare(app, serve, rounds, figures))
        found = json.loads(figures.read_text())
        return {
            "window: first picture after start, s": found["painted"],
            "window: first picture, x bare window": found["painted"] / bare,
            "window: proxy answers after start, s": found["answers"],
            "window: p95 at 32, x serve": ratios,
            "window: 50 ms timer late meanwhile, ms": found["late"],
            "window: RSS, MB": app.rss(),
        }


BARE = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QWidget

class Window(QWidget):
    def paintEvent(self, event):
        QTimer.singleShot(0, application.quit)

application = QApplication([])
window = Window()
window.resize(1360, 840)
window.show()
application.exec()
print(flush=True)
"""
"""The floor of a window: what Python, Qt and the screen take for an empty one."""


def _bare_window() -> float:
    """Seconds from the start of a process to the first picture of an empty window of the same size."""
    began = time.perf_counter()
    command, environment = [sys.executable, "-c", BARE], {**os.environ, **_platform()}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None
        assert process.stdout.readline(), "the bare window has ended before its picture"
        return time.perf_counter() - began


def _platform() -> dict[str, str]:
    return {} if os.environ.get("QT_QPA_PLATFORM") else {"QT_QPA_PLATFORM": "offscreen"}


@contextlib.contextmanager
def _app(folder: Path, figures: Path) -> Iterator[Endpoint]:
    more = {**_platform(), "BENCH_WINDOW": str(figures), "BENCH_BEGAN": str(time.time())}
    with toolnote(folder, TOOLS, environment=more) as endpoint:
        told = folder / "home" / "run" / "endpoint.json"
        deadline = time.monotonic() + PATIENCE
        while not (told.exists() and figures.exists() and "answers" in json.loads(figures.read_text())):
            if time.monotonic() > deadline:
                raise TimeoutError("the app does not answer")
            time.sleep(0.01)
        endpoint.token = json.loads(told.read_text())["bridgeSecret"]
        yield endpoint


async def _compare(app: Endpoint, serve: Endpoint, rounds: int, figures: Path) -> float:
    clients = [(endpoint, HttpClient(endpoint.port, token=endpoint.token)) for endpoint in (app, serve)]
    plan = Plan(seconds=0.5)
    for endpoint, client in clients:
        await client.open()
        await many_at_once(endpoint, client, plan)
    figures.with_name(f"{figures.name}.reset").touch()
    await asyncio.sleep(0.2)
    found = []
    for _ in range(rounds):
        (_, shown, _), (_, headless, _) = [await many_at_once(endpoint, client, plan) for endpoint, client in clients]
        found.append(shown / headless)
    for _, client in clients:
        client.close()
    return statistics.median(found)
