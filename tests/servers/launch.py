"""Start the servers for tests: raw ones that misbehave on order. ``raw_server.py`` tells what they can do.

command = raw_server_command(tools=[...], record=str(tmp_path / "record.jsonl"))   # a stdio server's command line
with http_server(http={"answer": "sse"}) as server:                                # the same over streamable HTTP
    server.url, server.process, server.control("change")
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
RAW_SERVER = HERE / "raw_server.py"
HTTP_SERVER = HERE / "http_server.py"


def raw_server_command(**scenario: Any) -> list[str]:
    """The command line of a stdio server that behaves as the scenario says (keys: see ``raw_server.py``)."""
    return [sys.executable, "-I", "-S", str(RAW_SERVER), json.dumps(scenario)]


def raw_server_entry(**scenario: Any) -> dict[str, Any]:
    """The same as an entry of ``servers.json``."""
    command, *args = raw_server_command(**scenario)
    return {"type": "stdio", "command": command, "args": args}


def http_server_command(port: int = 0, **scenario: Any) -> list[str]:
    """The command line of the streamable HTTP server; it prints ``{"url": …, "pid": …}`` when it listens."""
    return [sys.executable, "-I", "-S", str(HTTP_SERVER), "--port", str(port), json.dumps(scenario)]


@dataclass
class HttpServer:
    """A running `http_server.py`."""

    url: str
    process: subprocess.Popen[bytes]
    control_file: Path | None = None

    def control(self, *commands: str) -> None:
        """Give the server commands (see ``raw_server.py``, "control"); needs a scenario with ``control``."""
        assert self.control_file is not None, "start it with control=PATH"
        control(self.control_file, *commands)


@contextmanager
def http_server(port: int = 0, **scenario: Any) -> Iterator[HttpServer]:
    """Run the streamable HTTP server for as long as the block lasts."""
    process = subprocess.Popen(http_server_command(port, **scenario), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    assert process.stdout is not None
    try:
        ready = json.loads(process.stdout.readline())
        yield HttpServer(ready["url"], process, Path(scenario["control"]) if "control" in scenario else None)
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def control(path: Path, *commands: str) -> None:
    """Append commands to a control file; the server carries them out in order."""
    with path.open("a", encoding="utf-8") as file:
        file.write("".join(command + "\n" for command in commands))


@dataclass
class Record:
    """Record that a server wrote while it ran (scenario key ``record``)."""

    path: Path
    _seen: list[dict[str, Any]] = field(default_factory=list)

    def entries(self) -> list[dict[str, Any]]:
        """Return all entries so far; a line that is still being written is left for the next time."""
        if not self.path.exists():
            return []
        lines = self.path.read_bytes().split(b"\n")[:-1]
        self._seen = [json.loads(line) for line in lines]
        return self._seen

    def received(self, method: str) -> list[dict[str, Any]]:
        """The decoded messages with this method, in the order they came in."""
        messages = (json.loads(entry["raw"]) for entry in self.entries() if entry["event"] == "in")
        return [message for message in messages if isinstance(message, dict) and message.get("method") == method]

    def events(self, event: str) -> list[dict[str, Any]]:
        """The entries of one kind, for example ``cancelled``."""
        return [entry for entry in self.entries() if entry["event"] == event]

    def wait_for(self, event: str, count: int = 1, timeout: float = 20.0, **values: Any) -> list[dict[str, Any]]:
        """Wait until ``count`` entries of that kind with these values are there; AssertionError after ``timeout`` s."""
        deadline = time.monotonic() + timeout
        while True:
            found = [e for e in self.events(event) if all(e.get(key) == value for key, value in values.items())]
            if len(found) >= count:
                return found
            assert time.monotonic() < deadline, f"no {count} x {event} {values} in {self._seen}"
            time.sleep(0.01)
