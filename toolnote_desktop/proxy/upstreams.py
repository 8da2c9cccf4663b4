"""All servers at once: each change of ``servers.json`` starts, stops and restarts only what it touches."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping
from pathlib import Path
from urllib.parse import urlsplit

from toolnote_desktop.log import hide
from toolnote_desktop.model.expand import expanded, filled_in_secrets, secret_places
from toolnote_desktop.model.problem import Code, Problem, ToolnoteError
from toolnote_desktop.model.servers import Server, ServerState
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.child import Children, find_program
from toolnote_desktop.proxy.child import Pace as ChildPace
from toolnote_desktop.proxy.connection import Connection
from toolnote_desktop.proxy.events import SignInTold
from toolnote_desktop.proxy.handshake import CAPABILITIES
from toolnote_desktop.proxy.peer import Peer
from toolnote_desktop.proxy.redaction import Redaction, secrets_of
from toolnote_desktop.proxy.secrets_at_launch import follow_secrets, secrets_for, secrets_missed
from toolnote_desktop.proxy.server_log import LogFiles, ServerLog
from toolnote_desktop.proxy.sign_in import SIGN_IN_RECORD
from toolnote_desktop.proxy.sign_ins import SignIns
from toolnote_desktop.proxy.stdio_peer import LINE_LIMIT, StdioPeer
from toolnote_desktop.proxy.tasks import cancel_all
from toolnote_desktop.proxy.upstream import Pace, Upstream, UpstreamListener
from toolnote_desktop.proxy.worker import Worker
from toolnote_desktop.store.secrets import KEYCHAIN_TROUBLE, SecretStore
from toolnote_desktop.system.base import Platform
from toolnote_desktop.system.children import end_leftovers
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
        pace: Pace | None = None,
        child_pace: ChildPace | None = None,
        line_limit: int = LINE_LIMIT,
        logs: Path | None = None,
    ) -> None:
        """
        Args:
            own_urls: our own endpoint's: a server with one of them is refused (CASES C51).
            logs: the folder of the servers' logs, if it is not the home's.
            secrets: without it there are none, and nobody can sign in to a server.
        """
        self._listener = listener
        self._home = home
        self._platform = platform
        self._secrets = secrets
        self.sign_ins = SignIns(secrets, self._wants_more) if secrets is not None else None
        self._own_urls = own_urls
        self._pace = pace or Pace()
        self._child_pace = child_pace or ChildPace()
        self._line_limit = line_limit
        self._logs = logs or home.logs
        self._upstreams: dict[str, Upstream] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._of_clients: dict[tuple[str, Hashable], tuple[Upstream, asyncio.Task[None]]] = {}
        self._leaving: set[asyncio.Task[None]] = set()
        self._environment: Mapping[str, str] = {}
        self._children: Children
        self._kill: Callable[[], None] = lambda: None
        self._files: LogFiles | None = None
        self._running = False
        self._wanted: Mapping[str, Server] = {}

    async def run(self) -> None:
        """Own all connections until cancelled; when it returns, every child process is gone.

        First ends what a killed run left, and asks the login shell where that is needed: servers start after it.
        """
        self._files = LogFiles(self._logs)
        worker = Worker("toolnote-children")
        self._children = Children(self._home, self._platform, worker)
        self._kill = self._children.kill
        try:
            await asyncio.gather(
                asyncio.to_thread(end_leftovers, self._home), asyncio.to_thread(self._read_environment)
            )
            self._running = True
            self.apply(self._wanted)
            await asyncio.gather(self._children.look_around(), self._follow_secrets())
        finally:
            self._running = False
            self._children.hurry()
            try:
                of_clients = [task for _, task in self._of_clients.values()]
                await cancel_all([*self._tasks.values(), *of_clients, *self._leaving])
                if self.sign_ins is not None:
                    await self.sign_ins.close()
            finally:
                try:
                    await worker.do(self._close_files)
                finally:
                    worker.close()

    def apply(self, servers: Mapping[str, Server]) -> None:
        """What ``servers.json`` says now. Only what changed is stopped, started or restarted."""
        self._wanted = dict(servers)
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
        for (server, owner), (upstream, _) in list(self._of_clients.items()):
            entry_now = servers.get(server)
            if entry_now is None or not entry_now.toolnote.per_client:
                self.end_of_client(server, owner)
            else:
                upstream.update(entry_now)

    def _end(self, task: asyncio.Task[None]) -> None:
        task.cancel()
        self._leaving.add(task)
        task.add_done_callback(self._leaving.discard)

    def of_client(
        self, server: str, owner: Hashable, listener: UpstreamListener, offered: Mapping[str, object]
    ) -> Upstream | None:
        """The connection that a client has for itself (``perClient``), started when it is wanted for the first time.

        It is supervised and updated as the shared one is; its listener hears of it what that of all others does not.
        None for an unknown server.
        """
        entry = self._wanted.get(server)
        if entry is None or not self._running:
            return None
        known = self._of_clients.get((server, owner))
        if known is None:
            upstream = self._make(server, entry, listener, offered)
            known = self._of_clients[server, owner] = (upstream, asyncio.ensure_future(upstream.run()))
        return known[0]

    def of_clients(self) -> Iterator[tuple[str, Hashable, Upstream]]:
        """All connections that clients have for themselves: server, owner, connection."""
        for (server, owner), (upstream, _) in list(self._of_clients.items()):
            yield server, owner, upstream

    def end_of_client(self, server: str, owner: Hashable) -> None:
        """The client has gone: its connection ends, and with it the child."""
        _, task = self._of_clients.pop((server, owner))
        self._end(task)

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
        for one, _, of_client in self.of_clients():
            if one == server:
                of_client.restart()

    def attend(self, servers: Collection[str]) -> None:
        """These servers are in use or shown, the others are not."""
        for server, upstream in self._upstreams.items():
            upstream.attend(server in servers)

    def look_again(self) -> None:
        """The computer has slept: every connection is asked whether it is still there."""
        for upstream in (*self._upstreams.values(), *(one for _, _, one in self.of_clients())):
            upstream.look_again()

    def secret_changed(self, server: str, name: str) -> None:
        """A secret was set or removed, here or by another process, or can be had at last."""
        upstream = self._upstreams.get(server)
        if upstream is None or upstream.status.state is ServerState.DISABLED:
            return
        if name == SIGN_IN_RECORD:
            if upstream.status.state is ServerState.NEEDS_SIGN_IN and self.sign_ins is not None:
                self.sign_ins.look_again(server)
                self.restart(server)
        elif name in secret_places(self._wanted[server]) or name in secrets_missed(upstream.status.problem):
            self.restart(server)

    async def _follow_secrets(self) -> None:
        if self._secrets is not None:
            await follow_secrets(self._secrets, self.secret_changed, self._keychain_answers)

    def _keychain_answers(self) -> None:
        for server, upstream in self._upstreams.items():
            problem = upstream.status.problem
            if problem is not None and problem.code in KEYCHAIN_TROUBLE:
                self.restart(server)

    def sign_in(self, server: str, tell: Callable[[SignInTold], None]) -> None:
        """Have a person sign in to a server; ``tell`` hears how it goes on. One that is not there is not signed in to.

        Once somebody is signed in, its connection is made anew.
        """
        entry = self._wanted.get(server)
        if self.sign_ins is None or entry is None:
            return

        async def whole() -> Server:
            found = await secrets_for(self._secrets, server, entry)
            return await asyncio.to_thread(expanded, server, entry, self._environment, found.get)

        self.sign_ins.begin(server, whole, tell, lambda: self.restart(server))

    async def sign_out(self, server: str) -> None:
        """Forget the sign-in to a server; its connection is made anew without it.

        Raises:
            ToolnoteError: the keychain has trouble.
        """
        if self.sign_ins is not None:
            await self.sign_ins.sign_out(server)
            self.restart(server)

    def _wants_more(self, server: str, scope: str) -> None:
        upstream = self._upstreams.get(server)
        if upstream is not None:
            upstream.add_problem(Problem(Code.MORE_RIGHTS_WANTED, {"server": server, "scope": scope}))

    def _make(
        self,
        server: str,
        entry: Server,
        listener: UpstreamListener,
        offered: Mapping[str, object] = CAPABILITIES,
    ) -> Upstream:
        server_log = ServerLog(server, self._files)

        async def open_peer(entry: Server, connection: Connection) -> Peer:
            return await self._open_peer(server, entry, connection, server_log)

        return Upstream(
            server,
            entry,
            listener=listener,
            open_peer=open_peer,
            log=server_log,
            pace=self._pace,
            offered=offered,
        )

    def _add(self, server: str, entry: Server) -> None:
        upstream = self._upstreams[server] = self._make(server, entry, self._listener)
        # At most one child a server: one of the same id that is still on its way out is waited for.
        self._tasks[server] = asyncio.ensure_future(self._run(upstream, tuple(self._leaving)))
        self._listener.status_changed(server, upstream.status)

    async def _run(self, upstream: Upstream, leaving: tuple[asyncio.Task[None], ...]) -> None:
        if leaving:
            await asyncio.wait(leaving)
        await upstream.run()

    async def _open_peer(self, server: str, entry: Server, connection: Connection, server_log: ServerLog) -> Peer:
        found = await secrets_for(self._secrets, server, entry)
        whole = await asyncio.to_thread(expanded, server, entry, self._environment, found.get)
        secrets = {*secrets_of(whole), *filled_in_secrets(entry, self._environment, found.get)}
        secrets |= {line for value in found.values() for line in value.splitlines()}
        server_log.redact_with(Redaction(secrets))
        hide(secrets)
        if whole.type == "stdio":
            if is_toolnote_command(whole.command or "", whole.args):
                raise ToolnoteError(Code.SERVER_IS_TOOLNOTE, server=server)
            program = await asyncio.to_thread(find_program, server, whole, self._environment, self._platform)
            return await StdioPeer.start(
                server,
                program,
                connection,
                server_log,
                self._children,
                line_limit=self._line_limit,
                pace=self._child_pace,
            )
        url = whole.url or ""
        if any(_same_endpoint(url, own) for own in self._own_urls):
            raise ToolnoteError(Code.SERVER_IS_TOOLNOTE, server=server)
        from toolnote_desktop.proxy.http_link import HttpLink
        from toolnote_desktop.proxy.http_peer import HttpPeer
        from toolnote_desktop.proxy.sse_peer import SsePeer

        sign_in = await self.sign_ins.of(server, whole) if self.sign_ins is not None else None
        link = await HttpLink.open(server, url, whole.headers, sign_in)
        return SsePeer(link, connection) if whole.type == "sse" else HttpPeer(link, connection)

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
