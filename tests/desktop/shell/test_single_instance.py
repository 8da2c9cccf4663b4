"""A second start, in a process of its own, speaks to the first."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
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
    left.bind(address(home))
    left.close()
    assert Path(address(home)).exists()
    instance = SingleInstance(home)
    assert instance.listen()
    instance.close()


@pytest.mark.skipif(sys.platform == "win32", reason="speaks to the socket by its path")
@pytest.mark.parametrize("sent", [b"\xff\xfe\n", b"[]\n", b'{"message": 1}\n', b"[" * 60_000 + b"\n", b"x" * 200_000])
def test_invalid_message_closes_the_connection(qtbot: QtBot, home: Home, first: SingleInstance, sent: bytes) -> None:
    heard: list[object] = []
    first.message_received.connect(heard.append)
    stranger = socket.socket(socket.AF_UNIX)
    stranger.connect(address(home))
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
    assert os.stat(address(home)).st_mode & 0o077 == 0
    first.close()


def test_socket_addresses_differ_by_home_and_long_paths_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(private_folder(tmp_path)))
    deep = Home(tmp_path / ("x" * 90) / ("y" * 90))
    names = {socket_name(Home(Path("/a"))), socket_name(Home(Path("/b"))), socket_name(deep)}
    assert len(names) == 3
    assert len(os.fsencode(address(deep))) <= 100


def address(home: Home) -> str:
    """The socket's address, which exists in tests."""
    name = socket_name(home)
    assert name is not None
    return name


def private_folder(folder: Path) -> Path:
    """A runtime folder, as a login makes it; short, unlike pytest's."""
    made = Path(tempfile.mkdtemp(dir="/tmp" if sys.platform != "win32" else folder))
    made.chmod(0o700)
    return made


@pytest.mark.skipif(sys.platform == "win32", reason="owners and modes")
def test_socket_of_a_long_home_is_in_a_private_folder_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Red team L2: it had a name that any user could take. A folder of others, or a link, is no runtime folder."""
    deep = Home(tmp_path / ("x" * 90) / ("y" * 90))
    runtime = private_folder(tmp_path)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    assert Path(address(deep)).parent == runtime
    runtime.chmod(0o777)
    assert Path(address(deep)).parent != runtime
    runtime.chmod(0o700)
    link = runtime / "l"
    link.symlink_to(runtime)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(link))
    assert Path(address(deep)).parent != link
    if os.geteuid() == 0:
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
        os.chown(runtime, 65534, 65534)
        assert Path(address(deep)).parent != runtime


FOREIGN = """
import os, socket, sys
os.setuid(65534)
server = socket.socket(socket.AF_UNIX)
server.bind(sys.argv[1])
server.listen()
print("listening", flush=True)
peer, _ = server.accept()
try:
    peer.sendall(b'{"pid": 1}\\n')
    print(repr(peer.recv(4096)), flush=True)
except OSError:
    print("b''", flush=True)
"""


@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="another user, which root can become")
def test_nothing_is_sent_to_another_users_socket(
    home: Home, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Red team L2: it got the link and the activation token. Seen red without ``_is_same_user``."""
    folder = private_folder(tmp_path)
    folder.chmod(0o777)
    path = str(folder / "s")
    with subprocess.Popen([sys.executable, "-c", FOREIGN, path], stdout=subprocess.PIPE) as foreign:
        assert foreign.stdout is not None
        assert foreign.stdout.readline() == b"listening\n"
        monkeypatch.setattr(single_instance, "socket_name", lambda _: path)
        assert single_instance.send(home, {"message": "open", "target": "toolnote://secret"}) is None
        assert foreign.stdout.readline() == b"b''\n"


@pytest.mark.skipif(sys.platform == "win32", reason="speaks to the socket by its path")
def test_activation_token_with_a_null_character_is_ignored(
    qtbot: QtBot, home: Home, first: SingleInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Red team L4: it was an uncaught ValueError in the window."""
    monkeypatch.delenv("XDG_ACTIVATION_TOKEN", raising=False)
    with qtbot.waitSignal(first.message_received), socket.socket(socket.AF_UNIX) as peer:
        peer.connect(address(home))
        peer.sendall(b'{"message": "show", "activation": "a\\u0000b"}\n')
    assert "XDG_ACTIVATION_TOKEN" not in os.environ
    first.close()
