"""Web pages that servers ask the user to open (elicitation, mode ``url``), offered in our window for other clients.

The user opens a page, or does not; the server is answered as by a client (2025-11-25, elicitation). Addresses that are
not http or https never come this far (``elicitation_addresses.py``).
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, Protocol

from msgspec import Struct

from toolnote_desktop.model import json_text
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.proxy.elicitation_addresses import CREATE
from toolnote_desktop.proxy.events import PageAction, PageOffered, PageWithdrawn
from toolnote_desktop.proxy.transports.base import Reply

MOST_OFFERED: Final = 16
"""Pages that are offered at once; more are answered ``cancel``."""

MOST_OF_SERVER: Final = 4
"""The same for one server, so that none takes the room of the others."""

_LONGEST: Final = 256 * 1024
_LONGEST_MESSAGE: Final = 2_000
_DEMANDED: Final = -32042
"""Code of the error that demands elicitations (2025-11-25, URLElicitationRequiredError)."""


class Asking(Protocol):
    """Client on whose behalf a server asks."""

    @property
    def client(self) -> str | None:
        """Id of the client; None for the run's own token."""

    @property
    def capabilities(self) -> JsonObject:
        """Capabilities of the client."""


class _Offer(Struct, eq=False):
    """Page that waits for the user; ``answer`` is None where its server waits for none."""

    server: str
    url: str
    answer: asyncio.Future[PageAction] | None
    call: object


class PageOffers:
    """Pages that wait for the user. Used on the proxy's loop only."""

    def __init__(self, announce: Callable[[PageOffered | PageWithdrawn], None]) -> None:
        self._announce = announce
        self._numbers = itertools.count(1)
        self._offers: dict[int, _Offer] = {}

    def is_for_window(self, method: str, params: bytes | None, capabilities: JsonObject) -> bool:
        """Return True if a server's request asks for a page that the client cannot show."""
        return method == CREATE and not opens_pages(capabilities) and _page(_loads(params)) is not None

    async def offer(self, server: str, client: str | None, params: bytes | None, call: object = None) -> Reply:
        """Offer a page and return the answer for the server. Cancellation withdraws the offer.

        Args:
            call: what the page is for, with which :meth:`withdraw` ends the offer.
        """
        page = _page(_loads(params))
        assert page is not None
        return Reply(json_text.dumps({"action": await self._ask(server, client, page, call)}))

    def withdraw(self, call: object) -> None:
        """Withdraw the pages of a call that is over; their servers are answered ``cancel``."""
        for offer in self._offers.values():
            if offer.call is call and offer.answer is not None and not offer.answer.done():
                offer.answer.cancel()

    async def answers(self, server: str, asking: Asking, requests: Mapping[str, bytes]) -> JsonObject:
        """Return the answers to the requests of an interim result that are for pages."""
        pages = {key: _page(_params_of(_loads(raw))) for key, raw in requests.items()}
        found = {key: await self._ask(server, asking.client, page) for key, page in pages.items() if page is not None}
        return {key: {"action": action} for key, action in found.items()}

    def show_demanded(self, server: str, asking: Asking, error: bytes | None) -> None:
        """Offer the pages that an error demands; the client has the error, and calls again.

        They wait until the user answers, so those of a server make room for its newer ones.
        """
        if error is None or b"elicitations" not in error or opens_pages(asking.capabilities):
            return
        for page in _demanded_pages(_loads(error)):
            before = [(number, one) for number, one in self._of(server) if one.answer is None]
            if any(one.url == page["url"] for _, one in before):
                continue
            if self._is_full(server) and before:
                self._withdraw(before[0][0])
            if not self._is_full(server):
                self._add(server, asking.client, page, None, None)

    def answer(self, number: int, action: PageAction) -> None:
        """Take the user's answer to an offer."""
        offer = self._offers.pop(number, None)
        if offer is not None and offer.answer is not None and not offer.answer.done():
            offer.answer.set_result(action)

    def _of(self, server: str) -> list[tuple[int, _Offer]]:
        return [(number, offer) for number, offer in self._offers.items() if offer.server == server]

    def _is_full(self, server: str) -> bool:
        return len(self._offers) >= MOST_OFFERED or len(self._of(server)) >= MOST_OF_SERVER

    async def _ask(self, server: str, client: str | None, page: Mapping[str, Any], call: object = None) -> PageAction:
        if self._is_full(server):
            return "cancel"
        answer: asyncio.Future[PageAction] = asyncio.get_running_loop().create_future()
        number = self._add(server, client, page, answer, call)
        try:
            await asyncio.wait((answer,))
        finally:
            self._withdraw(number)
        return answer.result() if not answer.cancelled() else "cancel"

    def _add(
        self,
        server: str,
        client: str | None,
        page: Mapping[str, Any],
        answer: asyncio.Future[PageAction] | None,
        call: object,
    ) -> int:
        number = next(self._numbers)
        self._offers[number] = _Offer(server, page["url"], answer, call)
        message = page.get("message")
        text = message[:_LONGEST_MESSAGE] if isinstance(message, str) else ""
        self._announce(PageOffered(number, server, client or "", text, page["url"]))
        return number

    def _withdraw(self, number: int) -> None:
        if self._offers.pop(number, None) is not None:
            self._announce(PageWithdrawn(number))


def opens_pages(capabilities: JsonObject) -> bool:
    """Return True if a client can open pages itself."""
    stated = capabilities.get("elicitation")
    return isinstance(stated, dict) and "url" in stated


def with_pages(capabilities: JsonObject) -> JsonObject:
    """Return a client's capabilities with pages, which our window opens for it."""
    stated = capabilities.get("elicitation")
    if stated is None:
        return {**capabilities, "elicitation": {"url": {}}}
    # An empty object means forms (2025-11-25, elicitation, capabilities).
    own = stated if isinstance(stated, dict) and stated else {"form": {}}
    return {**capabilities, "elicitation": {**own, "url": {}}}


def _page(params: Any) -> Mapping[str, Any] | None:
    """Return the params of a request for a page; None for any other."""
    is_page = isinstance(params, dict) and params.get("mode") == "url" and isinstance(params.get("url"), str)
    return params if is_page else None


def _params_of(request: Any) -> Any:
    is_elicitation = isinstance(request, dict) and request.get("method") == CREATE
    return request.get("params") if is_elicitation else None


def _demanded_pages(error: Any) -> Iterator[Mapping[str, Any]]:
    if not isinstance(error, dict) or error.get("code") != _DEMANDED or not isinstance(error.get("data"), dict):
        return
    elicitations = error["data"].get("elicitations")
    for one in elicitations if isinstance(elicitations, list) else ():
        page = _page(one)
        if page is not None:
            yield page


def _loads(raw: bytes | None) -> Any:
    try:
        return json_text.loads(raw) if raw is not None and len(raw) <= _LONGEST else None
    except ValueError:
        return None
