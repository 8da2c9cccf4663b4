#!/usr/bin/env python3
"""A server on the SDK over pipes with one resource, ``test://one``. Its tools: ``touch`` says that the resource has
changed, to those who want to hear it in the process's own era; ``level`` gives the log level that it was told."""

from __future__ import annotations

from typing import Any

import anyio
from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourceUpdated
from mcp.types.version import MODERN_PROTOCOL_VERSIONS

URI = "test://one"
NOTHING: dict[str, Any] = {"type": "object"}

_bus = InMemorySubscriptionBus()
_levels = ["none"]


async def _tools(context: Any, params: Any) -> types.ListToolsResult:
    return types.ListToolsResult(tools=[types.Tool(name=name, input_schema=NOTHING) for name in ("touch", "level")])


async def _resources(context: Any, params: Any) -> types.ListResourcesResult:
    return types.ListResourcesResult(resources=[types.Resource(uri=URI, name="one")])


async def _read(context: Any, params: Any) -> types.ReadResourceResult:
    return types.ReadResourceResult(contents=[types.TextResourceContents(uri=URI, text="one")])


async def _call(context: Any, params: Any) -> types.CallToolResult:
    if params.name == "touch":
        if context.protocol_version in MODERN_PROTOCOL_VERSIONS:
            await _bus.publish(ResourceUpdated(uri=URI))
        else:
            await context.session.send_resource_updated(URI)
    return types.CallToolResult(content=[types.TextContent(type="text", text=_levels[-1])])


async def _set_level(context: Any, params: Any) -> types.EmptyResult:
    _levels.append(params.level)
    return types.EmptyResult()


async def _taken(context: Any, params: Any) -> types.EmptyResult:
    return types.EmptyResult()


async def _main() -> None:
    server: Server[Any] = Server(
        "updating",
        on_list_tools=_tools,
        on_call_tool=_call,
        on_list_resources=_resources,
        on_read_resource=_read,
        on_subscribe_resource=_taken,
        on_unsubscribe_resource=_taken,
        on_set_logging_level=_set_level,
        on_subscriptions_listen=ListenHandler(_bus),
        get_tool_input_schema=lambda name: NOTHING,
    )
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


if __name__ == "__main__":
    anyio.run(_main)
