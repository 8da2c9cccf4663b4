"""The catalogue: every tool, prompt and resource known, frozen. The registry makes it, everybody reads it.

Tools of a server that is offline are in it, as they were last seen (docs/contract.md 3); tools that a connected server no
longer lists are not served, but stay known here with ``listed`` false, so that notes keep their place and names stay
the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.names import ToolKey
from toolnote_desktop.model.problem import Problem
from toolnote_desktop.model.servers import ServerStatus
from toolnote_desktop.model.tools.tool import Tool
from toolnote_desktop.model.tools.tool_records import Requirement, ToolRecord, ToolRecords
from toolnote_desktop.model.toolsets.notes import ToolReference


class KnownTool(Struct, frozen=True, eq=False, dict=True, weakref=True):
    """One tool in the catalogue.

    Attributes:
        tool: the newest definition.
        accepted: the definition that the user last accepted; the same object as ``tool`` where nothing changed.
        listed: whether its server lists it (for a server that is offline: listed it last).
        problems: what is odd about it.
    """

    tool: Tool
    accepted: Tool
    listed: bool = True
    problems: tuple[Problem, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether the definition differs from the accepted one."""
        return self.tool is not self.accepted and self.tool.fingerprint != self.accepted.fingerprint

    @cached_property
    def record(self) -> ToolRecord:
        """Its metadata; the same object as long as the tool is."""
        tool = self.tool
        words = " ".join(tool.description.split("\n\n", 1)[0].split())
        needs = frozenset({Requirement.SERVER})
        return ToolRecord(tool.namespaced_name, tool.title, words, tool.server, requirements=needs)


class ServerListing(Struct, frozen=True):
    """What one server offers, raw, and how its connection is."""

    status: ServerStatus
    tools: tuple[KnownTool, ...] = ()
    prompts: tuple[JsonObject, ...] = ()
    resources: tuple[JsonObject, ...] = ()
    resource_templates: tuple[JsonObject, ...] = ()
    capabilities: Mapping[str, object] = field(default_factory=dict)
    instructions: str | None = None
    protocol_version: str | None = None
    """The revision that it was spoken to in."""
    era: Literal["handshake", "modern"] | None = None
    """The era that was used last of a server with processes of either (``proxy/era_choice.py``)."""


class Catalogue(Struct, frozen=True, dict=True):
    """Everything known, by server in the order of ``servers.json``.

    Attributes:
        servers: server id -> listing, for each entry of ``servers.json`` (disabled ones too).
        exposed: (server, tool) -> the name that clients see, at the default length.
        reserved: names that no tool is given: those of the built-in tools as they are served.
        prefixes: server id -> what stands for it in its tools' names; None: its id.
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
    def by_namespaced_name(self) -> Mapping[str, tuple[KnownTool, ...]]:
        """namespacedName -> tools; more than one where two servers' names meet (docs/contract.md 1)."""
        return _group((known.tool.namespaced_name, known) for known in self.tools.values())

    @cached_property
    def by_ref_id(self) -> Mapping[str, tuple[KnownTool, ...]]:
        """refId -> tools."""
        return _group((known.tool.ref_id, known) for known in self.tools.values())

    @cached_property
    def records(self) -> ToolRecords:
        """The metadata of every tool that a server lists (docs/requirements.md 1): registered and unregistered with it."""
        return ToolRecords(self._record(known) for known in self.tools.values() if known.listed)

    def _record(self, known: KnownTool) -> ToolRecord:
        if len(self.by_namespaced_name[known.tool.namespaced_name]) < 2:
            return known.record
        return replace(known.record, id=f"{known.record.id} ({known.tool.server})")

    @cached_property
    def by_exposed_name(self) -> Mapping[str, KnownTool]:
        """The name that clients see -> tool."""
        return {self.exposed[key]: known for key, known in self.tools.items() if key in self.exposed}

    def with_statuses(self, servers: Mapping[str, ServerListing]) -> Catalogue | None:
        """The same tools and prompts with other states of their servers, or None where there is more to it.

        What was found out about the tools stays: names and indexes of thousands take a while.
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
        """The tools that a reference of a toolset names: none (unresolved), one, or several (ambiguous).

        The name counts first; the refId finds a tool whose name in the file is missing or has gone, and says which one
        is meant where two share the name: one that came later takes nothing from the one that was there.
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

    def reference_to(self, tool: Tool) -> ToolReference:
        """What a document writes to name ``tool`` for good; with its server where its name alone is ambiguous."""
        ambiguous = len(self.by_namespaced_name.get(tool.namespaced_name, ())) > 1
        return ToolReference(
            namespaced_name=tool.namespaced_name, ref_id=tool.ref_id, server=tool.server if ambiguous else None
        )

    def noted_by(self, reference: ToolReference) -> tuple[KnownTool, ...]:
        """The tools that a note's ``toolRef`` means: one by its name, another by its refId where the two disagree."""
        named = self.by_namespaced_name.get(reference.namespaced_name or "", ())
        hashed = self.by_ref_id.get(reference.ref_id or "", ())
        found = {known.tool.key: known for known in (*named, *hashed) if self.applies(reference, known.tool)}
        return tuple(found.values())

    def applies(self, reference: ToolReference, tool: Tool) -> bool:
        """Whether a note's ``toolRef`` means this tool: by namespacedName or by refId (docs/requirements.md 0.11).

        A name that two tools share means neither unless the reference carries the server, or the refId of one.
        """
        if reference.server is not None and reference.server != tool.server:
            return False
        if reference.namespaced_name == tool.namespaced_name and (
            reference.server is not None or len(self.by_namespaced_name.get(tool.namespaced_name, ())) < 2
        ):
            return True
        return reference.ref_id is not None and reference.ref_id == tool.ref_id


_INDEXES = frozenset({"tools", "by_namespaced_name", "by_ref_id", "by_exposed_name", "records"})


def _group(pairs: Iterable[tuple[str, KnownTool]]) -> dict[str, tuple[KnownTool, ...]]:
    groups: dict[str, tuple[KnownTool, ...]] = {}
    for name, known in pairs:
        groups[name] = (*groups.get(name, ()), known)
    return groups
