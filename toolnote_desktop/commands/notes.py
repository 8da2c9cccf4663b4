"""``toolnote note``: notes that assistants read below a tool's own description."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from toolnote_desktop.commands import Command
from toolnote_desktop.commands.files import read_json, write_or_print
from toolnote_desktop.commands.library import find_toolset, open_library, save
from toolnote_desktop.commands.output import count, indent_following, print_json, print_problem, print_text
from toolnote_desktop.commands.tool_names import find_tool, label, make_reference
from toolnote_desktop.model import json_text
from toolnote_desktop.model.edits import Edit
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code, Problem, ToolnoteError
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.timestamps import iso_utc
from toolnote_desktop.model.tools.catalogue import Catalogue
from toolnote_desktop.model.toolsets.note_edits import AddNote, EditNote, MoveNote, NoteTarget, RemoveNote
from toolnote_desktop.model.toolsets.notes import USER, Note, Scope, ToolReference
from toolnote_desktop.model.toolsets.notes_file import contains_notes, notes_document, plan_notes_import
from toolnote_desktop.model.toolsets.tool_edits import matches_reference, reference_fields
from toolnote_desktop.paths import Home


def list_notes(arguments: argparse.Namespace, home: Home) -> int:
    """Print the notes of a toolset, or those for all toolsets; of one tool, or of all."""
    with open_library(home) as library:
        snapshot = library.snapshot
        scope = _scope(arguments)
        groups = list(_in_toolset(snapshot, arguments) if scope is Scope.TOOLSET else _everywhere(snapshot))
        if arguments.scope is not None and scope is not Scope.TOOLSET:
            groups = [(place, notes) for place, notes in groups if place["scope"] == scope]
    if arguments.tool is not None and scope is Scope.SERVER:
        server = _source(snapshot, arguments)
        groups = [(place, notes) for place, notes in groups if place.get("server") == server]
    elif arguments.tool is not None and scope is not Scope.GLOBAL:
        wanted = make_reference(snapshot, arguments.tool, arguments.server)
        groups = [(place, notes) for place, notes in groups if matches_reference(place.get("toolRef"), wanted)]
    if arguments.json:
        print_json({"notes": [{**place, "notes": [_note(note) for note in notes]} for place, notes in groups]})
        return 0
    shown = [(place, notes) for place, notes in groups if notes]
    if not shown:
        print_text("There are no notes.")
    for place, notes in shown:
        print_text(_label(place))
        for number, note in enumerate(notes, start=1):
            off = "" if note.enabled else " (off)"
            author = "" if note.author == USER else f" (by {note.author})"
            print_text(f"  {number}. {note.name}{off}{author}: {indent_following(note.note, 5)}")
    return 0


def _in_toolset(snapshot: Snapshot, arguments: argparse.Namespace) -> Iterator[tuple[JsonObject, tuple[Note, ...]]]:
    toolset = find_toolset(snapshot, arguments.toolset)
    joined: list[tuple[JsonObject, list[Note]]] = []
    for group in toolset.notes:  # several entries for one tool are merged
        known = _whole(snapshot.catalogue, group.reference)
        for place, notes in joined:
            if matches_reference(place["toolRef"], known):
                notes.extend(group.notes)
                break
        else:
            place = {"scope": str(Scope.TOOLSET), "toolset": toolset.name, "toolRef": reference_fields(group.reference)}
            joined.append((place, list(group.notes)))
    for place, notes in joined:
        yield place, tuple(notes)


def _whole(catalogue: Catalogue, reference: ToolReference) -> ToolReference:
    """Return a reference with all names of its tool, so that an entry by name and one by refId compare equal."""
    for known in catalogue.resolve(reference):
        if catalogue.note_applies(reference, known.tool):
            return catalogue.reference_to(known.tool)
    return reference


def _everywhere(snapshot: Snapshot) -> Iterator[tuple[JsonObject, tuple[Note, ...]]]:
    notes = snapshot.notes
    if notes.everything:
        yield {"scope": str(Scope.GLOBAL)}, notes.everything
    for server, held in notes.servers.items():
        yield {"scope": str(Scope.SERVER), "server": server}, held
    for tool, held in notes.tools.items():
        yield {"scope": str(Scope.TOOL), "toolRef": {"namespacedName": tool}}, held


def _label(place: JsonObject) -> str:
    reference = place.get("toolRef")
    if reference is not None:
        return label(ToolReference.read(reference))
    return f"all tools of {place['server']}" if "server" in place else "all tools"


def _note(note: Note) -> JsonObject:
    return note.to_json()


def add(arguments: argparse.Namespace, home: Home) -> int:
    """Add a note after the existing ones."""
    note = {
        "name": arguments.name,
        "note": arguments.text,
        "enabled": True,
        "author": USER,
        "createdAt": iso_utc(datetime.now(UTC)),
    }
    return _change(arguments, home, lambda place: AddNote(place, note), "Added")


def edit(arguments: argparse.Namespace, home: Home) -> int:
    """Change a note's text."""
    return _change(arguments, home, lambda place: EditNote(place, arguments.name, {"note": arguments.text}), "Changed")


def remove(arguments: argparse.Namespace, home: Home) -> int:
    """Remove a note."""
    return _change(arguments, home, lambda place: RemoveNote(place, arguments.name), "Removed")


def move(arguments: argparse.Namespace, home: Home) -> int:
    """Move a note among its tool's notes, to a position counted from 1; a larger one is the last."""
    return _change(arguments, home, lambda place: MoveNote(place, arguments.name, arguments.position - 1), "Moved")


def _change(arguments: argparse.Namespace, home: Home, make: Callable[[NoteTarget], Edit], done: str) -> int:
    with open_library(home) as library:
        place = _place(library.snapshot, arguments, needs_tool=done == "Added")
        save(library, make(place))
    print_text(f"{done} {arguments.name} on {place.label}.")
    return 0


def _place(snapshot: Snapshot, arguments: argparse.Namespace, *, needs_tool: bool) -> NoteTarget:
    """Return the place of the notes. A new note needs a tool in the toolset; an existing one may outlive its tool."""
    scope = _scope(arguments)
    if scope is Scope.GLOBAL:
        return NoteTarget.everywhere(Scope.GLOBAL)
    if scope is Scope.SERVER:
        return NoteTarget.everywhere(Scope.SERVER, _source(snapshot, arguments))
    reference = make_reference(snapshot, arguments.tool, arguments.server)
    if scope is Scope.TOOL:
        return _everywhere_place(reference, arguments.tool, needs_tool=needs_tool)
    toolset = find_toolset(snapshot, arguments.toolset)
    if needs_tool and not any(matches_reference(reference_fields(entry), reference) for entry in toolset.tools):
        code = Code.TOOL_NOT_IN_TOOLSET if reference.ref_id is not None else Code.TOOL_NOT_FOUND
        raise ToolnoteError(code, tool=arguments.tool, toolset=toolset.name)
    return NoteTarget.in_toolset(toolset.name, reference)


_SCOPES: Final = {"toolset": Scope.TOOLSET, "tool": Scope.TOOL, "source": Scope.SERVER, "all": Scope.GLOBAL}


def _scope(arguments: argparse.Namespace) -> Scope:
    return Scope.TOOL if arguments.everywhere else _SCOPES[arguments.scope or "toolset"]


def _source(snapshot: Snapshot, arguments: argparse.Namespace) -> str:
    """Return the server whose tools a note is for: that of the named tool, or the server of that name.

    Raises:
        ToolnoteError: ``tool-not-found``, ``tool-ambiguous``.
    """
    if arguments.server is not None:
        return str(arguments.server)
    known = find_tool(snapshot, arguments.tool, None)
    if known is not None:
        return known.tool.server
    if arguments.tool in snapshot.servers:
        return str(arguments.tool)
    raise ToolnoteError(Code.TOOL_NOT_FOUND, tool=arguments.tool)


def _everywhere_place(reference: ToolReference, tool: str, *, needs_tool: bool) -> NoteTarget:
    if reference.namespaced_name is None:  # an unknown refId
        raise ToolnoteError(Code.TOOL_NOT_FOUND, tool=tool)
    if reference.server is not None and reference.ref_id is not None:
        # notes.json refers to tools by name alone, and a shared name means neither (docs/contract.md 1).
        raise ToolnoteError(Code.TOOL_NAME_SHARED, tool=reference.namespaced_name)
    if needs_tool and reference.ref_id is None:
        print_problem(Problem(Code.TOOL_NOT_SEEN, {"tool": reference.namespaced_name}))
    return NoteTarget.everywhere(Scope.TOOL, reference.namespaced_name)


def export(arguments: argparse.Namespace, home: Home) -> int:
    """Write the notes of a toolset to a file, or print them."""
    with open_library(home) as library:
        toolset = find_toolset(library.snapshot, arguments.toolset)
    data = json_text.dumps_pretty(notes_document(toolset))
    write_or_print(data, arguments.file, f"the notes of {toolset.name}")
    return 0


def import_notes(arguments: argparse.Namespace, home: Home) -> int:
    """Add the notes of a file to a toolset; existing notes are never replaced."""
    file = Path(arguments.file)
    raw = read_json(file)
    if not contains_notes(raw):
        raise ToolnoteError(Code.IMPORT_FILE_UNREADABLE, file=str(file), reason="it contains no notes")
    with open_library(home) as library:
        toolset = find_toolset(library.snapshot, arguments.toolset)
        found = plan_notes_import(raw, toolset, file=str(file), now=iso_utc(datetime.now(UTC)))
        if found.edits:
            save(library, *found.edits)
    for problem in found.problems:
        print_problem(problem)
    existing = f"; {count(len(found.same), 'note')} already there" if found.same else ""
    print_text(f"Added {count(len(found.added), 'note')} to {toolset.name}{existing}.")
    return 0


RUN: Final[Mapping[str, Command]] = {
    "list": list_notes,
    "add": add,
    "edit": edit,
    "remove": remove,
    "move": move,
    "export": export,
    "import": import_notes,
}
