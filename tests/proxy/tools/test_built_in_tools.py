"""The built-in tools: schemas, answers and failures (docs/contract.md 7, docs/requirements.md 0 and 4)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest

from toolnote_desktop.guidance.discovery import OWN_TOKENS
from toolnote_desktop.guidance.tokens import estimate_definition_tokens
from toolnote_desktop.model.edits import (
    CLIENT_ENTRIES,
    CLIENTS,
    SERVER_ENTRIES,
    SERVERS,
    SETTINGS,
    AddEntry,
    SetEntryFields,
    SetFields,
    toolset_document,
)
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.tools.built_in_tools import built_in_names
from toolnote_desktop.model.toolsets.tool_edits import AddTools
from toolnote_desktop.paths import Home, home_folder
from toolnote_desktop.proxy.client_guidance import ClientGuidance
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.proxy.routing.registry import Registry
from toolnote_desktop.proxy.routing.toolset_choice import ToolsetSelector
from toolnote_desktop.proxy.tools import built_in_definitions, built_in_tools
from toolnote_desktop.proxy.tools.context import ToolContext
from toolnote_desktop.proxy.upstream.server import Listed
from toolnote_desktop.store.library import Library

CLAUDE = Principal("claude-desktop")
RUN = Principal(None)


class Assistant:
    """Calls built-in tools as somebody."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.choices = ToolsetSelector(library)
        self.guidance = ClientGuidance.of(home_folder())

    def call(self, tool: str, arguments: object = None, principal: Principal = CLAUDE) -> JsonObject:
        context = ToolContext(self.library, principal, self.choices, self.guidance)
        return asyncio.run(built_in_tools()[tool].call(arguments, context)).to_dict()

    def value(self, tool: str, arguments: object = None, principal: Principal = CLAUDE) -> JsonObject:
        answer = self.call(tool, arguments, principal)
        assert answer["success"], answer
        value: JsonObject = answer["value"]
        return value

    def failure(self, tool: str, arguments: object = None, principal: Principal = CLAUDE) -> str:
        answer = self.call(tool, arguments, principal)
        assert not answer["success"], answer
        assert answer["error"]
        assert "value" not in answer
        return str(answer["error_type"])


@pytest.fixture
def library(home: Home) -> Iterator[Library]:
    library = Library.open(home, watch=False)
    library.submit(AddEntry(SERVERS, SERVER_ENTRIES, "linear", {"command": "linear"}))
    registry = Registry(library)
    registry.apply(library.snapshot.servers)
    tools = [{"name": name, "inputSchema": {"type": "object"}} for name in ("create_issue", "list_teams")]
    registry.listed("linear", Listed(tools=tuple(tools)))
    yield library
    library.close()


@pytest.fixture
def assistant(library: Library) -> Iterator[Assistant]:
    assistant = Assistant(library)
    tools = [{"namespacedName": "linear.create_issue"}]
    assistant.value("build-toolset", {"name": "work", "tools": tools, "autoEquip": True})
    yield assistant
    assistant.guidance.close()


def notes(*pairs: tuple[str, str], tool: str = "linear.create_issue") -> JsonObject:
    return {"toolRef": {"namespacedName": tool}, "notes": [{"name": n, "note": t} for n, t in pairs]}


def test_the_contracts_order(library: Library) -> None:
    assert [d["name"] for d in built_in_definitions(library.snapshot)] == [
        "list-available-tools",
        "build-toolset",
        "list-saved-toolsets",
        "equip-toolset",
        "delete-toolset",
        "unequip-toolset",
        "get-active-toolset",
        "add-tool-annotation",
        "update-tool-annotation",
        "remove-tool-annotation",
        "list-tool-annotations",
        "get-tool-guide",
    ]
    searched = built_in_definitions(library.snapshot, is_searched=True)
    assert [d["name"] for d in searched] == list(built_in_names(""))


def test_groups_and_single_tools_can_be_hidden(library: Library) -> None:
    library.submit(SetFields(SETTINGS, {"hiddenBuiltInGroups": ["notes"], "hiddenBuiltInTools": ["build-toolset"]}))
    names = [d["name"] for d in built_in_definitions(library.snapshot)]
    assert not [name for name in names if "annotation" in name]
    assert "build-toolset" not in names
    assert names[-1] == "get-tool-guide"
    library.submit(SetFields(SETTINGS, {"hiddenBuiltInGroups": ["guide", "toolsets"]}))
    assert {d["name"].partition("-")[2] for d in built_in_definitions(library.snapshot)} == {
        "tool-annotation",
        "tool-annotations",
    }


def test_add_tool_annotation_has_the_required_schema(library: Library) -> None:
    """Seed 000, 2.1, word for word."""
    definition = built_in_definitions(library.snapshot)[7]
    assert definition["inputSchema"] == {
        "type": "object",
        "properties": {
            "toolRef": {
                "type": "object",
                "description": "Reference to the tool (use namespacedName or refId)",
                "properties": {
                    "namespacedName": {
                        "type": "string",
                        "description": "Tool reference by namespaced name (e.g., 'linear.create_issue')",
                    },
                    "refId": {"type": "string", "description": "Tool reference by unique hash identifier"},
                },
            },
            "notes": {
                "type": "array",
                "description": "Array of annotations to add to the tool",
                "items": {
                    "type": "object",
                    "properties": {
                        "name": {
                            "type": "string",
                            "description": "Identifier for this annotation (e.g., 'usage-with-project')",
                            "pattern": "^[a-z0-9-]+$",
                        },
                        "note": {
                            "type": "string",
                            "description": "The annotation content to help guide LLM usage",
                        },
                    },
                    "required": ["name", "note"],
                },
                "minItems": 1,
            },
        },
        "required": ["toolRef", "notes"],
    }
    assert definition["description"].startswith(
        "Add contextual annotations to a tool in the current toolset to guide LLM usage"
    )


def test_adds_notes_and_says_what_it_did(assistant: Assistant, library: Library) -> None:
    value = assistant.value("add-tool-annotation", notes(("team-selection", "Ask first."), ("labels", "Use bug.")))
    tool = library.snapshot.catalogue.tools["linear", "create_issue"].tool
    assert value == {
        "toolset": "work",
        "tool": {"namespacedName": "linear.create_issue", "refId": tool.ref_id, "server": "linear"},
        "addedNotes": [{"name": "team-selection", "note": "Ask first."}, {"name": "labels", "note": "Use bug."}],
        "skippedNotes": [],
        "successCount": 2,
        "errorCount": 0,
        "errors": [],
    }
    group = library.snapshot.toolsets["work"].notes[0]
    assert [(n.name, n.author) for n in group.notes] == [
        ("team-selection", "claude-desktop"),
        ("labels", "claude-desktop"),
    ]


def test_an_existing_name_is_skipped_with_a_warning(assistant: Assistant, library: Library) -> None:
    assistant.value("add-tool-annotation", notes(("x", "first")))
    value = assistant.value("add-tool-annotation", notes(("x", "second"), ("y", "new")))
    assert (value["successCount"], value["errorCount"]) == (1, 1)
    assert value["errors"] == ['Annotation "x" already exists']
    assert [n.note for n in library.snapshot.toolsets["work"].notes[0].notes] == ["first", "new"]


def test_a_note_can_be_added_by_ref_id(assistant: Assistant, library: Library) -> None:
    ref_id = library.snapshot.catalogue.tools["linear", "create_issue"].tool.ref_id
    arguments = {"toolRef": {"refId": ref_id}, "notes": [{"name": "x", "note": "y"}]}
    assert assistant.value("add-tool-annotation", arguments)["successCount"] == 1


@pytest.mark.parametrize(
    ("arguments", "error_type"),
    [
        (notes(("Capital", "x")), "invalid_note"),
        (notes(("x", "")), "invalid_note"),
        (notes(("x", " \n\t ")), "invalid_note"),
        (notes(("x", "y" * 4001)), "invalid_note"),
        (notes(("fine", "x"), ("n" * 51, "y")), "invalid_note"),
        (notes(), "invalid_arguments"),
        (None, "invalid_arguments"),
        ("text", "invalid_arguments"),
        ({"toolRef": {}, "notes": [{"name": "x"}]}, "invalid_arguments"),
        ({"toolRef": "linear.create_issue", "notes": [{"name": "x", "note": "y"}]}, "invalid_arguments"),
        ({"toolRef": {}, "notes": [{"name": "x", "note": 5}]}, "invalid_arguments"),
        ({**notes(("x", "y")), "extra": 1}, "invalid_arguments"),
        (
            {"tool_ref": {"namespacedName": "linear.create_issue"}, "notes": [{"name": "x", "note": "y"}]},
            "invalid_arguments",
        ),
        (
            {"toolRef": {"namespaced_name": "linear.create_issue"}, "notes": [{"name": "x", "note": "y"}]},
            "invalid_reference",
        ),
        ({"toolRef": {}, "notes": [{"name": "x", "note": "y"}]}, "invalid_reference"),
        (notes(("x", "y"), tool="linear.nothing"), "tool_not_found"),
        (notes(("x", "y"), tool="linear.list_teams"), "tool_not_in_toolset"),
    ],
)
def test_failures_have_the_words_of_the_contract(
    assistant: Assistant, library: Library, arguments: Any, error_type: str
) -> None:
    assert assistant.failure("add-tool-annotation", arguments) == error_type
    assert library.snapshot.toolsets["work"].notes == ()


def test_a_misfit_is_told_without_our_own_names(assistant: Assistant) -> None:
    told = assistant.call("add-tool-annotation", {"toolRef": "linear.create_issue", "notes": []})
    assert (told["error"], told["error_type"]) == ("toolRef: Input should be an object", "invalid_arguments")
    tools = [{"namespacedName": "linear.list_teams"}]
    assert assistant.call("build-toolset", {"name": "Bad Name", "tools": tools})["error"].startswith("name: 2 to 50")


@pytest.mark.parametrize("name", ["linear.list_teams", "linear_list_teams", "mine"])
def test_a_toolset_is_built_of_tools_by_any_name_that_a_note_takes(
    assistant: Assistant, library: Library, name: str
) -> None:
    entry: JsonObject = {"namespacedName": "linear.list_teams", "alias": "mine"}
    library.submit(AddTools(toolset_document("work"), (entry,)))  # in use: the assistant sees it as `mine`
    assistant.value("add-tool-annotation", notes(("x", "y"), tool=name))
    built = assistant.value("build-toolset", {"name": "more", "tools": [{"namespacedName": name}]})["toolset"]
    assert [tool["namespacedName"] for tool in built["tools"]] == ["linear.list_teams"]
    for wanted in ("linear.nothing", "nothing"):
        arguments = {"name": "none", "tools": [{"namespacedName": wanted}]}
        assert assistant.failure("build-toolset", arguments) == "tool_not_found"
    assert (
        assistant.failure("build-toolset", {"name": "none", "tools": [{"namespacedName": ""}]}) == "invalid_reference"
    )
    assert "none" not in library.snapshot.toolsets


def test_a_toolset_is_built_with_names_of_its_own(assistant: Assistant, library: Library) -> None:
    """hypertool-mcp 0.0.34, build-toolset: ``alias``."""
    tools = [{"namespacedName": "linear.list_teams", "alias": "teams"}, {"namespacedName": "linear.list_teams"}]
    assistant.value("build-toolset", {"name": "more", "tools": tools, "autoEquip": True})
    (entry,) = library.snapshot.toolsets["more"].tools
    assert entry.alias == "teams"
    exposed = assistant.value("get-active-toolset")["exposedTools"]["linear"]
    assert [tool["exposedName"] for tool in exposed] == ["teams"]
    for alias in ("T", "t", "a-b", "teams\n", "t" * 51, 5):
        wrong = [{"namespacedName": "linear.list_teams", "alias": alias}]
        assert assistant.failure("build-toolset", {"name": "more", "tools": wrong}) == "invalid_arguments"


def test_without_a_toolset_there_is_nothing_to_annotate(assistant: Assistant) -> None:
    assistant.value("unequip-toolset")
    assert assistant.failure("add-tool-annotation", notes(("x", "y"))) == "no_toolset_equipped"


def test_equipping_is_the_callers_own_choice(assistant: Assistant, library: Library) -> None:
    assert library.snapshot.settings.equipped_toolset is None
    assert library.snapshot.clients["claude-desktop"].toolset == "work"
    assert assistant.value("get-active-toolset", principal=Principal("cursor"))["equipped"] is False
    assistant.value("equip-toolset", {"name": "work"}, principal=RUN)
    assert library.snapshot.settings.equipped_toolset == "work"


def test_chosen_toolset_is_on_disk_when_answered(assistant: Assistant, library: Library, home: Home) -> None:
    def kept() -> Any:
        return json.loads(home.settings.read_text(encoding="utf-8"))["equippedToolset"]

    assistant.value("equip-toolset", {"name": "work"}, principal=RUN)
    assert kept() == "work"
    assistant.value("unequip-toolset", principal=RUN)
    assert kept() is None
    tools = [{"namespacedName": "linear.list_teams"}]
    assistant.value("build-toolset", {"name": "more", "tools": tools, "autoEquip": True}, principal=RUN)
    assert kept() == "more"


def test_unequipping_leaves_the_others_what_they_have(assistant: Assistant, library: Library) -> None:
    library.submit(SetFields(SETTINGS, {"equippedToolset": "work"}))
    assistant.value("unequip-toolset")
    assert assistant.value("get-active-toolset")["equipped"] is False
    assert assistant.value("get-active-toolset", principal=Principal("cursor"))["equipped"] is True


def test_a_client_whose_toolset_the_user_assigned_cannot_choose(library: Library) -> None:
    library.submit(AddEntry(CLIENTS, CLIENT_ENTRIES, "cursor", {"name": "Cursor", "toolset": "work"}))
    names = {d["name"] for d in built_in_definitions(library.snapshot, Principal("cursor"))}
    assert not names & {"build-toolset", "equip-toolset", "unequip-toolset", "delete-toolset"}
    library.submit(SetEntryFields(CLIENTS, CLIENT_ENTRIES, "cursor", {"toolset": None}))
    assert "equip-toolset" in {d["name"] for d in built_in_definitions(library.snapshot, Principal("cursor"))}


def test_building_refuses_what_is_not_there(assistant: Assistant, library: Library) -> None:
    tools = [{"namespacedName": "linear.create_issue"}, {"namespacedName": "linear.nothing"}]
    assert assistant.failure("build-toolset", {"name": "other", "tools": tools}) == "tool_not_found"
    for name in ("../x", "A", "x", "con", "n" * 51):
        assert assistant.failure("build-toolset", {"name": name, "tools": tools[:1]}) == "invalid_arguments"
    assert list(library.snapshot.toolsets) == ["work"]


def test_deleting_wants_a_confirmation(assistant: Assistant, library: Library) -> None:
    assert assistant.failure("delete-toolset", {"name": "work"}) == "confirmation_required"
    assert "work" in library.snapshot.toolsets
    said = {"name": "work", "confirm": True}
    assert assistant.failure("delete-toolset", said) == "consent_required"
    assert assistant.failure("delete-toolset", {**said, "user_consent": "YES"}) == "invalid_arguments"
    unconfirmed = {"name": "work", "user_consent": "DELETE_TOOLSET"}
    assert assistant.failure("delete-toolset", unconfirmed) == "confirmation_required"
    said["user_consent"] = "DELETE_TOOLSET"
    assistant.value("delete-toolset", said)
    assert "work" not in library.snapshot.toolsets
    assert assistant.failure("delete-toolset", said) == "toolset_not_found"


@pytest.mark.parametrize(
    ("tool", "arguments", "optional"),
    [
        (
            "build-toolset",
            {"name": "more", "tools": [{"namespacedName": "linear.list_teams", "refId": None, "alias": None}]},
            ("description", "autoEquip"),
        ),
        ("list-tool-annotations", {}, ("toolRef",)),
        ("get-tool-guide", {}, ("task", "input", "tool", "detail")),
        ("search-tools", {"query": "issue"}, ("limit",)),
    ],
)
def test_null_for_an_optional_argument_counts_as_absent(
    assistant: Assistant, tool: str, arguments: JsonObject, optional: tuple[str, ...]
) -> None:
    assistant.value(tool, {**arguments, **dict.fromkeys(optional)})
    if arguments:
        assert assistant.failure(tool, dict.fromkeys(arguments)) == "invalid_arguments"  # these are required
    assert assistant.failure(tool, {**arguments, "other": None}) == "invalid_arguments"


def test_null_is_no_confirmation(assistant: Assistant) -> None:
    nulls = {"name": "work", "confirm": None, "user_consent": None}
    assert assistant.failure("delete-toolset", nulls) == "confirmation_required"


def test_lists_say_what_is_there(assistant: Assistant) -> None:
    available = assistant.value("list-available-tools")
    assert available["summary"] == {"totalTools": 2, "totalServers": 1}
    assert available["toolsByServer"][0]["tools"][0]["namespacedName"] == "linear.create_issue"
    saved = assistant.value("list-saved-toolsets")["toolsets"]
    assert [(t["name"], t["toolCount"], t["active"]) for t in saved] == [("work", 1, True)]
    active = assistant.value("get-active-toolset")
    assert active["exposedTools"]["linear"][0]["exposedName"] == "linear_create_issue"


def test_tokens_of_own_tools_are_those_of_their_definitions() -> None:
    for tool in built_in_tools().values():
        tokens = estimate_definition_tokens(tool.definition(tool.name))
        assert abs(OWN_TOKENS[tool.name] - tokens) <= 0.1 * tokens, tool.name
