"""The bridge and the real desktop app: started by the bridge, and quit by the person."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator

import psutil
import pytest

from tests.bridge.harness import bridge
from toolnote_desktop.paths import Home

TOOLNOTE = [sys.executable, "-m", "toolnote_desktop"]


@pytest.fixture
def nobody_left(home: Home) -> Iterator[None]:
    """Ends the app that a failed test has left running."""
    yield
    if home.endpoint.exists():
        process = psutil.Process(json.loads(home.endpoint.read_text(encoding="utf-8"))["pid"])
        process.kill()
        process.wait(20)


@pytest.mark.usefixtures("nobody_left")
def test_started_by_the_bridge_and_quit_by_the_person(home: Home) -> None:
    with bridge(home) as client:
        assert client.shake_hands()["result"]["serverInfo"]["name"] == "toolnote"
        assert client.ask(1, "tools/list")["result"]["tools"]
        app = psutil.Process(json.loads(home.endpoint.read_text(encoding="utf-8"))["pid"])
        assert "--background" in app.cmdline()
        subprocess.run([*TOOLNOTE, "gui", "--quit", "--home", str(home.root)], check=True, stdin=subprocess.DEVNULL)
        app.wait(30)
        result = client.call(2, "list-available-tools")["result"]
        assert result["isError"] is True
        assert result["content"][0]["text"] == "Toolnote is closed; open it to use these tools"
        assert client.ask(3, "ping")["result"] == {}
        assert not home.endpoint.exists()  # it was not started again
        assert client.end_input() == 0
