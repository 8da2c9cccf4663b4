"""A second start, in a process of its own, speaks to the first."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from toolnote_desktop.desktop.shell import single_instance
from toolnote_desktop.desktop.shell.single_instance import SHOW, SingleInstance, socket_name
from toolnote_desktop.paths import Home

SECOND_START = """
import json, sys
from PySide6.QtCore import QCoreApplication
from toolnote_desktop.desktop.shell.single_instance import message, send
from toolnote_desktop.paths import home_folder
app = QCoreApplication([])
print(json.dumps(send(home_folder(sys.argv[1]), message(*sys.argv[2:]))))
"""


@pytest.fixture
def first(qtbot: QtBot, home: Home) -> SingleInstance:
    home.run.mkdir(parents=True)
    instance = SingleInstance(home)
    assert instance.listen()
    return instance


def second_start(home: Home, *said: str, **variables: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", SECOND_START, str(home.root), *said],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **variables},
    )


def test_the_first_start_hears_what_a_second_was_started_for(qtbot: QtBot, home: Home, first: SingleInstance) -> None:
    with qtbot.waitSignal(first.message_received, timeout=20000) as told:
        process = second_start(home, "open", "/some/where/Gerät ☂.toolnote")
    qtbot.waitUntil(lambda: process.poll() is not None, timeout=20000)
    assert json.loads(process.communicate()[0]) == os.getpid()
    assert told.args == [{"message": "open", "target": "/some/where/Gerät ☂.toolnote"}]
    first.close()


def test_the_right_to_come_to_the_front_is_passed_on(
    qtbot: QtBot, home: Home, first: SingleInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("XDG_ACTIVATION_TOKEN", raising=False)
    with qtbot.waitSignal(first.message_received, timeout=20000):
        process = second_start(home, SHOW, XDG_ACTIVATION_TOKEN="token-of-the-desktop")
    assert os.environ["XDG_ACTIVATION_TOKEN"] == "token-of-the-desktop"
    single_instance.clear_activation_token()
    assert "XDG_ACTIVATION_TOKEN" not in os.environ
    qtbot.waitUntil(lambda: process.poll() is not None, timeout=20000)
    process.communicate()
    first.close()


def test_missing_first_instance_is_no_error(home: Home, qtbot: QtBot) -> None:
    home.run.mkdir(parents=True)
    assert single_instance.send(home, {"message": SHOW}, timeout=0.2) is None


@pytest.mark.skipif(sys.platform == "win32", reason="named pipes leave no file")
def test_a_socket_left_by_a_killed_start_is_taken_over(home: Home, qtbot: QtBot) -> None:
    home.run.mkdir(parents=True)
    left = socket.socket(socket.AF_UNIX)
    left.bind(socket_name(home))
    left.close()
    assert Path(socket_name(home)).exists()
    instance = SingleInstance(home)
    assert instance.listen()
    instance.close()


@pytest.mark.skipif(sys.platform == "win32", reason="speaks to the socket by its path")
@pytest.mark.parametrize("sent", [b"\xff\xfe\n", b"[]\n", b'{"message": 1}\n', b"x" * 200_000])
def test_invalid_message_closes_the_connection(qtbot: QtBot, home: Home, first: SingleInstance, sent: bytes) -> None:
    heard: list[object] = []
    first.message_received.connect(heard.append)
    stranger = socket.socket(socket.AF_UNIX)
    stranger.connect(socket_name(home))
    stranger.setblocking(False)
    received = b""
    left = sent

    def ended() -> bool:
        nonlocal received, left
        try:
            if left:
                left = left[stranger.send(left) :]
            piece = stranger.recv(4096)
        except BlockingIOError:
            return False
        except (BrokenPipeError, ConnectionResetError):
            return True
        received += piece
        return not piece

    qtbot.waitUntil(ended, timeout=10000)
    stranger.close()
    assert heard == []
    assert b'"ok"' not in received
    first.close()


@pytest.mark.skipif(sys.platform == "win32", reason="pipes have no mode")
def test_only_the_user_may_speak(home: Home, first: SingleInstance) -> None:
    assert os.stat(socket_name(home)).st_mode & 0o077 == 0
    first.close()


def test_socket_addresses_differ_by_home_and_long_paths_fit(tmp_path: Path) -> None:
    deep = Home(tmp_path / ("x" * 90) / ("y" * 90))
    names = {socket_name(Home(Path("/a"))), socket_name(Home(Path("/b"))), socket_name(deep)}
    assert len(names) == 3
    assert len(os.fsencode(socket_name(deep))) < 60
