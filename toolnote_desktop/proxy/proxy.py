"""Composition of the proxy: servers, what is served of them to whom, and the endpoint for clients."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from typing import Any

from toolnote_desktop.guidance.relevance import TaskContext
from toolnote_desktop.log import hide
from toolnote_desktop.model import json_text
from toolnote_desktop.model.clients import hash_token
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import ToolnoteError
from toolnote_desktop.model.servers import Server, ServerStatus
from toolnote_desktop.model.toolsets.note_edits import NoteEdit
from toolnote_desktop.paths import ENDPOINT_PATH, Home
from toolnote_desktop.proxy.aio.memory_release import MemoryRelease
from toolnote_desktop.proxy.aio.tasks import BackgroundTasks, cancel_all, watched
from toolnote_desktop.proxy.client_guidance import ClientGuidance
from toolnote_desktop.proxy.endpoint.app import EndpointApp
from toolnote_desktop.proxy.endpoint.auth import AccessControl
from toolnote_desktop.proxy.endpoint.callers import SessionCaller
from toolnote_desktop.proxy.endpoint.client_presence import ClientPresence
from toolnote_desktop.proxy.endpoint.client_requests import ClientRequests
from toolnote_desktop.proxy.endpoint.fast_path.calls import FastPath
from toolnote_desktop.proxy.endpoint.handler import RequestHandler
from toolnote_desktop.proxy.endpoint.list_changed import ListChangedNotifier
from toolnote_desktop.proxy.endpoint.listen_streams import ListenStreams
from toolnote_desktop.proxy.endpoint.relay import ResourceNotifier, ServerMessageRouter
from toolnote_desktop.proxy.endpoint.sdk_loader import SdkLoader
from toolnote_desktop.proxy.endpoint.session import Session
from toolnote_desktop.proxy.endpoint.sessions import ClientSessions
from toolnote_desktop.proxy.endpoint.stored_sessions import KeptState, SessionStore
from toolnote_desktop.proxy.events import (
    ClientsChanged,
    ConnectedClient,
    PageAction,
    ProxyEvent,
    SignInProgress,
    SignInStage,
)
from toolnote_desktop.proxy.in_flight import CallsInFlight, ConnectionKey
from toolnote_desktop.proxy.page_offers import PageOffers
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.proxy.protocol import SKILLS_EXTENSION, TOOLS, Era
from toolnote_desktop.proxy.routing.approvals import Approvals
from toolnote_desktop.proxy.routing.call_records import CallRecorder
from toolnote_desktop.proxy.routing.extensions import EXTENSIONS, SKILLS, ExtensionRoutes, merged
from toolnote_desktop.proxy.routing.forward import Forwarder
from toolnote_desktop.proxy.routing.guide_resource import GUIDE_URI, guide_text
from toolnote_desktop.proxy.routing.guide_subscriptions import GuideSubscriptions
from toolnote_desktop.proxy.routing.log_levels import LogLevels
from toolnote_desktop.proxy.routing.registry import Registry
from toolnote_desktop.proxy.routing.requests import RequestService
from toolnote_desktop.proxy.routing.resource_routes import ResourceRoutes
from toolnote_desktop.proxy.routing.resource_subscriptions import UPDATED, Subscriptions
from toolnote_desktop.proxy.routing.served_lists import ClientView, ServedLists
from toolnote_desktop.proxy.routing.toolset_choice import ToolsetSelector
from toolnote_desktop.proxy.routing.try_tool import ToolTrials
from toolnote_desktop.proxy.tools import tool_context
from toolnote_desktop.proxy.transports.base import Reply
from toolnote_desktop.proxy.upstream.client_connections import ClientConnections
from toolnote_desktop.proxy.upstream.health_checks import HealthMonitor
from toolnote_desktop.proxy.upstream.server import Listed, Upstream
from toolnote_desktop.proxy.upstream.servers import UpstreamOptions, Upstreams
from toolnote_desktop.proxy.waiting_calls import WaitingCalls
from toolnote_desktop.store.activity import ActivityLog
from toolnote_desktop.store.library import Change, Library
from toolnote_desktop.store.secrets.store import SecretStore
from toolnote_desktop.system import current


class Proxy:
    """Composition of the proxy's parts. Made and used on the proxy's loop only.

    Messages of servers arrive through the methods of ``UpstreamListener`` and ``MessageListener`` once
    ``upstreams.run()`` has begun; the other methods that parts call are events as well.

    Attributes:
        app: ASGI app for clients.
        recorder: recorder of calls; its ``worked_example`` is for any thread.
        approvals: questions to the user about calls.
        connected: connected clients, as last reported to the listener.
    """

    def __init__(
        self,
        library: Library,
        home: Home,
        activity: ActivityLog,
        *,
        token: str | None,
        toolset: str | None,
        port: int,
        keychain: SecretStore,
        listener: Callable[[ProxyEvent], None],
        has_window: bool = False,
    ) -> None:
        self._library = library
        self._listener = listener
        self._loop = asyncio.get_running_loop()
        self._background = BackgroundTasks()
        self.connected: tuple[ConnectedClient, ...] = ()

        # Lists and toolsets of clients.
        guidance = ClientGuidance.of(home)
        self._choices = ToolsetSelector(library, toolset)
        self._served_lists = ServedLists(self._choices, guidance)
        self._guidance = guidance

        # Servers, and the connections to them.
        self._client_extensions: Mapping[str, JsonObject] = {}
        self.registry = Registry(library)
        self.upstreams = Upstreams(
            self,
            home=home,
            platform=current(),
            secrets=keychain,
            eras=self.registry,
            options=UpstreamOptions(
                own_urls=tuple(f"http://{host}:{port}{ENDPOINT_PATH}" for host in ("127.0.0.1", "localhost", "[::1]")),
                client_extensions=lambda server: self._client_extensions.get(server, {}),
            ),
        )
        self._connections = ClientConnections(self.upstreams, self._entry, self)
        levels = LogLevels(self._ready_connections, self._capabilities)
        self._connections.on_end(levels.connection_ended)

        # Calls of clients and of the user.
        self.recorder = CallRecorder(library, activity, guidance.experience.call_worked)
        self._pages = PageOffers(listener) if has_window else None
        calls = self._calls = CallsInFlight(self._pages)
        self._extensions = ExtensionRoutes(lambda: library.snapshot, calls)
        routes = ResourceRoutes(lambda: library.snapshot, lambda server: self._extensions.has(server, SKILLS))
        self._memory = MemoryRelease()
        self._forwarder = Forwarder(
            self._connections.connect,
            self.recorder,
            self._timeout_of,
            routes.note_links,
            levels,
            calls,
            WaitingCalls(self._memory.touch),
            self.upstreams.started,
        )
        self.trials = ToolTrials(self._forwarder)

        # Sessions of clients, and messages to them.
        self._sessions = ClientSessions()
        self._sessions.on_open(lambda opened: self._served_lists.introduce(opened.principal, opened.client_info))
        self._sessions.on_change(self._refresh_clients)
        self._sessions.on_change(self._renew_capabilities)
        self._sessions.on_end(self.recorder.session_ended)
        self.approvals = Approvals(listener if has_window else None, library.audit.record)
        self._sessions.on_end(self.approvals.session_ended)
        client_requests = ClientRequests(self._sessions)
        resource_notifier = ResourceNotifier(self._sessions.streams)
        self._guide_subscriptions = GuideSubscriptions(self._guide, resource_notifier.guide_updated)
        subscriptions = self._subscriptions = Subscriptions(
            self._forwarder.request, resource_notifier.updated, self._connections.connection
        )
        self._router = ServerMessageRouter(
            self._sessions,
            client_requests,
            calls,
            levels,
            subscriptions,
            self._guide_subscriptions,
            self.view,
            self._extensions,
            self._background.spawn,
        )

        # Requests of clients.
        service = self._service = RequestService(
            library,
            self._served_lists,
            self._choices,
            self._forwarder,
            levels,
            subscriptions,
            routes,
            self._list_fetched,
            self._guide_subscriptions,
            self._extensions,
            self.approvals,
        )
        listen_streams = ListenStreams(
            service.subscribe,
            self._forwarder.request,
            subscriptions,
            self._guide_subscriptions,
            calls,
            self.view,
            self._background.spawn,
            self._sessions.notify_changed,
        )
        self._router.task_changed = listen_streams.task_changed
        self.sdk = SdkLoader(self._sessions, listen_streams, self._introduction)
        self._handler = RequestHandler(
            self._sessions,
            client_requests,
            self.sdk,
            listen_streams,
            service.answer,
            self.view,
            self._introduced,
            service.notify,
            self._roots_changed,
            self._introduction,
            service.handles,
            self._handshake_only,
        )

        # The endpoint.
        self._presence = ClientPresence(self._sessions, self.sdk.listening)
        self._list_changed = ListChangedNotifier(
            self.sdk, self.view, self._presence.present, self._announced, self.recorder.list_changed
        )
        self.health = HealthMonitor(self.upstreams, self._servers_in_use, lambda: library.snapshot.servers)
        self.access = AccessControl(token or secrets.token_urlsafe(32), secrets.token_urlsafe(32))
        self.stored_sessions = SessionStore(
            home.sessions,
            self._sessions,
            lambda: library.snapshot,
            hash_token(self.access.token),
            self._kept_states,
            self._session_restored,
        )
        self._subscriptions.on_change = self.stored_sessions.changed
        hide((self.access.token, self.access.bridge_secret))
        self.url = f"http://127.0.0.1:{port}{ENDPOINT_PATH}"
        fast_path = FastPath(
            library,
            self.access,
            self._sessions,
            client_requests,
            self._handler,
            self._forwarder,
            self.view,
            self._list_fetched,
        )
        self.app = EndpointApp(
            self._handler, self.sdk, fast_path, self.access, lambda: library.snapshot, self._request_seen, self._served
        )

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Run the proxy's own tasks while inside: health checks, list changes, idle sessions, the SDK's server."""
        await self.stored_sessions.load()
        self._renew_capabilities()
        work = (
            self.sdk.run(),
            self._list_changed.run(),
            self.health.run(),
            self._end_idle_sessions(),
            self.stored_sessions.run(),
        )
        tasks = [watched(one) for one in work]
        try:
            yield
        finally:
            await cancel_all(tasks)

    async def close(self) -> None:
        """End the tasks that requests have started."""
        self._memory.close()
        await asyncio.to_thread(self._guidance.close)
        await self._forwarder.close()
        await self.trials.close()
        await self._background.close()

    @contextlib.contextmanager
    def following_library(self) -> Iterator[None]:
        """Apply changes of the library to servers and lists while inside."""
        servers = self._library.snapshot.servers
        with self.registry.publishing_once():
            self.registry.apply(servers)
            self.upstreams.apply(servers)

        def changed(change: Change) -> None:
            with contextlib.suppress(RuntimeError):  # the loop may have closed between the check and the call
                self._loop.call_soon_threadsafe(self._library_changed, change)

        unsubscribe = self._library.subscribe(changed)
        try:
            yield
        finally:
            unsubscribe()

    def _library_changed(self, change: Change) -> None:
        if change.snapshot.servers is not change.previous.servers:
            servers = self._library.snapshot.servers
            with self.registry.publishing_once():
                self.registry.apply(servers)
                self.upstreams.apply(servers)
        elif change.snapshot.tool_settings is not change.previous.tool_settings:
            self.registry.review()
        if change.snapshot.catalogue.servers.keys() != change.previous.catalogue.servers.keys():
            self._guidance.guides.forget_removed(change.snapshot)
            self._served_lists.forget_removed(change.snapshot)
            self._memory.check_anew()
        chosen = ("servers", "toolsets", "clients", "settings")
        if any(getattr(change.snapshot, name) is not getattr(change.previous, name) for name in chosen):
            self._renew_capabilities()
        only_notes = bool(change.edits) and all(isinstance(edit, NoteEdit) for edit in change.edits)
        self._list_changed.changed(notes_of=change.origin.author if only_notes else None)
        self._refresh_clients()

    # -- what is served -----------------------------------------------------------------------------------------------

    def view(self, principal: Principal) -> ClientView:
        """Return the lists that a caller is served now."""
        return self._served_lists.view(self._library.snapshot, principal)

    def _handshake_only(self, principal: Principal) -> bool:
        client = self._library.snapshot.clients.get(principal.client) if principal.client is not None else None
        return client is not None and client.era is not None

    def _introduction(self, principal: Principal, era: Era, client: JsonObject) -> JsonObject:
        """Return what ``initialize`` says beside the usual: ``instructions``, and servers' ``capabilities``.

        A client that declares skills in its own, ``client``, is offered that of its toolset.
        """
        made = self._served_lists.instructions(self._library.snapshot, principal)
        view = self.view(principal)
        capabilities = self._extensions.capabilities(view.servers, era)
        declared = client.get(EXTENSIONS)
        if view.tools and isinstance(declared, dict) and SKILLS_EXTENSION in declared:
            offered = {SKILLS_EXTENSION: {}, **capabilities.get(EXTENSIONS, {})}
            capabilities = {**capabilities, EXTENSIONS: offered}
        return {
            **({"instructions": made.text} if made is not None else {}),
            **({"capabilities": capabilities} if capabilities else {}),
        }

    def _renew_capabilities(self) -> None:
        """Offer each server the union of its clients' extensions, also of those in sessions of an earlier run."""
        sessions = ((session.principal, session.capabilities) for session in self._sessions)
        declaring: dict[Principal, list[JsonObject]] = {}
        for principal, capabilities in (
            *sessions,
            *self._presence.capabilities(),
            *self.stored_sessions.capabilities(),
        ):
            declared, known = capabilities.get(EXTENSIONS), declaring.get(principal, [])
            if isinstance(declared, dict) and declared and declared not in known:
                declaring[principal] = [*known, declared]
        extensions = dict(self._client_extensions)  # less would bring a server nothing but another connection
        for principal, several in declaring.items():
            for server in self.view(principal).servers:
                for declared in several:
                    extensions[server] = merged(extensions.get(server, {}), declared)
        if extensions != self._client_extensions:
            self._client_extensions = extensions
            self.upstreams.renew_capabilities()

    def spawn_read_dialects(self) -> None:
        """Begin :meth:`read_dialects`."""
        self._background.spawn(self.read_dialects())

    async def read_dialects(self) -> None:
        """Read the dialects anew, and serve lists and instructions by them."""
        if await asyncio.to_thread(self._guidance.read_dialects):
            self._served_lists.clear()
            self._list_changed.changed()

    async def _served(self) -> JsonObject:
        """Return what is in no document, after everything else has been written: for our own commands."""
        with contextlib.suppress(ToolnoteError, TimeoutError):  # a full disk: what is served does not depend on it
            await asyncio.to_thread(self._library.flush)
        await self.read_dialects()
        return {"toolset": self._choices.run_toolset, "clients": self._guidance.introduced()}

    def _guide(self, principal: Principal) -> str | None:
        view = self.view(principal)
        if not view.has_guide:
            return None
        context = tool_context(self._library, principal, self._choices, self._guidance, is_searched=view.is_searched)
        return guide_text(context, TaskContext())

    # -- connections and calls ----------------------------------------------------------------------------------------

    def _entry(self, server: str) -> Server | None:
        return self._library.snapshot.servers.get(server)

    def _timeout_of(self, server: str) -> float | None:
        entry = self._entry(server)
        return entry.timeout if entry is not None else None

    def _capabilities(self, server: str) -> Mapping[str, Any]:
        listing = self._library.snapshot.catalogue.servers.get(server)
        return listing.capabilities if listing is not None else {}

    def _ready_connections(self) -> Iterator[tuple[ConnectionKey, Upstream]]:
        for server in self._library.snapshot.servers:
            upstream = self.upstreams.get(server)
            if upstream is not None and upstream.ready:
                yield ConnectionKey(server), upstream
        yield from self._connections.extra_connections()

    # -- messages of servers (UpstreamListener, MessageListener) ------------------------------------------------------

    def status_changed(self, server: str, status: ServerStatus) -> None:
        """Publish a server's status in the catalogue."""
        self._memory.touch()
        self.registry.status_changed(server, self.upstreams.shown_status(server, status))

    async def listed(self, server: str, listed: Listed) -> None:
        """Publish a server's lists in the catalogue."""
        self._memory.touch()
        await self.registry.listed_in_slices(server, listed)

    def notification(self, server: str, method: str, params: bytes | None) -> None:
        """Relay a notification of a shared connection."""
        self.connection_notification(ConnectionKey(server), method, params)

    async def server_request(self, server: str, method: str, params: bytes | None) -> Reply:
        """Relay a request of a shared connection."""
        return await self.connection_request(ConnectionKey(server), method, params)

    def connection_notification(self, connection: ConnectionKey, method: str, params: bytes | None) -> None:
        """Relay a server's notification."""
        self._router.notification(connection, method, params)

    async def connection_request(self, connection: ConnectionKey, method: str, params: bytes | None) -> Reply:
        """Relay a server's request, and return the client's reply."""
        return await self._router.request(connection, method, params)

    # -- clients ------------------------------------------------------------------------------------------------------

    def _request_seen(self, principal: Principal) -> None:
        self._memory.touch()
        if self._presence.record_request(principal):
            self._refresh_clients()

    def _introduced(self, principal: Principal, client_info: JsonObject, capabilities: JsonObject) -> None:
        if self._presence.record_info(principal, client_info, capabilities):
            self._renew_capabilities()
        if self._served_lists.introduce(principal, client_info):
            self._list_changed.changed()

    def _roots_changed(self, session: Session) -> None:
        # A server that many clients share could not request the roots of any one of them (docs/contract.md 5).
        self._background.spawn(self._connections.notify(session.principal, "notifications/roots/list_changed"))

    def _kept_states(self) -> list[tuple[Session, KeptState]]:
        subscribed, tasks = self._subscriptions.by_holder(), self._calls.tasks_by_client()
        states = []
        for session in self._sessions:
            uris = subscribed.get(session, [])
            if self._guide_subscriptions.holds(session):
                uris.append(GUIDE_URI)
            lists = self._list_changed.digests(session.principal)
            view = self.recorder.fetched_view(session)
            fetched = self._list_changed.digests_of(view).get(TOOLS, "") if view is not None else ""
            states.append((session, KeptState(tuple(uris), tuple(tasks.get(session, ())), lists, fetched)))
        return states

    def _session_restored(self, session: Session, state: KeptState) -> None:
        self._calls.restore_tasks(session, state.tasks)
        self._background.spawn(self._announce_missed(session, state))
        for uri in state.subscriptions:
            self._background.spawn(self._subscribe_again(session, uri))

    async def _announce_missed(self, session: Session, state: KeptState) -> None:
        for kind in await self._list_changed.changed_since(session.principal, state.lists):
            self._sessions.streams.notify(session, f"notifications/{kind}/list_changed", None)
        view = self.view(session.principal)
        if state.fetched and not session.ended and self._list_changed.digests_of(view).get(TOOLS) == state.fetched:
            self.recorder.list_restored(session.principal, view, session)
            self._list_changed.record_fetched(session.principal, view)
            self._refresh_clients()

    async def _subscribe_again(self, session: Session, uri: str) -> None:
        """Renew a subscription of an earlier run; its client is notified, for the resource may have changed since."""
        reply = await self._service.subscribe(uri, self.view(session.principal), SessionCaller(session))
        if reply.error is None and not session.ended:
            self._sessions.streams.notify(session, UPDATED, json_text.dumps({"uri": uri}))

    def _list_fetched(self, principal: Principal, view: ClientView, conversation: object) -> None:
        self._list_changed.record_fetched(principal, view)
        self.recorder.list_fetched(principal, view, conversation)
        self.stored_sessions.changed()
        self._refresh_clients()

    def _announced(self) -> None:
        self.stored_sessions.changed()
        self._guide_subscriptions.changed()
        self._refresh_clients()

    def _servers_in_use(self, seconds: float) -> set[str]:
        """Return the servers with tools of callers that sent a request in the last ``seconds``."""
        return {server for principal in self._presence.active(seconds) for server in self.view(principal).servers}

    def _refresh_clients(self) -> None:
        self._list_changed.refresh_callers()
        self._connections.close_absent(self._presence.present())
        clients = self.clients()
        if clients != self.connected:
            self.connected = clients
            self._listener(ClientsChanged(clients))

    def clients(self) -> tuple[ConnectedClient, ...]:
        """Return the clients that are connected now."""
        snapshot = self._library.snapshot
        connected = []
        for principal in self._presence.present():
            info = self._presence.info(principal)
            entry = snapshot.clients.get(principal.client or "")
            connected.append(
                ConnectedClient(
                    id=principal.client or "",
                    name=(entry.name if entry else "")
                    or str(info.get("title") or info.get("name") or principal.client or ""),
                    version=str(info.get("version") or ""),
                    sessions=len(self._sessions.of(principal)),
                    up_to_date=self._list_changed.is_up_to_date(principal),
                    changes_behind=self._list_changed.changes_behind(principal),
                    toolset=self._choices.toolset_name(principal, snapshot),
                )
            )
        return tuple(connected)

    async def _end_idle_sessions(self) -> None:
        while True:
            idle = self._library.snapshot.settings.session_idle
            await asyncio.sleep(min(60.0, idle / 2))
            await self.sdk.end_idle_sessions(idle, self._handler.is_busy)
            self.approvals.end_idle(idle)
            self._refresh_clients()

    # -- the user's actions -------------------------------------------------------------------------------------------

    def answer_page(self, number: int, action: PageAction) -> None:
        """Take the user's answer to a page that a server wants opened."""
        if self._pages is not None:
            self._pages.answer(number, action)

    def sign_in(self, server: str) -> None:
        """Begin a sign-in to a server; the listener gets ``SignInProgress``."""
        self.upstreams.sign_in(server, self._listener)

    def cancel_sign_in(self, server: str) -> None:
        """Cancel the sign-in to a server."""
        if self.upstreams.sign_ins is not None:
            self.upstreams.sign_ins.cancel(server)

    def sign_out(self, server: str) -> None:
        """Delete the tokens for a server; the listener gets ``SignInProgress``."""
        self._background.spawn(self._sign_out(server))

    async def _sign_out(self, server: str) -> None:
        try:
            await self.upstreams.sign_out(server)
        except ToolnoteError as error:
            self._listener(SignInProgress(server, SignInStage.FAILED, problem=error.problem))
        else:
            self._listener(SignInProgress(server, SignInStage.SIGNED_OUT))
