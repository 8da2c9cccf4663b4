"""The SDK's own streamable HTTP server on uvicorn, both eras; prints ``{"url", "pid"}`` on one line."""

from __future__ import annotations

import asyncio
import json
import os
import socket
from typing import Any

import uvicorn
from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.lowlevel.server import NotificationOptions
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ToolsListChanged

SCHEMA: dict[str, Any] = {"type": "object", "properties": {}}
NAMES = ("echo", "steps", "ask", "change", "wait")

bus = InMemorySubscriptionBus()
cancelled: list[str] = []


class TestServer(Server[Any]):
    """Says that it sends change notices, in the handshake era too."""

    def create_initialization_options(self, *args: Any, **kwargs: Any) -> Any:
        return super().create_initialization_options(NotificationOptions(tools_changed=True), **kwargs)


async def list_tools(context: Any, params: Any) -> types.ListToolsResult:
    return types.ListToolsResult(tools=[types.Tool(name=name, input_schema=SCHEMA) for name in NAMES])


async def call_tool(context: Any, params: Any) -> types.CallToolResult | types.InputRequiredResult:
    text = json.dumps(params.arguments or {})
    if params.name == "steps":
        for step in (1, 2, 3):
            await context.session.report_progress(step, 3)
    elif params.name == "change":
        await bus.publish(ToolsListChanged())
        await context.session.send_tool_list_changed()
    elif params.name == "ask":
        if context.protocol_version == "2026-07-28":
            if not params.input_responses:
                return types.InputRequiredResult(
                    input_requests={"roots": types.ListRootsRequest(params=types.RequestParams())}
                )
            text = "answered"
        else:
            roots = await context.session.list_roots()
            text = str(roots.roots[0].uri)
    elif params.name == "wait":
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            cancelled.append("wait")
            raise
    elif params.name == "echo":
        text = json.dumps({"arguments": params.arguments, "cancelled": cancelled})
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)])


async def main() -> None:
    server = TestServer(
        "sdk",
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_subscriptions_listen=ListenHandler(bus),
        get_tool_input_schema=lambda name: SCHEMA,
    )
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    address = f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
    config = uvicorn.Config(server.streamable_http_app(), log_level="error", access_log=False)
    print(json.dumps({"url": address, "pid": os.getpid()}), flush=True)
    await uvicorn.Server(config).serve(sockets=[listener])


if __name__ == "__main__":
    asyncio.run(main())
