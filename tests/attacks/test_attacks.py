"""Short form of ``dev.py attack``, and rows that are red without their guard."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.attacks.__main__ import ATTACKS, table
from tests.attacks.arena import Arena, Attack, Row, Time
from tests.attacks.by_client import abandon, note
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


Metric = Callable[[Row], float]


def wait(row: Row) -> float:
    """Longest wait of another client's call above the usual one, in seconds; at least a loop's turn."""
    return max(row.wait.own - row.usual_wait.own, 0.02)


def memory(row: Row) -> float:
    """Memory that the attack took at its height, in bytes; at least a megabyte."""
    return max(row.peak, 2**20)


SMALL = [
    (
        Attack(
            "abandons 300 calls of 1 MB to a server that hangs",
            "client",
            "H5",
            abandon(300, 1_000_000),
            "waiting-calls",
        ),
        memory,
    ),
    (Attack("adds 800 notes in a call", "client", "H6", note("x", 800), "notes"), wait),
]


@pytest.mark.timeout(180)
@pytest.mark.parametrize(("attack", "metric"), SMALL, ids=[attack.guard for attack, _ in SMALL])
def test_guard_bounds_an_attack(tmp_path: Path, attack: Attack, metric: Metric) -> None:
    """The harm without the guard is several times the harm with it, in one run; times alone depend on the machine."""
    with Arena(tmp_path / "with", window=False) as arena:
        guarded = arena.measure(attack, control=0.5, after=1.0)
    with Arena(tmp_path / "without", without=attack.guard, window=False) as arena:
        unguarded = arena.measure(attack, control=0.5, after=1.0)
    assert metric(unguarded) > 3 * metric(guarded), table([guarded, unguarded])


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
