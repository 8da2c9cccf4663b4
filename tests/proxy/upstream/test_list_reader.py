"""List reader: all pages, limits, and changes."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tests.proxy.upstream.harness import QUICK, run, running
from tests.servers.launch import Record, control, raw_server_entry
from toolnote_desktop.model.problem import Code
from toolnote_desktop.model.servers import ServerState
from toolnote_desktop.model.tools.tool import malformed_reason
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.upstream.liveness import ConnectionTimeouts
from toolnote_desktop.proxy.upstream.retry_policy import Timeouts


def tools(*names: str) -> list[dict[str, Any]]:
    return [{"name": name, "inputSchema": {"type": "object"}, "unknownKey": name} for name in names]


def names(listed: tuple[Any, ...]) -> list[str]:
    return [tool["name"] for tool in listed]


@pytest.mark.parametrize(("count", "size"), [(14, 8), (151, 50), (7, 1), (3, 0)])
def test_c01_c02_all_pages(home: Home, count: int, size: int) -> None:
    wanted = [f"t{number}" for number in range(count)]

    async def work() -> None:
        async with running(home, {"a": raw_server_entry(tools=tools(*wanted), pageSize=size)}) as servers:
            await servers.ready("a")
            ((_, listed),) = servers.events.lists
            assert names(listed.tools) == wanted
            assert listed.problems == ()
            assert await servers.call("a", wanted[-1])

    run(work())


@pytest.mark.parametrize("odd", ["9" * 5000, "[" * 600 + "]" * 600, '"\\\\"'])
def test_unreadable_entry_takes_no_other_with_it(home: Home, odd: str) -> None:
    good = [json.dumps(tool) for tool in tools("a", "b")]
    listed = [good[0], good[0].replace('"a"}', odd + ',"name":"odd"}'), good[1]]

    async def work() -> None:
        async with running(home, {"a": raw_server_entry(tools=listed)}) as servers:
            await servers.ready("a")
            ((_, found),) = servers.events.lists
            assert [found.tools[0]["name"], found.tools[2]["name"], len(found.tools)] == ["a", "b", 3]
            assert (malformed_reason(found.tools[1]) is None) is odd.startswith('"')
            assert found.problems == ()

    run(work())


@pytest.mark.parametrize(
    ("paging", "expected", "problem"),
    [
        ("loop", ["a", "b", "c", "d", "e"], True),
        ("same", ["a", "b"], True),
        ("error", ["a", "b"], True),
        ("empty", ["a", "b", "c", "d", "e"], False),
    ],
)
def test_pages_that_never_end_or_break_off(home: Home, paging: str, expected: list[str], problem: bool) -> None:
    entry = raw_server_entry(tools=tools("a", "b", "c", "d", "e"), pageSize=2, paging=paging)

    async def work() -> None:
        async with running(home, {"a": entry}) as servers:
            await servers.ready("a")
            ((_, listed),) = servers.events.lists
            assert names(listed.tools) == expected
            assert [found.code for found in listed.problems] == ([Code.SERVER_PAGES] if problem else [])
            assert servers["a"].status.problems == listed.problems
            if problem:
                assert listed.problems[0].parameters["method"] == "tools/list"

    run(work())


@pytest.mark.parametrize(
    "result",
    [
        {"tools": "none"},
        {},
        [1],
        {"error": {"code": -32000, "message": "not today"}},
        {"raw": '{"id":$ID,"result":NaN}'},
    ],
)
def test_a_list_that_cannot_be_read_leaves_the_server_ready(home: Home, result: Any) -> None:
    action = result if isinstance(result, dict) and set(result) & {"error", "raw"} else {"result": result}

    async def work() -> None:
        async with running(home, {"a": raw_server_entry(on={"tools/list": action})}) as servers:
            await servers.ready("a")
            ((_, listed),) = servers.events.lists
            assert listed.tools == ()
            assert [found.code for found in listed.problems] == [Code.SERVER_PAGES]
            assert len(listed.prompts) == 1

    run(work())


def test_a_method_that_the_server_does_not_know_after_all_is_no_problem(home: Home) -> None:
    on = {"prompts/list": {"error": {"code": -32601, "message": "Method not found"}}}

    async def work() -> None:
        async with running(home, {"a": raw_server_entry(on=on)}) as servers:
            await servers.ready("a")
            ((_, listed),) = servers.events.lists
            assert (listed.prompts, listed.problems) == ((), ())

    run(work())


def test_odd_entries_are_handed_on_for_others_to_judge(home: Home) -> None:
    odd: list[Any] = [
        '{"name":"n","n":123456789012345678901234567890}',
        '{"name":"s","description":"\\ud800"}',
        "7",
        "null",
        '{"noName":1}',
        '{"name":"twice"}',
        '{"name":"twice","inputSchema":{"b":1,"a":2}}',
    ]

    async def work() -> None:
        async with running(home, {"a": raw_server_entry(tools=odd)}) as servers:
            await servers.ready("a")
            ((_, listed),) = servers.events.lists
            assert listed.tools == (
                {"name": "n", "n": 123456789012345678901234567890},
                {"name": "s", "description": "\ufffd"},
                7,
                None,
                {"noName": 1},
                {"name": "twice"},
                {"name": "twice", "inputSchema": {"b": 1, "a": 2}},
            )
            assert list(listed.tools[6]["inputSchema"]) == ["b", "a"]

    run(work())


def test_only_what_the_server_can_is_asked_for(home: Home, tmp_path: Path) -> None:
    record = Record(tmp_path / "record")
    entry = raw_server_entry(capabilities={"tools": {}}, record=str(record.path), instructions="Be kind.")

    async def work() -> None:
        async with running(home, {"a": entry}) as servers:
            await servers.ready("a")
            ((_, listed),) = servers.events.lists
            assert listed.capabilities == {"tools": {}}
            assert listed.instructions == "Be kind."
            assert listed.server_info == {"name": "raw", "version": "1"}
            assert listed.protocol_version == "2025-11-25"
        assert record.received("tools/list")
        assert not record.received("prompts/list")
        assert not record.received("resources/list")

    run(work())


def test_resources_and_templates(home: Home) -> None:
    async def work() -> None:
        async with running(home, {"a": raw_server_entry()}) as servers:
            await servers.ready("a")
            ((_, listed),) = servers.events.lists
            assert listed.resources[0]["uri"] == "test://one"
            assert listed.resource_templates[0]["uriTemplate"] == "test://{name}"
            assert listed.prompts[0]["name"] == "greet"

    run(work())


def test_c60_c19_a_change_is_read_once_for_a_burst(home: Home, tmp_path: Path) -> None:
    record, path = Record(tmp_path / "record"), tmp_path / "control"
    entry = raw_server_entry(
        tools=tools("a"),
        later=[tools("a", "b"), []],
        record=str(record.path),
        control=str(path),
        calls={"a": "_change"},
    )

    async def work() -> None:
        async with running(home, {"s": entry}) as servers:
            await servers.ready("s")
            await servers.call("s", "a", count=50)  # one change, announced fifty times
            await servers.events.until(lambda: len(servers.events.lists) == 2)
            assert names(servers.events.lists[-1][1].tools) == ["a", "b"]
            control(path, "change")
            await servers.events.until(lambda: len(servers.events.lists) == 3)
            assert servers.events.lists[-1][1].tools == ()
            assert len(servers.events.lists[-1][1].prompts) == 1  # what has not changed is still there
            assert servers.events.states("s") == [ServerState.STARTING, ServerState.READY]
            assert servers.events.notifications == []
        assert 3 <= len(record.received("tools/list")) <= 4
        assert len(record.received("prompts/list")) == 1

    run(work())


def test_a_change_without_an_end_is_read_all_the_same(home: Home, tmp_path: Path) -> None:
    """A server that announces changes over and over does not put off our reading for ever."""
    entry = raw_server_entry(tools=tools("a"), calls={"a": "notify"})

    async def work() -> None:
        async with running(home, {"s": entry}) as servers:
            await servers.ready("s")

            async def announce() -> None:
                while True:
                    await servers.call("s", "a", method="notifications/tools/list_changed", count=1)

            announcing = asyncio.ensure_future(announce())
            await servers.events.until(lambda: len(servers.events.lists) >= 3)
            announcing.cancel()
            await asyncio.gather(announcing, return_exceptions=True)

    run(work())


def test_a_change_during_the_start_is_not_missed(home: Home) -> None:
    changed = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}'
    entry = raw_server_entry(noise={"after": [changed]}, on={"ping": None})

    async def work() -> None:
        async with running(home, {"s": entry}) as servers:
            await servers.events.until(lambda: len(servers.events.lists) >= 2)

    run(work())


def test_a_changed_list_that_is_not_read_in_time_stays_as_it_was(home: Home, tmp_path: Path) -> None:
    path = tmp_path / "control"
    entry = raw_server_entry(
        tools=tools("a"), later=[tools("b"), tools("c")], control=str(path), on={"tools/list": [None, "hang", None]}
    )
    timeouts = Timeouts(QUICK.first_delay, connection=ConnectionTimeouts(relist=0.3))

    async def work() -> None:
        async with running(home, {"s": entry}, timeouts=timeouts) as servers:
            await servers.ready("s")
            control(path, "change")
            await servers.events.until(lambda: len(servers.events.lists) == 2)
            late = servers.events.lists[-1][1]
            assert names(late.tools) == ["a"]
            assert [problem.code for problem in late.problems] == [Code.SERVER_PAGES]
            control(path, "change")
            await servers.events.until(lambda: len(servers.events.lists) == 3)
            read = servers.events.lists[-1][1]
            assert names(read.tools) == ["c"]
            assert read.problems == ()

    run(work())
