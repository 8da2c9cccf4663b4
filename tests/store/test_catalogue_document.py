"""``catalog.json`` and the catalogue that comes of it (docs/contract.md 1, exposed name; 2; 3)."""

from __future__ import annotations

import copy
import random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.model.builders import definition
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code
from toolnote_desktop.model.servers import Server, ServerState, ServerStatus
from toolnote_desktop.model.tools.built_in_tools import BUILT_IN, built_in_names
from toolnote_desktop.model.tools.catalogue import Catalogue, KnownTool, ServerListing
from toolnote_desktop.model.tools.catalogue_document import (
    build_catalogue,
    initial_status,
    known_tool,
    listing_document,
    load_catalogue,
    parse_listing,
)

READY = ServerStatus(ServerState.READY)


def server(**fields: Any) -> Server:
    return Server.read({"command": "x", **fields})


def parsed(raw: object, name: str = "git") -> ServerListing:
    return parse_listing(name, raw, READY)


def test_a_listing_is_read_back_as_it_was() -> None:
    newest, accepted = definition("log", title="New"), definition("log")
    raw = {
        "tools": [
            {"definition": newest, "accepted": accepted},
            {"definition": definition("gone"), "listed": False},
            {"definition": definition("same", unknown={"kept": 1})},
        ],
        "prompts": [{"name": "ask", "unknown": 1}],
        "resources": [{"uri": "file:///x", "name": "x"}],
        "resourceTemplates": [{"uriTemplate": "file:///{x}", "name": "x"}],
        "capabilities": {"tools": {"listChanged": True}},
        "instructions": "Ask first.",
        "acceptedInstructions": "",
    }
    before = copy.deepcopy(raw)
    listing = parsed(raw)
    assert listing_document(listing) == raw == before
    log, gone, same = listing.tools
    assert (log.changed, gone.changed, same.changed) == (True, False, False)
    assert (log.tool.definition, log.accepted.definition) == (newest, accepted)
    assert same.accepted is same.tool
    assert (log.listed, gone.listed) == (True, False)
    assert (listing.instructions, listing.accepted_instructions) == ("Ask first.", "")
    assert listing.status is READY


def test_only_what_there_is_stands_in_the_document() -> None:
    assert listing_document(ServerListing(READY)) == {"tools": []}
    tool = known_tool("git", definition("log"), definition("log"))
    assert listing_document(ServerListing(READY, tools=(tool,))) == {"tools": [{"definition": definition("log")}]}


def test_invalid_tool_is_left_out() -> None:
    raw = {
        "tools": [
            5,
            {},
            {"definition": "log"},
            {"definition": {"name": 5, "inputSchema": {}}},
            {"definition": {"name": "log"}},
            {"definition": definition("log"), "accepted": {"name": "log"}},
            {"definition": definition("log", title="a second one")},
        ],
        "prompts": {"a": 1},
        "resources": [5],
        "capabilities": [],
        "instructions": 5,
    }
    listing = parsed(raw)
    (log,) = listing.tools
    assert log.tool.definition == definition("log")
    assert not log.changed, "what was accepted cannot be told any more"
    assert (listing.prompts, listing.resources, listing.capabilities, listing.instructions) == ((), (), {}, None)
    nothings: list[object] = [None, [], "x", {"tools": None}]
    for nothing in nothings:
        assert parsed(nothing) == ServerListing(READY)


def test_tool_warnings_are_recognised_again() -> None:
    listing = parsed({"tools": [{"definition": {"name": "log", "inputSchema": {"properties": []}}}]})
    problems = listing.tools[0].problems
    assert [problem.parameters["reason"].split()[0] for problem in problems] == [
        "inputSchema",
        "inputSchema.properties",
    ]
    problem = problems[0]
    assert problem.code is Code.TOOL_ODD
    assert (problem.parameters["server"], problem.parameters["tool"]) == ("git", "log")


def catalogue_of(tools: dict[str, list[str]], prefixes: dict[str, str] | None = None, prefix: str = "") -> Catalogue:
    servers = {
        name: server(toolnote={"prefix": (prefixes or {})[name]} if name in (prefixes or {}) else {}) for name in tools
    }
    raw = {
        "servers": {name: {"tools": [{"definition": definition(one)} for one in ones]} for name, ones in tools.items()}
    }
    return load_catalogue(raw, servers, built_in_names(prefix))


def test_catalogue_has_all_servers_in_the_order_of_the_file() -> None:
    servers = {"z": server(), "a": server(disabled=True), "m": server()}
    listings = {"m": parsed({"tools": [{"definition": definition("log")}]}, "m"), "gone": ServerListing(READY)}
    catalogue = build_catalogue(servers, listings, ())
    assert list(catalogue.servers) == ["z", "a", "m"]
    assert catalogue.servers["z"].status.state is ServerState.STARTING
    assert catalogue.servers["a"].status.state is ServerState.DISABLED
    assert catalogue.servers["m"].status.state is ServerState.READY
    assert initial_status(server(disabled=True)).state is ServerState.DISABLED


def test_names_depend_on_all_known_tools_and_not_on_their_order() -> None:
    tools = {"a.b": ["c", "x"], "a": ["b.c", "y"], "a_b": ["c", "z"], "long": ["t" * 60]}
    names = catalogue_of(tools).exposed
    assert len(set(names.values())) == len(names) == 7
    clashing = {names[("a.b", "c")], names[("a", "b.c")], names[("a_b", "c")]}
    assert all(name.startswith("a_b_c_") for name in clashing)
    assert names[("a.b", "x")] == "a_b_x"
    assert len(names[("long", "t" * 60)]) == 48
    chance = random.Random(1)
    for _ in range(5):
        shuffled = {
            name: chance.sample(tools[name], len(tools[name])) for name in chance.sample(list(tools), len(tools))
        }
        assert catalogue_of(shuffled).exposed == names


def test_a_tool_that_is_not_listed_any_more_keeps_its_name() -> None:
    both = {"git": server()}
    raw: JsonObject = {
        "servers": {"git": {"tools": [{"definition": definition("a.b")}, {"definition": definition("a_b")}]}}
    }
    before = load_catalogue(raw, both, ()).exposed
    raw["servers"]["git"]["tools"][1]["listed"] = False
    assert load_catalogue(raw, both, ()).exposed == before
    del raw["servers"]["git"]["tools"][1]
    assert load_catalogue(raw, both, ()).exposed == {("git", "a.b"): "git_a_b"}


def test_built_in_tools_come_first() -> None:
    tools = {"bare": list(built_in_names(""))}
    names = catalogue_of(tools, {"bare": ""}).exposed
    assert not set(names.values()) & set(built_in_names(""))
    assert len(set(names.values())) == len(BUILT_IN) == 14
    names = catalogue_of(tools, {"bare": ""}, prefix="mine-").exposed
    assert set(names.values()) == set(built_in_names(""))


def test_prompts_are_named_in_the_same_way() -> None:
    raw = {
        "servers": {
            "a.b": {"prompts": [{"name": "c"}, {"title": "no name"}], "tools": [{"definition": definition("c")}]},
            "a": {"prompts": [{"name": "b.c"}, {"name": "d"}]},
        }
    }
    catalogue = load_catalogue(raw, {"a.b": server(), "a": server()}, built_in_names(""))
    assert catalogue.exposed == {("a.b", "c"): "a_b_c"}, "tools and prompts are apart"
    assert set(catalogue.exposed_prompts) == {("a.b", "c"), ("a", "b.c"), ("a", "d")}
    assert catalogue.exposed_prompts[("a", "d")] == "a_d"
    assert len(set(catalogue.exposed_prompts.values())) == 3


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inside: (
        st.lists(inside, max_size=3)
        | st.dictionaries(
            st.sampled_from(["tools", "definition", "accepted", "listed", "name", "inputSchema", "prompts", "servers"]),
            inside,
            max_size=4,
        )
    ),
    max_leaves=15,
)


@given(anything)
def test_no_catalog_is_too_odd_to_read(raw: Any) -> None:
    listing = parsed(raw)
    again = parsed(listing_document(listing))
    assert listing_document(again) == listing_document(listing)
    catalogue = load_catalogue({"servers": {"git": raw}}, {"git": server()}, ())
    assert set(catalogue.exposed) == set(catalogue.tools)
    load_catalogue({"servers": raw}, {"git": server()}, ())


def test_a_known_tool_says_what_was_accepted() -> None:
    tool = known_tool("git", definition("log", description="new"), definition("log"), listed=False)
    assert isinstance(tool, KnownTool)
    assert (tool.changed, tool.listed, tool.problems) == (True, False, ())
