"""Calls that wait for their clients: how many may, and how long. The parts of the SDK that we need."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine
from typing import Any

from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.proxy.in_flight import CallInFlight, ConnectionKey
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.proxy.routing.era_bridge import Identity, SuspendedCalls
from toolnote_desktop.proxy.transports.base import Reply

ONE = Principal("one")


class Nobody:
    """A caller of the modern era."""

    modern = True
    client: str | None = "one"
    principal = ONE
    log_level: str | None = None
    capabilities: JsonObject = {"roots": {}}  # noqa: RUF012  # never changed

    def __init__(self) -> None:
        self.conversation: object = self
        self.size = 0

    def notify(self, method: str, params: bytes | None) -> None:
        """Nothing is told here."""

    async def request(self, method: str, params: bytes | None) -> Reply:
        raise AssertionError("a client of the modern era is not asked")


class Server:
    """What a server does with one call: asks for the roots, and says what it was answered."""

    def __init__(self) -> None:
        self.call = CallInFlight(ConnectionKey("s"), "token", None, Nobody(), None)
        self.cancelled = asyncio.Event()

    async def work(self) -> Reply:
        try:
            assert self.call.request is not None
            return await self.call.request("roots/list", None)
        except asyncio.CancelledError:
            self.cancelled.set()
            raise


def run(work: Coroutine[Any, Any, None]) -> None:
    with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
        runner.run(work)


def identity(principal: Principal = ONE, name: str = "t") -> Identity:
    return Identity(principal, "s", "tools/call", name)


def failure_state(reply: Reply) -> JsonObject:
    """What a client sends back."""
    assert reply.result is not None
    result = json.loads(reply.result)
    answers: JsonObject = {key: {"roots": []} for key in result["inputRequests"]}
    return {"requestState": result["requestState"], "inputResponses": answers}


def test_a_client_that_does_not_come_back_is_given_up() -> None:
    async def go() -> None:
        suspensions, server = SuspendedCalls(lasts=0.0), Server()
        back = failure_state(await suspensions.begin(server.call, identity(), server.work()))
        await server.cancelled.wait()
        reply = await suspensions.resume(back, Nobody(), identity())
        assert reply.error is not None
        await suspensions.close()

    run(go())


def test_there_is_a_limit_for_all_and_the_server_hears_of_it() -> None:
    async def go() -> None:
        suspensions, servers = SuspendedCalls(most=1), [Server(), Server()]
        back = failure_state(await suspensions.begin(servers[0].call, identity(), servers[0].work()))
        refused = await suspensions.begin(servers[1].call, identity(), servers[1].work())
        assert b"too many" in (refused.error or b"")
        assert (await suspensions.resume(back, Nobody(), identity())).result == b'{"roots":[]}'
        assert await suspensions.begin(servers[1].call, identity(), servers[1].work()) is not None
        await suspensions.close()

    run(go())


def test_client_cannot_take_all_suspended_calls() -> None:
    async def go() -> None:
        suspensions, servers = SuspendedCalls(), [Server() for _ in range(34)]
        replies = [await suspensions.begin(one.call, identity(), one.work()) for one in servers[:33]]
        assert [reply.error is None for reply in replies] == [True] * 32 + [False]
        other = await suspensions.begin(servers[33].call, identity(Principal("other")), servers[33].work())
        assert other.error is None
        await suspensions.close()

    run(go())


def test_closing_gives_every_call_up() -> None:
    async def go() -> None:
        suspensions, server = SuspendedCalls(), Server()
        await suspensions.begin(server.call, identity(), server.work())
        await suspensions.close()
        assert server.cancelled.is_set()

    run(go())


def test_a_failure_while_the_client_was_away_is_told_when_it_is_back() -> None:
    async def go() -> None:
        suspensions, server = SuspendedCalls(), Server()

        async def fails() -> Reply:
            assert server.call.request is not None
            await server.call.request("roots/list", None)
            raise TimeoutError

        back = failure_state(await suspensions.begin(server.call, identity(), fails()))
        try:
            await suspensions.resume(back, Nobody(), identity())
        except TimeoutError:
            return
        raise AssertionError("the failure was lost")

    run(go())
