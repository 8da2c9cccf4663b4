"""Subscriptions of clients to resources: the server's subscription lasts as long as one of them."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable

from msgspec import Struct

from toolnote_desktop.model import json_text
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.proxy.in_flight import Caller, ConnectionKey
from toolnote_desktop.proxy.routing.resource_names import marked
from toolnote_desktop.proxy.transports import jsonrpc
from toolnote_desktop.proxy.transports.base import Reply

UPDATED = "notifications/resources/updated"


class Subscription(Struct, frozen=True):
    """Subscription of a client.

    Attributes:
        holder: session or stream that is notified.
        caller: client that requested it.
        name: URI as the client knows it.
        server: server of the resource.
        uri: URI as the server knows it.
    """

    holder: object
    caller: Caller
    name: str
    server: str
    uri: str


Request = Callable[[str, str, JsonObject, Caller], Awaitable[Reply]]
"""``request(server, method, params, caller)`` returns the server's reply."""


class Subscriptions:
    """Subscriptions of all clients.

    Args:
        notify: ``notify(subscription, params)`` notifies its holder.
        connection: returns the connection over which a caller's requests reach a server.

    Attributes:
        on_change: called when a subscription was added or removed.
    """

    def __init__(
        self,
        request: Request,
        notify: Callable[[Subscription, bytes], None],
        connection: Callable[[str, Caller], ConnectionKey],
    ) -> None:
        self._request = request
        self._notify = notify
        self._connection = connection
        self._held: dict[tuple[object, str], Subscription] = {}
        self.on_change: Callable[[], None] = lambda: None

    def by_holder(self) -> dict[object, list[str]]:
        """Return the URIs that each holder is subscribed to, as its client knows them."""
        held: dict[object, list[str]] = {}
        for holder, name in self._held:
            held.setdefault(holder, []).append(name)
        return held

    async def add(self, holder: object, caller: Caller, name: str, server: str, uri: str) -> Reply:
        """Subscribe. The request is sent to the server each time, so that it can refuse."""
        subscription = Subscription(holder, caller, name, server, uri)
        held = (holder, name) in self._held
        self._held[holder, name] = subscription  # notifications before the response belong to it already
        reply = await self._request_for("resources/subscribe", subscription)
        if reply.error is not None and not held and self._held.get((holder, name)) is subscription:
            del self._held[holder, name]
        self.on_change()
        return reply

    async def remove(self, holder: object, name: str) -> Reply:
        """Unsubscribe; also at the server, if no other client is subscribed."""
        subscription = self._held.pop((holder, name), None)
        self.on_change()
        if subscription is None or self._is_wanted(subscription):
            return Reply(b"{}")
        return await self._request_for("resources/unsubscribe", subscription)

    async def drop(self, holder: object) -> None:
        """Remove all subscriptions of a holder that is gone."""
        for name in [name for one, name in self._held if one is holder]:
            await self.remove(holder, name)

    async def _request_for(self, method: str, subscription: Subscription) -> Reply:
        return await self._request(subscription.server, method, {"uri": subscription.uri}, subscription.caller)

    def _is_wanted(self, subscription: Subscription) -> bool:
        wanted = self._origin(subscription)
        return any(self._origin(other) == wanted for other in self._held.values())

    def _origin(self, subscription: Subscription) -> tuple[ConnectionKey, str]:
        return self._connection(subscription.server, subscription.caller), subscription.uri

    def updated(self, connection: ConnectionKey, params: bytes | None) -> None:
        """Relay a change of a resource to subscribers of it or of one above it (2025-06-18, resources)."""
        raw = params or b"{}"
        try:
            uri = json.loads(jsonrpc.members(raw).get("uri", b"null"))
        except ValueError:
            return
        if not isinstance(uri, str):
            return
        for subscription in list(self._held.values()):
            of, parent = self._origin(subscription)
            if of == connection and is_within(uri, parent):
                moved = marked(uri, subscription.server) if subscription.name != subscription.uri else uri
                params_sent = raw if moved == uri else jsonrpc.with_member(raw, "uri", json_text.dumps(moved))
                self._notify(subscription, params_sent)


def is_within(uri: str, parent: str) -> bool:
    """Return True if ``uri`` is ``parent`` or below it."""
    return uri == parent or uri.startswith(parent if parent.endswith("/") else parent + "/")
