"""The registry: one live catalogue of built-in and upstream tools, added to and taken from while running (seed 001).

It lives in the proxy's thread. Each server's listing is replaced on its own; the others are never touched, cleared or
rebuilt. Every change publishes a new frozen catalogue into the library's snapshot.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from toolnote_desktop.model.built_in_tools import built_in_names
from toolnote_desktop.model.catalogue import Catalogue, KnownTool, ServerListing
from toolnote_desktop.model.catalogue_document import (
    CATALOG_ENTRIES,
    build_catalogue,
    initial_status,
    listing_document,
    parse_listing,
)
from toolnote_desktop.model.edits import CATALOG, PutEntry, toolset_document
from toolnote_desktop.model.jsontext import JsonObject
from toolnote_desktop.model.names import ToolKey
from toolnote_desktop.model.problem import Code, Problem, ToolnoteError
from toolnote_desktop.model.servers import Server, ServerState, ServerStatus
from toolnote_desktop.model.tool import Tool, why_malformed, why_odd
from toolnote_desktop.model.tool_edits import AddTools, reference_fields
from toolnote_desktop.proxy.handshake import Era
from toolnote_desktop.proxy.tools import tool_prefix
from toolnote_desktop.proxy.upstream import Listed
from toolnote_desktop.store.library import Library, Origin

REGISTRY = Origin("registry")


class Registry:
    """Takes what servers say into the catalogue. All methods are for the proxy's loop."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._listings: dict[str, ServerListing] = dict(library.snapshot.catalogue.servers)
        self._returned: set[str] = set()  # added again, and not listed since

    def apply(self, servers: Mapping[str, Server]) -> None:
        """The entries of ``servers.json`` as they are now: register new ones, unregister those that are gone.

        One that was here before is known by what ``catalog.json`` still has of it: what the user accepted counts for
        whatever comes back under that name.
        """
        listings = {}
        for server, entry in servers.items():
            listing = self._listings.get(server)
            if listing is None:
                listing = self._seen_before(server, entry)
                if listing.tools:
                    self._returned.add(server)
            elif entry.disabled:
                listing = replace(listing, status=ServerStatus(ServerState.DISABLED))
            elif listing.status.state is ServerState.DISABLED:
                listing = replace(listing, status=ServerStatus(ServerState.STARTING))
            listings[server] = listing
        self._listings = listings
        self._returned &= listings.keys()
        self._publish()

    def status_changed(self, server: str, status: ServerStatus) -> None:
        """A server's connection is in another state; what it offers stays known."""
        listing = self._listings.get(server)
        if listing is None:
            return
        problems = tuple(dict.fromkeys((*status.problems, *_listing_problems(listing))))
        self._listings[server] = replace(listing, status=replace(status, problems=problems))
        self._publish()

    def listed(self, server: str, listed: Listed) -> None:
        """A server has said what it offers: its tools are registered, those it dropped are marked, others untouched."""
        before = self._listings.get(server)
        if before is None:
            return
        tools, problems = _merged(server, before.tools, listed.tools)
        listing = ServerListing(
            status=replace(before.status, problems=(*listed.problems, *problems)),
            tools=tools,
            prompts=tuple(prompt for prompt in listed.prompts if _is_named(prompt, "name")),
            resources=tuple(resource for resource in listed.resources if _is_named(resource, "uri")),
            resource_templates=tuple(t for t in listed.resource_templates if _is_named(t, "uriTemplate")),
            capabilities=listed.capabilities,
            instructions=listed.instructions,
            protocol_version=listed.protocol_version or None,
            era=before.era,
        )
        self._listings[server] = listing
        known_before = {known.tool.key for known in before.tools}
        self._publish()
        self._keep(server, listing)
        if server in self._returned and not self._is_chosen_from(server):
            known_before = set()  # added again, for a toolset that has none of them
        self._returned.discard(server)
        self._join_toolset(server, [known for known in tools if known.listed and known.tool.key not in known_before])

    def accept(self, key: ToolKey) -> None:
        """The user has looked at a changed tool: its newest definition is the accepted one."""
        server, _ = key
        listing = self._listings.get(server)
        if listing is None:
            return
        tools = tuple(replace(k, accepted=k.tool) if k.tool.key == key else k for k in listing.tools)
        listing = replace(listing, tools=tools)
        self._listings[server] = listing
        self._publish()
        self._keep(server, listing)

    def remembered_era(self, server: str) -> Era | None:
        """The era that was used last of a server that speaks either; None where it is not known to."""
        listing = self._listings.get(server)
        return Era(listing.era) if listing is not None and listing.era is not None else None

    def remember_era(self, server: str, era: Era | None) -> None:
        """The same, from now on."""
        listing = self._listings.get(server)
        if listing is None or listing.era == era:
            return
        self._listings[server] = listing = replace(listing, era=era.value if era is not None else None)
        self._publish()
        self._keep(server, listing)

    def _keep(self, server: str, listing: ServerListing) -> None:
        self._library.submit(PutEntry(CATALOG, CATALOG_ENTRIES, server, listing_document(listing)), origin=REGISTRY)

    def _publish(self) -> Catalogue:
        snapshot = self._library.snapshot
        reserved = built_in_names(tool_prefix(snapshot))
        catalogue = build_catalogue(snapshot.servers, self._listings, reserved, snapshot.catalogue)
        self._library.publish_catalogue(catalogue)
        return catalogue

    def _seen_before(self, server: str, entry: Server) -> ServerListing:
        known = (self._library.raw(CATALOG) or {}).get(CATALOG_ENTRIES)
        return parse_listing(server, known.get(server) if isinstance(known, dict) else None, initial_status(entry))

    def _is_chosen_from(self, server: str) -> bool:
        """Whether tools of this server are in the toolset that its entry names."""
        snapshot = self._library.snapshot
        toolset = snapshot.toolsets.get(snapshot.servers[server].toolnote.toolset or "")
        chosen = (known for one in (toolset.tools if toolset else ()) for known in snapshot.catalogue.resolve(one))
        return any(known.tool.server == server for known in chosen)

    def _join_toolset(self, server: str, new: list[KnownTool]) -> None:
        """Tools seen for the first time join the toolset that the server's entry names."""
        snapshot = self._library.snapshot
        entry = snapshot.servers.get(server)
        toolset = entry.toolnote.toolset if entry is not None else None
        if not new or toolset is None or toolset not in snapshot.toolsets:
            return
        entries = [reference_fields(snapshot.catalogue.reference_to(known.tool)) for known in new]
        try:
            self._library.submit(AddTools(toolset_document(toolset), tuple(entries)), origin=REGISTRY)
        except ToolnoteError as error:
            if error.problem.code is not Code.TOOLSET_NOT_FOUND:
                raise


def _merged(
    server: str, before: tuple[KnownTool, ...], listed: tuple[object, ...]
) -> tuple[tuple[KnownTool, ...], list[Problem]]:
    """The known tools of a server after it listed ``listed``, and what is wrong with single ones.

    A definition that did not change keeps its object, so that everything derived from it stays.
    """
    known_before = {known.tool.name: known for known in before}
    tools: dict[str, KnownTool] = {}
    problems: list[Problem] = []
    for definition in listed:
        reason = why_malformed(definition)
        if reason is not None or not isinstance(definition, dict):
            label = definition.get("name") if isinstance(definition, dict) else None
            parameters = {"server": server, "tool": str(label or "?"), "reason": reason or ""}
            problems.append(Problem(Code.TOOL_MALFORMED, parameters))
            continue
        name: str = definition["name"]
        if name in tools:
            problems.append(Problem(Code.TOOL_DUPLICATE, {"server": server, "tool": name}))
            continue
        tools[name] = _known(server, definition, known_before.get(name))
        problems += tools[name].problems
    gone = [replace(known, listed=False) for name, known in known_before.items() if name not in tools]
    return (*tools.values(), *gone), problems


def _known(server: str, definition: JsonObject, before: KnownTool | None) -> KnownTool:
    odd = why_odd(definition)
    parameters = {"server": server, "tool": str(definition["name"]), "reason": odd or ""}
    problems = (Problem(Code.TOOL_ODD, parameters),) if odd else ()
    if before is None:
        tool = Tool(server, definition)
        return KnownTool(tool, tool, problems=problems)
    if before.tool.definition == definition:
        return (
            before if before.listed and before.problems == problems else replace(before, listed=True, problems=problems)
        )
    tool = Tool(server, definition)
    accepted = tool if tool.fingerprint == before.accepted.fingerprint else before.accepted
    return KnownTool(tool, accepted, problems=problems)


def _listing_problems(listing: ServerListing) -> tuple[Problem, ...]:
    kept = (Code.TOOL_MALFORMED, Code.TOOL_DUPLICATE, Code.TOOL_ODD, Code.SERVER_PAGES)
    return tuple(problem for problem in listing.status.problems if problem.code in kept)


def _is_named(item: object, key: str) -> bool:
    return isinstance(item, dict) and isinstance(item.get(key), str)
