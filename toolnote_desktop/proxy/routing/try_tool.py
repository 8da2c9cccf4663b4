"""Tool calls made from the window, routed like those of a client."""

from __future__ import annotations

import asyncio
import time
from typing import Final

from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.names import ToolKey
from toolnote_desktop.proxy.events import ToolAnswer
from toolnote_desktop.proxy.in_flight import error_reply
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.proxy.protocol import METHOD_NOT_FOUND
from toolnote_desktop.proxy.routing.forward import Forwarder
from toolnote_desktop.proxy.transports.base import Reply

_PERSON: Final = Principal(None)


class WindowCaller:
    """Caller for tool calls of the window; has no form for requests that a server makes during a call."""

    principal = _PERSON
    client: str | None = None
    modern = False
    log_level: str | None = None

    def __init__(self) -> None:
        self.conversation: object = self
        self.size = 0
        self.capabilities: JsonObject = {}

    def notify(self, method: str, params: bytes | None) -> None:
        """Ignore progress and log messages (see ``Caller``)."""

    async def request(self, method: str, params: bytes | None) -> Reply:
        """Refuse a request of the server (see ``Caller``)."""
        return error_reply(METHOD_NOT_FOUND, f"{method}: the window answers no requests")


class ToolTrials:
    """Tool calls of the window. Belongs to the proxy's event loop."""

    def __init__(self, forwarder: Forwarder) -> None:
        self._forwarder = forwarder
        self._running: set[asyncio.Task[Reply]] = set()

    async def call_tool(self, key: ToolKey, arguments: JsonObject) -> ToolAnswer:
        """Call a tool and return its answer. Cancelling sends ``notifications/cancelled`` to its server."""
        server, tool = key
        started = time.monotonic()
        params: JsonObject = {"name": tool, "arguments": arguments}
        task = asyncio.ensure_future(self._forwarder.call_tool(server, tool, params, WindowCaller()))
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        reply = await task
        return ToolAnswer(reply.result, reply.error, time.monotonic() - started)

    async def close(self) -> None:
        """Cancel the calls that are running."""
        tasks = list(self._running)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
