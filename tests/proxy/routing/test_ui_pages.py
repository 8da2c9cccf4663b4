"""MCP Apps: the page that a tool names in its ``_meta`` is read from the tool's own server (case U10)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.proxy.running import raw_server, running
from toolnote_desktop.paths import Home

URI = "ui://panel/main.html"


def server(name: str, meta: dict[str, Any], *, listed: bool = False) -> dict[str, Any]:
    tool = {"name": f"{name}_show", "inputSchema": {"type": "object"}, "_meta": {**meta, "other/key": 1}}
    page = {"uri": URI, "mimeType": "text/html;profile=mcp-app", "text": name, "_meta": {"of": name}}
    resources = [{"uri": URI, "name": name}] if listed else []
    return raw_server(
        tools=[tool],
        resources=resources,
        capabilities={"tools": {}, "resources": {}},
        on={"resources/read": {"result": {"contents": [page]}}},
    )


@pytest.mark.parametrize("listed", [False, True])
@pytest.mark.parametrize("flat", [False, True])
def test_pages_of_two_servers(home: Home, *, listed: bool, flat: bool) -> None:
    """Seen red without ``_assign_pages``: "Several servers may have this resource", or the other server's page."""
    meta = {"ui/resourceUri": URI} if flat else {"ui": {"resourceUri": URI, "visibility": ["app"]}}
    entries = {"one": server("one", meta, listed=listed), "two": server("two", meta, listed=listed)}
    with running(home, entries) as proxy:
        proxy.wait(lambda s: len(s.toolsets["work"].tools) == 2)
        client = proxy.client()
        client.initialize()
        tools = [tool for tool in client.tools() if "_meta" in tool]
        assert [tool["_meta"]["other/key"] for tool in tools] == [1, 1]
        for tool in tools:
            name = tool["name"].partition("_")[0]
            named = tool["_meta"]
            uri = named["ui/resourceUri"] if flat else named["ui"]["resourceUri"]
            assert flat or named["ui"]["visibility"] == ["app"]
            assert (uri == URI) is (name == "one")
            (content,) = client.request("resources/read", {"uri": uri}).result["contents"]
            assert (content["text"], content["_meta"]) == (name, {"of": name})
            assert content["mimeType"] == "text/html;profile=mcp-app"
