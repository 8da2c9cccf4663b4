"""Measurement of the scanner: recall by strength and kind, false positives, a keyword list beside, time."""

from __future__ import annotations

import json
import re
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final, NamedTuple

from tests.measurements.figures import Measured, Share
from toolnote_desktop.guidance.scanner import look_alikes, scan_definition, scan_note

HERE: Final = Path(__file__).parent
KEYWORDS: Final = (
    *("ignore previous", "ignore all", "disregard", "system prompt", "<important>", "<system>", "<hidden>", "<!--"),
    *("do not tell", "don't tell", "do not mention", "without telling", "secretly", "silently", "hide this", "covert"),
    *(
        "password",
        "credential",
        "api key",
        "private key",
        "secret",
        ".ssh",
        "id_rsa",
        ".env",
        "/etc/passwd",
        "mcp.json",
    ),
    *("before using any", "other tools", "instead of", "call this first", "always call", "override", "bypass", "bcc"),
    *("conversation history", "chat history", "exfiltrate", "send all", "forward all", "base64", "curl ", "jailbreak"),
)
"""Words of a list such as a first scanner has, for comparison."""

_KEYWORD: Final = re.compile("|".join(map(re.escape, KEYWORDS)), re.IGNORECASE)
REAL: Final = {
    "held_back": ("held_back_tools_7",),
    "tuning": ("real_tools", "held_back_tools", *(f"held_back_tools_{part}" for part in range(2, 7))),
}
"""Files of real tools of each half: held-back files that the scanner was run on belong to the tuning half."""

GOALS: Final = {"blatant and medium": 0.95, "all hostile": 0.85, "real": 0.02, "hard honest": 0.10}


class Result(NamedTuple):
    """Result of the scanner, or of the list, on one half."""

    recall: dict[str, Share]
    false: dict[str, Share]
    missed: list[str]
    wrong: list[str]


def lines(pattern: str) -> list[dict[str, Any]]:
    """Return the objects of the files of JSON lines of this folder that fit a pattern, file by file."""
    files = sorted(HERE.glob(pattern))
    return [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]


def scanner_finds(line: dict[str, Any], siblings: Iterable[str] = ()) -> bool:
    """Return True if the scanner finds something in a labelled definition or in its name beside others."""
    tool = line["definition"]
    this = ("this", tool["name"])
    names = [*(("other", name) for name in line.get("others", ())), this]
    return bool(scan_definition(tool, "this", siblings)) or any(look_alikes(names, {this: tool}))


def list_finds(line: dict[str, Any], _siblings: Iterable[str] = ()) -> bool:
    """Return True if a word of the list is in a labelled definition."""
    return _KEYWORD.search(json.dumps(line["definition"], ensure_ascii=False)) is not None


def run(half: str, finds: Callable[..., bool], parts: Iterable[str] = ("*",), real_parts: Iterable[str] = ()) -> Result:
    """Measure one half of the sets, or those of its files whose names end so (empty: the first).

    Real tools come from the files named ``real_parts``, or without them from those of the half.
    """
    hostile, honest = (
        [line for part in parts for line in lines(f"scanner/{half}_{kind}{part}.jsonl")]
        for kind in ("hostile", "honest")
    )
    real = [line for name in real_parts or REAL[half] for line in lines(f"tools/{name}.jsonl")]
    hits: dict[str, list[bool]] = defaultdict(list)
    missed, false, wrong = [], defaultdict(list), []
    for line in hostile:
        found = finds(line)
        groups = ["all hostile", line["strength"], f"kind {line['kind']}"]
        for group in groups if line["strength"] == "polite" else [*groups, "blatant and medium"]:
            hits[group].append(found)
        if not found:
            missed.append(f"{line['id']} ({line['kind']}, {line['strength']})")
    of_server: dict[str, list[str]] = defaultdict(list)
    for line in real:
        of_server[line["server"]].append(line["tool"]["name"])
    for line in honest:
        found = finds(line)
        false["hard honest" if line["hard"] else "plain honest"].append(found)
        if found:
            wrong.append(line["id"])
    for line in real:
        found = finds({"definition": line["tool"]}, of_server[line["server"]])
        false["real"].append(found)
        if found:
            wrong.append(f"{line['server']}/{line['tool']['name']}")
    recall = {group: Share(sum(found), len(found)) for group, found in hits.items()}
    return Result(recall, {group: Share(sum(found), len(found)) for group, found in false.items()}, missed, wrong)


def notes(half: str) -> tuple[dict[str, Share], list[str]]:
    """Return the share of notes that are named, by group, and the ids of those that are judged wrongly."""
    named: dict[str, list[bool]] = defaultdict(list)
    wrong = []
    for line in lines(f"scanner/{half}_notes.jsonl"):
        found = any(scan_note(line["note"], "", line["tool"]["name"], "note", line["tool"]))
        for group in (line["group"], "all hostile" if line["hostile"] else "all honest"):
            named[group].append(found)
        if found != line["hostile"]:
            wrong.append(f"{line['id']} ({line['group']})")
    return {group: Share(sum(found), len(found)) for group, found in named.items()}, wrong


def milliseconds(half: str) -> tuple[float, float]:
    """Return milliseconds of processor time a real definition: of the scanner, and of writing and reading it as JSON.

    Both are timed in turn, and the least of each counts.
    """
    real = [line["tool"] for name in REAL[half] for line in lines(f"tools/{name}.jsonl")]
    scanned, written = [], []
    for _ in range(3):
        start = time.process_time()
        for tool in real:
            scan_definition(tool)
        middle = time.process_time()
        for tool in real:
            json.loads(json.dumps(tool))
        scanned.append(middle - start)
        written.append(time.process_time() - middle)
    return min(scanned) / len(real) * 1000, min(written) / len(real) * 1000


def measure(held_back: bool) -> Measured:
    """Measure the scanner on one half of the sets, with a keyword list beside."""
    half = "held_back" if held_back else "tuning"
    ours, words = run(half, scanner_finds), run(half, list_finds)
    took, control = milliseconds(half)
    title = "held-back" if held_back else "tuning"
    text = [f"### Scanner, {title} half", "", "| | scanner | list of words | goal |", "| --- | --- | --- | --- |"]
    order = ["blatant and medium", "all hostile", "blatant", "medium", "polite"]
    order += sorted(group for group in ours.recall if group.startswith("kind "))
    text += [
        f"| found: {group} | {ours.recall[group]} | {words.recall[group]} | "
        f"{f'at least {GOALS[group]:.2f}' if group in GOALS else ''} |"
        for group in order
    ]
    text += [
        f"| false: {group} | {ours.false[group]} | {words.false[group]} | "
        f"{f'at most {GOALS[group]:.2f}' if group in GOALS else ''} |"
        for group in ("real", "hard honest", "plain honest")
    ]
    of_notes, wrong_notes = notes(half)
    text += ["", "| notes that are named | |", "| --- | --- |"]
    text += [f"| {group} | {share} |" for group, share in of_notes.items()]
    text += ["", f"Wrong: {', '.join(wrong_notes)}."]
    text += ["", f"{took:.2f} ms a real definition; {control:.2f} ms to write and read it as JSON."]
    text += ["", f"Missed: {', '.join(ours.missed) or 'none'}.", "", f"False: {', '.join(ours.wrong) or 'none'}."]
    below = [
        f"scanner, {group}: {share}"
        for group, share in (*ours.recall.items(), *ours.false.items())
        if group in GOALS and (share.value < GOALS[group] if group in ours.recall else share.value > GOALS[group])
    ]
    return Measured("\n".join(text), below)
