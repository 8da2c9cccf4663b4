"""Extensions of servers through a real proxy: declared, routed, and tasks for the session that they were given to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.proxy.live import ModernClient
from tests.proxy.raw_client import RawClient, Stream
from tests.proxy.running import Running, raw_server, running
from tests.servers.launch import Record
from tests.waiting import wait_until
from toolnote_desktop.paths import Home

SKILLS = {"io.modelcontextprotocol/skills": {"listChanged": True}}
TASKS: dict[str, Any] = {"list": {}, "cancel": {}, "requests": {"tools": {"call": {}}}}
TASK = {"taskId": "t-1", "status": "working", "ttl": 60000}


def server(name: str, capabilities: dict[str, Any], **on: Any) -> dict[str, Any]:
    tools = [{"name": f"{name}_do", "inputSchema": {"type": "object"}}]
    answers = {method.replace("_", "/"): {"result": result} for method, result in on.items()}
    return raw_server(name=name, tools=tools, capabilities={"tools": {}, **capabilities}, on=answers)


def connected(proxy: Running) -> tuple[RawClient, dict[str, Any]]:
    client = proxy.client()
    return client, client.initialize(version="2025-11-25")["capabilities"]


def code(client: RawClient, method: str, params: Any) -> int:
    found: int = client.request(method, params).last["error"]["code"]
    return found


def test_declared_and_routed(home: Home) -> None:
    """Seen red before ``ExtensionRoutes``: nothing declared, "Method not found"."""
    skills = {"skills": [{"name": "a", "x/odd": [1, 2.0]}], "_meta": {"b": 1}}
    entries = {
        "one": server("one", {"extensions": SKILLS}, skills_list=skills),
        "two": server("two", {"extensions": {"com.example/other": {"a": 1}}}, other_do={"done": True}),
        "three": server("three", {}),
    }
    with running(home, entries) as proxy:
        proxy.wait(lambda s: len(s.toolsets["work"].tools) == 3)
        client, capabilities = connected(proxy)
        assert capabilities["extensions"] == {**SKILLS, "com.example/other": {"a": 1}}
        assert "tasks" not in capabilities
        assert client.request("skills/list", {"cursor": "x"}).result == skills
        assert client.request("other/do").result == {"done": True}
        assert code(client, "foreign/do", {}) == -32601  # two servers declare extensions: none is certain
        assert code(client, "tasks/get", {"taskId": "t-1"}) == -32601
        modern = ModernClient(proxy.endpoint.url, proxy.endpoint.token)
        assert modern.request("server/discover").result["capabilities"]["extensions"] == capabilities["extensions"]
        assert modern.request("skills/list").result["skills"] == skills["skills"]


def test_nothing_is_declared_that_no_server_has(home: Home) -> None:
    with running(home, {"one": server("one", {})}) as proxy:
        proxy.wait(lambda s: len(s.toolsets["work"].tools) == 1)
        client, capabilities = connected(proxy)
        assert not {"extensions", "tasks"} & capabilities.keys()
        assert code(client, "skills/list", {}) == -32601


@pytest.mark.parametrize("others", [0, 1])
def test_a_task_belongs_to_its_session(home: Home, others: int) -> None:
    """Seen red with tasks routed to the only server that has them: another session read the result (case U27)."""
    found = {"content": [{"type": "text", "text": "done"}]}
    answers = {"tools_call": {"task": TASK}, "tasks_get": TASK, "tasks_result": found, "tasks_cancel": TASK}
    entries = {"one": server("one", {"tasks": TASKS}, **answers)}
    if others:
        entries["two"] = server("two", {"tasks": TASKS}, tools_call={"task": {**TASK, "taskId": "t-2"}}, tasks_get={})
    with running(home, entries) as proxy:
        proxy.wait(lambda s: len(s.toolsets["work"].tools) == 1 + others)
        client, capabilities = connected(proxy)
        assert capabilities["tasks"] == {"cancel": {}, "requests": {"tools": {"call": {}}}}
        assert client.call("one_one_do", task={"ttl": 60000}).result["task"] == TASK
        assert client.request("tasks/get", {"taskId": "t-1"}).result == TASK
        assert client.request("tasks/result", {"taskId": "t-1"}).result == found
        other, _ = connected(proxy)
        if others:
            assert other.call("two_two_do", task={}).result["task"]["taskId"] == "t-2"
            assert other.request("tasks/get", {"taskId": "t-2"}).result == {}
        for method in ("tasks/get", "tasks/result", "tasks/cancel"):
            assert code(other, method, {"taskId": "t-1"}) == -32602
            assert code(other, method, {}) == -32602
        assert client.request("tasks/cancel", {"taskId": "t-1"}).result == TASK
        assert code(client, "tasks/list", {}) == -32601


def test_status_of_a_task_reaches_its_session_alone(home: Home) -> None:
    """Seen red without the case for ``notifications/tasks/status``: both sessions or none hear of it."""
    entry = raw_server(
        tools=[
            {"name": "begin", "inputSchema": {"type": "object"}},
            {"name": "notify", "inputSchema": {"type": "object"}},
        ],
        capabilities={"tools": {}, "tasks": TASKS},
        calls={"begin": "raw_result"},
    )
    with running(home, {"one": entry}) as proxy:
        proxy.wait(lambda s: len(s.toolsets["work"].tools) == 2)
        client, _ = connected(proxy)
        other, _ = connected(proxy)
        stream, others = Stream(client), Stream(other)
        try:
            client.call("one_begin", {"text": '{"content":[],"task":{"taskId":"t-9","status":"working"}}'})
            params = {"taskId": "t-9", "status": "completed"}
            answer = other.call("one_notify", {"method": "notifications/tasks/status", "params": params})
            assert len(answer.messages) == 1
            assert stream.wait_for("notifications/tasks/status")[0]["params"] == params
            assert others.of("notifications/tasks/status") == []
        finally:
            stream.close()
            others.close()


def test_servers_are_offered_what_their_clients_declare(home: Home, tmp_path: Path) -> None:
    """Seen red without ``client_extensions``. The handshake era is told with the next connection."""
    ui = {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}
    record = Record(tmp_path / "record")
    tools = [{"name": "do", "inputSchema": {"type": "object"}}]
    with running(home, {"one": raw_server(tools=tools, record=str(record.path))}) as proxy:
        proxy.wait(lambda s: len(s.toolsets["work"].tools) == 1)
        assert "extensions" not in record.received("initialize")[-1]["params"]["capabilities"]
        proxy.client().initialize({"extensions": ui})
        proxy.client().initialize({})
        proxy.thread.restart_server("one")
        wait_until(lambda: len(record.received("initialize")) == 2)
        assert record.received("initialize")[-1]["params"]["capabilities"]["extensions"] == ui
