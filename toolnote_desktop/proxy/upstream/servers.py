"""Supervised connections to all servers; a change of ``servers.json`` only restarts the servers that it touches."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Protocol

from msgspec import Struct, field

from toolnote_desktop.log import hide
from toolnote_desktop.model.problem import Code, Problem, ToolnoteError
from toolnote_desktop.model.secrets.secret_masks import SecretCover
from toolnote_desktop.model.secrets.variable_expansion import expand, expanded_secrets, secret_references
from toolnote_desktop.model.servers import Server, ServerState, ServerStatus, secret_values
from toolnote_desktop.model.url_parts import split_url
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy import in_flight
from toolnote_desktop.proxy.aio.tasks import cancel_all
from toolnote_desktop.proxy.aio.worker_thread import WorkerThread
from toolnote_desktop.proxy.events import SignInProgress
from toolnote_desktop.proxy.oauth.sign_ins import SignIns
from toolnote_desktop.proxy.oauth.token_source import SIGN_IN_RECORD
from toolnote_desktop.proxy.protocol import CAPABILITIES, Era
from toolnote_desktop.proxy.transports.base import Transport
from toolnote_desktop.proxy.transports.child_process import Children, ProcessTimeouts, find_program
from toolnote_desktop.proxy.transports.server_log import LogFiles, ServerLog
from toolnote_desktop.proxy.transports.stdio import LINE_LIMIT, StdioTransport
from toolnote_desktop.proxy.upstream.connection import Connection
from toolnote_desktop.proxy.upstream.era_choice import EraChoice, shown_status, wanted_era
from toolnote_desktop.proxy.upstream.launch_secrets import missing_secrets, secrets_for, watch_secrets
from toolnote_desktop.proxy.upstream.retry_policy import connection_key
from toolnote_desktop.proxy.upstream.server import Timeouts, Upstream, UpstreamListener
from toolnote_desktop.store.secrets.store import KEYCHAIN_PROBLEMS, SecretStore
from toolnote_desktop.system.base import Platform
from toolnote_desktop.system.children import stop_leftovers
from toolnote_desktop.system.program import is_toolnote_command

log = logging.getLogger(__name__)

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1", "0.0.0.0"})


class EraMemory(Protocol):
    """Storage of the era used last, for servers that speak both (``EraChoice``)."""

    def remembered_era(self, server: str) -> Era | None:
        """Return the era used last; None if the server is not known to speak both."""

    def remember_era(self, server: str, era: Era | None) -> None:
        """Store the era used last."""


class UpstreamOptions(Struct, frozen=True):
    """Settings of all connections.

    Attributes:
        own_urls: URLs of our own endpoint: a server with one of them is refused (case C51).
        client_extensions: returns the extensions that current clients of a server declare.
        line_limit: bytes of the longest line on stdout.
        logs: folder of the servers' logs; None for that of the home.
    """

    own_urls: tuple[str, ...] = ()
    timeouts: Timeouts = field(default_factory=Timeouts)
    process_timeouts: ProcessTimeouts = field(default_factory=ProcessTimeouts)
    line_limit: int = LINE_LIMIT
    logs: Path | None = None
    client_extensions: Callable[[str], Mapping[str, object]] = lambda server: {}


class Upstreams:
    """Supervised connections by server id. All methods are for the event loop that ``run`` is on."""

    def __init__(
        self,
        listener: UpstreamListener,
        *,
        home: Home,
        platform: Platform,
        secrets: SecretStore | None = None,
        eras: EraMemory | None = None,
        options: UpstreamOptions | None = None,
    ) -> None:
        """
        Args:
            secrets: None if there are no secrets; users cannot sign in to servers then.
        """
        self._listener = listener
        self._home = home
        self._platform = platform
        self._secrets = secrets
        self.sign_ins = SignIns(secrets, self._report_insufficient_scope) if secrets is not None else None
        self._eras = eras
        self._options = options or UpstreamOptions()
        self._upstreams: dict[str, Upstream] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._extra: dict[in_flight.ConnectionKey, tuple[Upstream, asyncio.Task[None]]] = {}
        self._closing: set[asyncio.Task[None]] = set()
        self._environment: Mapping[str, str] = {}
        self._children: Children
        self._kill: Callable[[], None] = lambda: None
        self._files: LogFiles | None = None
        self.started = asyncio.Event()
        """Set once connections exist: before, leftovers are stopped and the login shell's environment is read."""
        self._running = False
        self._entries: Mapping[str, Server] = {}

    async def run(self) -> None:
        """Run all connections until cancelled; when it returns, all child processes have exited.

        Before servers start, leftovers of a killed run are stopped and the login shell's environment is read.
        """
        self._files = LogFiles(self._options.logs or self._home.logs)
        worker = WorkerThread("toolnote-children")
        self._children = Children(self._home, self._platform, worker)
        self._kill = self._children.kill
        try:
            await asyncio.gather(
                asyncio.to_thread(stop_leftovers, self._home), asyncio.to_thread(self._read_environment)
            )
            self._running = True
            self.apply(self._entries)
            self.started.set()
            await asyncio.gather(self._children.track_descendants(), self._watch_secrets())
        finally:
            self._running = False
            self._children.shorten_timeouts()
            try:
                extra_connections = [task for _, task in self._extra.values()]
                await cancel_all([*self._tasks.values(), *extra_connections, *self._closing])
                if self.sign_ins is not None:
                    await self.sign_ins.close()
            finally:
                try:
                    await worker.run(self._close_files)
                finally:
                    worker.close()

    def apply(self, servers: Mapping[str, Server]) -> None:
        """Apply the entries of ``servers.json``. Only what changed is stopped, started or restarted."""
        before, self._entries = self._entries, dict(servers)
        if not self._running:
            return
        for server in [known for known in self._upstreams if known not in servers]:
            del self._upstreams[server]
            self._end(self._tasks.pop(server))
        for server, entry in servers.items():
            known = self._upstreams.get(server)
            if known is not None:
                known.update(entry)
            else:
                self._add(server, entry)
        for connection, upstream in self.extra_connections():
            entry_now, own = servers.get(connection.server), connection.principal is not None
            if entry_now is None or entry_now.toolnote.per_client != own:
                self.close_extra(connection)
            elif not own and connection_key(entry_now) != connection_key(before[connection.server]):
                self.close_extra(connection)  # its eras are unknown now
            else:
                upstream.update(entry_now)

    def _end(self, task: asyncio.Task[None]) -> None:
        task.cancel()
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    def open_extra(
        self,
        connection: in_flight.ConnectionKey,
        listener: UpstreamListener,
        offered: Mapping[str, object] | None = None,
    ) -> Upstream | None:
        """Return an extra connection to a server, started if necessary; None for an unknown server.

        It belongs to one client (``perClient``), or is the second process, for clients of one era. It is supervised and
        updated like the shared one, with a listener of its own.
        """
        server = connection.server
        entry = self._entries.get(server)
        if entry is None or not self._running:
            return None
        known = self._extra.get(connection)
        if known is None:
            eras = EraChoice(connection.era or wanted_era(entry))
            upstream = self._create(server, entry, listener, eras, offered)
            closing = tuple(self._closing) if connection.principal is None else ()
            task = asyncio.ensure_future(self._run(upstream, closing))
            known = self._extra[connection] = (upstream, task)
        return known[0]

    def find_extra(self, connection: in_flight.ConnectionKey) -> Upstream | None:
        """Return an extra connection, or None."""
        known = self._extra.get(connection)
        return known[0] if known is not None else None

    def extra_connections(self) -> Iterator[tuple[in_flight.ConnectionKey, Upstream]]:
        """Return all connections besides the shared ones."""
        for connection, (upstream, _) in list(self._extra.items()):
            yield connection, upstream

    def second_process(self, server: str) -> tuple[in_flight.ConnectionKey, Upstream] | None:
        """Return the second process of a server, for clients of the era that the first does not speak, or None."""
        for era in Era:
            connection = in_flight.ConnectionKey(server, era=era)
            if (upstream := self.find_extra(connection)) is not None:
                return connection, upstream
        return None

    def close_extra(self, connection: in_flight.ConnectionKey) -> None:
        """Close an extra connection that is not needed any more, and end its child."""
        _, task = self._extra.pop(connection)
        self._end(task)
        if connection.principal is None:
            self.notify_status(connection.server)

    def close_idle(self, seconds: float) -> None:
        """Close second processes that have received no request for so many seconds."""
        for connection, upstream in self.extra_connections():
            if connection.principal is None and upstream.idle_seconds() >= seconds:
                self.close_extra(connection)

    def notify_status(self, server: str) -> None:
        """Report a server's status after that of its second process has changed."""
        upstream = self._upstreams.get(server)
        if upstream is not None:
            self._listener.status_changed(server, upstream.status)

    def shown_status(self, server: str, status: ServerStatus) -> ServerStatus:
        """Return a server's status for display, from that of its first process."""
        second = self.second_process(server)
        return shown_status(status, second[1].status if second is not None else None)

    def get(self, server: str) -> Upstream | None:
        """Return the shared connection of a server (also a disabled one); None for an unknown id."""
        return self._upstreams.get(server)

    def kill(self) -> None:
        """Kill all children at once, from any thread: this process exits before ``run`` returns."""
        self._kill()

    def restart(self, server: str) -> None:
        """Close the connections of a server and open them anew without delay."""
        upstream = self._upstreams.get(server)
        if upstream is not None:
            upstream.restart()
        for connection, extra_connections in self.extra_connections():
            if connection.server == server:
                extra_connections.restart()

    def set_in_use(self, servers: Collection[str]) -> None:
        """Mark these servers as in use or shown, the others as not."""
        for server, upstream in self._upstreams.items():
            upstream.set_in_use(server in servers)
        for connection, upstream in self.extra_connections():
            if connection.principal is None:
                upstream.set_in_use(connection.server in servers)

    def renew_capabilities(self) -> None:
        """Offer all servers what their clients declare by now (``Upstream.renew_capabilities``)."""
        for upstream in (*self._upstreams.values(), *(one for _, one in self.extra_connections())):
            upstream.renew_capabilities()

    def recheck(self) -> None:
        """Probe all connections, after the computer has slept."""
        for upstream in (*self._upstreams.values(), *(one for _, one in self.extra_connections())):
            upstream.recheck()

    def secret_changed(self, server: str, name: str) -> None:
        """Restart a server after one of its secrets was set, removed or became readable."""
        upstream = self._upstreams.get(server)
        if upstream is None or upstream.status.state is ServerState.DISABLED:
            return
        if name == SIGN_IN_RECORD:
            if upstream.status.state is ServerState.NEEDS_SIGN_IN and self.sign_ins is not None:
                self.sign_ins.invalidate(server)
                self.restart(server)
        elif name in secret_references(self._entries[server]) or name in missing_secrets(upstream.status.problem):
            self.restart(server)

    async def _watch_secrets(self) -> None:
        if self._secrets is not None:
            await watch_secrets(self._secrets, self.secret_changed, self._retry_keychain)

    def _retry_keychain(self) -> None:
        for server, upstream in self._upstreams.items():
            problem = upstream.status.problem
            if problem is not None and problem.code in KEYCHAIN_PROBLEMS:
                self.restart(server)

    def sign_in(self, server: str, report: Callable[[SignInProgress], None]) -> None:
        """Start a sign-in to a server, reporting each stage; its connection is opened anew after success.

        Does nothing for an unknown server.
        """
        entry = self._entries.get(server)
        if self.sign_ins is None or entry is None:
            return

        async def expanded_entry() -> Server:
            found = await secrets_for(self._secrets, server, entry)
            return await asyncio.to_thread(expand, server, entry, self._environment, found.get)

        self.sign_ins.start(server, expanded_entry, report, lambda: self.restart(server))

    async def sign_out(self, server: str) -> None:
        """Delete the sign-in to a server and open its connection anew without it.

        Raises:
            ToolnoteError: the keychain cannot be changed.
        """
        if self.sign_ins is not None:
            await self.sign_ins.sign_out(server)
            self.restart(server)

    def _report_insufficient_scope(self, server: str, scope: str) -> None:
        upstream = self._upstreams.get(server)
        if upstream is not None:
            upstream.add_problem(Problem(Code.MORE_RIGHTS_WANTED, {"server": server, "scope": scope}))

    def _create(
        self,
        server: str,
        entry: Server,
        listener: UpstreamListener,
        eras: EraChoice,
        offered: Mapping[str, object] | None = None,
    ) -> Upstream:
        server_log = ServerLog(server, self._files)

        async def open_transport(entry: Server, connection: Connection) -> Transport:
            return await self._open_transport(server, entry, connection, server_log)

        return Upstream(
            server,
            entry,
            listener=listener,
            open_transport=open_transport,
            log=server_log,
            timeouts=self._options.timeouts,
            eras=eras,
            offered=partial(self._shared_capabilities, server) if offered is None else lambda: offered,
        )

    def _shared_capabilities(self, server: str) -> Mapping[str, object]:
        extensions = self._options.client_extensions(server)
        return {**CAPABILITIES, "extensions": extensions} if extensions else CAPABILITIES

    def _add(self, server: str, entry: Server) -> None:
        eras = EraChoice(wanted_era(entry))
        if self._eras is not None:
            remembered = self._eras.remembered_era(server)
            eras = EraChoice(wanted_era(entry), remembered, partial(self._eras.remember_era, server))
        upstream = self._upstreams[server] = self._create(server, entry, self._listener, eras)
        # At most one child per server: wait for one of the same id that is still exiting.
        self._tasks[server] = asyncio.ensure_future(self._run(upstream, tuple(self._closing)))
        self._listener.status_changed(server, upstream.status)

    async def _run(self, upstream: Upstream, closing: tuple[asyncio.Task[None], ...]) -> None:
        if closing:
            await asyncio.wait(closing)
        await upstream.run()

    async def _open_transport(
        self, server: str, entry: Server, connection: Connection, server_log: ServerLog
    ) -> Transport:
        found = await secrets_for(self._secrets, server, entry)
        expanded_entry = await asyncio.to_thread(expand, server, entry, self._environment, found.get)
        secrets = {*secret_values(expanded_entry), *expanded_secrets(entry, self._environment, found.get)}
        secrets |= {line for value in found.values() for line in value.splitlines()}
        server_log.redact_with(SecretCover(secrets))
        hide(secrets)
        if expanded_entry.type == "stdio":
            if is_toolnote_command(expanded_entry.command or "", expanded_entry.args):
                raise ToolnoteError(Code.SERVER_IS_TOOLNOTE, server=server)
            program = await asyncio.to_thread(find_program, server, expanded_entry, self._environment, self._platform)
            return await StdioTransport.start(
                server,
                program,
                connection,
                server_log,
                self._children,
                line_limit=self._options.line_limit,
                timeouts=self._options.process_timeouts,
            )
        url = expanded_entry.url or ""
        if any(_same_endpoint(url, own) for own in self._options.own_urls):
            raise ToolnoteError(Code.SERVER_IS_TOOLNOTE, server=server)
        from toolnote_desktop.proxy.transports.http_client import ServerHttpClient
        from toolnote_desktop.proxy.transports.legacy_sse import LegacySseTransport
        from toolnote_desktop.proxy.transports.streamable_http import StreamableHttpTransport

        sign_in = await self.sign_ins.token_source(server, expanded_entry) if self.sign_ins is not None else None
        http_client = await ServerHttpClient.open(server, url, expanded_entry.headers, sign_in)
        return (
            LegacySseTransport(http_client, connection)
            if expanded_entry.type == "sse"
            else StreamableHttpTransport(http_client, connection)
        )

    def _read_environment(self) -> None:
        self._environment = self._platform.environment()

    def _close_files(self) -> None:
        self._children.close()
        if self._files is not None:
            self._files.close()


def _same_endpoint(url: str, own: str) -> bool:
    """Return True if a URL leads to our own endpoint: the same port of this machine and the same path."""
    try:
        one, other = split_url(url), split_url(own)
        hosts = {one.hostname, other.hostname}
        return one.port == other.port and hosts <= _LOOPBACK and one.path.rstrip("/") == other.path.rstrip("/")
    except ValueError:  # an invalid port, which the connection reports
        return False
