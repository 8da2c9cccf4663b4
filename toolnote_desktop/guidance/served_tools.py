"""Tools of a toolset as served to a client, and problems of those that cannot be served.

The window's preview, the ``tools`` command and the proxy all use this module, so that they agree.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Final

from msgspec import Struct
from msgspec.structs import force_setattr

from toolnote_desktop.guidance.description import (
    added_text,
    comes_first,
    lost_mutes,
    own_text,
    served_definition,
    tool_dialect,
)
from toolnote_desktop.guidance.limits import tool_problems
from toolnote_desktop.guidance.notes_section import NoteIndex
from toolnote_desktop.guidance.schema_subset import schema_subset, with_prefix_items
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.names import DEFAULT_NAME_LIMIT, ToolKey, aliased_names, exposed_names
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.servers import ServerState
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.argument_overrides import has_overrides, override_problems
from toolnote_desktop.model.tools.catalogue import KnownTool
from toolnote_desktop.model.tools.dialect import PLAIN, Dialect
from toolnote_desktop.model.tools.hints import CALL_HINTS, hint_problems
from toolnote_desktop.model.toolsets.notes import AppliedNote
from toolnote_desktop.model.toolsets.toolset import NOTHING_SET, ToolEntry, Toolset

_QUOTED: Final = 80
"""Characters of a muted text in a message."""


class ChosenTool(Struct, frozen=True, dict=True):
    """Tool that is served, by name; its definition for the client is computed later.

    Attributes:
        entry: its effective entry (``Snapshot.effective_entry``).
    """

    known: KnownTool
    name: str
    entry: ToolEntry = NOTHING_SET

    @cached_property
    def plain_key(self) -> ToolKey | None:
        """Server id and own name if a call is passed on unchanged; None if the user has set something for its calls."""
        return None if has_overrides(self.entry) else self.known.tool.key


class ServedTool(Struct, frozen=True, eq=False):
    """Tool as a client of this toolset sees it.

    Attributes:
        notes: all notes that apply to it, including disabled ones.
        paused: notes were left out because they are paused.
        entry: its effective entry (``Snapshot.effective_entry``).
        made: its definition, once it was read: kept here, as a dictionary for each tool takes 2 MB for 5,000.
    """

    known: KnownTool
    name: str
    notes: tuple[AppliedNote, ...]
    dialect: Dialect
    entry: ToolEntry = NOTHING_SET
    paused: bool = False
    made: JsonObject | None = None

    @property
    def definition(self) -> JsonObject:
        """Its entry in ``tools/list``."""
        made = self.made
        if made is None:
            made = self._definition_of(self.known.tool.served_base)
            force_setattr(self, "made", made)
        return made

    @property
    def modern(self) -> JsonObject | None:
        """Its entry in the modern era's list where the eras differ (``model.tools.valid_entries``)."""
        valid = self.known.tool.valid
        return None if valid.modern is None or valid.modern is valid.entry else self._definition_of(valid.modern)

    def _definition_of(self, base: JsonObject) -> JsonObject:
        base = _with_hints_of_calls(base, self.known)
        applied, dialect = [one.note for one in self.notes], self.dialect
        definition = served_definition(base, self.name, applied, self.entry, dialect, parameter_notes=not self.paused)
        if dialect.schema_subset:
            definition = {**definition, "inputSchema": schema_subset(definition["inputSchema"], dialect)[0]}
        return with_prefix_items(definition) if dialect.tuple_items else definition


def category_of(tool: ServedTool) -> str:
    """Return the category of a tool: the user's, else its server."""
    category = (tool.entry.category or "").strip()
    if category:
        return category
    server = tool.known.tool.server
    return server[:1].upper() + server[1:]


class ResolvedEntry(Struct, frozen=True):
    """Entry of a toolset, as in its file, and its resolution: a tool, or a problem (not found, ambiguous).

    Attributes:
        enabled: on in the toolset and in every toolset.
        for_user_only: offered to no assistant (``audience``).
    """

    entry: ToolEntry
    known: KnownTool | None
    problem: Problem | None
    enabled: bool = True
    for_user_only: bool = False


def resolve_toolset(snapshot: Snapshot, toolset: Toolset) -> tuple[ResolvedEntry, ...]:
    """Resolve each entry of a toolset, in order, with the catalogue."""
    resolved = []
    for entry in toolset.tools:
        found = snapshot.catalogue.resolve(entry)
        label = entry.namespaced_name or entry.ref_id or "?"
        if len(found) == 1:
            effective = snapshot.effective_entry(found[0], entry)
            resolved.append(ResolvedEntry(entry, found[0], None, effective.enabled, effective.is_for_user_only))
        else:
            code = Code.TOOL_AMBIGUOUS if found else Code.TOOL_NOT_FOUND
            resolved.append(ResolvedEntry(entry, None, Problem(code, {"tool": label}), entry.enabled))
    return tuple(resolved)


def served_tools(snapshot: Snapshot, toolset: Toolset | None, dialect: Dialect = PLAIN) -> tuple[ServedTool, ...]:
    """Return the upstream tools served to a client of ``toolset``, with their definitions (``chosen_tools``)."""
    serving = Serving(snapshot, toolset, dialect)
    return tuple(serving.serve(chosen) for chosen in chosen_tools(snapshot, toolset, dialect))


def chosen_tools(snapshot: Snapshot, toolset: Toolset | None, dialect: Dialect = PLAIN) -> tuple[ChosenTool, ...]:
    """Return the upstream tools served to a client of ``toolset``, in its order, without duplicates.

    Not served: disabled or unresolved entries, tools that a connected server no longer lists, tools of disabled
    servers, and tools for the user only (``audience``). Tools that are always on follow those of the toolset. Tools of
    an offline server are served (docs/contract.md 3).
    """
    if toolset is None:
        return ()
    catalogue = snapshot.catalogue
    chosen: dict[ToolKey, tuple[KnownTool, ToolEntry]] = {}
    # Thousands are processed while calls wait: no ResolvedEntry is created per tool, and servers are checked once.
    off = {server for server, listing in catalogue.servers.items() if listing.status.state is ServerState.DISABLED}
    pinned = tuple(snapshot.tool_settings.pinned(catalogue))
    for entry in toolset.tools:
        found = catalogue.resolve(entry) if entry.enabled or pinned else ()
        if len(found) == 1 and found[0].listed and found[0].tool.server not in off:
            effective = snapshot.effective_entry(found[0], entry)
            if effective.enabled and not effective.is_for_user_only:
                chosen.setdefault(found[0].tool.key, (found[0], effective))
    listed = {one[0].tool.key for entry in toolset.tools if len(one := catalogue.resolve(entry)) == 1} if pinned else ()
    for known in pinned:
        if known.listed and known.tool.server not in off and known.tool.key not in listed:
            effective = snapshot.effective_entry(known)
            if not effective.is_for_user_only:
                chosen.setdefault(known.tool.key, (known, effective))
    names = served_names(snapshot, ((known, entry) for known, entry in chosen.values()), dialect)
    return tuple(ChosenTool(known, names[key], entry) for key, (known, entry) in chosen.items())


class Serving:
    """Tools of one toolset as its clients read them, tool by tool. Paused notes are left out."""

    def __init__(self, snapshot: Snapshot, toolset: Toolset | None, dialect: Dialect = PLAIN) -> None:
        self._index = NoteIndex(toolset, snapshot.notes, snapshot.catalogue)
        self._catalogue = snapshot.catalogue
        self._paused = snapshot.settings.notes_paused
        self._dialect = dialect

    def serve(self, chosen: ChosenTool, before: ServedTool | None = None) -> ServedTool:
        """Serve one tool. ``before`` is the previous result in this dialect, which is returned if nothing changed."""
        served = self.outline(chosen, before)
        _ = served.definition  # made here, where others are let run after each tool
        return served

    def outline(self, chosen: ChosenTool, before: ServedTool | None = None) -> ServedTool:
        """Serve one tool as ``serve`` does; its definitions are made when they are first read."""
        notes = () if self._paused else self._index.applied(chosen.known.tool)
        return _served(chosen.known, chosen.name, notes, chosen.entry, self._dialect, before, paused=self._paused)

    def notes_on(self, key: ToolKey) -> tuple[AppliedNote, ...]:
        """Return the notes that apply to a tool; () for an unknown one, or while notes are paused."""
        known = self._catalogue.tools.get(key)
        return () if known is None or self._paused else self._index.applied(known.tool)


def served_names(
    snapshot: Snapshot, tools: Iterable[tuple[KnownTool, ToolEntry]], dialect: Dialect = PLAIN
) -> Mapping[ToolKey, str]:
    """Return the names that clients see for the tools of one toolset: the usual ones, or its aliases.

    A dialect with a short name limit has shorter names, computed over all known tools.
    """
    exposed = snapshot.catalogue.exposed
    limit = name_limit(dialect)
    if limit < DEFAULT_NAME_LIMIT:
        prefixes = {server: entry.toolnote.prefix for server, entry in snapshot.servers.items()}
        exposed = exposed_names(exposed, prefixes, limit=limit, reserved=snapshot.catalogue.reserved)
    given = {known.tool.key: entry.alias for known, entry in tools if entry.alias is not None and entry.alias.strip()}
    if not given:
        return exposed
    aliased = aliased_names(exposed, given, limit=limit, reserved=snapshot.catalogue.reserved)
    return {**exposed, **aliased}


def name_limit(dialect: Dialect) -> int:
    """Return the maximum characters of a tool's name for a client of this dialect."""
    room = dialect.room()
    return DEFAULT_NAME_LIMIT if room is None else min(room, DEFAULT_NAME_LIMIT)


def is_available(snapshot: Snapshot, known: KnownTool) -> bool:
    """Return True if a tool can be offered: its server is enabled and has not removed it."""
    listing = snapshot.catalogue.servers.get(known.tool.server)
    return listing is not None and known.listed and listing.status.state is not ServerState.DISABLED


def _served(
    known: KnownTool,
    name: str,
    notes: tuple[AppliedNote, ...],
    entry: ToolEntry,
    dialect: Dialect,
    before: ServedTool | None = None,
    *,
    paused: bool = False,
) -> ServedTool:
    same = before is not None and before.known is known and before.entry is entry and before.paused is paused
    if before is not None and same and before.name == name and before.notes == notes:
        return before
    return ServedTool(known, name, notes, dialect, entry, paused)


def _with_hints_of_calls(base: JsonObject, known: KnownTool) -> JsonObject:
    """Return a held tool's definition with hints of what runs: clients let calls pass that are said to only read."""
    if known.latest is None:
        return base
    shown = base.get("annotations")
    shown = shown if isinstance(shown, dict) else {}
    careful = known.annotations
    kept = {key: careful.get(key, value) for key, value in shown.items() if key in careful or key not in CALL_HINTS}
    hints = {**kept, **careful}
    if hints == shown:
        return base
    rest = {key: value for key, value in base.items() if key != "annotations"}
    return {**rest, "annotations": hints} if hints else rest


def mute_problems(definition: JsonObject, entry: ToolEntry) -> list[Problem]:
    """Return a problem for each muted text that the server's description does not have."""
    return [
        Problem(Code.MUTED_NOT_FOUND, {"tool": definition["name"], "text": " ".join(text.split())[:_QUOTED]})
        for text in lost_mutes(definition, entry)
    ]


def served_problems(served: ServedTool, dialect: Dialect = PLAIN) -> tuple[Problem, ...]:
    """Return the problems of a served tool: contradictory hints, missing arguments, an alias in use, and the limits of
    the dialect.
    """
    definition, entry = served.known.tool.served_base, served.entry
    problems = [*hint_problems(definition["name"], definition.get("annotations"), entry.hints)]
    problems += override_problems(definition, entry)
    problems += mute_problems(definition, entry)
    if entry.alias is not None and entry.alias.strip() and served.name != entry.alias:
        parameters = {"tool": definition["name"], "alias": entry.alias, "name": served.name}
        problems.append(Problem(Code.ALIAS_CHANGED, parameters))
    added = added_text(definition, entry, [applied.note for applied in served.notes])
    if comes_first(own_text(definition, entry), added, tool_dialect(served.definition, dialect)):
        parameters = {"dialect": dialect.title, "tool": definition["name"]}
        problems.append(Problem(Code.DIALECT_NOTES_FIRST, parameters))
    if dialect.tuple_items and with_prefix_items(definition) is not definition:
        parameters = {"dialect": dialect.title, "tool": definition["name"], "change": "items: a list is prefixItems"}
        problems.append(Problem(Code.DIALECT_SCHEMA_CHANGED, parameters))
    if dialect.schema_subset:
        whole = served_definition(definition, served.name, (), entry, dialect)["inputSchema"]
        for change in schema_subset(whole, dialect)[1]:
            parameters = {"dialect": dialect.title, "tool": definition["name"], "change": change}
            problems.append(Problem(Code.DIALECT_SCHEMA_CHANGED, parameters))
    return (*problems, *tool_problems(served.definition, dialect))
