"""Clients within one request each, and the HTTP answers that they get (``in_flight.Caller``)."""

from __future__ import annotations

import asyncio
from typing import Any

from toolnote_desktop.model import json_text
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.proxy.endpoint.asgi import Receive, Send
from toolnote_desktop.proxy.endpoint.client_requests import ClientRequests
from toolnote_desktop.proxy.endpoint.modern_requests import STATUSES, stated
from toolnote_desktop.proxy.endpoint.response import HttpResponse, notification
from toolnote_desktop.proxy.endpoint.session import Session
from toolnote_desktop.proxy.in_flight import refusal
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.proxy.protocol import METHOD_NOT_FOUND
from toolnote_desktop.proxy.routing.log_levels import LEVEL_KEY, is_level
from toolnote_desktop.proxy.transports import modern_headers
from toolnote_desktop.proxy.transports.base import Reply


class HandshakeCaller:
    """A client in a session. It can be asked while it reads the answer."""

    modern = False

    def __init__(
        self, questions: ClientRequests, session: Session, request_id: Any, receive: Receive, send: Send
    ) -> None:
        self.principal = session.principal
        self.client = session.principal.client
        self.conversation: object = session
        self.capabilities = session.capabilities
        self.answer = HttpResponse(send, request_id, headers=session.headers)
        self._questions = questions
        self._session = session
        self._receive = receive
        self._watching: asyncio.Task[None] | None = None
        self._gone: asyncio.Future[None] | None = None

    @property
    def log_level(self) -> str | None:
        """What the session asked for."""
        return self._session.log_level

    @log_level.setter
    def log_level(self, level: str | None) -> None:
        self._session.log_level = level

    def tell(self, method: str, params: bytes | None) -> None:
        """See ``Caller``."""
        self.answer.say(notification(method, params))

    async def ask(self, method: str, params: bytes | None) -> Reply:
        """See ``Caller``."""
        if self._gone is None:
            self._gone = asyncio.get_running_loop().create_future()
            self._watching = asyncio.ensure_future(self._watch(self._gone))
        if self.answer.over or self._gone.done():
            return refusal(METHOD_NOT_FOUND, f"{method}: the client's call is over")
        return await self._questions.ask(self._session, method, params, self.answer.say, self._gone)

    async def _watch(self, gone: asyncio.Future[None]) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            continue
        if not gone.done():
            gone.set_result(None)

    def leave(self, *, taken_back: bool) -> None:
        """The request is over. What was asked within it can still be answered, unless the client took it back."""
        if self._watching is not None:
            self._watching.cancel()
        if taken_back and self._gone is not None and not self._gone.done():
            self._gone.set_result(None)


class ModernCaller:
    """A client with no session: everything about it stands in the request, and it is never asked."""

    modern = True

    def __init__(self, principal: Principal, request_id: Any, meta: JsonObject, send: Send) -> None:
        self.principal = principal
        self.client = principal.client
        self.client_info = stated(meta, modern_headers.CLIENT_INFO_KEY)
        # There is no session: the same token and the same program are the same client.
        self.conversation: object = (principal, json_text.dumps(self.client_info))
        self.capabilities = stated(meta, modern_headers.CLIENT_CAPABILITIES_KEY)
        level = meta.get(LEVEL_KEY)
        self.log_level: str | None = level if is_level(level) else None
        self.answer = HttpResponse(send, request_id, statuses=STATUSES)

    def tell(self, method: str, params: bytes | None) -> None:
        """See ``Caller``."""
        self.answer.say(notification(method, params))

    async def ask(self, method: str, params: bytes | None) -> Reply:
        """See ``Caller``."""
        return refusal(METHOD_NOT_FOUND, f"{method}: a client of the modern era is not asked")
