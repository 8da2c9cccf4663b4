"""A bridge that finds no app running starts it (docs/contract.md 4)."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.bridge.harness import App, bridge
from toolnote_desktop.bridge.app_discovery import app_command, clean_environment, is_running
from toolnote_desktop.paths import Home

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a script with a #! line")
APP_PROGRAM = Path(__file__).with_name("app_program.py")


class Programs:
    """A folder with a program in place of the app, and what it has seen."""

    def __init__(self, home: Home, folder: Path) -> None:
        self.home = home
        self.folder = folder
        self.file = folder / "seen"

    def install(self, name: str = "toolnote-desktop", **settings: Any) -> str:
        """The path of the ``toolnote`` beside it, as a frozen bridge's ``sys.executable``."""
        settings_file = self.folder / "settings.json"
        settings_file.write_text(json.dumps({"home": str(self.home.root), "seen": str(self.file), **settings}))
        self.script(name, f'exec {sys.executable} {APP_PROGRAM} {settings_file} "$@"')
        return str(self.folder / "toolnote")

    def script(self, name: str, text: str) -> str:
        program = self.folder / name
        program.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        program.chmod(0o755)
        return str(self.folder / "toolnote")

    def seen(self) -> list[dict[str, Any]]:
        if not self.file.exists():
            return []
        return [json.loads(line) for line in self.file.read_text(encoding="utf-8").splitlines()]

    def end(self) -> None:
        """End what was started."""
        for seen in self.seen():
            if psutil.pid_exists(seen["pid"]):
                process = psutil.Process(seen["pid"])
                process.kill()
                process.wait(20)


@pytest.fixture
def programs(home: Home, tmp_path: Path) -> Iterator[Programs]:
    folder = tmp_path / "bin"
    folder.mkdir()
    found = Programs(home, folder)
    yield found
    found.end()


@pytest.mark.parametrize("kind", ["frozen", "plain"])
def test_bridge_starts_the_app_in_the_background_and_waits(home: Home, programs: Programs, kind: str) -> None:
    name = "toolnote-desktop" if kind == "frozen" else "toolnote"
    executable = programs.install(name, delay=0.3)
    with bridge(home, disguise=(executable, kind)) as client:
        assert client.shake_hands()["result"]["serverInfo"]["name"] == "raw"
        assert client.call(1, "echo")["result"]["content"]
        assert client.end_input() == 0
        (seen,) = programs.seen()
        before = ["-m", "toolnote_desktop"] if kind == "plain" else []
        command = [] if kind == "frozen" else ["gui"]
        assert seen["arguments"] == [*before, *command, "--background", "--home", str(home.root)]
        assert seen["session"] == seen["pid"] != os.getsid(0)  # it does not end with the client's terminal
        assert psutil.pid_exists(seen["pid"])
    assert client.errors == b"toolnote bridge: Toolnote is not running: starting it\n"


def test_two_bridges_at_once_do_no_harm(home: Home, programs: Programs) -> None:
    executable = programs.install(delay=0.3)
    with bridge(home, disguise=(executable, "frozen")) as one, bridge(home, disguise=(executable, "frozen")) as two:
        for client in (one, two):
            client.request("init", "initialize", protocolVersion="2025-06-18", capabilities={})
        for client in (one, two):
            assert client.answer("init")["result"]["serverInfo"]["name"] == "raw"
            client.notify("notifications/initialized")
            assert client.call(1, "echo")["result"]["content"]


def test_a_stale_file_is_no_running_app(home: Home, start_app: Callable[..., App], programs: Programs) -> None:
    app = start_app()
    app.kill()
    with bridge(home, disguise=(programs.install(), "frozen")) as client:
        client.shake_hands()
    assert len(programs.seen()) == 1


@pytest.mark.parametrize("text", ["exit 3", None])
def test_an_app_that_does_not_start_is_said_to_each_request(home: Home, programs: Programs, text: str | None) -> None:
    executable = programs.script("toolnote-desktop", text) if text else str(programs.folder / "toolnote")
    with bridge(home, disguise=(executable, "frozen")) as client:
        for method in ("initialize", "tools/call", "server/discover"):
            error = client.ask(method, method, name="echo")["error"]
            assert error["code"] == -32000
            assert error["message"].startswith("Toolnote is not running and could not be started (")
            assert error["message"].endswith("Open Toolnote, then try again")
        assert client.ask(1, "ping")["result"] == {}
        assert client.end_input() == 0


def test_an_app_that_is_opened_by_hand_afterwards(
    home: Home, start_app: Callable[..., App], programs: Programs
) -> None:
    executable = programs.script("toolnote-desktop", "exit 3")
    with bridge(home, disguise=(executable, "frozen")) as client:
        assert "error" in client.ask(1, "initialize", protocolVersion="2025-06-18")
        start_app()
        assert client.shake_hands()["result"]
        assert client.call(2, "echo")["result"]["content"]


def test_stdin_may_end_while_the_app_is_starting(home: Home, programs: Programs) -> None:
    with bridge(home, disguise=(programs.install(delay=60), "frozen")) as client:
        client.request(1, "initialize", protocolVersion="2025-06-18")
        while not programs.seen():
            assert client.process.poll() is None
        assert client.end_input() == 0


def test_another_program_gets_a_clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    given = {
        "PATH": "/bin",
        "LD_LIBRARY_PATH": "/bundle",
        "LD_LIBRARY_PATH_ORIG": "/usr/local/lib",
        "DYLD_LIBRARY_PATH": "/bundle",
        "_PYI_ARCHIVE_FILE": "x",
        "QT_PLUGIN_PATH": "/bundle/plugins",
        "QML2_IMPORT_PATH": "/home/ana/qml",
    }
    assert clean_environment(given) == given
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "_MEIPASS", "/bundle", raising=False)
    assert clean_environment(given) == {
        "PATH": "/bin",
        "LD_LIBRARY_PATH": "/usr/local/lib",
        "QML2_IMPORT_PATH": "/home/ana/qml",
        "PYINSTALLER_RESET_ENVIRONMENT": "1",
    }


def test_an_app_image_is_started_as_a_whole(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setenv("APPIMAGE", "/apps/Toolnote.AppImage")
    assert app_command(home)[:2] == ["/apps/Toolnote.AppImage", "--background"]


def test_a_process_is_known_by_its_start_time() -> None:
    me = psutil.Process()
    assert is_running(me.pid, me.create_time())
    assert is_running(me.pid, None)
    assert not is_running(me.pid, me.create_time() - 1000)
    child = psutil.Popen([sys.executable, "-c", ""])
    created = child.create_time()
    while child.status() != psutil.STATUS_ZOMBIE:
        assert child.is_running()
    assert not is_running(child.pid, created)
    child.wait()
    assert not is_running(child.pid, created)


def test_a_frozen_bridge_starts_the_windowed_program_with_options_alone(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It knows no commands: a word would be taken for a file to open, and the window would come up."""
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", "/usr/lib/toolnote/toolnote")
    monkeypatch.delenv("APPIMAGE", raising=False)
    program, *options = app_command(home)
    assert program.endswith(("toolnote-desktop", "toolnote-desktop.exe"))
    assert options == ["--background", "--home", str(home.root)]
