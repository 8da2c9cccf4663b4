"""Metadata of the modern era, compared with what the SDK makes of the same input."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.shared.inbound import encode_header_value, mcp_param_headers, x_mcp_header_map

from toolnote_desktop.proxy.transports import modern_headers

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "region": {"type": "string", "x-mcp-header": "Region"},
        "deep": {"type": "object", "properties": {"count": {"type": "integer", "x-mcp-header": "Count"}}},
        "flag": {"type": "boolean", "x-mcp-header": "Flag"},
        "plain": {"type": "string"},
    },
}


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_header_values_are_the_sdks(text: str) -> None:
    assert modern_headers.header_value(text) == encode_header_value(text)


def test_a_lone_surrogate_can_be_sent_too() -> None:
    assert modern_headers.header_value("\ud800").startswith("=?base64?")


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"region": "eu", "deep": {"count": 3}, "flag": True, "plain": "x"},
        {"region": None, "deep": 7, "flag": False},
        {"region": " ä ", "deep": {"count": 10**5000}},
        {"region": ["a"], "deep": {"count": 1.5}},
    ],
)
def test_parameter_headers_are_the_sdks(arguments: dict[str, Any]) -> None:
    declared = modern_headers.DeclaredHeaders(({"name": "t", "inputSchema": SCHEMA}, {"name": "t"}, {"name": 7}, 7))
    found = modern_headers.headers("tools/call", {"name": "t", "arguments": arguments}, declared)
    expected = mcp_param_headers(x_mcp_header_map(SCHEMA), arguments)
    assert {key: value for key, value in found.items() if key.startswith("Mcp-Param-")} == expected


def test_the_other_headers() -> None:
    assert modern_headers.headers("tools/list", {}) == {
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/list",
    }
    assert modern_headers.headers("resources/read", {"uri": "x://ä"})["mcp-name"] == "=?base64?eDovL8Ok?="
    assert modern_headers.headers("prompts/get", {"name": "p"})["mcp-name"] == "p"
    assert "mcp-name" not in modern_headers.headers("tools/call", {"name": 7})


@pytest.mark.parametrize("tool", [7, None, {}, {"name": 7}, {"name": "t"}, {"name": "t", "inputSchema": {"x": 1}}])
def test_odd_tools_declare_nothing(tool: Any) -> None:
    assert modern_headers.DeclaredHeaders((tool,)).of("t") == {}
