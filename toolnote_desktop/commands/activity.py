"""``toolnote activity`` and ``toolnote effect``: recorded calls, and what each note changed (docs/effect.md)."""

from __future__ import annotations

import argparse
import io
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final

from toolnote_desktop.commands import Command
from toolnote_desktop.commands.library import open_library
from toolnote_desktop.commands.output import count, print_json, print_note, print_table, print_text, write_output
from toolnote_desktop.commands.tool_names import find_tool
from toolnote_desktop.guidance.effects import NoteEffect, effect_of, effects_in_use
from toolnote_desktop.guidance.scanner import answer_findings
from toolnote_desktop.model.calls.effect import Rate, Verdict, calls_needed, interval
from toolnote_desktop.model.calls.outcome import OWN_CLASS, Outcome
from toolnote_desktop.model.json_text import JsonObject
from toolnote_desktop.model.names import ToolKey
from toolnote_desktop.model.problem import Code, ToolnoteError
from toolnote_desktop.model.snapshot import Snapshot
from toolnote_desktop.paths import Home
from toolnote_desktop.store.activity_database import Call, reading_problem
from toolnote_desktop.store.activity_export import call_to_json, write_csv
from toolnote_desktop.store.activity_queries import CallFilter, calls_of_notes, recent_calls

USUAL_LIMIT: Final = 100


def activity(arguments: argparse.Namespace, home: Home) -> int:
    """Print recorded calls, the newest first."""
    key: ToolKey | None = None
    if arguments.tool is not None:
        with open_library(home) as library:
            key = _key(library.snapshot, arguments)
    outcomes = tuple(one for one in Outcome if one.word == arguments.outcome)
    since = time.time() - arguments.since if arguments.since is not None else None
    chosen = CallFilter(client=arguments.client, tool=key, outcomes=outcomes, since=since, text=arguments.text)
    calls = recent_calls(home, arguments.limit or USUAL_LIMIT, chosen)
    if not calls and (reason := reading_problem(home.activity)) is not None:
        print_note(f"{home.activity.name} cannot be read: {reason}")
        return 1
    if arguments.csv:
        stream = io.StringIO(newline="")
        write_csv(stream, calls)
        write_output(stream.getvalue().encode("utf-8", "replace"))
    elif arguments.json:
        print_json({"calls": [{**call_to_json(call), "findings": _findings(call)} for call in calls]})
    elif not calls:
        print_text("There are no such calls.")
    else:
        print_table([("TIME", "CLIENT", "TOOL", "OUTCOME", "TOOK", "NOTES READ", "ERROR"), *map(_row, calls)])
    return 0


def _row(call: Call) -> tuple[str, ...]:
    moment = datetime.fromtimestamp(call.time, UTC).astimezone()
    behind = "" if call.behind is None else "current" if not call.behind else f"{count(call.behind, 'change')} old"
    name = f"{call.server}.{call.tool}"
    error = call.message or call.error or ""
    if marks := _findings(call):
        error = f"{error} [suspicious: {' '.join(dict.fromkeys(one['reason'] for one in marks))}]".lstrip()
    return (f"{moment:%Y-%m-%d %H:%M:%S}", call.client, name, call.outcome.word, f"{call.seconds:.1f} s", behind, error)


def _findings(call: Call) -> list[JsonObject]:
    """Return what the scanner finds in what is recorded of a server's answer: a mark, which blocks nothing.

    Nothing in answers of Toolnote's own, which tell an assistant what to do.
    """
    if (call.error or "").startswith(OWN_CLASS):
        return []
    field, text = ("result", call.result) if call.result else ("message", call.message)
    return [
        {"field": field, "kind": str(one.kind), "reason": one.sentence, "excerpt": one.excerpt}
        for one in answer_findings(text or "", call.server, call.tool, field)
    ]


def effect(arguments: argparse.Namespace, home: Home) -> int:
    """Print for each note in use the failed calls of its tool before it was first read, and since."""
    with open_library(home) as library:
        snapshot = library.snapshot
        key = _key(snapshot, arguments) if arguments.tool is not None else None
    found = effects_in_use(
        snapshot,
        (
            effect_of((one.server, one.tool), one.notes, one.before, one.since, one.classes, one.first_read)
            for one in calls_of_notes(home, key)
        ),
    )
    if arguments.json:
        print_json({"effects": [one.to_json() for one in found]})
        return 0
    if not found:
        print_text("No note has been read and used yet.")
    for one in found:
        _print_effect(one)
    if found:
        print_note("the intervals hold however often you look; see docs/effect.md")
    return 0


def _print_effect(one: NoteEffect) -> None:
    print_text(f"{one.server}.{one.tool}: {', '.join(note.name for note in one.notes)}")
    print_text(f"  failed before: {_rate(one.before)}; since: {_rate(one.since)}")
    low, high = interval(one.before, one.since)
    difference = f"{low * 100:+.0f} to {high * 100:+.0f} points"
    match one.verdict:
        case Verdict.HELPS:
            print_text(f"  It helps: fewer calls fail ({difference}).")
        case Verdict.WORSE:
            print_text(f"  It makes things worse: more calls fail ({difference}).")
        case Verdict.UNCLEAR:
            print_text(f"  No difference is certain ({difference}).")
        case Verdict.TOO_FEW:
            needed = calls_needed(one.before)
            more = "" if needed is None else f": at least {count(needed, 'call')} with the note are needed"
            print_text(f"  Too few calls to say{more}.")
    for name, (before, since) in sorted(one.classes.items(), key=lambda item: -sum(item[1])):
        print_text(f"    {before} before, {since} since: {name}")


def _rate(rate: Rate) -> str:
    return f"{rate.failed} of {rate.calls}"


def _key(snapshot: Snapshot, arguments: argparse.Namespace) -> ToolKey:
    known = find_tool(snapshot, arguments.tool, arguments.server)
    if known is None:
        raise ToolnoteError(Code.TOOL_NOT_FOUND, tool=arguments.tool)
    return known.tool.key


RUN: Final[Mapping[str, Command]] = {
    "activity": activity,
    "effect": effect,
}
