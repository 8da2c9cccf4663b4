"""Who becomes the window of a home: the first start, against later ones and against ``serve``. Real processes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import psutil
import pytest
from pytestqt.qtbot import QtBot

from toolnote_desktop.desktop.shell.single_instance import SHOW
from toolnote_desktop.desktop.shell.take_ownership import own_home
from toolnote_desktop.model.problem import Code, Problem, ToolnoteError
from toolnote_desktop.paths import Home

FIRST_START = """
import sys
from PySide6.QtCore import QCoreApplication, QTimer
from toolnote_desktop.desktop.shell.single_instance import SingleInstance
from toolnote_desktop.paths import home_folder
from toolnote_desktop.store.home_lock import HomeOwner
app = QCoreApplication([])
home = home_folder(sys.argv[1])
owner = HomeOwner.acquire(home, "window")
instance = SingleInstance(home)
instance.message_received.connect(lambda said: (print("told", said["message"], flush=True), app.quit()))
print("owned", flush=True)
def listen():
    instance.listen()
QTimer.singleShot(int(sys.argv[2]), listen)
app.exec()
instance.close()
owner.release()
"""


@contextmanager
def first_start(home: Home, listens_after_ms: int) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", FIRST_START, str(home.root), str(listens_after_ms)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "owned\n"
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


@contextmanager
def serving(home: Home) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "toolnote_desktop", "serve", "--home", str(home.root), "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert json.loads(process.stdout.readline())["event"] == "ready"
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def never(_problem: Problem) -> bool:
    raise AssertionError("nobody is to be asked")


def test_the_first_start_owns_the_home(home: Home, qtbot: QtBot) -> None:
    owner = own_home(home, lambda: {"message": SHOW}, never)
    assert owner is not None
    owner.release()


@pytest.mark.parametrize("listens_after_ms", [0, 700])
def test_a_later_start_tells_the_first_even_one_that_is_just_starting(
    home: Home, qtbot: QtBot, listens_after_ms: int
) -> None:
    with first_start(home, listens_after_ms) as process:
        assert own_home(home, lambda: {"message": SHOW}, never) is None
        assert process.stdout is not None
        assert process.stdout.readline() == "told show\n"


def test_a_later_start_takes_the_place_of_one_that_is_just_ending(home: Home, qtbot: QtBot) -> None:
    with first_start(home, 3_600_000) as process:
        process.terminate()  # while the later one looks for somebody to tell
        owner = own_home(home, lambda: {"message": SHOW}, never)
    assert owner is not None
    owner.release()


def test_owner_that_neither_answers_nor_ends_is_named(home: Home, qtbot: QtBot) -> None:
    with first_start(home, 3_600_000) as process:
        with pytest.raises(ToolnoteError) as raised:
            own_home(home, lambda: {"message": SHOW}, never, patience=0.3)
        assert raised.value.problem.code is Code.HOME_OWNED
        assert raised.value.problem.parameters["pid"] == str(process.pid)


def test_serve_is_left_alone_unless_the_user_says_so(home: Home, qtbot: QtBot) -> None:
    with serving(home) as process:
        asked: list[Problem] = []

        def no(problem: Problem) -> bool:
            asked.append(problem)
            return False

        with pytest.raises(ToolnoteError):
            own_home(home, lambda: {"message": SHOW}, no)
        assert [problem.parameters["pid"] for problem in asked] == [str(process.pid)]
        assert process.poll() is None


def test_the_window_takes_over_from_serve(home: Home, qtbot: QtBot) -> None:
    with serving(home) as process:
        owner = own_home(home, lambda: {"message": SHOW}, lambda _problem: True)
        assert owner is not None
        assert psutil.pid_exists(process.pid) is False or process.wait(10) == 0
        assert not home.endpoint.exists()
        owner.release()
