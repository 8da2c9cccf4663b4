"""Edits: changes to documents by the user, a command or an assistant, as values (docs/architecture.md).

An edit is a pure function on the raw JSON of one document. It is applied to memory at once, and to the file's current
content when the library writes it, so that two processes that change different parts both keep their change. Applying
an edit also returns its inverse: undo is an edit like any other, and reports if it no longer fits.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any, Final

from msgspec import Struct

from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.names import is_toolset_name
from toolnote_desktop.model.problem import Code, ToolnoteError

RULES_LOST: Final = "rulesLost"
"""Key of a document that takes the place of a lost one: the rules that it had are not known (docs/contract.md 2)."""


class DocumentKind(StrEnum):
    """Kinds of documents (docs/contract.md 2)."""

    SERVERS = "servers"
    SETTINGS = "settings"
    CLIENTS = "clients"
    NOTES = "notes"
    TOOLS = "tools"
    CATALOG = "catalog"
    TOOLSET = "toolset"


class DocumentId(Struct, frozen=True):
    """Identifier of a document; ``name`` only for toolsets."""

    kind: DocumentKind
    name: str | None = None

    def __str__(self) -> str:
        return f"toolsets/{self.name}.json" if self.kind is DocumentKind.TOOLSET else f"{self.kind}.json"


OWN_KEY: Final = "toolnote"
INHERIT_ALL: Final = "inheritAll"
"""Ids in ``servers.json``, under ``toolnote``: entries from before the first one was added that has to name what it
inherits. They go on getting all variables; without this list, all entries do."""

SERVERS: Final = DocumentId(DocumentKind.SERVERS)
SETTINGS: Final = DocumentId(DocumentKind.SETTINGS)
CLIENTS: Final = DocumentId(DocumentKind.CLIENTS)
NOTES: Final = DocumentId(DocumentKind.NOTES)
TOOLS: Final = DocumentId(DocumentKind.TOOLS)
CATALOG: Final = DocumentId(DocumentKind.CATALOG)

SERVER_ENTRIES: Final = "mcpServers"
CLIENT_ENTRIES: Final = "clients"


def toolset_document(name: str) -> DocumentId:
    """Return the id of a toolset's document.

    Raises:
        ToolnoteError: ``toolset-name-invalid``; an invalid name never becomes part of a path.
    """
    if not is_toolset_name(name):
        raise ToolnoteError(Code.TOOLSET_NAME_INVALID, name=str(name))
    return DocumentId(DocumentKind.TOOLSET, name)


class _Absent:
    """Type of the marker for an absent key."""

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Final = _Absent()


class Edit(Struct, frozen=True):
    """Frozen change to one document."""

    @property
    def document(self) -> DocumentId:
        """Document that is changed: a field unless it follows from another one."""
        raise NotImplementedError

    def apply(self, raw: JsonObject | None) -> tuple[JsonObject | None, Edit]:
        """Return the document after this edit, and the inverse edit. ``raw`` (None: no file) is not modified.

        Raises:
            ToolnoteError: the document does not fit this edit; nothing is changed.
        """
        raise NotImplementedError


class CreateDocument(Edit, frozen=True):
    """Creates a document; refused if it exists."""

    document: DocumentId
    content: JsonObject

    def apply(self, raw: JsonObject | None) -> tuple[JsonObject | None, Edit]:
        if raw is not None:
            if self.document.kind is DocumentKind.TOOLSET:
                raise ToolnoteError(Code.TOOLSET_EXISTS, name=str(self.document.name))
            raise ToolnoteError(Code.EDIT_NO_LONGER_FITS, what=str(self.document))
        return self.content, DeleteDocument(self.document)


class DeleteDocument(Edit, frozen=True):
    """Deletes a document (a backup stays)."""

    document: DocumentId

    def apply(self, raw: JsonObject | None) -> tuple[JsonObject | None, Edit]:
        if raw is None:
            raise _missing(self.document)
        return None, CreateDocument(self.document, raw)


class SetFields(Edit, frozen=True):
    """Sets top-level keys of a document; ``ABSENT`` removes one. A toolset must exist, other documents are created."""

    document: DocumentId
    fields: Mapping[str, Any]

    def apply(self, raw: JsonObject | None) -> tuple[JsonObject | None, Edit]:
        if raw is None and self.document.kind is DocumentKind.TOOLSET:
            raise _missing(self.document)
        changed, before = with_fields(raw or {}, self.fields)
        return changed, SetFields(self.document, before)


class AddEntry(Edit, frozen=True):
    """Adds an entry, such as a server, to a mapping in a document; refused if the key exists."""

    document: DocumentId
    mapping: str
    key: str
    value: Any
    position: int | None = None
    lists_others: bool = False
    """True to list the other entries under ``INHERIT_ALL``, as a new server does; False leaves that to ``position``."""

    def apply(self, raw: JsonObject | None) -> tuple[JsonObject | None, Edit]:
        entries = entries_of(raw, self.document, self.mapping)
        if self.key in entries:
            if self.mapping == SERVER_ENTRIES:
                raise ToolnoteError(Code.SERVER_EXISTS, server=self.key)
            raise ToolnoteError(Code.EDIT_NO_LONGER_FITS, what=f"{self.document}: {self.key}")
        pairs = list(entries.items())
        pairs.insert(len(pairs) if self.position is None else self.position, (self.key, self.value))
        added = {**(raw or {}), self.mapping: dict(pairs)}
        is_new = (self.mapping == SERVER_ENTRIES and self.position is None) or self.lists_others
        own = added.get(OWN_KEY, {})
        if is_new and isinstance(own, dict) and INHERIT_ALL not in own:
            added[OWN_KEY] = {**own, INHERIT_ALL: list(entries)}
            return added, RemoveEntry(self.document, self.mapping, self.key, lists_others=True)
        if is_new:
            added = _inheriting_nothing(added, {self.key})
        return added, RemoveEntry(self.document, self.mapping, self.key)


def _inheriting_nothing(raw: JsonObject, new: Collection[str]) -> JsonObject:
    """Return ``servers.json`` without new entries under ``INHERIT_ALL``: removed ones may have had their ids."""
    own = raw.get(OWN_KEY)
    listed = own.get(INHERIT_ALL) if isinstance(own, dict) else None
    if not isinstance(own, dict) or not isinstance(listed, list) or not any(key in listed for key in new):
        return raw
    return {**raw, OWN_KEY: {**own, INHERIT_ALL: [one for one in listed if one not in new]}}


def apply_edits(edits: Iterable[Edit], raw: JsonObject | None) -> tuple[JsonObject | None, list[Edit]]:
    """Return a document after edits, and the inverse of each, in their order.

    Entries that are added one after the other cost one copy of their mapping.

    Raises:
        ToolnoteError: one of them does not fit; nothing is changed.
    """
    inverse: list[Edit] = []
    for appends, run in itertools.groupby(edits, _append_target):
        if appends is None:
            for edit in run:
                raw, back = edit.apply(raw)
                inverse.append(back)
            continue
        first, *others = run
        raw, back = first.apply(raw)
        inverse.append(back)
        document, mapping = appends
        entries = dict(entries_of(raw, document, mapping)) if others else {}
        for edit in others:
            assert isinstance(edit, AddEntry)
            if edit.key in entries:
                edit.apply({**(raw or {}), mapping: entries})  # which refuses it
            entries[edit.key] = edit.value
            inverse.append(RemoveEntry(document, mapping, edit.key))
        raw = {**(raw or {}), mapping: entries} if others else raw
        if others and raw is not None and mapping == SERVER_ENTRIES:
            raw = _inheriting_nothing(raw, {edit.key for edit in others if isinstance(edit, AddEntry)})
    return raw, inverse


def _append_target(edit: Edit) -> tuple[DocumentId, str] | None:
    appends = isinstance(edit, AddEntry) and edit.position is None
    return (edit.document, edit.mapping) if appends and isinstance(edit, AddEntry) else None


class PutEntry(Edit, frozen=True):
    """Sets an entry of a mapping, whether it exists or not; ``ABSENT`` removes it."""

    document: DocumentId
    mapping: str
    key: str
    value: Any

    def apply(self, raw: JsonObject | None) -> tuple[JsonObject | None, Edit]:
        changed, before = with_fields(entries_of(raw, self.document, self.mapping), {self.key: self.value})
        return {**(raw or {}), self.mapping: changed}, PutEntry(self.document, self.mapping, self.key, before[self.key])


class RemoveEntry(Edit, frozen=True):
    """Removes an entry from a mapping."""

    document: DocumentId
    mapping: str
    key: str
    lists_others: bool = False
    """True to remove the list under ``INHERIT_ALL`` too, which came with this entry."""

    def apply(self, raw: JsonObject | None) -> tuple[JsonObject | None, Edit]:
        entries = entries_of(raw, self.document, self.mapping)
        value = _entry(entries, self.document, self.mapping, self.key)
        position = list(entries).index(self.key)
        left = {key: entry for key, entry in entries.items() if key != self.key}
        removed = {**(raw or {}), self.mapping: left}
        own = removed.get(OWN_KEY)
        lists_others = self.lists_others and isinstance(own, dict) and own.get(INHERIT_ALL) == list(left)
        if lists_others and isinstance(own, dict):
            removed[OWN_KEY] = {key: value for key, value in own.items() if key != INHERIT_ALL}
            if not removed[OWN_KEY]:
                del removed[OWN_KEY]
        inverse = AddEntry(self.document, self.mapping, self.key, value, position, lists_others)
        return removed, inverse


class SetEntryFields(Edit, frozen=True):
    """Sets keys of one entry (an object) of a mapping; ``ABSENT`` removes a key.

    Attributes:
        path: keys that lead to an object inside the entry whose keys are set instead; a missing one is created.
        created: the last objects of the path that this edit removes again when they are empty.
    """

    document: DocumentId
    mapping: str
    key: str
    fields: Mapping[str, Any]
    path: tuple[str, ...] = ()
    created: int = 0

    def apply(self, raw: JsonObject | None) -> tuple[JsonObject | None, Edit]:
        entries = entries_of(raw, self.document, self.mapping)
        entry = _entry(entries, self.document, self.mapping, self.key)
        if not isinstance(entry, dict):
            raise ToolnoteError(Code.EDIT_NO_LONGER_FITS, what=f"{self.document}: {self.key}")
        what = f"{self.document}: {self.key}"
        changed, before, created = with_fields_at(entry, self.path, self.fields, what, self.created)
        inverse = SetEntryFields(self.document, self.mapping, self.key, before, self.path, created)
        return {**(raw or {}), self.mapping: {**entries, self.key: changed}}, inverse


def with_fields(raw: JsonObject, fields: Mapping[str, Any]) -> tuple[JsonObject, dict[str, Any]]:
    """Return ``raw`` with some keys set or removed, and the previous values of those keys."""
    before = {key: raw.get(key, ABSENT) for key in fields}
    changed = {key: value for key, value in raw.items() if fields.get(key, None) is not ABSENT}
    changed.update((key, value) for key, value in fields.items() if value is not ABSENT)
    return changed, before


def with_fields_at(
    raw: JsonObject, path: Sequence[str], fields: Mapping[str, Any], what: str, absent: int = 0
) -> tuple[JsonObject, dict[str, Any], int]:
    """Return ``raw`` with keys of the object at ``path`` set or removed; a missing object is created.

    Args:
        what: the document, for the error.
        absent: the last objects of the path that were created with these keys: removed again when they are empty.

    Returns:
        The changed object, the previous values of the keys, and how many objects of the path were created.

    Raises:
        ToolnoteError: ``edit-no-longer-fits``: a value on the path is not an object.
    """
    if not path:
        return *with_fields(raw, fields), 0
    below = raw.get(path[0])
    if below is not None and not isinstance(below, dict):
        raise ToolnoteError(Code.EDIT_NO_LONGER_FITS, what=f"{what}: {path[0]} is not an object")
    changed, before, created = with_fields_at(below or {}, path[1:], fields, what, absent)
    if absent >= len(path) and not changed:
        return {key: value for key, value in raw.items() if key != path[0]}, before, created
    return {**raw, path[0]: changed}, before, created + (path[0] not in raw)


def entries_of(raw: JsonObject | None, document: DocumentId, mapping: str) -> JsonObject:
    """Return the mapping called ``mapping`` of a document; empty if absent.

    Raises:
        ToolnoteError: ``edit-no-longer-fits`` if the value is not an object: it is not overwritten.
    """
    entries = (raw or {}).get(mapping)
    if entries is None:
        return {}
    if not isinstance(entries, dict):
        raise ToolnoteError(Code.EDIT_NO_LONGER_FITS, what=f"{document}: {mapping} is not an object")
    return entries


def _entry(entries: JsonObject, document: DocumentId, mapping: str, key: str) -> Any:
    if key in entries:
        return entries[key]
    if mapping == SERVER_ENTRIES:
        raise ToolnoteError(Code.SERVER_NOT_FOUND, server=key)
    raise ToolnoteError(Code.EDIT_NO_LONGER_FITS, what=f"{document}: {key}")


def _missing(document: DocumentId) -> ToolnoteError:
    if document.kind is DocumentKind.TOOLSET:
        return ToolnoteError(Code.TOOLSET_NOT_FOUND, name=str(document.name))
    return ToolnoteError(Code.EDIT_NO_LONGER_FITS, what=str(document))
