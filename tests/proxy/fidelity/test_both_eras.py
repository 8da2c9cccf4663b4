"""Servers that speak both eras: nothing of either is lost, and nothing is asked twice."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.proxy.live import ModernClient, live_call, live_stream, reply
from tests.proxy.raw_client import RawClient
from tests.proxy.running import TOOLSET, Running, raw_server, running
from tests.servers.launch import Record, http_server
from toolnote_desktop.paths import Home

SDK_SERVER = Path(__file__).parents[2] / "servers" / "conformance_server.py"
VERSION_KEY = "io.modelcontextprotocol/protocolVersion"


@pytest.fixture
def record(user_folder: Path) -> Record:
    return Record(user_folder / "record.jsonl")


@contextmanager
def proxy_before(kind: str, home: Home, **scenario: Any) -> Iterator[Running]:
    """In front of a server that speaks both eras on one connection."""
    if kind == "stdio":
        with running(home, {"raw": raw_server(**scenario)}) as proxy:
            yield proxy
        return
    with http_server(**scenario, http={"checkHeaders": True}) as server:
        entry = {"type": "http", "url": server.url, "toolnote": {"toolset": TOOLSET}}
        with running(home, {"raw": entry}) as proxy:
            yield proxy


@pytest.mark.parametrize("kind", ["stdio", "http"])
def test_clients_are_asked_in_their_own_era(home: Home, record: Record, kind: str) -> None:
    with proxy_before(kind, home, record=str(record.path)) as proxy:
        modern = ModernClient(proxy.endpoint.url, proxy.endpoint.token, {"roots": {}})
        old = proxy.client()
        old.initialize(capabilities={"roots": {}})
        asked = modern.call("raw_ask", {"method": "roots/list", "params": {}}).result
        assert asked["requestState"] == "state-1"  # the server's own: nothing was bridged
        call = live_call(old, "raw_ask", {"method": "roots/list", "params": {}})
        reply(old, call.wait("roots/list")[0], {"roots": []})
        call.result()
        versions = [one["params"].get("_meta", {}).get(VERSION_KEY) for one in record.received("tools/call")]
        assert versions == ["2026-07-28", None]


@pytest.mark.parametrize("kind", ["stdio", "http"])
def test_subscriptions_are_made_in_the_era_of_the_client(home: Home, record: Record, kind: str) -> None:
    with proxy_before(kind, home, record=str(record.path)) as proxy:
        modern = ModernClient(proxy.endpoint.url, proxy.endpoint.token)
        old = proxy.client()
        old.initialize()
        stream = live_stream(old)
        with_modern = modern.listen(resourceSubscriptions=["test://one"])
        assert any(
            one["params"]["notifications"].get("resourceSubscriptions") == ["test://one"]
            for one in record.received("subscriptions/listen")
        )
        assert old.post({"jsonrpc": "2.0", "id": 9, "method": "resources/subscribe", "params": {"uri": "test://one"}})
        assert len(record.received("resources/subscribe")) == 1
        update = {"method": "notifications/resources/updated", "params": {"uri": "test://one"}}
        assert "error" not in old.call("raw_notify", update).last
        assert stream.wait("notifications/resources/updated")[0]["params"]["uri"] == "test://one"
        assert with_modern.wait("notifications/resources/updated")[0]["params"]["uri"] == "test://one"
        stream.close()
        with_modern.close()


def test_change_by_a_call_of_an_era_is_announced_in_the_other(home: Home) -> None:
    """The SDK tells only the streams of the era in which a tool was called that its list has changed."""
    import subprocess

    with subprocess.Popen(
        [sys.executable, str(SDK_SERVER), "--http"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        try:
            assert process.stdout is not None
            url = json.loads(process.stdout.readline())["url"]
            with running(home, {"sdk": {"url": url, "type": "http", "toolnote": {"toolset": TOOLSET}}}) as proxy:
                old = proxy.client()
                old.initialize()
                stream = live_stream(old)
                modern = ModernClient(proxy.endpoint.url, proxy.endpoint.token)
                clients: tuple[ModernClient | RawClient, ...] = (modern, old)
                for number, client in enumerate(clients, 1):
                    assert "result" in client.call("sdk_test_trigger_tool_change").last
                    stream.wait("notifications/tools/list_changed", number)
                stream.close()
        finally:
            process.kill()
