"""Description of changes that were not made in this window, so that they can be shown and undone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from toolnote_desktop.desktop.messages import translate
from toolnote_desktop.desktop.models.library_rows import Kind, RowKey
from toolnote_desktop.model.edits import (
    CLIENTS,
    SETTINGS,
    AddEntry,
    CreateDocument,
    DeleteDocument,
    DocumentKind,
    Edit,
    PutEntry,
    RemoveEntry,
    SetEntryFields,
    SetFields,
)
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.toolsets.note_edits import (
    AddNote,
    AddNotes,
    EditNote,
    MoveNote,
    NoteTarget,
    RemoveNote,
    RemoveNotes,
)
from toolnote_desktop.model.toolsets.notes import USER
from toolnote_desktop.model.toolsets.tool_edits import AddTools, RemoveTools
from toolnote_desktop.model.toolsets.tool_settings import SetToolSettings
from toolnote_desktop.store.library import Change


def describe(change: Change) -> tuple[str, RowKey | None]:
    """Describe the first edit (the others follow from it); return the text and the library row where it shows."""
    for edit in change.edits:
        describer = _DESCRIBERS.get(type(edit))
        before = isinstance(edit, DeleteDocument)
        words = describer(edit, change.previous if before else change.snapshot) if describer is not None else ""
        if words:
            return words, row_of(edit, change.snapshot)
    return translate("change_text", "something changed"), None


def is_undoable(change: Change) -> bool:
    """Return True if a change may be undone here. Connecting an assistant is undone in its own settings file."""
    return change.origin.author != USER or any(_is_undoable(edit) for edit in change.edits)


def _is_undoable(edit: Edit) -> bool:
    if edit.document == CLIENTS:
        return isinstance(edit, SetEntryFields) and "toolset" in edit.fields
    return True


def row_of(edit: Edit, snapshot: Snapshot) -> RowKey | None:
    """Return the library row where an edit shows."""
    if isinstance(edit, (AddNote, AddNotes, EditNote, RemoveNote, RemoveNotes, MoveNote)):
        return _row_of_notes(edit.place, snapshot)
    if isinstance(edit, SetToolSettings):
        tools = snapshot.catalogue.by_namespaced_name.get(edit.tool, ())
        return RowKey(Kind.TOOL, *tools[0].tool.key) if len(tools) == 1 else None
    document = edit.document
    if document.kind is DocumentKind.TOOLSET and document.name in snapshot.toolsets:
        return RowKey(Kind.TOOLSET, document.name or "")
    if isinstance(edit, (AddEntry, RemoveEntry, SetEntryFields)) and document.kind is DocumentKind.SERVERS:
        return RowKey(Kind.SERVER, edit.key)
    return None


def _row_of_notes(place: NoteTarget, snapshot: Snapshot) -> RowKey | None:
    if place.reference is not None:
        tools = snapshot.catalogue.resolve(place.reference)
    else:
        tools = snapshot.catalogue.by_namespaced_name.get(place.key or "", ())
    return RowKey(Kind.TOOL, *tools[0].tool.key) if len(tools) == 1 else None


def _label(place: NoteTarget, snapshot: Snapshot) -> str:
    row = _row_of_notes(place, snapshot)
    known = snapshot.catalogue.tools.get((row.owner, row.name)) if row is not None else None
    return known.tool.title if known is not None else place.label


def _title(name: str | None, snapshot: Snapshot) -> str:
    toolset = snapshot.toolsets.get(name or "")
    return toolset.title if toolset is not None else str(name)


def _note_added(edit: AddNote, snapshot: Snapshot) -> str:
    text = translate("change_text", "the note “{note}” was added to {tool}")
    return text.format(note=edit.note.get("name"), tool=_label(edit.place, snapshot))


def _notes_added(edit: AddNotes, snapshot: Snapshot) -> str:
    if len(edit.notes) == 1:
        return _note_added(AddNote(edit.place, edit.notes[0]), snapshot)
    return translate("change_text", "notes were added to {tool}").format(tool=_label(edit.place, snapshot))


def _notes_removed(edit: RemoveNotes, snapshot: Snapshot) -> str:
    if len(edit.names) == 1:
        return _note_removed(RemoveNote(edit.place, edit.names[0]), snapshot)
    return translate("change_text", "notes on {tool} were removed").format(tool=_label(edit.place, snapshot))


def _note_changed(edit: EditNote, snapshot: Snapshot) -> str:
    text = translate("change_text", "the note “{note}” on {tool} was changed")
    return text.format(note=edit.name, tool=_label(edit.place, snapshot))


def _note_removed(edit: RemoveNote, snapshot: Snapshot) -> str:
    text = translate("change_text", "the note “{note}” on {tool} was removed")
    return text.format(note=edit.name, tool=_label(edit.place, snapshot))


def _note_moved(edit: MoveNote, snapshot: Snapshot) -> str:
    text = translate("change_text", "the note “{note}” on {tool} was moved")
    return text.format(note=edit.name, tool=_label(edit.place, snapshot))


def _document_created(edit: CreateDocument, snapshot: Snapshot) -> str:
    if edit.document.kind is not DocumentKind.TOOLSET:
        return ""
    return translate("change_text", "the toolset “{name}” was made").format(name=_title(edit.document.name, snapshot))


def _document_deleted(edit: DeleteDocument, snapshot: Snapshot) -> str:
    if edit.document.kind is not DocumentKind.TOOLSET:
        return ""
    return translate("change_text", "the toolset “{name}” was deleted").format(
        name=_title(edit.document.name, snapshot)
    )


def _fields_set(edit: SetFields, snapshot: Snapshot) -> str:
    if edit.document != SETTINGS:
        return ""
    if "equippedToolset" in edit.fields:
        name = edit.fields["equippedToolset"]
        if not isinstance(name, str):
            return translate("change_text", "No default toolset")
        return translate("change_text", "{name} is the default toolset").format(name=_title(name, snapshot))
    from toolnote_desktop.desktop.dialogs import setting_registry  # not needed for the first paint

    found = next((one for one in setting_registry.SETTINGS if one.key in edit.fields), None)
    title = found.texts()[0] if found is not None else ", ".join(edit.fields)
    return translate("change_text", "the setting “{name}” was changed").format(name=title)


def _tools_added(edit: AddTools, snapshot: Snapshot) -> str:
    text = translate("change_text", "tools were added to “{name}”")
    return text.format(name=_title(edit.document.name, snapshot))


def _settings_set(edit: SetToolSettings, snapshot: Snapshot) -> str:
    found = snapshot.catalogue.by_namespaced_name.get(edit.tool, ())
    title = found[0].tool.title if found else edit.tool
    return translate("change_text", "what belongs to {tool} was changed").format(tool=title)


def _tools_removed(edit: RemoveTools, snapshot: Snapshot) -> str:
    text = translate("change_text", "Tools removed from {name}")
    return text.format(name=_title(edit.document.name, snapshot))


def _entry_added(edit: AddEntry, _snapshot: Snapshot) -> str:
    if edit.document.kind is not DocumentKind.SERVERS:
        return ""
    return translate("change_text", "the tool source {name} was added").format(name=edit.key)


def _entry_removed(edit: RemoveEntry, _snapshot: Snapshot) -> str:
    if edit.document.kind is not DocumentKind.SERVERS:
        return ""
    return translate("change_text", "the tool source {name} was removed").format(name=edit.key)


def _entry_edited(edit: SetEntryFields, snapshot: Snapshot) -> str:
    if edit.document.kind is DocumentKind.SERVERS:
        return translate("change_text", "the tool source {name} was edited").format(name=edit.key)
    if edit.document == CLIENTS and "toolset" in edit.fields:
        client = snapshot.clients.get(edit.key)
        text = translate("change_text", "{assistant} was given other tools")
        return text.format(assistant=client.name if client is not None and client.name else edit.key)
    return ""


def _entry_put(edit: PutEntry, snapshot: Snapshot) -> str:
    if edit.document != CLIENTS:
        return ""
    chosen = edit.value.get("toolset") if isinstance(edit.value, dict) else None
    if not chosen:
        return translate("change_text", "it uses no toolset now")
    return translate("change_text", "it uses the toolset “{name}” now").format(name=_title(chosen, snapshot))


_DESCRIBERS: Final[Mapping[type[Edit], Callable[[Any, Snapshot], str]]] = {
    AddNote: _note_added,
    AddNotes: _notes_added,
    EditNote: _note_changed,
    RemoveNote: _note_removed,
    RemoveNotes: _notes_removed,
    MoveNote: _note_moved,
    CreateDocument: _document_created,
    DeleteDocument: _document_deleted,
    SetFields: _fields_set,
    AddTools: _tools_added,
    SetToolSettings: _settings_set,
    RemoveTools: _tools_removed,
    AddEntry: _entry_added,
    RemoveEntry: _entry_removed,
    SetEntryFields: _entry_edited,
    PutEntry: _entry_put,
}
"""Describer of each type of edit; it returns "" for an edit of a document that it has no words for."""
