"""Parameters in words, from whatever a server calls a schema."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.guidance.test_tokens import DEFINITIONS
from tests.model.tools.test_argument_overrides import SCHEMAS
from toolnote_desktop.guidance.parameters import parameter_lines, read_parameters


def lines(schema: Any, deepest: int = 6, *, full: bool = False) -> list[str]:
    return parameter_lines(read_parameters(schema, deepest), full=full)


def one(schema: Any, **more: Any) -> list[str]:
    return lines({"type": "object", "properties": {"x": schema}}, **more)


def test_parameters_of_the_example() -> None:
    schema = {
        "type": "object",
        "properties": {
            "action": {
                "type": "string",
                "description": "The operation to perform.",
                "enum": ["get_configured", "fetch"],
            },
            "limit": {"type": "integer", "description": "Max posts to return.", "default": 5},
            "url": {"type": "string", "description": "Custom feed URL for fetch action."},
        },
        "required": ["action"],
    }
    assert lines(schema) == [
        "- `action` (string, required): The operation to perform.",
        '  Valid values: ["get_configured", "fetch"]',
        "- `limit` (integer, optional): Max posts to return. Default: 5.",
        "- `url` (string, optional): Custom feed URL for fetch action.",
    ]


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": ["string", "null"]}, "string or null"),
        ({"type": "array", "items": {"type": "integer"}}, "array of integer"),
        ({"type": "array", "items": {"type": ["string", "integer"]}}, "array of (string or integer)"),
        ({"type": "array"}, "array"),
        ({"items": {"type": "string"}}, "array of string"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "string or null"),
        ({"oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}, "string or array of string"),
        ({"allOf": [{"description": "d"}, {"type": "number"}]}, "number"),
        ({"const": 3}, "integer"),
        ({"enum": ["a", None, True, 1.5, [], {}]}, "string or null or boolean or number or array or object"),
        ({"properties": {}}, "object"),
        ({}, "any"),
        (True, "any"),
        (None, "any"),
        ({"type": "strng"}, "strng"),
        ({"$ref": "#/$defs/none"}, "any"),
        ({"$ref": "https://elsewhere/x"}, "any"),
        ({"type": []}, "any"),
        ({"type": 5}, "any"),
    ],
)
def test_types(schema: Any, expected: str) -> None:
    assert one(schema)[0] == f"- `x` ({expected}, optional)"


def test_values_of_const_and_of_optional_and_repeated_enums() -> None:
    assert one({"const": "ISSUE"}) == ["- `x` (string, optional)", '  Valid values: ["ISSUE"]']
    assert one({"anyOf": [{"enum": ["a"]}, {"const": "b"}, {"type": "null"}]})[1] == '  Valid values: ["a", "b"]'
    assert one({"type": "array", "items": {"enum": [1, 2]}})[1] == "  Valid values: [1, 2]"
    assert len(one({"anyOf": [{"enum": ["a"]}, {"type": "string"}]})) == 1
    many = one({"enum": list(range(100))})[1]
    assert many.endswith("29, …] (100 in all)")
    assert one({"enum": list(range(100))}, full=True)[1].endswith("99]")


def test_nested_objects_and_arrays_of_objects() -> None:
    inner = {"type": "object", "properties": {"id": {"type": "string", "description": "Which"}}, "required": ["id"]}
    assert one(inner) == ["- `x` (object, optional)", "  - `id` (string, required): Which"]
    assert one({"type": "array", "items": inner}) == [
        "- `x` (array of object, optional)",
        "  - `id` (string, required): Which",
    ]
    assert (
        one({"anyOf": [{"type": "array", "items": inner}, {"type": "null"}]})[1] == "  - `id` (string, required): Which"
    )
    assert one(inner, deepest=1) == ["- `x` (object, optional)"]


def test_references_and_recursion() -> None:
    node = {
        "type": "object",
        "description": "A node",
        "properties": {"name": {"type": "string"}, "child": {"$ref": "#/$defs/Node"}},
    }
    schema = {
        "properties": {"root": {"$ref": "#/$defs/Node", "description": "Where to begin"}},
        "$defs": {"Node": node},
    }
    assert lines(schema) == [
        "- `root` (object, optional): Where to begin",
        "  - `name` (string, optional)",
        "  - `child` (object, optional): A node. Same shape as above.",
    ]
    assert lines({"$ref": "#/$defs/Node", "$defs": {"Node": node}})[0] == "- `name` (string, optional)"
    assert lines({"$ref": "#"}) == []
    assert lines({"properties": {"x": {"$ref": "#"}}}) == [
        "- `x` (object, optional)",
        "  - `x` (object, optional): Same shape as above.",
    ]


def test_alternatives_at_the_top_are_optional() -> None:
    schema = {
        "properties": {"a": {"type": "string"}},
        "required": ["a"],
        "anyOf": [{"properties": {"b": {}}, "required": ["b"]}, {"properties": {"c": {}}}],
        "allOf": [{"properties": {"d": {}}, "required": ["d"]}],
    }
    assert [line.split(":")[0] for line in lines(schema)] == [
        "- `a` (string, required)",
        "- `d` (any, required)",
        "- `b` (any, optional)",
        "- `c` (any, optional)",
    ]


def test_descriptions_and_defaults() -> None:
    assert one({"type": "string", "default": "x"})[0].endswith('optional): Default: "x".')
    assert one({"description": "How many", "default": 5})[0].endswith(": How many. Default: 5.")
    assert one({"description": "How many (default: 5)", "default": 5})[0].endswith(": How many (default: 5)")
    assert one({"description": " two\n  lines ", "default": None})[0].endswith(": two lines. Default: null.")
    assert one({"description": 5})[0] == "- `x` (any, optional)"
    assert "Minimum: 1. Maximum: 9." in one({"minimum": 1, "maximum": 9}, full=True)[0]
    assert "Minimum" not in one({"minimum": 1})[0]


@pytest.mark.parametrize(
    "schema", [None, True, [], "x", 5, {}, {"properties": None}, {"properties": []}, {"required": 3}]
)
def test_no_schema_at_all(schema: Any) -> None:
    assert lines(schema) == []


@given(SCHEMAS, st.integers(1, 6), st.booleans())
def test_any_schema_can_be_told(schema: Any, deepest: int, full: bool) -> None:
    told = lines(schema, deepest, full=full)
    assert all(line.lstrip().startswith(("- `", "Valid values: ")) for line in told)


def test_a_schema_that_branches_without_end_is_cut_short() -> None:
    names = [f"A{number}" for number in range(12)]
    everything = [{"$ref": f"#/$defs/{name}"} for name in names]
    defs = {name: {"anyOf": everything, "properties": {name: {"anyOf": everything}}} for name in names}
    assert len(lines({"$ref": "#/$defs/A0", "$defs": defs})) < 2000


def test_real_definitions() -> None:
    for one_definition in DEFINITIONS:
        schema = one_definition["definition"]["inputSchema"]
        told = lines(schema)
        for name in schema.get("properties", {}):
            assert any(line.startswith(f"- `{name}` (") for line in told)
