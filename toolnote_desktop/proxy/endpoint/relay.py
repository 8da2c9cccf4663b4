"""Relay of servers' messages to clients: progress, log lines, resource updates and requests."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator

from toolnote_desktop.proxy.aio.tasks import Spawn
from toolnote_desktop.proxy.elicitation_addresses import refusal
from toolnote_desktop.proxy.endpoint.client_requests import ClientRequests
from toolnote_desktop.proxy.endpoint.event_streams import EventStreams
from toolnote_desktop.proxy.endpoint.listen_streams import ListenStream
from toolnote_desktop.proxy.endpoint.session import Session
from toolnote_desktop.proxy.endpoint.sessions import ClientSessions
from toolnote_desktop.proxy.in_flight import CAPABILITY_OF, CallsInFlight, ConnectionKey, capability_error, task_of
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.proxy.routing.extensions import ExtensionRoutes
from toolnote_desktop.proxy.routing.guide_subscriptions import PARAMS, GuideSubscriptions
from toolnote_desktop.proxy.routing.log_levels import LogLevels, LogRelay
from toolnote_desktop.proxy.routing.resource_subscriptions import UPDATED, Subscription, Subscriptions
from toolnote_desktop.proxy.routing.served_lists import ClientView
from toolnote_desktop.proxy.transports.base import Reply

log = logging.getLogger(__name__)


class ServerMessageRouter:
    """Sends the messages of servers to the clients that they are for. Used on the proxy's loop only."""

    def __init__(
        self,
        sessions: ClientSessions,
        client_requests: ClientRequests,
        calls: CallsInFlight,
        levels: LogLevels,
        subscriptions: Subscriptions,
        guide_subscriptions: GuideSubscriptions,
        view: Callable[[Principal], ClientView],
        extensions: ExtensionRoutes,
        spawn: Spawn,
    ) -> None:
        self._sessions = sessions
        self._client_requests = client_requests
        self._calls = calls
        self._levels = levels
        self._subscriptions = subscriptions
        self._guide_subscriptions = guide_subscriptions
        self._view = view
        self._extensions = extensions
        self._spawn = spawn
        self.task_changed: Callable[[str, object, bytes | None], bool] = lambda server, task, params: False
        """Notifies the streams that want a task of a server; returns False if there is none."""
        self._log = LogRelay(calls, levels, self._sessions_with, self._notify)
        sessions.on_end(self._session_ended)

    def notification(self, connection: ConnectionKey, method: str, params: bytes | None) -> None:
        """Relay a notification of a server."""
        match method:
            case "notifications/progress":
                self._calls.progress(params)
            case "notifications/message":
                self._log.message(connection, params)
            case "notifications/resources/updated":
                self._subscriptions.updated(connection, params)
            case "notifications/elicitation/complete":
                self._elicitation_completed(connection, method, params)
            case "notifications/tasks" if self.task_changed(connection.server, task_of(params), params):
                return
            case "notifications/tasks/status" | "notifications/tasks":
                self._to_client(connection, self._calls.client_of_task(connection.server, params), method, params)
            case _ if method.endswith("/list_changed") and self._extensions.has_any(connection.server):
                for session, _ in self._sessions_with(connection):
                    self._sessions.streams.notify(session, method, params)
            case _ if self._extensions.has_any(connection.server):
                self._to_client(connection, None, method, params)

    async def request(self, connection: ConnectionKey, method: str, params: bytes | None) -> Reply:
        """Return the reply of the client whose call caused a server's request, or that the connection belongs to."""
        session = self._only_session(connection)
        call = self._calls.for_server_message(connection)
        if session is None or method not in CAPABILITY_OF or call is not None:
            return await self._calls.server_request(connection, method, params)
        error = refusal(method, params)
        pages = self._calls.pages
        if error is None and pages is not None and pages.is_for_window(method, params, session.capabilities):
            return await self._calls.offer_page(connection.server, session.principal.client, params)
        error = error or capability_error(method, params, session.capabilities)
        if error is not None:
            return error

        def write(message: bytes) -> None:
            self._sessions.streams.send(session, message, keep=False)

        self._calls.record_elicitations(connection.server, session, params)
        return await self._client_requests.send(session, method, params, write)

    def _only_session(self, connection: ConnectionKey) -> Session | None:
        """Return the session of the client that owns a connection, if it has just one and reads its event stream."""
        sessions = self._sessions.of(connection.principal) if connection.principal is not None else []
        return sessions[0] if len(sessions) == 1 and self._sessions.streams.is_open(sessions[0]) else None

    def _elicitation_completed(self, connection: ConnectionKey, method: str, params: bytes | None) -> None:
        """Notify the client that was sent to the page. If it is gone, or not certain, no other client is notified."""
        self._to_client(connection, self._calls.client_of_elicitation(connection.server, params), method, params)

    def _to_client(self, connection: ConnectionKey, client: object | None, method: str, params: bytes | None) -> None:
        """Notify the client of a conversation; with None the only one that can be meant."""
        if client is not None:
            caller = self._calls.caller_of(connection, client)
        else:
            call = self._calls.for_server_message(connection)
            caller = call.caller if call is not None else None
        if caller is not None:
            caller.notify(method, params)
            return
        if client is None:
            sessions = [session for session, _ in self._sessions_with(connection)]
            client = sessions[0] if len(sessions) == 1 else None
        if isinstance(client, Session) and not client.ended:
            self._sessions.streams.notify(client, method, params)
        else:
            log.info("%s of server %r was dropped: its client is gone or not known", method, connection.server)

    def _sessions_with(self, connection: ConnectionKey) -> Iterator[tuple[Session, str | None]]:
        """Yield the sessions that are served a connection's server, with their log level."""
        for session in self._sessions:
            of_client = connection.principal in (None, session.principal)
            if of_client and connection.server in self._view(session.principal).servers:
                yield session, session.log_level

    def _notify(self, session: Session, method: str, params: bytes | None) -> None:
        self._sessions.streams.notify(session, method, params, keep=False)

    def _session_ended(self, session: Session) -> None:
        self._levels.forget(session)
        self._guide_subscriptions.remove(session)
        self._spawn(self._subscriptions.drop(session))


class ResourceNotifier:
    """Sends updates of resources to the sessions and ``subscriptions/listen`` streams that subscribed to them."""

    def __init__(self, streams: EventStreams) -> None:
        self._streams = streams

    def updated(self, subscription: Subscription, params: bytes) -> None:
        """Notify a subscriber that a server's resource has changed."""
        self._send(subscription.holder, params)

    def guide_updated(self, holder: object, principal: Principal) -> None:
        """Notify a subscriber that the tool guide has changed."""
        del principal
        self._send(holder, PARAMS)

    def _send(self, holder: object, params: bytes) -> None:
        if isinstance(holder, Session):
            self._streams.notify(holder, UPDATED, params)
        elif isinstance(holder, ListenStream):
            holder.send(UPDATED, params)
