"""A client that the user keeps in the handshake era, as it hears of no change in the modern one."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.proxy.live import ModernClient
from tests.proxy.running import TOOLSET, Running, raw_server, running
from toolnote_desktop.model.clients import hash_token
from toolnote_desktop.model.edits import CLIENT_ENTRIES, CLIENTS, PutEntry
from toolnote_desktop.paths import Home

TOKEN = "token-of-its-own-for-this-client"


@pytest.fixture
def proxy(home: Home) -> Iterator[Running]:
    with running(home, {"raw": raw_server()}) as proxy:
        yield proxy


def keep(proxy: Running, **fields: str) -> None:
    entry = {"name": "P", "toolset": TOOLSET, "tokenHash": hash_token(TOKEN), **fields}
    proxy.library.submit(PutEntry(CLIENTS, CLIENT_ENTRIES, "pydantic-ai", entry))


def version_of(proxy: Running) -> str | None:
    async def connect() -> str | None:
        async with (
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}) as http,
            Client(streamable_http_client(proxy.endpoint.url, http_client=http), mode="auto") as client,
        ):
            assert "raw_echo" in [one.name for one in (await client.list_tools()).tools]
            return client.protocol_version

    return asyncio.run(connect())


def test_python_sdk_falls_back_to_the_handshake_era(proxy: Running) -> None:
    """Red without ``_handshake_only``: the SDK then stays in the modern era."""
    keep(proxy)
    assert version_of(proxy) == "2026-07-28"
    keep(proxy, era="handshake")
    assert version_of(proxy) == "2025-11-25"


def test_other_clients_keep_their_era(proxy: Running) -> None:
    keep(proxy, era="handshake")
    refused = ModernClient(proxy.endpoint.url, TOKEN).request("tools/list")
    assert refused.status == 400
    assert refused.last["error"]["code"] == -32022
    assert refused.last["error"]["data"]["supported"][-1] == "2025-11-25"
    assert ModernClient(proxy.endpoint.url, proxy.endpoint.token).request("tools/list").result["tools"]
