"""A person at the window of a real app process, and a virtual display for it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PROGRAM = Path(__file__).with_name("gui_program.py")
# The offscreen platform's own screen is 800 pixels wide, which is less than the window wants.
OFFSCREEN = f"offscreen:configfile={PROGRAM.with_name('offscreen.json')}"
PICTURES = Path(__file__).parents[2] / "test-artifacts" / "story"
PATIENCE = 40.0


class Person:
    """Does what a person does, by the words on the screen (``gui_program.py``). Each fails where it cannot be done."""

    def __init__(self, process: subprocess.Popen[str], pictures: str) -> None:
        self.process = process
        self._pictures = pictures
        self._taken = 0

    def presses(self, text: str) -> None:
        self._do("press", text=text)

    def writes(self, text: str, field: str = "") -> None:
        self._do("write", text=text, field=field)

    def hits(self, key: str) -> None:
        self._do("key", name=key)

    def chooses(self, row: str, among: str = "Sidebar") -> None:
        self._do("choose", row=row, among=among)

    def adds_to(self, group: str) -> None:
        """Press the plus of a group in the sidebar."""
        self._do("choose", row=group, among="Sidebar", at_end=True)

    def finds(self, row: str) -> None:
        """Search the window, and open what is found."""
        self.presses("Search")
        self.writes(row, "Search")
        self.chooses(row, "Results")

    def picks(self, text: str, field: str) -> None:
        """Choose from a menu that opens."""
        self._do("pick", text=text, field=field)

    def sees(self, text: str, among: str = "") -> str:
        seen = self._do("see", text=text, among=among)
        assert isinstance(seen, str)
        return seen

    def sees_no_more(self, text: str) -> None:
        self._do("not_see", text=text)

    def closes_the_window(self) -> None:
        self._do("close_window")

    def has_it_minimised(self) -> None:
        self._do("is_minimised")

    def has_it_hidden(self) -> None:
        self._do("is_hidden")

    def has_it_in_front(self) -> None:
        self._do("is_up")

    def has_it_dark(self) -> None:
        self._do("is_dark")

    def waits_at_most(self, seconds: float) -> float:
        """The longest that the window did nothing, in so many seconds."""
        late = self._do("lateness", seconds=seconds)
        assert isinstance(late, float)
        return late

    def takes_a_picture(self, name: str) -> None:
        PICTURES.mkdir(parents=True, exist_ok=True)
        self._taken += 1
        self._do("picture", path=str(PICTURES / f"{self._pictures}-{self._taken:02}-{name}.png"))

    def waits_for_the_end(self) -> int:
        """Until the app has ended; its status."""
        return self.process.wait(PATIENCE)

    def _do(self, what: str, **arguments: str | float | bool) -> object:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps({"do": what, "patience": PATIENCE, **arguments}) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        assert line, f"the app has ended with {self.process.wait(PATIENCE)} when asked to {what} {arguments}"
        answer: dict[str, Any] = json.loads(line)
        assert "missing" not in answer, f"{answer['missing']}; there is:\n" + "\n".join(answer["there"])
        return answer["value"]


@contextmanager
def person_at(*words: str, pictures: str = "story", **variables: str) -> Iterator[Person]:
    """A person before ``toolnote gui WORDS`` in this test's home."""
    with subprocess.Popen(
        [sys.executable, str(PROGRAM), "gui", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, "QT_QPA_PLATFORM": OFFSCREEN, "PYTHONPATH": str(PROGRAM.parents[2]), **variables},
    ) as process:
        try:
            yield Person(process, pictures)
        finally:
            process.kill()


@contextmanager
def virtual_display() -> Iterator[str]:
    """An X server with no screen; its ``DISPLAY``."""
    server = shutil.which("Xvfb")
    assert server is not None, "Xvfb is not installed"
    reader, writer = os.pipe()
    command = [server, "-displayfd", str(writer), "-screen", "0", "1400x900x24", "-nolisten", "tcp"]
    process = subprocess.Popen(command, pass_fds=[writer], stderr=subprocess.DEVNULL)
    os.close(writer)
    try:
        with os.fdopen(reader) as told:
            number = told.readline().strip()
        assert number, "Xvfb has ended"
        yield f":{number}"
    finally:
        process.terminate()
        process.wait()
