"""Builder of the sidebar's rows from successive snapshots. No Qt but for translated words.

What looks at all tools or all notes is kept until these change, so that a keystroke in a note does not look at ten
thousand tools.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Generic, TypeVar

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.messages import translate
from toolnote_desktop.desktop.models.library_rows import (
    ACTIVITY,
    ASSISTANTS,
    HOME,
    NEW_ASSISTANT,
    NEW_SOURCE,
    NEW_TOOLSET,
    SOURCES,
    TOOLSETS,
    Kind,
    Mark,
    Row,
    RowKey,
    initials_of,
    listing_of,
)
from toolnote_desktop.desktop.models.needs_you import Assistant, assistant_states
from toolnote_desktop.desktop.models.source_state import source_state
from toolnote_desktop.model.names import ToolKey
from toolnote_desktop.model.servers import ServerState
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.catalogue import KnownTool

Value = TypeVar("Value")

MOST_TOOLS: Final = 8
"""Number of tools below an open source; the page of the source has all."""


class _Kept(Generic[Value]):
    """Value that is computed anew when one of the objects that it is made of is another one."""

    def __init__(self, compute: Callable[[Snapshot], Value]) -> None:
        self._compute = compute
        self._basis: tuple[object, ...] = ()
        self._value: Value | None = None

    def get(self, snapshot: Snapshot, *basis: object) -> Value:
        """Return the value for these objects."""
        same = len(basis) == len(self._basis) and all(a is b for a, b in zip(basis, self._basis, strict=True))
        if self._value is None or not same:
            self._basis, self._value = basis, self._compute(snapshot)
        return self._value


class LibraryRows:
    """Builder that turns each snapshot into rows."""

    def __init__(self) -> None:
        self._notes = _Kept(_count_notes)
        self._changed = _Kept(_changed_tools)

    def build(
        self,
        snapshot: Snapshot,
        assistants: Sequence[Assistant] = (),
        needs: int = 0,
        shown: RowKey | None = None,
        *,
        recent: Sequence[ToolKey] = (),
        is_running: bool = True,
    ) -> tuple[Row, ...]:
        """Build the rows.

        Args:
            needs: number of things that need the user.
            shown: the place that is shown; a tool among them has a row even without notes.
            recent: tools with recent calls, the newest first.
            is_running: False while no tool source is started, in safe mode or turned off.
        """
        lists = tuple(listing.tools for listing in snapshot.catalogue.servers.values())
        groups = tuple(toolset.notes for toolset in snapshot.toolsets.values())
        notes = self._notes.get(snapshot, snapshot.notes, *groups, *lists)
        changed = self._changed.get(snapshot, *lists)
        people = tuple(_assistants(snapshot, assistants))
        toolsets = tuple(
            Row(
                RowKey(Kind.TOOLSET, name),
                toolset.title,
                right=messages.number(len(toolset.tools)),
                icon="toolset",
                state=messages.count_tools(len(toolset.tools)),
            )
            for name, toolset in snapshot.toolsets.items()
        )
        sources = tuple(
            self._source(snapshot, server, notes, changed, shown, recent, is_running=is_running)
            for server in snapshot.servers
        )
        return (
            _home(needs),
            Row(ACTIVITY, translate("sidebar", "Activity"), icon="activity"),
            Row(ASSISTANTS, translate("sidebar", "Assistants"), children=people or _hint(NEW_ASSISTANT)),
            Row(TOOLSETS, translate("sidebar", "Toolsets"), children=toolsets or _hint(NEW_TOOLSET)),
            Row(SOURCES, translate("sidebar", "Tool sources"), children=sources or _hint(NEW_SOURCE)),
        )

    def _source(
        self,
        snapshot: Snapshot,
        server: str,
        notes: Mapping[ToolKey, int],
        changed: frozenset[ToolKey],
        shown: RowKey | None,
        recent: Sequence[ToolKey],
        *,
        is_running: bool,
    ) -> Row:
        listing = listing_of(snapshot, server)
        state: ServerState | None = listing.status.state
        if not is_running and state is not ServerState.DISABLED:
            state = None
        ready = state is ServerState.READY
        now = source_state(snapshot, server)
        tools = snapshot.catalogue.tools
        wanted = [key for key in (*changed, *notes, *recent) if key[0] == server and key in tools]
        first = list(dict.fromkeys(wanted))[:MOST_TOOLS]
        listed = sorted(first, key=lambda key: tools[key].tool.title.casefold())
        if shown is not None and shown.kind in (Kind.TOOL, Kind.CHANGED) and shown.owner == server:
            here = (shown.owner, shown.name)
            if here in tools and here not in listed:
                listed.append(here)
        rows = [_tool(tools[key], notes.get(key, 0), changed=key in changed) for key in listed]
        if listing.tools:
            rows.append(_all_tools(server, len(listing.tools)))
        name = messages.source_name(server)
        if state is None:
            off = translate("sidebar", "Not running")
            return Row(RowKey(Kind.SERVER, server), name, right=off, mark=Mark.OFF, children=tuple(rows))
        return Row(
            RowKey(Kind.SERVER, server),
            name,
            right=messages.number(len(listing.tools)) if ready else now.word,
            mark=now.mark,
            dim=state is ServerState.DISABLED,
            children=tuple(rows),
            state=f"{now.word}, {messages.count_tools(len(listing.tools))}" if ready else "",
        )


def _home(needs: int) -> Row:
    text = ""
    if needs == 1:
        text = translate("sidebar", "1 needs you")
    elif needs:
        text = translate("sidebar", "%n need you", None, needs)
    mark = Mark.ATTENTION if needs else Mark.NONE
    return Row(HOME, translate("sidebar", "Home"), right=text, right_mark=mark, icon="home")


def _assistants(snapshot: Snapshot, assistants: Sequence[Assistant]) -> list[Row]:
    rows: list[Row] = []
    taken: set[str] = set()
    for one in assistant_states(snapshot, assistants):
        initials = initials_of(one.name, taken)
        taken.add(initials)
        second = f"{one.word} · {one.toolset.title}" if one.toolset is not None else one.word
        rows.append(Row(RowKey(Kind.ASSISTANT, one.id), one.name, mark=one.mark, second=second, icon=initials))
    return rows


def _tool(known: KnownTool, notes: int, *, changed: bool) -> Row:
    tool = known.tool
    right = messages.count_notes(notes) if notes else ""
    mark = Mark.NONE
    if not known.listed:
        right, mark = translate("sidebar", "Not found"), Mark.ATTENTION
    elif changed:
        right, mark = translate("sidebar", "Changed"), Mark.ATTENTION
    return Row(RowKey(Kind.TOOL, *tool.key), tool.title, right=right, right_mark=mark, dim=not known.listed)


def _all_tools(server: str, count: int) -> Row:
    text = translate("sidebar", "All %n tools…", None, count) if count > 1 else translate("sidebar", "Its tool…")
    return Row(RowKey(Kind.ALL_TOOLS, server), text)


def _hint(key: RowKey) -> tuple[Row, ...]:
    texts = {
        NEW_ASSISTANT: translate("sidebar", "Connect an assistant…"),
        NEW_TOOLSET: translate("sidebar", "New toolset"),
        NEW_SOURCE: translate("sidebar", "Add tools…"),
    }
    return (Row(key, texts[key]),)


def _changed_tools(snapshot: Snapshot) -> frozenset[ToolKey]:
    return frozenset(key for key, known in snapshot.catalogue.tools.items() if known.changed and known.listed)


def _count_notes(snapshot: Snapshot) -> dict[ToolKey, int]:
    """Count each tool's own notes, in every toolset and in single ones, without wider scopes."""
    found: dict[ToolKey, int] = {}
    for name, notes in snapshot.notes.tools.items():
        tools = snapshot.catalogue.by_namespaced_name.get(name, ())
        if len(tools) == 1 and notes:
            found[tools[0].tool.key] = len(notes)
    for toolset in snapshot.toolsets.values():
        for group in toolset.notes:
            tools = snapshot.catalogue.resolve(group.reference)
            if len(tools) == 1 and group.notes:
                key = tools[0].tool.key
                found[key] = found.get(key, 0) + len(group.notes)
    return found
