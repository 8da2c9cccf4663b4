"""A client's end of the bridge, and something for its other end: real processes, pipes, sockets and files."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil

from tests.servers.launch import Record, control, http_server_command
from toolnote_desktop.paths import Home

MODERN_KEY = "io.modelcontextprotocol/protocolVersion"
MODERN = {MODERN_KEY: "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
PATIENCE = 30.0

# Starts a bridge that believes its interpreter is another program: what it starts as the app is then that program.
_DISGUISED = """
import sys
sys.executable, sys.frozen = sys.argv[1], sys.argv[2] == "frozen"
from toolnote_desktop import paths
from toolnote_desktop.bridge import main as bridge
sys.exit(bridge.run(paths.home_folder(sys.argv[3]), None, None))
"""

Message = dict[str, Any]


def toolnote_command(*words: str) -> list[str]:
    """Return a command of Toolnote."""
    return [sys.executable, "-m", "toolnote_desktop", *words]


class Client:
    """An MCP client that has started `toolnote bridge`."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.messages: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self.errors = b""
        self.kept: list[Any] = []
        self._readers = [
            threading.Thread(target=self._read_output, name="bridge-stdout"),
            threading.Thread(target=self._read_errors, name="bridge-stderr"),
        ]
        for reader in self._readers:
            reader.start()

    def _read_output(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.messages.put(line)
        self.messages.put(None)

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.errors += line

    def write(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message: Any) -> None:
        self.write(json.dumps(message).encode() + b"\n")

    def line(self) -> bytes:
        """The next line of the bridge's, as it came."""
        line = self.messages.get(timeout=PATIENCE)
        assert line is not None, f"the bridge ended: {self.errors.decode()}"
        return line

    def next(self) -> Any:
        """The next message."""
        return self.kept.pop(0) if self.kept else json.loads(self.line())

    def answer(self, message_id: object) -> Message:
        """The answer to a request; what comes before it is kept for ``next``."""
        for place, kept in enumerate(self.kept):
            if isinstance(kept, dict) and kept.get("id") == message_id and "method" not in kept:
                found: Message = self.kept.pop(place)
                return found
        while True:
            message = json.loads(self.line())
            if isinstance(message, dict) and message.get("id") == message_id and "method" not in message:
                answer: Message = message
                return answer
            self.kept.append(message)

    def notice(self, method: str) -> Message:
        """The next message with this method; others are kept."""
        for place, kept in enumerate(self.kept):
            if isinstance(kept, dict) and kept.get("method") == method:
                found: Message = self.kept.pop(place)
                return found
        while True:
            message: Message = json.loads(self.line())
            if message.get("method") == method:
                return message
            self.kept.append(message)

    def request(self, message_id: object, method: str, **params: Any) -> None:
        self.send({"jsonrpc": "2.0", "id": message_id, "method": method, "params": params})

    def ask(self, message_id: object, method: str, **params: Any) -> Message:
        self.request(message_id, method, **params)
        return self.answer(message_id)

    def call(self, message_id: object, tool: str, *, meta: Message | None = None, **arguments: Any) -> Message:
        params: Message = {"name": tool, "arguments": arguments, **({"_meta": meta} if meta else {})}
        return self.ask(message_id, "tools/call", **params)

    def notify(self, method: str, **params: Any) -> None:
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def shake_hands(self, version: str = "2025-06-18") -> Message:
        info = {"name": "test", "version": "1"}
        answer = self.ask("init", "initialize", protocolVersion=version, capabilities={"roots": {}}, clientInfo=info)
        self.notify("notifications/initialized")
        return answer

    def end_input(self) -> int:
        """Close stdin; the exit status."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(PATIENCE)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        for reader in self._readers:
            reader.join()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream is not None
            if stream is self.process.stdin and not stream.closed:
                with open(os.devnull, "wb") as nowhere:
                    os.dup2(nowhere.fileno(), stream.fileno())  # what is still in its buffer has no reader
            stream.close()


@contextmanager
def bridge(
    home: Home,
    *options: str,
    disguise: tuple[str, str] | None = None,
    starter: Callable[..., list[str]] = toolnote_command,
    **environment: str,
) -> Iterator[Client]:
    """Start a bridge. ``disguise``: another program as ``sys.executable``, and ``frozen`` or ``plain``."""
    command = starter("bridge", "--home", str(home.root), *options)
    if disguise is not None:
        command = [sys.executable, "-c", _DISGUISED, *disguise, str(home.root)]
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **environment},
    )
    client = Client(process)
    try:
        yield client
    finally:
        client.close()


class App:
    """A stand-in for the running app: the test HTTP server, announced by ``run/endpoint.json`` as the app does it."""

    def __init__(self, home: Home, folder: Path, **scenario: Any) -> None:
        self.home = home
        self.control_file = folder / "control"
        self.record = Record(folder / "record")
        self.scenario = scenario
        self.process: subprocess.Popen[bytes] | None = None
        self.runs = 0
        self.port = 0

    def start(self, **changes: Any) -> None:
        """Start, or start again: same port, another secret, no sessions."""
        self.runs += 1
        secret = f"secret-{self.runs}"
        self.scenario = {**self.scenario, **changes}
        http = {"token": secret, **self.scenario.get("http", {})}
        settings = {**self.scenario, "http": http, "record": str(self.record.path), "control": str(self.control_file)}
        self.control_file.unlink(missing_ok=True)
        self.process = subprocess.Popen(
            http_server_command(self.port, **settings), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE
        )
        assert self.process.stdout is not None
        ready = json.loads(self.process.stdout.readline())
        self.port = int(ready["url"].rpartition(":")[2].partition("/")[0])
        self.announce(ready["url"], self.process.pid, secret)

    def announce(self, url: str, pid: int, secret: str) -> None:
        content = {
            "url": url,
            "pid": pid,
            "startTime": psutil.Process(pid).create_time(),
            "version": "1",
            "bridgeSecret": secret,
        }
        self.home.run.mkdir(parents=True, exist_ok=True)
        new = self.home.run / "endpoint.json.new"
        new.write_text(json.dumps(content), encoding="utf-8")
        new.replace(self.home.endpoint)

    def start_again(self, **changes: Any) -> None:
        """Killed and started again."""
        self.kill()
        self.start(**changes)

    def control(self, *commands: str) -> None:
        control(self.control_file, *commands)

    def kill(self) -> None:
        """As if killed: the file stays."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            assert self.process.stdout is not None
            self.process.stdout.close()
            self.process = None

    def quit(self) -> None:
        """As the person's Quit does it: the file goes first."""
        self.home.endpoint.unlink(missing_ok=True)
        self.kill()
