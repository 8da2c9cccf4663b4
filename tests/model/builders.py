"""Catalogues and snapshots in a few words, for tests of pure functions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from toolnote_desktop.model.names import exposed_names
from toolnote_desktop.model.servers import ServerState, ServerStatus
from toolnote_desktop.model.tools.catalogue import Catalogue, KnownTool, ServerListing
from toolnote_desktop.model.tools.tool import Tool


def definition(name: str, **more: Any) -> dict[str, Any]:
    """A small tool definition."""
    return {"name": name, "description": f"Does {name}", "inputSchema": {"type": "object"}, **more}


def known(server: str, name: str, *, listed: bool = True, **more: Any) -> KnownTool:
    """A tool in the catalogue, unchanged since it was accepted."""
    tool = Tool(server, definition(name, **more))
    return KnownTool(tool, tool, listed=listed)


def catalogue(
    tools: Iterable[KnownTool],
    states: Mapping[str, ServerState] | None = None,
    prefixes: Mapping[str, str | None] | None = None,
    reserved: Iterable[str] = (),
) -> Catalogue:
    """A catalogue of these tools; servers are ready unless ``states`` says otherwise."""
    tools = list(tools)
    by_server: dict[str, list[KnownTool]] = {}
    for one in tools:
        by_server.setdefault(one.tool.server, []).append(one)
    listings = {
        server: ServerListing(ServerStatus((states or {}).get(server, ServerState.READY)), tools=tuple(ones))
        for server, ones in by_server.items()
    }
    names = exposed_names((one.tool.key for one in tools), prefixes or {}, reserved=reserved)
    return Catalogue(servers=listings, exposed=names)


class Reports(list[tuple[str, str]]):
    """Collects what a lenient reader left out."""

    def __call__(self, entry: str, reason: str) -> None:
        self.append((entry, reason))
