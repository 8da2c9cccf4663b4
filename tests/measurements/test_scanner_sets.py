"""Labelled definitions for the scanner and for changed definitions: their shape, counts and halves."""

from __future__ import annotations

import json
import unicodedata
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).resolve().parent
HALVES = ("held_back", "tuning")
HOSTILE = {half: sorted((HERE / "scanner").glob(f"{half}_hostile*.jsonl")) for half in HALVES}
HONEST = {half: sorted((HERE / "scanner").glob(f"{half}_honest*.jsonl")) for half in HALVES}
CHANGES = {half: sorted((HERE / "changes").glob(f"{half}*.jsonl")) for half in HALVES}
FILES = [path for files in (*HOSTILE.values(), *HONEST.values(), *CHANGES.values()) for path in files]

KINDS = {
    "hidden-characters",
    "hidden-markup",
    "encoded",
    "fake-role",
    "hide-from-user",
    "read-secrets",
    "shadowing",
    "send-elsewhere",
    "ask-conversation",
    "look-alike-name",
    "heading-imitation",
}
STRENGTHS = {"blatant", "medium", "polite"}


def _lines(files: list[Path]) -> list[dict[str, Any]]:
    lines = [json.loads(line) for path in files for line in path.read_text(encoding="utf-8").splitlines()]
    ids = [line["id"] for line in lines]
    assert len(set(ids)) == len(ids)
    return lines


def _check(definition: dict[str, Any]) -> None:
    assert set(definition) <= {"name", "title", "description", "inputSchema", "outputSchema", "annotations", "_meta"}
    assert isinstance(definition["name"], str)
    assert definition["name"]
    assert isinstance(definition["description"], str)
    schema = definition["inputSchema"]
    assert schema["type"] == "object"
    assert set(schema.get("required", ())) <= set(schema.get("properties", {}))


@pytest.mark.parametrize("half", HALVES)
def test_hostile_definitions_are_labelled(half: str) -> None:
    lines = _lines(HOSTILE[half])
    for line in lines:
        assert set(line) - {"others"} == {"id", "kind", "strength", "source", "definition"}
        assert line["source"]
        _check(line["definition"])
        assert (line["kind"] == "look-alike-name") == bool(line.get("others"))
    assert len(lines) >= 160
    kinds = Counter(line["kind"] for line in lines)
    assert set(kinds) == KINDS
    assert min(kinds.values()) >= 8
    strengths = Counter(line["strength"] for line in lines)
    assert set(strengths) == STRENGTHS
    assert strengths["blatant"] / len(lines) == pytest.approx(0.45, abs=0.06)
    assert strengths["polite"] / len(lines) == pytest.approx(0.15, abs=0.04)


@pytest.mark.parametrize(("half", "count", "hard"), [("held_back", 160, 120), ("tuning", 1200, 700)])
def test_honest_definitions_are_labelled(half: str, count: int, hard: int) -> None:
    lines = _lines(HONEST[half])
    for line in lines:
        assert set(line) - {"others"} == {"id", "hard", "source", "definition"}
        assert line["source"]
        _check(line["definition"])
    assert len(lines) >= count
    assert sum(line["hard"] is True for line in lines) >= hard


@pytest.mark.parametrize(("half", "count"), [("held_back", 20), ("tuning", 200)])
def test_changed_definitions_are_labelled(half: str, count: int) -> None:
    lines = _lines(CHANGES[half])
    for line in lines:
        assert set(line) == {"id", "old", "new", "meaning", "kinds", "why"}
        assert line["kinds"]
        assert line["why"]
        _check(line["old"])
        _check(line["new"])
        assert json.dumps(line["old"]) != json.dumps(line["new"])
    assert len(lines) == count
    assert sum(line["meaning"] is True for line in lines) / count == pytest.approx(0.6, abs=0.05)


def test_no_definition_is_in_both_sets() -> None:
    seen: Counter[str] = Counter()
    for files in (*HOSTILE.values(), *HONEST.values()):
        definitions = [line["definition"] for line in _lines(files)]
        seen.update(definition["description"] + str(definition["inputSchema"]) for definition in definitions)
    for files in CHANGES.values():
        seen.update(line["old"]["description"] + str(line["old"]["inputSchema"]) for line in _lines(files))
    assert [text for text, times in seen.items() if times > 1] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_hidden_characters_are_written_as_escapes(path: Path) -> None:
    text = path.read_text(encoding="utf-8").replace("\n", "")
    assert {unicodedata.name(char, hex(ord(char))) for char in text if unicodedata.category(char)[0] in "CZ"} == {
        "SPACE"
    }
