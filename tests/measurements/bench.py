"""Claims of the bench: how often it claims an effect that is not there, and how often it finds one (docs/bench.md)."""

from __future__ import annotations

import random

from tests.measurements.figures import Measured, Share
from toolnote_desktop.bench.statistics import Difference, Pair, Verdict, shares, sign_test, verdict

HISTORIES = 2_000
REPEATS = 3
EFFECTS = (0.0, 0.1, 0.2, 0.4)


def run(drawn: random.Random, prompts: int, effect: float) -> Verdict:
    """One run: prompts differ in how often they succeed, and the answers of one prompt resemble each other.

    A prompt has its own chance on each side, so that repeats say little more than one. ``effect``: share of the prompts
    that fail without the notes and succeed with them.
    """
    pairs: list[Pair] = []
    for _ in range(prompts):
        middle = drawn.betavariate(0.8, 0.8)
        chances = [min(max(drawn.gauss(middle, 0.15), 0.0), 1.0) for _ in range(2)]
        if drawn.random() < effect:
            chances = [0.05, 0.95]
        before, after = ([drawn.random() < chance for _ in range(REPEATS)] for chance in chances)
        pairs.append(shares(before, after))
    return report_verdict(pairs)


def report_verdict(pairs: list[Pair]) -> Verdict:
    """Return the verdict of a run, whose interval is not needed."""
    before, after = (
        sum(values) / len(pairs) for values in zip(*((one.before, one.after) for one in pairs), strict=True)
    )
    return verdict(Difference(before, after, 0, 0), sign_test(pairs, REPEATS))


def measure(held_back: bool) -> Measured:
    """Return the table of claims."""
    drawn = random.Random(21)
    lines = ["| prompts | prompts that the notes mend | helps | harms |", "| --- | --- | --- | --- |"]
    below = []
    for prompts in (8, 16, 40, 100):
        for effect in EFFECTS:
            found = [run(drawn, prompts, effect) for _ in range(HISTORIES)]
            helps, harms = (Share(found.count(one), HISTORIES) for one in (Verdict.HELPS, Verdict.HARMS))
            lines.append(f"| {prompts} | {effect:.0%} | {helps.value:.1%} | {harms.value:.1%} |")
            false = Share(helps.hits + harms.hits, HISTORIES)
            if effect == 0 and false.interval[0] > 0.05:
                below.append(f"bench: {false} false claims with {prompts} prompts")
    title = f"## Claims of the bench: {HISTORIES:,} runs each, {REPEATS} repeats"
    return Measured("\n".join([title, "", *lines]), below)
