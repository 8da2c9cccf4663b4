"""Rows of the library as plain values: key, text, state and right column."""

from __future__ import annotations

from enum import StrEnum
from functools import cached_property

from msgspec import Struct

from toolnote_desktop.guidance.unresolved import has_tool
from toolnote_desktop.model.problem import Problem
from toolnote_desktop.model.servers import ServerState, ServerStatus
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.catalogue import ServerListing
from toolnote_desktop.model.toolsets.notes import Note, ToolReference


class Kind(StrEnum):
    """Kind of a place: of a row of the sidebar, or of a page without one."""

    HOME = "home"
    ACTIVITY = "activity"
    ASSISTANT = "assistant"
    ADD_TOOLS = "add-tools"
    FIRST_RUN = "first-run"
    FILE = "file"  # a file or link that was opened or dropped; nothing of it is added yet
    ALL_TOOLS = "all-tools"  # leads to the page of a source
    GROUP = "group"
    TOOLSET = "toolset"
    SERVER = "server"
    TOOL = "tool"
    ENTRY = "entry"  # a tool in a toolset
    CHANGED = "changed"
    LOST_NOTES = "lost-notes"
    PROBLEMS = "problems"
    WAY = "way"  # where nothing is yet: what goes here, and the way to have it


class Mark(StrEnum):
    """Dot before a row's text; the right column repeats its meaning in words."""

    NONE = ""
    IN_USE = "in-use"
    GOOD = "good"
    WAITING = "waiting"
    ATTENTION = "attention"
    WRONG = "wrong"
    OFF = "off"


class Facet(StrEnum):
    """Filter of a chip below the search field."""

    HAS_NOTES = "has-notes"
    OFF = "off"
    CHANGED = "changed"
    NOT_FOUND = "not-found"
    PROBLEMS = "problems"


NO_FACETS: frozenset[Facet] = frozenset()


class RowKey(Struct, frozen=True):
    """Names a row through all changes. ``owner`` is a group, a toolset or a server; ``name`` a tool's or entry's.

    A hint's are the place that it fills: a group and "", or the ``Kind`` and the owner of a row.
    """

    kind: Kind
    owner: str = ""
    name: str = ""

    @property
    def is_page(self) -> bool:
        """True if selecting the row opens a page."""
        return self.kind not in (Kind.GROUP, Kind.WAY)


HOME = RowKey(Kind.HOME)
ACTIVITY = RowKey(Kind.ACTIVITY)
ASSISTANTS = RowKey(Kind.GROUP, "assistants")
TOOLSETS = RowKey(Kind.GROUP, "toolsets")
SOURCES = RowKey(Kind.GROUP, "sources")
NEEDS_A_LOOK = RowKey(Kind.GROUP, "needs-a-look")
LOST_NOTES = RowKey(Kind.LOST_NOTES)
PROBLEMS = RowKey(Kind.PROBLEMS)
NEW_TOOLSET = RowKey(Kind.WAY, "toolsets")
NEW_SOURCE = RowKey(Kind.WAY, "sources")


class Row(Struct, frozen=True, eq=False, dict=True):
    """Row of the library. ``right`` is the right column; ``dim`` marks rows that assistants do not get.

    Attributes:
        searched: the texts that a search looks at, beside ``text``.
        state: said to screen readers where the right column does not say it already.
        facets: what it is found by beside its words.
    """

    key: RowKey
    text: str
    right: str = ""
    mark: Mark = Mark.NONE
    dim: bool = False
    children: tuple[Row, ...] = ()
    searched: tuple[str, ...] = ()
    state: str = ""
    facets: frozenset[Facet] = NO_FACETS

    @cached_property
    def search_text(self) -> str:
        """Searched text, folded for comparison."""
        return "\n".join((self.text, *self.searched)).casefold()

    @property
    def has_notes(self) -> bool:
        """True if the tool itself has notes; their words follow its name and description."""
        return self.key.kind is Kind.TOOL and len(self.searched) > 2

    def says_the_same(self, other: Row) -> bool:
        """Return True if two rows look alike and match the same searches, children aside."""
        return self is other or (
            (self.text, self.right, self.mark, self.dim, self.state)
            == (other.text, other.right, other.mark, other.dim, other.state)
            and self.searched == other.searched
            and self.facets == other.facets
        )


class LostNote(Struct, frozen=True):
    """Note whose tool is missing, in a toolset or (``toolset`` None) in every one."""

    toolset: str | None
    reference: ToolReference
    note: Note


def listing_of(snapshot: Snapshot, server: str) -> ServerListing:
    """Return the tools of a server in ``servers.json``; a server added just now counts as starting."""
    listing = snapshot.catalogue.servers.get(server)
    if listing is not None:
        return listing
    state = ServerState.DISABLED if snapshot.servers[server].disabled else ServerState.STARTING
    return ServerListing(ServerStatus(state))


def lost_notes(snapshot: Snapshot) -> tuple[LostNote, ...]:
    """List the notes without a tool, in the order of the documents."""
    catalogue = snapshot.catalogue
    lost = [
        LostNote(toolset.name, group.reference, note)
        for toolset in snapshot.toolsets.values()
        for group in toolset.notes
        if not has_tool(catalogue, group.reference)
        for note in group.notes
    ]
    for name, notes in snapshot.notes.tools.items():
        reference = ToolReference(namespaced_name=name)
        if not has_tool(catalogue, reference):
            lost += [LostNote(None, reference, note) for note in notes]
    return tuple(lost)


def all_problems(snapshot: Snapshot) -> tuple[Problem, ...]:
    """List the problems of documents and of servers' items; a server's own state is shown in its row."""
    found = list(snapshot.problems)
    for listing in snapshot.catalogue.servers.values():
        found += listing.status.problems
    return tuple(found)


def entry_key(toolset: str, reference: ToolReference) -> RowKey:
    """Return the key of a toolset's entry, distinct for servers' tools of the same name."""
    label = reference.namespaced_name or reference.ref_id or ""
    return RowKey(Kind.ENTRY, toolset, f"{label}\n{reference.server}" if reference.server is not None else label)
