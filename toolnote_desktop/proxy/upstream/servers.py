"""All servers at once: each change of ``servers.json`` starts, stops and restarts only what it touches."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from toolnote_desktop.log import hide
from toolnote_desktop.model.problem import Code, Problem, ToolnoteError
from toolnote_desktop.model.secrets.variable_expansion import expand, expanded_secrets, secret_references
from toolnote_desktop.model.servers import Server, ServerState, ServerStatus
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
from toolnote_desktop.proxy.transports.redaction import Redaction, secrets_of
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


class Upstreams:
    """The supervised connections, by server id. All methods are for the loop that ``run`` is on."""

    def __init__(
        self,
        listener: UpstreamListener,
        *,
        home: Home,
        platform: Platform,
        secrets: SecretStore | None = None,
        own_urls: tuple[str, ...] = (),
        timeouts: Timeouts | None = None,
        process_timeouts: ProcessTimeouts | None = None,
        line_limit: int = LINE_LIMIT,
        logs: Path | None = None,
        remembered_era: Callable[[str], Era | None] = lambda server: None,
        remember_era: Callable[[str, Era | None], None] = lambda server, era: None,
    ) -> None:
        """
        Args:
            own_urls: our own endpoint's: a server with one of them is refused (case C51).
            logs: the folder of the servers' logs, if it is not the home's.
            remembered_era, remember_era: the era that was used last, of a server that speaks either (``EraChoice``).
            secrets: without it there are none, and nobody can sign in to a server.
        """
        self._listener = listener
        self._home = home
        self._platform = platform
        self._secrets = secrets
        self.sign_ins = SignIns(secrets, self._report_insufficient_scope) if secrets is not None else None
        self._own_urls = own_urls
        self._timeouts = timeouts or Timeouts()
        self._process_timeouts = process_timeouts or ProcessTimeouts()
        self._line_limit = line_limit
        self._logs = logs or home.logs
        self._remembered_era = remembered_era
        self._remember_era = remember_era
        self._upstreams: dict[str, Upstream] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._extra: dict[in_flight.ConnectionKey, tuple[Upstream, asyncio.Task[None]]] = {}
        self._closing: set[asyncio.Task[None]] = set()
        self._environment: Mapping[str, str] = {}
        self._children: Children
        self._kill: Callable[[], None] = lambda: None
        self._files: LogFiles | None = None
        self._running = False
        self._entries: Mapping[str, Server] = {}

    async def run(self) -> None:
        """Own all connections until cancelled; when it returns, every child process is gone.

        First ends what a killed run left, and asks the login shell where that is needed: servers start after it.
        """
        self._files = LogFiles(self._logs)
        worker = WorkerThread("toolnote-children")
        self._children = Children(self._home, self._platform, worker)
        self._kill = self._children.kill
        try:
            await asyncio.gather(
                asyncio.to_thread(stop_leftovers, self._home), asyncio.to_thread(self._read_environment)
            )
            self._running = True
            self.apply(self._entries)
            await asyncio.gather(self._children.track_descendants(), self._watch_secrets())
        finally:
            self._running = False
            self._children.shorten_timeouts()
            try:
                further = [task for _, task in self._extra.values()]
                await cancel_all([*self._tasks.values(), *further, *self._closing])
                if self.sign_ins is not None:
                    await self.sign_ins.close()
            finally:
                try:
                    await worker.run(self._close_files)
                finally:
                    worker.close()

    def apply(self, servers: Mapping[str, Server]) -> None:
        """What ``servers.json`` says now. Only what changed is stopped, started or restarted."""
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
        for connection, upstream in self.further():
            entry_now, own = servers.get(connection.server), connection.principal is not None
            if entry_now is None or entry_now.toolnote.per_client != own:
                self.end(connection)
            elif not own and connection_key(entry_now) != connection_key(before[connection.server]):
                self.end(connection)  # nothing is known any more of its eras
            else:
                upstream.update(entry_now)

    def _end(self, task: asyncio.Task[None]) -> None:
        task.cancel()
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    def open(
        self, connection: in_flight.ConnectionKey, listener: UpstreamListener, offered: Mapping[str, object] = CAPABILITIES
    ) -> Upstream | None:
        """A further connection to a server, started when it is wanted for the first time: a client's own
        (``perClient``), or the second process, for clients of one era.

        It is supervised and updated as the shared one is; its listener hears of it what that of all others does not.
        None for an unknown server.
        """
        server = connection.server
        entry = self._entries.get(server)
        if entry is None or not self._running:
            return None
        known = self._extra.get(connection)
        if known is None:
            eras = EraChoice(connection.era or wanted_era(entry))
            upstream = self._create(server, entry, listener, eras, offered)
            leaving = tuple(self._closing) if connection.principal is None else ()
            task = asyncio.ensure_future(self._run(upstream, leaving))
            known = self._extra[connection] = (upstream, task)
        return known[0]

    def find(self, connection: in_flight.ConnectionKey) -> Upstream | None:
        """A further connection, if it is there."""
        known = self._extra.get(connection)
        return known[0] if known is not None else None

    def further(self) -> Iterator[tuple[in_flight.ConnectionKey, Upstream]]:
        """All connections beside the shared ones."""
        for connection, (upstream, _) in list(self._extra.items()):
            yield connection, upstream

    def second(self, server: str) -> tuple[in_flight.ConnectionKey, Upstream] | None:
        """The second process of a server, for clients of the era that the first does not speak, if it is there."""
        for era in Era:
            connection = in_flight.ConnectionKey(server, era=era)
            if (upstream := self.find(connection)) is not None:
                return connection, upstream
        return None

    def end(self, connection: in_flight.ConnectionKey) -> None:
        """Nobody needs it any more: the connection ends, and with it the child."""
        _, task = self._extra.pop(connection)
        self._end(task)
        if connection.principal is None:
            self.notify_status(connection.server)

    def close_idle(self, seconds: float) -> None:
        """End the second processes that nobody has asked for anything for so long."""
        for connection, upstream in self.further():
            if connection.principal is None and upstream.idle_seconds() >= seconds:
                self.end(connection)

    def notify_status(self, server: str) -> None:
        """How a server is has changed, by what became of its second process."""
        upstream = self._upstreams.get(server)
        if upstream is not None:
            self._listener.status_changed(server, upstream.status)

    def shown_status(self, server: str, status: ServerStatus) -> ServerStatus:
        """What is told of a server whose first process is so."""
        second = self.second(server)
        return shown_status(status, second[1].status if second is not None else None)

    def get(self, server: str) -> Upstream | None:
        """The connection of a server (disabled ones too); None for an unknown id."""
        return self._upstreams.get(server)

    def kill(self) -> None:
        """End every child on the spot, from any thread: this process is about to end, and ``run`` has not."""
        self._kill()

    def restart(self, server: str) -> None:
        """End the connection and start it anew, with no delay."""
        upstream = self._upstreams.get(server)
        if upstream is not None:
            upstream.restart()
        for connection, further in self.further():
            if connection.server == server:
                further.restart()

    def set_in_use(self, servers: Collection[str]) -> None:
        """These servers are in use or shown, the others are not."""
        for server, upstream in self._upstreams.items():
            upstream.set_in_use(server in servers)
        for connection, upstream in self.further():
            if connection.principal is None:
                upstream.set_in_use(connection.server in servers)

    def recheck(self) -> None:
        """The computer has slept: every connection is asked whether it is still there."""
        for upstream in (*self._upstreams.values(), *(one for _, one in self.further())):
            upstream.recheck()

    def secret_changed(self, server: str, name: str) -> None:
        """A secret was set or removed, here or by another process, or can be had at last."""
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

    def sign_in(self, server: str, tell: Callable[[SignInProgress], None]) -> None:
        """Have a person sign in to a server; ``tell`` hears how it goes on. One that is not there is not signed in to.

        Once somebody is signed in, its connection is made anew.
        """
        entry = self._entries.get(server)
        if self.sign_ins is None or entry is None:
            return

        async def whole() -> Server:
            found = await secrets_for(self._secrets, server, entry)
            return await asyncio.to_thread(expand, server, entry, self._environment, found.get)

        self.sign_ins.start(server, whole, tell, lambda: self.restart(server))

    async def sign_out(self, server: str) -> None:
        """Forget the sign-in to a server; its connection is made anew without it.

        Raises:
            ToolnoteError: the keychain has trouble.
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
        offered: Mapping[str, object] = CAPABILITIES,
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
            timeouts=self._timeouts,
            eras=eras,
            offered=offered,
        )

    def _add(self, server: str, entry: Server) -> None:
        eras = EraChoice(wanted_era(entry), self._remembered_era(server), partial(self._remember_era, server))
        upstream = self._upstreams[server] = self._create(server, entry, self._listener, eras)
        # At most one child a server: one of the same id that is still on its way out is waited for.
        self._tasks[server] = asyncio.ensure_future(self._run(upstream, tuple(self._closing)))
        self._listener.status_changed(server, upstream.status)

    async def _run(self, upstream: Upstream, leaving: tuple[asyncio.Task[None], ...]) -> None:
        if leaving:
            await asyncio.wait(leaving)
        await upstream.run()

    async def _open_transport(
        self, server: str, entry: Server, connection: Connection, server_log: ServerLog
    ) -> Transport:
        found = await secrets_for(self._secrets, server, entry)
        whole = await asyncio.to_thread(expand, server, entry, self._environment, found.get)
        secrets = {*secrets_of(whole), *expanded_secrets(entry, self._environment, found.get)}
        secrets |= {line for value in found.values() for line in value.splitlines()}
        server_log.redact_with(Redaction(secrets))
        hide(secrets)
        if whole.type == "stdio":
            if is_toolnote_command(whole.command or "", whole.args):
                raise ToolnoteError(Code.SERVER_IS_TOOLNOTE, server=server)
            program = await asyncio.to_thread(find_program, server, whole, self._environment, self._platform)
            return await StdioTransport.start(
                server,
                program,
                connection,
                server_log,
                self._children,
                line_limit=self._line_limit,
                timeouts=self._process_timeouts,
            )
        url = whole.url or ""
        if any(_same_endpoint(url, own) for own in self._own_urls):
            raise ToolnoteError(Code.SERVER_IS_TOOLNOTE, server=server)
        from toolnote_desktop.proxy.transports.http_client import ServerHttpClient
        from toolnote_desktop.proxy.transports.legacy_sse import LegacySseTransport
        from toolnote_desktop.proxy.transports.streamable_http import StreamableHttpTransport

        sign_in = await self.sign_ins.token_source(server, whole) if self.sign_ins is not None else None
        http_client = await ServerHttpClient.open(server, url, whole.headers, sign_in)
        return (
            LegacySseTransport(http_client, connection)
            if whole.type == "sse"
            else StreamableHttpTransport(http_client, connection)
        )

    def _read_environment(self) -> None:
        self._environment = self._platform.environment()

    def _close_files(self) -> None:
        self._children.close()
        if self._files is not None:
            self._files.close()


def _same_endpoint(url: str, own: str) -> bool:
    """Whether a url leads to our own endpoint: the same port of this machine, by whatever name, and the same path."""
    try:
        one, other = urlsplit(url), urlsplit(own)
        hosts = {one.hostname, other.hostname}
        return one.port == other.port and hosts <= _LOOPBACK and one.path.rstrip("/") == other.path.rstrip("/")
    except ValueError:  # a port that is none: the connection will say so
        return False
