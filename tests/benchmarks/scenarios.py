"""What a round cannot show: starting, many tools, an edit, a long run, doing nothing, many clients, the bridge."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil

from tests.benchmarks.client import HttpClient
from tests.benchmarks.endpoints import HERE, REPOSITORY, TOKEN, Endpoint, floor, toolnote
from tests.benchmarks.rounds import Round, timed

PATIENCE = 60.0


def client_of(endpoint: Endpoint) -> HttpClient:
    """A client that may speak to it."""
    return HttpClient(endpoint.port, token=endpoint.token)


async def when_all_listed(endpoint: Endpoint, tools: int) -> None:
    """Return when so many of the servers' tools are listed."""
    client = client_of(endpoint)
    await client.open()
    deadline = time.perf_counter() + PATIENCE
    try:
        while (await client.ask("tools/list")).count(b'"inputSchema"') < tools:
            if time.perf_counter() > deadline:
                raise TimeoutError(f"not all of {tools} tools")
            await asyncio.sleep(0.005)
    finally:
        client.close()


def start_up(folder: Path, times: int) -> Round:
    """Seconds from the start of the process until all tools of five ready servers are listed, the best of some."""
    found: dict[str, list[float]] = {"floor": [], "toolnote": []}
    cpu = []
    for number in range(times):
        with floor(folder, 50) as endpoint:
            found["floor"].append(_listed_after(endpoint))
        own = folder / f"start-{number}"
        own.mkdir()
        with toolnote(own, 50) as endpoint:
            found["toolnote"].append(_listed_after(endpoint))
            cpu.append(endpoint.cpu())
    return {
        "all tools after start, s": min(found["toolnote"]),
        "the same, floor, s": min(found["floor"]),
        "CPU until then, s": min(cpu),
    }


def _listed_after(endpoint: Endpoint) -> float:
    asyncio.run(when_all_listed(endpoint, 50))
    return time.perf_counter() - endpoint.started


def many_tools(folder: Path, tools: int, rounds: int, *, servers: int = 5) -> Round:
    """An echo among many tools against one among fifty; the list of all with three notes each against the floor."""
    few, many = folder / "few", folder / "many"
    few.mkdir()
    many.mkdir()
    listed = folder / "listed.json"
    with toolnote(few, 50) as small, toolnote(many, tools, servers=servers, every_tool=True) as large:
        listed.write_bytes(asyncio.run(_whole_list(large, tools)))
        seconds = time.perf_counter() - large.started
        with floor(folder, tools, listed) as base:
            found = asyncio.run(_compare(small, large, base, rounds))
        found |= edit(large, many / "home", 6)
        return {
            **found,
            "all listed after start, s": seconds,
            "RSS, MB": large.rss(),
            "list, MB": listed.stat().st_size / 1e6,
        }


async def _whole_list(endpoint: Endpoint, tools: int) -> bytes:
    await when_all_listed(endpoint, tools)
    client = client_of(endpoint)
    await client.open()
    body = await client.ask("tools/list")
    client.close()
    return json.dumps(json.loads(body)["result"]["tools"], ensure_ascii=False, separators=(",", ":")).encode()


async def _compare(small: Endpoint, large: Endpoint, base: Endpoint, rounds: int) -> Round:
    clients = [client_of(endpoint) for endpoint in (small, large, base)]
    for client in clients:
        await client.open()
    few, many, floored = clients
    echoes, lists = [], []
    for _ in range(rounds):
        pair = []
        for client in (few, many):
            pair.append(statistics.median([await timed(lambda c=client: c.echo("s1_echo", "x")) for _ in range(60)]))  # type: ignore[misc]
        echoes.append(pair[1] / pair[0])
        pair = []
        for client in (many, floored):
            pair.append(statistics.median([await timed(lambda c=client: c.ask("tools/list")) for _ in range(3)]))  # type: ignore[misc]
        lists.append(pair[0] / pair[1])
    for client in clients:
        client.close()
    return {"echo, x that of 50 tools": statistics.median(echoes), "tools/list, x floor": statistics.median(lists)}


def long_run(endpoint: Endpoint, calls: int) -> Round:
    """How much the process grows over so many calls, after a warm start, in megabytes."""

    async def go() -> tuple[float, float]:
        client = client_of(endpoint)
        await client.open()

        async def some(count: int) -> None:
            for number in range(count):
                await client.echo(endpoint.echo, str(number))

        await asyncio.gather(*(some(600) for _ in range(8)))
        before = endpoint.rss()
        await asyncio.gather(*(some(calls // 8) for _ in range(8)))
        client.close()
        return before, endpoint.rss()

    before, after = asyncio.run(go())
    return {f"RSS after {calls:,} calls, MB": after, "it grew by, MB": after - before}


def idle(endpoint: Endpoint, seconds: float) -> Round:
    """Percent of one processor while nobody asks anything, and how often a thread woke up in a second."""
    time.sleep(2)  # what was under way ends
    cpu, woken = endpoint.cpu(), endpoint.wake_ups()
    time.sleep(seconds)
    percent = (endpoint.cpu() - cpu) / seconds * 100
    return {"idle CPU, %": percent, "idle wake-ups/s": (endpoint.wake_ups() - woken) / seconds}


def idle_with_client(endpoint: Endpoint, seconds: float) -> Round:
    """The same with a client that has a stream open, has called a tool, and is silent from then on."""

    async def connect() -> tuple[HttpClient, asyncio.StreamWriter]:
        client = client_of(endpoint)
        await client.open()
        await client.echo(endpoint.echo, "one")
        reader, writer = await asyncio.open_connection("127.0.0.1", endpoint.port)
        writer.write(client.stream_request())
        await reader.readuntil(b"\r\n\r\n")
        return client, writer

    with asyncio.Runner() as runner:
        client, writer = runner.run(connect())
        found = idle(endpoint, seconds)
        writer.close()
        client.close()
    return found


def many_clients(endpoint: Endpoint, sessions: int, in_flight: int, calls: int) -> Round:
    """Sessions with calls at once; each answer is checked to be its caller's own. Also one result of five megabytes."""

    async def go() -> float:
        clients = [client_of(endpoint) for _ in range(sessions)]
        await asyncio.gather(*(client.open() for client in clients))
        began = time.perf_counter()

        async def caller(number: int) -> None:
            for count in range(calls):
                await clients[number % sessions].echo(endpoint.echo, f"{number}.{count}")

        await asyncio.gather(*(caller(number) for number in range(in_flight)))
        seconds = time.perf_counter() - began
        big = await clients[0].ask("tools/call", {"name": endpoint.blob, "arguments": {"kb": 5 * 1024}})
        assert len(big) > 5 * 1024 * 1024
        for client in clients:
            client.close()
        return in_flight * calls / seconds

    return {f"calls/s, {sessions} sessions, {in_flight} at once": asyncio.run(go())}


def edit(endpoint: Endpoint, home: Path, times: int) -> Round:
    """A note is edited in its file while a client listens: milliseconds until it is told, and until it has the list.

    The file is written as another program does it, so the time in which the change is noticed is in it; ``list`` is
    only the next list after the notice.
    """
    return asyncio.run(_edit(endpoint, home, times))


async def _edit(endpoint: Endpoint, home: Path, times: int) -> Round:
    client = client_of(endpoint)
    await client.open()
    await client.ask("tools/list")
    reader, writer = await asyncio.open_connection("127.0.0.1", endpoint.port)
    writer.write(client.stream_request())
    await writer.drain()
    await reader.readuntil(b"\r\n\r\n")
    await _read_until_quiet(reader)  # a stream begins with notices, for what changed before it was open
    document = home / "toolsets" / "bench.json"
    told, listed = [], []
    for number in range(times):
        content = json.loads(document.read_text())
        content["toolNotes"][0]["notes"][0]["note"] = f"Edited {number}."
        fresh = document.with_suffix(".new")
        fresh.write_text(json.dumps(content))
        began = time.perf_counter()
        fresh.replace(document)
        await asyncio.wait_for(reader.readuntil(b"list_changed"), PATIENCE)
        told.append((time.perf_counter() - began) * 1000)
        listed.append(await timed(lambda: client.ask("tools/list")))
        await _read_until_quiet(reader)
    writer.close()
    client.close()
    return {
        "notice after the file changed, ms": statistics.median(told),
        "list after it, ms": statistics.median(listed),
    }


async def _read_until_quiet(reader: asyncio.StreamReader) -> None:
    with contextlib.suppress(TimeoutError):
        while await asyncio.wait_for(reader.read(65_536), 0.3):
            pass


def bridges(endpoint: Endpoint, home: Path, rounds: int) -> Round:
    """Toolnote's bridge against the floor's, in front of the same ``serve``."""
    session = f"authorization: Bearer {TOKEN}|"
    commands = {
        "floor": [sys.executable, str(HERE / "floor.py"), "--bridge", f"http://127.0.0.1:{endpoint.port}/mcp", session],
        "toolnote": [sys.executable, "-m", "toolnote_desktop", "bridge", "--home", str(home), "--client", "bench"],
    }
    running = {name: PipeClient(command) for name, command in commands.items()}
    try:
        first = {name: client.open() for name, client in running.items()}
        found = []
        for _ in range(rounds):
            pair = {}
            for name, client in running.items():
                pair[name] = statistics.median(_milliseconds(lambda c=client: c.echo(1)) for _ in range(60))  # type: ignore[misc]
            found.append(pair["toolnote"] / pair["floor"])
        at_once = []
        for _ in range(rounds):
            pair = {}
            for name, client in running.items():
                pair[name] = statistics.median(_milliseconds(lambda c=client: c.echo(32)) for _ in range(3))  # type: ignore[misc]
            at_once.append(pair["toolnote"] / pair["floor"])
        return {
            "bridge: first answer, s": first["toolnote"],
            "the same, floor, s": first["floor"],
            "bridge: echo, x floor": statistics.median(found),
            "bridge: 32 echoes at once, x floor": statistics.median(at_once),
            "bridge: RSS, MB": psutil.Process(running["toolnote"].process.pid).memory_info().rss / 1e6,
        }
    finally:
        for client in running.values():
            client.end()


def _milliseconds(work: Callable[[], None]) -> float:
    before = time.perf_counter()
    work()
    return (time.perf_counter() - before) * 1000


class PipeClient:
    """A client that has started a bridge."""

    def __init__(self, command: list[str]) -> None:
        self._began = time.perf_counter()
        environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=REPOSITORY, env=environment
        )
        self._last = 0

    def open(self) -> float:
        """Shake hands; seconds from the start of the process to the first answer."""
        who = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
        self._say({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": who})
        assert b'"result"' in self._read()
        seconds = time.perf_counter() - self._began
        self._say({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return seconds

    def echo(self, at_once: int) -> None:
        """So many calls, and all their answers."""
        wanted = set()
        for _ in range(at_once):
            self._last += 1
            wanted.add(self._last)
            params = {"name": "s1_echo", "arguments": {"mark": f"mark {self._last}"}}
            self._say({"jsonrpc": "2.0", "id": self._last, "method": "tools/call", "params": params})
        for _ in range(at_once):
            answer = json.loads(self._read())
            assert f"mark {answer['id']}" in json.dumps(answer), answer
            wanted.remove(answer["id"])

    def _say(self, message: object) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message, separators=(",", ":")).encode() + b"\n")
        self.process.stdin.flush()

    def _read(self) -> bytes:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, f"the bridge has ended with status {self.process.poll()}"
        return line

    def end(self) -> None:
        """End it."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
