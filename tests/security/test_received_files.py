"""Bounds of packs, their folder, and files of rules: what others write into them costs neither time nor memory."""

from __future__ import annotations

import difflib
import os
import random
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.cli.test_packs import TICKETS, catalogue
from tests.timing import compare
from toolnote_desktop.desktop.window import pack_offers
from toolnote_desktop.guidance import unresolved
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.model.servers import ServerState, ServerStatus
from toolnote_desktop.model.settings import Settings
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.catalogue import Catalogue, KnownTool, ServerListing
from toolnote_desktop.model.tools.tool import Tool
from toolnote_desktop.model.toolsets.notes import ToolReference
from toolnote_desktop.packs import folder, pack_file
from toolnote_desktop.packs.fit import tool_fits
from toolnote_desktop.packs.pack_file import received_pack
from toolnote_desktop.packs.plan import Here, MergeChoice, plan_pack
from toolnote_desktop.paths import Home
from toolnote_desktop.publishing.plan import MAX_CARRIER_BYTES, FileChange, Wanted, plan_publish
from toolnote_desktop.publishing.records import Carrier, Publication
from toolnote_desktop.publishing.rules_block import BrokenMarksError, find_blocks
from toolnote_desktop.publishing.text import CarriedText
from toolnote_desktop.store.library import Library

ENTRY = {"namespacedName": "s.t", "instructions": "Ask."}


def pack(tools: list[Any], groups: list[Any], prompts: int = 0) -> JsonObject:
    listed = [{"id": f"p-{number}", "prompt": "Do."} for number in range(prompts)]
    return {"pack": {"version": 1, "tools": tools}, "name": "p", "tools": tools, "toolNotes": groups, "prompts": listed}


def group(tool: str, notes: int = 1) -> JsonObject:
    listed = [{"name": f"n-{number}", "note": "x"} for number in range(notes)]
    return {"toolRef": {"namespacedName": tool}, "notes": listed}


def test_a_received_pack_is_bounded() -> None:
    many = [{"namespacedName": f"s.t{number}"} for number in range(pack_file.MAX_TOOLS + 5)]
    groups = [group(f"s.t{number}", 3) for number in range(pack_file.MAX_TOOLS)]
    found = received_pack(pack(many, groups, pack_file.MAX_PROMPTS + 5))
    assert len(found["tools"]) == len(found["pack"]["tools"]) == pack_file.MAX_TOOLS
    assert sum(len(one["notes"]) for one in found["toolNotes"]) == pack_file.MAX_NOTES
    assert len(found["prompts"]) == pack_file.MAX_PROMPTS


def test_a_tool_that_is_there_twice_is_taken_once() -> None:
    """Seen red: 8,000 entries of one tool took 6 s to compare, at each change of the library."""
    found = received_pack(pack([ENTRY] * 500, [group("s.t"), group("s.t", 2)]))
    assert found["tools"] == [ENTRY]
    assert [len(one["notes"]) for one in found["toolNotes"]] == [3]


def test_merging_a_pack_takes_linear_time() -> None:
    def prepared(number: int) -> Callable[[], object]:
        names = [f"s.t{one}" for one in range(number)]
        here = Here(toolset=pack([{**ENTRY, "namespacedName": one} for one in names], list(map(group, names)), 0))
        theirs = pack([], [group(one, 2) for one in names])
        return lambda: plan_pack(theirs, here, MergeChoice.MERGE)

    longer, shorter = compare(prepared(1600), prepared(800), 3)
    assert longer <= 3 * shorter


def test_likely_tools_are_searched_for_a_bounded_time(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    catalogue(home.root, {"tickets": TICKETS})
    with Library.open(home, watch=False) as library:
        snapshot: Snapshot = library.snapshot
    names = [known.tool.name for known in snapshot.catalogue.tools.values()]
    monkeypatch.setattr(unresolved, "MAX_PAIRS", len(names))
    homes = unresolved.LikelyHomes(snapshot.catalogue)
    similar = ToolReference(namespaced_name=f"gone.{names[0]}x")
    assert homes.of(similar)[0].known.tool.name == names[0]
    assert homes.of(similar) == ()
    assert homes.of(ToolReference(namespaced_name=f"gone.{names[0]}"))[0].known.tool.name == names[0]


@pytest.mark.parametrize(("large", "small"), [((1200, 6), (600, 6)), ((12, 500), (12, 250))])
def test_likely_tools_of_many_missing_ones_or_long_names_take_linear_time(
    large: tuple[int, int], small: tuple[int, int]
) -> None:
    """Seen red: names of the same letters were compared by the square of their length, 2,000 missing tools for 19 s,
    and of as many tools with one name each missing one of that name was compared with all.
    """

    def prepared(tools: int, letters: int) -> Callable[[], object]:
        words = random.Random(1)
        names = ["".join(words.choices("abcdefghijklmnopqrstuvwxyz", k=letters)) for _ in range(tools)]
        schema: JsonObject = {"type": "object"}
        known = [Tool(f"s{number}", {"name": "search", "inputSchema": schema}) for number in range(tools)]
        known += [Tool("s", {"name": name, "inputSchema": schema}) for name in names[:100]]
        listing = ServerListing(ServerStatus(ServerState.READY), tuple(KnownTool(one, one) for one in known))
        content = pack([{"namespacedName": f"gone.{name}"} for name in (*names, "search")], [])
        content["pack"]["tools"] += [{"namespacedName": f"gone{number}.search"} for number in range(tools)]
        return lambda: tool_fits(content, Snapshot(catalogue=Catalogue(servers={"s": listing})))

    longer, shorter = compare(prepared(*large), prepared(*small), 3)
    assert longer <= 3 * shorter


@pytest.mark.skipif(os.name == "nt", reason="pipes and links of POSIX")
def test_a_folder_of_packs_is_read_in_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pipes and loops of links are neither waited for nor watched, and a large file is not read."""
    os.mkfifo(tmp_path / "00.toolnote")
    (tmp_path / "01.toolnote").symlink_to(tmp_path / "01.toolnote")
    (tmp_path / "02.toolnote").symlink_to("/dev/zero")
    good = b'{"pack": {"version": 1, "tools": []}, "name": "p", "tools": ["a.b"]}'
    (tmp_path / "03.toolnote").write_bytes(good + b" " * folder.MAX_PACK_BYTES)
    for number in range(folder.MAX_PACKS + 100):
        (tmp_path / f"{number + 1000}.toolnote").write_bytes(good)
    settings = Settings(packs_folder=str(tmp_path))
    offered = folder.offered_packs(settings, lambda _document: None)
    assert len(offered) == folder.MAX_PACKS - 3
    _, watched = pack_offers._watched(settings)
    assert len(watched) == folder.MAX_PACKS - 3 + 3  # the folder, the one that it is in, and the large file
    monkeypatch.setattr(folder, "MAX_FOLDER_BYTES", 10 * len(good))
    assert len(folder.offered_packs(settings, lambda _document: None)) == 10


@pytest.mark.skipif(os.name == "nt", reason="links of POSIX")
def test_subfolders_of_packs_are_read_and_no_links_out(tmp_path: Path) -> None:
    """Seen red: files of subfolders were not offered; with hidden folders; with links to folders and files outside."""
    good = b'{"pack": {"version": 1, "tools": []}, "name": "p", "tools": ["a.b"]}'
    checkout, outside = tmp_path / "checkout", tmp_path / "outside"
    for file in (
        checkout / "teams" / "support" / "p.toolnote",
        checkout / ".git" / "x.toolnote",
        outside / "y.toolnote",
    ):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(good)
    (checkout / "linked").symlink_to(outside)
    (checkout / "z.toolnote").symlink_to(outside / "y.toolnote")
    (checkout / "again.toolnote").symlink_to(checkout / "teams" / "support" / "p.toolnote")
    settings = Settings(packs_folder=str(checkout))
    offered = folder.offered_packs(settings, lambda _document: None)
    own = checkout / "teams" / "support" / "p.toolnote"
    assert [one.file for one in offered] == [checkout / "again.toolnote", own]
    teams = {str(checkout), str(checkout / "teams"), str(own.parent)}
    assert pack_offers._watched(settings)[1].keys() == {str(tmp_path), *teams, *(str(one.file) for one in offered)}
    before = replace(settings, packs_seen={"gone.toolnote": "b" * 64, "again.toolnote": "a" * 64})
    edit = folder.seen_edit(before, own, folder.version_of(before, own) or "")
    assert edit is not None
    assert list(edit.fields["packsSeen"]) == ["again.toolnote", "teams/support/p.toolnote"], "seen red: nothing went"
    seen = Settings(packs_folder=str(checkout), packs_seen=edit.fields["packsSeen"])
    assert [one.file.name for one in folder.offered_packs(seen, lambda _document: None)] == ["again.toolnote"]
    for number in range(folder.MAX_FOLDERS):
        (checkout / f"a{number}").mkdir()
    assert folder.offered_packs(seen, lambda _document: None)
    assert len(folder.pack_folders(settings)) == folder.MAX_FOLDERS


def test_marks_that_are_repeated_are_refused_in_linear_time() -> None:
    def run(number: int) -> None:
        pairs = "".join(f"<!-- toolnote:begin a{one} -->\n<!-- toolnote:end a{one} -->\n" for one in range(number))
        find_blocks(pairs)
        with pytest.raises(BrokenMarksError):
            find_blocks(pairs + "<!-- toolnote:begin a -->\n" * number)

    longer, shorter = compare(partial(run, 20_000), partial(run, 10_000), 3)
    assert longer <= 3 * shorter


def test_a_large_file_of_rules_is_refused(home: Home, tmp_path: Path) -> None:
    file = tmp_path / "AGENTS.md"
    file.write_bytes(b"x\n" * (MAX_CARRIER_BYTES // 2 + 1))
    with pytest.raises(ToolnoteError) as refused:
        plan_publish(
            Publication(carrier=Carrier.RULES, toolset="work", path=str(file)), Wanted(CarriedText("d", "b")), home
        )
    assert refused.value.problem.code is Code.CARRIER_FILE_UNREADABLE
    assert refused.value.problem.parameters["reason"] == "larger than 1 MiB"


def test_the_diff_of_a_file_of_rules_compares_what_changes_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen red: half a million lines of which each is there often kept difflib busy for a minute."""
    compared: list[int] = []
    real = difflib.unified_diff

    def counted(old: list[str], new: list[str], *names: Any, **options: Any) -> Any:
        compared.append(len(old) + len(new))
        return real(old, new, *names, **options)

    monkeypatch.setattr(difflib, "unified_diff", counted)
    before = b"".join(b"%d\n" % (number % 500) for number in range(50_000))
    text = FileChange(Path("a.md"), before, before + b"\nmine\n").diff()
    assert text.endswith("@@ -49999,3 +49999,5 @@\n 498\n 499\n \n+mine\n+")
    assert compared == [8]
