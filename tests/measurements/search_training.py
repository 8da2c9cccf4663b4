"""Train the decision of the search that nothing fits: ``python -m tests.measurements.search_training [--authors]``.

Needs scikit-learn, which nothing else here needs. A logistic model over figures of a question and its first tools
(``SearchIndex.figures``), over all tuning files. Fit is a question whose answer is among the first five tools; one that
has an answer further below is left out. Libraries: all tools, with the notes of a file, without the servers that answer
a question (its nearest relatives stay), 3 servers with at most 4, 8 or 20 tools, and 8 to 50 servers.
Writes ``resources/search/fit.json``; with ``--authors`` it prints instead what models find of each file, and of each
fifth of the servers, that they were not given.
"""

from __future__ import annotations

import importlib
import json
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from tests.measurements.search import HERE, Question, name_of, read_questions, served, servers_of, small_library
from toolnote_desktop.guidance.search import SearchIndex

TARGET: Final = Path(__file__).parents[2] / "resources" / "search" / "fit.json"
COUNTS: Final = {
    ("all", "none"): 1.5, ("all", "plain"): 1.5, ("without", "plain"): 0.5, ("small", "none"): 0.5,
    ("small", "plain"): 0.5, ("some", "none"): 0.4, ("some", "plain"): 0.4, ("noted", "none"): 0.4,
    ("noted", "plain"): 0.3, ("noted", "note"): 0.5, ("all", "note"): 0.3,
}  # fmt: skip
"""Weight of the examples of a library and a kind of question, fit and unfit ones each."""
LEAST: Final = -0.5
"""Log odds that the first tool must have, chosen on questions of authors that a model was not given."""
LEAST_LESS: Final = 1.5
"""How much less the same are with few tools, where fewer questions without an answer share words with one."""
_INVERSE_RIDGE: Final = 0.03
_SMALL_TOOLS: Final = (4, 8, 20, 20)
_FOLDS: Final = 5
_FIRST: Final = 5


class Example(NamedTuple):
    """Question in a library: its figures, and the place of the first tool that answers it (0: none)."""

    file: str
    question: Question
    library: str
    is_unfit: bool
    rank: int
    figures: dict[str, float]


class Libraries:
    """Examples of all files; the same ones each time."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self._files = {path.stem: read_questions(path) for path in paths}
        self._tools = served({})
        self._servers = {tool.known.tool.server for tool in self._tools}
        self._all = SearchIndex(self._tools)
        self._random = random.Random(7)

    def examples(self) -> Iterator[Example]:
        """Yield the questions in all libraries."""
        for file, questions in self._files.items():
            notes: defaultdict[str, list[str]] = defaultdict(list)
            for one in questions:
                if one.note is not None:
                    notes[one.note[0]].append(one.note[1])
            noted = SearchIndex(served(notes))
            for one in questions:
                yield from self._in(self._all, file, one, "all", is_unfit=one.kind != "plain")
                yield from self._in(noted, file, one, "noted", is_unfit=one.kind == "none")
                if one.kind != "note":
                    yield from self._small(file, one)
        yield from self._without()
        yield from self._some()

    def _small(self, file: str, one: Question) -> Iterator[Example]:
        for answered in (True, False, True, False):
            if one.expected or not answered:
                count = self._random.choice(_SMALL_TOOLS)
                index = small_library(self._all, self._random, one, count, answered=answered)
                yield from self._in(index, file, one, "small", is_unfit=not answered)

    def _without(self) -> Iterator[Example]:
        groups: defaultdict[tuple[str, ...], list[tuple[str, Question]]] = defaultdict(list)
        for file, questions in self._files.items():
            for one in questions:
                if one.kind == "plain":
                    groups[tuple(servers_of(one))].append((file, one))
        for servers, some in groups.items():
            index = self._index(self._servers - set(servers))
            for file, one in some:
                yield from self._in(index, file, one, "without", is_unfit=True)

    def _some(self) -> Iterator[Example]:
        for _ in range(40):
            count = self._random.choice((8, 12, 20, 30, 50))
            servers = set(self._random.sample(sorted(self._servers), count))
            index = self._index(servers)
            for file, questions in self._files.items():
                for one in questions:
                    is_unfit = servers.isdisjoint(servers_of(one))
                    if one.kind != "note" and self._random.random() < (0.1 if is_unfit and one.expected else 0.35):
                        yield from self._in(index, file, one, "some", is_unfit=is_unfit)

    def _index(self, servers: set[str]) -> SearchIndex:
        return SearchIndex([tool for tool in self._tools if tool.known.tool.server in servers], self._all)

    def _in(self, index: SearchIndex, file: str, one: Question, library: str, *, is_unfit: bool) -> Iterator[Example]:
        ranking = index.rank(one.question)
        if ranking is None or not (tools := ranking.candidates()):
            return
        ranking.tools = tools
        names = [name_of(index.tools[place]) for place, _ in tools]
        rank = next((rank for rank, name in enumerate(names, start=1) if name in one.expected and not is_unfit), 0)
        yield Example(file, one, library, is_unfit, rank, index.figures(ranking))


class Fit(NamedTuple):
    """Weights by figure, and the constant."""

    weights: dict[str, float]
    constant: float

    def odds(self, example: Example) -> float:
        """Return the log odds that a question fits, more by ``LEAST_LESS`` the fewer the tools are."""
        odds = sum(weight * example.figures[name] for name, weight in self.weights.items()) + self.constant
        return odds + LEAST_LESS * example.figures["few tools"]


def is_found(example: Example) -> bool:
    """Return True if the answer is among the first five tools."""
    return 0 < example.rank <= _FIRST


def fit(examples: Sequence[Example], inverse_ridge: float = _INVERSE_RIDGE) -> Fit:
    """Return the weights of least loss; the fit and the unfit ones of each library count as ``COUNTS`` says."""
    linear, numpy = map(importlib.import_module, ("sklearn.linear_model", "numpy"))
    used = [one for one in examples if one.is_unfit or is_found(one)]
    groups = Counter(map(_group, used))
    counts = numpy.array([COUNTS.get(group[:2], 0.0) * 1000 / groups[group] for group in map(_group, used)])
    unfit = numpy.array([one.is_unfit for one in used])
    counts[unfit] *= counts[~unfit].sum() / counts[unfit].sum()
    names = list(used[0].figures)
    table = numpy.array([[one.figures[name] for name in names] for one in used])
    middle, spread = table.mean(axis=0), table.std(axis=0) + 1e-9
    model = linear.LogisticRegression(C=inverse_ridge, max_iter=3000)
    model.fit((table - middle) / spread, ~unfit, sample_weight=counts)
    weights = model.coef_[0] / spread
    constant = float(model.intercept_[0] - (weights * middle).sum())
    return Fit(dict(zip(names, weights.tolist(), strict=True)), constant)


def _group(one: Example) -> tuple[str, str, bool]:
    return one.library, one.question.kind, one.is_unfit


class Scored(NamedTuple):
    """Example with the odds by a model that was not given its author or its servers."""

    example: Example
    odds: float


def by_author(examples: Sequence[Example]) -> list[Scored]:
    """Return all examples, each with its odds by the models of the other authors."""
    found = []
    for file in sorted({one.file for one in examples}):
        model = fit([one for one in examples if one.file != file])
        found += [Scored(one, model.odds(one)) for one in examples if one.file == file]
    return found


def by_server(examples: Sequence[Example]) -> list[Scored]:
    """Return all examples, each with its odds by a model without its servers, or without a fifth of the unfit ones."""
    servers = sorted({server for one in examples for server in servers_of(one.question)})
    found = []
    for part in range(_FOLDS):
        own = set(servers[part::_FOLDS])
        is_own = [_is_of(one.question, own, part) for one in examples]
        model = fit([one for one, left_out in zip(examples, is_own, strict=True) if not left_out])
        found += [Scored(one, model.odds(one)) for one, left_out in zip(examples, is_own, strict=True) if left_out]
    return found


def _is_of(question: Question, servers: set[str], part: int) -> bool:
    own = servers_of(question)
    return not servers.isdisjoint(own) if own else question.number % _FOLDS == part


def share(values: Iterable[bool]) -> str:
    """Return a share of values in three digits."""
    several = list(values)
    return f"{sum(several) / len(several):.3f}" if several else "–"


def print_figures(scored: Sequence[Scored], least: float) -> None:
    """Print, by file and library, what is said of unfit and of other questions at a limit."""
    heads = ("nothing fits", "where the servers are gone", "said wrongly", "recall@1", "recall@5", "no limit")
    print(f"| file, library, limit {least:.2f} | {' | '.join(heads)} |\n| --- | --- | --- | --- | --- | --- | --- |")
    for file in (*sorted({one.example.file for one in scored}), ""):
        for library in ("all", "noted", "small"):
            own = [one for one in scored if one.example.library == library and file in ("", one.example.file)]
            plain = [one for one in own if one.example.question.kind == "plain" and not one.example.is_unfit]
            relatives = [one for one in scored if file in ("", one.example.file) and one.example.is_unfit
                         and one.example.question.kind == "plain"
                         and one.example.library == {"all": "without"}.get(library, library)]  # fmt: skip
            cells = (
                share(one.odds < least for one in own if one.example.question.kind == "none"),
                share(one.odds < least for one in relatives),
                share(one.odds < least for one in plain),
                share(one.odds >= least and one.example.rank == 1 for one in plain),
                share(one.odds >= least and is_found(one.example) for one in plain),
                share(is_found(one.example) for one in plain),
            )
            note = [one for one in own if one.example.question.kind == "note" and library == "noted"]
            more = f", notes {share(one.odds >= least and is_found(one.example) for one in note)}" if note else ""
            print(f"| {file or 'all'}, {library}{more} | {' | '.join(cells)} |", flush=True)


def print_curve(scored: Sequence[Scored]) -> None:
    """Print the curve of what is said of unfit questions, and of others, with all tools."""
    print("| limit | nothing fits | said wrongly | recall@1 | recall@5 | small: nothing fits | small: said wrongly |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for step in range(-8, 13):
        least, cells = step / 4, []
        for library in ("all", "small"):
            own = [one for one in scored if one.example.library == library]
            plain = [one for one in own if one.example.question.kind == "plain" and not one.example.is_unfit]
            cells += [share(one.odds < least for one in own if one.example.question.kind == "none")]
            cells += [share(one.odds < least for one in plain)]
            if library == "all":
                cells += [share(one.odds >= least and one.example.rank == 1 for one in plain)]
                cells += [share(one.odds >= least and is_found(one.example) for one in plain)]
        print(f"| {least:.2f} | {' | '.join(cells)} |")


def main() -> None:
    """Train, and write the weights."""
    examples = list(Libraries(sorted((HERE / "search").glob("tuning*.jsonl"))).examples())
    if "--authors" in sys.argv:
        for title, scored in (("author", by_author(examples)), ("servers", by_server(examples))):
            print(f"\nLeft out: {title}\n")
            print_curve(scored)
            print()
            print_figures(scored, LEAST)
        return
    model = fit(examples)
    weights = {name: round(weight, 3) for name, weight in model.weights.items()}
    weights["few tools"] = round(weights["few tools"] + LEAST_LESS, 3)
    written: dict[str, Any] = {"weights": weights, "least": round(LEAST - model.constant, 3)}
    TARGET.write_text(json.dumps(written, indent=2) + "\n", encoding="utf-8")
    print(f"{len(examples)} examples, {len(weights)} weights")


if __name__ == "__main__":
    main()
