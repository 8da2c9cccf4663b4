"""Measurement of changed definitions: which changes of meaning are missed, and which others are held."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from tests.measurements.figures import Measured, Share
from tests.measurements.scanner import lines
from toolnote_desktop.model.tools.definition_changes import changes_meaning


def run(half: str, parts: Iterable[str] = ("*",)) -> tuple[dict[str, Share], list[str], list[str]]:
    """Return the shares of pairs judged right by kind, the changes of meaning that are missed, and the rest held.

    With ``parts`` only the files of the half whose names end so are read (empty: the first).
    """
    hits: dict[str, list[bool]] = defaultdict(list)
    missed: list[str] = []
    held: list[str] = []
    line: dict[str, Any]
    for line in (line for part in parts for line in lines(f"changes/{half}{part}.jsonl")):
        found = changes_meaning(line["old"], line["new"])
        for group in (
            "another meaning" if line["meaning"] else "the same meaning",
            *(f"kind {kind}" for kind in line["kinds"]),
        ):
            hits[group].append(found == line["meaning"])
        if found != line["meaning"]:
            (missed if line["meaning"] else held).append(f"{line['id']} ({', '.join(line['kinds'])})")
    return {group: Share(sum(right), len(right)) for group, right in hits.items()}, missed, held


def measure(held_back: bool) -> Measured:
    """Measure the comparison of definitions on one half of the pairs."""
    shares, missed, held = run("held_back" if held_back else "tuning")
    text = [
        f"### Changed definitions, {'held-back' if held_back else 'tuning'} half",
        "",
        "| judged right | share |",
        "| --- | --- |",
    ]
    text += [f"| {group} | {shares[group]} |" for group in sorted(shares)]
    text += ["", f"Missed: {', '.join(missed) or 'none'}.", "", f"Held without need: {', '.join(held) or 'none'}."]
    return Measured("\n".join(text), [f"change of meaning missed: {one}" for one in missed])
