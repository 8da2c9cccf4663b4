"""Description of changes that were not made in this window, so that they can be shown and undone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal

from toolnote_desktop.desktop import messages
from toolnote_desktop.desktop.messages import translate
from toolnote_desktop.desktop.models.library_rows import Kind, RowKey
from toolnote_desktop.model.edits import (
    CLIENTS,
    SERVERS,
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
from toolnote_desktop.model.toolsets.tool_edits import AddTools, MoveTool, RemoveTools, SetToolFields, SetToolObject
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
    return translate("change_text", "Something changed"), None


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
    text = translate("change_text", "Note “{note}” added to {tool}")
    return text.format(note=edit.note.get("name"), tool=_label(edit.place, snapshot))


def _notes_added(edit: AddNotes, snapshot: Snapshot) -> str:
    if len(edit.notes) == 1:
        return _note_added(AddNote(edit.place, edit.notes[0]), snapshot)
    return translate("change_text", "Notes added to {tool}").format(tool=_label(edit.place, snapshot))


def _notes_removed(edit: RemoveNotes, snapshot: Snapshot) -> str:
    if len(edit.names) == 1:
        return _note_removed(RemoveNote(edit.place, edit.names[0]), snapshot)
    return translate("change_text", "Notes on {tool} deleted").format(tool=_label(edit.place, snapshot))


def _note_changed(edit: EditNote, snapshot: Snapshot) -> str:
    text = translate("change_text", "Note “{note}” on {tool} changed")
    return text.format(note=edit.name, tool=_label(edit.place, snapshot))


def _note_removed(edit: RemoveNote, snapshot: Snapshot) -> str:
    text = translate("change_text", "Note “{note}” on {tool} deleted")
    return text.format(note=edit.name, tool=_label(edit.place, snapshot))


def _note_moved(edit: MoveNote, snapshot: Snapshot) -> str:
    text = translate("change_text", "Note “{note}” on {tool} moved")
    return text.format(note=edit.name, tool=_label(edit.place, snapshot))


def _document_created(edit: CreateDocument, snapshot: Snapshot) -> str:
    if edit.document.kind is not DocumentKind.TOOLSET:
        return ""
    return translate("change_text", "Toolset “{name}” created").format(name=_title(edit.document.name, snapshot))


def _document_deleted(edit: DeleteDocument, snapshot: Snapshot) -> str:
    if edit.document.kind is not DocumentKind.TOOLSET:
        return ""
    return translate("change_text", "Toolset “{name}” deleted").format(name=_title(edit.document.name, snapshot))


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
    return translate("change_text", "Setting “{name}” changed").format(name=title)


def _tools_added(edit: AddTools, snapshot: Snapshot) -> str:
    text = translate("change_text", "Tools added to {name}")
    return text.format(name=_title(edit.document.name, snapshot))


def _settings_set(edit: SetToolSettings, snapshot: Snapshot) -> str:
    found = snapshot.catalogue.by_namespaced_name.get(edit.tool, ())
    title = found[0].tool.title if found else edit.tool
    return translate("change_text", "Settings of {tool} changed").format(tool=title)


def _tools_removed(edit: RemoveTools, snapshot: Snapshot) -> str:
    text = translate("change_text", "Tools removed from {name}")
    return text.format(name=_title(edit.document.name, snapshot))


def _entry_added(edit: AddEntry, _snapshot: Snapshot) -> str:
    if edit.document.kind is not DocumentKind.SERVERS:
        return ""
    return translate("change_text", "{name} added").format(name=edit.key)


def _entry_removed(edit: RemoveEntry, _snapshot: Snapshot) -> str:
    if edit.document.kind is not DocumentKind.SERVERS:
        return ""
    return translate("change_text", "{name} removed").format(name=messages.source_name(edit.key))


def _entry_edited(edit: SetEntryFields, snapshot: Snapshot) -> str:
    if edit.document.kind is DocumentKind.SERVERS:
        return translate("change_text", "{name} edited").format(name=messages.source_name(edit.key))
    if edit.document == CLIENTS and "toolset" in edit.fields:
        client = snapshot.clients.get(edit.key)
        text = translate("change_text", "Toolset of {assistant} changed")
        return text.format(assistant=client.name if client is not None and client.name else edit.key)
    return ""


def _entry_put(edit: PutEntry, snapshot: Snapshot) -> str:
    if edit.document != CLIENTS:
        return ""
    chosen = edit.value.get("toolset") if isinstance(edit.value, dict) else None
    if not chosen:
        return translate("change_text", "No toolset is chosen now")
    return translate("change_text", "Toolset is {name} now").format(name=_title(chosen, snapshot))


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


def action_name(edits: Sequence[Edit]) -> str:
    """Return what a step does, for the menu: the verb and the object of its first edit that has words."""
    moved = any(isinstance(one, AddNote | AddNotes) for one in edits)
    for edit in edits:
        match edit:
            case RemoveNote() | RemoveNotes():
                return translate("action_names", "Move Note") if moved else translate("action_names", "Delete Note")
            case MoveNote():
                return translate("action_names", "Move Note")
            case AddNote() | AddNotes():
                return translate("action_names", "Write Note")
            case EditNote():
                return _name_for_note(edit)
            case AddTools():
                return translate("action_names", "Add Tools")
            case RemoveTools():
                return translate("action_names", "Remove Tools")
            case MoveTool():
                return translate("action_names", "Move Tool")
            case SetToolFields() if "enabled" in edit.fields:
                return _turning("tool", on=edit.fields["enabled"] is not False)
            case SetToolFields() | SetToolObject() | SetToolSettings():
                return translate("action_names", "Change Tool")
            case CreateDocument():
                return translate("action_names", "Create Toolset")
            case DeleteDocument():
                return translate("action_names", "Delete Toolset")
            case SetFields() if edit.document == SETTINGS:
                return _name_for_settings(edit)
            case SetFields():
                is_title = "title" in edit.fields
                return (
                    translate("action_names", "Rename Toolset")
                    if is_title
                    else translate("action_names", "Change Toolset")
                )
            case AddEntry() if edit.document == SERVERS:
                return translate("action_names", "Add Tool Source")
            case RemoveEntry() if edit.document == SERVERS:
                return translate("action_names", "Remove Tool Source")
            case SetEntryFields() if edit.document == SERVERS and "disabled" in edit.fields:
                return _turning("source", on=edit.fields["disabled"] is not True)
            case SetEntryFields() | PutEntry():
                is_source = edit.document == SERVERS
                return (
                    translate("action_names", "Edit Tool Source")
                    if is_source
                    else translate("action_names", "Change Assistant")
                )
    return translate("action_names", "Change")


def _name_for_note(edit: EditNote) -> str:
    if "enabled" in edit.fields:
        return _turning("note", on=edit.fields["enabled"] is not False)
    if "kept" in edit.fields:
        return translate("action_names", "Keep Note")
    return (
        translate("action_names", "Write Note") if "note" in edit.fields else translate("action_names", "Rename Note")
    )


def _name_for_settings(edit: SetFields) -> str:
    if "notesPaused" in edit.fields:
        paused = edit.fields["notesPaused"] is True
        return translate("action_names", "Pause Notes") if paused else translate("action_names", "Resume Notes")
    if "equippedToolset" in edit.fields:
        return translate("action_names", "Change Default Toolset")
    return translate("action_names", "Change Setting")


def _turning(what: Literal["note", "tool", "source"], *, on: bool) -> str:
    texts = {
        "note": (translate("action_names", "Turn On Note"), translate("action_names", "Turn Off Note")),
        "tool": (translate("action_names", "Turn On Tool"), translate("action_names", "Turn Off Tool")),
        "source": (translate("action_names", "Turn On Tool Source"), translate("action_names", "Turn Off Tool Source")),
    }
    return texts[what][0 if on else 1]
