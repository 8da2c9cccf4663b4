"""What a toolset makes of the catalogue: the tools that a client is served, and what cannot be served and why.

The window's preview, the ``tools`` command and the proxy all ask here, so that they cannot disagree.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from toolnote_desktop.guidance.description import NOTHING_SET, added_text, served_definition, stands_first
from toolnote_desktop.guidance.limits import tool_problems
from toolnote_desktop.guidance.notes_section import NoteIndex
from toolnote_desktop.guidance.schema_subset import schema_subset
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.names import DEFAULT_NAME_LIMIT, ToolKey, aliased_names, exposed_names
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.servers import ServerState
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.argument_overrides import has_overrides, override_problems
from toolnote_desktop.model.tools.catalogue import KnownTool
from toolnote_desktop.model.tools.dialect import PLAIN, Dialect
from toolnote_desktop.model.tools.hints import hint_problems
from toolnote_desktop.model.toolsets.notes import AppliedNote, Note, Scope
from toolnote_desktop.model.toolsets.toolset import ToolEntry, Toolset


class ChosenTool(Struct, frozen=True):
    """One tool that is served, by its name there; what a client reads of it is not worked out yet.

    Attributes:
        entry: what the toolset has for it.
    """

    known: KnownTool
    name: str
    entry: ToolEntry = NOTHING_SET

    @property
    def plain(self) -> bool:
        """Whether a call goes up as it came: no consent, no default and no hidden argument is set for the tool."""
        return not has_overrides(self.entry)


class ServedTool(Struct, frozen=True):
    """One tool as a client of this toolset sees it.

    Attributes:
        notes: every note that holds for it, the switched-off ones too.
        definition: what ``tools/list`` gives for it.
        entry: what the toolset has for it.
    """

    known: KnownTool
    name: str
    notes: tuple[AppliedNote, ...]
    definition: JsonObject
    entry: ToolEntry = NOTHING_SET


class ResolvedEntry(Struct, frozen=True):
    """One entry of a toolset and what became of it: a tool, or a problem (none, ambiguous)."""

    entry: ToolEntry
    known: KnownTool | None
    problem: Problem | None


def resolve_toolset(snapshot: Snapshot, toolset: Toolset) -> tuple[ResolvedEntry, ...]:
    """Each entry of a toolset, in its order, looked up in the catalogue."""
    resolved = []
    for entry in toolset.tools:
        found = snapshot.catalogue.resolve(entry)
        label = entry.namespaced_name or entry.ref_id or "?"
        if len(found) == 1:
            resolved.append(ResolvedEntry(entry, found[0], None))
        else:
            code = Code.TOOL_AMBIGUOUS if found else Code.TOOL_NOT_FOUND
            resolved.append(ResolvedEntry(entry, None, Problem(code, {"tool": label})))
    return tuple(resolved)


def served_tools(snapshot: Snapshot, toolset: Toolset | None, dialect: Dialect = PLAIN) -> tuple[ServedTool, ...]:
    """The upstream tools that a client of ``toolset`` is served, as it reads them (``chosen_tools``)."""
    serving = Serving(snapshot, toolset, dialect)
    return tuple(serving.serve(chosen) for chosen in chosen_tools(snapshot, toolset, dialect))


def chosen_tools(snapshot: Snapshot, toolset: Toolset | None, dialect: Dialect = PLAIN) -> tuple[ChosenTool, ...]:
    """The upstream tools that a client of ``toolset`` is served, in the toolset's order, each once.

    Not served: entries that are switched off or unresolved, tools that a connected server no longer lists, and tools of
    servers that are switched off. Tools of a server that is offline are (docs/contract.md 3).
    """
    if toolset is None:
        return ()
    catalogue = snapshot.catalogue
    chosen: dict[ToolKey, tuple[KnownTool, ToolEntry]] = {}
    # Thousands are looked through while calls wait: no ResolvedEntry is made of each, and servers are looked at once.
    off = {server for server, listing in catalogue.servers.items() if listing.status.state is ServerState.DISABLED}
    for entry in toolset.tools:
        found = catalogue.resolve(entry) if entry.enabled else ()
        if len(found) == 1 and found[0].listed and found[0].tool.server not in off:
            chosen.setdefault(found[0].tool.key, (found[0], entry))
    names = served_names(snapshot, ((known, entry) for known, entry in chosen.values()), dialect)
    return tuple(ChosenTool(known, names[key], entry) for key, (known, entry) in chosen.items())


class Serving:
    """What clients of one toolset read of its tools, tool by tool. Paused notes are left out."""

    def __init__(self, snapshot: Snapshot, toolset: Toolset | None, dialect: Dialect = PLAIN) -> None:
        self._index = NoteIndex(toolset, snapshot.notes, snapshot.catalogue)
        self._paused = snapshot.settings.notes_paused
        self._dialect = dialect

    def serve(self, chosen: ChosenTool, before: ServedTool | None = None) -> ServedTool:
        """One tool. ``before`` is what was served of it last in this dialect: if nothing changed, that very object."""
        notes = () if self._paused else self._index.applied(chosen.known.tool)
        return _served(chosen.known, chosen.name, notes, chosen.entry, self._dialect, before)


def served_names(
    snapshot: Snapshot, tools: Iterable[tuple[KnownTool, ToolEntry]], dialect: Dialect = PLAIN
) -> Mapping[ToolKey, str]:
    """The names that clients see for these tools of one toolset: the usual ones, or the aliases that it gives.

    A dialect with little room for names has shorter ones, of all known tools alike.
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
    """The most characters that a tool's name may have for a client of this dialect."""
    room = dialect.room()
    return DEFAULT_NAME_LIMIT if room is None else min(room, DEFAULT_NAME_LIMIT)


def is_available(snapshot: Snapshot, known: KnownTool) -> bool:
    """Whether a tool can be offered at all: its server is not switched off and has not dropped it."""
    listing = snapshot.catalogue.servers.get(known.tool.server)
    return listing is not None and known.listed and listing.status.state is not ServerState.DISABLED


def serve_tool(
    snapshot: Snapshot,
    toolset: Toolset | None,
    known: KnownTool,
    entry: ToolEntry = NOTHING_SET,
    dialect: Dialect = PLAIN,
    *,
    notes: Iterable[Note] | None = None,
    name: str | None = None,
) -> ServedTool:
    """One tool with the notes that hold for it in ``toolset``, and what ``entry`` says of it.

    Args:
        notes: instead of those, as they are being written.
        name: what clients see, where that was asked for before (``served_names``).
    """
    if name is None:
        name = served_names(snapshot, [(known, entry)], dialect)[known.tool.key]
    if snapshot.settings.notes_paused:
        return _served(known, name, (), entry, dialect)
    if notes is not None:
        return _served(known, name, tuple(AppliedNote(Scope.TOOLSET, note) for note in notes), entry, dialect)
    applied = NoteIndex(toolset, snapshot.notes, snapshot.catalogue).applied(known.tool)
    return _served(known, name, applied, entry, dialect)


def _served(
    known: KnownTool,
    name: str,
    notes: tuple[AppliedNote, ...],
    entry: ToolEntry,
    dialect: Dialect,
    before: ServedTool | None = None,
) -> ServedTool:
    same = before is not None and before.known is known and before.entry is entry
    if before is not None and same and before.name == name and before.notes == notes:
        return before
    definition = served_definition(known.tool.definition, name, [applied.note for applied in notes], entry, dialect)
    if dialect.schema_subset:
        definition = {**definition, "inputSchema": schema_subset(definition["inputSchema"], dialect)[0]}
    return ServedTool(known, name, notes, definition, entry)


def served_problems(served: ServedTool, dialect: Dialect = PLAIN) -> tuple[Problem, ...]:
    """Everything a person should know of a served tool: hints that contradict, arguments that are gone, an alias that
    could not be had, and what the dialect does to it."""
    definition, entry = served.known.tool.definition, served.entry
    problems = [*hint_problems(definition["name"], definition.get("annotations"), entry.hints)]
    problems += override_problems(definition, entry)
    if entry.alias is not None and entry.alias.strip() and served.name != entry.alias:
        parameters = {"tool": definition["name"], "alias": entry.alias, "name": served.name}
        problems.append(Problem(Code.ALIAS_CHANGED, parameters))
    added = added_text(definition, entry, [applied.note for applied in served.notes])
    if stands_first(definition.get("description"), added, dialect):
        parameters = {"dialect": dialect.title, "tool": definition["name"]}
        problems.append(Problem(Code.DIALECT_NOTES_FIRST, parameters))
    if dialect.schema_subset:
        whole = served_definition(definition, served.name, (), entry, dialect)["inputSchema"]
        for change in schema_subset(whole, dialect)[1]:
            parameters = {"dialect": dialect.title, "tool": definition["name"], "change": change}
            problems.append(Problem(Code.DIALECT_SCHEMA_CHANGED, parameters))
    return (*problems, *tool_problems(served.definition, dialect))
