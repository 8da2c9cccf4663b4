"""Running app under attack, another client of it, and what the attack costs them."""

from __future__ import annotations

import base64
import contextlib
import http.client
import json
import mmap
import os
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

import psutil
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.attacks.product import FEED
from tests.benchmarks.endpoints import COMPILED
from tests.servers.launch import raw_server_entry
from toolnote_desktop.model.clients import hash_token
from toolnote_desktop.model.edits import SERVER_ENTRIES, SERVERS, AddEntry, RemoveEntry
from toolnote_desktop.paths import ENDPOINT_PATH, Home
from toolnote_desktop.store.library import Library

ROOT: Final = Path(__file__).resolve().parents[2]
HERE: Final = Path(__file__).resolve().parent

TOOLSET: Final = "work"
VICTIM, ATTACKER = "victim-token-0123456789", "attacker-token-0123456789"
SEARCHER: Final = "searcher-token-0123456789"
"""Token of an attacker that finds its tools by searching."""

AGENT: Final = "SSH_AUTH_SOCK"
"""Variable of the app that no server gets (red team L10)."""

PRIVATE_KEY: Final = Ed25519PrivateKey.from_private_bytes(bytes(32))
FEED_KEY: Final = base64.b64encode(PRIVATE_KEY.public_key().public_bytes_raw()).decode()
"""Key of the app's release feed (red team M5)."""

MAX_WAIT: Final = 0.25
"""Seconds that another client's call may take longer than without the attack."""

MAX_GROWTH: Final = 32 * 2**20
"""Bytes of memory that may be left afterwards."""

MAX_STALL: Final = 0.1
"""Seconds that the window may stand still longer than without the attack."""


@dataclass(frozen=True)
class Attack:
    """Attack, as a row of the table.

    Attributes:
        name: what is done.
        attacker: server, client, web page, file or link.
        source: evidence: a number of the red team's report or of the public reports.
        run: carries it out and returns; the meters run meanwhile.
        guard: guard of ``guards.py`` without which the row is red; empty if none can be taken out alone.
        quick: part of the short form.
    """

    name: str
    attacker: str
    source: str
    run: Callable[[Arena], None]
    guard: str = ""
    quick: bool = False


class Time(NamedTuple):
    """Longest wait or stall in seconds.

    Attributes:
        whole: its length.
        machine: seconds of it in which threads that take part could run but waited for a processor.
    """

    whole: float = 0.0
    machine: float = 0.0

    @property
    def own(self) -> float:
        """Seconds without the machine's share."""
        return max(0.0, self.whole - self.machine)

    def __str__(self) -> str:
        machine = f" ({self.machine * 1000:.0f})" if self.machine >= 0.02 else ""
        return f"{self.whole * 1000:.0f}{machine}"


NONE: Final = Time()


@dataclass
class Row:
    """Measured attack; memory in bytes, and the app's processor time in seconds."""

    attack: Attack
    usual_wait: Time = NONE
    usual_stall: Time = NONE
    wait: Time = NONE
    stall: Time = NONE
    cpu: float = 0.0
    peak: int = 0
    left: int = 0
    faults: list[str] = field(default_factory=list)

    def judge(self) -> None:
        """Record the bounds that are exceeded. What the machine adds, busy with other programs, is not the attack's."""
        if self.wait.own - self.usual_wait.own > MAX_WAIT:
            self.faults.append("wait")
        if self.left > MAX_GROWTH:
            self.faults.append("memory")
        if self.stall.own - self.usual_stall.own > MAX_STALL:
            self.faults.append("window")

    def cells(self) -> list[str]:
        """Return the row of the table."""
        times = [self.usual_wait, self.wait, self.usual_stall, self.stall]
        return [
            self.attack.attacker,
            self.attack.source,
            self.attack.name,
            *map(str, times),
            f"{self.cpu:.1f}",
            f"{self.peak / 2**20:+.0f}",
            f"{self.left / 2**20:+.0f}",
            "inside" if not self.faults else f"RED: {', '.join(self.faults)}",
        ]


HEADINGS: Final = [
    "attacker",
    "evidence",
    "attack",
    "longest wait without (of which the machine's), ms",
    "with, ms",
    "window's longest stall without (of which the machine's), ms",
    "with, ms",
    "the app's processor time, s",
    "memory during, MB",
    "after, MB",
    "verdict",
]


class Arena:
    """App on a home of its own, and the meters. A context manager that ends all it has started."""

    def __init__(self, folder: Path, *, without: str = "", window: bool = True) -> None:
        self.folder = folder
        self.home = Home(folder / "home")
        self.window = window
        self._without = without
        self._stack = contextlib.ExitStack()
        self._meters = folder / "meters"
        self.port = free_port()
        self.feed = f"http://127.0.0.1:{free_port()}/feed.json"
        self.process: subprocess.Popen[bytes]
        self._victim: subprocess.Popen[str]

    def __enter__(self) -> Arena:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    # -- the app ------------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Write a home and start the app and its client."""
        root = self.home.root
        root.mkdir(mode=0o700, parents=True)
        (root / "toolsets").mkdir()
        good = {**raw_server_entry(), "toolnote": {"toolset": TOOLSET}}
        clients = {
            name: {"name": name, "tokenHash": hash_token(token), "toolset": None}
            for name, token in (("victim", VICTIM), ("attacker", ATTACKER), ("searcher", SEARCHER))
        }
        clients["searcher"]["discovery"] = "search"
        documents = {
            "servers.json": {"mcpServers": {"good": good, "other": good}},
            "clients.json": {"clients": clients},
            "settings.json": {"equippedToolset": TOOLSET, "port": self.port, "lookForUpdates": False},
            f"toolsets/{TOOLSET}.json": {"name": TOOLSET, "title": "Work", "tools": [], "toolNotes": []},
        }
        for name, content in documents.items():
            (root / name).write_text(json.dumps(content), encoding="utf-8")
        self._meters.write_bytes(bytes(32))
        words = ["gui"] if self.window else ["serve"]
        command = [sys.executable, "-m", "tests.attacks.product", str(self._meters), self._without, *words]
        environment = {
            **os.environ,
            **COMPILED,
            "QT_QPA_PLATFORM": "offscreen",
            "HOME": str(self.folder),
            "XDG_CONFIG_HOME": str(self.folder / "config"),
            "XDG_RUNTIME_DIR": str(self.folder),
            "TOOLNOTE_HOME": str(root),
            AGENT: str(self.folder / "agent"),
            FEED: f"{self.feed} {FEED_KEY}",
        }
        output = self._stack.enter_context((self.folder / "output").open("ab"))
        self.process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output
        )
        url = f"http://127.0.0.1:{self.port}{ENDPOINT_PATH}"
        self._victim = subprocess.Popen(
            [sys.executable, "-I", str(HERE / "victim.py"), url, VICTIM, "good_counter"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        deadline = time.monotonic() + 60
        while self._command("read")["answers"] < 20:
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError((self.folder / "output").read_text(errors="replace")[-2000:])
            time.sleep(0.1)
        client = self.client()
        client.exchange(client.request("unknown/method", {}))  # imports the SDK: its 30 MB are no attack's
        searcher = self.client(SEARCHER)
        with self.connect() as one:
            searcher.answer(one, searcher.call("search-tools", {"query": "count"}))  # reads the thesaurus
        servers = psutil.Process(self.process.pid).children(recursive=True)
        self._command(f"watch {self.process.pid} {' '.join(str(one.pid) for one in servers)}")

    def stop(self) -> None:
        """End the app and its client."""
        for process in (self._victim, self.process):
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        for stream in (self._victim.stdin, self._victim.stdout):
            if stream is not None:
                stream.close()
        self._stack.close()

    def edit(self, *edits: Any) -> None:
        """Edit a document of the home, as a command would."""
        with Library.open(self.home, watch=False) as library:
            library.submit(*edits)
            library.flush(60)

    @contextlib.contextmanager
    def server(self, name: str, entry: dict[str, Any]) -> Iterator[None]:
        """Have one more server, whose tools join the toolset."""
        self.edit(AddEntry(SERVERS, SERVER_ENTRIES, name, {**entry, "toolnote": {"toolset": TOOLSET}}))
        try:
            yield
        finally:
            self.edit(RemoveEntry(SERVERS, SERVER_ENTRIES, name))

    # -- the meters ---------------------------------------------------------------------------------------------------

    def _command(self, words: str) -> dict[str, Any]:
        """Return the victim's answer to a command."""
        assert self._victim.stdin is not None
        assert self._victim.stdout is not None
        self._victim.stdin.write(words + "\n")
        self._victim.stdin.flush()
        found: dict[str, Any] = json.loads(self._victim.stdout.readline())
        return found

    def read_wait(self, *, reset: bool = False) -> Time:
        """Return the victim's longest wait since the last reset."""
        found = self._command("reset" if reset else "read")
        return Time(found["longest"], found["machine"])

    def read_stall(self, *, reset: bool = False) -> Time:
        """Return the window's longest stall since the last reset, the present one included."""
        with self._meters.open("r+b") as file, mmap.mmap(file.fileno(), 24) as memory:
            last, *longest = struct.unpack("ddd", memory[:])
            if reset:
                memory[:] = struct.pack("ddd", last and time.monotonic(), 0.0, 0.0)
            present = Time(time.monotonic() - last if last else 0.0)
            return max(Time(*longest), present, key=lambda one: one.own)

    def processor_time(self) -> float:
        """Return the processor time that the app has used so far, in seconds."""
        try:
            return sum(psutil.Process(self.process.pid).cpu_times()[:2])
        except psutil.Error:
            return 0.0

    def memory(self) -> int:
        """Return the app's memory in bytes."""
        return psutil.Process(self.process.pid).memory_info().rss

    def measure(self, attack: Attack, *, control: float, after: float) -> Row:
        """Measure without the attack, with it, and the memory afterwards."""
        row = Row(attack)
        self.read_wait(reset=True)
        self.read_stall(reset=True)
        time.sleep(control)
        row.usual_wait, row.usual_stall = self.read_wait(reset=True), self.read_stall(reset=True)
        before, used = self.memory(), self.processor_time()
        done = threading.Event()

        def watch() -> None:
            lowest = before  # the attack before may give its memory back only now
            while not done.wait(0.05):
                with contextlib.suppress(psutil.Error):
                    now = self.memory()
                    lowest = min(lowest, now)
                    row.peak = max(row.peak, now - lowest)

        watching = threading.Thread(target=watch)
        watching.start()
        try:
            attack.run(self)
        except (OSError, http.client.HTTPException) as error:
            row.faults.append(f"could not be carried out: {error}")
        finally:
            row.wait, row.stall = self.read_wait(), self.read_stall()
            row.cpu = self.processor_time() - used
            self._settle(before, after)
            done.set()
            watching.join()
        if self.process.poll() is not None:
            row.faults.append("the app has ended")
        else:
            row.left = self.memory() - before
        row.judge()
        return row

    def _settle(self, before: int, seconds: float) -> None:
        """Wait for the memory to come back."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and self.process.poll() is None and self.memory() - before > MAX_GROWTH / 2:
            time.sleep(0.1)

    # -- what attackers use -------------------------------------------------------------------------------------------

    def connect(self) -> socket.socket:
        """Open a connection to the endpoint."""
        return socket.create_connection(("127.0.0.1", self.port), 30)

    def client(self, token: str = ATTACKER) -> Client:
        """Return a client with an attacker's token and a session."""
        client = Client(self.port, token)
        client.initialize()
        return client


class Client:
    """Client with the attacker's token; writes and reads raw HTTP."""

    def __init__(self, port: int, token: str | None = ATTACKER, **headers: str) -> None:
        self.port = port
        self.session: str | None = None
        self.headers = {"Host": f"127.0.0.1:{port}", "Content-Type": "application/json"}
        self.headers["Accept"] = "application/json, text/event-stream"
        if token is not None:
            self.headers["Authorization"] = f"Bearer {token}"
        self.headers.update(headers)

    def head(self, length: int, method: str = "POST", path: str = ENDPOINT_PATH) -> bytes:
        """Return a request's head."""
        headers = {**self.headers, "Content-Length": str(length)}
        if self.session is not None:
            headers["Mcp-Session-Id"] = self.session
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
        return "\r\n".join(lines).encode()

    def request(self, method: str, params: Any, request_id: int = 1) -> bytes:
        """Return a request's bytes."""
        body = json.dumps({"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}).encode()
        return self.head(len(body)) + body

    def exchange(self, data: bytes, timeout: float = 60) -> bytes:
        """Send a request on a connection of its own and return what is answered at first."""
        with socket.create_connection(("127.0.0.1", self.port), timeout) as one:
            with contextlib.suppress(ConnectionError):
                one.sendall(data)
            return one.recv(65536)

    def answer(self, one: socket.socket, data: bytes) -> bytes:
        """Send a request and return the whole answer.

        Raises:
            OSError: it names no tool of this client, so that the attack is none.
        """
        one.sendall(data)
        response = http.client.HTTPResponse(one)
        response.begin()
        text = response.read()
        if b"Unknown tool" in text:
            raise OSError(text.decode())
        return text

    def initialize(self, **capabilities: Any) -> None:
        """Open a session."""
        info = {"name": "attacker", "version": "1"}
        params = {"protocolVersion": "2025-06-18", "capabilities": capabilities, "clientInfo": info}
        answer = self.exchange(self.request("initialize", params))
        for line in answer.partition(b"\r\n\r\n")[0].split(b"\r\n"):
            name, _, value = line.partition(b": ")
            if name.lower() == b"mcp-session-id":
                self.session = value.decode()

    def call(self, tool: str, arguments: Any = None, request_id: int = 1) -> bytes:
        """Return the bytes of a call."""
        return self.request("tools/call", {"name": tool, "arguments": arguments or {}}, request_id)


def free_port() -> int:
    """Return a port that nothing listens on."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port
