"""``toolnote review``: what servers changed, and the user's decisions on it (docs/contract.md 3).

A tool is named as everywhere, a prompt as ``ID:prompt:NAME``; a server's id, or ``ID:instructions``, names its changed
instructions. What is accepted is what was shown: its fingerprint, or the start of it, follows the name after ``@``.
"""

from __future__ import annotations

import argparse
import hashlib
import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal

from toolnote_desktop.commands import Command
from toolnote_desktop.commands.library import open_library, save
from toolnote_desktop.commands.output import count, one_line, print_json, print_note, print_table, print_text
from toolnote_desktop.commands.tool_names import find_tool, unambiguous_name
from toolnote_desktop.guidance.definition_review import (
    ToolReview,
    prompt_review,
    prompts_to_review,
    tool_review,
    tools_to_review,
)
from toolnote_desktop.guidance.unresolved import following_edits, moved_notes, renamed_places
from toolnote_desktop.model import json_text
from toolnote_desktop.model.edits import ABSENT, OWN_KEY, SERVER_ENTRIES, SERVERS, Edit, SetEntryFields
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.model.tools.catalogue import IN_REVIEW, KnownTool, ReviewState
from toolnote_desktop.model.tools.definition_changes import ChangeKind, DefinitionChange, is_prompt, new_meaning
from toolnote_desktop.model.tools.review import (
    decision_fields,
    instructions_decision,
    instructions_fingerprint,
    instructions_review,
)
from toolnote_desktop.model.toolsets.tool_settings import SetToolSettings, ToolSettings, prompt_decision_edit
from toolnote_desktop.paths import Home

INSTRUCTIONS: Final = ":instructions"
PROMPT: Final = ":prompt:"
_UNCHANGED: Final = ReviewState.UNCHANGED
_SHOWN_DIGITS: Final = 32
"""Digits of a fingerprint that are printed: no server finds two definitions that share them."""
_STATES: Final = {
    ReviewState.SHOWN: "new text served",
    ReviewState.HELD: "held: old text served",
    ReviewState.KEPT: "old text kept",
}


_IN_FULL: Final = (
    ChangeKind.DESCRIPTION,
    ChangeKind.PARAMETER_TEXT,
    ChangeKind.PARAMETER,
    ChangeKind.ADDED,
    ChangeKind.SCHEMA,
    ChangeKind.OUTPUT,
    ChangeKind.OTHER,
)
"""Kinds whose words leave out what is in the text: it is printed, as it is accepted."""


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
    ChangeKind.NAME: lambda change: f"renamed from {change.before!r}",
    ChangeKind.OUTPUT: lambda _: "the schema of the result has changed",
    ChangeKind.OTHER: lambda change: f"{change.subject} has changed",
}


def list_changed(arguments: argparse.Namespace, home: Home) -> int:
    """Print the changed tools, prompts and instructions that the user has not accepted."""
    with open_library(home) as library:
        snapshot = library.snapshot
    _print_changed(snapshot, as_json=arguments.json)
    return 0


def _print_changed(snapshot: Snapshot, *, as_json: bool = False) -> None:
    found = _to_review(snapshot)
    reviews = [_review(snapshot, one) for one in found if not isinstance(one, str)]
    texts = [one for one in found if isinstance(one, str)]
    if as_json:
        print_json([*(_document(review) for review in reviews), *(_text_document(snapshot, one) for one in texts)])
        return
    print_table(
        (
            *(
                (
                    _address(review.known),
                    _STATES[review.known.review],
                    "; ".join(map(_words, review.changes[:3])),
                )
                for review in reviews
            ),
            *((f"{one}{INSTRUCTIONS}", _STATES[_text_state(snapshot, one)], "its instructions") for one in texts),
        )
    )
    if found:
        print_text(
            f"All of it is accepted as listed here by: toolnote review accept --all {_mark_of_all(snapshot, found)}"
        )
    else:
        print_text("Nothing has changed.")


def show(arguments: argparse.Namespace, home: Home) -> int:
    """Print the changes of a tool and the notes on it, or of a server's instructions: old and new texts."""
    with open_library(home) as library:
        snapshot = library.snapshot
        found, _ = _find(snapshot, arguments.tool, arguments.server)
    _show(snapshot, found, as_json=arguments.json)
    return 0


def _show(snapshot: Snapshot, found: KnownTool | str, *, as_json: bool = False) -> None:
    """Print what changed, and the command that accepts exactly this."""
    if as_json:
        print_json(_text_document(snapshot, found) if isinstance(found, str) else _document(_review(snapshot, found)))
        return
    if isinstance(found, str):
        _show_text(snapshot, found)
    else:
        _show_tool(snapshot, found)
    if _is_in_review(snapshot, found):
        print_text(f"  it is accepted as shown here by: toolnote review accept {_as_shown(snapshot, found)}")


def _show_tool(snapshot: Snapshot, found: KnownTool) -> None:
    review = _review(snapshot, found)
    print_text(f"{_address(found)}: {_STATES.get(review.known.review, 'accepted')}")
    for change in review.changes:
        print_text(f"  {'!' if change.meaning else '-'} {_words(change)}")
        for side, text in (("old", change.before), ("new", change.after)) if change.kind in _IN_FULL else ():
            if text:
                print_text(f"      {side}: {one_line(text)}")
    for note in review.notes:
        names = f" (names {', '.join(note.names)})" if note.names else ""
        print_text(f"  note {note.note.name}{names}: {one_line(note.note.note)}")
    if following := following_edits(snapshot, found):
        left = " and ".join(_counted(following)) or "settings"
        print_text(f"  {left} on its earlier name, {found.renamed_from}: review follow moves them")


def _show_text(snapshot: Snapshot, server: str) -> None:
    document = _text_document(snapshot, server)
    print_text(f"{server}{INSTRUCTIONS}: {_STATES.get(_text_state(snapshot, server), 'accepted')}")
    print_text(f"  old: {one_line(document['before'])}")
    print_text(f"  new: {one_line(document['after'])}")


def accept(arguments: argparse.Namespace, home: Home) -> int:
    """Accept definitions of tools and prompts, and instructions of servers, as they were shown; what was not shown, or
    has changed since, is shown instead, and nothing is accepted.
    """
    return _decide(arguments, home, "accept")


def keep(arguments: argparse.Namespace, home: Home) -> int:
    """Go on serving the accepted definitions or instructions."""
    return _decide(arguments, home, "keep")


def off(arguments: argparse.Namespace, home: Home) -> int:
    """Turn changed tools off in every toolset, and prompts; of a server, its own instructions."""
    return _decide(arguments, home, "off")


def policy(arguments: argparse.Namespace, home: Home) -> int:
    """Print, or set, what happens to a definition that a server changed."""
    with open_library(home) as library:
        if arguments.server not in library.snapshot.servers:
            raise ToolnoteError(Code.SERVER_NOT_FOUND, server=arguments.server)
        if arguments.policy is not None:
            fields = {"changes": arguments.policy}
            save(library, SetEntryFields(SERVERS, SERVER_ENTRIES, arguments.server, fields, (OWN_KEY,)))
        changes = library.snapshot.servers[arguments.server].toolnote.changes
    if arguments.json:
        print_json({"server": arguments.server, "changes": changes})
    else:
        print_text(f"Changes of {arguments.server}: {changes}")
    return 0


def follow(arguments: argparse.Namespace, home: Home) -> int:
    """Move the notes on the earlier names of renamed tools, and the tools' places in toolsets, to their new names."""
    with open_library(home) as library:
        found = [_find(library.snapshot, tool, arguments.server)[0] for tool in arguments.tools]
        edits = [edit for one in found if not isinstance(one, str) for edit in following_edits(library.snapshot, one)]
        if edits:
            save(library, *edits)
    print_text(f"{' and '.join(_counted(edits)) or '0 notes'} moved.")
    return 0


def _counted(edits: Sequence[Edit]) -> list[str]:
    """Return what edits move to a tool's new name."""
    notes, places = moved_notes(edits), renamed_places(edits)
    return [count(notes, "note")] * bool(notes) + [count(places, "place") + " in toolsets"] * bool(places)


def _decide(arguments: argparse.Namespace, home: Home, decision: Literal["accept", "keep", "off"]) -> int:
    mark_of_all: str | None = getattr(arguments, "all", None)
    if (mark_of_all is not None) == bool(arguments.tools) or (mark_of_all and not _is_mark(mark_of_all)):
        raise ToolnoteError(Code.SETTING_INVALID, setting="review", reason="name tools, or give --all")
    with open_library(home) as library:
        snapshot = library.snapshot
        if mark_of_all is None:
            named = [_find(snapshot, tool, arguments.server) for tool in arguments.tools]
            found = [one for one, _ in named]
            if decision == "accept" and not _are_as_shown(snapshot, named):
                return 1
        else:
            found = _to_review(snapshot)
            if found and mark_of_all != (now := _mark_of_all(snapshot, found)):
                _print_changed(snapshot)
                was = "This has changed since it was listed" if mark_of_all else "This was not listed before"
                print_note(f"{was}; nothing is accepted before: toolnote review accept --all {now}")
                return 1
        texts = [one for one in found if isinstance(one, str)]  # also unchanged ones: the decision holds for what comes
        tools = [one for one in found if not isinstance(one, str)]
        edits = [
            *(_edit(known, decision) for known in tools),
            *(_text_edit(snapshot, server, decision) for server in texts),
        ]
        if edits:
            snapshot = save(library, *edits)
    _print_decided(snapshot, tools, texts, decision)
    return 0


def _are_as_shown(snapshot: Snapshot, named: Sequence[tuple[KnownTool | str, str]]) -> bool:
    """Return True if all that is to be accepted is what was shown; else show what is not, and name the command."""
    unseen = [
        (one, mark)
        for one, mark in named
        if (not _fingerprint(snapshot, one).startswith(mark) if mark else _is_in_review(snapshot, one))
    ]
    for one, _ in unseen:
        _show(snapshot, one)
    if unseen:
        was = "This has changed since it was shown" if all(mark for _, mark in unseen) else "This was not shown before"
        command = " ".join(_as_shown(snapshot, one) for one, _ in named)
        print_note(f"{was}; nothing is accepted before: toolnote review accept {command}")
    return not unseen


def _print_decided(
    snapshot: Snapshot, tools: Sequence[KnownTool], texts: Sequence[str], decision: Literal["accept", "keep", "off"]
) -> None:
    verb = {"accept": "accepted", "keep": "kept as before", "off": "turned off"}[decision]
    prompts = sum(map(_is_prompt, tools))
    if len(tools) > prompts or (not tools and not texts):
        print_text(f"{count(len(tools) - prompts, 'tool')} {verb}.")
    if prompts:
        print_text(f"{count(prompts, 'prompt')} {verb}.")
    for server in texts:
        print_text(f"Instructions of {server} {verb}.")
    if decision != "off":
        for name in (known.tool.namespaced_name for known in tools if not _is_prompt(known)):
            if not snapshot.tool_settings.by_name.get(name, ToolSettings()).enabled:
                print_note(f"{name} stays off: `toolnote tool set {shlex.quote(name)} --on` turns it on")


def _edit(known: KnownTool, decision: Literal["accept", "keep", "off"]) -> Edit:
    if _is_prompt(known):
        return prompt_decision_edit(known, decision)
    fields: JsonObject = {}
    if decision != "off" or known.review is not _UNCHANGED:
        fields["review"] = decision_fields(known, "accept" if decision == "accept" else "keep")
    if decision == "off":
        fields["enabled"] = False
    return SetToolSettings(known.tool.namespaced_name, fields)


def _is_prompt(known: KnownTool) -> bool:
    return is_prompt(known.newest.definition)


def _address(known: KnownTool) -> str:
    """Return the name by which commands find a tool or prompt."""
    tool = known.tool
    return f"{tool.server}{PROMPT}{tool.name}" if _is_prompt(known) else tool.namespaced_name


def _text_edit(snapshot: Snapshot, server: str, decision: Literal["accept", "keep", "off"]) -> Edit:
    text = snapshot.catalogue.servers[server].instructions or ""
    fields = dict(instructions_decision(text, "accept" if decision == "accept" else "keep"))
    fields["instructions"] = False if decision == "off" else ABSENT
    return SetEntryFields(SERVERS, SERVER_ENTRIES, server, fields, (OWN_KEY,))


def _find(snapshot: Snapshot, name: str, server: str | None) -> tuple[KnownTool | str, str]:
    """Return what a command names, and the fingerprint, or start of it, by which it was shown; "" without one.

    Raises:
        ToolnoteError: ``tool-not-found``, ``tool-ambiguous``.
    """
    unmarked, _, mark = name.rpartition("@")
    if not _is_mark(mark) or find_tool(snapshot, name, server) is not None:
        return _find_named(snapshot, name, server), ""
    return _find_named(snapshot, unmarked, server), mark


def _is_mark(text: str) -> bool:
    return len(text) >= _SHOWN_DIGITS and all(one in "0123456789abcdef" for one in text)


def _fingerprint(snapshot: Snapshot, found: KnownTool | str) -> str:
    if isinstance(found, str):
        return instructions_fingerprint(snapshot.catalogue.servers[found].instructions or "")
    return found.newest.fingerprint


def _as_shown(snapshot: Snapshot, found: KnownTool | str) -> str:
    """Return what a command names something by as it is now, quoted for a shell; a tool whose name has signs that are
    not printed as they are, by the name that clients see.
    """
    name = _name(found)
    if not name.isprintable() and not isinstance(found, str) and not _is_prompt(found):
        name = snapshot.catalogue.exposed[found.tool.key]
    return shlex.quote(f"{name}@{_fingerprint(snapshot, found)[:_SHOWN_DIGITS]}")


def _name(found: KnownTool | str) -> str:
    """Return the name of a tool or prompt, or of a server's instructions, in commands."""
    return f"{found}{INSTRUCTIONS}" if isinstance(found, str) else _address(found)


def _mark_of_all(snapshot: Snapshot, changed: Sequence[KnownTool | str]) -> str:
    """Return what ``--all`` names all changes by, as they are now."""
    shown = sorted((_name(one), _fingerprint(snapshot, one)) for one in changed)
    return hashlib.sha256(json_text.dumps(shown)).hexdigest()[:_SHOWN_DIGITS]


def _is_in_review(snapshot: Snapshot, found: KnownTool | str) -> bool:
    return (_text_state(snapshot, found) if isinstance(found, str) else found.review) in IN_REVIEW


def _to_review(snapshot: Snapshot) -> list[KnownTool | str]:
    """Return what changed and is not accepted: tools, prompts, and servers with their instructions."""
    return [*tools_to_review(snapshot), *prompts_to_review(snapshot), *_instructions_to_review(snapshot)]


def _review(snapshot: Snapshot, known: KnownTool) -> ToolReview:
    return prompt_review(known) if _is_prompt(known) else tool_review(snapshot, known)


def _find_named(snapshot: Snapshot, name: str, server: str | None) -> KnownTool | str:
    """Return the tool or prompt that a command names, or the id of the server whose instructions it names.

    A server's tool called ``instructions`` or ``prompt:NAME`` takes the name of neither: it has its namespacedName.

    Raises:
        ToolnoteError: ``tool-not-found``, ``tool-ambiguous``.
    """
    known = find_tool(snapshot, name, server)
    other = _find_other(snapshot, name, server)
    if known is not None and other is not None and known.tool.namespaced_name == name:
        candidates = unambiguous_name(snapshot.catalogue, known)
        raise ToolnoteError(Code.TOOL_AMBIGUOUS, tool=name, candidates=shlex.quote(candidates))
    if (found := known if other is None else other) is None:
        raise ToolnoteError(Code.TOOL_NOT_FOUND, tool=name)
    return found


def _find_other(snapshot: Snapshot, name: str, server: str | None) -> KnownTool | str | None:
    """Return the prompt that a command names, or the id of the server whose instructions it names."""
    for at in range(len(name)):
        if name.startswith(PROMPT, at) and server in (None, name[:at]):
            known = snapshot.catalogue.prompts.get((name[:at], name[at + len(PROMPT) :]))
            if known is not None:
                return known
    for one in (name, name.removesuffix(INSTRUCTIONS)):
        if server in (None, one) and one in snapshot.servers and one in snapshot.catalogue.servers:
            return one
    return None


def _instructions_to_review(snapshot: Snapshot) -> list[str]:
    """Return the servers whose changed instructions are not accepted, those without a decision first."""
    states = {server: _text_state(snapshot, server) for server in snapshot.servers}
    found = [server for server, state in states.items() if state in IN_REVIEW]
    return sorted(found, key=lambda server: states[server] is ReviewState.KEPT)


def _text_state(snapshot: Snapshot, server: str) -> ReviewState:
    listing = snapshot.catalogue.servers.get(server)
    return _UNCHANGED if listing is None else instructions_review(listing, snapshot.servers[server].toolnote)


def _text_document(snapshot: Snapshot, server: str) -> JsonObject:
    listing = snapshot.catalogue.servers[server]
    now, before = listing.instructions or "", listing.accepted_instructions
    return {
        "server": server,
        "instructions": True,
        "fingerprint": _fingerprint(snapshot, server),
        "state": str(_text_state(snapshot, server)),
        "meaning": before is not None and bool(new_meaning(before, now)),
        "before": now if before is None else before,
        "after": now,
    }


def _words(change: DefinitionChange) -> str:
    return one_line(_WORDS[change.kind](change))


def _document(review: ToolReview) -> JsonObject:
    tool = review.known.tool
    return {
        "tool": _address(review.known),
        "server": tool.server,
        "fingerprint": review.known.newest.fingerprint,
        "state": str(review.known.review),
        "renamedFrom": review.known.renamed_from or None,
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
    "follow": follow,
    "policy": policy,
}
