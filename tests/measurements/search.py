"""Measurement of search: questions as people put them, over real tools, with and without notes, beside plain BM25."""

from __future__ import annotations

import json
import math
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from itertools import islice
from pathlib import Path
from statistics import mean, median
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from msgspec import Struct

from tests.measurements.figures import Measured, Share
from tests.model.builders import catalogue, known
from toolnote_desktop.guidance.search import MOST_NEAREST, Hit, SearchIndex
from toolnote_desktop.guidance.served_tools import ServedTool, served_tools
from toolnote_desktop.guidance.tokens import estimate_definition_tokens, estimate_tokens
from toolnote_desktop.meaning.messages import SCALE
from toolnote_desktop.meaning.network import Floats, Network
from toolnote_desktop.meaning.vectors import Bytes, as_bytes, unit_rows
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.toolsets.toolset import Toolset, parse_toolset
from toolnote_desktop.proxy.tools.tool_search import search_answers

HERE = Path(__file__).parent
LIBRARY = ("real_tools", "held_back_tools")
"""Files of the tools that the questions are about."""
LIMIT = 5
"""Tools of an answer, as ``search-tools`` gives them by default."""
SMALL = 20
"""Tools of a small library."""
GOALS = {"recall@5": 0.75, "recall@1": 0.45, "note@5": 0.90, "none": 0.80}

Find = Callable[[str], list[int]]


class Question(Struct, frozen=True):
    """Question of a set, its number in the file, and the tools that answer it, as ``server/tool``."""

    number: int
    question: str
    kind: str
    language: str
    expected: tuple[str, ...]
    note: tuple[str, str] | None = None
    """Tool and text of the note."""


class Model:
    """The model of meaning in this process, and the vectors of texts that it has worked out."""

    def __init__(self) -> None:
        self._network = Network()
        self._vectors: dict[str, Bytes] = {}
        self._rows: WeakKeyDictionary[SearchIndex, Floats] = WeakKeyDictionary()
        self._question = cache(self._network.vector)

    def cosines(self, index: SearchIndex, question: str) -> list[float]:
        """Return the similarity of each tool of an index to a question, as the model's process gives it."""
        if index not in self._rows:
            self._rows[index] = unit_rows(np.stack([self._vector(text) for text in index.texts]))
        found = self._rows[index] @ self._question(index.question_for_model(question))
        return [round(one * SCALE) / SCALE for one in found.tolist()]

    def _vector(self, text: str) -> Bytes:
        if text not in self._vectors:
            self._vectors[text] = as_bytes(self._network.vector(text))
        return self._vectors[text]


class Bm25:
    """Plain BM25 over name, description and notes of each tool: no fields, stems or synonyms (k1 1.2, b 0.75)."""

    def __init__(self, tools: Sequence[ServedTool]) -> None:
        documents = [
            _plain_words(f"{one.known.tool.server} {one.name} {one.definition.get('description', '')}") for one in tools
        ]
        average = mean(map(len, documents))
        self._scores: defaultdict[str, dict[int, float]] = defaultdict(dict)
        for place, words in enumerate(documents):
            for word, count in Counter(words).items():
                self._scores[word][place] = count * 2.2 / (count + 1.2 * (0.25 + 0.75 * len(words) / average))
        for places in self._scores.values():
            rarity = math.log(1 + (len(documents) - len(places) + 0.5) / (len(places) + 0.5))
            for place in places:
                places[place] *= rarity

    def find(self, question: str) -> list[int]:
        """Return the places of the tools that share a word with a question, the best first."""
        scores: defaultdict[int, float] = defaultdict(float)
        for word in set(_plain_words(question)):
            for place, score in self._scores.get(word, {}).items():
                scores[place] += score
        return sorted(scores, key=lambda place: (-scores[place], place))[:LIMIT]


def measure(held_back: bool, part: str = "*", *, with_model: bool = True) -> Measured:
    """Measure the held-back half, or each file of the tuning half.

    With ``part`` the files of the tuning half are those whose names end so (empty: the first). Without the model the
    goals are judged by the words alone.
    """
    model = Model() if with_model else None
    half = "held_back" if held_back else f"tuning{part}"
    found = [_measure(path, model) for path in sorted((HERE / "search").glob(f"{half}.jsonl"))]
    return Measured("\n\n".join(one.text for one in found), [line for one in found for line in one.below])


def _measure(path: Path, model: Model | None) -> Measured:
    """Measure recall, mean reciprocal rank, honest answers that nothing fits, and tokens beside those of the list."""
    questions = read_questions(path)
    notes: defaultdict[str, list[str]] = defaultdict(list)
    for one in questions:
        if one.note is not None:
            notes[one.note[0]].append(one.note[1])
    plain, noted = served({}), served(notes)
    names = [f"{one.known.tool.server}/{one.known.tool.name}" for one in plain]
    indexes = {False: SearchIndex(plain), True: SearchIndex(noted)}
    engines: dict[tuple[str, bool], Find] = {}
    listed = {False: plain, True: noted}
    for with_notes, tools in listed.items():
        if model is not None:
            engines["search", with_notes] = partial(_places, indexes[with_notes], model)
        engines["words alone", with_notes] = partial(_places, indexes[with_notes], None)
        engines["plain BM25", with_notes] = Bm25(tools).find
    found = {
        key: {one.number: [names[place] for place in find(one.question)] for one in questions}
        for key, find in engines.items()
    }
    by_kind = {kind: [one for one in questions if one.kind == kind] for kind in ("plain", "note", "none")}
    engine = "search" if model is not None else "words alone"
    ours, own = found[engine, False], found[engine, True]
    half = path.stem.replace("_", " ")
    lines = [
        f"### Search: {half}, {len(plain)} tools, {len(by_kind['plain'])} questions as people put them",
        "",
        "| engine | notes | recall@1 | recall@3 | recall@5 | MRR |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for (engine, with_notes), answers in found.items():
        lines.append(f"| {engine} | {_word(with_notes)} | {_cells(by_kind['plain'], answers)} |")
    lines += ["", "| language | recall@1 | recall@5 |", "| --- | --- | --- |"]
    for language in ("en", "de"):
        some = [one for one in by_kind["plain"] if one.language == language]
        lines.append(f"| {language} | {recall(some, ours, 1)} | {recall(some, ours, 5)} |")
    lines += [
        "",
        f"{len(by_kind['note'])} questions that only a note can answer:",
        "",
        "| engine | notes | recall@1 | recall@3 | recall@5 | MRR |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for (engine, with_notes), answers in found.items():
        lines.append(f"| {engine} | {_word(with_notes)} | {_cells(by_kind['note'], answers)} |")
    lines += [
        "",
        "| “nothing fits” where nothing does | notes | share | said of a question that has an answer |",
        "| --- | --- | --- | --- |",
    ]
    for (engine, with_notes), answers in found.items():
        said = Share(sum(not answers[one.number] for one in by_kind["none"]), len(by_kind["none"]))
        wrongly = Share(sum(not answers[one.number] for one in by_kind["plain"]), len(by_kind["plain"]))
        lines.append(f"| {engine} | {_word(with_notes)} | {said} | {wrongly} |")
    named = {
        one.number: ours[one.number]
        or [names[hit.place] for hit in _search(indexes[False], model, one.question, MOST_NEAREST, nearest=True)]
        for one in by_kind["plain"]
    }
    lines += [
        "",
        f"Named in the answer, as one of the first five or of the {MOST_NEAREST} nearest beside “nothing fits”, "
        f"without notes: {recall(by_kind['plain'], named, LIMIT)}.",
        "",
        *(_token_line(tools, indexes[with_notes], model, by_kind["plain"]) for with_notes, tools in listed.items()),
        "",
        _misses("Not among the first five (plain)", by_kind["plain"], ours),
        _misses("Not among the first five (note)", by_kind["note"], own),
        "Something found where nothing fits: "
        + ", ".join(f"{one.number}" for one in by_kind["none"] if own[one.number])
        + ".",
    ]
    lines += ["", *_of_small_libraries(questions, indexes[False], model)]
    figures = {
        "recall@5": recall(by_kind["plain"], ours, 5),
        "recall@1": recall(by_kind["plain"], ours, 1),
        "note@5": recall(by_kind["note"], own, 5),
        "none": Share(sum(not ours[one.number] for one in by_kind["none"]), len(by_kind["none"])),
    }
    below = [f"search, {half}, {name}: {figures[name]}" for name, goal in GOALS.items() if figures[name].value < goal]
    return Measured("\n".join(lines), below)


def read_questions(path: Path) -> list[Question]:
    """Return the questions of a file."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [
        Question(number, one["question"], one["kind"], one["language"], tuple(one["expected"]), _note(one))
        for number, one in enumerate(rows, start=1)
    ]


def served(notes: Mapping[str, Sequence[str]]) -> tuple[ServedTool, ...]:
    """Return all tools of the sets as served, with these notes by ``server/tool``."""
    return served_tools(*library(notes))


def library(
    notes: Mapping[str, Sequence[str]], files: Sequence[str] = LIBRARY, most: int | None = None
) -> tuple[Snapshot, Toolset]:
    """Return a snapshot with the first tools of these files, and a toolset that has them all.

    Args:
        notes: texts of notes by ``server/tool``.
        most: number of tools; all if None.
    """
    entries, found, groups = [], [], []
    texts_of_files = ((HERE / "tools" / f"{file}.jsonl").read_text(encoding="utf-8") for file in files)
    lines = (line for text in texts_of_files for line in text.splitlines())
    for line in islice(lines, most):
        one = json.loads(line)
        server, own = one["server"], one["tool"]["name"]
        definition = {key: value for key, value in one["tool"].items() if key != "name"}
        found.append(known(server, own, **definition))
        entries.append({"namespacedName": f"{server}.{own}"})
        texts = notes.get(f"{server}/{own}", ())
        raw = [{"name": f"team-{number}", "note": text} for number, text in enumerate(texts, start=1)]
        groups.append({"toolRef": {"namespacedName": f"{server}.{own}"}, "notes": raw})
    toolset = parse_toolset("all", {"tools": entries, "toolNotes": groups}, lambda entry, reason: None)
    return Snapshot(catalogue=catalogue(found), toolsets={"all": toolset}), toolset


def name_of(tool: ServedTool) -> str:
    """Return a tool as the sets name it."""
    return f"{tool.known.tool.server}/{tool.known.tool.name}"


def servers_of(question: Question) -> list[str]:
    """Return the servers of the tools that answer a question."""
    return sorted({one.split("/")[0] for one in question.expected})


def small_library(
    index: SearchIndex, drawn: random.Random, question: Question, count: int, *, answered: bool
) -> SearchIndex:
    """Return the index of some tools of three servers, drawn at random: with one that answers a question, or none."""
    own = servers_of(question)
    others = sorted({one.known.tool.server for one in index.tools} - set(own))
    servers = [drawn.choice(own), *drawn.sample(others, 2)] if answered else drawn.sample(others, 3)
    tools = [tool for tool in index.tools if tool.known.tool.server in servers]
    chosen = [tool for tool in tools if name_of(tool) in question.expected]
    rest = [tool for tool in tools if name_of(tool) not in question.expected]
    drawn.shuffle(rest)
    return SearchIndex([*chosen, *rest[: max(0, count - len(chosen))]], index)


def _of_small_libraries(questions: Sequence[Question], index: SearchIndex, model: Model | None) -> list[str]:
    """Return the table of libraries of 20 tools of three servers, another for each question."""
    drawn = random.Random(21)
    found: defaultdict[str, list[bool]] = defaultdict(list)
    for one in questions:
        if one.kind == "note":
            continue
        without = small_library(index, drawn, one, SMALL, answered=False)
        found[f"nothing fits ({one.kind})"].append(not _places(without, model, one.question))
        if one.kind == "plain":
            having = small_library(index, drawn, one, SMALL, answered=True)
            names = [name_of(having.tools[place]) for place in _places(having, model, one.question)]
            found["recall@1"].append(bool(set(names[:1]) & set(one.expected)))
            found["recall@5"].append(bool(set(names) & set(one.expected)))
            found["said wrongly"].append(not names)
    cells = [str(Share(sum(found[name]), len(found[name]))) for name in _SMALL_COLUMNS]
    return [
        f"Libraries of {SMALL} tools of three servers, drawn for each question:",
        "",
        "| recall@1 | recall@5 | said wrongly | “nothing fits” where nothing does | where what does is absent |",
        "| --- | --- | --- | --- | --- |",
        f"| {' | '.join(cells)} |",
    ]


_SMALL_COLUMNS = ("recall@1", "recall@5", "said wrongly", "nothing fits (none)", "nothing fits (plain)")


def recall(questions: Sequence[Question], answers: dict[int, list[str]], limit: int) -> Share:
    """Return the share of questions of which one of the first ``limit`` tools is expected."""
    hits = sum(bool(set(answers[one.number][:limit]) & set(one.expected)) for one in questions)
    return Share(hits, len(questions))


def _places(index: SearchIndex, model: Model | None, text: str) -> list[int]:
    return [hit.place for hit in _search(index, model, text, LIMIT)]


def _search(index: SearchIndex, model: Model | None, text: str, limit: int, *, nearest: bool = False) -> list[Hit]:
    found = None if model is None else model.cosines(index, text)
    return index.search(text, limit, nearest=nearest, cosines=found)


def _cells(questions: Sequence[Question], answers: dict[int, list[str]]) -> str:
    ranks = [
        next((1 / rank for rank, name in enumerate(answers[one.number], start=1) if name in one.expected), 0.0)
        for one in questions
    ]
    return " | ".join([*(str(recall(questions, answers, limit)) for limit in (1, 3, 5)), f"{mean(ranks):.3f}"])


def _token_line(
    tools: Sequence[ServedTool], index: SearchIndex, model: Model | None, questions: Sequence[Question]
) -> str:
    tokens = [_tokens(tools, index, model, one.question) for one in questions]
    whole = sum(estimate_definition_tokens(one.definition) for one in tools)
    return (
        f"Tokens of a task, {_word(any(one.notes for one in tools))} notes: an answer has {median(tokens):,.0f} "
        f"(median; mean {mean(tokens):,.0f}, most {max(tokens):,.0f}), the list of all tools {whole:,}.\n"
    )


def _tokens(tools: Sequence[ServedTool], index: SearchIndex, model: Model | None, question: str) -> int:
    answer: list[dict[str, Any]] = search_answers([tools[place] for place in _places(index, model, question)])
    return estimate_tokens(json.dumps(answer, ensure_ascii=False))


def _note(row: dict[str, Any]) -> tuple[str, str] | None:
    note = row["note"]
    return (note["tool"], note["text"]) if note else None


def _word(with_notes: bool) -> str:
    return "with" if with_notes else "without"


def _misses(title: str, questions: Sequence[Question], answers: dict[int, list[str]]) -> str:
    missed = [one.number for one in questions if not set(answers[one.number]) & set(one.expected)]
    return f"{title}: {', '.join(map(str, missed)) or 'none'}.\n"


def _plain_words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.casefold())
