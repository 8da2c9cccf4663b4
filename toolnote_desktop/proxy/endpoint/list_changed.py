"""Change notices: one for a burst, only to those who see a difference (docs/contract.md 5)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable

from toolnote_desktop.proxy.endpoint.sessions import ClientSessions
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.proxy.protocol import PROMPTS, RESOURCES, TOOLS
from toolnote_desktop.proxy.routing.served_lists import ClientView

QUIET = 0.05
LONGEST = 0.5
"""Seconds: a notice waits for this much quiet, and at most this long."""

logger = logging.getLogger(__name__)


class ListChangedNotifier:
    """Watches what each connected caller sees and tells it when that changes."""

    def __init__(
        self,
        sdk: ClientSessions,
        view: Callable[[Principal], ClientView],
        callers: Callable[[], Iterable[Principal]],
        announced: Callable[[], None],
    ) -> None:
        """``announced`` is called after each round: who was told of nothing may see another guide."""
        self._sdk = sdk
        self._view = view
        self._callers = callers
        self._announced = announced
        self._told: dict[Principal, ClientView] = {}
        self._fetched: dict[Principal, ClientView] = {}
        self._has_it: dict[Principal, bool] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._deadline: float | None = None
        self._due = False
        self._sending: asyncio.Task[None] | None = None

    def watch(self) -> None:
        """Callers came or went: those who came know the lists as they are now."""
        present = set(self._callers())
        for principal in present - set(self._told):
            self._told[principal] = self._view(principal)
        for principal in set(self._told) - present:
            del self._told[principal]
            self._fetched.pop(principal, None)
            self._has_it.pop(principal, None)

    def fetched(self, principal: Principal, view: ClientView) -> None:
        """A caller has been given its list of tools."""
        self._fetched[principal] = view

    def is_up_to_date(self, principal: Principal) -> bool:
        """Whether the list that a caller fetched last is the one that it would be given now.

        While that one is being made, it is as it was: ``announced`` comes when it is known.
        """
        fetched, view = self._fetched.get(principal), self._view(principal)
        if view.listed.is_made:
            self._has_it[principal] = fetched is not None and _same_list(fetched, view)
        return self._has_it.get(principal, False)

    def changed(self) -> None:
        """Something changed. Call on the loop."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        if self._deadline is None:
            self._deadline = now + LONGEST
        if self._timer is not None:
            self._timer.cancel()
        self._timer = loop.call_at(min(now + QUIET, self._deadline), self._send)

    def _send(self) -> None:
        self._timer = self._deadline = None
        self._due = True
        if self._sending is None or self._sending.done():
            self._sending = asyncio.get_running_loop().create_task(self._rounds())

    async def _rounds(self) -> None:
        # One after the other: lists may take a while to make, and each round goes on from what the last one told.
        while self._due:
            self._due = False
            await self._announce()

    async def _announce(self) -> None:
        for principal, told in list(self._told.items()):
            view = self._view(principal)
            if view is told:
                continue
            await told.listed.in_slices()
            await view.listed.in_slices()
            if principal not in self._told:
                continue  # it has gone meanwhile
            self._told[principal] = view
            kinds = [
                kind
                for kind, same in (
                    (TOOLS, _same_list(told, view)),
                    (PROMPTS, told.prompts_list == view.prompts_list),
                    (RESOURCES, told.resources_state == view.resources_state),
                )
                if not same
            ]
            for kind in kinds:
                await self._sdk.announce(principal, kind)
        self._announced()

    async def close(self) -> None:
        """Stop; what is on its way is given up."""
        if self._timer is not None:
            self._timer.cancel()
        if self._sending is not None:
            self._sending.cancel()
            await asyncio.gather(self._sending, return_exceptions=True)


def _same_list(one: ClientView, other: ClientView) -> bool:
    return one is other or one.listed.at_once() == other.listed.at_once()
