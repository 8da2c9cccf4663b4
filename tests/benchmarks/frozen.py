"""A frozen build beside the app from source, in turn: the bridge's first answer, and the window's first picture.

``python3 packaging/dev.py bench --frozen dist/toolnote``, on Linux. A picture is there when the screen shows it (Xvfb
keeps its screen in a file, so nobody has to be asked), and without a screen when the app's log says so. Both have their
files in memory after the first turn, which does not count. Processor time is that of all threads until then.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import mmap
import os
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from tests.benchmarks.endpoints import PATIENCE, REPOSITORY, free_port, toolnote
from tests.benchmarks.scenarios import PipeClient, when_all_listed

TURNS = 11
SCREEN = (1440, 900)
PAINTED = "the window has been painted"
"""Log message of the first paint (``toolnote_desktop/app.py``)."""


@dataclass
class Turn:
    """Seconds: by the clock, and of the processor."""

    clock: float
    cpu: float


def main(bundle: Path) -> int:
    """Measure and print."""
    programs = {"source": [sys.executable, "-m", "toolnote_desktop"], "frozen": [str(bundle / "toolnote")]}
    with tempfile.TemporaryDirectory(prefix="toolnote-frozen-") as name:
        folder = Path(name)
        # Compiled once, as an installed program is.
        compiled = {"PYTHONPYCACHEPREFIX": str(folder / "compiled"), "PYTHONPATH": str(REPOSITORY)}
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ.update(compiled)
        print("| to | source, s | frozen, s | ratio | source, CPU s | frozen, CPU s | ratio |")
        print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
        with _serving(folder) as home:
            _compare("a bridge's first answer", programs, lambda program: first_answer(program, home))
        offscreen = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
        _compare("the first picture, offscreen", programs, lambda program: picture_in_log(program, folder, offscreen))
        with screen(folder) as shown:
            _compare("the first picture on a screen", programs, lambda program: picture_on(shown, program, folder))
        _compare("the proxy's answer", programs, lambda program: proxy_answers(program, folder, offscreen))
    return 0


def _compare(what: str, programs: dict[str, list[str]], measure: Callable[[list[str]], Turn]) -> None:
    turns: dict[str, list[Turn]] = {name: [] for name in programs}
    for number in range(TURNS + 1):
        for name, program in programs.items():
            turn = measure(program)
            if number:
                turns[name].append(turn)
    print(f"| {what} | {' | '.join(_columns(turns, 'clock') + _columns(turns, 'cpu'))} |", flush=True)


def _columns(turns: dict[str, list[Turn]], figure: str) -> list[str]:
    source, frozen = ([getattr(turn, figure) for turn in each] for each in turns.values())
    ratios = [own / other for own, other in zip(frozen, source, strict=True)]
    return [f"{statistics.median(values):.3f}" for values in (source, frozen)] + [f"{statistics.median(ratios):.2f}"]


def cpu_of(pid: int) -> float:
    """Seconds that the threads of a process have had the processor."""
    spent = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        with contextlib.suppress(OSError):  # it has just ended
            spent += int((task / "schedstat").read_text().split()[0])
    return spent / 1e9


@contextlib.contextmanager
def _serving(folder: Path) -> Iterator[Path]:
    """The home of a running ``serve``."""
    with toolnote(folder, 50) as endpoint:
        asyncio.run(when_all_listed(endpoint, 50))
        yield folder / "home"


def first_answer(program: list[str], home: Path) -> Turn:
    """From the start of a bridge until it has passed on the answer to ``initialize``."""
    client = PipeClient([*program, "bridge", "--home", str(home), "--client", "bench"])
    try:
        return Turn(client.open(), cpu_of(client.process.pid))
    finally:
        client.end()


@contextlib.contextmanager
def app(program: list[str], folder: Path, variables: dict[str, str]) -> Iterator[tuple[subprocess.Popen[bytes], Path]]:
    """The app with its window, just started on a home of its own that is not at its first start."""
    with tempfile.TemporaryDirectory(dir=folder) as name:
        home = Path(name)
        (home / "toolsets").mkdir()
        (home / "settings.json").write_text(json.dumps({"port": free_port(), "equippedToolset": "mine"}))
        (home / "toolsets/mine.json").write_text(json.dumps({"name": "mine", "tools": []}))
        with subprocess.Popen([*program, "gui", "--home", name], env=variables, cwd=REPOSITORY) as process:
            try:
                yield process, home
            finally:
                process.terminate()
                process.wait(PATIENCE)


def wait(process: subprocess.Popen[bytes], seen: Callable[[], bool]) -> None:
    """Until something is to be seen of a program that runs."""
    deadline = time.monotonic() + PATIENCE
    while not seen():
        if process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"the app has not come so far; its status is {process.poll()}")
        time.sleep(0.001)


def picture_in_log(program: list[str], folder: Path, variables: dict[str, str]) -> Turn:
    """From the start of the app until it has painted, as its log has it."""
    began = time.time()
    with app(program, folder, variables) as (process, home):
        log = home / "logs/toolnote.log"
        wait(process, lambda: log.exists() and PAINTED in log.read_text("utf-8"))
        cpu = cpu_of(process.pid)
        line = next(line for line in log.read_text("utf-8").splitlines() if PAINTED in line)
        return Turn(datetime.fromisoformat(line[:23].replace(",", ".")).timestamp() - began, cpu)


def proxy_answers(program: list[str], folder: Path, variables: dict[str, str]) -> Turn:
    """From the start of the app until the file is there that tells bridges where to ask."""
    began = time.perf_counter()
    with app(program, folder, variables) as (process, home):
        wait(process, (home / "run/endpoint.json").exists)
        return Turn(time.perf_counter() - began, cpu_of(process.pid))


class Screen:
    """A screen that nobody looks at."""

    def __init__(self, number: str, content: mmap.mmap) -> None:
        self.variables = {**os.environ, "DISPLAY": f":{number}", "QT_QPA_PLATFORM": "xcb"}
        self._content = content
        header, _, _, _, width, height = struct.unpack_from(">6I", content)
        self._places = [header + 4 * (width * y + x) for y in range(8, height, 60) for x in range(8, width, 60)]

    def shows_a_window(self) -> bool:
        """Whether a third of it is not black."""
        lit = sum(self._content[place : place + 3] != b"\0\0\0" for place in self._places)
        return lit * 3 > len(self._places)


@contextlib.contextmanager
def screen(folder: Path) -> Iterator[Screen]:
    """Xvfb, whose memory is a file."""
    reader, writer = os.pipe()
    size = "x".join(map(str, (*SCREEN, 24)))
    command = ["Xvfb", "-displayfd", str(writer), "-screen", "0", size, "-fbdir", str(folder), "-nolisten", "tcp"]
    with subprocess.Popen(command, pass_fds=[writer], stderr=subprocess.DEVNULL) as process:
        os.close(writer)
        try:
            with open(reader, encoding="ascii") as told:
                number = told.readline().strip()
            with (
                open(folder / "Xvfb_screen0", "rb") as file,
                mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content,
            ):
                yield Screen(number, content)
        finally:
            process.terminate()


def picture_on(shown: Screen, program: list[str], folder: Path) -> Turn:
    """From the start of the app until a screen shows its window."""
    began = time.perf_counter()
    with app(program, folder, shown.variables) as (process, _):
        wait(process, shown.shows_a_window)
        turn = Turn(time.perf_counter() - began, cpu_of(process.pid))
    while shown.shows_a_window():
        time.sleep(0.01)
    return turn
