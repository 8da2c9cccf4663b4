"""Figures of the bench: published values, and what they claim where there is nothing."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence

import pytest

from toolnote_desktop.bench.bench_file import Bench, Prompt
from toolnote_desktop.bench.model_endpoint import Answer
from toolnote_desktop.bench.run import OfferedTools, run_bench
from toolnote_desktop.bench.statistics import (
    Pair,
    RunVerdict,
    mean_difference,
    newcombe,
    shares,
    sign_test,
    student_quantile,
    success_difference,
    verdict,
)
from toolnote_desktop.model.json_text import JsonObject


def cases(both: int, only_before: int, only_after: int, neither: int) -> list[Pair]:
    return [
        *[Pair(1, 1, 1)] * both,
        *[Pair(1, 0, 0)] * only_before,
        *[Pair(0, 1, 0)] * only_after,
        *[Pair(0, 0, 0)] * neither,
    ]


@pytest.mark.parametrize(
    ("table", "interval"),
    [
        # Newcombe 1998 (Statistics in Medicine 17, 2635-2650), table II, method 10
        ((36, 12, 2, 0), (0.0569, 0.3404)),
        ((54, 0, 0, 0), (-0.0664, 0.0664)),
    ],
)
def test_the_interval_is_newcombes(table: tuple[int, int, int, int], interval: tuple[float, float]) -> None:
    both, only_before, only_after, neither = table
    found = newcombe(cases(both, only_after, only_before, neither))  # after minus before
    assert found == pytest.approx(interval, abs=5e-4)


def test_repeats_are_no_further_evidence() -> None:
    once, often = [shares([False], [True])] * 3, [shares([False] * 50, [True] * 50)] * 3
    assert success_difference(once, 1) == success_difference(often, 50)
    assert success_difference(often, 50).low == 0
    assert sign_test(often, 50) == 0.25
    assert verdict(success_difference(often, 50), 0.25) is RunVerdict.NO_DIFFERENCE, "three prompts are too few"
    six = [shares([False], [True])] * 6
    assert 0.3 < success_difference(six, 1).low < 0.6, "six that agree are no certainty"
    assert verdict(success_difference(six, 1), sign_test(six, 1)) is RunVerdict.HELPS


def test_with_one_repeat_the_chance_is_mcnemars() -> None:
    pairs = cases(9, 12, 2, 5)
    exact = 2 * sum(math.comb(14, wins) for wins in range(3)) / 2**14
    assert sign_test(pairs, 1) == pytest.approx(exact)
    assert sign_test(cases(9, 0, 0, 5), 1) == 1
    claimed, unclaimed = success_difference(pairs, 1), success_difference(cases(54, 0, 0, 0), 1)
    assert claimed.high < 0, "a claim and its interval agree"
    assert (unclaimed.low, unclaimed.high) == newcombe(cases(54, 0, 0, 0)), "nothing differed: that is no certainty"


def test_the_quantile_is_students() -> None:
    # tables of Student's t
    wanted = {1: 12.706, 2: 4.303, 3: 3.182, 5: 2.571, 10: 2.228, 30: 2.042, 100: 1.984}
    found = {freedom: student_quantile(freedom) for freedom in wanted}
    assert found == pytest.approx(wanted, abs=0.004)
    one = mean_difference([Pair(1, 3)])
    assert math.isinf(one.low)
    assert mean_difference([Pair(1, 2), Pair(1, 2), Pair(1, 2)]).low == 1


class _SilentModel:
    async def answer(
        self, _prompt: str, _tools: list[JsonObject], _system: str = "", _before: Sequence[Answer] = ()
    ) -> Answer:
        return Answer(())


def test_the_report_is_made_beside_the_loop() -> None:
    prompts = tuple(Prompt(str(number), "Which teams are there?", "a.teams") for number in range(300))
    offer = OfferedTools([], {})
    judged: list[int] = []

    async def turns_while_reporting() -> int:
        seen = 0
        made = run_bench(
            Bench(prompts), (offer, offer), _SilentModel(), repeats=1, on_answer=lambda done, _of: judged.append(done)
        )
        run = asyncio.create_task(made)
        while not run.done():
            await asyncio.sleep(0)
            seen += len(judged) == 2 * len(prompts) and not run.done()
        assert (await run).requests == 600
        return seen

    assert asyncio.run(turns_while_reporting()) > 1, "the window's loop did nothing else until the report was made"
