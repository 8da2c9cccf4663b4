"""The desktop app as a process: it starts, is one, hears later starts, and ends in order. Real processes, no screen."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.product.person import person_at
from tests.servers.launch import raw_server_entry
from tests.waiting import is_gone
from toolnote_desktop.app import SAVE_SECONDS
from toolnote_desktop.desktop.proxy_link import STOP_SECONDS
from toolnote_desktop.paths import Home

PATIENCE = 60
FIRST_RUN = "Nothing leaves this computer that didn’t leave it before."
"""On the page of the first run, and nowhere else."""
TO_END = 20.0
"""Seconds: case C67 allows five, which a machine that does many things at once need not keep."""

# Tells on stdout what was imported when the window had been painted.
FIRST_PAINT = """
import sys
from toolnote_desktop import app
original = app.wait_until_painted
def wait_until_painted(window):
    painted = original(window)
    late = (
        "mcp", "uvicorn", "asyncio", "pydantic", "psutil", "toolnote_desktop.proxy",
        "toolnote_desktop.desktop.window.after_first_paint",
    )
    print([name for name in late if name in sys.modules], flush=True)
    return painted
app.wait_until_painted = wait_until_painted
from toolnote_desktop.__main__ import main
sys.argv = ["toolnote", "gui"]
sys.exit(main())
"""


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "toolnote_desktop", "gui", *words]


@contextmanager
def app(home: Home, *words: str, code: str | None = None) -> Iterator[subprocess.Popen[str]]:
    """The app, running: it answers."""
    with subprocess.Popen(
        [sys.executable, "-c", code] if code else command(*words),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as process:
        try:
            wait_for(home.endpoint.exists, process)
            yield process
        finally:
            if process.poll() is None:
                process.kill()


def wait_for(condition: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    """Until the condition holds; fails when the process ends before."""
    for _ in range(PATIENCE * 50):
        if condition():
            return
        try:
            process.wait(0.02)
        except subprocess.TimeoutExpired:
            continue
        raise AssertionError(f"the app has ended with {process.returncode}: {process.communicate()[1]}")
    raise AssertionError("waited in vain")


def quit_app() -> subprocess.CompletedProcess[str]:
    return subprocess.run(command("--quit"), capture_output=True, text=True, timeout=PATIENCE, check=False)


def ended_well(process: subprocess.Popen[str]) -> None:
    _, errors = process.communicate(timeout=PATIENCE)
    assert "Traceback" not in errors, errors
    assert process.returncode == 0


def endpoint(home: Home) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(home.endpoint.read_text(encoding="utf-8"))
    return told


def test_the_first_start_makes_and_uses_my_tools_and_quit_ends_it(home: Home) -> None:
    with app(home) as process:
        assert endpoint(home)["pid"] == process.pid
        asked = quit_app()
        assert (asked.returncode, asked.stderr) == (0, "")
        assert not psutil.pid_exists(process.pid) or process.wait(TO_END) == 0
        ended_well(process)
    assert json.loads(home.settings.read_text(encoding="utf-8"))["equippedToolset"] == "my-tools"
    assert json.loads(home.toolset("my-tools").read_text(encoding="utf-8"))["title"] == "My tools"
    assert not home.endpoint.exists()


def test_quit_with_nothing_running_is_fine(home: Home) -> None:
    assert quit_app().returncode == 0
    assert not home.run.exists() or not home.endpoint.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals between processes")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_with_status_0(home: Home, number: signal.Signals) -> None:
    with app(home, "--demo") as process:
        process.send_signal(number)
        ended_well(process)
    assert not home.endpoint.exists()


def test_the_time_that_parts_may_take_to_end_is_less_than_five_seconds() -> None:
    assert STOP_SECONDS + SAVE_SECONDS < 5.0


@pytest.mark.skipif(sys.platform == "win32", reason="ends it by a signal")
def test_app_quits_in_time_while_servers_hang_and_a_call_runs(home: Home, tmp_path: Path) -> None:
    """case C67. One server never answers and ignores SIGTERM, as does its own child; another is in a call."""
    record = tmp_path / "record.jsonl"
    hanging = {"initialize": "hang", "server/discover": "hang"}
    grandchild = {"pidFile": str(tmp_path / "grandchild"), "ignoreSigterm": True}
    servers = {
        "silent": raw_server_entry(on=hanging, ignoreSigterm=True, ignoreEof=True, grandchild=grandchild),
        "busy": {**raw_server_entry(record=str(record)), "toolnote": {"toolset": "my-tools"}},
    }
    home.root.mkdir(parents=True, exist_ok=True)
    home.servers.write_text(json.dumps({"mcpServers": servers}), encoding="utf-8")
    with app(home) as process, bridge() as client:
        wait_for(lambda: "busy.hang" in home.toolset("my-tools").read_text(encoding="utf-8"), process)
        assert client.stdin is not None
        client.stdin.writelines(json.dumps(message) + "\n" for message in A_CALL_THAT_HANGS)
        client.stdin.flush()
        wait_for(lambda: '"call"' in record.read_text(encoding="utf-8"), process)
        wait_for((tmp_path / "grandchild").exists, process)
        children = psutil.Process(process.pid).children(recursive=True)
        assert len(children) >= 3
        process.send_signal(signal.SIGTERM)
        assert process.wait(TO_END) == 0
        ended_well(process)
        wait_for_end_of(children)


def wait_for_end_of(processes: list[psutil.Process]) -> None:
    """The guardian that outlives the app for a moment is among them."""
    assert [process for process in processes if not is_gone(process.pid)] == []


A_CALL_THAT_HANGS = [
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    },
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "busy_hang", "arguments": {}}},
]


@contextmanager
def bridge() -> Iterator[subprocess.Popen[str]]:
    words = [sys.executable, "-m", "toolnote_desktop", "bridge", "--client", "test"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def test_the_window_paints_before_the_proxy_and_mcp_are_imported(home: Home) -> None:
    with app(home, code=FIRST_PAINT) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "[]\n"
        assert quit_app().returncode == 0
        ended_well(process)


@pytest.mark.once
def test_a_port_that_is_taken_is_no_obstacle(home: Home) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        home.root.mkdir(parents=True, exist_ok=True)
        home.settings.write_text(json.dumps({"port": port}), encoding="utf-8")
        with person_at() as person:
            person.presses("Not now")
            person.sees("Toolnote is on")
            assert f":{port}/" not in endpoint(home)["url"]
            assert quit_app().returncode == 0
            assert person.waits_for_the_end() == 0


@pytest.mark.once
def test_a_second_start_brings_the_first_to_the_front(home: Home) -> None:
    with person_at() as person:
        person.sees(FIRST_RUN)
        person.presses("Not now")
        person.closes_the_window()
        person.presses("Keep running minimized")
        person.has_it_minimised()
        second = subprocess.run(command(), capture_output=True, text=True, timeout=PATIENCE, check=False)
        assert (second.returncode, second.stdout) == (0, "")
        person.has_it_in_front()
        assert quit_app().returncode == 0
        assert person.waits_for_the_end() == 0


@pytest.mark.once
def test_in_the_background_there_is_a_window_to_reach_where_no_tray_is(home: Home) -> None:
    """A later start in the background leaves it as it is: it may come from a bridge that has not found the app yet."""
    with person_at("--background") as person:
        person.has_it_minimised()
        person.sees_no_more(FIRST_RUN)
        later = subprocess.run(command("--background"), capture_output=True, text=True, timeout=PATIENCE, check=False)
        assert (later.returncode, later.stdout) == (0, "")
        person.has_it_minimised()
        assert quit_app().returncode == 0
        assert person.waits_for_the_end() == 0


@pytest.mark.once
def test_quit_can_be_chosen_when_the_window_is_closed(home: Home) -> None:
    with person_at() as person:
        person.presses("Not now")
        person.closes_the_window()
        person.presses("Quit")
        assert person.waits_for_the_end() == 0
    assert json.loads(home.settings.read_text(encoding="utf-8"))["closeWithoutTray"] == "quit"


@pytest.mark.once
def test_a_file_given_to_a_second_start_is_previewed_by_the_first(home: Home, tmp_path: Path) -> None:
    file = tmp_path / "sent.json"
    file.write_text('{"mcpServers": {"x": {"command": "sh", "args": ["-c", "true"]}}}', encoding="utf-8")
    with person_at() as person:
        person.presses("Not now")
        assert subprocess.run(command(str(file)), timeout=PATIENCE, check=False).returncode == 0
        person.sees("Add tools from sent.json")
        person.sees("sh -c true")
        assert not home.servers.exists()
        person.presses("Add")
        person.sees_no_more("Add tools from sent.json")
        assert quit_app().returncode == 0
        assert person.waits_for_the_end() == 0
    assert json.loads(home.servers.read_text(encoding="utf-8"))["mcpServers"]["x"]["disabled"] is True


@pytest.mark.once
def test_the_demo_is_offered_and_in_use(home: Home) -> None:
    with person_at() as person:
        person.presses("Try the demo")
        person.sees("tracker")
        assert quit_app().returncode == 0
        assert person.waits_for_the_end() == 0
    assert json.loads(home.settings.read_text(encoding="utf-8"))["equippedToolset"] == "demo"


@contextmanager
def serving(home: Home) -> Iterator[subprocess.Popen[str]]:
    words = [sys.executable, "-m", "toolnote_desktop", "serve", "--port", "0"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert json.loads(process.stdout.readline())["event"] == "ready"
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.once
def test_window_offers_to_take_over_a_home_that_serve_owns(home: Home) -> None:
    with serving(home) as serve, person_at() as person:
        person.sees("Toolnote is already serving your tools")
        person.presses("Take over")
        person.sees(FIRST_RUN)
        assert serve.wait(PATIENCE) == 0
        wait_for(home.endpoint.exists, person.process)
        assert endpoint(home)["pid"] == person.process.pid
        assert quit_app().returncode == 0
        assert person.waits_for_the_end() == 0


@pytest.mark.once
def test_serve_goes_on_when_the_user_says_no_or_cannot_be_asked(home: Home) -> None:
    with serving(home) as serve:
        with person_at() as person:
            person.presses("Cancel")
            assert person.waits_for_the_end() == 1
        asked = subprocess.run(command("--background"), capture_output=True, text=True, timeout=PATIENCE, check=False)
        assert asked.returncode == 1
        assert str(serve.pid) in asked.stderr
        assert asked.stderr.count("\n") == 1
        assert serve.poll() is None
        assert os.path.exists(home.endpoint)
