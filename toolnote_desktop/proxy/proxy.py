"""The proxy, put together: servers on one side, clients on the other, the registry and the library between them."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

from toolnote_desktop.log import hide
from toolnote_desktop.model import jsontext
from toolnote_desktop.model.jsontext import JsonObject
from toolnote_desktop.model.names import ToolKey
from toolnote_desktop.model.servers import ServerState, ServerStatus
from toolnote_desktop.paths import ENDPOINT_PATH, Home
from toolnote_desktop.proxy.access import Access
from toolnote_desktop.proxy.choices import ToolsetChoices
from toolnote_desktop.proxy.events import CallFinished, ClientsChanged, ConnectedClient, ProxyEvent
from toolnote_desktop.proxy.exposure import Exposure, View
from toolnote_desktop.proxy.forward import Forwarder
from toolnote_desktop.proxy.peer import Reply
from toolnote_desktop.proxy.registry import Registry
from toolnote_desktop.proxy.tools.context import Principal
from toolnote_desktop.proxy.upstream import Listed
from toolnote_desktop.proxy.upstreams import Upstreams
from toolnote_desktop.store.activity import Activity, Call
from toolnote_desktop.store.library import Change, Library
from toolnote_desktop.system import current

RECENT = 60.0
"""Seconds that a client without a session counts as connected after its last request."""

LOG_LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")

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
        listener: Callable[[ProxyEvent], None],
    ) -> None:
        self._library = library
        self._activity = activity
        self._listener = listener
        self._loop = asyncio.get_running_loop()
        self.access = Access(token or secrets.token_urlsafe(32), secrets.token_urlsafe(32))
        hide((self.access.token, self.access.bridge_secret))
        self.url = f"http://127.0.0.1:{port}{ENDPOINT_PATH}"
        self.registry = Registry(library)
        own_urls = tuple(f"http://{host}:{port}{ENDPOINT_PATH}" for host in ("127.0.0.1", "localhost", "[::1]"))
        self.upstreams = Upstreams(self, home=home, platform=current(), own_urls=own_urls)
        self._forwarder = Forwarder(self.upstreams.get, self._call_finished, self._timeout_of)
        choices = ToolsetChoices(library, toolset)
        self._choices = choices
        self._exposure = Exposure(choices)
        self._client_info: dict[Principal, JsonObject] = {}
        self._last_seen: dict[Principal, float] = {}
        self.connected: tuple[ConnectedClient, ...] = ()
        self._tasks: set[asyncio.Task[None]] = set()
        self._serve_clients()

    def _serve_clients(self) -> None:
        # Importing the SDK takes most of a second: servers are started before it (DESIGN 4).
        from toolnote_desktop.proxy.direct import DirectPath
        from toolnote_desktop.proxy.endpoint import EndpointApp
        from toolnote_desktop.proxy.express import Express
        from toolnote_desktop.proxy.notices import Notices
        from toolnote_desktop.proxy.sdk_server import SdkCaller, SdkServer
        from toolnote_desktop.proxy.service import Service

        async def answer(method: str, params: dict[str, object], caller: SdkCaller) -> Reply | None:
            if caller.client_info:
                self._client_info[caller.principal] = caller.client_info
            reply = await self.service.answer(method, params, caller)
            if method == "logging/setLevel":
                self._spread_log_level()
            elif reply is not None and reply.error is None and method.startswith("resources/"):
                self._note_subscription(method, params, caller)
            return reply

        self.sdk = SdkServer(answer, self._clients_may_have_changed)
        self.notices = Notices(self.sdk, self.view, self._present)
        self.service = Service(self._library, self._exposure, self._choices, self._forwarder, self._fetched)
        self.direct = DirectPath(self.sdk, self.service.answer)
        express = Express(self._library, self.access, self.sdk, self.direct, self._forwarder, self.view, self._fetched)
        self.app = EndpointApp(self.sdk, self.direct, express, self.access, lambda: self._library.snapshot, self._seen)

    def view(self, principal: Principal) -> View:
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
        self.registry.status_changed(server, status)

    def listed(self, server: str, listed: Listed) -> None:
        """See ``UpstreamListener``."""
        self.registry.listed(server, listed)

    def notification(self, server: str, method: str, params: bytes | None) -> None:
        """See ``UpstreamListener``."""
        if method == "notifications/progress":
            self._forwarder.notification(server, method, params)
        elif method == "notifications/message":
            self._spawn(self._relay_log(server, params))
        elif method == "notifications/resources/updated":
            message = jsontext.loads(params or b"{}")
            seers = {p for p in self._present() if server in self.view(p).servers}
            self._spawn(self.sdk.resource_updated(seers, message))

    async def server_request(self, server: str, method: str, params: bytes | None) -> Reply:
        """See ``UpstreamListener``."""
        return await self._forwarder.server_request(server, method, params)

    async def _relay_log(self, server: str, params: bytes | None) -> None:
        """A log line goes to the call it belongs to, else to every session that sees the server and wants the level."""
        message = jsontext.loads(params or b"{}")
        rank = _rank(message.get("level"))
        call = self._forwarder.sole_call(server)
        if call is not None:
            await call.caller.notify("notifications/message", message)
            return
        for session in list(self.sdk.sessions.values()):
            if server in self.view(session.principal).servers and rank >= _rank(session.log_level or "debug"):
                await session.connection.notify("notifications/message", message)

    def _spread_log_level(self) -> None:
        """A server logs for everybody at the most verbose level that a session asked for."""
        levels = [session.log_level for session in self.sdk.sessions.values() if session.log_level]
        if not levels:
            return
        level = min(levels, key=_rank)
        for server, listing in self._library.snapshot.catalogue.servers.items():
            upstream = self.upstreams.get(server)
            if upstream is not None and "logging" in listing.capabilities and not upstream.modern:
                self._spawn(self._set_level(server, level))

    async def _set_level(self, server: str, level: str) -> None:
        upstream = self.upstreams.get(server)
        if upstream is not None and upstream.status.state is ServerState.READY:
            reply = await upstream.request("logging/setLevel", {"level": level})
            if reply.error is not None:
                logger.info("%s does not take the log level %s", server, level)

    def _note_subscription(self, method: str, params: dict[str, object], caller: object) -> None:
        from toolnote_desktop.proxy.sdk_server import SdkCaller

        assert isinstance(caller, SdkCaller)
        session = self.sdk.session_of(caller)
        if session is None:
            return
        if method == "resources/subscribe":
            session.subscribed.add(str(params.get("uri")))
        elif method == "resources/unsubscribe":
            session.subscribed.discard(str(params.get("uri")))

    # Who is connected.

    def _seen(self, principal: Principal) -> None:
        is_new = principal not in self._last_seen
        self._last_seen[principal] = time.monotonic()
        if is_new:
            self._clients_may_have_changed()

    def _fetched(self, principal: Principal, view: View) -> None:
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

    def _clients_may_have_changed(self) -> None:
        self.notices.watch()
        clients = self.clients()
        if clients != self.connected:
            self.connected = clients
            self._listener(ClientsChanged(clients))

    def clients(self) -> tuple[ConnectedClient, ...]:
        """Who is connected now."""
        snapshot = self._library.snapshot
        listening = set(self.sdk.listening())
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
                    listens=principal in listening or any(self.sdk.is_streaming(s.session_id) for s in sessions),
                    up_to_date=self.notices.is_up_to_date(principal),
                    toolset=self._choices.toolset_name(principal, snapshot),
                )
            )
        return tuple(connected)

    # Calls.

    def _timeout_of(self, server: str) -> float | None:
        entry = self._library.snapshot.servers.get(server)
        return entry.timeout if entry is not None else None

    def _call_finished(self, client: str | None, server: str, tool: str, seconds: float, error: bool) -> None:
        self._activity.record_call(Call(time.time(), client or "", server, tool, seconds, "error" if error else None))
        self._listener(CallFinished(client, server, tool, seconds, error))

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
            await asyncio.sleep(60)
            await self.sdk.end_idle_sessions(self.direct.is_busy)

    async def close(self) -> None:
        """End what this object started by itself."""
        await self.notices.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def _rank(level: object) -> int:
    return LOG_LEVELS.index(level) if level in LOG_LEVELS else 0
