"""Train the weights of the scanner's sentences: ``python -m tests.measurements.scanner_training``.

Needs scikit-learn, which nothing else here needs. Networks over the features of one sentence, of which half are left
out at random at each step; each is a sum of weights and a small hidden layer, and they are averaged. Sentences of
honest definitions are the negative examples, and of a hostile one the sentence that scores highest, found again in each
round. Writes ``resources/scanner_weights.txt``, the same one each time, and prints what is found of each author by
models that were not given any of theirs, beside real servers that they were not given either.
"""

from __future__ import annotations

import importlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from tests.measurements import scanner
from toolnote_desktop.guidance.scanner import _marks, _sentences, _texts
from toolnote_desktop.guidance.scanning.sentences import Sentence, needed_excess, purpose_of

TARGET: Final = Path(__file__).parents[2] / "resources" / "scanner_weights.txt"
SENTENCES: Final = Path(__file__).parent / "scanner"
REAL: Final = ("real_tools", "held_back_tools", *(f"held_back_tools_{part}" for part in range(2, 6)), "training_tools")
"""Files of real tools: those of the tuning half that the present weights know, and one for the training alone."""

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
LEFT_OUT_AUTHORS: Final = tuple(f"author {number}" for number in (9, 10, 11, 12, 18, 21))
"""Authors of the former held-back halves of a kind, each left out by one of the models of ``unseen_scores``."""
FALSE_SHARE: Final = 0.008
"""Share of real definitions of packages that a model was not given above its level."""

_NETWORKS: Final = 3
_UNITS: Final = 12
_LEFT_OUT: Final = 0.5
_TURNS: Final = 8
_RATE: Final = 2e-3
_BATCH: Final = 512
_DECAY: Final = 1e-5
_PART: Final = 0.4
_WHOLE_COUNTS: Final = 3
_OFTEN: Final = 14
_HOSTILE_OFTEN: Final = 5
_LEAST: Final = 0.04
_STEP: Final = 45
_ZERO: Final = 80
_LEAST_STEP: Final = 3
_BEGINNING: Final = 25
_PARAMETER: Final = re.compile(r"(\w+): (.*)")
_PLAIN_PARAMETERS: Final = ("text", "query", "options", "note", "path", "mode", "id")
_WORK: Final = "Does its work."
_VALUE: Final = re.compile(r"(\w+)= ?(.*)")


class Example(NamedTuple):
    """Definition with its sentences; ``group``: author, or package; ``planted``: places of those that may be."""

    author: str
    group: str
    is_hostile: bool
    kind: str
    strength: str
    is_hard: bool
    name: str
    sentences: list[Sentence]
    planted: tuple[int, ...]


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
            kind, name, marked = row.split("\t")[:3]
            text = marked.replace("⟦", "").replace("⟧", "")
            planted = marked.partition("⟦")[2].partition("⟧")[0].strip()
            of = _definitions(name, text, number, is_hostile=kind != "honest", is_whole=bool(planted))
            for definition in of:
                yield file.stem, file.stem, kind != "honest", {"kind": kind, "planted": planted}, definition, []


def _definitions(name: str, text: str, number: int, *, is_hostile: bool, is_whole: bool) -> Iterator[dict[str, Any]]:
    """Yield the definitions that a sentence is put into: where it was written for, and hostile ones elsewhere too."""
    if is_whole:
        yield {"name": name, "description": text}
        return
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
    """Return definitions with a sentence to weigh; of hostile ones those that no mark and no name gives away."""
    found = []
    for author, group, is_hostile, line, definition, siblings in labelled():
        if is_hostile and (line["kind"] == "look-alike-name" or any(_marks(text) for text in _texts(definition))):
            continue
        purpose = purpose_of(definition, siblings)
        read = [sentence for text in _texts(definition) for sentence in _sentences(text, purpose)]
        kind, hard = line.get("kind", ""), bool(line.get("hard"))
        planted = _places(read, line.get("planted", "")) if is_hostile else ()
        strength = line.get("strength", "")
        found.append(Example(author, group, is_hostile, kind, strength, hard, definition["name"], read, planted))
    return [one for one in found if one.sentences]


def _places(sentences: list[Sentence], planted: str) -> tuple[int, ...]:
    """Return the places of the sentences that a planted text is in; of all if it is not marked."""
    beginning = planted[:_BEGINNING]
    found = [
        place
        for place, sentence in enumerate(sentences)
        if planted and (beginning in sentence.text or sentence.text[:_BEGINNING] in planted)
    ]
    return tuple(found or range(len(sentences)))


class Network(NamedTuple):
    """Network over the features.

    Attributes:
        inner: weights of each feature for each unit, and in the last column in the sum.
        constants: constants of the units and of the sum.
        outer: weight of each unit in the sum.
    """

    inner: Any
    constants: Any
    outer: Any

    def scores(self, rows: Any) -> Any:
        """Return the score of each row."""
        numpy = importlib.import_module("numpy")
        inner = rows @ self.inner + self.constants
        return numpy.maximum(inner[:, :-1], 0) @ self.outer + inner[:, -1]


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
    rows = sparse.csr_matrix((numpy.ones(len(columns), numpy.float32), columns, ends), (len(ends) - 1, len(places)))
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
        if not known[place].is_hostile:
            continue
        span = [table.starts[place] + one for one in known[place].planted]
        if scores is None:
            rows += [row for row in span if not table.is_first[row]] or span
        else:
            rows.append(max(span, key=scores.__getitem__))
    return rows


def _honest_rows(one: Example, start: int) -> list[int]:
    """Return the rows of a definition that are certainly not planted; those of whole honest ones count more."""
    if not one.is_hostile:
        return list(range(start, start + len(one.sentences))) * (
            _WHOLE_COUNTS if one.author.startswith("author") else 1
        )
    return [start + place for place in range(len(one.sentences)) if place not in one.planted]


def _highest(known: list[Example], table: Table, chosen: list[int], scores: Any) -> list[int]:
    """Return the row of each honest definition's sentence that scores highest."""
    honest = (place for place in chosen if not known[place].is_hostile)
    return [max(range(*table.starts[place : place + 2]), key=scores.__getitem__) for place in honest]


def _network(known: list[Example], table: Table, chosen: list[int], seed: int) -> Network:
    """Return a network fitted by Adam, half of the features left out at random at each step."""
    numpy = importlib.import_module("numpy")
    random = numpy.random.default_rng(seed)
    width, size = len(table.names), _UNITS + 1
    inner = numpy.zeros((width, size), numpy.float32)
    inner[:, :-1] = random.standard_normal((width, _UNITS)) * 0.05
    constants = numpy.zeros(size, numpy.float32)
    constants[-1] = -2
    network = Network(inner, constants, (random.standard_normal(_UNITS) * 0.3).astype(numpy.float32))
    means = [numpy.zeros_like(one) for one in network]
    squares = [numpy.zeros_like(one) for one in network]
    honest = numpy.array([row for place in chosen for row in _honest_rows(known[place], table.starts[place])])
    planted, worst = _planted(known, table, chosen, None), numpy.array([], int)
    steps = 0
    for turn in range(_TURNS):
        rate = _RATE * (1.0 if turn < _TURNS - 3 else 0.3 if turn < _TURNS - 1 else 0.1)
        hostile = numpy.repeat(planted, table.counts[planted])
        taken = numpy.r_[honest[random.random(len(honest)) < _PART], worst, hostile].astype(int)
        labels = numpy.r_[numpy.zeros(len(taken) - len(hostile)), numpy.ones(len(hostile))].astype(numpy.float32)
        order = random.permutation(len(taken))
        rows, labels = table.rows[taken[order]], labels[order]
        kept = random.random(len(rows.data), dtype=numpy.float32) >= _LEFT_OUT
        rows.data = kept.astype(numpy.float32) / numpy.float32(1 - _LEFT_OUT)
        for start in range(0, len(taken), _BATCH):
            steps += 1
            slopes = _slopes(network, rows[start : start + _BATCH], labels[start : start + _BATCH])
            slopes[0] += _DECAY * network.inner
            for values in zip(network, slopes, means, squares, strict=True):
                _step(*values, rate / (1 - 0.9**steps), 1 - 0.999**steps)
        scores = network.scores(table.rows)
        planted = _planted(known, table, chosen, scores if turn else None)
        worst = numpy.array(_highest(known, table, chosen, scores))
    return network


def _step(weights: Any, slope: Any, mean: Any, square: Any, rate: float, known: float) -> None:
    """Change weights by a step of Adam."""
    numpy = importlib.import_module("numpy")
    mean += 0.1 * (slope - mean)
    square += 0.001 * (slope * slope - square)
    weights -= rate * mean / (numpy.sqrt(square / known) + 1e-8)


def _slopes(network: Network, rows: Any, labels: Any) -> list[Any]:
    """Return the slopes of the mean logistic loss over some rows, in the order of the network's weights."""
    numpy = importlib.import_module("numpy")
    inner = rows @ network.inner + network.constants
    units = numpy.maximum(inner[:, :-1], 0)
    slope = (1 / (1 + numpy.exp(-(units @ network.outer + inner[:, -1]))) - labels) / len(labels)
    of_inner = numpy.empty_like(inner)
    of_inner[:, :-1] = numpy.outer(slope, network.outer) * (units > 0)
    of_inner[:, -1] = slope
    return [rows.T @ of_inner, of_inner.sum(0), units.T @ slope]


def fit(known: list[Example], table: Table, chosen: list[int]) -> tuple[Network, Any]:
    """Return the mean of the networks of the chosen definitions as one, and the score that it gives each row."""
    numpy = importlib.import_module("numpy")
    found = [_network(known, table, chosen, seed) for seed in range(_NETWORKS)]
    mean = Network(
        numpy.hstack([*(one.inner[:, :-1] for one in found), sum(one.inner[:, -1:] for one in found) / _NETWORKS]),
        numpy.r_[*(one.constants[:-1] for one in found), sum(one.constants[-1:] for one in found) / _NETWORKS],
        numpy.concatenate([one.outer for one in found]) / _NETWORKS,
    )
    return mean, mean.scores(table.rows)


def threshold(scores: list[float], share: float) -> float:
    """Return the score above which a share of definitions is."""
    return sorted(scores)[int(len(scores) * (1 - share))]


class Unseen(NamedTuple):
    """Scores of definitions by models that were given neither package nor author: of the sentence that scores highest,
    less what is needed in its definition.
    """

    of_real: list[float]
    of_authors: dict[str, list[tuple[Example, float]]]


def unseen_scores(known: list[Example], table: Table) -> Unseen:
    """Return the scores of models that were each given no package of one part and none of one author's definitions."""
    numpy = importlib.import_module("numpy")
    packages = sorted({one.group for one in known if one.author == "real"})
    found = Unseen([], {})
    for part, author in enumerate(LEFT_OUT_AUTHORS):
        left_out = {*packages[part :: len(LEFT_OUT_AUTHORS)], author}
        _, scores = fit(known, table, [place for place, one in enumerate(known) if one.group not in left_out])
        starts = table.starts[:-1]
        highest, totals = numpy.maximum.reduceat(scores, starts).tolist(), numpy.add.reduceat(scores, starts).tolist()
        for one, sum_of_highest, total in zip(known, highest, totals, strict=True):
            score = sum_of_highest - needed_excess(len(one.sentences), total, 0)
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


def kind_weights(known: list[Example], table: Table, scores: Any) -> dict[str, dict[str, float]]:
    """Return weights by kind over classes and marks, each kind against the others."""
    text, linear = map(importlib.import_module, ("sklearn.feature_extraction.text", "sklearn.linear_model"))
    hostile = [place for place, one in enumerate(known) if one.is_hostile]
    rows = zip(hostile, _planted(known, table, hostile, scores), strict=True)
    told = [
        (KINDS[known[place].kind], known[place].sentences[row - table.starts[place]].features)
        for place, row in rows
        if known[place].kind in KINDS
    ]
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


def _codes(network: Network) -> tuple[list[str], list[tuple[float, float, float]]]:
    """Return the weights of the hidden layer as a letter for each unit, and scale, constant and weight of each unit."""
    numpy = importlib.import_module("numpy")
    weights = network.inner[:, :-1]
    scales = numpy.maximum(numpy.quantile(numpy.abs(weights), 0.9995, axis=0), 1e-6) / _STEP
    steps = numpy.clip(numpy.rint(weights / scales), -_STEP, _STEP).astype(int) + _ZERO
    units = zip(scales.tolist(), network.constants[:-1].tolist(), network.outer.tolist(), strict=True)
    return ["".join(map(chr, row)) for row in steps.tolist()], list(units)


def main() -> None:
    """Train, and write the weights."""
    known = examples()
    print(Counter((one.author, one.is_hostile) for one in known))
    table = table_of(known)
    unseen = unseen_scores(known, table)
    print_authors(unseen)
    level = threshold(unseen.of_real, FALSE_SHARE) / 2  # what is compared has the score and the mean
    model, scores = fit(known, table, list(range(len(known))))
    codes, units = _codes(model)
    lines = [f"model\t\t{model.constants[-1]:.4f}\t{level:.4f}"]
    lines += [f"hidden\t\t{scale:.6f}\t{constant:.4f}\t{weight:.5f}" for scale, constant, weight in units]
    for name, weight, code in sorted(zip(table.names, model.inner[:, -1].tolist(), codes, strict=True)):
        if abs(weight) >= _LEAST or any(abs(ord(letter) - _ZERO) >= _LEAST_STEP for letter in code):
            lines.append(f"\t{name}\t{round(weight * 100)}\t{code}")
    for kind, weights in kind_weights(known, table, scores).items():
        lines += [
            f"{kind}\t{name}\t{round(weight * 100)}"
            for name, weight in weights.items()
            if not name or abs(weight) >= 0.2
        ]
    TARGET.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(lines)} weights, threshold {level:.2f}")


if __name__ == "__main__":
    main()
