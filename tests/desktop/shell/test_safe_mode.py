"""An app that cannot start says why and offers safe mode: no server, and the window as at the first start."""

from __future__ import annotations

import json
import select
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from tests.product.person import person_at
from toolnote_desktop.paths import Home

pytestmark = pytest.mark.once

# An app whose window cannot be made; whoever sees the dialog presses its button.
FAILS = """
import sys
from PySide6.QtCore import QTimer
from toolnote_desktop import app
from toolnote_desktop.__main__ import main
make = app.make_application
def make_application():
    application = make()
    timer = QTimer(application)
    def look():
        for one in application.topLevelWidgets():
            if one.objectName() == "start-failed" and one.isVisible():
                timer.stop()
                print(one.windowTitle(), "|", one.text.toPlainText().replace("\\n", " "), flush=True)
                (one.{button}).click()
    timer.timeout.connect(look)
    timer.start(20)
    return application
app.make_application = make_application
class Window:
    def __init__(self, library, link, *, fresh, has_settings):
        raise RuntimeError("the window of {server} cannot be made")
app.MainWindow = Window
sys.argv = ["toolnote", "gui"]
sys.exit(main())
"""


@pytest.fixture
def marked(home: Home, tmp_path: Path) -> Path:
    """A server that leaves a file when it is started."""
    mark = tmp_path / "started"
    home.root.mkdir(exist_ok=True)
    code = f"open({str(mark)!r}, 'w').close(); import sys; sys.stdin.read()"
    entry = {"type": "stdio", "command": sys.executable, "args": ["-c", code]}
    home.servers.write_text(json.dumps({"mcpServers": {"marked": entry}}), encoding="utf-8")
    (home.root / "window.ini").write_text("[General]\nchosen=@Invalid()\n", encoding="utf-8")
    return mark


@pytest.mark.timeout(120)
def test_safe_mode_starts_no_server_and_leads_back(marked: Path, home: Home) -> None:
    with person_at("--safe", pictures="safe-mode") as person:
        person.sees("Toolnote is in safe mode")
        person.sees("Safe mode")
        person.takes_a_picture("safe-mode")
        assert not marked.exists()
        assert not home.endpoint.exists()


def failing(button: str) -> list[str]:
    """The app that cannot start, and the button that is pressed then."""
    return [sys.executable, "-c", FAILS.replace("{button}", button).replace("{server}", "marked")]


@pytest.mark.timeout(120)
def test_a_start_that_fails_says_why_and_ends(marked: Path, home: Home) -> None:
    done = subprocess.run(failing("quit_button"), capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert "Toolnote couldn’t start | " in done.stdout
    assert "RuntimeError: the window of marked cannot be made" in done.stdout
    assert "at the start" in done.stdout
    assert not marked.exists()
    assert "cannot be made" in (home.logs / "toolnote.log").read_text(encoding="utf-8")


@pytest.mark.timeout(120)
@pytest.mark.skipif(sys.platform == "win32", reason="a process does not become another there")
def test_a_start_that_fails_goes_on_in_safe_mode(marked: Path, home: Home) -> None:
    with subprocess.Popen(failing("safe_button"), stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert "couldn’t start" in process.stdout.readline()
        command = [sys.executable, "-m", "toolnote_desktop", "gui", "--quit"]
        own = psutil.Process(process.pid)
        while "--safe" not in own.cmdline():
            assert process.poll() is None
            select.select([process.stdout], [], [], 0.05)
        while not (home.root / "run" / "app.lock").exists():
            assert process.poll() is None
        while process.poll() is None:
            subprocess.run(command, timeout=60, check=False)
        assert process.returncode == 0
    assert not marked.exists()
