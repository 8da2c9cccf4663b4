"""The proxy, put together: servers on one side, clients on the other, the registry and the library between them."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from toolnote_desktop.log import hide
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.names import ToolKey
from toolnote_desktop.model.problem import ToolnoteError
from toolnote_desktop.model.servers import Server, ServerStatus
from toolnote_desktop.paths import ENDPOINT_PATH, Home
from toolnote_desktop.proxy.client_guidance import ClientGuidance
from toolnote_desktop.proxy.endpoint.auth import AccessControl
from toolnote_desktop.proxy.endpoint.list_changed import ListChangedNotifier
from toolnote_desktop.proxy.endpoint.relay import ServerMessageRouter
from toolnote_desktop.proxy.endpoint.session import Session
from toolnote_desktop.proxy.endpoint.sessions import ClientSessions
from toolnote_desktop.proxy.events import (
    ClientsChanged,
    ConnectedClient,
    ProxyEvent,
    SignInProgress,
    SignInStage,
)
from toolnote_desktop.proxy.in_flight import CallsInFlight, Connection
from toolnote_desktop.proxy.principal import Principal
from toolnote_desktop.proxy.routing.forward import Forwarder
from toolnote_desktop.proxy.routing.log_levels import LogLevels
from toolnote_desktop.proxy.routing.registry import Registry
from toolnote_desktop.proxy.routing.resource_routes import ResourceRoutes
from toolnote_desktop.proxy.routing.served_lists import ClientView, ServedLists
from toolnote_desktop.proxy.routing.toolset_choice import ToolsetSelector
from toolnote_desktop.proxy.routing.try_tool import ToolTrials
from toolnote_desktop.proxy.transports.base import Reply
from toolnote_desktop.proxy.upstream.client_connections import ClientConnections
from toolnote_desktop.proxy.upstream.health_checks import HealthMonitor
from toolnote_desktop.proxy.upstream.server import Listed, Upstream
from toolnote_desktop.proxy.upstream.servers import Upstreams
from toolnote_desktop.store.activity import Activity, Call
from toolnote_desktop.store.library import Change, Library
from toolnote_desktop.store.secrets.store import SecretStore
from toolnote_desktop.system import current

if TYPE_CHECKING:
    from toolnote_desktop.proxy.endpoint.app import EndpointApp
    from toolnote_desktop.proxy.endpoint.handler import RequestHandler
    from toolnote_desktop.proxy.routing.requests import RequestService

RECENT = 60.0
"""Seconds that a client without a session counts as connected after its last request."""

logger = logging.getLogger(__name__)


class Proxy:
    """Everything of the proxy that runs on its loop. Made and used in the proxy's thread only."""

    def __init__(
        self,
        library: Library,
        home: Home,
        activity: Activity,
        *,
        token: str | None,
        toolset: str | None,
        port: int,
        keychain: SecretStore,
        listener: Callable[[ProxyEvent], None],
    ) -> None:
        self.service: RequestService
        self.direct: RequestHandler
        self._library = library
        self._activity = activity
        self._listener = listener
        self._loop = asyncio.get_running_loop()
        self.access = AccessControl(token or secrets.token_urlsafe(32), secrets.token_urlsafe(32))
        hide((self.access.token, self.access.bridge_secret))
        self.url = f"http://127.0.0.1:{port}{ENDPOINT_PATH}"
        self.registry = Registry(library)
        own_urls = tuple(f"http://{host}:{port}{ENDPOINT_PATH}" for host in ("127.0.0.1", "localhost", "[::1]"))
        self.upstreams = Upstreams(
            self,
            home=home,
            platform=current(),
            secrets=keychain,
            own_urls=own_urls,
            remembered_era=self.registry.remembered_era,
            remember_era=self.registry.remember_era,
        )
        self.vigil = HealthMonitor(self.upstreams, self._at_work, lambda: library.snapshot.servers)
        self._levels = LogLevels(self._ready_connections, self._capabilities)
        self._per_client = ClientConnections(
            self.upstreams, self._entry, lambda: self._relay, self._levels.connection_ended
        )
        self._routes = ResourceRoutes(lambda: library.snapshot)
        self._forwarder = Forwarder(
            self._per_client.connect,
            self._call_finished,
            self._timeout_of,
            self._routes.note_links,
            self._levels,
            CallsInFlight(),
        )
        choices = ToolsetSelector(library, toolset)
        self._choices = choices
        self._exposure = ServedLists(choices, ClientGuidance.of(home))
        self._client_info: dict[Principal, JsonObject] = {}
        self._last_seen: dict[Principal, float] = {}
        self.connected: tuple[ConnectedClient, ...] = ()
        self._tasks: set[asyncio.Task[None]] = set()
        self.sdk = ClientSessions(
            self._watching, self._clients_may_have_changed, self._session_ended, self._instructions
        )
        self.notices = ListChangedNotifier(self.sdk, self.view, self._present, self._announced)
        connection = self._per_client.connection
        self._relay = ServerMessageRouter(self.sdk, self._forwarder, self._levels, self.view, self._spawn, connection)
        self.trials = ToolTrials(self._forwarder)

    def open_to_clients(self) -> EndpointApp:
        """The app that clients are served with. What it needs is imported here: servers have been started before it."""
        from toolnote_desktop.proxy.endpoint.app import EndpointApp
        from toolnote_desktop.proxy.endpoint.fast_path.protocol import FastPath
        from toolnote_desktop.proxy.endpoint.handler import RequestHandler
        from toolnote_desktop.proxy.routing.requests import RequestService

        self.service = self._relay.service = RequestService(
            self._library,
            self._exposure,
            self._choices,
            self._forwarder,
            self._levels,
            self._relay.subscriptions,
            self._routes,
            self._fetched,
            self._relay.guide,
        )
        self.direct = RequestHandler(self.sdk, self.service.answer, self.view, self._introduced, self._roots_changed)
        self._relay.questions = self.direct.questions
        express = FastPath(self._library, self.access, self.sdk, self.direct, self._forwarder, self.view, self._fetched)
        return EndpointApp(self.sdk, self.direct, express, self.access, lambda: self._library.snapshot, self._seen)

    def _watching(
        self, principal: Principal, meta: JsonObject, uris: list[str]
    ) -> contextlib.AbstractAsyncContextManager[list[str]]:
        return self._relay.watching(principal, meta, uris)

    def _session_ended(self, session: Session) -> None:
        self.direct.session_ended(session)
        self._relay.session_ended(session)
        if not self.sdk.sessions_of(session.principal):
            self._last_seen.pop(session.principal, None)

    def _announced(self) -> None:
        self._relay.guide.changed()
        self._clients_may_have_changed()

    def _instructions(self, principal: Principal) -> str | None:
        return self._exposure.instructions(self._library.snapshot, principal)

    def _introduced(self, principal: Principal, client_info: JsonObject) -> None:
        self._client_info[principal] = client_info
        if self._exposure.introduce(principal, client_info):
            self.notices.changed()

    def _roots_changed(self, session: Session) -> None:
        # A server that many clients share could not ask any one of them for its roots (docs/contract.md 5).
        self._spawn(self._per_client.tell(session.principal, "notifications/roots/list_changed"))

    # Connections.

    def _entry(self, server: str) -> Server | None:
        return self._library.snapshot.servers.get(server)

    def _ready_connections(self) -> Iterator[tuple[Connection, Upstream]]:
        for server in self._library.snapshot.servers:
            upstream = self.upstreams.get(server)
            if upstream is not None and upstream.ready:
                yield Connection(server), upstream
        yield from self._per_client.further()

    def _capabilities(self, server: str) -> Mapping[str, Any]:
        listing = self._library.snapshot.catalogue.servers.get(server)
        return listing.capabilities if listing is not None else {}

    def view(self, principal: Principal) -> ClientView:
        """What a caller sees now."""
        return self._exposure.view(self._library.snapshot, principal)

    @contextlib.contextmanager
    def following_library(self) -> Iterator[None]:
        """While inside, the servers and notices follow the library."""
        servers = self._library.snapshot.servers
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
            self.registry.apply(servers)
            self.upstreams.apply(servers)
        self.notices.changed()
        self._clients_may_have_changed()

    # What servers say (UpstreamListener).

    def status_changed(self, server: str, status: ServerStatus) -> None:
        """See ``UpstreamListener``."""
        self.registry.status_changed(server, self.upstreams.shown_status(server, status))

    async def prepare(self, server: str, listed: Listed) -> None:
        """See ``UpstreamListener``."""
        await self.registry.prepare(server, listed)

    def listed(self, server: str, listed: Listed) -> None:
        """See ``UpstreamListener``."""
        self.registry.listed(server, listed)

    def notification(self, server: str, method: str, params: bytes | None) -> None:
        """See ``UpstreamListener``."""
        self._relay.notification(Connection(server), method, params)

    async def server_request(self, server: str, method: str, params: bytes | None) -> Reply:
        """See ``UpstreamListener``."""
        return await self._relay.question(Connection(server), method, params)

    # Who is connected.

    def _seen(self, principal: Principal) -> None:
        is_new = principal not in self._last_seen
        self._last_seen[principal] = time.monotonic()
        if is_new:
            self._clients_may_have_changed()

    def _fetched(self, principal: Principal, view: ClientView) -> None:
        self.notices.fetched(principal, view)
        self._activity.record_list(principal.client or "", self._library.snapshot.revision)
        self._clients_may_have_changed()

    def _present(self) -> list[Principal]:
        """Everybody with a session or an open stream, and who asked something within the last minute."""
        horizon = time.monotonic() - RECENT
        for principal, seen in list(self._last_seen.items()):
            if seen < horizon:
                del self._last_seen[principal]
                self._client_info.pop(principal, None)
        callers = [session.principal for session in self.sdk.sessions.values()]
        return list(dict.fromkeys([*callers, *self.sdk.listening(), *self._last_seen]))

    def _at_work(self, seconds: float) -> set[str]:
        """The servers whose tools somebody has who asked for something within so many seconds."""
        horizon = time.monotonic() - seconds
        callers = {session.principal for session in self.sdk.sessions.values() if session.last_use > horizon}
        callers.update(principal for principal, seen in self._last_seen.items() if seen > horizon)
        return {server for principal in callers for server in self.view(principal).servers}

    def _clients_may_have_changed(self) -> None:
        for session in list(self.sdk.sessions.values()):
            self._exposure.introduce(session.principal, session.client_info)
        self.notices.watch()
        self._per_client.end_absent(self._present())
        clients = self.clients()
        if clients != self.connected:
            self.connected = clients
            self._listener(ClientsChanged(clients))

    def clients(self) -> tuple[ConnectedClient, ...]:
        """Who is connected now."""
        snapshot = self._library.snapshot
        connected = []
        for principal in self._present():
            sessions = [s for s in self.sdk.sessions.values() if s.principal == principal]
            info = sessions[-1].client_info if sessions else self._client_info.get(principal, {})
            entry = snapshot.clients.get(principal.client or "")
            connected.append(
                ConnectedClient(
                    id=principal.client or "",
                    name=(entry.name if entry else "")
                    or str(info.get("title") or info.get("name") or principal.client or ""),
                    version=str(info.get("version") or ""),
                    sessions=len(sessions),
                    up_to_date=self.notices.is_up_to_date(principal),
                    toolset=self._choices.toolset_name(principal, snapshot),
                )
            )
        return tuple(connected)

    # Signing in.

    def sign_in(self, server: str) -> None:
        """A person wants to sign in to a server; the listener hears how it goes on."""
        self.upstreams.sign_in(server, self._listener)

    def cancel_sign_in(self, server: str) -> None:
        """They do not want to any more."""
        if self.upstreams.sign_ins is not None:
            self.upstreams.sign_ins.cancel(server)

    def sign_out(self, server: str) -> None:
        """They want to be forgotten there."""
        self._spawn(self._sign_out(server))

    async def _sign_out(self, server: str) -> None:
        try:
            await self.upstreams.sign_out(server)
        except ToolnoteError as error:
            self._listener(SignInProgress(server, SignInStage.FAILED, problem=error.problem))
        else:
            self._listener(SignInProgress(server, SignInStage.SIGNED_OUT))

    # Calls.

    def _timeout_of(self, server: str) -> float | None:
        entry = self._entry(server)
        return entry.timeout if entry is not None else None

    def _call_finished(self, client: str | None, server: str, tool: str, seconds: float, error: bool) -> None:
        self._activity.record_call(Call(time.time(), client or "", server, tool, seconds, "error" if error else None))

    def accept_tool(self, key: ToolKey) -> None:
        """The user has looked at a changed tool."""
        self.registry.accept(key)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(self._guarded(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        # The boundary of work that nobody waits for: what goes wrong in it is logged, and touches nothing else.
        try:
            await work
        except Exception:
            logger.exception("relaying failed")

    async def end_idle_sessions(self) -> None:
        """End idle sessions, now and then, until cancelled."""
        while True:
            idle = self._library.snapshot.settings.session_idle
            await asyncio.sleep(min(60.0, idle / 2))
            await self.sdk.end_idle_sessions(idle, self.direct.is_busy)
            self._clients_may_have_changed()

    @contextlib.asynccontextmanager
    async def sdk_running(self) -> AsyncIterator[None]:
        """While inside, the SDK's server can be had."""
        task = self._loop.create_task(self.sdk.run(), name="sdk")
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def close(self) -> None:
        """End what this object started by itself."""
        await self.notices.close()
        await self._forwarder.close()
        await self.trials.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
