"""A million recorded calls: how soon the first rows of a filter are there, and how late the window's timer is.

``python -m tests.benchmarks.activity FOLDER [ROWS]`` makes the log in a folder and prints the figures as JSON.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from toolnote_desktop.paths import Home
from toolnote_desktop.store.activity_database import Database

ROWS = 1_000_000
_FILL = """
WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {rows})
INSERT INTO calls (id, time, client, tool, toolset, outcome, seconds, sent, received, revision, behind, notes, error)
SELECT n, {now} - ({rows} - n) * 7.0, 1 + n % 3, 1 + (n * 7919) % 300, 4,
    CASE WHEN n % 11 = 0 THEN 1 WHEN n % 97 = 0 THEN 2 ELSE 0 END,
    (n * 31 % 5000) / 1000.0, 200, 900, 1 + n / 50000, n % 40 = 0, 1 + n % 2,
    CASE WHEN n % 11 = 0 THEN 5 + n % 20 END
FROM numbers
"""


def fill(home: Home, rows: int = ROWS) -> None:
    """Record so many calls of 3 clients and 300 tools, a tenth of them failed, over 81 days."""
    database = Database.open(home)
    database.close()
    with contextlib.closing(sqlite3.connect(home.activity)) as connection, connection:
        names = ["claude-desktop", "cursor", "vscode", "work", *(f"class {number}" for number in range(20))]
        connection.executemany("INSERT INTO names (text) VALUES (?)", [(name,) for name in names])
        tools = [(f"server-{number % 10}", f"tool-{number}") for number in range(300)]
        connection.executemany("INSERT INTO tools (server, tool) VALUES (?, ?)", tools)
        connection.executemany(
            "INSERT INTO note_sets (notes) VALUES (?)", [("[]",), ('[["tool", "team", "1", "user", null]]',)]
        )
        connection.execute(_FILL.format(rows=rows, now=time.time()))
        connection.execute("INSERT INTO failures SELECT id, 'message ' || id FROM calls WHERE outcome = 1")


def activity(folder: Path) -> dict[str, Any]:
    """The figures, measured in a process of its own."""
    command = [sys.executable, "-m", "tests.benchmarks.activity", str(folder)]
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True, timeout=600)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def recording(folder: Path, calls: int = 50_000) -> dict[str, float]:
    """What recording a call that worked costs the proxy's loop, and the log's own thread for a thousand of them."""
    from toolnote_desktop.model.calls.outcome import Outcome
    from toolnote_desktop.proxy.principal import Principal
    from toolnote_desktop.proxy.routing.call_records import CallRecorder
    from toolnote_desktop.proxy.routing.try_tool import WindowCaller
    from toolnote_desktop.proxy.transports.base import Reply
    from toolnote_desktop.store import activity as log_module
    from toolnote_desktop.store.activity import ActivityLog
    from toolnote_desktop.store.library import Library

    home = Home(folder)
    log_module.MOST_WAITING = calls + 1  # type: ignore[misc]
    with Library.open(home, watch=False) as library, contextlib.closing(ActivityLog(home)) as log:
        recorder = CallRecorder(library, log)
        caller, key, reply = WindowCaller(), ("server", "tool"), Reply(b'{"content":[]}')
        assert caller.principal == Principal(None)
        begun = time.thread_time()
        for _ in range(calls):
            recorder.call_ended(caller, key, 0.01, Outcome.WORKED, params=b'{"name":"tool"}', reply=reply)
        on_loop = time.thread_time() - begun
        before = time.process_time() - time.thread_time()
        assert log.flush(60)
        written = time.process_time() - time.thread_time() - before
    return {
        "recording: a call on the loop, µs": round(on_loop / calls * 1e6, 2),
        "recording: 1,000 calls in the log's thread, ms": round(written / calls * 1e6, 2),
    }


def main(folder: Path, rows: int) -> dict[str, float]:
    """Fill a log, filter and sort it on the page, and measure."""
    home = Home(folder)
    fill(home, rows)
    with _shown_page(home) as (page, turn):
        figures: dict[str, float] = {}
        firsts, lates = [], []
        for name, change in _changes(page):
            first, late = turn(change)
            figures[f"{name}, ms"] = round(first * 1000, 1)
            firsts.append(first)
            lates.append(late)
        return {
            **figures,
            "activity: first rows, worst, ms": round(max(firsts) * 1000, 1),
            "activity: first rows, median, ms": round(statistics.median(firsts) * 1000, 1),
            "activity: 50 ms timer late, worst, ms": round(max(lates) * 1000, 1),
        }


def _changes(page: Any) -> list[tuple[str, Callable[[], object]]]:
    def sort(column: int) -> Callable[[], object]:
        return lambda: page.table.horizontalHeader().sectionClicked.emit(column)

    def choose(menu: Any, value: object) -> Callable[[], object]:
        return lambda: menu.choose(value)

    return [
        ("all days", choose(page.period, 90)),
        ("failed", page.outcomes.chips["failed"].click),
        ("not allowed", page.outcomes.chips["refused"].click),
        ("one assistant, not allowed", choose(page.assistants, "cursor")),
        ("one assistant", page.outcomes.chips["all"].click),
        ("one assistant and tool", choose(page.tools, ("server-1", "tool-1"))),
        ("one tool", choose(page.assistants, "all")),
        ("all", choose(page.tools, "all")),
        ("a text", lambda: page.search.setText("message 99")),
        ("a rare text", lambda: page.search.setText("message 990014")),
        ("an absent text", lambda: page.search.setText("not recorded")),
        ("a tool's name", lambda: page.search.setText("tool-299")),
        ("no text", lambda: page.search.setText("")),
        ("seven days", choose(page.period, 7)),
        ("all days again", choose(page.period, 90)),
        ("by duration", sort(4)),
        ("by assistant", sort(1)),
        ("by tool", sort(2)),
        ("by time", sort(0)),
        ("to the end", page.table.scrollToBottom),
    ]


@contextlib.contextmanager
def _shown_page(home: Home) -> Iterator[tuple[Any, Callable[[Callable[[], object]], tuple[float, float]]]]:
    """The page in a window, and a function that makes a change: seconds to the first rows, and of the timer's delay."""
    import asyncio

    from PySide6.QtCore import QEventLoop, QTimer
    from PySide6.QtWidgets import QApplication

    from toolnote_desktop.desktop import async_tasks
    from toolnote_desktop.desktop.activity.page import ActivityPage
    from toolnote_desktop.desktop.editing.actions import Actions
    from toolnote_desktop.desktop.editing.undo import UndoStack
    from toolnote_desktop.desktop.proxy_link import ProxyLink
    from toolnote_desktop.desktop.theme.theme import Theme
    from toolnote_desktop.store.library import Library

    application = QApplication([])
    loop = async_tasks.new_event_loop(application, already_running=True)
    asyncio._set_running_loop(loop)
    theme = Theme(application)
    with Library.open(home, watch=False) as library:
        link = ProxyLink(library, home)
        changes = UndoStack(library)
        page = ActivityPage(Actions(library, changes), link)
        page.resize(1_000, 800)
        page.show_snapshot(library.snapshot)
        page.show()
        late = [0.0]
        last = [time.perf_counter()]

        def tick() -> None:
            now = time.perf_counter()
            late[0] = max(late[0], now - last[0] - 0.05)
            last[0] = now

        timer = QTimer(interval=50)
        timer.timeout.connect(tick)
        timer.start()

        def turn(change: Callable[[], object]) -> tuple[float, float]:
            shown: list[float] = []
            page.model.modelReset.connect(lambda: shown.append(time.perf_counter()))
            page.model.dataChanged.connect(lambda *_: shown.append(time.perf_counter()))
            late[0], last[0] = 0.0, time.perf_counter()
            begun = time.perf_counter()
            change()
            while not shown or page._loading.is_running or page._paging.is_running or page._typing.isActive():
                application.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 5)
            return shown[0] - begun, late[0]

        turn(page.reload)
        yield page, turn
        timer.stop()
        page.stop()
        link.stop()
        del theme


if __name__ == "__main__":
    rows = int(sys.argv[2]) if len(sys.argv) > 2 else ROWS
    print(json.dumps(main(Path(sys.argv[1]), rows)))
