"""Claims of the bench: how often it claims an effect that is not there, and how often it finds one (docs/bench.md)."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence

from tests.measurements.figures import Measured, Share
from toolnote_desktop.bench.bench_file import Bench, Prompt
from toolnote_desktop.bench.model_endpoint import Answer, ModelCall
from toolnote_desktop.bench.run import OfferedTools, run_bench
from toolnote_desktop.bench.statistics import Difference, Pair, RunVerdict, shares, sign_test, verdict
from toolnote_desktop.model.json_text import JsonObject

HISTORIES = 2_000
RUNS = 100
REPEATS = 3
EFFECTS = (0.0, 0.1, 0.2, 0.4)


def run(drawn: random.Random, prompts: int, effect: float) -> RunVerdict:
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


def report_verdict(pairs: list[Pair]) -> RunVerdict:
    """Return the verdict of a run, whose interval is not needed."""
    before, after = (
        sum(values) / len(pairs) for values in zip(*((one.before, one.after) for one in pairs), strict=True)
    )
    return verdict(Difference(before, after, 0, 0), sign_test(pairs, REPEATS))


class NoisyModel:
    """Model that calls the right tool with a chance that depends on the note that it reads."""

    def __init__(self, drawn: random.Random, chances: dict[str, float]) -> None:
        self._drawn, self._chances = drawn, chances

    async def answer(
        self, prompt: str, tools: list[JsonObject], system: str = "", before: Sequence[Answer] = ()
    ) -> Answer:
        """Return one call."""
        chance = next((one for words, one in self._chances.items() if words == tools[0]["description"]), 0.5)
        return Answer((ModelCall("right" if self._drawn.random() < chance else "wrong", {}),))


def whole_runs(note: str, chance: float) -> list[RunVerdict]:
    """Return the verdicts of runs from the prompts to the report, with a planted effect."""
    sides = tuple(
        OfferedTools([{"name": "right", "description": text, "inputSchema": {}}], {"right": "s.right"})
        for text in ("", note)
    )
    bench = Bench(tuple(Prompt(f"p{number}", "Do it.", "s.right") for number in range(20)))
    found = []
    for seed in range(RUNS):
        model = NoisyModel(random.Random(seed), {note: chance})
        found.append(asyncio.run(run_bench(bench, (sides[0], sides[1]), model, repeats=REPEATS, seed=seed)).verdict)
    return found


def measure(held_back: bool) -> Measured:
    """Return the table of claims."""
    drawn = random.Random(21)
    lines = ["| prompts | prompts that the notes mend | helps | harms |", "| --- | --- | --- | --- |"]
    below = []
    for prompts in (8, 16, 40, 100):
        for effect in EFFECTS:
            found = [run(drawn, prompts, effect) for _ in range(HISTORIES)]
            helps, harms = (Share(found.count(one), HISTORIES) for one in (RunVerdict.HELPS, RunVerdict.HARMS))
            lines.append(f"| {prompts} | {effect:.0%} | {helps.value:.1%} | {harms.value:.1%} |")
            false = Share(helps.hits + harms.hits, HISTORIES)
            if effect == 0 and false.interval[0] > 0.05:
                below.append(f"bench: {false} false claims with {prompts} prompts")
    lines += ["", f"{RUNS} whole runs with 20 prompts and a scripted model:", ""]
    lines += ["| right calls without, with | helps | harms |", "| --- | --- | --- |"]
    for chance in (0.5, 0.9, 0.1):
        verdicts = whole_runs("The note.", chance)
        helps, harms = (Share(verdicts.count(one), RUNS) for one in (RunVerdict.HELPS, RunVerdict.HARMS))
        lines.append(f"| 50%, {chance:.0%} | {helps.value:.0%} | {harms.value:.0%} |")
        if chance == 0.5 and Share(helps.hits + harms.hits, RUNS).interval[0] > 0.05:
            below.append("bench: whole runs claim what is not there")
        if chance != 0.5 and (helps if chance > 0.5 else harms).value < 0.95:
            below.append("bench: whole runs miss a planted effect")
    title = f"## Claims of the bench: {HISTORIES:,} runs each, {REPEATS} repeats"
    return Measured("\n".join([title, "", *lines]), below)
