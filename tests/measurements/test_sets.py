"""Labelled sets: their shape, their size, and that they name tools that exist."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.measurements import __main__ as command
from tests.measurements import scanner
from tests.measurements.figures import Measured

HERE = Path(__file__).parent
REAL = HERE / "tools" / "real_tools.jsonl"
HELD_BACK = HERE / "tools" / "held_back_tools.jsonl"
SCANNER_TUNING = tuple(HERE / "tools" / f"held_back_tools_{part}.jsonl" for part in (2, 3, 4, 5, 6))
SCANNER_HELD_BACK = HERE / "tools" / "held_back_tools_7.jsonl"
TRAINING = HERE / "tools" / "training_tools.jsonl"
LICENSES = {"MIT", "MIT-0", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MPL-2.0", "CC0-1.0", "Unlicense"}
ALL_REAL = (REAL, HELD_BACK, *SCANNER_TUNING, SCANNER_HELD_BACK)


def read(path: Path) -> list[dict[str, Any]]:
    """Return the objects of a file of JSON lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@cache
def tools() -> frozenset[str]:
    """Return the names of the library's tools, as ``server/tool``: without those held back for the scanner."""
    return frozenset(f"{line['server']}/{line['tool']['name']}" for path in (REAL, HELD_BACK) for line in read(path))


@pytest.mark.parametrize(
    ("path", "parities", "least"),
    [(REAL, {0}, 500), (HELD_BACK, {1}, 500), *((path, {0, 1}, 500) for path in (*SCANNER_TUNING, SCANNER_HELD_BACK))],
)
def test_real_tools_are_complete_and_split_by_the_package(path: Path, parities: set[int], least: int) -> None:
    lines = read(path)
    for line in lines:
        assert set(line) == {"server", "package", "version", "registry", "license", "tool"}
        assert line["registry"] in ("pypi", "npm")
        assert line["tool"]["inputSchema"]["type"] == "object"
        assert len(json.dumps(line["tool"]["inputSchema"]).encode()) <= 8192
        assert int(hashlib.sha256(line["package"].encode()).hexdigest(), 16) % 2 in parities
    assert len(lines) > least


def test_no_server_and_no_tool_occurs_twice() -> None:
    lines = [line for path in ALL_REAL for line in read(path)]
    packages = {(line["server"], line["package"], line["version"], line["license"]) for line in lines}
    assert len({server for server, *_ in packages}) == len(packages) >= 40
    assert len({package for _, package, *_ in packages}) == len(packages)
    assert len({(line["server"], line["tool"]["name"]) for line in lines}) == len(lines)


def test_tools_held_back_for_the_scanner_are_of_other_packages() -> None:
    former = [line for path in ALL_REAL[:-1] for line in read(path)]
    new = read(SCANNER_HELD_BACK)
    packages = Counter(line["package"] for line in new)
    assert packages.keys().isdisjoint(line["package"] for line in former)
    assert len(packages) >= 60
    assert max(packages.values()) <= 15
    texts = [json.dumps(line["tool"], sort_keys=True) for line in (*former, *new)]
    assert len(set(texts[len(former) :]) - set(texts[: len(former)])) == len(new)
    assert {
        "held_back": (SCANNER_HELD_BACK.stem,),
        "tuning": (REAL.stem, HELD_BACK.stem, *(path.stem for path in SCANNER_TUNING)),
    } == scanner.REAL


def reduced(schema: dict[str, Any]) -> bool:
    """Return True if a schema has no more than its properties with their descriptions, enums and defaults."""
    parts = [*schema.get("properties", {}).values(), *([schema["items"]] if "items" in schema else [])]
    return schema.keys() <= {"description", "enum", "default", "properties", "items"} and all(map(reduced, parts))


def test_tools_for_the_training_alone_are_of_other_packages() -> None:
    former = [line for path in ALL_REAL for line in read(path)]
    lines = read(TRAINING)
    for line in lines:
        assert set(line) == {"server", "package", "license", "tool"}
        assert line["license"] in LICENSES
        assert set(line["tool"]) - {"title"} == {"name", "description", "inputSchema"}
        schema = dict(line["tool"]["inputSchema"])
        assert schema.pop("type") == "object"
        assert reduced(schema)
        assert len(json.dumps(schema).encode()) <= 4096
    servers = Counter(line["server"] for line in lines)
    assert servers.keys().isdisjoint(line["server"] for line in former)
    assert {line["package"].lower() for line in lines}.isdisjoint(line["package"].lower() for line in former)
    assert len(servers) >= 400
    assert max(servers.values()) <= 20
    assert len({(line["server"], line["tool"]["name"]) for line in lines}) == len(lines) >= 4000
    texts = {(line["tool"]["name"], line["tool"].get("description")) for line in former}
    tools_of = {f"{line['server']}/{line['tool']['name']}": line["tool"] for line in lines}
    assert [name for name, tool in tools_of.items() if (tool["name"], tool["description"]) in texts] == []
    assert TRAINING.stat().st_size <= 4_000_000


@pytest.mark.parametrize("path", sorted((HERE / "search").glob("*.jsonl")), ids=lambda path: path.stem)
def test_questions_for_the_search(path: Path) -> None:
    lines = read(path)
    for line in lines:
        assert set(line) == {"question", "language", "kind", "expected", "note"}
        assert line["language"] in ("en", "de")
        assert tools().issuperset(line["expected"]), line
        assert len(set(line["expected"])) == len(line["expected"]) <= 8
        assert bool(line["expected"]) == (line["kind"] != "none")
        if line["kind"] == "note":
            assert line["expected"] == [line["note"]["tool"]]
            assert line["note"]["text"]
        else:
            assert line["note"] is None
    kinds = Counter(line["kind"] for line in lines)
    assert set(kinds) == {"plain", "note", "none"}
    held_back = path.stem == "held_back"
    assert kinds["plain"] >= (220 if held_back else 150)
    assert kinds["note"] >= (50 if held_back else 40)
    assert kinds["none"] >= (90 if held_back else 40)
    assert Counter(line["language"] for line in lines if line["kind"] == "plain")["de"] >= 30


def test_no_question_is_asked_twice() -> None:
    questions = [line["question"].casefold() for path in (HERE / "search").glob("*.jsonl") for line in read(path)]
    assert len(set(questions)) == len(questions)


@pytest.mark.parametrize("half", ["held_back", "tuning", "tuning_2"])
def test_task_inputs_for_the_guide(half: str) -> None:
    library = json.loads((HERE / "tasks" / "tools.json").read_text(encoding="utf-8"))
    assert len(set(library)) == len(library) == 60
    assert tools().issuperset(library)
    lines = read(HERE / "tasks" / f"{half}.jsonl")
    for line in lines:
        assert set(line) == {"input", "language", "relevant"}
        assert set(library).issuperset(line["relevant"]), line
        assert 1 <= len(set(line["relevant"])) == len(line["relevant"]) <= 8
    languages = Counter(line["language"] for line in lines)
    assert set(languages) == {"en", "de", "fr", "es", "ja", "zh"}
    assert languages["en"] >= (40 if half == "held_back" else 20) <= languages["de"]
    assert min(languages.values()) >= 16
    assert len(lines) >= 110


def test_no_task_input_occurs_twice() -> None:
    inputs = [line["input"].casefold() for path in (HERE / "tasks").glob("*.jsonl") for line in read(path)]
    assert len(set(inputs)) == len(inputs)


def test_a_figure_below_its_goal_is_printed_and_a_failure_with_strict_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Seen red: each measurement below its goal had the status of a failure."""
    monkeypatch.setattr(command, "ROOT", tmp_path)
    found = {"low": lambda _: Measured("| low |", ["low, recall: 0.1"]), "good": lambda _: Measured("| good |", [])}
    monkeypatch.setattr(command, "measurements", lambda: found)
    assert command.main([]) == command.main(["good", "--strict"]) == 0
    assert "below the goal: low, recall: 0.1" in capsys.readouterr().out
    assert command.main(["--strict"]) == 1
    assert "below the goal: low" in (tmp_path / "test-artifacts" / "measurements.md").read_text(encoding="utf-8")
