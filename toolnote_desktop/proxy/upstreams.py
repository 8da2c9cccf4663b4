"""All servers at once: each change of ``servers.json`` starts, stops and restarts only what it touches."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from toolnote_desktop.model.servers import Server
from toolnote_desktop.paths import Home
from toolnote_desktop.proxy.upstream import Upstream, UpstreamListener
from toolnote_desktop.system.base import Platform


class Upstreams:
    """The supervised connections, by server id. All methods are for the loop that ``run`` is on."""

    def __init__(
        self,
        listener: UpstreamListener,
        *,
        home: Home,
        platform: Platform,
        secrets: Callable[[str, str], str | None] | None = None,
        own_urls: tuple[str, ...] = (),
    ) -> None:
        """``secrets(server, name)`` looks a ``${secret:NAME}`` up; ``own_urls`` are our own endpoint's (CASES C51)."""
        raise NotImplementedError

    async def run(self) -> None:
        """Own all connections until cancelled; when it returns, every child process is gone."""
        raise NotImplementedError

    def apply(self, servers: Mapping[str, Server]) -> None:
        """What ``servers.json`` says now. Only what changed is stopped, started or restarted."""
        raise NotImplementedError

    def get(self, server: str) -> Upstream | None:
        """The connection of a server (disabled ones too); None for an unknown id."""
        raise NotImplementedError

    def restart(self, server: str) -> None:
        """End the connection and start it anew, with no delay."""
        raise NotImplementedError
