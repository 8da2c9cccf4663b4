"""Measurement of the search's speed beside 5,000 real tools: index, a changed note, and questions as people put them.

Wall times depend on what else the machine does: a control is timed between them, the same work each time, and how far
its 95th percentile is from its median says how quiet the machine was. Each question is asked in several rounds: the
least time of each leaves most of that out, and with it what the collector of garbage takes. The model's process is the
real one.
"""

from __future__ import annotations

import gc
import json
import random
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median

import psutil
from msgspec.structs import replace

from tests.benchmarks.rounds import percentile
from tests.meaning.processes import models
from tests.measurements.figures import Measured
from tests.measurements.search import HERE, LIBRARY, LIMIT, library, read_questions
from tests.model.builders import Reports
from toolnote_desktop.guidance.search import SearchIndex, SearchIndexes
from toolnote_desktop.guidance.texts import forget_words
from toolnote_desktop.meaning.client import Meaning
from toolnote_desktop.model.preferences import Preferences
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.dialect import PLAIN
from toolnote_desktop.model.toolsets.notes import parse_everywhere
from toolnote_desktop.paths import Home
from toolnote_desktop.system.threads import short_turns

FILES = (*LIBRARY, "training_tools")
"""Files of tools, the first of which are indexed."""
TOOLS = 5_000
QUESTIONS = 300
ROUNDS = 3
INDEX_GOAL = 1.0
"""Seconds."""
QUESTION_GOAL = 0.020
"""Seconds at the 95th percentile of whole questions, words and model."""
HOME = Path(__file__).parents[2] / "test-artifacts" / "search-speed"
"""Home of the model's process: what it has worked out of a text is read from a file the next time."""
_PATIENCE = 600.0
_REPETITIONS = 5
_CONTROL_TOOLS = 100


class Times(list[tuple[float, float]]):
    """Wall times and processor times of this process, in seconds."""

    def take(self, work: Callable[[], object]) -> None:
        """Time a piece of work."""
        began, worked = time.perf_counter(), time.process_time()
        work()
        self.append((time.perf_counter() - began, time.process_time() - worked))

    @property
    def walls(self) -> list[float]:
        """Wall times, in the order they were taken."""
        return [wall for wall, _ in self]

    @property
    def processors(self) -> list[float]:
        """Processor times, in the order they were taken."""
        return [processor for _, processor in self]

    def row(self, name: str) -> str:
        """Return a row of a table, in milliseconds, of times taken in ``ROUNDS`` rounds."""
        count = len(self) // ROUNDS
        least = [min(self.walls[place::count]) for place in range(count)]
        figures = [
            *(of(times) for times in (self.walls, least, self.processors) for of in (median, _p95)),
        ]
        return f"| {name} | {' | '.join(f'{one * 1000:.1f}' for one in figures)} |"


def _p95(times: list[float]) -> float:
    return percentile(times, 95)


def measure(_held_back: bool) -> Measured:
    """Measure with the questions of the tuning files, in both cases."""
    made, changed, control = Times(), Times(), Times()
    for repetition in range(_REPETITIONS):
        snapshot, toolset = library({}, FILES, TOOLS)  # new tools, of which nothing was worked out yet
        texts = [json.dumps(one.tool.definition) for one in snapshot.catalogue.tools.values()]
        indexes = SearchIndexes()
        forget_words()
        gc.collect()
        control.take(partial(_encode_and_decode, texts))
        made.take(partial(indexes.index, snapshot, toolset, PLAIN))
        noted = _with_note(snapshot, f"The OKR sheet number {repetition}")
        changed.take(partial(indexes.index, noted, toolset, PLAIN))
    index = indexes.index(snapshot, toolset, PLAIN)
    meaning = Meaning(Home(HOME))
    try:
        began = time.perf_counter()
        ready = meaning.cosines(index.texts, "is it ready?", _PATIENCE, is_patient=True)
        first = time.perf_counter() - began
        if ready is None:
            return Measured("### Search: speed\n\nThe model's process gave no answer.", ["search-speed: no model"])
        newer = indexes.index(_with_note(snapshot, "The OKR sheet is here."), toolset, PLAIN)
        began = time.perf_counter()
        meaning.cosines(newer.texts, "is it ready?", _PATIENCE, is_patient=True)
        again = time.perf_counter() - began
        questions = _questions(QUESTIONS)
        kinds, of_model = _of_questions(index, meaning, questions, texts[:_CONTROL_TOOLS])
    finally:
        meaning.close()
    joined = kinds["words and model"]
    p95 = _p95(joined.walls)
    index_seconds = median(made.walls)
    lines = [
        f"### Search: speed beside {len(index.tools):,} tools, {len(questions)} questions of the tuning files",
        "",
        f"Goals: index in {INDEX_GOAL:.0f} s, a question in {QUESTION_GOAL * 1000:.0f} ms at the 95th percentile.",
        "",
        "| seconds, median of five | wall | processor | to the control |",
        "| --- | --- | --- | --- |",
        *(
            f"| {name} | {median(times.walls):.3f} | {median(times.processors):.3f} "
            f"| {median(times.processors) / median(control.processors):.1f} |"
            for name, times in (
                ("index of all tools", made),
                ("the same after a note was changed", changed),
                ("control: all definitions encoded as JSON and decoded", control),
            )
        ),
        "",
        f"The model's process was started, and had the vectors of all tools, after {first:.2f} s; of the list with the "
        f"changed note after {again:.3f} s.",
        "",
        f"| a question, milliseconds | wall, median | p95 | least of {ROUNDS}, median | p95 "
        "| processor of this process, median | p95 |",
        "| --- | --- | --- | --- | --- | --- | --- |",
        *(times.row(name) for name, times in kinds.items()),
        "",
        f"The model's process takes {of_model * 1000:.1f} ms of processor time for a question (mean). *Model alone* is "
        "how long its answer takes; in *words and model* words are compared meanwhile.",
    ]
    below = []
    if p95 > QUESTION_GOAL:
        below.append(f"search-speed, a question: p95 {p95 * 1000:.1f} ms, goal {QUESTION_GOAL * 1000:.0f} ms")
    if index_seconds > INDEX_GOAL:
        below.append(f"search-speed, index: {index_seconds:.2f} s, goal {INDEX_GOAL:.0f} s")
    return Measured("\n".join(lines), below)


def _of_questions(
    index: SearchIndex, meaning: Meaning, questions: list[str], control: list[str]
) -> tuple[dict[str, Times], float]:
    """Return the times of whole questions, of their parts and of the control, and the model's processor time of one."""
    ask = partial(meaning.ask, seconds=_PATIENCE)
    kinds: dict[str, Callable[[str], object]] = {
        "words and model": lambda question: index.answer(Preferences(), question, LIMIT, ask),
        "words alone": lambda question: index.answer(Preferences(), question, LIMIT),
        "model alone": lambda question: ask(index.texts, index.question_for_model(question))(),
        f"control: {len(control)} definitions": lambda _: _encode_and_decode(control),
    }
    found = {name: Times() for name in kinds}
    (process,) = models()
    used = 0.0
    with short_turns():
        for question in questions[:20]:
            kinds["words and model"](question)  # the lists of words are read at the first one
        for question in questions * ROUNDS:
            before = _processor(process)
            found["words and model"].take(partial(kinds["words and model"], question))
            used += _processor(process) - before
            for name in list(kinds)[1:]:
                found[name].take(partial(kinds[name], question))
    return found, used / len(questions) / ROUNDS


def _questions(count: int) -> list[str]:
    paths = sorted((HERE / "search").glob("tuning*.jsonl"))
    return random.Random(21).sample([one.question for path in paths for one in read_questions(path)], count)


def _with_note(snapshot: Snapshot, text: str) -> Snapshot:
    """Return a snapshot in which a tool has another note."""
    name = next(iter(snapshot.catalogue.tools.values())).tool.namespaced_name
    return replace(snapshot, notes=parse_everywhere({"tools": {name: [{"name": "n", "note": text}]}}, Reports()))


def _processor(process: psutil.Process) -> float:
    times = process.cpu_times()
    return times.user + times.system


def _encode_and_decode(texts: Sequence[str]) -> None:
    for text in texts:
        json.dumps(json.loads(text))
