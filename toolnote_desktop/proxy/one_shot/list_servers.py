"""Read the lists of servers once, for commands that run without the app."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from msgspec.structs import replace

from toolnote_desktop.model import json_text
from toolnote_desktop.model.servers import ServerState, ServerStatus
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


async def _list(
    library: Library,
    logs: Path,
    servers: tuple[str, ...],
    timeout: float,
    on_status: Callable[[str, ServerStatus], None],
) -> dict[str, ServerStatus]:
    return await _Listing(library, logs, servers, on_status).run(timeout)


class _Listing:
    """Listener of connections that are closed once all servers have answered."""

    def __init__(
        self, library: Library, logs: Path, servers: tuple[str, ...], on_status: Callable[[str, ServerStatus], None]
    ) -> None:
        entries = library.snapshot.servers
        self._library = library
        self._entries = {server: replace(entries[server], disabled=False) for server in servers}
        self._on_status = on_status
        self._registry = Registry(library)
        self._registry.apply(entries)
        secrets = SecretStore.of(library)
        options = UpstreamOptions(logs=logs)
        self._upstreams = Upstreams(self, home=library.home, platform=current(), secrets=secrets, options=options)
        self._statuses: dict[str, ServerStatus] = {}
        self._decided = asyncio.Event()

    async def run(self, timeout: float) -> dict[str, ServerStatus]:
        """Run until each server is ready or has a reason not to be."""
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
        problems = self._library.snapshot.catalogue.servers
        return {
            server: problems[server].status if status.state is ServerState.READY and server in problems else status
            for server, status in self._statuses.items()
        }

    def status_changed(self, server: str, status: ServerStatus) -> None:
        """See ``UpstreamListener``."""
        if self._decided.is_set():
            return  # the connections are being closed
        self._registry.status_changed(server, status)
        self._statuses[server] = status
        self._on_status(server, status)
        if all(one in self._statuses and self._is_decided(self._statuses[one]) for one in self._entries):
            self._decided.set()

    @staticmethod
    def _is_decided(status: ServerStatus) -> bool:
        return status.state not in _UNDECIDED or (
            status.state is ServerState.RECONNECTING and status.problem is not None
        )

    async def listed(self, server: str, listed: Listed) -> None:
        """See ``UpstreamListener``."""
        self._registry.listed(server, listed)

    def notification(self, server: str, method: str, params: bytes | None) -> None:
        """Ignore it: no client is connected. See ``UpstreamListener``."""

    async def server_request(self, server: str, method: str, params: bytes | None) -> Reply:
        """Refuse it: no client is connected. See ``UpstreamListener``."""
        error = {"code": -32601, "message": f"{method} is not answered outside a call"}
        return Reply(result=None, error=json_text.dumps(error))
