#!/usr/bin/env python3
"""The server that the conformance suite is run against, on the SDK: ``conformance_server.py [--http] [--modern]``.

Over stdio, or streamable HTTP on a free port (then it prints ``{"url": …, "pid": …}`` when it listens). Both eras;
with ``--modern`` it refuses the handshake, as a server of 2026-07-28 alone does.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys
import warnings
from collections.abc import Awaitable, Callable
from typing import Any

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

import anyio
from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.lowlevel.server import NotificationOptions
from mcp.server.stdio import stdio_server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, PromptsListChanged, ToolsListChanged
from mcp.shared.exceptions import MCPDeprecationWarning, MCPError
from mcp.shared.message import SessionMessage
from mcp.types.version import MODERN_PROTOCOL_VERSIONS

from tests.servers import conformance_content as content
from tests.servers.conformance_content import Asked, Json, Questions, Refusal, result, text

warnings.simplefilter("ignore", MCPDeprecationWarning)  # logging, sampling and roots are deprecated, and tested here

_ROUNDS = 5


class ConformanceServer:
    """The lists, which can grow, and the answers."""

    def __init__(self) -> None:
        self._bus = InMemorySubscriptionBus()
        self._tools = [*content.TOOLS, *self._talking_tools()]
        self._prompts = list(content.PROMPTS)

    def server(self) -> Server[Any]:
        """The SDK's server of it."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", MCPDeprecationWarning)
            server = _Announcing(
                "conformance",
                version="1",
                on_list_tools=_in_era(self._list_tools),
                on_call_tool=_in_era(self._call_tool),
                on_list_prompts=_in_era(self._list_prompts),
                on_get_prompt=_in_era(self._get_prompt),
                on_list_resources=_in_era(self._list_resources),
                on_list_resource_templates=_in_era(self._list_templates),
                on_read_resource=_in_era(self._read_resource),
                on_subscribe_resource=_nothing,
                on_unsubscribe_resource=_nothing,
                on_completion=_in_era(self._complete),
                on_set_logging_level=_nothing,
                on_subscriptions_listen=ListenHandler(self._bus),
                get_tool_input_schema=content.SCHEMAS.get,
            )
        server.middleware[:] = [self._answer_raw]
        return server

    async def _answer_raw(self, ctx: Any, call_next: Any) -> Any:
        """Errors with any code."""
        try:
            return await call_next(ctx)
        except Refusal as error:
            raise MCPError(code=error.code, message=error.message, data=error.data) from error

    # Lists.

    async def _list_tools(self, context: Any, params: Any) -> Json:
        return {"tools": [content.tool_definition(name) for name in self._tools]}

    async def _list_prompts(self, context: Any, params: Any) -> Json:
        return {"prompts": self._prompts}

    async def _list_resources(self, context: Any, params: Any) -> Json:
        return {"resources": content.RESOURCES}

    async def _list_templates(self, context: Any, params: Any) -> Json:
        return {"resourceTemplates": content.TEMPLATES}

    async def _read_resource(self, context: Any, params: Any) -> Json:
        return content.read(str(params.uri))

    async def _complete(self, context: Any, params: Any) -> Json:
        return {"completion": {"values": [], "total": 0, "hasMore": False}}

    # Tools and prompts.

    async def _call_tool(self, context: Any, params: Any) -> Any:
        talking = self._talking_tools().get(params.name)
        if talking is not None:
            return await talking(context)
        tool = content.TOOLS.get(params.name)
        if tool is None:
            raise Refusal(-32602, f"Unknown tool: {params.name}")
        return await _answered(tool, context)

    async def _get_prompt(self, context: Any, params: Any) -> Any:
        return await _answered(lambda asked: content.prompt(params.name, asked), context)

    def _talking_tools(self) -> dict[str, Callable[[Any], Awaitable[Json]]]:
        return {
            "test_tool_with_logging": _log,
            "test_logging_tool": _log,
            "test_tool_with_progress": _progress,
            "test_reconnection": _reconnect,
            "test_trigger_tool_change": self._change_tools,
            "test_trigger_prompt_change": self._change_prompts,
        }

    async def _change_tools(self, context: Any) -> Json:
        self._tools.append(f"test_changed_{len(self._tools)}")
        if _is_modern(context):
            await self._bus.publish(ToolsListChanged())
        else:
            await context.session.send_tool_list_changed()
        return result(text("The list of tools has changed"))

    async def _change_prompts(self, context: Any) -> Json:
        self._prompts.append({"name": f"test_changed_{len(self._prompts)}", "description": "A new one."})
        if _is_modern(context):
            await self._bus.publish(PromptsListChanged())
        else:
            await context.session.send_prompt_list_changed()
        return result(text("The list of prompts has changed"))


class _Announcing(Server[Any]):
    """Says that its lists may change, in the handshake era too."""

    def create_initialization_options(
        self, notification_options: NotificationOptions | None = None, *args: Any, **options: Any
    ) -> Any:
        every = NotificationOptions(prompts_changed=True, resources_changed=True, tools_changed=True)
        return super().create_initialization_options(notification_options or every, *args, **options)


def _is_modern(context: Any) -> bool:
    return context.protocol_version in MODERN_PROTOCOL_VERSIONS


def _in_era(answer: Callable[[Any, Any], Awaitable[Json]]) -> Any:
    """The modern era wants to be told what kind of result it is, and for how long it holds."""

    async def marked(context: Any, params: Any) -> Json:
        given = await answer(context, params)
        if not _is_modern(context):
            return given
        holds = {} if "content" in given or "messages" in given else {"ttlMs": 0, "cacheScope": "private"}
        return {"resultType": "complete", **holds, **given}

    return marked


async def _nothing(context: Any, params: Any) -> Any:
    return {}


async def _answered(work: Callable[[Asked], Any], context: Any) -> Json:
    """Return the result of ``work`` once its questions are answered: as results of the modern era, else as requests."""
    params = context.params or {}
    arguments = params.get("arguments") or {}
    declared = context.session.client_capabilities
    capabilities = declared.model_dump(by_alias=True, exclude_none=True) if declared is not None else {}
    if _is_modern(context):
        answers = params.get("inputResponses")
        given = answers if isinstance(answers, dict) else {}
        outcome = work(Asked(arguments, capabilities, given, params.get("requestState"), modern=True))
        return _wire(outcome) if isinstance(outcome, Questions) else outcome
    answers, state = {}, None
    for _ in range(_ROUNDS):
        outcome = work(Asked(arguments, capabilities, answers, state, modern=False))
        if not isinstance(outcome, Questions):
            return outcome  # type: ignore[no-any-return]
        keys = list(outcome.requests)
        found = await asyncio.gather(*(_ask(context, outcome.requests[key]) for key in keys))
        answers, state = dict(zip(keys, found, strict=True)), outcome.state
    raise Refusal(-32603, "The questions do not end")


async def _ask(context: Any, request: Json) -> Json:
    answer: Json = await context.session._request_outbound.send_raw_request(request["method"], request["params"])
    return answer


def _wire(questions: Questions) -> Json:
    wire: Json = {"resultType": "input_required", "inputRequests": dict(questions.requests)}
    return wire if questions.state is None else {**wire, "requestState": questions.state}


async def _log(context: Any) -> Json:
    for message in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        await context.session.send_log_message("info", message, related_request_id=context.request_id)
        await asyncio.sleep(0.05)  # the suite wants them apart
    return result(text("Logged three times"))


async def _progress(context: Any) -> Json:
    for progress in (0, 50, 100):
        await context.session.report_progress(progress, 100)
        await asyncio.sleep(0.05)
    return result(text("Reported three times"))


async def _reconnect(context: Any) -> Json:
    if context.close_sse_stream is not None:
        await context.close_sse_stream()
    return result(text("Reconnection test completed successfully"))


async def serve_http(server: Server[Any]) -> None:
    """Until the process is ended."""
    import uvicorn

    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.bind(("127.0.0.1", 0))
    listening.listen(128)
    config = uvicorn.Config(server.streamable_http_app(), log_level="error", access_log=False)
    url = f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
    print(json.dumps({"url": url, "pid": os.getpid()}), flush=True)
    await uvicorn.Server(config).serve(sockets=[listening])


async def serve_stdio(server: Server[Any], *, modern_only: bool) -> None:
    """Until stdin ends."""
    async with stdio_server() as (read, write):
        if modern_only:
            async with _Refusing(read, write) as filtered:
                await server.run(filtered, write, server.create_initialization_options())
        else:
            await server.run(read, write, server.create_initialization_options())


class _Refusing:
    """Yield the incoming messages; refuse ``initialize``, which would put the SDK into the handshake era."""

    def __init__(self, read: Any, write: Any) -> None:
        self._read = read
        self._write = write

    async def __aenter__(self) -> Any:
        self._send, receive = anyio.create_memory_object_stream[Any](0)
        self._task = asyncio.ensure_future(self._filter())
        return receive

    async def __aexit__(self, *error: object) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _filter(self) -> None:
        async with self._send:
            async for message in self._read:
                request: Any = getattr(message, "message", None)
                if getattr(request, "method", None) != "initialize":
                    await self._send.send(message)
                    continue
                error = types.ErrorData(code=types.METHOD_NOT_FOUND, message="Method not found")
                refusal = types.JSONRPCError(jsonrpc="2.0", id=request.id, error=error)
                await self._write.send(SessionMessage(refusal))


if __name__ == "__main__":
    made = ConformanceServer().server()
    asyncio.run(serve_http(made) if "--http" in sys.argv else serve_stdio(made, modern_only="--modern" in sys.argv))
