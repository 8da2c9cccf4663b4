"""Train what joins the search's model with the words: ``python -m tests.measurements.joined_training [--left-out]``.

Needs NumPy, SciPy and scikit-learn, which nothing else here needs. The order of tools is trained on the plain questions
of the files that the model of meaning was not given (``model_training.FILES``), because the cosine of a question that
it has seen says more than that of another, and on the questions of notes of all files. The decision that nothing fits
(``search_training``) is trained on the same and on all questions that nothing fits: the model was given none of them.
Each example of the decision is in the order of a model that was not given the servers that answer it. Writes
``resources/search/joined.json``; with ``--left-out`` it prints instead what models find of the authors, and of each
fifth of the servers, that they were not given.
"""

from __future__ import annotations

import importlib
import json
import random
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from tests.measurements import search_training
from tests.measurements.model_training import FILES, TARGET
from tests.measurements.search import HERE, Model, Question, name_of, read_questions, served, servers_of, small_library
from tests.measurements.search_training import LEAST_LESS, Example, Scored
from toolnote_desktop.guidance import search
from toolnote_desktop.guidance.search import Ranking, SearchIndex

LEAST: Final = -0.55
"""Log odds that the first tool must have, chosen on questions of authors and servers that a model was not given."""
_RIDGE: Final = 0.01
_GERMAN_RIDGE: Final = 0.2
_INVERSE_RIDGE: Final = 0.1
_FOLDS: Final = 5
_SMALL_TOOLS: Final = (4, 8, 20, 20)

Weights = Any
"""Array of the weights of the order, and of what they are more in German."""


class Ranked(Struct, eq=False):
    """Question in a library, with what its order and the decision are made of.

    Attributes:
        right: for each place, True if the tool answers the question.
    """

    file: str
    question: Question
    library: str
    is_unfit: bool
    index: SearchIndex
    ranking: Ranking
    places: list[int]
    rows: Any
    right: Any
    is_german: bool
    fold: int

    def scores(self, weights: Weights) -> Any:
        """Return the log odds of the tools to one another."""
        count = self.rows.shape[1]
        return self.rows @ (weights[:count] + weights[count:] * self.is_german)

    def example(self, weights: Weights) -> Example:
        """Return the figures of the decision in the order by these weights."""
        ranking, scores, by_words = self.ranking, self.scores(weights), dict(self.ranking.tools)
        order = sorted(range(len(scores)), key=lambda one: (-scores[one], self.places[one]))
        joined = replace(
            ranking,
            tools=[(self.places[one], by_words.get(self.places[one], 0.0)) for one in order],
            joined=[float(scores[one]) for one in order],
        )
        rank = next((rank for rank, one in enumerate(order, start=1) if self.right[one]), 0)
        figures = self.index.joined_figures(joined)
        return Example(self.file, self.question, self.library, self.is_unfit, rank, figures)


def ranked(paths: Sequence[Path]) -> Iterator[Ranked]:
    """Yield the questions of some files: with all tools, and drawn ones in smaller libraries and with notes."""
    model, index, drawn = Model(), SearchIndex(served({})), random.Random(7)
    places = {name_of(tool): place for place, tool in enumerate(index.tools)}
    servers = sorted({tool.known.tool.server for tool in index.tools})
    folds = {server: number % _FOLDS for number, server in enumerate(random.Random(3).sample(servers, len(servers)))}

    def of(own: SearchIndex, file: str, one: Question, library: str, *, is_unfit: bool) -> Iterator[Ranked]:
        ranking = own.rank(one.question)
        if ranking is not None:
            whole = model.cosines(index, one.question)
            cosines = [whole[places[name_of(tool)]] for tool in own.tools]
            found, rows = own.join_figures(ranking, cosines)
            right = np.array([name_of(own.tools[place]) in one.expected and not is_unfit for place in found])
            fold = folds[servers_of(one)[0]] if one.expected else one.number % _FOLDS
            is_german = search._is_german(one.question)
            figures = np.array(rows)
            yield Ranked(
                file, one, library, is_unfit, own, ranking, found, figures, right, is_german, fold
            )  # fmt: skip

    for path in paths:
        questions, notes = read_questions(path), defaultdict(list)
        for one in questions:
            if one.note is not None:
                notes[one.note[0]].append(one.note[1])
        noted = SearchIndex(served(notes), index)
        for one in questions:
            if one.kind == "plain" and path.stem in FILES:
                continue
            yield from of(index, path.stem, one, "all", is_unfit=one.kind != "plain")
            if one.kind == "note" or drawn.random() < (0.5 if one.kind == "none" else 0.3):
                yield from of(noted, path.stem, one, "noted", is_unfit=one.kind == "none")
            if one.kind != "note" and drawn.random() < 0.6:
                is_answered = bool(one.expected) and drawn.random() < 0.5
                small = small_library(index, drawn, one, drawn.choice(_SMALL_TOOLS), answered=is_answered)
                yield from of(small, path.stem, one, "small", is_unfit=not is_answered)


def order(examples: Sequence[Ranked]) -> Weights:
    """Return the weights under which the tools that answer are likeliest (a conditional logit, McFadden, 1974)."""
    some = [one for one in examples if one.library != "small" and one.right.any()]
    count = some[0].rows.shape[1]
    spread = np.concatenate([one.rows for one in some]).std(axis=0) + 1e-9
    table = np.concatenate([np.hstack([one.rows / spread, one.rows / spread * one.is_german]) for one in some])
    right = np.concatenate([one.right for one in some])
    lengths = [len(one.places) for one in some]
    starts, group = np.cumsum([0, *lengths])[:-1], np.repeat(np.arange(len(some)), lengths)
    ridge = np.repeat([_RIDGE, _GERMAN_RIDGE], count)

    def loss(weights: Any) -> tuple[float, Any]:
        scores = table @ weights
        odds = np.exp(scores - np.maximum.reduceat(scores, starts)[group])
        shares = odds / np.add.reduceat(odds, starts)[group]
        found = np.add.reduceat(np.where(right, shares, 0), starts) + 1e-12
        slope = table.T @ (shares - np.where(right, shares, 0) / found[group]) / len(some)
        return -np.log(found).mean() + (ridge * weights * weights).sum(), slope + 2 * ridge * weights

    optimize = importlib.import_module("scipy.optimize")
    return optimize.minimize(loss, np.zeros(2 * count), jac=True, method="L-BFGS-B").x / np.tile(spread, 2)


def decision(examples: Sequence[Ranked]) -> search_training.Fit:
    """Return the weights of the decision, each example in the order of a model without the servers that answer it."""
    orders = {fold: order([one for one in examples if one.fold != fold]) for fold in range(_FOLDS)}
    return search_training.fit([one.example(orders[one.fold]) for one in examples], _INVERSE_RIDGE)


def left_out(examples: Sequence[Ranked], part: Callable[[Ranked], object]) -> Iterator[Scored]:
    """Yield the examples, each with its odds by models that were not given its part."""
    for own in sorted({part(one) for one in examples if one.file not in FILES}, key=str):
        others = [one for one in examples if part(one) != own]
        weights, model = order(others), decision(others)
        for one in examples:
            if part(one) == own and one.file not in FILES:
                example = one.example(weights)
                yield Scored(example, model.odds(example))


def main() -> None:
    """Train, and write the weights, or print what is found of authors and servers that were left out."""
    examples = list(ranked(sorted((HERE / "search").glob("tuning*.jsonl"))))
    if "--left-out" in sys.argv:
        for title, part in (("author", lambda one: one.file), ("servers", lambda one: one.fold)):
            print(f"\nLeft out: {title}\n")
            scored = list(left_out(examples, part))
            search_training.print_curve(scored)
            search_training.print_figures(scored, LEAST)
        return
    fit = decision(examples)
    weights = {name: round(weight, 3) for name, weight in fit.weights.items()}
    weights["few tools"] = round(weights["few tools"] + LEAST_LESS, 3)
    whole = order(examples)
    own, german = np.split(whole, 2)
    written = {
        "order": own.round(3).tolist(),
        "order_of_german": (own + german).round(3).tolist(),
        "weights": weights,
        "least": round(LEAST - fit.constant, 3),
    }
    (TARGET / "joined.json").write_text(json.dumps(written, indent=2) + "\n", encoding="utf-8")
    print(f"{len(examples)} examples, {len(weights)} weights")


if __name__ == "__main__":
    main()
