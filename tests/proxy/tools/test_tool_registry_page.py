"""Every behaviour of docs/requirements.md 1, each with a test named after it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from tests.proxy.routing.test_registry import tool
from toolnote_desktop.guidance.guide import Detail, write_guide
from toolnote_desktop.guidance.served_tools import served_tools
from toolnote_desktop.model.edits import (
    SERVER_ENTRIES,
    SERVERS,
    SETTINGS,
    TOOLS,
    AddEntry,
    CreateDocument,
    PutEntry,
    RemoveEntry,
    SetEntryFields,
    SetFields,
    toolset_document,
)
from toolnote_desktop.model.tools.built_in_tools import BUILT_IN, GROUPS, LAZY, built_in_names, enabled_built_in
from toolnote_desktop.model.tools.dialect import PLAIN, Dialect
from toolnote_desktop.model.tools.tool_records import Requirement, ToolRecord, ToolRecords
from toolnote_desktop.model.toolsets.notes import ToolReference
from toolnote_desktop.model.toolsets.tool_edits import SetToolFields
from toolnote_desktop.model.toolsets.tool_settings import TOOL_ENTRIES
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.client_guidance import ClientGuidance
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.proxy.routing.registry import Registry
from toolnote_desktop.proxy.routing.toolset_choice import ToolsetSelector
from toolnote_desktop.proxy.tools import built_in_definitions, built_in_tools
from toolnote_desktop.proxy.tools.context import ToolContext
from toolnote_desktop.proxy.upstream.server import Listed
from toolnote_desktop.store.library import Library

ENTRIES = [{"namespacedName": "linear.create_issue"}, {"namespacedName": "git.log"}]


@pytest.fixture
def library(home: Home) -> Iterator[Library]:
    library = Library.open(home, watch=False)
    library.submit(
        AddEntry(SERVERS, SERVER_ENTRIES, "linear", {"command": "linear"}),
        AddEntry(SERVERS, SERVER_ENTRIES, "git", {"command": "git"}),
        CreateDocument(toolset_document("work"), {"name": "work", "tools": ENTRIES}),
    )
    yield library
    library.close()


@pytest.fixture
def registry(library: Library) -> Registry:
    registry = Registry(library)
    registry.apply(library.snapshot.servers)
    registry.listed("linear", Listed(tools=(tool("create_issue", description="Creates.\n\nMore."), tool("list_teams"))))
    registry.listed("git", Listed(tools=(tool("log", title="Show the log"),)))
    return registry


def ids(records: Any) -> list[str]:
    return [record.id for record in records]


def record(library: Library, id: str) -> ToolRecord:
    found = library.snapshot.tool_records.get(id)
    assert found is not None
    return found


def set_entry(library: Library, name: str, **fields: Any) -> None:
    library.submit(SetToolFields(toolset_document("work"), ToolReference(namespaced_name=name), fields))


def described(library: Library, dialect: Dialect | None = None) -> dict[str, str]:
    snapshot = library.snapshot
    served = served_tools(snapshot, snapshot.toolsets["work"], dialect or PLAIN)
    return {one.name: one.definition.get("description", "") for one in served}


# --- the registry


def test_registry_has_all_tools_built_in_ones_first(library: Library, registry: Registry) -> None:
    assert ids(library.snapshot.tool_records) == [
        *built_in_names(""),
        *("linear.create_issue", "linear.list_teams", "git.log"),
    ]


def test_register_adds_one_and_register_all_adds_many(library: Library, registry: Registry) -> None:
    registry.listed("git", Listed(tools=(tool("log"), tool("diff"), tool("show"))))
    assert ids(library.snapshot.catalogue.records)[2:] == ["git.log", "git.diff", "git.show"]


def test_an_id_is_registered_once() -> None:
    first, second = (ToolRecord("x", name, "", "custom") for name in ("First", "Second"))
    assert [one.display_name for one in ToolRecords([first, second])] == ["First"]


def test_two_tools_of_one_name_have_two_ids(library: Library, registry: Registry) -> None:
    library.submit(AddEntry(SERVERS, SERVER_ENTRIES, "a", {"command": "a"}))
    library.submit(AddEntry(SERVERS, SERVER_ENTRIES, "a.b", {"command": "b"}))
    registry.apply(library.snapshot.servers)
    registry.listed("a", Listed(tools=(tool("b.c"),)))
    registry.listed("a.b", Listed(tools=(tool("c"),)))
    assert ids(library.snapshot.catalogue.records)[-2:] == ["a.b.c (a)", "a.b.c (a.b)"]


def test_get_tool_metadata(library: Library, registry: Registry) -> None:
    assert record(library, "linear.create_issue") == ToolRecord(
        id="linear.create_issue",
        display_name="Create issue",
        description="Creates.",
        category="linear",
    )
    settings = {"category": "Planning", "pinned": True, "instructions": "Ask for the team."}
    library.submit(PutEntry(TOOLS, TOOL_ENTRIES, "linear.create_issue", settings))
    changed = record(library, "linear.create_issue")
    assert (changed.category, changed.always_enabled, changed.instructions) == (
        "Planning",
        True,
        "Ask for the team.",
    )
    assert record(library, "git.log").display_name == "Show the log"
    assert library.snapshot.tool_records.get("git.nothing") is None


def test_built_in_tools_and_records_belong_together() -> None:
    assert ids(BUILT_IN) == list(built_in_tools())
    for one in BUILT_IN:
        assert one.display_name[0].isupper()
        assert one.description.endswith(".")
        assert one.category in GROUPS


def test_get_tools_by_category(library: Library, registry: Registry) -> None:
    groups = library.snapshot.tool_records.by_category()
    assert list(groups) == [*GROUPS, "linear", "git"]
    assert ids(groups["linear"]) == ["linear.create_issue", "linear.list_teams"]
    assert ids(groups["guide"]) == ["get-tool-guide"]


def test_get_configurable_tools(library: Library, registry: Registry) -> None:
    configurable = ids(library.snapshot.tool_records.configurable())
    assert set(ids(library.snapshot.tool_records)) - set(configurable) == {"search-tools", "call-tool"}


# --- enabled sets


def test_get_enabled_tools_takes_the_chosen_ids() -> None:
    names = [one.id for one in BUILT_IN.enabled({"build-toolset", "get-tool-guide", "none"}, [Requirement.OWN_CHOICE])]
    assert names == ["build-toolset", "get-tool-guide"]


def test_always_enabled_tools_are_there_whatever_is_chosen(library: Library) -> None:
    hidden = {"hiddenBuiltInTools": ["call-tool"], "hiddenBuiltInGroups": list(GROUPS)}
    library.submit(SetFields(SETTINGS, hidden))
    assert enabled_built_in(library.snapshot.settings) == frozenset()
    searched = built_in_definitions(library.snapshot, is_searched=True)
    assert [one["name"] for one in searched] == ["search-tools", "call-tool"]


def test_requirements_hold_for_always_enabled_tools_too(library: Library) -> None:
    assert BUILT_IN.enabled([], [Requirement.OWN_CHOICE]) == ()
    names = [one["name"] for one in built_in_definitions(library.snapshot)]
    assert not {"search-tools", "call-tool"} & set(names)


def test_tool_without_its_requirement_is_not_enabled(library: Library) -> None:
    names = [one["name"] for one in built_in_definitions(library.snapshot, Principal("x", bridge_toolset="work"))]
    assert "list-saved-toolsets" in names
    assert not {one.id for one in BUILT_IN if Requirement.OWN_CHOICE in one.requirements} & set(names)


def test_a_configurable_tool_is_switched_off_and_on_again(library: Library) -> None:
    library.submit(SetFields(SETTINGS, {"hiddenBuiltInTools": ["build-toolset"]}))
    assert "build-toolset" not in [one["name"] for one in built_in_definitions(library.snapshot)]
    library.submit(SetFields(SETTINGS, {"hiddenBuiltInTools": []}))
    assert "build-toolset" in [one["name"] for one in built_in_definitions(library.snapshot)]


def test_servers_tools_are_configured_the_same_way_in_a_toolset(library: Library, registry: Registry) -> None:
    set_entry(library, "linear.create_issue", enabled=False)
    assert list(described(library)) == ["git_log"]
    set_entry(library, "linear.create_issue", enabled=True)
    assert list(described(library)) == ["linear_create_issue", "git_log"]


# --- connect and disconnect


def test_connecting_registers_a_servers_tools_configurable_by_default(library: Library, registry: Registry) -> None:
    library.submit(AddEntry(SERVERS, SERVER_ENTRIES, "notion", {"command": "notion"}))
    registry.apply(library.snapshot.servers)
    assert library.snapshot.tool_records.get("notion.search") is None
    registry.listed("notion", Listed(tools=(tool("search"),)))
    found = record(library, "notion.search")
    assert (found.category, found.always_enabled) == ("notion", False)


def test_disconnecting_unregisters_its_tools_and_touches_no_other(library: Library, registry: Registry) -> None:
    before = {one.id: one for one in library.snapshot.tool_records}
    library.submit(RemoveEntry(SERVERS, SERVER_ENTRIES, "linear"))
    registry.apply(library.snapshot.servers)
    after = list(library.snapshot.tool_records)
    assert ids(after) == [*built_in_names(""), "git.log"]
    assert all(one is before[one.id] for one in after)


def test_a_server_whose_id_begins_like_another_keeps_its_tools(library: Library, registry: Registry) -> None:
    library.submit(AddEntry(SERVERS, SERVER_ENTRIES, "git_hub", {"command": "hub"}))
    registry.apply(library.snapshot.servers)
    registry.listed("git_hub", Listed(tools=(tool("log"),)))
    library.submit(RemoveEntry(SERVERS, SERVER_ENTRIES, "git"))
    registry.apply(library.snapshot.servers)
    assert ids(library.snapshot.catalogue.records)[-1] == "git_hub.log"


def test_a_tool_that_is_listed_no_more_is_unregistered_alone(library: Library, registry: Registry) -> None:
    registry.listed("linear", Listed(tools=(tool("list_teams"),)))
    assert ids(library.snapshot.catalogue.records) == ["linear.list_teams", "git.log"]


def test_switching_a_server_off_takes_its_tools_from_everybody(library: Library, registry: Registry) -> None:
    library.submit(SetEntryFields(SERVERS, SERVER_ENTRIES, "linear", {"disabled": True}))
    registry.apply(library.snapshot.servers)
    assert list(described(library)) == ["git_log"]


# --- instructions and layers


def test_the_schema_is_never_changed_by_instructions(library: Library, registry: Registry) -> None:
    schema = library.snapshot.catalogue.tools["git", "log"].tool.definition["inputSchema"]
    set_entry(library, "git.log", instructions="Twenty at most.")
    snapshot = library.snapshot
    (_, log) = served_tools(snapshot, snapshot.toolsets["work"])
    assert log.definition["inputSchema"] == schema == {"type": "object"}
    assert log.definition["description"] == "Twenty at most."


def test_three_layers_in_their_order(library: Library, registry: Registry) -> None:
    set_entry(library, "linear.create_issue", instructions="Ask which team.")
    notes = [{"toolRef": ENTRIES[0], "notes": [{"name": "labels", "note": "Use bug."}]}]
    library.submit(SetFields(toolset_document("work"), {"toolNotes": notes}))
    dialect = Dialect("x", "X", tool_sentences=("Think first.",))
    assert described(library, dialect)["linear_create_issue"] == (
        "Creates.\n\nMore.\n\n"  # the server's own words
        "Ask which team.\n\n### Additional Tool Notes\n\n• **labels**: Use bug.\n\n"  # the user's
        "Think first."  # the dialect's
    )


def test_a_built_in_tool_has_instructions_too(library: Library) -> None:
    own = built_in_definitions(library.snapshot)[1]["description"]
    library.submit(SetFields(SETTINGS, {"builtInInstructions": {"build-toolset": "Ask before you build one. "}}))
    assert record(library, "build-toolset").instructions == "Ask before you build one."
    told = built_in_definitions(library.snapshot)[1]["description"]
    assert told == f"{own}\n\nAsk before you build one."


def test_only_instructions_of_enabled_tools_are_told(library: Library, registry: Registry) -> None:
    set_entry(library, "linear.create_issue", instructions="Ask which team.")
    set_entry(library, "git.log", instructions="Twenty at most.", enabled=False)
    snapshot = library.snapshot
    guide = write_guide(snapshot, snapshot.toolsets["work"], detail=Detail.STANDARD).text
    assert "**Instructions:** Ask which team." in guide
    assert "Twenty" not in guide


def test_lazy_modes_own_tools_are_a_category_that_its_switch_alone_shows() -> None:
    assert all(one.requirements == {Requirement.SEARCH} for one in BUILT_IN if one.category == LAZY)


def test_a_pinned_tool_is_in_every_toolset(library: Library, registry: Registry) -> None:
    library.submit(CreateDocument(toolset_document("other"), {"name": "other", "tools": [ENTRIES[1]]}))

    def names(toolset: str = "other") -> list[str]:
        snapshot = library.snapshot
        return [tool.name for tool in served_tools(snapshot, snapshot.toolsets[toolset])]

    assert names() == ["git_log"]
    library.submit(PutEntry(TOOLS, TOOL_ENTRIES, "linear.create_issue", {"pinned": True}))
    assert (names(), names("work")) == (["git_log", "linear_create_issue"], ["linear_create_issue", "git_log"])
    library.submit(SetToolFields(toolset_document("work"), ToolReference(**REFERENCE), {"enabled": False}))
    assert "linear_create_issue" in names("work")  # always on: a toolset does not switch it off
    library.submit(PutEntry(TOOLS, TOOL_ENTRIES, "linear.create_issue", {"pinned": True, "enabled": False}))
    assert names() == ["git_log"]
    library.submit(PutEntry(TOOLS, TOOL_ENTRIES, "linear.create_issue", {"pinned": False}))
    assert (names(), names("work")) == (["git_log"], ["git_log"])


def test_a_tool_for_the_user_only_is_offered_to_no_assistant(library: Library, registry: Registry) -> None:
    def names() -> list[str]:
        snapshot = library.snapshot
        return [tool.name for tool in served_tools(snapshot, snapshot.toolsets["work"])]

    for audience, offered in ((["user"], False), (["user", "assistant"], True), (["assistant"], True), (None, True)):
        hints = {"audience": audience} if audience else {}
        library.submit(PutEntry(TOOLS, TOOL_ENTRIES, "git.log", {"hints": hints}))
        assert ("git_log" in names()) is offered
        context = ToolContext(library, Principal(None), ToolsetSelector(library), ClientGuidance.of(library.home))
        listed = asyncio.run(built_in_tools()["list-available-tools"].call({}, context)).to_json_str()
        assert ('"git.log"' in listed) is offered


REFERENCE = {"namespaced_name": "linear.create_issue"}
