"""``toolnote toolset``: choices of tools with their notes."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Final

from toolnote_desktop.commands import Command
from toolnote_desktop.commands.library import find_toolset, open_library, save
from toolnote_desktop.commands.output import count, indent_following, print_json, print_problem, print_table, print_text
from toolnote_desktop.commands.tool_names import find_reference, label, reference_to
from toolnote_desktop.guidance.served_tools import is_available, resolve_toolset
from toolnote_desktop.model.edits import SETTINGS, CreateDocument, DeleteDocument, SetFields, toolset_document
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.catalogue import Catalogue
from toolnote_desktop.model.toolsets.notes import ToolReference
from toolnote_desktop.model.toolsets.tool_edits import AddTools, RemoveTools, reference_fields, same_tool
from toolnote_desktop.model.toolsets.toolset import NoteGroup, Toolset
from toolnote_desktop.paths import Home
from toolnote_desktop.store.documents import new_toolset

UNRESOLVED = "unresolved"
"""The word that ``show`` prints beside a tool or note whose tool is absent (docs/contract.md 3)."""

_UNRESOLVED_WHY = {"ambiguous": " (more than one tool has this name)", "gone": " (its server lists it no longer)"}


def list_toolsets(arguments: argparse.Namespace, home: Home) -> int:
    """Every toolset; the shared one is marked."""
    with open_library(home) as library:
        snapshot = library.snapshot
    shared = snapshot.settings.equipped_toolset
    if arguments.json:
        print_json({"toolsets": [_summary(toolset, shared) for toolset in snapshot.toolsets.values()]})
    elif not snapshot.toolsets:
        print_text("There are no toolsets yet. `toolnote toolset create NAME TOOL …` makes one.")
    else:
        print_table(
            (
                "*" if toolset.name == shared else " ",
                toolset.name,
                count(len(toolset.tools), "tool"),
                count(_notes(toolset), "note"),
                toolset.title,
            )
            for toolset in snapshot.toolsets.values()
        )
    return 0


def _notes(toolset: Toolset) -> int:
    return sum(len(group.notes) for group in toolset.notes)


def _summary(toolset: Toolset, shared: str | None) -> JsonObject:
    return {
        "name": toolset.name,
        "title": toolset.title,
        "description": toolset.description,
        "tools": len(toolset.tools),
        "notes": _notes(toolset),
        "equipped": toolset.name == shared,
    }


def show(arguments: argparse.Namespace, home: Home) -> int:
    """One toolset: each tool with its notes, what is absent marked."""
    with open_library(home) as library:
        snapshot = library.snapshot
    toolset = find_toolset(snapshot, arguments.name)
    described = _described(snapshot, toolset)
    if arguments.json:
        print_json(described)
    else:
        _say_toolset(described, toolset)
    return 0


def _described(snapshot: Snapshot, toolset: Toolset) -> JsonObject:
    tools = []
    for resolved in resolve_toolset(snapshot, toolset):
        entry: JsonObject = {**reference_fields(resolved.entry), "enabled": resolved.entry.enabled}
        known = resolved.known
        entry["state"] = "served" if known is not None else UNRESOLVED
        if known is not None:
            entry["server"] = known.tool.server
            entry["name"] = snapshot.catalogue.exposed[known.tool.key]
            entry.setdefault("namespacedName", known.tool.namespaced_name)
            if not known.listed:
                entry["state"], entry["gone"] = UNRESOLVED, True
            elif not is_available(snapshot, known):
                entry["state"] = "server off"
            elif not resolved.entry.enabled:
                entry["state"] = "off"
        elif resolved.problem is not None and resolved.problem.code is Code.TOOL_AMBIGUOUS:
            entry["ambiguous"] = True
        tools.append(entry)
    notes = [_described_notes(snapshot.catalogue, group) for group in toolset.notes]
    return {**_summary(toolset, snapshot.settings.equipped_toolset), "tools": tools, "toolNotes": notes}


def _described_notes(catalogue: Catalogue, group: NoteGroup) -> JsonObject:
    """The notes on one tool; with ``name`` as at the tool itself, whichever way each of the two names it.

    A toolRef may mean one tool by its name and another by its refId: then ``names`` has both.
    """
    found = catalogue.noted_by(group.reference)
    return {
        "toolRef": reference_fields(group.reference),
        **({"name": catalogue.exposed[found[0].tool.key]} if found else {}),
        **({"names": [catalogue.exposed[known.tool.key] for known in found]} if len(found) > 1 else {}),
        "state": "served" if any(known.listed for known in found) else UNRESOLVED,
        "notes": [note.written() for note in group.notes],
    }


def _say_toolset(described: JsonObject, toolset: Toolset) -> None:
    shared = " (the shared one)" if described["equipped"] else ""
    print_text(f"{described['title']} [{described['name']}]{shared}")
    if described["description"]:
        print_text(described["description"])
    left = list(described["toolNotes"])
    for tool, entry in zip(described["tools"], toolset.tools, strict=True):
        reference = ToolReference.read(reference_of(tool))
        name = label(ToolReference(namespaced_name=reference.namespaced_name, ref_id=entry.ref_id, server=entry.server))
        state = "" if tool["state"] == "served" else f"  {tool['state']}"
        print_text(f"\n{name}{state}{''.join(why for key, why in _UNRESOLVED_WHY.items() if tool.get(key))}")
        for group in [group for group in described["toolNotes"] if _is_on(group, tool, reference)]:
            if group in left:
                left.remove(group)
            _say_notes(group)
    for group in left:
        state = f"  {UNRESOLVED}" if group["state"] == UNRESOLVED else "  not in this toolset"
        print_text(f"\nnotes on {label(ToolReference.read(group['toolRef']))}{state}")
        _say_notes(group)


def _is_on(group: JsonObject, tool: JsonObject, reference: ToolReference) -> bool:
    if "name" in group and "name" in tool:
        return tool["name"] in group.get("names", [group["name"]])
    return same_tool(group["toolRef"], reference)


def reference_of(described: JsonObject) -> JsonObject:
    """The keys of a described tool that name it in documents."""
    return {key: described[key] for key in ("namespacedName", "refId") if key in described}


def _say_notes(group: JsonObject) -> None:
    for note in group["notes"]:
        off = "" if note.get("enabled", True) else " (off)"
        print_text(f"  • {note['name']}{off}: {indent_following(note['note'], 4)}")


def create(arguments: argparse.Namespace, home: Home) -> int:
    """A new toolset with these tools, which need not have been seen yet."""
    with open_library(home) as library:
        entries = _entries(library.snapshot, arguments.tools, None)
        content = new_toolset(
            arguments.name,
            arguments.title or arguments.name,
            entries,
            now=datetime.now(UTC),
            description=arguments.description,
        )
        save(library, CreateDocument(toolset_document(arguments.name), content))
    shares = f"`toolnote toolset equip {arguments.name}` shares it"
    print_text(f"Made {arguments.name} with {count(len(entries), 'tool')}; {shares}.")
    return 0


def _entries(snapshot: Snapshot, tools: Iterable[str], server: str | None) -> tuple[JsonObject, ...]:
    """Entries for tools named on the command line, each once; a print_note for each that no server has listed."""
    entries: list[JsonObject] = []
    for tool in tools:
        reference = reference_to(snapshot, tool, server)
        if reference.ref_id is None:
            print_problem(Problem(Code.TOOL_NOT_SEEN, {"tool": tool}))
        entry = reference_fields(reference)
        if entry not in entries:
            entries.append(entry)
    return tuple(entries)


def delete(arguments: argparse.Namespace, home: Home) -> int:
    """The toolset goes; where it was the shared one, none is."""
    with open_library(home) as library:
        edits = [DeleteDocument(toolset_document(arguments.name))]
        if library.snapshot.settings.equipped_toolset == arguments.name:
            save(library, *edits, SetFields(SETTINGS, {"equippedToolset": None}))
        else:
            save(library, *edits)
    print_text(f"Deleted {arguments.name}; the last states are in {home.backups}.")
    return 0


def equip(arguments: argparse.Namespace, home: Home) -> int:
    """Make it the shared one."""
    with open_library(home) as library:
        toolset = find_toolset(library.snapshot, arguments.name)
        save(library, SetFields(SETTINGS, {"equippedToolset": toolset.name}))
    print_text(f"{toolset.name} is the shared toolset now.")
    return 0


def unequip(arguments: argparse.Namespace, home: Home) -> int:
    """Share none."""
    del arguments
    with open_library(home) as library:
        save(library, SetFields(SETTINGS, {"equippedToolset": None}))
    print_text("No toolset is shared now: only the built-in tools are served.")
    return 0


def add_tool(arguments: argparse.Namespace, home: Home) -> int:
    """Tools into a toolset; those in it already stay as they are."""
    with open_library(home) as library:
        toolset = find_toolset(library.snapshot, arguments.name)
        entries = _entries(library.snapshot, arguments.tools, arguments.server)
        snapshot = save(library, AddTools(toolset_document(toolset.name), entries))
    added = len(snapshot.toolsets[toolset.name].tools) - len(toolset.tools)
    print_text(f"Added {count(added, 'tool')} to {toolset.name}.")
    return 0


def remove_tool(arguments: argparse.Namespace, home: Home) -> int:
    """Tools out of a toolset. Any way to name one that is in it will do, also for a tool that is absent."""
    with open_library(home) as library:
        toolset = find_toolset(library.snapshot, arguments.name)
        references = [
            find_reference(library.snapshot, toolset, tool, arguments.server) for tool in dict.fromkeys(arguments.tools)
        ]
        save(library, RemoveTools(toolset_document(toolset.name), tuple(references)))
    print_text(f"Took {count(len(references), 'tool')} out of {toolset.name}; the notes on them are kept.")
    return 0


RUN: Final[Mapping[str, Command]] = {
    "list": list_toolsets,
    "show": show,
    "create": create,
    "delete": delete,
    "equip": equip,
    "unequip": unequip,
    "add-tool": add_tool,
    "remove-tool": remove_tool,
}
