"""What servers say by themselves, to the clients it is for: progress, log lines, updates of resources, questions."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.proxy.endpoint.client_requests import ClientRequests
from toolnote_desktop.proxy.endpoint.modern_requests import stated
from toolnote_desktop.proxy.endpoint.session import Session
from toolnote_desktop.proxy.endpoint.sessions import ClientSessions
from toolnote_desktop.proxy.in_flight import CAPABILITY_OF, Caller, Connection, refusal, why_not
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.proxy.protocol import METHOD_NOT_FOUND
from toolnote_desktop.proxy.routing.forward import Forwarder
from toolnote_desktop.proxy.routing.guide_resource import GUIDE_URI
from toolnote_desktop.proxy.routing.guide_subscriptions import PARAMS, GuideSubscriptions
from toolnote_desktop.proxy.routing.log_levels import LogLevels, LogRelay
from toolnote_desktop.proxy.routing.resource_subscriptions import UPDATED, Subscription, Subscriptions
from toolnote_desktop.proxy.routing.served_lists import ClientView
from toolnote_desktop.proxy.transports import modern_headers
from toolnote_desktop.proxy.transports.base import Reply

if TYPE_CHECKING:
    from toolnote_desktop.proxy.routing.requests import RequestService

Spawn = Callable[[Coroutine[Any, Any, None]], None]
"""Starts work that nobody waits for."""


class ServerMessageRouter:
    """See the module. All methods are for the proxy's loop."""

    def __init__(
        self,
        sdk: ClientSessions,
        forwarder: Forwarder,
        levels: LogLevels,
        view: Callable[[Principal], ClientView],
        spawn: Spawn,
        connection: Callable[[str, Caller], Connection],
    ) -> None:
        self.service: RequestService
        self.questions: ClientRequests
        self.subscriptions = Subscriptions(self._ask, self._updated, connection)
        self.guide = GuideSubscriptions(self._guide, self._guide_updated)
        self._sdk = sdk
        self._forwarder = forwarder
        self._levels = levels
        self._view = view
        self._spawn = spawn
        self._log = LogRelay(forwarder.calls, levels, self._listeners, self._tell)

    def notification(self, connection: Connection, method: str, params: bytes | None) -> None:
        """A notification of a server's."""
        match method:
            case "notifications/progress":
                self._forwarder.calls.progress(params)
            case "notifications/message":
                self._log.message(connection, params)
            case "notifications/resources/updated":
                self.subscriptions.updated(connection, params)
            case "notifications/elicitation/complete":
                self._to_whom_it_concerns(connection, method, params)

    async def question(self, connection: Connection, method: str, params: bytes | None) -> Reply:
        """A request of a server's: for the client whose call caused it, or the one that the connection belongs to."""
        session = self._only_session(connection)
        if session is None or method not in CAPABILITY_OF or self._forwarder.calls.behind(connection) is not None:
            return await self._forwarder.calls.question(connection, method, params)
        problem = why_not(method, params, session.capabilities)
        if problem is not None:
            return problem

        def say(message: bytes) -> None:
            self._sdk.streams.say(session, message, keep=False)

        return await self.questions.ask(session, method, params, say)

    def _only_session(self, connection: Connection) -> Session | None:
        """The one session of the client that a connection belongs to, if it can be asked outside its calls."""
        sessions = self._sdk.sessions_of(connection.principal) if connection.principal is not None else []
        return sessions[0] if len(sessions) == 1 and self._sdk.streams.is_open(sessions[0]) else None

    def _to_whom_it_concerns(self, connection: Connection, method: str, params: bytes | None) -> None:
        call = self._forwarder.calls.behind(connection)
        if call is not None and call.caller is not None:
            call.caller.tell(method, params)
            return
        for session, _ in self._listeners(connection):
            self._tell(session, method, params)

    def _listeners(self, connection: Connection) -> Iterator[tuple[Session, str | None]]:
        """The sessions that see a connection's server."""
        for session in list(self._sdk.sessions.values()):
            of_client = connection.principal in (None, session.principal)
            if of_client and connection.server in self._view(session.principal).servers:
                yield session, session.log_level

    def _tell(self, session: Session, method: str, params: bytes | None) -> None:
        self._sdk.streams.tell(session, method, params, keep=False)

    # Resources.

    async def _ask(self, method: str, subscription: Subscription) -> Reply:
        params = {"uri": subscription.uri}
        return await self._forwarder.request(subscription.server, method, params, subscription.caller)

    def _guide(self, principal: Principal) -> str | None:
        return self.service.guide(principal)

    def _guide_updated(self, holder: object, principal: Principal) -> None:
        if isinstance(holder, Session):
            self._sdk.streams.tell(holder, UPDATED, PARAMS)
        else:
            self._spawn(self._sdk.resource_updated(principal, GUIDE_URI))

    def _updated(self, subscription: Subscription, params: bytes) -> None:
        if isinstance(subscription.holder, Session):
            self._sdk.streams.tell(subscription.holder, UPDATED, params)
        else:
            self._spawn(self._sdk.resource_updated(subscription.caller.principal, subscription.name))

    @asynccontextmanager
    async def watching(self, principal: Principal, meta: JsonObject, uris: list[str]) -> AsyncIterator[list[str]]:
        """While inside, a stream of the modern era hears of these resources; gives those that it will hear of."""
        listener = StreamCaller(principal, meta)
        heard = []
        try:
            for uri in uris:
                reply = await self.service.subscribe(uri, self._view(principal), listener)
                if reply.error is None:
                    heard.append(uri)
            yield heard
        finally:
            self.guide.remove(listener)
            self._spawn(self.subscriptions.drop(listener))

    def session_ended(self, session: Session) -> None:
        """A session is over, and with it what it wanted to hear."""
        self._levels.forget(session)
        self.guide.remove(session)
        self._spawn(self.subscriptions.drop(session))


class StreamCaller:
    """Who opened a ``subscriptions/listen`` stream. A server that is subscribed to for it cannot talk to it."""

    modern = True
    log_level: str | None = None

    def __init__(self, principal: Principal, meta: JsonObject) -> None:
        self.principal = principal
        self.client = principal.client
        self.conversation: object = self
        self.capabilities = stated(meta, modern_headers.CLIENT_CAPABILITIES_KEY)

    def tell(self, method: str, params: bytes | None) -> None:
        """See ``Caller``: there is no request whose answer it could stand in."""

    async def ask(self, method: str, params: bytes | None) -> Reply:
        """See ``Caller``."""
        return refusal(METHOD_NOT_FOUND, f"{method}: nobody can be asked")
