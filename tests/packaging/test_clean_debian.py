"""The .deb in a clean Debian: installed, used, upgraded under a running app and assistant, and removed.

A file of its own: it takes minutes, and beside it another process does the rest (packaging/dev.py).
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.packaging.conftest import BUILD_PYTHON
from tests.packaging.debian import USER, CleanDebian
from tests.packaging.test_linux_packages import printed, the_only

pytestmark = [
    pytest.mark.frozen,
    pytest.mark.timeout(900),
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux packages"),
    pytest.mark.skipif(BUILD_PYTHON not in os.environ, reason=f"`python3 packaging/dev.py test` sets {BUILD_PYTHON}"),
    pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root can make a clean system"),
]


@pytest.fixture
def debian_and_packages(tmp_path: Path, request: pytest.FixtureRequest) -> tuple[CleanDebian, Path]:
    """Return a clean system, which is downloaded while the packages are built, and the folder of the packages."""
    with ThreadPoolExecutor(1) as pool:
        making = pool.submit(CleanDebian, tmp_path / "debian")
        packages: Path = request.getfixturevalue("built")  # by name: an argument would be made first
        return making.result(), packages


def test_on_a_clean_debian(debian_and_packages: tuple[CleanDebian, Path], tmp_path: Path) -> None:
    """Installed, started, connected, upgraded under a running app and assistant, and removed without a trace."""
    debian, built = debian_and_packages
    debian.install(older(the_only(built, "*.deb"), tmp_path))
    assert debian.run("toolnote", "--version").startswith("toolnote ")
    for file in ("applications/org.toolnote.ToolNote.desktop", "mime/packages/org.toolnote.ToolNote.xml"):
        assert (debian.root / "usr/share" / file).is_file()

    claude = debian.user_home / ".config/Claude/claude_desktop_config.json"
    own = '{\n    "mcpServers": {}, "theme": "dark"\n}\n'
    write = 'mkdir -p ~/.config/Claude && printf %s "$1" > ~/.config/Claude/claude_desktop_config.json'
    debian.run("sh", "-c", write, "sh", own, user=USER)
    debian.run("toolnote", "clients", "install", "claude-desktop", user=USER)
    entry = json.loads(claude.read_text("utf-8"))["mcpServers"]["toolnote"]
    at_login = debian.user_home / ".config/autostart/org.toolnote.ToolNote.desktop"
    debian.run("sh", "-c", f"mkdir ~/.config/autostart && : > ~/.config/autostart/{at_login.name}", user=USER)

    with (
        screen(debian),
        running_app(debian, "--demo", "--background") as app,
        Assistant(debian, entry) as assistant,
    ):
        assert "### Additional Tool Notes" in assistant.tool("tracker_create_issue")["description"]
        debian.run("toolnote", "note", "add", "tracker.create_issue", "mine", "Kept over an upgrade.", user=USER)
        assert "Kept over an upgrade." in assistant.tool("tracker_create_issue", "Kept over")["description"]
        before = documents(debian)

        # Started by the assistant's bridge or by hand, whichever was first: in the background, where nobody sees it.
        secret = endpoint(debian)["bridgeSecret"]
        debian.install(the_only(built, "*.deb"))
        while endpoint(debian).get("bridgeSecret") in (secret, None):  # nobody looks at it: it restarts by itself
            assert app.poll() is None
            time.sleep(0.2)

        assert "Kept over an upgrade." in assistant.tool("tracker_create_issue")["description"]
        answer = assistant.request("tools/call", {"name": "tracker_search_issues", "arguments": {"query": ""}})
        assert not answer.get("isError"), answer
        assert documents(debian) == before

        debian.run("sh", "-c", "echo toolnote toolnote/restore-assistants boolean true | debconf-set-selections")
        debian.run("apt-get", "-qq", "remove", "-y", "toolnote")
        assert app.wait(timeout=30) == 0
    assert claude.read_text("utf-8") == own
    assert not at_login.exists()
    assert not (debian.root / "usr/lib/toolnote").exists()
    assert not (debian.root / "usr/bin/toolnote").exists()
    assert documents(debian).keys() >= {"servers.json", "settings.json"}
    debian.run("apt-get", "-qq", "purge", "-y", "toolnote")
    assert documents(debian).keys() >= {"servers.json", "settings.json"}


def older(package: Path, folder: Path) -> Path:
    """The same package as one of an earlier version."""
    root = folder / "older"
    printed("dpkg-deb", "--raw-extract", package, root)
    control = root / "DEBIAN/control"
    control.write_text(re.sub("(?m)^Version: .*$", "Version: 0.0.1", control.read_text("utf-8")), "utf-8")
    result = folder / "toolnote_0.0.1_older.deb"
    printed("dpkg-deb", "--root-owner-group", "-Znone", "--build", root, result)
    shutil.rmtree(root)
    return result


def endpoint(debian: CleanDebian) -> dict[str, Any]:
    """What the running app says of itself; nothing while it starts."""
    try:
        found = json.loads((debian.user_home / ".config/Toolnote/run/endpoint.json").read_text("utf-8"))
    except FileNotFoundError:
        return {}
    return dict(found)


def documents(debian: CleanDebian) -> dict[str, bytes]:
    home = debian.user_home / ".config/Toolnote"
    kept = [*home.glob("*.json"), *home.glob("toolsets/*.json")]
    return {str(path.relative_to(home)): path.read_bytes() for path in kept if path.name != "catalog.json"}


@contextmanager
def screen(debian: CleanDebian) -> Iterator[None]:
    """A display for what runs in there, with a window manager: without one no window is ever minimised."""
    reader, writer = os.pipe()
    command = ["Xvfb", "-screen", "0", "1280x800x24", "-displayfd", str(writer), "-ac"]
    with subprocess.Popen(command, pass_fds=[writer], stderr=subprocess.DEVNULL) as process:
        os.close(writer)
        try:
            with open(reader, encoding="utf-8") as number:
                debian.display = f":{number.readline().strip()}"
            assert debian.display != ":", "Xvfb has not started"
            with subprocess.Popen(["openbox"], env={**os.environ, "DISPLAY": debian.display}) as manager:
                try:
                    yield
                finally:
                    manager.terminate()
        finally:
            process.terminate()


@contextmanager
def running_app(debian: CleanDebian, *options: str) -> Iterator[subprocess.Popen[bytes]]:
    """The app, once it answers: a bridge that finds none starts one of its own."""
    with subprocess.Popen(debian.command("toolnote-desktop", *options, user=USER)) as process:
        try:
            while not endpoint(debian):
                assert process.poll() is None
                time.sleep(0.2)
            yield process
        finally:
            process.kill()


class Assistant:
    """A client that starts what its configuration file says, and speaks over the pipes."""

    def __init__(self, debian: CleanDebian, entry: dict[str, Any]) -> None:
        command = debian.command(entry["command"], *entry["args"], user=USER)
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._last_id = 0

    def __enter__(self) -> Assistant:
        about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
        self.request("initialize", about)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        assert self._process.wait(timeout=30) == 0
        assert self._process.stdout is not None
        self._process.stdout.close()

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()

    def _message(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "the bridge has ended"
        message: dict[str, Any] = json.loads(line)
        return message

    def request(self, method: str, params: dict[str, Any]) -> Any:
        """The result; notices that come before it are passed over."""
        self._last_id += 1
        self._send({"jsonrpc": "2.0", "id": self._last_id, "method": method, "params": params})
        while True:
            message = self._message()
            if message.get("id") == self._last_id and "method" not in message:
                assert "result" in message, message
                return message["result"]

    def tool(self, name: str, text: str = "") -> dict[str, Any]:
        """The definition of a tool whose description holds a text; the list is read again at each notice."""
        while True:
            listed = {tool["name"]: tool for tool in self.request("tools/list", {})["tools"]}
            if name in listed and text in listed[name]["description"]:
                definition: dict[str, Any] = listed[name]
                return definition
            while self._message().get("method") != "notifications/tools/list_changed":
                pass
