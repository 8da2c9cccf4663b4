"""Catalogue: all known tools, prompts and resources, frozen. The registry builds it.

Tools of an offline server are included as last seen (docs/contract.md 3); tools that a connected server no longer lists
are not served but stay here with ``listed`` false, so that notes keep their target and names stay the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from functools import cached_property
from typing import Any, Final, Literal

from msgspec import Struct, field
from msgspec.structs import replace

from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.names import ToolKey
from toolnote_desktop.model.problem import Problem
from toolnote_desktop.model.servers import ServerStatus
from toolnote_desktop.model.tools.hints import careful_annotations
from toolnote_desktop.model.tools.tool import Tool
from toolnote_desktop.model.tools.tool_records import ToolRecord, ToolRecords
from toolnote_desktop.model.toolsets.notes import ToolReference


class ReviewState(StrEnum):
    """States of a definition between its server and the user (``review.py``)."""

    UNCHANGED = "unchanged"
    SHOWN = "shown"  # changed: served, and flagged until the user accepts it
    HELD = "held"  # changed: the accepted one is served until the user decides
    KEPT = "kept"  # changed: the user decided that the accepted one is served
    ACCEPTED = "accepted"


IN_REVIEW: Final = (ReviewState.SHOWN, ReviewState.HELD, ReviewState.KEPT)
"""States of a changed tool whose newest definition is not accepted."""


class KnownTool(Struct, frozen=True, eq=False, dict=True, weakref=True):
    """Tool in the catalogue, or prompt: ``tool`` then holds the prompt's definition.

    Attributes:
        tool: definition that is served.
        accepted: definition that the user last accepted; the same object as ``tool`` if nothing changed.
        listed: listed by its server (for an offline server: in its last list).
        problems: oddities of the definition.
        latest: newest definition if it is held; None: it is ``tool``.
        renamed_from: name that the accepted definition had, of a tool that its server renamed; "" otherwise.
        first_seen: time in seconds of the first list that had it; 0: before this was recorded.
    """

    tool: Tool
    accepted: Tool
    listed: bool = True
    problems: tuple[Problem, ...] = ()
    latest: Tool | None = None
    review: ReviewState = ReviewState.UNCHANGED
    renamed_from: str = ""
    first_seen: int = 0

    @property
    def newest(self) -> Tool:
        """Newest definition of the server."""
        return self.latest or self.tool

    @property
    def changed(self) -> bool:
        """True if the server changed the definition and the user has not decided on it."""
        return self.review in (ReviewState.SHOWN, ReviewState.HELD)

    @property
    def annotations(self) -> Any:
        """What its server says of its calls; while its newest definition is held, of both what says more."""
        served = self.tool.definition.get("annotations")
        return served if self.latest is None else careful_annotations(served, self.latest.definition.get("annotations"))

    def with_heading(self, *, kept: bool) -> KnownTool:
        """Return the tool with definitions that keep the heading of notes, or not."""
        made = {id(one): replace(one, keeps_heading=kept) for one in (self.tool, self.accepted, self.newest)}
        latest = made[id(self.latest)] if self.latest is not None else None
        return replace(self, tool=made[id(self.tool)], accepted=made[id(self.accepted)], latest=latest)

    @cached_property
    def record(self) -> ToolRecord:
        """Metadata of the tool; the same object for the same tool."""
        tool = self.tool
        words = " ".join(tool.description.split("\n\n", 1)[0].split())
        return ToolRecord(tool.namespaced_name, tool.title, words, tool.server)


class ServerListing(Struct, frozen=True):
    """Raw lists of one server and the state of its connection."""

    status: ServerStatus
    tools: tuple[KnownTool, ...] = ()
    prompts: tuple[KnownTool, ...] = ()
    resources: tuple[JsonObject, ...] = ()
    resource_templates: tuple[JsonObject, ...] = ()
    capabilities: Mapping[str, object] = field(default_factory=dict)
    instructions: str | None = None
    accepted_instructions: str | None = None
    """Instructions that the user last accepted, where they differ from the newest ones; None if nothing changed."""
    server_info: Mapping[str, object] = field(default_factory=dict)
    """Information about itself from its last handshake."""
    protocol_version: str | None = None
    """Protocol revision in use."""
    era: Literal["handshake", "modern"] | None = None
    """Era used last with a server that supports both (docs/architecture.md, decision 9)."""
    by_era: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    """Capabilities of the server by era, of those that it was asked in."""

    def with_headings(self, *, kept: bool) -> ServerListing:
        """Return the listing with tools whose texts keep the heading of notes, or not; the same object if it is so."""
        if all(known.tool.keeps_heading is kept for known in self.tools):
            return self
        tools = tuple(
            known if known.tool.keeps_heading is kept else known.with_heading(kept=kept) for known in self.tools
        )
        return replace(self, tools=tools)

    def capabilities_in(self, era: str) -> Mapping[str, object]:
        """Return the capabilities of the server in an era."""
        return self.by_era.get(era, self.capabilities)


class Catalogue(Struct, frozen=True, dict=True):
    """Complete state of all servers, in the order of ``servers.json``.

    Attributes:
        servers: server id -> listing, for each entry of ``servers.json`` (including disabled ones).
        exposed: (server, tool) -> the name that clients see, at the default length.
        reserved: names of the built-in tools as served, which no other tool gets.
        prefixes: server id -> prefix of its tools' names; None: its id.
    """

    servers: Mapping[str, ServerListing] = field(default_factory=dict)
    exposed: Mapping[ToolKey, str] = field(default_factory=dict)
    exposed_prompts: Mapping[ToolKey, str] = field(default_factory=dict)
    reserved: frozenset[str] = frozenset()
    prefixes: Mapping[str, str | None] = field(default_factory=dict)

    @cached_property
    def tools(self) -> Mapping[ToolKey, KnownTool]:
        """(server, tool) -> tool, in order."""
        return {known.tool.key: known for listing in self.servers.values() for known in listing.tools}

    @cached_property
    def prompts(self) -> Mapping[ToolKey, KnownTool]:
        """(server, prompt) -> prompt, in order."""
        return {known.tool.key: known for listing in self.servers.values() for known in listing.prompts}

    @cached_property
    def by_namespaced_name(self) -> Mapping[str, tuple[KnownTool, ...]]:
        """namespacedName -> tools; several if the names of two servers collide (docs/contract.md 1)."""
        return _group((known.tool.namespaced_name, known) for known in self.tools.values())

    @cached_property
    def by_ref_id(self) -> Mapping[str, tuple[KnownTool, ...]]:
        """refId -> tools."""
        return _group((known.tool.ref_id, known) for known in self.tools.values())

    @cached_property
    def listed_count(self) -> int:
        """Number of listed tools."""
        return sum(known.listed for known in self.tools.values())

    @cached_property
    def changed_tools(self) -> tuple[KnownTool, ...]:
        """Listed tools that their server changed and that the user has not decided on."""
        return tuple(known for known in self.tools.values() if known.changed and known.listed)

    @cached_property
    def records(self) -> ToolRecords:
        """Metadata of all listed tools (docs/requirements.md 1): registered and unregistered with the catalogue."""
        return ToolRecords(self._record(known) for known in self.tools.values() if known.listed)

    def _record(self, known: KnownTool) -> ToolRecord:
        if len(self.by_namespaced_name[known.tool.namespaced_name]) < 2:
            return known.record
        return replace(known.record, id=f"{known.record.id} ({known.tool.server})")

    @cached_property
    def by_exposed_name(self) -> Mapping[str, KnownTool]:
        """Name that clients see -> tool."""
        return {self.exposed[key]: known for key, known in self.tools.items() if key in self.exposed}

    def with_statuses(self, servers: Mapping[str, ServerListing]) -> Catalogue | None:
        """Return a catalogue with the same tools and prompts but other server states; None if more has changed.

        Computed indexes are kept: they take long for thousands of tools.
        """
        if list(servers) != list(self.servers) or not all(
            listing.tools is servers[server].tools and listing.prompts is servers[server].prompts
            for server, listing in self.servers.items()
        ):
            return None
        same = replace(self, servers=servers)
        same.__dict__.update({name: value for name, value in self.__dict__.items() if name in _INDEXES})
        return same

    def resolve(self, reference: ToolReference) -> tuple[KnownTool, ...]:
        """Return the tools to which a reference in a toolset resolves: none (unresolved), one, or several (ambiguous).

        The name has priority; the refId finds a tool whose name in the file is missing or outdated, and disambiguates
        tools that share a name: a newer tool takes nothing from an older one.
        """
        found: tuple[KnownTool, ...] = ()
        if reference.namespaced_name is not None:
            found = self.by_namespaced_name.get(reference.namespaced_name, ())
        if not found and reference.ref_id is not None:
            found = self.by_ref_id.get(reference.ref_id, ())
        if reference.server is not None:
            return tuple(known for known in found if known.tool.server == reference.server)
        if len(found) > 1 and reference.ref_id is not None:
            return tuple(known for known in found if known.tool.ref_id == reference.ref_id) or found
        return found

    def meaning_the_same(
        self, references: Sequence[ToolReference], others: Iterable[ToolReference]
    ) -> tuple[ToolReference, ...]:
        """Return references, and those of ``others`` that mean their tools in another way, such as by refId alone."""
        meant = {found[0].tool.key for found in map(self.resolve, references) if len(found) == 1}
        same = (one for one in others if len(found := self.resolve(one)) == 1 and found[0].tool.key in meant)
        return (*references, *same)

    def reference_to(self, tool: Tool) -> ToolReference:
        """Return a durable reference to ``tool`` for documents; with its server if the name alone is ambiguous."""
        ambiguous = len(self.by_namespaced_name.get(tool.namespaced_name, ())) > 1
        return ToolReference(
            namespaced_name=tool.namespaced_name, ref_id=tool.ref_id, server=tool.server if ambiguous else None
        )

    def tools_for_note(self, reference: ToolReference) -> tuple[KnownTool, ...]:
        """Return the tools to which a note's ``toolRef`` applies: one by name, and another by refId if the two
        disagree.
        """
        named = self.by_namespaced_name.get(reference.namespaced_name or "", ())
        hashed = self.by_ref_id.get(reference.ref_id or "", ())
        found = {known.tool.key: known for known in (*named, *hashed) if self.note_applies(reference, known.tool)}
        return tuple(found.values())

    def note_applies(self, reference: ToolReference, tool: Tool) -> bool:
        """Return True if a note's ``toolRef`` means this tool, by name or by refId (docs/requirements.md 0.11).

        A name shared by two tools means neither unless the reference has the server, or the refId of one.
        """
        if reference.server is not None and reference.server != tool.server:
            return False
        if reference.namespaced_name == tool.namespaced_name and (
            reference.server is not None or len(self.by_namespaced_name.get(tool.namespaced_name, ())) < 2
        ):
            return True
        return reference.ref_id is not None and reference.ref_id == tool.ref_id


_INDEXES = frozenset(name for name, value in vars(Catalogue).items() if isinstance(value, cached_property))


def _group(pairs: Iterable[tuple[str, KnownTool]]) -> dict[str, tuple[KnownTool, ...]]:
    groups: dict[str, tuple[KnownTool, ...]] = {}
    for name, known in pairs:
        groups[name] = (*groups.get(name, ()), known)
    return groups
