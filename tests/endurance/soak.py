#!/usr/bin/env python3
"""Weeks in the tray, in minutes: sessions, calls, edits, crashes, bridges; then everything is as it was.

    python3 packaging/dev.py soak                    2,000 sessions, 100,000 calls, 10,000 edits: some minutes
    python3 packaging/dev.py soak --size 0.02        less of each
    python3 packaging/dev.py soak --only calls       a part: calls, sessions, edits, or kills (45 times kill -9)

Writes ``test-artifacts/soak.md`` and ``soak.json``; status 1 if memory has not come back to within a tenth, or any file
descriptor, task, thread, child process or session is left over.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import psutil

ROOT = Path(__file__).resolve().parents[2]
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))

from tests.endurance import load  # noqa: E402
from tests.endurance.kills import kills  # noqa: E402
from tests.servers.launch import raw_server_entry  # noqa: E402
from tests.waiting import wait_until  # noqa: E402
from toolnote_desktop.paths import Home  # noqa: E402

SESSION_IDLE = 3.0
CALLERS = 4
SETTLING = 90.0
"""Seconds after the load in which everything has to come back; it usually takes ten."""

MEMORY = 1.10
SLACK = {"fds": 2, "tasks": 2, "threads": 2, "children": 0, "sessions": 0, "connections": 2}
"""What may be more than before: a kept connection that is about to be closed, a worker thread of a pool."""


PARTS = ("calls", "sessions", "edits")


@dataclass
class Report:
    """Numbers and results of a run."""

    size: float
    parts: tuple[str, ...] = PARTS
    before: dict[str, int] = field(default_factory=dict)
    after: dict[str, int] = field(default_factory=dict)
    peak: int = 0
    seconds: float = 0.0
    done: dict[str, int] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    def judge(self, floor: int = 0) -> None:
        """Add what has not come back. ``floor``: bytes that memory may always grow by."""
        limit = max(self.before["rss"] * MEMORY, self.before["rss"] + floor)
        if self.after["rss"] > limit:
            self.faults.append(f"memory: {self.before['rss']:,} bytes before, {self.after['rss']:,} after")
        for name, slack in SLACK.items():
            if self.after[name] > self.before[name] + slack:
                self.faults.append(f"{name}: {self.before[name]} before, {self.after[name]} after")

    def markdown(self) -> str:
        """For people."""
        rows = [f"| {name} | {self.before[name]:,} | {self.after[name]:,} |" for name in self.before]
        done = ", ".join(f"{count:,} {name}" for name, count in sorted(self.done.items()))
        faults = "\n".join(f"- {fault}" for fault in self.faults) or "Everything came back."
        return (
            f"# Soak\n\n{done}, in {self.seconds:.0f} seconds.\n\n| | before | after |\n| --- | ---: | ---: |\n"
            + "\n".join(rows)
            + f"\n\nMost memory meanwhile: {self.peak:,} bytes.\n\n{faults}\n"
        )


class Served:
    """A ``serve`` that tells what it holds."""

    def __init__(self, process: subprocess.Popen[str], target: load.Target) -> None:
        self.process = process
        self.target = target

    def measure(self) -> dict[str, int]:
        """Memory, descriptors, threads, children, tasks, sessions."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        found: dict[str, int] = json.loads(self.process.stdout.readline())
        return found


@contextmanager
def served(folder: Path) -> Iterator[Served]:
    """A ``serve`` on a new home with two servers and a toolset; must end with status 0 in the end."""
    home = Home(folder / "home with ünicode")
    home.toolsets.mkdir(parents=True, mode=0o700)
    servers = {
        name: {**raw_server_entry(), "toolnote": {"toolset": load.TOOLSET}} for name in (load.STEADY, load.FLAKY)
    }
    tools = [{"namespacedName": f"{load.STEADY}.{tool}"} for tool in ("echo", "sleep_ms", "structured")]
    home.servers.write_text(json.dumps({"mcpServers": servers}))
    home.settings.write_text(json.dumps({"equippedToolset": load.TOOLSET, "sessionIdle": SESSION_IDLE}))
    home.toolset(load.TOOLSET).write_text(json.dumps({"name": load.TOOLSET, "title": "Work", "tools": tools}))
    script = str(Path(__file__).parent / "measured.py")
    with subprocess.Popen(
        [sys.executable, script, str(home.root)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    ) as process:
        try:
            assert process.stdout is not None
            ready = json.loads(process.stdout.readline())
            yield Served(process, load.Target(home, ready["url"], ready["token"]))
            process.send_signal(signal.SIGTERM)
            assert process.wait(20) == 0
        finally:
            if process.poll() is None:
                process.kill()


def soak(
    size: float,
    folder: Path,
    tell: Callable[[str], None] = lambda text: None,
    floor: int = 0,
    parts: tuple[str, ...] = PARTS,
) -> Report:
    """The whole thing, ``size`` 1 being 2,000 sessions, 100,000 calls and 10,000 edits."""
    report = Report(size, parts=parts)
    began = time.monotonic()
    with served(folder) as server:
        wait_until_listed(server)
        tell("warming up")
        put_load_on(server, max(size * 0.05, 0.004), report)
        report.before = settled(server)
        tell(f"before: {report.before}")
        server.target.done.clear()
        put_load_on(server, size, report)
        report.done = dict(server.target.done)
        tell(f"done: {report.done}, in {time.monotonic() - began:.0f} s; waiting until it is over")
        report.after = settled(server, report.before)
        tell(f"after: {report.after}")
    report.seconds = time.monotonic() - began
    report.judge(floor)
    return report


def wait_until_listed(server: Served) -> None:
    """Until both servers have listed their tools."""
    with load.Client(server.target) as client:
        client.open()
        wanted = {f"{load.STEADY}_echo", f"{load.FLAKY}_crash"}
        wait_until(lambda: wanted <= {tool["name"] for tool in client.request("tools/list")["tools"]})
        client.send("DELETE")


def put_load_on(server: Served, size: float, report: Report) -> None:
    """Run all kinds of load at once, until the counted ones are done."""
    target = server.target
    target.stop.clear()
    work: dict[str, list[tuple[Callable[[load.Target, int], None], int]]] = {
        "sessions": [(load.sessions, round(2000 * size)), (load.strangers, round(500 * size))],
        "edits": [(load.edits_through_files, round(5000 * size)), (load.edits_through_tools, round(5000 * size))],
        "calls": [(load.calls, round(100_000 * size / CALLERS))] * CALLERS,
    }
    counted = [one for part in report.parts for one in work[part]]
    endless = (load.crashes, load.bridges)
    workers = [threading.Thread(target=guarded, args=(report, one, target, count)) for one, count in counted]
    others = [threading.Thread(target=guarded, args=(report, one, target)) for one in endless]
    for worker in (*workers, *others):
        worker.start()
    process = psutil.Process(server.process.pid)
    for worker in workers:
        while worker.is_alive():
            worker.join(0.5)
            report.peak = max(report.peak, process.memory_info().rss)
    target.stop.set()
    for worker in others:
        worker.join()


def guarded(report: Report, work: Callable[..., None], *arguments: Any) -> None:
    """A load that fails is a fault of the run; the others go on."""
    try:
        work(*arguments)
    except Exception as error:  # noqa: BLE001  # whatever it is, it is told
        report.faults.append(f"{work.__name__}: {type(error).__name__}: {error}")


def settled(server: Served, before: dict[str, int] | None = None) -> dict[str, int]:
    """Return the resources once the last session has ended and they no longer shrink, or time is up."""
    deadline = time.monotonic() + SETTLING
    last: dict[str, int] = {}
    while True:
        time.sleep(2.0)
        now = server.measure()
        quiet = now["sessions"] <= 1 and all(last.get(name) == now[name] for name in SLACK)
        back = before is None or all(now[name] <= before[name] + slack for name, slack in SLACK.items())
        if (quiet and back) or time.monotonic() > deadline:
            return now
        last = now


def main(arguments: list[str]) -> int:
    """Run it and write the report."""
    parser = argparse.ArgumentParser(prog="soak", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--size", type=float, default=1.0, help="1 is 2,000 sessions, 100,000 calls, 10,000 edits")
    parser.add_argument("--only", choices=(*PARTS, "kills"), help="one part of it")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="toolnote-soak-") as folder:
        if options.only == "kills":
            killed = kills(Path(folder), round(45 * options.size))
            print(f"{dict(killed.done)}\n" + ("\n".join(killed.faults) or "Nothing was lost."))
            return 1 if killed.faults else 0
        parts = (options.only,) if options.only else PARTS
        report = soak(options.size, Path(folder), lambda text: print(text, file=sys.stderr, flush=True), parts=parts)
    artifacts = ROOT / "test-artifacts"
    artifacts.mkdir(exist_ok=True)
    (artifacts / "soak.md").write_text(report.markdown(), encoding="utf-8")
    (artifacts / "soak.json").write_text(json.dumps(asdict(report), indent=2) + "\n", encoding="utf-8")
    print(report.markdown())
    return 1 if report.faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
