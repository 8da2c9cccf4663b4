"""One tool: the two hashes that name it, its title, what is malformed and what is merely odd."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolnote_desktop.model import json_text
from toolnote_desktop.model.tools.tool import Tool, Unreadable, fingerprint, malformed_reason, ref_id

TABLE: dict[str, Any] = json.loads((Path(__file__).parent.parent / "javascript_table.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("server", "text", "expected"), TABLE["refIds"])
def test_the_ref_id_is_what_hypertool_computes(server: str, text: str, expected: str) -> None:
    """The expected value was made by Node with hypertool-mcp's own expression (javascript_table.mjs)."""
    assert ref_id(server, json_text.loads(text)) == expected


def test_the_ref_id_has_its_keys_in_the_order_of_the_contract() -> None:
    tool = {"annotations": {}, "outputSchema": {}, "inputSchema": {"type": "object"}, "name": "n", "description": "d"}
    ordered = '{"name":"n","serverName":"s","inputSchema":{"type":"object"},"outputSchema":{},"annotations":{}}'
    import hashlib

    assert ref_id("s", tool) == hashlib.sha256(ordered.encode()).hexdigest()


@given(st.text(), st.text(), st.text())
def test_words_change_the_fingerprint_and_not_the_ref_id(description: str, other: str, title: str) -> None:
    tool = {"name": "n", "description": description, "inputSchema": {"type": "object"}}
    changed = {**tool, "description": other, "title": title}
    assert ref_id("s", tool) == ref_id("s", changed)
    assert fingerprint(tool) != fingerprint(changed)


def test_a_tool_of_another_server_has_another_ref_id() -> None:
    tool = {"name": "n", "inputSchema": {}}
    assert ref_id("a", tool) != ref_id("b", tool)
    assert Tool("a", tool).ref_id == ref_id("a", tool)
    assert Tool("a", tool).fingerprint == fingerprint(tool)


@pytest.mark.parametrize(
    ("definition", "reason"),
    [
        (None, "not an object"),
        ([], "not an object"),
        ({"inputSchema": {}}, "name"),
        ({"name": 5, "inputSchema": {}}, "name"),
        ({"name": "n"}, "inputSchema"),
        ({"name": "n", "inputSchema": None}, "inputSchema"),
        ({"name": "n", "inputSchema": "object"}, "inputSchema"),
        ({"name": "n", "inputSchema": {"type": "array"}}, "not of type"),
        ({"name": "n", "inputSchema": {"properties": ["x"]}}, "properties"),
        ({"name": "n", "inputSchema": {"default": json_text.loads("[" * 600 + "]" * 600)}}, "deep"),
        (Unreadable("it cannot be read"), "cannot be read"),
    ],
)
def test_tool_no_client_could_take_is_malformed(definition: object, reason: str) -> None:
    assert reason in (malformed_reason(definition) or "")


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({}, None),
        ({"inputSchema": {}}, "inputSchema"),
        ({"inputSchema": {"type": "object", "properties": None}}, "properties"),
        ({"inputSchema": {"anyOf": []}}, "inputSchema"),
        ({"description": None}, "description"),
        ({"outputSchema": {"type": "string"}}, "outputSchema"),
        ({"outputSchema": {"type": "object"}}, None),
        ({"inputSchema": {"type": "object", "properties": {"x": {"$ref": "http://nowhere.invalid/x"}}}}, None),
    ],
)
def test_odd_tools_are_served_in_form_and_said(more: dict[str, Any], reason: str | None) -> None:
    """case C12, C13."""
    definition = {"name": "n", "description": "d", "inputSchema": {"type": "object"}, **more}
    assert malformed_reason(definition) is None
    tool = Tool("s", definition)
    changes = tool.valid.changes
    assert not changes if reason is None else reason in changes[0]
    assert (tool.served_base is definition) == (reason is None)


@pytest.mark.parametrize(
    ("definition", "title"),
    [
        ({"name": "create_issue"}, "Create issue"),
        ({"name": "create_issue", "title": " Make one "}, "Make one"),
        ({"name": "create_issue", "annotations": {"title": "Hint"}}, "Hint"),
        ({"name": "create_issue", "title": "", "annotations": {"title": "Hint"}}, "Hint"),
        ({"name": "create_issue", "title": 5, "annotations": []}, "Create issue"),
        ({"name": "検索"}, "検索"),
        ({"name": "__"}, "__"),
        ({"name": ""}, ""),
    ],
)
def test_titles_for_people(definition: dict[str, Any], title: str) -> None:
    assert Tool("s", definition).title == title


def test_names_and_description() -> None:
    tool = Tool("a.b", {"name": "c", "description": None, "inputSchema": {}})
    assert (tool.key, tool.namespaced_name, tool.description) == (("a.b", "c"), "a.b.c", "")
