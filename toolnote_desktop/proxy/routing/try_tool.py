"""A person at the window tries a tool: one call like a client's, whose answer comes back as an event."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.names import ToolKey
from toolnote_desktop.proxy.events import ToolTried
from toolnote_desktop.proxy.in_flight import refusal
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.proxy.protocol import METHOD_NOT_FOUND
from toolnote_desktop.proxy.routing.forward import Forwarder
from toolnote_desktop.proxy.transports.base import Reply

_PERSON: Final = Principal(None)


class WindowCaller:
    """Who tries. A server cannot ask them anything in the middle of a call: the window has no form for that."""

    principal = _PERSON
    client: str | None = None
    modern = False
    log_level: str | None = None

    def __init__(self) -> None:
        self.conversation: object = self
        self.capabilities: JsonObject = {}

    def tell(self, method: str, params: bytes | None) -> None:
        """See ``Caller``: progress and log lines are not shown."""

    async def ask(self, method: str, params: bytes | None) -> Reply:
        """See ``Caller``."""
        return refusal(METHOD_NOT_FOUND, f"{method}: nobody can be asked")


class ToolTrials:
    """The calls that a person has under way, by a number that the window gives. For the proxy's loop."""

    def __init__(self, forwarder: Forwarder, told: Callable[[ToolTried], None]) -> None:
        self._forwarder = forwarder
        self._told = told
        self._running: dict[int, asyncio.Task[None]] = {}

    def start(self, ticket: int, key: ToolKey, arguments: JsonObject) -> None:
        """Call a tool; ``ToolTried`` tells the answer."""
        task = asyncio.get_running_loop().create_task(self._call(ticket, key, arguments), name=f"trial {ticket}")
        self._running[ticket] = task
        task.add_done_callback(lambda _task: self._running.pop(ticket, None))

    def give_up(self, ticket: int) -> None:
        """Nobody waits for it any more: its server is told so."""
        if (task := self._running.get(ticket)) is not None:
            task.cancel()

    async def _call(self, ticket: int, key: ToolKey, arguments: JsonObject) -> None:
        server, tool = key
        started = time.monotonic()
        reply = await self._forwarder.call_tool(server, tool, {"name": tool, "arguments": arguments}, WindowCaller())
        self._told(ToolTried(ticket, reply.result, reply.error, time.monotonic() - started))

    async def close(self) -> None:
        """Give up everything."""
        tasks = list(self._running.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
