"""The frozen build, made here and started as a person would: no Python, no checkout, an empty home."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer

from tests.packaging.conftest import BUILD_PYTHON, CLONE
from tests.packaging.test_assets import RESOURCES, files_below
from toolnote_desktop.paths import Home

pytestmark = [
    pytest.mark.frozen,
    pytest.mark.timeout(300),
    pytest.mark.skipif(BUILD_PYTHON not in os.environ, reason=f"`python3 packaging/dev.py test` sets {BUILD_PYTHON}"),
]


@contextmanager
def serving(bundle: Path, home: Home, *options: str) -> Iterator[Client]:
    """A client of `toolnote serve`, which ends as it should."""
    command = [str(program(bundle, "toolnote")), "serve", "--port", "0", "--home", str(home.root), *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            ready = json.loads(process.stdout.readline())
            assert ready["event"] == "ready"
            with httpx2.Client(headers={"Authorization": f"Bearer {ready['token']}"}, timeout=60) as http:
                client = Client(http, ready["url"])
                answer = client.request("initialize", INITIALIZE)
                assert answer["capabilities"]["tools"]["listChanged"] is True
                client.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
                yield client
            process.terminate()
            assert process.wait(timeout=60) == 0
        finally:
            process.kill()


def program(bundle: Path, name: str) -> Path:
    return bundle / (f"{name}.exe" if sys.platform == "win32" else name)


def test_bundle_contains_all_resources(bundle: Path) -> None:
    there = files_below(bundle / "_internal" / "toolnote_desktop" / "_resources")
    facts = {name for name in there if Path(name).parent.name == "build"}
    assert {Path(name).name for name in facts} == {"third-party-notices.txt", "licence.txt", "changelog.md", "channel"}
    assert {name: content for name, content in there.items() if name not in facts} == files_below(RESOURCES)


def test_the_notices_name_what_is_in_it(bundle: Path) -> None:
    notices = (bundle / "_internal/toolnote_desktop/_resources/build/third-party-notices.txt").read_text("utf-8")
    headings = re.findall(r"^={100}\n(\S+) ", notices, re.MULTILINE)
    brought = {path.name.partition("-")[0].lower() for path in (bundle / "_internal").glob("*.dist-info")}
    assert {"Python", "PySide6_Essentials", "mcp", "uvicorn"} <= set(headings)
    assert brought <= {heading.lower().replace("-", "_") for heading in headings}


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere an installer closes the app first")
def test_an_upgrade_under_a_running_app_does_not_break_it(bundle: Path, home: Home, tmp_path: Path) -> None:
    """The program's file is replaced; what was not imported yet comes from the one that was started."""
    own = tmp_path / "toolnote"
    shutil.copytree(bundle, own, symlinks=True)
    with serving(own, home) as client:
        replacement = tmp_path / "new"
        replacement.write_bytes(b"another version" * 1_000_000)
        os.replace(replacement, own / "toolnote")
        result = client.request("tools/call", {"name": "list-saved-toolsets", "arguments": {}})
        assert not result.get("isError"), result
        assert "prompts" in client.request("prompts/list", {})  # served by the SDK, which is imported for it


def test_serves_the_demo_library(bundle: Path, home: Home) -> None:
    with serving(bundle, home, "--demo") as client:
        # The demo servers are this same program, started once more for each.
        assert "### Additional Tool Notes" in client.wait_for_tool("tracker_create_issue")["description"]
        result = client.request("tools/call", {"name": "tracker_search_issues", "arguments": {"query": ""}})
        assert not result.get("isError"), result


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc tells which libraries a process has")
def test_a_bridge_starts_without_qt(bundle: Path, home: Home) -> None:
    """PyInstaller's own hooks would load it, and much else, before each program: three times the time to the answer."""
    command = [str(program(bundle, "toolnote")), "bridge", "--home", str(home.root)]
    with (
        serving(bundle, home),
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as bridge,
    ):
        assert bridge.stdin is not None
        assert bridge.stdout is not None
        request = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": INITIALIZE}
        bridge.stdin.write(json.dumps(request) + "\n")
        bridge.stdin.flush()
        assert "result" in json.loads(bridge.stdout.readline())
        libraries = {line.split()[-1] for line in Path(f"/proc/{bridge.pid}/maps").read_text("utf-8").splitlines()}
        ours = {path.rpartition("/")[2].partition(".")[0] for path in libraries if str(bundle) in path}
        assert "libpython3" in ours
        assert {name for name in ours if "Qt" in name or name in ("QtCore", "Shiboken", "_bz2", "_pickle")} == set()


def test_servers_get_nothing_of_the_bundle(bundle: Path, home: Home) -> None:
    """With our library paths in their environment, other programs would load our libraries and fail."""
    home.toolsets.mkdir()
    servers = {"raw": {"command": sys.executable, "args": [str(CLONE / "tests" / "servers" / "raw_server.py")]}}
    home.servers.write_text(json.dumps({"mcpServers": servers}), encoding="utf-8")
    toolset = {"name": "mine", "tools": [{"namespacedName": "raw.process"}]}
    home.toolset("mine").write_text(json.dumps(toolset), encoding="utf-8")
    with serving(bundle, home, "--toolset", "mine") as client:
        client.wait_for_tool("raw_process")
        result = client.request("tools/call", {"name": "raw_process", "arguments": {}})
        environment = json.loads(result["content"][0]["text"])["env"]
    assert environment["HOME"] == os.environ["HOME"]
    assert {name: value for name, value in environment.items() if str(bundle) in value} == {}
    assert [name for name in environment if name.startswith(("_PYI", "_MEI", "LD_LIBRARY_PATH", "QT_PLUGIN"))] == []


def test_window_opens_and_ends_when_told(bundle: Path, home: Home) -> None:
    window = [str(program(bundle, "toolnote-desktop")), "--home", str(home.root)]
    with subprocess.Popen(window, env={**os.environ, "QT_QPA_PLATFORM": "offscreen"}) as process:
        try:
            wait_for_endpoint(home, process)
            assert subprocess.run([*window, "--quit"], check=False, timeout=60).returncode == 0
            assert process.wait(timeout=60) == 0
        finally:
            process.kill()


def wait_for_endpoint(home: Home, process: subprocess.Popen[bytes]) -> None:
    home.run.mkdir(parents=True, exist_ok=True)
    changed = threading.Event()

    class Handler(FileSystemEventHandler):
        def dispatch(self, event: FileSystemEvent) -> None:
            changed.set()

    observer = Observer()
    observer.schedule(Handler(), home.run)
    with observer:
        while not home.endpoint.exists():
            changed.wait(0.2)
            changed.clear()
            assert process.poll() is None, "the window has ended before it answered"


INITIALIZE = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}


class Client:
    """The least of a streamable HTTP client: one request, one answer, as JSON or as the last event of a stream."""

    def __init__(self, http: httpx2.Client, url: str) -> None:
        self._http = http
        self._url = url
        self._headers = {"Accept": "application/json, text/event-stream"}
        self._last_id = 0

    def send(self, message: dict[str, Any]) -> httpx2.Response:
        response = self._http.post(self._url, json=message, headers=self._headers)
        assert response.is_success, response.text
        if "mcp-session-id" in response.headers:
            self._headers["Mcp-Session-Id"] = response.headers["mcp-session-id"]
        return response

    def request(self, method: str, params: dict[str, Any]) -> Any:
        self._last_id += 1
        response = self.send({"jsonrpc": "2.0", "id": self._last_id, "method": method, "params": params})
        texts = [line[5:] for line in response.text.splitlines() if line.startswith("data:")] or [response.text]
        (message,) = [one for one in map(json.loads, filter(str.strip, texts)) if one.get("id") == self._last_id]
        assert "result" in message, message
        return message["result"]

    def wait_for_tool(self, name: str) -> dict[str, Any]:
        """The definition of a tool, as soon as it is served: the list is read again at each notice of a change."""
        with self._http.stream("GET", self._url, headers=self._headers) as notices:
            lines = notices.iter_lines()
            while True:
                listed = {tool["name"]: tool for tool in self.request("tools/list", {})["tools"]}
                if name in listed:
                    definition: dict[str, Any] = listed[name]
                    return definition
                assert any("notifications/tools/list_changed" in line for line in lines), list(listed)
