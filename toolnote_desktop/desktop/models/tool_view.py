"""Content of a tool's page, derived from a snapshot without Qt."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from toolnote_desktop.desktop.models.library_rows import Kind, RowKey, entry_key
from toolnote_desktop.guidance.notes_section import NoteIndex
from toolnote_desktop.guidance.served_tools import is_available, resolve_toolset, served_names
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.catalogue import KnownTool
from toolnote_desktop.model.tools.tool import Tool
from toolnote_desktop.model.toolsets.note_edits import NoteTarget
from toolnote_desktop.model.toolsets.notes import Note, Scope
from toolnote_desktop.model.toolsets.tool_settings import ToolSettingsIndex
from toolnote_desktop.model.toolsets.toolset import NOTHING_SET, ToolEntry, Toolset


class NoteView(Struct, frozen=True):
    """Note that applies to the tool, and its place."""

    place: NoteTarget
    note: Note

    @property
    def scope(self) -> Scope:
        """Scope of the note."""
        return self.place.scope


class ToolView(Struct, frozen=True):
    """Tool as configured in a toolset.

    Attributes:
        toolset: the toolset in use, or the one whose entry was chosen; None where none is in use.
        entry: the toolset's entry for the tool; None where it is not in it.
        effective: the entry merged with the tool's settings for every toolset.
        new_place: where a new note is kept: for every toolset, where the name is this tool's alone.
        toolset_place: where a note for the toolset alone is kept; without a toolset, for every one.
        toolsets: every toolset that the tool is in.
        entries: the toolsets' names -> their entries for the tool.
        available: whether its server is on and lists it.
        pinned: served in every toolset, whether its file lists it or not.
        shares_name: another tool has the same namespacedName, so that nothing can be set for it in every toolset.
    """

    key: RowKey
    known: KnownTool
    toolset: Toolset | None
    entry: ToolEntry | None
    effective: ToolEntry
    notes: tuple[NoteView, ...]
    new_place: NoteTarget
    toolset_place: NoteTarget
    toolsets: tuple[Toolset, ...]
    entries: Mapping[str, ToolEntry]
    available: bool
    exposed_name: str
    shares_name: bool = False
    pinned: bool = False


def tool_view(snapshot: Snapshot, key: RowKey) -> ToolView | None:
    """Return the tool of a library row; None if it is unknown."""
    if key.kind is Kind.ENTRY:
        toolset = snapshot.toolsets.get(key.owner)
        if toolset is None:
            return None
        for resolved in resolve_toolset(snapshot, toolset):
            if entry_key(toolset.name, resolved.entry) == key and resolved.known is not None:
                return _view(snapshot, key, resolved.known, toolset)
        return None
    if key.kind not in (Kind.TOOL, Kind.CHANGED):
        return None
    known = snapshot.catalogue.tools.get((key.owner, key.name))
    return _view(snapshot, key, known, snapshot.shared_toolset) if known is not None else None


def view_in(snapshot: Snapshot, view: ToolView, toolset: Toolset | None) -> ToolView:
    """Return a tool as configured in another toolset."""
    return _view(snapshot, view.key, view.known, toolset)


def _view(snapshot: Snapshot, key: RowKey, known: KnownTool, toolset: Toolset | None) -> ToolView:
    tool = known.tool
    reference = snapshot.catalogue.reference_to(tool)
    shares_name = len(snapshot.catalogue.by_namespaced_name.get(tool.namespaced_name, ())) > 1
    every = place = NoteTarget.everywhere(Scope.TOOL, tool.namespaced_name)
    if toolset is not None:
        groups = (group.reference for group in toolset.notes if snapshot.catalogue.note_applies(group.reference, tool))
        place = NoteTarget.in_toolset(toolset.name, next(groups, reference))
    found = ((name, _entry(snapshot, one, known)) for name, one in snapshot.toolsets.items())
    entries = {name: entry for name, entry in found if entry is not None}
    entry = entries.get(toolset.name) if toolset is not None else None
    return ToolView(
        key=key,
        known=known,
        toolset=toolset,
        entry=entry,
        effective=snapshot.effective_entry(known, entry or NOTHING_SET),
        notes=_notes(snapshot, toolset, tool),
        new_place=place if shares_name else every,
        toolset_place=place,
        toolsets=tuple(one for name, one in snapshot.toolsets.items() if name in entries),
        entries=entries,
        available=is_available(snapshot, known),
        exposed_name=served_names(snapshot, [(known, entry or NOTHING_SET)])[tool.key],
        shares_name=shares_name,
        pinned=not shares_name and _is_pinned(snapshot.tool_settings, tool.namespaced_name),
    )


def _is_pinned(settings: ToolSettingsIndex, name: str) -> bool:
    """Return True if a tool is served in every toolset."""
    own = settings.by_name.get(name)
    return own is not None and own.pinned


def _entry(snapshot: Snapshot, toolset: Toolset, known: KnownTool) -> ToolEntry | None:
    return next((entry for entry in toolset.tools if snapshot.catalogue.note_applies(entry, known.tool)), None)


def _notes(snapshot: Snapshot, toolset: Toolset | None, tool: Tool) -> tuple[NoteView, ...]:
    """Return the notes in the order of ``NoteIndex``, each with its place."""
    everywhere = {
        Scope.GLOBAL: NoteTarget.everywhere(Scope.GLOBAL),
        Scope.SERVER: NoteTarget.everywhere(Scope.SERVER, tool.server),
        Scope.TOOL: NoteTarget.everywhere(Scope.TOOL, tool.namespaced_name),
    }
    applied = NoteIndex(None, snapshot.notes, snapshot.catalogue).applied(tool)
    views = [NoteView(everywhere[one.scope], one.note) for one in applied]
    if toolset is not None:
        for group in toolset.notes:
            if snapshot.catalogue.note_applies(group.reference, tool):
                place = NoteTarget.in_toolset(toolset.name, group.reference)
                views += [NoteView(place, note) for note in group.notes]
    return tuple(views)


def as_typed(note: Note, name: str, text: str) -> Note:
    """Return a note with the editor's current name and text."""
    return replace(note, name=name, note=text)


def arguments(definition: Mapping[str, Any]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the required and the accepted argument names in the schema's order."""
    schema = definition.get("inputSchema")
    properties = schema.get("properties") if isinstance(schema, Mapping) else None
    names = [str(name) for name in properties] if isinstance(properties, Mapping) else []
    required = schema.get("required") if isinstance(schema, Mapping) else None
    needed = {str(name) for name in required} if isinstance(required, list) else set()
    return tuple(name for name in names if name in needed), tuple(name for name in names if name not in needed)


def what_changed(known: KnownTool) -> tuple[str, ...]:
    """Return the top-level keys that differ from the definition the user last accepted."""
    now, before = known.newest.definition, known.accepted.definition
    return tuple(key for key in {**before, **now} if now.get(key) != before.get(key))
