"""Import of a pack into the library: merge, keep both, or theirs, as edits that undo together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import Any, Final

from msgspec import Struct

from toolnote_desktop.model.edits import (
    ABSENT,
    NOTES,
    TOOLS,
    CreateDocument,
    DocumentId,
    Edit,
    SetFields,
    toolset_document,
)
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.names import is_toolset_name, suggest_toolset_name
from toolnote_desktop.model.toolsets.note_edits import AddNotes, NoteTarget
from toolnote_desktop.model.toolsets.notes import ToolReference
from toolnote_desktop.model.toolsets.notes_file import handed_on
from toolnote_desktop.model.toolsets.tool_edits import (
    AddTools,
    EntryIndex,
    SetToolFields,
    SetToolObject,
    reference_fields,
)
from toolnote_desktop.model.toolsets.tool_settings import TOOL_ENTRIES
from toolnote_desktop.model.toolsets.toolset_import import as_imported, without_mark
from toolnote_desktop.packs.fit import pack_toolset
from toolnote_desktop.packs.pack_file import PACK, PROMPTS, label_of


class MergeChoice(StrEnum):
    """Choices where a toolset of the pack's name is here already.

    MERGE adds what is missing here and changes nothing; BOTH adds the pack as another toolset; THEIRS makes the toolset
    what the pack is, but for restrictions of the user, which stay.
    """

    MERGE = "merge"
    BOTH = "both"
    THEIRS = "theirs"


class PackPlan(Struct, frozen=True):
    """Import of a pack.

    Attributes:
        toolset: name of the toolset that it makes or changes.
        edits: edits to submit at once; none if the library has all of it.
        added: (tool, note name) of the notes that are new.
        differing: those that are here with another text: kept by a merge, replaced by *theirs*.
        removed: those that *theirs* removes.
        tools: how many tools are new.
    """

    toolset: str
    edits: tuple[Edit, ...]
    added: tuple[tuple[str, str], ...] = ()
    differing: tuple[tuple[str, str], ...] = ()
    removed: tuple[tuple[str, str], ...] = ()
    tools: int = 0


class Here(Struct, frozen=True):
    """Raw documents that a pack is compared with.

    Attributes:
        toolset: of the pack's name; None if there is none.
        notes: ``notes.json``.
        tools: ``tools.json``.
        taken: names of all toolsets.
    """

    toolset: JsonObject | None = None
    notes: JsonObject | None = None
    tools: JsonObject | None = None
    taken: tuple[str, ...] = ()

    @classmethod
    def of(cls, raw: Callable[[DocumentId], JsonObject | None], name: str, taken: Iterable[str] = ()) -> Here:
        """Return the documents that ``raw`` (``Library.raw``) has."""
        return cls(raw(toolset_document(name)), raw(NOTES), raw(TOOLS), tuple(taken))


def plan_pack(content: JsonObject, documents: Here, choice: MergeChoice = MergeChoice.MERGE) -> PackPlan:
    """Plan the import of what ``received_pack`` took. What holds here in every toolset is not added once more."""
    pack = _without_everywhere(content, documents)
    raw, taken = documents.toolset, documents.taken
    name = pack_name(content)
    mine, theirs = _notes(raw or {}), _notes(pack)
    if raw is None or choice is MergeChoice.BOTH:
        free = name if raw is None else suggest_toolset_name(name, taken)
        document = {**pack, "name": free}
        edits: tuple[Edit, ...] = (CreateDocument(toolset_document(free), document),)
        return PackPlan(free, edits, tuple(theirs), tools=len(_list(pack, "tools")))
    here = EntryIndex(_list(raw, "tools"))
    new = [one for one in _list(pack, "tools") if not here.has(ToolReference.read(one))]
    merges = choice is MergeChoice.MERGE
    edits = tuple(_merging(name, raw, pack, here, new) if merges else _replacing(name, raw, pack, here))
    differing = tuple(key for key, text in theirs.items() if key in mine and mine[key] != text)
    has_all = PACK not in raw and not differing
    if has_all and all(isinstance(one, SetFields) and one.fields.keys() == {PACK} for one in edits):
        edits = ()  # the user's own toolset, from which the pack was made
    return PackPlan(
        name,
        edits,
        tuple(key for key in theirs if key not in mine),
        differing,
        tuple(key for key in mine if key not in theirs) if choice is MergeChoice.THEIRS else (),
        len(new),
    )


def other_parts(plan: PackPlan) -> tuple[str, ...]:
    """Return what an import changes beside tools and notes: ``settings`` and ``PARTS``, in this order."""
    changed: dict[str, Any] = {}
    entries: list[Any] = []
    has_settings = False
    for edit in plan.edits:
        if isinstance(edit, SetFields | CreateDocument):
            changed |= edit.fields if isinstance(edit, SetFields) else edit.content
        elif isinstance(edit, AddTools):
            entries += edit.entries
        has_settings |= isinstance(edit, SetToolFields | SetToolObject)
    entries += _list(changed, "tools")
    has_settings |= any(isinstance(one, dict) and one.keys() - set(_NOT_MERGED) for one in entries)
    found = [key for key in PARTS if changed.get(key) not in (None, "", [], {})]
    return tuple([SETTINGS, *found] if has_settings else found)


def pack_name(content: JsonObject) -> str:
    """Return the name of a pack's toolset."""
    name = content.get("name")
    if isinstance(name, str) and is_toolset_name(name):
        return name
    return suggest_toolset_name(name if isinstance(name, str) else "pack", ())


def differs(content: JsonObject, documents: Here) -> bool:
    """Return True if the library does not have all that ``received_pack`` took, as the pack has it."""
    return bool(plan_pack(content, documents, MergeChoice.THEIRS).edits)


def _without_everywhere(pack: JsonObject, documents: Here) -> JsonObject:
    """Return a pack without notes and settings that hold here in every toolset."""
    settings, notes = _object(documents.tools, TOOL_ENTRIES), _object(documents.notes, "tools")
    tools = []
    for entry in _list(pack, "tools"):
        below = settings.get(str(entry.get("namespacedName"))) if isinstance(entry, dict) else None
        tools.append(_without_settings(entry, below) if isinstance(below, dict) else entry)
    groups = []
    for group in _list(pack, "toolNotes"):
        reference = group.get("toolRef") if isinstance(group, dict) else None
        held = notes.get(str(reference.get("namespacedName"))) if isinstance(reference, dict) else None
        texts = [note.get("note") for note in held if isinstance(note, dict)] if isinstance(held, list) else []
        left = [note for note in _list(group, "notes") if not isinstance(note, dict) or note.get("note") not in texts]
        if left or not texts:
            groups.append({**group, "notes": left} if texts else group)
    return {**pack, "tools": tools, "toolNotes": groups}


def _without_settings(entry: JsonObject, below: JsonObject) -> JsonObject:
    left = {key: value for key, value in entry.items() if key in _NOT_MERGED or value != below.get(key)}
    for key in _BY_NAME:
        own, tool = left.get(key), below.get(key)
        if isinstance(own, dict) and isinstance(tool, dict):
            left[key] = {name: value for name, value in own.items() if without_mark(value) != tool.get(name)}
            if not left[key]:
                del left[key]
    return left


def _object(raw: JsonObject | None, key: str) -> JsonObject:
    found = (raw or {}).get(key)
    return found if isinstance(found, dict) else {}


def _merging(name: str, raw: JsonObject, pack: JsonObject, here: EntryIndex, new: list[JsonObject]) -> Iterable[Edit]:
    document = toolset_document(name)
    merged, settings = _merged_settings(document, pack, here)
    groups, additions = _merged_notes(name, raw, pack)
    fields = dict(_missing_fields(raw, pack))
    if len(settings) + len(additions) > _MOST_EDITS:
        tools = [merged.get(id(entry), entry) for entry in _list(raw, "tools")]
        yield SetFields(document, {"tools": [*tools, *new], "toolNotes": groups, **fields})
        return
    if new:
        yield AddTools(document, tuple(new))
    yield from settings
    yield from additions
    if fields:
        yield SetFields(document, fields)


_MOST_EDITS: Final = 200
"""Edits of single tools in one import; each searches the toolset, so that more are one edit of the whole."""


def _merged_settings(
    document: DocumentId, pack: JsonObject, here: EntryIndex
) -> tuple[dict[int, JsonObject], list[Edit]]:
    """Return the entries here with the settings that they lack, by the identity of the entry, and the single edits."""
    merged: dict[int, JsonObject] = {}
    edits: list[Edit] = []
    for given in _list(pack, "tools"):
        reference = ToolReference.read(given)
        mine = next(iter(here.matching(reference)), None)
        if mine is None:
            continue
        entry = _without_old_defaults(given, mine)
        plain = {key: value for key, value in entry.items() if key not in _NOT_MERGED and key not in mine}
        changed = {**mine, **plain}
        if plain:
            edits.append(SetToolFields(document, reference, plain))
        for key in _BY_NAME:
            theirs, own = entry.get(key), mine.get(key)
            if isinstance(theirs, dict) and isinstance(own, dict):
                missing = {one: value for one, value in theirs.items() if one not in own}
                if missing:
                    changed[key] = {**own, **missing}
                    edits.append(SetToolObject(document, reference, key, missing))
        merged[id(mine)] = changed
    return merged, edits


def _without_old_defaults(entry: JsonObject, mine: JsonObject) -> JsonObject:
    """Return an entry of a pack without parameters that have a value here by another key."""
    parameters, held = _object(entry, "parameters"), _object(mine, "argumentDefaults")
    if not parameters.keys() & held.keys():
        return entry
    return {**entry, "parameters": {name: one for name, one in parameters.items() if name not in held}}


def _merged_notes(name: str, raw: JsonObject, pack: JsonObject) -> tuple[list[Any], list[Edit]]:
    """Return the notes here with those that are new, and the single edits."""
    groups = list(_list(raw, "toolNotes"))
    index, places = EntryIndex([]), {}
    for place, group in enumerate(groups):
        reference = group.get("toolRef") if isinstance(group, dict) else None
        if isinstance(reference, dict):
            index.add(reference)
            places[id(reference)] = place
    edits: list[Edit] = []
    for group in pack_toolset(pack).notes:
        found = [places[id(one)] for one in index.matching(group.reference)]
        held = {note.get("name") for place in found for note in _list(groups[place], "notes") if isinstance(note, dict)}
        notes = [handed_on(note) for note in group.notes if note.name not in held]
        if notes:
            edits.append(AddNotes(NoteTarget.in_toolset(name, group.reference), tuple(notes)))
        if notes and found:
            last = groups[found[-1]]
            groups[found[-1]] = {**last, "notes": [*_list(last, "notes"), *notes]}
        elif notes:
            groups.append({"toolRef": reference_fields(group.reference), "notes": notes})
    return groups, edits


SETTINGS: Final = "settings"
"""Settings of tools, in ``other_parts``."""

PARTS: Final = ("guidelines", "taskTypes", PROMPTS)

_BY_NAME: Final = ("hints", "parameters", "argumentDefaults")
_NOT_MERGED: Final = ("namespacedName", "refId", "server", "enabled")
_RESTRICTIONS: Final = ("consent", "approval", "allowedCalls")
_LIMITS: Final = ("fixed", "hidden", "allowed")
_OF_THE_LIBRARY: Final = ("name", "version", "createdAt", "lastModified", "createdBy")


def _missing_fields(raw: JsonObject, pack: JsonObject) -> Iterable[tuple[str, Any]]:
    for key in ("guidelines", "description"):
        if pack.get(key) and not raw.get(key):
            yield key, pack[key]
    types, mine = pack.get("taskTypes"), raw.get("taskTypes") or {}
    if (
        isinstance(types, dict)
        and isinstance(mine, dict)
        and (more := {k: v for k, v in types.items() if k not in mine})
    ):
        yield "taskTypes", {**mine, **more}
    held = {str(one.get("id")) for one in _list(raw, PROMPTS) if isinstance(one, dict)}
    if prompts := [one for one in _list(pack, PROMPTS) if one["id"] not in held]:
        yield PROMPTS, [*_list(raw, PROMPTS), *prompts]
    if raw.get(PACK) != pack.get(PACK):
        yield PACK, pack.get(PACK)


def _replacing(name: str, raw: JsonObject, pack: JsonObject, here: EntryIndex) -> Iterable[Edit]:
    """Yield the edit that makes the toolset what the pack is. What restricts assistants here stays."""
    tools = []
    for entry in _list(pack, "tools"):
        mine = here.matching(ToolReference.read(entry)) if isinstance(entry, dict) else []
        if mine:
            kept = {key: mine[0][key] for key in _RESTRICTIONS if mine[0].get(key)}
            if mine[0].get("enabled") is False:
                kept["enabled"] = False
            if limits := _limits(mine[0], entry):
                kept["parameters"] = {**_object(entry, "parameters"), **limits}
            tools.append({**entry, **kept})
        else:
            tools.append(entry)
    theirs: JsonObject = {**pack, "tools": tools}
    for key in ("tools", "toolNotes"):  # equal but for what a pack does not have
        if _comparable(key, raw.get(key)) == _comparable(key, theirs[key]):
            theirs[key] = raw.get(key, ABSENT)
    fields: dict[str, Any] = {}
    for key in (*theirs, *(key for key in raw if key not in theirs)):
        differs_here = key not in _OF_THE_LIBRARY and raw.get(key, ABSENT) != theirs.get(key, ABSENT)
        if differs_here and (key in theirs or raw[key] not in (None, "", [], {})):
            fields[key] = theirs.get(key, ABSENT)
    if fields:
        yield SetFields(toolset_document(name), fields)


def _limits(entry: JsonObject, theirs: JsonObject) -> JsonObject:
    """Return the parameters that the user limits in an entry, where the one of a pack would set that aside."""
    found: JsonObject = {}
    given, defaults = _object(as_imported(theirs), "parameters"), _object(entry, "argumentDefaults")
    for name in _list(entry, "hiddenArguments"):  # as they were written before ``parameters``
        value = {"default": defaults[name]} if name in defaults else {}
        if name not in _list(theirs, "hiddenArguments") or without_mark(given.get(name, {})) != value:
            found[name] = {"hidden": True, **value}
    for name, one in _object(entry, "parameters").items():
        if isinstance(one, dict) and not one.get("imported") and any(one.get(key) is not None for key in _LIMITS):
            found[name] = one
    return found


def _comparable(key: str, value: object) -> object:
    if key == "toolNotes":
        return [(one, text) for one, text in _notes({key: value}).items()]
    return [as_imported(one) for one in value] if isinstance(value, list) else []


def _notes(document: Mapping[str, Any]) -> dict[tuple[str, str], Any]:
    """Return what other people get of each note, by tool and name."""
    toolset = pack_toolset({"toolNotes": document.get("toolNotes")})
    return {
        (
            label_of(group.reference.namespaced_name or group.reference.ref_id or "?", group.reference.server),
            note.name,
        ): handed_on(note)
        for group in toolset.notes
        for note in group.notes
    }


def _list(raw: Mapping[str, Any], key: str) -> list[Any]:
    found = raw.get(key)
    return found if isinstance(found, list) else []
