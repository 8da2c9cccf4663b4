"""Adding tools to a toolset with what another toolset alone holds for them: notes, consent, parameters and the rest
(docs/contract.md 2). Settings and notes for every toolset apply without this.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from msgspec import Struct

from toolnote_desktop.model.edits import DocumentId, Edit, toolset_document
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.names import free_note_name, namespaced_name
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.catalogue import KnownTool
from toolnote_desktop.model.tools.hints import lowering_hints
from toolnote_desktop.model.tools.tool import Tool
from toolnote_desktop.model.toolsets.note_edits import AddNote, NoteTarget
from toolnote_desktop.model.toolsets.notes import ToolReference
from toolnote_desktop.model.toolsets.tool_edits import AddTools, EntryIndex, SetToolFields, reference_fields
from toolnote_desktop.model.toolsets.tool_settings import CARRIED, TOOL_ENTRIES, SetToolSettings, effective_entry
from toolnote_desktop.model.toolsets.toolset import parse_tool_entry

_RESTRICTING: Final = ("enabled", "approval", "consent", "hints", "parameters", "argumentDefaults", "hiddenArguments")
"""Keys that follow a tool to the name that its server gave it: a rename must not set it free."""


class AddedTools(Struct, frozen=True):
    """Edits that add tools to a toolset.

    Attributes:
        added: how many tools are new in it.
        notes: how many notes they bring along.
        settings: how many of them bring settings along.
    """

    edits: tuple[Edit, ...]
    added: int
    notes: int = 0
    settings: int = 0


def toolset_in_view(snapshot: Snapshot, target: str, known: KnownTool | None) -> str | None:
    """Return the toolset from which a tool brings along its notes and settings: the shared one if it has the tool, else
    the only other one that does.
    """
    if known is None:
        return None
    catalogue = snapshot.catalogue
    holders = [
        name
        for name, toolset in snapshot.toolsets.items()
        if name != target and any(catalogue.note_applies(entry, known.tool) for entry in toolset.tools)
    ]
    shared = snapshot.settings.equipped_toolset
    if shared in holders:
        return shared
    return holders[0] if len(holders) == 1 else None


def add_tools(
    target: str,
    references: Sequence[ToolReference],
    raw: JsonObject | None,
    source: JsonObject | None,
    positions: tuple[int, ...] | None = None,
) -> AddedTools:
    """Return the edits that add tools to the toolset ``target`` with what another toolset holds for them.

    Args:
        raw: the document of the target; notes that it kept for a tool stay as they are.
        source: the document of the other toolset; None: nothing is brought along.
    """
    document = toolset_document(target)
    there, held = EntryIndex(_list(raw, "tools")), EntryIndex(_list(source, "tools"))
    entries: list[JsonObject] = []
    new: list[ToolReference] = []
    for reference in references:
        settings = next((_carried(one) for one in held.matching(reference)), {})
        entries.append({**reference_fields(reference), **settings})
        if not there.has(reference):
            new.append(reference)
    added = {id(reference) for reference in new}
    brought = sum(
        1 for entry, one in zip(entries, references, strict=True) if id(one) in added and set(entry) & set(CARRIED)
    )
    notes = list(_note_edits(target, new, raw, source))
    edits: list[Edit] = [AddTools(document, tuple(entries), positions), *notes]
    return AddedTools(tuple(edits), len(new), len(notes), brought)


def renamed_settings(
    settings: JsonObject | None, renamed: Iterable[KnownTool], mapping: str = TOOL_ENTRIES
) -> tuple[Edit, ...]:
    """Return the edits by which what restricts tools in every toolset, or prompts, holds for their new names.

    Args:
        settings: ``tools.json``.
        mapping: key of it that has them.
    """
    entries = (settings or {}).get(mapping)
    known = entries if isinstance(entries, dict) else {}
    found: list[Edit] = []
    for tool in renamed:
        name, own = tool.tool.namespaced_name, known.get(tool.tool.namespaced_name)
        there = own if isinstance(own, dict) else {}
        before = known.get(_old_name(tool))
        kept = {key: value for key, value in _following(before).items() if key not in there}
        review = before.get("review") if isinstance(before, dict) else None
        if isinstance(review, dict) and review.get("decision") == "keep" and "review" not in there:
            kept["review"] = review
        if kept:
            found.append(SetToolSettings(name, kept, entries=mapping))
    return tuple(found)


def index_of(raw: JsonObject | None) -> EntryIndex:
    """Return the tools of a toolset by their references."""
    return EntryIndex(_list(raw, "tools"))


def renamed_fields(entries: EntryIndex, tool: KnownTool) -> JsonObject | None:
    """Return what restricts a renamed tool in a toolset under its old name; None where the toolset had not the tool."""
    if not tool.renamed_from:
        return {}
    before = Tool(tool.tool.server, {**tool.accepted.definition, "name": tool.renamed_from})
    old = entries.matching(ToolReference(namespaced_name=before.namespaced_name, ref_id=before.ref_id))
    return next((_following(entry) for entry in old), None)


def returned_fields(document: DocumentId, raw: JsonObject | None, returned: Iterable[KnownTool]) -> tuple[Edit, ...]:
    """Return the edits by which what restricts tools in a toolset holds for the earlier names that they have again."""
    entries = index_of(raw)
    found: list[Edit] = []
    for tool in returned:
        reference = ToolReference(namespaced_name=tool.tool.namespaced_name)
        there = next(iter(entries.matching(reference)), None)
        fields = renamed_fields(entries, tool) or {}
        if there is not None and (kept := {key: value for key, value in fields.items() if key not in there}):
            found.append(SetToolFields(document, reference, kept))
    return tuple(found)


def with_settings(raw: JsonObject, snapshot: Snapshot) -> JsonObject:
    """Return a toolset's document whose entries have the tools' settings for every toolset, too: what leaves the home
    takes its restrictions along. Calls that are allowed beforehand stay.
    """
    tools = raw.get("tools")
    if not isinstance(tools, list) or not snapshot.tool_settings.by_name:
        return raw
    return {**raw, "tools": [_with_settings(one, snapshot) for one in tools]}


def _with_settings(raw: Any, snapshot: Snapshot) -> Any:
    fields = {"namespacedName": raw} if isinstance(raw, str) else raw
    entry = parse_tool_entry("an entry", fields, lambda _entry, _reason: None)
    if entry is None:
        return raw
    found = snapshot.catalogue.resolve(entry)
    name = found[0].tool.namespaced_name if len(found) == 1 else entry.namespaced_name
    settings = snapshot.tool_settings.by_name.get(name or "")
    if settings is None:
        return raw
    own, merged = settings.to_json(), effective_entry(entry, settings).to_json()
    kept = {key: merged[key] for key in CARRIED if own.get(key) and key != "allowedCalls" and merged.get(key)}
    if kept.get("approval") == "off":
        del kept["approval"]
    return {**fields, **kept, **({} if merged["enabled"] else {"enabled": False})}


class Rules:
    """What the user's toolsets restrict tools to, for a toolset that a client makes of the same tools.

    Args:
        documents: the toolsets; of each key of an entry the first one that sets it counts.
    """

    def __init__(self, documents: Iterable[JsonObject | None]) -> None:
        self._indexes = [EntryIndex(_list(raw, "tools")) for raw in documents]

    def of(self, reference: ToolReference) -> JsonObject:
        """Return the keys of a tool's entry that restrict it; {} if there are none."""
        found: JsonObject = {}
        for index in self._indexes:
            for entry in index.matching(reference):
                found = {**_rules(entry), **found}
        return found

    def has(self, reference: ToolReference) -> bool:
        """Return True if a toolset has the tool."""
        return any(index.has(reference) for index in self._indexes)


def lost_rules(raw: JsonObject | None, kept: Iterable[JsonObject], elsewhere: Rules) -> str | None:
    """Return the name of a tool that would lose what the user restricted it to, where a toolset keeps these entries
    alone; None if there is none. What is in another toolset too is not lost.
    """
    left = EntryIndex(list(kept))
    for entry in _list(raw, "tools"):
        rules = _rules(entry)
        if not rules:
            continue
        name, ref_id, server = (_text(entry, key) for key in ("namespacedName", "refId", "server"))
        reference = ToolReference(namespaced_name=name, ref_id=ref_id, server=server)
        if not left.has(reference) and elsewhere.of(reference) != rules:
            return name or ref_id or "?"
    return None


def _text(entry: JsonObject, key: str) -> str | None:
    return entry[key] if isinstance(entry.get(key), str) else None


def _rules(entry: object) -> JsonObject:
    found = {key: value for key, value in _restricting(entry).items() if value and key != "enabled"}
    return {key: value for key, value in found.items() if (key, value) != ("approval", "off")}


def _old_name(tool: KnownTool) -> str:
    return namespaced_name(tool.tool.server, tool.renamed_from)


def _following(entry: object) -> JsonObject:
    """Return what restricts a tool under another name: that it does less was said of what the tool was before."""
    found = _restricting(entry)
    if not isinstance(hints := found.pop("hints", None), dict):
        return found
    lowering = lowering_hints(hints)
    kept = {key: value for key, value in hints.items() if key not in lowering}
    return {**found, "hints": kept} if kept else found


def _restricting(entry: object) -> JsonObject:
    return {key: entry[key] for key in _RESTRICTING if key in entry} if isinstance(entry, dict) else {}


def _carried(entry: JsonObject) -> JsonObject:
    """Return the settings that a tool brings along. An exception that asks less than elsewhere is none of them."""
    found = {key: entry[key] for key in CARRIED if entry.get(key) or (key == "consent" and entry.get(key) == {})}
    return {key: value for key, value in found.items() if (key, value) != ("approval", "off")}


def _note_edits(
    target: str, references: Iterable[ToolReference], raw: JsonObject | None, source: JsonObject | None
) -> Iterable[AddNote]:
    for reference in references if _list(source, "toolNotes") else ():
        place = NoteTarget.in_toolset(target, reference)
        kept = [note for notes in place.lists(raw) for note in notes if isinstance(note, dict)]
        names = [str(note.get("name")) for note in kept]
        texts = {note.get("note") for note in kept}
        for note in (note for notes in place.lists(source) for note in notes):
            if not isinstance(note, dict) or note.get("note") in texts:
                continue
            name = str(note.get("name"))
            free = free_note_name(name, names)
            names.append(free)
            yield AddNote(place, {**note, "name": free}, restore=True)


def _list(raw: JsonObject | None, key: str) -> list[Any]:
    found = (raw or {}).get(key)
    return found if isinstance(found, list) else []
