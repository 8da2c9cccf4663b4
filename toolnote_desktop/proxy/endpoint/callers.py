"""Clients within one HTTP request each (``in_flight.Caller``), and the responses that they get."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from toolnote_desktop.model import json_text
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.proxy.endpoint.asgi import Receive, Send, wait_disconnected
from toolnote_desktop.proxy.endpoint.client_requests import ClientRequests
from toolnote_desktop.proxy.endpoint.modern_requests import STATUSES, meta_object
from toolnote_desktop.proxy.endpoint.response import HttpResponse, notification
from toolnote_desktop.proxy.endpoint.session import Session
from toolnote_desktop.proxy.in_flight import error_reply
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.proxy.protocol import METHOD_NOT_FOUND
from toolnote_desktop.proxy.routing.log_levels import LEVEL_KEY, is_level
from toolnote_desktop.proxy.transports import modern_headers
from toolnote_desktop.proxy.transports.base import Reply


class HandshakeCaller:
    """Client with a session. It accepts requests while it reads the response."""

    modern = False

    def __init__(
        self,
        client_requests: ClientRequests,
        session: Session,
        request_id: Any,
        receive: Receive,
        send: Send,
        *,
        size: int,
    ) -> None:
        self.principal = session.principal
        self.client = session.principal.client
        self.conversation: object = session
        self.capabilities = session.capabilities
        self.size = size
        self.response = HttpResponse(send, request_id, headers=session.headers)
        self._client_requests = client_requests
        self._session = session
        self._receive = receive
        self._disconnecting: asyncio.Task[None] | None = None
        self._disconnected: asyncio.Future[None] | None = None
        self._cancel: Callable[[], None] | None = None

    @property
    def log_level(self) -> str | None:
        """Log level of the session."""
        return self._session.log_level

    @log_level.setter
    def log_level(self, level: str | None) -> None:
        self._session.log_level = level

    def notify(self, method: str, params: bytes | None) -> None:
        """Send a notification (see ``Caller.notify``)."""
        self.response.send(notification(method, params))

    async def request(self, method: str, params: bytes | None) -> Reply:
        """Send a request (see ``Caller.request``)."""
        disconnected = self._watch()
        if self.response.finished or disconnected.done():
            return error_reply(METHOD_NOT_FOUND, f"{method}: the client's call is finished")
        return await self._client_requests.send(self._session, method, params, self.response.send, disconnected)

    def on_disconnect(self, cancel: Callable[[], None]) -> None:
        """Call ``cancel`` if the client disconnects before the request is finished."""
        self._cancel = cancel
        self._watch()

    def _watch(self) -> asyncio.Future[None]:
        """Return the future that is done when the client has disconnected."""
        if self._disconnected is None:
            self._disconnected = asyncio.get_running_loop().create_future()
            self._disconnecting = asyncio.ensure_future(self._watch_disconnect(self._disconnected))
        return self._disconnected

    async def _watch_disconnect(self, disconnected: asyncio.Future[None]) -> None:
        await wait_disconnected(self._receive)
        if not disconnected.done():
            disconnected.set_result(None)
            if self._cancel is not None and not self.response.finished:
                self._cancel()

    def finish(self, *, cancelled: bool) -> None:
        """End the request. The client may still answer requests in it, unless it ``cancelled`` its own."""
        self._cancel = None
        if self._disconnecting is not None:
            self._disconnecting.cancel()
            self._disconnecting = None  # its exception refers to this caller: a reference cycle
        if cancelled and self._disconnected is not None and not self._disconnected.done():
            self._disconnected.set_result(None)


class SessionCaller:
    """Client with a session, outside of its requests: servers cannot send it anything."""

    modern = False
    size = 0

    def __init__(self, session: Session) -> None:
        self.principal = session.principal
        self.client = session.principal.client
        self.conversation: object = session
        self.capabilities = session.capabilities
        self.log_level = session.log_level

    def notify(self, method: str, params: bytes | None) -> None:
        """Drop the notification (see ``Caller.notify``)."""

    async def request(self, method: str, params: bytes | None) -> Reply:
        """Return an error (see ``Caller.request``)."""
        return error_reply(METHOD_NOT_FOUND, f"{method}: no call of this client is in flight")


class ModernCaller:
    """Client without a session: its request carries all information about it, and it accepts no requests."""

    modern = True

    def __init__(self, principal: Principal, request_id: Any, meta: JsonObject, send: Send, *, size: int) -> None:
        self.principal = principal
        self.request_id = request_id
        self.size = size
        self.client = principal.client
        self.client_info = meta_object(meta, modern_headers.CLIENT_INFO_KEY)
        # Without a session, the same token and the same program count as the same client.
        self.conversation: object = (principal, json_text.dumps(self.client_info))
        self.capabilities = meta_object(meta, modern_headers.CLIENT_CAPABILITIES_KEY)
        level = meta.get(LEVEL_KEY)
        self.log_level: str | None = level if is_level(level) else None
        self.response = HttpResponse(send, request_id, statuses=STATUSES)

    def notify(self, method: str, params: bytes | None) -> None:
        """Send a notification (see ``Caller.notify``)."""
        self.response.send(notification(method, params))

    async def request(self, method: str, params: bytes | None) -> Reply:
        """Return an error (see ``Caller.request``)."""
        return error_reply(METHOD_NOT_FOUND, f"{method}: clients of the modern era accept no requests")
