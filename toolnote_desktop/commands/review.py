"""``toolnote review``: definitions that servers changed, and the user's decisions on them (docs/contract.md 3)."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from typing import Final, Literal

from toolnote_desktop.commands import Command
from toolnote_desktop.commands.library import open_library, save
from toolnote_desktop.commands.output import count, one_line, print_json, print_note, print_table, print_text
from toolnote_desktop.commands.tool_names import find_tool
from toolnote_desktop.error_messages import english
from toolnote_desktop.guidance.definition_review import ToolReview, tool_review, tools_to_review
from toolnote_desktop.model.edits import Edit
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code, Problem, ToolnoteError
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.catalogue import KnownTool, ReviewState
from toolnote_desktop.model.tools.definition_changes import ChangeKind, DefinitionChange
from toolnote_desktop.model.tools.review import decision_fields, instructions_review
from toolnote_desktop.model.toolsets.tool_settings import SetToolSettings
from toolnote_desktop.paths import Home

_STATES: Final = {
    ReviewState.SHOWN: "new text served",
    ReviewState.HELD: "held: old text served",
    ReviewState.KEPT: "old text kept",
}


def _from_to(change: DefinitionChange, nothing: str) -> str:
    return f"{change.before or nothing} is now {change.after or nothing}"


def _fewer_values(change: DefinitionChange) -> str:
    return f"takes only {change.after}" if change.after else f"no longer takes {change.before}"


_WORDS: Final[dict[ChangeKind, Callable[[DefinitionChange], str]]] = {
    ChangeKind.WRITES: lambda _: "can now change data",
    ChangeKind.DESTROYS: lambda _: "can now delete or overwrite data",
    ChangeKind.REACHES_OUT: lambda _: "can now reach the outside world",
    ChangeKind.SAFER: lambda change: f"no longer says: {change.subject.replace('-', ' ')}",
    ChangeKind.HINT: lambda change: f"hint {change.subject}: {_from_to(change, 'unset')}",
    ChangeKind.ADDED: lambda change: f"{change.subject} is new",
    ChangeKind.REMOVED: lambda change: f"{change.subject} is gone",
    ChangeKind.REQUIRED: lambda change: f"{change.subject} is required now",
    ChangeKind.OPTIONAL: lambda change: f"{change.subject} is optional now",
    ChangeKind.VALUES_ADDED: lambda change: f"{change.subject} takes {change.after or 'any value'} too",
    ChangeKind.VALUES_REMOVED: lambda change: f"{change.subject} {_fewer_values(change)}",
    ChangeKind.TYPE: lambda change: f"type of {change.subject}: {_from_to(change, 'any')}",
    ChangeKind.DEFAULT: lambda change: f"default of {change.subject}: {_from_to(change, 'none')}",
    ChangeKind.PARAMETER_TEXT: lambda change: f"{change.subject} is described differently",
    ChangeKind.PARAMETER: lambda change: f"{change.subject} has another schema",
    ChangeKind.SCHEMA: lambda _: "the schema of the input has changed",
    ChangeKind.DESCRIPTION: lambda _: "the description has changed",
    ChangeKind.TITLE: lambda change: f"the title is now {change.after!r}",
    ChangeKind.NAME: lambda change: f"the name is now {change.after!r}",
    ChangeKind.OUTPUT: lambda _: "the schema of the result has changed",
    ChangeKind.OTHER: lambda change: f"{change.subject} has changed",
}


def list_changed(arguments: argparse.Namespace, home: Home) -> int:
    """Print the changed tools that the user has not accepted."""
    with open_library(home) as library:
        snapshot = library.snapshot
        reviews = [tool_review(snapshot, known) for known in tools_to_review(snapshot)]
    for server, listing in snapshot.catalogue.servers.items():
        entry = snapshot.servers.get(server)
        if entry is not None and (word := _STATES.get(instructions_review(listing, entry.toolnote.changes))):
            print_note(f"{english(Problem(Code.INSTRUCTIONS_CHANGED, {'server': server}))} ({word})")
    if arguments.json:
        print_json([_document(review) for review in reviews])
        return 0
    print_table(
        (review.known.tool.namespaced_name, _STATES[review.known.review], "; ".join(map(_words, review.changes[:3])))
        for review in reviews
    )
    if not reviews:
        print_text("No tool has changed.")
    return 0


def show(arguments: argparse.Namespace, home: Home) -> int:
    """Print the changes of a tool, old and new texts, and the notes on it."""
    with open_library(home) as library:
        snapshot = library.snapshot
        review = tool_review(snapshot, _find(snapshot, arguments.tool, arguments.server))
    if arguments.json:
        print_json(_document(review))
        return 0
    print_text(f"{review.known.tool.namespaced_name}: {_STATES.get(review.known.review, 'accepted')}")
    for change in review.changes:
        print_text(f"  {'!' if change.meaning else '-'} {_words(change)}")
        if change.kind in (ChangeKind.DESCRIPTION, ChangeKind.PARAMETER_TEXT):
            print_text(f"      old: {one_line(change.before)}")
            print_text(f"      new: {one_line(change.after)}")
    for note in review.notes:
        names = f" (names {', '.join(note.names)})" if note.names else ""
        print_text(f"  note {note.note.name}{names}: {one_line(note.note.note)}")
    return 0


def accept(arguments: argparse.Namespace, home: Home) -> int:
    """Accept the newest definitions of tools, or of all changed ones."""
    return _decide(arguments, home, "accept")


def keep(arguments: argparse.Namespace, home: Home) -> int:
    """Go on serving the accepted definitions of tools."""
    return _decide(arguments, home, "keep")


def off(arguments: argparse.Namespace, home: Home) -> int:
    """Turn changed tools off in every toolset."""
    return _decide(arguments, home, "off")


def _decide(arguments: argparse.Namespace, home: Home, decision: Literal["accept", "keep", "off"]) -> int:
    everything = getattr(arguments, "all", False)
    if everything == bool(arguments.tools):
        raise ToolnoteError(Code.SETTING_INVALID, setting="review", reason="name tools, or give --all")
    with open_library(home) as library:
        snapshot = library.snapshot
        if everything:
            tools = tools_to_review(snapshot)
        else:
            tools = tuple(_find(snapshot, tool, arguments.server) for tool in arguments.tools)
        edits = [_edit(known, decision) for known in tools if known.review is not ReviewState.UNCHANGED]
        if edits:
            save(library, *edits)
    verb = {"accept": "accepted", "keep": "kept as before", "off": "turned off"}[decision]
    print_text(f"{count(len(edits), 'tool')} {verb}.")
    return 0


def _edit(known: KnownTool, decision: Literal["accept", "keep", "off"]) -> Edit:
    fields: JsonObject = {"review": decision_fields(known, "accept" if decision == "accept" else "keep")}
    if decision == "off":
        fields["enabled"] = False
    return SetToolSettings(known.tool.namespaced_name, fields)


def _find(snapshot: Snapshot, tool: str, server: str | None) -> KnownTool:
    known = find_tool(snapshot, tool, server)
    if known is None:
        raise ToolnoteError(Code.TOOL_NOT_FOUND, tool=tool)
    return known


def _words(change: DefinitionChange) -> str:
    return one_line(_WORDS[change.kind](change))


def _document(review: ToolReview) -> JsonObject:
    tool = review.known.tool
    return {
        "tool": tool.namespaced_name,
        "server": tool.server,
        "state": str(review.known.review),
        "meaning": any(change.meaning for change in review.changes),
        "changes": [
            {
                "kind": str(change.kind),
                "subject": change.subject,
                "before": change.before,
                "after": change.after,
                "meaning": change.meaning,
                "reason": change.reason,
                "words": _words(change),
            }
            for change in review.changes
        ],
        "notes": [
            {"scope": str(one.scope), "toolset": one.toolset, "name": one.note.name, "names": list(one.names)}
            for one in review.notes
        ],
    }


RUN: Final[Mapping[str, Command]] = {
    "list": list_changed,
    "show": show,
    "accept": accept,
    "keep": keep,
    "off": off,
}
