"""Tools that a toolset names and that are not served now, because their server was never seen or is disabled.

A client may remember and call one. The error then depends on the server (docs/contract.md 5).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from toolnote_desktop.guidance.served_tools import ResolvedEntry, is_available, name_limit, resolve_toolset
from toolnote_desktop.model.names import ToolKey, aliased_names, exposed_names, namespaced_name
from toolnote_desktop.model.problem import Code
from toolnote_desktop.model.servers import ServerState
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.dialect import PLAIN, Dialect
from toolnote_desktop.model.toolsets.toolset import ToolEntry, Toolset


class Unseen(Struct, frozen=True):
    """Tools named by a toolset but not served.

    Attributes:
        tools: future exposed name -> tool.
        anywhere: servers that were never seen, if an entry names its tool by refId alone: it may belong to any of them.
    """

    tools: Mapping[str, ToolKey]
    anywhere: tuple[str, ...]


def unseen_tools(snapshot: Snapshot, toolset: Toolset | None, dialect: Dialect = PLAIN) -> Unseen:
    """Return the tools that ``toolset`` names beyond those served."""
    entries = [] if toolset is None else [one for one in resolve_toolset(snapshot, toolset) if one.enabled]
    found = {key: one.entry for one in entries for key in _keys(snapshot, one)}
    by_hash = any(_is_missing(one) and one.entry.namespaced_name is None for one in entries)
    never_seen = [server for server, listing in snapshot.catalogue.servers.items() if not listing.tools]
    return Unseen(_names(snapshot, found, dialect), tuple(never_seen) if by_hash else ())


def _is_missing(one: ResolvedEntry) -> bool:
    return one.known is None and one.problem is not None and one.problem.code is Code.TOOL_NOT_FOUND


def _keys(snapshot: Snapshot, one: ResolvedEntry) -> Iterator[ToolKey]:
    """Yield the tools that an entry may mean: a name with several dots can be split in several places."""
    if one.known is not None:
        listing = snapshot.catalogue.servers.get(one.known.tool.server)
        off = listing is not None and listing.status.state is ServerState.DISABLED
        if off and one.known.listed and not is_available(snapshot, one.known):
            yield one.known.tool.key
        return
    name = one.entry.namespaced_name
    if name is None or not _is_missing(one):
        return
    for server in snapshot.servers:
        start = namespaced_name(server, "")
        if one.entry.server in (None, server) and name.startswith(start) and name != start:
            yield server, name.removeprefix(start)


def _names(snapshot: Snapshot, found: Mapping[ToolKey, ToolEntry], dialect: Dialect) -> dict[str, ToolKey]:
    if not found:
        return {}
    limit, reserved = name_limit(dialect), snapshot.catalogue.reserved
    prefixes = {server: entry.toolnote.prefix for server, entry in snapshot.servers.items()}
    exposed = exposed_names({*snapshot.catalogue.tools, *found}, prefixes, limit=limit, reserved=reserved)
    given = {key: entry.alias for key, entry in found.items() if entry.alias is not None and entry.alias.strip()}
    names = {**exposed, **aliased_names(exposed, given, limit=limit, reserved=reserved)}
    return {names[key]: key for key in found}
