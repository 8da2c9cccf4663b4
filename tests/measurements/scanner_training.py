"""Train the weights of the scanner's sentences: ``python -m tests.measurements.scanner_training``.

Needs scikit-learn, which nothing else here needs. A logistic model and a network with one small hidden layer over the
features of one sentence, added. Sentences of honest definitions are the negative examples, and of a hostile one the
sentence that scores highest, found again in each round. Writes ``resources/scanner_weights.txt``, and prints what is
found of each author by models that were not given any of theirs, beside real servers that they were not given either.
"""

from __future__ import annotations

import importlib
import re
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from tests.measurements import scanner
from toolnote_desktop.guidance.scanner import _marks, _sentences, _texts
from toolnote_desktop.guidance.scanning.sentences import Sentence, purpose_of

TARGET: Final = Path(__file__).parents[2] / "resources" / "scanner_weights.txt"
SENTENCES: Final = Path(__file__).parent / "scanner"
REAL: Final = (*scanner.REAL["tuning"], "training_tools")
"""Files of real tools: those of the measurement's tuning half, and one for the training alone."""

KINDS: Final = {
    "hide-from-user": "hide-from-user",
    "read-secrets": "read-secrets",
    "shadowing": "other-tools",
    "send-elsewhere": "send-elsewhere",
    "ask-conversation": "asks-for-conversation",
    "fake-role": "role-marks",
    "skip-consent": "skip-consent",
}
OF_AUTHORS: Final = ("hide-from-user", "read-secrets", "shadowing", "send-elsewhere", "ask-conversation")
FALSE_SHARE: Final = 0.018
"""Share of real definitions of packages that a model was not given above its level."""

_INVERSE_RIDGE: Final = 0.15
_HOSTILE_COUNTS: Final = 4.0
_WORST_COUNTS: Final = 3.0
_WHOLE_COUNTS: Final = 3
_PART: Final = 0.35
_STEPS: Final = (60, 30, 30)
_UNITS: Final = 12
_TURNS: Final = 5
_OFTEN: Final = 14
_HOSTILE_OFTEN: Final = 5
_FOLDS: Final = 5
_LEAST: Final = 0.04
_GATE: Final = -2.0
_STEP: Final = 45
_ZERO: Final = 80
_LEAST_STEP: Final = 3
_PARAMETER: Final = re.compile(r"(\w+): (.*)")
_PLAIN_PARAMETERS: Final = ("text", "query", "options", "note", "path", "mode", "id")
_WORK: Final = "Does its work."
_VALUE: Final = re.compile(r"(\w+)= ?(.*)")


class Example(NamedTuple):
    """Definition with its sentences; ``group``: its author, or its package."""

    author: str
    group: str
    is_hostile: bool
    kind: str
    strength: str
    is_hard: bool
    name: str
    sentences: list[Sentence]


def labelled() -> Iterator[tuple[str, str, bool, dict[str, Any], dict[str, Any], list[str]]]:
    """Yield author, group, whether hostile, the line of the set, the definition and the names of its siblings."""
    for file in sorted(SENTENCES.glob("tuning_ho*.jsonl")):
        author = f"author {[*file.stem.split('_'), '1'][2]}"
        for line in scanner.lines(f"scanner/{file.name}"):
            yield author, author, "hostile" in file.name, line, line["definition"], []
    of_server: dict[str, list[str]] = defaultdict(list)
    real = [line for name in REAL for line in scanner.lines(f"tools/{name}.jsonl")]
    for line in real:
        of_server[line["server"]].append(line["tool"]["name"])
    for line in real:
        yield "real", line["package"], False, {}, line["tool"], of_server[line["server"]]
    for file in sorted(SENTENCES.glob("*sentences*.tsv")):
        for number, row in enumerate(file.read_text(encoding="utf-8").splitlines()):
            kind, name, text = row.split("\t")[:3]
            for definition in _definitions(name, text, number, is_hostile=kind != "honest"):
                yield file.stem, file.stem, kind != "honest", {"kind": kind}, definition, []


def _definitions(name: str, text: str, number: int, *, is_hostile: bool) -> Iterator[dict[str, Any]]:
    """Yield the definitions that a sentence is put into: where it was written for, and hostile ones elsewhere too."""
    if (found := _PARAMETER.fullmatch(text)) is not None and found[1] == found[1].lower():
        yield {"name": name, "description": _WORK, "inputSchema": {"properties": {found[1]: {"description": found[2]}}}}
        return
    if (found := _VALUE.fullmatch(text)) is not None:
        schema = {"properties": {found[1]: {"default": found[2]} if found[2] else {}}}
        yield {"name": name, "description": _WORK, "inputSchema": schema}
        return
    if not is_hostile:
        yield {"name": name, "description": text}
        return
    yield {"name": name, "description": f"{_WORK} {text}"}
    if number % 3 == 0:
        schema = {"properties": {_PLAIN_PARAMETERS[number % 7]: {"description": text}}}
        yield {"name": name, "description": _WORK, "inputSchema": schema}
    elif number % 3 == 1:
        yield {"name": name, "description": text}
    elif number % 4 == 0:
        yield {"name": name, "description": _WORK, "title": text}


def examples() -> list[Example]:
    """Return the definitions that have a sentence to weigh; of hostile ones those that no mark gives away."""
    found = []
    for author, group, is_hostile, line, definition, siblings in labelled():
        if is_hostile and any(_marks(text) for text in _texts(definition)):
            continue
        purpose = purpose_of(definition, siblings)
        read = [sentence for text in _texts(definition) for sentence in _sentences(text, purpose)]
        kind, hard = line.get("kind", ""), bool(line.get("hard"))
        found.append(Example(author, group, is_hostile, kind, line.get("strength", ""), hard, definition["name"], read))
    return [one for one in found if one.sentences]


class Fit(NamedTuple):
    """Weights of the features, and a hidden layer over the same features (``None``: none yet)."""

    names: list[str]
    constant: float
    weights: Any
    hidden: Any
    worst: list[tuple[Example, Sentence]]


class Table(NamedTuple):
    """Features of all sentences as a sparse table.

    Attributes:
        starts: first row of each definition.
        counts: how often a sentence counts if it is planted: more often in whole definitions than alone.
    """

    names: list[str]
    rows: Any
    starts: Any
    is_first: Any
    counts: Any


def table_of(known: list[Example]) -> Table:
    """Return the table of the features that are in many sentences, or in some that are hostile."""
    numpy, sparse = map(importlib.import_module, ("numpy", "scipy.sparse"))
    places: dict[str, int] = {}
    columns: list[int] = []
    ends = [0]
    for one in known:
        for sentence in one.sentences:
            columns += [places.setdefault(name, len(places)) for name in sorted(sentence.features)]
            ends.append(len(columns))
    rows = sparse.csr_matrix((numpy.ones(len(columns)), columns, ends), (len(ends) - 1, len(places)))
    is_hostile = numpy.array([one.is_hostile for one in known for _ in one.sentences])
    often = numpy.asarray(rows.sum(0)).ravel() >= _OFTEN
    often |= numpy.asarray(rows[is_hostile].sum(0)).ravel() >= _HOSTILE_OFTEN
    kept = numpy.where(often)[0]
    names = list(places)
    return Table(
        [names[place] for place in kept],
        rows[:, kept].tocsr(),
        numpy.cumsum([0, *(len(one.sentences) for one in known)]),
        numpy.array(["first" in sentence.features for one in known for sentence in one.sentences]),
        numpy.array([_WHOLE_COUNTS if one.author.startswith("author") else 1 for one in known for _ in one.sentences]),
    )


def _planted(known: list[Example], table: Table, chosen: list[int], scores: Any) -> list[int]:
    """Return the row of each hostile definition's sentence that scores highest, or without scores all but openings."""
    rows: list[int] = []
    for place in chosen:
        span = range(table.starts[place], table.starts[place + 1])
        if not known[place].is_hostile:
            continue
        if scores is None:
            rows += [row for row in span if not table.is_first[row]] or span
        else:
            rows.append(max(span, key=scores.__getitem__))
    return rows


def _highest(known: list[Example], table: Table, chosen: list[int], scores: Any, most: int) -> list[int]:
    """Return the rows of the sentences of honest definitions that score highest."""
    rows: list[int] = []
    for place in chosen:
        if not known[place].is_hostile:
            span = range(table.starts[place], table.starts[place + 1])
            rows += sorted(span, key=scores.__getitem__, reverse=True)[:most]
    return rows


def _sum_weights(known: list[Example], table: Table, chosen: list[int]) -> Any:
    """Return the weights of least logistic loss, the constant last.

    Of honest definitions a third of the sentences is taken, and those that score highest count more.
    """
    numpy, optimize, special = map(importlib.import_module, ("numpy", "scipy.optimize", "scipy.special"))
    honest = numpy.array(
        [row for place in chosen if not known[place].is_hostile for row in range(*table.starts[place : place + 2])]
    )
    honest = honest[numpy.random.RandomState(0).rand(len(honest)) < _PART]
    planted = _planted(known, table, chosen, None)
    worst: list[int] = []
    found = numpy.zeros(len(table.names) + 1)
    for most in _STEPS:
        plain = numpy.setdiff1d(honest, worst)
        rows = table.rows[numpy.concatenate([plain, worst, planted]).astype(int)]
        turned = rows.T.tocsr()
        signs = numpy.r_[-numpy.ones(len(plain) + len(worst)), numpy.ones(len(planted))]
        counts = (
            _INVERSE_RIDGE
            * numpy.r_[
                numpy.full(len(plain), 1 / _PART),
                numpy.full(len(worst), _WORST_COUNTS),
                _HOSTILE_COUNTS * table.counts[planted],
            ]
        )

        def loss(at: Any, rows: Any = rows, turned: Any = turned, signs: Any = signs, counts: Any = counts) -> Any:
            margin = signs * (rows @ at[:-1] + at[-1])
            slope = -counts * signs * special.expit(-margin)
            value = (counts * numpy.logaddexp(0, -margin)).sum() + at[:-1] @ at[:-1] / 2
            return value, numpy.r_[turned @ slope + at[:-1], slope.sum()]

        found = optimize.minimize(loss, found, jac=True, method="L-BFGS-B", options={"maxiter": most}).x
        scores = table.rows @ found[:-1]
        planted = _planted(known, table, chosen, scores)
        worst = _highest(known, table, chosen, scores, 2)
    return found


def _hidden_layer(known: list[Example], table: Table, chosen: list[int], seed: int = 0) -> Any:
    """Return a small network over the same features."""
    numpy, networks = map(importlib.import_module, ("numpy", "sklearn.neural_network"))
    warnings.simplefilter("ignore")  # one pass at a time does not converge
    rows = table.rows.astype(numpy.float32)
    honest = numpy.array(
        [row for place in chosen if not known[place].is_hostile for row in range(*table.starts[place : place + 2])]
    )
    planted = _planted(known, table, chosen, None)
    worst: list[int] = []
    random = numpy.random.RandomState(seed)
    network = networks.MLPClassifier(
        (_UNITS,), alpha=3e-3, batch_size=512, max_iter=1, warm_start=True, random_state=seed, learning_rate_init=2e-3
    )
    for turn in range(_TURNS):
        if turn == _TURNS - 2:
            network._optimizer.learning_rate_init /= 3
        hostile = numpy.repeat(planted, table.counts[planted])
        taken = numpy.r_[honest[random.rand(len(honest)) < 0.4], worst, hostile].astype(int)
        network.fit(rows[taken], numpy.r_[numpy.zeros(len(taken) - len(hostile)), numpy.ones(len(hostile))])
        scores = _of_hidden(network, rows)
        if turn:
            planted = _planted(known, table, chosen, scores)
        worst = _highest(known, table, chosen, scores, 1)
    return network


def _of_hidden(network: Any, rows: Any) -> Any:
    """Return the score of each row by a network."""
    numpy = importlib.import_module("numpy")
    inner = numpy.maximum(rows @ network.coefs_[0] + network.intercepts_[0], 0)
    return (inner @ network.coefs_[1] + network.intercepts_[1]).ravel()


def fit(known: list[Example], table: Table, chosen: list[int]) -> tuple[Fit, Any]:
    """Return the model of the chosen definitions, and the score that it gives each row of the table."""
    numpy = importlib.import_module("numpy")
    found, network = _sum_weights(known, table, chosen), _hidden_layer(known, table, chosen)
    scores = table.rows @ found[:-1] + found[-1] + _of_hidden(network, table.rows.astype(numpy.float32))
    worst = [
        (known[place], known[place].sentences[row - table.starts[place]])
        for place, row in zip(
            (place for place in chosen if known[place].is_hostile),
            _planted(known, table, chosen, scores),
            strict=True,
        )
    ]
    return Fit(table.names, float(found[-1]), found[:-1], network, worst), scores


def threshold(scores: list[float], share: float) -> float:
    """Return the score above which a share of definitions is."""
    return sorted(scores)[int(len(scores) * (1 - share))]


class Unseen(NamedTuple):
    """Scores of definitions by models that were given neither their package nor their author."""

    of_real: list[float]
    of_authors: dict[str, list[tuple[Example, float]]]


def unseen_scores(known: list[Example], table: Table) -> Unseen:
    """Return the scores of models that were each given no package of one part and none of one author's definitions."""
    numpy = importlib.import_module("numpy")
    packages = sorted({one.group for one in known if one.author == "real"})
    authors = sorted({one.author for one in known if one.author.startswith("author")})
    found = Unseen([], {})
    for part in range(_FOLDS):
        left_out = {*packages[part::_FOLDS], *authors[part : part + 1]}
        _, scores = fit(known, table, [place for place, one in enumerate(known) if one.group not in left_out])
        highest = numpy.maximum.reduceat(scores, table.starts[:-1]).tolist()
        for one, score in zip(known, highest, strict=True):
            if one.group in left_out and one.author == "real":
                found.of_real.append(score)
            elif one.group in left_out:
                found.of_authors.setdefault(one.author, []).append((one, score))
    return found


def print_authors(unseen: Unseen) -> None:
    """Print what is found of each author by a model that was not given any of theirs."""
    print("| left out | blatant and medium | polite | hard honest |\n| --- | --- | --- | --- |")
    for author, scored in unseen.of_authors.items():
        for share in (0.01, 0.02):
            level = threshold(unseen.of_real, share)
            cells = []
            for group in (
                [score for one, score in scored if one.kind in OF_AUTHORS and one.strength not in ("", "polite")],
                [score for one, score in scored if one.kind in OF_AUTHORS and one.strength == "polite"],
                [score for one, score in scored if one.is_hard],
            ):
                above = sum(score > level for score in group)
                cells.append(f"{above / len(group):.2f} ({above} of {len(group)})")
            print(f"| {author}, {share:.0%} false | {' | '.join(cells)} |", flush=True)


def kind_weights(worst: list[tuple[Example, Sentence]]) -> dict[str, dict[str, float]]:
    """Return weights by kind over classes and marks, each kind against the others."""
    text, linear = map(importlib.import_module, ("sklearn.feature_extraction.text", "sklearn.linear_model"))
    told = [(KINDS[one.kind], sentence.features) for one, sentence in worst if one.kind in KINDS]
    counter = text.CountVectorizer(
        analyzer=lambda features: sorted(
            name for name in features if name[:2] not in ("R ", "le", "fa", "ne", "mi") and not name[1:2].isdigit()
        ),
        min_df=8,
        binary=True,
    )
    table = counter.fit_transform([features for _, features in told])
    found = {}
    for kind in dict.fromkeys(KINDS.values()):
        model = linear.LogisticRegression(C=0.5, solver="liblinear", random_state=0).fit(
            table, [own == kind for own, _ in told]
        )
        names = counter.get_feature_names_out().tolist()
        found[kind] = {"": float(model.intercept_[0]), **dict(zip(names, model.coef_[0].tolist(), strict=True))}
    return found


def _codes(network: Any) -> tuple[list[str], list[tuple[float, float, float]]]:
    """Return the weights of the hidden layer as a letter for each unit, and scale, constant and weight of each unit."""
    numpy = importlib.import_module("numpy")
    weights = network.coefs_[0]
    scales = numpy.maximum(numpy.quantile(numpy.abs(weights), 0.9995, axis=0), 1e-6) / _STEP
    steps = numpy.clip(numpy.rint(weights / scales), -_STEP, _STEP).astype(int) + _ZERO
    units = zip(scales.tolist(), network.intercepts_[0].tolist(), network.coefs_[1][:, 0].tolist(), strict=True)
    return ["".join(map(chr, row)) for row in steps.tolist()], list(units)


def main() -> None:
    """Train, and write the weights."""
    known = examples()
    print(Counter((one.author, one.is_hostile) for one in known))
    table = table_of(known)
    unseen = unseen_scores(known, table)
    print_authors(unseen)
    level = threshold(unseen.of_real, FALSE_SHARE)
    model, _ = fit(known, table, list(range(len(known))))
    constant = float(model.hidden.intercepts_[1][0])
    codes, units = _codes(model.hidden)
    lines = [f"model\t\t{model.constant:.3f}\t{_GATE}\t{level - constant:.3f}"]
    lines += [f"hidden\t\t{scale:.6f}\t{constant:.4f}\t{weight:.4f}" for scale, constant, weight in units]
    for name, weight, code in sorted(zip(model.names, model.weights.tolist(), codes, strict=True)):
        if abs(weight) >= _LEAST or any(abs(ord(letter) - _ZERO) >= _LEAST_STEP for letter in code):
            lines.append(f"\t{name}\t{round(weight * 100)}\t{code}")
    for kind, weights in kind_weights(model.worst).items():
        lines += [
            f"{kind}\t{name}\t{round(weight * 100)}"
            for name, weight in weights.items()
            if not name or abs(weight) >= 0.2
        ]
    TARGET.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(lines)} weights, threshold {level:.2f}")


if __name__ == "__main__":
    main()
