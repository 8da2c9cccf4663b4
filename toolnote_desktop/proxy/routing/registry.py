"""Registry: the catalogue of built-in and upstream tools, changed while running (docs/requirements.md 1).

It belongs to the proxy's thread. Each server's listing is replaced on its own; the others are never touched, cleared or
rebuilt. Every change publishes a new frozen catalogue into the library's snapshot.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from msgspec.structs import replace

from toolnote_desktop.model import json_text
from toolnote_desktop.model.edits import CATALOG, TOOLS, Edit, PutEntry, RemoveEntry, toolset_document
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code, Problem, ToolnoteError
from toolnote_desktop.model.servers import Server, ServerOptions, ServerState, ServerStatus
from toolnote_desktop.model.tools.built_in_tools import built_in_names
from toolnote_desktop.model.tools.catalogue import KnownTool, ServerListing
from toolnote_desktop.model.tools.catalogue_document import (
    CATALOG_ENTRIES,
    accepted_part,
    build_catalogue,
    initial_status,
    listing_document,
    listing_faults,
    parse_listing,
    valid_entries,
)
from toolnote_desktop.model.tools.renames import returned_names
from toolnote_desktop.model.tools.review import reviewed_listing, settle_instructions
from toolnote_desktop.model.toolsets.carry import index_of, renamed_fields, renamed_settings, returned_fields
from toolnote_desktop.model.toolsets.tool_edits import AddTools, reference_fields
from toolnote_desktop.model.toolsets.tool_settings import PROMPT_ENTRIES, ToolSettings
from toolnote_desktop.proxy.aio.time_slices import Sliced
from toolnote_desktop.proxy.protocol import Era
from toolnote_desktop.proxy.routing.catalogue_merge import (
    IsLost,
    Merged,
    MergedPrompts,
    merge_steps,
    prompt_steps,
)
from toolnote_desktop.proxy.tools import tool_prefix
from toolnote_desktop.proxy.upstream.server import Listed
from toolnote_desktop.store.library import Library, Origin
from toolnote_desktop.system.threads import short_turns

REGISTRY = Origin("registry")

MAX_KEPT_BYTES = 1024 * 1024
"""Bytes of what is kept of a server that was removed."""

MAX_JOINED = 6_000
"""Tools of a server that join its toolset by themselves."""

MAX_KEPT_TOOLS = 2_000
"""Tools of a removed server that are kept: small ones cost ten times their bytes."""


class Registry:
    """Registry of tools. All methods are for the proxy's event loop."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._listings: dict[str, ServerListing] = dict(library.snapshot.catalogue.servers)
        self._readded: set[str] = set()  # added again, and not listed since
        self._is_holding = self._is_pending = False
        self._stored: dict[str, JsonObject] = {}  # document of each server as submitted last

    def apply(self, servers: Mapping[str, Server]) -> None:
        """Apply the entries of ``servers.json``: register new servers, unregister those that are gone.

        One that was here before is known by what ``catalog.json`` still has of it: what the user accepted counts for
        whatever comes back under that name.
        """
        listings = {}
        for server, entry in servers.items():
            listing = self._listings.get(server)
            if listing is None:
                listing = self._stored_listing(server, entry)
                if listing.tools:
                    self._readded.add(server)
            elif entry.disabled:
                listing = replace(listing, status=ServerStatus(ServerState.DISABLED))
            elif listing.status.state is ServerState.DISABLED:
                listing = replace(listing, status=ServerStatus(ServerState.STARTING))
            listings[server] = listing
        self._listings = listings
        self._readded &= listings.keys()
        for gone in self._stored.keys() - listings.keys():
            del self._stored[gone]
        self._forget_large(listings)
        self._publish()

    def status_changed(self, server: str, status: ServerStatus) -> None:
        """Update a server's status; its tools stay known."""
        listing = self._listings.get(server)
        if listing is None:
            return
        problems = tuple(dict.fromkeys((*status.problems, *listing_faults(listing))))
        now = replace(status, problems=problems)
        if now != listing.status:
            self._listings[server] = replace(listing, status=now)
            self._publish()

    async def listed_in_slices(self, server: str, listed: Listed) -> None:
        """Register what a server lists, merged in time slices with what is known; nothing is published until then."""
        while (listing := self._listings.get(server)) is not None:
            before = listing.tools
            is_lost = self._lost(server, self._library.snapshot.tool_settings.by_name)
            with_references = self._target_toolset(server) is not None
            restricted = self._restricted(server)
            steps = merge_steps(
                server, before, listed.tools, is_lost, restricted=restricted, with_references=with_references
            )
            merged = await Sliced(steps).in_slices()
            faults: list[Problem] = []
            prompts = await Sliced(self._prompt_steps(server, listing, listed, faults)).in_slices()
            now = self._listings.get(server)
            if now is not None and now.tools is before and now.prompts is listing.prompts:
                with short_turns():
                    self._register(server, now, listed, merged, prompts, faults)
                return

    def listed(self, server: str, listed: Listed) -> None:
        """Register what a server lists, at once."""
        before = self._listings.get(server)
        if before is not None:
            is_lost = self._lost(server, self._library.snapshot.tool_settings.by_name)
            steps = merge_steps(server, before.tools, listed.tools, is_lost, restricted=self._restricted(server))
            faults: list[Problem] = []
            prompts = Sliced(self._prompt_steps(server, before, listed, faults)).at_once()
            self._register(server, before, listed, Sliced(steps).at_once(), prompts, faults)

    def _prompt_steps(
        self, server: str, before: ServerListing, listed: Listed, faults: list[Problem]
    ) -> Generator[None, None, MergedPrompts]:
        prompts = valid_entries(server, "prompts", listed.prompts, faults.append)
        is_lost = self._lost(server, self._library.snapshot.tool_settings.prompts)
        return prompt_steps(server, before.prompts, prompts, is_lost)

    def _lost(self, server: str, settings: Mapping[str, ToolSettings]) -> IsLost:
        """Return the function that tells what the user accepted of a server and is not known any more: where
        ``catalog.json`` was lost and changes are held, or there is a decision on a definition of before.
        """
        is_held = self._is_lost_and_held(server)

        def is_lost(name: str) -> bool:
            return is_held or ((own := settings.get(name)) is not None and own.review is not None)

        return is_lost

    def _is_lost_and_held(self, server: str) -> bool:
        return self._library.snapshot.catalogue_lost and self._options(server).changes in ("hold", "hold-meaning")

    def _register(
        self,
        server: str,
        before: ServerListing,
        listed: Listed,
        merged: Merged,
        prompts: MergedPrompts,
        faults: list[Problem],
    ) -> None:
        """Register the tools and prompts, mark those that are gone, and leave the others untouched."""
        tools = merged.tools
        others = {
            field: _keep_identity(
                getattr(before, field), valid_entries(server, field, getattr(listed, field), faults.append)
            )
            for field in ("resources", "resource_templates")
        }
        listing = ServerListing(
            status=replace(before.status, problems=(*listed.problems, *merged.problems, *faults)),
            tools=tools,
            prompts=prompts.prompts,
            **others,
            capabilities=listed.capabilities,
            instructions=listed.instructions,
            accepted_instructions=_accepted_instructions(
                before, self._options(server), listed.instructions, is_lost=self._is_lost_and_held(server)
            ),
            server_info=listed.server_info,
            protocol_version=listed.protocol_version or None,
            era=before.era,
            by_era={**(before.by_era if before.server_info == listed.server_info else {}), **listed.by_era},
        )
        self._listings[server] = listing
        if tools is not before.tools:
            self._restrict_renamed(before.tools, tools, merged.alike.values())
        if prompts.renamed:
            names = prompts.renamed
            renamed = [
                replace(one, renamed_from=names[one.tool.name]) for one in prompts.prompts if one.tool.name in names
            ]
            self._submit(renamed_settings(self._library.raw(TOOLS), renamed, PROMPT_ENTRIES))
        self._publish()
        if not self._is_stored(server, before, listing):
            self._store(server, listing)
        is_anew = server in self._readded and not self._has_tools_in_toolset(server)  # a toolset that has none of them
        self._readded.discard(server)
        if is_anew or tools is not before.tools:
            known_before = set() if is_anew else {known.tool.key for known in before.tools}
            new = [
                merged.alike.get(known.tool.name, known)
                for known in tools
                if known.listed and known.tool.key not in known_before
            ]
            self._join_toolset(server, new, is_anew=is_anew)

    def _restricted(self, server: str) -> set[str]:
        """Return the names of the tools that the user restricts, in every toolset or where a server's tools join."""
        snapshot = self._library.snapshot
        toolset = snapshot.toolsets.get(self._target_toolset(server) or "")
        found = {name for name, one in snapshot.tool_settings.by_name.items() if one.restricting != ToolSettings()}
        return found | {one.namespaced_name or "" for one in (toolset.tools if toolset else ()) if one.is_restricted}

    def _restrict_renamed(
        self, before: Iterable[KnownTool], now: Iterable[KnownTool], alike: Iterable[KnownTool]
    ) -> None:
        """Let what restricts a tool in every toolset hold for the name that its server gave it, for a new tool that is
        nearly the same, and for a name that it had before: that one has its places in toolsets, where the
        restrictions are added.
        """
        known = {one.tool.name: one for one in before}
        renamed = [one for one in now if one.renamed_from and one.tool.name not in known]
        returned = returned_names(known, now)
        self._submit(renamed_settings(self._library.raw(TOOLS), (*renamed, *alike, *returned)))
        for toolset in self._library.snapshot.toolsets if returned else ():
            document = toolset_document(toolset)
            self._submit(returned_fields(document, self._library.raw(document), returned))

    def _submit(self, edits: Sequence[Edit]) -> None:
        if edits:
            self._library.submit(*edits, origin=REGISTRY)

    def review(self) -> None:
        """Apply the user's decisions on changed definitions, after ``tools.json`` has changed."""
        self._publish()

    def remembered_era(self, server: str) -> Era | None:
        """See ``EraMemory``."""
        listing = self._listings.get(server)
        return Era(listing.era) if listing is not None and listing.era is not None else None

    def remember_era(self, server: str, era: Era | None) -> None:
        """See ``EraMemory``."""
        listing = self._listings.get(server)
        if listing is None or listing.era == era:
            return
        self._listings[server] = listing = replace(listing, era=era.value if era is not None else None)
        self._publish()
        self._store(server, listing)

    def _store(self, server: str, listing: ServerListing) -> None:
        self._stored[server] = document = listing_document(listing)
        self._library.submit(PutEntry(CATALOG, CATALOG_ENTRIES, server, document), origin=REGISTRY)

    def _forget_large(self, present: Mapping[str, ServerListing]) -> None:
        """Forget large lists of servers that were removed, but what the user accepted of what they have changed since;
        others are kept for the case that they are added again.
        """
        known = (self._library.raw(CATALOG) or {}).get(CATALOG_ENTRIES)
        for server, document in known.items() if isinstance(known, dict) else ():
            if server not in present and _is_large(document):
                forgotten = RemoveEntry(CATALOG, CATALOG_ENTRIES, server)
                kept = accepted_part(document, MAX_KEPT_BYTES)
                edit = PutEntry(CATALOG, CATALOG_ENTRIES, server, kept)
                self._library.submit(edit if kept else forgotten, origin=REGISTRY)

    def _is_stored(self, server: str, before: ServerListing, now: ServerListing) -> bool:
        """Return True if the document already holds this listing: megabytes are not written twice."""
        known = (self._library.raw(CATALOG) or {}).get(CATALOG_ENTRIES)
        return (
            isinstance(known, dict)
            and known.get(server, self) is self._stored.get(server)
            and now.tools is before.tools
            and now.prompts is before.prompts
            and replace(now, status=before.status) == before
            and listing_faults(now, stored=True) == listing_faults(before, stored=True)
        )

    @contextmanager
    def publishing_once(self) -> Iterator[None]:
        """Publish all changes within the context as one: each costs as much as there are servers."""
        self._is_holding = True
        try:
            yield
        finally:
            self._is_holding = False
            if self._is_pending:
                self._publish()

    def _publish(self) -> None:
        self._is_pending = self._is_holding
        if self._is_holding:
            return
        snapshot = self._library.snapshot
        for server, entry in snapshot.servers.items():
            if (listing := self._listings.get(server)) is not None:
                settings = snapshot.tool_settings
                reviewed = reviewed_listing(
                    listing, entry.toolnote.changes, settings.review_decision, settings.prompt_decision
                )
                self._listings[server] = reviewed.with_headings(kept=entry.toolnote.keeps_heading)
        reserved = built_in_names(tool_prefix(snapshot))
        catalogue = build_catalogue(snapshot.servers, self._listings, reserved, snapshot.catalogue)
        self._library.publish_catalogue(catalogue)

    def _stored_listing(self, server: str, entry: Server) -> ServerListing:
        known = (self._library.raw(CATALOG) or {}).get(CATALOG_ENTRIES)
        return parse_listing(server, known.get(server) if isinstance(known, dict) else None, initial_status(entry))

    def _has_tools_in_toolset(self, server: str) -> bool:
        """Return True if the toolset named in a server's entry contains tools of the server."""
        snapshot = self._library.snapshot
        toolset = snapshot.toolsets.get(snapshot.servers[server].toolnote.toolset or "")
        chosen = (known for one in (toolset.tools if toolset else ()) for known in snapshot.catalogue.resolve(one))
        return any(known.tool.server == server for known in chosen)

    def _options(self, server: str) -> ServerOptions:
        entry = self._library.snapshot.servers.get(server)
        return entry.toolnote if entry is not None else ServerOptions()

    def _target_toolset(self, server: str) -> str | None:
        """Return the toolset named in a server's entry, if it exists."""
        snapshot = self._library.snapshot
        entry = snapshot.servers.get(server)
        toolset = entry.toolnote.toolset if entry is not None else None
        return toolset if toolset in snapshot.toolsets else None

    def _join_toolset(self, server: str, new: list[KnownTool], *, is_anew: bool) -> None:
        """Add new tools to the toolset named in the server's entry, of renamed ones those that it had.

        Args:
            is_anew: the toolset has no tool of the server, which was added again.
        """
        snapshot = self._library.snapshot
        toolset = self._target_toolset(server)
        if not new or toolset is None:
            return
        own = f"{server}."
        joined = sum((one.namespaced_name or "").startswith(own) for one in snapshot.toolsets[toolset].tools)
        new = new[: max(0, MAX_JOINED - joined)]
        if not new:
            return
        before = index_of(self._library.raw(toolset_document(toolset)))
        entries = [
            {**reference_fields(snapshot.catalogue.reference_to(known.tool)), **(fields or {})}
            for known in new
            if (fields := renamed_fields(before, known)) is not None or is_anew
        ]
        try:
            self._library.submit(AddTools(toolset_document(toolset), tuple(entries)), origin=REGISTRY)
        except ToolnoteError as error:
            if error.problem.code is not Code.TOOLSET_NOT_FOUND:
                raise


def _is_large(document: object) -> bool:
    tools = document.get("tools") if isinstance(document, dict) else None
    return (isinstance(tools, list) and len(tools) > MAX_KEPT_TOOLS) or (
        len(json_text.dumps(document)) > MAX_KEPT_BYTES
    )


def _accepted_instructions(
    before: ServerListing, options: ServerOptions, now: str | None, *, is_lost: bool
) -> str | None:
    """Return the instructions that the user accepted if those of now differ; None for a server that is new."""
    if not before.server_info and not before.tools:
        return "" if now and (is_lost or options.instructions_review is not None) else None
    seen = settle_instructions(before, options)
    return seen if seen != (now or "") else None


def _keep_identity(before: tuple[JsonObject, ...], now: Iterable[JsonObject]) -> tuple[JsonObject, ...]:
    """Return ``before`` if its content equals ``now``: callers detect changes by identity."""
    found = tuple(now)
    return before if json_text.is_identical_json(before, found) else found
