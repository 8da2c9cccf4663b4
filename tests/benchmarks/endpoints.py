"""What is measured: the server alone, the floor, and Toolnote, each as processes of their own."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import psutil

HERE = Path(__file__).parent
REPOSITORY = HERE.parent.parent
TOKEN = "bench"
PATIENCE = 60.0
ECHO, BLOB = "s1_echo", "s1_blob"
COMPILED = {"PYTHONPYCACHEPREFIX": tempfile.gettempdir() + "/toolnote-benchmarks", "PYTHONDONTWRITEBYTECODE": ""}
"""Variables with which modules are compiled once, as those of an installed program are."""


class Endpoint:
    """One process that answers on a port.

    Attributes:
        echo, blob: what the two tools are called here.
    """

    def __init__(self, name: str, command: Sequence[str], port: int, environment: dict[str, str] | None = None) -> None:
        self.name = name
        self.port = port
        self.echo, self.blob = ("echo", "blob") if name == "direct" else (ECHO, BLOB)
        self.token = TOKEN if name == "toolnote" else None
        self.started = time.perf_counter()
        variables = {**os.environ, **COMPILED, **(environment or {})}
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=REPOSITORY, env=variables)
        self._own = psutil.Process(self.process.pid)

    def wait(self) -> float:
        """Seconds from its start until it takes connections."""
        while time.perf_counter() - self.started < PATIENCE:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1):
                return time.perf_counter() - self.started
            if self.process.poll() is not None:
                raise RuntimeError(f"{self.name} has ended with status {self.process.returncode}")
            time.sleep(0.005)
        raise TimeoutError(f"{self.name} does not answer")

    def cpu(self) -> float:
        """Seconds of processor time of the process itself, without the servers behind it."""
        spent = [int(text.split()[0]) for text in self._of_tasks("schedstat")]
        if spent:  # Linux counts nanoseconds; elsewhere it is hundredths of a second
            return sum(spent) / 1e9
        times = self._own.cpu_times()
        return float(times.user + times.system)

    def _of_tasks(self, name: str) -> list[str]:
        """What Linux says of each thread; nothing elsewhere."""
        tasks = Path(f"/proc/{self.process.pid}/task")
        found = []
        for task in tasks.iterdir() if tasks.is_dir() else ():
            with contextlib.suppress(OSError):  # it has just ended
                found.append((task / name).read_text())
        return found

    def rss(self) -> float:
        """Megabytes of the process itself."""
        return float(self._own.memory_info().rss) / 1e6

    def wake_ups(self) -> int:
        """How often its threads have gone to sleep so far; only Linux counts it for each thread."""
        mark = "\nvoluntary_ctxt_switches:"
        return sum(int(text.split(mark)[1].split()[0]) for text in self._of_tasks("status"))

    def end(self) -> None:
        """End it and what it started."""
        left = self._own.children(recursive=True) if self.process.poll() is None else []
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        for process in left:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()


def free_port() -> int:
    """A port that nobody has now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def entries(tools: int, servers: int = 5) -> dict[str, Any]:
    """``mcpServers`` of servers that have so many tools together."""
    program = str(HERE / "server.py")
    return {
        f"s{number}": {"command": sys.executable, "args": [program, f"s{number}", str(tools // servers)]}
        for number in range(1, servers + 1)
    }


@contextlib.contextmanager
def http_entries(tools: int, servers: int = 5) -> Iterator[dict[str, Any]]:
    """Start such servers over HTTP, and yield their ``mcpServers``."""
    found: dict[str, Any] = {}
    with contextlib.ExitStack() as started:
        for number in range(1, servers + 1):
            name, port = f"s{number}", free_port()
            command = [sys.executable, str(HERE / "server.py"), name, str(tools // servers), "--http", str(port)]
            started.enter_context(_living(Endpoint(name, command, port)))
            found[name] = {"url": f"http://127.0.0.1:{port}/mcp"}
        yield found


@contextlib.contextmanager
def direct() -> Iterator[Endpoint]:
    """The server with nobody in front of it."""
    port = free_port()
    with _living(
        Endpoint("direct", [sys.executable, str(HERE / "server.py"), "s1", "50", "--http", str(port)], port)
    ) as e:
        yield e


@contextlib.contextmanager
def floor(
    folder: Path, tools: int, listed: Path | None = None, *, behind: dict[str, Any] | None = None
) -> Iterator[Endpoint]:
    """Start the relay, in front of the servers ``behind`` it or of ones over pipes."""
    port = free_port()
    servers = folder / "floor.json"
    servers.write_text(json.dumps({"mcpServers": behind or entries(tools)}))
    command = [sys.executable, str(HERE / "floor.py"), str(servers), str(port), *([str(listed)] if listed else [])]
    with _living(Endpoint("floor", command, port)) as endpoint:
        yield endpoint


@contextlib.contextmanager
def toolnote(
    folder: Path,
    tools: int,
    *,
    servers: int = 5,
    every_tool: bool = False,
    behind: dict[str, Any] | None = None,
    environment: dict[str, str] | None = None,
) -> Iterator[Endpoint]:
    """``toolnote serve`` with every feature on: token, toolset, notes, activity log.

    Args:
        every_tool: whether each tool has three notes, and not only the first ones of each server.
        behind: ``mcpServers`` to serve, instead of servers over pipes.
    """
    port = free_port()
    plain = folder / "servers.json"
    plain.write_text(json.dumps({"mcpServers": behind or entries(tools, servers)}))
    command = [sys.executable, str(HERE / "serve.py"), str(plain), str(folder / "home"), str(port)]
    variables = {"TOOLNOTE_TOKEN": TOKEN, "PYTHONPATH": str(REPOSITORY), **(environment or {})}
    if every_tool:
        variables["BENCH_NOTES"] = str(tools // servers)
    with _living(Endpoint("toolnote", command, port, variables)) as endpoint:
        yield endpoint


@contextlib.contextmanager
def _living(endpoint: Endpoint) -> Iterator[Endpoint]:
    try:
        endpoint.wait()
        yield endpoint
    finally:
        endpoint.end()
