"""Measurement of guides for a task: which tools an input in six languages brings into the guide, and at what cost.

The held-back half was written by an author who did not know the rules. The rules are tuned on ``rules.jsonl`` (written
with them, over tools of ``tests/guidance/data``) and on ``tuning*.jsonl``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from statistics import mean
from typing import Any

from msgspec import Struct

from tests.measurements.figures import Measured, Share
from tests.model.builders import catalogue, known
from toolnote_desktop.guidance.guide import write_guide
from toolnote_desktop.guidance.reader import Reader
from toolnote_desktop.guidance.relevance import TaskContext
from toolnote_desktop.model.preferences import Preferences
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.toolsets.task_types import read_task_type
from toolnote_desktop.model.toolsets.toolset import parse_toolset

HERE = Path(__file__).parent
LANGUAGES = ("en", "de", "fr", "es", "ja", "zh")
GOALS = ("en", "de")
"""Languages whose recall is to be at least ``RECALL`` at ``TOKENS`` of the whole guide."""
RECALL, TOKENS = 0.9, 0.5

_OWN_SERVERS = {
    "fs": "npm:@modelcontextprotocol/server-filesystem",
    "gh": "npm:@modelcontextprotocol/server-github",
    "maps": "npm:@modelcontextprotocol/server-google-maps",
    "slack": "npm:@modelcontextprotocol/server-slack",
    "git": "pypi:mcp-server-git",
    "db": "pypi:mcp-server-sqlite",
    "time": "pypi:mcp-server-time",
    "fetch": "pypi:mcp-server-fetch",
    "tavily": "npm:tavily-mcp",
    "arxiv": "pypi:arxiv-mcp-server",
}


class Found(Struct):
    """Result for one input."""

    language: str
    text: str
    relevant: set[str]
    shown: set[str]
    full: set[str]
    share: float


class TaskLibrary:
    """Toolset of all tools of a set, ``{"server", "tool"}`` each."""

    def __init__(self, tools: list[dict[str, Any]]) -> None:
        entries = []
        found = []
        for one in tools:
            definition = {key: value for key, value in one["tool"].items() if key != "name"}
            found.append(known(one["server"], one["tool"]["name"], **definition))
            entries.append({"namespacedName": f"{one['server']}.{one['tool']['name']}"})
        self.toolset = parse_toolset("all", {"tools": entries}, lambda entry, reason: None)
        self.snapshot = Snapshot(catalogue=catalogue(found))
        folder = Path(__file__).parents[2] / "resources" / "task-types"
        raw = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))}
        self.types = {name: read_task_type(name, one, None, lambda entry, reason: None) for name, one in raw.items()}
        self.names = {
            self.snapshot.catalogue.exposed[one.tool.key]: f"{one.tool.server}/{one.tool.name}" for one in found
        }
        self.reader = Reader(is_connected=True, preferences=Preferences(guide_tokens=200_000))
        self.whole = write_guide(self.snapshot, self.toolset, task_types=self.types, reader=self.reader).tokens

    def ask(self, text: str) -> tuple[set[str], set[str], float]:
        """Return the tools of the guide for an input, those with their parameters, and its share of all tokens."""
        context = TaskContext(None, text)
        guide = write_guide(self.snapshot, self.toolset, context, task_types=self.types, reader=self.reader)
        parts = guide.text.partition("\n---\n")[0].split("\n### ")[1:]
        full = {part.split("\n", 1)[0] for part in parts if "**Parameters:**" in part}
        shown = {self.names[name] for name in guide.tools}
        return shown, {self.names[name] for name in full}, guide.tokens / self.whole


def measure(held_back: bool) -> Measured:
    """Measure recall and precision by language, and tokens beside the whole guide's."""
    sets = [(HERE / "tasks" / "held_back.jsonl", _library_tools())] if held_back else list(_tuning())
    parts: list[str] = []
    below: list[str] = []
    for path, tools in sets:
        library = TaskLibrary(tools)
        found = [
            Found(one["language"], one["input"], set(one["relevant"]), *library.ask(one["input"]))
            for one in _rows(path)
        ]
        parts.append(_table(f"{path.stem.replace('_', ' ')}, {len(tools)} tools", found))
        for language in GOALS:
            own = [one for one in found if one.language == language]
            recall, share = _recall(own), mean(one.share for one in own)
            if recall.value < RECALL or share > TOKENS:
                below.append(f"guide for a task, {path.stem}, {language}: recall {recall}, {share:.0%} of the tokens")
    return Measured("\n\n".join(parts), below)


def _recall(found: list[Found]) -> Share:
    return Share(sum(len(one.relevant & one.shown) for one in found), sum(len(one.relevant) for one in found))


def _table(title: str, found: list[Found]) -> str:
    lines = [
        f"### Guide for a task: {title}",
        "",
        "| language | inputs | recall | precision | with parameters: recall | precision | nothing found | tokens |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for language in LANGUAGES:
        own = [one for one in found if one.language == language]
        if own:
            hits = sum(len(one.relevant & one.full) for one in own)
            figures = (
                _recall(own),
                Share(sum(len(one.relevant & one.shown) for one in own), sum(len(one.shown) for one in own)),
                Share(hits, sum(len(one.relevant) for one in own)),
                Share(hits, sum(len(one.full) for one in own)),
            )
            none = sum(not one.shown for one in own)
            share = mean(one.share for one in own)
            lines.append(f"| {language} | {len(own)} | {' | '.join(map(str, figures))} | {none} | {share:.0%} |")
    missed = [one for one in found if not one.relevant <= one.shown]
    lines += ["", "Missed:" if missed else "Nothing missed."]
    lines += [f"- {one.language}: {one.text} → {', '.join(sorted(one.relevant - one.shown))}" for one in missed]
    return "\n".join(lines)


def _tuning() -> Iterator[tuple[Path, list[dict[str, Any]]]]:
    yield HERE / "tasks" / "rules.jsonl", _own_tools()
    for path in sorted((HERE / "tasks").glob("tuning*.jsonl")):
        yield path, _library_tools()


def _own_tools() -> list[dict[str, Any]]:
    sources = {source: server for server, source in _OWN_SERVERS.items()}
    rows = _rows(HERE.parent / "guidance" / "data" / "definitions.jsonl")
    return [{"server": sources[one["source"]], "tool": one["definition"]} for one in rows if one["source"] in sources]


def _library_tools() -> list[dict[str, Any]]:
    wanted = json.loads((HERE / "tasks" / "tools.json").read_text(encoding="utf-8"))
    rows = {
        f"{one['server']}/{one['tool']['name']}": one
        for name in ("real_tools", "held_back_tools")
        for one in _rows(HERE / "tools" / f"{name}.jsonl")
    }
    return [rows[one] for one in wanted]


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
