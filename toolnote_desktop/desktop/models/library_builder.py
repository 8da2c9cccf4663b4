"""Builder of the library's rows from successive snapshots.

No Qt here but for the translated words. Rows that say the same as before are the same objects as before, so that
neither this nor the model looks at ten thousand tools when one note is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.messages import translate
from toolnote_desktop.desktop.models.library_rows import (
    LOST_NOTES,
    NEEDS_A_LOOK,
    NEW_SOURCE,
    NEW_TOOLSET,
    PROBLEMS,
    SOURCES,
    TOOLSETS,
    Facet,
    Kind,
    Mark,
    Row,
    RowKey,
    all_problems,
    entry_key,
    listing_of,
    lost_notes,
)
from toolnote_desktop.guidance.served_tools import ResolvedEntry, resolve_toolset
from toolnote_desktop.model.names import ToolKey
from toolnote_desktop.model.servers import ServerState
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.catalogue import KnownTool, ServerListing
from toolnote_desktop.model.toolsets.notes import Note
from toolnote_desktop.model.toolsets.tool_settings import ToolSettingsIndex
from toolnote_desktop.model.toolsets.toolset import ToolEntry, Toolset

_MARKS: Mapping[ServerState, Mark] = {
    ServerState.READY: Mark.GOOD,
    ServerState.STARTING: Mark.WAITING,
    ServerState.DOWNLOADING: Mark.WAITING,
    ServerState.RECONNECTING: Mark.WAITING,
    ServerState.NEEDS_PROGRAM: Mark.ATTENTION,
    ServerState.NEEDS_VALUE: Mark.ATTENTION,
    ServerState.NEEDS_SIGN_IN: Mark.ATTENTION,
    ServerState.FAILED: Mark.WRONG,
    ServerState.DISABLED: Mark.OFF,
}


_Notes = Mapping[ToolKey, tuple[Note, ...]]
_ToolLists = tuple[tuple[KnownTool, ...], ...]


class _Kept(Struct):
    """Cached rows and the objects they were built from; the same objects give the same rows.

    Attributes:
        basis: everything but the notes.
        makers: a tool's row position and the function that rebuilds it.
    """

    basis: tuple[object, ...]
    notes: _Notes
    rows: tuple[Row, ...]
    makers: Mapping[ToolKey, tuple[int, Callable[[tuple[Note, ...]], Row]]]

    def refreshed(self, basis: tuple[object, ...], notes: _Notes, differing: Iterable[ToolKey]) -> bool:
        """Rebuild only the rows of tools with changed notes. Return False if all must be rebuilt."""
        if len(basis) != len(self.basis) or any(a is not b for a, b in zip(basis, self.basis, strict=True)):
            return False
        ours = [key for key in differing if key in self.makers]
        if ours:
            rows = list(self.rows)
            for key in ours:
                place, make = self.makers[key]
                rows[place] = replace(make(notes.get(key, ())), key=rows[place].key)
            self.rows = tuple(rows)
        self.notes = notes
        return True


class _Resolved(Struct):
    """Resolved entries of a toolset."""

    tools: tuple[ToolEntry, ...]
    lists: _ToolLists
    settings: ToolSettingsIndex
    entries: tuple[ResolvedEntry, ...]
    members: Mapping[ToolKey, bool] = field(default_factory=dict)


class LibraryRows:
    """Builder that turns each snapshot into rows."""

    def __init__(self) -> None:
        self._lists: _ToolLists = ()
        self._resolved: dict[str, _Resolved] = {}
        self._sources: dict[str, _Kept] = {}
        self._entries: dict[str, _Kept] = {}
        self._no_members: Mapping[ToolKey, bool] = {}

    def build(self, snapshot: Snapshot) -> tuple[Row, ...]:
        """Build the groups with their rows."""
        self._note_tool_lists(snapshot)
        self._resolved = {name: self._resolve(snapshot, toolset) for name, toolset in snapshot.toolsets.items()}
        toolset = snapshot.shared_toolset
        notes = _notes_by_tool(snapshot, toolset)
        members = self._resolved[toolset.name].members if toolset is not None else self._no_members
        sources = tuple(self._source(snapshot, server, members, notes) for server in snapshot.servers)
        toolsets = tuple(self._toolset(snapshot, one) for one in snapshot.toolsets.values())
        self._sources = {server: kept for server, kept in self._sources.items() if server in snapshot.servers}
        self._entries = {name: kept for name, kept in self._entries.items() if name in snapshot.toolsets}
        groups = [
            Row(TOOLSETS, translate("library", "Toolsets"), children=toolsets or _no_toolset()),
            Row(SOURCES, translate("library", "Tool sources"), children=sources or _no_source()),
        ]
        needing = _needing_a_look(snapshot)
        if needing:
            groups.append(Row(NEEDS_A_LOOK, translate("library", "Needs a look"), children=needing))
        return tuple(groups)

    def _note_tool_lists(self, snapshot: Snapshot) -> None:
        """``self._lists`` stays the same object while no server's tools have changed: states do not count."""
        lists = tuple(listing.tools for listing in snapshot.catalogue.servers.values())
        before = self._lists
        if len(lists) != len(before) or any(a is not b for a, b in zip(lists, before, strict=True)):
            self._lists = lists

    def _resolve(self, snapshot: Snapshot, toolset: Toolset) -> _Resolved:
        before = self._resolved.get(toolset.name)
        settings = snapshot.tool_settings
        if (
            before is not None
            and before.lists is self._lists
            and before.settings is settings
            and before.tools == toolset.tools
        ):
            before.tools = toolset.tools  # the same object compares at once next time
            return before
        entries = resolve_toolset(snapshot, toolset)
        members: dict[ToolKey, bool] = {}
        for resolved in entries:
            if resolved.known is not None:
                members.setdefault(resolved.known.tool.key, resolved.enabled)  # the first entry counts
        return _Resolved(toolset.tools, self._lists, settings, entries, members)

    def _source(self, snapshot: Snapshot, server: str, members: Mapping[ToolKey, bool], notes: _Notes) -> Row:
        listing = listing_of(snapshot, server)
        basis = (listing.tools, members)
        kept = self._sources.get(server)
        if kept is None or not kept.refreshed(basis, notes, _differing(kept.notes, notes)):
            kept = self._sources[server] = _kept_source(basis, listing, members, notes)
        state = listing.status.state
        ready = state is ServerState.READY
        return Row(
            RowKey(Kind.SERVER, server),
            server,
            right=messages.number(len(listing.tools)) if ready else messages.state_word(state),
            mark=_MARKS[state],
            dim=state is ServerState.DISABLED,
            children=kept.rows or _no_tools_of(server, is_coming=_MARKS[state] is Mark.WAITING),
            state=f"{messages.state_word(state)}, {messages.count_tools(len(listing.tools))}" if ready else "",
            facets=_facets(
                off=state is ServerState.DISABLED,
                problems=_MARKS[state] in (Mark.ATTENTION, Mark.WRONG) or bool(listing.status.problems),
            ),
        )

    def _toolset(self, snapshot: Snapshot, toolset: Toolset) -> Row:
        name = toolset.name
        in_use = name == snapshot.settings.equipped_toolset
        notes = _notes_by_tool(snapshot, toolset)
        basis = (self._resolved[name],)
        kept = self._entries.get(name)
        if kept is None or not kept.refreshed(basis, notes, _differing(kept.notes, notes)):
            kept = self._entries[name] = _kept_entries(basis, name, self._resolved[name].entries, notes)
        return Row(
            RowKey(Kind.TOOLSET, name),
            toolset.title,
            right=translate("library", "in use") if in_use else messages.number(len(toolset.tools)),
            mark=Mark.IN_USE if in_use else Mark.NONE,
            children=kept.rows or _no_tools_in(name),
            searched=(name, toolset.description),
            state=messages.count_tools(len(toolset.tools)) if in_use else "",
        )


def _differing(first: _Notes, second: _Notes) -> Iterator[ToolKey]:
    """Return the tools whose notes have changed."""
    return (key for key in {**first, **second} if first.get(key) != second.get(key))


def _kept_source(
    basis: tuple[object, ...], listing: ServerListing, members: Mapping[ToolKey, bool], notes: _Notes
) -> _Kept:
    rows: list[Row] = []
    makers: dict[ToolKey, tuple[int, Callable[[tuple[Note, ...]], Row]]] = {}
    for known in listing.tools:
        key = known.tool.key
        own = notes.get(key, ())
        enabled = members.get(key)
        # a tool that its source has dropped is shown, to be found again, where the user has something on it
        if known.listed or own or enabled is not None:
            makers[key] = (len(rows), _tool_maker(known, enabled))
            rows.append(_tool_row(known, enabled, own))
    if any(not known.listed for known in listing.tools):
        basis = (object(),)  # whether a row is shown hangs on its notes: make all again
    return _Kept(basis, notes, tuple(rows), makers)


def _tool_maker(known: KnownTool, enabled: bool | None) -> Callable[[tuple[Note, ...]], Row]:
    return lambda notes: _tool_row(known, enabled, notes)


def _tool_row(known: KnownTool, enabled: bool | None, notes: tuple[Note, ...]) -> Row:
    """``enabled``: on or off in the toolset in use; None where it is not in it."""
    tool = known.tool
    if not known.listed:
        right = translate("library", "not found")
    elif enabled is False:
        right = translate("library", "off")
    else:
        right = messages.count_notes(len(notes)) if notes else ""
    return Row(
        RowKey(Kind.TOOL, *tool.key),
        tool.title,
        right=right,
        mark=Mark.ATTENTION if not known.listed else Mark.NONE,
        dim=not enabled,
        searched=_searched(known, notes),
        state="" if enabled is not None else translate("library", "not in the toolset in use"),
        facets=_facets(
            has_notes=bool(notes),
            off=enabled is False,
            changed=known.changed and known.listed,
            not_found=not known.listed,
        ),
    )


def _facets(
    *,
    has_notes: bool = False,
    off: bool = False,
    changed: bool = False,
    not_found: bool = False,
    problems: bool = False,
) -> frozenset[Facet]:
    return frozenset(
        facet
        for facet, is_so in (
            (Facet.HAS_NOTES, has_notes),
            (Facet.OFF, off),
            (Facet.CHANGED, changed),
            (Facet.NOT_FOUND, not_found),
            (Facet.PROBLEMS, problems),
        )
        if is_so
    )


def _searched(known: KnownTool, notes: Iterable[Note]) -> tuple[str, ...]:
    words = [part for note in notes for part in (note.name, note.note)]
    return (known.tool.name, known.tool.description, *words)


def _kept_entries(basis: tuple[object, ...], toolset: str, entries: Iterable[ResolvedEntry], notes: _Notes) -> _Kept:
    rows: dict[RowKey, Row] = {}
    makers: dict[ToolKey, tuple[int, Callable[[tuple[Note, ...]], Row]]] = {}
    for resolved in entries:
        known = resolved.known
        key = entry_key(toolset, resolved.entry)
        if key in rows:
            continue
        if known is not None and known.listed:
            makers.setdefault(known.tool.key, (len(rows), _entry_maker(key, known, enabled=resolved.enabled)))
            rows[key] = _entry_row(key, known, notes.get(known.tool.key, ()), enabled=resolved.enabled)
        else:
            name = resolved.entry.namespaced_name or translate("library", "A tool without a name")
            text = known.tool.title if known is not None else name
            rows[key] = Row(
                key,
                text,
                right=translate("library", "not found"),
                mark=Mark.ATTENTION,
                dim=True,
                facets=_facets(not_found=True, off=not resolved.enabled),
            )
    return _Kept(basis, notes, tuple(rows.values()), makers)


def _entry_maker(key: RowKey, known: KnownTool, *, enabled: bool) -> Callable[[tuple[Note, ...]], Row]:
    return lambda notes: _entry_row(key, known, notes, enabled=enabled)


def _entry_row(key: RowKey, known: KnownTool, notes: tuple[Note, ...], *, enabled: bool) -> Row:
    counted = messages.count_notes(len(notes)) if notes else ""
    right = counted if enabled else translate("library", "off")
    return Row(key, known.tool.title, right=right, dim=not enabled, searched=_searched(known, notes))


def _no_toolset() -> tuple[Row, ...]:
    way = translate("library", "Make one")
    return (Row(NEW_TOOLSET, translate("library", "Your choices of tools"), right=way, dim=True),)


def _no_source() -> tuple[Row, ...]:
    way = translate("library", "Add one")
    return (Row(NEW_SOURCE, translate("library", "Where tools come from"), right=way, dim=True),)


def _no_tools_in(toolset: str) -> tuple[Row, ...]:
    way = translate("library", "Choose some")
    key = RowKey(Kind.WAY, Kind.TOOLSET.value, toolset)
    return (Row(key, translate("library", "No tools in it yet"), right=way, dim=True),)


def _no_tools_of(server: str, *, is_coming: bool) -> tuple[Row, ...]:
    text = translate("library", "Its tools come here") if is_coming else translate("library", "No tools yet")
    key = RowKey(Kind.WAY, Kind.SERVER.value, server)
    return (Row(key, text, right=translate("library", "See why"), dim=True),)


def _needing_a_look(snapshot: Snapshot) -> tuple[Row, ...]:
    rows = [
        Row(
            RowKey(Kind.CHANGED, *known.tool.key),
            known.tool.title,
            right=translate("library", "changed"),
            mark=Mark.ATTENTION,
            searched=(known.tool.name, known.tool.server),
            facets=_facets(changed=True),
        )
        for known in snapshot.catalogue.tools.values()
        if known.changed and known.listed
    ]
    lost = lost_notes(snapshot)
    if lost:
        count = len(lost)
        text = (
            translate("library", "1 note without a tool")
            if count == 1
            else translate("library", "%n notes without a tool", None, count)
        )
        words = tuple(part for one in lost for part in (one.note.name, one.note.note))
        facets = _facets(has_notes=True, not_found=True)
        rows.append(Row(LOST_NOTES, text, mark=Mark.ATTENTION, searched=words, facets=facets))
    problems = all_problems(snapshot)
    if problems:
        count = len(problems)
        text = translate("library", "1 problem") if count == 1 else translate("library", "%n problems", None, count)
        sentences = tuple(messages.problem_text(problem) for problem in problems)
        rows.append(Row(PROBLEMS, text, mark=Mark.ATTENTION, searched=sentences, facets=_facets(problems=True)))
    return tuple(rows)


def _notes_by_tool(snapshot: Snapshot, toolset: Toolset | None) -> dict[ToolKey, tuple[Note, ...]]:
    """Map each tool to its own notes, in every toolset and in this one, without wider scopes."""
    found: dict[ToolKey, tuple[Note, ...]] = {}
    for name, notes in snapshot.notes.tools.items():
        tools = snapshot.catalogue.by_namespaced_name.get(name, ())
        if len(tools) == 1 and notes:
            found[tools[0].tool.key] = notes
    for group in toolset.notes if toolset is not None else ():
        tools = snapshot.catalogue.resolve(group.reference)
        if len(tools) == 1 and group.notes:
            key = tools[0].tool.key
            found[key] = (*found.get(key, ()), *group.notes)
    return found
