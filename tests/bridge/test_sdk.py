"""The SDK's own client through the bridge to the SDK's own server: what a client in the field sees."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from mcp import Client, StdioServerParameters
from mcp import types as mcp_types

from toolnote_desktop.paths import Home

SDK_SERVER = Path(__file__).with_name("sdk_server.py")
MODES = ["legacy", "auto", "2026-07-28"]


@pytest.fixture
def parameters(home: Home) -> Iterator[StdioServerParameters]:
    """How to start a bridge to a running SDK server."""
    with subprocess.Popen(
        [sys.executable, str(SDK_SERVER)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        try:
            ready = json.loads(process.stdout.readline())
            content = {
                "url": ready["url"],
                "pid": ready["pid"],
                "startTime": psutil.Process(ready["pid"]).create_time(),
                "version": "1",
                "bridgeSecret": "any",
            }
            home.run.mkdir(parents=True)
            home.endpoint.write_text(json.dumps(content), encoding="utf-8")
            arguments = ["-m", "toolnote_desktop", "bridge", "--home", str(home.root)]
            yield StdioServerParameters(command=sys.executable, args=arguments, env=dict(os.environ))
        finally:
            process.kill()


async def roots(context: Any) -> mcp_types.ListRootsResult:
    return mcp_types.ListRootsResult(roots=[mcp_types.Root.model_validate({"uri": "file:///place"})])


def text_of(result: Any) -> str:
    text: str = result.content[0].text
    return text


@pytest.mark.parametrize("mode", MODES)
def test_lists_calls_progress_and_questions(parameters: StdioServerParameters, mode: str) -> None:
    async def scenario() -> None:
        async with Client(parameters, mode=mode, list_roots_callback=roots) as client:
            assert client.protocol_version == ("2025-11-25" if mode == "legacy" else "2026-07-28")
            assert len((await client.list_tools()).tools) == 5
            seen: list[float] = []

            async def on_progress(progress: float, total: float | None, message: str | None) -> None:
                seen.append(progress)

            await client.call_tool("steps", {}, progress_callback=on_progress)
            assert seen == [1, 2, 3]
            asked = text_of(await client.call_tool("ask", {}))
            assert asked == ("file:///place" if mode == "legacy" else "answered")
            answers = await asyncio.gather(*(client.call_tool("echo", {"n": n}) for n in range(40)))
            assert [json.loads(text_of(answer))["arguments"]["n"] for answer in answers] == list(range(40))

    asyncio.run(scenario())


def test_change_notices_of_the_handshake_era(parameters: StdioServerParameters) -> None:
    async def scenario() -> None:
        told = asyncio.Event()

        async def on_message(message: Any) -> None:
            if isinstance(message, mcp_types.ToolListChangedNotification):
                told.set()

        async with Client(parameters, mode="legacy", message_handler=on_message) as client:
            while not told.is_set():  # the stream is opened beside the first calls
                await client.call_tool("change", {})

    asyncio.run(asyncio.wait_for(scenario(), 60))


def test_change_notices_of_the_modern_era(parameters: StdioServerParameters) -> None:
    async def scenario() -> None:
        async with Client(parameters, mode="auto") as client, client.listen(tools_list_changed=True) as events:
            await client.call_tool("change", {})
            async for _ in events:
                return

    asyncio.run(asyncio.wait_for(scenario(), 60))


@pytest.mark.parametrize("mode", MODES)
def test_a_cancelled_call_ends_on_the_server(parameters: StdioServerParameters, mode: str) -> None:
    async def scenario() -> None:
        async with Client(parameters, mode=mode) as client:
            call = asyncio.ensure_future(client.call_tool("wait", {}))
            await client.call_tool("echo", {})
            call.cancel()
            await asyncio.wait([call])
            while json.loads(text_of(await client.call_tool("echo", {})))["cancelled"] != ["wait"]:
                pass

    asyncio.run(asyncio.wait_for(scenario(), 60))
