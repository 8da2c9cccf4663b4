"""The demo servers as programs: what a client gets from them in each revision, and what their tools really do."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

MODERN = "io.modelcontextprotocol/protocolVersion"


class Demo:
    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.number = 0

    def exchange(self, line: str) -> Any:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def request(self, method: str, **params: Any) -> dict[str, Any]:
        self.number += 1
        answer = self.exchange(json.dumps({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}))
        assert (answer["jsonrpc"], answer["id"]) == ("2.0", self.number)
        found: dict[str, Any] = answer
        return found

    def call(self, tool: str, **arguments: Any) -> Any:
        result = self.request("tools/call", name=tool, arguments=arguments)["result"]
        assert not result["isError"], result
        value = json.loads(result["content"][0]["text"])
        assert result.get("structuredContent", value) == value
        return value

    def complaint(self, tool: str, **arguments: Any) -> str:
        result = self.request("tools/call", name=tool, arguments=arguments)["result"]
        assert result["isError"] is True
        text: str = result["content"][0]["text"]
        return text


@contextmanager
def demo(name: str) -> Iterator[Demo]:
    with subprocess.Popen(
        [sys.executable, "-m", "toolnote_desktop", "demo-server", name],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        try:
            yield Demo(process)
            assert process.stdin is not None
            process.stdin.close()
            assert process.wait(20) == 0
            assert process.stderr is not None
            assert process.stderr.read() == b""
        finally:
            process.kill()


@pytest.mark.parametrize("name", ["tracker", "handbook"])
@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_the_handshake(name: str, version: str) -> None:
    with demo(name) as server:
        result = server.request("initialize", protocolVersion=version, capabilities={})["result"]
        assert result["protocolVersion"] == version
        assert result["serverInfo"]["name"] == name
        assert server.request("ping")["result"] == {}


def test_an_unknown_revision_gets_the_newest_of_the_handshake_era() -> None:
    with demo("tracker") as server:
        assert server.request("initialize", protocolVersion="1999-01-01")["result"]["protocolVersion"] == "2025-11-25"


def test_the_modern_era() -> None:
    with demo("handbook") as server:
        meta = {MODERN: "2026-07-28"}
        found = server.request("server/discover", _meta=meta)["result"]
        assert (found["resultType"], found["supportedVersions"]) == ("complete", ["2026-07-28"])
        listed = server.request("tools/list", _meta=meta)["result"]
        assert (listed["resultType"], listed["cacheScope"]) == ("complete", "private")
        called = server.request("tools/call", name="list_events", arguments={}, _meta=meta)["result"]
        assert called["resultType"] == "complete"
        assert "ttlMs" not in called
        assert server.request("tools/list", _meta={MODERN: "2099-01-01"})["error"]["code"] == -32022


@pytest.mark.parametrize("name", ["tracker", "handbook"])
def test_definitions_are_complete(name: str) -> None:
    with demo(name) as server:
        tools = server.request("tools/list")["result"]["tools"]
    assert len({tool["name"] for tool in tools}) == len(tools) >= 5
    for tool in tools:
        assert tool["title"]
        assert tool["description"].endswith(".")
        assert tool["inputSchema"]["type"] == "object"
        assert {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"} == set(tool["annotations"])


def test_an_issue_from_beginning_to_end() -> None:
    with demo("tracker") as server:
        before = server.call("search_issues", query="prices")["total"]
        made = server.call("create_issue", title=" Prices in euros ", team="Product", labels=["customer"], priority=1)
        assert (made["title"], made["status"], made["assignee"]) == ("Prices in euros", "backlog", None)
        assert server.call("search_issues", query="prices")["total"] == before + 1
        changed = server.call("update_issue", id=made["id"].lower(), status="in_progress", assignee="ana")
        assert (changed["status"], changed["assignee"], changed["labels"]) == ("in_progress", "Ana Ruiz", ["customer"])
        server.call("add_comment", id=made["id"], text="Started.")
        server.call("cancel_issue", id=made["id"], reason="No budget.")
        assert server.call("search_issues", status="cancelled")["issues"][0]["id"] == made["id"]
        comments = [comment["text"] for comment in server.call("get_issue", id=made["id"])["comments"]]
    assert comments == ["Started.", "Cancelled: No budget."]


def test_search_narrows_and_sorts() -> None:
    with demo("tracker") as server:
        found = server.call("search_issues", team="Engineering", label="bug", limit=2)
        assert len(found["issues"]) == 2
        assert found["total"] > 2
        assert [issue["priority"] for issue in found["issues"]] == [1, 2]
        assert all(person["team"] == "Design" for person in server.call("list_people", team="Design")["people"])
        assert [team["name"] for team in server.call("list_teams")["teams"]] == ["Engineering", "Design", "Product"]


@pytest.mark.parametrize(
    ("tool", "arguments", "part"),
    [
        ("create_issue", {"title": "x"}, "team is missing"),
        ("create_issue", {"title": "x", "team": "Ops"}, "one of Engineering, Design, Product"),
        ("create_issue", {"title": "  ", "team": "Design"}, "must not be empty"),
        ("create_issue", {"title": "x", "team": "Design", "priority": 7}, "from 0 to 4"),
        ("create_issue", {"title": "x", "team": "Design", "priority": True}, "of type integer"),
        ("create_issue", {"title": "x", "team": "Design", "labels": ["nope"]}, "one of bug"),
        ("create_issue", {"title": "x", "team": "Design", "assignee": "zoe"}, "no person zoe"),
        ("create_issue", {"title": "x", "team": "Design", "due": "now"}, "no argument due"),
        ("get_issue", {"id": "TRK-999"}, "search_issues"),
        ("update_issue", {"id": "TRK-1"}, "Nothing to change"),
        ("cancel_issue", {"id": "TRK-10", "reason": "x"}, "is done"),
    ],
)
def test_mistakes_are_explained(tool: str, arguments: dict[str, Any], part: str) -> None:
    with demo("tracker") as server:
        assert part in server.complaint(tool, **arguments)


def test_pages_and_events() -> None:
    with demo("handbook") as server:
        (page,) = server.call("search_pages", query="friday release")["pages"]
        assert "Never on a Friday" in server.call("read_page", id=page["id"])["text"]
        assert server.call("suggest_change", id=page["id"], text="Say which Friday.")["waiting"] == 1
        events = server.call("list_events", days=31)["events"]
        assert [event["date"] for event in events] == sorted(event["date"] for event in events)
        first = events[0]
        busy = {"title": "Coffee", "date": first["date"], "start": first["start"], "attendees": first["attendees"][:1]}
        assert "cannot come" in server.complaint("create_event", **busy)
        made = server.call("create_event", **{**busy, "start": "18:00"})
        assert made in server.call("list_events", days=31)["events"]
        assert "not a date" in server.complaint("create_event", **{**busy, "date": "05/03"})
        assert "not a time" in server.complaint("create_event", **{**busy, "start": "noon"})


def test_resources_and_the_prompt() -> None:
    with demo("handbook") as server:
        resources = server.request("resources/list")["result"]["resources"]
        assert len(resources) == 2
        read = server.request("resources/read", uri=resources[0]["uri"])["result"]["contents"][0]
        assert (read["mimeType"], read["text"][:2]) == ("text/markdown", "# ")
        assert server.request("resources/read", uri="handbook://none")["error"]["code"] == -32002
        prompt = server.request("prompts/get", name="weekly-update", arguments={"team": "Design"})["result"]
        assert "the Design team" in prompt["messages"][0]["content"]["text"]
        assert server.request("prompts/get", name="weekly-update")["error"]["code"] == -32602


def test_demo_server_rejects_a_non_request() -> None:
    with demo("tracker") as server:
        assert server.exchange("{oops")["error"]["code"] == -32700
        assert server.exchange("5")["error"]["code"] == -32600
        assert server.request("nope")["error"]["code"] == -32601
        assert server.request("resources/list")["error"]["code"] == -32601
        assert server.request("tools/call", name="nope")["error"]["code"] == -32602
        batch = '[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/initialized"}]'
        assert server.exchange(batch) == [{"jsonrpc": "2.0", "id": 1, "result": {}}]
        lone = '{"jsonrpc":"2.0","id":"\\ud800","method":"tools/call","params":{"name":"add_comment",'
        answer = server.exchange(lone + '"arguments":{"id":"TRK-1","text":"\\ud800"}}}')
        assert answer["result"]["isError"] is False


def test_a_name_that_is_none() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "toolnote_desktop", "demo-server", "nope"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 2
    assert b"tracker and handbook" in done.stderr


def test_a_reader_that_leaves_is_no_error() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "toolnote_desktop", "demo-server", "tracker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        process.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
        process.stdin.flush()
        assert process.wait(20) == 0
        assert process.stderr.read() == b""
