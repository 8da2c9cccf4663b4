"""Packs with any parts replaced: what can be used is imported, and the library can apply it."""

from __future__ import annotations

import contextlib
import json
import random
from typing import Any

import pytest
from msgspec.structs import replace

from tests.cli.test_packs import TICKETS, catalogue
from toolnote_desktop.bench.bench_file import read_bench, usable_prompts
from toolnote_desktop.model.edits import SERVERS, TOOLS, apply_edits, toolset_document
from toolnote_desktop.model.problem import ToolnoteError
from toolnote_desktop.model.toolsets.toolset_import import parse_toolsets
from toolnote_desktop.packs import plan as plan_module
from toolnote_desktop.packs.fit import likely_tools, pack_findings, tool_fits
from toolnote_desktop.packs.pack_file import export_pack, is_pack, received_pack, with_tools_renamed
from toolnote_desktop.packs.plan import Here, MergeChoice, pack_name, plan_pack
from toolnote_desktop.paths import Home
from toolnote_desktop.store.library import Library

JUNK: tuple[Any, ...] = (
    None,
    True,
    1,
    -1.5,
    "",
    "x",
    [],
    [1],
    [[]],
    {},
    {"a": [None]},
    {"namespacedName": 5},
    "\ud800",
)
ENTRY = {
    "namespacedName": "tickets.create",
    "hints": {"readOnlyHint": False},
    "parameters": {"team": {"note": "N", "default": "EMEA"}},
    "consent": {"literal": "YES"},
    "muted": ["Does create."],
}
PROMPT = {
    "id": "a",
    "prompt": "Open one.",
    "tool": "tickets.create",
    "arguments": {"team": "EMEA"},
    "mustNotCall": ["b"],
}


@pytest.fixture
def library(home: Home) -> Any:
    catalogue(home.root, {"tickets": TICKETS})
    note = {"toolRef": {"namespacedName": "tickets.create"}, "notes": [{"name": "team", "note": "Set the team."}]}
    content = {"name": "support", "tools": [ENTRY, "tickets.close"], "toolNotes": [note], "prompts": [PROMPT]}
    home.toolset("support").parent.mkdir(parents=True, exist_ok=True)
    home.toolset("support").write_text(json.dumps(content), encoding="utf-8")
    with Library.open(home, watch=False) as opened:
        yield opened


BARE = {
    "name": "support",
    "tools": [{"namespacedName": "tickets.create", "hints": {"title": "Mine"}}, "tickets.find"],
    "toolNotes": [{"toolRef": {"namespacedName": "tickets.create"}, "notes": [{"name": "mine", "note": "Mine."}]}],
}
"""The toolset that the packs are imported into, with less than they have."""


def paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    below = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(one for key, inner in below for one in paths(inner, (*path, key)))]


def test_whatever_a_pack_holds_is_read_compared_and_applied(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen red with an entry whose refId is a number, a prompt whose id is a list, and notes that are no objects."""
    snapshot, drawn = library.snapshot, random.Random(21)
    documents = {
        "toolset": library.raw(toolset_document("support")),
        "tools": library.raw(TOOLS),
        "servers": library.raw(SERVERS),
    }
    whole = json.dumps(export_pack(snapshot, snapshot.toolsets["support"], documents, ["tickets"]).content)
    places = [path for path in paths(json.loads(whole)) if path]
    read = 0
    for _ in range(400):
        content = json.loads(whole)
        for path in drawn.sample(places, drawn.randint(1, 4)):
            inside: Any = content
            try:
                for key in path[:-1]:
                    inside = inside[key]
                inside[path[-1]] = drawn.choice(JUNK)
            except (KeyError, IndexError, TypeError):
                continue
        usable_prompts(content)
        with contextlib.suppress(ToolnoteError):
            read_bench(content, "f")
        for toolset in parse_toolsets(content, file="f", file_name="f", taken=(), now="n").toolsets:
            if not is_pack(toolset.content):
                continue
            pack = received_pack(toolset.content)
            assert received_pack(pack) == pack
            likely_tools(tool_fits(pack, snapshot))
            pack_findings(pack, snapshot.catalogue)
            with_tools_renamed(pack, {"tickets.create": "tickets.find"})
            here = Here.of(library.raw, pack_name(pack), snapshot.toolsets)
            here = replace(here, toolset=BARE if here.toolset else None)
            for choice in MergeChoice:
                done = []
                for most in (200, 0):  # single edits, and one edit of the whole
                    monkeypatch.setattr(plan_module, "_MOST_EDITS", most)
                    plan = plan_pack(pack, here, choice)
                    document, _ = apply_edits(plan.edits, here.toolset if plan.toolset == pack_name(pack) else None)
                    done.append(document)
                assert done[0] == done[1]
                read += 1
    assert read > 600, "most packs are read, at least in part"
