"""Places of the window, and the rows of its sidebar as plain values."""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum

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
    BENCH = "bench"  # of a toolset
    SERVER = "server"
    TOOL = "tool"
    ENTRY = "entry"  # a tool in a toolset
    CHANGED = "changed"
    CHANGED_PROMPT = "changed-prompt"
    LOST_NOTES = "lost-notes"
    PROBLEMS = "problems"
    BUDGET = "budget"  # what the toolsets cost the assistants
    WAY = "way"  # hint in an empty group: pressing it adds the first


class Mark(StrEnum):
    """Dot before a row's text; the right column repeats its meaning in words."""

    NONE = ""
    IN_USE = "in-use"
    GOOD = "good"
    WAITING = "waiting"
    ATTENTION = "attention"
    WRONG = "wrong"
    OFF = "off"


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

    @property
    def row(self) -> RowKey:
        """Row of the sidebar that is selected while the page of this key is shown."""
        match self.kind:
            case Kind.ENTRY:
                return RowKey(Kind.TOOLSET, self.owner)
            case Kind.CHANGED:
                return RowKey(Kind.TOOL, self.owner, self.name)
            case Kind.ALL_TOOLS | Kind.CHANGED_PROMPT:
                return RowKey(Kind.SERVER, self.owner)
            case Kind.LOST_NOTES | Kind.PROBLEMS | Kind.BUDGET:
                return HOME
        return self


HOME = RowKey(Kind.HOME)
ACTIVITY = RowKey(Kind.ACTIVITY)
ASSISTANTS = RowKey(Kind.GROUP, "assistants")
TOOLSETS = RowKey(Kind.GROUP, "toolsets")
SOURCES = RowKey(Kind.GROUP, "sources")
LOST_NOTES = RowKey(Kind.LOST_NOTES)
PROBLEMS = RowKey(Kind.PROBLEMS)
NEW_ASSISTANT = RowKey(Kind.WAY, "assistants")
NEW_TOOLSET = RowKey(Kind.WAY, "toolsets")
NEW_SOURCE = RowKey(Kind.WAY, "sources")


class Row(Struct, frozen=True, eq=False):
    """Row of the sidebar.

    Attributes:
        right: the right column; ``right_mark`` is the sign before it.
        second: the line below the text; ``mark`` is before it.
        icon: an icon's name, or initials where the row is an assistant's.
        dim: True if assistants do not get it.
        state: said to screen readers where the right column does not say it already.
    """

    key: RowKey
    text: str
    right: str = ""
    mark: Mark = Mark.NONE
    right_mark: Mark = Mark.NONE
    second: str = ""
    icon: str = ""
    dim: bool = False
    children: tuple[Row, ...] = ()
    state: str = ""

    def says_the_same(self, other: Row) -> bool:
        """Return True if two rows look alike, children aside."""
        return self is other or (
            (self.text, self.right, self.mark, self.dim, self.state, self.second, self.icon, self.right_mark)
            == (other.text, other.right, other.mark, other.dim, other.state, other.second, other.icon, other.right_mark)
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


def initials_of(name: str, taken: Collection[str] = ()) -> str:
    """Return a name's first letter, or its first two where another program has that one."""
    letters = "".join(letter for letter in name if letter.isalnum())
    one = letters[:1].upper()
    return one + letters[1:2].lower() if one in taken else one
