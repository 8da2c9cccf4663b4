"""Short form of ``dev.py attack``, and rows that are red without their guard."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.attacks.__main__ import ATTACKS, measure, table
from tests.attacks.arena import Arena, Attack, Row
from tests.attacks.guards import GUARDS

pytestmark = [
    pytest.mark.once,
    pytest.mark.skipif(sys.platform == "win32", reason="ended by a signal, met by a Unix socket"),
]

SHORT = [
    "abandons 100 calls of 900 KB to a server that hangs",
    "adds 4,000 notes in a call",
    "1,100 connections that send nothing",
    "log messages without an end",
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


@pytest.mark.timeout(180)
def test_others_are_served_during_an_attack() -> None:
    rows = measure(chosen(*SHORT), control=1.0, window=False)
    assert [row.attack.name for row in rows if row.faults] == [], table(rows)


@pytest.mark.timeout(180)
@pytest.mark.parametrize(
    ("guard", "name"),
    [
        ("waiting-calls", "abandons 600 calls of 1 MB to a server that hangs"),
        ("unverified", "1,100 connections that send nothing"),
        ("notes", "adds 4,000 notes in a call"),
    ],
)
def test_an_attack_is_red_without_its_guard(tmp_path: Path, guard: str, name: str) -> None:
    (attack,) = chosen(name)
    assert attack.guard == guard
    with Arena(tmp_path, without=guard, window=False) as arena:
        row = arena.measure(attack, control=0.5, after=3.0)
    assert row.faults, table([row])


def test_a_row_is_judged_by_its_bounds() -> None:
    (attack,) = chosen(SHORT[0])
    fine = Row(attack, usual_wait=0.1, wait=0.34, usual_stall=0.05, stall=0.14, left=31 * 2**20)
    fine.judge()
    assert fine.faults == []
    red = Row(attack, usual_wait=0.1, wait=0.36, usual_stall=0.05, stall=0.16, left=33 * 2**20)
    red.judge()
    assert red.faults == ["wait", "memory", "window"]
    assert "RED: wait, memory, window" in table([fine, red])
