"""Harness for real servers under supervision, with waits for their events."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from toolnote_desktop.model.servers import Server, ServerState, ServerStatus
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.transports.base import Reply
from toolnote_desktop.proxy.transports.child_process import ProcessTimeouts
from toolnote_desktop.proxy.upstream.list_reader import Listed
from toolnote_desktop.proxy.upstream.liveness import ConnectionTimeouts
from toolnote_desktop.proxy.upstream.retry_policy import Timeouts
from toolnote_desktop.proxy.upstream.server import Upstream
from toolnote_desktop.proxy.upstream.servers import EraMemory, UpstreamOptions, Upstreams
from toolnote_desktop.store.secrets.store import SecretStore
from toolnote_desktop.system import current

Result = TypeVar("Result")

PATIENCE = 30.0
"""Seconds to wait for what must happen; a test that works never waits so long."""

QUICK = Timeouts(
    first_delay=0.05, max_delay=0.3, retry_on_demand_after=0.0, connection=ConnectionTimeouts(reopen_delay=0.05)
)


def run(work: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine on a loop of its own."""
    with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
        return runner.run(work)


class Events:
    """What the servers told, and waiting for it."""

    def __init__(self) -> None:
        self.statuses: list[tuple[str, ServerStatus]] = []
        self.lists: list[tuple[str, Listed]] = []
        self.notifications: list[tuple[str, str, Any]] = []
        self.requests: list[tuple[str, str, Any]] = []
        self.answer: Callable[[str, Any], Coroutine[Any, Any, Reply]] | None = None
        self._waiting: list[tuple[Callable[[], bool], asyncio.Future[None]]] = []

    def status_changed(self, server: str, status: ServerStatus) -> None:
        self.statuses.append((server, status))
        self._look()

    async def listed(self, server: str, listed: Listed) -> None:
        self.lists.append((server, listed))
        self._look()

    def notification(self, server: str, method: str, params: bytes | None) -> None:
        self.notifications.append((server, method, json.loads(params) if params else None))
        self._look()

    async def server_request(self, server: str, method: str, params: bytes | None) -> Reply:
        read = json.loads(params) if params else None
        self.requests.append((server, method, read))
        self._look()
        assert self.answer is not None, "this test expects no question"
        return await self.answer(method, read)

    def _look(self) -> None:
        for condition, future in list(self._waiting):
            if not future.done() and condition():
                future.set_result(None)

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until something that happened makes the condition true."""
        if condition():
            return
        future = asyncio.get_running_loop().create_future()
        self._waiting.append((condition, future))
        try:
            async with asyncio.timeout(PATIENCE):
                await future
        except TimeoutError:
            raise AssertionError(f"it never happened; statuses: {self.statuses}") from None
        finally:
            self._waiting.remove((condition, future))

    def states(self, server: str) -> list[ServerState]:
        """The states that a server has been in, in order."""
        return [status.state for name, status in self.statuses if name == server]


class Running:
    """Servers under supervision."""

    def __init__(self, upstreams: Upstreams, events: Events) -> None:
        self.upstreams = upstreams
        self.events = events

    def __getitem__(self, server: str) -> Upstream:
        found = self.upstreams.get(server)
        assert found is not None, f"there is no {server}"
        return found

    async def until_state(self, server: str, *states: ServerState) -> ServerStatus:
        """Wait until a server is in one of these states."""
        await self.events.until(lambda: self._is_in(server, states))
        return self[server].status

    def _is_in(self, server: str, states: tuple[ServerState, ...]) -> bool:
        found = self.upstreams.get(server)
        return found is not None and found.status.state in states

    async def ready(self, *servers: str) -> None:
        """Wait until these servers are ready."""
        for server in servers:
            await self.until_state(server, ServerState.READY)

    async def call(self, server: str, tool: str, /, **arguments: Any) -> Any:
        """The decoded result of a tool call."""
        return result(await self.raw_call(server, tool, **arguments))

    async def raw_call(self, server: str, tool: str, /, **arguments: Any) -> Reply:
        """The reply of a tool call."""
        return await self[server].request("tools/call", {"name": tool, "arguments": arguments})

    async def text(self, server: str, tool: str, /, **arguments: Any) -> str:
        """The text of a tool's result."""
        return str((await self.call(server, tool, **arguments))["content"][0]["text"])


def result(reply: Reply) -> Any:
    """A decoded result."""
    assert reply.error is None, reply.error
    assert reply.result is not None
    return json.loads(reply.result)


def entry(raw: dict[str, Any]) -> Server:
    """An entry of servers.json, read."""
    return Server.read(raw)


@asynccontextmanager
async def running(
    home: Home,
    servers: dict[str, dict[str, Any]],
    *,
    timeouts: Timeouts = QUICK,
    process_timeouts: ProcessTimeouts | None = None,
    secrets: SecretStore | None = None,
    eras: EraMemory | None = None,
    **options: Any,
) -> AsyncIterator[Running]:
    """Supervise servers for as long as the block lasts; then nothing of them may be left."""
    events = Events()
    chosen = UpstreamOptions(timeouts=timeouts, process_timeouts=process_timeouts or ProcessTimeouts(), **options)
    upstreams = Upstreams(events, home=home, platform=current(), secrets=secrets, eras=eras, options=chosen)
    upstreams.apply({server: entry(raw) for server, raw in servers.items()})
    owner = asyncio.ensure_future(upstreams.run())
    try:
        await events.until(lambda: len({name for name, _ in events.statuses}) == len(servers))
        yield Running(upstreams, events)
        assert not owner.done(), owner
    finally:
        owner.cancel()
        await asyncio.wait((owner,))
        if not owner.cancelled():
            owner.result()
