"""What a toolset makes of the catalogue: which tools a client is served, in which order, and what cannot be."""

from __future__ import annotations

from typing import Any

import pytest

from tests.model.builders import Reports, catalogue, known
from toolnote_desktop.guidance.served_tools import resolve_toolset, served_tools
from toolnote_desktop.model.problem import Code
from toolnote_desktop.model.servers import ServerState
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.catalogue import Catalogue
from toolnote_desktop.model.toolsets.notes import parse_everywhere
from toolnote_desktop.model.toolsets.toolset import Toolset, parse_toolset

LOG, DIFF, GONE, TWIN, TWIN2 = (
    known("git", "log"),
    known("git", "diff"),
    known("git", "gone", listed=False),
    known("a", "b.c"),
    known("a.b", "c"),
)
TOOLS = [LOG, DIFF, GONE, TWIN, TWIN2]


def toolset(*tools: dict[str, Any], **more: Any) -> Toolset:
    return parse_toolset("work", {"tools": list(tools), **more}, Reports())


def served(tools: Catalogue, chosen: Toolset | None, **documents: Any) -> list[str]:
    return [one.name for one in served_tools(Snapshot(catalogue=tools, **documents), chosen)]


def test_the_toolsets_order_each_tool_once() -> None:
    chosen = toolset(
        {"namespacedName": "git.diff"},
        {"refId": LOG.tool.ref_id},
        {"namespacedName": "git.log"},
        {"namespacedName": "git.diff"},
    )
    assert served(catalogue(TOOLS), chosen) == ["git_diff", "git_log"]


def test_only_the_toolsets_tools_and_none_without_one() -> None:
    assert served(catalogue(TOOLS), None) == []
    assert served(catalogue(TOOLS), toolset()) == []
    assert served(catalogue(TOOLS), toolset({"namespacedName": "git.log"})) == ["git_log"]


def test_disabled_tools_are_not_served() -> None:
    assert served(catalogue(TOOLS), toolset({"namespacedName": "git.log", "enabled": False})) == []


def test_an_entry_that_is_off_does_not_hide_one_that_is_on() -> None:
    chosen = toolset({"namespacedName": "git.log", "enabled": False}, {"namespacedName": "git.log"})
    assert served(catalogue(TOOLS), chosen) == ["git_log"]


def test_a_tool_that_its_server_no_longer_lists_is_not_served() -> None:
    chosen = toolset({"namespacedName": "git.gone"}, {"namespacedName": "git.log"})
    assert served(catalogue(TOOLS), chosen) == ["git_log"]


@pytest.mark.parametrize("state", ServerState)
def test_tools_of_an_offline_server_are_served_those_of_a_disabled_one_not(state: ServerState) -> None:
    expected = [] if state is ServerState.DISABLED else ["git_log"]
    assert served(catalogue(TOOLS, {"git": state}), toolset({"namespacedName": "git.log"})) == expected


def test_unresolved_and_ambiguous_entries_are_told() -> None:
    chosen = toolset(
        {"namespacedName": "git.log"},
        {"namespacedName": "no.such"},
        {"refId": "ffff"},
        {"namespacedName": "a.b.c"},
        {"namespacedName": "a.b.c", "server": "a.b"},
    )
    snapshot = Snapshot(catalogue=catalogue(TOOLS))
    resolved = resolve_toolset(snapshot, chosen)
    assert [one.known for one in resolved] == [LOG, None, None, None, TWIN2]
    assert [one.problem.code if one.problem else None for one in resolved] == [
        None,
        Code.TOOL_NOT_FOUND,
        Code.TOOL_NOT_FOUND,
        Code.TOOL_AMBIGUOUS,
        None,
    ]
    names = [one.name for one in served_tools(snapshot, chosen)]
    assert names[0] == "git_log"
    assert names[1].startswith("a_b_c_")
    assert len(names) == 2


def test_notes_are_in_the_definition_and_off_ones_only_in_the_list() -> None:
    chosen = toolset(
        {"namespacedName": "git.log"},
        toolNotes=[
            {
                "toolRef": {"namespacedName": "git.log"},
                "notes": [{"name": "on", "note": "Told."}, {"name": "off", "note": "Not told.", "enabled": False}],
            }
        ],
    )
    everywhere = parse_everywhere({"global": [{"name": "all", "note": "For all."}]}, Reports())
    (one,) = served_tools(Snapshot(catalogue=catalogue(TOOLS), notes=everywhere), chosen)
    assert [item.note.name for item in one.notes] == ["all", "on", "off"]
    assert one.definition["description"] == (
        "Does log\n\n### Additional Tool Notes\n\n• **all**: For all.\n• **on**: Told."
    )
    assert one.known is LOG
    assert LOG.tool.definition["description"] == "Does log"
