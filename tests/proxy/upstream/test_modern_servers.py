"""Servers of the modern era, over HTTP and over pipes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.proxy.transports.test_streamable_http import entry, record
from tests.proxy.upstream.harness import result, run, running
from tests.servers.launch import Record, control, http_server, raw_server_entry
from tests.waiting import wait_until
from toolnote_desktop.model.servers import ServerState
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.protocol import Era
from toolnote_desktop.proxy.transports.base import Reply, TransportClosed

__all__ = ["record"]


def test_modern_over_http(home: Home, tmp_path: Path) -> None:
    path, record = tmp_path / "control", Record(tmp_path / "record")
    schema = {"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}}
    first: list[Any] = [{"name": "headers", "inputSchema": schema}, {"name": "hang"}]
    scenario: dict[str, Any] = {
        "era": "modern",
        "tools": first,
        "later": [[*first, {"name": "more"}]],
        "control": str(path),
        "record": str(record.path),
        "http": {"checkHeaders": True},
    }

    async def work() -> None:
        with http_server(**scenario) as server:
            async with running(home, {"a": entry(server.url)}) as servers:
                await servers.ready("a")
                assert servers["a"].speaks(Era.MODERN)
                assert not servers["a"].speaks(Era.HANDSHAKE)
                assert servers["a"].status.protocol_version == "2026-07-28"
                assert servers["a"].status.server_info == {"name": "raw", "version": "1"}
                reply = await servers["a"].request(
                    "tools/call", {"name": "headers", "arguments": {"region": "süd"}}, client_capabilities={"x": {}}
                )
                sent = json.loads(result(reply)["content"][0]["text"])
                assert sent["mcp-protocol-version"] == "2026-07-28"
                assert sent["mcp-method"] == "tools/call"
                assert sent["mcp-name"] == "headers"
                assert sent["mcp-param-region"] == "=?base64?c8O8ZA==?="
                long = {"name": "headers", "arguments": {"text": "x" * 300_000, "region": "eu"}}
                assert (
                    json.loads(result(await servers["a"].request("tools/call", long))["content"][0]["text"])[
                        "mcp-param-region"
                    ]
                    == "eu"
                )
                meta = record.received("tools/call")[0]["params"]["_meta"]
                assert meta["io.modelcontextprotocol/clientCapabilities"] == {"x": {}}
                # changes come through subscriptions/listen
                await asyncio.to_thread(wait_for_listen, record)
                server.control("change")
                await servers.events.until(lambda: len(servers.events.lists) == 2)
                # closing the request is its cancellation
                call = asyncio.ensure_future(servers.raw_call("a", "hang"))
                await asyncio.to_thread(record.wait_for, "call", tool="hang")
                call.cancel()
                await asyncio.to_thread(record.wait_for, "closed")
                assert not record.received("notifications/cancelled")

    run(work())


def wait_for_listen(record: Record, count: int = 1) -> list[dict[str, Any]]:
    wait_until(lambda: len(record.received("subscriptions/listen")) >= count)
    return record.received("subscriptions/listen")


@pytest.mark.parametrize("kind", ["stdio", "http"])
def test_modern_subscriptions_and_changes(home: Home, tmp_path: Path, kind: str) -> None:
    path, record = tmp_path / "control", Record(tmp_path / "record")
    later = [[{"name": "one"}], [{"name": "two"}]]
    scenario: dict[str, Any] = {"era": "modern", "later": later, "control": str(path), "record": str(record.path)}

    async def work() -> None:
        server: AbstractContextManager[Any] = http_server(**scenario) if kind == "http" else stdio_server(**scenario)
        with server as raw:
            server_entry: dict[str, Any] = entry(raw.url) if kind == "http" else raw
            async with running(home, {"a": server_entry}) as servers:
                await servers.ready("a")
                await asyncio.to_thread(wait_for_listen, record)
                reply = await servers["a"].request("resources/subscribe", {"uri": "test://one"})
                assert reply == Reply(b"{}")
                listens = await asyncio.to_thread(wait_for_listen, record, 2)
                assert listens[1]["params"]["notifications"] == {
                    "toolsListChanged": True,
                    "promptsListChanged": True,
                    "resourcesListChanged": True,
                    "resourceSubscriptions": ["test://one"],
                }
                # the old stream is over, and what changed in between is read
                await servers.events.until(lambda: len(servers.events.lists) >= 2)
                control(path, "change")
                await servers.events.until(lambda: servers.events.lists[-1][1].tools[0]["name"] == "one")
                assert not record.received("resources/subscribe")
                assert await servers["a"].request("resources/unsubscribe", {"uri": "test://one"}) == Reply(b"{}")
                listens = await asyncio.to_thread(wait_for_listen, record, 3)
                assert "resourceSubscriptions" not in listens[2]["params"]["notifications"]

    run(work())


@contextmanager
def stdio_server(**scenario: Any) -> Iterator[Any]:
    yield raw_server_entry(**scenario)


def test_modern_over_stdio(home: Home, record: Record) -> None:
    async def work() -> None:
        async with running(home, {"a": raw_server_entry(era="modern", record=str(record.path))}) as servers:
            await servers.ready("a")
            assert servers["a"].speaks(Era.MODERN)
            params = (
                b'{"name":"echo","arguments":{"n":1.0},"_meta":{"io.modelcontextprotocol/clientInfo":{"name":"c"}}}'
            )
            echoed = result(await servers["a"].request("tools/call", params))["content"][0]["text"]
            meta = json.loads(echoed)["_meta"]
            assert meta["io.modelcontextprotocol/clientInfo"] == {"name": "c"}  # the client's own stays
            assert meta["io.modelcontextprotocol/protocolVersion"] == "2026-07-28"
            assert meta["io.modelcontextprotocol/clientCapabilities"] == {}
            assert '"arguments":{"n":1.0}' in echoed
            # an old server's questions become results
            asked = await servers.call("a", "ask", method="roots/list")
            assert asked["resultType"] == "input_required"
            with pytest.raises(TransportClosed):
                await servers.raw_call("a", "crash")
            await servers.until_state("a", ServerState.RECONNECTING)
            await servers.ready("a")
            assert servers["a"].speaks(Era.MODERN)
        assert len(record.received("server/discover")) == 2

    run(work())
