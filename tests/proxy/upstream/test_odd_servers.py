"""Servers whose output is no messages, that announce nothing, or whose cursors go stale (U05, U22)."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from msgspec.structs import replace

from tests.proxy.upstream.harness import QUICK, Events, run, running
from toolnote_desktop.model.problem import Code
from toolnote_desktop.model.servers import ServerState
from toolnote_desktop.paths import Home

SERVER = """
import json, sys
CAPABILITIES, REFUSALS = json.loads(sys.argv[1]), int(sys.argv[2])
WRITE = {"plain": json.dumps, "pretty": lambda answer: json.dumps(answer, indent=1),
         "coloured": lambda answer: "\\x1b[32m" + json.dumps(answer) + "\\x1b[0m"}[sys.argv[3]]
TOOLS = [{"name": name, "inputSchema": {"type": "object"}} for name in ("a", "b", "c")]

def answer(message):
    global REFUSALS
    if message["method"] == "initialize":
        return {"result": {"protocolVersion": "2025-06-18", "capabilities": CAPABILITIES,
                           "serverInfo": {"name": "odd", "version": "1"}}}
    if message["method"] != "tools/list":
        return {"error": {"code": -32601, "message": "no"}}
    cursor = message.get("params", {}).get("cursor")
    if cursor and REFUSALS:
        REFUSALS -= 1
        return {"error": {"code": -32602, "message": "stale cursor"}}
    return {"result": {"tools": TOOLS[2:]} if cursor else {"tools": TOOLS[:2], "nextCursor": "2"}}

for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        print(WRITE({"jsonrpc": "2.0", "id": message["id"], **answer(message)}), flush=True)
"""


def reasons(events: Events) -> list[str]:
    problems = [status.problem for _, status in events.statuses if status.problem is not None]
    return [problem.parameters["reason"] for problem in problems if problem.code is Code.SERVER_PROTOCOL]


TOOLS_CAPABILITY = '{"tools":{}}'


def entry(capabilities: str = TOOLS_CAPABILITY, refusals: int = 0, form: str = "plain") -> dict[str, Any]:
    return {"command": sys.executable, "args": ["-c", SERVER, capabilities, str(refusals), form]}


@pytest.mark.parametrize(("refusals", "expected", "problems"), [(1, "abc", 0), (9, "ab", 1)])
def test_list_whose_cursor_is_refused_is_read_once_more(
    home: Home, refusals: int, expected: str, problems: int
) -> None:
    """U22; seen red without the second reading: two tools of three, until something else happened."""

    async def work() -> None:
        async with running(home, {"a": entry(refusals=refusals)}) as servers:
            await servers.ready("a")
            ((_, listed),) = servers.events.lists
            assert "".join(tool["name"] for tool in listed.tools) == expected
            assert [problem.parameters["reason"] for problem in listed.problems] == ["stale cursor (-32602)"] * problems

    run(work())


@pytest.mark.parametrize(("form", "quoted"), [("coloured", r"\x1b[32m{"), ("pretty", "{")])
def test_output_that_is_no_message_is_quoted(home: Home, form: str, quoted: str) -> None:
    """U05; seen red without ``unreadable``: "did not answer within 30 seconds", and no word of what it wrote."""

    async def work() -> None:
        timeouts = replace(QUICK, start=1.0, patience=1.0)
        async with running(home, {"a": entry(form=form)}, timeouts=timeouts) as servers:
            await servers.events.until(lambda: bool(reasons(servers.events)))
            assert servers.events.states("a")[-1] is ServerState.FAILED
            assert reasons(servers.events)[0].startswith(
                "it did not answer within 1 seconds, and wrote what is no message: " + quoted
            )

    run(work())


def test_server_that_announces_nothing_is_told_so(home: Home) -> None:
    """U05; seen red without ``_NOTHING_ANNOUNCED``: no tool, and nothing wrong."""

    async def work() -> None:
        async with running(home, {"a": entry("{}")}) as servers:
            await servers.ready("a")
            (problem,) = servers["a"].status.problems
            assert problem.code is Code.SERVER_PROTOCOL
            assert "announce neither tools nor prompts nor resources" in problem.parameters["reason"]

    run(work())
