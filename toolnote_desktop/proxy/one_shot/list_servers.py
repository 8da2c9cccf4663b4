"""Read the lists of servers once, for commands that run without the app."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from msgspec.structs import replace

from toolnote_desktop.model import json_text
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.servers import Server, ServerState, ServerStatus
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.routing.registry import Registry
from toolnote_desktop.proxy.transports.base import Reply
from toolnote_desktop.proxy.upstream.server import Listed
from toolnote_desktop.proxy.upstream.servers import UpstreamOptions, Upstreams
from toolnote_desktop.store.library import Library
from toolnote_desktop.store.secrets.store import SecretStore
from toolnote_desktop.system import current

_UNDECIDED = (ServerState.STARTING, ServerState.DOWNLOADING, ServerState.RECONNECTING)


def list_servers(
    library: Library,
    servers: Iterable[str],
    *,
    timeout: float,
    on_status: Callable[[str, ServerStatus], None] = lambda server, status: None,
) -> dict[str, ServerStatus]:
    """Connect to these servers, register their tools in the catalogue, and disconnect.

    Args:
        servers: ids of ``servers.json``; a disabled server is connected to as well.
        timeout: seconds for all servers together; those that are not ready by then are given up.
        on_status: called with each change of a server's status, in this thread.

    Returns:
        Final status of each server.
    """
    # The logs of servers in the home belong to the app, which may be running.
    with tempfile.TemporaryDirectory(prefix="toolnote-", ignore_cleanup_errors=True) as folder:
        return asyncio.run(_list(library, Path(folder), tuple(servers), timeout, on_status))


async def try_server(
    server: str, entry: Server, secrets: SecretStore | None, *, timeout: float
) -> tuple[ServerStatus, int]:
    """Connect to a server by an entry that need not be stored, and disconnect; nothing is registered.

    Returns:
        Its final status, and the number of its tools.
    """
    with tempfile.TemporaryDirectory(prefix="toolnote-", ignore_cleanup_errors=True) as folder:
        connection = _Connections(Home(Path(folder)), Path(folder), {server: entry}, secrets)
        statuses = await connection.run(timeout)
        status = statuses.get(server)
        if status is None or status.state in _UNDECIDED:
            problem = Problem(Code.SERVER_SILENT, {"server": server, "seconds": f"{timeout:.0f}"})
            status = ServerStatus(ServerState.FAILED, status.problem if status and status.problem else problem)
        return status, connection.tools


async def _list(
    library: Library,
    logs: Path,
    servers: tuple[str, ...],
    timeout: float,
    on_status: Callable[[str, ServerStatus], None],
) -> dict[str, ServerStatus]:
    return await _Listing(library, logs, servers, on_status).run(timeout)


class _Connections:
    """Listener of connections that are closed once all servers have answered.

    Attributes:
        tools: number of tools that the servers have listed.
    """

    def __init__(self, home: Home, logs: Path, entries: Mapping[str, Server], secrets: SecretStore | None) -> None:
        self._entries = {server: replace(entry, disabled=False) for server, entry in entries.items()}
        options = UpstreamOptions(logs=logs)
        self._upstreams = Upstreams(self, home=home, platform=current(), secrets=secrets, options=options)
        self._statuses: dict[str, ServerStatus] = {}
        self._decided = asyncio.Event()
        self.tools = 0

    async def run(self, timeout: float) -> dict[str, ServerStatus]:
        """Run until each server is ready or has a reason not to be, and return the statuses."""
        connections = asyncio.create_task(self._upstreams.run())
        waiting = asyncio.create_task(self._decided.wait())
        try:
            self._upstreams.apply(self._entries)
            await asyncio.wait((connections, waiting), timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
        finally:
            waiting.cancel()
            connections.cancel()
            ended, _ = await asyncio.gather(connections, waiting, return_exceptions=True)
        if isinstance(ended, Exception):
            raise ended
        return self._statuses

    def status_changed(self, server: str, status: ServerStatus) -> None:
        """See ``UpstreamListener``."""
        if self._decided.is_set():
            return  # the connections are being closed
        self._status_changed(server, status)
        self._statuses[server] = status
        if all(one in self._statuses and self._is_decided(self._statuses[one]) for one in self._entries):
            self._decided.set()

    def _status_changed(self, server: str, status: ServerStatus) -> None:
        """Report a status."""

    @staticmethod
    def _is_decided(status: ServerStatus) -> bool:
        return status.state not in _UNDECIDED or (
            status.state is ServerState.RECONNECTING and status.problem is not None
        )

    async def listed(self, server: str, listed: Listed) -> None:
        """See ``UpstreamListener``."""
        self.tools += len(listed.tools)

    def notification(self, server: str, method: str, params: bytes | None) -> None:
        """Ignore it: no client is connected. See ``UpstreamListener``."""

    async def server_request(self, server: str, method: str, params: bytes | None) -> Reply:
        """Refuse it: no client is connected. See ``UpstreamListener``."""
        error = {"code": -32601, "message": f"{method} is not answered outside a call"}
        return Reply(result=None, error=json_text.dumps(error))


class _Listing(_Connections):
    """Connections whose lists go to the catalogue."""

    def __init__(
        self, library: Library, logs: Path, servers: tuple[str, ...], on_status: Callable[[str, ServerStatus], None]
    ) -> None:
        entries = library.snapshot.servers
        super().__init__(library.home, logs, {one: entries[one] for one in servers}, SecretStore.of(library))
        self._library = library
        self._on_status = on_status
        self._registry = Registry(library)
        self._registry.apply(entries)

    async def run(self, timeout: float) -> dict[str, ServerStatus]:
        """Return the statuses, with the problems of what the servers list."""
        statuses = await super().run(timeout)
        problems = self._library.snapshot.catalogue.servers
        return {
            server: problems[server].status if status.state is ServerState.READY and server in problems else status
            for server, status in statuses.items()
        }

    def _status_changed(self, server: str, status: ServerStatus) -> None:
        self._registry.status_changed(server, status)
        self._on_status(server, status)

    async def listed(self, server: str, listed: Listed) -> None:
        """See ``UpstreamListener``."""
        self._registry.listed(server, listed)
