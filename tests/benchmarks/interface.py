"""The window alone, offscreen: its first paint, search, selection and typing with few and with many tools and notes.

``python -m tests.benchmarks.interface TOOLS NOTES`` prints the figures of one library as JSON, in milliseconds.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

from tests.benchmarks.endpoints import REPOSITORY
from tests.benchmarks.rounds import Round

LIBRARIES = ((300, 0), (10_000, 1_000))
"""Tools and notes."""


def interface(_folder: Path) -> Round:
    """Figures of each library."""
    found: Round = {}
    for tools, notes in LIBRARIES:
        command = [sys.executable, "-m", "tests.benchmarks.interface", str(tools), str(notes)]
        environment = {"QT_QPA_PLATFORM": "offscreen", **os.environ}
        done = subprocess.run(command, env=environment, cwd=REPOSITORY, stdout=subprocess.PIPE, text=True, check=True)
        for name, value in json.loads(done.stdout.splitlines()[-1]).items():
            found[f"{name}, {tools:,} tools, {notes:,} notes, ms"] = value
    return found


def measure(tools: int, notes: int) -> Round:
    """Figures of one library, in a process of its own."""
    from PySide6.QtWidgets import QApplication

    from tests.desktop.window.test_never_blocked import figures, slowest, window_with
    from toolnote_desktop.desktop.async_tasks import new_event_loop
    from toolnote_desktop.desktop.models.library_rows import Kind, RowKey
    from toolnote_desktop.desktop.theme.theme import Theme
    from toolnote_desktop.paths import Home

    application = QApplication([])
    loop = new_event_loop(application, already_running=True)
    asyncio._set_running_loop(loop)
    Theme(application, "light")
    found: Round = {}
    with tempfile.TemporaryDirectory(prefix="toolnote-") as folder:
        began = time.perf_counter()
        with window_with(Home(Path(folder)), tools, notes) as window:
            opened = time.perf_counter() - began
            began = time.perf_counter()
            application.processEvents()
            found["library opened"] = opened
            found["first paint"] = time.perf_counter() - began
            found.update(figures(window))
            window.go(RowKey(Kind.TOOL, "source-0", "read_0"))
            page = window.pages.tool_page
            page.notes.add_note("Ask")
            editor = page.notes.cards[-1].editor
            found["a letter in a note"] = slowest([partial(editor.insertPlainText, "x")])
    loop.stop()
    return {name: round(value * 1000, 1) for name, value in found.items()}


if __name__ == "__main__":
    print(json.dumps(measure(int(sys.argv[1]), int(sys.argv[2]))))
