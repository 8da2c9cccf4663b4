"""What stands in the library, as plain values: three groups, their rows, and the one thing that each says on the right.

No Qt here but for the translated words. Rows that say the same as before are the same objects as before, so that the
model finds what has changed without looking at ten thousand tools.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.messages import translate
from toolnote_desktop.guidance.served import ResolvedEntry, resolve_toolset
from toolnote_desktop.model.catalogue import KnownTool, ServerListing
from toolnote_desktop.model.names import ToolKey
from toolnote_desktop.model.notes import Note, ToolReference
from toolnote_desktop.model.problem import Problem
from toolnote_desktop.model.servers import ServerState, ServerStatus
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.toolset import Toolset


class Kind(StrEnum):
    """What a row is."""

    GROUP = "group"
    TOOLSET = "toolset"
    SERVER = "server"
    TOOL = "tool"
    ENTRY = "entry"  # a tool in a toolset
    CHANGED = "changed"
    LOST_NOTES = "lost-notes"
    PROBLEMS = "problems"


class Mark(StrEnum):
    """The dot before a row's words. It never says anything alone: the right column has the word."""

    NONE = ""
    IN_USE = "in-use"
    GOOD = "good"
    WAITING = "waiting"
    ATTENTION = "attention"
    WRONG = "wrong"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class RowKey:
    """Names a row through all changes. ``owner`` is a group, a toolset or a server; ``name`` a tool's or entry's."""

    kind: Kind
    owner: str = ""
    name: str = ""

    @property
    def is_page(self) -> bool:
        """Whether the row shows something of its own when it is selected."""
        return self.kind is not Kind.GROUP


TOOLSETS = RowKey(Kind.GROUP, "toolsets")
SOURCES = RowKey(Kind.GROUP, "sources")
NEEDS_A_LOOK = RowKey(Kind.GROUP, "needs-a-look")
LOST_NOTES = RowKey(Kind.LOST_NOTES)
PROBLEMS = RowKey(Kind.PROBLEMS)

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


@dataclass(frozen=True, eq=False)
class Row:
    """One row. ``right`` is the right column; ``dim`` says that assistants do not get it.

    Attributes:
        searched: the texts that a search looks at, beside ``text``.
        state: said to screen readers where the right column does not say it already.
    """

    key: RowKey
    text: str
    right: str = ""
    mark: Mark = Mark.NONE
    dim: bool = False
    children: tuple[Row, ...] = ()
    searched: tuple[str, ...] = ()
    state: str = ""

    @cached_property
    def search_text(self) -> str:
        """Everything that a search looks at, folded for comparison."""
        return "\n".join((self.text, *self.searched)).casefold()

    @property
    def has_notes(self) -> bool:
        """Whether there are notes on the tool itself: their words follow its name and description."""
        return self.key.kind is Kind.TOOL and len(self.searched) > 2

    def says_the_same(self, other: Row) -> bool:
        """Whether two rows look the same and are found by the same words, their children aside."""
        return self is other or (
            (self.text, self.right, self.mark, self.dim, self.state)
            == (other.text, other.right, other.mark, other.dim, other.state)
            and self.searched == other.searched
        )


@dataclass(frozen=True, slots=True)
class LostNote:
    """A note whose tool is not there: in a toolset, or (``toolset`` None) in every one."""

    toolset: str | None
    reference: ToolReference
    note: Note


def listing_of(snapshot: Snapshot, server: str) -> ServerListing:
    """What a server of ``servers.json`` offers. One that was added just now is about to start."""
    listing = snapshot.catalogue.servers.get(server)
    if listing is not None:
        return listing
    state = ServerState.DISABLED if snapshot.servers[server].disabled else ServerState.STARTING
    return ServerListing(ServerStatus(state))


def lost_notes(snapshot: Snapshot) -> tuple[LostNote, ...]:
    """Every note without a tool, in the order of the documents."""
    catalogue = snapshot.catalogue
    lost = [
        LostNote(toolset.name, group.reference, note)
        for toolset in snapshot.toolsets.values()
        for group in toolset.notes
        if not catalogue.resolve(group.reference)
        for note in group.notes
    ]
    for name, notes in snapshot.notes.tools.items():
        if name not in catalogue.by_namespaced_name:
            lost += [LostNote(None, ToolReference(namespaced_name=name), note) for note in notes]
    return tuple(lost)


def all_problems(snapshot: Snapshot) -> tuple[Problem, ...]:
    """What is wrong with documents and with single things of servers (a server's own state stands beside it)."""
    found = list(snapshot.problems)
    for listing in snapshot.catalogue.servers.values():
        found += listing.status.problems
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _ToolFacts:
    """What a tool's row says beyond its definition."""

    notes: tuple[Note, ...]
    in_toolset: bool
    enabled: bool


class LibraryRows:
    """Makes the library's rows out of snapshots, one after the other."""

    def __init__(self) -> None:
        self._tools: dict[str, tuple[ServerListing, list[_ToolFacts], tuple[Row, ...]]] = {}

    def build(self, snapshot: Snapshot) -> tuple[Row, ...]:
        """The groups with everything in them."""
        toolset = snapshot.shared_toolset
        resolved = {name: resolve_toolset(snapshot, one) for name, one in snapshot.toolsets.items()}
        members = _members(resolved.get(toolset.name, ()) if toolset else ())
        notes = _notes_by_tool(snapshot, toolset)
        sources = tuple(
            self._source(server, listing_of(snapshot, server), members, notes) for server in snapshot.servers
        )
        self._tools = {server: kept for server, kept in self._tools.items() if server in snapshot.servers}
        groups = [
            Row(TOOLSETS, translate("library", "Toolsets"), children=_toolset_rows(snapshot, resolved, notes)),
            Row(SOURCES, translate("library", "Tool sources"), children=sources),
        ]
        needing = _needing_a_look(snapshot)
        if needing:
            groups.append(Row(NEEDS_A_LOOK, translate("library", "Needs a look"), children=needing))
        return tuple(groups)

    def _source(
        self,
        server: str,
        listing: ServerListing,
        members: Mapping[ToolKey, bool],
        notes: Mapping[ToolKey, tuple[Note, ...]],
    ) -> Row:
        facts = [
            _ToolFacts(notes.get(key, ()), key in members, members.get(key, False))
            for key in (known.tool.key for known in listing.tools)
        ]
        before = self._tools.get(server)
        if before is not None and before[0].tools is listing.tools and before[1] == facts:
            children = before[2]
        else:
            children = tuple(
                _tool_row(known, fact)
                for known, fact in zip(listing.tools, facts, strict=True)
                if known.listed or fact.notes or fact.in_toolset
            )
        self._tools[server] = (listing, facts, children)
        state = listing.status.state
        ready = state is ServerState.READY
        return Row(
            RowKey(Kind.SERVER, server),
            server,
            right=messages.number(len(listing.tools)) if ready else messages.state_word(state),
            mark=_MARKS[state],
            dim=state is ServerState.DISABLED,
            children=children,
            state=f"{messages.state_word(state)}, {messages.count_tools(len(listing.tools))}" if ready else "",
        )


def _tool_row(known: KnownTool, facts: _ToolFacts) -> Row:
    tool = known.tool
    if not known.listed:
        right = translate("library", "not found")
    elif facts.in_toolset and not facts.enabled:
        right = translate("library", "off")
    else:
        right = messages.count_notes(len(facts.notes)) if facts.notes else ""
    return Row(
        RowKey(Kind.TOOL, *tool.key),
        tool.title,
        right=right,
        mark=Mark.ATTENTION if not known.listed else Mark.NONE,
        dim=not (facts.in_toolset and facts.enabled),
        searched=_searched(known, facts.notes),
        state="" if facts.in_toolset else translate("library", "not in the toolset in use"),
    )


def _searched(known: KnownTool, notes: Iterable[Note]) -> tuple[str, ...]:
    words = [part for note in notes for part in (note.name, note.note)]
    return (known.tool.name, known.tool.description, *words)


def _toolset_rows(
    snapshot: Snapshot,
    resolved: Mapping[str, Sequence[ResolvedEntry]],
    notes: Mapping[ToolKey, tuple[Note, ...]],
) -> tuple[Row, ...]:
    rows = []
    for name, toolset in snapshot.toolsets.items():
        in_use = name == snapshot.settings.equipped_toolset
        own = notes if in_use else _notes_by_tool(snapshot, toolset)
        rows.append(
            Row(
                RowKey(Kind.TOOLSET, name),
                toolset.title,
                right=translate("library", "in use") if in_use else messages.number(len(toolset.tools)),
                mark=Mark.IN_USE if in_use else Mark.NONE,
                children=_entry_rows(name, resolved[name], own),
                searched=(name, toolset.description),
                state=messages.count_tools(len(toolset.tools)) if in_use else "",
            )
        )
    return tuple(rows)


def entry_key(toolset: str, reference: ToolReference) -> RowKey:
    """The key of a toolset's entry; two servers' tools of one name are told apart."""
    label = reference.namespaced_name or reference.ref_id or ""
    return RowKey(Kind.ENTRY, toolset, f"{label}\n{reference.server}" if reference.server is not None else label)


def _entry_rows(
    toolset: str, entries: Iterable[ResolvedEntry], notes: Mapping[ToolKey, tuple[Note, ...]]
) -> tuple[Row, ...]:
    rows: dict[RowKey, Row] = {}
    for resolved in entries:
        entry, known = resolved.entry, resolved.known
        key = entry_key(toolset, entry)
        if key in rows:
            continue
        if known is None or not known.listed:
            text = known.tool.title if known else entry.namespaced_name or translate("library", "A tool without a name")
            not_found = translate("library", "not found")
            rows[key] = Row(key, text, right=not_found, mark=Mark.ATTENTION, dim=True)
            continue
        own = notes.get(known.tool.key, ())
        counted = messages.count_notes(len(own)) if own else ""
        right = counted if entry.enabled else translate("library", "off")
        rows[key] = Row(key, known.tool.title, right=right, dim=not entry.enabled, searched=_searched(known, own))
    return tuple(rows.values())


def _needing_a_look(snapshot: Snapshot) -> tuple[Row, ...]:
    rows = [
        Row(
            RowKey(Kind.CHANGED, *known.tool.key),
            known.tool.title,
            right=translate("library", "changed"),
            mark=Mark.ATTENTION,
            searched=(known.tool.name, known.tool.server),
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
        rows.append(Row(LOST_NOTES, text, mark=Mark.ATTENTION, searched=words))
    problems = all_problems(snapshot)
    if problems:
        count = len(problems)
        text = translate("library", "1 problem") if count == 1 else translate("library", "%n problems", None, count)
        sentences = tuple(messages.problem_text(problem) for problem in problems)
        rows.append(Row(PROBLEMS, text, mark=Mark.ATTENTION, searched=sentences))
    return tuple(rows)


def _members(entries: Iterable[ResolvedEntry]) -> dict[ToolKey, bool]:
    """Tools in a toolset -> whether they are on there; the first entry for a tool counts."""
    members: dict[ToolKey, bool] = {}
    for resolved in entries:
        if resolved.known is not None:
            members.setdefault(resolved.known.tool.key, resolved.entry.enabled)
    return members


def _notes_by_tool(snapshot: Snapshot, toolset: Toolset | None) -> dict[ToolKey, tuple[Note, ...]]:
    """The notes on each tool itself, in every toolset and in this one (not those for a whole source or for all)."""
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
