"""Edits of notes, in a toolset or everywhere."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from toolnote_desktop.model.edits import NOTES, DocumentId, Edit, toolset_document, with_fields
from toolnote_desktop.model.hidden_characters import is_blank
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.names import is_note_name, is_note_text, is_valid_unicode
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.model.toolsets.notes import Scope, ToolReference
from toolnote_desktop.model.toolsets.tool_edits import matches_reference, reference_fields


class NoteTarget(Struct, frozen=True):
    """Target of notes: a tool in one toolset, or everywhere (for all tools, a server, a tool).

    Created by :meth:`in_toolset` or :meth:`everywhere`.
    """

    document: DocumentId
    scope: Scope
    reference: ToolReference | None = None
    key: str | None = None

    @classmethod
    def in_toolset(cls, toolset: str, reference: ToolReference) -> NoteTarget:
        """Return the target for a toolset's notes on a tool."""
        return cls(toolset_document(toolset), Scope.TOOLSET, reference=reference)

    @classmethod
    def everywhere(cls, scope: Scope, key: str | None = None) -> NoteTarget:
        """Return a target in ``notes.json``: ``key`` is the server id or the namespacedName."""
        return cls(NOTES, scope, key=key)

    @property
    def label(self) -> str:
        """Name of the target, for messages."""
        if self.reference is not None:
            return self.reference.namespaced_name or self.reference.ref_id or "?"
        return self.key or "everything"

    def lists(self, raw: JsonObject | None) -> list[list[Any]]:
        """Return all lists of notes for this target in the document, in order; several entries for one tool add up."""
        if raw is None:
            return []
        if self.reference is None:
            return [_list(self._group(raw), self)] if self._group(raw) is not None else []
        return [_list(group.get("notes"), self) for group in _groups(raw, self) if self._holds(group)]

    def replaced(self, raw: JsonObject | None, lists: list[list[Any]]) -> JsonObject:
        """Return the document with its lists for this target replaced one by one; a missing list is created."""
        if self.reference is None:
            return self._with_group(raw or {}, lists[0])
        if raw is None:
            raise ToolnoteError(Code.TOOLSET_NOT_FOUND, name=str(self.document.name))
        groups, left = list(_groups(raw, self)), list(lists)
        for place, group in enumerate(groups):
            if self._holds(group):
                groups[place] = {**group, "notes": left.pop(0)}
        if left:
            groups.append({"toolRef": reference_fields(self.reference), "notes": left.pop(0)})
        return {**raw, "toolNotes": groups}

    def without_empty_list(self, raw: JsonObject) -> JsonObject:
        """Return the document without an empty list that exists only because a first note was added."""
        if self.lists(raw) != [[]]:
            return raw
        if self.scope is Scope.GLOBAL:
            return {key: value for key, value in raw.items() if key != "global"}
        if self.reference is not None:
            groups = [group for group in _groups(raw, self) if not self._holds(group) or set(group) != _GROUP_KEYS_MADE]
            return {**raw, "toolNotes": groups}
        key = _GROUP_KEYS[self.scope]
        return {**raw, key: {name: notes for name, notes in raw[key].items() if name != self.key}}

    def _holds(self, group: Any) -> bool:
        assert self.reference is not None
        return isinstance(group, dict) and matches_reference(group.get("toolRef"), self.reference)

    def _group(self, raw: JsonObject) -> Any:
        if self.scope is Scope.GLOBAL:
            return raw.get("global")
        groups = raw.get(_GROUP_KEYS[self.scope])
        return groups.get(self.key) if isinstance(groups, dict) else groups

    def _with_group(self, raw: JsonObject, notes: list[Any]) -> JsonObject:
        if self.scope is Scope.GLOBAL:
            return {**raw, "global": notes}
        key = _GROUP_KEYS[self.scope]
        groups = raw.get(key)
        if groups is None:
            groups = {}
        if not isinstance(groups, dict):
            raise ToolnoteError(Code.EDIT_NO_LONGER_FITS, what=f"{self.document}: {key} is not an object")
        return {**raw, key: {**groups, str(self.key): notes}}


_GROUP_KEYS_MADE = {"toolRef", "notes"}
_GROUP_KEYS = {Scope.SERVER: "servers", Scope.TOOL: "tools"}


class NoteEdit(Edit, frozen=True):
    """Change to the notes at one place."""

    place: NoteTarget

    @property
    def document(self) -> DocumentId:
        return self.place.document

    def apply(self, raw: JsonObject | None) -> tuple[JsonObject | None, Edit]:
        lists = [list(notes) for notes in self.place.lists(raw)]
        inverse = self.change(lists)
        return self.place.replaced(raw, lists), inverse

    @abstractmethod
    def change(self, lists: list[list[Any]]) -> Edit:
        """Change the copied lists in place and return the inverse edit."""

    def find(self, lists: list[list[Any]], name: str) -> tuple[int, int]:
        """Return the index of the list and the index of the note in it."""
        for number, notes in enumerate(lists):
            for place, note in enumerate(notes):
                if _name(note) == name:
                    return number, place
        raise ToolnoteError(Code.NOTE_NOT_FOUND, name=name, tool=self.place.label)


class _NoteRemoval(NoteEdit, frozen=True, kw_only=True):
    remove_list: bool = False
    """Removes the list as well that was created for the notes, if it is empty then."""

    def apply(self, raw: JsonObject | None) -> tuple[JsonObject | None, Edit]:
        changed, inverse = super().apply(raw)
        if self.remove_list and changed is not None:
            changed = self.place.without_empty_list(changed)
        return changed, inverse


class AddNote(NoteEdit, frozen=True):
    """Adds a note (raw: name, note, author, createdAt …) at a position counted over all notes of the target.

    Raises on apply:
        ToolnoteError: ``note-exists``, ``note-name-invalid``, ``note-text-invalid``.
    """

    note: JsonObject
    position: int | None = None
    restore: bool = False
    """Restores a note that breaks the rules or duplicates a name, as a hand-written file may."""

    def change(self, lists: list[list[Any]]) -> Edit:
        name = self.note.get("name")
        if not self.restore:
            check_note(name, self.note.get("note"))
            if _is_taken(lists, name):
                raise ToolnoteError(Code.NOTE_EXISTS, name=str(name))
        is_first = not lists
        if is_first:
            lists.append([])
        number, place = _at(lists, self.position)
        lists[number].insert(place, self.note)
        return RemoveNote(self.place, str(name), remove_list=is_first)


class AddNotes(NoteEdit, frozen=True):
    """Adds notes to one target in one edit, in their order; a note whose name is taken is left out.

    The work is linear in the number of notes.

    Attributes:
        notes: raw notes (name, note, author, createdAt …).
        positions: ascending positions among all notes of the target, one for each note; None for the end.
        restore: restores notes that break the rules or duplicate a name.

    Raises on apply:
        ToolnoteError: ``note-name-invalid``, ``note-text-invalid``; no note is added.
    """

    notes: tuple[JsonObject, ...]
    positions: tuple[int, ...] | None = None
    restore: bool = False

    def change(self, lists: list[list[Any]]) -> Edit:
        taken = {str(_name(note)) for notes in lists for note in notes}
        is_first = not lists
        if is_first:
            lists.append([])
        added = []
        for index, note in enumerate(self.notes):
            name = note.get("name")
            if not self.restore:
                check_note(name, note.get("note"))
                if name in taken:
                    continue
                taken.add(str(name))
            added.append(str(name))
            number, place = _at(lists, None if self.positions is None else self.positions[index])
            lists[number].insert(place, note)
        return RemoveNotes(self.place, tuple(added), remove_list=is_first)


class RemoveNotes(_NoteRemoval, frozen=True):
    """Removes notes from one target in one edit: of each name the first.

    Raises on apply:
        ToolnoteError: ``note-not-found``; no note is removed.
    """

    names: tuple[str, ...]

    def change(self, lists: list[list[Any]]) -> Edit:
        wanted = set(self.names)
        positions, removed = [], []
        position = 0
        for notes in lists:
            kept = []
            for note in notes:
                if _name(note) in wanted:
                    wanted.remove(_name(note))
                    positions.append(position)
                    removed.append(note)
                else:
                    kept.append(note)
                position += 1
            notes[:] = kept
        if wanted:
            raise ToolnoteError(Code.NOTE_NOT_FOUND, name=min(wanted), tool=self.place.label)
        return AddNotes(self.place, tuple(removed), tuple(positions), restore=True)


class EditNote(NoteEdit, frozen=True):
    """Sets keys of a note (``note``, ``name``, ``enabled`` …); ``ABSENT`` removes a key."""

    name: str
    fields: Mapping[str, Any]
    restore: bool = False
    """Restores previous values even if they break the rules."""

    def change(self, lists: list[list[Any]]) -> Edit:
        number, place = self.find(lists, self.name)
        note = lists[number][place]
        changed, before = with_fields(note, self.fields)
        if not self.restore:
            check_note(changed.get("name"), changed.get("note"))
        new_name = str(changed["name"])
        if new_name != self.name and _is_taken(lists, new_name):
            raise ToolnoteError(Code.NOTE_EXISTS, name=new_name)
        lists[number][place] = changed
        return EditNote(self.place, new_name, before, restore=not _is_note(note))


class RemoveNote(_NoteRemoval, frozen=True):
    """Removes a note."""

    name: str

    def change(self, lists: list[list[Any]]) -> Edit:
        number, place = self.find(lists, self.name)
        position = sum(len(notes) for notes in lists[:number]) + place
        note = lists[number].pop(place)
        odd = not _is_note(note) or _is_taken(lists, self.name)
        return AddNote(self.place, note, position, restore=odd)


class MoveNote(NoteEdit, frozen=True):
    """Moves a note to a position among all notes of its target, counted from 0."""

    name: str
    position: int

    def change(self, lists: list[list[Any]]) -> Edit:
        number, place = self.find(lists, self.name)
        before = sum(len(notes) for notes in lists[:number]) + place
        note = lists[number].pop(place)
        number, place = _at(lists, self.position)
        lists[number].insert(place, note)
        return MoveNote(self.place, self.name, before)


def check_note(name: object, text: object) -> None:
    """Check the name and text of a note (docs/contract.md 1).

    Raises:
        ToolnoteError: ``note-name-invalid``, ``note-text-blank``, ``note-text-invalid`` or ``note-text-broken``.
    """
    if not is_note_name(name):
        raise ToolnoteError(Code.NOTE_NAME_INVALID, name=str(name))
    if isinstance(text, str) and not is_valid_unicode(text):
        raise ToolnoteError(Code.NOTE_TEXT_BROKEN, name=str(name))
    if isinstance(text, str) and text and is_blank(text):
        raise ToolnoteError(Code.NOTE_TEXT_BLANK, name=str(name))
    if not is_note_text(text):
        length = len(text) if isinstance(text, str) else 0
        raise ToolnoteError(Code.NOTE_TEXT_INVALID, name=str(name), length=str(length))


def _is_note(note: JsonObject) -> bool:
    return is_note_name(note.get("name")) and is_note_text(note.get("note"))


def _is_taken(lists: list[list[Any]], name: object) -> bool:
    return any(_name(note) == name for notes in lists for note in notes)


def _at(lists: list[list[Any]], position: int | None) -> tuple[int, int]:
    if position is not None:
        left = max(0, position)
        for number, notes in enumerate(lists):
            if left <= len(notes) and (left < len(notes) or number == len(lists) - 1):
                return number, left
            left -= len(notes)
    return len(lists) - 1, len(lists[-1])


def _name(note: Any) -> Any:
    return note.get("name") if isinstance(note, dict) else None


def _groups(raw: JsonObject, place: NoteTarget) -> list[Any]:
    groups = raw.get("toolNotes")
    if groups is None:
        return []
    if not isinstance(groups, list):
        raise ToolnoteError(Code.EDIT_NO_LONGER_FITS, what=f"{place.document}: toolNotes is not a list")
    return groups


def _list(notes: Any, place: NoteTarget) -> list[Any]:
    if notes is None:
        return []
    if not isinstance(notes, list):
        raise ToolnoteError(
            Code.EDIT_NO_LONGER_FITS, what=f"{place.document}: the notes on {place.label} are not a list"
        )
    return notes
