"""``gui.py HOME FIGURES``: the real app, offscreen or not, that writes down how it fares until it is ended.

Into the file FIGURES goes, as JSON, when the window had its first picture and when the proxy answered, in seconds after
the time that ``BENCH_BEGAN`` gives; the processor time until the picture; and by how many milliseconds a timer of 50 ms
in the window's thread was late at most: since the file ``FIGURES.reset`` was removed, so that starting up is not in it.
With ``BENCH_END`` it ends when the proxy answers.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

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

    def note(self, name: str) -> None:
        """This happened now."""
        self._figures.setdefault(name, time.time() - self._began)
        self._figures.setdefault(f"{name}, CPU", time.process_time())
        self._write()

    def watch(self) -> None:
        """See from now on whether the window's thread is held up."""
        from PySide6.QtCore import Qt, QTimer

        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)
        self._last = time.perf_counter()
        self._timer.start(EVERY_MS)

    def _tick(self) -> None:
        late = (time.perf_counter() - self._last) * 1000 - EVERY_MS
        if self._reset.exists():
            self._reset.unlink()
            self._late = 0.0
            self._write()
        elif late > self._late:
            self._late = late
            self._write()
        self._last = time.perf_counter()  # writing a file is no work of the window's

    def _write(self) -> None:
        fresh = self._file.with_suffix(".new")
        fresh.write_text(json.dumps({**self._figures, "late": self._late}))
        fresh.replace(self._file)


def run(home: str, file: Path) -> int:
    """``toolnote gui`` on a home, with an eye on it."""
    gc.disable()  # as `commands/programs.py` does, which comes too late here
    notes = Notes(file)
    import toolnote_desktop.desktop  # noqa: F401 - before all that is Qt's: see there
    from toolnote_desktop import app
    from toolnote_desktop.__main__ import main
    from toolnote_desktop.desktop import proxy_link
    from toolnote_desktop.desktop.shell import first_paint

    def noted(window: QWidget) -> bool:
        painted = first_paint.wait_until_painted(window)
        notes.note("painted")
        notes.watch()
        return painted

    class WatchedLink(proxy_link.ProxyLink):
        """Says when the endpoint is there."""

        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            self.endpoint_changed.connect(self._answers)

        def _answers(self, _endpoint: object) -> None:
            notes.note("answers")
            if os.environ.get("BENCH_END"):
                from PySide6.QtCore import QCoreApplication

                QCoreApplication.quit()

    # The names that the app's own file looks up.
    vars(app).update(wait_until_painted=noted, ProxyLink=WatchedLink)
    sys.argv = ["toolnote", "gui", "--home", home]
    return main()


if __name__ == "__main__":
    sys.exit(run(sys.argv[1], Path(sys.argv[2])))
