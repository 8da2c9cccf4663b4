"""Resource subscriptions of the modern era's ``subscriptions/listen`` streams."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.proxy.aio.tasks import Spawn
from toolnote_desktop.proxy.endpoint.modern_requests import meta_object
from toolnote_desktop.proxy.in_flight import Caller, error_reply
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.proxy.protocol import METHOD_NOT_FOUND
from toolnote_desktop.proxy.routing.guide_subscriptions import GuideSubscriptions
from toolnote_desktop.proxy.routing.resource_subscriptions import Subscriptions
from toolnote_desktop.proxy.routing.served_lists import ClientView
from toolnote_desktop.proxy.transports import modern_headers
from toolnote_desktop.proxy.transports.base import Reply

Publish = Callable[[str], Coroutine[Any, Any, None]]
"""``publish(uri)`` notifies the streams of one caller that a resource has changed."""

Subscribe = Callable[[object, ClientView, Caller], Awaitable[Reply]]
"""``subscribe(uri, view, caller)`` subscribes a caller to a resource in its view."""


class ListenStreams:
    """Subscribes to the resources that a stream names, for as long as the stream is open."""

    def __init__(
        self,
        subscribe: Subscribe,
        subscriptions: Subscriptions,
        guide_subscriptions: GuideSubscriptions,
        view: Callable[[Principal], ClientView],
        spawn: Spawn,
    ) -> None:
        self._subscribe = subscribe
        self._subscriptions = subscriptions
        self._guide_subscriptions = guide_subscriptions
        self._view = view
        self._spawn = spawn

    @asynccontextmanager
    async def subscribed(
        self, principal: Principal, meta: JsonObject, uris: list[str], publish: Publish
    ) -> AsyncIterator[list[str]]:
        """Publish updates of resources while inside. Yields those of ``uris`` whose subscription was accepted."""
        listener = StreamCaller(principal, meta, publish)
        accepted = []
        try:
            for uri in uris:
                reply = await self._subscribe(uri, self._view(principal), listener)
                if reply.error is None:
                    accepted.append(uri)
            yield accepted
        finally:
            self._guide_subscriptions.remove(listener)
            self._spawn(self._subscriptions.drop(listener))


class StreamCaller:
    """Caller that opened a ``subscriptions/listen`` stream. Servers cannot send requests to it.

    Attributes:
        publish: notifies the streams of this caller of a changed resource.
    """

    modern = True
    log_level: str | None = None

    def __init__(self, principal: Principal, meta: JsonObject, publish: Publish) -> None:
        self.principal = principal
        self.client = principal.client
        self.conversation: object = self
        self.size = 0
        self.capabilities = meta_object(meta, modern_headers.CLIENT_CAPABILITIES_KEY)
        self.publish = publish

    def notify(self, method: str, params: bytes | None) -> None:
        """Drop the notification: there is no response that it could be part of."""

    async def request(self, method: str, params: bytes | None) -> Reply:
        """Return an error (see ``Caller.request``)."""
        return error_reply(METHOD_NOT_FOUND, f"{method}: this client accepts no requests")
