"""A start that was killed or aborted leaves no exception: the next one says so and offers safe mode. Real processes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from toolnote_desktop.paths import Home
from toolnote_desktop.store.crash_marker import CrashMarker

# The app; whoever sees a dialog says so and presses a button, and the window's state is told when it is there.
APP = """
import os, signal, sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QPushButton
from toolnote_desktop import app
from toolnote_desktop.__main__ import main
ending, settled, words, *arguments = sys.argv[1:]
app.SETTLED_SECONDS = float(settled)
make, Window = app.make_application, app.MainWindow
told = set()
def make_application():
    application = make()
    timer = QTimer(application)
    def look():
        for one in application.topLevelWidgets():
            if not one.isVisible() or one in told:
                continue
            if isinstance(one, Window):
                told.add(one)
                print("window", flush=True)
            elif one.objectName().startswith("start-"):
                told.add(one)
                print(one.objectName(), flush=True)
                [button] = [button for button in one.findChildren(QPushButton) if button.text() == words]
                button.click()
    timer.timeout.connect(look)
    timer.start(10)
    return application
class Dying(Window):
    def __init__(self, library, link, *, fresh, has_settings):
        print("safe" if fresh else "usual", flush=True)
        if ending == "abort":
            os.abort()
        if ending == "kill":
            os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))
        super().__init__(library, link, fresh=fresh, has_settings=has_settings)
app.make_application, app.MainWindow = make_application, Dying
sys.argv = ["toolnote", "gui", *arguments]
sys.exit(main())
"""


@contextmanager
def app(*arguments: str, ending: str = "", settled: float = 600, presses: str = "") -> Iterator[subprocess.Popen[str]]:
    """The app: ``ending`` is how it dies while its window is made, ``presses`` what is pressed in a dialog."""
    command = [sys.executable, "-c", APP, ending, str(settled), presses, *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def told(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def dies(ending: str, *arguments: str) -> None:
    with app(*arguments, ending=ending) as process:
        assert told(process) == "usual"
        assert process.wait(60) != 0


def ends_well(process: subprocess.Popen[str]) -> None:
    process.terminate()
    assert process.wait(60) == 0


posix_only = pytest.mark.skipif(sys.platform == "win32", reason="a process is ended otherwise there")


def left_by(home: Home, starts: int) -> CrashMarker:
    """The mark that so many starts in a row have left."""
    home.run.mkdir(exist_ok=True)
    for _ in range(starts):
        CrashMarker(home).write()
    return CrashMarker(home)


class TestMark:
    def test_start_killed_twice_offers_safe_mode_and_once_does_not(self, home: Home) -> None:
        assert not left_by(home, 0).indicates_crash()
        assert not left_by(home, 1).indicates_crash()
        mark = left_by(home, 1)
        assert mark.indicates_crash()
        mark.clear()
        mark.clear()
        assert not left_by(home, 1).indicates_crash()

    def test_start_in_which_the_interpreter_failed_offers_safe_mode(self, home: Home) -> None:
        home.logs.mkdir(parents=True)
        home.faults.write_text("Fatal Python error: of last week\n")
        mark = left_by(home, 1)
        assert not mark.indicates_crash()
        with open(home.faults, "a", encoding="utf-8") as faults:
            faults.write("Fatal Python error: Aborted\n")
        assert mark.indicates_crash()

    @pytest.mark.parametrize("other", [{"at": 1.0}, {"version": "0.0.1"}, {"at": "yesterday"}, {"unfinished": None}])
    def test_that_of_before_a_power_cut_or_of_another_version_says_nothing(
        self, home: Home, other: dict[str, Any]
    ) -> None:
        mark = left_by(home, 2)
        (file,) = home.run.iterdir()
        file.write_text(json.dumps({**json.loads(file.read_text()), **other}))
        assert not mark.indicates_crash()

    def test_rubbish_says_nothing_and_a_folder_that_is_gone_is_no_harm(self, home: Home) -> None:
        mark = CrashMarker(home)
        mark.write()
        mark.clear()
        mark = left_by(home, 2)
        (file,) = home.run.iterdir()
        for rubbish in (b"", b"[]", b"\xff"):
            file.write_bytes(rubbish)
            assert not mark.indicates_crash()


@posix_only
@pytest.mark.once
@pytest.mark.timeout(240)
class TestStarts:
    @pytest.mark.parametrize("ending", ["abort", "kill"])
    def test_after_one_that_died_safe_mode_is_offered(self, home: Home, ending: str) -> None:
        dies(ending)
        dies(ending, "--background")  # nobody is asked there
        with app(presses="Start in safe mode") as process:
            assert [told(process) for _ in range(3)] == ["start-unfinished", "safe", "window"]
            assert not home.endpoint.exists()
            ends_well(process)
        with app() as process:  # it was through
            assert told(process) == "usual"

    def test_safe_mode_is_offered_again_while_starts_go_on_failing(self, home: Home) -> None:
        dies("abort")
        with app(presses="Cancel") as process:
            assert told(process) == "start-unfinished"
            assert process.wait(60) == 0
        with app(presses="Start normally", ending="abort") as process:
            assert [told(process) for _ in range(2)] == ["start-unfinished", "usual"]
            assert process.wait(60) != 0
        assert CrashMarker(home).indicates_crash()

    def test_start_killed_once_does_not_ask(self, home: Home) -> None:
        dies("kill")
        with app() as process:
            assert [told(process) for _ in range(2)] == ["usual", "window"]
            ends_well(process)

    def test_start_killed_later_counts_as_started(self, home: Home) -> None:
        with app(settled=0) as process:
            assert [told(process) for _ in range(2)] == ["usual", "window"]
            mark = home.run / "starting.json"
            while mark.exists():
                with suppress(subprocess.TimeoutExpired):
                    process.wait(0.02)
                assert process.returncode is None
            process.kill()
            process.wait(60)
        with app() as process:
            assert [told(process) for _ in range(2)] == ["usual", "window"]

    def test_a_second_start_meanwhile_is_no_failed_one(self, home: Home) -> None:
        with app() as first:
            assert [told(first) for _ in range(2)] == ["usual", "window"]
            mark = home.run / "starting.json"
            assert mark.exists()  # it is not through yet
            with app() as second:
                assert second.wait(60) == 0
                assert told(second) == ""
            ends_well(first)
        assert not mark.exists()

    def test_problem_the_user_can_solve_is_shown_in_a_dialog(self, home: Home, tmp_path: Path) -> None:
        home.run.write_text("no folder")
        with app(presses="Quit") as process:
            assert told(process) == "start-refused"
            assert process.wait(60) == 1
