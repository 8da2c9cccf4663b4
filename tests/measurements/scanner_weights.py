"""Fit the weights of clauses on the tuning half: ``python -m tests.measurements.scanner_weights``.

A logistic model over the features of one sentence. Sentences of honest definitions are the negative examples, and of a
hostile one the sentence that scores highest, found again in each round. Writes ``guidance/scanning/weights.py``.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any, Final, NamedTuple

from tests.measurements import scanner
from toolnote_desktop.guidance.scanner import _marks, _sentences, _texts
from toolnote_desktop.guidance.scanning.sentences import purpose_of

TARGET: Final = Path(__file__).parents[2] / "toolnote_desktop" / "guidance" / "scanning" / "weights.py"
OWN: Final = Path(__file__).parent / "scanner" / "tuning_sentences.tsv"
FOUND: Final = 2.6
_ROUNDS: Final = 4
_STEPS: Final = 300
_HOSTILE_COUNTS: Final = 8.0
_RIDGE: Final = 10.0
_LEAST: Final = 0.04


class Example(NamedTuple):
    """Definition as the lists of features of its sentences."""

    is_hostile: bool
    sentences: list[list[str]]


def examples() -> list[Example]:
    """Return the definitions of the tuning half that have a sentence to weigh, and single sentences beside."""
    labelled: list[tuple[bool, dict[str, Any], list[str]]] = []
    labelled += [(True, line["definition"], []) for line in scanner.lines("scanner/tuning_hostile*.jsonl")]
    labelled += [(False, line["definition"], []) for line in scanner.lines("scanner/tuning_honest*.jsonl")]
    of_server: dict[str, list[str]] = defaultdict(list)
    real = [line for name in scanner.REAL["tuning"] for line in scanner.lines(f"tools/{name}.jsonl")]
    for line in real:
        of_server[line["server"]].append(line["tool"]["name"])
    labelled += [(False, line["tool"], of_server[line["server"]]) for line in real]
    for row in OWN.read_text(encoding="utf-8").splitlines():
        sign, name, text = row.split("\t")
        parameter, _, described = text.partition(": ")
        definition: dict[str, Any] = {"name": name, "description": "Does its work."}
        if described and parameter.isidentifier():
            definition["inputSchema"] = {"properties": {parameter: {"description": described}}}
        else:
            definition["description"] = f"Does its work. {text}" if sign == "+" else text
        labelled.append((sign == "+", definition, []))
    found = []
    for is_hostile, definition, siblings in labelled:
        if is_hostile and any(_marks(text) for text in _texts(definition)):
            continue
        purpose = purpose_of(definition, siblings)
        read = (sentence for text in _texts(definition) for sentence in _sentences(text, purpose))
        sentences = [sentence.features for sentence in read if sentence.features]
        if sentences:
            found.append(Example(is_hostile, sentences))
    return found


def fit(known: list[Example]) -> dict[str, float]:
    """Return the weights by feature; "" is the constant part."""
    seen = Counter(name for one in known for sentence in one.sentences for name in sentence)
    hostile = Counter(name for one in known if one.is_hostile for sentence in one.sentences for name in sentence)
    names = ["", *sorted(name for name, times in seen.items() if times >= 4 and (hostile[name] >= 2 or times > 15))]
    number = {name: place for place, name in enumerate(names)}
    numbered = [
        (one.is_hostile, [[0, *(number[name] for name in sentence if name in number)] for sentence in one.sentences])
        for one in known
    ]
    weights = [0.0] * len(names)
    for round_number in range(_ROUNDS):
        rows: list[tuple[list[int], bool]] = []
        for is_hostile, sentences in numbered:
            if is_hostile and round_number:
                rows.append((max(sentences, key=lambda row: sum(weights[place] for place in row)), True))
            else:
                rows += [(row, is_hostile) for row in sentences]
        weights = _descend(rows, len(names))
    return dict(zip(names, weights, strict=True))


def _descend(rows: list[tuple[list[int], bool]], count: int) -> list[float]:
    """Return the weights of least loss, by steps that shrink where the slope was steep before."""
    weights, steepness = [0.0] * count, [1e-6] * count
    for _ in range(_STEPS):
        slope = [weight * _RIDGE for weight in weights]
        for row, is_hostile in rows:
            score = sum(weights[place] for place in row)
            share = 1 / (1 + math.exp(-max(-30.0, min(30.0, score))))
            miss = (share - 1) * _HOSTILE_COUNTS if is_hostile else share
            for place in row:
                slope[place] += miss
        for place, steep in enumerate(slope):
            steepness[place] += steep * steep
            weights[place] -= 0.5 * steep / math.sqrt(steepness[place])
    return weights


def main() -> None:
    """Fit, and write the weights that matter."""
    weights = fit(examples())
    kept = {name.replace(" ", "+"): weight for name, weight in weights.items() if name and abs(weight) >= _LEAST}
    words, lines = [f"{name}={weight:.2f}" for name, weight in sorted(kept.items())], [""]
    for word in words:
        if len(lines[-1]) + len(word) > 116:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    table = "\n".join(lines)
    TARGET.write_text(
        '"""Weights of clauses, written by ``tests/measurements/scanner_weights.py``: do not edit."""\n\n'
        "from __future__ import annotations\n\nfrom typing import Final\n\n"
        f"FOUND: Final = {FOUND - weights['']:.2f}\n"
        '"""Sum of weights above which a sentence is found without a rule."""\n\n'
        f'_TABLE: Final = """\n{table}\n"""\n\n'
        'WEIGHTS: Final = {\n    name.replace("+", " "): float(weight)\n'
        '    for name, _, weight in (one.partition("=") for one in _TABLE.split())\n}\n'
        '"""Weight of each class of words, place, and pair of both."""\n',
        encoding="utf-8",
    )
    print(f"{len(kept)} weights")


if __name__ == "__main__":
    main()
