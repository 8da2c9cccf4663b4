"""``toolnote toolset``: selections of tools with notes on them."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Final

from toolnote_desktop.commands import Command
from toolnote_desktop.commands.library import find_toolset, open_library, save
from toolnote_desktop.commands.output import (
    count,
    indent_following,
    print_json,
    print_problem,
    print_purpose,
    print_table,
    print_text,
)
from toolnote_desktop.commands.tool_names import find_reference, label, make_reference
from toolnote_desktop.guidance.served_tools import is_available, resolve_toolset
from toolnote_desktop.model.edits import SETTINGS, CreateDocument, DeleteDocument, SetFields, toolset_document
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code, Problem
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.catalogue import Catalogue
from toolnote_desktop.model.toolsets.carry import add_tools, toolset_in_view
from toolnote_desktop.model.toolsets.notes import ToolReference
from toolnote_desktop.model.toolsets.tool_edits import RemoveTools, matches_reference, reference_fields
from toolnote_desktop.model.toolsets.toolset import NoteGroup, Toolset
from toolnote_desktop.paths import Home
from toolnote_desktop.store.documents import new_toolset

UNRESOLVED = "unresolved"
"""State that ``show`` prints for a missing tool and for notes on one (docs/contract.md 3)."""

_UNRESOLVED_WHY = {"ambiguous": " (more than one tool has this name)", "gone": " (its server no longer lists it)"}


def list_toolsets(arguments: argparse.Namespace, home: Home) -> int:
    """List the toolsets, the shared one marked."""
    with open_library(home) as library:
        snapshot = library.snapshot
    shared = snapshot.settings.equipped_toolset
    if arguments.json:
        print_json({"toolsets": [_summary(toolset, shared) for toolset in snapshot.toolsets.values()]})
    elif not snapshot.toolsets:
        print_text("There are no toolsets yet. `toolnote toolset create NAME TOOL …` creates one.")
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
    """Print a toolset: its tools with their notes, missing ones marked."""
    with open_library(home) as library:
        snapshot = library.snapshot
    toolset = find_toolset(snapshot, arguments.name)
    described = _describe(snapshot, toolset)
    if arguments.json:
        print_json(described)
    else:
        _print_toolset(described, toolset)
    return 0


def _describe(snapshot: Snapshot, toolset: Toolset) -> JsonObject:
    tools = []
    for resolved in resolve_toolset(snapshot, toolset):
        entry: JsonObject = {**reference_fields(resolved.entry), "enabled": resolved.enabled}
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
            elif not resolved.enabled:
                entry["state"] = "off"
            elif resolved.for_user_only:
                entry["state"] = "for you only"
        elif resolved.problem is not None and resolved.problem.code is Code.TOOL_AMBIGUOUS:
            entry["ambiguous"] = True
        tools.append(entry)
    notes = [_describe_notes(snapshot.catalogue, group) for group in toolset.notes]
    return {**_summary(toolset, snapshot.settings.equipped_toolset), "tools": tools, "toolNotes": notes}


def _describe_notes(catalogue: Catalogue, group: NoteGroup) -> JsonObject:
    """Describe the notes on one tool, with the ``name`` that the tool itself has.

    A toolRef may mean one tool by its name and another by its refId: then ``names`` has both.
    """
    found = catalogue.tools_for_note(group.reference)
    return {
        "toolRef": reference_fields(group.reference),
        **({"name": catalogue.exposed[found[0].tool.key]} if found else {}),
        **({"names": [catalogue.exposed[known.tool.key] for known in found]} if len(found) > 1 else {}),
        "state": "served" if any(known.listed for known in found) else UNRESOLVED,
        "notes": [note.to_json() for note in group.notes],
    }


def _print_toolset(described: JsonObject, toolset: Toolset) -> None:
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
        for group in [group for group in described["toolNotes"] if _belongs_to(group, tool, reference)]:
            if group in left:
                left.remove(group)
            _print_notes(group)
    for group in left:
        state = f"  {UNRESOLVED}" if group["state"] == UNRESOLVED else "  not in this toolset"
        print_text(f"\nnotes on {label(ToolReference.read(group['toolRef']))}{state}")
        _print_notes(group)


def _belongs_to(group: JsonObject, tool: JsonObject, reference: ToolReference) -> bool:
    if "name" in group and "name" in tool:
        return tool["name"] in group.get("names", [group["name"]])
    return matches_reference(group["toolRef"], reference)


def reference_of(described: JsonObject) -> JsonObject:
    """Return the keys of a described tool that identify it in documents."""
    return {key: described[key] for key in ("namespacedName", "refId") if key in described}


def _print_notes(group: JsonObject) -> None:
    for note in group["notes"]:
        off = "" if note.get("enabled", True) else " (off)"
        print_text(f"  • {note['name']}{off}: {indent_following(note['note'], 4)}")


def create(arguments: argparse.Namespace, home: Home) -> int:
    """Create a toolset with these tools, which need not have been listed yet."""
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
    shares = f"share it with `toolnote toolset equip {arguments.name}`"
    print_text(f"Created {arguments.name} with {count(len(entries), 'tool')}; {shares}.")
    return 0


def _entries(snapshot: Snapshot, tools: Iterable[str], server: str | None) -> tuple[JsonObject, ...]:
    """Return entries for the named tools without repetition; print a note for each that was never listed."""
    entries: list[JsonObject] = []
    for tool in tools:
        reference = make_reference(snapshot, tool, server)
        if reference.ref_id is None:
            print_problem(Problem(Code.TOOL_NOT_SEEN, {"tool": tool}))
        entry = reference_fields(reference)
        if entry not in entries:
            entries.append(entry)
    return tuple(entries)


def delete(arguments: argparse.Namespace, home: Home) -> int:
    """Delete the toolset; if it was the shared one, none is shared."""
    with open_library(home) as library:
        edits = [DeleteDocument(toolset_document(arguments.name))]
        if library.snapshot.settings.equipped_toolset == arguments.name:
            save(library, *edits, SetFields(SETTINGS, {"equippedToolset": None}))
        else:
            save(library, *edits)
    print_text(f"Deleted {arguments.name}; backups are in {home.backups}.")
    return 0


def equip(arguments: argparse.Namespace, home: Home) -> int:
    """Make a toolset the shared one."""
    with open_library(home) as library:
        toolset = find_toolset(library.snapshot, arguments.name)
        save(library, SetFields(SETTINGS, {"equippedToolset": toolset.name}))
    print_text(f"{toolset.name} is now the shared toolset.")
    return 0


def describe_purpose(arguments: argparse.Namespace, home: Home) -> int:
    """Set or print what a toolset is for, in the user's words."""
    with open_library(home) as library:
        toolset = find_toolset(library.snapshot, arguments.name)
        about = toolset.description if arguments.text is None else arguments.text.strip()
        if arguments.text is not None:
            save(library, SetFields(toolset_document(toolset.name), {"description": about}))
    print_purpose({"name": toolset.name, "description": about}, arguments)
    return 0


def unequip(arguments: argparse.Namespace, home: Home) -> int:
    """Share no toolset."""
    del arguments
    with open_library(home) as library:
        save(library, SetFields(SETTINGS, {"equippedToolset": None}))
    print_text("No toolset is shared any more: only the built-in tools are served.")
    return 0


def add_tool(arguments: argparse.Namespace, home: Home) -> int:
    """Add tools to a toolset, with what the toolset in view alone holds for them; existing entries stay as they are."""
    with open_library(home) as library:
        snapshot = library.snapshot
        toolset = find_toolset(snapshot, arguments.name)
        sources: dict[str | None, list[ToolReference]] = {}
        for entry in _entries(snapshot, arguments.tools, arguments.server):
            reference = ToolReference.read(entry)
            known = next(iter(snapshot.catalogue.resolve(reference)), None)
            sources.setdefault(toolset_in_view(snapshot, toolset.name, known), []).append(reference)
        raw = library.raw(toolset_document(toolset.name))
        added = {
            source: add_tools(
                toolset.name, references, raw, None if source is None else library.raw(toolset_document(source))
            )
            for source, references in sources.items()
        }
        save(library, *(edit for one in added.values() for edit in one.edits))
    print_text(f"Added {count(sum(one.added for one in added.values()), 'tool')} to {toolset.name}.")
    for source, one in added.items():
        brought = [count(one.notes, "note")] * bool(one.notes)
        brought += [f"the settings of {count(one.settings, 'tool')}"] * bool(one.settings)
        if brought:
            print_text(f"Brought along from {source}: {' and '.join(brought)}.")
    return 0


def remove_tool(arguments: argparse.Namespace, home: Home) -> int:
    """Remove tools from a toolset, named in any form, missing ones too."""
    with open_library(home) as library:
        toolset = find_toolset(library.snapshot, arguments.name)
        catalogue = library.snapshot.catalogue
        references = [
            find_reference(library.snapshot, toolset, tool, arguments.server) for tool in dict.fromkeys(arguments.tools)
        ]
        taken = catalogue.meaning_the_same(references, toolset.tools)
        save(library, RemoveTools(toolset_document(toolset.name), taken))
    print_text(f"Removed {count(len(references), 'tool')} from {toolset.name}; notes on them are kept.")
    return 0


RUN: Final[Mapping[str, Command]] = {
    "list": list_toolsets,
    "show": show,
    "create": create,
    "delete": delete,
    "equip": equip,
    "unequip": unequip,
    "describe_purpose": describe_purpose,
    "add-tool": add_tool,
    "remove-tool": remove_tool,
}
