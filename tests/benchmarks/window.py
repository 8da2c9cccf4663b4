"""The app with its window shown, offscreen: what its window costs those who call, and what they cost the window."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks.client import HttpClient
from tests.benchmarks.endpoints import COMPILED, HERE, REPOSITORY, Endpoint, toolnote
from tests.benchmarks.rounds import Plan, Round, many_at_once
from tests.benchmarks.scenarios import PATIENCE, when_all_listed

TOOLS = 300
STARTS = 7


def window(folder: Path, rounds: int) -> Round:
    """The figures of the app with 300 tools, its calls compared with those of ``serve`` on the same library."""
    figures = folder / "window.json"
    shown, headless = folder / "shown", folder / "headless"
    shown.mkdir()
    headless.mkdir()
    with _app(shown, figures) as app, toolnote(headless, TOOLS) as serve:
        asyncio.run(when_all_listed(serve, TOOLS))
        asyncio.run(when_all_listed(app, TOOLS))
        time.sleep(2)  # the window takes in what came
        ratios = asyncio.run(_compare(app, serve, rounds, figures))
        found = {
            "window: p95 at 32, x serve": ratios,
            "window: 50 ms timer late meanwhile, ms": json.loads(figures.read_text())["late"],
            "window: RSS, MB": app.rss(),
        }
    return {**_starts(folder, shown / "home"), **found}


def _starts(folder: Path, used: Path) -> Round:
    """Starts with an empty home, with the one that has just been used, and of an empty window: in turn, the medians.

    The used one's picture has its tools in it, and the page of one.
    """
    found: dict[str, list[float]] = {}
    for number in range(STARTS):
        bare, bare_cpu = _bare_window()
        for name, source in (("", used), (", empty home", None)):
            own = folder / f"start-{number}{name.replace(', ', '-').replace(' ', '-')}"
            if source is None:
                own.mkdir()
            else:
                shutil.copytree(source, own, ignore=shutil.ignore_patterns("run"))
            told = _started(own)
            for figure, value in (
                ("first picture after start, s", told["painted"]),
                ("first picture, x bare window", told["painted"] / bare),
                ("first picture, processor time, x bare window", told["painted, CPU"] / bare_cpu),
                ("proxy answers after start, s", told["answers"]),
            ):
                found.setdefault(f"window: {figure}{name}", []).append(value)
    return {figure: statistics.median(values) for figure, values in found.items()}


def _started(home: Path) -> dict[str, float]:
    """What the app says of its start on a home; it has ended."""
    figures = home.with_suffix(".json")
    more = {**_platform(), "PYTHONPATH": str(REPOSITORY), "BENCH_BEGAN": str(time.time()), "BENCH_END": "1"}
    command = [sys.executable, str(HERE / "gui.py"), str(home), str(figures)]
    subprocess.run(command, env={**os.environ, **COMPILED, **more}, check=True, timeout=PATIENCE)
    told: dict[str, float] = json.loads(figures.read_text())
    return told


BARE = """
import time
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMainWindow

class Window(QMainWindow):
    def paintEvent(self, event):
        QTimer.singleShot(0, application.quit)

application = QApplication([])
window = Window()
window.resize(1360, 840)
window.show()
application.exec()
print(time.time(), time.process_time(), flush=True)
"""
"""The floor of a window: what Python, Qt and the screen take for an empty one."""


def _bare_window() -> tuple[float, float]:
    """Seconds from the start of a process to the first picture of an empty window, and of processor time until then."""
    began = time.time()
    environment = {**os.environ, **COMPILED, **_platform()}
    done = subprocess.run([sys.executable, "-c", BARE], stdout=subprocess.PIPE, env=environment, check=True, text=True)
    painted, cpu = map(float, done.stdout.split())
    return painted - began, cpu


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
