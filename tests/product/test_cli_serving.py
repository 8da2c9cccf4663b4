"""Commands beside real servers and a running Toolnote: what they say is what clients get."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.product.test_cli import PATIENCE, document, said, toolnote
from tests.servers.launch import http_server, raw_server_command
from tests.signalled import signalled_command
from tests.waiting import wait_until
from toolnote_desktop.paths import Home

ECHO = {"name": "echo", "description": "Says it again.", "inputSchema": {"type": "object"}, "x-own": {"é": 1.0}}


@dataclass
class Serving:
    """A running ``toolnote serve``: its ready line, and one client's session."""

    url: str
    token: str
    session: str = ""

    def ask(self, method: str, params: dict[str, Any] | None = None, *, number: int | None = 1) -> bytes:
        """One request of the handshake era; the JSON text of the answer."""
        parts = urlsplit(self.url)
        assert parts.hostname is not None
        headers = {
            "Authorization": f"Bearer {self.token}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            **({"Mcp-Session-Id": self.session, "MCP-Protocol-Version": "2025-11-25"} if self.session else {}),
        }
        message: dict[str, Any] = {
            "jsonrpc": "2.0",
            "method": method,
            **({"params": params} if params is not None else {}),
        }
        if number is not None:
            message["id"] = number
        connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=PATIENCE)
        try:
            connection.request("POST", parts.path, json.dumps(message), headers)
            answer = connection.getresponse()
            self.session = answer.headers.get("Mcp-Session-Id") or self.session
            assert answer.status in (200, 202), answer.read()
            body = answer.read()
        finally:
            connection.close()
        if (answer.headers.get("Content-Type") or "").startswith("text/event-stream"):
            events = [line[5:].strip() for line in body.splitlines() if line.startswith(b"data:")]
            return next(event for event in events if b'"id"' in event)
        return body

    def begin(self) -> Serving:
        """Open the session."""
        info = {"name": "test", "version": "1"}
        self.ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info})
        self.ask("notifications/initialized", number=None)
        return self


@contextmanager
def serving(*words: str, command: str = "serve") -> Iterator[Serving]:
    """Run ``toolnote serve`` (or the window's program where there is no display) while the block lasts."""
    variables = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    variables.pop("QT_QPA_PLATFORM", None)
    process = subprocess.Popen(
        [sys.executable, "-m", "toolnote_desktop", *([command] if command else []), *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=variables,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    try:
        line = process.stdout.readline()
        assert line, process.stderr.read().decode()
        ready = json.loads(line)
        assert ready["event"] == "ready"
        yield Serving(ready["url"], ready["token"])
        process.send_signal(signal.SIGTERM)
        rest, told = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, told.decode()
        assert rest == b""
        assert b"Traceback" not in told, told.decode()
    finally:
        process.kill()
        process.communicate()


def test_serve_whose_errors_nobody_reads_ends_well(home: Home) -> None:
    """U32: the reader of stderr has gone, and a warning was written since."""
    process = subprocess.Popen(
        [sys.executable, "-m", "toolnote_desktop", "serve", "--port", "0"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline()
        process.stderr.close()
        home.servers.write_text('{"mcpServers": {"gone": {"command": "/no/such/program"}}}', "utf-8")
        log = home.logs / "toolnote.log"
        wait_until(lambda: log.exists() and "'gone' is not connected" in log.read_text("utf-8"))
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0
    finally:
        process.kill()
        process.communicate()


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_signal_that_interrupts_another_thread_ends_serving_cleanly(home: Home) -> None:
    """Seen red: as one that came just before the main thread waited for it, it did not interrupt that (4 of 60)."""
    process = subprocess.Popen(
        signalled_command("serve", "--home", str(home.root), "--port", "0"),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline()
        process.send_signal(signal.SIGUSR1)
        assert process.wait(PATIENCE) == 0
    finally:
        process.kill()
        process.communicate()


@pytest.fixture
def echo(home: Home) -> Home:
    """A home with one server, ``raw``, whose tool is in the shared toolset and has a note."""
    toolnote("servers", "add", "raw", "--command", "--", *raw_server_command(tools=[ECHO, {"name": "malformed"}]))
    toolnote("toolset", "create", "work", "raw.echo")
    toolnote("toolset", "equip", "work")
    toolnote("note", "add", "raw.echo", "loud", "Say it loudly. •")
    return home


def test_the_space_around_the_given_token_is_no_part_of_it(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen red: a line end of the file that it came from made it one that nobody can send."""
    monkeypatch.setenv("TOOLNOTE_TOKEN", " given\r")
    with serving("--port", "0") as served:
        assert served.token == "given"
        served.begin()


def test_a_server_is_really_tried(home: Home) -> None:
    toolnote("servers", "add", "raw", "--command", "--", *raw_server_command(tools=[ECHO, {"name": "malformed"}]))
    told = said(toolnote("servers", "test", "raw"))
    assert "raw is ready" in told
    assert "  echo" in told
    assert "malformed" in told
    described = json.loads(toolnote("servers", "test", "raw", "--json").stdout)
    assert (described["state"], described["tools"]) == ("ready", ["echo"])
    assert described["problems"][0]["code"] == "tool-malformed"
    toolnote("servers", "disable", "raw")
    assert "raw is ready" in said(toolnote("servers", "test", "raw"))
    assert document(home.servers)["mcpServers"]["raw"]["disabled"] is True


def test_a_server_over_http_is_tried_too(home: Home) -> None:
    with http_server(tools=[ECHO]) as server:
        toolnote("servers", "add", "web", "--url", f"{server.url}?key=s3cret-value", "--header", "X-Key=s3cret-too")
        done = toolnote("servers", "test", "web", TOOLNOTE_LOG="trace")
        assert "web is ready" in said(done)
        assert b"s3cret" not in done.stdout + done.stderr
    failed = toolnote("servers", "test", "web", status=1, TOOLNOTE_LOG="trace")
    assert b'server "web" cannot be reached' in failed.stderr
    assert b"s3cret" not in failed.stdout + failed.stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["no-such-program-anywhere"], "the program no-such-program-anywhere was not found"),
        ([sys.executable, "-c", "import sys; sys.exit('the reason')"], "the reason"),
    ],
)
def test_a_server_that_fails_says_why(words: list[str], told: str) -> None:
    toolnote("servers", "add", "bad", "--command", "--", *words)
    done = toolnote("servers", "test", "bad", status=1)
    assert told in done.stderr.decode()
    assert done.stderr.count(b"\n") == 1


@pytest.mark.usefixtures("echo")
def test_tools_are_asked_for_the_first_time_without_an_app() -> None:
    first = toolnote("tools", "--json")
    assert b"listing 1 server for the first time: raw" in first.stderr
    tool = json.loads(first.stdout)["tools"][-1]
    assert tool == {
        **ECHO,
        "name": "raw_echo",
        "description": "Says it again.\n\n### Additional Tool Notes\n\n• **loud**: Say it loudly. •",
    }
    again = toolnote("tools", "--json")
    assert (again.stdout, again.stderr) == (first.stdout, b"")
    shown = said(toolnote("tools"))
    assert "raw_echo  (raw.echo)\n    Says it again.\n" in shown
    assert "    • **loud**: Say it loudly. •\n" in shown
    toolnote("servers", "disable", "raw")
    assert b"raw_echo" not in toolnote("tools", "--json").stdout


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGTERM there")
def _is_listed(client: Any, tools: bytes) -> bool:
    return tools in client.ask("tools/list", {})


@pytest.mark.usefixtures("echo")
def test_tools_says_byte_for_byte_what_a_client_gets() -> None:
    toolnote("servers", "test", "raw")  # so that the list is complete from the first moment
    with serving("--port", "0") as running:
        client = running.begin()
        for text in ("Say it loudly. •", 'Now in other words: 日本 \\ " \u2028'):
            toolnote("note", "edit", "raw.echo", "loud", text)
            expected = toolnote("tools", "--json")
            assert text in json.loads(expected.stdout)["tools"][-1]["description"]
            wait_until(partial(_is_listed, client, expected.stdout))
        toolnote("toolset", "create", "empty")
        toolnote("toolset", "equip", "empty")
        expected = toolnote("tools", "--json")
        assert b"raw_echo" not in expected.stdout
        wait_until(partial(_is_listed, client, expected.stdout))
        assert b"raw_echo" in toolnote("tools", "--json", "--toolset", "work").stdout
        assert b"raw_echo" in toolnote("tools", "--json", "--toolset", "work", "--client", "cursor").stdout
        second = toolnote("serve", "--port", "0", status=1)
        assert b"is in use by another Toolnote (serve" in second.stderr
        assert second.stderr.count(b"\n") == 1


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="there is always a display there")
@pytest.mark.parametrize("command", ["", "gui"])
@pytest.mark.usefixtures("home")
def test_with_no_display_it_serves_and_says_so(command: str) -> None:
    toolnote("toolset", "create", "work")
    with serving(command=command) as running:
        assert b'"tools"' in running.begin().ask("tools/list", {})


def _free_port() -> int:
    """Return a port that is free: the usual one may be another program's on this machine, or another test's."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def test_doctor_finds_nothing_wrong_with_a_new_home(home: Home) -> None:
    home.root.mkdir(mode=0o700, exist_ok=True)
    home.settings.write_text(json.dumps({"port": _free_port()}), encoding="utf-8")
    done = toolnote("doctor")
    assert said(done).endswith("No problems found.\n")
    assert done.stderr == b""
    assert json.loads(toolnote("doctor", "--json").stdout)["problems"] == 0


def test_the_doctor_finds_what_is_wrong_and_its_report_has_no_secret(echo: Home, tmp_path: Path) -> None:
    raw = document(echo.servers)
    raw["mcpServers"]["odd"] = {"command": 5}
    raw["mcpServers"]["gone"] = {"command": "no-such-program-anywhere", "env": {"TOKEN": "s3cret-value"}}
    leaking = {
        "command": sys.executable,
        "args": ["-c", "import os, sys; sys.exit('my token is ' + os.environ['TOKEN'])"],
        "env": {"TOKEN": "s3cret-value"},
    }
    raw["mcpServers"]["leaking"] = leaking
    raw["mcpServers"]["web"] = {"url": "http://127.0.0.1:9/mcp?key=s3cret-value"}
    raw["mcpServers"]["off"] = {"command": "x", "disabled": True}
    echo.servers.write_text(json.dumps(raw), encoding="utf-8")
    echo.settings.write_text(json.dumps({**document(echo.settings), "port": _free_port()}), encoding="utf-8")
    toolnote("toolset", "add-tool", "work", "no.such")
    toolnote("note", "add", "no.such", "kept", "x")
    report, markdown = tmp_path / "report.json", tmp_path / "report.md"
    done = toolnote("doctor", "--export", str(report), status=1, TOOLNOTE_LOG="debug")
    toolnote("doctor", "--export", str(markdown), status=1)
    searched = next(line for line in said(done).splitlines() if "looked for no-such-program-anywhere in" in line)
    assert os.environ["PATH"].split(os.pathsep)[-1] in searched
    wrong = [line for line in said(done).splitlines() if line.startswith("  !!")]
    for part in (
        "server odd",
        "no-such-program-anywhere",
        'server "leaking" stopped by itself',
        'server "web" cannot be reached',
        "the tool malformed is not served",
        'there is no tool "no.such"',
        'the note "kept"',
    ):
        assert sum(part in line for line in wrong) == 1, (part, wrong)
    for text in (done.stdout, done.stderr, report.read_bytes(), markdown.read_bytes()):
        assert b"s3cret" not in text
    written = document(report)
    assert written["problems"] == len(wrong) == markdown.read_text(encoding="utf-8").count("**wrong:**")
    assert str(Path.home()) not in report.read_text(encoding="utf-8")
