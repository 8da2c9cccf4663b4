"""``gui.py HOME FIGURES``: the real app, offscreen or not, that writes down how it fares until it is ended.

Into the file FIGURES goes, as JSON, when the window had its first picture and when the proxy answered, in seconds after
the time that ``BENCH_BEGAN`` gives, and by how many milliseconds a timer of 50 ms in the window's thread was late at
most: since the file ``FIGURES.reset`` was removed, so that starting up is not in it.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QWidget

from toolnote_desktop.paths import Home

EVERY_MS = 50


class Notes:
    """What is written down."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._reset = file.with_name(f"{file.name}.reset")
        self._began = float(os.environ["BENCH_BEGAN"])
        self._figures: dict[str, float] = {}
        self._late = 0.0
        self._last = 0.0
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)

    def note(self, name: str) -> None:
        """This happened now."""
        self._figures.setdefault(name, time.time() - self._began)
        self._write()

    def watch(self) -> None:
        """See from now on whether the window's thread is held up."""
        self._last = time.perf_counter()
        self._timer.start(EVERY_MS)

    def _tick(self) -> None:
        now = time.perf_counter()
        self._late = max(self._late, (now - self._last) * 1000 - EVERY_MS)
        self._last = now
        if self._reset.exists():
            self._reset.unlink()
            self._late = 0.0
        self._write()

    def _write(self) -> None:
        fresh = self._file.with_suffix(".new")
        fresh.write_text(json.dumps({**self._figures, "late": self._late}))
        fresh.replace(self._file)


def run(home: Home, file: Path) -> int:
    """The app on a home, as ``commands/programs.py`` starts it."""
    gc.disable()
    from toolnote_desktop import app
    from toolnote_desktop.desktop import first_paint, link

    notes: list[Notes] = []

    async def noted(window: QWidget) -> None:
        await first_paint.painted(window)
        notes.append(Notes(file))
        notes[0].note("painted")
        notes[0].watch()

    class WatchedLink(link.Link):
        """Says when the endpoint is there."""

        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            self.endpoint_changed.connect(lambda _: notes[0].note("answers"))

    # The names that the app's own file looks up.
    vars(app).update(painted=noted, Link=WatchedLink)
    return app.run(home)


if __name__ == "__main__":
    sys.exit(run(Home(Path(sys.argv[1])), Path(sys.argv[2])))
