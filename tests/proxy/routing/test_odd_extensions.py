"""Servers and clients whose extensions are odd: they cost nobody else anything, and nothing is made up."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.proxy.live import ModernClient
from tests.proxy.running import raw_server, running
from toolnote_desktop.paths import Home

GOOD: dict[str, Any] = {"io.modelcontextprotocol/skills": {}}
TASK: dict[str, Any] = {"taskId": "t-1", "status": "working"}


def server(name: str, capabilities: Any, **more: Any) -> dict[str, Any]:
    tools = [{"name": f"{name}_do", "inputSchema": {"type": "object"}}]
    return raw_server(name=name, tools=tools, capabilities={"tools": {}, **capabilities}, **more)


@pytest.mark.parametrize(
    "capabilities",
    [
        {"extensions": {"a": True, "b": 5, "c": None, "d": [], "": {}, "no vendor": {"x": [None]}}},
        {"extensions": [1, 2]},
        {"extensions": None, "tasks": None},
        {"extensions": {"io.modelcontextprotocol/skills": "yes"}},
        {"tasks": {"cancel": 5, "list": True, "requests": {"tools": {"call": {}}, "odd": []}}},
        {"tasks": [], "experimental": {"x": 1}, "com.example/unknown": {}},
    ],
)
def test_odd_capabilities_cost_no_other_server(home: Home, capabilities: Any) -> None:
    """Seen red with values handed on that are no objects: the SDK's client then refuses the handshake."""
    skills: dict[str, Any] = {"skills/list": {"result": {"skills": []}}}
    entries = {"odd": server("odd", capabilities), "good": server("good", {"extensions": GOOD}, on=skills)}
    with running(home, entries) as proxy:
        proxy.wait(lambda s: len(s.toolsets["work"].tools) == 2)
        raw = proxy.client()
        declared = raw.initialize()["capabilities"]
        assert all(isinstance(value, dict) for value in declared["extensions"].values())
        assert declared["extensions"].items() >= GOOD.items()
        assert raw.request("skills/list").result == {"skills": []}

        async def lists(mode: Any) -> list[str]:
            headers = {"Authorization": f"Bearer {proxy.endpoint.token}"}
            async with (
                httpx2.AsyncClient(headers=headers) as http,
                Client(streamable_http_client(proxy.endpoint.url, http_client=http), mode=mode) as client,
            ):
                return [tool.name for tool in (await client.list_tools()).tools]

        for mode in ("auto", "legacy"):
            assert {"odd_odd_do", "good_good_do"} <= set(asyncio.run(lists(mode)))


@pytest.mark.parametrize(
    "result",
    [
        {},
        {"skills": None},
        {"skills": {}},
        {"skills": [None, 5, "x", [], {}, {"uri": None}, {"uri": 5, "resources": {}}, {"uri": ""}]},
        {
            "skills": [
                {"uri": "skill://a/SKILL.md", "resources": "dynamic"},
                {"uri": "not a uri", "resources": [None, {}]},
            ]
        },
        {"skills": [{"uri": "skill://good/SKILL.md"}], "nextCursor": "x"},
        {"skills": [], "nextCursor": 5},
    ],
)
def test_odd_lists_of_skills(home: Home, result: Any) -> None:
    """With another server's, and alone, where they pass as they are; pages without an end do end."""
    listed = {"skills": [{"uri": "skill://good/SKILL.md", "x": 1}]}
    entries = {
        "good": server("good", {"extensions": GOOD}, on={"skills/list": {"result": listed}}),
        "odd": server("odd", {"extensions": GOOD}, on={"skills/list": {"result": result}}),
    }
    with running(home, entries) as proxy:
        proxy.wait(lambda s: len(s.toolsets["work"].tools) == 2)
        client = proxy.client()
        client.initialize()
        found = client.request("skills/list").result["skills"]
        assert found[0] == listed["skills"][0]
        given = result.get("skills")
        assert len(found) >= 1 + (len(given) if isinstance(given, list) else 0)
        modern = ModernClient(proxy.endpoint.url, proxy.endpoint.token)
        assert modern.request("skills/list").result["skills"][0] == listed["skills"][0]


@pytest.mark.parametrize(
    "result",
    [
        {"task": None},
        {"task": {"taskId": 5}},
        {"task": []},
        {"taskId": "t-1"},
        {"content": [], "task": {"taskId": "t" * 70000}},
        {"content": [{"type": "text", "text": '{"task":{"taskId":"t-1"}}'}]},
    ],
)
def test_what_is_no_task_gives_no_right_to_one(home: Home, result: Any) -> None:
    entry = server(
        "one",
        {"tasks": {"cancel": {}}},
        on={"tools/call": [{"result": {"task": TASK}}, {"result": result}], "tasks/get": {"result": TASK}},
    )
    with running(home, {"one": entry}) as proxy:
        proxy.wait(lambda s: len(s.toolsets["work"].tools) == 1)
        owner, other = proxy.client(), proxy.client()
        owner.initialize()
        other.initialize()
        assert owner.call("one_one_do").result == {"task": TASK}
        assert other.call("one_one_do").result == result
        ids: list[Any] = ["t-1", "t" * 70000, 5, None, ["t-1"], {}]
        for task in ids:
            assert other.request("tasks/get", {"taskId": task}).last["error"]["code"] == -32602
        assert owner.request("tasks/get", {"taskId": "t-1"}).result == TASK
