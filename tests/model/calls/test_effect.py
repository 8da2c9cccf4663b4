"""The figure of a note's effect claims what is not there in at most 5 % of histories, however often it is looked at."""

from __future__ import annotations

import random

import pytest

from toolnote_desktop.model.calls.effect import Rate, Verdict, calls_needed, interval, newcombe, verdict

CLAIMS = (Verdict.HELPS, Verdict.WORSE)


def first_claim(source: random.Random, before: Rate, rate: float, calls: int) -> Verdict | None:
    """Return the first claim of a history that is looked at after every call."""
    failed = 0
    for number in range(1, calls + 1):
        failed += source.random() < rate
        found = verdict(before, Rate(failed, number))
        if found in CLAIMS:
            return found
    return None


def drawn(source: random.Random, rate: float, calls: int) -> Rate:
    return Rate(sum(source.random() < rate for _ in range(calls)), calls)


@pytest.mark.parametrize("rate", [0.02, 0.2, 0.5, 0.9])
def test_without_an_effect_at_most_one_history_in_twenty_ever_claims_one(rate: float) -> None:
    """Seen red with the interval for one look (Newcombe) in place of the sequence: 15 to 34 % of histories."""
    source = random.Random(f"without effect {rate}")
    wrong = sum(
        first_claim(source, drawn(source, rate, source.choice((10, 20, 40, 100))), rate, 200) is not None
        for _ in range(1000)
    )
    assert wrong <= 50


def test_a_note_that_is_written_after_a_row_of_failures_claims_no_more_often() -> None:
    """Users write notes when a tool has just failed: the calls before are the worst of the history, not a sample."""
    source = random.Random("written after failures")
    wrong = 0
    for _ in range(1000):
        failed = calls = row = 0
        while calls < 10 or (row < 3 and calls < 300):
            fails = source.random() < 0.3
            failed, calls, row = failed + fails, calls + 1, row + 1 if fails else 0
        wrong += first_claim(source, Rate(failed, calls), 0.3, 150) is not None
    assert wrong <= 50


def test_an_effect_is_found_and_its_direction_is_right() -> None:
    source = random.Random("with effect")
    better = [first_claim(source, drawn(source, 0.2, 200), 0.05, 200) for _ in range(200)]
    worse = [first_claim(source, drawn(source, 0.05, 200), 0.2, 200) for _ in range(200)]
    assert better.count(Verdict.HELPS) > 140
    assert worse.count(Verdict.WORSE) > 140
    assert better.count(Verdict.WORSE) + worse.count(Verdict.HELPS) <= 20


def test_few_calls_say_nothing() -> None:
    assert verdict(Rate(0, 0), Rate(0, 500)) is Verdict.TOO_FEW
    assert verdict(Rate(9, 40), Rate(0, 0)) is Verdict.TOO_FEW
    assert verdict(Rate(9, 40), Rate(1, 10)) is Verdict.TOO_FEW
    assert verdict(Rate(10, 10), Rate(0, 10)) is Verdict.HELPS
    assert verdict(Rate(0, 40), Rate(20, 20)) is Verdict.WORSE
    needed = calls_needed(Rate(9, 40))
    assert needed is not None
    assert verdict(Rate(9, 40), Rate(0, needed)) is Verdict.HELPS
    assert verdict(Rate(9, 40), Rate(0, needed - 1)) is Verdict.TOO_FEW
    assert verdict(Rate(9, 40), Rate(9, 40 + needed)) is Verdict.UNCLEAR


def test_the_interval_and_the_claim_agree() -> None:
    source = random.Random("agreement")
    for _ in range(150):
        before = drawn(source, source.random(), source.randint(1, 80))
        since = drawn(source, source.random(), source.randint(1, 80))
        low, high = interval(before, since)
        difference = since.failed / since.calls - before.failed / before.calls
        assert -1 <= low <= difference <= high <= 1
        assert (verdict(before, since) in CLAIMS) == (low > 0 or high < 0)
        once = newcombe(before, since)
        assert once is not None
        assert low <= once[0] + 0.02
        assert high >= once[1] - 0.02, "looking at every call costs width"
    assert interval(Rate(), Rate(1, 3)) == (-1.0, 1.0)
    assert newcombe(Rate(), Rate(1, 3)) is None


def test_the_interval_for_one_look_is_that_of_the_publication() -> None:
    """Newcombe 1998, table II, method 10, cases (a) and (g): 56/70 - 48/80 and 10/10 - 0/20."""
    assert newcombe(Rate(48, 80), Rate(56, 70)) == pytest.approx((0.0524, 0.3339), abs=1e-4)
    assert newcombe(Rate(0, 20), Rate(10, 10)) == pytest.approx((0.6791, 1.0), abs=1e-4)
