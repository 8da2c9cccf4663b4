"""Train the weights of the scanner's sentences: ``python -m tests.measurements.scanner_training [--authors]``.

Needs scikit-learn, which nothing else here needs. A logistic model over the features of one sentence. Sentences of
honest definitions are the negative examples, and of a hostile one the sentence that scores highest, found again in each
round.
Writes ``resources/scanner_weights.txt``; with ``--authors`` it prints instead what a model finds of each author's
sentences whose own it was not given, with real servers that it was not given either.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
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
_INVERSE_RIDGE: Final = 0.3
_HOSTILE_COUNTS: Final = 8.0
_WORST_COUNTS: Final = 4.0
_ROUNDS: Final = 3
_FOLDS: Final = 5
_LEAST: Final = 0.04
_PARAMETER: Final = re.compile(r"(\w+): (.*)")
_PLAIN_PARAMETERS: Final = ("text", "query", "options", "note", "path", "mode", "id")
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
    for file in sorted(SENTENCES.glob("*_sentences.tsv")):
        for number, row in enumerate(file.read_text(encoding="utf-8").splitlines()):
            kind, name, text = row.split("\t")[:3]
            definition: dict[str, Any] = {"name": name, "description": f"Does its work. {text}"}
            if (found := _PARAMETER.fullmatch(text)) is not None and found[1] == found[1].lower():
                definition["description"] = "Does its work."
                definition["inputSchema"] = {"properties": {found[1]: {"description": found[2]}}}
            elif (found := _VALUE.fullmatch(text)) is not None:
                definition["description"] = "Does its work."
                definition["inputSchema"] = {"properties": {found[1]: {"default": found[2]} if found[2] else {}}}
            elif kind == "honest":
                definition["description"] = text
            yield file.stem, file.stem, kind != "honest", {"kind": kind}, definition, []
            if "inputSchema" not in definition and kind != "honest" and number % 3 == 0:
                schema = {"properties": {_PLAIN_PARAMETERS[number % 7]: {"description": text}}}
                definition = {"name": name, "description": "Does its work.", "inputSchema": schema}
                yield file.stem, file.stem, True, {"kind": kind}, definition, []


def examples() -> list[Example]:
    """Return the definitions that have a sentence to weigh; of hostile ones those that no mark gives away."""
    found = []
    for author, group, is_hostile, line, definition, siblings in labelled():
        if is_hostile and any(_marks(text) for text in _texts(definition)):
            continue
        purpose = purpose_of(definition, siblings)
        read = [sentence for text in _texts(definition) for sentence in _sentences(text, purpose)]
        if is_hostile and len(read) > 1:
            read = [one for one in read if "first" not in one.features]
        kind, hard = line.get("kind", ""), bool(line.get("hard"))
        found.append(Example(author, group, is_hostile, kind, line.get("strength", ""), hard, definition["name"], read))
    return [one for one in found if one.sentences]


class Fit(NamedTuple):
    """Weights with the sentences that gave hostile definitions away."""

    names: list[str]
    constant: float
    weights: Any
    worst: list[tuple[Example, Sentence]]

    def scores(self, known: Iterable[Example]) -> list[float]:
        """Return the highest score of a sentence of each definition."""
        weight = dict(zip(self.names, self.weights.tolist(), strict=True))
        return [
            self.constant + max(sum(weight.get(name, 0.0) for name in one.features) for one in example.sentences)
            for example in known
        ]


def fit(known: list[Example]) -> Fit:
    """Return the weights of least loss; of an honest definition the sentence that scores highest counts more."""
    text, linear, numpy = map(
        importlib.import_module, ("sklearn.feature_extraction.text", "sklearn.linear_model", "numpy")
    )
    counter = text.CountVectorizer(analyzer=sorted, min_df=2, binary=True)
    table = counter.fit_transform([sentence.features for one in known for sentence in one.sentences])
    starts = numpy.cumsum([0, *(len(one.sentences) for one in known)])
    spans = [range(starts[number], starts[number + 1]) for number in range(len(known))]
    honest = [row for one, span in zip(known, spans, strict=True) if not one.is_hostile for row in span]
    planted = [row for one, span in zip(known, spans, strict=True) if one.is_hostile for row in span]
    worst: set[int] = set()
    for _ in range(_ROUNDS):
        counts = [_WORST_COUNTS if row in worst else 1.0 for row in honest] + [_HOSTILE_COUNTS] * len(planted)
        model = linear.LogisticRegression(C=_INVERSE_RIDGE, solver="liblinear", random_state=0).fit(
            table[[*honest, *planted]], [0] * len(honest) + [1] * len(planted), sample_weight=counts
        )
        scores = table @ model.coef_[0]
        highest = [max(span, key=scores.__getitem__) for span in spans]
        planted = [row for one, row in zip(known, highest, strict=True) if one.is_hostile]
        worst = {row for one, row in zip(known, highest, strict=True) if not one.is_hostile}
    given_away = [
        (one, one.sentences[row - span[0]])
        for one, span, row in zip(known, spans, highest, strict=True)
        if one.is_hostile
    ]
    return Fit(counter.get_feature_names_out().tolist(), float(model.intercept_[0]), model.coef_[0], given_away)


def threshold(scores: list[float], share: float) -> float:
    """Return the score above which a share of definitions is."""
    return sorted(scores)[int(len(scores) * (1 - share))]


def folds(known: list[Example]) -> list[set[str]]:
    """Return the packages of real tools in parts: a package with several servers is in one part."""
    packages = sorted({one.group for one in known if one.author == "real"})
    return [set(packages[part::_FOLDS]) for part in range(_FOLDS)]


def unseen_scores(known: list[Example], author: str = "") -> tuple[list[float], list[float]]:
    """Return the scores of real definitions by models without their packages, and those of an author by such models."""
    of_real: list[float] = []
    of_author: list[list[float]] = []
    theirs = [one for one in known if one.author == author]
    for part in folds(known):
        model = fit([one for one in known if one.group not in part and one.author != author])
        of_real += model.scores(one for one in known if one.group in part)
        of_author.append(model.scores(theirs))
    return of_real, [sum(scores) / len(scores) for scores in zip(*of_author, strict=True)]


def print_authors(known: list[Example]) -> None:
    """Print what is found of each author by a model that was not given any of theirs."""
    print("| left out | blatant and medium | polite | hard honest |\n| --- | --- | --- | --- |")
    for author in sorted({one.author for one in known if one.author.startswith("author")}):
        of_real, of_author = unseen_scores(known, author)
        for share in (0.01, 0.02, 0.03):
            level = threshold(of_real, share)
            theirs = [one for one in known if one.author == author]
            cells = []
            for group in (
                [one.is_hostile and one.kind in OF_AUTHORS and one.strength != "polite" for one in theirs],
                [one.is_hostile and one.kind in OF_AUTHORS and one.strength == "polite" for one in theirs],
                [not one.is_hostile and one.is_hard for one in theirs],
            ):
                found = [score > level for score, is_in in zip(of_author, group, strict=True) if is_in]
                cells.append(f"{sum(found) / len(found):.2f} ({sum(found)} of {len(found)})")
            print(f"| {author}, {share:.0%} false | {' | '.join(cells)} |", flush=True)


def kind_weights(worst: list[tuple[Example, Sentence]]) -> dict[str, dict[str, float]]:
    """Return weights by kind over classes and marks, each kind against the others."""
    text, linear = map(importlib.import_module, ("sklearn.feature_extraction.text", "sklearn.linear_model"))
    told = [(KINDS[one.kind], sentence.features) for one, sentence in worst if one.kind in KINDS]
    counter = text.CountVectorizer(
        analyzer=lambda features: sorted(name for name in features if name[:2] not in ("R ", "le", "fa", "ne", "mi")),
        min_df=4,
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


def main() -> None:
    """Train, and write the weights that matter."""
    known = examples()
    print(Counter((one.author, one.is_hostile) for one in known))
    if "--authors" in sys.argv:
        print_authors(known)
        return
    of_real, _ = unseen_scores(known)
    level = threshold(of_real, FALSE_SHARE)
    model = fit(known)
    lines = [f"\t\t{round((model.constant - level) * 100)}"]
    for name, weight in zip(model.names, model.weights.tolist(), strict=True):
        if abs(weight) >= _LEAST:
            lines.append(f"\t{name}\t{round(weight * 100)}")
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
