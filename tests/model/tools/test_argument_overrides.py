"""Shaping and consent: what the assistant sees of a tool's arguments, and what goes up for what it sends."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.model.builders import Reports
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.model.tools.argument_overrides import (
    argument_name,
    argument_path,
    consent_of,
    has_overrides,
    override_arguments,
    override_problems,
    override_schema,
    top_level_arguments,
)
from toolnote_desktop.model.tools.consent import Consent, consent_literal, consent_text
from toolnote_desktop.model.tools.parameter_settings import is_equal_json
from toolnote_desktop.model.toolsets.toolset import ToolEntry, parse_toolset

FILTER = {
    "type": "object",
    "properties": {"teamId": {"type": "string"}, "parent": {"$ref": "#/$defs/Filter"}},
    "required": ["teamId"],
}


def tool(properties: dict[str, Any], required: list[str] | None = None, **more: Any) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object", "properties": properties, **more}
    if required is not None:
        schema["required"] = required
    return {"name": "create_issue", "description": "Creates", "inputSchema": schema}


def entry(**fields: Any) -> ToolEntry:
    return ToolEntry.read({"namespacedName": "linear.create_issue", **fields})


def refused(definition: dict[str, Any], chosen: ToolEntry, arguments: Any) -> tuple[Code, dict[str, str]]:
    with pytest.raises(ToolnoteError) as caught:
        override_arguments(definition, chosen, arguments)
    return caught.value.problem.code, dict(caught.value.problem.parameters)


def test_overrides_that_set_nothing_change_nothing() -> None:
    definition, arguments = tool({"a": {}}), {"a": 1}
    assert not has_overrides(entry())
    assert override_schema(definition, entry()) is definition
    assert override_arguments(definition, entry(), arguments) is arguments
    assert override_arguments(definition, entry(), "text") == "text"


def test_a_default_is_in_the_schema_and_filled_in() -> None:
    definition = tool({"team": {"type": "string"}, "title": {"type": "string"}}, ["team", "title"])
    chosen = entry(argumentDefaults={"team": "eng"})
    schema = override_schema(definition, chosen)["inputSchema"]
    assert schema["properties"]["team"] == {"type": "string", "default": "eng"}
    assert schema["required"] == ["title"]
    assert override_arguments(definition, chosen, {"title": "t"}) == {"title": "t", "team": "eng"}
    assert override_arguments(definition, chosen, {"title": "t", "team": "des"}) == {"title": "t", "team": "des"}
    assert override_arguments(definition, chosen, {"team": None}) == {"team": None}
    assert override_arguments(definition, chosen, None) == {"team": "eng"}


def test_a_hidden_argument_is_gone_and_its_value_goes_up() -> None:
    definition = tool({"workspace": {"type": "string"}, "title": {}}, ["workspace"])
    before = copy.deepcopy(definition)
    chosen = entry(hiddenArguments=["workspace"], argumentDefaults={"workspace": "w1"})
    schema = override_schema(definition, chosen)["inputSchema"]
    assert schema == {"type": "object", "properties": {"title": {}}}
    assert definition == before
    assert override_arguments(definition, chosen, {"title": "t"}) == {"title": "t", "workspace": "w1"}
    assert override_arguments(definition, chosen, {"workspace": "w1"}) == {"workspace": "w1"}


def test_another_value_for_a_locked_argument_is_refused() -> None:
    definition = tool({"workspace": {}})
    chosen = entry(hiddenArguments=["workspace"], argumentDefaults={"workspace": "w1"})
    expected = (Code.ARGUMENT_LOCKED, {"tool": "create_issue", "argument": "workspace"})
    assert refused(definition, chosen, {"workspace": "w2"}) == expected
    assert refused(definition, chosen, {"workspace": None}) == expected
    without_value = entry(hiddenArguments=["workspace"])
    assert refused(definition, without_value, {"workspace": "w1"}) == expected
    assert override_arguments(definition, without_value, {}) == {}


def test_true_is_not_one() -> None:
    definition, chosen = tool({"x": {}}), entry(hiddenArguments=["x"], argumentDefaults={"x": {"deep": [1]}})
    assert refused(definition, chosen, {"x": {"deep": [True]}})[0] is Code.ARGUMENT_LOCKED
    assert override_arguments(definition, chosen, {"x": {"deep": [1.0]}}) == {"x": {"deep": [1]}}
    assert not is_equal_json(0, False)
    assert not is_equal_json({"a": 1}, {"a": 1, "b": 1})


@pytest.mark.parametrize(
    ("schema", "more"),
    [
        (FILTER, {}),
        ({"$ref": "#/$defs/Filter"}, {"$defs": {"Filter": FILTER}}),
        ({"allOf": [{"$ref": "#/definitions/F"}], "description": "d"}, {"definitions": {"F": FILTER}}),
        ({"anyOf": [{"$ref": "#/$defs/A"}, {"type": "null"}]}, {"$defs": {"A": {"$ref": "#/$defs/F"}, "F": FILTER}}),
    ],
)
def test_nested_properties_and_references(schema: dict[str, Any], more: dict[str, Any]) -> None:
    definition = tool({"filter": schema, "other": schema}, **more)
    before = copy.deepcopy(definition)
    chosen = entry(hiddenArguments=["/filter/teamId"], argumentDefaults={"/filter/teamId": "eng"})
    assert override_problems(definition, chosen) == ()
    served = override_schema(definition, chosen)["inputSchema"]
    assert definition == before
    assert "teamId" not in str(served["properties"]["filter"])
    assert "parent" in str(served["properties"]["filter"])
    assert served["properties"]["other"] == schema
    assert {key: served[key] for key in more} == more
    assert override_arguments(definition, chosen, {}) == {"filter": {"teamId": "eng"}}
    assert override_arguments(definition, chosen, {"filter": {"parent": 1}}) == {
        "filter": {"parent": 1, "teamId": "eng"}
    }
    assert refused(definition, chosen, {"filter": {"teamId": "x"}})[0] is Code.ARGUMENT_LOCKED
    assert refused(definition, chosen, {"filter": [1]})[0] is Code.ARGUMENT_LOCKED
    assert refused(definition, chosen, {"filter": None})[0] is Code.ARGUMENT_LOCKED


def test_words_on_a_nested_parameter_change_its_description_alone() -> None:
    definition = tool({"filter": FILTER, "items": {"type": "array", "items": FILTER}})
    before = copy.deepcopy(definition)
    words = {"/filter/teamId": {"note": " One of A. "}, "/items/*/teamId": {"note": "One of B."}}
    served = override_schema(definition, entry(parameters=words))
    assert definition == before
    teams = [served["inputSchema"]["properties"]["filter"], served["inputSchema"]["properties"]["items"]["items"]]
    assert [one["properties"]["teamId"].pop("description") for one in teams] == ["One of A.", "One of B."]
    assert served == before, "everything else is as the server sent it"
    assert override_schema(definition, entry(parameters=words), with_notes=False) is definition


def test_a_nested_default_waits_for_what_it_belongs_to() -> None:
    definition, chosen = tool({"filter": FILTER}), entry(argumentDefaults={"/filter/teamId": "eng"})
    assert override_arguments(definition, chosen, {}) == {}
    assert override_arguments(definition, chosen, {"filter": {}}) == {"filter": {"teamId": "eng"}}
    assert override_arguments(definition, chosen, {"filter": "odd"}) == {"filter": "odd"}


def test_a_schema_that_is_a_reference_as_a_whole() -> None:
    definition = {
        "name": "t",
        "inputSchema": {
            "$ref": "#/$defs/Args",
            "$defs": {"Args": {"type": "object", "properties": {"a": {}, "b": {}}, "additionalProperties": False}},
        },
    }
    chosen = entry(hiddenArguments=["a"], consent=True)
    schema = override_schema(definition, chosen)["inputSchema"]
    assert list(schema["properties"]) == ["b", "user_consent"]
    assert "required" not in schema
    assert "$ref" not in schema


def test_words_on_a_reference_follow_the_description_of_its_target() -> None:
    """Seen red: they stood beside the ``$ref`` and hid the server's own words (pydantic writes enumerations so)."""
    color = {"type": "string", "enum": ["red"], "description": "Color of the label."}
    reference = {"$ref": "#/$defs/Color"}
    schema = {"type": "object", "properties": {"color": reference, "other": reference}, "$defs": {"Color": color}}
    definition = {"name": "t", "inputSchema": schema}
    chosen = entry(parameters={"color": {"note": "Red is for incidents."}}, argumentDefaults={"color": "red"})
    properties = override_schema(definition, chosen)["inputSchema"]["properties"]
    words = "Color of the label.\n\nRed is for incidents."
    assert properties == {
        "color": {**color, "default": "red", "description": words},
        "other": {"$ref": "#/$defs/Color"},
    }


def test_branches_lose_a_hidden_argument_too() -> None:
    definition = tool({"id": {}, "name": {}}, anyOf=[{"required": ["id"]}, {"required": ["name"]}])
    chosen = entry(hiddenArguments=["id"], argumentDefaults={"id": 1})
    assert override_schema(definition, chosen)["inputSchema"]["anyOf"] == [{}, {"required": ["name"]}]


def test_recursion_ends() -> None:
    schema = {"$ref": "#", "properties": {"x": {"anyOf": [{"$ref": "#"}, {"$ref": "#/properties/x"}]}}}
    definition = {"name": "t", "inputSchema": schema}
    chosen = entry(hiddenArguments=["/x/x/nothing", "gone"], argumentDefaults={"/a/b": 1})
    override_schema(definition, chosen)
    assert [p.parameters["argument"] for p in override_problems(definition, chosen)] == ["/a/b", "/x/x/nothing", "gone"]


def test_a_lock_below_and_above_a_default() -> None:
    definition = tool({"filter": FILTER})
    below = entry(hiddenArguments=["/filter/teamId"], argumentDefaults={"filter": {"x": 1}, "/filter/teamId": "eng"})
    assert override_arguments(definition, below, {}) == {"filter": {"x": 1, "teamId": "eng"}}
    above = entry(hiddenArguments=["filter"], argumentDefaults={"filter": {"x": 1}, "/filter/teamId": "eng"})
    assert override_arguments(definition, above, {}) == {"filter": {"x": 1}}


# Consent.


def test_literal_type_enforcement() -> None:
    definition = tool({"title": {}}, ["title"])
    chosen = entry(consent={"reason": "It writes to the team's board"})
    schema = override_schema(definition, chosen)["inputSchema"]
    assert schema["properties"]["user_consent"]["enum"] == ["CREATE_ISSUE"]
    assert schema["required"] == ["title"], "a client that checks arguments leaves the question to Toolnote"
    sent = {"title": "t", "user_consent": "CREATE_ISSUE"}
    assert override_arguments(definition, chosen, sent) == {"title": "t"}
    assert sent == {"title": "t", "user_consent": "CREATE_ISSUE"}


@pytest.mark.parametrize("given_consent", [{}, {"user_consent": "yes"}, {"user_consent": True}, {"user_consent": None}])
def test_without_consent_it_is_refused(given_consent: dict[str, Any]) -> None:
    chosen = entry(consent={"literal": "DO_IT", "reason": "Costs money"})
    assert refused(tool({}), chosen, given_consent) == (
        Code.CONSENT_MISSING,
        {"tool": "create_issue", "argument": "user_consent", "literal": "DO_IT", "reason": "Costs money"},
    )
    assert refused(tool({}), chosen, None)[0] is Code.CONSENT_MISSING
    assert refused(tool({}), chosen, [1])[0] is Code.ARGUMENTS_UNREADABLE


def test_an_argument_of_that_name_keeps_its_place() -> None:
    definition, chosen = tool({"user_consent": {"type": "boolean"}}), entry(consent=True)
    schema = override_schema(definition, chosen)["inputSchema"]
    assert schema["properties"]["user_consent"] == {"type": "boolean"}
    assert consent_of(definition, chosen) == ("user_consent_2", "CREATE_ISSUE")
    sent = {"user_consent": False, "user_consent_2": "CREATE_ISSUE"}
    assert override_arguments(definition, chosen, sent) == {"user_consent": False}


def test_tool_description_warning() -> None:
    text = consent_text(Consent(reason="It is seen by all"), "CREATE_ISSUE", "user_consent")
    assert text.startswith("REQUIRES EXPLICIT USER INSTRUCTION: It is seen by all. ")
    assert '`user_consent`: "CREATE_ISSUE"' in text
    assert "never on your own initiative" in text


@pytest.mark.parametrize(
    ("name", "literal"),
    [
        ("create_issue", "CREATE_ISSUE"),
        ("deleteFile", "DELETE_FILE"),
        ("API-post.page", "API_POST_PAGE"),
        ("工具", "USE_TOOL"),
    ],
)
def test_the_literal_is_made_of_the_name(name: str, literal: str) -> None:
    assert consent_literal(Consent(), name) == literal


def test_entries_are_read_leniently_but_restrictions_are_not() -> None:
    reports = Reports()
    raw = [
        {"namespacedName": "a.1", "alias": 5, "hints": [1], "optionality": "maybe", "whenToUse": 1, "category": None},
        {"namespacedName": "a.2", "consent": "sure"},
        {"namespacedName": "a.3", "hiddenArguments": "x"},
        {"namespacedName": "a.4", "consent": False, "argumentDefaults": None, "hiddenArguments": None},
        {"namespacedName": "a.5", "consent": {"reason": "r", "x": 1}, "hints": {"readOnlyHint": True}, "later": 1},
    ]
    tools = parse_toolset("work", {"tools": raw}, reports).tools
    assert [one.namespaced_name for one in tools] == ["a.1", "a.4", "a.5"]
    assert (tools[0].alias, tools[0].hints, tools[0].optionality, tools[0].when_to_use) == (None, {}, None, "")
    assert not has_overrides(tools[1])
    assert tools[2].consent == Consent.read({"reason": "r", "x": 1})
    assert tools[2].hints == {"readOnlyHint": True}
    assert [place for place, _ in reports] == [
        "a hint of tools 1",
        "alias of tools 1",
        "whenToUse of tools 1",
        "optionality of tools 1",
        "tools 2",
        "tools 3",
    ]


# Any schema, any arguments.

NAMES = st.sampled_from(["a", "b", "/c", "~", "user_consent", ""])
SCHEMAS: st.SearchStrategy[Any] = st.recursive(
    st.sampled_from([{}, True, None, [], "x", {"type": "string"}, {"$ref": "#"}, {"$ref": "#/$defs/A"}, {"$ref": 3}]),
    lambda inner: st.fixed_dictionaries(
        {},
        optional={
            "properties": st.dictionaries(NAMES, inner, max_size=3) | inner,
            "required": st.lists(NAMES, max_size=2) | inner,
            "anyOf": st.lists(inner, max_size=2) | inner,
            "items": inner | st.lists(inner, max_size=2),
            "allOf": st.lists(inner, max_size=2),
            "then": inner,
            "$ref": st.sampled_from(["#", "#/$defs/A", "#/$defs/none", "http://x"]),
            "$defs": st.fixed_dictionaries({"A": inner}),
        },
    ),
    max_leaves=8,
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-1, 1) | st.sampled_from(["", "x"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(NAMES, inner, max_size=2),
    max_leaves=4,
)
STEPS = st.sampled_from(["a", "b", "*", "/c", "~"])
PATHS = st.lists(STEPS, min_size=1, max_size=3).map(lambda path: argument_name(tuple(path)))
ENTRIES = st.builds(
    lambda defaults, hidden, consent: entry(argumentDefaults=defaults, hiddenArguments=hidden, consent=consent),
    st.dictionaries(PATHS, VALUES, max_size=2),
    st.lists(PATHS, max_size=2),
    st.sampled_from([None, True]),
)


@given(st.lists(NAMES, min_size=1))
def test_argument_names_come_back(path: list[str]) -> None:
    assert argument_path(argument_name(tuple(path))) == tuple(path)


@given(SCHEMAS.filter(lambda schema: isinstance(schema, dict)), ENTRIES)
def test_any_schema_is_shaped_and_left_as_it_was(schema: dict[str, Any], chosen: ToolEntry) -> None:
    definition = {"name": "t", "inputSchema": schema}
    before = copy.deepcopy(definition)
    once = override_schema(definition, chosen)
    assert definition == before
    assert once == override_schema(definition, chosen)
    served = top_level_arguments(once["inputSchema"])
    for name in chosen.hidden_arguments:
        if len(argument_path(name)) == 1 and "$ref" not in str(schema):
            assert argument_path(name)[0] not in served or consent_of(definition, chosen) is not None
    if (consent := consent_of(definition, chosen)) is not None:
        assert consent[0] in once["inputSchema"]["properties"]
    override_problems(definition, chosen)


@given(SCHEMAS.filter(lambda schema: isinstance(schema, dict)), ENTRIES, st.dictionaries(NAMES, VALUES, max_size=3))
def test_overrides_keep_fixed_values_in_calls(
    schema: dict[str, Any], chosen: ToolEntry, arguments: dict[str, Any]
) -> None:
    definition = {"name": "t", "inputSchema": schema}
    consent = consent_of(definition, chosen)
    sent = {**arguments, consent[0]: consent[1]} if consent else arguments
    before = copy.deepcopy(sent)
    try:
        raised = override_arguments(definition, chosen, sent)
    except ToolnoteError as error:
        if error.problem.code is not Code.ARGUMENT_LOCKED:
            raise
        return
    finally:
        assert sent == before
    if consent and consent[0] not in chosen.argument_defaults:
        assert consent[0] not in raised
    paths = [argument_path(name) for name in chosen.hidden_arguments]
    for name in chosen.hidden_arguments:
        path = argument_path(name)
        if name in chosen.argument_defaults and not any(path != p and path[: len(p)] == p for p in paths):
            deeper = any(path != p and p[: len(path)] == path for p in paths)
            for found in values_at(raised, path):
                assert deeper or is_equal_json(found, chosen.argument_defaults[name])


def values_at(arguments: Any, path: tuple[str, ...]) -> list[Any]:
    """What stands at a path, in each object of a list where it has a ``*``; the class KeyError where nothing does."""
    if not path:
        return [arguments]
    if isinstance(arguments, list) and path[0] == "*":
        return [value for one in arguments for value in values_at(one, path[1:])]
    if not isinstance(arguments, dict) or path[0] not in arguments:
        return [] if "*" in path[1:] else [KeyError]
    return values_at(arguments[path[0]], path[1:])


# --- in lists

ROWS: dict[str, Any] = {
    "name": "add_rows",
    "inputSchema": {
        "type": "object",
        "properties": {
            "rows": {
                "type": "array",
                "items": {"$ref": "#/$defs/Row"},
            },
        },
        "$defs": {
            "Row": {
                "type": "object",
                "properties": {"board": {"type": "string"}, "kind": {"type": "string"}, "text": {"type": "string"}},
                "required": ["board", "text"],
            }
        },
    },
}


def test_overrides_apply_to_objects_in_a_list() -> None:
    entry = ToolEntry(
        argument_defaults={"/rows/*/board": "B1", "/rows/*/kind": "bug"}, hidden_arguments=("/rows/*/board",)
    )
    served = override_schema(ROWS, entry)["inputSchema"]["properties"]["rows"]["items"]
    assert list(served["properties"]) == ["kind", "text"]
    assert served["required"] == ["text"]
    assert served["properties"]["kind"]["default"] == "bug"
    sent = {"rows": [{"text": "a"}, {"text": "b", "kind": "wish"}]}
    assert override_arguments(ROWS, entry, sent) == {
        "rows": [{"text": "a", "board": "B1", "kind": "bug"}, {"text": "b", "board": "B1", "kind": "wish"}]
    }
    assert sent == {"rows": [{"text": "a"}, {"text": "b", "kind": "wish"}]}
    assert override_arguments(ROWS, entry, {}) == {}
    assert override_arguments(ROWS, entry, {"rows": []}) == {"rows": []}
    assert override_problems(ROWS, entry) == ()


@pytest.mark.parametrize("rows", [[{"text": "a"}, {"text": "b", "board": "B2"}], ["a"], [[{"text": "a"}]]])
def test_a_lock_in_a_list_holds_for_every_object(rows: list[Any]) -> None:
    entry = ToolEntry(argument_defaults={"/rows/*/board": "B1"}, hidden_arguments=("/rows/*/board",))
    with pytest.raises(ToolnoteError) as refused:
        override_arguments(ROWS, entry, {"rows": rows})
    assert refused.value.problem.code is Code.ARGUMENT_LOCKED


def test_override_of_tuple_items_and_of_a_property_named_star() -> None:
    schema = {
        "type": "object",
        "properties": {
            "pair": {"type": "array", "prefixItems": [{"type": "string"}, {"properties": {"id": {}, "x": {}}}]},
            "map": {"type": "object", "properties": {"*": {"type": "object", "properties": {"id": {}, "x": {}}}}},
        },
    }
    entry = ToolEntry(hidden_arguments=("/pair/*/id", "/map/*/id"))
    served = override_schema({"name": "t", "inputSchema": schema}, entry)["inputSchema"]["properties"]
    assert served["pair"]["prefixItems"] == [{"type": "string"}, {"properties": {"x": {}}}]
    assert served["map"]["properties"]["*"]["properties"] == {"x": {}}
    assert override_problems({"name": "t", "inputSchema": schema}, ToolEntry(hidden_arguments=("/pair/*/no",)))


@pytest.mark.parametrize("name", ["/rows/*/nothing", "/*/board", "/rows/*"])
def test_overrides_missing_from_a_list_are_reported(name: str) -> None:
    (problem,) = override_problems(ROWS, ToolEntry(hidden_arguments=(name,)))
    assert problem.code is Code.ARGUMENT_NOT_FOUND


def test_reference_to_a_place_of_thousands_of_digits_is_dangling() -> None:
    """Seen red: Python refuses to read more than 4,300 digits, and the tool's server failed."""
    schema: dict[str, Any] = {"allOf": [{"properties": {"a": {}}}], "$ref": f"#/allOf/{'9' * 5000}"}
    assert top_level_arguments(schema) == {"a": {}}
