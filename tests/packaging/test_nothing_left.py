"""The guard of tests/leaks.py sees what it is there to see, and nothing else."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMainWindow, QMenu

from tests.leaks import MARK, Snapshot
from toolnote_desktop.paths import Home, home_folder

PR_SET_CHILD_SUBREAPER, PR_GET_CHILD_SUBREAPER = 36, 37  # linux/prctl.h
WAIT_FOR_INPUT = "import sys; print('up', flush=True); sys.stdin.read()"


@pytest.fixture
def before() -> Snapshot:
    return Snapshot(os.environ[MARK], timers=False)


@pytest.fixture
def before_qt(qapp: QApplication) -> Snapshot:
    return Snapshot(os.environ[MARK], timers=True)


@contextmanager
def child() -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-c", WAIT_FOR_INPUT]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()  # before it runs, it has no command line yet
        yield process


def test_quiet_test_leaves_nothing(before: Snapshot) -> None:
    assert before.left(grace=0) == []


def test_thread_is_named_with_the_place_it_waits_at(before: Snapshot) -> None:
    end = threading.Event()
    thread = threading.Thread(target=end.wait, name="forgotten", daemon=True)
    thread.start()
    try:
        (line,) = before.left(grace=0)
        assert line.startswith("thread 'forgotten' is alive")
        assert "wait" in line.split("\n", 1)[1]
    finally:
        end.set()
        thread.join()
    assert before.left(grace=0) == []


def test_thread_that_is_ending_gets_its_time(before: Snapshot) -> None:
    end = threading.Event()
    threading.Thread(target=end.wait).start()
    threading.Timer(0.05, end.set).start()
    assert before.left() == []


def test_process_is_named_with_its_command(before: Snapshot) -> None:
    with child() as forgotten:
        (line,) = before.left(grace=0)
        assert line.startswith(f"process {forgotten.pid} is alive")
        assert WAIT_FOR_INPUT in line
    assert before.left(grace=0) == []


def test_process_of_a_wider_fixture_is_not_this_tests() -> None:
    with child():
        assert Snapshot(uuid.uuid4().hex, timers=False).left(grace=0) == []


@pytest.fixture
def no_subreaper() -> Iterator[None]:
    """Make orphans init's children: a test before this one may have made this process their parent."""
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    before = ctypes.c_int()
    assert prctl(PR_GET_CHILD_SUBREAPER, ctypes.byref(before), 0, 0, 0) == 0
    assert prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0) == 0
    yield
    assert prctl(PR_SET_CHILD_SUBREAPER, before.value, 0, 0, 0) == 0


@pytest.mark.usefixtures("no_subreaper")
@pytest.mark.skipif(not os.path.isdir("/proc"), reason="only /proc tells a process's environment")
def test_orphan_is_seen_though_it_is_nobodys_child(before: Snapshot) -> None:
    parent = (
        "import subprocess, sys; "
        f"command = [sys.executable, '-c', {WAIT_FOR_INPUT!r}]; "
        "child = subprocess.Popen(command, stdin=0, stdout=-3, stderr=-3, start_new_session=True); "
        "print(child.pid, flush=True); import os; os._exit(0)"
    )
    reading, writing = os.pipe()
    try:
        done = subprocess.run([sys.executable, "-c", parent], stdin=reading, capture_output=True, text=True, check=True)
        orphan = psutil.Process(int(done.stdout))
        assert orphan not in psutil.Process().children(recursive=True)
        (line,) = before.left(grace=0)
        assert line.startswith(f"process {orphan.pid} is alive")
    finally:
        os.close(writing)
        os.close(reading)


def test_window_and_its_menu_are_seen_until_deleted(before_qt: Snapshot) -> None:
    window = QMainWindow()
    menu = QMenu(window)
    assert len(before_qt.left(grace=0)) == 2
    window.deleteLater()
    del window, menu
    assert before_qt.left(grace=0) == []


def test_only_a_running_timer_counts(before_qt: Snapshot) -> None:
    timer = QTimer()
    timer.setObjectName("forgotten")
    timer.setInterval(3_600_000)
    assert before_qt.left(grace=0) == []
    timer.start()
    (line,) = before_qt.left(grace=0)
    assert "'forgotten'" in line
    timer.stop()
    assert before_qt.left(grace=0) == []


def test_users_folders_are_the_tests_own(home: Home, user_folder: Path) -> None:
    assert home_folder() == home
    assert list(home.root.iterdir()) == []
    assert Path.home() == user_folder


HANGS = """
import subprocess, sys
import pytest

@pytest.mark.timeout(1)
def test_hangs() -> None:
    with subprocess.Popen([sys.executable, "-c", "import signal; signal.pause()"]):
        pass
"""


@pytest.mark.skipif(os.name == "nt", reason="there pytest-timeout ends the whole run")
def test_timeout_ends_a_test_that_waits_for_its_process(tmp_path: Path) -> None:
    (tmp_path / "test_hangs.py").write_text(HANGS, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.conftest", "-p", "no:cacheprovider", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert "Timeout (>1.0s)" in done.stdout
    assert "left behind" not in done.stdout
