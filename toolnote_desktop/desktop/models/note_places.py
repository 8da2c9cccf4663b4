"""Possible places of a note: another tool, a toolset, a whole tool source."""

from __future__ import annotations

from toolnote_desktop.desktop.models.drag_data import DraggedNote
from toolnote_desktop.desktop.models.library_rows import Kind, RowKey
from toolnote_desktop.desktop.models.tool_view import ToolView, tool_view
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.catalogue import KnownTool
from toolnote_desktop.model.toolsets.note_edits import NoteTarget
from toolnote_desktop.model.toolsets.notes import Scope


def place_on(snapshot: Snapshot, known: KnownTool, toolset: str | None) -> NoteTarget:
    """Return the place for notes on a tool: in the toolset, at its existing group if there is one, else in every
    toolset.
    """
    found = snapshot.toolsets.get(toolset or "")
    if found is None:
        return NoteTarget.everywhere(Scope.TOOL, known.tool.namespaced_name)
    references = (g.reference for g in found.notes if snapshot.catalogue.note_applies(g.reference, known.tool))
    return NoteTarget.in_toolset(found.name, next(references, snapshot.catalogue.reference_to(known.tool)))


def place_of(snapshot: Snapshot, note: DraggedNote) -> NoteTarget | None:
    """Return the place of a dragged note; None if it is gone."""
    view = tool_view(snapshot, note.row)
    found = view.notes if view is not None else ()
    return next((one.place for one in found if one.scope is note.scope and one.note.name == note.name), None)


def toolset_places(snapshot: Snapshot, view: ToolView, place: NoteTarget) -> list[tuple[str, NoteTarget]]:
    """Return titles and note places of the other toolsets that have a tool."""
    others = [one for one in view.toolsets if not _is_in(place, one.name)]
    return [(one.title, place_on(snapshot, view.known, one.name)) for one in others]


def source_places(snapshot: Snapshot, place: NoteTarget) -> list[tuple[str, NoteTarget]]:
    """Return names and note places of the tool sources other than the note's own."""
    places = [(server, NoteTarget.everywhere(Scope.SERVER, server)) for server in snapshot.catalogue.servers]
    return [(server, one) for server, one in places if one != place]


def place_at(snapshot: Snapshot, note: DraggedNote, target: RowKey) -> NoteTarget | None:
    """Return the place of a note dropped on a library row.

    None if the note is there already or the toolset lacks its tool.
    """
    now, view = place_of(snapshot, note), tool_view(snapshot, note.row)
    if now is None or view is None:
        return None
    if target.kind is Kind.SERVER:
        return dict(source_places(snapshot, now)).get(target.owner)
    if target.kind is Kind.TOOLSET:
        toolset = snapshot.toolsets.get(target.owner)
        if toolset is None or toolset.name not in view.entries or _is_in(now, toolset.name):
            return None
        return place_on(snapshot, view.known, toolset.name)
    there = tool_view(snapshot, target)
    if there is None:
        return None
    is_same = there.known.tool.key == view.known.tool.key and now.document == there.toolset_place.document
    return None if is_same else there.toolset_place


def _is_in(place: NoteTarget, toolset: str) -> bool:
    return place.scope is Scope.TOOLSET and place.document.name == toolset
