"""Edits of the tools in a toolset."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from toolnote_desktop.model.edits import DocumentId, Edit, with_fields, with_fields_at
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.model.toolsets.notes import ToolReference


def reference_fields(reference: ToolReference) -> JsonObject:
    """Return a reference as it is written in a document."""
    return reference.to_json()


def matches_reference(raw: object, reference: ToolReference) -> bool:
    """Return True if a raw reference in a document means the tool of ``reference``, by namespacedName or refId
    (docs/contract.md 3).

    Consistent with ``Catalogue.note_applies``, so that a note can be edited wherever it is shown. A reference with a
    server (``Catalogue.reference_to``) has an ambiguous name: the name alone does not match then.
    """
    if not isinstance(raw, dict):
        return False
    name, ref_id, server = raw.get("namespacedName"), raw.get("refId"), raw.get("server")
    if reference.server is not None and server is not None and server != reference.server:
        return False
    if name is not None and name == reference.namespaced_name and (reference.server is None or server is not None):
        return True
    return ref_id is not None and ref_id == reference.ref_id


class AddTools(Edit, frozen=True):
    """Adds tools to a toolset, with the other keys of their entries; those already present stay unchanged."""

    document: DocumentId
    entries: tuple[JsonObject, ...]
    positions: tuple[int, ...] | None = None
    """Indexes at which the entries are inserted, ascending; None appends all."""

    def apply(self, raw: JsonObject | None) -> tuple[JsonObject | None, Edit]:
        tools = _tools(raw, self.document)
        there = EntryIndex(tools)
        added: list[ToolReference] = []
        places = self.positions or tuple([len(tools) + len(self.entries)] * len(self.entries))
        for place, entry in zip(places, map(_with_own_texts, self.entries), strict=True):
            reference = ToolReference.read(entry)
            if not there.has(reference):
                tools.insert(place, entry)
                added.append(reference)
                if self.positions is None:  # restored tools may occur more than once, as before
                    there.add(entry)
        return {**(raw or {}), "tools": tools}, RemoveTools(self.document, tuple(added))


def _with_own_texts(entry: JsonObject) -> JsonObject:
    """Return an entry whose texts are not those of the tool: of thousands of removed tools, each would keep the memory
    around it in use.
    """
    return {key: f"{value} "[:-1] if type(value) is str else value for key, value in entry.items()}


class RemoveTools(Edit, frozen=True):
    """Removes tools from a toolset; their notes stay in the file and reappear with them."""

    document: DocumentId
    references: tuple[ToolReference, ...]

    def apply(self, raw: JsonObject | None) -> tuple[JsonObject | None, Edit]:
        tools = _tools(raw, self.document)
        there = EntryIndex(tools)
        for reference in self.references:
            if not there.has(reference):
                raise _not_in_toolset(reference, self.document)
        taken_tools = {id(tool) for reference in self.references for tool in there.matching(reference)}
        taken = [(place, tool) for place, tool in enumerate(tools) if id(tool) in taken_tools]
        places = {place for place, _ in taken}
        left = [tool for place, tool in enumerate(tools) if place not in places]
        inverse = AddTools(self.document, tuple(tool for _, tool in taken), tuple(place for place, _ in taken))
        return {**(raw or {}), "tools": left}, inverse


class SetToolFields(Edit, frozen=True):
    """Sets keys of a tool's entry in a toolset (``enabled``, ``category`` …, or its reference); ``ABSENT`` removes a
    key.
    """

    document: DocumentId
    reference: ToolReference
    fields: Mapping[str, Any]

    def apply(self, raw: JsonObject | None) -> tuple[JsonObject | None, Edit]:
        tools = _tools(raw, self.document)
        place = _find(tools, self.reference, self.document)
        tools[place], before = with_fields(tools[place], self.fields)
        is_found = matches_reference(tools[place], self.reference)
        reference = self.reference if is_found else ToolReference.read(tools[place])
        return {**(raw or {}), "tools": tools}, SetToolFields(self.document, reference, before)


class SetToolObject(Edit, frozen=True):
    """Sets keys of an object in a tool's entry (``hints``, ``argumentDefaults``), or of an object in that one
    (``path``: the name of a parameter); ``ABSENT`` removes a key.

    Other keys in it, which may be unusable or changed by another process, stay. Objects created by this edit are
    removed by its inverse.
    """

    document: DocumentId
    reference: ToolReference
    key: str
    fields: Mapping[str, Any]
    path: tuple[str, ...] = ()
    created: int = 0

    def apply(self, raw: JsonObject | None) -> tuple[JsonObject | None, Edit]:
        tools = _tools(raw, self.document)
        place = _find(tools, self.reference, self.document)
        path = (self.key, *self.path)
        tools[place], before, created = with_fields_at(
            tools[place], path, self.fields, str(self.document), self.created
        )
        return {**(raw or {}), "tools": tools}, replace(self, fields=before, created=created)


class MoveTool(Edit, frozen=True):
    """Moves a tool within its toolset, to an index counted from 0."""

    document: DocumentId
    reference: ToolReference
    position: int
    start: int | None = None
    """Index of the entry to move, if the tool has several; otherwise the first one is moved."""

    def apply(self, raw: JsonObject | None) -> tuple[JsonObject | None, Edit]:
        tools = _tools(raw, self.document)
        start = self.start
        if start is None or start >= len(tools) or not matches_reference(tools[start], self.reference):
            start = _find(tools, self.reference, self.document)
        position = min(max(self.position, 0), len(tools) - 1)
        tools.insert(position, tools.pop(start))
        return {**(raw or {}), "tools": tools}, MoveTool(self.document, self.reference, start, position)


def _tools(raw: JsonObject | None, document: DocumentId) -> list[Any]:
    if raw is None:
        raise ToolnoteError(Code.TOOLSET_NOT_FOUND, name=str(document.name))
    tools = raw.get("tools")
    if tools is None:
        return []
    if not isinstance(tools, list):
        raise ToolnoteError(Code.EDIT_NO_LONGER_FITS, what=f"{document}: tools is not a list")
    return list(tools)


def _find(tools: list[Any], reference: ToolReference, document: DocumentId) -> int:
    for place, tool in enumerate(tools):
        if matches_reference(tool, reference):
            return place
    raise _not_in_toolset(reference, document)


def _not_in_toolset(reference: ToolReference, document: DocumentId) -> ToolnoteError:
    named = reference.namespaced_name or reference.ref_id or "?"
    return ToolnoteError(Code.TOOL_NOT_IN_TOOLSET, tool=named, toolset=str(document.name))


class EntryIndex:
    """Index of a toolset's entries by name and refId: one edit may add thousands of tools to thousands."""

    def __init__(self, tools: list[Any]) -> None:
        self._by_name: dict[str, list[Any]] = {}
        self._by_ref_id: dict[str, list[Any]] = {}
        for tool in tools:
            self.add(tool)

    def add(self, tool: Any) -> None:
        """Add an entry; values that are not objects are ignored."""
        if not isinstance(tool, dict):
            return
        for key, index in (("namespacedName", self._by_name), ("refId", self._by_ref_id)):
            if isinstance(tool.get(key), str):
                index.setdefault(tool[key], []).append(tool)

    def matching(self, reference: ToolReference) -> list[Any]:
        """Return the entries for which ``matches_reference`` is True."""
        found = list(self._by_name.get(reference.namespaced_name or "", ()))
        found += self._by_ref_id.get(reference.ref_id or "", ())
        return [tool for tool in found if matches_reference(tool, reference)]

    def has(self, reference: ToolReference) -> bool:
        """Return True if there is a matching entry."""
        return bool(self.matching(reference))
