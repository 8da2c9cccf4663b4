"""``python -m tests.benchmarks [--record] [--long]``: all that is promised of speed, measured (docs/speed.md).

Writes ``test-artifacts/benchmarks.md`` and ``.json``. ``--record`` also makes the ratios of the rounds those that the
short form in the tests compares with (``recorded.json``); ``--long`` adds a run of 100,000 calls. ``--frozen FOLDER``
compares a frozen build's start with that from source, and nothing else.
"""

from __future__ import annotations

import asyncio
import json
import platform
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.benchmarks import activity, frozen, rounds, scenarios
from tests.benchmarks.endpoints import REPOSITORY, direct, floor, http_entries, toolnote
from tests.benchmarks.interface import interface
from tests.benchmarks.rounds import Plan, Round
from tests.benchmarks.window import window
from toolnote_desktop.paths import Home
from toolnote_desktop.store.activity_queries import recent_calls

RECORDED = Path(__file__).with_name("recorded.json")
ARTIFACTS = REPOSITORY / "test-artifacts"

GOALS = {
    "echo p50, x floor": "at most 1.4",
    "CPU per 1,000 calls, x floor": "at most 2.0",
    "calls/s at 32, x floor": "at least 0.65",
    "p95 at 32, x floor": "at most 1.6",
    "over HTTP: echo p50, x floor over HTTP": "loopback_transport.py goes if it is at most 2.0 without it",
    "1 MB result, x floor": "at most 1.3",
    "all tools after start, s": "0.75 on a quiet machine",
    "idle CPU, %": "under 0.1",
    "idle CPU, %, a silent client": "under 0.1",
    "echo, x that of 50 tools": "at most 1.1",
    "tools/list, x floor": "at most 1.2",
    "RSS after 10,000 calls, MB": "at most 95",
    "it grew by, MB": "at most 2",
    "bridge: first answer, s": "at most 0.15",
    "bridge: echo, x floor": "at most 1.3",
    "bridge: 32 echoes at once, x floor": "at most 1.3",
    "bridge: RSS, MB": "at most 28",
    "list after it, ms": "at most 50",
    "window: first picture after start, s": "at most 0.4 on a quiet machine",
    "window: proxy answers after start, s": "at most 1.2",
    "window: p95 at 32, x serve": "at most 1.3",
    "window: 50 ms timer late meanwhile, ms": "at most 100",
    "window: RSS, MB": "under 160",
    "recording: echo p50, x without": "at most 1.1",
    "recording: a call on the loop, µs": "at most 15",
    "activity: first rows, worst, ms": "at most 100",
    "activity: 50 ms timer late, worst, ms": "at most 100",
}


def main(arguments: list[str]) -> int:
    """Measure, write, and say where."""
    if arguments[:1] == ["--frozen"]:
        return frozen.main(Path(arguments[1]))
    with tempfile.TemporaryDirectory(prefix="toolnote-benchmarks-") as folder:
        found = measure(Path(folder), long="--long" in arguments)
    ARTIFACTS.mkdir(exist_ok=True)
    (ARTIFACTS / "benchmarks.json").write_text(json.dumps(found, indent=2) + "\n")
    (ARTIFACTS / "benchmarks.md").write_text(report(found))
    if "--record" in arguments:
        ratios = {figure: round(value, 2) for figure, value in found["rounds"]["toolnote"]["ratios"].items()}
        RECORDED.write_text(json.dumps(ratios, indent=2) + "\n")
    print(report(found))
    print(f"written to {ARTIFACTS / 'benchmarks.md'} and .json")
    return 0


def measure(folder: Path, *, long: bool) -> dict[str, Any]:
    """Everything: by part, figure by figure."""
    parts: list[tuple[str, Callable[[Path], Round]]] = [
        ("servers over HTTP", over_http),
        ("start", lambda own: scenarios.start_up(own, 6)),
        ("2,000 tools, three notes each", lambda own: scenarios.many_tools(own, 2000, 15)),
        ("5,000 tools, 20 servers, three notes each", lambda own: scenarios.many_tools(own, 5000, 10, servers=20)),
        ("serve", lambda own: _one_process(own, long=long)),
        ("idle", _idle),
        ("window, 300 tools", lambda own: window(own, 12)),
        ("interface", interface),
        ("recording", activity.recording),
        ("call path with and without recording", recorded_calls),
        ("activity, 1,000,000 calls", activity.activity),
    ]
    found: dict[str, Any] = {"machine": _machine(), "rounds": _rounds(folder)}
    for name, part in parts:
        own = folder / name.replace(" ", "-").replace(",", "")
        own.mkdir()
        print(f"… {name}", file=sys.stderr, flush=True)
        found[name] = part(own)
    return found


def _rounds(folder: Path) -> dict[str, Any]:
    own = folder / "rounds"
    own.mkdir()
    with direct() as alone, floor(own, 50) as base, toolnote(own, 50) as ours:
        asyncio.run(scenarios.when_all_listed(ours, 50))
        measured = asyncio.run(rounds.measure((alone, base, ours), Plan()))
    return {
        name: {"medians": rounds.medians(each), "ratios": rounds.ratios(each, measured["floor"])}
        for name, each in measured.items()
    }


def over_http(folder: Path, plan: Plan | None = None) -> Round:
    """Ratios of Toolnote to the floor where the servers behind them speak HTTP on this machine."""
    with (
        http_entries(50) as behind,
        floor(folder, 50, behind=behind) as base,
        toolnote(folder, 50, behind=behind) as ours,
    ):
        asyncio.run(scenarios.when_all_listed(ours, 50))
        measured = asyncio.run(rounds.measure((base, ours), plan or Plan()))
    ratios = rounds.ratios(measured["toolnote"], measured["floor"])
    return {f"over HTTP: {figure.partition(', ')[0]}, x floor over HTTP": value for figure, value in ratios.items()}


def recorded_calls(folder: Path, plan: Plan | None = None) -> Round:
    """Ratios of calls that are recorded to calls that are not, in turn within each round."""
    for name in ("with", "without"):
        (folder / name).mkdir()
    unrecorded = {"BENCH_NO_RECORDING": "1"}
    with (
        toolnote(folder / "with", 50) as recorded,
        toolnote(folder / "without", 50, environment=unrecorded) as bare,
    ):
        bare.name = "without recording"
        for endpoint in (recorded, bare):
            asyncio.run(scenarios.when_all_listed(endpoint, 50))
        measured = asyncio.run(rounds.measure((recorded, bare), plan or Plan(rounds=25, kilobytes=1, large=1)))
    calls = recent_calls(Home(folder / "with" / "home"), 1), recent_calls(Home(folder / "without" / "home"), 1)
    assert [len(one) for one in calls] == [1, 0]
    ratios = rounds.ratios(measured["toolnote"], measured["without recording"])
    chosen = ("echo p50, ms", "calls/s at 32", "CPU per 1,000 calls, s")
    return {f"recording: {one.partition(', ')[0]}, x without": ratios[one] for one in chosen}


def _one_process(folder: Path, *, long: bool) -> Round:
    """What is asked of one ``serve`` after the other."""
    home = folder / "home"
    with toolnote(folder, 50) as endpoint:
        asyncio.run(scenarios.when_all_listed(endpoint, 50))
        found = scenarios.edit(endpoint, home, 10)
        found |= scenarios.bridges(endpoint, home, 10)
        found |= scenarios.many_clients(endpoint, sessions=50, in_flight=128, calls=20)
        found |= scenarios.long_run(endpoint, 10_000)
        if long:
            found |= {f"long run: {name}": value for name, value in scenarios.long_run(endpoint, 100_000).items()}
        return found


def _idle(folder: Path) -> Round:
    """Five servers, no client and then one: those of a client at work are asked every other second how they are."""
    with toolnote(folder, 50) as endpoint:
        time.sleep(5)
        alone = scenarios.idle(endpoint, 60)
        with_client = scenarios.idle_with_client(endpoint, 60)
        return {**alone, **{f"{name}, a silent client": value for name, value in with_client.items()}}


def _machine() -> dict[str, str]:
    return {"python": platform.python_version(), "system": platform.platform()}


def report(found: dict[str, Any]) -> str:
    """The same as Markdown."""
    lines = [
        "# Speed, as measured",
        "",
        "Ratios are medians over rounds in which all took turns; only they mean something on another machine.",
        f"Python {found['machine']['python']} on {found['machine']['system']}.",
        "",
        "| figure | server alone | floor | toolnote | x floor | goal |",
        "| --- | ---: | ---: | ---: | ---: | --- |",
    ]
    by_name = found["rounds"]
    for figure, ratio in by_name["toolnote"]["ratios"].items():
        values = [_number(by_name[name]["medians"][figure]) for name in ("direct", "floor", "toolnote")]
        goal = GOALS.get(f"{figure.partition(', ')[0]}, x floor", "") if "list" not in figure else ""
        goal = GOALS.get("CPU per 1,000 calls, x floor", "") if figure.startswith("CPU") else goal
        lines.append(f"| {figure} | {' | '.join(values)} | {ratio:.2f} | {goal} |")
    for part, figures in found.items():
        if part in ("machine", "rounds"):
            continue
        lines += ["", f"## {part[0].upper()}{part[1:]}", "", "| figure | value | goal |", "| --- | ---: | --- |"]
        lines += [f"| {name} | {_number(value)} | {GOALS.get(name, '')} |" for name, value in figures.items()]
    return "\n".join(lines) + "\n"


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
