"""Short form of ``dev.py attack``, and rows that are red without their guard."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.attacks.__main__ import ATTACKS, table
from tests.attacks.arena import Arena, Attack, Row, Time
from tests.attacks.by_client import OBJECTS, abandon, body, bulky, held_bodies, note
from tests.attacks.by_server import stdio
from tests.attacks.by_web_page import keep_alive, pour
from tests.attacks.guards import GUARDS

pytestmark = [
    pytest.mark.once,
    pytest.mark.skipif(sys.platform == "win32", reason="ended by a signal, met by a Unix socket"),
]


def chosen(*names: str) -> list[Attack]:
    """Return attacks by their names."""
    return [next(one for one in ATTACKS if one.name == name) for name in names]


def test_the_table_is_whole() -> None:
    """At least 40 attacks by all kinds of attackers, each with another name; each guard belongs to one."""
    assert len(ATTACKS) >= 40
    assert {one.attacker for one in ATTACKS} == {"server", "client", "web page", "file", "link"}
    assert len({one.name for one in ATTACKS}) == len(ATTACKS)
    assert {one.guard for one in ATTACKS if one.guard} <= set(GUARDS)


RED_TEAM = {f"{kind}{number}" for kind, last in (("H", 6), ("M", 6), ("L", 10)) for number in range(1, last + 1)}
REPORTS = {"U03", "U07", "U10", "U11", "U15", "U16", "U23", "U27", "U39", "U42"}
"""Public reports of faults that cost others something; the one of U13 is in ``test_escaped_processes.py``."""


def test_each_fault_of_the_red_team_and_of_the_reports_has_a_row() -> None:
    assert {one for attack in ATTACKS for one in attack.source.split(", ")} >= RED_TEAM | REPORTS


Metric = Callable[[Row], float]


def work(row: Row) -> float:
    """Processor time of the app during the attack, in seconds; at least what it needs without one."""
    return max(row.cpu, 0.2)


def memory(row: Row) -> float:
    """Memory that the attack took at its height, in bytes; at least a megabyte."""
    return max(row.peak, 2**20)


def small(guard: str, run: Callable[[Arena], None], metric: Metric) -> tuple[Attack, Metric]:
    """Return a small attack that a guard bounds, and what it is judged by."""
    return Attack(f"a small attack without: {guard}", "test", "-", run, guard), metric


TEN = [
    small("waiting-calls", abandon(720, 1_000_000), memory),
    small("notes", note("x", 600), work),
    small("incoming", held_bodies(60, 8_000_000), memory),
    small("bulky", bulky("other_counter", OBJECTS[:16_000_000] + b"7]", 1), memory),
    small("head", pour(b"GET /mcp HTTP/1.1\r\nX: ", b"x" * 65536, 2.0), memory),
    small("body", body(lambda: b"x" * 250_000_000), memory),
    small("pipelined", keep_alive(30, 0.7), memory),
    small("list", stdio("numbers", 2.0), work),
    small("exact", stdio("one-batch", 2.0), work),
    small("members", stdio("one-many-members", 3.0), work),
]


@pytest.mark.timeout(180)
def test_ten_guards_bound_attacks(tmp_path: Path) -> None:
    """The harm without each guard is several times the harm with it, in one run: times alone depend on the machine."""
    rows: dict[str, list[Row]] = {}
    for without in ("", ",".join(attack.guard for attack, _ in TEN)):
        with Arena(tmp_path / f"without {bool(without)}", without=without, window=False) as arena:
            for attack, _ in TEN:
                rows.setdefault(attack.guard, []).append(arena.measure(attack, control=0.2, after=1.0))
    found = table([row for pair in rows.values() for row in pair])
    print(found)
    bounded = {
        attack.guard for attack, metric in TEN if metric(rows[attack.guard][1]) > 3 * metric(rows[attack.guard][0])
    }
    assert {attack.guard for attack, _ in TEN} - bounded == set(), found


def test_a_row_is_judged_by_its_bounds() -> None:
    (attack,) = chosen("adds 4,000 notes in a call")
    usual = Row(attack, usual_wait=Time(0.1), usual_stall=Time(0.05))
    fine = replace(usual, faults=[], wait=Time(0.34), stall=Time(0.14), left=31 * 2**20)
    fine.judge()
    assert fine.faults == []
    busy = replace(usual, faults=[], wait=Time(2.0, 1.7), stall=Time(1.0, 0.9))
    busy.judge()
    assert busy.faults == []  # the machine was busy with others
    red = replace(usual, faults=[], wait=Time(0.36), stall=Time(0.16), left=33 * 2**20)
    red.judge()
    assert red.faults == ["wait", "memory", "window"]
    assert "RED: wait, memory, window" in table([fine, red])
