"""Actions on several library rows at once, each one undoable step.

The library's menu, keys and drags all call these, so that they cannot differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from msgspec import Struct

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.editing.actions import Actions
from toolnote_desktop.desktop.editing.undo import UndoStack
from toolnote_desktop.desktop.messages import translate
from toolnote_desktop.desktop.models.drag_data import TOOL_KINDS, Dragged, DraggedNote
from toolnote_desktop.desktop.models.library_rows import TOOLSETS, Kind, RowKey, entry_key
from toolnote_desktop.desktop.models.note_places import place_at, place_of
from toolnote_desktop.guidance.served_tools import ResolvedEntry, resolve_toolset
from toolnote_desktop.model.edits import (
    ABSENT,
    SERVER_ENTRIES,
    SERVERS,
    AddEntry,
    Edit,
    SetEntryFields,
    entries_of,
    toolset_document,
)
from toolnote_desktop.model.names import free_note_name
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.timestamps import iso_utc
from toolnote_desktop.model.tools.catalogue import KnownTool
from toolnote_desktop.model.toolsets.note_edits import AddNote, NoteTarget
from toolnote_desktop.model.toolsets.notes import USER
from toolnote_desktop.model.toolsets.tool_edits import (
    MoveTool,
    SetToolFields,
    matches_reference,
)
from toolnote_desktop.model.toolsets.toolset import ToolEntry
from toolnote_desktop.store.library import Library


class InToolset(Struct, frozen=True):
    """Entry of a toolset that a row represents."""

    toolset: str
    entry: ToolEntry
    known: KnownTool | None


class RowActions:
    """Actions on rows. A change that does not apply is reported by ``UndoStack.failed``."""

    def __init__(self, library: Library, changes: UndoStack, actions: Actions) -> None:
        self._library = library
        self._changes = changes
        self._actions = actions

    @property
    def snapshot(self) -> Snapshot:
        """Snapshot that the rows are looked up in."""
        return self._library.snapshot

    # --- what rows stand for

    def tools(self, keys: Iterable[RowKey]) -> list[KnownTool]:
        """Return the known tools of rows without duplicates."""
        found: dict[tuple[str, str], KnownTool] = {}
        lists: dict[str, dict[RowKey, ResolvedEntry]] = {}
        for key in keys:
            known = None
            if key.kind in (Kind.TOOL, Kind.CHANGED):
                known = self.snapshot.catalogue.tools.get((key.owner, key.name))
            elif key.kind is Kind.ENTRY:
                resolved = self._entries(key.owner, lists).get(key)
                known = resolved.known if resolved is not None else None
            if known is not None:
                found.setdefault(known.tool.key, known)
        return list(found.values())

    def entries(self, keys: Iterable[RowKey]) -> list[InToolset]:
        """Return the toolset entries of rows; a tool at its source is looked up in the default toolset."""
        lists: dict[str, dict[RowKey, ResolvedEntry]] = {}
        shared = self.snapshot.shared_toolset
        by_tool: dict[tuple[str, str], ToolEntry] = {}
        if shared is not None:
            for one in resolve_toolset(self.snapshot, shared):
                if one.known is not None:
                    by_tool.setdefault(one.known.tool.key, one.entry)
        found = []
        for key in keys:
            if key.kind is Kind.ENTRY:
                resolved = self._entries(key.owner, lists).get(key)
                if resolved is not None:
                    found.append(InToolset(key.owner, resolved.entry, resolved.known))
            elif key.kind in (Kind.TOOL, Kind.CHANGED) and shared is not None:
                entry = by_tool.get((key.owner, key.name))
                if entry is not None:
                    known = self.snapshot.catalogue.tools.get((key.owner, key.name))
                    found.append(InToolset(shared.name, entry, known))
        return found

    def categories(self) -> list[str]:
        """List the categories of all toolsets' tools in alphabetical order."""
        found = {entry.category for one in self.snapshot.toolsets.values() for entry in one.tools if entry.category}
        return sorted(found, key=str.casefold)

    # --- tools

    def switch(self, keys: Sequence[RowKey], *, on: bool) -> None:
        """Switch tools in their toolset, and tool sources, on or off."""
        edits: list[Edit] = [
            SetToolFields(toolset_document(one.toolset), one.entry, {"enabled": on}) for one in self.entries(keys)
        ]
        servers = [key.owner for key in keys if key.kind is Kind.SERVER and key.owner in self.snapshot.servers]
        state = {"disabled": ABSENT if on else True}
        edits += [SetEntryFields(SERVERS, SERVER_ENTRIES, server, state) for server in servers]
        if edits:
            one = self._label(keys[0]) if len(edits) == 1 else ""
            self._changes.submit(_switched(len(edits), one, on=on), *edits, place=keys[0])

    def toggle(self, keys: Sequence[RowKey]) -> None:
        """Switch all rows to the opposite of the first one's state."""
        entries = self.entries(keys)
        servers = [key.owner for key in keys if key.kind is Kind.SERVER and key.owner in self.snapshot.servers]
        if entries or servers:
            on = not entries[0].entry.enabled if entries else self.snapshot.servers[servers[0]].disabled
            self.switch(keys, on=on)

    def set_category(self, keys: Sequence[RowKey], category: str | None) -> None:
        """Set the category of tools within their toolsets; None removes it."""
        fields = {"category": category or ABSENT}
        found = self.entries(keys)
        edits = [SetToolFields(toolset_document(one.toolset), one.entry, fields) for one in found]
        if edits:
            text = translate("row_actions", "Category of %n tools changed", None, len(edits))
            if len(edits) == 1:
                text = translate("row_actions", "Category of {tool} changed").format(tool=self._label(keys[0]))
            self._changes.submit(text, *edits, place=keys[0])

    def add_note(self, keys: Sequence[RowKey], name: str, text: str) -> None:
        """Add a note to each of these tools, in the default toolset or the entry's own, as one step."""
        edits: list[Edit] = []
        moment = iso_utc(datetime.now(UTC))
        for one in self.entries(keys):
            place = NoteTarget.in_toolset(one.toolset, one.entry)
            free = free_note_name(name, self._actions.names_in(place))
            note = {"name": free, "note": text, "enabled": True, "author": USER, "createdAt": moment}
            edits.append(AddNote(place, note))
        if edits:
            words = translate("row_actions", "Note “{name}” added to %n tools", None, len(edits)).format(name=name)
            self._changes.submit(words, *edits, place=keys[0])

    def add_to(self, toolset: str, keys: Sequence[RowKey], position: int | None = None) -> bool:
        """Add tools to a toolset, at its end or before the ``position``-th entry. Return False if all are in it."""
        inside = {one.known.tool.key for one in self._resolved(toolset) if one.known is not None}
        chosen = [known for known in self.tools(keys) if known.tool.key not in inside]
        if not chosen:
            return False
        owners = {key.owner for key in keys if key.kind is Kind.ENTRY}
        source = next(iter(owners)) if len(owners) == 1 else None
        places = None
        if position is not None:
            raw_places = self._raw_places(toolset)
            start = raw_places[position] if position < len(raw_places) else len(self._raw_tools(toolset))
            places = tuple(range(start, start + len(chosen)))
        self._actions.add_tools(toolset, chosen, source=source, positions=places)
        return True

    def make_toolset(self, title: str, keys: Sequence[RowKey]) -> str | None:
        """Create a toolset with these tools and return its name."""
        return self._actions.make_toolset(title, self.tools(keys))

    def remove_rows(self, keys: Sequence[RowKey]) -> bool:
        """Remove tools from their toolset, or delete a toolset or tool source. Return False if there is nothing to
        remove.
        """
        first = keys[0]
        if first.kind is Kind.TOOLSET and first.owner in self.snapshot.toolsets:
            return self._actions.delete_toolset(first.owner)
        if first.kind is Kind.SERVER and first.owner in self.snapshot.servers:
            return self._actions.remove_server(first.owner)
        entries = [one for one in self.entries(keys) if first.kind is Kind.ENTRY and one.toolset == first.owner]
        if not entries:
            return False
        return self._actions.remove_tools(first.owner, [one.entry for one in entries])

    def move(self, toolset: str, keys: Iterable[RowKey], position: int) -> bool:
        """Move entries together before a toolset's ``position``-th entry, keeping their order."""
        document = toolset_document(toolset)
        keys_wanted = set(keys)
        entries = self._resolved(toolset)
        places = self._raw_places(toolset)
        wanted = [place for place, one in enumerate(entries) if entry_key(toolset, one.entry) in keys_wanted]
        before = [place for place in range(len(entries)) if place < position and place not in wanted]
        after = [place for place in range(len(entries)) if place >= position and place not in wanted]
        order = [*before, *wanted, *after]
        edits = [MoveTool(document, entries[order[at]].entry, places[at], places[start]) for at, start in _moves(order)]
        if not edits or not wanted:
            return False
        text = translate("row_actions", "%n tools moved", None, len(wanted))
        if len(wanted) == 1:
            text = translate("row_actions", "{tool} moved").format(tool=_title(entries[wanted[0]]))
        return self._changes.submit(text, *edits, place=RowKey(Kind.TOOLSET, toolset)) is not None

    def step(self, toolset: str, keys: Sequence[RowKey], step: int) -> bool:
        """Move entries up (-1) or down (1) together."""
        wanted = set(keys)
        rows = [p for p, one in enumerate(self._resolved(toolset)) if entry_key(toolset, one.entry) in wanted]
        if not rows:
            return False
        target = rows[0] - 1 if step < 0 else rows[-1] + 2
        return 0 <= target <= len(self._resolved(toolset)) and self.move(toolset, keys, target)

    # --- drops

    def may_drop(self, dragged: Dragged, target: RowKey | None) -> bool:
        """Return True if rows or a note may be dropped on a row."""
        if target is None:
            return False
        if isinstance(dragged, DraggedNote):
            return place_at(self.snapshot, dragged, target) is not None
        if not dragged or not all(key.kind in TOOL_KINDS for key in dragged):
            return False
        return target.kind in (Kind.TOOLSET, Kind.ENTRY) or target == TOOLSETS

    def drop(self, keys: Sequence[RowKey], target: RowKey) -> RowKey | None:
        """Drop rows on a toolset, an entry of one or a new toolset. Return the row to show."""
        if target == TOOLSETS:
            name = self.make_toolset(translate("row_actions", "New toolset"), keys)
            return RowKey(Kind.TOOLSET, name) if name is not None else None
        position = None
        if target.kind is Kind.ENTRY:
            order = [entry_key(target.owner, one.entry) for one in self._resolved(target.owner)]
            position = order.index(target) if target in order else None
        if position is not None and all(key.kind is Kind.ENTRY and key.owner == target.owner for key in keys):
            self.move(target.owner, keys, position)
        else:
            self.add_to(target.owner, keys, position)
        return None

    def drop_note(self, note: DraggedNote, target: RowKey, *, moves: bool) -> bool:
        """Copy or move a note to a row. Return False if that is impossible."""
        now, new = place_of(self.snapshot, note), place_at(self.snapshot, note, target)
        if now is None or new is None:
            return False
        act = self._actions.move_note_to if moves else self._actions.copy_note_to
        return act(now, note.name, new, note.row)

    # --- tool sources

    def duplicate(self, server: str) -> str | None:
        """Duplicate a source, switched off for editing, and return its id."""
        entries = entries_of(self._library.raw(SERVERS), SERVERS, SERVER_ENTRIES)
        entry = entries.get(server)
        if not isinstance(entry, dict):
            return None
        number = 2
        while (name := f"{server} {number}") in entries:
            number += 1
        words = translate("row_actions", "{server} copied as {name}").format(
            server=messages.source_name(server), name=name
        )
        position = list(entries).index(server) + 1
        edit = AddEntry(SERVERS, SERVER_ENTRIES, name, {**entry, "disabled": True}, position)
        done = self._changes.submit(words, edit, place=RowKey(Kind.SERVER, name))
        return name if done is not None else None

    # --- what is there

    def _entries(self, toolset: str, lists: dict[str, dict[RowKey, ResolvedEntry]]) -> dict[RowKey, ResolvedEntry]:
        if toolset not in lists:
            lists[toolset] = {entry_key(toolset, one.entry): one for one in reversed(self._resolved(toolset))}
        return lists[toolset]

    def _resolved(self, toolset: str) -> list[ResolvedEntry]:
        found = self.snapshot.toolsets.get(toolset)
        return list(resolve_toolset(self.snapshot, found)) if found is not None else []

    def _raw_tools(self, toolset: str) -> list[object]:
        tools = (self._library.raw(toolset_document(toolset)) or {}).get("tools")
        return tools if isinstance(tools, list) else []

    def _raw_places(self, toolset: str) -> list[int]:
        """Return the positions of the usable entries among all entries of the document."""
        places, raw = [], self._raw_tools(toolset)
        place = -1
        for one in self._resolved(toolset):
            place = next((at for at in range(place + 1, len(raw)) if matches_reference(raw[at], one.entry)), place)
            places.append(place)
        return places

    def _label(self, key: RowKey) -> str:
        if key.kind is Kind.SERVER:
            return key.owner
        found = self.tools([key])
        return found[0].tool.title if found else key.name.partition("\n")[0]


def _title(one: ResolvedEntry) -> str:
    return one.known.tool.title if one.known is not None else one.entry.namespaced_name or "?"


def _switched(count: int, label: str, *, on: bool) -> str:
    if count == 1:
        text = translate("row_actions", "{name} turned on") if on else translate("row_actions", "{name} turned off")
        return text.format(name=label)
    if on:
        return translate("row_actions", "%n turned on", None, count)
    return translate("row_actions", "%n turned off", None, count)


def _moves(order: Sequence[int]) -> list[tuple[int, int]]:
    """``(to, from)`` moves, one after the other, that bring ``0 1 2 …`` into ``order``: from the end that needs fewer.

    Each is meant as ``MoveTool`` does it: taken out, then put where it is to stand.
    """
    forwards, now = [], list(range(len(order)))
    for at, wanted in enumerate(order):
        start = now.index(wanted, at)
        if start != at:
            forwards.append((at, start))
            now.insert(at, now.pop(start))
    backwards, now = [], list(range(len(order)))
    for at in range(len(order) - 1, -1, -1):
        start = now.index(order[at])
        if start != at:
            backwards.append((at, start))
            now.insert(at, now.pop(start))
    return min(forwards, backwards, key=len)
