"""The short form of the benchmarks: no ratio is half as bad again as the one on record (docs/speed.md).

Other programs slow all rounds, or some of them. So a ratio counts as the better of two, the median of those within one
round and that of each endpoint's quietest round, and where they do not show it more rounds are taken: what is slower
than it was shows in each of them.
"""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from tests.benchmarks import rounds
from tests.benchmarks.__main__ import RECORDED
from tests.benchmarks.endpoints import floor, toolnote
from tests.benchmarks.rounds import Plan, Round
from tests.benchmarks.scenarios import when_all_listed

WORSE = 1.5
SHORT = Plan(rounds=6, echoes=40, seconds=0.1, large=3, lists=20)
TRIES = 15

HIGHER_IS_BETTER = frozenset({"calls/s at 32"})
SWAYS = frozenset({"p95 at 32, ms"})
"""Depends on who else is at work more than on us: for the full form."""


@pytest.mark.once
@pytest.mark.timeout(180)
def test_no_ratio_is_half_as_bad_again_as_the_one_on_record(tmp_path: Path) -> None:
    recorded = json.loads(RECORDED.read_text())
    with floor(tmp_path, 50) as base, toolnote(tmp_path, 50) as ours:
        asyncio.run(when_all_listed(ours, 50))
        found: dict[str, list[Round]] = {base.name: [], ours.name: []}
        for _ in range(TRIES):
            for name, taken in asyncio.run(rounds.measure((base, ours), SHORT)).items():
                found[name] += taken
            now = _best_ratios(found[ours.name], found[base.name])
            worse = {
                figure: (now[figure], record) for figure, record in recorded.items() if _is_worse(now, figure, record)
            }
            if not worse:
                return
    pytest.fail(f"figure: (now, on record), x floor: {worse}")


def _best_ratios(ours: list[Round], base: list[Round]) -> Round:
    """Return each figure's better ratio: the median within a round, or that of the quietest rounds."""
    found = {}
    for figure, ratio in rounds.ratios(ours, base).items():
        pick = max if figure in HIGHER_IS_BETTER else min
        quietest = pick(one[figure] for one in base)
        found[figure] = pick(ratio, pick(one[figure] for one in ours) / quietest) if quietest else ratio
    return found


def _is_worse(best: dict[str, float], figure: str, record: float) -> bool:
    if figure in SWAYS:
        return False
    return best[figure] < record / WORSE if figure in HIGHER_IS_BETTER else best[figure] > record * WORSE
