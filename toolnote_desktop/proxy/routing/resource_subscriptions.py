"""Who wants to hear that a resource has changed: a server is subscribed to as long as somebody does."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable

from msgspec import Struct

from toolnote_desktop.model import json_text
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.proxy.in_flight import Caller, ConnectionKey
from toolnote_desktop.proxy.transports import jsonrpc
from toolnote_desktop.proxy.transports.base import Reply

UPDATED = "notifications/resources/updated"


class Subscription(Struct, frozen=True):
    """One wish.

    Attributes:
        holder: the session or stream that has it, and that is told.
        caller: who asked for it.
        name: the URI as the client says it.
        server: whose resource it is.
        uri: the URI as the server says it.
    """

    holder: object
    caller: Caller
    name: str
    server: str
    uri: str


Request = Callable[[str, str, JsonObject, Caller], Awaitable[Reply]]
"""``request(server, method, params, caller)`` returns the server's reply."""


class Subscriptions:
    """See the module.

    Args:
        tell: ``tell(subscription, params)`` tells its holder.
        connection: the one over which a caller's requests reach a server.
    """

    def __init__(
        self,
        request: Request,
        tell: Callable[[Subscription, bytes], None],
        connection: Callable[[str, Caller], ConnectionKey],
    ) -> None:
        self._request = request
        self._tell = tell
        self._connection = connection
        self._held: dict[tuple[object, str], Subscription] = {}

    async def add(self, holder: object, caller: Caller, name: str, server: str, uri: str) -> Reply:
        """Subscribe. The server is asked each time, so that it can refuse; what it refuses is not held."""
        subscription = Subscription(holder, caller, name, server, uri)
        held = (holder, name) in self._held
        self._held[holder, name] = subscription  # what comes before the answer belongs to it already
        reply = await self._request_for("resources/subscribe", subscription)
        if reply.error is not None and not held and self._held.get((holder, name)) is subscription:
            del self._held[holder, name]
        return reply

    async def remove(self, holder: object, name: str) -> Reply:
        """Unsubscribe; the server hears of it when nobody else wants it."""
        subscription = self._held.pop((holder, name), None)
        if subscription is None or self._is_wanted(subscription):
            return Reply(b"{}")
        return await self._request_for("resources/unsubscribe", subscription)

    async def drop(self, holder: object) -> None:
        """The holder is gone, with all that it wanted."""
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
        """A server says that a resource has changed: that one, or one below it (2025-06-18, resources)."""
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
                mark = subscription.name.removeprefix(subscription.uri)
                told = jsonrpc.with_member(raw, "uri", json_text.dumps(uri + mark)) if mark else raw
                self._tell(subscription, told)


def is_within(uri: str, parent: str) -> bool:
    """Whether ``uri`` is ``parent`` or a part of it."""
    return uri == parent or uri.startswith(parent if parent.endswith("/") else parent + "/")
