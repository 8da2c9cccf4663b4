"""Extensions of servers through a real proxy: declared, routed, and tasks for the session that they were given to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.proxy.live import ModernClient, live_call, reply
from tests.proxy.raw_client import RawClient, Stream
from tests.proxy.running import Running, raw_server, restarted, running
from tests.servers.launch import Record, control
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


def test_methods_under_the_names_of_the_protocol_reach_no_server(home: Home) -> None:
    """A server's own ``tools/run`` would reach tools that the client's toolset does not have."""
    with running(home, {"one": server("one", {"extensions": SKILLS}, tools_run={}, skills_run={"a": 1})}) as proxy:
        proxy.wait(lambda s: len(s.toolsets["work"].tools) == 1)
        client, _ = connected(proxy)
        assert client.request("skills/run").result == {"a": 1}
        assert code(client, "tools/run", {}) == -32601


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


UI = {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}
DO = {"tools": [{"name": "do", "inputSchema": {"type": "object"}}]}


def offered(record: Record, method: str = "initialize") -> list[Any]:
    """The extensions that a server was offered, in each request with the method."""
    found = []
    for message in record.received(method):
        params = message["params"]
        capabilities = params.get("capabilities") or params["_meta"]["io.modelcontextprotocol/clientCapabilities"]
        found.append(capabilities.get("extensions"))
    return found


def test_servers_are_offered_what_their_clients_declare(home: Home, tmp_path: Path) -> None:
    """Seen red without ``renew_capabilities``. A process that a client has used is not restarted for another client."""
    record = Record(tmp_path / "record")
    with running(home, {"one": raw_server(**DO, era="handshake", record=str(record.path))}) as proxy:
        proxy.wait(lambda s: len(s.toolsets["work"].tools) == 1)
        assert offered(record) == [None]
        client = proxy.client()
        client.initialize({"extensions": UI})
        wait_until(lambda: len(offered(record)) == 2)
        assert client.call("one_do").result
        proxy.client().initialize({})
        proxy.client().initialize({"extensions": {"com.example/new": {}}})
        proxy.client().call("one_do")
        assert client.call("one_do").result
        assert offered(record) == [None, UI]
        proxy.thread.restart_server("one")
        wait_until(lambda: len(offered(record)) == 3)
        assert offered(record)[-1] == {**UI, "com.example/new": {}}
    with restarted(home) as proxy:  # with what the sessions of before declared
        wait_until(lambda: len(offered(record)) > 3 and offered(record)[-1] == {**UI, "com.example/new": {}})
        proxy.wait_ready("one")


def test_a_modern_server_is_offered_more_without_a_restart(home: Home, tmp_path: Path) -> None:
    """Seen red with lists read as a client without capabilities: a server hides tools from one that lacks them."""
    record, pid_file = Record(tmp_path / "record"), tmp_path / "pid"
    server = raw_server(**DO, era="modern", record=str(record.path), pidFile=str(pid_file))
    with running(home, {"one": server}) as proxy:
        proxy.wait(lambda s: len(s.toolsets["work"].tools) == 1)
        process = pid_file.read_text()
        assert offered(record, "tools/list")[0] is None
        proxy.client().initialize({"extensions": UI})
        wait_until(lambda: UI in offered(record, "tools/list"))
        modern = ModernClient(proxy.endpoint.url, proxy.endpoint.token, {"extensions": {"com.example/new": {}}})
        assert modern.call("one_do").result
        assert offered(record, "tools/call") == [{"com.example/new": {}}]
        wait_until(lambda: {**UI, "com.example/new": {}} in offered(record, "tools/list"))
        assert pid_file.read_text() == process
        assert record.events("eof") == []


def test_notifications_of_clients_reach_the_server_of_their_extension(home: Home, tmp_path: Path) -> None:
    """Seen red without ``find_notification``: none arrives."""
    records = {name: Record(tmp_path / name) for name in ("one", "two")}
    extensions: dict[str, Any] = {"one": {"com.example/first": {}}, "two": {"com.example/second": {}}}
    entries = {
        name: raw_server(**DO, capabilities={"tools": {}, "extensions": extensions[name]}, record=str(record.path))
        for name, record in records.items()
    }
    with running(home, entries) as proxy:
        proxy.wait(lambda s: len(s.toolsets["work"].tools) == 2)
        client, _ = connected(proxy)
        modern = ModernClient(proxy.endpoint.url, proxy.endpoint.token)
        params = {"a": [1, None], "_meta": {"odd/key": {"b": 1.5}}}
        for method in ("notifications/first/done", "second/done", "notifications/none/done", "notifications/progress"):
            assert client.post({"jsonrpc": "2.0", "method": method, "params": params}).status == 202
        assert client.post({"jsonrpc": "2.0", "method": "notifications/second/bare"}).status == 202
        headers = {"MCP_Protocol_Version": "2026-07-28", "Mcp_Method": "notifications/first/modern"}
        message = {"jsonrpc": "2.0", "method": "notifications/first/modern", "params": params}
        assert modern.raw.post(message, **headers).status == 202
        client.call("one_do")
        client.call("two_do")
        assert [one["params"] for one in records["one"].received("notifications/first/done")] == [params]
        assert [one["params"] for one in records["one"].received("notifications/first/modern")] == [params]
        assert [one["params"] for one in records["two"].received("second/done")] == [params]
        assert len(records["two"].received("notifications/second/bare")) == 1
        said = [entry["raw"] for record in records.values() for entry in record.events("in")]
        assert not [one for one in said if "none/done" in one or "notifications/progress" in one]


def test_a_list_change_of_an_extension_reaches_all_its_clients(home: Home, tmp_path: Path) -> None:
    """Seen red with the rule for other notifications: of two sessions neither was certain."""
    entry = raw_server(**DO, capabilities={"tools": {}, "extensions": SKILLS}, control=str(tmp_path / "control"))
    with running(home, {"one": entry}) as proxy:
        proxy.wait(lambda s: len(s.toolsets["work"].tools) == 1)
        streams = [Stream(connected(proxy)[0]) for _ in range(2)]
        try:
            method = "notifications/skills/list_changed"
            notice: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": {"x": 1}}
            control(tmp_path / "control", f"notify {json.dumps(notice)}")
            for stream in streams:
                assert stream.wait_for(notice["method"])[0]["params"] == {"x": 1}
        finally:
            for stream in streams:
                stream.close()


def test_tasks_of_the_modern_era(home: Home) -> None:
    """Seen red without ``missing_extension``: a client that declares no tasks got "Unknown task" (SEP-2663)."""
    extension: dict[str, Any] = {"io.modelcontextprotocol/tasks": {}}
    created = {"resultType": "task", **TASK}
    entry = server("one", {"extensions": extension}, tools_call=created, tasks_get={"resultType": "complete", **TASK})
    with running(home, {"one": entry}) as proxy:
        proxy.wait(lambda s: len(s.toolsets["work"].tools) == 1)
        declaring = ModernClient(proxy.endpoint.url, proxy.endpoint.token, {"extensions": extension})
        silent = ModernClient(proxy.endpoint.url, proxy.endpoint.token)
        assert declaring.call("one_one_do").result == created
        assert declaring.request("tasks/get", {"taskId": "t-1"}, Mcp_Name="t-1").result["status"] == "working"
        assert declaring.request("tasks/get", {"taskId": "t-2"}).last["error"]["code"] == -32602
        assert declaring.request("tasks/result", {"taskId": "t-1"}).last["error"]["code"] == -32601
        error = silent.request("tasks/get", {"taskId": "t-3"}).last["error"]
        assert (error["code"], error["data"]) == (-32021, {"requiredCapabilities": {"extensions": extension}})


def test_progress_of_a_client_reaches_the_server_that_asked(home: Home, tmp_path: Path) -> None:
    """Seen red with notifications of progress ignored, and with those of a token that is not in use passed on."""
    record = Record(tmp_path / "record")
    tools = [{"name": "ask", "inputSchema": {"type": "object"}}]
    with running(home, {"one": raw_server(tools=tools, record=str(record.path))}) as proxy:
        proxy.wait(lambda s: len(s.toolsets["work"].tools) == 1)
        client = proxy.client()
        client.initialize({"sampling": {}})
        params = {"messages": [], "maxTokens": 1, "_meta": {"progressToken": "s-1"}}
        call = live_call(client, "one_ask", {"method": "sampling/createMessage", "params": params})
        (question,) = call.wait("sampling/createMessage")
        assert question["params"] == params
        progress = {"progressToken": "s-1", "progress": 0.5, "_meta": {"odd": [None]}}
        for said in ({"progressToken": "s-2", "progress": 1}, progress):
            assert client.post({"jsonrpc": "2.0", "method": "notifications/progress", "params": said}).status == 202
        reply(client, question, {"role": "assistant"})
        assert call.result()
        assert client.post({"jsonrpc": "2.0", "method": "notifications/progress", "params": progress}).status == 202
        client.call("one_ask", {"method": "ping"})
        assert [one["params"] for one in record.received("notifications/progress")] == [progress]


def test_tasks_of_a_modern_server_for_a_client_of_the_handshake_era(home: Home) -> None:
    """Seen red with ``resultType`` taken out: to the client it was no task, and to us neither."""
    extension: dict[str, Any] = {"io.modelcontextprotocol/tasks": {}}
    created = {"resultType": "task", **TASK}
    on = {"tools_call": created, "tasks_get": {"resultType": "complete", **TASK}}
    entry = server("one", {"extensions": extension}, **on)
    entry["toolnote"]["era"] = "modern"
    with running(home, {"one": entry}) as proxy:
        proxy.wait(lambda s: len(s.toolsets["work"].tools) == 1)
        client, other = proxy.client(), proxy.client()
        assert client.initialize({"extensions": extension})["capabilities"]["extensions"] == extension
        other.initialize({"extensions": extension})
        assert client.call("one_one_do").result == created
        assert client.request("tasks/get", {"taskId": "t-1"}).result == TASK
        assert code(other, "tasks/get", {"taskId": "t-1"}) == -32602


def test_clients_that_come_and_go_restart_nothing(home: Home, tmp_path: Path) -> None:
    """Seen red with the union of those that are connected: each of two clients in turn had the server restarted."""
    record = Record(tmp_path / "record")
    with running(home, {"one": raw_server(**DO, era="handshake", record=str(record.path))}) as proxy:
        proxy.wait(lambda s: len(s.toolsets["work"].tools) == 1)
        for extension in ("com.example/a", "com.example/b") * 3:
            client = proxy.client()
            client.initialize({"extensions": {extension: {}}})
            assert client.send("DELETE").status == 200
        wait_until(lambda: {"com.example/a": {}, "com.example/b": {}} in offered(record))
        proxy.wait_ready("one")
        client = proxy.client()
        client.initialize({"extensions": {"com.example/a": {}}})
        assert client.call("one_do").result
        assert len(offered(record)) <= 3
