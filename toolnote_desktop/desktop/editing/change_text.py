"""What a change did, in words: for changes that were not made here, so that they can be shown and undone."""

from __future__ import annotations

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
from toolnote_desktop.model.toolsets.note_edits import AddNote, EditNote, MoveNote, NoteTarget, RemoveNote
from toolnote_desktop.model.toolsets.notes import USER
from toolnote_desktop.model.toolsets.tool_edits import AddTools, RemoveTools
from toolnote_desktop.store.library import Change


def described(change: Change) -> tuple[str, RowKey | None]:
    """A few words on the first edit (the others follow from it), and the row of the library where it shows."""
    for edit in change.edits:
        words = _words(edit, change.previous if isinstance(edit, DeleteDocument) else change.snapshot)
        if words:
            return words, place_of(edit, change.snapshot)
    return translate("described", "something changed"), None


def is_a_step(change: Change) -> bool:
    """Whether a change is one to take back. Not so who is connected: that is undone in the assistant's own file."""
    return change.origin.author != USER or any(_is_a_step(edit) for edit in change.edits)


def _is_a_step(edit: Edit) -> bool:
    if edit.document == CLIENTS:
        return isinstance(edit, SetEntryFields) and "toolset" in edit.fields
    return True


def place_of(edit: Edit, snapshot: Snapshot) -> RowKey | None:
    """The row of the library where an edit shows."""
    if isinstance(edit, (AddNote, EditNote, RemoveNote, MoveNote)):
        return _row_of_notes(edit.place, snapshot)
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


def _words(edit: Edit, snapshot: Snapshot) -> str:
    match edit:
        case AddNote(place, note):
            text = translate("described", "the note “{note}” was added to {tool}")
            return text.format(note=note.get("name"), tool=_label(place, snapshot))
        case EditNote(place, name):
            text = translate("described", "the note “{note}” on {tool} was changed")
            return text.format(note=name, tool=_label(place, snapshot))
        case RemoveNote(place, name):
            text = translate("described", "the note “{note}” on {tool} was removed")
            return text.format(note=name, tool=_label(place, snapshot))
        case MoveNote(place, name):
            text = translate("described", "the note “{note}” on {tool} was moved")
            return text.format(note=name, tool=_label(place, snapshot))
        case CreateDocument(document) if document.kind is DocumentKind.TOOLSET:
            return translate("described", "the toolset “{name}” was made").format(name=_title(document.name, snapshot))
        case DeleteDocument(document) if document.kind is DocumentKind.TOOLSET:
            return translate("described", "the toolset “{name}” was deleted").format(
                name=_title(document.name, snapshot)
            )
        case SetFields(document, fields) if document == SETTINGS and "equippedToolset" in fields:
            name = fields["equippedToolset"]
            if not isinstance(name, str):
                return translate("described", "no toolset is in use now")
            return translate("described", "the toolset “{name}” is in use now").format(name=_title(name, snapshot))
        case SetFields(document, fields) if document == SETTINGS:
            from toolnote_desktop.desktop.dialogs import setting_registry  # not for the first picture

            found = next((one for one in setting_registry.SETTINGS if one.key in fields), None)
            title = found.words()[0] if found is not None else ", ".join(fields)
            return translate("described", "the setting “{name}” was changed").format(name=title)
        case AddTools(document):
            text = translate("described", "tools were added to “{name}”")
            return text.format(name=_title(document.name, snapshot))
        case RemoveTools(document):
            text = translate("described", "tools were taken out of “{name}”")
            return text.format(name=_title(document.name, snapshot))
        case AddEntry(document, _, key) if document.kind is DocumentKind.SERVERS:
            return translate("described", "the tool source {name} was added").format(name=key)
        case SetEntryFields(document, _, key) if document.kind is DocumentKind.SERVERS:
            return translate("described", "the tool source {name} was edited").format(name=key)
        case PutEntry(document, _, key, value) if document == CLIENTS:
            chosen = value.get("toolset") if isinstance(value, dict) else None
            if not chosen:
                return translate("described", "it uses no toolset now")
            return translate("described", "it uses the toolset “{name}” now").format(name=_title(chosen, snapshot))
        case SetEntryFields(document, _, key, fields) if document == CLIENTS and "toolset" in fields:
            client = snapshot.clients.get(key)
            text = translate("described", "{assistant} was given other tools")
            return text.format(assistant=client.name if client is not None and client.name else key)
        case RemoveEntry(document, _, key) if document.kind is DocumentKind.SERVERS:
            return translate("described", "the tool source {name} was removed").format(name=key)
    return ""


def _label(place: NoteTarget, snapshot: Snapshot) -> str:
    row = _row_of_notes(place, snapshot)
    known = snapshot.catalogue.tools.get((row.owner, row.name)) if row is not None else None
    return known.tool.title if known is not None else place.label


def _title(name: str | None, snapshot: Snapshot) -> str:
    toolset = snapshot.toolsets.get(name or "")
    return toolset.title if toolset is not None else str(name)
