"""Entries of lists are served in the form of the official schemas, and untouched where they are in it."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft7Validator, Draft202012Validator  # type: ignore[import-untyped]
from pydantic import AnyUrl, TypeAdapter, UrlConstraints, ValidationError

from toolnote_desktop.model import json_text
from toolnote_desktop.model.tools.valid_entries import (
    ValidEntry,
    is_uri,
    schema_fault,
    valid_prompt,
    valid_resource,
    valid_template,
    valid_tool,
)

MODERN = "2026-07-28"
REVISIONS: dict[str, dict[str, Any]] = json.loads(
    (Path(__file__).parent / "data" / "mcp_lists.json").read_text(encoding="utf-8")
)["revisions"]


def validator(revision: str, kind: str) -> Draft7Validator | Draft202012Validator:
    schema = REVISIONS[revision]
    key = "definitions" if "definitions" in schema else "$defs"
    made = Draft7Validator if key == "definitions" else Draft202012Validator
    return made({**schema, "$ref": f"#/{key}/{kind}"})


VALIDATORS = {
    (revision, kind): validator(revision, kind)
    for revision in REVISIONS
    for kind in ("Tool", "Prompt", "Resource", "ResourceTemplate")
}


def faults(kind: str, entry: Any, *, modern: bool) -> list[str]:
    revisions = [MODERN] if modern else [revision for revision in REVISIONS if revision != MODERN]
    return [
        f"{revision}: {error.message}"
        for revision in revisions
        for error in VALIDATORS[revision, kind].iter_errors(entry)
    ]


def demand_valid(kind: str, sent: Any, valid: ValidEntry) -> None:
    if valid.entry is not None:
        assert faults(kind, valid.entry, modern=False) == []
        assert faults(kind, valid.modern, modern=True) == []
    if not faults(kind, sent, modern=False):
        assert valid.entry is sent, "what is valid is served as it is"
        assert valid.changes == ()
    # The modern era does not know "execution", but its clients validate it.
    execution = {
        "name": "n",
        "inputSchema": OBJECT,
        **({"execution": sent["execution"]} if "execution" in sent else {}),
    }
    if valid.entry is not None and not faults(kind, sent, modern=True) and not faults("Tool", execution, modern=False):
        assert valid.modern is sent
    if valid.entry is not sent:
        assert valid.changes, "each change is said"


OBJECT = {"type": "object", "properties": {}}


@pytest.mark.parametrize(
    ("more", "served", "said"),
    [
        ({"inputSchema": {}}, {"inputSchema": {"type": "object"}}, "inputSchema has no type"),
        ({"inputSchema": {"type": ["object"]}}, {"inputSchema": {"type": "object"}}, "inputSchema has no type"),
        ({"inputSchema": {"type": None}}, {"inputSchema": {"type": "object"}}, "inputSchema has no type"),
        ({"inputSchema": {**OBJECT, "required": None}}, {"inputSchema": OBJECT}, "inputSchema.required is null"),
        ({"inputSchema": {**OBJECT, "required": True}}, {"inputSchema": OBJECT}, "inputSchema.required is malformed"),
        ({"inputSchema": {"type": "object", "properties": None}}, {"inputSchema": OBJECT}, "properties is null"),
        ({"inputSchema": {"type": "object", "properties": []}}, {"inputSchema": OBJECT}, "properties is malformed"),
        (
            {"inputSchema": {"type": "object", "properties": {"a": True, "b": False, "c": {"type": "string"}}}},
            {"inputSchema": {"type": "object", "properties": {"a": {}, "b": {"not": {}}, "c": {"type": "string"}}}},
            "values that are not objects",
        ),
        ({"inputSchema": {**OBJECT, "$schema": 7}}, {"inputSchema": OBJECT}, "$schema"),
        ({"outputSchema": {"properties": {}}}, {"outputSchema": OBJECT}, "outputSchema has no type"),
        ({"outputSchema": {"type": "array"}}, {}, 'outputSchema is not of type "object": left out'),
        ({"outputSchema": None}, {}, "outputSchema is null: left out"),
        ({"description": None}, {}, "description is null: left out"),
        ({"description": 5}, {}, "description is malformed: left out"),
        ({"title": None}, {}, "title is null: left out"),
        ({"annotations": None}, {}, "annotations is null: left out"),
        (
            {"annotations": {"readOnlyHint": "true", "x": 1}},
            {"annotations": {"x": 1}},
            "annotations is malformed in part",
        ),
        ({"icons": [{"url": "x"}]}, {}, "icons is malformed: left out"),
        ({"icons": [{"src": "x", "sizes": "48x48"}, 5]}, {"icons": [{"src": "x", "sizes": ["48x48"]}]}, "icons is"),
        ({"_meta": None}, {}, "_meta is null: left out"),
        ({"execution": {"taskSupport": "maybe"}}, {"execution": {}}, "execution is malformed in part"),
    ],
)
def test_lab_faults_are_mended_and_reported(more: dict[str, Any], served: dict[str, Any], said: str) -> None:
    """Red without its line in ``valid_entries``: the entry then breaks a schema."""
    sent = {"name": "n", "inputSchema": OBJECT, **more}
    before = copy.deepcopy(sent)
    valid = valid_tool(sent)
    assert sent == before
    assert valid.entry == {"name": "n", "inputSchema": OBJECT, **served}
    assert any(said in change for change in valid.changes), valid.changes
    demand_valid("Tool", sent, valid)


@pytest.mark.parametrize(
    "part",
    [
        {"type": "string", "properties": None},
        {"type": ""},
        {"$ref": "#/nowhere"},
        {"enum": []},
        {"items": "x"},
        {"type": "string", "minLength": "1"},
        {"type": "number", "exclusiveMinimum": True},
        {"type": "string", "required": True},
        {"nullable": True},
        {"anyOf": [{"not": None}]},
    ],
)
def test_an_output_that_is_no_json_schema_is_for_the_modern_era_alone(part: Any) -> None:
    """The TypeScript SDK 1.x refuses the whole list for it. Seen red without ``is_json_schema``."""
    sent = {"name": "n", "inputSchema": OBJECT, "outputSchema": {"type": "object", "properties": {"a": part}}}
    valid = valid_tool(sent)
    assert valid.modern is sent
    assert valid.entry == {"name": "n", "inputSchema": OBJECT}
    assert valid.changes == ("outputSchema is no JSON Schema: left out",)


@pytest.mark.parametrize(
    "part",
    [
        {"$ref": "#/$defs/node"},
        {"type": ["string", "null"], "enum": ["a", None], "nullable": True},
        {"properties": {"type": {"type": "string"}, "enum": {}, "properties": True}, "items": [{}, True]},
        {"const": {"type": ""}, "default": {"enum": []}, "examples": [{"items": "x"}]},
        {"$ref": "https://example.org/schema"},
    ],
)
def test_any_json_schema_is_served_as_it_is(part: Any) -> None:
    node = {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}}
    output = {"type": "object", "properties": {"a": part}, "$defs": {"node": node}}
    sent = {"name": "n", "inputSchema": OBJECT, "outputSchema": output}
    assert valid_tool(sent).entry is sent


def test_an_output_of_another_type_is_for_the_modern_era_alone() -> None:
    sent = {
        "name": "n",
        "inputSchema": {"type": "object", "properties": {"any": True}},
        "outputSchema": {"type": "array"},
    }
    valid = valid_tool(sent)
    assert valid.modern is sent
    assert valid.entry == {"name": "n", "inputSchema": {"type": "object", "properties": {"any": {}}}}


@pytest.mark.parametrize("schema", [{"type": "array"}, {"type": "string"}, {"type": 5}, {"properties": ["a"]}])
def test_a_tool_whose_arguments_cannot_be_told_is_left_out(schema: dict[str, Any]) -> None:
    valid = valid_tool({"name": "n", "inputSchema": schema})
    assert (valid.entry, valid.modern) == (None, None)
    assert valid.changes == (schema_fault(schema),)


def test_a_resource_without_a_name_has_one() -> None:
    assert valid_resource({"uri": "file:///x"}).entry == {"uri": "file:///x", "name": "file:///x"}
    assert valid_template({"uriTemplate": "x://{y}", "title": "T", "name": None}).entry == {
        "uriTemplate": "x://{y}",
        "title": "T",
        "name": "T",
    }
    assert valid_resource({"uri": "no address", "name": "x"}).entry is None


VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.floats(allow_nan=False, width=16) | st.sampled_from(["", "x"]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from(["type", "properties", "src", "name", "readOnlyHint", "x"]), inner, max_size=2
        )
    ),
    max_leaves=5,
)
SCHEMAS = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["object", "object", "array", ["object"], None]) | VALUES,
        "properties": st.dictionaries(st.sampled_from("ab"), VALUES | st.just({"type": "string"}), max_size=2) | VALUES,
        "required": st.lists(st.sampled_from("ab"), max_size=2) | VALUES,
        "$schema": st.just("https://json-schema.org/draft/2020-12/schema") | VALUES,
        "x": VALUES,
    },
)
ICON = st.fixed_dictionaries(
    {},
    optional={
        "src": st.just("https://x.invalid/i.png") | VALUES,
        "mimeType": VALUES,
        "sizes": st.just(["any"]) | VALUES,
        "theme": st.sampled_from(["dark", "light", "blue"]) | VALUES,
    },
)
ANNOTATIONS = st.fixed_dictionaries(
    {},
    optional={
        "title": VALUES,
        "readOnlyHint": VALUES,
        "audience": st.just(["user"]) | VALUES,
        "priority": st.floats(0, 1) | VALUES,
        "lastModified": VALUES,
        "unknown": VALUES,
    },
)
COMMON: dict[str, st.SearchStrategy[Any]] = {
    "title": VALUES,
    "description": VALUES,
    "icons": st.lists(ICON, max_size=2) | VALUES,
    "_meta": st.dictionaries(st.just("k"), VALUES, max_size=1) | VALUES,
    "annotations": ANNOTATIONS | VALUES,
    "unknown": VALUES,
}


@given(
    st.fixed_dictionaries(
        {"name": st.just("n"), "inputSchema": SCHEMAS},
        optional={
            **COMMON,
            "outputSchema": SCHEMAS | VALUES,
            "execution": st.just({"taskSupport": "optional"}) | VALUES,
        },
    )
)
def test_any_tool(sent: dict[str, Any]) -> None:
    before = json_text.dumps(sent)
    valid = valid_tool(sent)
    assert json_text.dumps(sent) == before
    demand_valid("Tool", sent, valid)


ARGUMENT = st.fixed_dictionaries(
    {}, optional={"name": st.just("a") | VALUES, "required": VALUES, "description": VALUES, "title": VALUES}
)


@given(
    st.fixed_dictionaries(
        {"name": st.just("n")}, optional={**COMMON, "arguments": st.lists(ARGUMENT, max_size=2) | VALUES}
    )
)
def test_any_prompt(sent: dict[str, Any]) -> None:
    sent.pop("annotations", None)  # no field of a prompt
    demand_valid("Prompt", sent, valid_prompt(sent))


PLACES = {**COMMON, "name": st.just("n") | VALUES, "mimeType": VALUES, "size": VALUES}


@given(st.fixed_dictionaries({"uri": st.just("test://x")}, optional=PLACES))
def test_any_resource(sent: dict[str, Any]) -> None:
    demand_valid("Resource", sent, valid_resource(sent))


@given(st.fixed_dictionaries({"uriTemplate": st.just("test://{x}")}, optional=PLACES))
def test_any_template(sent: dict[str, Any]) -> None:
    sent.pop("size", None)  # no field of a template
    demand_valid("ResourceTemplate", sent, valid_template(sent))


ADDRESS: TypeAdapter[Any] = TypeAdapter(Annotated[AnyUrl, UrlConstraints(host_required=False)])


@given(st.text(max_size=12) | st.from_regex(r"[a-z]{1,4}:[^\x00]{0,8}", fullmatch=True))
def test_served_uris_are_valid_for_the_python_sdk(text: str) -> None:
    if is_uri(text):
        try:
            ADDRESS.validate_python(text)
        except ValidationError as error:
            pytest.fail(f"{text!r}: {error}")
